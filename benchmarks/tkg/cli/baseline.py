"""Baselines of queries about a graph: rank the tails of a context, or predict by known patterns."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
    from benchmarks.tkg.retrieval.heuristics import HeuristicRanking, Hits
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
        from benchmarks.rules.ranking.queries import SplitQueries
        from benchmarks.tkg.retrieval.heuristics import hits_of
        from solver.cli.printing import print_json

        queries = SplitQueries.of(read_graph(graph), split)
        parts = _ranked(name, queries, context)
        tails, heads = (part.ties for part in parts)
        both = _joined(tails, heads)
        figures = {"tail": hits_of(tails), "head": hits_of(heads), "both": hits_of(both)}
        if out is not None:
            _write(out, queries, parts, both)
        if as_json:
            print_json(_as_json(name, queries, context, figures))
        else:
            _show(name, queries, context, figures)

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
    from benchmarks.tkg.retrieval.context import read_instances, rows_of
    from benchmarks.tkg.retrieval.heuristics import hits_of, miss_rank
    from solver.cli.printing import print_json
    from solver.graph.queries import Ranks, Tie
    from solver.rules.application import write_ranks
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
    figures = {
        name: hits_of(Ranks(better=ties.better[rows], tied=ties.tied[rows]))
        for name, rows in parts.items()
        if len(rows)
    }
    if out is not None:
        last = queries.entities
        ranks = np.minimum(ties.values(Tie.REALISTIC), last)
        write_ranks(out, queries.asked, ranks, not_returned=last)
    if as_json:
        print_json(
            {
                **{"data": dataset.name, "split": split.value, "events": size, "filter": filter},
                "hits": _cuts(figures),
            }
        )
        return
    title = (
        f"{dataset.name}: planted patterns, {size:,} facts of {split}, {filter}; tails of "
        "consequences and of other facts"
    )
    _print_hits(title, figures)


frequency = _baseline("frequency", "frequency")
recency = _baseline("recency", "the time of their last occurrence")


def _ranked(
    name: str, queries: SplitQueries, context: ContextOptions
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
            ContextKey(context.shared),
            most=context.most,
            filter=Filter(context.filter),
        )
        for known, asked in (
            (facts, queries.event()),
            (facts.inverted(vocabulary.relations), queries.asked.take(slice(queries.events, None))),
        )
    )
    return first, second


def _joined(first: Ranks, second: Ranks) -> Ranks:
    import numpy as np

    from solver.graph.queries import Ranks

    return Ranks(
        better=np.concatenate([first.better, second.better]),
        tied=np.concatenate([first.tied, second.tied]),
    )


def _write(
    out: Path, queries: SplitQueries, parts: tuple[HeuristicRanking, HeuristicRanking], ties: Ranks
) -> None:
    import numpy as np

    from benchmarks.rules.ranking.files import is_scores
    from benchmarks.tkg.retrieval.heuristics import write_scores
    from solver.graph.queries import Tie
    from solver.rules.application import write_ranks

    if out.suffix == ".npz":
        raise click.UsageError("--out takes text: FILE.txt or FILE.scores.txt.")
    if is_scores(str(out)):
        write_scores(out, parts)
    else:
        # The last rank denotes answers that are not candidates.
        last = queries.entities
        ranks = np.minimum(ties.values(Tie.REALISTIC), last)
        write_ranks(out, queries.asked, ranks, not_returned=last)


def _as_json(
    name: str,
    queries: SplitQueries,
    context: ContextOptions,
    figures: Mapping[str, Mapping[int, Hits]],
) -> dict[str, Any]:
    return {
        "data": queries.dataset.name,
        "split": queries.split.value,
        "events": queries.events,
        "heuristic": name,
        "context": context.shared,
        "most": context.most,
        "filter": context.filter,
        "hits": _cuts(figures),
    }


def _cuts(figures: Mapping[str, Mapping[int, Hits]]) -> dict[str, Any]:
    from dataclasses import asdict

    return {
        asked: {str(cut): asdict(one) for cut, one in by_cut.items()}
        for asked, by_cut in figures.items()
    }


def _show(
    name: str,
    queries: SplitQueries,
    context: ContextOptions,
    figures: Mapping[str, Mapping[int, Hits]],
) -> None:
    title = (
        f"{queries.dataset.name}: {name} over the last {context.most} facts by "
        f"{context.shared}, {queries.events:,} facts of {queries.split}, {context.filter}"
    )
    _print_hits(title, figures)


def _print_hits(title: str, figures: Mapping[str, Mapping[int, Hits]]) -> None:
    from benchmarks.metrics.ranking import CUTS
    from benchmarks.tkg.retrieval.scoring import hits_cell
    from solver.cli.printing import narrow_table
    from solver.io.terminal import wide_console

    console = wide_console()
    bounds = "in percent, ties at random (pessimistic-optimistic)"
    console.print(f"{title}; {bounds}", soft_wrap=True)
    table = narrow_table("", "queries", [f"H@{cut}" for cut in CUTS])
    for asked, by_cut in figures.items():
        table.add_row(asked, *(hits_cell(by_cut[cut]) for cut in CUTS))
    console.print(table)
