"""``generate moved-texts``: moves texts and their facts to another year, with true weekdays."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from grammar.errors import ExitStatus, HopcheckError
from solver.cli.options import NewFolder, as_json

if TYPE_CHECKING:
    from generators.texts.years import ShiftedText


@click.command("moved-texts")
@click.argument("texts", metavar="TEXTS")
@click.option(
    "--facts", required=True, metavar="FILE", help="Their facts, one Python literal per line."
)
@click.option(
    "--years",
    type=click.IntRange(-9998, 9998),
    required=True,
    help="Number of years to add; negative for earlier years.",
)
@click.option(
    "--out",
    type=NewFolder(),
    required=True,
    metavar="DIR",
    help="Folder to write.",
)
@as_json
def moved_texts(texts: str, facts: str, years: int, out: Path, as_json: bool) -> None:
    """Move texts and their facts by a number of years, and recompute all weekdays.

    Texts written by generate texts are parsed and rewritten. In other texts every full date outside
    of names is replaced in place.

    \b
    Examples:
      python -m solver generate moved-texts examples/texts/right.txt \\
        --facts examples/texts/references.txt --years -4 --out moved
    """  # noqa: D301 - click reads the backslash
    from generators.texts.run import REFERENCES, TEXTS, write_pairs
    from solver.cli.printing import print_json
    from solver.io.writing import make_folder

    done, failures = _moved(texts, facts, years)
    for message in failures:
        click.echo(message, err=True)
    write_pairs(make_folder(out), [(one.text, one.facts) for one in done])
    ours = sum(one.ours for one in done)
    if as_json:
        print_json({"out": out.name, "texts": len(done), "read": ours, "left_out": len(failures)})
    else:
        click.echo(
            f"wrote {len(done):,} texts to {out / TEXTS}, their facts to {REFERENCES}; "
            f"{ours:,} parsed and rewritten, {len(done) - ours:,} with dates replaced"
        )
    if failures:
        click.get_current_context().exit(ExitStatus.UNREADABLE)


def _moved(texts: str, facts: str, years: int) -> tuple[list[ShiftedText], list[str]]:
    """The moved texts, and a one-line message for each that could not be moved."""
    from generators.texts.years import shift_text
    from solver.texts.io import read_pairs

    done: list[ShiftedText] = []
    failures: list[str] = []
    for pair in read_pairs(texts, facts):
        if pair.text is None or pair.references is None:
            present = pair.text or pair.references
            failures.append(
                f"{present.where if present else ''}: no matching line in the other file"
            )
            continue
        errors = [one for one in (pair.text.error, *pair.references.errors) if one is not None]
        try:
            if not errors:
                done.append(shift_text(pair.text.text, pair.references.facts, years))
        except HopcheckError as error:
            error.where = pair.text.where
            errors.append(error)
        failures += map(str, errors)
    return done, failures
