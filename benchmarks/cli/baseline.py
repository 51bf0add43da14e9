"""``baseline``: predictions of baselines."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchmarks.eventhop.cli.score import data, gold
from benchmarks.eventhop.cli.train import device
from grammar.errors import ExitStatus
from solver.cli.options import DelegatingCommand, NewFile, by_first, domain, spatial

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.eventhop.baselines import LabelledItems
    from grammar.eventhop.model import Label

KINDS = ("random", "majority", "claim-only", "bag-of-words", "encoder")


@click.command(
    cls=DelegatingCommand,
    chooser=by_first(
        {
            "recurrency": "benchmarks.rules.cli.recurrency",
            "frequency": "benchmarks.tkg.cli.frequency",
            "recency": "benchmarks.tkg.cli.recency",
        }
    ),
)
@click.argument("kind", type=click.Choice(KINDS))
@data
@click.option(
    "--train",
    multiple=True,
    metavar="PATH",
    help="Training items; 5-fold cross-validation by default. May be repeated.",
)
@click.option(
    "--model",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Training folder of the encoder, as written by `train`.",
)
@device
@gold
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Random seed.",
)
@click.option(
    "--out",
    type=NewFile(),
    metavar="FILE",
    help="Output file; standard output by default.",
)
@spatial
@domain
@click.pass_context
def command(ctx: click.Context, /, kind: str, **options: Any) -> None:  # noqa: ANN401
    """Answer items with a baseline or a trained encoder, as JSONL with id and answer.

    `baseline recurrency`, `baseline frequency` and `baseline recency` rank answers to queries on a
    temporal graph; see their --help.

    \b
    Examples:
      python -m solver baseline majority --data examples/right.tsv --out answers.jsonl
      python -m solver score nli answers.jsonl --data examples/right.tsv
      python -m solver baseline encoder --model runs/tiny --data data/strict/test.jsonl
    """  # noqa: D301 - click reads the backslash
    from benchmarks.eventhop.baselines import Baseline, answers, cross_answers

    if (kind == "encoder") != (options["model"] is not None):
        raise click.UsageError("--model is required for encoder, and only allowed there.")
    if kind == "encoder":
        ctx.exit(_encoder(options))
    items, unparsed = _labelled(options["paths"], options)
    seed = options["seed"]
    if options["train"]:
        train, broken = _labelled(options["train"], options)
        unparsed += broken
        labels = answers(Baseline(kind), train, items.cases, seed=seed)
    else:
        labels = cross_answers(Baseline(kind), items, seed=seed)
    _write([case.record.id for case in items.cases], labels, options["out"])
    ctx.exit(ExitStatus.UNREADABLE if unparsed else ExitStatus.OK)


def _encoder(options: dict[str, Any]) -> ExitStatus:
    """Answer items with an encoder, without deciding them."""
    from benchmarks.eventhop.encoder.data import Pair
    from benchmarks.eventhop.encoder.libraries import require_libraries
    from benchmarks.eventhop.encoder.model import encoder_answers, load_trained, select_device
    from solver.cli.printing import print_unparsed, progress
    from solver.eventhop.io import read_records
    from solver.eventhop.records import BrokenRecord, Record

    if options["train"]:
        raise click.UsageError("--train is not allowed for encoder; use the command `train`.")
    require_libraries()
    encoder, place = load_trained(options["model"]), select_device(options["device"])
    rows = [record for path in options["paths"] for record in read_records(path)]
    records = [row for row in rows if isinstance(row, Record)]
    unparsed = [str(row.error) for row in rows if isinstance(row, BrokenRecord)]
    print_unparsed(unparsed)
    pairs = [Pair(premise=one.premise, claim=one.claim) for one in records]
    with progress("answers", len(pairs)) as advance:
        labels = encoder_answers(encoder, pairs, place, progress=advance)
    _write([one.id for one in records], labels, options["out"])
    return ExitStatus.UNREADABLE if unparsed else ExitStatus.OK


def _write(ids: Sequence[str], labels: Sequence[Label], out: Path | None) -> None:
    from solver.cli.printing import write_lines
    from solver.io.writing import line

    pairs = zip(ids, labels, strict=True)
    write_lines((line({"id": item, "answer": label.value}) for item, label in pairs), out)


def _labelled(paths: tuple[str, ...], options: dict[str, Any]) -> tuple[LabelledItems, int]:
    """Items with their gold labels, and the number of rows that could not be read."""
    from benchmarks.eventhop.baselines import LabelledItems
    from benchmarks.eventhop.cases import gold_labels, read_cases
    from solver.cli.printing import print_unparsed
    from solver.verification.settings import Settings

    read = read_cases(paths, Settings(spatial=options["spatial"], domain=options["domain"]))
    print_unparsed(read.unparsed)
    labels = read.decided if options["gold"] == "decided" else gold_labels(read)
    return LabelledItems(cases=read.cases, labels=labels), len(read.unparsed)
