"""``score links`` and ``score agreement``: temporal awareness, and agreement of annotators."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from benchmarks.links.run import (
    Agreement,
    LinkRun,
    LinkScoring,
    documents,
    score_files,
    unscored,
    write,
)
from benchmarks.links.run import agreement as compared
from grammar.errors import ExitStatus, printable
from grammar.links.model import Interpretation, Reading
from solver.cli.options import as_json, report, resamples, seed
from solver.cli.printing import finish_run, print_json
from solver.cli.settings import setting_option
from solver.links.cli import interpretation


@click.command()
@click.argument("system", metavar="SYSTEM")
@click.option(
    "--data",
    "gold",
    multiple=True,
    required=True,
    metavar="PATH",
    help="Gold documents: file, folder or .tar.gz; may be repeated.",
)
@setting_option(LinkScoring, "profile")
@setting_option(LinkScoring, "inconsistent")
@interpretation(Reading.ALLEN)
@seed
@resamples
@report
@as_json
def links(
    system: str,
    gold: tuple[str, ...],
    report: Path | None,
    as_json: bool,
    **given: Any,  # noqa: ANN401 - the fields of the settings
) -> None:
    """Score a system's temporal links by temporal awareness; documents are matched by name.

    Precision is the share of the system's reduced links that follow from gold, recall the
    reverse; counts are summed over the documents. In brackets: 95% bootstrap intervals; documents
    are resampled.

    \b
    Examples:
      python -m solver score links examples/links/market.tml --data examples/links/market.tml
      python -m solver score links examples/links --data examples/links --inconsistent repair \\
        --report reports/links
      python -m solver score links SYSTEM --data GOLD --profile tempeval3
    """  # noqa: D301 - click reads the backslash
    run = score_files([system], gold, LinkScoring(**given))
    for note in run.notes():
        click.echo(f"note: {note}", err=True)
    finish_run(run, as_json=as_json, show=lambda: _show(run), report=report, write=write)
    if run.left_out:
        click.get_current_context().exit(ExitStatus.VIOLATIONS)


def _show(run: LinkRun) -> None:
    total = run.scores.total
    figures = run.figures()

    def brackets(name: str) -> str:
        return f" [{figures[name].low:.4f}, {figures[name].high:.4f}]" if name in figures else ""

    for name, value, counts in (
        ("precision", total.precision, f" ({total.system:,} of {total.system_links:,})"),
        ("recall", total.recall, f" ({total.gold:,} of {total.gold_links:,})"),
        ("F1", total.f1, ""),
    ):
        click.echo(f"{name:<9} {value:.4f}{brackets(name.lower())}{counts}")
    for label, value in run.scores.pairwise_f1().items():
        click.echo(f"pairwise F1 of {label}: {value:.4f}{brackets(label)}")


@click.command()
@click.argument("name", metavar="ANNOTATOR")
@click.argument("other", metavar="OTHER")
@interpretation()
@as_json
def agreement(name: str, other: str, interpretation: Interpretation, as_json: bool) -> None:
    """Compare two annotators' documents after closure: pairs with the same label, kappa.

    \b
    Example:
      python -m solver score agreement examples/links examples/links
    """  # noqa: D301 - click reads the backslash
    read = {path: documents([path]) for path in (name, other)}
    found = compared(read[name], read[other], interpretation)
    left_out = [entry for path in (name, other) for entry in unscored(path, read[path])]
    for path, document, message in left_out:
        place = printable(f"{document} ({path})")
        click.echo(f"note: {place}: {printable(message)}; left out", err=True)
    if as_json:
        print_json({**found.as_json(), "left_out": [list(entry) for entry in left_out]})
    else:
        _show_agreement(found)
    if left_out:
        click.get_current_context().exit(ExitStatus.VIOLATIONS)


def _show_agreement(found: Agreement) -> None:
    click.echo(f"{found.pairs.total():,} pairs of {found.documents:,} documents")
    click.echo(f"agreement {found.observed:.4f}, kappa {found.kappa:.4f}")
    click.echo(f"{len(found.contradicted):,} different pairs in which one contradicts himself")
