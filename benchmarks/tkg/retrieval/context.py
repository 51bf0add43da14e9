"""The context of a query, and the heuristics FREQUENCY and RECENCY that rank its tails.

A context is the most recent earlier facts that share the query's head, relation or both. Source:
synthetic temporal knowledge graphs, section 5.3 and Table 7.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import numpy as np

from benchmarks.history import TimeIndex
from benchmarks.metrics.ranking import CUTS, expected_hits, hits
from benchmarks.rules.ranking.queries import Filter, SplitQueries
from grammar.errors import HopcheckError
from solver.graph.model import Dataset, Ids, Index, Quadruples, Split, Vocabulary, expand
from solver.graph.queries import Queries, Ranks, Tie
from solver.io.sources import InputError
from solver.io.writing import atomic
from solver.rules.ranks import Candidates, filtered_ranks
from solver.seeding import seed_of
from solver.tkg.io import LABELS, Labels, read_labels

MOST = 25
"""Maximum number of facts in a context (synthetic temporal knowledge graphs, section 5.3)."""


class ContextKey(StrEnum):
    """Columns in which the facts of a context equal the query.

    ``entity``: head. ``pair``: head and relation. ``relation``: relation.
    """

    ENTITY = "entity"
    PAIR = "pair"
    RELATION = "relation"


_COLUMNS = {
    ContextKey.ENTITY: ("head",),
    ContextKey.PAIR: ("head", "relation"),
    ContextKey.RELATION: ("relation",),
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Contexts:
    """The context of each query.

    Attributes:
        order: row numbers of facts.
        begins: begin of each context in ``order``; oldest facts come first.
        ends: end of each context in ``order``, exclusive.
    """

    order: Ids
    begins: Ids
    ends: Ids

    def __len__(self) -> int:
        return len(self.begins)

    def rows(self, query: int) -> Ids:
        """Rows of the facts of one context."""
        return self.order[self.begins[query] : self.ends[query]]

    def expanded(self) -> tuple[Ids, Ids]:
        """Query number and fact row of all facts of all contexts."""
        askers, places = expand(self.begins, self.ends)
        return askers, self.order[places]


class ContextFinder:
    """Finds the contexts of queries.

    Args:
        facts: facts in any order.
        shared: key of the contexts.
        vocabulary: sizes of the vocabulary.
    """

    def __init__(self, facts: Quadruples, shared: ContextKey, vocabulary: Vocabulary) -> None:
        self._index = TimeIndex(facts, _COLUMNS[shared], vocabulary)

    def before(self, asked: Quadruples | Queries, most: int = MOST) -> Contexts:
        """The at most ``most`` latest facts before the time of each query."""
        begins, ends = self._index.before(asked)
        return Contexts(order=self._index.order, begins=np.maximum(begins, ends - most), ends=ends)

    def recent(self, asked: Quadruples, values: Iterable[int], most: int = MOST) -> list[Ids]:
        """Latest rows before the time of one query for each of some relations, oldest first.

        Args:
            asked: one row; its relation is ignored.
            values: relations.
            most: maximum number of rows per relation.
        """
        relations = np.fromiter(values, np.int64)
        repeated = asked.take(np.zeros(len(relations), np.int64))
        queries = Queries(head=repeated.head, relation=relations, time=repeated.time)
        contexts = self.before(queries, most)
        return [contexts.rows(number) for number in range(len(contexts))]


class UnlabelledError(HopcheckError):
    """A graph without labels."""

    code = "unlabelled"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Instances:
    """Instances with a consequence, sorted by pattern, time of the consequence and number.

    Attributes:
        facts: facts of the graph.
        pattern: pattern id of each instance.
        consequence: row of each instance's consequence.
        number: instance number in the labels.
        antecedents: rows of the antecedents, grouped by instance and sorted by position.
        offsets: begin of each instance's antecedents, and the end of the last.
        of_fact: index of instances by the row of their consequence.
    """

    facts: Quadruples
    pattern: Ids
    consequence: Ids
    number: Ids
    antecedents: Ids
    offsets: Ids
    of_fact: Index

    def __len__(self) -> int:
        return len(self.pattern)

    @classmethod
    def of(cls, labels: Labels, facts: Quadruples) -> Instances:
        """Collect the instances of labels; all labels must refer to existing facts."""
        ends = np.flatnonzero(labels.consequence)
        order = np.lexsort(
            (labels.instance[ends], facts.time[labels.fact[ends]], labels.pattern[ends])
        )
        ends = ends[order]
        before = np.flatnonzero(~labels.consequence)
        before = before[np.lexsort((labels.position[before], labels.instance[before]))]
        by_instance = Index.of(labels.instance[before])
        begins, stops = by_instance.ranges(labels.instance[ends])
        _, places = expand(begins, stops)
        return cls(
            facts=facts,
            pattern=labels.pattern[ends],
            consequence=labels.fact[ends],
            number=labels.instance[ends],
            antecedents=labels.fact[before][by_instance.order[places]],
            offsets=np.append(0, np.cumsum(stops - begins)),
            of_fact=Index.of(labels.fact[ends]),
        )

    def antecedents_of(self, instance: int) -> Ids:
        """Rows of an instance's antecedents, by position."""
        return self.antecedents[self.offsets[instance] : self.offsets[instance + 1]]

    def of_consequence(self, row: int) -> int | None:
        """The lowest-numbered instance with this fact as its consequence."""
        found = self.of_fact.rows(row)
        return int(found[self.number[found].argmin()]) if len(found) else None

    def analogy(self, instance: int) -> int | None:
        """The instance of the latest earlier consequence of the same pattern with other entities.

        Its head and tail both differ from the head and tail of this instance's consequence.
        """
        facts, row = self.facts, self.consequence[instance]
        own_indices = {int(facts.head[row]), int(facts.tail[row])}
        begin = int(np.searchsorted(self.pattern, self.pattern[instance]))
        for index in range(instance - 1, begin - 1, -1):
            other = self.consequence[index]
            entities = {int(facts.head[other]), int(facts.tail[other])}
            if facts.time[other] < facts.time[row] and not own_indices & entities:
                return index
        return None


