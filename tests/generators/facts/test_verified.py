"""``verify --kind facts`` on a forecast folder: every certificate is checked."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from generators.facts.files import write_forecast
from generators.facts.outcome import Outcome
from grammar.errors import ExitStatus
from solver.cli import run
from solver.facts import check
from solver.verification.run import verify

Line = dict[str, Any]
Writer = Callable[[Path, list[Line]], None]


@pytest.fixture(scope="module")
def folder(published: Outcome, tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("forecast") / "future"
    write_forecast(home, published, [])
    return home


@pytest.fixture
def future(folder: Path, tmp_path: Path) -> Path:
    """A copy of the folder, to be damaged."""
    return Path(shutil.copytree(folder, tmp_path / "future"))


def lines_of(folder: Path) -> list[Line]:
    return [json.loads(line) for line in (folder / "facts.jsonl").read_text().splitlines()]


@pytest.fixture
def write_lines(renew: Callable[[Path], None]) -> Writer:
    """Writes the certificates of a folder, and renews its checksums."""

    def write(folder: Path, lines: list[Line]) -> None:
        (folder / "facts.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        renew(folder)

    return write


def test_a_forecast_folder_passes(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", "--kind", "facts", str(folder), "--json"]) == ExitStatus.OK
    summary = json.loads(capfd.readouterr().out)
    assert summary["violations"] == {}
    assert summary["figures"]["certificates"] == summary["facts"] == len(lines_of(folder)) > 30


def exchanged(line: Line) -> None:
    line["grounding"] = [[o, r, s, t] for s, r, o, t in line["grounding"]]


def later(line: Line) -> None:
    line["grounding"][-1][3] = line["date"]


def unknown_subject(line: Line) -> None:
    line["grounding"][0][0] = "Nobody"


def empty(line: Line) -> None:
    line["grounding"] = []


def twice(line: Line) -> None:
    line["grounding"].append(line["grounding"][-1])


def other_head(line: Line) -> None:
    head, _, body = line["rule"].partition(" <- ")
    name = "pays" if not head.startswith("pays") else "startMemberOf"
    line["rule"] = f"{name}(A, B) <- {body}"


def other_body(line: Line) -> None:
    line["rule"] = line["rule"].partition(" <- ")[0] + " <- startMemberOf(B, A)"


def unknown_relation(line: Line) -> None:
    line["rule"] = line["rule"].partition(" <- ")[0] + " <- leads(A, B)"


def no_rule(line: Line) -> None:
    line["rule"] = "because"


def leads_nowhere(line: Line) -> None:
    line["rule"] = line["rule"].partition(" <- ")[0] + " <- pays(C, D)"


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (exchanged, "which is unknown"),
        (later, "which is unknown"),
        (unknown_subject, "(Nobody, "),
        (empty, "does not follow by its rule"),
        (other_head, "does not follow by its rule"),
        (other_body, "does not follow by its rule"),
        (unknown_relation, "does not follow by its rule"),
        (no_rule, "has 'because', which is no rule"),
        (leads_nowhere, "which does not lead from the subject to the object"),
    ],
)
def test_invalid_certificates_are_found(
    damage: Callable[[Line], None],
    message: str,
    future: Path,
    write_lines: Writer,
    capfd: pytest.CaptureFixture[str],
) -> None:
    lines = lines_of(future)
    damage(lines[3])
    write_lines(future, lines)
    report = future.parent / "report"
    arguments = ["verify", "--kind", "facts", str(future), "--report", str(report)]
    assert run(arguments) == ExitStatus.VIOLATIONS
    assert "flawed: 1 unsupported" in capfd.readouterr().out
    (violation,) = map(json.loads, (report / "violations.jsonl").read_text().splitlines())
    fact = ", ".join(lines[3][key] for key in ("subject", "relation", "object", "date"))
    assert violation["where"] == f"{future / 'facts.jsonl'}:4"
    assert violation["message"].startswith(f"({fact}) ")
    assert message in violation["message"]
    assert violation["certificate"]["rule"] == lines[3]["rule"]


def test_a_fact_is_cited_once(future: Path, write_lines: Writer) -> None:
    lines = lines_of(future)
    assert all(len(set(map(tuple, line["grounding"]))) == len(line["grounding"]) for line in lines)
    for line in lines:
        twice(line)
    write_lines(future, lines)
    found = verify(future).findings
    assert [finding.code for finding in found] == ["repeated-fact"] * len(lines)
    assert all(finding.message.endswith(" more than once") for finding in found)


def number_too_large(line: Line) -> None:
    line["rule_number"] = 10**6


def number_missing(line: Line) -> None:
    del line["rule_number"]


def number_of_another(line: Line) -> None:
    line["rule_number"] = 0 if line["rule_number"] else 1


def confidence_raised(line: Line) -> None:
    line["confidence"] = min(line["confidence"] + 0.00001, 7.0)


def confidence_missing(line: Line) -> None:
    del line["confidence"]


def rule_confidence_lowered(line: Line) -> None:
    line["rule_confidence"] -= 0.00001


@pytest.mark.parametrize(
    ("damage", "code", "message"),
    [
        (number_too_large, "unknown-rule", "has rule number 1000000, expected 0 to "),
        (number_missing, "unknown-rule", "has rule number None, expected 0 to "),
        (number_of_another, "other-rule", "states another rule than number "),
        (confidence_raised, "wrong-confidence", "has confidence "),
        (confidence_missing, "wrong-confidence", "has confidence None, expected 0."),
        (rule_confidence_lowered, "wrong-rule-confidence", "has rule confidence "),
    ],
)
@pytest.mark.usefixtures("unsealed")  # the figures of the manifest differ as well
def test_wrong_numbers_and_confidences_are_found(
    damage: Callable[[Line], None], code: str, message: str, future: Path, write_lines: Writer
) -> None:
    lines = lines_of(future)
    for line in lines:
        damage(line)
    write_lines(future, lines)
    found = verify(future).findings
    assert [finding.code for finding in found] == [code] * len(lines)
    places = [f"{future / 'facts.jsonl'}:{line + 1}" for line in range(len(lines))]
    assert [finding.where for finding in found] == places
    assert all(message in finding.message for finding in found)


@pytest.fixture(scope="module")
def with_starts(plain: Outcome, tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("forecast") / "starts"
    write_forecast(home, plain, [])
    assert not verify(home).findings
    assert all(fault is None for _, _, fault in check.check_file(str(home)))
    return home


def other_entity(line: Line) -> None:
    line["grounding"][1][2] = "Club 0" if line["grounding"][1][2] != "Club 0" else "Club 1"


def swapped(line: Line) -> None:
    line["grounding"].reverse()


def another_role_rule(line: Line) -> None:
    line["role_rule"] = 0 if line["role_rule"] else 1


def no_role_rule(line: Line) -> None:
    line["role_rule"] = 999


@pytest.mark.parametrize(
    ("damage", "code"),
    [
        (unknown_subject, "unsupported"),
        (other_entity, "unsupported"),
        (swapped, "unsupported"),
        (empty, "unsupported"),
        (another_role_rule, "other-rule"),
        (no_role_rule, "unknown-rule"),
        (confidence_raised, "wrong-confidence"),
        (rule_confidence_lowered, "wrong-rule-confidence"),
    ],
)
def test_damaged_certificates_of_role_rules_are_found(
    damage: Callable[[Line], None],
    code: str,
    with_starts: Path,
    tmp_path: Path,
    write_lines: Writer,
) -> None:
    future = Path(shutil.copytree(with_starts, tmp_path / "future"))
    lines = lines_of(future)
    number = next(n for n, line in enumerate(lines) if "role_rule" in line)
    damage(lines[number])
    write_lines(future, lines)
    found = {finding.code for finding in verify(future).findings}
    assert code in found
    assert found <= {code, "wrong-confidence", "wrong-rule-confidence"}
    faults = {where for where, _, fault in check.check_file(str(future)) if fault}
    assert f"{future / 'facts.jsonl'}:{number + 1}" in faults


def test_a_start_of_who_is_not_free_is_found(
    with_starts: Path, tmp_path: Path, renew: Callable[[Path], None]
) -> None:
    """The history gets a start on the eve, of the same subject and without an end."""
    future = Path(shutil.copytree(with_starts, tmp_path / "future"))
    lines = [record for record in lines_of(future) if "role_rule" in record]
    line = next(record for record in lines if record["relation"] == "startMemberOf")
    eve = (date.fromisoformat(line["date"]) - timedelta(days=1)).isoformat()
    with (future / "facts.tsv").open("a") as file:
        file.write("\t".join([line["subject"], "startMemberOf", "Club 99", eve]) + "\n")
    renew(future)
    assert "occupied" in {found.code for found in verify(future).findings}
    place = lines_of(future).index(line) + 1
    faults = {where: fault for where, _, fault in check.check_file(str(future)) if fault}
    assert faults[f"{future / 'facts.jsonl'}:{place}"] == "starts although the subject is not free"


def test_facts_of_the_same_day_cannot_be_cited(
    future: Path, write_lines: Writer, capfd: pytest.CaptureFixture[str]
) -> None:
    lines = lines_of(future)
    line = next(record for record in lines if len(record["grounding"]) == 1)
    (cited,) = line["grounding"]
    with (future / "history.tsv").open("a") as file:
        file.write("\t".join([*cited[:3], line["date"]]) + "\n")
    cited[3] = line["date"]
    write_lines(future, lines)
    run(["verify", "--kind", "facts", str(future), "--json"])
    assert json.loads(capfd.readouterr().out)["violations"]["unsupported"] == 1


def test_missing_and_stray_certificates(
    future: Path, write_lines: Writer, capfd: pytest.CaptureFixture[str]
) -> None:
    lines = lines_of(future)
    moved = {**lines[5], "object": "Club 99"}
    write_lines(future, [*lines[:5], moved, *lines[6:], lines[0]])
    assert run(["verify", str(future)]) == ExitStatus.UNREADABLE
    assert "expected " in capfd.readouterr().err
    assert run(["verify", str(future), "--unsealed", "--json"]) == ExitStatus.VIOLATIONS
    found = json.loads(capfd.readouterr().out)["violations"]
    assert found == {"stray-certificate": 3, "uncertified": 1, "copies-differ": 1}


def test_unreadable_rows_are_reported(
    future: Path, write_lines: Writer, capfd: pytest.CaptureFixture[str]
) -> None:
    lines = lines_of(future)
    lines[1]["grounding"][0][3] = "2030-02-30"
    lines[2]["grounding"][0] = ["a", "b"]
    write_lines(future, lines)
    assert run(["verify", "--kind", "facts", str(future), "--json"]) == ExitStatus.UNREADABLE
    output = capfd.readouterr()
    assert "facts.jsonl:2: found date '2030-02-30'" in output.err
    assert "facts.jsonl:3" in output.err
    assert json.loads(output.out)["unreadable"] == 2


def test_files_can_be_named_one_by_one(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    arguments = ["verify", "--kind", "facts", str(folder / "facts.tsv"), "--json"]
    arguments += ["--certificates", str(folder / "facts.jsonl")]
    assert run([*arguments, "--history", str(folder / "history.tsv")]) == ExitStatus.OK
    capfd.readouterr()
    assert run(arguments) == ExitStatus.VIOLATIONS, "what is cited is not given"
    assert json.loads(capfd.readouterr().out)["violations"]["unsupported"] > 20


def test_the_schema_is_found_or_requested(
    made: Callable[..., Outcome],
    schema: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    future = tmp_path / "future"
    write_forecast(future, made(schema=schema), [])
    arguments = ["verify", "--kind", "facts", str(future), "--json"]
    assert run(arguments) == ExitStatus.UNREADABLE
    assert f"schema {schema.name} of this forecast not found" in capfd.readouterr().err
    assert run([*arguments, "--schema", str(schema)]) == ExitStatus.OK
    assert "untyped" in json.loads(capfd.readouterr().out)["figures"]
    shutil.copytree(schema, tmp_path / schema.name)
    assert run(arguments) == ExitStatus.OK
    assert "untyped" in json.loads(capfd.readouterr().out)["figures"]


def test_other_folders_are_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", "--kind", "facts", str(tmp_path)]) == ExitStatus.UNREADABLE
    assert "found no facts.tsv, expected a folder written by forecast" in capfd.readouterr().err


def test_a_manifest_of_something_else_is_refused(
    future: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (future / "manifest.json").write_text('{"config": {}}')
    assert run(["verify", "--kind", "facts", str(future)]) == ExitStatus.UNREADABLE
    assert "found an invalid manifest of a forecast" in capfd.readouterr().err
