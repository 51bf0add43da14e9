"""``reproduce questions``: Tables 5 to 7 of ForecastTKGQA on questions about a graph."""

from __future__ import annotations

from pathlib import Path

import click

from benchmarks.forecasting.cli import device
from benchmarks.training import Device
from solver.cli.options import (
    as_json,
    graph,
    jobs,
    path_option,
    read_graph,
    report,
    resamples,
    seed,
    split,
)
from solver.graph.model import Split
from solver.rules.cli.options import allow_leak


class NamedPath(click.ParamType[tuple[str, Path]]):
    """``NAME=PATH``."""

    name = "NAME=PATH"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, Path]:
        """Split at the first equals sign."""
        if isinstance(value, tuple):
            return value
        name, equals, path = str(value).partition("=")
        if not (name and equals and path):
            self.fail(f"found {str(value)!r}, expected NAME=PATH.", param, ctx)
        if not Path(path).exists():
            self.fail(f"found no file or folder {path}.", param, ctx)
        return name, Path(path)


@click.command()
@click.argument("questions", type=click.Path(file_okay=False, path_type=Path), metavar="DIR")
@graph()
@split
@click.option(
    "--model",
    type=NamedPath(),
    multiple=True,
    help="Models of train questions; equal names are seeds of one model.",
)
@click.option(
    "--predictions", type=NamedPath(), multiple=True, help="Prediction file of answers; likewise."
)
@click.option(
    "--ranks",
    type=NamedPath(),
    multiple=True,
    help="Ranks or scores of all queries of the split, for 1-hop questions; likewise.",
)
@click.option(
    "--forecaster",
    type=NamedPath(),
    multiple=True,
    help="Trained forecaster or folder of scores, for multi-hop scores; likewise.",
)
@path_option("--rules", metavar="FILE", help="Rules for one more baseline.")
@device
@allow_leak
@resamples
@seed
@jobs
@report
@as_json
def command(
    *,
    questions: Path,
    graph: Path,
    split: Split,
    rules: Path | None,
    device: Device,
    allow_leak: bool,
    resamples: int,
    seed: int,
    jobs: int,
    report: Path | None,
    as_json: bool,
    **given: tuple[tuple[str, Path], ...],
) -> None:
    """Reproduce Tables 5 to 7 of ForecastTKGQA on questions about a graph.

    DIR is a folder that generate questions wrote. Models, predictions and ranks are compared with
    rules, frequency, recency and chance, and with what observes the day itself. Intervals are
    those of a bootstrap over questions, or of Student's t over seeds.

    \b
    Examples:
      python -m solver generate questions examples/questions/graph --out asked
      python -m solver answer asked --data examples/questions/graph --observe past \\
        --by recency --out answers.jsonl
      python -m solver reproduce questions asked --data examples/questions/graph \\
        --predictions mine=answers.jsonl
    """  # noqa: D301 - click reads the backslash
    from benchmarks.questions.tables import Form, Source, TablesPlan, measure
    from benchmarks.questions.tables import report as page
    from solver.cli.printing import print_json
    from solver.io.terminal import print_table, wide_console
    from solver.report.page import write_report

    plan = TablesPlan(
        folder=questions,
        split=split,
        sources=tuple(
            Source(name=name, form=form, path=path)
            for form in Form
            for name, path in given[form.value]
        ),
        rules=rules,
        resamples=resamples,
        seed=seed,
        device=device,
        allow_leak=allow_leak,
        jobs=jobs,
    )
    values = measure(read_graph(graph), plan)
    shown = page(values)
    if report is not None:
        config = {"split": split.value, "resamples": resamples}
        write_report(report, shown, figures=values, config=config, seed=seed)
    if as_json:
        print_json(values)
        return
    console = wide_console()
    console.print(f"{shown.title}\n{shown.lead}", soft_wrap=True)
    for section in shown.sections:
        console.print(f"\n{section.title}", soft_wrap=True)
        for table in section.tables:
            print_table(table)
