"""Explains a story about positions: its answer under each reading, and a grid of the points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grammar.positions.reader import StoryReader, reader
from solver.positions.decide import decide
from solver.positions.model import CONVENTIONS, DEFAULT, LABELS, Problem, Reading
from solver.report.explanation import WrittenExplanation
from solver.verification.outcomes import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryExplanation(WrittenExplanation):
    """A story with what is decided about its question.

    Attributes:
        asked: the question.
        reading: the values of all conventions.
        outcome: the verdict about the label, with its evidence.
    """

    asked: str
    reading: Reading
    outcome: Outcome

    @property
    def placements(self) -> Sequence[Mapping[str, Sequence[int]]]:
        """Coordinates of the points to the east and north; two placements if answers differ."""
        found: Sequence[Mapping[str, Sequence[int]]] = self.outcome.certificate.get(
            "placements", ()
        )
        return found

    def lines(self) -> Iterator[str]:
        """The answer with its proof, and the points on a grid."""
        yield self.asked
        yield f"answer: {self.outcome.decided or self.outcome.verdict}"
        yield from self.outcome.proof.splitlines()
        for placed in self.placements:
            yield ""
            yield from grid(placed)

    def as_json(self) -> dict[str, Any]:
        """The outcome as JSON values."""
        return {
            "question": self.asked,
            "reading": dict(self.reading),
            "answer": self.outcome.decided,
            "verdict": self.outcome.verdict.value,
            "placements": [dict(placed) for placed in self.placements],
        }

    def columns(self) -> Sequence[str]:
        """Point and coordinates."""
        return ("point", "east", "north")

    def rows(self) -> list[Mapping[str, object]]:
        """The points of the first placement."""
        return [
            {"point": name, "east": spot[0], "north": spot[1]}
            for name, spot in (self.placements[0] if self.placements else {}).items()
        ]

    def picture(self, form: str = "svg") -> bytes | None:
        """None: the grid is text."""
        del form
        return None


def grid(placed: Mapping[str, Sequence[int]]) -> Iterator[str]:
    """The rows of a grid with the points of a placement, north first."""
    if not placed:
        return
    spots: dict[tuple[int, int], str] = {}
    for name, (east, north) in placed.items():
        spots[east, north] = "/".join(filter(None, (spots.get((east, north), ""), name)))
    columns = sorted({east for east, _ in spots})
    width = max(map(len, spots.values()))
    for row in sorted({north for _, north in spots}, reverse=True):
        cells = (spots.get((column, row), "·").center(width) for column in columns)
        yield " ".join(cells).rstrip()


def explain(
    sentences: Sequence[str],
    asked: str,
    wording: str | StoryReader = "stepgame",
    reading: Reading | None = None,
    label: str = "",
) -> StoryExplanation:
    """Read a story and answer its question.

    Args:
        sentences: the story.
        asked: the question.
        wording: name of a wording of this package, or a reader.
        reading: values of conventions; the defaults for others.
        label: the label to check; the answer if it is empty.

    Raises:
        StoryError: a sentence is not read.
    """
    chosen = {**DEFAULT, **(reading or {})}
    read = (reader(wording) if isinstance(wording, str) else wording).story(sentences, asked)
    labels = {"where": next(iter(LABELS)), "whether": "yes", "route": "n", "before": "?"}
    gold = label or labels[read.question.asks]
    (outcome,) = decide([Problem(story=read, gold=gold, reading=chosen)])
    if not label and outcome.decided is not None:
        (outcome,) = decide([Problem(story=read, gold=outcome.decided, reading=chosen)])
    return StoryExplanation(asked=asked, reading=chosen, outcome=outcome)


def reading_of(values: Mapping[str, str]) -> Reading:
    """Values of conventions, all of which must be known.

    Raises:
        ValueError: one is not.
    """
    for name, value in values.items():
        if value not in CONVENTIONS.get(name, {}):
            known = ", ".join(f"{n}={v}" for n, row in CONVENTIONS.items() for v in row)
            raise ValueError(f"found {name}={value}, expected one of {known}")
    return values
