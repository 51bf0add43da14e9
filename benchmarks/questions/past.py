"""The facts before a query time, the only ones that forecasts may use."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from benchmarks.history import TimeIndex
from benchmarks.questions.inputs import TwoHops
from solver.graph.model import Ids, Quadruples, Vocabulary, expand
from solver.graph.queries import Queries
from solver.questions.contributions import CHOICES, Contributors, Fold
from solver.rules.model import RuleTable
from solver.rules.ranks import Scores


class PastFacts:
    """Index of facts in both directions, for lookups before a query time.

    Args:
        facts: facts of all times.
        vocabulary: vocabulary of the graph.
    """

    def __init__(self, facts: Quadruples, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.facts = facts.distinct().both_ways(vocabulary.relations)
        self._often: dict[tuple[int, int], Ids] = {}

    @cached_property
    def _by_pair(self) -> TimeIndex:
        return TimeIndex(self.facts, ("head", "relation"), self.vocabulary)

    @cached_property
    def _by_triple(self) -> TimeIndex:
        return TimeIndex(self.facts, ("head", "relation", "tail"), self.vocabulary)

    @cached_property
    def _by_relation(self) -> TimeIndex:
        return TimeIndex(self.facts, ("relation",), self.vocabulary)

    def before(self, asked: Queries) -> tuple[Ids, Ids]:
        """Earlier facts with a query's head and relation: (number of the query, row)."""
        return _earlier(self._by_pair, asked)

    def again(self, asked: Quadruples) -> tuple[Ids, Ids]:
        """Earlier facts with the same triple: (number of the queried fact, row)."""
        return _earlier(self._by_triple, asked)

    def joins(self, asked: TwoHops) -> tuple[Ids, Ids, Ids]:
        """Earlier instances of 2-hop paths: (number, row of the first fact, row of the second).

        The three entities of a path are distinct.
        """
        facts = self.facts
        start = Queries(head=asked.head, relation=asked.given, time=asked.time)
        number, first = _earlier(self._by_pair, start)
        party, time = facts.tail[first], facts.time[first]
        step = Queries(head=party, relation=asked.asked[number], time=time)
        place, found = expand(*self._by_pair.at(step))
        second = self._by_pair.order[found]
        number, first = number[place], first[place]
        head, end = facts.head[first], facts.tail[second]
        apart = (head != end) & (facts.tail[first] != end) & (head != facts.tail[first])
        return number[apart], first[apart], second[apart]

    def often(self, relation: int, time: int) -> Ids:
        """Ends of a relation's facts before a time, by descending frequency, ties by id."""
        if (relation, time) not in self._often:
            _, rows = _earlier(self._by_relation, Queries.single(0, relation, time))
            counts = np.bincount(self.facts.tail[rows], minlength=self.vocabulary.entities)
            order = np.argsort(-counts, kind="stable")
            self._often[relation, time] = order[counts[order] > 0]
        return self._often[relation, time]

    def completed(
        self, lists: Sequence[Ids], relation: Ids, time: Ids, most: int, named: Ids | None = None
    ) -> list[Ids]:
        """Fill rankings up to ``most`` entities with the most frequent ends of a relation.

        Args:
            lists: rankings without duplicates.
            relation: relation of each ranking.
            time: time of each ranking; only earlier facts count.
            most: maximal length of a ranking.
            named: an entity per ranking to exclude.
        """
        found = []
        for number, (listing, key, end) in enumerate(
            zip(lists, relation.tolist(), time.tolist(), strict=True)
        ):
            # An upper bound, as the ranking may contain some of them already.
            others = (
                self.often(key, end)[: most + len(listing) + 1]
                if len(listing) < most
                else listing[:0]
            )
            if named is not None:
                others = others[others != named[number]]
            found.append(np.concatenate([listing, others[~np.isin(others, listing)]])[:most])
        return found


def _earlier(index: TimeIndex, asked: Quadruples | Queries) -> tuple[Ids, Ids]:
    """The facts before each query: (number of the query, row)."""
    number, found = expand(*index.before(asked))
    return number, index.order[found]


def grouped(groups: Ids, size: int, members: Ids) -> tuple[Ids, Ids, NDArray[np.intp]]:
    """Distinct members of each group: (group, member, index of each row's member)."""
    keys, numbers = np.unique(groups * size + members, return_inverse=True)
    group, member = np.divmod(keys, size)
    return group, member, numbers


class ContributionScorer:
    """Scores choices by their contribution to the queried fact.

    Args:
        facts: facts of the graph.
        rules: rules by which facts support later ones.
        vocabulary: vocabulary of both.
        folds: which rules count for facts of which times; all by default.
    """

    def __init__(
        self,
        facts: Quadruples,
        rules: RuleTable,
        vocabulary: Vocabulary,
        folds: Sequence[Fold] | None = None,
    ) -> None:
        self._contributors = Contributors(facts, rules, vocabulary, folds)

    def support(self, facts: Quadruples, choices: Quadruples) -> Scores:
        """Contribution of each choice, 0 for none; shape (n, 4)."""
        found = self._contributors.contributions(facts)
        rows, weights = found.facts.rows().tolist(), found.weight.tolist()
        support = np.zeros((len(facts), CHOICES))
        for number, (begin, end) in enumerate(pairwise(found.offsets.tolist())):
            weight = dict(zip(map(tuple, rows[begin:end]), weights[begin:end], strict=True))
            four = choices.rows()[CHOICES * number : CHOICES * (number + 1)].tolist()
            support[number] = [weight.get(tuple(choice), 0) for choice in four]
        return support


def tune_threshold(scores: Scores, gold: NDArray[np.bool_]) -> float:
    """The threshold with the best accuracy; of ties the greatest.

    Args:
        scores: finite scores of facts; the answer is yes from the threshold on.
        gold: whether each fact holds.

    Returns:
        One of the scores, or infinity if it is best never to answer yes.
    """
    order = np.argsort(-scores, kind="stable")
    ordered, right = scores[order], gold[order]
    gained = np.cumsum(np.where(right, 1, -1))
    last = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True)[: len(ordered)])
    if not len(last) or gained[last].max() <= 0:
        return float("inf")
    return float(ordered[last[np.argmax(gained[last])]])
