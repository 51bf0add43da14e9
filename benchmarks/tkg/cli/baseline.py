"""Baselines of queries about a graph: rank the tails of a context, or predict by known patterns."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.cli.options import (
    MOST,
    as_json,
    graph,
    number_option,
    option_group,
    out_file,
    read_graph,
    split,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchmarks.rules.ranking.queries import SplitQueries
    from solver.graph.model import Split
    from solver.graph.queries import Ranks

_HELP = """Rank the tails of a query's context by {criterion}.

The context consists of the most recent facts before the query's time. Hits@k are reported with
bounds for ties; an answer that is not in the context is wrong for every k.

\b
Examples:
  python -m solver baseline {name} --data examples/ranks/graph --context pair
  python -m solver baseline {name} --data examples/ranks/graph --out {name}.ranks.txt
  python -m solver score ranks {name}.ranks.txt --data examples/ranks/graph
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextOptions:
    """The context of a query, and the filtered setting of its answers."""

    shared: str
    most: int
    filter: str


_filtering = click.option(
    "--filter",
    "filter",
    type=click.Choice(["raw", "time-aware"]),
    default="time-aware",
    show_default=True,
    help="Filtered setting: raw, or time-aware.",
)


def _baseline(name: str, criterion: str) -> click.Command:
    """Build the command of one heuristic."""

    @click.command(name, help=_HELP.format(name=name, criterion=criterion))
    @graph()
    @split
    @option_group(
        "context",
        ContextOptions,
        click.option(
            "--context",
            "shared",
            type=click.Choice(["entity", "pair"]),
            default="entity",
            show_default=True,
            help="Context: facts with the query's head, or with its head and relation.",
        ),
        number_option(
            "--most", default=25, high=MOST, help="Maximum number of facts in a context."
        ),
        _filtering,
    )
    @out_file("Rank file to write; with a name *.scores.*, a score file of candidates instead.")
    @as_json
    def command(
        *, graph: Path, split: Split, context: ContextOptions, out: Path | None, as_json: bool
    ) -> None:
        import numpy as np

        from benchmarks.rules.ranking.files import is_scores
        from benchmarks.rules.ranking.queries import Filter, SplitQueries
        from benchmarks.tkg.retrieval.context import (
            ContextKey,
            Heuristic,
            rank_both_ways,
            write_scores,
        )
        from solver.graph.queries import Ranks

        if out is not None and out.suffix == ".npz":
            raise click.UsageError("--out takes text: FILE.txt or FILE.scores.txt.")
        queries = SplitQueries.of(read_graph(graph), split)
        parts = rank_both_ways(
            queries,
            Heuristic(name),
            ContextKey(context.shared),
            most=context.most,
            filter=Filter(context.filter),
        )
        tails, heads = (part.ties for part in parts)
        both = Ranks(
            better=np.concatenate([tails.better, heads.better]),
            tied=np.concatenate([tails.tied, heads.tied]),
        )
        if out is not None and is_scores(str(out)):
            write_scores(out, parts)
            out = None
        details = {"heuristic": name, "context": context.shared, "most": context.most}
        _finish(
            queries,
            both,
            {"tail": tails, "head": heads, "both": both},
            title=f"{name} over the last {context.most} facts by {context.shared}, "
            f"{queries.events:,} facts of {queries.split}, {context.filter}",
            details=details | {"filter": context.filter},
            out=out,
            as_json=as_json,
        )

    return command


@click.command()
@graph()
@split
@_filtering
@out_file("Rank file to write.")
@as_json
def planted(*, graph: Path, split: Split, filter: str, out: Path | None, as_json: bool) -> None:
    """Predict by the patterns that a graph was generated from.

    The graph is a folder of `generate tkg`. A match of a pattern's antecedents before the query
    predicts the consequence at each step of its window. This bounds what a model can learn: facts
    that it misses, such as antecedents of planted instances, follow from no earlier facts.

    \b
    Examples:
      python -m solver baseline planted --data data/graph
      python -m solver baseline planted --data data/graph --out planted.ranks.txt
      python -m solver score ranks planted.ranks.txt --data data/graph
    """  # noqa: D301 - click reads the backslash
    import numpy as np

    from benchmarks.rules.ranking.queries import SplitQueries
    from benchmarks.tkg.planted import planted_ranks
    from benchmarks.tkg.retrieval.context import miss_rank, read_instances, rows_of
    from solver.graph.queries import Ranks
    from solver.tkg.io import PATTERNS
    from solver.tkg.planted import read_planted

    queries = SplitQueries.of(read_graph(graph), split)
    dataset, size = queries.dataset, queries.events
    patterns = read_planted(graph / PATTERNS)
    instances = read_instances(graph, dataset)
    ties = planted_ranks(
        patterns,
        dataset.facts(),
        dataset.vocabulary,
        queries.asked,
        until=int(queries.asked.time.min()),
        miss=miss_rank(dataset.vocabulary),
        raw=filter == "raw",
    )
    ends = rows_of(dataset, split, instances) - rows_of(dataset, split, None)[0]
    others = np.setdiff1d(np.arange(size), ends)
    parts = {
        "tail": np.arange(size),
        "head": np.arange(size, 2 * size),
        "both": np.arange(2 * size),
        "consequences": ends,
        "other facts": others,
    }
    _finish(
        queries,
        ties,
        {
            name: Ranks(better=ties.better[rows], tied=ties.tied[rows])
            for name, rows in parts.items()
            if len(rows)
        },
        title=f"planted patterns, {size:,} facts of {split}, {filter}; tails of consequences and "
        "of other facts",
        details={"filter": filter},
        out=out,
        as_json=as_json,
    )


frequency = _baseline("frequency", "frequency")
recency = _baseline("recency", "the time of their last occurrence")


def _finish(
    queries: SplitQueries,
    ties: Ranks,
    groups: Mapping[str, Ranks],
    *,
    title: str,
    details: dict[str, object],
    out: Path | None,
    as_json: bool,
) -> None:
    """Write the ranks of all queries, if requested, and print Hits@k of groups of queries."""
    from dataclasses import asdict

    import numpy as np

    from benchmarks.metrics.ranking import CUTS
    from benchmarks.tkg.retrieval.context import hits_of
    from benchmarks.tkg.retrieval.scoring import hits_cell
    from solver.cli.printing import narrow_table, print_json
    from solver.graph.queries import Tie
    from solver.io.terminal import wide_console
    from solver.rules.application import write_ranks

    if out is not None:
        # The last rank denotes answers that are not candidates.
        last = queries.entities
        ranks = np.minimum(ties.values(Tie.REALISTIC), last)
        write_ranks(out, queries.asked, ranks, not_returned=last)
    figures = {name: hits_of(members) for name, members in groups.items()}
    if as_json:
        by_cut = {
            name: {str(cut): asdict(found) for cut, found in hits.items()}
            for name, hits in figures.items()
        }
        data = {"data": queries.dataset.name, "split": queries.split.value}
        print_json(data | {"events": queries.events, "hits": by_cut} | details)
        return
    console = wide_console()
    bounds = "in percent, ties at random (pessimistic-optimistic)"
    console.print(f"{queries.dataset.name}: {title}; {bounds}", soft_wrap=True)
    table = narrow_table("", "queries", [f"H@{cut}" for cut in CUTS])
    for name, hits in figures.items():
        table.add_row(name, *(hits_cell(hits[cut]) for cut in CUTS))
    console.print(table)
