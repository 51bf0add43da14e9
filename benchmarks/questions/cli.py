"""``answer``, ``train questions`` and ``score questions``: answers to questions about a graph."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchmarks.forecasting.cli import device
from benchmarks.questions.neural.examples import Task
from benchmarks.questions.neural.model import QuestionModel, Settings
from benchmarks.questions.run import AnswerPlan, Basis, answer_file, score_file
from solver.cli.options import (
    as_json,
    graph,
    jobs,
    out_file,
    out_folder,
    path_option,
    read_graph,
    report,
    resamples,
    seed,
    split,
)
from solver.cli.settings import setting_option, setting_options
from solver.io.sources import output_name

if TYPE_CHECKING:
    from benchmarks.questions.report import ScoringResult
    from benchmarks.questions.scores import Scores
    from benchmarks.training import Device
    from solver.graph.model import Split

BASES = ("rules", "frequency", "recency", "chance", "multi-hop")


@click.command()
@click.argument("questions", type=click.Path(path_type=Path), metavar="DIR|FILE")
@graph()
@click.option(
    "--observe",
    type=click.Choice(["past", "all"]),
    required=True,
    help="Facts to observe: those before the query time, or all (oracle).",
)
@click.option(
    "--by",
    type=click.Choice(BASES),
    help="Baseline to forecast with; multi-hop may observe all.  [default: rules]",
)
@setting_options("plan", AnswerPlan)
@jobs
@out_file("Prediction file to write, JSON Lines; gzip if it ends in .gz.", required=True)
@as_json
def answer(
    *,
    questions: Path,
    graph: Path,
    observe: str,
    by: str | None,
    plan: AnswerPlan,
    jobs: int,
    out: Path,
    as_json: bool,
) -> None:
    """Answer questions about a graph from their texts, write the answers, and score them.

    Texts are parsed by the grammar and linked to the graph; gold answers are not used. With
    --observe past only facts before the query time count. The answers are then scored as by score
    questions, if the file of questions has gold answers.

    \b
    Examples:
      python -m solver generate questions examples/questions/graph --out asked
      python -m solver answer asked --data examples/questions/graph --observe past \\
        --out answers.jsonl
      python -m solver answer asked --data examples/questions/graph --observe all \\
        --out oracle.jsonl
      python -m solver answer asked --data examples/questions/graph --observe all \\
        --by multi-hop --out known.jsonl
      python -m solver answer asked --data examples/questions/graph --observe past \\
        --model runs/questions --out answers.jsonl
    """  # noqa: D301 - click reads the backslash
    from benchmarks.questions.predictions import write_predictions
    from solver.cli.printing import print_json, progress

    oracle = observe == "all"
    if oracle and by not in (None, "multi-hop"):
        raise click.UsageError("--by requires --observe past, but for multi-hop.")
    if (plan.forecaster is not None) != (by == "multi-hop" and not oracle):
        raise click.UsageError("--forecaster goes with --observe past --by multi-hop.")
    if plan.model is not None and (oracle or by):
        raise click.UsageError("--model requires --observe past, without --by.")
    plan = replace(plan, basis=None if oracle and by is None else Basis(by or "rules"))
    run = answer_file(questions, read_graph(graph), plan, jobs=jobs, progress=progress)
    write_predictions(out, run.ids, run.rankings)
    scores = _scores(out, run.file)
    # JSON has no infinity, which means never to answer yes.
    shown = None if run.threshold == float("inf") else run.threshold
    if as_json:
        figures = {
            "observe": observe,
            "by": "model" if plan.model else None if plan.basis is None else plan.basis.value,
            "questions": run.kinds,
            "threshold": shown,
            "predictions": out.name,
        }
        print_json(figures | {"scores": None if scores is None else scores.as_json()})
        return
    counts = ", ".join(f"{number:,} {kind}" for kind, number in run.kinds.items())
    tail = "" if shown is None else f"; yes from a score of {shown:g} on"
    click.echo(f"{len(run.ids):,} questions: {counts}{tail}")
    click.echo(f"written: {out}", err=True)
    if scores is not None:
        show(scores)


def _scores(predictions: Path, questions: Path) -> Scores | None:
    """Score the written answers; None if there are no gold answers."""
    from grammar.errors import HopcheckError

    try:
        return score_file(str(predictions), questions, details=False).scores
    except HopcheckError as error:
        # Scoring is optional: the questions need not have gold answers.
        click.echo(f"note: not scored: {error}", err=True)
        return None


@click.command()
@click.argument("predictions", metavar="PREDICTIONS")
@path_option("--questions", metavar="DIR|FILE", required=True, help="Questions with gold answers.")
@split
@resamples
@seed
@report
@as_json
@click.pass_context
def questions(
    ctx: click.Context,
    /,
    *,
    predictions: str,
    questions: Path,
    split: Split,
    resamples: int,
    seed: int,
    report: Path | None,
    as_json: bool,
) -> None:
    """Score answers to questions over a graph, by kind, relation and month.

    PREDICTIONS is JSON Lines with one object {"id": ..., "ranking": [best, second, ...]} per
    question, or a table of ids and answers. Answers are names of entities, yes or unknown, or
    letters of choices. Missing answers count as wrong. - is standard input.

    \b
    Examples:
      python -m solver generate questions examples/questions/graph --out asked
      python -m solver answer asked --data examples/questions/graph --observe past \\
        --out answers.jsonl
      python -m solver score questions answers.jsonl --questions asked
    """  # noqa: D301 - click reads the backslash
    from benchmarks.questions.report import write
    from solver.cli.printing import finish_run

    run = score_file(
        predictions,
        questions,
        split,
        details=as_json or report is not None,
        seed=seed,
        resamples=resamples,
    )
    for note in run.matched.notes("question"):
        click.echo(note, err=True)
    finish_run(run, as_json=as_json, show=lambda: _show(run), report=report, write=write)
    ctx.exit(run.matched.exit_status)


def _show(run: ScoringResult) -> None:
    from solver.io.terminal import wide_console

    line = f"{run.predictions}: {run.size:,} questions of {run.questions}; in percent"
    wide_console().print(line, soft_wrap=True)
    show(run.scores)


def show(scores: Scores) -> None:
    """Print all tables and the figures in one sentence."""
    from benchmarks.questions.report import chosen, headline, labels, overall
    from benchmarks.questions.scores import LABELLED, RANKED
    from solver.io.terminal import folded, print_table, wide_console

    for names in (RANKED, LABELLED):
        table = overall(scores, names)
        if table is not None:
            print_table(table)
    if scores.labels:
        print_table(labels(scores))
    if scores.chosen:
        print_table(chosen(scores))
    for line in folded(headline(scores)):
        wide_console().print(line, soft_wrap=True)


@click.command()
@click.argument("questions", type=click.Path(file_okay=False, path_type=Path), metavar="DIR")
@graph()
@path_option("--forecaster", metavar="FOLDER", help="Trained forecaster that represents entities.")
@setting_option(Settings, "head")
@path_option(
    "--encoder",
    metavar="FOLDER",
    help="Encoder of texts, saved by transformers.  [default: a small one, from scratch]",
)
@click.option(
    "--task",
    "tasks",
    type=click.Choice([task.value for task in Task]),
    multiple=True,
    help="What to learn; may be repeated.  [default: all]",
)
@setting_option(Settings, "width")
@click.option(
    "--batch",
    type=click.IntRange(1),
    help="Questions of a step.  [default: 256; 32 for fact-reasoning]",
)
@setting_option(Settings, "rate")
@setting_option(Settings, "dropout")
@setting_option(Settings, "epochs")
@setting_option(Settings, "patience")
@out_folder("Output folder; an interrupted training resumes from it.")
@seed
@device
@as_json
def train(
    *,
    questions: Path,
    graph: Path,
    forecaster: Path | None,
    encoder: Path | None,
    tasks: tuple[str, ...],
    out: Path,
    batch: int | None,
    seed: int,
    device: Device,
    as_json: bool,
    **given: Any,  # noqa: ANN401
) -> None:
    """Train models that answer questions about a graph from their texts.

    DIR is a folder that generate questions wrote. There is one model for entities (1-hop and
    2-hop), one for yes-unknown and one for fact reasoning; each keeps the epoch with the best MRR
    or accuracy on the split valid.

    \b
    Examples:
      python -m solver train forecaster --data examples/questions/graph --model re-gcn-complex \\
        --size 16 --epochs 3 --out runs/backbone
      python -m solver generate questions examples/questions/graph --out asked
      python -m solver train questions asked --data examples/questions/graph \\
        --forecaster runs/backbone --epochs 3 --out runs/questions
      python -m solver answer asked --data examples/questions/graph --observe past \\
        --model runs/questions --out answers.jsonl
    """  # noqa: D301 - click reads the backslash
    from benchmarks.questions.neural.run import TrainingPlan
    from benchmarks.questions.neural.run import train as train_models
    from benchmarks.training import select_device
    from solver.cli.printing import print_json, progress
    from solver.extras import require

    require("a model of questions", "torch")
    if given["width"] % 4:
        raise click.UsageError(f"--width: found {given['width']}, expected a multiple of 4.")
    plan = TrainingPlan(
        questions=questions,
        settings=Settings(task=Task.ENTITIES, **given),
        tasks=tuple(map(Task, dict.fromkeys(tasks))) or tuple(Task),
        forecaster=forecaster,
        encoder=encoder,
        out=out,
        batch=batch,
        device=str(select_device(device)),
        seed=seed,
    )
    models = train_models(plan, read_graph(graph), progress)
    if as_json:
        print_json({task.value: model.as_json() for task, model in models.items()})
        return
    for task, model in models.items():
        _show_training(task, model)
    click.echo(f"models: {output_name(out)}", err=True)


def _show_training(task: Task, model: QuestionModel) -> None:
    from solver.io.sources import counted

    course = model.course
    if not course.losses:
        click.echo(f"{task}: training is already complete")
        return
    figure = "MRR" if task is Task.ENTITIES else "accuracy"
    tail = f", {figure} {100 * max(course.validation):.2f} on valid" if course.validation else ""
    loss = f"loss {course.losses[0]:.3f} to {course.losses[-1]:.3f}"
    epochs = counted(len(course.losses), "epoch")
    click.echo(f"{task}: {epochs}, {loss}; epoch {course.best} kept{tail}")
