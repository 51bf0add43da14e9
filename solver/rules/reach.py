"""Finds the entities that rule bodies lead to, with the latest start time of a grounding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from solver.rules.chains import Chains, follow, timed
from solver.rules.history import History
from solver.rules.table import groups_of
from solver.tkg.quadruples import Ids


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


def reach(history: History, starts: Ids, bodies: Ids, same: Ids) -> ReachedEntities:
    """Ground bodies that start at given entities.

    Args:
        history: the facts to match.
        starts: the first entity of each body, shape (n,).
        bodies: relations, shape (n, longest), padded with -1 at the end.
        same: positions with equal entities, encoded by ``table.code_of``.
    """
    kinds = same * (bodies.shape[1] + 1) + np.sum(bodies >= 0, axis=1)
    keys: list[Ids] = []
    for kind in np.unique(kinds):
        code, length = divmod(int(kind), bodies.shape[1] + 1)
        askers = np.flatnonzero(kinds == kind)
        chains = Chains(asker=askers, entities=(starts[askers],))
        whole = follow(history, chains, bodies[:, :length], bound_places(code))
        keys += [_latest(_keys(history, part), history.vocabulary.times) for part in whole]
    return _reached(keys, history)


def bound_places(code: int) -> dict[int, int]:
    """Map positions to the earlier position with the same entity, from ``table.code_of``."""
    return {place: group[0] for group in groups_of(code) for place in group[1:]}


def _keys(history: History, chains: Chains) -> Ids:
    """Packed (asker, last entity, first time) of each chain with valid timestamps."""
    ordered, times = timed(history, chains)
    size = history.vocabulary
    ends = ordered.asker * size.entities + ordered.entities[-1]
    keys: Ids = ends * size.times + times[0]
    return keys


def _latest(keys: Ids, times: int) -> Ids:
    """Sort keys and keep the latest time of each asker and entity."""
    keys.sort()
    pairs = keys // times
    kept = np.ones(len(pairs), dtype=np.bool_)
    kept[:-1] = pairs[1:] != pairs[:-1]
    return keys[kept]


def _reached(parts: Sequence[Ids], history: History) -> ReachedEntities:
    size = history.vocabulary
    keys = _latest(np.concatenate([np.empty(0, np.int64), *parts]), size.times)
    pairs, times = np.divmod(keys, size.times)
    askers, entities = np.divmod(pairs, size.entities)
    return ReachedEntities(asker=askers, entity=entities, time=times)
