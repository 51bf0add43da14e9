"""The queries of a split: an object query and a subject query for each fact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from benchmarks.history import TimeIndex
from benchmarks.metrics.ranking import Numbers
from grammar.errors import HopcheckError
from solver.graph.model import Dataset, Ids, Index, Quadruples, Split, expand, pack
from solver.io.sources import InputError


class JoinError(HopcheckError):
    """A file whose rows do not match the queries one to one."""

    code = "join"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SplitQueries:
    """SplitQueries ``(s, r, ?, t)`` with their answers ``o``.

    Attributes:
        dataset: the graph.
        split: the queried split.
        asked: 2n rows: the n facts of the split in file order, then their inverses, with relation
            ``r + |R|``. ``tail`` is the answer.
        known: the distinct facts of all splits in both directions.
        times: the distinct times of facts, ascending; keys contain indexes into it.
        index: index of ``asked`` by the whole fact.
    """

    dataset: Dataset
    split: Split
    asked: Quadruples
    known: Quadruples
    times: Ids
    index: Index

    @classmethod
    def of(cls, dataset: Dataset, split: Split) -> SplitQueries:
        """The queries of a split.

        Raises:
            InputError: the split is missing or empty, or contains duplicate facts.
        """
        if split not in dataset.splits or not len(dataset.splits[split]):
            given = ", ".join(dataset.splits)
            message = f"found no facts of the split {split}, expected {split}.txt next to {given}"
            raise InputError(message, where=dataset.name)
        dataset.require_distinct(split)
        relations = dataset.vocabulary.relations
        asked = dataset.splits[split].both_ways(relations)
        known = dataset.facts().distinct().both_ways(relations)
        times = np.unique(known.time)
        keys = _keys(asked, dataset, times)
        index = Index.of(keys)
        return cls(dataset=dataset, split=split, asked=asked, known=known, times=times, index=index)

    def __len__(self) -> int:
        return len(self.asked)

    @property
    def events(self) -> int:
        """Number of queried facts: half the queries."""
        return len(self.asked) // 2

    @property
    def entities(self) -> int:
        """Number of entities."""
        return self.dataset.vocabulary.entities

    @property
    def step(self) -> int:
        """Time step of the graph: the shortest time between facts, such as 1 day or 24 hours."""
        return int(np.diff(self.times).min()) if len(self.times) > 1 else 1

    def event(self) -> Quadruples:
        """The facts of the split in file order."""
        return self.asked.take(slice(self.events))

    def first(self) -> Ids:
        """The rows of the queries whose head, relation and tail were not asked at an earlier time.

        Both queries of a fact are among them, or neither.
        """
        order = np.lexsort((np.arange(self.events), self.event().time))
        rows = self.event().rows()[order, :3]
        _, places = np.unique(rows, axis=0, return_index=True)
        kept = np.sort(order[places]).astype(np.int64)
        return np.concatenate((kept, kept + self.events))

    def only(self, rows: Ids) -> SplitQueries:
        """Some of the queries, both of each fact."""
        asked = self.asked.take(rows)
        index = Index.of(_keys(asked, self.dataset, self.times))
        return replace(self, asked=asked, index=index)

    def rows_of(self, facts: Quadruples) -> Ids:
        """The number of the query of each fact; -1 if there is none."""
        found = np.full(len(facts), -1, dtype=np.int64)
        timely = np.flatnonzero(np.isin(facts.time, self.times))
        if not len(timely):
            return found
        keys = _keys(facts.take(timely), self.dataset, self.times)
        places, ends = self.index.ranges(keys)
        present = ends > places
        found[timely[present]] = self.index.order[places[present]]
        return found

    def keys(self, facts: Quadruples, columns: Sequence[str]) -> Ids:
        """Pack some columns of facts into keys; times are replaced by indexes into ``times``.

        A time without facts gets the index of the next time with facts, so that keys that end in
        the time can bound a window.
        """
        vocabulary = self.dataset.vocabulary
        entities, relations = vocabulary.entities, 2 * vocabulary.relations
        sizes = {"head": entities, "relation": relations, "tail": entities}
        sizes["time"] = len(self.times) + 1
        values = {"head": facts.head, "relation": facts.relation, "tail": facts.tail}
        values["time"] = np.searchsorted(self.times, facts.time).astype(np.int64)
        return pack([values[name] for name in columns], [sizes[name] for name in columns])


def _keys(facts: Quadruples, dataset: Dataset, times: Ids) -> Ids:
    vocabulary = dataset.vocabulary
    columns = (facts.head, facts.relation, facts.tail, np.searchsorted(times, facts.time))
    sizes = (vocabulary.entities, 2 * vocabulary.relations, vocabulary.entities, len(times) + 1)
    return pack(columns, sizes)


WINDOW = 200
"""The w of eq. 2, in steps of the graph's time."""

_FACT = ("head", "relation", "tail")


def repetitions(queries: SplitQueries) -> Ids:
    """Number of earlier times at which (s, r, o) of each event held."""
    begins, ends, _ = _earlier(queries, _FACT)
    return ends - begins


