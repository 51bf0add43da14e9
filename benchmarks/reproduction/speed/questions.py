"""Measures the generation and the verification of questions.

    python -m benchmarks.reproduction.speed.questions generation GRAPH [--write]
    python -m benchmarks.reproduction.speed.questions verification DIR GRAPH ITEMS [--write]

GRAPH is a graph such as ICEWS14, DIR the output of ``generate questions`` for it. The cost of
generation is process time and peak memory of the whole command, from the files of the graph to the
folder of questions. The cost of verification is process time per question of each step, by kind,
over the test split, in milliseconds, the minimum over the rounds, without shared set-up: the texts
of the valid split are read before, so that patterns of phrases are compiled. In the same rounds the
plain loop runs over ITEMS, a file of the published format, as machines differ in speed.
"""

from __future__ import annotations

import gc
import json
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
import numpy as np

from benchmarks.questions.inputs import split_file
from benchmarks.reproduction.speed.clock import machine, write_results
from benchmarks.reproduction.speed.plain import labels
from benchmarks.reproduction.speed.processes import command
from generators.dataset import SplitFormat
from generators.questions.graph import CAP, MIN_SUPPORT
from grammar.questions.model import QuestionKind
from grammar.questions.reader import read_question, read_statement
from grammar.questions.writer import write_question
from solver.cli.printing import print_json
from solver.graph.model import Quadruples, Split
from solver.questions.check import certificate_faults
from solver.questions.contributions import fold_of
from solver.questions.io import STATISTICS, TWO_HOP_RULES, fields, read_questions
from solver.questions.linking import LinkedQuestion, link
from solver.questions.model import Question, read_two_hop_rules
from solver.questions.rows import LoadedGraph, Source, load_graph
from solver.questions.verify import BATCH
from solver.rules.application import ranked_first_by_both


@click.group()
def main() -> None:
    """Measure the generation or the verification of questions."""


SUPPORTS = (2, 3, 4, 5, 6)


@main.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--write", is_flag=True, help="Write benchmarks/results/generated-questions.json.")
def generation(folder: Path, *, write: bool) -> None:
    """Measure question generation on a graph."""
    with TemporaryDirectory() as place:
        home = Path(place)
        costs = {form.value: _cost(folder, home / form, form) for form in SplitFormat}
        statistics = json.loads((home / SplitFormat.BOTH / STATISTICS).read_bytes())
        rules = read_two_hop_rules(home / SplitFormat.BOTH / TWO_HOP_RULES)
        figures = {
            "data": statistics["graph"]["name"],
            "machine": machine() | {"numpy": np.__version__},
            "cap": CAP,
            "min_support": MIN_SUPPORT,
            "questions": statistics["questions"],
            "total": statistics["total"],
            "answers": {
                kind: {split: record["mean"] for split, record in splits.items()}
                for kind, splits in statistics["answers"].items()
            },
            "yes": statistics["yes"],
            "left_out": statistics["left_out"],
            "splits": statistics["graph"]["splits"],
            "rules": statistics["rules"],
            "mean_rule_confidence": round(float(np.mean([r.confidence for r in rules])), 4),
            "supports": [_support(folder, home / str(least), least) for least in SUPPORTS],
            "costs": costs,
        }
    if write:
        write_results("generated-questions", figures)
    print_json(figures)


def _cost(folder: Path, out: Path, form: SplitFormat) -> dict[str, float]:
    process = command(
        *("generate", "questions", str(folder), "--out", str(out), "--format", form, "--json")
    )
    return {"seconds": round(process.spent, 1), "mebibytes": round(process.mebibytes)}


def _support(folder: Path, out: Path, least: int) -> dict[str, Any]:
    """Numbers of rules and questions with another minimum support of 2-hop rules."""
    options = ("--kinds", "2-hop", "--min-support", str(least), "--format", "jsonl", "--json")
    command("generate", "questions", str(folder), "--out", str(out), *options)
    statistics = json.loads((out / STATISTICS).read_bytes())
    return {
        "min_support": least,
        "rules": statistics["rules"]["two_hop"],
        "questions": statistics["total"],
    }


STEPS = ("reading", "text", "writing", "replay", "asp", "join", "ranks")


