from __future__ import annotations

import numpy as np
import pytest

from solver.graph.model import Vocabulary
from solver.rules.model import Rule, RuleTable, best, confidence_bound
from solver.rules.notation import rule_text

NAMES = Vocabulary(entities=9, relations=2, times=9, relation_names=("visits", "hosts"))


@pytest.mark.parametrize(
    ("head", "body", "same", "text"),
    [
        (1, (0,), (), "hosts(A, B) <- visits(A, B)"),
        (1, (2,), (), "hosts(A, B) <- visits(B, A)"),
        (3, (0,), (), "hosts(A, B) <- visits(B, A)"),
        (1, (0, 0), (), "hosts(A, B) <- visits(A, C), visits(C, B)"),
        (3, (0, 1), (), "hosts(A, B) <- visits(B, C), hosts(C, A)"),
        (0, (0, 1, 0), ((1, 3),), "visits(A, B) <- visits(A, B), hosts(B, C), visits(C, B)"),
        (0, (0, 2), ((0, 2),), "visits(A, A) <- visits(A, B), visits(A, B)"),
    ],
)
def test_rules_in_words(
    head: int, body: tuple[int, ...], same: tuple[tuple[int, ...], ...], text: str
) -> None:
    rule = Rule(head=head, body=body, same=same, rule_support=1, body_support=1)
    assert rule_text(rule, NAMES) == text


def test_low_support_lowers_the_confidence_bound() -> None:
    supports = [(1, 1), (9, 10), (90, 100), (50, 100), (0, 100), (0, 0)]
    table = RuleTable.of(
        Rule(head=0, body=(0,), rule_support=rule, body_support=body) for rule, body in supports
    )
    # Agresti and Coull 1998 give [0.596, 0.982] for 9 of 10.
    bounds = confidence_bound(table)
    assert abs(bounds[1] - 0.596) < 0.001
    assert np.all(bounds <= table.confidence + 1e-12)
    assert best(table, 3).tolist() == [2, 1, 3]
