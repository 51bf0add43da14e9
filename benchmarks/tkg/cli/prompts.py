"""``prompts tkg``: link-prediction queries as prompts for a language model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchmarks.eventhop.cli.score import as_json
from solver.cli.options import MOST, NewFile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.tkg.retrieval.context import Instances
    from benchmarks.tkg.retrieval.files import Ceiling
    from benchmarks.tkg.retrieval.strategies import ComposedPrompt, Strategy
    from solver.graph.model import Dataset

STRATEGIES = ("naive-entity", "naive-pair", "oicl", "ah", "ar", "bar")


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="FOLDER")
@click.option(
    "--strategy",
    "strategies",
    type=click.Choice(STRATEGIES),
    multiple=True,
    help="Retrieval strategy of the context, see docs/tkg-retrieval.md; repeatable. Default: all.",
)
@click.option(
    "--split",
    type=click.Choice(["train", "valid", "test"]),
    default="test",
    show_default=True,
    help="Queried split.",
)
@click.option(
    "--all-facts",
    is_flag=True,
    help="Query all facts instead of consequences of patterns only; naive strategies only.",
)
@click.option(
    "--most",
    type=click.IntRange(1, MOST),
    default=25,
    show_default=True,
    help="Maximum number of facts in a context.",
)
@click.option(
    "--style",
    type=click.Choice(["index", "plain"]),
    default="index",
    show_default=True,
    help="Format of facts: `21 : [0. 1071, 20, 1. 1493]` or `21:[1071, 20, 1493]`.",
)
@click.option(
    "--sample",
    type=click.IntRange(1, MOST),
    metavar="N",
    help="Maximum number of queries, sampled at random.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Random seed.")
@click.option(
    "--ceiling", is_flag=True, help="Report the retrieval ceiling instead of writing prompts."
)
@click.option(
    "--out",
    type=NewFile(),
    metavar="FILE",
    help="File to write. Default: standard output.",
)
@as_json
def command(**options: Any) -> None:  # noqa: ANN401
    """Write prompts for link-prediction queries on a temporal graph, as JSONL.

    Each line holds id, prompt, query, gold, strategy and reachable: whether the answer is an entity
    of the context. `score ranks --answers` scores a model's answers with the same ids.

    \b
    Examples:
      python -m solver prompts tkg data/graph --strategy bar --split test --out prompts.jsonl
      python -m solver prompts tkg data/graph --ceiling
      python -m solver prompts tkg examples/ranks/graph --strategy naive-pair --sample 10
    """  # noqa: D301 - click reads the backslash
    from benchmarks.tkg.retrieval.files import ceiling, prompt_row
    from benchmarks.tkg.retrieval.strategies import Strategy, Style
    from solver.cli.printing import write_lines
    from solver.graph.cli import read_graph
    from solver.io.writing import line

    if options["as_json"] and not options["ceiling"]:
        raise click.UsageError("--json requires --ceiling; prompts are JSON Lines already.")
    dataset = read_graph(options["folder"])
    facts = dataset.facts()
    chosen = [Strategy(one) for one in options["strategies"] or STRATEGIES]
    composed, instances = _composed(options, dataset, chosen)
    ceilings = [ceiling(prompts, facts, one) for one, prompts in composed.items()]
    if options["ceiling"]:
        _print_ceilings(ceilings, dataset.name, as_values=options["as_json"])
        return
    style = Style(options["style"])
    rows = (
        prompt_row(one, facts, instances, style) for prompts in composed.values() for one in prompts
    )
    write_lines((line(row) for row in rows), options["out"])
    for one in ceilings:
        summary = f"{one.strategy}: {one.prompts:,} prompts, {one.reachable:.1%} reachable"
        click.echo(summary, err=True)


def _composed(
    options: dict[str, Any], dataset: Dataset, chosen: Sequence[Strategy]
) -> tuple[dict[Strategy, list[ComposedPrompt]], Instances | None]:
    """Compose the prompts of each strategy for the same queries."""
    from benchmarks.tkg.retrieval.context import read_instances, rows_of
    from benchmarks.tkg.retrieval.strategies import Composer
    from solver.graph.model import Split
    from solver.tkg.io import LABELS

    labelled = [one for one in chosen if one.labelled]
    if options["all_facts"] and labelled:
        named = " and ".join(labelled)
        raise click.UsageError(f"--all-facts is for naive strategies only, not for {named}.")
    instances = None
    if labelled or (options["folder"] / LABELS).is_file():
        instances = read_instances(options["folder"], dataset)
    rows = rows_of(
        dataset,
        Split(options["split"]),
        None if options["all_facts"] else instances,
        sample=options["sample"] or 0,
        seed=options["seed"],
    )
    composer = Composer(dataset, instances, options["most"])
    found = {one: [composer.compose(row, one) for row in rows.tolist()] for one in chosen}
    return found, instances


def _print_ceilings(ceilings: Sequence[Ceiling], name: str, *, as_values: bool) -> None:
    from dataclasses import asdict

    from benchmarks.tkg.retrieval.scoring import CEILING_COLUMNS, ceiling_cells
    from solver.cli.printing import narrow_table, print_json, wide_console

    if as_values:
        print_json({"data": name, "ceilings": [asdict(one) for one in ceilings]})
        return
    console = wide_console()
    console.print(f"{name}: retrieval ceilings, in percent", markup=False, soft_wrap=True)
    table = narrow_table("", "strategy", CEILING_COLUMNS)
    for one in ceilings:
        table.add_row(one.strategy, *ceiling_cells(one))
    console.print(table)
