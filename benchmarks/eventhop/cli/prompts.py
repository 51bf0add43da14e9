"""``prompts eventhop``: items as prompts for a language model."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grammar.errors import ExitStatus, HopcheckError
from solver.cli.options import out_file
from solver.eventhop.cli import domain

if TYPE_CHECKING:
    from benchmarks.eventhop.prompts import Variant
    from grammar.eventhop.model import Domain
    from solver.eventhop.records import ReadRecord

VARIANTS = ("zero-shot", "five-examples", "cot")


class NoSuchItemError(HopcheckError):
    """An id without an item."""

    code = "no-such-item"


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--variant",
    type=click.Choice(VARIANTS),
    default=VARIANTS[0],
    show_default=True,
    help="Kind of prompt: zero-shot, with five examples, or with step-by-step reasoning (cot).",
)
@click.option("--id", "wanted", metavar="ID", help="Print the prompt of this item as plain text.")
@out_file()
@domain
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    paths: tuple[str, ...],
    variant: str,
    wanted: str | None,
    out: Path | None,
    domain: Domain | None,
) -> None:
    """Write a prompt for each item, as JSONL with id, variant and prompt, without labels.

    `score nli` and `diagnose` read answers with the same ids.

    \b
    Examples:
      python -m solver prompts examples/right.tsv > prompts.jsonl
      python -m solver prompts examples/right.tsv --variant five-examples --id 3
    """  # noqa: D301 - click reads the backslash
    from benchmarks.eventhop.prompts import Variant
    from solver.cli.printing import print_unparsed, write_lines
    from solver.eventhop.io import read_records
    from solver.io.writing import line

    records = chain.from_iterable(read_records(path) for path in paths)
    broken: list[str] = []
    rows = _rows(records, Variant(variant), domain, broken)
    if wanted is not None:
        rows = _only(rows, wanted)
        lines = (str(row["prompt"]).encode() for row in rows)
    else:
        lines = (line(row) for row in rows)
    write_lines(lines, out)
    print_unparsed(broken)
    ctx.exit(ExitStatus.UNREADABLE if broken else ExitStatus.OK)


def _rows(
    records: Iterator[ReadRecord], variant: Variant, domain: Domain | None, broken: list[str]
) -> Iterator[dict[str, str]]:
    """One row per item; messages about unreadable rows are added to ``broken``."""
    from benchmarks.eventhop.prompts import Prompter
    from grammar.eventhop.lexicon import detect
    from solver.eventhop.records import BrokenRecord

    prompters: dict[Domain, Prompter] = {}
    for record in records:
        if isinstance(record, BrokenRecord):
            broken.append(str(record.error))
            continue
        wording = domain or detect(record.premise, record.claim)
        if wording not in prompters:
            prompters[wording] = Prompter(wording, variant)
        text = prompters[wording].prompt(record.premise, record.claim)
        yield {"id": record.id, "variant": variant.value, "prompt": text}


def _only(rows: Iterator[dict[str, str]], wanted: str) -> Iterator[dict[str, str]]:
    found = next((row for row in rows if row["id"] == wanted), None)
    if found is None:
        raise NoSuchItemError(f"no item has the id {wanted!r}", hint="use an id of the file")
    yield found
