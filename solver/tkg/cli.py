"""``verify --kind tkg``: proves the labels of a generated graph correct and complete."""

from __future__ import annotations

from pathlib import Path

import click

from solver.cli.verify import checking, finish
from solver.verification.report import Kind


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@checking
@click.pass_context
def command(
    ctx: click.Context, /, folder: Path, report: Path | None, show: int, as_json: bool
) -> None:
    """Prove that the labels of a generated graph are correct, from the files of its folder alone.

    Every label must be correct, every fact must be supported by a label, and in forward mode no
    consequence may be missing. Decided by an ASP encoding and by an independent column join.

    \b
    Examples:
      python -m solver generate tkg --out graph
      python -m solver verify --kind tkg graph
      python -m solver verify --kind tkg graph --json
      python -m solver verify --kind tkg graph --report reports/graph
    """  # noqa: D301 - click reads the backslash
    from solver.verification.run import verify

    ctx.exit(finish(verify(folder, Kind.TKG), report=report, show=show, as_json=as_json))
