"""Chains: the start and end facts of one subject and one relation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from solver.temporal_facts.case import Case
from solver.temporal_facts.dated import Bound, DatedFact
from solver.temporal_facts.names import is_empty
from solver.tkg.proof import Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainCounts:
    """Numbers of chains of checked facts; facts without a subject name are excluded.

    Attributes:
        all: of any length; ``long``: with at least two facts.
        incoherent: with at least one finding.
    """

    all: int
    long: int
    incoherent: int


def count_chains(case: Case, found: Iterable[Finding]) -> ChainCounts:
    """Count chains.

    Args:
        case: the facts.
        found: findings about start and end facts; the first number of each is its fact.
    """
    lengths = Counter(
        _chain(fact)
        for fact, past in zip(case.facts, case.past, strict=True)
        if not past and fact.bound is not Bound.POINT and not is_empty(fact.subject)
    )
    return ChainCounts(
        all=len(lengths),
        long=sum(length > 1 for length in lengths.values()),
        incoherent=len({_chain(case.facts[one.numbers[0]]) for one in found}),
    )


def _chain(fact: DatedFact) -> tuple[str, str]:
    return (fact.subject, fact.relation)
