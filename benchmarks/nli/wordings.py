"""Texts of prompts: the task, the labels and the answer format, in each domain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from solver.model import Domain, Label


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """The wording of a domain's task.

    Attributes:
        task: the task and the meaning of claims.
        names: names in the examples, by their letters in ``benchmarks.nli.examples``.
    """

    task: str
    names: Mapping[str, str]


LABELS = MappingProxyType(
    {
        Label.TRUE: "the statements force the claim",
        Label.FALSE: "the statements rule the claim out, or leave it open",
        Label.UNDEFINED: "the statements contradict each other about what the claim speaks of",
    }
)

WITHOUT_REASONING = "Give no reasons. Reply with one line of the form\nAnswer: LABEL"
WITH_REASONING = (
    "Reason step by step: follow the statements from one to the next. Then end your reply with "
    "one line of the form\nAnswer: LABEL"
)

WORDINGS = MappingProxyType(
    {
        Domain.TEMPORAL: Wording(
            task=(
                "You are given statements about the starts and ends of events, and a claim about "
                "two events. Judge the claim by the statements alone. Every event starts before "
                "it ends. One event happens before another if it ends no later than the other "
                "starts. Two events overlap if each starts before the other ends."
            ),
            names={
                "A": "Lantern Week",
                "B": "Ferry Strike",
                "C": "Kite Fair",
                "D": "Apple Harvest",
            },
        ),
        Domain.SPATIAL: Wording(
            task=(
                "You are given statements about the edges of places, and a claim about two "
                "places. Judge the claim by the statements alone. Every place has its western "
                "edge west of its eastern edge. A place lies completely west of another if its "
                "eastern edge is no further east than the other's western edge. Two places share "
                "a longitude if the western edge of each is west of the other's eastern edge."
            ),
            names={"A": "Osterby", "B": "Fallowmere", "C": "Tarnholt", "D": "Brindlewick"},
        ),
        Domain.LOGICAL: Wording(
            task=(
                "You are given statements that compare numbers, and a claim. Each name stands for "
                "a range: NAME1 is its lower end and NAME2 its upper end, and NAME1 < NAME2 "
                "always holds. Judge the claim by the statements alone. X < Y claims that X2 is "
                "at most Y1, X > Y the same with X and Y exchanged, and X = Y that each range "
                "begins below the end of the other."
            ),
            names={"A": "amber", "B": "birch", "C": "cedar", "D": "delta"},
        ),
    }
)
