"""``realise``: graph to text."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from grammar.errors import ExitStatus, HopcheckError
from solver.cli.kinds import realising
from solver.cli.options import KindChoice, as_json_lines
from solver.cli.program import DelegatingCommand
from solver.eventhop.cli import names, spatial

if TYPE_CHECKING:
    from grammar.eventhop.model import Item, SpatialReading
    from grammar.eventhop.writer import Text


@click.command(cls=DelegatingCommand, chooser=realising)
@click.argument("path", default="-")
@click.option(
    "--kind",
    type=KindChoice(lambda kind: kind.realise),
    default="eventhop",
    show_default=True,
    expose_value=False,
    help="Kind of text; --kind KIND --help shows the options of that kind.",
)
@spatial
@names
@click.option("--seed", type=int, help="Random seed to vary phrases; one per relation by default.")
@as_json_lines
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    path: str,
    spatial: SpatialReading,
    names: frozenset[str] | None,
    seed: int | None,
    as_json: bool,
) -> None:
    """Write graphs, as parse prints them, as texts: a premise, a tab and a claim on each line.

    PATH has one JSON object per line; - is standard input. Graphs that cannot be written are
    reported on standard error, and the exit status is 2.

    \b
    Examples:
      python -m solver parse examples/right.tsv | python -m solver realise
      python -m solver parse examples/right.tsv | python -m solver realise --seed 7 --json
    """  # noqa: D301 - click reads the backslash
    from grammar.eventhop.graph_json import decode
    from solver.io.sources import lines, open_input

    out = sys.stdout.buffer
    failed = 0
    with open_input(path, "graphs as parse prints them") as source:
        for line in lines(source):
            if line.blank:
                continue
            try:
                if line.error is not None:
                    raise line.error
                item = decode(line.text)
                text = _text(item, spatial, seed, names or frozenset())
                out.write(_as_json(item, text) if as_json else _as_line(item, text))
            except HopcheckError as error:
                failed += 1
                place = "" if line.error is not None else f"{source.name}:{line.number}: "
                click.echo(f"not written: {place}{error}", err=True)
    ctx.exit(ExitStatus.UNREADABLE if failed else ExitStatus.OK)


def _text(item: Item, spatial: SpatialReading, seed: int | None, names: frozenset[str]) -> Text:
    from random import Random

    from grammar.eventhop.writer import Writer

    if seed is None:
        return Writer(item.domain, spatial, names=names).write(item)
    # Seeded by the id: an item's phrases do not depend on its position in the file.
    random = Random(f"{seed} {item.id}")
    return Writer(item.domain, spatial, phrases=random.choice, names=names).write(item)


def _as_json(item: Item, text: Text) -> bytes:
    import msgspec

    fields = {"id": item.id, "premise": text.premise, "claim": text.claim}
    return msgspec.json.encode(fields, order="sorted") + b"\n"


def _as_line(item: Item, text: Text) -> bytes:
    for part in (text.premise, text.claim):
        if any(mark in part for mark in "\t\r\n"):
            from grammar.errors import UnwritableError

            message = "its text contains a tab or a line end"
            raise UnwritableError(message, where=item.id, hint="write it with --json")
    return f"{text.premise}\t{text.claim}\n".encode()
