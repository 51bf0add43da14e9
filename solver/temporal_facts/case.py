"""Dated facts and what they are checked against, numbered as the engines take them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from solver.schema import Schema
from solver.temporal_facts.dated import DatedFact, IntervalFact


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """The days that facts may be dated, both included, from the first of year 1."""

    first: int
    last: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What is checked; made by ``case_of``.

    Attributes:
        facts: in order of time; within a day history first, then as they were listed.
        past: of each fact whether it is history, which counts and is not judged.
        intervals: as they were stated, those that end before they start included.
        schema: None if nothing is asked of classes.
        types: classes of entities.
        window: days that judged facts are in.
        whole_history: whether all that ever started is among the facts.
        entities: names by id; so ``relations`` and ``classes``.
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
        """Relations with one object at a time: those of the schema; without one, all of them."""
        if self.schema is None:
            return frozenset(self.relations)
        return frozenset(n for n, one in self.schema.relations.items() if one.exclusive)


def case_of(
    facts: Iterable[DatedFact],
    *,
    history: Iterable[DatedFact] = (),
    intervals: Sequence[IntervalFact] = (),
    schema: Schema | None = None,
    types: Mapping[str, tuple[str, ...]] | None = None,
    window: Window | None = None,
    whole_history: bool = False,
) -> Case:
    """Put facts in order and number what they name."""
    marked = [(fact, True) for fact in history] + [(fact, False) for fact in facts]
    marked.sort(key=lambda one: one[0].day)
    ordered = tuple(fact for fact, _ in marked)
    known = types or {}
    names = {end for fact in ordered for end in (fact.subject, fact.object)}
    used = {fact.relation for fact in ordered} | {one.relation for one in intervals}
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