def read_instances(folder: Path, dataset: Dataset) -> Instances:
    """Read the instances of a generated graph's folder.

    Raises:
        UnlabelledError: the folder has no labels.
        InputError: the labels cannot be read or refer to missing facts.
    """
    path = folder / LABELS
    if not path.is_file():
        hint = "generate tkg writes them; naive-entity and naive-pair need none"
        raise UnlabelledError("not found, expected the labels of facts", where=f"{path}", hint=hint)
    labels, facts = read_labels(path), dataset.facts()
    wrong = np.flatnonzero(labels.fact >= len(facts))
    if len(wrong):
        row = int(wrong[0])
        message = f"found fact {labels.fact[row]}, expected 0 to {len(facts) - 1:,}"
        raise InputError(message, where=f"{path}:{row + 2}:1")
    number, count = np.unique(labels.instance[labels.consequence], return_counts=True)
    if (count > 1).any():
        message = f"found {count.max()} consequences of instance {number[count.argmax()]}"
        raise InputError(f"{message}, expected one at most", where=f"{path}")
    return Instances.of(labels, facts)


def rows_of(
    dataset: Dataset, split: Split, instances: Instances | None, *, sample: int = 0, seed: int = 0
) -> Ids:
    """Rows of a split's consequences, or of all its facts without instances.

    Args:
        dataset: data set; rows are counted over all its splits.
        split: queried split.
        instances: instances of the planted patterns, if known.
        sample: maximum number of sampled rows; 0 for all.
        seed: random seed of the sample.

    Raises:
        InputError: there are no such facts.
    """
    before = 0
    for other_split in Split:
        if other_split is split:
            break
        before += len(dataset.splits.get(other_split, ()))
    rows = np.arange(before, before + len(dataset.splits.get(split, ())), dtype=np.int64)
    if instances is not None:
        rows = rows[np.isin(rows, instances.consequence)]
    if not len(rows):
        what = "facts" if instances is None else "consequences"
        message = f"found no {what} in the split {split}, expected at least one"
        raise InputError(message, where=dataset.name)
    if 0 < sample < len(rows):
        random = np.random.Generator(np.random.PCG64(seed_of(seed, "prompts", split)))
        rows = np.sort(random.choice(rows, sample, replace=False))
    return rows


class Heuristic(StrEnum):
    """Score of a tail: its count in the context, or its last occurrence."""

    FREQUENCY = "frequency"
    RECENCY = "recency"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hits:
    """Hits@k in [0, 1] with random, pessimistic and optimistic tie-breaking."""

    expected: float
    pessimistic: float
    optimistic: float


