"""Data sets to export: items, questions and a graph."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import solver
from solver.cli import run

ROOT = Path(__file__).resolve().parents[3]
HOME = Path(solver.__file__).parents[1 + solver.__name__.count(".")]


@pytest.fixture(scope="session")
def items(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of 30 train and 18 test items."""
    folder = tmp_path_factory.mktemp("data") / "items"
    sizes = ["--train-size", "30", "--test-size", "18", "--shape", "8x8", "--shape", "8x16"]
    assert run(["generate", "eventhop", *sizes, "--out", str(folder)]) == 0
    return folder


@pytest.fixture(scope="session")
def questions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of questions of all kinds."""
    folder = tmp_path_factory.mktemp("data") / "questions"
    graph = ROOT / "examples" / "questions" / "graph"
    assert run(["generate", "questions", str(graph), "--cap", "5", "--out", str(folder)]) == 0
    return folder


@pytest.fixture(scope="session", params=["calendar", "positions", "assignments"])
def problems(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of problems of a kind."""
    folder = tmp_path_factory.mktemp("data") / request.param
    sizes = ["--train", "10", "--test", "40", "--probes", "none"]
    assert run(["generate", request.param, *sizes, "--out", str(folder)]) == 0
    return folder


@pytest.fixture(scope="session")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph with planted patterns."""
    folder = tmp_path_factory.mktemp("data") / "planted"
    assert run(["generate", "tkg", "--out", str(folder)]) == 0
    return folder


@pytest.fixture(scope="session")
def graph() -> Path:
    """A graph of names and dates."""
    return ROOT / "examples" / "questions" / "graph"


@pytest.fixture
def outside(tmp_path: Path) -> Callable[..., str]:
    """Runs Python in a process of its own, offline, with the given modules; returns its output."""

    def call(code: str, *arguments: object, needs: str, cwd: Path | None = None) -> str:
        if find_spec(needs) is None:
            reason = f"{needs} is not installed (make adapters)"
            if needs in os.environ.get("HOPCHECK_REQUIRE_ADAPTERS", "").split(","):
                pytest.fail(reason)
            pytest.skip(reason)
        offline = {"HF_DATASETS_OFFLINE": "1", "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path)}
        paths = os.pathsep.join(filter(None, [str(HOME), os.environ.get("PYTHONPATH", "")]))
        done = subprocess.run(
            [sys.executable, "-c", code, *map(str, arguments)],
            env=os.environ | offline | {"PYTHONPATH": paths, "XDG_DATA_HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
            cwd=cwd or tmp_path,
        )
        assert done.returncode == 0, done.stderr[-4000:]
        return done.stdout

    return call


@dataclass(frozen=True)
class Answered:
    """Rows, answers of which some are right, wrong or unreadable, and their scores."""

    rows: list[dict[str, Any]]
    texts: list[str]
    scores: dict[str, float]


@pytest.fixture(scope="session")
def answered(items: Path) -> Answered:
    """The test items with answers; the scores are computed in a second way."""
    lines = (items / "test.jsonl").read_text().splitlines()
    rows: list[dict[str, Any]] = [json.loads(line) for line in lines]
    stated = {0: "Answer: {}", 1: "I reason first.\nAnswer: **{}**", 2: "Answer: false", 3: "Hm."}
    texts = [stated[place % 4].format(row["label"]) for place, row in enumerate(rows)]
    return Answered(rows=rows, texts=texts, scores=accuracies(rows, texts))


def accuracies(rows: list[dict[str, Any]], answers: list[str]) -> dict[str, float]:
    """Accuracy overall and by label, status and hops, and macro-F1."""
    names = [row["label"] if place % 4 < 2 else "false" for place, row in enumerate(rows)]
    stated = [
        None if answer == "Hm." else name for name, answer in zip(names, answers, strict=True)
    ]
    found = {"accuracy": share(rows, stated)}
    for group in ("label", "status", "hops"):
        for value in {row.get(group) for row in rows}:
            some = [place for place, row in enumerate(rows) if row.get(group) == value]
            name = f"{group}_{'none' if value is None else value}"
            found[name] = share([rows[place] for place in some], [stated[place] for place in some])
    scores = []
    for label in ("true", "false", "undefined"):
        right = sum(row["label"] == value == label for row, value in zip(rows, stated, strict=True))
        total = sum(row["label"] == label for row in rows) + stated.count(label)
        scores.append(2 * right / total)
    return {**found, "macro_f1": sum(scores) / 3}


def share(rows: list[dict[str, Any]], stated: list[str | None]) -> float:
    return sum(row["label"] == value for row, value in zip(rows, stated, strict=True)) / len(rows)


@pytest.fixture(scope="session")
def answered_questions(questions: Path) -> Answered:
    """The test questions with answers in a model's wording, and their scores in a second way."""
    rows: list[dict[str, Any]] = [
        json.loads(line) for line in (questions / "test.jsonl").read_text().splitlines()
    ]
    texts, right, ranks = [], [], []
    for place, row in enumerate(rows):
        text = worded(row)
        if place % 4 == 3:
            text = "I cannot say." if place % 8 == 3 else "<think>Answer: yes</think> Answer: "
            right.append(False)
            ranks.append([0.0] * len(row["answers"]))
        elif place % 4 == 2 and row["kind"] in ("1-hop", "2-hop"):
            # Two wrong names come first.
            text = f"no one; The Sea; {text}"
            right.append(False)
            ranks.append([1 / 3] * len(row["answers"]))
        else:
            right.append(True)
            ranks.append([1.0] * len(row["answers"]))
        texts.append(f"I weigh it.\nAnswer: maybe\nAnswer: {text}" if place % 3 else text)
    found = {"accuracy": mean(right)}
    for name in ("kind", "hops", "label"):
        for value in {group(row)[name] for row in rows}:
            some = [
                flag for flag, row in zip(right, rows, strict=True) if group(row)[name] == value
            ]
            found[f"{name}_{value}".replace("-", "_")] = mean(some)
    for kind in ("1-hop", "2-hop"):
        some = [
            r for rank, row in zip(ranks, rows, strict=True) if row["kind"] == kind for r in rank
        ]
        name = kind.replace("-", "_")
        found |= {f"mrr_{name}": mean(some), f"hits10_{name}": mean(flag > 0 for flag in some)}
        found[f"hits1_{name}"] = mean(flag == 1 for flag in some)
    return Answered(rows=rows, texts=texts, scores=found)


