"""What is wrong with questions over a small graph, question by question."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Solve = Callable[..., list[str]]

ENCODINGS = Path(__file__).resolve().parents[2] / "encodings" / "questions"

# Entities 1 to 5, relations 0 and 1; train has days 0 to 8, valid day 9.
GRAPH = """
relations(2). day(train,0..8). day(valid,9).
fact(1,0,2,5). fact(1,0,3,5). fact(2,1,4,5). fact(4,1,1,5). fact(3,1,3,5).
fact(1,0,4,6). fact(4,1,5,9).
"""

WHO = {
    "object": (
        "one_hop(1,0,object)",
        "answer(0,2). answer(0,3).",
        [],
    ),
    "subject": ("one_hop(1,1,subject)", "answer(0,4).", []),
    "no answer": ("one_hop(5,0,object)", "", ["no_answer(0)"]),
    "no answer after two hops": ("two_hop(5,0,object,1,subject)", "", ["no_answer(0)"]),
    "one is missing": ("one_hop(1,0,object)", "answer(0,2).", ["missing_answer(0,3)"]),
    "another day's": (
        "one_hop(1,0,object)",
        "answer(0,2). answer(0,3). answer(0,4).",
        ["wrong_answer(0,4)"],
    ),
    "the other end": (
        "one_hop(2,0,object)",
        "answer(0,1).",
        ["wrong_answer(0,1)"],
    ),
    # 2 is of relation 0 to 1, as object, and of relation 1 to 4, as subject.
    "two hops": ("two_hop(1,0,object,1,subject)", "answer(0,4).", []),
    # 1 is of relation 0 to 2 and 3, as subject: each is the other's answer.
    "another of the same": ("two_hop(2,0,subject,0,subject)", "answer(0,3).", []),
    "not the entity itself": (
        "two_hop(2,0,subject,0,subject)",
        "answer(0,2). answer(0,3).",
        ["wrong_answer(0,2)"],
    ),
    # 3 is of relation 1 to itself.
    "not the party": (
        "two_hop(1,0,object,1,subject)",
        "answer(0,3). answer(0,4).",
        ["wrong_answer(0,3)"],
    ),
    "one of two hops is missing": (
        "two_hop(2,0,subject,0,subject)",
        "",
        ["missing_answer(0,3)"],
    ),
    "yes": ("holds(1,0,2)", "answer(0,yes).", []),
    "unknown": ("holds(5,0,2)", "answer(0,unknown).", []),
    "yes, but never": ("holds(5,0,2)", "answer(0,yes).", ["yes_for_an_absent_fact(0)"]),
    "unknown, but it is": (
        "holds(1,0,2)",
        "answer(0,unknown).",
        ["unknown_for_a_present_fact(0)"],
    ),
    "unknown, but later": (
        "holds(1,0,4)",
        "answer(0,unknown).",
        ["known_at_another_time(0)"],
    ),
    "yes, but later": ("holds(1,0,4)", "answer(0,yes).", ["known_at_another_time(0)"]),
    "turned round": ("holds(2,0,1)", "answer(0,unknown).", []),
}


def violations(solve: Solve, facts: str) -> list[str]:
    return [name[10:-1] for name in solve(("questions/questions.lp",), facts)]


@pytest.mark.parametrize(("asked", "answers", "expected"), WHO.values(), ids=WHO)
def test_answers(solve: Solve, asked: str, answers: str, expected: list[str]) -> None:
    assert violations(solve, f"{GRAPH} question(0,train,5,{asked}). {answers}") == expected


# From 6 to 7 by relation 0 on day 9. Rule 0 says as much as its body; rule 1, of relation 1 read
# backwards, half; rule 2 is too seldom right and rule 3 never was twice.
REASONING = """
relations(4). day(test,0..9). question(0,test,9,reasons(6,0,7)).
weighed(0,0,1,10000,9,0,99). weighed(1,0,6,5000,9,0,99). weighed(2,0,3,99,9,0,99).
weighed(3,0,0,10000,1,0,99).
decay(1,90000). decay(2,80000). decay(3,70000). decay(4,60000). decay(5,0).
fact(6,1,7,8). fact(6,1,7,7). fact(7,2,6,8). fact(7,2,6,7). fact(7,2,6,6). fact(7,2,6,5).
fact(6,3,7,8). fact(6,0,7,8). fact(6,1,7,4). fact(6,1,7,9). fact(7,1,6,8). fact(6,2,7,8).
"""
# 9,000,000 (6,1,7,8), 8,000,000, 4,500,000 (7,2,6,8), 3,500,000, 3,000,000 (7,2,6,5).
RIGHT = """
choice(0,0,7,2,6,5). choice(0,1,6,1,7,8). choice(0,2,7,2,6,7). choice(0,3,7,2,6,6).
ordered(0,0,1). ordered(0,1,2). ordered(0,2,3). ordered(0,3,0). answer(0,1).
"""

WHY = {
    "right": ("", "", []),
    "another answer": ("answer(0,1)", "answer(0,3)", ["wrong_answer(0,3)"]),
    "the day of the question": (
        "choice(0,3,7,2,6,6)",
        "choice(0,3,6,1,7,9)",
        ["choices_out_of_order(0,2)", "late_choice(0,3)", "no_contribution(0,3)"],
    ),
    "no fact": (
        "choice(0,3,7,2,6,6)",
        "choice(0,3,6,1,7,6)",
        ["absent_choice(0,3)", "choices_out_of_order(0,2)", "no_contribution(0,3)"],
    ),
    "two alike": (
        "choice(0,3,7,2,6,6)",
        "choice(0,3,7,2,6,7)",
        ["choices_out_of_order(0,1)", "equal_choices(0,2,3)", "twin_choices(0,2,3)"],
    ),
    "the same event from the other side": (
        "choice(0,2,7,2,6,7)",
        "choice(0,2,7,2,6,8)",
        ["twin_choices(0,1,2)"],
    ),
    "a second that says almost as much": (
        "choice(0,2,7,2,6,7)",
        "choice(0,2,6,1,7,7)",
        ["narrow_margin(0)"],
    ),
    "swapped": (
        "ordered(0,0,1). ordered(0,1,2).",
        "ordered(0,0,2). ordered(0,1,1).",
        ["choices_out_of_order(0,0)", "narrow_margin(0)"],
    ),
    "a rule seldom right": (
        "choice(0,0,7,2,6,5)",
        "choice(0,0,6,3,7,2)",
        ["absent_choice(0,0)", "no_contribution(0,0)"],
    ),
    "the same as is asked": (
        "choice(0,0,7,2,6,5)",
        "choice(0,0,6,0,7,2)",
        [
            "absent_choice(0,0)",
            "choice_repeats_the_question(0,0)",
            "no_contribution(0,0)",
        ],
    ),
    "a better rule": (
        "weighed(1,0,6,5000,9,0,99).",
        "weighed(1,0,6,5000,9,0,99). weighed(4,0,6,9500,9,0,99).",
        ["narrow_margin(0)"],
    ),
    "a better rule for other times": (
        "weighed(1,0,6,5000,9,0,99).",
        "weighed(1,0,6,5000,9,0,99). weighed(4,0,6,9500,9,0,8).",
        [],
    ),
}


@pytest.mark.parametrize(("old", "new", "expected"), WHY.values(), ids=WHY)
def test_reasoning(solve: Solve, old: str, new: str, expected: list[str]) -> None:
    facts = REASONING + RIGHT
    assert old in facts
    assert sorted(violations(solve, facts.replace(old, new, 1) if old else facts)) == expected


def test_nothing_speaks_for_an_entity_and_itself(solve: Solve) -> None:
    facts = """
    relations(2). question(0,train,9,reasons(6,0,6)). fact(6,1,6,8). decay(1,90000).
    weighed(0,0,1,10000,9,0,99). weighed(1,0,3,10000,9,0,99).
    """
    assert solve(("questions/contributions.lp",), facts, "contribution") == []
    other = facts.replace("(6,0,6)", "(6,0,7)").replace("(6,1,6,8)", "(6,1,7,8)")
    assert len(solve(("questions/contributions.lp",), other, "contribution")) == 1


def test_of_a_question_with_choices_only_these_are_weighed(solve: Solve) -> None:
    numbers = range(1, 5)
    facts = "relations(9). decay(1,90000). decay(2,80000). decay(3,70000). decay(4,60000)."
    for number in numbers:
        ends = "6,{},7" if number % 2 else "7,{},6"
        body = number if number % 2 else number + 9
        facts += f"fact({ends.format(number)},{9 - number})."
        facts += f"weighed({number},0,{body},5000,9,0,99)."
    facts += "question(0,train,9,reasons(6,0,7)). question(1,train,9,reasons(6,0,7))."
    files = ("questions/contributions.lp",)
    every = solve(files, facts, "contribution")
    assert len(every) == 2 * len(numbers)
    # Fact 2 has its ends the other way round, choice 4 of question 0 is at another time, and a
    # choice of question 2 is between other entities.
    chosen = """
    choice(0,0,6,1,7,8). choice(0,1,7,2,6,7). choice(0,2,7,4,6,6). choice(2,0,6,3,7,6).
    question(2,train,9,reasons(6,0,8)).
    """
    left = solve(files, facts + chosen, "contribution")
    kept = ("contribution(0,(6,1,7,8),", "contribution(0,(7,2,6,7),", "contribution(1,")
    expected = [name for name in every if name.startswith(kept)]
    assert len(expected) == 2 + len(numbers)
    assert sorted(left) == sorted(expected)


def test_of_rules_that_say_as_much_the_first_counts(solve: Solve) -> None:
    facts = """
    relations(2). question(0,train,9,reasons(6,0,7)). fact(6,1,7,8). decay(1,90483).
    weighed(5,0,1,3333,9,0,99). weighed(3,0,1,3333,9,0,99). weighed(1,0,1,3332,9,0,99).
    """
    (found,) = solve(("questions/contributions.lp",), facts, "contribution")
    assert found == f"contribution(0,(6,1,7,8),{3333 * 90483 // 100},3)"


WHEN = {
    "in its split": ("question(0,train,5,holds(1,0,2)).", []),
    "in another one": ("question(0,valid,5,holds(1,0,2)).", ["outside_its_split(0)"]),
    "in both": (
        "question(0,train,5,holds(1,0,2)). day(valid,5).",
        ["splits_overlap(0,valid)"],
    ),
    "twice": (
        "question(0,train,5,holds(1,0,2)). question(1,train,5,holds(1,0,2)).",
        ["repeated_question(1,0)"],
    ),
    "three times": (
        "question(2,train,5,holds(1,0,2)). question(3,train,5,holds(1,0,2))."
        "question(7,train,5,holds(1,0,2)).",
        ["repeated_question(3,2)", "repeated_question(7,2)"],
    ),
    "of another day or kind": (
        "question(0,train,5,holds(5,1,2)). question(1,train,6,holds(5,1,2))."
        "question(2,train,5,one_hop(4,1,object)). question(3,train,5,one_hop(4,1,subject))."
        "answer(2,1). answer(3,2).",
        [],
    ),
    "by its rule": (
        "question(0,train,5,two_hop(1,0,object,1,subject)). answer(0,4). made_by(0,3)."
        "curated(3,0,object,1,subject,yes).",
        [],
    ),
    "by a rule that is refused": (
        "question(0,train,5,two_hop(1,0,object,1,subject)). answer(0,4). made_by(0,3)."
        "curated(3,0,object,1,subject,no).",
        ["rule_refused(0,3)"],
    ),
    "by another rule": (
        "question(0,train,5,two_hop(1,0,object,1,subject)). answer(0,4). made_by(0,3)."
        "curated(3,0,subject,1,subject,yes).",
        ["rule_refused(0,3)"],
    ),
}


@pytest.mark.parametrize(("facts", "expected"), WHEN.values(), ids=WHEN)
def test_times_repetitions_and_rules(solve: Solve, facts: str, expected: list[str]) -> None:
    assert violations(solve, GRAPH + facts) == expected


def ground(folder: Path, facts: list[str]) -> int:
    """The number of ground rules beyond the facts."""
    (folder / "facts.lp").write_text("\n".join(facts), encoding="utf-8")
    files = ["facts.lp", str(ENCODINGS / "questions.lp")]
    command = [sys.executable, "-m", "clingo", "--mode=gringo", "--text", "--warn=none", *files]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return len(done.stdout.splitlines()) - len(facts)


def answers(number: int) -> list[str]:
    """A question with so many answers."""
    facts = [f"fact(0,0,{index},5)." for index in range(1, number + 1)]
    return [*facts, "question(0,train,5,one_hop(0,0,object)). day(train,5)."]


def chains(number: int) -> list[str]:
    """A question of two hops over so many parties, each with its own answer."""
    facts = [
        f"fact({index},0,0,5). fact({index},1,{1000 + index},5)." for index in range(1, number + 1)
    ]
    return [*facts, "question(0,train,5,two_hop(0,0,subject,1,subject)). day(train,5)."]


def contributing(number: int) -> list[str]:
    """A question with so many contributing facts, each by a rule."""
    facts = [
        f"fact(0,{index},1,8). weighed({index},0,{index},5000,9,0,99)."
        for index in range(1, number + 1)
    ]
    return [*facts, "question(0,train,9,reasons(0,0,1)). relations(500). decay(1,90483)."]


@pytest.mark.parametrize("made", [answers, chains, contributing])
def test_grounds_linearly(made: Callable[[int], list[str]], tmp_path: Path) -> None:
    """Neither answers nor contributing facts are joined with each other."""
    small, middle, large = (ground(tmp_path, made(number)) for number in (10, 20, 40))
    assert large - middle == 2 * (middle - small) > 0


@pytest.mark.parametrize(
    ("rule", "recent", "expected"),
    [("100,2", 90_483, 90_483), ("99,2", 90_483, 0), ("100,1", 90_483, 0), ("100,2", 0, 0)],
)
def test_rules_that_just_count(solve: Solve, rule: str, recent: int, expected: int) -> None:
    facts = f"""
    relations(2). question(0,train,9,reasons(6,0,7)). fact(6,1,7,8). decay(1,{recent}).
    weighed(0,0,1,{rule},0,99).
    """
    found = solve(("questions/contributions.lp",), facts, "contribution")
    assert found == ([f"contribution(0,(6,1,7,8),{expected},0)"] if expected else [])
