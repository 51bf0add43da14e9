"""``explain``: its output on a terminal, as JSON and as a drawing, and its errors."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from grammar.errors import ExitStatus
from solver.cli import run

ROWS = [
    ("The end of fair happened before the start of race", "fair happens before race", "True"),
    ("The end of fair happened before the start of race", "fair overlaps with race", "True"),
    ("The start of fair happened before the start of race", "fair happens before race", "False"),
    (
        "The end of fair happened before the start of fair. The end of race preceded the end of "
        "fair",
        "fair happens before race",
        "False",
    ),
]


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "items.tsv"
    rows = [
        f"{number}\tpossible\ttrue\tbefore\t2\t1\t1\t{premise}\t{claim}\t{gold}\n"
        for number, (premise, claim, gold) in enumerate(ROWS)
    ]
    path.write_text("".join(rows), encoding="utf-8")
    return str(path)


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(["explain", *arguments]) == ExitStatus.OK
    return capsys.readouterr().out


def explained(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(output(capsys, *arguments, "--json"))
    return found


def test_an_entailed_item_is_explained(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert output(capsys, file, "--id", "0").splitlines() == [
        "premise of item 0 (temporal)",
        "   1. end of fair before start of race",
        "claim fair before race",
        "",
        "entailed: the premise forces the claim (1 hop)",
        "label true, the premise is consistent",
        "gold label True: correct",
        "",
        "  1. end of fair before start of race (sentence 1)",
        "  Hence “fair before race” holds.",
        "  No contradiction: this timeline keeps the points apart: fair 0 to 1, race 2 to 3.",
        "",
        "  fair  ░▒▓┤",
        "  race             ├▓▒░",
        "",
        "  No contradiction: this timeline keeps the points apart:",
        "  fair  ├███████┤",
        "  race                  ├███████┤",
        "",
        "feasible relations of the two events: precedes",
    ]


@pytest.mark.parametrize(
    ("item", "status", "label", "parts", "phrase"),
    [
        ("0", "entailed", "true", (1, False, 1), "gold label True: correct"),
        ("1", "refuted", "false", (1, False, 1), "gold label True: wrong"),
        ("2", "unknown", "false", (0, False, 2), "the claim fails:"),
        ("3", "contradictory", "undefined", (0, True, 0), "↩ sentence 1 leads back"),
    ],
)
def test_each_status_is_explained(
    file: str,
    capsys: pytest.CaptureFixture[str],
    item: str,
    status: str,
    label: str,
    parts: tuple[int, bool, int],
    phrase: str,
) -> None:
    shown = output(capsys, file, "--id", item)
    assert f"\n{status}: " in shown
    assert phrase in shown
    found = explained(capsys, file, "--id", item)
    assert (found["id"], found["status"], found["label"]) == (item, status, label)
    proof = found["certificate"]
    assert isinstance(proof, dict)
    assert (len(proof["walks"]), proof["cycle"] is not None, len(proof["timelines"])) == parts


def test_a_wrong_label_is_reported_with_its_cause(
    file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = explained(capsys, file, "--id", "3")
    assert (found["gold"], found["findings"]) == ("False", ["wrong-label", "wrong-consistency"])
    assert isinstance(found["causes"], list)
    assert found["causes"]
    assert (
        f"gold label False: wrong (the published procedure errs alike: {found['causes'][0]})"
        in (output(capsys, file, "--id", "3"))
    )


def test_texts_are_explained_without_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    found = explained(capsys, "--premise", "A1 < B1", "--claim", "A < B")
    assert (found["domain"], found["status"], found["gold"]) == ("logical", "unknown", None)
    assert found["feasible"] == ["precedes", "meets", "overlaps", "finished_by", "contains"]


def test_policies_and_readings_are_passed_on(capsys: pytest.CaptureFixture[str]) -> None:
    premise = (
        "The start of circus happened before the start of circus. "
        "The end of fair happened before the start of race"
    )
    texts = ("--premise", premise, "--claim", "fair happens before race")
    assert explained(capsys, *texts)["label"] == "true"
    assert explained(capsys, *texts, "--policy", "global")["label"] == "undefined"
    places = (
        "--premise",
        "The eastern edge of Ilvane is located to the west of the western edge of Torrow",
        "--claim",
        "Ilvane is completely west of Torrow",
    )
    assert explained(capsys, *places)["status"] == "entailed"
    assert explained(capsys, *places, "--spatial", "published")["status"] == "unknown"


@pytest.mark.parametrize(
    ("name", "start"), [("a.svg", b"<svg"), ("a.png", b"\x89PNG"), ("a", b"<svg")]
)
def test_a_drawing_is_written(
    file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, start: bytes
) -> None:
    path = tmp_path / name
    output(capsys, file, "--id", "1", "--svg", str(path))
    assert path.read_bytes().startswith(start)
    if start == b"<svg":
        ElementTree.fromstring(path.read_bytes())


def test_a_large_item_notes_that_its_relations_were_not_searched(
    capsys: pytest.CaptureFixture[str],
) -> None:
    premise = ". ".join(
        f"The end of fair{n} happened before the start of fair{n + 1}" for n in range(20)
    )
    found = output(capsys, "--premise", premise, "--claim", "fair0 happens before fair20")
    assert "entailed: the premise forces the claim (20 hops)" in found
    assert "feasible relations: the item has 21 events" in found


def test_bytes_that_are_no_text_are_replaced(capsys: pytest.CaptureFixture[str]) -> None:
    premise = "The end of fa\udcffir happened before the start of race"
    claim = "fa\udcffir happens before race"
    found = explained(capsys, "--premise", premise, "--claim", claim)
    assert found["status"] == "entailed"


# --- failures -------------------------------------------------------------------------------------


def failure(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(["explain", *arguments]) == ExitStatus.UNREADABLE
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" not in captured.err
    return captured.err


def test_an_unknown_id_is_reported(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    error = failure(capsys, file, "--id", "17")
    assert error == f"error: {file}: found no item '17' (its items are 0 to 3)\n"


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("FILE",),
        ("--id", "3"),
        ("--premise", "x"),
        ("--claim", "x"),
        ("FILE", "--id", "0", "--claim", "x"),
        ("--id", "0", "--premise", "x", "--claim", "x"),
    ],
)
def test_halves_of_a_question_are_refused(
    file: str, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    given = [file if argument == "FILE" else argument for argument in arguments]
    assert "Give either PATH and --id, or --premise and --claim." in failure(capsys, *given)


def test_a_text_that_does_not_parse_is_reported_with_its_place(
    capsys: pytest.CaptureFixture[str],
) -> None:
    error = failure(
        capsys, "--premise", "nothing of the kind", "--claim", "fair happens before race"
    )
    assert error.startswith("error: given:1:1: ")
    assert "expected" in error


def test_a_missing_file_and_folder_are_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "nowhere.tsv" in failure(capsys, str(tmp_path / "nowhere.tsv"), "--id", "1")
    texts = ("--premise", ROWS[0][0], "--claim", ROWS[0][1])
    assert "cannot be written" in failure(capsys, *texts, "--svg", str(tmp_path / "no" / "a.svg"))


def test_a_broken_row_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "broken.tsv"
    path.write_text("7\tpossible\tonly three\n", encoding="utf-8")
    assert "broken.tsv:1" in failure(capsys, str(path), "--id", "7")
