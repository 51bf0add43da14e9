"""``apply``: answers the queries of a split by temporal rules, and ranks the right answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solver.cli.options import as_json, jobs
from solver.cli.outputs import NewFile
from solver.cli.rule_options import application, applying, data

if TYPE_CHECKING:
    from solver.rules.answers import Answered
    from solver.rules.application import Application
    from solver.rules.ranks import Ranks
    from solver.tkg.dataset import Dataset, Split
    from solver.tkg.quadruples import Quadruples

TIES = ("optimistic", "realistic", "pessimistic")


@click.command()
@click.argument("rules", type=click.Path(path_type=Path))
@data
@click.option(
    "--split",
    type=click.Choice(["train", "valid", "test"]),
    default="test",
    show_default=True,
    help="Whose facts are asked for, in both directions.",
)
@click.option(
    "--engine",
    type=click.Choice(["fast", "asp"]),
    default="fast",
    show_default=True,
    help="Joins over indexes, or clingo with encodings/tkg/candidates.lp, for small graphs.",
)
@applying
@click.option(
    "--out",
    type=NewFile(),
    metavar="FILE",
    help="Write ranks there, `s r o t rank`; if it ends in .jsonl or is called X.scores.txt, "
    "candidates, `s r t candidate score`. Either may end in .gz.",
)
@click.option(
    "--ties",
    type=click.Choice(TIES),
    default="optimistic",
    show_default=True,
    help="The rank that --out has among equal scores: the best, the mean or the worst.",
)
@jobs
@as_json
def command(rules: Path, **options: Any) -> None:  # noqa: ANN401
    """Answer a split's queries by temporal rules as TLogic does, and rank the right answers.

    A query sees the facts of all splits before its time. Other right answers of the same time are
    left out of a ranking; an answer that is no candidate has the last rank there is.

    \b
    Examples:
      python -m solver mine examples/tkg --out rules.json
      python -m solver apply rules.json --data examples/tkg
      python -m solver apply rules.json --data examples/tkg --out ranks.txt --ties realistic
      python -m solver apply rules.json --data examples/tkg --engine asp --lengths 1
    """  # noqa: D301 - click reads the backslash
    from solver.cli.graph_reading import read_graph
    from solver.rules.application import RuleEngine
    from solver.tkg.dataset import Split

    dataset = read_graph(options["data"])
    split = Split(options["split"])
    applied = application(rules, dataset, options, engine=RuleEngine(options["engine"]))
    facts = _asked(dataset, split, options["data"])
    out = options["out"]
    listing = None if out is None or not _lists_candidates(out) else out
    ranks, answered, frequent = _answered(applied, facts, options["jobs"], listing)
    if out is not None and listing is None:
        _write_ranks(out, facts, ranks, options["ties"])
    if out is not None:
        click.echo(f"written: {out}", err=True)
    figures = {
        "rules": len(applied.rules),
        "facts": len(facts),
        "queries": answered,
        "without_rules": frequent,
        "ranks": ranks.figures(),
    }
    _tell(figures, split=split, name=dataset.name, as_json=options["as_json"])


def _asked(dataset: Dataset, split: Split, path: Path) -> Quadruples:
    """The facts of a split in both directions, each once.

    Raises:
        InputError: it has none.
    """
    from solver.reading.failures import InputError

    facts = dataset.facts(split)
    if not len(facts):
        message = f"found no facts of the split {split}, expected some to ask for"
        raise InputError(message, where=str(path), hint="choose another by --split")
    once = facts.once()
    if len(once) < len(facts):
        again = f"{len(facts) - len(once):,} of {len(facts):,} facts of {split}"
        click.echo(f"left out: {again}, for they stand there before", err=True)
    return once.both_ways(dataset.vocabulary.relations)


def _lists_candidates(path: Path) -> bool:
    name = path.name.removesuffix(".gz")
    return name.endswith(".jsonl") or ".scores" in name


def _answered(
    applied: Application, facts: Quadruples, jobs: int, listing: Path | None
) -> tuple[Ranks, int, int]:
    """Answer a time after the other: the ranks, how many queries, how many without a rule."""
    from contextlib import nullcontext
    from functools import partial

    from solver.cli.progress import progress
    from solver.processes import mapped
    from solver.rules.answers import answered, times
    from solver.rules.ranks import Ranks
    from solver.writing.packing import packed

    rows, ranks, queries, frequent = [], [], 0, 0
    parts = times(facts)
    with (
        nullcontext() if listing is None else packed(listing) as file,
        progress("queries", len(facts)) as advance,
    ):
        for found in mapped(partial(answered, applied, facts), parts, jobs):
            rows.append(found.rows)
            ranks.append(found.ranks)
            queries += len(found.queries)
            frequent += int((~found.candidates.ruled).sum())
            if file is not None and listing is not None:
                file.writelines(_lines(found, as_json=".jsonl" in listing.suffixes))
            if advance is not None:
                advance(len(found.rows))
    return Ranks.joined(ranks, rows), queries, frequent


def _lines(found: Answered, *, as_json: bool) -> Iterator[bytes]:
    from solver.rules.answers import scored
    from solver.writing.jsonl import line

    columns = ("s", "r", "t", "candidate", "score")
    for row in scored(found):
        if as_json:
            yield line(dict(zip(columns, row, strict=True)))
        else:
            yield "\t".join(map(str, row)).encode() + b"\n"


def _write_ranks(path: Path, facts: Quadruples, ranks: Ranks, ties: str) -> None:
    from solver.writing.packing import packed

    with packed(path) as file:
        for fact, rank in zip(facts.rows().tolist(), getattr(ranks, ties).tolist(), strict=True):
            file.write("\t".join((*map(str, fact), f"{rank:.15g}")).encode() + b"\n")


def _tell(figures: dict[str, Any], *, split: str, name: str, as_json: bool) -> None:
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
    told = figures["without_rules"]
    console.print(f"{told:,} queries were answered without a rule, by their relation's objects.")
