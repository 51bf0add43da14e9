"""Link prediction with temporal rules: applies rules to queries and scores the candidates.

Source: TLogic (Liu et al., AAAI 2022), section 4.3, and its published program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from solver.graph.model import (
    Dataset,
    Ids,
    Index,
    Quadruples,
    Split,
    Vocabulary,
    expand,
    pack,
    stable_order,
)
from solver.graph.queries import Queries, Ranks
from solver.io.sources import InputError
from solver.io.writing import packed
from solver.processes import no_collection, parallel_map
from solver.rules.history import History, ReachedEntities, reach, reach_next
from solver.rules.model import RuleTable
from solver.rules.provenance import Content, Seen, refuse_leak, write_manifest
from solver.rules.ranks import (
    Candidates,
    Events,
    Scores,
    ScoreWeights,
    StoppingRule,
    best_first,
    filtered_ranks,
    noisy_or,
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ObjectDistribution:
    """Relative frequency of each object per relation, inverses included.

    Attributes:
        relation: relations, ascending.
        entity: distinct objects of each relation, most frequent first.
        share: relative frequency of the object among the facts of the relation, in (0, 1].
        anywhere: the objects of all facts, most frequent first, with their relative frequencies.
    """

    relation: Ids
    entity: Ids
    share: Scores
    anywhere: tuple[Ids, Scores]

    @classmethod
    def of(cls, facts: Quadruples, vocabulary: Vocabulary) -> ObjectDistribution:
        """Count the objects of facts in both directions."""
        both = facts.both_ways(vocabulary.relations)
        sizes = (2 * vocabulary.relations, vocabulary.entities)
        keys, counts = np.unique(pack((both.relation, both.tail), sizes), return_counts=True)
        relations, entities = np.divmod(keys, vocabulary.entities)
        totals = np.bincount(both.relation, minlength=2 * vocabulary.relations)
        order = np.lexsort((entities, -counts, relations))
        objects, times = np.unique(both.tail, return_counts=True)
        often = np.lexsort((objects, -times))
        return cls(
            relation=relations[order],
            entity=entities[order],
            share=(counts / totals[relations])[order],
            anywhere=(objects[often], times[often] / max(len(both), 1)),
        )

    def most_often(self, relation: int) -> tuple[Ids, Scores]:
        """The objects of a relation, or of all facts if it has none, with their frequencies."""
        rows = Index(keys=self.relation, order=np.arange(len(self.relation))).rows(relation)
        return (self.entity[rows], self.share[rows]) if len(rows) else self.anywhere


FIRST_RULES = 8
"""Size of the first batch of rules per query; each further batch is half as large again."""


_MOST_QUERIES = 512
"""Queries of any times that are answered together."""


class RuleEngine(StrEnum):
    """The engine that grounds rules: joins, or clingo with ``rules/candidates.lp``."""

    FAST = "fast"
    ASP = "asp"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How rules are selected and applied; the defaults are the published ones.

    Attributes:
        top_k: stop once the scores of this many best candidates differ; 0 to apply all rules.
        confidence: minimum confidence of a rule.
        body_support: minimum body support of a rule.
        window: length of the time window before a query; 0 for all earlier facts.
        weighing: weights of confidence and recency.
        lengths: lengths of the rules to apply; empty for all.
        engine: the grounding engine; both find the same candidates.
        distinct_facts: whether a grounding uses no fact twice; in the published program it may.
    """

    top_k: int = 20
    confidence: float = 0.01
    body_support: int = 2
    window: int = 0
    weighing: ScoreWeights = field(default_factory=ScoreWeights)
    lengths: frozenset[int] = frozenset()
    engine: RuleEngine = RuleEngine.FAST
    distinct_facts: bool = False

    def chosen(self, rules: RuleTable) -> Ids:
        """Select the rows of the rules to apply, by descending confidence; the sort is stable."""
        good = rules.confidence >= self.confidence
        good &= rules.body_support >= self.body_support
        if self.lengths:
            good &= np.isin(rules.length, sorted(self.lengths))
        rows = np.flatnonzero(good)
        return rows[np.argsort(-rules.confidence[rows], kind="stable")]