@main.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("graph", type=click.Path(exists=True, path_type=Path))
@click.argument("items", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--rounds", type=click.IntRange(1), default=5, show_default=True)
@click.option("--write", is_flag=True, help="Write benchmarks/results/proved-questions.json.")
def verification(folder: Path, graph: Path, items: Path, rounds: int, *, write: bool) -> None:
    """Measure the steps of verifying the questions of a folder."""
    begun = time.process_time()
    read_question("Who will Ada consult at time 3?")
    parser = time.process_time() - begun
    loops, costs = [], []
    for _ in range(rounds):
        loops.append(_plain(items))
        costs.append(steps(folder, graph))
    found = {
        kind: {name: min(record[kind][name] for record in costs) for name in cost}
        for kind, cost in costs[0].items()
    }
    figures = {
        "data": graph.name,
        "machine": machine(),
        "batch": BATCH,
        "rounds": rounds,
        "parser_seconds": round(parser, 2),
        "milliseconds": found,
        "plain_loop": {
            "file": items.name,
            "milliseconds": min(loops),
            "loops per question": {
                kind: round(whole(record) / min(loops), 2) for kind, record in found.items()
            },
        },
    }
    if write:
        write_results("proved-questions", figures)
    print_json(figures)


def whole(cost: Mapping[str, float]) -> float:
    """Milliseconds of all steps of verifying a question."""
    return sum(cost.get(step, 0) for step in STEPS if step != "writing")


def steps(folder: Path, graph: Path) -> dict[str, dict[str, float]]:
    """Milliseconds per question of each step, and the number of questions, by kind.

    Raises:
        HopcheckError: a file cannot be read, or the folder has no test questions.
    """
    known = load_graph(Source.of((str(folder),), graph, None))
    file = split_file(folder, Split.TEST)
    for other in read_questions(split_file(folder, Split.VALID)):
        if isinstance(other, Question):
            _text(other)
    begun = time.process_time()
    questions = [question for question in read_questions(file) if isinstance(question, Question)]
    reading = _milliseconds(begun, len(questions))
    found: dict[str, dict[str, float]] = {}
    for kind in QuestionKind:
        if some := [question for question in questions if question.kind is kind]:
            found[kind.value] = {"questions": len(some), "reading": reading} | _of(some, known)
    return found


def _of(questions: Sequence[Question], known: LoadedGraph) -> dict[str, float]:
    linked = sorted(
        (link(question, known.names) for question in questions),
        key=lambda question: question.query.time,
    )
    parts = [linked[begin : begin + BATCH] for begin in range(0, len(linked), BATCH)]
    read = [read_question(question.text) for question in questions]
    work: dict[str, Callable[[], Iterable[object]]] = {
        "text": lambda: map(_text, questions),
        "writing": lambda: (write_question(*question) for question in read),
        "replay": lambda: (
            list(certificate_faults(known.checked, fields(question))) for question in questions
        ),
        "asp": lambda: map(known.asp_engine.findings, parts),
        "join": lambda: map(known.join_engine.findings, parts),
    }
    if questions[0].kind is QuestionKind.FACT_REASONING:
        facts = _facts(linked)
        # The questions of a split other than train have one fold.
        (fold,) = set(fold_of(known.folds, facts.time).tolist())
        applied = (known.plain[fold], known.fast[fold])
        work["ranks"] = lambda: ranked_first_by_both(*applied, facts)
    # Compute cached properties before timing.
    known.checked, known.asp_engine, known.join_engine  # noqa: B018 - cached properties
    found = {}
    # As in the workers of ``verify``: what was made before is not searched for cycles.
    gc.collect()
    gc.freeze()
    for name, run in work.items():
        begun = time.process_time()
        deque(run(), maxlen=0)
        found[name] = _milliseconds(begun, len(questions))
    gc.unfreeze()
    return found


def _text(question: Question) -> None:
    read_question(question.text)
    for choice in question.choices:
        read_statement(choice.text)


def _facts(linked: Sequence[LinkedQuestion]) -> Quadruples:
    rows = [(*question.query.triples[0], question.query.time) for question in linked]
    return Quadruples.of(np.array(rows, dtype=np.int64))


def _plain(items: Path) -> float:
    """Milliseconds of the plain loop for one item."""
    begun = time.process_time()
    number = sum(1 for _ in labels(items))
    return _milliseconds(begun, number)


def _milliseconds(begun: float, questions: int) -> float:
    return round(1000 * (time.process_time() - begun) / questions, 4)


if __name__ == "__main__":
    main()
