"""``baseline frequency`` and ``baseline recency``: rank the tails of a query's context."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchmarks.eventhop.cli.score import as_json
from benchmarks.rules.cli.score import graph, split
from solver.cli.options import MOST, NewFile

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchmarks.rules.ranking.queries import SplitQueries
    from benchmarks.tkg.retrieval.heuristics import HeuristicRanking, Hits
    from solver.rules.ranks import Ranks

_CRITERIA = {
    "frequency": "frequency",
    "recency": "the time of their last occurrence",
}


_HELP = """Rank the tails of a query's context by {criterion}.

The context consists of the most recent facts before the query's time. Hits@k are reported with
bounds for ties; an answer that is not in the context is wrong for every k.

\b
Examples:
  python -m solver baseline {name} --data examples/ranks/graph --context pair
  python -m solver baseline {name} --data examples/ranks/graph --out {name}.ranks.txt
  python -m solver score ranks {name}.ranks.txt --data examples/ranks/graph
"""


def heuristic_command(name: str) -> click.Command:
    """Build the command of one heuristic."""
    return click.Command(
        name,
        params=_options.params,
        callback=lambda **options: _run(name, options),
        help=_HELP.format(name=name, criterion=_CRITERIA[name]),
    )


@click.command()
@graph
@split
@click.option(
    "--context",
    "shared",
    type=click.Choice(["entity", "pair"]),
    default="entity",
    show_default=True,
    help="Context: facts with the query's head, or with its head and relation.",
)
@click.option(
    "--most",
    type=click.IntRange(1, MOST),
    default=25,
    show_default=True,
    help="Maximum number of facts in a context.",
)
@click.option(
    "--filter",
    "filter",
    type=click.Choice(["raw", "time-aware"]),
    default="time-aware",
    show_default=True,
    help="Filtered setting: raw, or time-aware.",
)
@click.option(
    "--out",
    type=NewFile(),
    metavar="FILE",
    help="Rank file to write; with a name *.scores.*, a score file of candidates instead.",
)
@as_json
def _options(**_: Any) -> None:  # noqa: ANN401
    """Carry the options shared by both heuristics."""


def _run(name: str, options: dict[str, Any]) -> None:
    from benchmarks.rules.ranking.queries import SplitQueries
    from benchmarks.tkg.retrieval.heuristics import hits_of
    from solver.cli.printing import print_json
    from solver.graph.cli import read_graph
    from solver.graph.model import Split

    queries = SplitQueries.of(read_graph(options["folder"]), Split(options["split"]))
    parts = _ranked(name, queries, options)
    tails, heads = (part.ties for part in parts)
    both = _joined(tails, heads)
    figures = {"tail": hits_of(tails), "head": hits_of(heads), "both": hits_of(both)}
    if options["out"] is not None:
        _write(options["out"], queries, parts, both)
    if options["as_json"]:
        print_json(_as_json(name, queries, options, figures))
    else:
        _show(name, queries, options, figures)


def _ranked(
    name: str, queries: SplitQueries, options: dict[str, Any]
) -> tuple[HeuristicRanking, HeuristicRanking]:
    """Rank the tail queries, and the head queries over inverted facts."""
    from benchmarks.rules.ranking.queries import Filter
    from benchmarks.tkg.retrieval.context import ContextKey
    from benchmarks.tkg.retrieval.heuristics import Heuristic, rank

    vocabulary = queries.dataset.vocabulary
    facts = queries.dataset.facts()
    first, second = (
        rank(
            known,
            asked,
            vocabulary,
            Heuristic(name),
            ContextKey(options["shared"]),
            most=options["most"],
            filter=Filter(options["filter"]),
        )
        for known, asked in (
            (facts, queries.event()),
            (facts.inverted(vocabulary.relations), queries.asked.take(slice(queries.events, None))),
        )
    )
    return first, second


def _joined(first: Ranks, second: Ranks) -> Ranks:
    import numpy as np

    from solver.rules.ranks import Ranks

    return Ranks(
        better=np.concatenate([first.better, second.better]),
        tied=np.concatenate([first.tied, second.tied]),
    )


def _write(
    out: Path, queries: SplitQueries, parts: tuple[HeuristicRanking, HeuristicRanking], ties: Ranks
) -> None:
    import numpy as np

    from benchmarks.rules.ranking.files import is_scores, write_ranks
    from benchmarks.tkg.retrieval.heuristics import write_scores
    from solver.rules.ranks import Tie

    if out.suffix == ".npz":
        raise click.UsageError("--out takes text: FILE.txt or FILE.scores.txt.")
    if is_scores(str(out)):
        write_scores(out, parts)
    else:
        # The last rank denotes answers that are not candidates.
        write_ranks(out, queries, np.minimum(ties.values(Tie.REALISTIC), queries.entities))


def _as_json(
    name: str,
    queries: SplitQueries,
    options: dict[str, Any],
    figures: Mapping[str, Mapping[int, Hits]],
) -> dict[str, Any]:
    from dataclasses import asdict

    return {
        "data": queries.dataset.name,
        "split": queries.split.value,
        "events": queries.events,
        "heuristic": name,
        "context": options["shared"],
        "most": options["most"],
        "filter": options["filter"],
        "hits": {
            asked: {str(cut): asdict(one) for cut, one in by_cut.items()}
            for asked, by_cut in figures.items()
        },
    }


def _show(
    name: str,
    queries: SplitQueries,
    options: dict[str, Any],
    figures: Mapping[str, Mapping[int, Hits]],
) -> None:
    from benchmarks.metrics.ranking import CUTS
    from benchmarks.tkg.retrieval.scoring import hits_cell
    from solver.cli.printing import narrow_table, wide_console

    console = wide_console()
    console.print(
        f"{queries.dataset.name}: {name} over the last {options['most']} facts by "
        f"{options['shared']}, {queries.events:,} facts of {queries.split}, {options['filter']}; "
        "in percent, ties at random (pessimistic-optimistic)",
        markup=False,
        soft_wrap=True,
    )
    table = narrow_table("", "queries", [f"H@{cut}" for cut in CUTS])
    for asked, by_cut in figures.items():
        table.add_row(asked, *(hits_cell(by_cut[cut]) for cut in CUTS))
    console.print(table)
