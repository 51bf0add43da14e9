"""``explain --problem``: why a problem of the calendar has its label."""

from __future__ import annotations

from pathlib import Path

import click

from solver.cli.options import as_json, number_option, svg
from solver.cli.printing import print_explanation


@click.command()
@click.option(
    "--problem", "path", required=True, metavar="FILE", help="File of problems, or - for stdin."
)
@number_option("--id", default=0, low=0, help="Place of the problem in the file, from 0.")
@svg
@as_json
def explain(path: str, id: int, drawing: Path | None, as_json: bool) -> None:
    """Show how the answer to a problem of the calendar follows, as words, JSON or a drawn plan.

    \b
    Examples:
      python -m solver explain --problem examples/calendar/right.jsonl
      python -m solver explain --problem examples/calendar/right.jsonl --id 3 --svg plan.svg
    """  # noqa: D301 - click reads the backslash
    from solver.calendar.explain import explain
    from solver.calendar.verify import ProblemRow
    from solver.io.json_lines import JsonDecoder
    from solver.io.sources import InputError, open_input

    with open_input(path, "problems as JSON lines") as source:
        for number, row in enumerate(JsonDecoder(ProblemRow, what="problem").sound_rows(source)):
            if number == id:
                explanation = explain(row.value.problem)
                break
        else:
            raise InputError(f"found no problem {id}, expected one", where=path)
    nothing = "nothing drawn: the problem has no days and no times"
    print_explanation(explanation, drawing=drawing, as_json=as_json, nothing=nothing)
