"""``answer``: answers questions about a graph from their texts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchmarks.forecasting.cli import device
from solver.cli.options import (
    FiniteFloat,
    as_json,
    graph,
    jobs,
    out_file,
    path_option,
    read_graph,
    seed,
    split,
)
from solver.rules.cli.options import allow_leak

if TYPE_CHECKING:
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
@path_option(
    "--forecaster",
    metavar="FOLDER",
    help="Trained forecaster, or a folder of scores, for --by multi-hop.",
)
@split
@path_option(
    "--rules", metavar="FILE", help="Rules to forecast with.  [default: rules.jsonl of DIR]"
)
@path_option(
    "--reasoning-rules",
    metavar="FILE",
    help="Rules for contributions of choices.  [default: rules.jsonl of DIR, or else --rules]",
)
@path_option(
    "--tune",
    metavar="FILE",
    help="Questions to tune the threshold of yes on.  [default: valid.jsonl of DIR]",
)
@click.option(
    "--threshold",
    type=FiniteFloat(0),
    help="Minimum score for the answer yes, instead of --tune.",
)
@click.option(
    "--most",
    type=click.IntRange(1, 100_000),
    help="Maximum number of entities per answer.  [default: 100; no limit with --observe all]",
)
@path_option("--model", metavar="FOLDER", help="Answer by the models of train questions.")
@device
@allow_leak
@seed
@jobs
@out_file("Prediction file to write, JSON Lines; gzip if it ends in .gz.", required=True)
@as_json
def command(
    *,
    questions: Path,
    graph: Path,
    observe: str,
    by: str | None,
    forecaster: Path | None,
    split: Split,
    rules: Path | None,
    reasoning_rules: Path | None,
    tune: Path | None,
    threshold: float | None,
    most: int | None,
    model: Path | None,
    device: Device,
    allow_leak: bool,
    seed: int,
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
    from benchmarks.questions.run import AnswerPlan, Basis, answer_file
    from solver.cli.printing import print_json, progress

    oracle = observe == "all"
    if oracle and by not in (None, "multi-hop"):
        raise click.UsageError("--by requires --observe past, but for multi-hop.")
    if (forecaster is not None) != (by == "multi-hop" and not oracle):
        raise click.UsageError("--forecaster goes with --observe past --by multi-hop.")
    if model is not None and (oracle or by):
        raise click.UsageError("--model requires --observe past, without --by.")
    plan = AnswerPlan(
        basis=None if oracle and by is None else Basis(by or "rules"),
        split=split,
        rules=rules,
        reasoning=reasoning_rules,
        tune=tune,
        threshold=threshold,
        most=most,
        allow_leak=allow_leak,
        seed=seed,
        model=model,
        forecaster=forecaster,
        device=device,
    )
    run = answer_file(questions, read_graph(graph), plan, jobs=jobs, progress=progress)
    write_predictions(out, run.ids, run.rankings)
    scores = _scores(out, run.file)
    # JSON has no infinity, which means never to answer yes.
    shown = None if run.threshold == float("inf") else run.threshold
    if as_json:
        figures = {
            "observe": observe,
            "by": "model" if model else None if plan.basis is None else plan.basis.value,
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
        from benchmarks.questions.cli.score import show

        show(scores)


def _scores(predictions: Path, questions: Path) -> Scores | None:
    """Score the written answers; None if there are no gold answers."""
    from benchmarks.questions.run import score_file
    from grammar.errors import HopcheckError

    try:
        return score_file(str(predictions), questions, details=False).scores
    except HopcheckError as error:
        # Scoring is optional: the questions need not have gold answers.
        click.echo(f"note: not scored: {error}", err=True)
        return None
