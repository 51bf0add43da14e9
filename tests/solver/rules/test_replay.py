"""Incremental graphs equal those built at once."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from solver.graph.model import Quadruples, Vocabulary
from solver.graph.queries import Queries
from solver.rules.application import Application
from solver.rules.history import History
from solver.rules.model import Rule, RuleTable

WORDS = Vocabulary(entities=4, relations=2, times=6)
ROWS = st.lists(
    st.tuples(*(st.integers(0, n - 1) for n in (4, 2, 4, 6))),
    max_size=12,
)
VISITED = Rule(head=1, body=(2,), rule_support=3, body_support=4)
"""Visited countries host: hosts(A, B) <- visits(B, A)."""


def quadruples(rows: list[tuple[int, int, int, int]]) -> Quadruples:
    return Quadruples.of(np.array(rows, dtype=np.int64))


@given(known=ROWS, new=ROWS)
def test_a_history_that_grows_is_the_whole(
    known: list[tuple[int, int, int, int]], new: list[tuple[int, int, int, int]]
) -> None:
    grown = History.of(quadruples(known), WORDS).extended(quadruples(new))
    whole = History.of(quadruples(known + new), WORDS)
    for field in fields(History):
        if field.name != "vocabulary":
            assert np.array_equal(getattr(grown, field.name), getattr(whole, field.name)), (
                field.name
            )


def test_rules_see_what_has_come() -> None:
    before = Application(RuleTable.of([VISITED]), quadruples([(0, 0, 1, 1)]), WORDS)
    after = before.extended(quadruples([(2, 0, 1, 2)]))
    query = Queries.single(1, 1, 4)
    assert before.events(query).entity.tolist() == [0]
    assert after.events(query).entity.tolist() == [0, 2]
    assert after.events(query, after.history(2)).entity.tolist() == [0]
    assert before.events(query).entity.tolist() == [0], "what was there stays as it was"
