"""Which entities bodies of rules lead to, and the latest time at which each begins to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from solver.rules.chains import Chains, follow, timed
from solver.rules.history import History
from solver.rules.table import groups_of
from solver.tkg.quadruples import Ids


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reached:
    """Entities at the ends of bodies, each once a body, sorted by asker and entity.

    Attributes:
        asker: which of the bodies asked about.
        entity: reached by that body.
        time: of the body's first fact, the latest that any grounding has.
    """

    asker: Ids
    entity: Ids
    time: Ids


def reach(history: History, starts: Ids, bodies: Ids, same: Ids) -> Reached:
    """Follow bodies from entities.

    Args:
        history: the facts that count.
        starts: the entity each body begins at, shape (n,).
        bodies: relations, shape (n, longest), padded with -1 at the end.
        same: which positions hold one entity, as ``table.code_of`` says.
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
    """Positions that hold the entity of an earlier one, and which, from ``table.code_of``."""
    return {place: group[0] for group in groups_of(code) for place in group[1:]}


def _keys(history: History, chains: Chains) -> Ids:
    """Asker, last entity and first time of each chain that can be in order of time, as a key."""
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


def _reached(parts: Sequence[Ids], history: History) -> Reached:
    size = history.vocabulary
    keys = _latest(np.concatenate([np.empty(0, np.int64), *parts]), size.times)
    pairs, times = np.divmod(keys, size.times)
    askers, entities = np.divmod(pairs, size.entities)
    return Reached(asker=askers, entity=entities, time=times)