class Application:
    """Answers queries about a graph with temporal rules.

    Only facts before a query's time are used, even if the graph contains later ones.

    Args:
        rules: the rules, in any order.
        graph: the facts that rule bodies are matched against.
        vocabulary: entities, relations and times of the graph.
        settings: how rules are selected and applied.
        learned: training facts; their object frequencies answer queries that no rule answers.
            The graph by default.
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
        self._graph = History.of(graph, vocabulary)
        self._objects = ObjectDistribution.of(graph if learned is None else learned, vocabulary)
        self._use(rules)

    def _use(self, rules: RuleTable) -> None:
        self.numbers = self.settings.chosen(rules)
        """For each row of ``rules``, its row in the rules passed to the constructor."""
        self.rules = rules.take(self.numbers)
        self._by_head = Index.of(self.rules.head)
        self._ratio = self.rules.ratio
        fast = self.settings.engine is RuleEngine.FAST
        single = (self.rules.length == 1) & (self.rules.same == 0)
        self._lookups = fast and bool(single.all())
        """Whether the latest fact of each triple before a query is all that its rules need."""

    def with_rules(self, rules: RuleTable) -> Self:
        """Apply other rules to the same graph, with the same settings."""
        application = copy(self)
        application._use(rules)
        return application

    @classmethod
    def of(
        cls,
        rules: RuleTable,
        dataset: Dataset,
        settings: Settings | None = None,
        *,
        trained: bool = False,
    ) -> Application:
        """Apply rules to all facts of a graph, or to those of its train split."""
        learned = dataset.facts(Split.TRAIN)
        graph = learned if trained else dataset.facts()
        return cls(rules, graph, dataset.vocabulary, settings=settings, learned=learned)

    def extended(self, facts: Quadruples) -> Application:
        """Add facts to the graph; rules and object frequencies stay the same."""
        application = copy(self)
        application._graph = self._graph.extended(facts)
        return application

    def history(self, time: int) -> History:
        """The facts that a query at this time may use."""
        window = self.settings.window
        return self._graph.between(time - window if window else 0, time)

    def candidates(self, queries: Queries) -> Candidates:
        """Answer queries of any times; candidates are in the order of the queries."""
        parts = list(self.by_time(queries))
        order = np.concatenate([np.empty(0, np.int64), *(numbers for numbers, _ in parts)])
        return Candidates.joined([found for _, found in parts]).take(np.argsort(order))

    def by_time(self, queries: Queries) -> Iterator[tuple[Ids, Candidates]]:
        """Answer queries in batches, which bounds memory: of one timestamp, or of many by lookups.

        Yields:
            The numbers of the queries of a batch, and their candidates.
        """
        for numbers in self._batches(queries):
            batch = queries.take(numbers)
            yield numbers, self.scored(batch, self.events(batch))

    def _batches(self, queries: Queries) -> Iterator[Ids]:
        if self._lookups:
            for begin in range(0, len(queries), _MOST_QUERIES):
                yield np.arange(begin, min(begin + _MOST_QUERIES, len(queries)))
            return
        for _, numbers in queries.by_time():
            yield numbers

    @no_collection()
    def events(self, queries: Queries, history: History | None = None) -> Events:
        """Score candidates by single rules until the best candidates of each query differ.

        Args:
            queries: queries of one timestamp, or of any where rules have one body atom.
            history: facts before that timestamp, if already computed.

        Returns:
            Scores sorted by query, rule and candidate.
        """
        if history is None and not self._lookups:
            history = self.history(int(queries.time[0]))
        stopping = StoppingRule(len(queries), self.vocabulary.entities, self.settings.top_k)
        places, ends = self._by_head.ranges(queries.relation)
        found: list[Events] = []
        size = FIRST_RULES if self.settings.engine is RuleEngine.FAST else len(self.rules)
        active = np.flatnonzero(places < ends)
        while len(active):
            until = np.minimum(places[active] + size, ends[active])
            place, rows = expand(places[active], until)
            scores = self._scores(history, queries, active[place], self._by_head.order[rows])
            places[active] = until
            if self.settings.top_k:
                scores, done = stopping.apply(scores)
                places[done] = ends[done]
            found.append(scores)
            active = active[places[active] < ends[active]]
            size += size // 2
        events = Events.joined(found) if found else Events.none()
        return events.take(stable_order(events.query))

    def _scores(
        self, history: History | None, queries: Queries, numbers: Ids, rules: Ids
    ) -> Events:
        """Apply each of some rules to one query."""
        reached = self._reach(history, queries, numbers, self.rules.take(rules))
        query, rule = numbers.take(reached.asker), rules.take(reached.asker)
        lag = queries.time.take(query) - reached.time
        return Events(
            query=query,
            rule=rule,
            entity=reached.entity,
            time=reached.time,
            score=self.settings.weighing.score(self._ratio.take(rule), lag),
        )

    def _reach(
        self, history: History | None, queries: Queries, numbers: Ids, rules: RuleTable
    ) -> ReachedEntities:
        if history is None:
            heads, times = queries.head[numbers], queries.time[numbers]
            return reach_next(self._graph, heads, rules.body[:, 0], times, self.settings.window)
        once = self.settings.distinct_facts
        if self.settings.engine is RuleEngine.FAST:
            heads = queries.head[numbers]
            return reach(history, heads, rules.body, rules.same, distinct_facts=once)
        from solver.rules.encode import reach_by_logic

        return reach_by_logic(history, queries, numbers, rules, distinct_facts=once)

    def scored(self, queries: Queries, events: Events) -> Candidates:
        """Aggregate rule scores by noisy-or; fall back on frequent objects where no rule fires."""
        size = self.vocabulary.entities
        keys, scores = noisy_or(events.query * size + events.entity, events.score)
        query = keys // size
        entity = keys - query * size
        ruled = np.bincount(query, minlength=len(queries)) > 0
        order = best_first(query, scores)
        rows = [(query.take(order), entity.take(order), scores.take(order))]
        for number in np.flatnonzero(~ruled).tolist():
            objects, shares = self._objects.most_often(int(queries.relation[number]))
            rows.append((np.full(len(objects), number), objects, shares))
        query, entity, scores = (np.concatenate(columns) for columns in zip(*rows, strict=True))
        if len(rows) > 1:
            order = stable_order(query)
            query, entity, scores = query.take(order), entity.take(order), scores.take(order)
        offsets = np.searchsorted(query, np.arange(len(queries) + 1))
        return Candidates(offsets=offsets, entity=entity, score=scores, ruled=ruled)


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
    """Rule application by scans of facts in order of time, independent of the joins of its parent.

    Args:
        rules: rules with one body atom over two distinct entities.
        graph, vocabulary: as for ``Application``; the settings are the default.
    """

    def __init__(self, rules: RuleTable, graph: Quadruples, vocabulary: Vocabulary) -> None:
        super().__init__(rules, graph, vocabulary)
        both = graph.both_ways(vocabulary.relations)
        starts = both.head * (2 * vocabulary.relations) + both.relation
        by_tail = np.lexsort((both.time, both.tail, starts))
        again = (starts[by_tail[:-1]] == starts[by_tail[1:]]) & (
            both.tail[by_tail[:-1]] == both.tail[by_tail[1:]]
        )
        until = np.full(len(both), np.iinfo(np.int64).max)
        until[by_tail[:-1][again]] = both.time[by_tail[1:][again]]
        order = np.lexsort((both.time, starts))
        self._times, self._tails = both.time[order], both.tail[order]
        self._until = until[order]
        """When the same triple has its next fact: up to then, this one is its latest."""
        self._starts, counts = np.unique(starts, return_counts=True)
        """The heads and relations of the facts, as one number each."""
        self._bounds = np.append(0, np.cumsum(counts))

    def _reach(
        self, history: History | None, queries: Queries, asked: Ids, rules: RuleTable
    ) -> ReachedEntities:
        del history
        keys = queries.head[asked] * (2 * self.vocabulary.relations) + rules.body[:, 0]
        place = np.searchsorted(self._starts, keys)
        known = np.flatnonzero(np.append(self._starts, -1)[place] == keys)
        begins, ends = self._bounds[place[known]], self._bounds[place[known] + 1]
        sizes = ends - begins
        # All facts of a head and relation, of which the latest before the query stay.
        number = np.repeat(np.arange(len(known)), sizes)
        scanned = np.arange(len(number)) + np.repeat(begins - np.cumsum(sizes) + sizes, sizes)
        time = np.repeat(queries.time[asked[known]], sizes)
        before = self._times.take(scanned) < time
        latest = np.flatnonzero(before & (self._until.take(scanned) >= time))
        scanned, asker = scanned[latest], known[number[latest]]
        order = np.argsort(asker * self.vocabulary.entities + self._tails[scanned])
        found = scanned[order]
        return ReachedEntities(
            asker=asker[order], entity=self._tails[found], time=self._times[found]
        )


class _ComparedApplication(Application):
    """Rule application that matches bodies in two ways and compares what they reach.

    Attributes:
        alike: whether both have reached the same so far.
    """

    def __init__(self, application: Application, other: Application) -> None:
        self.__dict__.update(application.__dict__)
        self.alike = True
        self._both = application, other

    def _reach(
        self, history: History | None, queries: Queries, numbers: Ids, rules: RuleTable
    ) -> ReachedEntities:
        found, again = (each._reach(history, queries, numbers, rules) for each in self._both)
        self.alike &= all(
            np.array_equal(getattr(found, each_field.name), getattr(again, each_field.name))
            for each_field in fields(ReachedEntities)
        )
        return found


def ranked_first_by_both(
    application: Application, other: Application, asked: Quadruples
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """``ranked_first`` by two applications that differ only in how they match bodies.

    What they reach is compared. Scores and ranks follow from it, so they are computed once, and
    apart only if there is a difference.
    """
    both = _ComparedApplication(application, other)
    first = ranked_first(both, asked)
    return (
        (first, first)
        if both.alike
        else (ranked_first(application, asked), ranked_first(other, asked))
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class QueryAnswers:
    """The answers to the queries of one timestamp.

    Attributes:
        rows: rows of the queried facts.
        ranks: ranks of their tails, in the order of ``rows``.
        queries: the distinct queries.
        candidates: the candidates of each query.
    """

    rows: Ids
    ranks: Ranks
    queries: Queries
    candidates: Candidates


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RankedFacts:
    """Facts with the ranks of their tails.

    Attributes:
        facts: the queried facts, in both directions.
        ranks: ranks of their tails, in the same order.
        rules: number of applied rules.
        queries: number of distinct queries.
        without_rules: queries that no rule answers; they are answered by frequent objects.
        seen: the facts that the rules were mined from; None if unknown.
    """

    facts: Quadruples
    ranks: Ranks
    rules: int
    queries: int
    without_rules: int
    seen: Seen | None = None

    def figures(self) -> dict[str, Any]:
        """All figures as JSON values."""
        return {
            "rules": self.rules,
            "facts": len(self.facts),
            "queries": self.queries,
            "without_rules": self.without_rules,
            "ranks": self.ranks.figures(),
        }


def rows_by_time(facts: Quadruples) -> list[Ids]:
    """Group the rows of facts by timestamp, in ascending order."""
    index = Index.of(facts.time)
    return [index.rows(time) for time in np.unique(facts.time).tolist()]


def rank_answers(application: Application, facts: Quadruples, rows: Ids) -> QueryAnswers:
    """Rank the tails of one timestamp's facts in the time-aware filtered setting."""
    queried = facts.take(rows)
    queries, numbers = Queries.of(queried)
    candidates = application.candidates(queries)
    ranks = filtered_ranks(candidates, numbers, queried, application.vocabulary.entities)
    return QueryAnswers(rows=rows, ranks=ranks, queries=queries, candidates=candidates)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Ranked:
    """The ranks of one timestamp; the answers only if asked, as workers return all of them."""

    ranks: Ranks
    queries: int
    without_rules: int
    answers: QueryAnswers | None


