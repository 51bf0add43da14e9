"""The command ``answer``: from texts to a file of answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from benchmarks.questions.cli import answer as command
from benchmarks.questions.run import AnswerConfig
from grammar.errors import HopcheckError
from solver.cli import run
from solver.graph.model import Dataset, Vocabulary
from solver.rules.history import GraphSizeError
from solver.rules.model import RuleTable

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "questions" / "graph"


def answered(source: Path, out: Path, *options: str) -> Result:
    arguments = [str(source), "--data", str(EXAMPLE), "--out", str(out), *options]
    return CliRunner().invoke(command, arguments)


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


@pytest.mark.parametrize(
    "options",
    [
        ("--observe", "all"),
        ("--observe", "past", "--by", "rules", "--threshold", "0.5"),
        ("--observe", "past", "--by", "recency", "--threshold", "0.5"),
    ],
)
def test_gold_answers_are_not_looked_at(
    folder: Path, tmp_path: Path, options: tuple[str, ...]
) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    (bare / "rules.jsonl").write_bytes((folder / "rules.jsonl").read_bytes())
    with (bare / "test.jsonl").open("w", encoding="utf-8") as file:
        for row in rows(folder / "test.jsonl"):
            record = {"id": row["id"], "text": row["text"]}
            record["choices"] = [{"text": entry["text"]} for entry in row.get("choices", ())]
            file.write(json.dumps(record) + "\n")
    whole, blank = tmp_path / "whole.jsonl", tmp_path / "blank.jsonl"
    assert answered(folder, whole, *options).exit_code == 0
    assert answered(bare, blank, *options).exit_code == 0
    assert whole.read_bytes() == blank.read_bytes()


def test_answers_stand_as_the_questions_do(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl.gz"
    result = answered(folder, out, "--observe", "past", "--by", "frequency", "--json")
    assert result.exit_code == 0
    figures = json.loads(result.stdout)
    assert figures["threshold"] is None, "no triple of a question held before"
    assert sum(figures["questions"].values()) == len(rows(folder / "test.jsonl"))
    plain = tmp_path / "answers.jsonl"
    assert answered(folder, plain, "--observe", "past", "--by", "frequency").exit_code == 0
    ids = [row["id"] for row in rows(plain)]
    assert ids == [row["id"] for row in rows(folder / "test.jsonl")]


def test_parquet_and_one_file_are_answered_alike(folder: Path, tmp_path: Path) -> None:
    valid = ("--tune", str(folder / "valid.jsonl"), "--rules", str(folder / "rules.jsonl"))
    outs = [tmp_path / f"{number}.jsonl" for number in range(3)]
    sources = (folder, folder / "test.jsonl", folder / "test.parquet")
    for source, out in zip(sources, outs, strict=True):
        assert answered(source, out, "--observe", "past", *valid).exit_code == 0
    assert len({out.read_bytes() for out in outs}) == 1


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": "q"}', "text"),
        ('{"id": 1, "text": "Who?"}', "1:8"),
        ('{"id": "q", "text"', "broken JSON"),
        ('{"id": "q", "text": "Why not?"}', "1: q: question:1:"),
        (
            '{"id": "q", "text": "Which party will accuse Belmoro on 2033-06-01?"}',
            "1: q: question:1:25: found no entity 'Belmoro', expected one of the graph (near: ",
        ),
        (
            '{"id": "q", "text": "Which party will accuse Belmora on 2043-06-01?"}',
            "1: q: question:1:36: found no time '2043-06-01'",
        ),
        (
            '{"id": "q", "text": "Why will Arvenia accuse Belmora on 2033-06-01?", "choices": ['
            '{"text": "Arvenia accused Belmora on 2033-05-01."},'
            '{"text": "Arvenia accused Belmoro on 2033-05-01."},'
            '{"text": "Arvenia accused Belmora on 2033-05-01."},'
            '{"text": "Arvenia accused Belmora on 2033-05-01."}]}',
            "1: q: choice B: statement:1:17: found no entity 'Belmoro'",
        ),
        (
            '{"id": "q", "text": "Why will Arvenia accuse Belmora on 2033-06-01?", "choices": ['
            '{"text": "No."}, {"text": ""}, {"text": ""}, {"text": ""}]}',
            "1: q: choice A: statement:1:3: found",
        ),
        (
            '{"id": "q", "text": "Which of these events makes it most likely that Arvenia will '
            'accuse Belmora on 2033-06-01?"}',
            "1: q: found 0 choices, expected 4",
        ),
    ],
)
def test_what_is_refused(tmp_path: Path, line: str, message: str) -> None:
    questions = tmp_path / "questions.jsonl"
    questions.write_text(line + "\n", encoding="utf-8")
    result = answered(questions, tmp_path / "out.jsonl", "--observe", "all")
    assert isinstance(result.exception, HopcheckError)
    assert str(result.exception).startswith(f"{questions}:1")
    assert message in str(result.exception)
    assert "\n" not in str(result.exception)
    assert not (tmp_path / "out.jsonl").exists()


def test_too_large_graph() -> None:
    words = Vocabulary(entities=10**9, relations=100, times=1000)
    means = AnswerConfig(
        dataset=Dataset(name="huge", vocabulary=words),
        basis=None,
        rules=RuleTable.of(()),
        reasoning=RuleTable.of(()),
    )
    with pytest.raises(GraphSizeError, match="found a graph too large"):
        means.answerer()


def test_ids_that_are_there_twice(folder: Path, tmp_path: Path) -> None:
    questions = tmp_path / "questions.jsonl"
    line = (folder / "test.jsonl").read_bytes().splitlines()[0]
    questions.write_bytes(line + b"\n" + line + b"\n")
    result = answered(questions, tmp_path / "out.jsonl", "--observe", "all")
    assert str(result.exception).startswith(f"{questions}:2: id: found")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--observe", "all", "--by", "rules"), "--by requires --observe past"),
        (("--observe", "past"), "found no rules to forecast with"),
        (("--observe", "all"), "pass --reasoning-rules"),
        (("--observe", "past", "--by", "recency"), "pass --threshold or --tune"),
        (("--observe", "past", "--by", "recency", "--threshold", "nan"), "not a finite number"),
    ],
)
def test_usage(
    folder: Path,
    tmp_path: Path,
    options: tuple[str, ...],
    message: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    source, out = folder / "test.jsonl", tmp_path / "out.jsonl"
    assert run(["answer", str(source), "--data", str(EXAMPLE), "--out", str(out), *options]) == 2
    assert message in capsys.readouterr().err