def last_time(queries: SplitQueries) -> tuple[Ids, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    """The latest earlier time at which (s, r, o) of each event held, and whether there is one."""
    begins, ends, index = _earlier(queries, _FACT)
    ever = ends > begins
    times = queries.known.time[index.order]
    return np.where(ever, times[np.maximum(ends - 1, 0)], 0), ever


def pair_counts(queries: SplitQueries) -> tuple[Ids, Ids]:
    """Number of earlier facts with (s, r) of each event, and the maximum over all pairs then."""
    begins, ends, _ = _earlier(queries, ("head", "relation"))
    plain = _plain(queries).by_time()
    index = Index.of(queries.keys(plain, ("head", "relation")))
    first, _ = index.ranges(index.keys)
    # Number the facts of each pair in temporal order: the running maximum is the largest count.
    number = np.empty(len(plain), dtype=np.int64)
    number[index.order] = np.arange(len(plain)) - first + 1
    most = np.concatenate([[0], np.maximum.accumulate(number)])
    return ends - begins, most[np.searchsorted(plain.time, queries.event().time)]


def overlap(queries: SplitQueries, *, window: int = WINDOW) -> Numbers:
    """Neighbourhood overlap of the subject and object of each event (RSMF, eq. 15).

    ``NO_f = |N_s & N_o| / |N_s | N_o|`` in [0, 1], 0 without neighbours; neighbours share a fact,
    in either direction, at a time ``t - window <= t' < t``.

    Args:
        queries: the queries of the events.
        window: length of the window in time steps of the graph.
    """
    known, events = queries.known, queries.event()
    index = Index.of(queries.keys(known, ("head", "time")))
    ends_of_events = np.concatenate([events.head, events.tail])
    times = np.concatenate([events.time, events.time])
    places = np.searchsorted(queries.times, times)
    size = len(queries.times) + 1
    visits, visit = np.unique(ends_of_events * size + places, return_inverse=True)
    entity, at = np.divmod(visits, size)
    since = np.searchsorted(queries.times, queries.times[at] - window * queries.step)
    begins, _ = index.ranges(entity * size + since)
    ends, _ = index.ranges(entity * size + at)
    asker, found = expand(begins, ends)
    # One key per entity, time and neighbour.
    pairs = np.unique(asker * queries.entities + known.tail[index.order[found]])
    bounds = np.arange(len(visits) + 1) * queries.entities
    offsets = np.searchsorted(pairs, bounds)
    subject, target = visit[: queries.events], visit[queries.events :]
    event, place = expand(offsets[subject], offsets[subject + 1])
    shared_keys = target[event] * queries.entities + pairs[place] % queries.entities
    shared = np.bincount(
        event[Index(keys=pairs, order=pairs).contains(shared_keys)], minlength=queries.events
    )
    sizes = np.diff(offsets)
    union = sizes[subject] + sizes[target] - shared
    return shared / np.maximum(union, 1)


def _earlier(queries: SplitQueries, columns: Sequence[str]) -> tuple[Ids, Ids, TimeIndex]:
    """Index all facts by columns and time; returns the range of earlier facts of each event."""
    index = TimeIndex(queries.known, columns, queries.dataset.vocabulary)
    return *index.before(queries.event()), index


def _plain(queries: SplitQueries) -> Quadruples:
    """All facts in forward direction."""
    return queries.known.take(slice(len(queries.known) // 2))


class Asked(StrEnum):
    """What is asked: each fact, or each head, relation and tail once, at its first time."""

    FACTS = "facts"
    DISTINCT = "distinct"


class Filter(StrEnum):
    """Which true answers o of a query ``(s, r, ?, t)`` are removed.

    ``raw``: none. ``static``: (s, r, o) holds at any time (Bordes et al. 2013). ``time-aware``:
    (s, r, o) holds at t (Han et al. 2021).
    """

    RAW = "raw"
    STATIC = "static"
    TIME_AWARE = "time-aware"


_COLUMNS = {Filter.STATIC: ("head", "relation"), Filter.TIME_AWARE: ("head", "relation", "time")}


class FilteredAnswers:
    """The other true answers of each query, which are removed from its ranking.

    Args:
        queries: the queries.
        filter: the filtered setting, applied to the facts of all splits.
    """

    def __init__(self, queries: SplitQueries, filter: Filter) -> None:
        self.filter = filter
        self._answers = queries.asked.tail
        if filter is Filter.RAW:
            self._begins = self._ends = np.zeros(len(queries), dtype=np.int64)
            self._tails = np.empty(0, dtype=np.int64)
            return
        known = queries.known
        if filter is Filter.STATIC:
            known = _timeless(known)
        columns = _COLUMNS[filter]
        index = Index.of(queries.keys(known, columns))
        self._tails = known.tail[index.order]
        self._begins, self._ends = index.ranges(queries.keys(queries.asked, columns))

    def left_out(self, rows: Ids) -> tuple[Ids, Ids]:
        """The removed candidates of some queries: index into ``rows``, and entity."""
        places, found = expand(self._begins[rows], self._ends[rows])
        tails = self._tails[found]
        others = tails != self._answers[rows][places]
        return places[others], tails[others]

    def candidates(self, entities: int) -> Numbers:
        """Number of candidates of each query, including the answer."""
        if self.filter is Filter.RAW:
            return np.full(len(self._answers), float(entities))
        # Known answers are distinct and include the queried one.
        return entities - (self._ends - self._begins - 1).astype(np.float64)


def _timeless(facts: Quadruples) -> Quadruples:
    """The distinct (s, r, o), at time 0."""
    zeros = np.zeros_like(facts.time)
    return Quadruples(
        head=facts.head, relation=facts.relation, tail=facts.tail, time=zeros
    ).distinct()
