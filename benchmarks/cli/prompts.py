"""``prompts``: items as prompts for a language model."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from grammar.errors import ExitStatus, HopcheckError
from solver.cli.options import DelegatingCommand, NewFile, by_first, domain

if TYPE_CHECKING:
    from solver.eventhop.records import ReadRecord, Record

VARIANTS = ("zero-shot", "five-examples", "cot")


class NoSuchItemError(HopcheckError):
    """An id without an item."""

    code = "no-such-item"


@click.command(cls=DelegatingCommand, chooser=by_first({"tkg": "benchmarks.tkg.cli.prompts"}))
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--variant",
    type=click.Choice(VARIANTS),
    default=VARIANTS[0],
    show_default=True,
    help="Kind of prompt: zero-shot, with five examples, or with step-by-step reasoning (cot).",
)
@click.option("--id", "wanted", metavar="ID", help="Print the prompt of this item as plain text.")
@click.option(
    "--out",
    type=NewFile(),
    metavar="FILE",
    help="Output file; standard output by default.",
)
@domain
@click.pass_context
def command(ctx: click.Context, /, paths: tuple[str, ...], **options: Any) -> None:  # noqa: ANN401
    """Write a prompt for each item, as JSONL with id, variant and prompt, without labels.

    `score nli` and `diagnose` read answers with the same ids. `prompts tkg` writes prompts for
    queries on a temporal graph; see its --help.

    \b
    Examples:
      python -m solver prompts examples/right.tsv > prompts.jsonl
      python -m solver prompts examples/right.tsv --variant five-examples --id 3
    """  # noqa: D301 - click reads the backslash
    from solver.cli.printing import print_unparsed, write_lines
    from solver.eventhop.io import read_records
    from solver.io.writing import line

    records = chain.from_iterable(read_records(path) for path in paths)
    broken: list[str] = []
    rows = _rows(records, options, broken)
    if options["wanted"] is not None:
        rows = _only(rows, options["wanted"])
        lines = (str(row["prompt"]).encode() for row in rows)
    else:
        lines = (line(row) for row in rows)
    write_lines(lines, options["out"])
    print_unparsed(broken)
    ctx.exit(ExitStatus.UNREADABLE if broken else ExitStatus.OK)


def _rows(
    records: Iterator[ReadRecord], options: dict[str, Any], broken: list[str]
) -> Iterator[dict[str, str]]:
    """One row per item; messages about unreadable rows are added to ``broken``."""
    from benchmarks.eventhop.prompts import Prompter, Variant
    from grammar.eventhop.lexicon import detect
    from grammar.eventhop.model import Domain
    from solver.eventhop.records import BrokenRecord

    variant = Variant(options["variant"])

    prompters: dict[Domain, Prompter] = {}

    def row(record: Record) -> dict[str, str]:
        domain = options["domain"] or detect(record.premise, record.claim)
        if domain not in prompters:
            prompters[domain] = Prompter(domain, variant)
        text = prompters[domain].prompt(record.premise, record.claim)
        return {"id": record.id, "variant": variant.value, "prompt": text}

    for record in records:
        if isinstance(record, BrokenRecord):
            broken.append(str(record.error))
        else:
            yield row(record)


def _only(rows: Iterator[dict[str, str]], wanted: str) -> Iterator[dict[str, str]]:
    found = next((row for row in rows if row["id"] == wanted), None)
    if found is None:
        raise NoSuchItemError(f"no item has the id {wanted!r}", hint="use an id of the file")
    yield found
