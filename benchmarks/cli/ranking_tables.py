"""What ``score ranks`` prints: a table of models, and tables of groups."""

from __future__ import annotations

from benchmarks.ranking.figures import groups_of
from benchmarks.ranking.groups import Grouping
from benchmarks.ranking.report import (
    Ranked,
    agreement,
    headline,
    open_ties,
    overall,
    shown,
    tests,
)
from benchmarks.ranking.standings import Standings, best
from solver.cli.printing import narrow_table, wide_console
from solver.report.sheet import Section

_SHOWN = 12


def show(run: Ranked, *, groups: bool) -> None:
    """Print a table of the models, and one for each kind of groups if they are asked for."""
    stand, queries = run.standings, run.standings.queries
    weights = f", weights {run.weights} + {stand.bias:g}" if run.weights else ""
    console = wide_console()
    console.print(
        f"{queries.dataset.name}: {len(queries):,} queries of {queries.events:,} facts of "
        f"{queries.split}{weights}; in percent",
        markup=False,
        soft_wrap=True,
    )
    told = overall(stand)
    table = narrow_table("", told.columns[0], [_narrow(name) for name in told.columns[1:]])
    for number, row in enumerate(told.rows):
        table.add_row(
            row[0],
            *(
                f"[bold]{cell}[/bold]" if (number, place) in told.best else cell
                for place, cell in enumerate(row[1:], 1)
            ),
        )
    console.print(table)
    console.print(headline(stand), markup=False, soft_wrap=True)
    ties = open_ties(stand)
    if ties is not None:
        table = narrow_table("what ties leave open, in percent", ties.columns[0], ties.columns[1:])
        for row in ties.rows:
            table.add_row(*row)
        console.print(table)
    for share, figure in run.shares:
        console.print(f"eta {share:g}: MRR {100 * figure:.2f} on valid", markup=False)
    if groups:
        _show_groups(stand)
        for section in (*agreement(stand), *tests(stand)):
            _show_section(section)


def _show_section(section: Section) -> None:
    """Print the table of a part of the page, with what is said there."""
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


def _show_groups(stand: Standings) -> None:
    console = wide_console()
    for grouping in Grouping:
        groups = groups_of(stand, grouping)
        if not groups:
            continue
        columns = ["events", *stand.names]
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
