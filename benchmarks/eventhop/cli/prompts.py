"""``prompts eventhop``: items as prompts for a language model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grammar.errors import ExitStatus, HopcheckError
from solver.cli.options import out_file, seed
from solver.eventhop.cli import domain, labels, phrases
from solver.eventhop.engines import ItemSettings

if TYPE_CHECKING:
    from benchmarks.eventhop.prompts import Example, Prompter, Variant
    from grammar.eventhop.model import Domain
    from grammar.phrases import PhraseFile
    from solver.eventhop.labels import LabelScheme
    from solver.eventhop.records import ReadRecord

VARIANTS = ("zero-shot", "five-examples", "cot")


class NoExamplesError(HopcheckError):
    """No items to draw examples from."""

    code = "no-examples"


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
@click.option(
    "--batch",
    type=click.IntRange(1),
    metavar="N",
    help="Number of items in a prompt, numbered from 1; the row then has their ids.",
)
@click.option(
    "--examples",
    "pool",
    multiple=True,
    metavar="PATH",
    help="Items to draw the five examples from, such as those of train. May be repeated.",
)
@seed
@click.option("--id", "wanted", metavar="ID", help="Print the prompt of this item as plain text.")
@out_file()
@domain
@phrases
@labels
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    paths: tuple[str, ...],
    variant: str,
    batch: int | None,
    pool: tuple[str, ...],
    seed: int,
    wanted: str | None,
    out: Path | None,
    domain: Domain | None,
    phrases: tuple[PhraseFile, ...],
    labels: LabelScheme | None,
) -> None:
    """Write a prompt for each item, as JSONL with id, variant and prompt, without labels.

    `score nli` and `diagnose` read answers with the same ids; with --batch, rows with `ids` and one
    answer of a line for each.

    \b
    Examples:
      python -m solver prompts examples/right.tsv > prompts.jsonl
      python -m solver prompts examples/right.tsv --variant five-examples --id 3
      python -m solver prompts test.jsonl --variant five-examples --examples train.jsonl --batch 20
    """  # noqa: D301 - click reads the backslash
    from benchmarks.eventhop.prompts import Variant, read_examples
    from benchmarks.predictions import distinct
    from solver.cli.printing import print_unparsed, write_lines
    from solver.eventhop.io import read_records
    from solver.io.writing import line

    mapping = ItemSettings(labels=labels).columns
    records = chain.from_iterable(read_records(path, mapping=mapping) for path in paths)
    broken: list[str] = []
    if pool and variant != Variant.FIVE_EXAMPLES:
        raise click.UsageError("--examples belongs to --variant five-examples")
    shown = read_examples(pool, labels) if pool else None
    # Answers are matched by the ids.
    texts = distinct(_texts(records, domain, phrases, broken), lambda text: text.id)
    rows = _rows(_batches(texts, batch), _Prompts(Variant(variant), shown, seed, labels))
    if wanted is not None:
        rows = _only(rows, wanted)
        lines = (str(row["prompt"]).encode() for row in rows)
    else:
        lines = (line(row) for row in rows)
    write_lines(lines, out)
    print_unparsed(broken)
    ctx.exit(ExitStatus.UNREADABLE if broken else ExitStatus.OK)


@dataclass(frozen=True, slots=True)
class _Text:
    """An item to write a prompt for."""

    id: str
    premise: str
    claim: str
    domain: Domain


class _Prompts:
    """The prompters of all domains."""

    def __init__(
        self,
        variant: Variant,
        shown: Mapping[Domain, Sequence[Example]] | None,
        seed: int,
        scheme: LabelScheme | None,
    ) -> None:
        self.variant = variant
        self._shown = shown
        self._seed = seed
        self._scheme = scheme
        self._made: dict[Domain, Prompter] = {}

    def of(self, domain: Domain, item: str) -> Prompter:
        """The prompter for the prompt of an id.

        Raises:
            NoExamplesError: there is no example of this domain.
        """
        from benchmarks.eventhop.prompts import Prompter, drawn

        if self._shown is None:
            if domain not in self._made:
                self._made[domain] = Prompter(domain, self.variant, scheme=self._scheme)
            return self._made[domain]
        if domain not in self._shown:
            raise NoExamplesError(
                f"found no {domain.value} item to draw examples from for item {item}",
                hint="name a file of such items by --examples",
            )
        examples = drawn(self._shown[domain], self._seed, item)
        return Prompter(domain, self.variant, examples, self._scheme)


def _texts(
    records: Iterator[ReadRecord],
    domain: Domain | None,
    phrases: tuple[PhraseFile, ...],
    broken: list[str],
) -> Iterator[_Text]:
    """The items; messages about unreadable rows are added to ``broken``."""
    from grammar.eventhop.reader import domain_of
    from solver.eventhop.records import BrokenRecord

    for record in records:
        if isinstance(record, BrokenRecord):
            broken.append(str(record.error))
        else:
            wording = domain or domain_of(record.premise, record.claim, phrases)
            yield _Text(record.id, record.premise, record.claim, wording)


def _batches(texts: Iterator[_Text], size: int | None) -> Iterator[_Text | list[_Text]]:
    """Single items, or without a gap up to ``size`` items of one domain."""
    if size is None:
        yield from texts
        return
    held: list[_Text] = []
    for text in texts:
        if held and (len(held) == size or held[0].domain is not text.domain):
            yield held
            held = []
        held.append(text)
    if held:
        yield held


def _rows(
    texts: Iterator[_Text | list[_Text]], prompts: _Prompts
) -> Iterator[dict[str, str | list[str]]]:
    """One row for each prompt."""
    for sequence in texts:
        row: dict[str, str | list[str]] = {"variant": prompts.variant.value}
        if isinstance(sequence, _Text):
            text = prompts.of(sequence.domain, sequence.id).prompt(sequence.premise, sequence.claim)
            yield row | {"id": sequence.id, "prompt": text}
            continue
        ids = [item.id for item in sequence]
        prompter = prompts.of(sequence[0].domain, ids[0])
        text = prompter.batch([(item.premise, item.claim) for item in sequence])
        yield row | {"id": f"{ids[0]} to {ids[-1]}", "ids": ids, "prompt": text}


def _only(
    rows: Iterator[dict[str, str | list[str]]], wanted: str
) -> Iterator[dict[str, str | list[str]]]:
    found = [row for row in rows if row["id"] == wanted]
    if not found:
        raise NoSuchItemError(f"no item has the id {wanted!r}", hint="use an id of the file")
    yield from found
