"""Trains all rows of Table 5 of ForecastTKGQA on questions about a graph, and writes their page.

    python -m benchmarks.reproduction.questions.models GRAPH --work DIR --write

Every finished command leaves its JSON output in DIR, and an interrupted training goes on from its
last epoch, so the same command resumes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from benchmarks.forecasting.settings import Model
from benchmarks.questions.neural.examples import Task
from benchmarks.questions.neural.network import Head
from benchmarks.questions.report import NAMES
from benchmarks.reproduction.questions.tables import (
    TEXT,
    Form,
    Source,
    TablesPlan,
    cell,
    measure,
    report,
)
from benchmarks.reproduction.speed.clock import write_results
from benchmarks.reproduction.speed.processes import step
from grammar.errors import HopcheckError
from grammar.questions.model import QuestionKind
from solver.graph.io import read_dataset
from solver.report.model import Section, Table
from solver.report.page import markdown

BACKBONES: Mapping[Model, tuple[str, ...]] = {
    Model.COMPLEX: ("--size", "100", "--patience", "3"),
    Model.TCOMPLEX: ("--size", "100", "--patience", "3"),
    Model.RE_GCN_COMPLEX: ("--size", "100", "--history", "3", "--patience", "2"),
}
"""Options of ``train forecaster``."""

OPTIONS: Mapping[Task, tuple[str, ...]] = {
    Task.ENTITIES: ("--rate", "0.002", "--epochs", "15", "--patience", "2"),
    Task.YES_UNKNOWN: ("--rate", "0.002", "--epochs", "10", "--patience", "3"),
    Task.FACT_REASONING: ("--rate", "0.002", "--epochs", "20", "--patience", "5"),
}
"""Options of ``train questions``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A trained row of the table.

    Attributes:
        name: its name, with that of the paper's row.
        backbone: the forecaster whose rows of entities it reads; None for the text alone.
        tasks: the tasks that the paper has it for.
    """

    name: str
    head: Head
    backbone: Model | None
    tasks: tuple[Task, ...] = tuple(Task)


_ENTITIES = (Task.ENTITIES,)
ROWS = (
    Row(name=TEXT, head=Head.TEXT, backbone=None),
    Row(name="ComplEx (EmbedKGQA)", head=Head.PRODUCT, backbone=Model.COMPLEX, tasks=_ENTITIES),
    Row(name="text beside TComplEx (BERT int)", head=Head.JOINED, backbone=Model.TCOMPLEX),
    Row(name="TComplEx (CronKGQA)", head=Head.PRODUCT, backbone=Model.TCOMPLEX, tasks=_ENTITIES),
    Row(name="text beside RE-GCN (BERT ext)", head=Head.JOINED, backbone=Model.RE_GCN_COMPLEX),
    Row(name="ForecastTKGQA", head=Head.PRODUCT, backbone=Model.RE_GCN_COMPLEX),
    Row(name="ForecastTKGQA, copies added", head=Head.COPY, backbone=Model.RE_GCN_COMPLEX),
)
MULTI_HOP = "multi-hop scores of RE-GCN (MHS)"
MINED = ("--lengths", "1,2,3", "--method", "sample", "--seed", "0")


@click.command()
@click.argument("graph", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--work", type=click.Path(file_okay=False, path_type=Path), required=True, help="Work folder."
)
@click.option("--seeds", type=click.IntRange(1), default=3, show_default=True, help="Seeds.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Seeds at once.")
@click.option(
    "--ranks",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of rank files of other models, NAME.txt.",
)
@click.option(
    "--write", is_flag=True, help="Write benchmarks/results/question-models.{md,json} too."
)
def main(graph: Path, work: Path, seeds: int, jobs: int, ranks: Path | None, write: bool) -> None:
    """Train all rows with some seeds, and compare them with the baselines."""
    try:
        values = trained(graph, work, seeds=seeds, jobs=jobs, ranks=ranks)
    except HopcheckError as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(error.exit_status)
    if write:
        write_results("question-models", values, page(values))
    click.echo(page(values))


def trained(
    graph: Path, work: Path, *, seeds: int, jobs: int = 1, ranks: Path | None = None
) -> dict[str, Any]:
    """The figures of all rows.

    Raises:
        HopcheckError: an input cannot be read, or one of the commands fails.
    """
    asked, rules = work / "questions", work / "rules.jsonl"
    work.mkdir(parents=True, exist_ok=True)
    _step(work, "questions", "generate", "questions", str(graph), "--out", str(asked))
    _step(work, "rules", "mine", str(graph), *MINED, "--out", str(rules))
    with ThreadPoolExecutor(jobs) as pool:
        courses = list(pool.map(partial(_seed, graph, work), range(seeds)))
    plan = TablesPlan(
        folder=asked,
        sources=(*_sources(work, seeds), *_others(ranks)),
        rules=rules,
    )
    values = measure(read_dataset(graph), plan)
    trainings = [training for some in courses for training in some]
    return values | {"seeds": seeds, "trainings": trainings}


def _seed(graph: Path, work: Path, seed: int) -> list[dict[str, Any]]:
    """Train the forecasters and rows of a seed; their settings and courses."""
    found = []
    shared = ("--data", str(graph), "--seed", str(seed), "--out")
    for model, options in BACKBONES.items():
        name = f"{model}-{seed}"
        given = ("train", "forecaster", "--model", model.value, *options)
        course = _step(work, name, *given, *shared, str(work / name))
        found.append(_training(model.value, seed, "facts", options, course))
    for number, row in enumerate(ROWS):
        folder = _folder(work, row, seed)
        given = ("train", "questions", str(work / "questions"), "--head", row.head.value)
        if row.backbone is not None:
            given += ("--forecaster", str(work / f"{row.backbone}-{seed}"))
        for task in row.tasks:
            options = ("--task", task.value, *OPTIONS[task])
            name = f"{number}-{task}-{seed}"
            course = _step(work, name, *given, *options, *shared, str(folder))
            found.append(_training(row.name, seed, task.value, options[2:], course[task.value]))
    return found


def _step(work: Path, name: str, *arguments: str) -> dict[str, Any]:
    return step(work / f"{name}.json", *arguments, "--json")


def _training(
    name: str, seed: int, task: str, options: tuple[str, ...], output: Mapping[str, Any]
) -> dict[str, Any]:
    """The course of a training, as the page has it."""
    return {
        "name": name,
        "seed": seed,
        "task": task,
        "options": " ".join(options),
        "epochs": len(output["losses"]),
        "best": output["best"],
        "validation": [round(100 * figure, 2) for figure in output["validation"]],
    }


def _folder(work: Path, row: Row, seed: int) -> Path:
    return work / f"{ROWS.index(row)}-{seed}"


def _sources(work: Path, seeds: int) -> Iterator[Source]:
    """The trained rows, and the multi-hop scores of the last forecaster."""
    for row in ROWS:
        for seed in range(seeds):
            yield Source(name=row.name, form=Form.MODEL, path=_folder(work, row, seed))
    for seed in range(seeds):
        path = work / f"{Model.RE_GCN_COMPLEX}-{seed}"
        yield Source(name=MULTI_HOP, form=Form.FORECASTER, path=path)


def _others(ranks: Path | None) -> Iterator[Source]:
    """The rank files of a folder, by name."""
    for path in sorted(ranks.iterdir()) if ranks is not None else ():
        name, _, _ = path.name.partition(".txt")
        yield Source(name=f"{name}, ranks as published", form=Form.RANKS, path=path)


def summary(values: Mapping[str, Any]) -> Table:
    """The main figure of each kind of questions."""
    mains = tuple(
        (kind, "accuracy" if kind in Task.YES_UNKNOWN.kinds + Task.FACT_REASONING.kinds else "mrr")
        for kind in QuestionKind
    )
    names = [name for name, _ in mains]
    rows = []
    for model in values["models"]:
        if len({*names} & {*model["parts"]}) > 1:
            found = [model["parts"].get(kind, {}).get(figure) for kind, figure in mains]
            rows.append((model["name"], str(model["runs"]), *map(cell, found)))
    columns = ("model", "seeds", *(f"{kind} {NAMES[figure]}" for kind, figure in mains))
    return Table(columns=columns, rows=tuple(rows))


def page(values: Mapping[str, Any]) -> str:
    """The tables in Markdown."""
    shown = report(values)
    first = Section(title="All rows", tables=(summary(values),))
    rows = tuple(
        (
            training["name"],
            training["task"],
            str(training["seed"]),
            training["options"],
            f"{training['best']} of {training['epochs']}",
            f"{training['validation'][training['best'] - 1]:.2f}",
        )
        for training in values["trainings"]
    )
    columns = ("model", "learned", "seed", "options", "epoch", "figure on valid")
    trainings = Section(
        title="Trainings",
        text="Each stops after some epochs without a better figure on valid (raw MRR of facts, MRR "
        "of entities, accuracy of other questions) or at its last epoch, and keeps the best.",
        tables=(Table(columns=columns, rows=rows),),
    )
    last = (trainings,) if rows else ()
    return markdown(replace(shown, sections=(first, *shown.sections, *last)))


if __name__ == "__main__":
    main()
