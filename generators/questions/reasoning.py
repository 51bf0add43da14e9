"""Fact reasoning: which of four earlier facts contributes most to a fact that rules predict?

Source: ForecastTKGQuestions (Ding et al., ISWC 2023), section 3.2; contributions are those of rules
of one fact, where the paper has a model's and annotators. The choices are drawn so that what can be
counted says nothing: of the choices that are the latest of their four a quarter is right, of those
with the most frequent triple or relation, with the subject of the question, and of those with any
combination of these.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

import numpy as np
from numpy.typing import NDArray

from generators.questions.ledger import Ledger
from solver.graph.model import Ids, Quadruples, Split, Vocabulary, pack
from solver.questions.contributions import (
    CHOICES,
    MARGIN,
    Contributions,
    Contributors,
    Fold,
    rows_of,
)
from solver.rules.application import Application, Settings, ranked_first
from solver.rules.exact import ExactMining, mine_exact
from solver.rules.graph import RuleGraph
from solver.rules.model import RuleTable

LOOP = "the same entity on both sides"
NOT_DRAWN = "more than are tried"
NOT_FIRST = "rules do not rank the answer strictly first"
FEW = "no four earlier facts contribute with a margin, of different days and relations"
UNEVEN = "answers of this age and frequency are more often than others"

PARTS = 2
"""Parts of ``train``; rules for each are mined from the others."""
TRIED = 8_000
"""Facts of a split that are tried at most, a random sample."""
_ANSWERS = 40
"""Facts that are tried as the answer of a question, at most."""
_DRAWS = 5
"""Draws of the other choices for an answer."""
_WORTH = 100
"""A question is left out if that makes the sum of squared excesses smaller by more."""
_ROUNDS = 4
"""Rounds in which questions choose."""
_FOURS = 48
"""Fours of choices for a question, of which one is chosen; about that many at most."""
_DRAWN = 8
"""Later and earlier facts in a draw, of which the first suitable ones are chosen."""

Flags = NDArray[np.bool_]
Look = tuple[int, int, int, int]
"""What can be counted of a choice: how many of the others are later, have a triple that was more
frequent before the query time, have a relation that was; and whether its subject is that of the
question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Four:
    """Four choices.

    Attributes:
        rows: rows of the contributing facts, the answer first.
        looks: what can be counted of each.
    """

    rows: tuple[int, ...]
    looks: tuple[Look, ...]

    def excess(self) -> Counter[Hashable]:
        """What the answer's look has beyond a quarter, for some parts of looks.

        Four for the answer, less one for each choice that looks alike; also among those whose
        other choices look the same.
        """
        found: Counter[Hashable] = Counter()
        for parts in _PARTS:
            shown = [tuple(look[part] for part in parts) for look in self.looks]
            pattern = tuple(sorted(shown))
            for number, own in enumerate(shown):
                more = 3 if number == 0 else -1
                found[parts, own] += more
                found[parts, pattern, own] += more
        return found


