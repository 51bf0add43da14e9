"""``strikingness``: strikingness weights of the events of a split, for ``score ranks``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchmarks.eventhop.cli.score import as_json, report
from benchmarks.rules.cli.options import measuring, settings_of
from benchmarks.rules.cli.score import split
from solver.cli.options import NewFile
from solver.rules.cli.options import rules_file

if TYPE_CHECKING:
    from benchmarks.rules.strikingness.report import StrikingnessRun
    from solver.report.page import Table

_SHOWN = 5


@click.command()
@click.argument("data", type=click.Path(path_type=Path), metavar="PATH")
@rules_file
@split
@measuring
@click.option(
    "--out",
    type=NewFile(),
    metavar="FILE",
    help="Output file for weights, `s r o t sk`; compressed if it ends in .gz.",
)
@click.option("--components", is_flag=True, help="Add the three components, with a header line.")
@click.option("--ablate", is_flag=True, help="Report the effect of each switch.")
@report
@as_json
def command(data: Path, rules: Path, **options: Any) -> None:  # noqa: ANN401
    """Measure the strikingness of the facts of a split from rules and earlier facts (RSMF).

    PATH is a graph: train.txt, valid.txt, test.txt, entity2id.json and so on. A fact is striking
    if facts that differ from it in one element are more expected.

    \b
    Examples:
      python -m solver mine examples/tkg --lengths 1 --out rules.json
      python -m solver strikingness examples/tkg --rules rules.json --out strikingness.txt
      python -m solver strikingness examples/tkg --rules rules.json --profile paper \\
        --switch squared=released --report reports/strikingness
    """  # noqa: D301 - click reads the backslash
    if options["components"] and options["out"] is None:
        raise click.UsageError("--components needs --out.")
    run = _run(data, rules, options)
    if options["out"] is not None:
        from benchmarks.rules.strikingness.measure import write_strikingness

        write_strikingness(options["out"], run.found, components=options["components"])
        click.echo(f"written: {options['out']}", err=True)
    if options["report"] is not None:
        from benchmarks.rules.strikingness.report import write_report
        from solver.io.writing import make_folder

        page = write_report(run, make_folder(options["report"]))
        click.echo(f"report: {page}", err=True)
    if options["as_json"]:
        from solver.cli.printing import print_json

        print_json(run.as_json())
    else:
        _show(run)


def _run(data: Path, rules: Path, options: dict[str, Any]) -> StrikingnessRun:
    from benchmarks.rules.ranking.queries import SplitQueries
    from benchmarks.rules.strikingness.ablation import ablate
    from benchmarks.rules.strikingness.measure import strikingness
    from benchmarks.rules.strikingness.report import StrikingnessRun
    from benchmarks.rules.strikingness.rulebook import Evidence
    from solver.cli.printing import progress
    from solver.graph.cli import read_graph
    from solver.graph.model import Split
    from solver.rules.io import read_rules

    settings = settings_of(options)
    dataset = read_graph(data)
    split = Split(options["split"])
    events = SplitQueries.of(dataset, split).event()
    table = read_rules(rules, relations=dataset.vocabulary.relations)
    evidence = Evidence.of(dataset, table, settings)
    ablating = options["ablate"] or options["report"] is not None
    with progress("events", len(events) * (8 if ablating else 1)) as advance:
        found = strikingness(evidence, events, advance=advance)
        changes = ablate(dataset, table, found, advance=advance) if ablating else ()
    return StrikingnessRun(
        dataset=dataset,
        split=split,
        found=found,
        rules=len(evidence.book),
        left_out=evidence.book.left_out,
        changes=changes,
        config={name: value for name, value in options.items() if name not in ("as_json", "out")},
        inputs=(str(rules),),
    )


def _show(run: StrikingnessRun) -> None:
    from benchmarks.rules.strikingness.report import (
        ablation_table,
        events_table,
        headline,
        means_table,
    )
    from solver.cli.printing import wide_console

    found = run.found
    wide_console().print(
        f"{run.dataset.name}, {run.split}: {len(found):,} events by {run.rules:,} rules, "
        f"profile {found.settings.name}",
        markup=False,
        soft_wrap=True,
    )
    _print("components", means_table(found))
    most, least = run.extremes(_SHOWN)
    _print("most striking", events_table(run, most))
    _print("least striking", events_table(run, least))
    if run.changes:
        _print("switches", ablation_table(run.changes))
    wide_console().print(headline(found), markup=False, soft_wrap=True)


def _print(title: str, content: Table) -> None:
    from rich.markup import escape

    from solver.cli.printing import narrow_table, wide_console

    table = narrow_table(title, content.columns[0], content.columns[1:])
    for row in content.rows:
        table.add_row(*map(escape, row))
    for column in table.columns:
        if column.header in ("event", "meaning", "to"):
            column.justify = "left"
    wide_console().print(table)
