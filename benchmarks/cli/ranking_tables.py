"""Terminal output of ``score ranks``: tables of models and of groups."""

from __future__ import annotations

from benchmarks.ranking.figures import groups_of
from benchmarks.ranking.groups import Grouping
from benchmarks.ranking.report import (
    RankingRun,
    agreement,
    headline,
    open_ties,
    overall,
    shown,
    tests,
)
from benchmarks.ranking.standings import ModelComparison, best
from solver.cli.printing import narrow_table, wide_console
from solver.report.sheet import Section

_SHOWN = 12


def show(run: RankingRun, *, groups: bool) -> None:
    """Print a table of the models, and optionally one per criterion of groups."""
    standings, queries = run.standings, run.standings.queries
    weights = f", weights {run.weights} + {standings.bias:g}" if run.weights else ""
    console = wide_console()
    console.print(
        f"{queries.dataset.name}: {len(queries):,} queries of {queries.events:,} facts of "
        f"{queries.split}{weights}; in percent",
        markup=False,
        soft_wrap=True,
    )
    models = overall(standings)
    table = narrow_table("", models.columns[0], [_narrow(name) for name in models.columns[1:]])
    for number, row in enumerate(models.rows):
        table.add_row(
            row[0],
            *(
                f"[bold]{cell}[/bold]" if (number, place) in models.best else cell
                for place, cell in enumerate(row[1:], 1)
            ),
        )
    console.print(table)
    console.print(headline(standings), markup=False, soft_wrap=True)
    ties = open_ties(standings)
    if ties is not None:
        table = narrow_table(
            "bounds by tie-breaking, in percent", ties.columns[0], ties.columns[1:]
        )
        for row in ties.rows:
            table.add_row(*row)
        console.print(table)
    for share, figure in run.shares:
        console.print(f"eta {share:g}: MRR {100 * figure:.2f} on valid", markup=False)
    if groups:
        _show_groups(standings)
        for section in (*agreement(standings), *tests(standings)):
            _show_section(section)


def _show_section(section: Section) -> None:
    """Print the table and text of a section of the page."""
    if section.table is None:
        return
    console = wide_console()
    columns = section.table.columns
    table = narrow_table(section.title, columns[0], columns[1:])
    for row in section.table.rows:
        table.add_row(*(cell.replace("[", r"\[") for cell in row))
    console.print(table)
    console.print(section.text, markup=False, soft_wrap=True)


def _narrow(name: str) -> str:
    return name.replace("Hits@", "H@")


def _show_groups(standings: ModelComparison) -> None:
    console = wide_console()
    for grouping in Grouping:
        groups = groups_of(standings, grouping)
        if not groups:
            continue
        columns = ["events", *standings.names]
        table = narrow_table(f"MRR by {grouping}, in percent", grouping.value, columns)
        for one in groups[:_SHOWN]:
            figures = [two.mrr for two in one.measures]
            first = best(figures, "mrr")
            cells = [
                f"[bold]{shown(figure, 'mrr')}[/bold]" if n in first else shown(figure, "mrr")
                for n, figure in enumerate(figures)
            ]
            table.add_row(one.group.name.replace("[", r"\["), f"{one.group.events:,}", *cells)
        console.print(table)
        if len(groups) > _SHOWN:
            console.print(f"{len(groups) - _SHOWN:,} more with --json or --report")