def _rank(application: Application, facts: Quadruples, rows: Ids, *, answers: bool) -> _Ranked:
    found = rank_answers(application, facts, rows)
    return _Ranked(
        ranks=found.ranks,
        queries=len(found.queries),
        without_rules=int((~found.candidates.ruled).sum()),
        answers=found if answers else None,
    )


def rank_facts(
    application: Application,
    facts: Quadruples,
    *,
    jobs: int = 1,
    each: Callable[[QueryAnswers], object] | None = None,
    advance: Callable[[int], object] | None = None,
) -> RankedFacts:
    """Rank the tails of facts in the time-aware filtered setting, timestamp by timestamp.

    Args:
        application: rules and graph.
        facts: the queried facts, in both directions.
        jobs: number of worker processes; the ranks do not depend on it.
        each: called with the answers of each timestamp.
        advance: called with the number of facts of each timestamp.
    """
    ranks, queries, fallback = [], 0, 0
    parts = rows_by_time(facts)
    rank = partial(_rank, application, facts, answers=each is not None)
    found = parallel_map(rank, parts, jobs)
    for rows, ranked_facts in zip(parts, found, strict=True):
        ranks.append(ranked_facts.ranks)
        queries += ranked_facts.queries
        fallback += ranked_facts.without_rules
        if each is not None and ranked_facts.answers is not None:
            each(ranked_facts.answers)
        if advance is not None:
            advance(len(rows))
    return RankedFacts(
        facts=facts,
        ranks=Ranks.joined(ranks, parts),
        rules=len(application.rules),
        queries=queries,
        without_rules=fallback,
        seen=application.rules.seen,
    )


