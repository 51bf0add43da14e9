"""Certificates that do not establish their answers, and the messages about them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from grammar.questions.model import QuestionKind
from solver.graph.model import Split
from solver.questions.check import Graph, certificate_faults
from solver.questions.io import fields
from solver.questions.model import ASKED, PARTY, UNKNOWN, YES, Certificate, Choice, Question

FACTS = frozenset(
    {
        ("a", "r", "b", "9"),
        ("a", "q", "c", "9"),
        ("b", "q", "b", "9"),
        ("b", "r", "b", "9"),
        ("a", "q", "a", "9"),
        *(("a", "q", "b", str(time)) for time in (5, 6, 7, 8)),
    }
)
GRAPH = Graph(FACTS, ["r", "q"], {str(time): time for time in range(12)})
GRAPH.add_rule({"head": 0, "body": [1], "same": [], "rule_support": 1, "body_support": 2})
GRAPH.folds = [(0, 9, 0, 1)]


def faults(question: Question) -> list[str]:
    return list(certificate_faults(GRAPH, fields(question)))


def question(kind: QuestionKind, *query: tuple[str, str, str], **values: Any) -> Question:
    common = {"id": "x", "split": Split.TEST, "time": "9", "text": ""}
    return Question(kind=kind, query=query, **(common | values))


HOP = question(
    QuestionKind.ONE_HOP,
    ("a", "r", ASKED),
    answers=("b",),
    certificate=Certificate(facts=(("a", "r", "b", "9"),)),
)
HOPS = question(
    QuestionKind.TWO_HOP,
    (PARTY, "r", "b"),
    (PARTY, "q", ASKED),
    answers=("c",),
    certificate=Certificate(facts=(("a", "r", "b", "9"), ("a", "q", "c", "9"))),
)
YES_ONE = question(
    QuestionKind.YES_UNKNOWN,
    ("a", "r", "b"),
    answers=(YES,),
    certificate=Certificate(facts=(("a", "r", "b", "9"),)),
)
NEVER = question(
    QuestionKind.YES_UNKNOWN,
    ("a", "r", "c"),
    answers=(UNKNOWN,),
    certificate=Certificate(source=("a", "r", "b", "9")),
)
# 5,000 in 10,000, times what exp(-.1), exp(-.2), exp(-.3), exp(-.4) are in 100,000.
WHY = question(
    QuestionKind.FACT_REASONING,
    ("a", "r", "b"),
    answers=("A",),
    order="ABCD",
    choices=tuple(Choice(text="", fact=("a", "q", "b", str(time))) for time in (8, 7, 6, 5)),
    certificate=Certificate(
        contributions=(4_524_150, 4_093_650, 3_704_050, 3_351_600), rules=(0, 0, 0, 0)
    ),
)


def late(question: Question, contribution: int) -> Question:
    choice = Choice(text="", fact=("a", "q", "b", "8"))
    values = (contribution, *question.certificate.contributions[1:])
    shown_by = replace(question.certificate, contributions=values)
    return replace(
        question, time="7", choices=(choice, *question.choices[1:]), certificate=shown_by
    )


@pytest.mark.parametrize("question", [HOP, HOPS, YES_ONE, NEVER, WHY])
def test_what_shows_the_answers_is_replayed(question: Question) -> None:
    assert faults(question) == []


def shown_by(question: Question, **parts: Any) -> Question:
    return replace(question, certificate=replace(question.certificate, **parts))


BROKEN = {
    "no fact": (shown_by(HOP, facts=()), "found 0 facts, expected 1, 1 for each answer"),
    "no fact of the graph": (
        replace(shown_by(HOP, facts=(("a", "r", "d", "9"),)), answers=("d",)),
        "(a, r, d, 9), cited for d, is not in the graph",
    ),
    "parts of another kind": (
        shown_by(HOP, source=("a", "r", "b", "9"), rules=(0,)),
        "found source and rules, expected facts only",
    ),
    "a source of a yes": (
        shown_by(YES_ONE, source=("a", "r", "b", "9")),
        "found source, expected facts only",
    ),
    "facts of an unknown": (
        shown_by(NEVER, facts=(("a", "r", "b", "9"),)),
        "found facts, expected source only",
    ),
    "facts of a reason": (
        shown_by(WHY, facts=(("a", "r", "b", "9"),)),
        "found facts, expected contributions and rules only",
    ),
    "another fact": (shown_by(HOP, facts=(("a", "q", "c", "9"),)), "does not entail b"),
    "another time": (replace(HOP, time="8"), "does not entail b"),
    "the party itself": (
        replace(shown_by(HOPS, facts=(("a", "r", "b", "9"), ("a", "q", "a", "9"))), answers=("a",)),
        "does not entail a",
    ),
    "the entity itself": (
        replace(shown_by(HOPS, facts=(("b", "r", "b", "9"), ("b", "q", "b", "9"))), answers=("b",)),
        "does not entail b",
    ),
    "another party": (
        shown_by(HOPS, facts=(("b", "r", "b", "9"), ("a", "q", "c", "9"))),
        "does not entail c",
    ),
    "a yes of nothing": (shown_by(YES_ONE, facts=()), "expected (a, r, b, 9) only"),
    "a yes of no fact": (
        replace(shown_by(YES_ONE, facts=(("a", "r", "d", "9"),)), query=(("a", "r", "d"),)),
        "(a, r, d, 9) is not in the graph",
    ),
    "no source": (shown_by(NEVER, source=None), "found no source fact"),
    "a source that is no fact": (
        shown_by(NEVER, source=("a", "r", "d", "9")),
        "the source fact (a, r, d, 9) is not in the graph",
    ),
    "a source that differs twice": (
        shown_by(NEVER, source=("b", "q", "b", "9")),
        "differ in 3 names, expected one",
    ),
    "a source that is the same": (
        shown_by(replace(NEVER, query=(("a", "r", "b"),)), source=("a", "r", "b", "9")),
        "differ in 0 names, expected one",
    ),
    "an unknown that is known": (
        shown_by(replace(NEVER, query=(("a", "q", "b"),)), source=("a", "r", "b", "9")),
        "the graph has a q b at some time",
    ),
    "values are missing": (shown_by(WHY, rules=(0,)), "expected 4 contributions and rules"),
    "more than it is": (
        shown_by(WHY, contributions=(4_524_151, 4_093_650, 3_704_050, 3_351_600)),
        "choice A contributes 4524150, the file has 4524151",
    ),
    "less than it is": (
        shown_by(WHY, contributions=(4_524_149, 4_093_650, 3_704_050, 3_351_600)),
        "choice A contributes 4524150, the file has 4524149",
    ),
    "no such rule": (shown_by(WHY, rules=(0, 7, 0, 0)), "rule 7 does not count for questions of 9"),
    "a rule of other times": (replace(WHY, time="10"), "rule 0 does not count for questions of 10"),
    "a rule that leads elsewhere": (
        replace(WHY, query=(("a", "r", "c"),)),
        "rule 0 does not lead from choice A",
    ),
    "another answer": (replace(WHY, answers=("B",)), "choice A contributes most, the answer is B"),
    "a choice to come": (late(WHY, 5_525_850), "choice A contributes 0, the file has 5525850"),
}


@pytest.mark.parametrize(("question", "message"), BROKEN.values(), ids=BROKEN)
def test_broken_certificates_are_reported(question: Question, message: str) -> None:
    found = faults(question)
    assert any(message in each for each in found), found
