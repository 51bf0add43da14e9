"""Applies rules to queries: which entities they lead to, and how well, as TLogic does it.

Source: TLogic (Liu et al., AAAI 2022), section 4.3, and its published program.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from solver.rules.events import Events, until_told_apart
from solver.rules.history import History
from solver.rules.objects import ObjectDistribution
from solver.rules.queries import Candidates, Queries
from solver.rules.reach import Reached, reach
from solver.rules.scores import Weighing, noisy_or
from solver.rules.stopping import Standing
from solver.rules.table import RuleTable
from solver.tkg.dataset import Vocabulary
from solver.tkg.index import Index, expand
from solver.tkg.quadruples import Ids, Quadruples

FIRST_RULES = 8
"""How many rules of a query are followed at first; twice as many after that, and so on."""


class RuleEngine(StrEnum):
    """What finds where rules lead: joins over indexes, or clingo with ``tkg/candidates.lp``."""

    FAST = "fast"
    ASP = "asp"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How rules are chosen and applied; by default as published.

    Attributes:
        top_k: stop once so many best candidates differ; 0 to apply all rules.
        confidence: the least that a rule has; body_support likewise.
        window: how many units of time before a query count; 0 for all.
        weighing: of confidence and recency.
        lengths: of the rules that are applied; empty for all.
        engine: what finds where rules lead; both find the same.
    """

    top_k: int = 20
    confidence: float = 0.01
    body_support: int = 2
    window: int = 0
    weighing: Weighing = field(default_factory=Weighing)
    lengths: frozenset[int] = frozenset()
    engine: RuleEngine = RuleEngine.FAST

    def chosen(self, rules: RuleTable) -> Ids:
        """The rows of the rules to apply: the most confident first, ties in their order."""
        good = rules.confidence >= self.confidence
        good &= rules.body_support >= self.body_support
        if self.lengths:
            good &= np.isin(rules.length, sorted(self.lengths))
        rows = np.flatnonzero(good)
        return rows[np.argsort(-rules.confidence[rows], kind="stable")]


class Application:
    """Rules over a graph, ready to answer queries.

    A query sees the facts before its time only, whatever the graph holds.

    Args:
        rules: in any order.
        graph: the facts that queries may see.
        vocabulary: of both.
        settings: how to apply.
        learned: the facts whose objects answer where no rule does; the graph's by default.
    """

    def __init__(
        self,
        rules: RuleTable,
        graph: Quadruples,
        vocabulary: Vocabulary,
        *,
        settings: Settings | None = None,
        learned: Quadruples | None = None,
    ) -> None:
        self.settings = settings or Settings()
        self.vocabulary = vocabulary
        self.numbers = self.settings.chosen(rules)
        """For each row of ``rules`` its row among the rules that were given."""
        self.rules = rules.take(self.numbers)
        self._graph = History.of(graph, vocabulary)
        self._objects = ObjectDistribution.of(graph if learned is None else learned, vocabulary)
        self._by_head = Index.of(self.rules.head)
        self._ratio = self.rules.ratio

    def extended(self, facts: Quadruples) -> Application:
        """The same rules over the graph with some facts on top; what was learned stays."""
        one = copy(self)
        one._graph = self._graph.extended(facts)
        return one

    def history(self, time: int) -> History:
        """What a query at a time may see."""
        window = self.settings.window
        return self._graph.between(time - window if window else 0, time)

    def candidates(self, queries: Queries) -> Candidates:
        """Answer queries of any times; their candidates stand in the order of the queries."""
        parts = list(self.by_time(queries))
        order = np.concatenate([np.empty(0, np.int64), *(numbers for numbers, _ in parts)])
        return Candidates.joined([found for _, found in parts]).take(np.argsort(order))

    def by_time(self, queries: Queries) -> Iterator[tuple[Ids, Candidates]]:
        """Answer the queries of one time after those of another, which keeps memory flat.

        Yields:
            The numbers of a time's queries, and their candidates.
        """
        for _, numbers in queries.by_time():
            asked = queries.take(numbers)
            yield numbers, self.scored(asked, self.events(asked))

    def rows_for(self, relation: int) -> Ids:
        """The rows of ``rules`` with a head of this relation, in the order of application."""
        return self._by_head.rows(relation)

    def events(self, queries: Queries, history: History | None = None) -> Events:
        """What rules give to candidates of queries of one time, until these are told apart.

        Args:
            queries: of one time.
            history: of that time, for whoever asks about it more than once.

        Returns:
            Events sorted by query, rule and candidate.
        """
        history = self.history(int(queries.time[0])) if history is None else history
        standings = [Standing(self.settings.top_k) for _ in range(len(queries))]
        places, ends = self._by_head.ranges(queries.relation)
        found: list[Events] = []
        size = FIRST_RULES if self.settings.engine is RuleEngine.FAST else len(self.rules)
        active = np.flatnonzero(places < ends)
        while len(active):
            until = np.minimum(places[active] + size, ends[active])
            asked, rows = expand(places[active], until)
            given = self._given(history, queries, active[asked], self._by_head.order[rows])
            places[active] = until
            if self.settings.top_k:
                given, told = until_told_apart(given, standings)
                places[list(told)] = ends[list(told)]
            found.append(given)
            active = active[places[active] < ends[active]]
            size *= 2
        events = Events.joined(found) if found else Events.none()
        return events.take(np.argsort(events.query, kind="stable"))

    def _given(self, history: History, queries: Queries, asked: Ids, rules: Ids) -> Events:
        """Follow some rules, each for one query."""
        reached = self._reach(history, queries, asked, self.rules.take(rules))
        query, rule = asked[reached.asker], rules[reached.asker]
        lag = queries.time[query] - reached.time
        return Events(
            query=query,
            rule=rule,
            entity=reached.entity,
            time=reached.time,
            score=self.settings.weighing.score(self._ratio[rule], lag),
        )

    def _reach(self, history: History, queries: Queries, asked: Ids, rules: RuleTable) -> Reached:
        if self.settings.engine is RuleEngine.FAST:
            return reach(history, queries.head[asked], rules.body, rules.same)
        from solver.rules.grounding import reach_by_logic

        return reach_by_logic(history, queries, asked, rules)

    def scored(self, queries: Queries, events: Events) -> Candidates:
        """Join what rules give, and answer by frequent objects where they give nothing."""
        size = self.vocabulary.entities
        keys, scores = noisy_or(events.query * size + events.entity, events.score)
        query, entity = np.divmod(keys, size)
        ruled = np.bincount(query, minlength=len(queries)) > 0
        for number in np.flatnonzero(~ruled).tolist():
            objects, shares = self._objects.most_often(int(queries.relation[number]))
            query = np.append(query, np.full(len(objects), number))
            entity, scores = np.append(entity, objects), np.append(scores, shares)
        order = np.lexsort((entity, -scores, query))
        offsets = np.searchsorted(query[order], np.arange(len(queries) + 1))
        return Candidates(offsets=offsets, entity=entity[order], score=scores[order], ruled=ruled)
