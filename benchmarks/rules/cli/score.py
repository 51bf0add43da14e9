"""``score ranks``, and ``baseline recurrency``, which makes ranks to compare with."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from benchmarks.metrics.ranking import mrr
from benchmarks.rules.ranking.comparison import ModelComparison, best
from benchmarks.rules.ranking.groups import Grouping
from benchmarks.rules.ranking.models import place
from benchmarks.rules.ranking.queries import Asked, Filter, FilteredAnswers, SplitQueries
from benchmarks.rules.ranking.recurrency import Recurrency, Settings, tuned
from benchmarks.rules.ranking.report import (
    RankingRun,
    agreement,
    groups_of,
    headline,
    open_ties,
    overall,
    shown,
    tests,
    write,
)
from benchmarks.rules.scoring import RankingConfig, score_ranks
from solver.cli.options import (
    as_json,
    graph,
    out_file,
    read_graph,
    report,
    split,
)
from solver.cli.printing import finish_run
from solver.cli.program import DelegatingCommand, by_presence
from solver.cli.settings import setting_option, setting_options
from solver.graph.model import Split
from solver.graph.queries import Tie
from solver.io.terminal import print_table, wide_console
from solver.report.model import Section, Table
from solver.rules.application import write_ranks

filtering = setting_option(RankingConfig, "filter")
ties = setting_option(RankingConfig, "ties")


@click.command(
    cls=DelegatingCommand, chooser=by_presence({"--answers": "benchmarks.tkg.cli.retrieval:score"})
)
@click.argument("paths", nargs=-1, metavar="RANKS...")
@graph()
@setting_options("config", RankingConfig)
@click.option("--groups", is_flag=True, help="Report MRR by group, agreement and tests.")
@report
@as_json
def ranks(
    *,
    paths: tuple[str, ...],
    graph: Path,
    config: RankingConfig,
    groups: bool,
    report: Path | None,
    as_json: bool,
) -> None:
    """Compare models by the ranks of the true answers.

    RANKS are rank files, `s r o t rank` for both directions (inverse relations are r + |R|), joined
    by key; or score files, `s r t candidate score`, named *.scores.* or *.npz. With --answers and
    --prompts, a language model's answers to `prompts tkg` are scored instead.

    \b
    Examples:
      python -m solver score ranks examples/ranks/*.ranks.txt --data examples/ranks/graph
      python -m solver score ranks examples/ranks/*.ranks.txt --data examples/ranks/graph \\
        --weights examples/ranks/strikingness.txt --groups --report reports/ranks
    """  # noqa: D301 - click reads the backslash
    if not paths and not config.ensemble:
        raise click.UsageError("Expected at least one file of ranks or scores.")
    if config.ensemble and not config.valid and config.eta is None:
        raise click.UsageError("--ensemble needs --valid to tune eta, or --eta.")
    if not config.ensemble and (config.valid or config.eta is not None):
        raise click.UsageError("--valid and --eta need --ensemble.")
    run = score_ranks(read_graph(graph), paths, config, details=groups or report is not None)
    for note in run.notes:
        click.echo(f"note: {note}", err=True)
    finish_run(
        run, as_json=as_json, show=lambda: show(run, groups=groups), report=report, write=write
    )


_SHOWN = 12


def show(run: RankingRun, *, groups: bool) -> None:
    """Print a table of the models, and optionally one per criterion of groups."""
    standings, queries = run.standings, run.standings.queries
    weights = f", weights {run.weights} + {standings.bias:g}" if run.weights else ""
    distinct = run.config["queries"] == Asked.DISTINCT
    asked = "distinct heads, relations and tails" if distinct else "facts"
    console = wide_console()
    console.print(
        f"{queries.dataset.name}: {len(queries):,} queries of {queries.events:,} {asked} of "
        f"{queries.split}{weights}; in percent",
        soft_wrap=True,
    )
    models = overall(standings)
    print_table(replace(models, columns=tuple(map(_narrow, models.columns))))
    console.print(headline(standings), soft_wrap=True)
    ties = open_ties(standings)
    if ties is not None:
        print_table(ties, "bounds by tie-breaking, in percent")
    for share, figure in run.shares:
        console.print(f"eta {share:g}: MRR {100 * figure:.2f} on valid")
    if groups:
        _show_groups(standings)
        for section in (*agreement(standings), *tests(standings)):
            _show_section(section)


def _show_section(section: Section) -> None:
    """Print the table and text of a section of the page."""
    for table in section.tables:
        print_table(table, section.title)
    wide_console().print(section.text, soft_wrap=True)


def _narrow(name: str) -> str:
    return name.replace("Hits@", "H@")


def _show_groups(standings: ModelComparison) -> None:
    console = wide_console()
    for grouping in Grouping:
        groups = groups_of(standings, grouping)
        if not groups:
            continue
        rows, best_cells = [], set()
        for y, result in enumerate(groups[:_SHOWN]):
            figures = [two.mrr for two in result.measures]
            best_cells |= {(y, n + 2) for n in best(figures, "mrr")}
            cells = (shown(figure, "mrr") for figure in figures)
            rows.append((result.group.name, f"{result.group.events:,}", *cells))
        columns = (grouping.value, "events", *standings.names)
        table = Table(columns=columns, rows=tuple(rows), best=frozenset(best_cells))
        print_table(table, f"MRR by {grouping}, in percent")
        if len(groups) > _SHOWN:
            console.print(f"{len(groups) - _SHOWN:,} more with --json or --report")


@click.command()
@graph()
@split
@setting_options("settings", Settings)
@click.option("--tune", is_flag=True, help="Tune decay and share on the split valid.")
@filtering
@ties
@out_file("Output file for ranks.", required=True)
def recurrency(
    *,
    graph: Path,
    split: Split,
    settings: Settings,
    tune: bool,
    filter: Filter,
    ties: Tie,
    out: Path,
) -> None:
    """Rank the answers of a split with the Recurrency baseline and write a rank file.

    A query uses all facts before its time.

    \b
    Examples:
      python -m solver baseline recurrency --data examples/ranks/graph --out ranks.txt
      python -m solver score ranks ranks.txt --data examples/ranks/graph
    """  # noqa: D301 - click reads the backslash
    queries = SplitQueries.of(read_graph(graph), split)
    if tune:
        valid = SplitQueries.of(queries.dataset, Split.VALID)
        found = tuned(valid, FilteredAnswers(valid, filter))
        settings = replace(settings, decay=found.decay, share=found.share)
        click.echo(f"decay {found.decay:g}, share {found.share:g}", err=True)
    placed = place(Recurrency(queries, settings), queries, FilteredAnswers(queries, filter))
    ranks = placed.values(ties)
    write_ranks(out, queries.asked, ranks)
    click.echo(f"{out}: {len(ranks):,} ranks, MRR {100 * mrr(ranks):.2f}", err=True)
