"""A verification case: dated facts, their history, schema and window, numbered for the engines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from solver.schema import Schema
from solver.temporal_facts.dated import DatedFact, IntervalFact


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
        return frozenset(n for n, one in self.schema.relations.items() if one.exclusive)


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