def queried_facts(dataset: Dataset, split: Split) -> Quadruples:
    """The facts of a split in both directions.

    Raises:
        InputError: the split is empty, or contains duplicate facts.
    """
    facts = dataset.facts(split)
    if not len(facts):
        message = f"found no facts of the split {split}, expected at least one"
        raise InputError(message, where=dataset.name, hint="choose another split with --split")
    dataset.require_distinct(split)
    return facts.both_ways(dataset.vocabulary.relations)


def apply_rules(
    rules: RuleTable,
    dataset: Dataset,
    split: Split,
    settings: Settings | None = None,
    *,
    trained: bool = False,
    allow_leak: bool = False,
    jobs: int = 1,
    each: Callable[[QueryAnswers], object] | None = None,
    advance: Callable[[int], object] | None = None,
) -> RankedFacts:
    """Predict the facts of a split with rules, and rank the true answers.

    Args:
        rules: the rules.
        dataset: the graph; a query uses the facts of all splits before its time.
        split: split to predict, in both directions.
        settings: how rules are selected and applied.
        trained: use the facts of the train split only.
        allow_leak: accept rules that were mined from facts of the times of the split.
        jobs: number of worker processes; the ranks do not depend on it.
        each: called with the answers of each timestamp.
        advance: called with the number of facts of each timestamp.

    Raises:
        InputError: the split is empty, or contains duplicate facts.
        LeakError: the rules were mined from facts of the times of the split.
    """
    facts = queried_facts(dataset, split)
    refuse_leak(rules.seen, dataset, facts.time, "rules", allow=allow_leak)
    application = Application.of(rules, dataset, settings, trained=trained)
    return rank_facts(application, facts, jobs=jobs, each=each, advance=advance)


