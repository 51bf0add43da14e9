"""``baseline``: answers that take no reasoning, as predictions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchmarks.cli.score_nli import data, gold
from solver.cli.options import domain, spatial
from solver.errors import ExitStatus

if TYPE_CHECKING:
    from benchmarks.nli.baselines import Labelled

KINDS = ("random", "majority", "claim-only", "bag-of-words")


@click.command()
@click.argument("kind", type=click.Choice(KINDS))
@data
@click.option(
    "--train",
    multiple=True,
    metavar="PATH",
    help="Items to fit it on; without any, each item is answered by a fit on other items.",
)
@gold
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Of random answers, and of the folds where there is no --train.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write there instead of to standard output.",
)
@spatial
@domain
@click.pass_context
def command(ctx: click.Context, /, kind: str, **options: Any) -> None:  # noqa: ANN401
    """Answer items without reasoning, as JSONL with id and answer.

    \b
    Examples:
      python -m solver baseline majority --data examples/right.tsv --out answers.jsonl
      python -m solver score nli answers.jsonl --data examples/right.tsv
    """  # noqa: D301 - click reads the backslash
    from benchmarks.nli.baselines import Baseline, answers, cross_answers
    from solver.cli.printing import write_lines
    from solver.writing.jsonl import line

    asked, unparsed = _labelled(options["paths"], options)
    seed = options["seed"]
    if options["train"]:
        train, broken = _labelled(options["train"], options)
        unparsed += broken
        said = answers(Baseline(kind), train, asked.cases, seed=seed)
    else:
        said = cross_answers(Baseline(kind), asked, seed=seed)
    pairs = zip(asked.cases, said, strict=True)
    rows = (line({"id": case.record.id, "answer": label.value}) for case, label in pairs)
    write_lines(rows, options["out"])
    ctx.exit(ExitStatus.UNREADABLE if unparsed else ExitStatus.OK)


def _labelled(paths: tuple[str, ...], options: dict[str, Any]) -> tuple[Labelled, int]:
    """Items with the labels that were asked for, and how many rows could not be read."""
    from benchmarks.nli.baselines import Labelled
    from benchmarks.nli.cases import gold_labels, read_cases
    from solver.cli.printing import tell_unparsed
    from solver.verify.settings import Settings

    read = read_cases(paths, Settings(spatial=options["spatial"], domain=options["domain"]))
    tell_unparsed(read.unparsed)
    labels = read.decided if options["gold"] == "decided" else gold_labels(read)
    return Labelled(cases=read.cases, labels=labels), len(read.unparsed)
