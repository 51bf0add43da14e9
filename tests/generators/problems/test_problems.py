"""Generated problems: read back, decided, balanced; folders that differ from their seed."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest

import hopcheck as hc
from generators.eventhop.config import Split
from generators.problems import assignments, positions
from generators.problems.run import (
    KINDS,
    GenerationError,
    ProblemSettings,
    cell,
    drawn,
    families,
    generate,
    item,
    reasoners,
    require_right,
)
from grammar.errors import ExitStatus
from solver.cli import run
from solver.probes.probe import ProbeLevel
from solver.probes.ranking import rank_texts

SPLITS = {"train": 12, "test": 24}


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def write(folder: Path, name: str, rows: list[dict[str, Any]]) -> None:
    """Write a file of rows, and renew its checksum."""
    (folder / name).write_text("".join(json.dumps(row, sort_keys=True) + "\n" for row in rows))
    described = json.loads((folder / "manifest.json").read_text())
    digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    described["outputs"][name] = digest
    (folder / "manifest.json").write_text(json.dumps(described))


@pytest.fixture(scope="module", params=KINDS)
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("made") / request.param
    settings = ProblemSettings(kind=request.param, seed=3, **SPLITS)
    generate(settings, out, probes=ProbeLevel.NONE)
    return out


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """A copy of a data set, which may be changed."""
    copy = tmp_path / made.name
    copy.mkdir()
    for path in made.iterdir():
        (copy / path.name).write_bytes(path.read_bytes())
    return copy


def test_a_folder_is_right_and_certified(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["verify", str(made), "--report", str(tmp_path / "report")]) == ExitStatus.OK
    assert "as declared" not in capsys.readouterr().err
    assert run(["check", str(tmp_path / "report")]) == ExitStatus.OK
    assert "36 proved, 0 rejected, 0 not proved" in capsys.readouterr().out


def test_families_and_levels_take_turns(made: Path) -> None:
    rows = rows_of(made / "test.jsonl")
    every = families(made.name)
    settings = ProblemSettings(kind=made.name, test=5 * len(every))
    cells = Counter(cell(settings, number) for number in range(5 * len(every)))
    assert cells == dict.fromkeys(product(every, range(1, 6)), 1)
    assert [(row["family"], row["level"]) for row in rows] == [
        cell(settings, number) for number in range(len(rows))
    ]
    assert [row["id"] for row in rows[:2]] == ["test-000000", "test-000001"]


def test_an_item_is_the_row_of_the_file(made: Path) -> None:
    settings = ProblemSettings(kind=made.name, seed=3, **SPLITS)
    for split, number in (("train", 7), ("test", 11)):
        row = json.loads(msgspec.json.encode(item(settings, Split(split), number)))
        assert row == rows_of(made / f"{split}.jsonl")[number]


@pytest.mark.parametrize("kind", KINDS)
def test_the_number_of_processes_changes_nothing(kind: str, tmp_path: Path) -> None:
    settings = ProblemSettings(kind=kind, test=110, seed=9)
    for jobs in (1, 2):
        generate(settings, tmp_path / str(jobs), probes=ProbeLevel.NONE, jobs=jobs)
    alone, shared = ({path.name: path.read_bytes() for path in (tmp_path / str(jobs)).iterdir()}
                for jobs in (1, 2))  # fmt: skip
    assert alone == shared


@pytest.mark.parametrize(
    "change",
    [
        lambda row: row | {"gold": "(B)" if row["gold"] == "(A)" else "(A)"},
        lambda row: row | {"level": row["level"] % 5 + 1},
        lambda row: row | {"hops": row["hops"] + 1},
        lambda row: row | {"family": "another"},
        lambda row: {name: value for name, value in row.items() if name != "hops"},
        lambda row: row | {"note": "more"},
    ],
)
def test_another_row_is_refused(folder: Path, change: Callable[[Any], Any]) -> None:
    rows = rows_of(folder / "test.jsonl")
    rows[5] = change(rows[5])
    write(folder, "test.jsonl", rows)
    assert run(["verify", str(folder)]) == ExitStatus.UNREADABLE


@pytest.mark.parametrize("name", ["removed", "moved", "statistics", "seed", "config", "file"])
def test_another_folder_is_refused(folder: Path, name: str) -> None:
    rows = rows_of(folder / "test.jsonl")
    described = json.loads((folder / "manifest.json").read_text())
    match name:
        case "removed":
            write(folder, "test.jsonl", rows[:-1])
        case "moved":
            write(folder, "test.jsonl", [rows[1], rows[0], *rows[2:]])
        case "statistics":
            figures = json.loads((folder / "statistics.json").read_text())
            figures["counts"]["level 1"] += 1
            text = json.dumps(figures)
            (folder / "statistics.json").write_text(text)
            described["outputs"]["statistics.json"] = hashlib.sha256(text.encode()).hexdigest()
        case "seed":
            described["seed"] += 1
        case "config":
            described["config"]["test"] -= 1
        case "file":
            (folder / "train.jsonl").unlink()
            del described["outputs"]["train.jsonl"]
    if name not in ("removed", "moved"):
        (folder / "manifest.json").write_text(json.dumps(described))
    assert run(["verify", str(folder)]) == ExitStatus.UNREADABLE


def test_a_wrong_label_outside_a_data_set_is_found(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = rows_of(made / "test.jsonl")[:10]
    labels = sorted({row["gold"] for row in rows_of(made / "test.jsonl")})
    wrong = next(label for label in labels if label in _answers(rows[0]) - {rows[0]["gold"]})
    rows[0]["gold"] = wrong
    own = tmp_path / "own.jsonl"
    own.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert run(["verify", "--json", str(own)]) == ExitStatus.VIOLATIONS
    found = json.loads(capsys.readouterr().out)
    assert found["kind"] == made.name
    assert found["violations"] == {"wrong": 1}


def _answers(row: dict[str, Any]) -> set[str]:
    """The answers that a row offers."""
    if "puzzle" in row:
        return {"1", "2", "3"}
    if "story" in row:
        opposite = {"yes": "no", "no": "yes"} | {
            a: b
            for pair in ("above below", "left right", "upper-left lower-right",
                         "upper-right lower-left")
            for a, b in (pair.split(), pair.split()[::-1])
        }  # fmt: skip
        return {opposite[row["gold"]]}
    return set(re.findall(r"(?m)^\([A-Z]\)", row["question"]))


@pytest.mark.parametrize(
    ("kind", "field", "text"),
    [
        ("calendar", "question", "Fair never takes place on 3 May 2020. On which date does Fair "
         "take place?\nOptions:\n(A) 3 May 2020"),
        ("calendar", "question", "Fair takes place on 31 June 2020. On which date does Fest take "
         "place?\nOptions:\n(A) 1 July 2020"),
        ("positions", "story", ["The mill is not one step above the barn."]),
        ("positions", "story", ["The mill is one step above or below the barn."]),
        ("positions", "story", ["The mill is one step above and two steps to the left of it."]),
        ("assignments", "puzzle", "Ada is next to Bo."),
    ],
)  # fmt: skip
def test_what_no_phrase_reads_is_refused(
    kind: str, field: str, text: object, tmp_path: Path
) -> None:
    row = {"question": "Where is the mill, seen from the barn?", "gold": "above", field: text}
    if kind != "positions":
        row = {field: text, "gold": "(A)"}
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(row) + "\n")
    assert run(["verify", "--kind", kind, str(path)]) == ExitStatus.UNREADABLE


def test_a_problem_that_is_drawn_wrong_is_not_written() -> None:
    row, _ = drawn(ProblemSettings(kind="positions", test=1), Split.TEST, 0)
    require_right("positions", [row])
    (other,) = _answers(row)
    with pytest.raises(GenerationError, match="test-000000 is wrong"):
        require_right("positions", [row | {"gold": other}])
    with pytest.raises(GenerationError, match="is not read"):
        require_right("positions", [row | {"story": ["Nothing is said."]}])


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
def test_each_position_is_the_answer_as_often(level: int) -> None:
    settings = ProblemSettings(kind="assignments", test=150, levels=(level,), seed=4)
    golds = Counter(drawn(settings, Split.TEST, n)[1].gold for n in range(150))
    people = assignments._SIZES[level][0]
    assert golds.keys() == {str(place) for place in range(1, people + 1)}
    assert max(golds.values()) < 2 * 150 / people


def test_levels_order_limited_reasoners() -> None:
    for kind in KINDS:
        settings = ProblemSettings(kind=kind, test=180, seed=6)
        levels: dict[str, list[tuple[int, int]]] = {}
        for number in range(180):
            row, draft = drawn(settings, Split.TEST, number)
            levels.setdefault(str(row["level"]), []).append((row["hops"], len(draft.options)))
        table = reasoners(levels)
        for steps in ("2 sentences", "3 sentences", "4 sentences"):
            shares = [table[level][steps] for level in sorted(table)]
            assert shares == sorted(shares, reverse=True), (kind, steps)
        assert table["1"]["2 sentences"] > table["3"]["2 sentences"]


def test_options_are_ranked_within_their_question() -> None:
    """Questions of few options are not easier to rank, and a planted cue is seen."""
    sizes = [2 if number % 2 else 5 for number in range(200)]
    groups = [number for number, size in enumerate(sizes) for _ in range(size)]
    gold = [place == number % size for number, size in enumerate(sizes) for place in range(size)]
    few = [[f"of {size}"] for size in sizes for _ in range(size)]
    (words, _) = rank_texts({"few": few}, gold, groups, within=True)
    assert words.auc == pytest.approx(0.5, abs=1e-9)
    cued = [["right" if right else "other"] for right in gold]
    for result in rank_texts({"cued": cued}, gold, groups, within=True):
        assert result.auc == pytest.approx(1)


def test_words_of_splits_differ() -> None:
    train, test = (set(positions._THINGS[split]) for split in (Split.TRAIN, Split.TEST))
    assert not train & test


@pytest.mark.parametrize("form", ["folder", "file", "dataset"])
def test_the_export_for_the_hub_is_read_back(
    made: Path, form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "hub"
    assert run(["export", "hf", str(made), "--out", str(out)]) == ExitStatus.OK
    capsys.readouterr()
    if form == "dataset":
        datasets = pytest.importorskip("datasets")
        table = datasets.Dataset.from_parquet(str(out / f"{made.name}-test.parquet"))
        found = hc.verify(table, kind=made.name)
        assert (found.rows, len(found.findings), found.unreadable) == (24, 0, ())
        return
    place = out if form == "folder" else out / f"{made.name}-test.parquet"
    assert run(["verify", "--kind", made.name, "--json", str(place)]) == ExitStatus.OK
    figures = json.loads(capsys.readouterr().out)
    assert figures[figures_noun(made.name)] == (36 if form == "folder" else 24)


def figures_noun(kind: str) -> str:
    return {"calendar": "problems", "positions": "stories", "assignments": "puzzles"}[kind]
