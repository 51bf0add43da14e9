"""The page of models is the one of its figures, and the graph itself answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from benchmarks.forecasting.settings import Model
from benchmarks.questions.neural.examples import Task
from benchmarks.reproduction.questions import models
from benchmarks.reproduction.questions.models import BACKBONES, ROWS, page, summary, trained
from benchmarks.reproduction.questions.tables import KNOWN, PUBLISHED, Form, TablesPlan
from benchmarks.reproduction.speed import processes
from benchmarks.reproduction.speed.processes import Process
from grammar.errors import HopcheckError
from solver.report.page import markdown_table

RESULTS = Path(__file__).resolve().parents[3] / "benchmarks/results"
VALUES: dict[str, Any] = json.loads((RESULTS / "question-models.json").read_bytes())


def test_the_page_is_written_from_the_figures() -> None:
    assert (RESULTS / "question-models.md").read_text(encoding="utf-8") == page(VALUES)


def test_the_docs_have_the_main_figures() -> None:
    rows = "".join(markdown_table(summary(VALUES)))
    assert rows in (EXAMPLE.parents[2] / "docs/questions-train.md").read_text(encoding="utf-8")
    for row, name in (("text alone (BERT)", "BERT"), ("ForecastTKGQA", "ForecastTKGQA")):
        assert row in rows
        assert name in PUBLISHED


def test_the_graph_itself_answers_all_questions_about_facts() -> None:
    (known,) = [model for model in VALUES["models"] if model["name"] == KNOWN]
    for kind in ("1-hop", "2-hop", "yes-unknown"):
        assert {figure["value"] for figure in known["parts"][kind].values()} == {1}


EXAMPLE = RESULTS.parents[1] / "examples/questions/graph"
COURSE = {"losses": [2.0, 1.0], "validation": [0.2, 0.1], "best": 1}
STEPS = 2 + 2 * (len(BACKBONES) + sum(len(row.tasks) for row in ROWS))


class Commands:
    """What would be run, with courses that stand in for the output of trainings."""

    def __init__(self, failing: int = -1) -> None:
        self.run: list[tuple[str, ...]] = []
        self._failing = failing

    def __call__(self, *arguments: str) -> Process:
        if len(self.run) == self._failing:
            raise HopcheckError("the disk is full")
        self.run.append(arguments)
        course: Any = COURSE
        if arguments[:2] == ("train", "questions"):
            course = {arguments[arguments.index("--task") + 1]: COURSE}
        return Process(seconds=1, mebibytes=1, spent=1, output=msgspec.json.encode(course).decode())


def measured(monkeypatch: pytest.MonkeyPatch, commands: Commands) -> list[TablesPlan]:
    plans: list[TablesPlan] = []

    def measure(_graph: Any, plan: TablesPlan) -> dict[str, Any]:
        plans.append(plan)
        return {"models": []}

    monkeypatch.setattr(processes, "command", commands)
    monkeypatch.setattr(models, "measure", measure)
    return plans


def test_each_row_and_seed_is_trained_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (ranks := tmp_path / "ranks").mkdir()
    (ranks / "other.txt.gz").write_bytes(b"")
    broken = Commands(failing=9)
    measured(monkeypatch, broken)
    with pytest.raises(HopcheckError, match="the disk is full"):
        trained(EXAMPLE, tmp_path / "work", seeds=2)
    rest = Commands()
    measured(monkeypatch, rest)
    values = trained(EXAMPLE, tmp_path / "work", seeds=2, ranks=ranks)
    assert len(broken.run) == 9
    assert len(broken.run) + len(rest.run) == len({*broken.run, *rest.run}) == STEPS
    again = Commands()
    plans = measured(monkeypatch, again)
    assert trained(EXAMPLE, tmp_path / "work", seeds=2, ranks=ranks) == values
    assert not again.run

    # Each source of the tables is the folder of a training of its backbone and head.
    (plan,) = plans
    outs = {run[run.index("--out") + 1]: run for run in broken.run + rest.run}
    rows = {row.name: row for row in ROWS}
    for source in plan.sources:
        if source.form is Form.RANKS:
            assert (source.name, source.path) == (
                "other, ranks as published",
                ranks / "other.txt.gz",
            )
            continue
        run = outs[str(source.path)]
        seed = run[run.index("--seed") + 1]
        if source.form is Form.FORECASTER:
            assert run[run.index("--model") + 1] == Model.RE_GCN_COMPLEX
            continue
        row = rows[source.name]
        assert run[run.index("--head") + 1] == row.head
        if row.backbone is None:
            assert "--forecaster" not in run
        else:
            trained_on = outs[run[run.index("--forecaster") + 1]]
            assert trained_on[trained_on.index("--model") + 1] == row.backbone
            assert trained_on[trained_on.index("--seed") + 1] == seed
    counts = {form: [source.form for source in plan.sources].count(form) for form in Form}
    assert counts == {
        Form.MODEL: 2 * len(ROWS),
        Form.PREDICTIONS: 0,
        Form.RANKS: 1,
        Form.FORECASTER: 2,
    }
    assert {
        (training["name"], training["seed"], training["task"]) for training in values["trainings"]
    } == {
        *((model.value, seed, "facts") for model in BACKBONES for seed in (0, 1)),
        *((row.name, seed, task.value) for row in ROWS for seed in (0, 1) for task in row.tasks),
    }
    assert {training["best"] for training in values["trainings"]} == {1}
    assert {tuple(training["validation"]) for training in values["trainings"]} == {(20.0, 10.0)}


def test_rows_of_the_paper_for_entities_alone() -> None:
    assert [row.name for row in ROWS if row.tasks != tuple(Task)] == [
        "ComplEx (EmbedKGQA)",
        "TComplEx (CronKGQA)",
    ]
