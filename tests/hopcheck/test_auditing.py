"""``hc.audit``: the verdicts of the command, findings as a table, corrected data."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import get_args

import pytest

import hopcheck as hc
from benchmarks.audits.registry import tasks
from hopcheck.auditing import SetName
from solver.cli import run

DATES = Path("examples/audits/date_understanding.json")


def test_the_verdicts_are_those_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    found = hc.audit("bbh", DATES)
    assert run(["audit", "bbh", str(DATES), "--json"]) == found.exit_status == 1
    printed = json.loads(capsys.readouterr().out)
    assert (printed["verdicts"], printed["coverage"]) == (found.verdicts, found.coverage)


def test_findings_have_certificates() -> None:
    found = hc.audit("bbh", DATES).findings
    assert [(row.id, row.code) for row in found] == [
        ("1", "wrong"),
        ("2", "no-right-option"),
        ("3", "false-premise"),
    ]
    assert found[0].message.startswith("gold (B), decided (A): ")
    assert all(row.certificate["kind"] == "calendar" for row in found)


def test_findings_are_a_table() -> None:
    pytest.importorskip("pandas")
    table = hc.audit("bbh", DATES).findings.to_pandas()
    assert list(table["code"]) == ["wrong", "no-right-option", "false-premise"]
    assert list(table["id"]) == ["1", "2", "3"]
    assert table["message"][0].startswith("gold (B), decided (A): ")
    assert all(certificate["kind"] == "calendar" for certificate in table["certificate"])


def test_corrected_data_have_no_wrong_label(tmp_path: Path) -> None:
    found = hc.audit("bbh", DATES)
    ((name, data),) = found.corrected().items()
    assert name == str(DATES)
    copy = tmp_path / "copy.json"
    copy.write_bytes(data)
    again = hc.audit("bbh", copy)
    assert again.verdicts["wrong"] == again.verdicts["no-right-option"] == 0
    assert again.verdicts["right"] == 3
    written = found.patch(tmp_path / "patch")
    assert (tmp_path / "patch" / DATES.name).read_bytes() == data
    assert {path.name for path in written} >= {"changes.tsv", DATES.name}


def test_what_is_written_is_checked(tmp_path: Path) -> None:
    hc.audit("bbh", DATES).write(tmp_path / "report")
    assert run(["check", str(tmp_path / "report")]) == 0


def test_several_files_plain_and_packed(tmp_path: Path) -> None:
    packed = tmp_path / "dates.json.gz"
    packed.write_bytes(gzip.compress(DATES.read_bytes()))
    twice = hc.audit("bbh", [DATES, packed], jobs=2)
    assert twice.verdicts == {name: 2 * n for name, n in hc.audit("bbh", DATES).verdicts.items()}
    assert len(str(twice).splitlines()) == 2


def test_the_sets_of_the_signature_are_those_that_are_known() -> None:
    assert set(get_args(SetName)) == set(tasks())


@pytest.mark.parametrize(
    ("name", "reading", "message"),
    [("bbx", None, "found the set 'bbx'"), ("bbh", {"week": "x"}, "reading: found week=x")],
)
def test_messages_name_arguments(name: SetName, reading: dict[str, str], message: str) -> None:
    with pytest.raises(hc.HopcheckError, match=message) as caught:
        hc.audit(name, DATES, reading=reading)
    assert "--" not in str(caught.value)
