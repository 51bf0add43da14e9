"""What is wrong with a labelled graph, change by change."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Solve = Callable[..., list[str]]

# Pattern 0: if A meets B, then B calls A, one to two steps later. Instances 0 and 1 are
# planted, and the second one's consequence is labelled as derived again in instance 2.
SOUND = """
step(0,1,1,5,2). step(0,2,2,6,1). lag(0,1,1,2). closed(0). horizon(9). limit(1).
planted_instances(2).
fact(0,10,5,11,1). fact(1,11,6,10,2). fact(2,12,5,13,3). fact(3,13,6,12,5).
label(0,0,0,0,antecedent,1). label(1,1,0,0,consequence,2). label(2,2,0,1,antecedent,1).
label(3,2,0,2,antecedent,1). label(4,3,0,2,consequence,2). label(5,3,0,1,consequence,2).
"""
# Without the planted consequence the last label is one too many.
FOLLOWED = SOUND.replace(" label(5,3,0,1,consequence,2).", "")

CHANGES = {
    "nothing": ("", "", []),
    "a fact that is not there": (
        "label(1,1,0,0",
        "label(1,7,0,0",
        ["absent_fact(1,7)", "unlabelled(1)"],
    ),
    "a pattern that is not there": (
        "label(1,1,0,0",
        "label(1,1,4,0",
        ["missing_step(0,2)", "two_patterns(0,0,4)", "unknown_pattern(1,4)"],
    ),
    "a step that is not there": (
        "label(1,1,0,0,consequence,2)",
        "label(1,1,0,0,consequence,3)",
        ["missing_step(0,2)", "unknown_step(1,0,3)"],
    ),
    "a wrong role": (
        "label(1,1,0,0,consequence,2)",
        "label(1,1,0,0,antecedent,2)",
        ["wrong_role(1,0,2)"],
    ),
    "a step labelled twice": (
        "label(5,3,0,1,consequence,2)",
        "label(5,3,0,1,consequence,2). label(6,3,0,1,consequence,2)",
        ["labelled_twice(1,2,5,6)"],
    ),
    "another relation": (
        "fact(1,11,6",
        "fact(1,11,7",
        ["missing_consequence(0,11,10,1)", "wrong_relation(1,1,6)"],
    ),
    "another entity": (
        "fact(1,11,6,10,2)",
        "fact(1,11,6,14,2)",
        ["missing_consequence(0,11,10,1)", "two_entities(0,1,10,14)"],
    ),
    "one entity for both in what followed": (
        "fact(2,12,5,13,3). fact(3,13,6,12,5)",
        "fact(2,12,5,12,3). fact(3,12,6,12,5)",
        ["one_entity(2,1,2,12)"],
    ),
    "too late": (
        "fact(1,11,6,10,2)",
        "fact(1,11,6,10,4)",
        ["missing_consequence(0,11,10,1)", "outside_lag(0,1,0,1)"],
    ),
    "too early": (
        "fact(1,11,6,10,2)",
        "fact(1,11,6,10,1)",
        ["missing_consequence(0,11,10,1)", "outside_lag(0,1,0,1)"],
    ),
    "a planted instance without its end": (
        "label(5,3,0,1,consequence,2).",
        "",
        ["missing_step(1,2)"],
    ),
    "an instance without its beginning": (
        "label(0,0,0,0,antecedent,1).",
        "",
        ["missing_step(0,1)", "unlabelled(0)"],
    ),
    "a fact twice": (
        "fact(3,13,6,12,5).",
        "fact(3,13,6,12,5). fact(4,13,6,12,5).",
        ["repeated_fact(3,4)", "unlabelled(4)"],
    ),
    "a consequence without instance": (
        "fact(1,11,6,10,2). fact(2",
        "fact(2",
        ["absent_fact(1,1)", "missing_consequence(0,11,10,1)"],
    ),
}


@pytest.mark.parametrize(("old", "new", "expected"), CHANGES.values(), ids=CHANGES)
def test_each_change_is_told(solve: Solve, old: str, new: str, expected: list[str]) -> None:
    assert old in SOUND
    found = solve(("tkg/proof.lp",), SOUND.replace(old, new, 1) if old else SOUND)
    assert found == [f"violation({code})" for code in expected]


def violations(solve: Solve, facts: str) -> list[str]:
    return [name[10:-1] for name in solve(("tkg/proof.lp",), facts)]


def test_a_planted_instance_may_run_over_the_end_of_time(solve: Solve) -> None:
    late = SOUND.replace("fact(2,12,5,13,3)", "fact(2,12,5,13,7)")
    late = late.replace("fact(3,13,6,12,5).", "").replace("label(5,3,0,1,consequence,2).", "")
    late = late.replace("label(3,2,0,2,antecedent,1). label(4,3,0,2,consequence,2).", "")
    assert violations(solve, late) == []
    assert "missing_step(1,2)" in violations(solve, late.replace("horizon(9)", "horizon(10)"))


def test_what_followed_needs_support(solve: Solve) -> None:
    assert violations(solve, FOLLOWED) == ["missing_step(1,2)"]
    alone = FOLLOWED.replace("planted_instances(2)", "planted_instances(1)")
    alone = alone.replace("label(2,2,0,1,antecedent,1).", "")
    assert violations(solve, alone) == ["unsupported(2)", "unsupported(3)"]


CHAIN = """
step(0,1,1,1,2). step(0,2,1,2,2). lag(0,1,1,1). step(1,1,1,2,2). step(1,2,1,3,2). lag(1,1,1,1).
closed(0). closed(1). horizon(9). planted_instances(1).
fact(0,7,1,8,0). fact(1,7,2,8,1). label(0,0,0,0,antecedent,1). label(1,1,0,0,consequence,2).
"""


@pytest.mark.parametrize(
    ("limit", "expected"),
    [("", ["missing_consequence(1,7,8,1)"]), ("limit(1).", ["missing_consequence(1,7,8,1)"])],
)
def test_planted_facts_have_consequences(solve: Solve, limit: str, expected: list[str]) -> None:
    assert violations(solve, CHAIN + limit) == expected


def test_a_limit_ends_what_rests_on_consequences(solve: Solve) -> None:
    """One planted fact, its consequence on level 1, and that one's on level 2."""
    chain = CHAIN.replace("label(0,0,0,0,antecedent,1). label(1,1,0,0,consequence,2).", "")
    chain += "label(0,0,1,0,antecedent,1). step(9,1,1,1,2). step(9,2,1,9,2). lag(9,1,9,9)."
    chain = chain.replace("label(0,0,1,0", "label(0,0,9,0")
    chain += "label(1,0,0,1,antecedent,1). label(2,1,0,1,consequence,2)."
    last = "fact(2,7,3,8,2). label(3,1,1,2,antecedent,1). label(4,2,1,2,consequence,2)."
    assert violations(solve, chain) == ["missing_consequence(1,7,8,1)"]
    assert violations(solve, f"{chain} limit(1).") == []
    assert violations(solve, f"{chain} limit(2).") == ["missing_consequence(1,7,8,1)"]
    assert violations(solve, f"{chain} limit(0).") == ["unsupported(1)"]
    assert violations(solve, chain + last) == []
    assert violations(solve, f"{chain} {last} limit(1).") == ["unsupported(2)"]


def test_what_supports_only_itself_is_not_supported(solve: Solve) -> None:
    circle = """
    step(0,1,1,1,2). step(0,2,2,1,1). lag(0,1,0,0). horizon(3). planted_instances(0).
    fact(0,7,1,8,0). fact(1,8,1,7,0).
    label(0,0,0,0,antecedent,1). label(1,1,0,0,consequence,2).
    label(2,1,0,1,antecedent,1). label(3,0,0,1,consequence,2).
    """
    assert violations(solve, circle) == ["unsupported(0)", "unsupported(1)"]


def test_planted_instances_are_injective_if_they_are_declared_so(solve: Solve) -> None:
    same = SOUND.replace("fact(0,10,5,11,1). fact(1,11,6,10,2)", "fact(0,9,5,9,1). fact(1,9,6,9,2)")
    assert violations(solve, same) == []
    assert violations(solve, same + "drawn(injective).") == ["one_entity(0,1,2,9)"]
