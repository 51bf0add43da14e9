"""Differences between the facts stated by a text and its reference facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import product

from grammar.fact_text import TextFact


class Difference(StrEnum):
    """Kinds of difference; finding codes of ``verify --kind text``."""

    MISSING = "missing-fact"
    EXTRA = "extra-fact"
    DATE = "moved-date"
    NAME = "changed-name"
    RELATION = "changed-relation"


@dataclass(frozen=True, slots=True, kw_only=True)
class FactDifference:
    """A missing, extra or changed fact; ``expected`` or ``found`` is None if there is none."""

    kind: Difference
    expected: TextFact | None = None
    found: TextFact | None = None

    def __str__(self) -> str:
        """A message without a full stop."""
        if self.expected is None:
            return f"the text states {self.found}, which is not in the references"
        if self.found is None:
            return f"the text does not state {self.expected}"
        return f"the text states {self.found}, expected {self.expected}"


def differences(
    expected: Sequence[TextFact], found: Sequence[TextFact]
) -> Iterator[FactDifference]:
    """Compare two lists of facts as multisets.

    A missing and an extra fact are reported as one changed fact if they differ in one component,
    or if subject and object are swapped.
    """
    missing = list((Counter(expected) - Counter(found)).elements())
    extra = list((Counter(found) - Counter(expected)).elements())
    for kind in (Difference.DATE, Difference.NAME, Difference.RELATION):
        for one, other in list(product(missing, extra)):
            if one in missing and other in extra and _change(one, other) is kind:
                missing.remove(one)
                extra.remove(other)
                yield FactDifference(kind=kind, expected=one, found=other)
    yield from (FactDifference(kind=Difference.MISSING, expected=one) for one in missing)
    yield from (FactDifference(kind=Difference.EXTRA, found=one) for one in extra)


def _change(one: TextFact, other: TextFact) -> Difference | None:
    """The kind of change between two facts; None if more than one component differs."""
    same_names = (one.subject, one.object) == (other.subject, other.object)
    same_relation, same_date = one.relation == other.relation, one.date == other.date
    if same_names and same_relation:
        return Difference.DATE
    if same_names and same_date:
        return Difference.RELATION
    crossed = (one.subject, one.object) == (other.object, other.subject)
    shared = one.subject == other.subject or one.object == other.object
    return Difference.NAME if same_relation and same_date and (crossed or shared) else None
