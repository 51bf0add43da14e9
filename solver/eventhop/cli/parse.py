"""``parse``: text to graph."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from grammar.errors import ExitStatus, HopcheckError
from solver.cli.kinds import parsing
from solver.cli.options import KindChoice
from solver.cli.program import DelegatingCommand
from solver.cli.settings import setting_options
from solver.eventhop.engines import ItemSettings

if TYPE_CHECKING:
    from grammar.eventhop.model import Item
    from solver.eventhop.records import ReadRecord


@click.command(cls=DelegatingCommand, chooser=parsing)
@click.argument("path", required=False)
@click.option(
    "--kind",
    type=KindChoice(lambda kind: kind.parse),
    default="eventhop",
    show_default=True,
    expose_value=False,
    help="Kind of text; --kind KIND --help shows the options of that kind.",
)
@click.option("--premise", help="Premise to parse; empty by default.")
@click.option("--claim", help="Claim to parse, instead of a file.")
@click.option("--id", "item_id", default="1", show_default=True, help="Id of that item.")
@click.option("--pairs", is_flag=True, help="Read lines of a premise, a tab and a claim.")
@setting_options("settings", ItemSettings, "spatial", "domain", "names", "phrases", "grammar")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    path: str | None,
    premise: str | None,
    claim: str | None,
    item_id: str,
    pairs: bool,
    settings: ItemSettings,
) -> None:
    """Parse texts into graphs: one JSON object per line, on standard output.

    PATH is an item file (published TSV, JSON Lines, Parquet); - is standard input. Lines that
    cannot be parsed are reported on standard error, and the exit status is 2.

    \b
    Examples:
      python -m solver parse --premise "The end of A happened before the start of B" \\
        --claim "A happens before B"
      python -m solver parse examples/right.tsv
      python -m solver parse examples/right.tsv | python -m solver realise
    """  # noqa: D301 - click reads the backslash
    from grammar.eventhop.graph_json import encode
    from solver.eventhop.explain import record_from_texts
    from solver.eventhop.reading import read

    if path is not None and (premise is not None or claim is not None):
        raise click.UsageError("Give a PATH or texts, not both.")
    out = sys.stdout.buffer
    if path is None:
        if claim is None:
            raise click.UsageError("Give a PATH, or --claim and --premise.")
        record = replace(record_from_texts(premise or "", claim), id=item_id)
        out.write(encode(read(record, settings)[1]) + b"\n")
        return
    unparsed = 0
    for item in _items(path, settings, pairs=pairs):
        if isinstance(item, HopcheckError):
            unparsed += 1
            click.echo(f"unparsed: {item}", err=True)
        else:
            out.write(encode(item) + b"\n")
    ctx.exit(ExitStatus.UNREADABLE if unparsed else ExitStatus.OK)


def _items(path: str, settings: ItemSettings, *, pairs: bool) -> Iterator[Item | HopcheckError]:
    from grammar.errors import ParseError
    from solver.eventhop.io import read_records
    from solver.eventhop.reading import read
    from solver.eventhop.records import BrokenRecord

    for record in _pairs(path) if pairs else read_records(path):
        if isinstance(record, BrokenRecord):
            yield record.error
            continue
        try:
            yield read(record, settings)[1]
        except ParseError as error:
            from solver.eventhop.outcomes import located

            yield located(error, record.place, record.id)


def _pairs(path: str) -> Iterator[ReadRecord]:
    """Read lines of two texts; the line number is the item's id."""
    from solver.eventhop.records import BrokenRecord, ItemPlace, Record
    from solver.io.sources import counted, lines, open_input

    with open_input(path, "lines of two texts") as source:
        for line in lines(source):
            place = ItemPlace(file=source.name, line=line.number)
            error: HopcheckError | None = line.error
            texts = line.text.split("\t")
            if error is None and len(texts) != 2:
                message = f"found {counted(len(texts), 'column')}, expected 2"
                hint = "write a premise, which may be empty, a tab and a claim"
                error = HopcheckError(message, where=place.at(), hint=hint)
            if line.blank:
                continue
            if error is not None:
                yield BrokenRecord(id=str(line.number), place=place, error=error)
                continue
            premise, claim = texts
            starts = ItemPlace(
                file=source.name, line=line.number, premise=1, claim=len(premise) + 2
            )
            yield Record(
                id=str(line.number),
                premise=premise,
                claim=claim,
                gold=None,
                label=None,
                place=starts,
            )
