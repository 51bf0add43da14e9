"""The command ``score quadruples``."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grammar.errors import ExitStatus
from solver.cli import run

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "quadruples"
CAREFUL, HASTY, FLAWED, REFERENCES = (
    str(EXAMPLES / f"{name}.txt")
    for name in (
        "careful.predictions",
        "hasty.predictions",
        "flawed.predictions",
        "club.references",
    )
)


def scored(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> dict[str, Any]:
    assert run(["score", "quadruples", *arguments, "--references", REFERENCES, "--json"]) == status
    result: dict[str, Any] = json.loads(capsys.readouterr().out)
    return result


def test_figures_of_the_examples(capsys: pytest.CaptureFixture[str]) -> None:
    result = scored(capsys, CAREFUL, "--texts", str(EXAMPLES / "club.texts.txt"))
    assert (result["items"], result["pairs"], result["profile"]) == (8, 11, "exact")
    # One of eleven facts has subject and object swapped, one has a truncated name.
    assert result["scores"]["strict"]["macro"]["f1"]["value"] == pytest.approx((9 + 0.5 + 0.5) / 11)
    assert result["scores"]["exact"]["macro"]["f1"]["value"] == pytest.approx((10 + 0.5) / 11)
    assert result["scores"]["partial"]["macro"]["f1"]["value"] == pytest.approx((10 + 0.75) / 11)
    assert "low" in result["scores"]["strict"]["micro"]["f1"]
    assert sum(relation["pairs"] for relation in result["relations"]) == 11
    assert {style["name"] for style in result["styles"]} >= {"ISO, short weekday"}


def test_the_released_profile_has_no_intervals_and_counts_skipped_items(
    capsys: pytest.CaptureFixture[str],
) -> None:
    result = scored(capsys, FLAWED, "--profile", "released", status=ExitStatus.UNREADABLE)
    assert result["scored_items"] == 2
    assert result["excluded"]["unread"] == {"items": 2, "lines": [2, 4]}
    assert result["excluded"]["unpredicted"] == {"items": 4, "lines": [5, 6, 7, 8]}
    assert "low" not in result["scores"]["strict"]["macro"]["f1"]
    assert len(result["faults"]) == 3


def test_the_exact_profile_drops_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    result = scored(capsys, FLAWED, status=ExitStatus.UNREADABLE)
    assert result["scored_items"] == 8
    assert result["pairs"] == result["facts"]["references"] == 11
    assert all(record["items"] == 0 for record in result["excluded"].values())


def test_runs_are_tested_against_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    result = scored(capsys, CAREFUL, "--against", HASTY, status=1)
    other = scored(capsys, HASTY, "--against", CAREFUL, status=1)
    assert result["against"]["paired"] is True
    test, two = (each["against"]["modes"]["strict"] for each in (result, other))
    assert test["difference"] == pytest.approx(-two["difference"])
    assert test["p"] == two["p"] < 0.05
    assert result["against"]["scores"] == other["scores"]
    apart = scored(
        capsys, CAREFUL, "--against", HASTY, "--against-references", REFERENCES, status=1
    )
    assert apart["against"]["paired"] is False


def test_the_report_is_the_same_twice(
    repeated: Callable[[Callable[[Path], object]], Path],
) -> None:
    arguments = ["score", "quadruples", CAREFUL, "--references", REFERENCES, "--against", HASTY]

    def write(folder: Path) -> None:
        assert run([*arguments, "--report", str(folder)]) == ExitStatus.VIOLATIONS

    folder = repeated(write)
    assert {path.name for path in folder.iterdir()} == {
        "scores.json", "report.html", "manifest.json"
    }  # fmt: skip
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 3
    assert "startSpouse" in page


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([CAREFUL, "--references", FLAWED], "3 faults in the references"),
        ([CAREFUL, "--references", "none.txt"], "none.txt: no such file"),
        ([CAREFUL, "--references", REFERENCES, "--against-references", REFERENCES], "--against"),
        ([CAREFUL, "--references", REFERENCES, "--texts", FLAWED], "found 4 texts, expected"),
    ],
)
def test_bad_input_is_refused(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["score", "quadruples", *arguments]) == ExitStatus.UNREADABLE
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""
    assert "Traceback" not in captured.err


def test_more_predictions_than_references(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    short = tmp_path / "short.txt"
    short.write_text("".join(Path(REFERENCES).read_text("utf-8").splitlines(keepends=True)[:3]))
    status = run(["score", "quadruples", CAREFUL, "--references", str(short)])
    assert status == ExitStatus.UNREADABLE
    assert "careful.predictions.txt:4:1: found 8 lines, expected" in capsys.readouterr().err


def test_faults_are_reported_with_their_position(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["score", "quadruples", FLAWED, "--references", REFERENCES]
    assert run(command) == ExitStatus.UNREADABLE
    output = capsys.readouterr().err
    for place in (":2:6: ", ":3:79: ", ":4:2: "):
        assert f"fault: {FLAWED}{place}" in output
    assert "4 items without a line of predictions: line 5, 6, 7, 8" in output


@pytest.mark.parametrize(
    ("change", "status", "found"),
    [
        (lambda text: text, ExitStatus.OK, {"missing": [], "unknown": []}),
        (
            lambda text: text.replace("startMemberOf", "joins"),
            ExitStatus.VIOLATIONS,
            {"missing": [], "unknown": ["joins"]},
        ),
        (
            lambda text: text[: text.rindex("\n", 0, -1) + 1],
            ExitStatus.VIOLATIONS,
            {"missing": [8], "unknown": []},
        ),
        (lambda text: "[[\n" + text.split("\n", 1)[1], ExitStatus.UNREADABLE, {"missing": []}),
    ],
)
def test_what_does_not_match_determines_the_status(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    change: Callable[[str], str],
    status: ExitStatus,
    found: dict[str, Any],
) -> None:
    """As for all predictions, also of the run that is compared."""
    path = tmp_path / "changed.txt"
    path.write_text(change(Path(CAREFUL).read_text("utf-8")), encoding="utf-8")
    for arguments in ((str(path),), (CAREFUL, "--against", str(path))):
        result = scored(capsys, *arguments, status=status)
        assert {name: result[name] for name in found} == found


def test_nothing_to_score(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_text("[]\n")
    command = ["score", "quadruples", str(empty), "--references", str(empty)]
    assert run([*command, "--report", str(tmp_path / "report")]) == ExitStatus.OK
    assert "There is nothing to score." in capsys.readouterr().out


def test_names_cannot_steer_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    facts = tmp_path / "facts.txt"
    facts.write_text(r"[['Ann', '\x1b[31mred', 'Choir', '2031-01-01']]" + "\n")
    assert run(["score", "quadruples", str(facts), "--references", str(facts)]) == ExitStatus.OK
    assert "\x1b" not in capsys.readouterr().out
