"""``verify --kind questions`` on the command line: what is printed, refused and given back."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grammar.errors import ExitStatus
from grammar.questions.model import QuestionKind
from solver.questions import verify as questions_deciding
from solver.questions.io import (
    RULES,
    TEST,
    TWO_HOP_RULES,
    read_questions,
    write_parquet_questions,
    write_questions,
)
from solver.questions.model import Question
from solver.rules.application import PlainApplication
from solver.rules.history import ReachedEntities

Solver = Callable[..., Any]
Asked = Any
HOP, HOPS = QuestionKind.ONE_HOP, QuestionKind.TWO_HOP
WHETHER, WHY = QuestionKind.YES_UNKNOWN, QuestionKind.FACT_REASONING


def test_what_was_made_is_right(solver: Solver, made: Path, data: Path) -> None:
    ran = solver("verify", "--kind", "questions", made, "--data", data)
    assert ran.status == ExitStatus.OK
    assert "engines asp and join agree" in ran.out
    assert "right: each answer follows, none is missing" in ran.out
    assert all(f"\n{kind}: " in ran.out for kind in QuestionKind)


def test_a_rule_that_a_curator_refuses(asked: Asked) -> None:
    table = asked.folder / TWO_HOP_RULES
    rows = table.read_text().splitlines()
    row = min(question.rule for question in asked.of(HOPS) if question.rule is not None)
    rows[row + 1] = rows[row + 1].removesuffix("yes") + "no"
    table.write_text("\n".join(rows) + "\n")
    codes, named = asked.verified()
    assert codes == {"rule-refused"}
    assert named == {question.id for question in asked.of(HOPS) if question.rule == row}


def test_splits_of_the_graph_that_overlap(asked: Asked, data: Path, tmp_path: Path) -> None:
    overlapping = Path(shutil.copytree(data, tmp_path / "graph"))
    last = (data / "test.tsv").read_text().splitlines()[-1]
    with (overlapping / "train.tsv").open("a") as file:
        file.write(f"{last}\n")
    codes, named = asked.verified(overlapping)
    assert codes == {"splits-overlap"}
    day = last.split("\t")[3]
    assert named == {question.id for question in asked.every() if question.time == day}


def test_a_file_that_the_manifest_does_not_mean(
    solver: Solver, made: Path, data: Path, tmp_path: Path
) -> None:
    copied = Path(shutil.copytree(made, tmp_path / "asked"))
    with (copied / RULES).open("a") as file:
        file.write("\n")
    verify = ("verify", "--kind", "questions", copied, "--data", data, "--json")
    assert solver(*verify).status == ExitStatus.UNREADABLE
    ran = solver(*verify, "--unsealed")
    assert ran.status == ExitStatus.VIOLATIONS
    assert ran.json["violations"] == {"digest-differs": 1}


def test_parquet_is_read_alike(solver: Solver, made: Path, data: Path, tmp_path: Path) -> None:
    every = [question for question in read_questions(made / TEST) if isinstance(question, Question)]
    path = tmp_path / "test.parquet"
    write_parquet_questions(path, [replace(every[0], answers=("Stranger",)), *every[1:]])
    rules = ("--rules", made / RULES, "--json")
    ran = solver("verify", "--kind", "questions", path, "--data", data, *rules)
    assert ran.status == ExitStatus.VIOLATIONS
    assert ran.json["questions"] == len(every)
    assert ran.json["violations"] == {"unknown-name": 1}


def test_processes_do_not_matter(solver: Solver, asked: Asked, data: Path) -> None:
    for kind in (HOP, HOPS):
        question = asked.of(kind)[0]
        other = next(each for each in asked.of(kind) if each.answers != question.answers)
        asked.put(question, replace(question, answers=other.answers))
    ran = [
        solver("verify", "--kind", "questions", asked.folder, "--data", data, "--jobs", jobs)
        for jobs in (1, 2)
    ]
    assert ran[0].out == ran[1].out
    assert ran[0].status == ExitStatus.VIOLATIONS


def test_what_asks_the_same_is_decided_together(
    asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For any batch size, and any positions of the two in the file."""
    monkeypatch.setattr(questions_deciding, "BATCH", 1)
    few = asked.of(WHETHER)[:10]
    first, *_, last = few
    write_questions(asked.folder / TEST, few)
    asked.put(last, last, replace(first, id="again"))
    assert asked.verified() == ({"repeated-question"}, {"again"})


