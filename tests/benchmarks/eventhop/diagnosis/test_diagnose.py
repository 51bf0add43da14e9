"""The command ``diagnose``."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.eventhop.ablations.reasoners import answer, reasoner
from benchmarks.eventhop.cases import read_cases
from grammar.errors import ExitStatus
from solver.cli import run
from solver.eventhop.io import read_records
from solver.eventhop.records import Record
from solver.io.writing import line


@pytest.fixture
def files(tmp_path: Path, right_file: Path) -> list[str]:
    """Answers as if no event lasted, and the items: the example file five times over."""
    data, answers = tmp_path / "items.jsonl", tmp_path / "answers.jsonl"
    records = [record for record in read_records(right_file) if isinstance(record, Record)]
    rows = [
        {"id": f"{time}-{record.id}", "premise": record.premise, "claim": record.claim}
        for time in range(5)
        for record in records
    ]
    data.write_bytes(b"".join(map(line, rows)))
    cases = read_cases([str(data)])
    given = answer(
        [case.item for case in cases.cases], cases.decided, reasoners=[reasoner("no-duration")]
    ).labels["no-duration"]
    output = [
        {"id": case.record.id, "answer": f"The answer is {label}."}
        for case, label in zip(cases.cases, given, strict=True)
    ]
    answers.write_bytes(b"".join(map(line, output)))
    return [str(answers), "--data", str(data)]


def test_the_reasoner_is_named(capsys: pytest.CaptureFixture[str], files: list[str]) -> None:
    assert run(["diagnose", *files, "--json"]) == ExitStatus.OK
    output = json.loads(capsys.readouterr().out)
    first = output["reasoners"][0]
    assert first["name"] == "no-duration"
    assert first["explained_errors"] == first["errors"] > 0
    assert first["behind"] == {"error": 0.0, "value": 0.0}
    assert output["findings"][0].startswith(
        "It answers as if an event's start need not come before its end: 100% of its errors"
    )
    values = [record["log_likelihood"] for record in output["reasoners"]]
    assert values == sorted(values, reverse=True)
    assert run(["diagnose", *files]) == ExitStatus.OK
    assert "an event's start need not come before its end" in capsys.readouterr().out


def test_reports_are_the_same_bytes_each_time(
    repeated: Callable[[Callable[[Path], object]], Path], files: list[str]
) -> None:
    def write(folder: Path) -> None:
        assert run(["diagnose", *files, "--report", str(folder)]) == ExitStatus.OK

    assert sorted(path.name for path in repeated(write).iterdir()) == [
        "agreement.svg",
        "diagnosis.json",
        "diagnosis.md",
        "gold.svg",
        "manifest.json",
        "reasoner.svg",
        "report.html",
    ]


def test_unreadable_answers_are_left_out_and_reported(
    capsys: pytest.CaptureFixture[str], files: list[str]
) -> None:
    answers = Path(files[0])
    rows = [json.loads(row) for row in answers.read_text(encoding="utf-8").splitlines()]
    rows[0]["answer"] = "who knows"
    answers.write_bytes(b"".join(map(line, rows[:-1])))
    assert run(["diagnose", *files, "--json"]) == ExitStatus.VIOLATIONS
    captured = capsys.readouterr()
    output = json.loads(captured.out)
    assert output["answers"] == len(rows) - 2
    assert output["unreadable"] == [rows[0]["id"]]
    assert output["missing"] == [rows[-1]["id"]]
    assert "1 item answered without a label" in captured.err


def test_a_handful_of_answers_is_refused(
    capsys: pytest.CaptureFixture[str], files: list[str]
) -> None:
    answers = Path(files[0])
    rows = answers.read_text(encoding="utf-8").splitlines()[:5]
    answers.write_text("\n".join(rows), encoding="utf-8")
    assert run(["diagnose", *files]) == ExitStatus.UNREADABLE
    assert "5 answers with a label, expected at least 10" in capsys.readouterr().err


EXAMPLE = Path(__file__).parents[4] / "examples" / "reasoners"


def test_a_reasoner_of_a_user(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    own_path = tmp_path / "cautious.lp"
    own_path.write_bytes((EXAMPLE / "cautious.lp").read_bytes())
    data = ("--data", str(EXAMPLE / "items.tsv"), "--json")
    arguments = ["diagnose", str(EXAMPLE / "answers.jsonl"), *data, "--reasoner", str(own_path)]
    assert run(arguments) == ExitStatus.OK
    output = json.loads(capsys.readouterr().out)
    assert output["claimed"]
    first = output["reasoners"][0]
    assert first["name"] == "cautious"
    assert first["meaning"].startswith("A reasoner that calls a claim undefined unless")
    assert all(record["decisive"]["low"] > 0.5 for record in output["reasoners"][1:])


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("mine.lp", "label(I,maybe) :- claim(I,_,_,_).", "is not label(Item,true|false|undefined)"),
        ("mine.lp", "label(I,true) :- claim(I,before,_,_).", "5 labels for 15 items, expected one"),
        ("mine.lp", "label(I,true) :- claim(I,_,_,_)", "error"),
        ("mine.lp", ":- claim(_,_,_,_).", "no stable model"),
        ("mine.lp", "a(0). a(X+1) :- a(X).", "found more than 20,000 ground rules, expected"),
        ("mine.lp", "#script (python) #end.", "found #script, expected rules alone"),
        ("mine.lp", '#include "temporal/nothing.lp".', "nothing.lp"),
        ("global.lp", "label(I,true) :- claim(I,_,_,_).", "named global, which there is already"),
        ("absent/mine.lp", None, "cannot be read"),
    ],
)
def test_files_that_are_no_reasoners(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    name: str,
    text: str | None,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("benchmarks.eventhop.ablations.reasoners._LARGEST", 20_000)
    own_path = tmp_path / name
    if text is not None:
        own_path.write_text(f"{text}\n", encoding="utf-8")
    few = []
    for file in ("answers.jsonl", "items.tsv"):
        few.append(tmp_path / file)
        few[-1].write_bytes(b"".join((EXAMPLE / file).read_bytes().splitlines(keepends=True)[:15]))
    data = ("--data", str(few[1]), "--reasoner", str(own_path))
    assert run(["diagnose", str(few[0]), *data]) == ExitStatus.UNREADABLE
    error = capsys.readouterr().err
    assert message in error
    assert "Traceback" not in error
