"""``examples``: copies the example files into a folder."""

from __future__ import annotations

from pathlib import Path

import click

from grammar.errors import HopcheckError
from solver.cli.options import NewFolder
from solver.cli.program import as_called
from solver.io.sources import output_name

TRY_NEXT = """\
Try next:
  python -m solver verify {folder}/right.tsv
  python -m solver verify {folder}/flawed.tsv
  python -m solver explain {folder}/flawed.tsv --id 3
  python -m solver mine {folder}/tkg
"""


class OccupiedError(HopcheckError):
    """Files that are already there would be overwritten."""

    code = "occupied"


@click.command()
@click.argument("folder", type=NewFolder(), metavar="DIR")
@click.option("--force", is_flag=True, help="Overwrite files that are already there.")
def command(folder: Path, force: bool) -> None:
    """Copy the example files into a folder, which is made if needed.

    \b
    Examples:
      python -m solver examples examples
      python -m solver verify examples/right.tsv
    """  # noqa: D301 - click reads the backslash
    from solver.encodings import ENCODINGS
    from solver.io.writing import OutputError, atomic

    source = ENCODINGS.with_name("examples")
    names = sorted(path.relative_to(source) for path in source.rglob("*") if path.is_file())
    occupied = [name for name in names if (folder / name).exists()]
    if occupied and not force:
        message = f"{len(occupied):,} of {len(names):,} files are already there"
        where = str(folder / occupied[0])
        raise OccupiedError(message, where=where, hint="--force overwrites them")
    for name in names:
        target = folder / name
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"cannot be made: {error.strerror}", where=str(folder)) from None
        with atomic(target) as file:
            file.write((source / name).read_bytes())
    click.echo(f"{len(names)} files written to {output_name(folder)}\n")
    click.echo(as_called(TRY_NEXT.format(folder=output_name(folder))), nl=False)
