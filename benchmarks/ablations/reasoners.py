"""The reasoners: the full one, and ablated ones that lack a piece of its logic.

Each is an encoding in ``encodings/temporal/ablations/``, except for the published procedure
(``solver.published``). Their labels follow the policy ``local``.
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
    """A full or ablated reasoner.

    Attributes:
        name: name on the command line and in files.
        meaning: description in one sentence.
        habit: completion of the sentence "It answers as if …".
        encoding: path in ``encodings/``; None for the published procedure.
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
        meaning="Derives everything that the premise implies about the claim.",
        habit="nothing were missing",
        encoding="temporal/claims.lp",
    ),
    *map(_bounded, BOUNDS),
    _lacking(
        "no-simultaneity",
        "Ignores sentences of simultaneity.",
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
        "Never detects a contradiction in the premise.",
        "no premise could contradict itself",
    ),
    _lacking(
        "forward-search",
        "Searches only forward in time, from the first event of the claim.",
        "chains ran only forward in time from the first event of the claim",
    ),
    _lacking(
        "first-derivation",
        "Reads the premise in order and stops at the first derivation that settles the claim.",
        "the premise ended after the first derivation",
    ),
    _lacking(
        "single-pass",
        "Extends a chain only with sentences that come later in the text.",
        "chains had to follow the order of the text",
    ),
    _lacking(
        "overlap-by-absence",
        "Takes two events to overlap unless it finds one before the other.",
        "events overlapped unless shown otherwise",
    ),
    _lacking(
        "ends-confused",
        "Confuses the start of an event with its end: each sentence is about whole events.",
        "the start and the end of an event were the same",
    ),
    _lacking(
        CLAIM_ONLY,
        "Ignores the premise and gives the most frequent answer to such claims.",
        "there were no premise",
    ),
    Reasoner(
        name=PUBLISHED,
        meaning="Follows the published procedure, including its five faults.",
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
