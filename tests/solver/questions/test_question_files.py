"""Questions and tables of 2-hop rules are read as they were written."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from grammar.questions.model import Arc, QuestionKind, Role
from solver.cli import run
from solver.graph.model import Split
from solver.io.sources import InputError
from solver.questions.io import (
    BrokenQuestion,
    placed_questions,
    question_files,
    read_questions,
    write_parquet_questions,
    write_questions,
)
from solver.questions.model import (
    ASKED,
    PARTY,
    UNKNOWN,
    Certificate,
    Choice,
    Question,
    TwoHopRule,
    read_two_hop_rules,
    write_two_hop_rules,
)

FACT = ("Élan,_Ltd.", "r", "B", "3")
CHOICES = tuple(Choice(text=f"text {n}", fact=("a", "r", "b", str(n))) for n in range(4))
QUESTIONS = [
    Question(
        id="one",
        kind=QuestionKind.ONE_HOP,
        split=Split.TRAIN,
        time="3",
        text='Who "r" — B?',
        query=((ASKED, "r", "B"),),
        answers=("Élan,_Ltd.",),
        certificate=Certificate(facts=(FACT,)),
    ),
    Question(
        id="two",
        kind=QuestionKind.TWO_HOP,
        split=Split.VALID,
        time="4",
        text="Who else?",
        query=((PARTY, "r", "B"), (ASKED, "q", PARTY)),
        answers=("C", "D"),
        rule=0,
    ),
    Question(
        id="three",
        kind=QuestionKind.YES_UNKNOWN,
        split=Split.TEST,
        time="3",
        text="Will it?",
        query=(("a", "r", "c"),),
        answers=(UNKNOWN,),
        certificate=Certificate(source=FACT),
    ),
    Question(
        id="four",
        kind=QuestionKind.FACT_REASONING,
        split=Split.TEST,
        time="9",
        text="Why?",
        query=(("a", "r", "c"),),
        answers=("C",),
        choices=CHOICES,
        order="CABD",
        certificate=Certificate(contributions=(3, 2, 9, 1), rules=(0, 7, 7, 2)),
    ),
]


@pytest.mark.parametrize("name", ["test.jsonl", "test.jsonl.gz", "test.parquet"])
def test_each_format_keeps_everything(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    write = write_parquet_questions if name.endswith("parquet") else write_questions
    write(path, QUESTIONS)
    assert list(read_questions(path)) == QUESTIONS
    before = path.read_bytes()
    write(path, list(read_questions(path)))
    assert path.read_bytes() == before
    assert question_files(tmp_path) == [path]


def test_a_line_has_what_applies_to_its_kind(tmp_path: Path) -> None:
    path = tmp_path / "test.jsonl"
    write_questions(path, QUESTIONS)
    name, two, three, four = path.read_text().splitlines()
    for absent, line in (("rule", name), ("certificate", two), ("choices", three), ("rule", four)):
        assert f'"{absent}"' not in line.replace('"rules"', "")
    assert two.startswith('{"answers":["C","D"],"id":"two","kind":"2-hop","query":[["?party"')


def test_a_broken_row_does_not_keep_the_others_from_being_read(tmp_path: Path) -> None:
    path = tmp_path / "test.jsonl"
    write_questions(path, QUESTIONS)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], "", lines[1].replace('"rule":0', '"rule":-1'), lines[2]]))
    placed = list(placed_questions(path))
    assert [question.place.line for question in placed] == [1, 3, 4]
    broken = placed[1].read
    assert isinstance(broken, BrokenQuestion)
    assert str(broken.error).startswith(f"{path}:3:")
    assert [question.read for question in placed[::2]] == [QUESTIONS[0], QUESTIONS[2]]


@pytest.mark.parametrize(
    ("number", "right", "wrong", "message"),
    [
        (0, '"id":"one"', '"id":""', "id: found '', expected a name"),
        (0, '"answers"', '"rule":0,"answers"', "rule: found 0, expected nothing"),
        # Logic counts to 2^31.
        (1, '"rule":0', '"rule":2147483648', "rule: found 2147483648, expected a row of the rules"),
        (1, '"rule":0', '"rule":-1', "rule: found -1, expected a row of the rules"),
        (1, ',"rule":0', "", "rule: found nothing, expected a row of the rules"),
    ],
)
def test_parts_that_a_question_cannot_have(
    tmp_path: Path, number: int, right: str, wrong: str, message: str
) -> None:
    path = tmp_path / "test.jsonl"
    write_questions(path, QUESTIONS[number : number + 1])
    text = path.read_text()
    assert right in text
    path.write_text(text.replace(right, wrong))
    (read,) = read_questions(path)
    assert isinstance(read, BrokenQuestion)
    assert str(read.error).startswith(f"{path}:1:")
    assert message in str(read.error)


def test_folder_without_questions(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="found no questions, expected one of train"):
        question_files(tmp_path)


RULES = tuple(
    TwoHopRule(
        given=Arc(relation="Make_a_visit", shared=role),
        asked=Arc(relation="Consult", shared=role.other),
        rule_support=3,
        body_support=4,
        use=role is Role.OBJECT,
    )
    for role in Role
)


def test_a_table_of_rules_keeps_everything(tmp_path: Path) -> None:
    path = tmp_path / "rules.tsv"
    write_two_hop_rules(path, RULES)
    assert read_two_hop_rules(path) == RULES


Spoil = Callable[[str], str]

BAD_TABLES: dict[str, tuple[Spoil, str]] = {
    "nothing": (lambda _: "", ":1:1: found nothing, expected the columns"),
    "another heading": (lambda text: "a\tb\n" + text, ":1:1: found 'a"),
    "too few columns": (lambda text: f"{text}0\tConsult\n", ":4:1: found 2 columns"),
    "another role": (lambda text: text.replace("\tobject", "\tneither", 1), "found 'neither'"),
    "perhaps": (lambda text: text.replace("\tno\n", "\tperhaps\n"), "found 'perhaps'"),
    "a count that is none": (lambda text: text.replace("\t4\t", "\t-4\t", 1), "found '-4'"),
}


@pytest.mark.parametrize(("spoil", "message"), BAD_TABLES.values(), ids=BAD_TABLES)
def test_bad_tables_are_reported_with_their_place(
    tmp_path: Path, spoil: Spoil, message: str
) -> None:
    path = tmp_path / "rules.tsv"
    write_two_hop_rules(path, RULES)
    text = spoil(path.read_text())
    assert text != path.read_text()
    path.write_text(text)
    with pytest.raises(InputError) as error:
        read_two_hop_rules(path)
    assert str(error.value).startswith(f"{path}:")
    assert message in str(error.value)


def test_a_text_that_is_parsed_keeps_its_id(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, path = "Who will Ada Brook host a visit by on 2026-01-11?", tmp_path / "texts.jsonl"
    rows = [{"id": "q1", "text": text}, {"text": text}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert run(["parse", "--kind", "questions", str(path)]) == 0
    named, unnamed = map(json.loads, capsys.readouterr().out.splitlines())
    assert named == unnamed | {"id": "q1"}
    assert "id" not in unnamed
