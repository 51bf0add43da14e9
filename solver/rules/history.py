"""The facts that rules are applied to, and what the bodies of rules reach in them.

Rule bodies lead to entities, each with the latest start time of a grounding.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from grammar.errors import HopcheckError
from solver.graph.model import Ids, Quadruples, Vocabulary, expand, inverse_of, pack, stable_order
from solver.rules.model import groups_of

Mask: TypeAlias = NDArray[np.bool_]


class GraphSizeError(HopcheckError):
    """A graph whose ids are too large to be packed into 63 bits."""

    code = "graph-size"


def require_keys(vocabulary: Vocabulary, name: str) -> None:
    """Require that the facts of a graph, in both directions, have keys of 63 bits.

    Raises:
        GraphSizeError: they do not; the error names the graph.
    """
    # One more time, for queries after the last fact.
    sizes = (*_sizes(vocabulary)[:3], vocabulary.times + 1)
    if prod(map(float, sizes)) >= 2.0**63:
        message = "found a graph too large to join, expected entities^2 * 2 relations * times "
        raise GraphSizeError(f"{message}below 2^63", where=name)


_MOST_PLACES = 1 << 22
"""Maximum number of entries, of four bytes each, of a table for lookups."""


@dataclass(frozen=True, kw_only=True, eq=False)
class History:
    """Facts in both directions, grouped by triple (head, relation, tail).

    Triples are numbered in the order of their keys, so that those of one head and relation are
    adjacent.

    Attributes:
        vocabulary: entities, relations and times of the graph.
        rows: distinct facts as packed (head, relation, tail, time); ascending.
        triples: distinct triples as packed (head, relation, tail); ascending.
        tails: the tail of each triple.
        first: the earliest time of each triple.
        last: the latest time of each triple.
        moments: each fact as packed (triple number, time); ascending.
        spans: facts of triple ``k`` are rows ``spans[k]`` to ``spans[k + 1]``.
        starts: distinct packed (head, relation); ascending.
        offsets: triples of ``starts[k]`` are numbered ``offsets[k]`` to ``offsets[k + 1]``.
    """

    vocabulary: Vocabulary
    rows: Ids
    triples: Ids
    tails: Ids
    first: Ids
    last: Ids
    moments: Ids
    spans: Ids
    starts: Ids
    offsets: Ids

    @classmethod
    def of(cls, facts: Quadruples, vocabulary: Vocabulary) -> History:
        """Index facts in both directions.

        Raises:
            GraphSizeError: there are too many entities, relations and times for keys of 63 bits.
        """
        return cls._of_rows(_keys(facts, vocabulary), vocabulary)

    def extended(self, facts: Quadruples) -> History:
        """Add facts; only the new ones are sorted."""
        keys = _keys(facts, self.vocabulary)
        _, known = _found(self.rows, keys)
        new = keys[~known]
        if not len(new):
            return self
        places = np.searchsorted(self.rows, new)
        return self._of_rows(np.insert(self.rows, places, new), self.vocabulary)

    @classmethod
    def _of_rows(cls, rows: Ids, vocabulary: Vocabulary) -> History:
        keys, times = np.divmod(rows, vocabulary.times)
        begins = changes(keys)
        triples = keys[begins]
        leading, tails = np.divmod(triples, vocabulary.entities)
        opening = changes(leading)
        spans = np.append(begins, len(rows))
        ends = spans[1:]
        numbers = np.repeat(np.arange(len(triples), dtype=np.int64), ends - begins)
        return cls(
            vocabulary=vocabulary,
            rows=rows,
            triples=triples,
            tails=tails,
            first=times[begins],
            last=times[ends - 1],
            moments=numbers * vocabulary.times + times,
            spans=spans,
            starts=leading[opening],
            offsets=np.append(opening, len(triples)),
        )

    def between(self, begin: int, end: int) -> History:
        """The facts at times ``begin <= time < end``."""
        times = self.rows % self.vocabulary.times
        seen = (times >= begin) & (times < end)
        return self if seen.all() else self._of_rows(self.rows[seen], self.vocabulary)

    def leaving(self, heads: Ids, relations: Ids) -> tuple[Ids, Ids]:
        """Ranges of the triples with these heads and relations; empty if there are none."""
        if not len(self.starts):
            return np.zeros_like(heads), np.zeros_like(heads)
        keys = heads * (2 * self.vocabulary.relations) + relations
        if self._places is not None:
            near = self._places.take(keys)
            return self.offsets.take(near), self._ends.take(near)
        places, found = _found(self.starts, keys)
        begins = self.offsets[places]
        return begins, np.where(found, self.offsets[places + 1], begins)

    @cached_property
    def _places(self) -> NDArray[np.int32] | None:
        """For each packed (head, relation), its place in ``starts``, or the last one of none.

        Several times faster than a search; None for a graph with too many of them.
        """
        size = self.vocabulary.entities * 2 * self.vocabulary.relations
        if size > _MOST_PLACES:
            return None
        places = np.full(size, len(self.starts), dtype=np.int32)
        places[self.starts] = np.arange(len(self.starts), dtype=np.int32)
        return places

    @cached_property
    def _ends(self) -> Ids:
        """Ends of the triples of each of ``starts``, and one more place that has none."""
        return np.append(self.offsets[1:], self.offsets[-1])

    def numbers(self, heads: Ids, relations: Ids, tails: Ids) -> tuple[Ids, Mask]:
        """The numbers of triples, and a mask of those that exist; other numbers are invalid."""
        size = self.vocabulary
        numbers, found = np.zeros_like(heads), np.zeros(len(heads), dtype=np.bool_)
        # A walk returns to few entities from many: their inverse triples are close together.
        inverse = inverse_of(relations, size.relations)
        begins, ends = self.leaving(tails, inverse)
        some = np.flatnonzero(begins < ends)
        keys = (tails * (2 * size.relations) + inverse).take(some) * size.entities
        places, existing = _found(self.triples, keys + heads.take(some))
        some = some.compress(existing)
        numbers[some] = self._twins.take(places.compress(existing))
        found[some] = True
        return numbers, found

    @cached_property
    def _twins(self) -> Ids:
        """The number of the inverse of each triple."""
        size = self.vocabulary
        rest, tails = np.divmod(self.triples, size.entities)
        heads, relations = np.divmod(rest, 2 * size.relations)
        keys = tails * (2 * size.relations) + inverse_of(relations, size.relations)
        twins = np.empty_like(self.triples)
        twins[stable_order(keys * size.entities + heads)] = np.arange(len(twins))
        return twins

    def latest(self, triples: Ids, bounds: Ids) -> Ids:
        """The latest time of each triple that is not after its bound; -1 if there is none.

        Args:
            triples: numbers of triples.
            bounds: times, of the same length.
        """
        times: Ids = self.last.take(triples)
        # Most triples have one fact or only old ones, so that few need a search.
        late = np.flatnonzero(times > bounds)
        if len(late):
            times[late] = -1
            triples, bounds = triples.take(late), bounds.take(late)
            some = np.flatnonzero(self.first.take(triples) <= bounds)
            chosen = triples.take(some) * self.vocabulary.times
            keys = chosen + bounds.take(some)
            places = np.searchsorted(self.moments, keys, side="right") - 1
            times[late.take(some)] = self.moments.take(places) - chosen
        return times

    def forward(self, triples: Ids) -> Ids:
        """Packed (head, relation, tail) of each triple in forward direction, by its number."""
        size = self.vocabulary
        keys = self.triples[triples]
        rest, tails = np.divmod(keys, size.entities)
        heads, relations = np.divmod(rest, 2 * size.relations)
        back = (tails * (2 * size.relations) + relations - size.relations) * size.entities + heads
        return np.where(relations >= size.relations, back, keys)

    def facts(self, triples: Ids | None = None) -> Quadruples:
        """The distinct facts of some triples, or all, in forward direction, sorted by key."""
        rows = self.rows
        if triples is not None:
            rows = rows[np.isin(self.moments // self.vocabulary.times, triples)]
        keys, times = np.divmod(rows, self.vocabulary.times)
        keys, tails = np.divmod(keys, self.vocabulary.entities)
        heads, relations = np.divmod(keys, 2 * self.vocabulary.relations)
        facts = Quadruples(head=heads, relation=relations, tail=tails, time=times)
        inverse = relations >= self.vocabulary.relations
        own_facts = facts.take(~inverse)
        if triples is None:
            return own_facts
        back = facts.take(inverse).inverted(self.vocabulary.relations)
        return Quadruples.joined(own_facts, back).distinct()


def _keys(facts: Quadruples, vocabulary: Vocabulary) -> Ids:
    """Distinct packed facts in both directions, ascending."""
    both = facts.both_ways(vocabulary.relations)
    columns = (both.head, both.relation, both.tail, both.time)
    try:
        keys = pack(columns, _sizes(vocabulary))
    except OverflowError:
        message = "found a graph too large to apply rules to, expected entities^2 * 2 relations "
        raise GraphSizeError(f"{message}* times below 2^63") from None
    keys.sort()
    return keys.take(changes(keys))


def _sizes(vocabulary: Vocabulary) -> tuple[int, int, int, int]:
    entities = vocabulary.entities
    return entities, 2 * vocabulary.relations, entities, vocabulary.times


def changes(keys: Ids) -> Ids:
    """Positions in ascending keys at which a new key begins."""
    new = np.ones(len(keys), dtype=np.bool_)
    new[1:] = keys[1:] != keys[:-1]
    return np.flatnonzero(new)


def _found(ascending: Ids, keys: Ids) -> tuple[Ids, Mask]:
    """The position of each key in an ascending array, and a mask of the keys it contains."""
    places = np.searchsorted(ascending, keys)
    if not len(ascending):
        return places, np.zeros(len(keys), dtype=np.bool_)
    places[places == len(ascending)] = 0
    contained: Mask = ascending.take(places) == keys
    return places, contained


MOST_CHAINS = 1 << 18
"""Maximum number of chains in memory, unless a single chain has more continuations."""

_SPREAD = 16
"""Expected continuations of a chain, to read so many chains fewer ahead."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chains:
    """Chains of one length, one per row.

    Attributes:
        asker: number of the body that the chain matches.
        entities: entities on the chain, one column more than ``triples``.
        triples: numbers of the triples in the history, one column per step.
    """

    asker: Ids
    entities: tuple[Ids, ...]
    triples: tuple[Ids, ...] = ()

    def take(self, chosen: Ids | Mask | slice) -> Chains:
        """Select chains."""
        return replace(
            self,
            asker=self.asker[chosen],
            entities=tuple(column[chosen] for column in self.entities),
            triples=tuple(column[chosen] for column in self.triples),
        )

    def onward(self, entities: Ids, triples: Ids) -> Chains:
        """Extend each chain by one triple."""
        return replace(self, entities=(*self.entities, entities), triples=(*self.triples, triples))


