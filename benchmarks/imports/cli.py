"""``import``: data in the formats of others, written in ours."""

from __future__ import annotations

from pathlib import Path

import click

from solver.cli.options import as_json, out_folder
from solver.cli.program import Entry, LazyGroup
from solver.io.sources import counted, output_name


def report_files(files: tuple[Path, ...], out: Path, note: str = "") -> None:
    """Print the number of files written, and what the format cannot represent."""
    if note:
        click.echo(f"note: {note}", err=True)
    click.echo(f"wrote {len(files)} files to {output_name(out)}")


@click.command()
@click.argument("path", type=click.Path(path_type=Path), metavar="GRAPH")
@out_folder()
@click.option(
    "--granularity",
    type=click.Choice(["second", "minute", "hour", "day", "year"]),
    help="Unit to round times down to; facts that become equal count once.  [default: none]",
)
@click.option(
    "--intervals",
    is_flag=True,
    help="Read facts with two times, as those of YAGO: each becomes a fact of `relation:since` and "
    "one of `relation:until`.",
)
def graph(path: Path, out: Path, granularity: str | None, intervals: bool) -> None:
    """Read a graph in any format; write it as a folder of ids, names and splits.

    Facts are sorted by time. What is left out is reported.

    \b
    Examples:
      python -m solver import graph edges.csv --granularity day --out data/graph
      python -m solver import graph yago.txt --intervals --granularity year --out data/graph
    """  # noqa: D301 - click reads the backslash
    from benchmarks.imports import import_graph
    from solver.graph.io.named import Granularity

    unit = None if granularity is None else Granularity(granularity)
    files, notes = import_graph(path, out, granularity=unit, intervals=intervals)
    report_files(files, out, "; ".join(notes))


@click.command()
@click.argument("path", type=click.Path(path_type=Path), metavar="GRAPH")
@click.option(
    "--by",
    type=click.Choice(["time"]),
    default="time",
    show_default=True,
    help="What the splits differ in.",
)
@click.option(
    "--shares",
    metavar="NUMBERS",
    default=".8,.1,.1",
    show_default=True,
    help="Shares of the facts for train and test, or for train, valid and test.",
)
@click.option(
    "--at",
    "starts",
    metavar="TIMES",
    help="First time of test, or of valid and of test, instead of shares.",
)
@out_folder()
@as_json
def split(
    path: Path,
    by: str,  # noqa: ARG001 - the only way yet
    shares: str,
    starts: str | None,
    out: Path,
    as_json: bool,
) -> None:
    """Split a graph by time: train comes first, and no two splits share a time.

    GRAPH is in any format; splits that it has are joined. Facts that are repeated count once. The
    table shows what is new in each split: entities and relations that no earlier one has, facts
    with such an element, and facts whose head, relation and tail an earlier split has.

    \b
    Examples:
      python -m solver split examples/tkg --by time --shares .8,.1,.1 --out data/split
      python -m solver split examples/tkg --at 2031-05-10,2031-05-15 --out data/split
    """  # noqa: D301 - click reads the backslash
    from benchmarks.imports import write_split
    from solver.cli.printing import print_json
    from solver.graph.io import read_dataset
    from solver.graph.splitting import split_at, split_by_time
    from solver.io.terminal import print_table
    from solver.report.model import Table

    graph = read_dataset(path, ordered=False)
    made = split_by_time(graph, _numbers(shares)) if starts is None else split_at(
        graph, [name.strip() for name in starts.split(",")]
    )  # fmt: skip
    files = write_split(made, out, {"shares": shares} if starts is None else {"at": starts})
    if made.repeated:
        click.echo(f"note: {counted(made.repeated, 'repeated fact')}, counted once", err=True)
    if as_json:
        print_json({"out": out.name} | made.as_json())
        return
    columns = (
        *("split", "facts", "share", "from", "to", "new entities", "new relations"),
        *("facts with new", "seen before"),
    )
    rows = tuple(
        (
            *(name.value, f"{row.facts:,}", f"{row.share:.1%}", row.first, row.last),
            *(f"{row.new_entities:,}", f"{row.new_relations:,}"),
            *(f"{row.unseen:,}", f"{row.repeated:,}"),
        )
        for name, row in made.figures.items()
    )
    print_table(Table(columns=columns, rows=rows), f"Splits of {graph.name}")
    report_files(files, out)


def _numbers(text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        message = f"found {text!r}, expected numbers such as .8,.1,.1."
        raise click.BadParameter(message, param_hint="--shares") from None


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="FILE...")
@out_folder()
@click.option(
    "--imprecise",
    type=click.Choice(["skip", "first"]),
    default="skip",
    show_default=True,
    help="Leave out dates without a day, or read them as the first day of their month or year.",
)
@as_json
def yago(paths: tuple[str, ...], out: Path, imprecise: str, as_json: bool) -> None:
    """Read YAGO 4.5; write dated facts, classes and schema for forecast and verify.

    FILES are Turtle with the quoted triples of RDF-star, plain or gzip, in any order: meta facts,
    facts, taxonomy and schema. Memory does not grow with the number of facts.

    \b
    Examples:
      python -m solver import yago examples/yago/meta-facts.ntx examples/yago/facts.ttl \\
        examples/yago/taxonomy.ttl examples/yago/schema.ttl --out yago
      python -m solver verify --kind facts yago/facts.tsv --schema yago/schema
    """  # noqa: D301 - click reads the backslash
    from dataclasses import asdict

    from solver.cli.printing import print_json, progress
    from solver.facts.yago import Imprecise, import_yago

    with progress("triples", files=paths) as advance:
        found = import_yago(paths, out, imprecise=Imprecise(imprecise), progress=advance)
    if as_json:
        print_json({"out": out.name, "files": list(found.paths)} | asdict(found))
        return
    for reason, count in found.left_out.items():
        click.echo(f"note: left out {count:,} {reason}", err=True)
    entities = counted(found.entities, "entity").replace("entitys", "entities")
    click.echo(
        f"wrote {counted(found.facts, 'fact')} of {entities}, {found.typed:,} of them with a "
        f"class, {counted(found.relations, 'relation')} and {found.classes:,} classes to {out}"
    )


IMPORTS = {
    "yago": Entry("benchmarks.imports.cli:yago", "Read YAGO 4.5: dated facts, classes and schema."),
    "graph": Entry("benchmarks.imports.cli:graph", "Read a graph of any format."),
}

command = LazyGroup("import", entries=IMPORTS, help="Read data in the format of another tool.")
