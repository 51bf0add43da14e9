"""Fact reasoning: which of four earlier facts contributes most to a fact that rules predict?

Source: ForecastTKGQuestions (Ding et al., ISWC 2023), section 3.2; contributions are those of rules
of one fact, where the paper has a model's and annotators. Questions and choices are chosen so that
what can be counted of the choices does not predict the answer (``even``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from generators.questions.choices import CandidateSets, candidate_sets, counted
from generators.questions.even import evened
from generators.questions.graph import Ledger
from solver.graph.model import Ids, Quadruples, Split, Vocabulary
from solver.questions.contributions import (
    Contributions,
    Contributors,
    Fold,
)
from solver.rules.application import Application, Settings, ranked_first
from solver.rules.exact import mine_exact
from solver.rules.graph import RuleGraph
from solver.rules.model import MiningSettings, RuleTable

LOOP = "the same entity on both sides"
NOT_DRAWN = "more than are tried"
NOT_FIRST = "rules do not rank the answer strictly first"
FEW = "no four earlier facts contribute with a margin, of different days and relations"
PREDICTABLE = "counts of the choices predict the answer"

TRAIN_PARTS = 2
"""Parts of ``train``; rules for each are mined from the others."""
TRIED = 8_000
"""Facts of a split that are tried at most, a random sample."""

Flags = NDArray[np.bool_]


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
    mining = MiningSettings(
        lengths=(1,), confidence=used.confidence, body_support=used.body_support
    )
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
    for part in np.array_split(times, TRAIN_PARTS):
        if len(part):
            inside = (train.time >= part[0]) & (train.time <= part[-1])
            table = rules_of_one_fact(train.take(~inside), relations)
            begin, end = int(part[0]), int(part[-1])
            folds.append(Fold(begin=begin, end=end, first=first, rules=len(table)))
            tables.append(table)
            first += len(table)
    folds.sort(key=lambda fold: fold.begin)
    return FittedRules(rules=rules, train=RuleTable.joined(*tables), folds=tuple(folds))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidates:
    """Facts of a split that may be asked, with candidate sets of choices.

    Attributes:
        facts: facts that have contributing facts.
        found: those facts.
        sets: candidate sets, of rows of ``found``.
        counted: what is counted of the choices of each set.
        left_out: number of facts without a question, by reason.
    """

    facts: Quadruples
    found: Contributions
    sets: CandidateSets
    counted: Ids
    left_out: Mapping[str, int]

    @property
    def kinds(self) -> Ids:
        """The relations of the choices of each set."""
        return self.found.facts.relation[self.sets.rows]


def candidates(
    rows: Ids,
    graph: Quadruples,
    fitted: FittedRules,
    vocabulary: Vocabulary,
    draw: np.random.Generator,
) -> Candidates:
    """Facts that rules rank strictly first, with sets of four earlier facts that contribute.

    Args:
        rows: facts of a split whose relation suits a question.
        graph: distinct facts, sorted by time; those before the query time count.
        fitted: rules with one body atom.
        vocabulary: vocabulary of the graph.
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
    sets = candidate_sets(found, facts, draw)
    left_out[FEW] = len(kept) - len(np.unique(sets.asked))
    seen = counted(sets, found, facts, graph, vocabulary)
    return Candidates(facts=facts, found=found, sets=sets, counted=seen, left_out=left_out)


def reasoning(parts: Sequence[Candidates], draw: np.random.Generator) -> list[ReasoningItems]:
    """Choose the questions of all splits together, so that no count predicts the answer.

    Args:
        parts: the candidates of each split.
        draw: random generator.
    """
    if not parts:
        return []
    sizes = np.cumsum([0, *(len(part.facts) for part in parts)])
    questions = [part.sets.asked + size for part, size in zip(parts, sizes[:-1], strict=True)]
    counts = np.moveaxis(np.concatenate([part.counted for part in parts]), 2, 0)
    # What is even in all splits together need not be so in each.
    split = np.repeat(np.arange(len(parts)), [len(part.counted) for part in parts])
    chosen = evened(
        [*counts, np.broadcast_to(split[:, None], counts.shape[1:])],
        [np.concatenate([part.kinds for part in parts])],
        np.concatenate(questions),
        draw,
    )
    ends = np.cumsum([len(part.sets.asked) for part in parts])
    shares = np.split(chosen, np.searchsorted(chosen, ends[:-1]))
    begins = [0, *ends[:-1].tolist()]
    return [
        _items(part, rows - begin) for part, rows, begin in zip(parts, shares, begins, strict=True)
    ]


def _items(part: Candidates, chosen: Ids) -> ReasoningItems:
    """The questions with some candidate sets."""
    numbers, table = part.sets.asked[chosen], part.sets.rows[chosen]
    some = len(np.unique(part.sets.asked))
    return ReasoningItems(
        facts=part.facts.take(numbers),
        choices=part.found.facts.take(table.reshape(-1)),
        values=part.found.weight[table],
        rules=part.found.rule[table],
        left_out={**part.left_out, PREDICTABLE: some - len(chosen)},
    )


def mark_used(items: ReasoningItems, graph: Quadruples, ledger: Ledger) -> None:
    """Mark the groups of the queried facts and the choices as used."""
    ledger.state_rows(_rows_of(items.facts, graph))
    ledger.state_rows(_rows_of(items.choices, graph))


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
            inside = application.with_rules(rules.take(fold.rows))
            first[some] = ranked_first(inside, facts.take(some))
    return first


def _rows_of(facts: Quadruples, graph: Quadruples) -> list[int]:
    """Rows of facts in the graph."""
    wanted = set(map(tuple, facts.rows().tolist()))
    times = np.isin(graph.time, np.unique(facts.time))
    rows = np.flatnonzero(times)
    here = map(tuple, graph.take(rows).rows().tolist())
    return [row for row, fact in zip(rows.tolist(), here, strict=True) if fact in wanted]
