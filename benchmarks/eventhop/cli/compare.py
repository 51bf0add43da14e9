"""``compare``: several models, each with several seeds, on the same items."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grammar.errors import ExitStatus
from solver.cli.options import as_json, gold, items, report, seed
from solver.eventhop.cli import reading

if TYPE_CHECKING:
    from benchmarks.eventhop.comparison import Comparison
    from solver.eventhop.engines import ItemSettings

DIMENSIONS = ("hops", "event-distance", "events", "relations", "status", "claim")


@click.command()
@click.argument("predictions", nargs=-1, required=True, metavar="[MODEL=]FILE...")
@items
@gold
@click.option(
    "--by",
    type=click.Choice(DIMENSIONS),
    default="hops",
    show_default=True,
    help="Dimension of the second table.",
)
@seed
@reading
@report
@as_json
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    predictions: tuple[str, ...],
    paths: tuple[str, ...],
    gold: str,
    by: str,
    seed: int,
    settings: ItemSettings,
    report: Path | None,
    as_json: bool,
) -> None:
    """Compare models by their answers: mean and standard deviation over seeds, and paired tests.

    Files are those of `score nli`. Files of one model are its seeds: t5.0.jsonl and t5.1.jsonl, or
    T5=FILE named twice. The tests permute the accuracies of the items; p is corrected as by Holm.

    \b
    Examples:
      python -m solver compare t5.0.jsonl t5.1.jsonl bert.0.jsonl bert.1.jsonl --data test.jsonl
      python -m solver compare A=a.jsonl B=b.jsonl --data test.jsonl --report reports/ab
    """  # noqa: D301 - click reads the backslash
    from benchmarks.eventhop.cases import Gold
    from benchmarks.eventhop.comparison import by_model, compare, write
    from solver.cli.printing import finish_run

    found = compare(by_model(predictions), paths, settings, gold=Gold(gold), seed=seed)
    show = partial(_show, found, by)
    finish_run(found, as_json=as_json, show=show, report=report, write=write)
    ctx.exit(ExitStatus.OK)


def _show(found: Comparison, by: str) -> None:
    from benchmarks.eventhop.cases import Dimension
    from solver.cli.printing import narrow_table
    from solver.io.terminal import wide_console

    console = wide_console()
    console.print(f"{found.items:,} items, in percent, mean ± standard deviation over seeds")
    table = narrow_table("", "model", ["seeds", "macro-F1", "accuracy"])
    for one in found.models:
        table.add_row(one.name, str(one.seeds), str(one.macro_f1), str(one.accuracy))
    console.print(table)
    dimension = Dimension(by.replace("-", " "))
    names = list(found.models[0].by_group[dimension])
    shown = narrow_table(f"macro-F1 by {by}", "model", names)
    for one in found.models:
        shown.add_row(one.name, *(str(one.by_group[dimension][name]) for name in names))
    console.print(shown)
    tests = narrow_table("accuracy", "models", ["difference", "p", "corrected p"])
    for test in found.tests:
        difference = f"{100 * test.difference:+.2f}"
        tests.add_row(
            f"{test.one} - {test.other}", difference, f"{test.p:.4f}", f"{test.corrected:.4f}"
        )
    console.print(tests)
