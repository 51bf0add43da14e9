"""``train questions``: trains models that answer questions about a graph."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchmarks.forecasting.cli import device
from benchmarks.questions.neural.examples import Task
from benchmarks.questions.neural.network import Head
from solver.cli.options import (
    FiniteFloat,
    as_json,
    choice_option,
    graph,
    out_folder,
    path_option,
    read_graph,
    seed,
)
from solver.io.sources import output_name

if TYPE_CHECKING:
    from benchmarks.questions.neural.model import QuestionModel
    from benchmarks.training import Device


@click.command()
@click.argument("questions", type=click.Path(file_okay=False, path_type=Path), metavar="DIR")
@graph()
@path_option("--forecaster", metavar="FOLDER", help="Trained forecaster that represents entities.")
@choice_option(
    "--head",
    values=Head,
    default=Head.PRODUCT,
    help="Score texts by products with the forecaster's entities, as ForecastTKGQA; by these and "
    "counts of earlier facts, copy; by a layer over both, joined; or alone.",
)
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
@click.option(
    "--width",
    type=click.IntRange(4),
    default=64,
    show_default=True,
    help="Width of an encoder from scratch, a multiple of 4.",
)
@click.option(
    "--batch",
    type=click.IntRange(1),
    help="Questions of a step.  [default: 256; 32 for fact-reasoning]",
)
@click.option(
    "--rate",
    type=FiniteFloat(0, min_open=True),
    default=0.001,
    show_default=True,
    help="Learning rate.",
)
@click.option(
    "--dropout",
    type=FiniteFloat(0, 1, max_open=True),
    default=0.3,
    show_default=True,
    help="Share of values that are dropped.",
)
@click.option(
    "--epochs", type=click.IntRange(1), default=50, show_default=True, help="Most epochs."
)
@click.option(
    "--patience",
    type=click.IntRange(0),
    default=5,
    show_default=True,
    help="Epochs without a better validation figure before stopping; 0: never.",
)
@out_folder("Output folder; an interrupted training resumes from it.")
@seed
@device
@as_json
def command(
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
    from benchmarks.questions.neural.model import Settings
    from benchmarks.questions.neural.run import TrainingPlan, train
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
    models = train(plan, read_graph(graph), progress)
    if as_json:
        print_json({task.value: model.as_json() for task, model in models.items()})
        return
    for task, model in models.items():
        _show(task, model)
    click.echo(f"models: {output_name(out)}", err=True)


def _show(task: Task, model: QuestionModel) -> None:
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
