"""``realise --kind questions``: the choices of a question, and one alone; and what was parsed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grammar.questions.model import QuestionKind
from solver.questions.io import SPLITS, fields, read_questions, write_parquet_questions
from solver.questions.model import LETTERS, Question

Solver = Callable[..., Any]
KIND = ("--kind", "questions")
CHOICES = {
    0: "Harbour Guild (Belmora) threatened Ösvik on 2033-05-29.",
    1: "On 2033-05-29, Harbour Guild (Belmora) threatened Ösvik.",
}
LABELLED = ["Harbour Guild (Belmora)", "Threaten", "Ösvik", "2033-05-29"]
NAMED = ["Harbour_Guild_(Belmora)", *LABELLED[1:]]


def objects(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def written(path: Path, *lines: object) -> Path:
    texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


def test_parquet_is_realised_as_lines_are(solver: Solver, tmp_path: Path, made: Path) -> None:
    rows = [
        question
        for question in read_questions(made / "test.jsonl")
        if isinstance(question, Question)
    ]
    assert any(row.choices for row in rows)
    write_parquet_questions(tmp_path / "test.parquet", rows)
    ran = solver("realise", *KIND, tmp_path / "test.parquet", "--json")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == solver("realise", *KIND, made / "test.jsonl", "--json").out


@pytest.mark.parametrize("with_data", [False, True])
def test_a_choice_is_realised(solver: Solver, tmp_path: Path, data: Path, with_data: bool) -> None:
    graph = ("--data", data) if with_data else ()
    parsed = [solver("parse", *KIND, "--choice", choice, *graph).out for choice in CHOICES.values()]
    path = written(tmp_path / "choices.jsonl", *parsed)
    ran = solver("realise", *KIND, path, *graph)
    assert (ran.status, ran.out.splitlines()) == (0, [*CHOICES.values()])
    ran = solver("realise", *KIND, path, *graph, "--variant", "1", "--json")
    assert objects(ran.out) == [{"text": CHOICES[1]}] * len(CHOICES)


def test_every_text_of_the_examples_comes_back(
    solver: Solver, tmp_path: Path, made: Path, data: Path
) -> None:
    texts = []
    for path in (*(made / name for name in SPLITS), data.parent / "flawed.jsonl"):
        parsed = tmp_path / "parsed.jsonl"
        ran = solver("parse", *KIND, path, "--data", data)
        assert (ran.status, ran.err) == (0, "")
        parsed.write_text(ran.out, encoding="utf-8")
        ran = solver("realise", *KIND, parsed, "--data", data, "--json")
        assert (ran.status, ran.err) == (0, "")
        questions = [
            question for question in read_questions(path) if isinstance(question, Question)
        ]
        texts += questions
        assert objects(ran.out) == [_texts(question) for question in questions]
    assert {text.kind for text in texts} == {*QuestionKind}


def _texts(question: Question) -> dict[str, Any]:
    choices = [choice.text for choice in question.choices]
    record: dict[str, Any] = {"id": question.id, "text": question.text}
    return record | ({"choices": choices} if choices else {})


def test_choices_are_below_their_question(
    solver: Solver, tmp_path: Path, data: Path, reasoning: Question
) -> None:
    parsed, plain = tmp_path / "parsed.jsonl", tmp_path / "plain.txt"
    other = "Will Belmora consult Ösvik on 2033-05-29?"
    source = written(tmp_path / "some.jsonl", fields(reasoning), {"text": other}, fields(reasoning))
    parsed.write_text(solver("parse", *KIND, source, "--data", data).out, encoding="utf-8")
    plain.write_text(solver("realise", *KIND, parsed, "--data", data).out, encoding="utf-8")
    shown = [
        reasoning.text,
        *(
            f"  {letter}. {choice.text}"
            for letter, choice in zip(LETTERS, reasoning.choices, strict=True)
        ),
    ]
    assert plain.read_text(encoding="utf-8").splitlines() == [*shown, other, *shown]
    # What is printed is read back, too.
    ran = solver("parse", *KIND, plain, "--data", data)
    assert (ran.status, ran.err) == (0, "")
    read = objects(parsed.read_text(encoding="utf-8"))
    assert objects(ran.out) == [{k: v for k, v in record.items() if k != "id"} for record in read]


def test_records_of_a_data_set_are_realised_with_their_choices(
    solver: Solver, tmp_path: Path, data: Path, reasoning: Question
) -> None:
    path = written(tmp_path / "some.jsonl", fields(reasoning))
    ran = solver("realise", *KIND, path, "--data", data, "--json")
    # A record does not say how it is worded, but what it says.
    again = written(tmp_path / "again.jsonl", ran.json)
    read = solver("parse", *KIND, again, "--data", data).json
    assert read["query"] == [list(row) for row in reasoning.query]
    assert read["choices"] == [
        {"fact": list(choice.fact), "variant": 0} for choice in reasoning.choices
    ]
    ran = solver("realise", *KIND, path, "--data", data, "--json", "--variant", "3")
    assert ran.json["text"].startswith("Which of these events makes it most likely that")
    assert ran.json["choices"] == json.loads(again.read_text(encoding="utf-8"))["choices"]


ASKED = {"kind": "fact-reasoning", "query": [["Ada", "Accuse", "Ben"]], "time": "3"}
FACT = ["Ada", "Threaten", "Ben", "2"]
BAD = {
    "no fact": (ASKED | {"choices": [{"fact": FACT}, {}]}, "choice B: found no fact of a choice"),
    "three": (ASKED | {"choices": [{"fact": FACT[:3]}]}, "choice A: found no fact of a choice"),
    "fact alone": ({"fact": FACT[:3], "variant": 0}, "found no fact of a choice"),
    "many": (ASKED | {"choices": [{"fact": FACT}] * 5}, "found 5 choices, expected at most 4"),
    "variant": (
        ASKED | {"choices": [{"fact": FACT}, {"fact": FACT, "variant": 3}]},
        "choice B: found variant 3, expected 0 to 1",
    ),
    "alone": ({"fact": FACT, "variant": -1}, "found variant -1, expected 0 to 1"),
    "name": (ASKED | {"choices": [{"fact": ["", *FACT[1:]]}]}, "choice A: found an empty name"),
    "time": ({"fact": [*FACT[:3], "2033-02-30"]}, "found the time '2033-02-30'"),
}


@pytest.mark.parametrize(("given", "message"), BAD.values(), ids=BAD)
def test_unwritable_choices_are_reported(
    solver: Solver, tmp_path: Path, given: dict[str, object], message: str
) -> None:
    path = written(tmp_path / "queries.jsonl", given, ASKED)
    ran = solver("realise", *KIND, path)
    assert ran.status == 2
    assert ran.out == "Why will Ada accuse Ben at time 3?\n"
    assert ran.err.startswith(f"not written: {path}:1")
    assert message in ran.err
    assert ran.err.count("\n") == 1


def test_choices_that_a_graph_has_not_are_not_written(
    solver: Solver, tmp_path: Path, data: Path
) -> None:
    asked: dict[str, object] = {
        "kind": "fact-reasoning",
        "query": [["Belmora", "Consult", "Ösvik"]],
    }
    asked |= {"time": "2033-05-29", "choices": [{"fact": NAMED}, {"fact": ["Belmore", *NAMED[1:]]}]}
    path = written(tmp_path / "queries.jsonl", asked, {"fact": LABELLED})
    ran = solver("realise", *KIND, path, "--data", data)
    assert (ran.status, ran.out) == (2, "")
    first, second = ran.err.splitlines()
    assert first.startswith(f"not written: {path}:1: choice B: found no entity 'Belmore'")
    assert second.startswith(f"not written: {path}:2: found no entity 'Harbour Guild (Belmora)'")