def follow(
    history: History, chains: Chains, bodies: Ids, bound: dict[int, int]
) -> Iterator[Chains]:
    """Extend chains until they match whole bodies; yields batches that fit in memory.

    Args:
        history: the facts to match.
        chains: the chains so far; initially only their first entities.
        bodies: relations, shape (askers, length).
        bound: maps a position to the earlier position that has the same entity.
    """
    place = len(chains.triples)
    if place == bodies.shape[1]:
        yield chains
        return
    relations = bodies[chains.asker, place]
    if place + 1 in bound:
        goals = chains.entities[bound[place + 1]]
        triples, found = history.numbers(chains.entities[-1], relations, goals)
        longer = chains.take(found).onward(goals[found], triples[found])
        yield from follow(history, _possible(history, longer), bodies, bound)
        return
    begins, ends = history.leaving(chains.entities[-1], relations)
    for part in _parts(ends - begins, MOST_CHAINS):
        rows, triples = expand(begins[part], ends[part])
        longer = chains.take(part).take(rows).onward(history.tails[triples], triples)
        yield from follow(history, _possible(history, longer), bodies, bound)


def timed(
    history: History, chains: Chains, *, distinct_facts: bool = False
) -> tuple[Chains, tuple[Ids, ...]]:
    """Assign each chain the latest non-decreasing timestamps of its facts.

    Going back from the last fact, each is as late as the later ones allow, so that all are as late
    as in any grounding of the chain.

    Args:
        history: the facts.
        chains: chains of at least one triple.
        distinct_facts: whether a chain uses no fact twice, also not in different directions.

    Returns:
        The chains that have such timestamps, and one column of times per triple.
    """
    forward = [history.forward(triple) for triple in chains.triples] if distinct_facts else []
    times: tuple[Ids, ...] = (history.last[chains.triples[-1]],)
    for place in range(len(chains.triples) - 2, -1, -1):
        bounds = times[0]
        for later, own_forward_array in enumerate(forward[place + 1 :]):
            # The same triple later in the chain: times do not decrease, so it has to be earlier.
            before = np.minimum(bounds, times[later] - 1)
            bounds = np.where(own_forward_array == forward[place], before, bounds)
        times = (history.latest(chains.triples[place], bounds), *times)
        # Chains without a valid time stay until the end, with the bound -1.
    possible = times[0] >= 0
    return chains.take(possible), tuple(column[possible] for column in times)


