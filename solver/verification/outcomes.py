"""What is decided about the label of an item: a verdict, the answer, and the evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Verdict(StrEnum):
    """What is found about the label of an item."""

    RIGHT = "right"
    RIGHT_UNDER = "right-under"
    WRONG = "wrong"
    NO_RIGHT_OPTION = "no-right-option"
    CONTRADICTORY = "contradictory"
    UNANSWERABLE = "unanswerable"
    FALSE_PREMISE = "false-premise"
    UNREAD = "unread"

    @property
    def meaning(self) -> str:
        """The verdict in words."""
        return _MEANINGS[self]


_MEANINGS = {
    Verdict.RIGHT: "right in every reading",
    Verdict.RIGHT_UNDER: "right in some readings only",
    Verdict.WRONG: "wrong in every reading",
    Verdict.NO_RIGHT_OPTION: "no option is right",
    Verdict.CONTRADICTORY: "the premise has no model",
    Verdict.UNANSWERABLE: "several answers fit, or what is asked does not occur",
    Verdict.FALSE_PREMISE: "a stated fact of the calendar is false, but the label is right",
    Verdict.UNREAD: "not read, and never counted as right",
}

WRONG_LABELS = frozenset({Verdict.WRONG, Verdict.NO_RIGHT_OPTION})
"""The verdicts about labels that can be corrected."""

LABEL_HOLDS = frozenset({Verdict.RIGHT, Verdict.FALSE_PREMISE})
"""The verdicts under one reading by which the label is right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What is decided about an item under one reading.

    Attributes:
        verdict: any but ``right-under`` and ``unread``.
        decided: the right label in the notation of the file; None if no single one is right.
        certificate: the evidence, as JSON values; see the checker of the kind.
        proof: the same in words, one or more sentences.
    """

    verdict: Verdict
    decided: str | None
    certificate: Mapping[str, Any]
    proof: str
