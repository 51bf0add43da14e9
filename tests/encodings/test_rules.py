"""Temporal rules on small graphs, atom by atom."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import Solve

ENCODINGS = Path(__file__).resolve().parents[2] / "encodings" / "rules"
# Relations: 0 and 1, their inverses 2 and 3. Rule 5: 1 <- 0; rule 6: 1 <- 0, 1.
ONE = "rule(5,1). body(5,1,0)."
TWO = "rule(6,1). body(6,1,0). body(6,2,1)."

TABLE = [
    ("a fact before the query", ONE, "fact(0,0,1,3).", ["latest(9,5,1,3)"]),
    ("a fact at the query's time", ONE, "fact(0,0,1,4).", []),
    ("a fact of another subject", ONE, "fact(2,0,1,3).", []),
    ("a fact of another relation", ONE, "fact(0,1,1,3).", []),
    ("a rule of another head", "rule(5,0). body(5,1,0).", "fact(0,0,1,3).", []),
    ("the latest of several", ONE, "fact(0,0,1,(1;3;2)).", ["latest(9,5,1,3)"]),
    ("an inverse in the body", "rule(5,1). body(5,1,2).", "fact(1,0,0,3).", ["latest(9,5,1,3)"]),
    ("times may be equal", TWO, "fact(0,0,1,2). fact(1,1,2,2).", ["latest(9,6,2,2)"]),
    ("times do not decrease", TWO, "fact(0,0,1,3). fact(1,1,2,2).", []),
    (
        "the first fact's time counts",
        TWO,
        "fact(0,0,1,(0;1)). fact(1,1,2,3).",
        ["latest(9,6,2,1)"],
    ),
    (
        "entities may repeat of themselves",
        TWO,
        "fact(0,0,1,1). fact(1,1,0,2).",
        ["latest(9,6,0,1)"],
    ),
    (
        "entities repeat where they have to",
        f"{TWO} same(6,0,2).",
        "fact(0,0,1,1). fact(1,1,0,2). fact(1,1,2,2).",
        ["latest(9,6,0,1)"],
    ),
    ("no rule", "", "fact(0,0,1,1).", []),
]


@pytest.mark.parametrize(("rules", "facts", "expected"), [row[1:] for row in TABLE], ids=[
    row[0] for row in TABLE
])  # fmt: skip
def test_candidates(rules: str, facts: str, expected: list[str], solve: Solve) -> None:
    given = f"relations(2). query(9,0,1,4). {rules} {facts}"
    assert solve(["rules/candidates.lp"], given) == expected


def test_a_grounding_contains_its_walk(solve: Solve) -> None:
    given = f"relations(2). query(9,0,1,4). {TWO} fact(0,0,1,1). fact(1,1,2,(2;3))."
    assert solve(["rules/groundings.lp"], given) == [
        "grounding(9,6,2,next(next(begin(0),1,1),2,2))",
        "grounding(9,6,2,next(next(begin(0),1,1),2,3))",
    ]


def test_two_queries_do_not_see_each_others_facts(solve: Solve) -> None:
    given = f"relations(2). query(1,0,1,2). query(2,0,1,9). {ONE} fact(0,0,3,1). fact(0,0,4,5)."
    assert solve(["rules/candidates.lp"], given) == [
        "latest(1,5,3,1)",
        "latest(2,5,3,1)",
        "latest(2,5,4,5)",
    ]


def rules_of_grounding(facts: str) -> int:
    path = str(ENCODINGS / "groundings.lp")
    command = [sys.executable, "-m", "clingo", "--mode=gringo", "--text", path, "-"]
    done = subprocess.run(command, input=facts, capture_output=True, text=True, check=True)
    return len(done.stdout.splitlines())


@pytest.mark.parametrize("rule", [ONE, TWO])
def test_grounds_by_the_walks_of_the_subject(rule: str) -> None:
    """As many facts as there are, to the power of the body's length; others cost themselves."""
    length = rule.count("body")

    def grounded(size: int, elsewhere: int = 0) -> int:
        facts = f"fact(0,0,1,1..{size}). fact(1,1,2,{size}..{2 * size - 1})."
        facts += "".join(f"fact({9 + n},0,{n + 8},1)." for n in range(elsewhere))
        return rules_of_grounding(f"relations(2). query(9,0,1,999). {rule} {facts}")

    small, middle, large = map(grounded, (8, 16, 32))
    assert 2 ** (length - 1) < (large - middle) / (middle - small) <= 2**length
    # A fact, and what it holds both ways.
    assert grounded(8, 50) - small == 3 * 50
