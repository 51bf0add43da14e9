"""Scores choices of fact reasoning by their contributions, from earlier facts only."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from solver.questions.contributions import CHOICES, Contributors
from solver.rules.scores import Scores
from solver.rules.table import RuleTable
from solver.tkg.dataset import Vocabulary
from solver.tkg.quadruples import Quadruples


class ContributionScorer:
    """Scores choices by their contribution to the queried fact.

    Args:
        facts: facts of the graph.
        rules: rules by which facts support later ones.
        vocabulary: vocabulary of both.
    """

    def __init__(self, facts: Quadruples, rules: RuleTable, vocabulary: Vocabulary) -> None:
        self._contributors = Contributors(facts, rules, vocabulary)

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
