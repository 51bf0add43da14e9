"""``baseline recurrency``: ranks of the Recurrency baseline."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchmarks.rules.cli.score import filtering, ties
from solver.cli.options import FiniteFloat, graph, out_file, read_graph, split

if TYPE_CHECKING:
    from solver.graph.model import Split

FORMS = ("strict", "relaxed", "combined")


@click.command()
@graph()
@split
@click.option(
    "--form",
    type=click.Choice(FORMS),
    default="combined",
    show_default=True,
    help="Predict recent answers of the query's subject and relation (strict), frequent answers of "
    "its relation (relaxed), or combine both.",
)
@click.option(
    "--decay",
    type=FiniteFloat(0),
    default=0.001,
    show_default=True,
    help="Decay rate lambda of the strict score.",
)
@click.option(
    "--share",
    type=FiniteFloat(0, 1),
    default=0.9,
    show_default=True,
    help="Weight alpha of the strict score in the combined one.",
)
@click.option("--tune", is_flag=True, help="Tune decay and share on the split valid.")
@filtering
@ties
@out_file("Output file for ranks.", required=True)
def command(
    *,
    graph: Path,
    split: Split,
    form: str,
    decay: float,
    share: float,
    tune: bool,
    filter: str,
    ties: str,
    out: Path,
) -> None:
    """Rank the answers of a split with the Recurrency baseline and write a rank file.

    A query uses all facts before its time.

    \b
    Examples:
      python -m solver baseline recurrency --data examples/ranks/graph --out ranks.txt
      python -m solver score ranks ranks.txt --data examples/ranks/graph
    """  # noqa: D301 - click reads the backslash
    from dataclasses import replace

    from benchmarks.metrics.ranking import mrr
    from benchmarks.rules.ranking.models import place
    from benchmarks.rules.ranking.queries import Filter, FilteredAnswers, SplitQueries
    from benchmarks.rules.ranking.recurrency import Form, Recurrency, Settings, tuned
    from solver.graph.model import Split
    from solver.graph.queries import Tie
    from solver.rules.application import write_ranks

    queries = SplitQueries.of(read_graph(graph), split)
    setting = Filter(filter)
    settings = Settings(form=Form(form), decay=decay, share=share)
    if tune:
        valid = SplitQueries.of(queries.dataset, Split.VALID)
        found = tuned(valid, FilteredAnswers(valid, setting))
        settings = replace(settings, decay=found.decay, share=found.share)
        click.echo(f"decay {found.decay:g}, share {found.share:g}", err=True)
    placed = place(Recurrency(queries, settings), queries, FilteredAnswers(queries, setting))
    ranks = placed.values(Tie(ties))
    write_ranks(out, queries.asked, ranks)
    click.echo(f"{out}: {len(ranks):,} ranks, MRR {100 * mrr(ranks):.2f}", err=True)
