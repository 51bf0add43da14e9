"""``train forecaster`` and ``baseline forecaster``: neural forecasters over a graph."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchmarks.forecasting.settings import Model, Settings
from benchmarks.rules.cli.score import filtering, ties
from benchmarks.training import Device
from solver.cli.options import (
    NewFolder,
    as_json,
    choice_option,
    graph,
    out_file,
    out_folder,
    read_graph,
    seed,
    split,
)
from solver.cli.settings import override_options
from solver.io.sources import output_name
from solver.rules.cli.options import allow_leak

if TYPE_CHECKING:
    from benchmarks.forecasting.forecaster import FloatArray, NeuralForecaster
    from solver.graph.model import Dataset, Ids, Split

MODELS = tuple(model.value for model in Model)
device = choice_option(
    "--device", values=Device, default=Device.AUTO, help="Device; auto selects a GPU if available."
)


@click.command()
@graph()
@click.option("--model", type=click.Choice(MODELS), required=True, help="The forecaster to train.")
@out_folder("Output folder; an interrupted training resumes from it.")
@override_options(Settings, "  [default: as published]")
@seed
@device
@as_json
def train(
    *,
    graph: Path,
    model: str,
    out: Path,
    seed: int,
    device: Device,
    as_json: bool,
    **given: float | None,
) -> None:
    """Train a forecaster on the split train of a graph.

    The epoch with the best raw MRR on the split valid, if there is one, is kept. Splits must be in
    order of time.

    \b
    Examples:
      python -m solver train forecaster --data examples/tkg --model cygnet --size 16 --epochs 5 \\
        --out runs/cygnet
      python -m solver baseline forecaster runs/cygnet --data examples/tkg --out ranks.txt
    """  # noqa: D301 - click reads the backslash
    from solver.cli.printing import print_json
    from solver.extras import require

    require("a forecaster", "torch")
    chosen: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    settings = replace(Settings.of(Model(model)), **chosen)
    forecaster = _trained(read_graph(graph), settings, seed, device, out)
    if as_json:
        print_json(forecaster.as_json())
    else:
        _show(forecaster, out)


def _trained(
    graph: Dataset, settings: Settings, seed: int, device: Device, out: Path
) -> NeuralForecaster:
    """Train, or go on; a complete training is loaded."""
    from importlib.metadata import version

    from benchmarks.forecasting.forecaster import NeuralForecaster
    from benchmarks.training import MODEL, Checkpoints, select_device
    from solver.cli.printing import progress
    from solver.graph.model import Split
    from solver.rules.provenance import checksum

    place = str(select_device(device))
    start = {
        "settings": asdict(settings),
        "graph": checksum(graph),
        "seed": seed,
        "torch": version("torch"),
    }
    checkpoints = Checkpoints(out, start)
    if (out / MODEL).is_dir():
        checkpoints.clear()
        click.echo(f"{output_name(out)}: training is already complete", err=True)
        return NeuralForecaster.load(out / MODEL, graph, device=place)
    forecaster = NeuralForecaster(settings=settings, device=place, checkpoints=checkpoints)
    until = int(graph.facts(Split.TRAIN).time.max()) + 1
    with progress("steps") as advance:
        forecaster.fit(graph, until=until, seed=seed, progress=advance)
    best = forecaster.course.best
    checkpoints.keep(forecaster, best)
    checkpoints.finish(best)
    checkpoints.clear()
    return forecaster


def _show(forecaster: NeuralForecaster, out: Path) -> None:
    from benchmarks.training import MODEL
    from solver.cli.printing import narrow_table
    from solver.io.terminal import wide_console

    console, course = wide_console(), forecaster.course
    table = narrow_table("", "epoch", ["loss", "validation MRR, raw"])
    for epoch, loss in enumerate(course.losses, 1):
        mark = "  kept" if epoch == course.best else ""
        figure = f"{100 * course.validation[epoch - 1]:.2f}" if course.validation else ""
        table.add_row(f"{epoch}{mark}", f"{loss:.3f}", figure)
    console.print(table)
    console.print(f"model: {output_name(out / MODEL)}", soft_wrap=True)


@click.command()
@click.argument("model", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@graph()
@split
@filtering
@ties
@device
@click.option(
    "--scores",
    type=NewFolder(),
    metavar="FOLDER",
    help="Also write the scores of all entities, in parts.",
)
@click.option(
    "--queries",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Queries to score instead of a split, as forecast --queries writes them; no ranks.",
)
@allow_leak
@out_file("Output file for ranks; required without --queries.")
def baseline(
    *,
    model: Path,
    graph: Path,
    split: Split,
    filter: str,
    ties: str,
    device: Device,
    scores: Path | None,
    queries: Path | None,
    allow_leak: bool,
    out: Path | None,
) -> None:
    """Rank the answers of a split with a trained forecaster and write a rank file.

    DIR is the folder of a training. A query uses the facts before its time, those of its own split
    among them, as far as the model reads facts that it has not learned.

    \b
    Examples:
      python -m solver baseline forecaster runs/cygnet --data examples/tkg --out ranks.txt
      python -m solver baseline forecaster runs/cygnet --data examples/tkg --out ranks.txt \\
        --scores cygnet
      python -m solver baseline forecaster runs/cygnet --data examples/tkg \\
        --queries asked/queries.npy --scores scored
    """  # noqa: D301 - click reads the backslash
    if queries is not None:
        if scores is None or out is not None:
            raise click.UsageError("--queries needs --scores, and excludes --out.")
        _score(model, read_graph(graph), queries, scores, device, allow_leak=allow_leak)
        return
    if out is None:
        raise click.UsageError("Missing option '--out'.")
    from benchmarks.forecasting.forecaster import ForecastScorer, NeuralForecaster, shards
    from benchmarks.metrics.ranking import mrr
    from benchmarks.rules.ranking.files import ScoreFolder
    from benchmarks.rules.ranking.models import place
    from benchmarks.rules.ranking.queries import Filter, FilteredAnswers, SplitQueries
    from benchmarks.training import MODEL, select_device
    from solver.extras import require
    from solver.graph.queries import Tie
    from solver.rules.application import write_ranks
    from solver.rules.provenance import refuse_leak
    from solver.rules.score_folders import write_scores

    require("a forecaster", "torch")
    asked = SplitQueries.of(read_graph(graph), split)
    found = NeuralForecaster.load(model / MODEL, asked.dataset, device=str(select_device(device)))
    times = asked.asked.time
    for note in refuse_leak(found.seen, asked.dataset, times, str(model), allow=allow_leak):
        click.echo(f"note: {note}", err=True)
    name = found.settings.model.value
    scorer: ForecastScorer | ScoreFolder = ForecastScorer(name, found, asked)
    if scores is not None:
        entities = asked.entities
        write_scores(scores, shards(found, asked), entities=entities, seen=found.seen)
        scorer = ScoreFolder(str(scores), asked, model=name)
    placed = place(scorer, asked, FilteredAnswers(asked, Filter(filter)))
    ranks = placed.values(Tie(ties))
    write_ranks(out, asked.asked, ranks, seen=found.seen)
    click.echo(f"{out}: {len(ranks):,} ranks, MRR {100 * mrr(ranks):.2f}", err=True)


def _score(
    model: Path, graph: Dataset, queries: Path, scores: Path, device: Device, *, allow_leak: bool
) -> None:
    """Write the scores of a file of queries."""
    import numpy as np

    from benchmarks.forecasting.forecaster import NeuralForecaster
    from benchmarks.training import MODEL, select_device
    from solver.cli.printing import progress
    from solver.extras import require
    from solver.graph.queries import Queries
    from solver.rules.provenance import refuse_leak
    from solver.rules.score_folders import read_queries, write_scores

    require("a forecaster", "torch")
    keys = read_queries(queries, graph)
    found = NeuralForecaster.load(model / MODEL, graph, device=str(select_device(device)))
    for note in refuse_leak(found.seen, graph, keys[:, 2], str(model), allow=allow_leak):
        click.echo(f"note: {note}", err=True)
    head, relation, time = np.ascontiguousarray(keys.T)
    asked = Queries(head=head, relation=relation, time=time)

    with progress("queries", len(keys)) as advance:

        def parts() -> Iterator[tuple[Ids, FloatArray]]:
            for rows, values in found.score(asked):
                yield keys[rows], values
                if advance is not None:
                    advance(len(rows))

        entities = graph.vocabulary.entities
        count = write_scores(scores, parts(), entities=entities, seen=found.seen)
    click.echo(f"{output_name(scores)}: scores of {count:,} queries", err=True)
