"""Files of which only the questions' texts are read: text, JSON Lines, Parquet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from grammar.errors import ParseError
from solver.errors import HopcheckError
from solver.questions.files import BrokenQuestion, placed_questions
from solver.reading.failures import RowError
from solver.reading.jsonl import column_of, malformed
from solver.reading.lines import Line, lines
from solver.reading.source import opened
from solver.records import Place

_PARQUET = b"PAR1"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedText:
    """A text, and where it stands.

    Attributes:
        id: of its record, if it has one.
        line: all of the line; empty in Parquet.
        column: of that line, at which the text starts, from 1.
    """

    place: Place
    text: str
    id: str | None = None
    line: str = ""
    column: int = 1

    def located(self, error: ParseError) -> HopcheckError:
        """An error of the text with its place in the file."""
        before = self.text[: error.column - 1]
        start = self.column - 1
        if self.line[start : start + len(before)] == before and self.line:
            where = self.place.at(self.column + error.column - 1)
            return HopcheckError(error.message, where=where, hint=error.hint)
        # Escapes of JSON stand before it.
        message = f"column {error.column} of the text: {error.message}"
        return HopcheckError(message, where=self.place.at(), hint=error.hint)


class _Record(msgspec.Struct, frozen=True):
    text: str
    id: str | int | None = None


_DECODE = msgspec.json.Decoder(_Record).decode


def placed_texts(path: str) -> Iterator[PlacedText | HopcheckError]:
    """The texts of a file, a line each: as they are, or the ``text`` of a JSON object.

    Raises:
        InputError: the file is missing or damaged.
    """
    with opened(path) as source:
        if source.head().startswith(_PARQUET) and source.path is not None:
            for one in placed_questions(path):
                if isinstance(one.read, BrokenQuestion):
                    yield one.read.error
                else:
                    yield PlacedText(place=one.place, text=one.read.text, id=one.read.id)
            return
        for line in lines(source):
            if line.error is not None:
                yield line.error
            elif not line.blank:
                yield _text(Place(file=source.name, line=line.number), line)


def _text(place: Place, line: Line) -> PlacedText | HopcheckError:
    if not line.text.lstrip().startswith("{"):
        text = line.text.rstrip()
        return PlacedText(place=place, text=text, line=text)
    try:
        record = _DECODE(line.text)
    except msgspec.ValidationError as error:
        return RowError(f"found no text of a question: {error}", where=place.at())
    except (msgspec.DecodeError, RecursionError) as error:
        return malformed(line.text, place, error)
    return PlacedText(
        place=place,
        text=record.text,
        id=None if record.id is None else str(record.id),
        line=line.text,
        column=column_of(line.text, "text") + 1,
    )
