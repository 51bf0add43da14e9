"""``generate moved-texts``: texts and their facts in another year, with the weekdays of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.cli.options import as_json
from solver.cli.outputs import NewFolder
from solver.errors import ExitStatus, HopcheckError

if TYPE_CHECKING:
    from generators.texts.years import Moved


@click.command("moved-texts")
@click.argument("texts", metavar="TEXTS")
@click.option(
    "--facts", required=True, metavar="FILE", help="Their facts, a Python literal a line."
)
@click.option(
    "--years",
    type=click.IntRange(-9998, 9998),
    required=True,
    help="How many years later; or earlier, as -4.",
)
@click.option(
    "--out",
    type=NewFolder(),
    required=True,
    metavar="DIR",
    help="Folder of the texts.",
)
@as_json
def moved_texts(texts: str, facts: str, years: int, out: Path, as_json: bool) -> None:
    """Move texts and their facts by some years, and compute all weekdays anew.

    Texts of generate texts are read and written again. In other texts every full date is written
    anew in its place, outside of names.

    \b
    Examples:
      python -m solver generate moved-texts examples/texts/right.txt \\
        --facts examples/texts/references.txt --years -4 --out moved
    """  # noqa: D301 - click reads the backslash
    from generators.texts.files import REFERENCES, TEXTS, write_pairs
    from solver.cli.printing import make_folder, print_json

    done, failures = _moved(texts, facts, years)
    for message in failures:
        click.echo(message, err=True)
    write_pairs(make_folder(out), [(one.text, one.facts) for one in done])
    ours = sum(one.ours for one in done)
    if as_json:
        print_json({"out": out.name, "texts": len(done), "read": ours, "left_out": len(failures)})
    else:
        click.echo(
            f"made: {len(done):,} texts in {out / TEXTS}, their facts in {REFERENCES}; "
            f"{ours:,} were read and written again, in {len(done) - ours:,} only the dates"
        )
    if failures:
        click.get_current_context().exit(ExitStatus.UNREADABLE)


def _moved(texts: str, facts: str, years: int) -> tuple[list[Moved], list[str]]:
    """Texts that were moved, and why others could not be, each told in one line."""
    from generators.texts.years import moved
    from solver.fact_texts.reading import read_pairs

    done: list[Moved] = []
    failures: list[str] = []
    for pair in read_pairs(texts, facts):
        if pair.text is None or pair.told is None:
            there = pair.text or pair.told
            failures.append(
                f"{there.where if there else ''}: found no line beside it in the other file"
            )
            continue
        wrong = [one for one in (pair.text.error, *pair.told.errors) if one is not None]
        try:
            if not wrong:
                done.append(moved(pair.text.text, pair.told.facts, years))
        except HopcheckError as error:
            error.where = pair.text.where
            wrong.append(error)
        failures += map(str, wrong)
    return done, failures