def candidates(contexts: Contexts, facts: Quadruples, heuristic: Heuristic) -> Candidates:
    """The tails of each context as candidates with scores in (0, 1]."""
    askers, rows = contexts.expanded()
    tails = facts.tail[rows]
    size = int(tails.max(initial=0)) + 1
    pairs, place = np.unique(askers * size + tails, return_inverse=True)
    query, entity = np.divmod(pairs, size)
    if heuristic is Heuristic.FREQUENCY:
        score = np.bincount(place, minlength=len(pairs)) / (contexts.ends - contexts.begins)[query]
    else:
        times = np.unique(facts.time)
        last = np.empty(len(pairs), dtype=np.int64)
        # Facts are sorted by time within a context, and the last assignment wins.
        last[place] = facts.time[rows]
        score = (np.searchsorted(times, last) + 1) / len(times)
    best = np.lexsort((entity, -score, query))
    return Candidates(
        offsets=np.searchsorted(query, np.arange(len(contexts) + 1)),
        entity=entity[best],
        score=score[best],
        ruled=np.ones(len(contexts), dtype=np.bool_),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HeuristicRanking:
    """Rankings by a heuristic.

    Attributes:
        queries: distinct queries.
        candidates: candidates of the queries.
        ties: positions of the answers, in the order of the queried facts.
    """

    queries: Queries
    candidates: Candidates
    ties: Ranks


def rank(
    facts: Quadruples,
    asked: Quadruples,
    vocabulary: Vocabulary,
    heuristic: Heuristic,
    shared: ContextKey,
    *,
    most: int = MOST,
    filter: Filter = Filter.RAW,
) -> HeuristicRanking:
    """Rank the tails of queried facts; answers that are not candidates miss every k of Hits@k.

    Args:
        facts: all facts; a query uses those before its time.
        asked: queried facts; for the time-aware filter, all facts of their times.
        vocabulary: sizes of the vocabulary.
        heuristic: scoring heuristic.
        shared: key of the contexts.
        most: maximum number of facts in a context.
        filter: raw or time-aware setting.
    """
    queries, numbers = Queries.of(asked)
    contexts = ContextFinder(facts, shared, vocabulary).before(queries, most)
    found = candidates(contexts, facts, heuristic)
    if filter is Filter.TIME_AWARE:
        ranks = filtered_ranks(found, numbers, asked, miss_rank(vocabulary))
    else:
        # One query per answer, so that no other answer is filtered.
        own_arange = np.arange(len(asked), dtype=np.int64)
        ranks = filtered_ranks(found.take(numbers), own_arange, asked, miss_rank(vocabulary))
    return HeuristicRanking(queries=queries, candidates=found, ties=ranks)


def rank_both_ways(
    queries: SplitQueries, heuristic: Heuristic, shared: ContextKey, *, most: int, filter: Filter
) -> tuple[HeuristicRanking, HeuristicRanking]:
    """Rank the tail queries, and the head queries over inverted facts; options as of ``rank``."""
    vocabulary = queries.dataset.vocabulary
    facts = queries.dataset.facts()
    tails, heads = (
        rank(known, asked, vocabulary, heuristic, shared, most=most, filter=filter)
        for known, asked in (
            (facts, queries.event()),
            (facts.inverted(vocabulary.relations), queries.asked.take(slice(queries.events, None))),
        )
    )
    return tails, heads


def miss_rank(vocabulary: Vocabulary) -> int:
    """Rank of an answer that is not a candidate: beyond the last entity and every k."""
    return vocabulary.entities + CUTS[-1]


def hits_of(ties: Ranks) -> Mapping[int, Hits]:
    """Hits@k with bounds, by k."""
    return {
        cut: Hits(
            expected=float(expected_hits(ties, cut).mean()),
            pessimistic=hits(ties.values(Tie.PESSIMISTIC), cut),
            optimistic=hits(ties.values(Tie.OPTIMISTIC), cut),
        )
        for cut in CUTS
    }


def evaluate(
    facts: Quadruples, asked: Quadruples, vocabulary: Vocabulary, most: int = MOST
) -> Mapping[tuple[Heuristic, ContextKey], Ranks]:
    """Rank the tails of queried facts by both heuristics over both contexts, in the raw setting."""
    return {
        (heuristic, shared): rank(facts, asked, vocabulary, heuristic, shared, most=most).ties
        for heuristic in Heuristic
        for shared in (ContextKey.ENTITY, ContextKey.PAIR)
    }


def write_scores(path: Path, parts: Iterable[HeuristicRanking]) -> None:
    """Write ``s r t candidate score``; a query without candidates lists entity 0 with 0."""
    with atomic(path) as file:
        for part in parts:
            queries, found = part.queries, part.candidates
            counts = np.diff(found.offsets)
            number = np.repeat(np.arange(len(queries)), counts)
            empty = np.flatnonzero(counts == 0)
            number = np.concatenate([number, empty])
            columns = (
                queries.head[number],
                queries.relation[number],
                queries.time[number],
                np.concatenate([found.entity, np.zeros_like(empty)]),
                np.concatenate([found.score, np.zeros(len(empty))]),
            )
            rows = zip(*(column.tolist() for column in columns), strict=True)
            file.write("".join(f"{s}\t{r}\t{t}\t{o}\t{v:.6g}\n" for s, r, t, o, v in rows).encode())
