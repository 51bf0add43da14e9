"""What single rules give to single candidates of queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import pairwise

import numpy as np

from solver.rules.history import Mask
from solver.rules.scores import Singles
from solver.rules.stopping import Standing
from solver.tkg.quadruples import Ids


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Events:
    """A row for each query, rule and candidate; those of one query and rule stand together.

    Attributes:
        query: its number.
        rule: its row in ``Application.rules``; rules of a query stand in the order of application.
        entity: the candidate.
        time: the latest at which a grounding of the rule begins that leads to the candidate.
        score: what the rule gives the candidate.
    """

    query: Ids
    rule: Ids
    entity: Ids
    time: Ids
    score: Singles

    @classmethod
    def joined(cls, parts: Sequence[Events]) -> Events:
        """All of several, one after the other; at least one."""
        columns = {
            one.name: np.concatenate([getattr(part, one.name) for part in parts])
            for one in fields(cls)
        }
        return cls(**columns)

    @classmethod
    def none(cls) -> Events:
        """No events."""
        nothing = np.empty(0, dtype=np.int64)
        return cls(
            query=nothing,
            rule=nothing,
            entity=nothing,
            time=nothing,
            score=np.empty(0, dtype=np.float32),
        )

    def __len__(self) -> int:
        return len(self.query)

    def take(self, chosen: Mask | Ids) -> Events:
        """Some of the rows."""
        return Events(
            query=self.query[chosen],
            rule=self.rule[chosen],
            entity=self.entity[chosen],
            time=self.time[chosen],
            score=self.score[chosen],
        )


def until_told_apart(events: Events, standings: Sequence[Standing]) -> tuple[Events, set[int]]:
    """Apply rules in their order until the standing of a query tells its best candidates apart.

    Args:
        events: of all rules that may be applied now.
        standings: of each query; they are brought up to date.

    Returns:
        The events of the rules that were applied, and the queries that are told apart now.
    """
    changed = np.flatnonzero((np.diff(events.query) != 0) | (np.diff(events.rule) != 0)) + 1
    bounds = np.concatenate(([0], changed, [len(events)])).tolist() if len(events) else []
    entities, scores = events.entity.tolist(), events.score.tolist()
    told: set[int] = set()
    kept = np.ones(len(events), dtype=np.bool_)
    for begin, end in pairwise(bounds):
        query = int(events.query[begin])
        if query in told:
            kept[begin:end] = False
        elif standings[query].add(entities[begin:end], scores[begin:end]):
            told.add(query)
    return events.take(kept), told
