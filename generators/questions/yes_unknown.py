"""Yes-unknown questions: true facts, and corrupted ones that look alike.

A corrupted fact differs from a true one in one position. Its new entity or relation is drawn near
the old one: in how often the entities, the relation and their pairs occurred before, whether and
when the two entities met, and what else happens to them that day. Of the nearest ones, and of the
facts, some are chosen so that what can be counted says nothing (``even``). Only facts whose triple
holds for the first time are queried, as a repeated triple is always a *yes*.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from generators.questions.even import Evening, chosen, fitted
from generators.questions.graph import TRUE_SHARE, Ledger
from solver.graph.model import History, Ids, Quadruples, pack, stable_order
from solver.questions.counts import FactCounts

Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]
Narrow = NDArray[np.int32]

SHARE = 0.75
"""Share of the suitable facts for yes-unknown questions, where 1-hop questions are asked too."""

_WEEK = 7
"""New entities are in a fact of that many times up to the question."""
_POOL = 20
"""Candidates for a position drawn from each source."""
_BLOCK = 1 << 13
"""Facts whose candidates are in memory at once."""
_FITTED = 12_000
"""Facts of a split to whose candidates trees are fitted."""
_ROUNDS = 500
"""Trees that are fitted."""
_DRAWN = 8_000
"""Facts and corruptions that a tree is fitted to, at most."""
_RATE = 1.0
"""Share of what a tree finds by which weights change."""
_TRIED = 20
"""Nearest candidates of a fact from which one is chosen."""
KEPT = 0.35
"""Share of the facts with a candidate that are asked."""
_FARTHEST = 3.0
"""Greatest distance of a candidate."""
_NOISE = 0.25
_HEAD, _RELATION, _TAIL = range(3)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class YesUnknownItems:
    """Questions, a row each, sorted by time.

    Attributes:
        asked: queried facts.
        source: their source facts; the same where ``true``.
        true: whether the answer is yes.
        left_out: number of suitable facts without a corruption that looks alike, or whose
            corruption counts predict.
    """

    asked: Quadruples
    source: Quadruples
    true: Flags
    left_out: int

    def __len__(self) -> int:
        return len(self.true)


class Changes:
    """Corrupts facts in one position to triples that are at no time in the graph.

    Args:
        graph: distinct facts of all splits, sorted by time.
        suits: whether each relation suits a question.

    Raises:
        OverflowError: two entities, a relation and a time do not fit in 63 bits.
    """

    def __init__(self, graph: Quadruples, suits: Flags, names: Sequence[str] = ()) -> None:
        self._graph, self._suits = graph, suits
        self._entities = int(np.concatenate((graph.head, graph.tail)).max(initial=0)) + 1
        self._relations = len(suits)
        self._horizon = int(graph.time.max(initial=0)) + 1
        self._triples = History(self._triple(graph), graph.time)
        self._earlier, self._earlier_relations = self._by_end(graph)
        self._counts = FactCounts(graph, self._entities, self._relations, names)

    def _triple(self, facts: Quadruples) -> Ids:
        sizes = (self._entities, self._relations, self._entities)
        return pack((facts.head, facts.relation, facts.tail), sizes)

    def _by_end(self, graph: Quadruples) -> tuple[Narrow, Narrow]:
        """The other entities and the relations of facts, as seen from both ends, by end and time.

        They are in the order of ``FactCounts.by_end``.
        """
        ends = np.concatenate((graph.head, graph.tail))
        order = stable_order(ends * self._horizon + np.tile(graph.time, 2))
        del ends
        others = np.concatenate((graph.tail, graph.head), dtype=np.int32)[order]
        return others, np.tile(graph.relation.astype(np.int32), 2)[order]

    def meetings(self, facts: Quadruples) -> Ids:
        """Keys of the two entities and the time of each fact."""
        return self._counts.meetings(facts)

    def suitable(self, rows: Ids) -> Ids:
        """Those of some facts that can be queried.

        Their triple holds for the first time, between two entities, and no other fact of the day
        has their relation and the same subject or object.
        """
        facts = self._graph.take(rows)
        first = self._triples.before(self._triple(facts), facts.time) == 0
        good = first & (facts.head != facts.tail)
        good &= self._alone(facts.head, facts.relation, facts.time, 1)
        good &= self._alone(facts.tail, facts.relation + self._relations, facts.time, 1)
        kept: Ids = rows[good]
        return kept

    def evening(self, splits: Iterable[Ids], draw: np.random.Generator) -> Evening | None:
        """A predictor of which facts are true, fitted to some; None without facts.

        Args:
            splits: facts of each split whose relation suits a question.
            draw: random generator.
        """
        some = [draw.permutation(self.suitable(rows))[:_FITTED] for rows in splits]
        facts = self._graph.take(np.sort(np.concatenate(some))).rows()
        parts = draw.integers(3, size=len(facts))
        owner, tried = self._near(facts, parts, self._counts.meetings(Quadruples.of(facts)), draw)
        if not len(owner):
            return None
        values, kinds = self._seen(facts[owner], tried)
        return fitted(
            values,
            kinds,
            owner,
            draw,
            share=KEPT,
            rounds=_ROUNDS,
            drawn=_DRAWN,
            rate=_RATE,
            alone=True,
        )[0]

    def drawn(
        self, facts: Quadruples, meetings: Ids, evening: Evening | None, draw: np.random.Generator
    ) -> tuple[Quadruples, Ids]:
        """Corrupt facts in one position each, so that what can be counted does not predict it.

        Args:
            facts: suitable facts.
            meetings: keys of pairs of entities and times that are queried already.
            evening: a predictor of which facts are true; None without any.
            draw: random generator.

        Returns:
            The corrupted facts, and the rows of ``facts`` that they are made of, ascending.
        """
        rows = facts.rows()
        taken = np.unique(meetings)
        parts = draw.integers(3, size=len(rows))
        # In blocks, as a fact has 60 candidates; in random order, as the first choose.
        order = np.arange(len(rows)) if len(rows) <= _BLOCK else draw.permutation(len(rows))
        found, changed = [np.empty(0, np.int64)], [np.empty((0, 4), np.int64)]
        for begin in range(0, len(rows), _BLOCK):
            block = np.sort(order[begin : begin + _BLOCK])
            owner, tried = self._near(rows[block], parts[block], taken, draw)
            if evening is None or not len(owner):
                continue
            values, kinds = self._seen(rows[block][owner], tried)
            some = chosen(evening.margins(values, kinds), owner, draw, KEPT)
            some = np.sort(self._free(tried, parts[block][owner], draw.permutation(some)))
            found.append(block[owner[some]])
            changed.append(tried[some])
            taken = np.union1d(taken, self._counts.meetings(Quadruples.of(tried[some])))
        sources, every = np.concatenate(found), np.concatenate(changed)
        order = np.argsort(sources)
        return Quadruples.of(every[order]), sources[order]

    def _seen(self, facts: Ids, changed: Ids) -> tuple[list[Ids], list[Ids]]:
        """Columns of what can be counted of each fact and of its corruption, and of their kinds."""
        rows, pair = np.concatenate((facts, changed)), (2, len(facts))
        relation, *others = self._counts.kinds(rows).values()
        # The relation takes every other turn.
        kinds = [kind for other in others for kind in (relation, other)]
        values = self._counts.columns(rows).values()
        return [value.reshape(pair).T for value in values], [kind.reshape(pair).T for kind in kinds]

    def _near(
        self, rows: Ids, parts: Ids, taken: Ids, draw: np.random.Generator
    ) -> tuple[Ids, Ids]:
        """The nearest candidates of each fact: the numbers of the facts, and the changed facts."""
        owners, changes = [], []
        for part in (_HEAD, _RELATION, _TAIL):
            some = np.flatnonzero(parts == part)
            tried, far = self._candidates(rows[some], part, draw)
            changed = np.repeat(rows[some], tried.shape[1], axis=0)
            changed[:, part] = tried.reshape(-1)
            far = far.reshape(-1)
            if part != _RELATION:  # a change of the relation keeps the pair, the fact's own
                far[np.isin(self._counts.meetings(Quadruples.of(changed)), taken)] = np.inf
            owner = np.repeat(some, tried.shape[1])
            order = np.lexsort((far, owner))
            place = np.arange(len(order)) % tried.shape[1] if len(order) else order
            kept = order[(place < _TRIED) & (far[order] <= _FARTHEST)]
            owners.append(owner[kept])
            changes.append(changed[kept])
        owner, changed = np.concatenate(owners), np.concatenate(changes)
        _, first = np.unique(np.column_stack((owner, changed)), axis=0, return_index=True)
        first = first[np.argsort(owner[first], kind="stable")]
        return owner[first], changed[first]

    def _free(self, tried: Ids, parts: Ids, chosen: Ids) -> Ids:
        """Those of some changed facts whose pair and time none before has."""
        keys = self._counts.meetings(Quadruples.of(tried[chosen]))
        _, first = np.unique(keys, return_index=True)
        alone = np.zeros(len(chosen), dtype=np.bool_)
        alone[first] = True
        kept: Ids = chosen[alone | (parts[chosen] == _RELATION)]
        return kept

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
        ever = np.full(len(changed), self._horizon)
        good &= self._triples.before(self._triple(changed_facts), ever) == 0
        if part == _RELATION:
            good &= self._suits[changed_facts.relation]
            far = self._relation_distance(rows, changed)
            good &= self._alone(changed_facts.head, changed_facts.relation, facts.time, 0)
            inverse = changed_facts.relation + self._relations
            good &= self._alone(changed_facts.tail, inverse, facts.time, 0)
        else:
            good &= changed_facts.head != changed_facts.tail
            good &= ~self._counts.met(changed_facts)
            new = changed[:, part]
            role = facts.relation + (self._relations if part == _TAIL else 0)
            good &= self._alone(new, role, facts.time, 0)
            far = self._entity_distance(rows, changed, part)
        far = far + draw.random(len(far)) * _NOISE
        return tried, np.where(good, far, np.inf).reshape(-1, width)

    def _entity_distance(self, rows: Ids, changed: Ids, part: int) -> Floats:
        """Of the new entities of each fact from the old one; the other and the relation stay."""
        inverse = self._relations if part == _TAIL else 0

        def seen(facts: Ids) -> tuple[Ids, ...]:
            counts, end, time = self._counts, facts[:, part], facts[:, 3]
            return (
                counts.by_role.before(counts.roles(end, facts[:, 1] + inverse), time),
                counts.by_end.before(end, time),
                *counts.by_pair.counted(counts.pairs(facts[:, 0], facts[:, 2]), time),
                counts.company(end, time),
            )

        role, end, pair, since, busy = _beside(seen(rows), seen(changed))
        far = _apart(*role)
        far += 0.5 * _apart(*end)
        far += _apart(*pair)
        far += 0.5 * _factors(*since)
        # Whether the two met before must be the same.
        far += np.where((since[0] > 0) == (since[1] > 0), 0, np.inf)
        # The old entity meets the other one that day, which is the queried fact.
        far += _factors(busy[0] - 1, busy[1])
        return far

    def _relation_distance(self, rows: Ids, changed: Ids) -> Floats:
        """Of the new relations of each fact from the old one; both entities stay."""

        def seen(facts: Ids) -> tuple[Ids, ...]:
            head, relation, tail, time = facts.T
            keys = self._counts.roles(head, relation), self._counts.roles(tail, relation + inverse)
            by_role = self._counts.by_role
            return self._counts.by_relation.before(relation, time), *(
                by_role.before(key, time) for key in keys
            )

        inverse = self._relations
        relation, subject, object_ = _beside(seen(rows), seen(changed))
        far = 0.5 * _apart(*relation)
        far += _apart(*subject)
        far += _apart(*object_)
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
            begins, ends = self._counts.by_end.places(rows[:, end], rows[:, 3])
            places = _places(begins, ends, draw)
            values = self._earlier_relations if part == _RELATION else self._earlier
            empty = (ends == begins)[:, None]
            drawn.append(np.where(empty, -1, values[np.minimum(places, len(values) - 1)]))
        return np.concatenate(drawn, axis=1)

    def _alone(self, ends: Ids, roles: Ids, times: Ids, number: int) -> Flags:
        """Whether so many facts of the day have this entity in this role of the relation."""
        alone: Flags = self._counts.by_role.at(self._counts.roles(ends, roles), times) == number
        return alone


def _beside(old: Sequence[Ids], new: Sequence[Ids]) -> list[tuple[Ids, Ids]]:
    """Each number of facts, repeated for its corruptions, and that of each corruption."""
    width = len(new[0]) // max(len(old[0]), 1)
    return [(np.repeat(first, width), second) for first, second in zip(old, new, strict=True)]


def _factors(old: Ids, new: Ids) -> Floats:
    """How many factors of two are between numbers."""
    factors: Floats = np.abs(np.log2(1 + old) - np.log2(1 + new))
    return factors


def _apart(old: Ids, new: Ids) -> Floats:
    """How far counts are apart: factors of two, and one more for none at all."""
    far: Floats = _factors(old, new) + ((old == 0) != (new == 0))
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
    evening: Evening | None,
    ledger: Ledger,
    draw: np.random.Generator,
    share: float = SHARE,
) -> YesUnknownItems:
    """Query facts: one in four unchanged, the others corrupted in one position.

    Args:
        rows: facts of a split whose relation suits a question.
        graph: distinct facts of all splits.
        changes: corruption over the whole graph.
        evening: a predictor of which facts are true; None without any.
        ledger: which facts are used; those queried and the sources are marked.
        draw: random generator of labels and corruptions.
        share: share of the suitable facts to use.
    """
    suitable = changes.suitable(rows)
    suitable = draw.permutation(suitable[ledger.free()[suitable]])
    wanted = round(share * len(suitable))
    chosen = np.array([row for row in suitable[:wanted].tolist() if ledger.take((row,))], np.int64)
    facts = graph.take(np.sort(chosen))
    # All are corrupted first, so that the true ones are a random sample of the same facts.
    changed, kept = changes.drawn(facts, changes.meetings(facts), evening, draw)
    true = np.zeros(len(kept), dtype=np.bool_)
    true[draw.permutation(len(kept))[: round(len(kept) / TRUE_SHARE)]] = True
    source = facts.take(kept)
    asked = Quadruples.of(np.where(true[:, None], source.rows(), changed.rows()))
    return YesUnknownItems(
        asked=replace(asked, time=source.time),
        source=source,
        true=true,
        left_out=len(facts) - len(kept),
    )
