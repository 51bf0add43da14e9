"""``verify --kind tkg``: proves the labels of a generated graph correct and complete."""

from __future__ import annotations

from pathlib import Path

import click

from solver.cli.verify import checking, finish
from solver.verification.report import Kind


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--regenerate",
    is_flag=True,
    help="Also rebuild the graph from the config and seed of its manifest, and compare all bytes.",
)
@checking
@click.pass_context
def command(
    ctx: click.Context,
    /,
    folder: Path,
    regenerate: bool,
    report: Path | None,
    show: int,
    as_json: bool,
) -> None:
    """Prove that the labels of a generated graph are correct, from the files of its folder alone.

    Every label must be correct, every fact must be supported by a label, and in forward mode no
    consequence may be missing. Decided by an ASP encoding and by an independent column join. Parts
    of the folder that state the same, such as facts as text and as Parquet, must agree.

    \b
    Examples:
      python -m solver generate tkg --out graph
      python -m solver verify --kind tkg graph
      python -m solver verify --kind tkg graph --json
      python -m solver verify --kind tkg graph --regenerate
      python -m solver verify --kind tkg graph --report reports/graph
    """  # noqa: D301 - click reads the backslash
    from solver.tkg.verify import GraphSettings
    from solver.verification.run import verify

    checked = verify(folder, Kind.TKG, config=GraphSettings(regenerate=regenerate))
    ctx.exit(finish(checked, report=report, show=show, as_json=as_json))
