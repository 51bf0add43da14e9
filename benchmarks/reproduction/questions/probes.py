"""Tables the probes of questions on all splits.

    python -m benchmarks.reproduction.questions.probes DIR GRAPH [--write]

DIR is the output of ``generate questions`` about GRAPH, such as ICEWS14.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from benchmarks.reproduction.questions.choice_trees import tree_rows
from benchmarks.reproduction.speed.clock import write_results
from solver.cli.printing import print_json
from solver.graph.io import read_dataset
from solver.probes.probe import ProbeLevel
from solver.questions.io import SPLITS, read_questions
from solver.questions.linking import Names, link
from solver.questions.model import Question
from solver.questions.probes import probed

_FOLDER = click.Path(exists=True, path_type=Path)


@click.command()
@click.argument("folder", type=_FOLDER)
@click.argument("graph", type=_FOLDER)
@click.option("--write", is_flag=True, help="Write benchmarks/results/question-probes.{md,json}.")
def main(folder: Path, graph: Path, *, write: bool) -> None:
    """Run all probes on all splits."""
    values = measured(folder, graph)
    if write:
        write_results("question-probes", values, page(values))
    print_json(values)


def measured(folder: Path, graph: Path) -> dict[str, Any]:
    """The results of all probes."""
    dataset = read_dataset(graph)
    names = Names.of(dataset.vocabulary)
    questions = {
        split: [
            (question.id, link(question, names))
            for question in read_questions(folder / name)
            if isinstance(question, Question)
        ]
        for name, split in SPLITS.items()
        if (folder / name).is_file()
    }
    facts = dataset.facts().distinct()
    results = probed(questions, facts, dataset.vocabulary, ProbeLevel.ALL)
    probes = [
        {
            "questions": probe.kind.value,
            "split": probe.split.value,
            **{k: v for k, v in asdict(probe.result).items() if k != "strongest"},
            "strongest": [str(value) for value in probe.result.strongest],
            "shortcut": probe.result.shortcut,
        }
        for probe in results
    ]
    linked = {split: [question for _, question in some] for split, some in questions.items()}
    trees = tree_rows(linked, facts, dataset.vocabulary)
    return {"data": graph.name, "probes": probes, "trees": trees}


def page(values: Mapping[str, Any]) -> str:
    """The results as a page."""
    return "\n".join(_lines(values))


def _lines(values: Mapping[str, Any]) -> Iterable[str]:
    yield f"# Probes of questions about {values['data']}"
    yield ""
    yield "`python -m benchmarks.reproduction.questions.probes DIR GRAPH --write` writes this page;"
    yield "intervals"
    yield "are those of `verify --kind questions --probes all`."
    yield ""
    yield "| questions | split | features | accuracy | interval | chance | AUC | shortcut |"
    yield "|---|---|---|---:|---|---:|---:|---|"
    for probe in values["probes"]:
        if probe["accuracy"] is None:
            figures = f"{probe['note']} | | | |"
        else:
            interval = f"{probe['low']:.3f} to {probe['high']:.3f}"
            figures = f"{probe['accuracy']:.3f} | {interval} | {probe['chance']:.3f} |"
            figures += f" {probe['auc']:.3f} |" if probe["auc"] is not None else " |"
        found = "yes" if probe["shortcut"] else "no"
        yield f"| {probe['questions']} | {probe['split']} | {probe['name']} | {figures} {found} |"
    yield ""
    yield "Boosted trees that see the numbers themselves, of all choices of fact reasoning, are"
    yield "fitted to two splits and asked about the third; chance is 0.250:"
    yield ""
    yield "| counted of the choices | questions | accuracy | interval |"
    yield "|---|---:|---:|---|"
    for tree in values["trees"]:
        interval = f"{tree['low']:.3f} to {tree['high']:.3f}"
        yield f"| {tree['name']} | {tree['questions']:,} | {tree['accuracy']:.3f} | {interval} |"
    yield ""


if __name__ == "__main__":
    main()
