"""Small worlds: both engines agree with an exhaustive reference."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from solver.questions.encode import AspEngine
from solver.questions.engine import JoinEngine
from solver.questions.linking import packed, unpacked

Cases = Callable[[int], Any]
SEEDS = range(6)


@pytest.mark.parametrize("seed", SEEDS)
def test_engines_find_what_every_fact_shows(case: Cases, seed: int) -> None:
    drawn_case = case(seed)
    assert AspEngine(drawn_case.world).findings(drawn_case.questions) == drawn_case.wrong
    assert JoinEngine(drawn_case.world).findings(drawn_case.questions) == drawn_case.wrong


def test_the_worlds_show_every_finding(case: Cases) -> None:
    """Otherwise the test above would show little."""
    codes: set[str] = set()
    right = 0
    for seed in SEEDS:
        drawn_case = case(seed)
        codes |= {found.code for found in drawn_case.wrong}
        reasoned = {number for number, asked in enumerate(drawn_case.questions) if asked.choices}
        right += len(reasoned - {found.numbers[0] for found in drawn_case.wrong})
    assert right > 0
    assert codes == {
        "wrong_answer",
        "missing_answer",
        "no_answer",
        "yes_for_an_absent_fact",
        "unknown_for_a_present_fact",
        "known_at_another_time",
        "late_choice",
        "absent_choice",
        "equal_choices",
        "choices_out_of_order",
        "no_contribution",
        "narrow_margin",
        "twin_choices",
        "choice_repeats_the_question",
        "outside_its_split",
        "splits_overlap",
        "repeated_question",
        "rule_refused",
    }


def test_packing_keeps_everything(case: Cases) -> None:
    for question in case(5).questions:
        assert unpacked(packed(question)) == question
