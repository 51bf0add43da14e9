"""``export``: data sets in the formats of the field's tools."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import click

from benchmarks.export import graphs, tasks
from benchmarks.export.hf import export, note
from benchmarks.export.source import read_source
from benchmarks.imports.cli import IMPORTS, report_files
from solver.cli.options import out_folder, path_option, read_graph
from solver.cli.program import Entry, LazyGroup

folders = click.argument(
    "folders", type=click.Path(path_type=Path), metavar="FOLDER...", nargs=-1, required=True
)
folder = click.argument("folder", type=click.Path(path_type=Path), metavar="FOLDER")


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
@path_option("--data", metavar="GRAPH", help="Graph of questions, for the probes of the card.")
def hf(folders: tuple[Path, ...], out: Path, licence: str, data: Path | None) -> None:
    """Write a folder for the library datasets and the Hugging Face hub.

    It contains Parquet files with typed columns, a card with configurations, features, sizes and
    probes, and Croissant metadata. Several folders of items become one configuration each. FOLDER
    may be a file, such as a list of patterns, rules, facts or a corpus of annotated documents.

    \b
    Examples:
      python -m solver export hf data/small --licence cc-by-4.0 --out data/hub
      python -m solver export hf examples/links --out data/hub
    """  # noqa: D301 - click reads the backslash
    sources = [read_source(folder) for folder in folders]
    graph = None if data is None else read_graph(data)
    report_files(export(sources, out, licence=licence, graph=graph), out, note(sources))


def _export(name: str, write: Callable[..., tuple[Path, ...]], help: str) -> click.Command:
    """The command of a format whose data sets have names."""

    @click.command(name, help=help)
    @folder
    @out_folder()
    @click.option(
        "--name",
        metavar="NAME",
        help="Name in the other tool.  [default: made from that of the folder]",
    )
    def command(folder: Path, out: Path, name: str | None) -> None:
        report_files(write(read_source(folder), out, name=name), out)

    return command


inspect = _export(
    "inspect",
    tasks.inspect,
    """Write a package of tasks for inspect_ai, one for each kind of prompt.

FOLDER has items or questions. Accuracy is reported by label, status and hops, or by kind, hops
and label. The package needs hopcheck where it runs.

\b
Examples:
  python -m solver export inspect data/small --out data/tasks
  inspect eval data/tasks/hopcheck_small/tasks.py@zero_shot --model mockllm/model
""",
)
lm_eval = _export(
    "lm-eval",
    tasks.lm_eval,
    """Write tasks for lm-eval: zero-shot, with five examples, and with step-by-step reasoning.

FOLDER has items or questions, which have no task with examples. Accuracy is reported by label,
status and hops, or by kind, hops and label. The tasks need hopcheck where they run.

\b
Examples:
  python -m solver export lm-eval data/small --out data/tasks
  lm_eval --model dummy --tasks hopcheck_small --include_path data/tasks
""",
)
reasoning_gym = _export(
    "reasoning-gym",
    tasks.reasoning_gym,
    """Write a package that registers a data set of reasoning-gym.

FOLDER has items, whose answers are scored by the solver, or questions. Item i of a seed is the
same for every size. The package needs hopcheck where it runs.

\b
Examples:
  python -m solver export reasoning-gym data/small --out data/gym
""",
)
tgb = _export(
    "tgb",
    graphs.tgb,
    """Write the edge list and the negatives of a data set of TGB 2.0, and a module that loads them.

\b
Examples:
  python -m solver export tgb examples/ranks/graph --out data/tgb
""",
)


@click.command()
@folder
@out_folder()
def pykeen(folder: Path, out: Path) -> None:
    """Write triples, their times and the id maps for PyKEEN, which has no time.

    \b
    Examples:
      python -m solver export pykeen examples/ranks/graph --out data/pykeen
    """  # noqa: D301 - click reads the backslash
    files = graphs.pykeen(read_source(folder), out)
    report_files(files, out, graphs.pykeen_note(files))


command = LazyGroup(
    "export",
    entries={
        "hf": Entry("benchmarks.export.cli:hf", "Write Parquet, card and Croissant metadata."),
        "inspect": Entry("benchmarks.export.cli:inspect", "Write tasks for inspect_ai."),
        "lm-eval": Entry("benchmarks.export.cli:lm_eval", "Write tasks for lm-eval."),
        "reasoning-gym": Entry(
            "benchmarks.export.cli:reasoning_gym", "Write a data set of reasoning-gym."
        ),
        "pykeen": Entry("benchmarks.export.cli:pykeen", "Write triples and id maps for PyKEEN."),
        "tgb": Entry("benchmarks.export.cli:tgb", "Write a data set of TGB 2.0."),
        # What reads the formats of others was here at first.
        **{name: replace(entry, hidden=True) for name, entry in IMPORTS.items()},
    },
    help="Write a data set in the format of another tool.",
)
