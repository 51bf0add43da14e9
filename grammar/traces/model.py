"""What the steps of a chain of thought state; point ``2 * e`` is the start of event ``e``.

Events are numbered in the order of their first mention in the premise, then in the claim.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from grammar.eventhop.model import Label


class StatementKind(StrEnum):
    """What a statement is about; the values are those of the files."""

    HOLDS = "holds"
    DOES_NOT_HOLD = "does-not-hold"
    POSSIBLE = "possible"
    NOT_DERIVABLE = "not-derivable"
    LEFT_OPEN = "left-open"
    CLAIM_CONTRADICTORY = "claim-contradictory"
    PREMISE_CONTRADICTORY = "premise-contradictory"
    PREMISE_CONSISTENT = "premise-consistent"
    TIMELINE = "timeline"
    ANSWER = "answer"
    WITHDRAWS = "withdraws"
    ASSUMED = "assumed"
    UNREAD = "unread"

    __hash__ = str.__hash__


# Tuples, not dataclasses: a reward makes thousands of these a second.
class PointOrder(NamedTuple):
    """``left sign right`` of two points, where the sign is ``<``, ``<=`` or ``=``."""

    left: int
    sign: str
    right: int


Orders = tuple[PointOrder, ...]


def ordered(left: int, sign: str, right: int) -> PointOrder:
    """The normal form of an order with any of the signs ``<``, ``<=``, ``=``, ``>=``, ``>``."""
    if sign[0] == ">" or (sign == "=" and right < left):
        left, sign, right = right, sign.replace(">", "<"), left
    return PointOrder(left, sign, right)


class ReadStatement(NamedTuple):
    """A statement as it was read.

    Attributes:
        kind: what it is about.
        orders: the orders of points that it states, denies, or leaves open; a conjunction.
        label: label of an answer.
        instants: the instant of each point of a timeline, as (point, instant).
        step: of a withdrawal, the index of the step that it names; None for the statements of the
            sentence before.
        events: number of events that an unread clause mentions.
    """

    kind: StatementKind
    orders: Orders = ()
    label: Label | None = None
    instants: tuple[tuple[int, float], ...] = ()
    step: int | None = None
    events: int = 0


class ReadSentence(NamedTuple):
    """The statements of one sentence of a step."""

    statements: tuple[ReadStatement, ...] = ()


class ReadStep(NamedTuple):
    """A step and what its sentences state.

    Attributes:
        text: the step as it is written.
        sentences: its sentences, in the order of the text.
    """

    text: str
    sentences: tuple[ReadSentence, ...] = ()

    @property
    def statements(self) -> tuple[ReadStatement, ...]:
        """The statements of all sentences."""
        return tuple(stated for sentence in self.sentences for stated in sentence.statements)
