"""The second engine for dated facts: one chronological sweep with hash look-ups.

It shares nothing with the encodings and serves only to cross-check their findings.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from solver.temporal_facts.case import Case
from solver.temporal_facts.dated import Bound, DatedFact
from solver.temporal_facts.names import is_empty, is_placeholder
from solver.temporal_facts.sweep_schema import schema_findings
from solver.tkg.proof import Finding


def sweep(case: Case) -> list[Finding]:
    """Compute the same sorted findings as ``solver.temporal_facts.findings.findings``."""
    found = [
        *_coherency(case),
        *_each(case),
        *(
            Finding(code="end_before_start", numbers=(number,))
            for number, one in enumerate(case.intervals)
            if one.reversed
        ),
    ]
    if case.schema is not None:
        found += schema_findings(case, case.schema)
    return sorted(found)


@dataclass(slots=True)
class _Chain:
    """The state of one subject and relation during the sweep.

    Attributes:
        latest: for each object its last fact, and whether that is a start.
        open: starts not yet followed by a fact of the same object.
        last: the last fact of any object.
    """

    latest: dict[str, tuple[int, bool]] = field(default_factory=dict)
    open: set[int] = field(default_factory=set)
    last: int | None = None


def _coherency(case: Case) -> Iterator[Finding]:
    chains: dict[tuple[str, str], _Chain] = defaultdict(_Chain)
    exclusive = case.exclusive
    for number, fact in enumerate(case.facts):
        if fact.bound is Bound.POINT or is_empty(fact.subject):
            continue
        chain = chains[fact.subject, fact.relation]
        if not case.past[number]:
            yield from _per_object(number, fact, chain, whole=case.whole_history)
            if fact.relation in exclusive:
                yield from _any_object(number, fact, chain)
        before = chain.latest.get(fact.object)
        if before is not None:
            chain.open.discard(before[0])
        starts = fact.bound is Bound.START
        if starts:
            chain.open.add(number)
        chain.latest[fact.object] = (number, starts)
        chain.last = number


def _per_object(number: int, fact: DatedFact, chain: _Chain, *, whole: bool) -> Iterator[Finding]:
    starts = fact.bound is Bound.START
    before = chain.latest.get(fact.object)
    if before is None:
        if not starts:
            yield Finding(code="never_opened" if whole else "unverifiable", numbers=(number,))
    elif before[1] == starts:
        yield Finding(code="reopened" if starts else "reclosed", numbers=(number, before[0]))


def _any_object(number: int, fact: DatedFact, chain: _Chain) -> Iterator[Finding]:
    since = max(chain.open, default=None)
    if fact.bound is Bound.START:
        if since is not None:
            yield Finding(code="second_open", numbers=(number, since))
    elif since is None:
        if chain.last is not None:
            yield Finding(code="nothing_open", numbers=(number, chain.last))
    elif not chain.latest.get(fact.object, (0, False))[1]:
        yield Finding(code="other_open", numbers=(number, since))


def _each(case: Case) -> Iterator[Finding]:
    """Checks of single facts, and duplicates."""
    seen: dict[tuple[object, ...], int] = {}
    window = case.window
    for number, fact in enumerate(case.facts):
        key = (fact.subject, fact.relation, fact.bound, fact.object, fact.day)
        before = seen.get(key)
        seen[key] = number
        if case.past[number]:
            continue
        if before is not None:
            yield Finding(code="duplicate", numbers=(number, before))
        if window is not None and not window.first <= fact.day <= window.last:
            yield Finding(code="outside_window", numbers=(number,))
        for role, name in (("subject", fact.subject), ("object", fact.object)):
            if is_empty(name):
                yield Finding(code=f"empty_{role}", numbers=(number,))
            elif is_placeholder(name):
                yield Finding(code=f"placeholder_{role}", numbers=(number,))
