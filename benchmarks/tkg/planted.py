"""Predictions by the patterns that a graph was generated from: a bound for models that learn.

A match of a pattern's antecedents predicts the consequence at each step of its window. What these
predictions miss is no consequence of earlier facts: antecedents of planted instances, or rivals
that follow from other matches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from generators.tkg.config import Guards
from generators.tkg.plan import Guard, Plan, Space
from generators.tkg.run import Search
from solver.graph.model import Ids, Index, Quadruples, Vocabulary, expand, pack
from solver.graph.queries import Queries, Ranks
from solver.rules.ranks import Candidates, Scores, filtered_ranks, noisy_or
from solver.tkg.planted import PlantedPattern

MOST_MATCHES = 60_000_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Expectations:
    """Consequences that matches of antecedents predict, one row for each match.

    Attributes:
        pattern: number of the pattern.
        head: head of the consequence.
        relation: its relation.
        tail: its tail.
        known: time of the last antecedent.
        first: first step of the window.
        last: last step of the window.
    """

    pattern: Ids
    head: Ids
    relation: Ids
    tail: Ids
    known: Ids
    first: Ids
    last: Ids

    @classmethod
    def of(
        cls, patterns: Sequence[PlantedPattern], facts: Quadruples, words: Vocabulary
    ) -> Expectations:
        """Match all patterns; placeholders may be equal entities, as in planted instances.

        Args:
            patterns: the patterns, numbered 0, 1, 2, ...
            facts: facts of the graph; times are steps from 0.
            words: sizes of the vocabulary.

        Raises:
            RunawayError: there are too many matches.
        """
        plan = Plan.of([replace(planted_pattern, closed=True) for planted_pattern in patterns])
        steps = int(facts.time.max(initial=0)) + 1
        space = Space(entities=words.entities, relations=words.relations, steps=steps)
        guard = Guard(plan, Guards(matches=MOST_MATCHES))
        fresh = np.ones(len(facts), dtype=np.bool_)
        parts: list[list[Ids]] = [[np.empty(0, np.int64)] * 7]
        for matches in Search(plan, facts, fresh, space, guard, injective=False).matches():
            pattern, row = matches.pattern, np.arange(len(matches))
            hops = plan.hops[pattern]
            known = facts.time[matches.fact[row, hops - 1]]
            parts.append(
                [
                    pattern,
                    matches.bound[row, plan.head[pattern, hops]],
                    plan.relation[pattern, hops],
                    matches.bound[row, plan.tail[pattern, hops]],
                    known,
                    known + plan.low[pattern, hops - 1],
                    known + plan.high[pattern, hops - 1],
                ]
            )
        columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
        # An end that no antecedent binds is not predictable.
        bound = (columns[1] >= 0) & (columns[3] >= 0)
        names = ("pattern", "head", "relation", "tail", "known", "first", "last")
        return cls(**{name: c[bound] for name, c in zip(names, columns, strict=True)})

    def __len__(self) -> int:
        return len(self.pattern)

    def take(self, chosen: Ids) -> Expectations:
        """Select rows."""
        return Expectations(**{name: getattr(self, name)[chosen] for name in self.__slots__})


def confidences(found: Expectations, facts: Quadruples, patterns: int, until: int) -> Scores:
    """Share of the matches of each pattern that were followed by the consequence, smoothed.

    Args:
        found: the matches.
        facts: facts of the graph.
        patterns: number of patterns.
        until: matches whose window ends before this time are counted.
    """
    counted = found.take(np.flatnonzero(found.last < until))
    ends = int(max(facts.head.max(), facts.tail.max(), facts.relation.max())) + 1
    steps = int(max(facts.time.max(), found.last.max(initial=0))) + 1
    sizes = (ends, ends, ends, steps)
    triples = (facts.head, facts.relation, facts.tail)
    index = Index.of(pack((*triples, facts.time), sizes))
    wanted = (counted.head, counted.relation, counted.tail)
    begin = np.searchsorted(index.keys, pack((*wanted, counted.first), sizes), side="left")
    end = np.searchsorted(index.keys, pack((*wanted, counted.last), sizes), side="right")
    right = np.bincount(counted.pattern, end > begin, patterns)
    found_shares: Scores = (right + 1) / (np.bincount(counted.pattern, minlength=patterns) + 2)
    return found_shares


def predictions(
    patterns: Sequence[PlantedPattern],
    facts: Quadruples,
    words: Vocabulary,
    queries: Queries,
    until: int,
) -> Candidates:
    """Candidates of queries, from facts before the time of each.

    The score of a candidate is the probability, by noisy-or over matches, that the consequence of
    a match follows at the time of the query: the confidence of the pattern, divided by the steps
    of its window.

    Args:
        patterns: the patterns, numbered 0, 1, 2, ...
        facts: facts of the graph; times are steps from 0.
        words: sizes of the vocabulary.
        queries: the queries, of relation ``r`` or, for heads, ``r + |R|``.
        until: the time before which confidences are counted.
    """
    found = Expectations.of(patterns, facts, words)
    share = confidences(found, facts, len(patterns), until)[found.pattern]
    share = share / (found.last - found.first + 1)
    least, most = int(queries.time.min(initial=0)), int(queries.time.max(initial=0))
    # The step of the last antecedent is not before itself.
    first = np.maximum(np.maximum(found.first, found.known + 1), least)
    row, time = expand(first, np.maximum(np.minimum(found.last, most) + 1, first))
    size = (2 * words.relations, words.entities, most + 1)
    keys = np.concatenate(
        [
            pack((found.relation[row], found.head[row], time), size),
            pack((found.relation[row] + words.relations, found.tail[row], time), size),
        ]
    )
    answers = np.concatenate([found.tail[row], found.head[row]])
    scores = np.concatenate([share[row], share[row]]).astype(np.float32)
    index = Index.of(keys)
    begins, ends = index.ranges(pack((queries.relation, queries.head, queries.time), size))
    query, place = expand(begins, ends)
    place = index.order[place]
    pairs, score = noisy_or(query * words.entities + answers[place], scores[place])
    query, entity = np.divmod(pairs, words.entities)
    order = np.lexsort((entity, -score, query))
    return Candidates(
        offsets=np.searchsorted(query[order], np.arange(len(queries) + 1)),
        entity=entity[order],
        score=score[order],
        ruled=np.ones(len(queries), dtype=np.bool_),
    )


def planted_ranks(
    patterns: Sequence[PlantedPattern],
    facts: Quadruples,
    words: Vocabulary,
    asked: Quadruples,
    *,
    until: int,
    miss: int,
    raw: bool = False,
) -> Ranks:
    """Rank the tails of queried facts; answers that no match predicts have the rank ``miss``.

    Args:
        patterns: the patterns.
        facts: facts of the graph.
        words: sizes of the vocabulary.
        asked: queried facts, those of inverse relations included; for the time-aware filter, all
            facts of their times.
        until: the time before which confidences are counted.
        miss: rank of an answer that is not a candidate.
        raw: whether other right answers count as wrong, instead of the time-aware filter.
    """
    queries, numbers = Queries.of(asked)
    found = predictions(patterns, facts, words, queries, until)
    if raw:
        return filtered_ranks(found.take(numbers), np.arange(len(asked)), asked, miss)
    return filtered_ranks(found, numbers, asked, miss)
