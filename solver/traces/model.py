"""Verdicts about the statements and steps of a chain of thought.

Source: docs/traces.md, section "Verdicts".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from grammar.eventhop.model import Item, Label, Policy, SpatialReading, Status
from grammar.traces.model import Orders, ReadStatement, StatementKind


class StepVerdict(StrEnum):
    """The verdict of a statement; that of a step is its worst one, in this order."""

    CONTRADICTS = "contradicts"
    OPEN = "open"
    CARRIED = "carried"
    UNREAD = "unread"
    WITHDRAWN = "withdrawn"
    FOLLOWS = "follows"
    RESTATED = "restated"
    NONE = "none"

    __hash__ = str.__hash__


WRONG = frozenset((StepVerdict.CONTRADICTS, StepVerdict.OPEN, StepVerdict.CARRIED))
"""The verdicts of wrong statements."""

RIGHT = frozenset((StepVerdict.FOLLOWS, StepVerdict.RESTATED))
"""The verdicts of right statements."""

_BY_SEVERITY = {verdict: place for place, verdict in enumerate(StepVerdict)}


def worst(verdicts: Sequence[StepVerdict]) -> StepVerdict:
    """The worst of some verdicts; ``none`` if there are none."""
    return min(verdicts, key=_BY_SEVERITY.__getitem__, default=StepVerdict.NONE)


class Support(StrEnum):
    """Whether the statements of a trace derive the status of its claim."""

    SUPPORTED = "supported"
    LEAPING = "leaping"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What a statement may use: a sentence of the premise, or an earlier right statement.

    Attributes:
        step: index of the step; None for the premise.
        index: index of the relation in the premise, or of the statement in its step.
    """

    step: int | None = None
    index: int

    def __str__(self) -> str:
        """Format as ``premise 0`` or ``step 2.0``; all numbers count from 0."""
        return f"premise {self.index}" if self.step is None else f"step {self.step}.{self.index}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A statement and its verdict.

    Attributes:
        stated: what was read.
        verdict: its verdict.
        uses: a smallest set of premise sentences and earlier right statements that derive it; empty
            if nothing but durations is needed, or if the statement is about what is not derivable.
    """

    stated: ReadStatement
    verdict: StepVerdict
    uses: tuple[Source, ...] = ()

    @property
    def kind(self) -> StatementKind:
        """What the statement is about."""
        return self.stated.kind

    @property
    def orders(self) -> Orders:
        """The orders that it is about."""
        return self.stated.orders

    @property
    def leap(self) -> bool:
        """Whether a right statement needs more than two others."""
        return len(self.uses) > 2

    def as_json(self, names: Sequence[str]) -> dict[str, Any]:
        """The object of ``items.jsonl``; ``names`` are those of the item's points."""
        stated = self.stated
        row: dict[str, Any] = {"kind": stated.kind.value}
        if stated.orders:
            row["orders"] = [_written(names[p], sign, names[q]) for p, sign, q in stated.orders]
        if stated.label is not None:
            row["label"] = stated.label.value
        if stated.instants:
            row["instants"] = {names[p]: instant for p, instant in stated.instants}
        return row | {"verdict": self.verdict.value, "uses": [str(source) for source in self.uses]}


def _written(left: str, sign: str, right: str) -> list[str]:
    """An order with the names of its points; those of an equation are sorted."""
    if sign == "=" and right < left:
        left, right = right, left
    return [left, sign, right]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A step and its verdict, which is that of its worst statement."""

    text: str
    statements: tuple[Statement, ...] = ()

    @property
    def verdict(self) -> StepVerdict:
        """The worst verdict of a statement."""
        return worst([statement.verdict for statement in self.statements])


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """A chain of thought to decide.

    Attributes:
        item: the premise and the claim.
        texts: the steps as they are written.
        policy: when a label is undefined.
        spatial: which edge of a place is its start.
    """

    item: Item
    texts: tuple[str, ...]
    policy: Policy = Policy.LOCAL
    spatial: SpatialReading = SpatialReading.GEOMETRIC


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceVerdict:
    """The verdicts about a chain of thought.

    Attributes:
        steps: its steps.
        first_error: index of the first wrong step, -1 if there is none.
        support: whether its statements derive the status.
        status: status of the claim.
        label: the right label.
        answer: the label that the trace gives last; None without an answer.
    """

    steps: tuple[Step, ...]
    first_error: int
    support: Support
    status: Status
    label: Label
    answer: Label | None = None

    @property
    def lucky(self) -> bool:
        """Whether a right answer comes after an error."""
        return self.answer is self.label and self.first_error >= 0

    def as_json(self, names: Sequence[str]) -> dict[str, Any]:
        """The object of ``items.jsonl`` without id and texts; ``names`` are the points' names."""
        return {
            "first_error": self.first_error,
            "supported": self.support.value,
            "lucky": self.lucky,
            "answer": None if self.answer is None else self.answer.value,
            "steps": [
                {
                    "text": step.text,
                    "verdict": step.verdict.value,
                    "statements": [statement.as_json(names) for statement in step.statements],
                }
                for step in self.steps
            ],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredTrace:
    """A row of a file: a trace, and what the file says of it.

    Attributes:
        id: id of the row.
        where: its place, as ``file:line``.
        premise: the premise as it is written.
        claim: the claim as it is written.
        trace: what is decided.
        label: the label that the file declares.
        first_error: the first wrong step that it declares.
        verdicts: the verdicts that it allows for each step; empty where it declares none.
        fields: all fields of the row, if it is one of a data set.
    """

    id: str
    where: str
    premise: str
    claim: str
    trace: Trace
    label: Label | None = None
    first_error: int | None = None
    verdicts: tuple[tuple[StepVerdict, ...], ...] = ()
    fields: Mapping[str, Any] | None = None
