"""``reproduce``: published tables on generated data, in a checkout."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchmarks.forecasting.cli import MODELS, device
from benchmarks.training import Device
from generators.tkg.presets import Preset
from solver.cli.options import (
    EnumChoice,
    NewFolder,
    as_json,
    graph,
    jobs,
    number_option,
    path_option,
    read_graph,
    report,
    resamples,
    seed,
    split,
)
from solver.graph.model import Split
from solver.rules.cli.options import allow_leak

if TYPE_CHECKING:
    from benchmarks.forecasting.settings import Settings


@click.group()
def reproduce() -> None:
    """Reproduce published tables, with intervals."""


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


@reproduce.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), metavar="DIR")
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
def questions(
    *,
    folder: Path,
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
    from benchmarks.reproduction.questions.tables import Form, Source, TablesPlan, measure
    from benchmarks.reproduction.questions.tables import report as page
    from solver.cli.printing import print_json
    from solver.io.terminal import print_table, wide_console
    from solver.report.page import write_report

    plan = TablesPlan(
        folder=folder,
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


@reproduce.command()
@click.option(
    "--preset",
    "presets",
    type=EnumChoice(Preset),
    multiple=True,
    metavar="PRESET",
    help="Data set of generate tkg; repeatable. Default: all but icews14-synth.",
)
@number_option("--seeds", default=5, help="Number of graphs of each data set.")
@click.option(
    "--lengths",
    type=click.Choice(["1", "1,2"]),
    default="1,2",
    show_default=True,
    help="Lengths of the mined rules.",
)
@click.option(
    "--forecaster",
    "forecasters",
    type=click.Choice(MODELS),
    multiple=True,
    help="Neural forecaster to train on each graph; repeatable.",
)
@click.option(
    "--epochs",
    type=click.IntRange(1),
    help="Maximum number of epochs of forecasters.  [default: as published]",
)
@click.option(
    "--work",
    type=NewFolder(copied=False),
    metavar="DIR",
    help="Folder of finished graphs; an interrupted run resumes from it.",
)
@jobs
@report
@as_json
def table7(
    *,
    presets: tuple[Preset, ...],
    seeds: int,
    lengths: str,
    forecasters: tuple[str, ...],
    epochs: int | None,
    work: Path | None,
    jobs: int,
    report: Path | None,
    as_json: bool,
) -> None:
    """Reproduce Table 7 of the synthetic temporal knowledge graphs.

    Generates the data sets, runs the heuristics, temporal rules and the planted patterns, and
    composes prompts for the retrieval ceilings. Means over seeds have 95% intervals. Experiments
    vary the facts that rules are applied to, and the contexts of prompts. The report has Figures 5
    to 7 and results by shape, hops and lag. Forecasters, such as cygnet, need PyTorch.

    \b
    Examples:
      python -m solver reproduce table7 --preset ent-u-rel-u --seeds 1
      python -m solver reproduce table7 --jobs 8 --work runs/graphs --report runs/table7
    """  # noqa: D301 - click reads the backslash
    from benchmarks.reproduction.tkg.table7 import as_json as as_values
    from benchmarks.reproduction.tkg.table7 import measure_rows
    from benchmarks.reproduction.tkg.table7 import report as page
    from generators.tkg.presets import config_of
    from solver.cli.printing import narrow_table, print_json, progress
    from solver.io.terminal import wide_console
    from solver.report.page import write_report

    chosen = presets or tuple(preset for preset in Preset if preset is not Preset.ICEWS14_SYNTH)
    used = tuple(map(int, lengths.split(",")))
    settings = _settings(forecasters, epochs)
    with progress("graphs", seeds * len(chosen)) as advance:
        found = measure_rows(
            {preset: config_of(preset) for preset in chosen},
            seeds,
            lengths=used,
            forecasters=settings,
            jobs=jobs,
            work=work,
            progress=advance,
        )
    values, shown = as_values(found), page(found)
    if report is not None:
        config = {
            "presets": [preset.value for preset in chosen],
            "seeds": seeds,
            "lengths": list(used),
            "forecasters": [asdict(setting) for setting in settings],
        }
        write_report(report, shown, figures=values, config=config)
    if as_json:
        print_json(values)
        return
    console = wide_console()
    for section in shown.sections:
        for other_table in section.tables:
            columns = [str(column) for column in other_table.columns]
            table = narrow_table(section.title, columns[0], columns[1:])
            for row in other_table.rows:
                table.add_row(*map(str, row))
            console.print(table)


def _settings(names: tuple[str, ...], epochs: int | None) -> tuple[Settings, ...]:
    """The published settings of forecasters, with fewer or more epochs perhaps."""
    if not names:
        return ()
    from benchmarks.forecasting.settings import Model, Settings
    from solver.extras import require

    require("a forecaster", "torch")
    found = [Settings.of(Model(name)) for name in dict.fromkeys(names)]
    return tuple(
        settings if epochs is None else replace(settings, epochs=epochs) for settings in found
    )