def write_ranks(
    path: str | Path,
    facts: Quadruples,
    ranks: Scores,
    *,
    seen: Seen | None = None,
    not_returned: int = 0,
) -> None:
    """Write a row ``s r o t rank`` for each fact, and a manifest beside the file.

    Args:
        path: output file; gzip if it ends in ``.gz``.
        facts: the facts in both directions.
        ranks: ranks of their tails.
        seen: the facts that the model was learned from; None if from none, or if unknown.
        not_returned: the rank of answers that the model did not return; 0 if it ranks all.

    Raises:
        OutputError: the file cannot be written.
    """
    with packed(path) as file:
        for fact, rank in zip(facts.rows().tolist(), ranks.tolist(), strict=True):
            file.write("\t".join((*map(str, fact), f"{rank:.15g}")).encode() + b"\n")
    write_manifest(path, Content.RANKS, seen, not_returned=not_returned)


def candidates_by_query(
    answer: QueryAnswers,
) -> Iterator[tuple[tuple[int, int, int], list[tuple[int, float]]]]:
    """Yield ``(s, r, t)`` and its candidates with scores; entity 0, score 0 if there are none."""
    queries, candidates = answer.queries, answer.candidates
    keys = np.stack((queries.head, queries.relation, queries.time), axis=1).tolist()
    for number, (s, r, t) in enumerate(keys):
        rows = candidates.rows(number)
        entities, scores = candidates.entity[rows].tolist(), candidates.score[rows].tolist()
        yield (s, r, t), list(zip(entities, scores, strict=True)) or [(0, 0.0)]
