"""``baseline``: answers to items by baselines and by trained encoders."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchmarks.forecasting.cli import device
from grammar.errors import ExitStatus
from solver.cli.options import gold, items, out_file, seed
from solver.eventhop.cli import reading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.eventhop.baselines import LabelledItems
    from benchmarks.training import Device
    from grammar.eventhop.model import Label
    from solver.eventhop.engines import ItemSettings

_HELP = """Answer items {how}, as JSONL with id and answer.

\b
Examples:
  python -m solver baseline {name} --data examples/right.tsv --out answers.jsonl
  python -m solver score nli answers.jsonl --data examples/right.tsv
"""


def _baseline(name: str, how: str) -> click.Command:
    """Build the command of a baseline of ``benchmarks.eventhop.baselines``."""

    @click.command(name, help=_HELP.format(name=name, how=how))
    @items
    @click.option(
        "--train",
        multiple=True,
        metavar="PATH",
        help="Training items; 5-fold cross-validation by default. May be repeated.",
    )
    @gold
    @seed
    @out_file()
    @reading
    @click.pass_context
    def command(
        ctx: click.Context,
        /,
        *,
        paths: tuple[str, ...],
        train: tuple[str, ...],
        gold: str,
        seed: int,
        out: Path | None,
        settings: ItemSettings,
    ) -> None:
        from benchmarks.eventhop.baselines import Baseline, answers, cross_answers

        items, unparsed = _labelled(paths, settings, gold)
        if train:
            known, broken = _labelled(train, settings, gold)
            unparsed += broken
            labels = answers(Baseline(name), known, items.cases, seed=seed)
        else:
            labels = cross_answers(Baseline(name), items, seed=seed)
        _write([case.record.id for case in items.cases], labels, out)
        ctx.exit(ExitStatus.UNREADABLE if unparsed else ExitStatus.OK)

    return command


guess = _baseline("random", "with labels drawn at random")
majority = _baseline("majority", "with the most frequent label of the training items")
claim_only = _baseline("claim-only", "with the most frequent label of their claim's relation")
bag_of_words = _baseline("bag-of-words", "by logistic regression on their words")


@click.command()
@items
@click.option(
    "--model",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    metavar="DIR",
    help="Training folder of the encoder, as written by `train`.",
)
@device
@out_file()
@click.pass_context
def encoder(
    ctx: click.Context,
    /,
    *,
    paths: tuple[str, ...],
    model: Path,
    device: Device,
    out: Path | None,
) -> None:
    """Answer items with a trained encoder, as JSONL with id and answer.

    \b
    Examples:
      python -m solver train --data data/strict --tiny bert --rate 1e-3 --out runs/tiny
      python -m solver baseline encoder --model runs/tiny --data data/strict/test.jsonl
    """  # noqa: D301 - click reads the backslash
    from benchmarks.eventhop.encoder.data import Pair
    from benchmarks.eventhop.encoder.model import encoder_answers, load_trained
    from benchmarks.tokenizers import require_libraries
    from benchmarks.training import select_device
    from solver.cli.printing import print_unparsed, progress
    from solver.eventhop.io import read_records
    from solver.eventhop.records import BrokenRecord, Record

    require_libraries()
    trained, place = load_trained(model), select_device(device)
    rows = [record for path in paths for record in read_records(path)]
    records = [row for row in rows if isinstance(row, Record)]
    unparsed = [str(row.error) for row in rows if isinstance(row, BrokenRecord)]
    print_unparsed(unparsed)
    pairs = [Pair(premise=record.premise, claim=record.claim) for record in records]
    with progress("answers", len(pairs)) as advance:
        labels = encoder_answers(trained, pairs, place, progress=advance)
    _write([record.id for record in records], labels, out)
    ctx.exit(ExitStatus.UNREADABLE if unparsed else ExitStatus.OK)


def _write(ids: Sequence[str], labels: Sequence[Label], out: Path | None) -> None:
    from benchmarks.predictions import distinct
    from solver.cli.printing import write_lines
    from solver.io.writing import line

    pairs = zip(distinct(ids, str), labels, strict=True)
    write_lines((line({"id": item, "answer": label.value}) for item, label in pairs), out)


def _labelled(
    paths: tuple[str, ...], settings: ItemSettings, gold: str
) -> tuple[LabelledItems, int]:
    """Items with their gold labels, and the number of rows that could not be read."""
    from benchmarks.eventhop.baselines import LabelledItems
    from benchmarks.eventhop.cases import Gold, gold_labels, read_cases
    from grammar.eventhop.model import Label
    from solver.cli.printing import print_unparsed

    read = read_cases(paths, settings)
    print_unparsed(read.unparsed)
    labels = gold_labels(read, Gold(gold))
    return LabelledItems(cases=read.cases, labels=tuple(map(Label, labels))), len(read.unparsed)
