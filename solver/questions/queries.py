"""Files of which only the queries are read: what ``parse`` prints, and questions of a data set."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from grammar.question import QuestionKind
from solver.errors import HopcheckError
from solver.questions.question import Triple
from solver.reading.failures import RowError
from solver.reading.jsonl import malformed
from solver.reading.lines import Line, lines
from solver.reading.source import opened
from solver.records import Place

_HINT = "one object as parse --kind questions prints them"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedQuery:
    """A query, and where it stands.

    Attributes:
        variant: in which it is worded.
        id: of its record, if it has one.
    """

    place: Place
    kind: QuestionKind
    query: tuple[Triple, ...]
    time: str
    variant: int = 0
    id: str | None = None


class _Record(msgspec.Struct, frozen=True):
    kind: QuestionKind
    query: tuple[Triple, ...]
    time: str
    variant: int = 0
    id: str | int | None = None


_DECODE = msgspec.json.Decoder(_Record).decode


def placed_queries(path: str) -> Iterator[PlacedQuery | HopcheckError]:
    """The queries of a file, one JSON object a line.

    Raises:
        InputError: the file is missing or damaged.
    """
    with opened(path) as source:
        for line in lines(source):
            if line.error is not None:
                yield line.error
            elif not line.blank:
                yield _query(Place(file=source.name, line=line.number), line)


def _query(place: Place, line: Line) -> PlacedQuery | HopcheckError:
    try:
        record = _DECODE(line.text)
    except msgspec.ValidationError as error:
        return RowError(f"found no query: {error}", where=place.at(), hint=_HINT)
    except (msgspec.DecodeError, RecursionError) as error:
        told = malformed(line.text, place, error)
        return RowError(told.message, where=told.where, hint=_HINT)
    return PlacedQuery(
        place=place,
        kind=record.kind,
        query=record.query,
        time=record.time,
        variant=record.variant,
        id=None if record.id is None else str(record.id),
    )
