"""``explain --question`` on the command line."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grammar.errors import ExitStatus
from grammar.questions.model import QuestionKind
from solver.questions import explain as questions_explain
from solver.questions.io import TEST, read_questions
from solver.questions.model import UNKNOWN, YES, Question

Solver = Callable[..., Any]
Asked = Any


def format_fact(fact: tuple[str, ...]) -> str:
    return f"({', '.join(fact)})"


@pytest.mark.parametrize("kind", [QuestionKind.ONE_HOP, QuestionKind.TWO_HOP])
def test_each_answer_has_its_facts(
    solver: Solver, made: Path, data: Path, kind: QuestionKind
) -> None:
    questions = [
        read_question
        for read_question in read_questions(made / TEST)
        if isinstance(read_question, Question)
    ]
    question = max((q for q in questions if q.kind is kind), key=lambda q: len(q.answers))
    assert kind is QuestionKind.ONE_HOP or len(question.answers) > 1
    ran = solver("explain", "--question", question.id, made, "--data", data)
    assert ran.status == ExitStatus.OK
    assert f"\n  {question.text}\n" in ran.out
    for fact in question.certificate.facts:
        assert format_fact(fact) in ran.out
    assert ran.out.endswith("right: asp = join, and the certificate holds\n")
    explanation = solver("explain", "--question", question.id, made, "--data", data, "--json").json
    assert list(explanation["behind"]) == list(question.answers)
    assert explanation["violations"] == []


def test_what_holds_and_what_never_does(solver: Solver, asked: Asked, data: Path) -> None:
    whether = asked.of(QuestionKind.YES_UNKNOWN)
    yes = next(question for question in whether if question.answers == (YES,))
    unknown = next(question for question in whether if question.answers == (UNKNOWN,))
    ran = solver("explain", "--question", yes.id, asked.folder, "--data", data)
    assert f"{format_fact(yes.query[0])} is in the graph at {yes.time}\n" in ran.out
    ran = solver("explain", "--question", unknown.id, asked.folder, "--data", data)
    assert "is in the graph at no time, in no split\n" in ran.out
    assert f"corrupted from the fact {format_fact(unknown.certificate.source)}\n" in ran.out
    asked.put(yes, replace(yes, answers=(UNKNOWN,)))
    ran = solver("explain", "--question", yes.id, asked.folder, "--data", data)
    assert ran.status == ExitStatus.OK
    assert "flawed: unknown-for-a-present-fact: the answer is unknown" in ran.out


def test_choices_are_in_order(solver: Solver, asked: Asked, data: Path, tmp_path: Path) -> None:
    question = asked.of(QuestionKind.FACT_REASONING)[0]
    command = ("explain", "--question", question.id, asked.folder, "--data", data)
    explanation = solver(*command, "--json").json
    values = [each["contribution"] for each in explanation["supports"]]
    assert values == sorted(question.certificate.contributions, reverse=True)
    assert "".join(each["choice"] for each in explanation["supports"]) == question.order
    assert all(each["proved"] for each in explanation["supports"])
    drawing = tmp_path / "why.svg"
    ran = solver(*command, "--svg", drawing)
    lines = ran.out.splitlines()
    shown = [line.split()[0] for line in lines if line[2:5] in ("A  ", "B  ", "C  ", "D  ")]
    assert "".join(shown) == question.order
    assert "contributes" in drawing.read_text()


def test_what_cannot_be_explained(solver: Solver, made: Path, data: Path, tmp_path: Path) -> None:
    ran = solver("explain", "--question", "test-1-hop-00000x", made, "--data", data)
    assert ran.status == ExitStatus.UNREADABLE
    assert "found no question 'test-1-hop-00000x' (near: test-1-hop-0" in ran.err
    alone = Path(shutil.copy(made / TEST, tmp_path / "alone.jsonl"))
    ran = solver("explain", "--question", "test-fact-reasoning-000000", alone, "--data", data)
    assert ran.status == ExitStatus.UNREADABLE
    assert "pass the rules with --rules FILE" in ran.err


def test_nearest_question_far_into_the_file(
    solver: Solver, made: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(questions_explain, "_NEARBY", 20)
    for wrong, near in (("test-fact-reasoning-00000", "test-fact-reasoning-0000"), ("x", "")):
        ran = solver("explain", "--question", wrong, made, "--data", data)
        assert ran.status == ExitStatus.UNREADABLE
        hint = f" (near: {near}" if near else "\n"
        assert f"found no question '{wrong}'{hint}" in ran.err
