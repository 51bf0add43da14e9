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


def judged(kind: str, gold: str, outcomes: Mapping[str, Outcome]) -> dict[str, Any]:
    """A line of ``items.jsonl`` about a label, for the checker of its kind.

    Args:
        kind: the kind of the certificates.
        gold: the label.
        outcomes: what is decided under each reading, the default one first.
    """
    default = next(iter(outcomes.values()))
    held = [outcome.verdict in LABEL_HOLDS for outcome in outcomes.values()]
    verdict = Verdict.RIGHT_UNDER if any(held) and not all(held) else default.verdict
    shown = {
        name: {"verdict": outcome.verdict.value, "decided": outcome.decided}
        for name, outcome in outcomes.items()
    }
    cases = [
        {"reading": name, **shown[name], **outcome.certificate}
        for name, outcome in outcomes.items()
    ]
    return {
        "kind": kind,
        "verdict": verdict.value,
        "gold": gold,
        "decided": default.decided,
        "readings": shown,
        "certificate": {"kind": kind, "gold": gold, "cases": cases},
        "proof": default.proof,
    }
