"""Scores that single rules give to single candidates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import pairwise

import numpy as np

from solver.rules.history import Mask
from solver.rules.scores import Singles
from solver.rules.stopping import CandidateOrder
from solver.tkg.quadruples import Ids


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Events:
    """One row per query, rule and candidate, grouped by query and rule.

    Attributes:
        query: number of the query.
        rule: row in ``Application.rules``; the rules of a query are in the order of application.
        entity: the candidate.
        time: latest time at which a grounding of the rule for the candidate begins.
        score: score of the candidate by the rule.
    """

    query: Ids
    rule: Ids
    entity: Ids
    time: Ids
    score: Singles

    @classmethod
    def joined(cls, parts: Sequence[Events]) -> Events:
        """Concatenate one or more parts."""
        columns = {
            one.name: np.concatenate([getattr(part, one.name) for part in parts])
            for one in fields(cls)
        }
        return cls(**columns)

    @classmethod
    def none(cls) -> Events:
        """An empty table."""
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
        """Select rows."""
        return Events(
            query=self.query[chosen],
            rule=self.rule[chosen],
            entity=self.entity[chosen],
            time=self.time[chosen],
            score=self.score[chosen],
        )


def apply_until_distinct(
    events: Events, standings: Sequence[CandidateOrder]
) -> tuple[Events, set[int]]:
    """Apply rules in order until the best candidates of each query have different scores.

    Args:
        events: scores by all rules of the current batch.
        standings: candidate order of each query; updated in place.

    Returns:
        The scores by the rules that were applied, and the queries that need no more rules.
    """
    changed = np.flatnonzero((np.diff(events.query) != 0) | (np.diff(events.rule) != 0)) + 1
    bounds = np.concatenate(([0], changed, [len(events)])).tolist() if len(events) else []
    entities, scores = events.entity.tolist(), events.score.tolist()
    done: set[int] = set()
    kept = np.ones(len(events), dtype=np.bool_)
    for begin, end in pairwise(bounds):
        query = int(events.query[begin])
        if query in done:
            kept[begin:end] = False
        elif standings[query].add(entities[begin:end], scores[begin:end]):
            done.add(query)
    return events.take(kept), done