def test_engines_that_differ_stop_the_run(
    solver: Solver, made: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(PlainApplication, "_reach", _nothing_reached)
    ran = solver("verify", "--kind", "questions", made, "--data", data)
    assert ran.status == ExitStatus.DISAGREEMENT
    assert "engines disagree: not_ranked_first() is found by asp alone" in ran.err
    assert "reasons(" in (tmp_path / "disagreement-questions.lp").read_text()


def _nothing_reached(*_: object) -> ReachedEntities:
    import numpy as np

    nothing = np.empty(0, dtype=np.int64)
    return ReachedEntities(asker=nothing, entity=nothing, time=nothing)


BAD = {
    "nothing": (b"", ":1:1: found nothing, expected questions"),
    "binary": (b"\x00\x01\xff\xfe", ":1:1: found binary data"),
    "another encoding": (b"{}\xff", ":1:3: found byte 0xff"),
    "a broken line": (b'{"id": "a", ', ":1:13: broken JSON"),
    "an array": (b"[1, 2]\n", ":1:1: broken JSON"),
    "another kind of file": (b'{"head": 1, "body": [2]}\n', "missing required field"),
    "a number for a text": (b'{"id": 3}\n', ":1:8: broken JSON"),
    "a kind that there is not": (b'{"id": "a", "kind": "3-hop"}\n', ":1:21: broken JSON"),
}


@pytest.mark.parametrize(("content", "message"), BAD.values(), ids=BAD)
def test_bad_files_are_reported_in_a_line(
    solver: Solver, data: Path, tmp_path: Path, content: bytes, message: str
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(content)
    ran = solver("verify", "--kind", "questions", path, "--data", data)
    assert ran.status == ExitStatus.UNREADABLE
    (line,) = ran.err.splitlines()
    assert str(path) in line
    assert message in line


SHAPES = {
    "two triples of one hop": (HOP, {"query": [["?answer", "r", "a"]] * 2}, "query: found"),
    "nothing asked": (HOP, {"query": [["b", "r", "a"]]}, "query: found"),
    "no rule": (HOPS, {"rule": None}, "rule: found nothing"),
    "perhaps": (WHETHER, {"answers": ["perhaps"]}, "answers: found 'perhaps', expected one of yes"),
    "three choices": (WHY, {"choices": []}, "choices: found 0, expected 4"),
    "an order of three": (WHY, {"order": "ABC"}, "order: found 'ABC', expected each of"),
    "two letters": (WHY, {"answers": ["A", "B"]}, "answers: found 'A, B'"),
}


@pytest.mark.parametrize(("kind", "fields", "message"), SHAPES.values(), ids=SHAPES)
def test_questions_of_another_shape(
    solver: Solver,
    asked: Asked,
    data: Path,
    kind: QuestionKind,
    fields: dict[str, Any],
    message: str,
) -> None:
    lines = (asked.folder / TEST).read_text().splitlines()
    number = next(n for n, line in enumerate(lines) if json.loads(line)["kind"] == kind)
    lines[number] = json.dumps(json.loads(lines[number]) | fields)
    (asked.folder / TEST).write_text("\n".join(lines))
    ran = solver("verify", "--kind", "questions", asked.folder, "--data", data)
    assert ran.status == ExitStatus.UNREADABLE
    (line,) = ran.err.splitlines()
    assert line.startswith(f"{asked.folder / TEST}:{number + 1}:")
    assert message in line


def test_rows_that_cannot_be_read_are_not_right(solver: Solver, data: Path, tmp_path: Path) -> None:
    path = tmp_path / "broken.jsonl"
    path.write_text("{}\n")
    report = tmp_path / "report"
    ran = solver("verify", "--kind", "questions", path, "--data", data, "--report", report)
    assert ran.status == ExitStatus.UNREADABLE
    assert "right: " not in ran.out
    assert ran.out.endswith("unread: 1 row\n")
    page = (report / "report.html").read_text()
    assert "<h1>0 questions: 1 row unread</h1>" in page
    assert "each answer follows" not in page


def test_reasoning_without_rules(solver: Solver, made: Path, data: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(made / TEST, tmp_path / "alone.jsonl"))
    ran = solver("verify", "--kind", "questions", path, "--data", data)
    assert ran.status == ExitStatus.UNREADABLE
    assert "fact-reasoning questions, no rules (pass the rules with --rules FILE)" in ran.err
    assert ran.out == ""


def test_what_is_not_there(solver: Solver, made: Path, data: Path, tmp_path: Path) -> None:
    for arguments in (
        (made, "--data", tmp_path / "no"),
        (tmp_path, "--data", data),
        (tmp_path / "no.jsonl", "--data", data),
        (made, "--data", data, "--rules", tmp_path / "no.jsonl"),
    ):
        ran = solver("verify", "--kind", "questions", *arguments)
        assert ran.status == ExitStatus.UNREADABLE
        assert len(ran.err.splitlines()) == 1
