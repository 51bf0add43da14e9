"""The reasoners: the whole one, and those that lack a piece of its logic.

Each is an encoding of its own under ``encodings/temporal/ablations/``, but for the published
procedure, which is a procedure (``solver.published``). Their labels are those of the policy
``local``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

FULL = "full"
CLAIM_ONLY = "claim-only"
PUBLISHED = "published"
BOUNDS = tuple(range(1, 9))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reasoner:
    """A way to answer items.

    Attributes:
        name: what it is called on the command line and in files.
        meaning: what it does, in one sentence.
        habit: ends the sentence "It answers as if …".
        encoding: its program below ``encodings/``; None for the published procedure.
        constants: values for the program's ``#const``.
    """

    name: str
    meaning: str
    habit: str
    encoding: str | None
    constants: Mapping[str, int] = field(default_factory=dict)


def _lacking(name: str, meaning: str, habit: str) -> Reasoner:
    encoding = f"temporal/ablations/{name.replace('-', '_')}.lp"
    return Reasoner(name=name, meaning=meaning, habit=habit, encoding=encoding)


def _bounded(bound: int) -> Reasoner:
    sentences = "one sentence" if bound == 1 else f"{bound} sentences"
    return Reasoner(
        name=f"hops-{bound}",
        meaning=f"Follows chains of at most {sentences} of the premise.",
        habit=f"no chain were longer than {sentences}",
        encoding="temporal/ablations/bounded.lp",
        constants={"bound": bound},
    )


REASONERS = (
    Reasoner(
        name=FULL,
        meaning="Derives all that the premise says of the claim.",
        habit="nothing were missing",
        encoding="temporal/claims.lp",
    ),
    *map(_bounded, BOUNDS),
    _lacking(
        "no-simultaneity",
        "Passes over sentences of simultaneity.",
        "simultaneity did not exist",
    ),
    _lacking(
        "after-not-inverted",
        "Takes “P after Q” for “P before Q”.",
        "“after” meant “before”",
    ),
    _lacking(
        "no-duration",
        "Does not know that an event's start comes before its end.",
        "an event's start need not come before its end",
    ),
    _lacking(
        "blind-to-contradictions",
        "Never notices that a premise contradicts itself.",
        "no premise could contradict itself",
    ),
    _lacking(
        "forward-search",
        "Searches only forward in time, from the event that the claim names first.",
        "all had to be found forward in time from the event that the claim names first",
    ),
    _lacking(
        "first-derivation",
        "Reads the premise in order, and answers with the first thing that it tells of the claim.",
        "nothing were said after the first derivation",
    ),
    _lacking(
        "single-pass",
        "Joins a sentence to a chain only if it comes later in the text than the chain so far.",
        "chains had to follow the order of the text",
    ),
    _lacking(
        "overlap-by-absence",
        "Takes two events to overlap unless it finds one before the other.",
        "events overlapped unless shown otherwise",
    ),
    _lacking(
        "ends-confused",
        "Does not tell the start of an event from its end: each sentence is about whole events.",
        "the start and the end of an event were the same",
    ),
    _lacking(
        CLAIM_ONLY,
        "Reads the claim without the premise, and gives the answer that such claims usually have.",
        "there were no premise",
    ),
    Reasoner(
        name=PUBLISHED,
        meaning="Follows the published procedure, its five faults included.",
        habit="it followed the published procedure with its faults",
        encoding=None,
    ),
)


def reasoner(name: str) -> Reasoner:
    """The reasoner of that name.

    Raises:
        KeyError: there is none.
    """
    return {one.name: one for one in REASONERS}[name]
