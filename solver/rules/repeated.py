"""Entity equality constraints of rules: groups of body positions with the same entity."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from solver.rules.table import code_of
from solver.tkg.quadruples import Ids

Groups = tuple[tuple[int, ...], ...]


@cache
def constraints(length: int) -> tuple[Groups, ...]:
    """All sets of equality constraints on a body of this length; the empty one first."""
    return tuple(sorted(_partitions(length + 1), key=code_of))


def satisfies(groups: Groups, entities: tuple[Ids, ...]) -> NDArray[np.bool_]:
    """Mask of the walks whose entities are equal within each group.

    Args:
        groups: groups of positions.
        entities: shape (positions, walks).
    """
    kept = np.ones(len(entities[0]), dtype=np.bool_)
    for group in groups:
        for position in group[1:]:
            kept &= entities[group[0]] == entities[position]
    return kept


def codes(entities: tuple[Ids, ...]) -> Ids:
    """The code of all repeated entities of each walk; see ``solver.rules.table.code_of``."""
    code = np.zeros(len(entities[0]), dtype=np.int64)
    for position in range(1, len(entities)):
        open_ = np.ones(len(code), dtype=np.bool_)
        for first in range(position):
            again = open_ & (entities[first] == entities[position])
            code[again] += code_of(((first, position),))
            open_ &= ~again
    return code


def _partitions(positions: int) -> Iterator[Groups]:
    """All ways to group positions; only groups of two or more are listed."""

    def placed(position: int, groups: list[list[int]]) -> Iterator[Groups]:
        if position == positions:
            yield tuple(tuple(group) for group in groups if len(group) > 1)
            return
        for group in groups:
            group.append(position)
            yield from placed(position + 1, groups)
            group.pop()
        yield from placed(position + 1, [*groups, [position]])

    yield from placed(0, [])
