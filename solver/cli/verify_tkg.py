"""``verify --kind tkg``: proves of a generated graph that it is what its labels say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from solver.cli.checking import checking, finish


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@checking
@click.pass_context
def command(ctx: click.Context, /, folder: Path, **options: Any) -> None:  # noqa: ANN401
    """Prove that a generated graph is what its labels say, from the files of its folder alone.

    Every label has to be right, every fact has to be supported by one, and in the mode forward no
    consequence may be missing. Decided in ASP over the whole graph, and by a join of columns.

    \b
    Examples:
      python -m solver generate tkg --out graph
      python -m solver verify --kind tkg graph
      python -m solver verify --kind tkg graph --json
      python -m solver verify --kind tkg graph --report reports/graph
    """  # noqa: D301 - click reads the backslash
    from solver.tkg.proof import ENCODINGS
    from solver.verify.tkg import ENGINES, check

    checked = check(folder)
    ctx.exit(finish(checked, options, config={"engines": list(ENGINES)}, encodings=ENCODINGS))
