"""``explain --story``."""

from __future__ import annotations

import re

import click

from solver.cli.options import as_json
from solver.cli.printing import print_explanation


@click.command()
@click.option("--story", required=True, metavar="TEXT", help="Sentences of the story.")
@click.option("--asked", required=True, metavar="TEXT", help="Question about the story.")
@click.option(
    "--wording",
    type=click.Choice(("stepgame", "babi", "grid")),
    default="stepgame",
    show_default=True,
    help="Phrases by which the sentences are read.",
)
@click.option(
    "--reading",
    multiple=True,
    metavar="NAME=VALUE",
    help="Fix a convention, such as steps=any; may be repeated.",
)
@as_json
def explain(
    story: str, asked: str, wording: str, reading: tuple[str, ...], *, as_json: bool
) -> None:
    """Answer a question about positions, and draw the points on a grid.

    \b
    Examples:
      python -m solver explain --story "P is above Q. R is to the left of Q." \\
          --asked "What is the relation of the agent P to the agent R?"
      python -m solver explain --wording babi --story "The attic is north of the cellar." \\
          --asked "How do you go from the cellar to the attic?"
    """  # noqa: D301 - click reads the backslash
    from solver.positions.explain import explain as explained
    from solver.positions.explain import reading_of

    try:
        values = reading_of(
            {name: value for name, _, value in (part.partition("=") for part in reading)}
        )
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--reading") from None
    sentences = re.split(r"(?<=[.])\s+", story.strip())
    found = explained(sentences, asked, wording=wording, reading=values)
    print_explanation(found, drawing=None, as_json=as_json)
