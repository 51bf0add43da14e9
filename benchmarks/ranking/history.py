"""History of events: earlier occurrences, frequencies of pairs and neighbourhood overlap.

All functions use the facts of all splits before the time of an event.
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
    """Number of earlier times at which (s, r, o) of each event held."""
    begins, ends, _ = _earlier(queries, _FACT)
    return ends - begins


def last_time(queries: Queries) -> tuple[Ids, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    """The latest earlier time at which (s, r, o) of each event held, and whether there is one."""
    begins, ends, index = _earlier(queries, _FACT)
    ever = ends > begins
    times = queries.known.time[index.order]
    return np.where(ever, times[np.maximum(ends - 1, 0)], 0), ever


def pair_counts(queries: Queries) -> tuple[Ids, Ids]:
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


def overlap(queries: Queries, *, window: int = WINDOW) -> Numbers:
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


def _earlier(queries: Queries, columns: Sequence[str]) -> tuple[Ids, Ids, Index]:
    """Index all facts by columns and time; returns the range of earlier facts of each event."""
    timed = (*columns, "time")
    index = Index.of(queries.keys(queries.known, timed))
    events = queries.event()
    origin = replace(events, time=np.full_like(events.time, queries.times[0]))
    begins, _ = index.ranges(queries.keys(origin, timed))
    ends, _ = index.ranges(queries.keys(events, timed))
    return begins, ends, index


def _plain(queries: Queries) -> Quadruples:
    """All facts in forward direction."""
    return queries.known.take(slice(len(queries.known) // 2))
