"""``baseline recurrency``: ranks of the Recurrency baseline."""

from __future__ import annotations

from typing import Any

import click

from benchmarks.rules.cli.score import filtering, graph, split, ties
from solver.cli.options import FiniteFloat, NewFile

FORMS = ("strict", "relaxed", "combined")


@click.command()
@graph
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
@click.option(
    "--out",
    type=NewFile(),
    required=True,
    metavar="FILE",
    help="Output file for ranks.",
)
def command(**options: Any) -> None:  # noqa: ANN401
    """Rank the answers of a split with the Recurrency baseline and write a rank file.

    A query uses all facts before its time.

    \b
    Examples:
      python -m solver baseline recurrency --data examples/ranks/graph --out ranks.txt
      python -m solver score ranks ranks.txt --data examples/ranks/graph
    """  # noqa: D301 - click reads the backslash
    from dataclasses import replace

    from benchmarks.metrics.ranking import mrr
    from benchmarks.rules.ranking.files import write_ranks
    from benchmarks.rules.ranking.models import place
    from benchmarks.rules.ranking.queries import Filter, FilteredAnswers, SplitQueries
    from benchmarks.rules.ranking.recurrency import Form, Recurrency, Settings, tuned
    from solver.graph.cli import read_graph
    from solver.graph.model import Split
    from solver.rules.ranks import Tie

    dataset = read_graph(options["folder"])
    queries = SplitQueries.of(dataset, Split(options["split"]))
    filter = Filter(options["filter"])
    settings = Settings(form=Form(options["form"]), decay=options["decay"], share=options["share"])
    if options["tune"]:
        valid = SplitQueries.of(dataset, Split.VALID)
        found = tuned(valid, FilteredAnswers(valid, filter))
        settings = replace(settings, decay=found.decay, share=found.share)
        click.echo(f"decay {found.decay:g}, share {found.share:g}", err=True)
    placed = place(Recurrency(queries, settings), queries, FilteredAnswers(queries, filter))
    ranks = placed.values(Tie(options["ties"]))
    write_ranks(options["out"], queries, ranks)
    click.echo(f"{options['out']}: {len(ranks):,} ranks, MRR {100 * mrr(ranks):.2f}", err=True)
