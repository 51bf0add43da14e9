"""Removes rare entities recursively, until every remaining entity reaches a minimum degree."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from typing import Protocol, TypeVar


class _Edge(Protocol):
    @property
    def subject(self) -> Hashable: ...
    @property
    def object(self) -> Hashable: ...


Fact = TypeVar("Fact", bound=_Edge)


def without_rare(facts: Sequence[Fact], *, least: int = 2) -> tuple[Fact, ...]:
    """Return the facts whose entities both have degree ``least`` or more among the result.

    A self-loop counts twice. The order is kept.
    """
    degree = Counter(end for fact in facts for end in (fact.subject, fact.object))
    of: dict[Hashable, list[int]] = defaultdict(list)
    for number, fact in enumerate(facts):
        for end in {fact.subject, fact.object}:
            of[end].append(number)
    gone = [False] * len(facts)
    rare = [entity for entity, count in degree.items() if count < least]
    while rare:
        for number in of[rare.pop()]:
            if gone[number]:
                continue
            gone[number] = True
            for end in (facts[number].subject, facts[number].object):
                degree[end] -= 1
                if degree[end] == least - 1:
                    rare.append(end)
    return tuple(fact for fact, left_out in zip(facts, gone, strict=True) if not left_out)
