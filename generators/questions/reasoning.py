"""Fact reasoning: which of four earlier facts contributes most to a fact that rules predict?

Source: ForecastTKGQuestions (Ding et al., ISWC 2023), section 3.2; contributions are those of rules
of one fact, where the paper has a model's and annotators.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.questions.contributions import CHOICES, Contributors
from solver.questions.ranked import ranked_first
from solver.rules.application import Application, Settings
from solver.rules.exact import ExactMining, mine_exact
from solver.rules.graph import RuleGraph
from solver.rules.table import RuleTable
from solver.tkg.dataset import Vocabulary
from solver.tkg.quadruples import Ids, Quadruples

LOOP = "the same entity on both sides"
NOT_FIRST = "rules do not rank the answer strictly first"
FEW = "fewer than four earlier facts contribute"
ALIKE = "two of the four contribute alike"
REPEATED = "the first choice says the same of an earlier time"

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


def rules_of_one_fact(facts: Quadruples, relations: int) -> RuleTable:
    """Mine rules with one body atom exactly, filtered by the defaults of rule application."""
    used = Settings()
    mining = ExactMining(lengths=(1,), confidence=used.confidence, body_support=used.body_support)
    return mine_exact(RuleGraph.of(facts, relations), mining)[0].rules


def reasoning(
    facts: Quadruples,
    graph: Quadruples,
    rules: RuleTable,
    vocabulary: Vocabulary,
) -> ReasoningItems:
    """Query the facts that rules rank strictly first and four earlier facts contribute to.

    Args:
        facts: distinct facts of a split, sorted by time.
        graph: all facts; those before the query time count.
        rules: rules with one body atom.
        vocabulary: vocabulary of the graph.
    """
    left_out: dict[str, int] = {}

    def without(some: Quadruples, good: Flags, reason: str) -> Quadruples:
        left_out[reason] = int((~good).sum())
        return some.take(good)

    kept = without(facts, facts.head != facts.tail, LOOP)
    application = Application(rules, graph, vocabulary)
    kept = without(kept, ranked_first(application, kept), NOT_FIRST)
    found = Contributors(graph, rules, vocabulary).contributions(kept)
    enough = found.counts >= CHOICES
    apart = found.distinct_choices()[enough]
    rows = found.chosen()[enough][apart]
    kept = without(without(kept, enough, FEW), apart, ALIKE)
    new = _new(kept, found.facts.take(rows[:, 0]))
    rows = rows[new]
    return ReasoningItems(
        facts=without(kept, new, REPEATED),
        choices=found.facts.take(rows.reshape(-1)),
        values=found.weight[rows],
        rules=found.rule[rows],
        left_out=left_out,
    )


def _new(facts: Quadruples, answers: Quadruples) -> Flags:
    """Whether the answer to each fact is another triple."""
    differ: Flags = (answers.head != facts.head) | (answers.relation != facts.relation)
    differ |= answers.tail != facts.tail
    return differ
