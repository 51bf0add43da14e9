"""Measures verification and prints a table.

python -m benchmarks.reproduction.speed [FILE ...]
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import click
import msgspec

from benchmarks.reproduction import RESULTS, ROOT
from benchmarks.reproduction.speed.clock import Part, milliseconds
from benchmarks.reproduction.speed.figures import (
    Figures,
    FileFigures,
    LongFigures,
    page,
    part_figures,
)
from benchmarks.reproduction.speed.parts import parts, size
from benchmarks.reproduction.speed.processes import start_milliseconds, verify, write_repeated
from grammar.errors import HopcheckError
from solver.io.writing import atomic

EXAMPLES = (ROOT / "examples" / "right.tsv", ROOT / "examples" / "flawed.tsv")


@click.command()
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--rounds", type=click.IntRange(1), default=5, show_default=True, help="Timing rounds."
)
@click.option(
    "--items",
    type=click.IntRange(0),
    default=50_000,
    show_default=True,
    help="Items of the long file for --jobs 2 and memory; 0 for none.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a single JSON object.")
@click.option("--write", is_flag=True, help="Write benchmarks/results/speed.md and speed.json too.")
def main(files: tuple[Path, ...], rounds: int, items: int, as_json: bool, write: bool) -> None:
    """Measure the cost of verifying files in the published format (examples/ by default).

    The long file repeats the items of the first file.
    """
    chosen = files or EXAMPLES
    try:
        figures = Figures(
            files=tuple(_measured(path, rounds) for path in chosen),
            long=_long(chosen[0], items) if items else None,
            help_milliseconds=start_milliseconds("--help", runs=3 * rounds),
        )
    except HopcheckError as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(error.exit_status)
    shown = page(figures)
    encoded = msgspec.json.format(msgspec.json.encode(figures.as_json(), order="sorted"), indent=2)
    if write:
        RESULTS.mkdir(parents=True, exist_ok=True)
        for name, content in (("speed.md", shown.encode()), ("speed.json", encoded + b"\n")):
            with atomic(RESULTS / name) as file:
                file.write(content)
    click.echo(encoded if as_json else shown, nl=as_json)


def _measured(path: Path, rounds: int) -> FileFigures:
    doing = parts(path)
    number = size(path)
    taken = milliseconds(doing, rounds=rounds, each=_progress(path))
    return FileFigures(
        file=path.name,
        items=number,
        rounds=rounds,
        parts=part_figures(doing, taken, number),
        mebibytes=verify(path).mebibytes,
    )


def _long(path: Path, items: int) -> LongFigures:
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "long.tsv"
        write_repeated(path, target, items)
        alone = verify(target)
        both = verify(target, jobs=2)
    return LongFigures(
        file=path.name,
        items=items,
        seconds=alone.seconds,
        seconds_on_two=both.seconds,
        mebibytes=alone.mebibytes,
    )


def _progress(path: Path) -> Callable[[Part], object] | None:
    """Show the progress of the measurement on a terminal."""
    if not sys.stderr.isatty():
        return None

    def show(part: Part) -> None:
        click.echo(f"\r\x1b[K{path.name}: {part.name}", nl=False, err=True)

    return show


if __name__ == "__main__":
    main()
