"""Whether rules rank the object of a fact strictly first from earlier facts, computed twice."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

from solver.rules.application import Application, Settings
from solver.rules.history import History
from solver.rules.queries import Queries
from solver.rules.reach import ReachedEntities
from solver.rules.table import RuleTable
from solver.tkg.dataset import Vocabulary
from solver.tkg.quadruples import Ids, Quadruples

NOT_RANKED_FIRST = "not_ranked_first"
"""Code of the finding."""

SETTINGS = Settings()
"""Settings as published for TLogic."""


def between_two(rules: RuleTable) -> RuleTable:
    """Rules with one body atom over two distinct entities, the only ones used here."""
    return rules.take((rules.length == 1) & (rules.same == 0))


def ranked_first(application: Application, asked: Quadruples) -> NDArray[np.bool_]:
    """Whether rules score the object of each fact higher than every other entity."""
    if not len(asked):
        return np.zeros(0, dtype=np.bool_)
    queries, numbers = Queries.of(asked)
    best = np.full(len(queries), -1, dtype=np.int64)
    for places, found in application.by_time(queries):
        begins, ends = found.offsets[:-1], found.offsets[1:]
        alone = found.ruled & (ends == begins + 1)
        more = found.ruled & (ends > begins + 1)
        alone[more] = found.score[begins[more]] > found.score[begins[more] + 1]
        best[places[alone]] = found.entity[begins[alone]]
    first: NDArray[np.bool_] = best[numbers] == asked.tail
    return first


class PlainApplication(Application):
    """Rule application by dictionary lookups, independent of the joins of ``Application``.

    Args:
        rules: result of ``between_two``.
        graph, vocabulary: as for ``Application``; the settings are ``SETTINGS``.
    """

    def __init__(self, rules: RuleTable, graph: Quadruples, vocabulary: Vocabulary) -> None:
        super().__init__(rules, graph, vocabulary, settings=SETTINGS)
        self._times: dict[tuple[int, int], dict[int, list[int]]] = defaultdict(dict)
        size = vocabulary.relations
        for head, relation, tail, time in graph.by_time().rows().tolist():
            self._times[head, relation].setdefault(tail, []).append(time)
            self._times[tail, relation + size].setdefault(head, []).append(time)

    def _reach(
        self, history: History, queries: Queries, asked: Ids, rules: RuleTable
    ) -> ReachedEntities:
        del history  # All times are indexed, and cut off at the time of each query.
        heads, times = queries.head[asked].tolist(), queries.time[asked].tolist()
        rows: list[tuple[int, int, int]] = []
        columns = zip(heads, times, rules.body[:, 0].tolist(), strict=True)
        for asker, (head, before, body) in enumerate(columns):
            for entity, moments in self._times.get((head, body), {}).items():
                place = bisect_left(moments, before)
                if place:
                    rows.append((asker, entity, moments[place - 1]))
        rows.sort()
        table = np.array(rows, dtype=np.int64).reshape(-1, 3)
        return ReachedEntities(asker=table[:, 0], entity=table[:, 1], time=table[:, 2])
