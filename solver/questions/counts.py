"""What can be counted of facts before their time: of their entities, relation, countries and types.

It is what probes of questions see, and what the generator of yes-unknown questions evens.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from solver.graph.model import History, Ids, Quadruples, pack

_MARK = re.compile(r"[ _]*\(([^()]+)\)$")
"""The end of a name such as ``Citizen_(India)``."""


class FactCounts:
    """What can be counted of a fact before its time, and what kind it is.

    Args:
        graph: distinct facts, sorted by time.
        entities: number of entities.
        relations: number of relations.
        names: the names of the entities; empty if unknown.

    Raises:
        OverflowError: two entities, a relation and a time do not fit in 63 bits.
    """

    def __init__(
        self, graph: Quadruples, entities: int, relations: int, names: Sequence[str] = ()
    ) -> None:
        self._entities, self._relations = entities, relations
        self._horizon = int(graph.time.max(initial=0)) + 2
        pack(
            (graph.head, graph.relation, graph.tail, graph.time),
            (entities, relations, entities, self._horizon),
        )
        self._countries, self._types = countries(graph, entities, names), types(entities, names)
        both = graph.both_ways(relations)
        self.by_end = History(both.head, both.time)
        self.by_role = History(self.roles(both.head, both.relation), both.time)
        del both
        rows, time = graph.rows(), graph.time
        self.by_relation = History(graph.relation, time)
        self.by_pair = History(self.pairs(graph.head, graph.tail), time)
        self._by_side = [History(end, time) for end in (graph.head, graph.tail)]
        self._by_near = [History(key, time) for key in self._near(rows)]
        self._by_type = History(self._typed(rows), time)
        days = np.unique(self.meetings(graph))
        pair, time = np.divmod(days, self._horizon)
        low, high = np.divmod(pair, entities)
        apart = low != high
        someone = np.concatenate((low, high[apart])) * self._horizon
        self._busy = np.sort(someone + np.concatenate((time, time[apart])))

    def roles(self, ends: Ids, relations: Ids) -> Ids:
        """Keys of entities as subject of a relation, or of its inverse."""
        return ends * (2 * self._relations) + relations

    def pairs(self, ids: Ids, other: Ids) -> Ids:
        """Keys of two entities in any order."""
        return np.minimum(ids, other) * self._entities + np.maximum(ids, other)

    def meetings(self, facts: Quadruples) -> Ids:
        """Keys of the two entities and the time of each fact."""
        return self.pairs(facts.head, facts.tail) * self._horizon + facts.time

    def met(self, facts: Quadruples) -> NDArray[np.bool_]:
        """Whether some fact of the day is between the two entities of each fact."""
        met: NDArray[np.bool_] = self.by_pair.at(self.pairs(facts.head, facts.tail), facts.time) > 0
        return met

    def company(self, entities: Ids, times: Ids) -> Ids:
        """Number of entities that each entity meets at each time."""
        keys = entities * self._horizon + times
        ends = np.searchsorted(self._busy, keys, side="right")
        number: Ids = ends - np.searchsorted(self._busy, keys)
        return number

    def columns(self, rows: Ids) -> Mapping[str, Ids]:
        """What can be counted before each fact; of its day, whom its entities meet besides."""
        head, relation, tail, time = rows.T
        facts = Quadruples.of(rows)
        both = (("subject", head), ("object", tail))
        role = {
            "subject": self.roles(head, relation),
            "object": self.roles(tail, relation + self._relations),
        }
        other = {
            "subject": self.roles(head, relation + self._relations),
            "object": self.roles(tail, relation),
        }
        found: dict[str, Ids] = {"time": time}

        def count(name: str, history: History, keys: Ids) -> None:
            found[name], found[f"time since {name}"] = history.counted(keys, time)

        for (name, end), side in zip(both, self._by_side, strict=True):
            count(f"facts of the {name}", self.by_end, end)
            count(f"facts with it as {name}", side, end)
            count(f"facts of the {name} in the relation", self.by_role, role[name])
            count(f"facts of the {name} in the other role", self.by_role, other[name])
        for name, history, keys in zip(_NEAR, self._by_near, self._near(rows), strict=True):
            count(f"facts of {name}", history, keys)
        count("facts of the relation", self.by_relation, relation)
        count("facts of the types in the relation", self._by_type, self._typed(rows))
        count("facts of the two", self.by_pair, self.pairs(head, tail))
        for part, whole in _SHARES:
            share = 1_000 * (found[f"facts {part}"] + 1) // (found[f"facts {whole}"] + 2)
            found[f"share {part}"] = share
        met = self.met(facts)
        for name, end in both:
            found[f"others that the {name} meets that day"] = self.company(end, time) - met
        found["both are of one country"] = self._countries[head] == self._countries[tail]
        return {name: values.astype(np.int32) for name, values in found.items()}

    def kinds(self, rows: Ids) -> Mapping[str, Ids]:
        """The entities, countries and types of each fact, each as a number."""
        head, relation, tail, _ = rows.T
        typed = self._typed(rows)
        return {
            "relation": relation,
            "subject": head,
            "object": tail,
            "countries": self._countries[head] * self._entities + self._countries[tail],
            "types": typed // self._relations,
            "types and relation": typed,
        }

    def _typed(self, rows: Ids) -> Ids:
        """Keys of facts with the types of the entities in place of the entities."""
        head, relation, tail, _ = rows.T
        size = int(self._types.max(initial=0)) + 1
        keys: Ids = (self._types[head] * size + self._types[tail]) * self._relations + relation
        return keys

    def _near(self, rows: Ids) -> tuple[Ids, ...]:
        """Keys of facts with the country of an entity in place of the entity, as ``_NEAR``."""
        head, relation, tail, _ = rows.T
        size, near_head, near_tail = self._entities, self._countries[head], self._countries[tail]
        pairs = head * size + near_tail, near_head * size + tail, near_head * size + near_tail
        return (*pairs, *(pair * self._relations + relation for pair in pairs))


_NEAR = tuple(
    f"{ends}{relation}"
    for relation in ("", " in the relation")
    for ends in (
        "the subject with the object's country",
        "the subject's country with the object",
        "the two countries",
    )
)
_SHARES = tuple(
    (part, whole)
    for name, near in (("subject", _NEAR[0]), ("object", _NEAR[1]))
    for part, whole in (
        (f"of the {name} in the relation", f"of the {name}"),
        (f"of {near}", f"of the {name}"),
        (f"of {near} in the relation", f"of the {name} in the relation"),
    )
)
"""What is counted as a share of what else."""


def countries(graph: Quadruples, entities: int, names: Sequence[str] = ()) -> Ids:
    """The country of each entity, as the number of one of its entities.

    It is named in parentheses at the end of the entity's name. For other entities it is that of the
    entity with which they share most facts, or that entity itself.

    Args:
        graph: facts of all times.
        entities: number of entities.
        names: the name of each; empty if unknown.
    """
    numbers = {name: number for number, name in enumerate(names)}
    marks = [_MARK.search(name) for name in names]
    found = np.full(entities, -1, dtype=np.int64)
    first: dict[str, int] = {}
    for number, mark in enumerate(marks):
        if mark is not None:
            found[number] = first.setdefault(mark[1], numbers.get(mark[1], number))
    for name, number in first.items():
        if name in numbers:
            found[number] = number
    head = np.concatenate((graph.head, graph.tail))
    tail = np.concatenate((graph.tail, graph.head))
    some = (found[head] < 0) & (head != tail)
    head, tail = head[some], tail[some]
    other = np.where(found[tail] < 0, tail, found[tail])
    keys, counts = np.unique(head * entities + other, return_counts=True)
    owner, country = np.divmod(keys, entities)
    order = np.lexsort((counts, owner))
    last = np.flatnonzero(np.diff(owner[order], append=-1))
    found[owner[order[last]]] = country[order[last]]
    return np.where(found < 0, np.arange(entities), found)


def types(entities: int, names: Sequence[str] = ()) -> Ids:
    """The type of each entity: its name without the parentheses, if several entities share it.

    Args:
        entities: number of entities.
        names: the name of each; empty if unknown.
    """
    bare = [_MARK.sub("", name) if _MARK.search(name) else "" for name in names]
    number = Counter(bare)
    known = sorted(name for name in number if name and number[name] > 1)
    order = {name: place + 1 for place, name in enumerate(known)}
    if not names:
        return np.zeros(entities, dtype=np.int64)
    return np.array([order.get(name, 0) for name in bare], dtype=np.int64)