_PARTS = ((0,), (1,), (2,), (3,), (0, 1), (0, 2), (1, 2), (0, 1, 2, 3))
"""Parts of a look that are evened out together."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReasoningItems:
    """Questions, a row each, sorted by time.

    Attributes:
        facts: queried facts.
        choices: four facts per question by descending contribution, concatenated.
        values: their contributions, shape (n, 4); rules: rows of their rules, same shape.
        left_out: number of facts without a question, by reason.
    """

    facts: Quadruples
    choices: Quadruples
    values: Ids
    rules: Ids
    left_out: Mapping[str, int]

    def __len__(self) -> int:
        return len(self.facts)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FittedRules:
    """Rules with one body atom, cross-fitted over time.

    Attributes:
        rules: for ``valid`` and ``test``; train: for parts of ``train``, one after the other.
        folds: which of both count at which times; rows of ``train`` follow those of ``rules``.
    """

    rules: RuleTable
    train: RuleTable
    folds: tuple[Fold, ...]

    @property
    def all(self) -> RuleTable:
        """All rules, by row."""
        return RuleTable.joined(self.rules, self.train) if len(self.train) else self.rules


def rules_of_one_fact(facts: Quadruples, relations: int) -> RuleTable:
    """Mine rules with one body atom exactly, filtered by the defaults of rule application."""
    used = Settings()
    mining = ExactMining(lengths=(1,), confidence=used.confidence, body_support=used.body_support)
    return mine_exact(RuleGraph.of(facts, relations), mining)[0].rules


def fitted_rules(splits: Mapping[Split, Quadruples], relations: int) -> FittedRules:
    """Mine rules from ``train`` for the other splits, and from each part of it for its other parts.

    Args:
        splits: distinct facts of each split, sorted by time.
        relations: number of relations without inverses.
    """
    train = splits.get(Split.TRAIN, Quadruples.of(np.empty((0, 4), np.int64)))
    rules = rules_of_one_fact(train, relations)
    folds = [
        Fold(begin=int(facts.time[0]), end=int(facts.time[-1]), first=0, rules=len(rules))
        for split, facts in splits.items()
        if split is not Split.TRAIN and len(facts)
    ]
    tables: list[RuleTable] = []
    first = len(rules)
    times = np.unique(train.time)
    for part in np.array_split(times, PARTS):
        if len(part):
            inside = (train.time >= part[0]) & (train.time <= part[-1])
            table = rules_of_one_fact(train.take(~inside), relations)
            begin, end = int(part[0]), int(part[-1])
            folds.append(Fold(begin=begin, end=end, first=first, rules=len(table)))
            tables.append(table)
            first += len(table)
    folds.sort(key=lambda one: one.begin)
    return FittedRules(rules=rules, train=RuleTable.joined(*tables), folds=tuple(folds))


def reasoning(
    rows: Ids,
    graph: Quadruples,
    fitted: FittedRules,
    vocabulary: Vocabulary,
    ledger: Ledger,
    draw: np.random.Generator,
) -> ReasoningItems:
    """Query facts that rules rank strictly first, with four earlier facts that contribute to each.

    Args:
        rows: facts of a split whose relation suits a question.
        graph: distinct facts, sorted by time; those before the query time count.
        fitted: rules with one body atom.
        vocabulary: vocabulary of the graph.
        ledger: groups of facts; those of the queried facts and the choices are marked as used.
        draw: random generator of the facts, answers and other choices.
    """
    left_out: dict[str, int] = {}

    def without(some: Ids, good: Flags, reason: str) -> Ids:
        left_out[reason] = int((~good).sum())
        return some[good]

    kept = without(rows, graph.head[rows] != graph.tail[rows], LOOP)
    tried = np.zeros(len(kept), dtype=np.bool_)
    tried[draw.permutation(len(kept))[:TRIED]] = True
    kept = without(kept, tried, NOT_DRAWN)
    kept = without(kept, _first(graph.take(kept), graph, fitted, vocabulary), NOT_FIRST)
    facts = graph.take(kept)
    found = Contributors(graph, fitted.all, vocabulary, fitted.folds).contributions(facts)
    chosen = _Choosing(found, facts, graph, vocabulary, Random(int(draw.integers(2**62)))).choose()
    some = np.array(sorted(one for one in chosen if chosen[one]), dtype=np.int64)
    left_out[FEW] = len(kept) - len(some)
    even = _even(chosen, draw)
    left_out[UNEVEN] = len(some) - len(even)
    table = np.array([four.rows for _, four in sorted(even.items())], dtype=np.int64)
    table = table.reshape(-1, CHOICES)
    numbers = np.array(sorted(even), dtype=np.int64)
    choices = found.facts.take(table.reshape(-1))
    ledger.state_rows(kept[numbers].tolist())
    ledger.state_rows(_rows_of(choices, graph))
    return ReasoningItems(
        facts=facts.take(numbers),
        choices=choices,
        values=found.weight[table],
        rules=found.rule[table],
        left_out=left_out,
    )


def _first(
    facts: Quadruples, graph: Quadruples, fitted: FittedRules, vocabulary: Vocabulary
) -> Flags:
    """Whether the rules of its time rank the object of each fact strictly first."""
    first = np.zeros(len(facts), dtype=np.bool_)
    rules = fitted.all
    application = Application(rules, graph, vocabulary)
    for fold in fitted.folds:
        some = (facts.time >= fold.begin) & (facts.time <= fold.end)
        if some.any():
            inside = application.with_rules(rules.take(rows_of(fold, len(rules))))
            first[some] = ranked_first(inside, facts.take(some))
    return first


def _earlier(keys: Ids, wanted: Ids, times: Ids, before: Ids) -> Ids:
    """How often each wanted key occurs before a time, among keys with times."""
    each, place = np.unique(keys, return_inverse=True)
    sizes = len(each), int(times.max(initial=0)) + 2
    moments = np.sort(pack((place, times), sizes))
    own = np.searchsorted(each, wanted)
    ends = np.searchsorted(moments, pack((own, np.minimum(before, sizes[1] - 1)), sizes))
    number: Ids = ends - np.searchsorted(moments, pack((own, np.zeros_like(own)), sizes))
    return number


def _rows_of(facts: Quadruples, graph: Quadruples) -> list[int]:
    """Rows of facts in the graph."""
    wanted = set(map(tuple, facts.rows().tolist()))
    times = np.isin(graph.time, np.unique(facts.time))
    rows = np.flatnonzero(times)
    here = map(tuple, graph.take(rows).rows().tolist())
    return [row for row, fact in zip(rows.tolist(), here, strict=True) if fact in wanted]


class _Choosing:
    """Chooses four of the contributing facts of each queried fact.

    Args:
        found: contributing facts of all queried facts.
        asked: queried facts.
        graph: all facts.
        vocabulary: vocabulary of the graph.
        random: random generator.
    """

    def __init__(
        self,
        found: Contributions,
        asked: Quadruples,
        graph: Quadruples,
        vocabulary: Vocabulary,
        random: Random,
    ) -> None:
        facts, before = found.facts, np.repeat(asked.time, found.counts)
        sizes = vocabulary.entities, vocabulary.relations, vocabulary.entities
        triples, own = (
            pack((some.head, some.relation, some.tail), sizes) for some in (graph, facts)
        )
        triple = _earlier(triples, own, graph.time, before)
        relation = _earlier(graph.relation, facts.relation, graph.time, before)
        self._offsets = found.offsets.tolist()
        self._relations, self._asked = facts.relation.tolist(), asked.relation.tolist()
        self._times, self._weights = facts.time.tolist(), found.weight.tolist()
        self._triple, self._relation = triple.tolist(), relation.tolist()
        again = triple - _earlier(triples, own, graph.time, facts.time + 1)
        self._last = (again == 0).tolist()
        self._subjects, self._subject = facts.head.tolist(), asked.head.tolist()
        self._random = random

    def choose(self) -> dict[int, list[Four]]:
        """For each queried fact, some fours that look different.

        The four have different days, which also excludes two reports of one event, different
        relations, and different contributions with a margin after the first. None has the queried
        relation. Each is the last fact with its triple, where there are such four.
        """
        chosen = {}
        for number, (begin, end) in enumerate(pairwise(self._offsets)):
            asked = self._asked[number]
            rows = [row for row in range(begin, end) if self._relations[row] != asked]
            last = [row for row in rows if self._last[row]]
            chosen[number] = self._fours(number, last) or self._fours(number, rows)
        return chosen

    def _fours(self, number: int, rows: Sequence[int]) -> list[Four]:
        most, whole = MARGIN
        weights, times = self._weights, self._times
        found: dict[Hashable, Four] = {}
        order = list(range(len(rows)))
        self._random.shuffle(order)
        for place in order[:_ANSWERS]:
            answer = rows[place]
            limit = most * weights[answer]
            below = [row for row in rows[place:] if whole * weights[row] <= limit]
            if len(below) < CHOICES - 1:
                continue
            later = [row for row in below if times[row] > times[answer]]
            earlier = [row for row in below if times[row] < times[answer]]
            for _ in range(_DRAWS):
                firsts = self._random.sample(later, min(len(later), _DRAWN))
                lasts = self._random.sample(earlier, min(len(earlier), _DRAWN))
                for age in range(CHOICES):
                    some = self._apart(firsts, age, [answer])
                    some = some and self._apart(lasts, CHOICES - 1 - age, some)
                    if some:
                        ordered = sorted(some, key=lambda row: -weights[row])
                        looks = self._looks(number, ordered)
                        seen = looks[0], tuple(sorted(looks))
                        found.setdefault(seen, Four(rows=tuple(ordered), looks=looks))
            if len(found) >= _FOURS:
                break
        return list(found.values())

    def _looks(self, number: int, rows: Sequence[int]) -> tuple[Look, ...]:
        counted = [(self._times[row], self._triple[row], self._relation[row]) for row in rows]
        return tuple(
            (
                sum(other[0] > one[0] for other in counted),
                sum(other[1] > one[1] for other in counted),
                sum(other[2] > one[2] for other in counted),
                int(self._subjects[row] == self._subject[number]),
            )
            for row, one in zip(rows, counted, strict=True)
        )

    def _apart(self, rows: Sequence[int], number: int, others: Sequence[int]) -> list[int]:
        """Some rows and so many others, which differ in all; none if there are too few."""
        found = list(others)
        wanted = len(found) + number
        for row in rows:
            if len(found) == wanted:
                break
            time, weight, relation = self._times[row], self._weights[row], self._relations[row]
            if all(
                time != self._times[one]
                and weight != self._weights[one]
                and relation != self._relations[one]
                for one in found
            ):
                found.append(row)
        return found if len(found) == wanted else []


def _even(chosen: Mapping[int, Sequence[Four]], draw: np.random.Generator) -> dict[int, Four]:
    """Choices for each question, so that a look is right as often as chance; some are left out.

    A look is even if a quarter of the choices that have it are right. The choices of each question
    are those that make the sum of the squared excesses least, given those of the others.
    """
    excess: Counter[Hashable] = Counter()
    changes = {number: [four.excess() for four in fours] for number, fours in chosen.items()}
    taken: dict[int, int] = {}

    def change(number: int, place: int, sign: int) -> int:
        """What the squares grow by if these choices are added, or with -1, taken away."""
        return sum(
            part * (part + 2 * sign * excess[key]) for key, part in changes[number][place].items()
        )

    def add(number: int, place: int, sign: int) -> None:
        for key, part in changes[number][place].items():
            excess[key] += sign * part

    order = [one for one in draw.permutation(len(chosen)).tolist() if chosen[one]]
    # Questions with fewer possible choices choose first, and again when the others have chosen.
    for _ in range(_ROUNDS):
        for number in sorted(order, key=lambda one: len(chosen[one])):
            if number in taken:
                add(number, taken[number], -1)
            places = range(len(chosen[number]))
            taken[number] = min(places, key=lambda place: (change(number, place, 1), place))
            add(number, taken[number], 1)
    while taken:
        worst = min(taken, key=lambda one: (change(one, taken[one], -1), one))
        if change(worst, taken[worst], -1) >= -_WORTH:
            break
        add(worst, taken.pop(worst), -1)
    return {number: chosen[number][place] for number, place in taken.items()}
