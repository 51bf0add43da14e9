"""Names that are listed: read, certified and checked with the words that they contain."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import hopcheck as hc
from solver.cli import run

PREMISE = "The end of Harvest never happened after the start of Winter Fair"
CLAIM = "Harvest never happens before Winter Fair"
NAME = "Harvest never"


@pytest.fixture
def items(tmp_path: Path) -> Path:
    path = tmp_path / "items.jsonl"
    row = {"id": "1", "premise": PREMISE, "claim": CLAIM, "label": "false"}
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def listed(tmp_path: Path) -> Path:
    path = tmp_path / "names.txt"
    path.write_text(f"{NAME}\n\n", encoding="utf-8")
    return path


def test_a_row_with_such_a_name_is_unread(
    items: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["verify", str(items), "--report", str(tmp_path / "run")]) == 2
    assert 'found "never" between "Harvest" and "happened"' in capsys.readouterr().err
    row = json.loads((tmp_path / "run" / "items.jsonl").read_text())
    assert row["verdict"] is None


def test_listed_it_is_verified_and_its_certificate_checked(
    items: Path, listed: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    options = ["--names", str(listed), "--probes", "none", "--report", str(folder)]
    assert run(["verify", str(items), *options]) == 0
    row = json.loads((folder / "items.jsonl").read_text())
    assert (row["names"], row["verdict"]["label"]) == ([NAME], "false")
    assert run(["check", str(folder / "items.jsonl")]) == 0
    (folder / "items.jsonl").write_text(json.dumps(row | {"names": []}) + "\n")
    assert run(["check", "--unsealed", str(folder / "items.jsonl")]) == 1


def test_in_the_api_and_when_parsed_and_written(
    listed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    item = hc.parse(PREMISE, CLAIM, names=[NAME])
    assert item.claim.left == NAME
    assert hc.explain(premise=PREMISE, claim=CLAIM, names=[NAME]).label == "false"
    texts = ["--premise", PREMISE, "--claim", CLAIM, "--names", str(listed)]
    assert run(["parse", *texts]) == 0
    assert f'"left":"{NAME}"' in capsys.readouterr().out
    assert run(["explain", *texts]) == 0
    with pytest.raises(hc.HopcheckError, match="expected a relation"):
        hc.parse(PREMISE, CLAIM)


def test_an_event_that_the_premise_does_not_mention_is_noted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "items.jsonl"
    row = {"id": "1", "premise": "The end of Tide happened before the start of Mill",
           "claim": "Tide happens before Snow", "label": "true"}  # fmt: skip
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    report = hc.verify(path)
    (finding,) = report.findings
    assert finding.code == "wrong-label"
    assert finding.message.endswith("unmentioned-event: Snow")
    assert report.as_json()["notes"] == {"unmentioned-event": 1}
    right = tmp_path / "right.jsonl"
    right.write_text(json.dumps(row | {"label": "false"}) + "\n", encoding="utf-8")
    assert run(["verify", str(right), "--probes", "none"]) == 0
    assert "note: 1 unmentioned-event" in capsys.readouterr().out
    report.write(tmp_path / "run")
    assert json.loads((tmp_path / "run" / "items.jsonl").read_text())["notes"] == [
        "unmentioned-event"
    ]
