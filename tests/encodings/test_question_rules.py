"""2-hop rules on small days, atom by atom."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import Solve

PATH = Path(__file__).resolve().parents[2] / "encodings" / "questions" / "two_hop_rules.lp"
# Rule 5: who is the subject of 0 to a named entity is the subject of 1 to the answer.
SAME = "rule(5,0,subject,1,subject)."
TURNED = "rule(5,0,object,1,subject)."
ALIKE = "rule(5,0,subject,0,object)."

TABLE = [
    ("an answer", SAME, "fact(1,0,2,7). fact(1,1,3,7).", ["supported(5,7,1,1)"]),
    ("an answer of another day", SAME, "fact(1,0,2,7). fact(1,1,3,8).", ["supported(5,7,0,1)"]),
    ("an answer of another party", SAME, "fact(1,0,2,7). fact(4,1,3,7).", ["supported(5,7,0,1)"]),
    ("no body", SAME, "fact(1,1,3,7).", []),
    ("the named entity is no answer", SAME, "fact(1,(0;1),2,7).", ["supported(5,7,0,1)"]),
    ("nor is the party", SAME, "fact(1,0,2,7). fact(1,1,1,7).", ["supported(5,7,0,1)"]),
    ("a party is not named itself", SAME, "fact(1,0,1,7). fact(1,1,3,7).", []),
    ("several answers count once", SAME, "fact(1,0,2,7). fact(1,1,(3;4),7).", [
        "supported(5,7,1,1)",
    ]),
    ("several bodies count each", SAME, "fact(1,0,(2;3;4),7). fact(1,1,4,7).", [
        "supported(5,7,2,3)",
    ]),
    ("the party as an object", TURNED, "fact(2,0,1,7). fact(1,1,3,7).", ["supported(5,7,1,1)"]),
    ("not as a subject", TURNED, "fact(1,0,2,7). fact(1,1,3,7).", ["supported(5,7,0,1)"]),
    ("one relation from both sides", ALIKE, "fact(1,0,2,7). fact(3,0,1,7).", [
        "supported(5,7,1,2)",
    ]),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "facts", "expected"), [row[1:] for row in TABLE], ids=[
    row[0] for row in TABLE
])  # fmt: skip
def test_supports(rule: str, facts: str, expected: list[str], solve: Solve) -> None:
    assert solve(["questions/two_hop_rules.lp"], f"{rule} {facts}", "supported") == expected


@pytest.mark.parametrize(
    ("supported", "least", "holds"), [(2, 2, True), (2, 3, False), (1, 1, False), (0, 0, False)]
)
def test_a_rule_holds_by_more_than_half_and_by_enough(
    supported: int, least: int, holds: bool, solve: Solve
) -> None:
    bodies = (
        "fact(1,0,20,7). fact(2,0,20,7). fact(3,0,20,7)."
        if supported > 1
        else ("fact(1,0,20,7). fact(2,0,20,7).")
    )
    answers = "".join(f"fact({party},1,30,7)." for party in range(1, supported + 1))
    found = solve(
        ["questions/two_hop_rules.lp"], f"{SAME} {bodies} {answers} least({least}).", "holds"
    )
    assert found == (["holds(5,7)"] if holds else [])


def test_groundings_are_the_whole_join(solve: Solve) -> None:
    facts = "fact(1,0,2,7). fact(4,0,2,7). fact(1,1,(3;5),7). fact(4,1,3,7)."
    assert solve(["questions/two_hop_rules.lp"], f"{SAME} {facts}", "grounding") == [
        "grounding(5,7,2,3,1)",
        "grounding(5,7,2,3,4)",
        "grounding(5,7,2,5,1)",
    ]


def test_grounds_by_the_facts_of_a_party_and_day() -> None:
    """As many pairs as there are of facts that share both; facts elsewhere cost themselves."""

    def grounded(size: int, elsewhere: int = 0) -> int:
        facts = f"fact(1,0,100..{99 + size},7). fact(1,1,300..{299 + size},7)."
        facts += "".join(f"fact(9,1,8,{n + 9})." for n in range(elsewhere))
        command = [sys.executable, "-m", "clingo", "--mode=gringo", "--text", str(PATH), "-"]
        given = f"{SAME} {facts}"
        done = subprocess.run(command, input=given, capture_output=True, text=True, check=True)
        return len(done.stdout.splitlines())

    small, middle, large = map(grounded, (8, 16, 32))
    assert 2 < (large - middle) / (middle - small) <= 4
    # A fact, and how it is seen from either end.
    assert grounded(8, 50) - small == 3 * 50