@pytest.fixture(scope="session")
def answered_problems(problems: Path) -> Answered:
    """The test problems with answers in a model's wording, and their scores in a second way."""
    lines = (problems / "test.jsonl").read_text().splitlines()
    rows: list[dict[str, Any]] = [json.loads(line) for line in lines]
    stated = ("Answer: {}", "<think>Answer: no</think>So:\nAnswer: **{}**.", "Answer: purple", "{}")
    texts = [stated[place % 4].format(row["gold"]) for place, row in enumerate(rows)]
    right = [place % 4 != 2 for place in range(len(rows))]
    found = {"accuracy": mean(right)}
    for name, field in (("label", "gold"), *((each,) * 2 for each in ("family", "level", "hops"))):
        for value in {row[field] for row in rows}:
            some = [flag for flag, row in zip(right, rows, strict=True) if row[field] == value]
            found[f"{name}_{value}".replace("-", "_").replace("(", "").replace(")", "")] = mean(
                some
            )
    return Answered(rows=rows, texts=texts, scores=found)


def worded(row: dict[str, Any]) -> str:
    """The right answers as a model would write them."""
    [first, *_] = row["answers"]
    match row["kind"]:
        case "yes-unknown":
            return f"**{first.capitalize()}**."
        case "fact-reasoning":
            return (
                f"({first})"
                if len(row["text"]) % 2
                else row["choices"]["ABCD".index(first)]["text"]
            )
        case _:
            return "; ".join(answer.replace("_", " ").upper() for answer in row["answers"])


def group(row: dict[str, Any]) -> dict[str, Any]:
    hops = {"1-hop": 1, "2-hop": 2}.get(row["kind"], "none")
    return {
        "kind": row["kind"],
        "hops": hops,
        "label": row["answers"][0] if hops == "none" else "none",
    }


def mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found)
