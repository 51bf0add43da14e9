"""``verify --kind texts``: checks that texts state exactly their reference facts."""

from __future__ import annotations

from pathlib import Path

import click

from solver.cli.options import choice_option, probes
from solver.cli.verify import checking, finish
from solver.probes.probe import ProbeLevel
from solver.texts.verify import Reading
from solver.verification.report import Kind


@click.command()
@click.argument("texts", metavar="TEXTS")
@click.option(
    "--facts",
    required=True,
    metavar="FILE",
    help="Reference facts of the texts, one Python literal per line: "
    "[['subject', 'relation', 'object', '2026-01-31'], ...].",
)
@choice_option(
    "--reading",
    values=Reading,
    default=Reading.GRAMMAR,
    help="How texts are checked: parse every sentence (grammar), require verbatim names and full "
    "dates and no other date (names), or the same with names compared by letters and digits only "
    "(normalised).",
)
@click.option(
    "--phrases",
    metavar="FILE",
    help="Additional phrases of the texts: phrases.tsv of generate texts, or a table with its "
    "columns relation, past, ahead.",
)
@probes
@checking
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    texts: str,
    facts: str,
    reading: Reading,
    phrases: str | None,
    probes: ProbeLevel,
    report: Path | None,
    show: int,
    as_json: bool,
) -> None:
    """Check texts of dated facts, one per line (or JSON Lines with a field text).

    \b
    Examples:
      python -m solver verify --kind texts examples/texts/right.txt \\
        --facts examples/texts/references.txt
      python -m solver verify --kind texts letters.txt --facts references.txt --reading names
      python -m solver verify --kind texts texts/descriptions.txt --facts texts/references.txt \\
        --phrases texts/phrases.tsv
    """  # noqa: D301 - click reads the backslash
    from solver.texts.verify import TextSettings
    from solver.verification.run import verify

    settings = TextSettings(facts=facts, reading=reading, phrases=phrases)
    result = verify(texts, Kind.TEXTS, config=settings, probes=probes)
    ctx.exit(finish(result, report=report, show=show, as_json=as_json))
