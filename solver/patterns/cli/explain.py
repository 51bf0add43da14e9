"""``explain --pattern``: validity, shapes and regimes of a pattern, and a drawing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solver.cli.options import as_json, svg
from solver.cli.printing import write_drawing
from solver.patterns.cli.options import cycle_reading, flags
from solver.patterns.model import CycleReading, PatternFlags

if TYPE_CHECKING:
    from solver.patterns.engine import PatternVerdict


@click.command()
@click.option("--pattern", "text", required=True, metavar="TEXT", help="Pattern to explain.")
@flags
@cycle_reading
@svg
@as_json
def command(
    text: str,
    flags: PatternFlags,
    cycle_reading: CycleReading,
    drawing: Path | None,
    as_json: bool,
) -> None:
    """Report whether a pattern is valid, the rules it violates, and its shapes.

    \b
    Examples:
      python -m solver explain --pattern "1 -1-> 2 => 2 -2-> 1"
      python -m solver explain --pattern "1 -1-> 2, 2 -2-> 3 => 1 -3-> 3" --svg closure.svg
      python -m solver explain --pattern "1 -1-> 2, 3 -2-> 4 => 1 -1-> 2" --flags 1100
    """  # noqa: D301 - click reads the backslash
    from solver.patterns.engine import judge
    from solver.patterns.model import read

    pattern = read(text)
    (verdict,) = judge([pattern], flags, cycle_reading)
    if drawing is not None:
        from solver.patterns.drawing import draw, picture

        write_drawing(
            drawing, draw=lambda: draw(pattern), picture=lambda form: picture(pattern, form=form)
        )
    if as_json:
        from solver.cli.printing import print_json

        print_json(_as_json(verdict, flags, cycle_reading))
        return
    for line in _lines(verdict, flags):
        click.echo(line)


def _lines(verdict: PatternVerdict, flags: PatternFlags) -> Iterator[str]:
    from solver.patterns.model import RULE_IN_WORDS

    yield f"pattern {verdict.pattern}"
    yield f"flags {flags}: {'valid' if verdict.valid else 'invalid'}"
    for rule in verdict.violations:
        yield f"  {rule}: {RULE_IN_WORDS[rule]}"
    canonical = "yes" if verdict.is_canonical else f"no; it is {verdict.canonical}"
    yield f"canonical: {canonical}"
    yield f"shapes: {', '.join(verdict.shapes) or 'none'}"
    yield f"entities of the consequence: {verdict.entity_reuse or 'new'}"
    yield f"relation of the consequence: {verdict.relation_reuse}"
    yield f"relations of the antecedents: {verdict.antecedent_relations}"


def _as_json(verdict: PatternVerdict, flags: PatternFlags, reading: CycleReading) -> dict[str, Any]:
    from solver.patterns.io import row

    return row(verdict) | {
        "flags": flags.code,
        "cycle_reading": reading.value,
        "valid": verdict.valid,
        "violations": [rule.value for rule in verdict.violations],
        "canonical": str(verdict.canonical),
    }
