"""How the facts that a text says differ from those that it was written from, fact by fact."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import product

from grammar.fact_text import SaidFact


class Difference(StrEnum):
    """Kinds of difference; each is a code of ``verify --kind text``."""

    MISSING = "missing-fact"
    EXTRA = "extra-fact"
    DATE = "moved-date"
    NAME = "changed-name"
    RELATION = "changed-relation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Differing:
    """A fact that is not as it should be; None where there is none."""

    kind: Difference
    expected: SaidFact | None = None
    said: SaidFact | None = None

    def __str__(self) -> str:
        """In words, without an end."""
        if self.expected is None:
            return f"{self.said} is said, but was not to be"
        if self.said is None:
            return f"{self.expected} is not said"
        return f"{self.said} is said, expected {self.expected}"


def differences(expected: Sequence[SaidFact], said: Sequence[SaidFact]) -> Iterator[Differing]:
    """Compare two lists of facts as multisets.

    A fact that is missing and one too many are told as one that was changed if they share all but
    one part, or if subject and object stand in each other's place.
    """
    missing = list((Counter(expected) - Counter(said)).elements())
    extra = list((Counter(said) - Counter(expected)).elements())
    for kind in (Difference.DATE, Difference.NAME, Difference.RELATION):
        for one, other in list(product(missing, extra)):
            if one in missing and other in extra and _change(one, other) is kind:
                missing.remove(one)
                extra.remove(other)
                yield Differing(kind=kind, expected=one, said=other)
    yield from (Differing(kind=Difference.MISSING, expected=one) for one in missing)
    yield from (Differing(kind=Difference.EXTRA, said=one) for one in extra)


def _change(one: SaidFact, other: SaidFact) -> Difference | None:
    """What was changed, if it is one thing."""
    same_names = (one.subject, one.object) == (other.subject, other.object)
    same_relation, same_date = one.relation == other.relation, one.date == other.date
    if same_names and same_relation:
        return Difference.DATE
    if same_names and same_date:
        return Difference.RELATION
    crossed = (one.subject, one.object) == (other.object, other.subject)
    shared = one.subject == other.subject or one.object == other.object
    return Difference.NAME if same_relation and same_date and (crossed or shared) else None
