"""Yes-unknown questions: true facts, and corrupted ones that look alike.

A corrupted fact differs from a true one in one position. Its new entity or relation is drawn so
that counts say nothing: how often the entities, the relation and their pairs occurred before,
whether and when the two entities met, and what else happens to them that day are matched. Only
facts whose triple holds for the first time are queried, as a repeated triple is always a *yes*.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from generators.questions.graph import TRUE_SHARE, Ledger
from solver.graph.model import Ids, Index, Quadruples, pack

Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]

SHARE = 0.75
"""Share of the suitable facts for yes-unknown questions, where 1-hop questions are asked too."""

_WEEK = 7
"""New entities are in a fact of that many times up to the question."""
_POOL = 40
"""Candidates for a position drawn from each source."""
_BLOCK = 1 << 14
"""Facts whose candidates are in memory at once."""
_TRIED = 12
"""Nearest candidates tried before a fact is given up, as another question took them."""
_FARTHEST = 3.0
"""Greatest distance of a match; see ``_Matcher``."""
_NOISE = 0.25
_HEAD, _RELATION, _TAIL = range(3)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class YesUnknownItems:
    """Questions, a row each, sorted by time.

    Attributes:
        asked: queried facts.
        source: their source facts; the same where ``true``.
        true: whether the answer is yes.
        left_out: number of suitable facts without a corruption that looks alike.
    """

    asked: Quadruples
    source: Quadruples
    true: Flags
    left_out: int

    def __len__(self) -> int:
        return len(self.true)


class PastCounts:
    """How often and when keys occurred.

    Args:
        keys: key of each fact.
        times: its time, in [0, horizon).
        horizon: number of times.
    """

    def __init__(self, keys: Ids, times: Ids, horizon: int) -> None:
        self._horizon = horizon
        self._moments = np.sort(pack((keys, times), (int(keys.max(initial=0)) + 1, horizon)))

    def before(self, keys: Ids, times: Ids) -> Ids:
        """Number of facts with each key before each time."""
        begins, ends = self._ranges(keys, times)
        number: Ids = ends - begins
        return number

    def since(self, keys: Ids, times: Ids) -> Ids:
        """Time from the last fact with each key before each time; 0 if there is none."""
        begins, ends = self._ranges(keys, times)
        last = self._moments[np.maximum(ends - 1, 0)] % self._horizon
        return np.where(ends > begins, times - last, 0)

    def _ranges(self, keys: Ids, times: Ids) -> tuple[Ids, Ids]:
        first = keys * self._horizon
        moments = self._moments
        return np.searchsorted(moments, first), np.searchsorted(moments, first + times)


class Changes:
    """Corrupts facts in one position to triples that are at no time in the graph.

    Args:
        graph: distinct facts of all splits, sorted by time.
        suits: whether each relation suits a question.

    Raises:
        OverflowError: two entities, a relation and a time do not fit in 63 bits.
    """

    def __init__(self, graph: Quadruples, suits: Flags) -> None:
        self._graph, self._suits = graph, suits
        self._entities = int(np.concatenate((graph.head, graph.tail)).max(initial=0)) + 1
        self._relations = len(suits)
        self._horizon = int(graph.time.max(initial=0)) + 1
        sizes = (self._entities, self._relations, self._entities, self._horizon)
        self._triples = Index.of(pack((graph.head, graph.relation, graph.tail), sizes[:3]))
        pack((graph.head, graph.relation, graph.tail, graph.time), sizes)
        both = graph.both_ways(self._relations)
        moments = pack((both.head, both.time), (self._entities, self._horizon))
        order = np.argsort(moments, kind="stable")
        self._history, self._moments = both.take(order), moments[order]
        ends, horizon = both.head, self._horizon
        self._by_end = PastCounts(ends, both.time, horizon)
        self._by_role = PastCounts(self._role_keys(ends, both.relation), both.time, horizon)
        self._by_relation = PastCounts(graph.relation, graph.time, horizon)
        self._by_pair = PastCounts(self._pairs(graph.head, graph.tail), graph.time, horizon)
        days = np.unique(self._pairs(graph.head, graph.tail) * horizon + graph.time)
        self._meetings = Index.of(days)
        pair, time = np.divmod(days, horizon)
        low, high = np.divmod(pair, self._entities)
        apart = low != high
        someone = np.concatenate((low, high[apart])) * horizon
        self._busy = np.sort(someone + np.concatenate((time, time[apart])))
        self._nodes = Index.of(self._role_keys(ends, both.relation) * horizon + both.time)

    def suitable(self, rows: Ids) -> Ids:
        """Those of some facts that can be queried.

        Their triple holds for the first time, between two entities, and no other fact of the day
        has their relation and the same subject or object.
        """
        facts = self._graph.take(rows)
        triples = pack(
            (facts.head, facts.relation, facts.tail),
            (self._entities, self._relations, self._entities),
        )
        # The index is stable and facts are sorted by time: the first row is the earliest.
        first = self._triples.order[np.searchsorted(self._triples.keys, triples)] == rows
        good = first & (facts.head != facts.tail)
        good &= self._alone(facts.head, facts.relation, facts.time, 1)
        good &= self._alone(facts.tail, facts.relation + self._relations, facts.time, 1)
        kept: Ids = rows[good]
        return kept

    def drawn(
        self, facts: Quadruples, taken: set[int], draw: np.random.Generator
    ) -> tuple[Quadruples, Flags]:
        """Corrupt each fact in one position.

        Args:
            facts: suitable facts.
            taken: keys of pairs of entities and times that are queried already; those of the
                corrupted facts are added.
            draw: random generator.

        Returns:
            The corrupted facts, and for which of ``facts`` one was found.
        """
        rows = facts.rows()
        found = np.zeros(len(rows), dtype=np.bool_)
        parts = draw.integers(3, size=len(rows))
        for part in (_HEAD, _RELATION, _TAIL):
            some = np.flatnonzero(parts == part)
            # In blocks, as a fact has 120 candidates; in random order, as the first choose.
            some = some if len(some) <= _BLOCK else draw.permutation(some)
            for begin in range(0, len(some), _BLOCK):
                self._choose(rows, found, some[begin : begin + _BLOCK], part, taken, draw)
        return Quadruples.of(rows), found

    def _choose(
        self,
        rows: Ids,
        found: Flags,
        some: Ids,
        part: int,
        taken: set[int],
        draw: np.random.Generator,
    ) -> None:
        """Corrupt some of the rows in a position, each by its nearest candidate that is free."""
        tried, far = self._candidates(rows[some], part, draw)
        order = np.argsort(far, axis=1, kind="stable")[:, :_TRIED]
        for place in draw.permutation(len(some)).tolist():
            row = some[place]
            for choice in order[place].tolist():
                if far[place, choice] > _FARTHEST:
                    break
                changed = rows[row].copy()
                changed[part] = tried[place, choice]
                key = self.meeting(changed.tolist())
                # A change of the relation keeps the pair, which is the fact's own.
                if part == _RELATION or key not in taken:
                    taken.add(key)
                    rows[row], found[row] = changed, True
                    break

    def meeting(self, fact: list[int]) -> int:
        """The key of the two entities of a fact and its time."""
        head, _, tail, time = fact
        pair = min(head, tail) * self._entities + max(head, tail)
        return pair * self._horizon + time

    def _candidates(self, rows: Ids, part: int, draw: np.random.Generator) -> tuple[Ids, Floats]:
        """Candidates for a position of each fact, and how far each is from looking alike."""
        tried = np.concatenate(
            (self._of_the_week(rows, part, draw), self._of_history(rows, part, draw)), axis=1
        )
        width = tried.shape[1]
        wide = np.repeat(rows, width, axis=0)
        changed = wide.copy()
        changed[:, part] = tried.reshape(-1)
        good = (changed[:, part] >= 0) & (changed[:, part] != wide[:, part])
        changed[~good] = wide[~good]
        changed_facts, facts = Quadruples.of(changed), Quadruples.of(wide)
        good &= ~self._triples.contains(
            pack(
                (changed_facts.head, changed_facts.relation, changed_facts.tail),
                (self._entities, self._relations, self._entities),
            )
        )
        if part == _RELATION:
            good &= self._suits[changed_facts.relation]
            far = self._relation_distance(facts, changed_facts)
            good &= self._alone(changed_facts.head, changed_facts.relation, facts.time, 0)
            inverse = changed_facts.relation + self._relations
            good &= self._alone(changed_facts.tail, inverse, facts.time, 0)
        else:
            good &= changed_facts.head != changed_facts.tail
            pairs = self._pairs(changed_facts.head, changed_facts.tail)
            good &= ~self._meetings.contains(pairs * self._horizon + facts.time)
            new = changed[:, part]
            role = facts.relation + (self._relations if part == _TAIL else 0)
            good &= self._alone(new, role, facts.time, 0)
            far = self._entity_distance(wide, changed, part)
        far = far + draw.random(len(far)) * _NOISE
        return tried, np.where(good, far, np.inf).reshape(-1, width)

    def _entity_distance(self, rows: Ids, changed: Ids, part: int) -> Floats:
        """Of a new entity from the old one; the other entity and the relation stay."""
        old, new, time = rows[:, part], changed[:, part], rows[:, 3]
        role = rows[:, 1] + (self._relations if part == _TAIL else 0)
        far = _apart(self._by_role, self._role_keys(old, role), self._role_keys(new, role), time)
        far += 0.5 * _apart(self._by_end, old, new, time)
        pairs = self._pairs(rows[:, 0], rows[:, 2]), self._pairs(changed[:, 0], changed[:, 2])
        far += _apart(self._by_pair, *pairs, time)
        since = [self._by_pair.since(pair, time) for pair in pairs]
        far += 0.5 * np.abs(np.log2(1 + since[0]) - np.log2(1 + since[1]))
        # Whether the two met before must be the same.
        far += np.where((since[0] > 0) == (since[1] > 0), 0, np.inf)
        # The old entity meets the other one that day, which is the queried fact.
        busy = self._company(old, time) - 1, self._company(new, time)
        far += np.abs(np.log2(1 + busy[0]) - np.log2(1 + busy[1]))
        return far

    def _relation_distance(self, facts: Quadruples, changed: Quadruples) -> Floats:
        """Of a new relation from the old one; both entities stay."""
        far = 0.5 * _apart(self._by_relation, facts.relation, changed.relation, facts.time)
        for end, inverse in ((facts.head, 0), (facts.tail, self._relations)):
            keys = [
                self._role_keys(end, quadruples.relation + inverse)
                for quadruples in (facts, changed)
            ]
            far += _apart(self._by_role, keys[0], keys[1], facts.time)
        return far

    def _of_the_week(self, rows: Ids, part: int, draw: np.random.Generator) -> Ids:
        """Values of a position in random facts of the week up to each fact."""
        times = self._graph.time
        begins = np.searchsorted(times, rows[:, 3] - _WEEK + 1)
        ends = np.searchsorted(times, rows[:, 3], side="right")
        places = _places(begins, ends, draw)
        columns = (self._graph.head, self._graph.relation, self._graph.tail)
        return np.where(ends[:, None] > begins[:, None], columns[part][places], -1)

    def _of_history(self, rows: Ids, part: int, draw: np.random.Generator) -> Ids:
        """Values of a position in random earlier facts of the entities that stay."""
        drawn = []
        for end in (_HEAD, _TAIL):
            if end == part:
                continue
            first = rows[:, end] * self._horizon
            begins = np.searchsorted(self._moments, first)
            ends = np.searchsorted(self._moments, first + rows[:, 3])
            places = _places(begins, ends, draw)
            values = self._history.tail
            if part == _RELATION:
                values = self._history.relation % self._relations
            empty = (ends == begins)[:, None]
            drawn.append(np.where(empty, -1, values[np.minimum(places, len(values) - 1)]))
        return np.concatenate(drawn, axis=1)

    def _alone(self, ends: Ids, roles: Ids, times: Ids, number: int) -> Flags:
        """Whether so many facts of the day have this entity in this role of the relation."""
        begins, stops = self._nodes.ranges(self._role_keys(ends, roles) * self._horizon + times)
        alone: Flags = stops - begins == number
        return alone

    def _company(self, entities: Ids, times: Ids) -> Ids:
        """Number of entities that each entity meets at each time."""
        keys = entities * self._horizon + times
        ends = np.searchsorted(self._busy, keys, side="right")
        number: Ids = ends - np.searchsorted(self._busy, keys)
        return number

    def _pairs(self, ids: Ids, other: Ids) -> Ids:
        return np.minimum(ids, other) * self._entities + np.maximum(ids, other)

    def _role_keys(self, ends: Ids, roles: Ids) -> Ids:
        return ends * (2 * self._relations) + roles


def _apart(counts: PastCounts, old: Ids, new: Ids, time: Ids) -> Floats:
    """How far the counts of two keys are apart: factors of two, and one more for none at all."""
    first, second = counts.before(old, time), counts.before(new, time)
    far: Floats = np.abs(np.log2(1 + first) - np.log2(1 + second))
    far += (first == 0) != (second == 0)
    return far


def _places(begins: Ids, ends: Ids, draw: np.random.Generator) -> Ids:
    """Random places of each range, shape (n, _POOL)."""
    sizes = np.maximum(ends - begins, 1)
    drawn = (draw.random((len(begins), _POOL)) * sizes[:, None]).astype(np.int64)
    places: Ids = begins[:, None] + drawn
    return places


def yes_unknown(
    rows: Ids,
    graph: Quadruples,
    changes: Changes,
    ledger: Ledger,
    draw: np.random.Generator,
    share: float = SHARE,
) -> YesUnknownItems:
    """Query facts: one in four unchanged, the others corrupted in one position.

    Args:
        rows: facts of a split whose relation suits a question.
        graph: distinct facts of all splits.
        changes: corruption over the whole graph.
        ledger: which facts are used; those queried and the sources are marked.
        draw: random generator of labels and corruptions.
        share: share of the suitable facts to use.
    """
    suitable = changes.suitable(rows)
    suitable = draw.permutation(suitable[ledger.free()[suitable]])
    wanted = round(share * len(suitable))
    chosen = np.array([row for row in suitable[:wanted].tolist() if ledger.take((row,))], np.int64)
    facts = graph.take(np.sort(chosen))
    meetings = {changes.meeting(fact.tolist()) for fact in facts.rows()}
    # All are corrupted first, so that the true ones are a random sample of the same facts.
    changed, found = changes.drawn(facts, meetings, draw)
    kept = np.flatnonzero(found)
    true = np.zeros(len(kept), dtype=np.bool_)
    true[draw.permutation(len(kept))[: round(len(kept) / TRUE_SHARE)]] = True
    source, changed = facts.take(kept), changed.take(kept)
    asked = Quadruples.of(np.where(true[:, None], source.rows(), changed.rows()))
    return YesUnknownItems(
        asked=replace(asked, time=source.time),
        source=source,
        true=true,
        left_out=int((~found).sum()),
    )
