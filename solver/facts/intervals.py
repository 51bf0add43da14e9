"""Converts interval facts to dated facts of their bounds, and back.

``(s, R, o, [a, b])`` becomes ``(s, startR, o, a)`` and ``(s, endR, o, b)``. A relation that cannot
end keeps its name and gets no end fact. Two intervals of the same fact stay two pairs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from solver.facts.model import Bound, DatedFact, IntervalFact
from solver.facts.schema import Relation, Schema, end_name, start_name

_BOUND = re.compile(r"(start|end)([^\Wa-z_].*)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Naming:
    """Names of the start and end relations.

    A name unknown to the schema is read by its prefix: ``startSpouse`` starts ``spouse``.

    Attributes:
        relations: by name; if empty, every relation can end.
    """

    relations: Mapping[str, Relation] = field(default_factory=dict)
    _bounds: dict[str, tuple[str, Bound]] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, schema: Schema | None) -> Naming:
        """The naming of a schema; the prefix convention without one."""
        relations = {} if schema is None else schema.relations
        bounds: dict[str, tuple[str, Bound]] = {}
        for name, relation in relations.items():
            bounds[relation.start] = (name, Bound.POINT if relation.end is None else Bound.START)
            if relation.end is not None:
                bounds[relation.end] = (name, Bound.END)
        return cls(relations=relations, _bounds=bounds)

    def read(self, written: str) -> tuple[str, Bound]:
        """The base relation and the bound of a written relation name."""
        known = self._bounds.get(written)
        if known is not None:
            return known
        match = _BOUND.fullmatch(written)
        if match is None or written in self.relations:
            return written, Bound.POINT
        name = match[2][0].lower() + match[2][1:]
        if name in self.relations:
            # The schema names the bounds of this relation differently, or gives it none.
            return written, Bound.POINT
        return name, Bound(match[1])

    def write(self, relation: str, bound: Bound) -> str:
        """The name of a bound of a relation."""
        known = self.relations.get(relation)
        if bound is Bound.POINT or (known is not None and known.end is None):
            return relation if known is None else known.start
        if bound is Bound.START:
            return start_name(relation) if known is None else known.start
        return end_name(relation) if known is None or known.end is None else known.end

    def ends(self, relation: str) -> bool:
        """Whether a relation can end."""
        known = self.relations.get(relation)
        return known is None or known.end is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Linearisation:
    """The dated facts of intervals, and the intervals that could not be converted completely.

    Attributes:
        facts: sorted by day, and within a day in the order of their intervals.
        reversed: intervals that end before they start; skipped.
        endless: intervals with an end although their relation cannot end; only the start is kept.
    """

    facts: tuple[DatedFact, ...]
    reversed: tuple[IntervalFact, ...] = ()
    endless: tuple[IntervalFact, ...] = ()


def linearise(intervals: Iterable[IntervalFact], naming: Naming) -> Linearisation:
    """Convert each bound of each interval to a dated fact."""
    ordered = sorted(intervals, key=_first_day)
    kept = [fact for fact in ordered if not fact.reversed]
    facts: list[DatedFact] = []
    for fact in kept:
        ends = naming.ends(fact.relation)
        if fact.start is not None:
            facts.append(_bound(fact, Bound.START if ends else Bound.POINT, fact.start, naming))
        if fact.end is not None and ends:
            facts.append(_bound(fact, Bound.END, fact.end, naming))
    return Linearisation(
        facts=tuple(sorted(facts, key=lambda fact: fact.day)),
        reversed=tuple(fact for fact in ordered if fact.reversed),
        endless=tuple(o for o in kept if o.end is not None and not naming.ends(o.relation)),
    )


def _first_day(fact: IntervalFact) -> tuple[int, int]:
    start = fact.start if fact.start is not None else fact.end or 0
    return start, start if fact.end is None else fact.end


def _bound(fact: IntervalFact, bound: Bound, day: int, naming: Naming) -> DatedFact:
    return DatedFact(
        subject=fact.subject,
        relation=fact.relation,
        object=fact.object,
        bound=bound,
        day=day,
        written=naming.write(fact.relation, bound),
        where=fact.where,
    )
