"""``verify --kind text``: checks that texts say exactly the facts they were written from."""

from __future__ import annotations

from typing import Any

import click

from solver.cli.checking import checking, finish
from solver.cli.options import EnumChoice
from solver.verify.text import Reading


@click.command()
@click.argument("texts", metavar="TEXTS")
@click.option(
    "--facts",
    required=True,
    metavar="FILE",
    help="The facts of each text, a Python literal a line: [['subject', 'relation', 'object', "
    "'2026-01-31'], ...].",
)
@click.option(
    "--reading",
    type=EnumChoice(Reading),
    default=Reading.GRAMMAR,
    show_default=Reading.GRAMMAR.value,
    help="What is asked of a text: that each sentence is read and says a fact (grammar), that "
    "exact names and full dates occur and no other date (names), or the same with names compared "
    "by letters and digits alone (normalised).",
)
@checking
@click.pass_context
def command(ctx: click.Context, /, texts: str, facts: str, **options: Any) -> None:  # noqa: ANN401
    """Check texts of dated facts, one a line (or JSON Lines with a field text).

    \b
    Examples:
      python -m solver verify --kind text examples/texts/right.txt \\
        --facts examples/texts/references.txt
      python -m solver verify --kind text letters.txt --facts references.txt --reading names
    """  # noqa: D301 - click reads the backslash
    from solver.verify.text import check

    reading: Reading = options["reading"]
    checked = check(texts, facts, reading=reading)
    ctx.exit(finish(checked, options, config={"reading": reading.value}, encodings=()))