def _possible(history: History, chains: Chains) -> Chains:
    """Drop chains whose last triple only has facts before the first fact of its predecessor."""
    if len(chains.triples) == 1:
        return chains
    before, after = chains.triples[-2:]
    return chains.take(history.last[after] >= history.first[before])


def _parts(counts: Ids, most: int) -> Iterator[slice]:
    """Split rows so that the total count of each part is at most ``most``, if possible."""
    total = np.cumsum(counts)
    begin = 0
    while begin < len(counts):
        limit = most + (int(total[begin - 1]) if begin else 0)
        end = max(int(np.searchsorted(total, limit, side="right")), begin + 1)
        yield slice(begin, end)
        begin = end


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReachedEntities:
    """The distinct end entities of each body, sorted by asker and entity.

    Attributes:
        asker: number of the body.
        entity: end entity of a grounding of the body.
        time: latest time of the first fact over all such groundings.
    """

    asker: Ids
    entity: Ids
    time: Ids


def reach(
    history: History, starts: Ids, bodies: Ids, same: Ids, *, distinct_facts: bool = False
) -> ReachedEntities:
    """Ground bodies that start at given entities.

    Args:
        history: the facts to match.
        starts: the first entity of each body, shape (n,).
        bodies: relations, shape (n, longest), padded with -1 at the end.
        same: positions with equal entities, encoded by ``table.code_of``.
        distinct_facts: whether a grounding uses no fact twice.
    """
    kinds = same * (bodies.shape[1] + 1) + np.sum(bodies >= 0, axis=1)
    size = history.vocabulary
    keys: list[Ids] = []
    for kind in np.unique(kinds):
        code, length = divmod(int(kind), bodies.shape[1] + 1)
        askers, bound = np.flatnonzero(kinds == kind), bound_places(code)
        if distinct_facts:
            chains = Chains(asker=askers, entities=(starts[askers],))
            for part in follow(history, chains, bodies[:, :length], bound):
                ordered, times = timed(history, part, distinct_facts=True)
                ends = ordered.entities[-1] * size.times + times[0]
                keys.append(_latest(ordered.asker * _width(size) + ends, size.times))
            continue
        if (length, bound) == (3, {2: 0}):
            returned = _after_return(history, starts[askers], bodies[askers])
            keys += [askers[rows] * _width(size) + ends for rows, ends in returned]
            continue
        suffixes = _Suffixes(place=0, entities={0: starts[askers]}, bodies=bodies[askers, :length])
        for found in _ends(history, suffixes, bound):
            number, places = expand(found.begins, found.stops)
            ends = found.ends.take(places) * size.times + found.times.take(places)
            keys.append((askers * _width(size)).take(found.rows.take(number)) + ends)
    return _reached(keys, history)


