"""``forecast`` on the command line: folder, output and errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from generators.facts.outcome import Outcome
from grammar.errors import ExitStatus
from solver.cli import run
from solver.io.sources import sha256

DAYS = ("--from", "2031-01-01", "--to", "2031-01-31")
FILES = {
    "facts.tsv",
    "facts.jsonl",
    "history.tsv",
    "role_rules.jsonl",
    "rules.jsonl",
    "manifest.json",
    "report.html",
}


def test_the_folder(
    careers: Path, schema: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "future"
    arguments = ["forecast", str(careers), "--schema", str(schema), *DAYS, "--out", str(out)]
    assert run(arguments) == ExitStatus.OK
    output = capfd.readouterr().out
    assert "total variation distance to 2030" in output
    assert "certificates, 0 violations" in output
    assert {path.name for path in out.iterdir()} == FILES
    rows = [line.split("\t") for line in (out / "facts.tsv").read_text().splitlines()]
    lines = [json.loads(line) for line in (out / "facts.jsonl").read_text().splitlines()]
    keys = ("subject", "relation", "object", "date")
    assert rows == [[line[key] for key in keys] for line in lines]
    assert all("2031-01-01" <= row[3] <= "2031-01-31" for row in rows)
    known = {*(out / "history.tsv").read_text().splitlines(), *map("\t".join, rows)}
    assert all("\t".join(fact) in known for line in lines for fact in line["grounding"])
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["figures"]["facts"] == len(rows) > 10
    assert manifest["figures"]["violations"] == {}
    assert manifest["config"]["begin"] == "2031-01-01"
    assert str(tmp_path) not in (out / "manifest.json").read_text()
    inputs = {entry["name"]: entry["sha256"] for entry in manifest["inputs"]}
    assert inputs[careers.name] == sha256(careers)
    assert inputs["relations.csv"] == sha256(schema / "relations.csv")
    assert inputs["classes.csv"] == sha256(schema / "classes.csv")
    page = (out / "report.html").read_text()
    assert all(
        word in page
        for word in ("Facts per day", "Compared with 2030", "Confidence", "endMemberOf")
    )
    check = ["verify", str(out / "facts.tsv"), "--kind", "facts", "--schema", str(schema)]
    check += ["--history", str(out / "history.tsv"), "--window", "2031-01-01", "2031-01-31"]
    assert run([*check, "--json"]) == ExitStatus.OK


def test_without_coherency_violations_are_reported(
    careers: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "future"
    arguments = ["forecast", str(careers), *DAYS, "--no-coherency", "--json", "--out", str(out)]
    arguments.append("--published")
    assert run(arguments) == ExitStatus.VIOLATIONS
    output = json.loads(capfd.readouterr().out)
    assert sum(output["violations"].values()) > 0
    check = ["verify", str(out / "facts.tsv"), "--kind", "facts"]
    check += ["--history", str(out / "history.tsv"), "--json"]
    assert run(check) == ExitStatus.VIOLATIONS
    assert json.loads(capfd.readouterr().out)["violations"] == output["violations"]


def test_the_same_bytes(careers: Path, tmp_path: Path) -> None:
    outs = [tmp_path / name / "future" for name in ("one", "two")]
    for jobs, out in enumerate(outs, start=1):
        assert run(["forecast", str(careers), *DAYS, "--jobs", str(jobs), "--out", str(out)]) == 0
    for name in FILES:
        assert (outs[0] / name).read_bytes() == (outs[1] / name).read_bytes(), name


def test_rules_of_a_file(
    careers: Path, plain: Outcome, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    rules = tmp_path / "rules.jsonl"
    assert run(["mine", str(careers), "--lengths", "1", "--out", str(rules), "--json"]) == 0
    capfd.readouterr()
    out = tmp_path / "future"
    arguments = ["forecast", str(careers), "--rules", str(rules), *DAYS, "--json"]
    assert run([*arguments, "--out", str(out)]) == ExitStatus.OK
    output = json.loads(capfd.readouterr().out)
    assert output["rules"] < plain.rules
    lines = [json.loads(line) for line in (out / "facts.jsonl").read_text().splitlines()]
    assert {len(line["grounding"]) for line in lines if "rule_number" in line} == {1}


def test_a_graph_of_ids_and_days(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    graph = Path(__file__).resolve().parents[3] / "examples" / "tkg"
    days = ("--from", "2031-05-11", "--to", "2031-05-12", "--reference", "2031")
    assert run(["forecast", str(graph), *days, "--out", str(tmp_path / "future")]) == 2
    output = capfd.readouterr().err
    assert output.startswith("error: ")
    assert "no facts could be forecast, of 0 requested" in output


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--from", "2031-02-30", "--to", "2031-03-01"), "'2031-02-30' does not match the format"),
        (("--from", "2031-02-02", "--to", "2031-02-01"), "the last day is before the first one"),
        (("--from", "2020-01-01", "--to", "2020-01-02"), "found no facts before 2020-01-01"),
        ((*DAYS, "--reference", "1999"), "found no facts of 1999, expected a year from 2029"),
        ((*DAYS, "--rules", "missing.json"), "missing.json"),
        ((*DAYS, "--schema", "missing"), "missing: no such file or directory, expected a folder"),
        ((*DAYS, "--subjects", "0"), "0 is not in the range"),
    ],
)
def test_bad_input_is_refused(
    arguments: tuple[str, ...],
    expected: str,
    careers: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / "future"
    assert run(["forecast", str(careers), *arguments, "--out", str(out)]) == ExitStatus.UNREADABLE
    output = capfd.readouterr().err
    assert expected in output
    assert "Traceback" not in output
    assert not out.exists()


def test_times_without_dates_are_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    graph = tmp_path / "graph.txt"
    graph.write_text("0\t0\t1\t0\n")
    assert run(["forecast", str(graph), *DAYS, "--out", str(tmp_path / "future")]) == 2
    assert "found no dates, expected times such as 2014-01-31" in capfd.readouterr().err
