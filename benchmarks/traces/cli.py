"""Commands about chains of thought: ``score traces`` and ``prompts traces``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.cli.options import FiniteFloat, as_json, out_file, report, resamples, seed

if TYPE_CHECKING:
    from benchmarks.traces.scoring import ScoreReport

TASKS = ("critique", "solve")

chains = click.option(
    "--data",
    "paths",
    multiple=True,
    required=True,
    metavar="PATH",
    help="File of chains (JSON Lines), or - for standard input; may be repeated.",
)


@click.command()
@click.argument("predictions", metavar="PREDICTIONS")
@chains
@click.option(
    "--threshold",
    type=FiniteFloat(),
    default=0.5,
    show_default=True,
    help="A step with a lower score is called wrong.",
)
@resamples
@seed
@report
@as_json
@click.pass_context
def traces(
    ctx: click.Context,
    /,
    *,
    predictions: str,
    paths: tuple[str, ...],
    report: Path | None,
    as_json: bool,
    threshold: float,
    resamples: int,
    seed: int,
) -> None:
    """Score a critic of chains of thought, or a model's own chains.

    PREDICTIONS has an id for each row, and one of: first_error, the first wrong step (-1 for none);
    critique, a reply to `prompts traces`; scores, how right each step is; trace, the text of a
    model's own chain. Chains are decided by both engines. Missing predictions count as wrong.

    \b
    Examples:
      python -m solver score traces examples/traces/critic.jsonl --data examples/traces/right.jsonl
      python -m solver score traces examples/traces/own.jsonl --data examples/traces/right.jsonl
    """  # noqa: D301 - click reads the backslash
    from benchmarks.traces.inputs import read_answers, read_cases
    from benchmarks.traces.scoring import ScoreReport, ScoreSettings, score, write
    from solver.cli.printing import finish_run

    cases = read_cases(paths)
    matched = read_answers(predictions, cases)
    for note in matched.notes("chain"):
        click.echo(note, err=True)
    settings = ScoreSettings(threshold=threshold, seed=seed, resamples=resamples)
    run = ScoreReport(
        data=paths,
        matched=matched,
        scores=score(cases, matched.answers, settings),
        settings=settings,
    )
    finish_run(run, as_json=as_json, show=lambda: _show(run), report=report, write=write)
    ctx.exit(matched.exit_status)


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--task",
    type=click.Choice(TASKS),
    default=TASKS[0],
    show_default=True,
    help="Find the first wrong step of each chain, or solve its item step by step.",
)
@out_file()
def prompts(*, paths: tuple[str, ...], task: str, out: Path | None) -> None:
    """Write a prompt about each chain of thought, as JSONL with id, task and prompt.

    `score traces` reads replies with these ids: critiques as critique, chains as trace. Of twins
    both are asked about; solving asks about their two items.

    
    Examples:
      python -m solver prompts traces examples/traces/right.jsonl > prompts.jsonl
      python -m solver prompts traces data/chains --task solve --out prompts.jsonl
    """
    from benchmarks.traces.prompts import Task
    from benchmarks.traces.prompts import prompts as written
    from solver.cli.printing import write_lines
    from solver.io.writing import line

    write_lines(map(line, written(paths, Task(task))), out)


def _show(run: ScoreReport) -> None:
    from solver.cli.printing import narrow_table
    from solver.io.terminal import wide_console

    console = wide_console()
    console.print(
        f"{run.matched.predictions.name}: {run.scores.what} of {run.scores.items:,} chains"
    )
    for table in run.tables():
        first, *others = table.columns
        shown = narrow_table("", first, others)
        for row in table.rows:
            shown.add_row(*map(str, row))
        console.print(shown)
