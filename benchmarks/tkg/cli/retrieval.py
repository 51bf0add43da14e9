"""``prompts tkg`` and ``score ranks --answers``: link prediction by a language model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.cli.options import (
    MOST,
    as_json,
    graph_argument,
    number_option,
    out_file,
    read_graph,
    seed,
    split,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.tkg.retrieval.prompts import Ceiling
    from benchmarks.tkg.retrieval.scoring import GroupScore
    from solver.graph.model import Split

STRATEGIES = ("naive-entity", "naive-pair", "oicl", "ah", "ar", "bar")


@click.command()
@graph_argument
@click.option(
    "--strategy",
    "strategies",
    type=click.Choice(STRATEGIES),
    multiple=True,
    help="Retrieval strategy of the context, see docs/tkg-retrieval.md; repeatable. Default: all.",
)
@split
@click.option(
    "--all-facts",
    is_flag=True,
    help="Query all facts instead of consequences of patterns only; naive strategies only.",
)
@number_option("--most", default=25, high=MOST, help="Maximum number of facts in a context.")
@click.option(
    "--style",
    type=click.Choice(["index", "plain"]),
    default="index",
    show_default=True,
    help="Format of facts: `21 : [0. 1071, 20, 1. 1493]` or `21:[1071, 20, 1493]`.",
)
@click.option(
    "--sample",
    type=click.IntRange(1, MOST),
    metavar="N",
    help="Maximum number of queries, sampled at random.",
)
@seed
@click.option(
    "--ceiling", is_flag=True, help="Report the retrieval ceiling instead of writing prompts."
)
@out_file()
@as_json
def prompts(
    *,
    graph: Path,
    strategies: tuple[str, ...],
    split: Split,
    all_facts: bool,
    most: int,
    style: str,
    sample: int | None,
    seed: int,
    ceiling: bool,
    out: Path | None,
    as_json: bool,
) -> None:
    """Write prompts for link-prediction queries on a temporal graph, as JSONL.

    Each line holds id, prompt, query, gold, strategy and reachable: whether the answer is an entity
    of the context. `score ranks --answers` scores a model's answers with the same ids.

    \b
    Examples:
      python -m solver prompts tkg data/graph --strategy bar --split test --out prompts.jsonl
      python -m solver prompts tkg data/graph --ceiling
      python -m solver prompts tkg examples/ranks/graph --strategy naive-pair --sample 10
    """  # noqa: D301 - click reads the backslash
    from benchmarks.tkg.retrieval.context import read_instances, rows_of
    from benchmarks.tkg.retrieval.prompts import Composer, Strategy, Style, prompt_row
    from benchmarks.tkg.retrieval.prompts import ceiling as ceiling_of
    from solver.cli.printing import write_lines
    from solver.io.writing import line
    from solver.tkg.io import LABELS

    if as_json and not ceiling:
        raise click.UsageError("--json requires --ceiling; prompts are JSON Lines already.")
    dataset = read_graph(graph)
    facts = dataset.facts()
    chosen = [Strategy(strategy) for strategy in strategies or STRATEGIES]
    labelled = [strategy for strategy in chosen if strategy.labelled]
    if all_facts and labelled:
        named = " and ".join(labelled)
        raise click.UsageError(f"--all-facts is for naive strategies only, not for {named}.")
    instances = None
    if labelled or (graph / LABELS).is_file():
        instances = read_instances(graph, dataset)
    queried = None if all_facts else instances
    rows = rows_of(dataset, split, queried, sample=sample or 0, seed=seed)
    # The strategies are prompted with the same queries.
    composer = Composer(dataset, instances, most)
    composed = {
        strategy: [composer.compose(row, strategy) for row in rows.tolist()] for strategy in chosen
    }
    ceilings = [ceiling_of(found, facts, strategy) for strategy, found in composed.items()]
    if ceiling:
        _print_ceilings(ceilings, dataset.name, as_json=as_json)
        return
    lines = (
        line(prompt_row(prompt, facts, instances, Style(style)))
        for found in composed.values()
        for prompt in found
    )
    write_lines(lines, out)
    for other_ceiling in ceilings:
        summary = (
            f"{other_ceiling.strategy}: {other_ceiling.prompts:,} prompts, "
            f"{other_ceiling.reachable:.1%} reachable"
        )
        click.echo(summary, err=True)


def _print_ceilings(ceilings: Sequence[Ceiling], name: str, *, as_json: bool) -> None:
    from dataclasses import asdict

    from benchmarks.tkg.retrieval.scoring import CEILING_COLUMNS, ceiling_cells
    from solver.cli.printing import print_json
    from solver.io.terminal import print_table, wide_console
    from solver.report.model import Table

    if as_json:
        print_json({"data": name, "ceilings": [asdict(ceiling) for ceiling in ceilings]})
        return
    wide_console().print(f"{name}: retrieval ceilings, in percent", soft_wrap=True)
    rows = tuple((ceiling.strategy.value, *ceiling_cells(ceiling)) for ceiling in ceilings)
    print_table(Table(columns=("strategy", *CEILING_COLUMNS), rows=rows))


@click.command()
@click.option(
    "--answers",
    required=True,
    metavar="FILE",
    help="Answers: JSONL with id and answer; - for stdin.",
)
@click.option("--prompts", required=True, metavar="FILE", help="Prompts written by `prompts tkg`.")
@as_json
@click.pass_context
def score(ctx: click.Context, /, answers: str, prompts: str, *, as_json: bool) -> None:
    """Score a language model's answers to the prompts of `prompts tkg`: Hits@k by strategy.

    An answer is a text (`answer`: an index `0.`, an entity, `0. 1071`, or several, best first), a
    list of texts (`answers`), or texts with scores (`scores`). Unreadable and missing answers are
    counted and scored as wrong. The ceiling is the share of answers that the context contains.

    \b
    Examples:
      python -m solver prompts tkg data/graph --strategy bar --out prompts.jsonl
      python -m solver score ranks --answers answers.jsonl --prompts prompts.jsonl
    """  # noqa: D301 - click reads the backslash
    from benchmarks.predictions import match_predictions
    from benchmarks.tkg.retrieval.prompts import read_prompts
    from benchmarks.tkg.retrieval.scoring import group_scores, judge, read_answers
    from solver.cli.printing import print_json

    asked, given = read_prompts(prompts), read_answers(answers)
    matched = match_predictions(given, list(asked), "prompt")
    for note in matched.notes("prompt"):
        click.echo(note, err=True)
    figures = group_scores(judge(asked, matched.answers))
    if as_json:
        result = {"answers": given.name, "figures": [figure.as_json() for figure in figures]}
        unmatched = {"missing": matched.missing, "unknown": matched.unknown}
        print_json(result | unmatched | {"doubled": given.repeated})
    else:
        _print_scores(given.name, figures)
    ctx.exit(matched.exit_status)


def _print_scores(name: str, figures: Sequence[GroupScore]) -> None:
    from benchmarks.metrics.ranking import CUTS
    from benchmarks.tkg.retrieval.scoring import hits_cell
    from solver.cli.printing import narrow_table
    from solver.io.terminal import wide_console

    console = wide_console()
    console.print(
        f"{name}: in percent, ties at random (pessimistic-optimistic)",
        soft_wrap=True,
    )
    counts = ("prompts", "unread", "missing")
    columns = [*counts, *(f"H@{cut}" for cut in CUTS), "ceiling", "beyond"]
    table = narrow_table("", "strategy", columns)
    for figure in figures:
        table.add_row(
            figure.group,
            *(f"{count:,}" for count in (figure.prompts, figure.unreadable, figure.missing)),
            *(hits_cell(figure.hits[cut]) for cut in CUTS),
            f"{100 * figure.ceiling:.1f}",
            f"{100 * figure.beyond:.1f}",
        )
    console.print(table)
