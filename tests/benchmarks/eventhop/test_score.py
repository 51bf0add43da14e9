"""The command ``score nli``."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest

import hopcheck as hc
from benchmarks.eventhop.cases import contradiction_distances, read_cases
from benchmarks.eventhop.scores import score
from grammar.errors import ExitStatus
from grammar.eventhop.model import Item, Label
from solver.cli import run

ItemMaker = Callable[[str, str], Item]
Writer = Callable[[dict[str, str]], str]


@pytest.fixture
def written(tmp_path: Path) -> Writer:
    """Writes answers as JSONL and gives the path."""

    def write(answers: dict[str, str]) -> str:
        file = tmp_path / "answers.jsonl"
        lines = [json.dumps({"id": name, "answer": text}) for name, text in answers.items()]
        file.write_text("\n".join(lines), encoding="utf-8")
        return str(file)

    return write


@pytest.fixture
def right_answers(right_file: Path) -> dict[str, str]:
    cases = read_cases([str(right_file)]).cases
    return {case.record.id: f"Answer: {case.verdict.label}" for case in cases}


def figures(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    run(["score", "nli", *arguments, "--json"])
    output: dict[str, Any] = json.loads(capsys.readouterr().out)
    return output


def test_right_answers_score_one(
    capsys: pytest.CaptureFixture[str],
    right_file: Path,
    written: Writer,
    right_answers: dict[str, str],
) -> None:
    output = figures(capsys, written(right_answers), "--data", str(right_file))
    assert output["overall"]["macro_f1"] == {"value": 1.0, "low": 1.0, "high": 1.0}
    assert all(label["f1"] == 1.0 for label in output["labels"].values())
    assert output["gold_differs_from_decided"] == 0
    for groups in output["by"].values():
        assert (
            sum(group["items"] for group in groups.values())
            == output["items"]
            == len(right_answers)
        )


def test_what_cannot_be_used_is_named(
    capsys: pytest.CaptureFixture[str],
    right_file: Path,
    written: Writer,
    right_answers: dict[str, str],
) -> None:
    first, second, *_ = right_answers
    answers = {**right_answers, first: "no idea", "nowhere": "true"}
    del answers[second]
    output = figures(capsys, written(answers), "--data", str(right_file))
    assert output["missing"] == [second]
    assert output["unknown"] == ["nowhere"]
    assert output["unreadable"] == [{"id": first, "answer": "no idea"}]
    count = len(right_answers)
    assert output["overall"]["accuracy"]["value"] == pytest.approx((count - 2) / count, abs=1e-4)
    assert sum(row["no label"] for row in output["confusion"].values()) == 2
    status = run(["score", "nli", written(answers), "--data", str(right_file)])
    assert status == ExitStatus.VIOLATIONS
    assert run(["score", "nli", written(right_answers), "--data", str(right_file)]) == 0


def test_the_gold_of_the_file_or_the_decided_one(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    right_file: Path,
    written: Writer,
    right_answers: dict[str, str],
) -> None:
    wrong = tmp_path / "wrong.tsv"
    rows = right_file.read_text(encoding="utf-8").splitlines()
    place = next(n for n, row in enumerate(rows) if row.endswith("True"))
    rows[place] = rows[place].removesuffix("True") + "False"
    wrong.write_text("\n".join(rows) + "\n", encoding="utf-8")
    path = written(right_answers)
    decided = figures(capsys, path, "--data", str(wrong))
    assert decided["overall"]["accuracy"]["value"] == 1.0
    assert decided["gold_differs_from_decided"] == 1
    filed = figures(capsys, path, "--data", str(wrong), "--gold", "file")
    assert filed["overall"]["accuracy"]["value"] < 1.0
    run(["score", "nli", path, "--data", str(wrong)])
    assert "the label of 1 item differs from the decided one" in capsys.readouterr().err


def test_a_report_is_the_same_bytes_each_time(
    repeated: Callable[[Callable[[Path], object]], Path],
    right_file: Path,
    written: Writer,
    right_answers: dict[str, str],
) -> None:
    path = written(right_answers)

    def write(folder: Path) -> None:
        arguments = ["score", "nli", path, "--data", str(right_file), "--report", str(folder)]
        assert run(arguments) == ExitStatus.OK

    names = {path.name for path in repeated(write).iterdir()}
    assert {"scores.json", "scores.md", "confusion.svg", "by-hops.svg", "manifest.json"} <= names


@pytest.mark.parametrize(
    ("answers", "arguments", "message"),
    [
        ({"nowhere": "true"}, [], "none of the 1 ids is that of an item"),
        ({"0": "true"}, ["twice"], "several times, expected"),
    ],
)
def test_what_does_not_belong_together_is_refused(
    capsys: pytest.CaptureFixture[str],
    right_file: Path,
    written: Writer,
    answers: dict[str, str],
    arguments: list[str],
    message: str,
) -> None:
    more = ["--data", str(right_file)] if arguments else []
    status = run(["score", "nli", written(answers), "--data", str(right_file), *more])
    assert status == ExitStatus.UNREADABLE
    assert message in capsys.readouterr().err


def test_items_without_gold_are_refused_where_it_is_asked_for(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, written: Writer
) -> None:
    bare = tmp_path / "bare.jsonl"
    bare.write_text('{"id": 1, "premise": "", "claim": "Fair happens before Regatta"}\n')
    path = written({"1": "false"})
    assert run(["score", "nli", path, "--data", str(bare), "--gold", "file"]) == 2
    assert "item 1 has no gold label" in capsys.readouterr().err
    output = figures(capsys, path, "--data", str(bare))
    assert output["gold_differs_from_decided"] is None
    assert output["overall"]["accuracy"]["value"] == 1.0


def test_minimal_groups_count_whole(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, written: Writer
) -> None:
    made = hc.generate(preset="minimal-pairs", split="test", test_size=11, shapes=["8x8"])
    rows = [*made]
    file = tmp_path / "pairs.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    answers = {row["id"]: row["label"] for row in rows}
    path = written(answers)
    output = figures(capsys, path, "--data", str(file), "--report", str(tmp_path / "report"))
    assert output["groups"] == {
        "share": {"value": 1.0, "low": 1.0, "high": 1.0},
        "groups": 3,
        "incomplete": 1,
        "chance": 0.037,
        "chance_of_labels": 0.1667,
    }
    assert "Whole groups 1.000" in (tmp_path / "report" / "scores.md").read_text()
    answers["4"] = "true" if answers["4"] == "false" else "false"
    run(["score", "nli", written(answers), "--data", str(file)])
    shown = " ".join(capsys.readouterr().out.split())
    assert re.search(
        r"whole groups 0\.667 \[0\.\d+, 1\.000\] of 3; 1 incomplete; chance 0\.037", shown
    )
    assert "0.167 for one who knows that each label occurs once" in shown


def test_groups_of_other_files_are_no_minimal_groups(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, written: Writer
) -> None:
    file = tmp_path / "own.jsonl"
    row = {"premise": "", "claim": "Fair happens before Regatta"}
    groups = ("A", ["A"], True, 2.5, "A")
    file.write_text(
        "".join(
            json.dumps({"id": n, "group": group, **row}) + "\n" for n, group in enumerate(groups)
        )
    )
    output = figures(capsys, written({"0": "false"}), "--data", str(file))
    assert output["groups"] is None
    assert output["items"] == len(groups)


def test_chances_of_whole_groups() -> None:
    """Both chances, over all guesses of the three labels of a group."""
    gold = [*Label]
    every = list(product(Label, repeat=3))
    knowing = list(permutations(Label))
    shares = []
    for guesses in (every, knowing):
        count = len(guesses)
        answers = [label for guess in guesses for label in guess]
        groups = [range(3 * n, 3 * n + 3) for n in range(count)]
        found = score(gold * count, answers, (), groups).minimal
        assert found is not None
        assert (found.groups, found.incomplete) == (count, 0)
        shares.append(found.share.value)
    assert shares == [found.chance, found.chance_of_labels] == [round(1 / 27, 4), round(1 / 6, 4)]


DISTANCES = [
    ("A+ < B-", "consistent"),
    ("A- < B-, B- < A-", "0"),
    ("A- < C-, C- < A-", "0"),
    ("A- < C-, C- < D-, D- < C-", "1"),
    ("A- < C-, C- < D-, D- < E-, E- < D-", "2"),
    ("A- < C-, C- < D-, D- < E-, E- < F-, F- < E-", "3 and more"),
    ("A- < C-, C- < D-, D- < E-, E- < F-, F- < G-, G- < F-", "3 and more"),
    ("A- < B-, C- < D-, D- < C-", "apart"),
    ("C+ = C-", "apart"),
]


def test_how_far_contradictions_are(item_of: ItemMaker) -> None:
    items = [item_of(premise, "A before B") for premise, _ in DISTANCES]
    expected = [distance for _, distance in DISTANCES]
    consistent = [distance == "consistent" for distance in expected]
    assert contradiction_distances(items, consistent) == expected
