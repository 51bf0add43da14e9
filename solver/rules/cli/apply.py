"""``apply``: link prediction with temporal rules on the facts of a split."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solver.cli.options import as_json, graph, jobs, on_cluster, out_file, read_graph, split
from solver.rules.cli.options import ApplicationOptions, allow_leak, applying, print_provenance

if TYPE_CHECKING:
    from solver.graph.model import Split
    from solver.rules.application import QueryAnswers

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
@allow_leak
@jobs
@on_cluster
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
    allow_leak: bool,
    jobs: int,
    as_json: bool,
) -> None:
    """Predict the facts of a split with temporal rules (TLogic) and rank the true answers.

    A query uses the facts of all splits before its time. Ranks are in the time-aware filtered
    setting; an answer that is not a candidate has the number of entities as its rank. Rules that
    were mined from facts of the split's times are refused.

    \b
    Examples:
      python -m solver mine examples/tkg --out rules.json
      python -m solver apply rules.json --data examples/tkg
      python -m solver apply rules.json --data examples/tkg --out ranks.txt --ties realistic
      python -m solver apply rules.json --data examples/tkg --engine asp --lengths 1
    """  # noqa: D301 - click reads the backslash
    from solver.cli.printing import progress
    from solver.processes import preload

    preload(jobs, "solver.rules.application")
    from solver.graph.queries import Tie
    from solver.rules.application import RuleEngine, apply_rules, write_ranks
    from solver.rules.io import read_rules
    from solver.rules.provenance import Content, write_manifest

    dataset = read_graph(graph)
    table = read_rules(rules, relations=dataset.vocabulary.relations)
    print_provenance(rules, table.seen, dataset, split, allow_leak=allow_leak)
    settings = applying.settings(RuleEngine(engine))
    listing = None if out is None or not _lists_candidates(out) else out
    facts = 2 * len(dataset.facts(split))
    with _listed(listing) as each, progress("queries", facts) as advance:
        ranked = apply_rules(
            table,
            dataset,
            split,
            settings,
            trained=applying.trained,
            allow_leak=allow_leak,
            jobs=jobs,
            each=each,
            advance=advance,
        )
    if out is not None:
        if listing is None:
            ranks = ranked.ranks.values(Tie(ties))
            write_ranks(out, ranked.facts, ranks, seen=ranked.seen)
        else:
            write_manifest(out, Content.SCORES, ranked.seen)
        click.echo(f"written: {out}", err=True)
    _report(ranked.figures(), split=split, name=dataset.name, as_json=as_json)


def _lists_candidates(path: Path) -> bool:
    name = path.name.removesuffix(".gz")
    return name.endswith(".jsonl") or ".scores" in name


@contextmanager
def _listed(listing: Path | None) -> Iterator[Callable[[QueryAnswers], object] | None]:
    """A callback that lists the candidates of each timestamp in a file, if there is one."""
    if listing is None:
        yield None
        return
    from solver.io.writing import packed

    as_json = ".jsonl" in listing.suffixes
    with packed(listing) as file:
        yield lambda found: file.writelines(_lines(found, as_json=as_json))


def _lines(found: QueryAnswers, *, as_json: bool) -> Iterator[bytes]:
    from solver.io.writing import line
    from solver.rules.application import candidates_by_query

    for (s, r, t), pairs in candidates_by_query(found):
        if as_json:
            for entity, score in pairs:
                yield line({"s": s, "r": r, "t": t, "candidate": entity, "score": score})
        else:
            query = f"{s}\t{r}\t{t}"
            yield "".join([f"{query}\t{entity}\t{score}\n" for entity, score in pairs]).encode()


def _report(figures: dict[str, Any], *, split: str, name: str, as_json: bool) -> None:
    from solver.cli.printing import narrow_table, print_json
    from solver.io.terminal import wide_console

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
