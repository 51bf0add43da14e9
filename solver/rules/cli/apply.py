"""``apply``: link prediction with temporal rules on the facts of a split."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solver.cli.options import as_json, graph, jobs, out_file, read_graph, split
from solver.rules.cli.options import ApplicationOptions, applying

if TYPE_CHECKING:
    from solver.graph.model import Dataset, Quadruples, Split
    from solver.rules.application import Application, QueryAnswers
    from solver.rules.ranks import Ranks

TIES = ("optimistic", "realistic", "pessimistic")


@click.command()
@click.argument("rules", type=click.Path(path_type=Path))
@graph()
@split
@click.option(
    "--engine",
    type=click.Choice(["fast", "asp"]),
    default="fast",
    show_default=True,
    help="Grounding engine: joins over indexes (fast), or clingo, for small graphs (asp).",
)
@applying
@out_file(
    "Output file for ranks, `s r o t rank`; with the name *.jsonl or *.scores.txt, for candidates, "
    "`s r t candidate score`. Compressed if it ends in .gz."
)
@click.option(
    "--ties",
    type=click.Choice(TIES),
    default="optimistic",
    show_default=True,
    help="Tie-breaking of the ranks in --out: best, mean or worst rank of equal scores.",
)
@jobs
@as_json
def command(
    *,
    rules: Path,
    graph: Path,
    split: Split,
    engine: str,
    applying: ApplicationOptions,
    out: Path | None,
    ties: str,
    jobs: int,
    as_json: bool,
) -> None:
    """Predict the facts of a split with temporal rules (TLogic) and rank the true answers.

    A query uses the facts of all splits before its time. Ranks are in the time-aware filtered
    setting; an answer that is not a candidate has the number of entities as its rank.

    \b
    Examples:
      python -m solver mine examples/tkg --out rules.json
      python -m solver apply rules.json --data examples/tkg
      python -m solver apply rules.json --data examples/tkg --out ranks.txt --ties realistic
      python -m solver apply rules.json --data examples/tkg --engine asp --lengths 1
    """  # noqa: D301 - click reads the backslash
    from solver.rules.application import RuleEngine

    dataset = read_graph(graph)
    applied = applying.application(rules, dataset, RuleEngine(engine))
    facts = _queried_facts(dataset, split, graph)
    listing = None if out is None or not _lists_candidates(out) else out
    ranks, queries, fallback = _rank(applied, facts, jobs, listing)
    if out is not None and listing is None:
        _write_ranks(out, facts, ranks, ties)
    if out is not None:
        click.echo(f"written: {out}", err=True)
    figures = {
        "rules": len(applied.rules),
        "facts": len(facts),
        "queries": queries,
        "without_rules": fallback,
        "ranks": ranks.figures(),
    }
    _report(figures, split=split, name=dataset.name, as_json=as_json)


def _queried_facts(dataset: Dataset, split: Split, path: Path) -> Quadruples:
    """The distinct facts of a split in both directions.

    Raises:
        InputError: the split is empty.
    """
    from solver.io.sources import InputError

    facts = dataset.facts(split)
    if not len(facts):
        message = f"found no facts of the split {split}, expected at least one"
        raise InputError(message, where=str(path), hint="choose another split with --split")
    once = facts.once()
    if len(once) < len(facts):
        repeated = f"{len(facts) - len(once):,} of {len(facts):,} facts of {split}"
        click.echo(f"left out: {repeated}, which are duplicates", err=True)
    return once.both_ways(dataset.vocabulary.relations)


def _lists_candidates(path: Path) -> bool:
    name = path.name.removesuffix(".gz")
    return name.endswith(".jsonl") or ".scores" in name


def _rank(
    applied: Application, facts: Quadruples, jobs: int, listing: Path | None
) -> tuple[Ranks, int, int]:
    """Answer the queries by timestamp; returns ranks, number of queries, and those without rule."""
    from contextlib import nullcontext
    from functools import partial

    from solver.cli.printing import progress
    from solver.io.writing import packed
    from solver.processes import parallel_map
    from solver.rules.application import rank_answers, rows_by_time
    from solver.rules.ranks import Ranks

    rows, ranks, queries, fallback = [], [], 0, 0
    parts = rows_by_time(facts)
    with (
        nullcontext() if listing is None else packed(listing) as file,
        progress("queries", len(facts)) as advance,
    ):
        for found in parallel_map(partial(rank_answers, applied, facts), parts, jobs):
            rows.append(found.rows)
            ranks.append(found.ranks)
            queries += len(found.queries)
            fallback += int((~found.candidates.ruled).sum())
            if file is not None and listing is not None:
                file.writelines(_lines(found, as_json=".jsonl" in listing.suffixes))
            if advance is not None:
                advance(len(found.rows))
    return Ranks.joined(ranks, rows), queries, fallback


def _lines(found: QueryAnswers, *, as_json: bool) -> Iterator[bytes]:
    from solver.io.writing import line
    from solver.rules.application import candidate_rows

    columns = ("s", "r", "t", "candidate", "score")
    for row in candidate_rows(found):
        if as_json:
            yield line(dict(zip(columns, row, strict=True)))
        else:
            yield "\t".join(map(str, row)).encode() + b"\n"


def _write_ranks(path: Path, facts: Quadruples, ranks: Ranks, ties: str) -> None:
    from solver.io.writing import packed
    from solver.rules.ranks import Tie

    with packed(path) as file:
        for fact, rank in zip(facts.rows().tolist(), ranks.values(Tie(ties)).tolist(), strict=True):
            file.write("\t".join((*map(str, fact), f"{rank:.15g}")).encode() + b"\n")


def _report(figures: dict[str, Any], *, split: str, name: str, as_json: bool) -> None:
    from solver.cli.printing import narrow_table, print_json, wide_console

    if as_json:
        print_json(figures)
        return
    console = wide_console()
    columns = ("MRR", "Hits@1", "Hits@3", "Hits@10")
    table = narrow_table("filtered ranks, in percent", "ties", columns)
    for ties, values in figures["ranks"].items():
        table.add_row(ties, *(f"{100 * value:.2f}" for value in values.values()))
    console.print(
        f"{name}, {split}: {figures['facts']:,} facts both ways, {figures['queries']:,} queries, "
        f"{figures['rules']:,} rules"
    )
    console.print(table)
    fallback = figures["without_rules"]
    console.print(f"{fallback:,} queries match no rule; answered by frequent objects.")
