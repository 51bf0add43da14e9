"""What came before an event: how often it happened, when last, how often its subject did so.

Each is of the facts at times before the event's own, those of all splits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from benchmarks.ranking.queries import Queries
from benchmarks.ranking.tables import Numbers
from solver.tkg.index import Index, expand
from solver.tkg.quadruples import Ids, Quadruples

WINDOW = 200
"""The w of eq. 2, in steps of the graph's time."""

_FACT = ("head", "relation", "tail")


def repetitions(queries: Queries) -> Ids:
    """At how many earlier times each event's (s, r, o) held."""
    begins, ends, _ = _earlier(queries, _FACT)
    return ends - begins


def last_time(queries: Queries) -> tuple[Ids, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    """When each event's (s, r, o) held last, and whether it ever did."""
    begins, ends, index = _earlier(queries, _FACT)
    ever = ends > begins
    times = queries.known.time[index.order]
    return np.where(ever, times[np.maximum(ends - 1, 0)], 0), ever


def pair_counts(queries: Queries) -> tuple[Ids, Ids]:
    """Facts of each event's (s, r) before its time; and of the pair that has most by then."""
    begins, ends, _ = _earlier(queries, ("head", "relation"))
    plain = _plain(queries).by_time()
    index = Index.of(queries.keys(plain, ("head", "relation")))
    first, _ = index.ranges(index.keys)
    # A fact is the n-th of its pair in the order of time: the most so far is the greatest n so far.
    number = np.empty(len(plain), dtype=np.int64)
    number[index.order] = np.arange(len(plain)) - first + 1
    most = np.concatenate([[0], np.maximum.accumulate(number)])
    return ends - begins, most[np.searchsorted(plain.time, queries.event().time)]


def overlap(queries: Queries, *, window: int = WINDOW) -> Numbers:
    """How far the neighbours of each event's subject and object are the same (RSMF, eq. 15).

    ``NO_f = |N_s & N_o| / |N_s | N_o|`` in [0, 1], 0 without neighbours; neighbours are the
    entities of facts with the entity, either way, at times ``t - window <= t' < t``.

    Args:
        queries: whose events are asked about.
        window: in steps of the graph's time.
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
    # One key for each neighbour of each entity at a time.
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


def _earlier(queries: Queries, columns: Sequence[str]) -> tuple[Ids, Ids, Index]:
    """Where in an index of all facts, by these columns, each event's earlier ones stand."""
    timed = (*columns, "time")
    index = Index.of(queries.keys(queries.known, timed))
    events = queries.event()
    origin = replace(events, time=np.full_like(events.time, queries.times[0]))
    begins, _ = index.ranges(queries.keys(origin, timed))
    ends, _ = index.ranges(queries.keys(events, timed))
    return begins, ends, index


def _plain(queries: Queries) -> Quadruples:
    """All facts, one way."""
    return queries.known.take(slice(len(queries.known) // 2))
