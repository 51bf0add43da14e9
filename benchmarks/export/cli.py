"""``export``: data sets in the formats of the field's tools."""

from __future__ import annotations

from pathlib import Path

import click

from solver.cli.options import out_folder
from solver.cli.program import Entry, LazyGroup

folders = click.argument(
    "folders", type=click.Path(path_type=Path), metavar="FOLDER...", nargs=-1, required=True
)
folder = click.argument("folder", type=click.Path(path_type=Path), metavar="FOLDER")


def report_files(files: tuple[Path, ...], out: Path, note: str = "") -> None:
    """Print the number of files written, and what the format cannot represent."""
    if note:
        click.echo(f"note: {note}", err=True)
    click.echo(f"wrote {len(files)} files to {out}")


@click.command()
@folders
@out_folder()
@click.option(
    "--licence",
    default="unknown",
    show_default=True,
    metavar="NAME",
    help="Licence of the data, as the hub writes it, such as cc-by-4.0.",
)
def hf(folders: tuple[Path, ...], out: Path, licence: str) -> None:
    """Write a folder for the library datasets and the Hugging Face hub.

    It contains Parquet files with typed columns, a card with configurations, features, sizes and
    probes, and Croissant metadata. Several folders of items become one configuration each.

    \b
    Examples:
      python -m solver export hf data/small --licence cc-by-4.0 --out data/hub
    """  # noqa: D301 - click reads the backslash
    from benchmarks.export.hf import export
    from benchmarks.export.source import read_source

    report_files(export([read_source(one) for one in folders], out, licence=licence), out)


name = click.option(
    "--name",
    metavar="NAME",
    help="Name in the other tool.  [default: hopcheck_ and the name of the folder]",
)


@click.command()
@folder
@out_folder()
@name
def inspect(folder: Path, out: Path, name: str | None) -> None:
    """Write a package of tasks for inspect_ai, one for each kind of prompt.

    Accuracy is reported by label, status and hops. The package needs hopcheck where it runs.

    \b
    Examples:
      python -m solver export inspect data/small --out data/tasks
      inspect eval data/tasks/hopcheck_small/tasks.py@zero_shot --model mockllm/model
    """  # noqa: D301 - click reads the backslash
    from benchmarks.export.inspect import export
    from benchmarks.export.source import read_source

    report_files(export(read_source(folder), out, name=name), out)


@click.command("lm-eval")
@folder
@out_folder()
@name
def lm_eval(folder: Path, out: Path, name: str | None) -> None:
    """Write tasks for lm-eval: zero-shot, with five examples, and with step-by-step reasoning.

    Accuracy is reported by label, status and hops. The tasks need hopcheck where they run.

    \b
    Examples:
      python -m solver export lm-eval data/small --out data/tasks
      lm_eval --model dummy --tasks hopcheck_small --include_path data/tasks
    """  # noqa: D301 - click reads the backslash
    from benchmarks.export.lm_eval import export
    from benchmarks.export.source import read_source

    report_files(export(read_source(folder), out, name=name), out)


command = LazyGroup(
    "export",
    entries={
        "hf": Entry("benchmarks.export.cli:hf", "Write Parquet, card and Croissant metadata."),
        "inspect": Entry("benchmarks.export.cli:inspect", "Write tasks for inspect_ai."),
        "lm-eval": Entry("benchmarks.export.cli:lm_eval", "Write tasks for lm-eval."),
    },
    help="Write a data set in the format of another tool.",
)