def reach_next(
    history: History, starts: Ids, relations: Ids, times: Ids, window: int = 0
) -> ReachedEntities:
    """Ground bodies of one step, each before a time of its own.

    Args:
        history: the facts to match.
        starts: the first entity of each body.
        relations: the relation of each body.
        times: the facts used are earlier.
        window: length of the time window before that; 0 for all earlier facts.
    """
    # The triples of a head and relation are in the order of their tails.
    asker, triples = expand(*history.leaving(starts, relations))
    latest = history.latest(triples, times[asker] - 1)
    first = times[asker] - window if window else 0
    some = np.flatnonzero(latest >= np.maximum(first, 0))
    return ReachedEntities(
        asker=asker[some], entity=history.tails[triples[some]], time=latest[some]
    )


def _after_return(history: History, starts: Ids, bodies: Ids) -> Iterator[tuple[Ids, Ids]]:
    """Ground bodies of three steps of which the second returns to the start.

    The third step depends on the first two only by the time of the second fact. So for each such
    time there is one latest time of the first fact, whatever entity lies between, and each end
    looks up its own.

    Yields:
        Row numbers, and packed (end, time).
    """
    size = history.vocabulary
    columns = (
        (starts, size.entities),
        *((body_column, 2 * size.relations) for body_column in bodies[:, :2].T),
    )
    groups = _Groups.of(columns)
    first = groups.first
    begins, stops = history.leaving(starts[first], bodies[first, 0])
    for part in _parts(stops - begins, MOST_CHAINS // _SPREAD):
        loops, column = expand(begins[part], stops[part])
        own = first[part][loops]
        two, found = history.numbers(history.tails[column], bodies[own, 1], starts[own])
        loops, column, two = loops[found], column[found], two[found]
        chains, facts = expand(history.spans[two], history.spans[two + 1])
        seconds = history.moments[facts] - two[chains] * size.times
        firsts = history.latest(column[chains], seconds)
        possible = firsts >= 0
        chains, firsts = loops[chains[possible]] * size.times, firsts[possible]
        moments = chains + seconds[possible]
        order = np.argsort(moments)
        moments = moments[order]
        # Of all second facts until each: a later row is larger by at least the number of times.
        latest = np.maximum.accumulate((chains + firsts)[order])
        rows, numbers = groups.members(part)
        lowest, highest = history.leaving(starts[rows], bodies[rows, 2])
        for piece in _parts(highest - lowest, MOST_CHAINS):
            chosen, three = expand(lowest[piece], highest[piece])
            least = numbers[piece][chosen] * size.times
            places = np.searchsorted(moments, least + history.last[three], side="right") - 1
            some = np.flatnonzero(places >= 0)
            some = some[latest[places[some]] >= least[some]]
            times = latest[places[some]] - least[some]
            yield rows[piece][chosen[some]], history.tails[three[some]] * size.times + times


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Suffixes:
    """Ends of bodies to be grounded, one per row.

    Attributes:
        place: the position at which the suffixes begin.
        entities: the entities at that position and at the earlier ones that later positions equal.
        bodies: relations, shape (suffixes, steps).
    """

    place: int
    entities: dict[int, Ids]
    bodies: Ids

    def take(self, chosen: Ids) -> _Suffixes:
        """Select suffixes."""
        entities = {place: column[chosen] for place, column in self.entities.items()}
        return replace(self, entities=entities, bodies=self.bodies[chosen])

    def steps(self, history: History, bound: dict[int, int]) -> tuple[Ids, Ids]:
        """Ranges of the triples that each suffix may begin with."""
        heads, relations = self.entities[self.place], self.bodies[:, 0]
        if self.place + 1 not in bound:
            return history.leaving(heads, relations)
        goals = self.entities[bound[self.place + 1]]
        triples, found = history.numbers(heads, relations, goals)
        return triples, triples + found

    def returning(self, history: History, bound: dict[int, int]) -> Mask:
        """Whether some fact leads to each known entity that a later step must return to."""
        possible = np.ones(len(self.bodies), dtype=np.bool_)
        for step in range(1, self.bodies.shape[1]):
            goals = self.entities.get(bound.get(self.place + step + 1, -1))
            if goals is not None:
                inverse = inverse_of(self.bodies[:, step], history.vocabulary.relations)
                begins, stops = history.leaving(goals, inverse)
                possible &= begins < stops
        return possible

    def after(self, rows: Ids, tails: Ids, bound: dict[int, int]) -> _Suffixes:
        """What remains of some suffixes after a step to these tails."""
        place = self.place + 1
        needed = {first for later, first in bound.items() if later > place}
        entities = {
            number: self.entities[number].take(rows) for number in needed & self.entities.keys()
        }
        return _Suffixes(
            place=place, entities=entities | {place: tails}, bodies=self.bodies[:, 1:].take(rows, 0)
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Ends:
    """Ends of suffixes: those of row ``rows[k]`` are ``ends[begins[k]:stops[k]]``.

    Attributes:
        ends: end entities, ascending within a row.
        times: the latest time of the first fact of a chain to each.
    """

    rows: Ids
    begins: Ids
    stops: Ids
    ends: Ids
    times: Ids


def _ends(history: History, suffixes: _Suffixes, bound: dict[int, int]) -> Iterator[_Ends]:
    """Ground suffixes, equal ones once; yields batches of rows that fit in memory.

    The latest time of a first fact depends on the rest of a chain only by the time of its second
    fact, and never decreases with it. So the ends of the rest are found once for all the chains
    that lead to it, each with the latest time only.
    """
    if suffixes.bodies.shape[1] == 1:
        begins, stops = suffixes.steps(history, bound)
        rows = np.arange(len(begins), dtype=np.int64)
        yield _Ends(rows=rows, begins=begins, stops=stops, ends=history.tails, times=history.last)
        return
    size = history.vocabulary
    groups = _Groups.of(
        [
            *((suffixes.entities[entity], size.entities) for entity in sorted(suffixes.entities)),
            *((column, 2 * size.relations) for column in suffixes.bodies.T),
        ]
    )
    distinct = suffixes.take(groups.first)
    for part, keys in _keys_of_ends(history, distinct, bound):
        offsets = np.searchsorted(keys, np.arange(part.stop - part.start + 1) * _width(size))
        rows, numbers = groups.members(part)
        pairs = keys // size.times
        yield _Ends(
            rows=rows,
            begins=offsets[numbers],
            stops=offsets[numbers + 1],
            ends=pairs % size.entities,
            times=keys - pairs * size.times,
        )


def _keys_of_ends(
    history: History, suffixes: _Suffixes, bound: dict[int, int]
) -> Iterator[tuple[slice, Ids]]:
    """Packed (row, end, time) of distinct suffixes of two steps or more, for rows in order.

    Yields:
        Some rows, and ascending keys, one per row and end; rows are counted from the first.
    """
    size = history.vocabulary
    begins, stops = suffixes.steps(history, bound)
    stops = np.where(suffixes.returning(history, bound), stops, begins)
    for part in _parts(stops - begins, MOST_CHAINS // _SPREAD):
        rows, triples = expand(begins[part], stops[part])
        rest = suffixes.after(rows + part.start, history.tails.take(triples), bound)
        leading, found = rows * _width(size), []
        for after in _ends(history, rest, bound):
            for piece in _parts(after.stops - after.begins, MOST_CHAINS):
                numbers, places = expand(after.begins[piece], after.stops[piece])
                chains = after.rows[piece].take(numbers)
                times = history.latest(triples.take(chains), after.times.take(places))
                some = np.flatnonzero(times >= 0)
                ends = after.ends.take(places.take(some)) * size.times + times.take(some)
                found.append(_latest(leading.take(chains.take(some)) + ends, size.times))
        yield part, found[0] if len(found) == 1 else _merged(found, size.times)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Groups:
    """Rows with equal values in all columns.

    Attributes:
        order: all rows, group by group.
        offsets: the rows of group ``k`` are ``order[offsets[k]:offsets[k + 1]]``.
    """

    order: Ids
    offsets: Ids

    @classmethod
    def of(cls, columns: Sequence[tuple[Ids, int]]) -> _Groups:
        """Group rows by columns, each with the bound of its values."""
        keys, bound = np.zeros_like(columns[0][0]), 1
        for column, size in columns:
            if bound * size >= 2**63:
                keys = np.unique(keys, return_inverse=True)[1]
                bound = len(keys)
            keys, bound = keys * size + column, bound * size
        order = np.argsort(keys)
        offsets = np.append(changes(keys[order]), len(order))
        return cls(order=order, offsets=offsets)

    @property
    def first(self) -> Ids:
        """A row of each group."""
        return self.order[self.offsets[:-1]]

    def members(self, groups: slice) -> tuple[Ids, Ids]:
        """The rows of some groups, and the group of each, counted from the first of these."""
        offsets = self.offsets[groups.start : groups.stop + 1]
        numbers = np.repeat(np.arange(len(offsets) - 1, dtype=np.int64), np.diff(offsets))
        return self.order[offsets[0] : offsets[-1]], numbers


def bound_places(code: int) -> dict[int, int]:
    """Map positions to the earlier position with the same entity, from ``table.code_of``."""
    return {place: group[0] for group in groups_of(code) for place in group[1:]}


def _width(size: Vocabulary) -> int:
    """The number of packed (entity, time)."""
    return size.entities * size.times


def _latest(keys: Ids, times: int) -> Ids:
    """Sort keys and keep the latest time of each asker and entity."""
    keys.sort()
    pairs = keys // times
    kept = np.ones(len(pairs), dtype=np.bool_)
    kept[:-1] = pairs[1:] != pairs[:-1]
    return keys.take(np.flatnonzero(kept))


def _merged(parts: Sequence[Ids], times: int) -> Ids:
    return _latest(np.concatenate([np.empty(0, np.int64), *parts]), times)


def _reached(parts: Sequence[Ids], history: History) -> ReachedEntities:
    size = history.vocabulary
    keys = _merged(parts, size.times)
    # Faster than np.divmod.
    pairs = keys // size.times
    askers = pairs // size.entities
    return ReachedEntities(
        asker=askers, entity=pairs - askers * size.entities, time=keys - pairs * size.times
    )
