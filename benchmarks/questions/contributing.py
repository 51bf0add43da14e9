"""What the choices of fact reasoning contribute: of earlier facts only, whoever looks."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from solver.questions.contributions import CHOICES, Contributors
from solver.rules.scores import Scores
from solver.rules.table import RuleTable
from solver.tkg.dataset import Vocabulary
from solver.tkg.quadruples import Quadruples


class Contributing:
    """Looks up choices among all facts that speak for a fact.

    Args:
        facts: of the graph.
        rules: by which facts speak for later ones.
        vocabulary: of both.
    """

    def __init__(self, facts: Quadruples, rules: RuleTable, vocabulary: Vocabulary) -> None:
        self._contributors = Contributors(facts, rules, vocabulary)

    def support(self, facts: Quadruples, choices: Quadruples) -> Scores:
        """What each choice contributes, 0 for a fact that does not; shape (n, 4)."""
        found = self._contributors.contributions(facts)
        rows, weights = found.facts.rows().tolist(), found.weight.tolist()
        support = np.zeros((len(facts), CHOICES))
        for number, (begin, end) in enumerate(pairwise(found.offsets.tolist())):
            weight = dict(zip(map(tuple, rows[begin:end]), weights[begin:end], strict=True))
            four = choices.rows()[CHOICES * number : CHOICES * (number + 1)].tolist()
            support[number] = [weight.get(tuple(choice), 0) for choice in four]
        return support
