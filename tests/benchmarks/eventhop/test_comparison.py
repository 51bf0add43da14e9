"""``compare``: mean and deviation over seeds, paired tests with correction."""

from __future__ import annotations

import json
import random
import statistics
from pathlib import Path

import pytest

import hopcheck as hc
from benchmarks.eventhop.cases import Dimension, groups, read_cases
from benchmarks.eventhop.comparison import by_model
from benchmarks.metrics.significance import holm
from solver.cli import run
from solver.eventhop.engines import ItemSettings

LABELS = ("true", "false", "undefined")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("data") / "items.jsonl"
    items = hc.generate("eventhop", split="test", test_size=36, shapes=["8x8"])
    path.write_text("".join(json.dumps(item) + "\n" for item in items))
    return path


def answers(data: Path, folder: Path, name: str, right: float) -> str:
    draw = random.Random(name)
    path = folder / f"{name}.jsonl"
    with path.open("w") as file:
        for item in map(json.loads, data.read_text().splitlines()):
            answer = item["label"] if draw.random() < right else draw.choice(LABELS)
            file.write(json.dumps({"id": item["id"], "answer": answer}) + "\n")
    return str(path)


def test_means_and_deviations_are_those_of_score(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        name: [answers(data, tmp_path, f"{name}.{seed}", right) for seed in range(3)]
        for name, right in (("good", 0.9), ("poor", 0.2), ("same", 0.2))
    }
    every = [file for some in files.values() for file in some]
    assert run(["compare", *every, "--data", str(data), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [model["name"] for model in found["models"]] == [*files]
    for model in found["models"]:
        scores = [
            hc.score("nli", file, data, resamples=100).figures for file in files[model["name"]]
        ]
        for metric in ("macro_f1", "accuracy"):
            values = [score["overall"][metric]["value"] for score in scores]
            expected = (statistics.mean(values), statistics.stdev(values))
            spread = model[metric]
            assert (spread["mean"], spread["deviation"]) == pytest.approx(expected, abs=1e-4)
        hops = [score["by"]["hops"] for score in scores]
        for name, spread in model["by"]["hops"].items():
            mean = statistics.mean(hop[name]["macro_f1"]["value"] for hop in hops)
            assert spread["mean"] == pytest.approx(mean, abs=1e-4)
    tests = {tuple(test["models"]): test for test in found["tests"]}
    assert tests["good", "poor"]["corrected"] < 0.01 < tests["poor", "same"]["corrected"]
    assert all(test["p"] <= test["corrected"] <= 1 for test in tests.values())


def test_what_is_not_read_is_reported(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, broken = (answers(data, tmp_path, name, 0.9) for name in ("good", "broken"))
    lines = Path(broken).read_text().splitlines(keepends=True)
    lines[2] = '"id":"2"},{"answer":"True"\n'
    Path(broken).write_text("".join(lines))
    assert run(["compare", good, broken, "--data", str(data)]) == 2
    assert f"{broken}: not a prediction: {broken}:3:5: broken JSON" in capsys.readouterr().err
    Path(broken).write_text("".join(lines[:2] + lines[3:]))
    assert run(["compare", good, broken, "--data", str(data), "--json"]) == 1
    (note,) = json.loads(capsys.readouterr().out)["notes"]
    assert note.startswith(f"{broken}: 1 item without an answer")


def test_the_tables(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, other = (answers(data, tmp_path, name, 0.5) for name in ("one", "other"))
    assert run(["compare", f"A={text}", f"A={other}", f"B={other}", "--data", str(data)]) == 0
    shown = capsys.readouterr().out
    assert "36 items" in shown
    assert "A - B" in shown
    assert "±" in shown
    assert run(["compare", text, "--data", str(data)]) == 2
    assert "found 1 model, expected at least two" in capsys.readouterr().err


def test_the_report_has_the_table_the_tests_and_the_curves(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [answers(data, tmp_path, f"{name}.{seed}", 0.7) for name in "ab" for seed in range(5)]
    folder = tmp_path / "report"
    command = ["compare", *files, "--data", str(data), "--by", "event-distance"]
    assert run([*command, "--report", str(folder)]) == 0
    captured = capsys.readouterr()
    assert "macro-F1 by event-distance" in captured.out
    assert f"report: {folder / 'report.html'}" in captured.err
    figures = json.loads((folder / "comparison.json").read_text())
    page = (folder / "comparison.md").read_text()
    for model in figures["models"]:
        spread = model["macro_f1"]
        shown = f"{100 * spread['mean']:.2f} ± {100 * spread['deviation']:.2f}"
        table = page.partition("## Tests")[0]
        assert f"| {model['name']} | {shown} |" in table.replace("**", "")
    (test,) = figures["tests"]
    assert f"| a - b | {100 * test['difference']:+.2f} |" in page
    for name in ("hops", "event-distance", "events", "relations"):
        assert (folder / f"by-{name}.svg").is_file()
    html = (folder / "report.html").read_text()
    assert html.count("<svg") == 4
    assert "By event distance" in html
    manifest = json.loads((folder / "manifest.json").read_text())
    assert len(manifest["inputs"]) == 11


def test_items_are_grouped_by_the_distance_that_the_generator_declares(data: Path) -> None:
    rows = [json.loads(line) for line in data.read_text().splitlines()]
    cases = read_cases([str(data)], ItemSettings()).cases
    found = {
        cases[member].record.id: group.name
        for group in groups(cases, [Dimension.DISTANCE])
        for member in group.members
    }
    distances = {row["id"]: row["event_distance"] for row in rows}
    assert len(set(distances.values())) > 2
    for name, distance in distances.items():
        expected = "none" if distance is None else "over 8" if distance > 8 else str(distance)
        assert found[name] == expected


@pytest.mark.parametrize(
    ("values", "corrected"),
    [
        ([], []),
        ([0.03], [0.03]),
        ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),
        ([0.5, 0.001, 0.9], [1.0, 0.003, 1.0]),
    ],
)
def test_the_correction_of_holm(values: list[float], corrected: list[float]) -> None:
    assert holm(values) == pytest.approx(corrected)


def test_models_are_named_by_their_files() -> None:
    paths = ["out/t5.0.jsonl", "out/t5.1.jsonl", "bert.jsonl", "Mine=x/t5.2.jsonl"]
    assert by_model(paths) == {
        "t5": ["out/t5.0.jsonl", "out/t5.1.jsonl"],
        "bert": ["bert.jsonl"],
        "Mine": ["x/t5.2.jsonl"],
    }
