"""``explain --puzzle``."""

from __future__ import annotations

import click

from solver.cli.options import as_json
from solver.cli.printing import print_explanation


@click.command()
@click.option("--puzzle", "path", required=True, metavar="FILE", help="Text of the puzzle.")
@as_json
def explain(path: str, *, as_json: bool) -> None:
    """Answer an assignment puzzle, and show who and what is at each place.

    \b
    Examples:
      python -m solver explain --puzzle examples/puzzles/boats.txt
    """  # noqa: D301 - click reads the backslash
    from solver.assignments.explain import explain as explained
    from solver.io.sources import open_input

    with open_input(path, "a puzzle") as source:
        text = source.whole().decode("utf-8", errors="replace")
    print_explanation(explained(text), drawing=None, as_json=as_json)
