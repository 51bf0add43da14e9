"""Dated facts and interval facts."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Protocol, TypeVar

from solver.encodings import ViolationAtom
from solver.facts.schema import Schema


class Bound(StrEnum):
    """What a dated fact marks: the start or the end of an interval, or a point event."""

    START = "start"
    END = "end"
    POINT = "point"


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedFact:
    """A bound of an interval fact, or a point event, on one day.

    Attributes:
        relation: the base relation: ``spouse``.
        written: the relation as written: ``startSpouse``.
        day: proleptic ordinal (1 is 0001-01-01).
        where: ``file:line``; empty if not read from a file.
    """

    subject: str
    relation: str
    object: str
    bound: Bound
    day: int
    written: str
    where: str = ""

    def __str__(self) -> str:
        """Format as ``(Ada, startSpouse, Ben, 2026-01-31)``."""
        return f"({self.subject}, {self.written}, {self.object}, {date.fromordinal(self.day)})"

    def located(self) -> str:
        """Format the fact with its file and line."""
        return f"{self}{f' at {self.where}' if self.where else ''}"


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalFact:
    """A fact that holds over an interval of days.

    Attributes:
        start: first day, as a proleptic ordinal; None if unknown.
        end: last day; None if unknown or still open.
        where: ``file:line``; empty if not read from a file.
    """

    subject: str
    relation: str
    object: str
    start: int | None
    end: int | None
    where: str = ""

    def __str__(self) -> str:
        """Format as ``(Ada, spouse, Ben, [2026-01-31, ...])``."""
        days = (
            "..." if day is None else date.fromordinal(day).isoformat()
            for day in (self.start, self.end)
        )
        return f"({self.subject}, {self.relation}, {self.object}, [{', '.join(days)}])"

    @property
    def reversed(self) -> bool:
        """Whether the interval ends before it starts."""
        return self.start is not None and self.end is not None and self.end < self.start


_PLACEHOLDERS = frozenset(
    ("-", "--", "?", "_", "anonymous", "blank", "generic instance", "n/a", "na", "nan", "nil",
     "none", "null", "placeholder", "tbd", "unknown", "unnamed", "untitled")
)  # fmt: skip
_GENERIC = " generic instance"
_ESCAPE = re.compile(r"\bU[0-9A-F]{4}\b")


def is_empty(name: str) -> bool:
    """Whether the name is empty or blank."""
    return not name.strip()


def is_placeholder(name: str) -> bool:
    """Whether the name is a placeholder such as ``unknown`` or ``n/a``."""
    return name.strip().lower() in _PLACEHOLDERS


def is_generic(name: str) -> bool:
    """Whether the name is a YAGO generic instance of a class: ``Morocco team generic instance``."""
    return name.strip().lower().endswith(_GENERIC)


def has_escape(name: str) -> bool:
    """Whether the name contains an undecoded escape, as in ``Smith U002C Jr``."""
    return _ESCAPE.search(name) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """The first and last day allowed, inclusive, as proleptic ordinals (1 is 0001-01-01)."""

    first: int
    last: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Facts to verify with their context; built by ``build_case``.

    Attributes:
        facts: in chronological order; within a day history first, then input order.
        past: for each fact, whether it is history: used as context, never reported.
        intervals: as given, including those that end before they start.
        schema: None to skip class constraints.
        types: classes by entity.
        window: days within which checked facts must lie.
        whole_history: whether every start that ever happened is among the facts.
        entities: names by id; likewise ``relations`` and ``classes``.
    """

    facts: tuple[DatedFact, ...]
    past: tuple[bool, ...]
    intervals: tuple[IntervalFact, ...] = ()
    schema: Schema | None = None
    types: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    window: Window | None = None
    whole_history: bool = False
    entities: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()

    @property
    def exclusive(self) -> frozenset[str]:
        """Relations with one object at a time: as the schema marks them; all without a schema."""
        if self.schema is None:
            return frozenset(self.relations)
        return frozenset(n for n, relation in self.schema.relations.items() if relation.exclusive)


def build_case(
    facts: Iterable[DatedFact],
    *,
    history: Iterable[DatedFact] = (),
    intervals: Sequence[IntervalFact] = (),
    schema: Schema | None = None,
    types: Mapping[str, tuple[str, ...]] | None = None,
    window: Window | None = None,
    whole_history: bool = False,
) -> Case:
    """Sort facts chronologically and number entities, relations and classes."""
    marked = [(fact, True) for fact in history] + [(fact, False) for fact in facts]
    marked.sort(key=lambda pair: pair[0].day)
    ordered = tuple(fact for fact, _ in marked)
    known = types or {}
    names = {end for fact in ordered for end in (fact.subject, fact.object)}
    used = {fact.relation for fact in ordered} | {interval.relation for interval in intervals}
    declared = {} if schema is None else schema.relations
    return Case(
        facts=ordered,
        past=tuple(past for _, past in marked),
        intervals=tuple(intervals),
        schema=schema,
        types={entity: known[entity] for entity in sorted(names) if entity in known},
        window=window,
        whole_history=whole_history,
        entities=tuple(sorted(names)),
        relations=tuple(sorted(used | set(declared))),
        classes=() if schema is None else tuple(sorted(schema.hierarchy.parents)),
    )


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


def count_chains(case: Case, found: Iterable[ViolationAtom]) -> ChainCounts:
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
        incoherent=len({_chain(case.facts[atom.numbers[0]]) for atom in found}),
    )


def _chain(fact: DatedFact) -> tuple[str, str]:
    return (fact.subject, fact.relation)


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
