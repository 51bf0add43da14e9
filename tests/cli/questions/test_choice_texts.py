"""``parse --kind questions``: the choices of a question, and one alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from solver.questions.io import write_parquet_questions, write_questions
from solver.questions.model import Choice, Question

Solver = Callable[..., Any]
KIND = ("--kind", "questions")
CHOICES = {
    0: "Harbour Guild (Belmora) threatened Ösvik on 2033-05-29.",
    1: "On 2033-05-29, Harbour Guild (Belmora) threatened Ösvik.",
}
LABELLED = ["Harbour Guild (Belmora)", "Threaten", "Ösvik", "2033-05-29"]
NAMED = ["Harbour_Guild_(Belmora)", *LABELLED[1:]]
QUESTION = "Why will Belmora consult Ösvik on 2033-05-29?"


def objects(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def written(path: Path, *lines: object) -> Path:
    texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


@pytest.mark.parametrize("variant", CHOICES)
def test_a_choice_is_parsed(solver: Solver, variant: int) -> None:
    ran = solver("parse", *KIND, "--choice", CHOICES[variant])
    assert (ran.status, ran.err) == (0, "")
    assert ran.json == {"fact": LABELLED, "variant": variant}


def test_a_graph_lends_a_choice_its_names(solver: Solver, data: Path) -> None:
    ran = solver("parse", *KIND, "--choice", CHOICES[1], "--data", data)
    assert ran.json == {"fact": NAMED, "variant": 1}


def test_unknown_names_of_a_choice(solver: Solver, data: Path) -> None:
    text = "On 2033-07-29, Belmore tortured Ösvik."
    ran = solver("parse", *KIND, "--choice", text, "--data", data)
    assert (ran.status, ran.out) == (2, "")
    time, entity, relation = ran.err.splitlines()
    assert time.startswith("error: statement:1:4: found no time '2033-07-29'")
    assert "near: 2033-0" in time
    assert entity.startswith("error: statement:1:16: found no entity 'Belmore'")
    assert entity.endswith("(near: Belmora)")
    assert relation.startswith("error: statement:1:24: found no relation 'Torture'")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (QUESTION, "error: statement:1:"),
        ("", "error: statement:1:1: found the end of the text, expected a statement"),
        (CHOICES[0].replace("ened", "end"), 'error: statement:1:25: found "threatend"'),
        ("Ben accused Ada accused Cleo at time 3.", "error: statement:1:1: found 2 readings"),
    ],
)
def test_non_choices_are_rejected(solver: Solver, text: str, message: str) -> None:
    ran = solver("parse", *KIND, "--choice", text)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(message)
    assert ran.err.count("\n") == 1


def test_a_graph_settles_two_readings_of_a_choice(solver: Solver, tmp_path: Path) -> None:
    graph = written(tmp_path / "graph.tsv", "Ben\tAccuse\tAda_accused_Cleo\t3")
    text = "Ben accused Ada accused Cleo at time 3."
    ran = solver("parse", *KIND, "--choice", text, "--data", graph)
    assert ran.json == {"fact": ["Ben", "Accuse", "Ada_accused_Cleo", "3"], "variant": 0}


@pytest.mark.parametrize(
    "arguments",
    [
        ("file", "--choice", CHOICES[0]),
        ("--question", QUESTION, "--choice", CHOICES[0]),
        ("file", "--question", QUESTION, "--choice", CHOICES[0]),
    ],
)
def test_one_thing_is_parsed_at_a_time(solver: Solver, arguments: tuple[str, ...]) -> None:
    ran = solver("parse", *KIND, *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert "Give one of PATH, --question and --choice" in ran.err


@pytest.mark.parametrize("ending", ["jsonl", "jsonl.gz", "parquet"])
def test_choices_of_a_data_set_are_read(
    solver: Solver, tmp_path: Path, data: Path, reasoning: Question, ending: str
) -> None:
    path = tmp_path / f"some.{ending}"
    write = write_parquet_questions if ending == "parquet" else write_questions
    write(path, [reasoning])
    ran = solver("parse", *KIND, path, "--data", data)
    assert (ran.status, ran.err) == (0, "")
    assert ran.json["id"] == reasoning.id
    assert [choice["fact"] for choice in ran.json["choices"]] == [
        list(choice.fact) for choice in reasoning.choices
    ]


def test_unparsable_choices_have_letter_and_place(
    solver: Solver, tmp_path: Path, data: Path, reasoning: Question
) -> None:
    first, second, third, last = reasoning.choices
    spoiled = (
        first,
        Choice(text="Belmore threatened Ösvik on 2033-05-28.", fact=second.fact),
        Choice(text="Belmora threatend Ösvik on 2033-05-28.", fact=third.fact),
        last,
    )
    question = replace(reasoning, choices=spoiled)
    path = tmp_path / "some.jsonl"
    write_questions(path, [question, reasoning])
    line = path.read_text(encoding="utf-8").splitlines()[0]
    ran = solver("parse", *KIND, path, "--data", data)
    assert ran.status == 2
    assert len(objects(ran.out)) == 1, "the other question"
    name, phrase = ran.err.splitlines()
    at = f"unparsed: {path}:1"
    assert name.startswith(f"{at}:{line.index('Belmore') + 1}: choice B: found no entity 'Belmore'")
    assert name.endswith("(near: Belmora)")
    assert phrase.startswith(f'{at}:{line.index("threatend") + 1}: choice C: found "threatend"')
    write_parquet_questions(tmp_path / "some.parquet", [question])
    ran = solver("parse", *KIND, tmp_path / "some.parquet", "--data", data)
    assert ran.err.splitlines()[0].startswith(
        f"unparsed: {tmp_path / 'some.parquet'}:1: choice B: column 1 of the text: found no entity"
    )


def test_a_question_is_placed_behind_its_choices(solver: Solver, tmp_path: Path) -> None:
    # The first "text" of the line is that of a choice, and a key may hide in a string.
    record = {"choices": [{"text": CHOICES[0]}], "note": '"text": "', "text": "What if?"}
    path = written(tmp_path / "one.jsonl", record)
    ran = solver("parse", *KIND, path)
    column = path.read_text(encoding="utf-8").index("What if?") + 1
    assert ran.err.startswith(f"unparsed: {path}:1:{column}: found")


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ([{"text": CHOICES[0]}, {"fact": LABELLED}], "choice B: found no text of a choice"),
        ([{"text": 3}], "choice A: found no text of a choice"),
        ([{"text": CHOICES[0]}] * 5, "found 5 choices, expected at most 4"),
        ({}, "found no text of a question"),
    ],
)
def test_choices_without_texts(
    solver: Solver, tmp_path: Path, choices: object, message: str
) -> None:
    path = written(tmp_path / "one.jsonl", {"choices": choices, "text": QUESTION})
    ran = solver("parse", *KIND, path)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"unparsed: {path}:1")
    assert message in ran.err
    assert ran.err.count("\n") == 1


def test_choices_of_plain_text_have_places(solver: Solver, tmp_path: Path) -> None:
    lines = (
        f"  A. {CHOICES[0]}",
        QUESTION,
        f"  A. {CHOICES[0]}",
        "  B. Belmora threatend Ösvik on 2033-05-28.",
        QUESTION,
        f"  B. {CHOICES[0]}",
        json.dumps({"text": QUESTION}),
        f"  A. {CHOICES[0]}",
    )
    path = written(tmp_path / "plain.txt", *lines)
    ran = solver("parse", *KIND, path)
    assert ran.status == 2
    assert [entity.get("choices") for entity in objects(ran.out)] == [None, None]
    first, second, third, last = ran.err.splitlines()
    assert first.startswith(f"unparsed: {path}:1:3: found choice A, expected a question")
    column = lines[3].index("threatend") + 1
    assert second.startswith(f'unparsed: {path}:4:{column}: choice B: found "threatend"')
    assert third.startswith(
        f"unparsed: {path}:6:3: found choice B, expected a question or choice A"
    )
    assert last.startswith(f"unparsed: {path}:8:3: found choice A, expected a question")
