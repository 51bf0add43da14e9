"""``export``: data sets in the formats of the field's tools."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchmarks.export import graphs, tasks, traces
from benchmarks.export.hf import export, note
from benchmarks.export.source import Source, read_source
from benchmarks.imports.cli import IMPORTS, report_files
from solver.cli.options import out_folder, path_option, read_graph, report_left_out
from solver.cli.program import Entry, LazyGroup
from solver.eventhop.cli import labels

if TYPE_CHECKING:
    from solver.eventhop.labels import LabelScheme

folders = click.argument(
    "folders", type=click.Path(path_type=Path), metavar="FOLDER...", nargs=-1, required=True
)
folder = click.argument("folder", type=click.Path(path_type=Path), metavar="FOLDER")


def _source(folder: Path, labels: LabelScheme | None = None) -> Source:
    return replace(read_source(folder, labels), noticed=report_left_out)


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
@labels
def hf(
    folders: tuple[Path, ...],
    out: Path,
    licence: str,
    data: Path | None,
    labels: LabelScheme | None,
) -> None:
    """Write a folder for the library datasets and the Hugging Face hub.

    It contains Parquet files with typed columns, a card with configurations, features, sizes and
    probes, and Croissant metadata. Several folders of items become one configuration each. FOLDER
    may be a file, such as a list of patterns, rules, facts or a corpus of annotated documents.

    \b
    Examples:
      python -m solver export hf data/small --licence cc-by-4.0 --out data/hub
      python -m solver export hf examples/links --out data/hub
    """  # noqa: D301 - click reads the backslash
    sources = [_source(folder, labels) for folder in folders]
    graph = None if data is None else read_graph(data)
    report_files(export(sources, out, licence=licence, graph=graph), out, note(sources))


def _export(
    name: str, write: Callable[..., tuple[Path, ...]], help: str, *, items: bool = True
) -> click.Command:
    """The command of a format whose data sets have names; of ``items`` the labels have words."""

    @click.command(name, help=help)
    @folder
    @out_folder()
    @click.option(
        "--name",
        metavar="NAME",
        help="Name in the other tool.  [default: made from that of the folder]",
    )
    def command(
        folder: Path, out: Path, name: str | None, labels: LabelScheme | None = None
    ) -> None:
        report_files(write(_source(folder, labels), out, name=name), out)

    return labels(command) if items else command


inspect = _export(
    "inspect",
    tasks.inspect,
    """Write a package of tasks for inspect_ai, one for each kind of prompt.

FOLDER has items, questions or problems, whose accuracy is reported by label, status and hops, by
kind, hops and label, or by label, family, level and hops; or chains of thought, which are scored by
their proofs. The package needs hopcheck where it runs.

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

FOLDER has items; or questions or problems, which have no task with examples. Accuracy is reported
by label, status and hops, by kind, hops and label, or by label, family, level and hops. The tasks
need hopcheck where they run.

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

FOLDER has items, whose answers are scored by the solver, questions, problems, or chains of thought.
Item i of a seed is the same for every size. The package needs hopcheck where it runs.

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
    items=False,
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
    files = graphs.pykeen(_source(folder), out)
    report_files(files, out, graphs.pykeen_note(files))


verifiers = _export(
    "verifiers",
    traces.verifiers,
    """Write a taskset of verifiers 0.4 that pays chains of thought for their proofs.

FOLDER has chains of generate traces. Each task has the prompt of an item; validate runs the checker
on its proof. The package needs hopcheck where it runs.

\b
Examples:
  python -m solver export verifiers data/traces --out data/verifiers
""",
)
openenv = _export(
    "openenv",
    traces.openenv,
    """Write an environment server of OpenEnv that pays chains of thought for their proofs.

FOLDER has chains of generate traces. An episode is an item, a chain and its reward. The package
needs hopcheck where it runs.

\b
Examples:
  python -m solver export openenv data/traces --out data/openenv
""",
)


def _rows(name: str, help: str) -> click.Command:
    """The command of a format of chains of thought."""

    @click.command(name, help=help)
    @folder
    @out_folder()
    def command(folder: Path, out: Path) -> None:
        report_files(traces.export_traces(name, _source(folder), out), out)

    return command


processbench = _rows(
    "processbench",
    """Write chains of thought with the fields of ProcessBench.

FOLDER has chains of generate traces, or the report of verify --kind traces. The label is the first
wrong step, -1 if there is none.

\b
Examples:
  python -m solver export processbench data/traces --out data/processbench
""",
)
prm800k = _rows(
    "prm800k",
    """Write chains of thought with the fields of PRM800K.

A step that follows is rated 1, one that restates or says nothing 0, and a wrong one -1, which ends
the chain.

\b
Examples:
  python -m solver export prm800k data/traces --out data/prm800k
""",
)
stepwise = _rows(
    "stepwise",
    """Write chains of thought for stepwise supervision: prompt, completions, labels.

A label says whether the step is right.

\b
Examples:
  python -m solver export stepwise data/traces --out data/stepwise
""",
)
preference = _rows(
    "preference",
    """Write pairs of a right and a wrong chain about the same item: prompt, chosen, rejected.

The right one is the shortest proof.

\b
Examples:
  python -m solver export preference data/traces --out data/preference
""",
)

command = LazyGroup(
    "export",
    entries={
        "hf": Entry("benchmarks.export.cli:hf", "Write Parquet, card and Croissant metadata."),
        "inspect": Entry("benchmarks.export.cli:inspect", "Write tasks for inspect_ai."),
        "lm-eval": Entry("benchmarks.export.cli:lm_eval", "Write tasks for lm-eval."),
        "reasoning-gym": Entry(
            "benchmarks.export.cli:reasoning_gym", "Write a data set of reasoning-gym."
        ),
        "processbench": Entry(
            "benchmarks.export.cli:processbench", "Write chains of thought as ProcessBench."
        ),
        "prm800k": Entry("benchmarks.export.cli:prm800k", "Write chains of thought as PRM800K."),
        "stepwise": Entry(
            "benchmarks.export.cli:stepwise", "Write chains of thought with step labels."
        ),
        "preference": Entry(
            "benchmarks.export.cli:preference", "Write pairs of right and wrong chains."
        ),
        "verifiers": Entry("benchmarks.export.cli:verifiers", "Write a taskset of verifiers."),
        "openenv": Entry("benchmarks.export.cli:openenv", "Write an environment of OpenEnv."),
        "pykeen": Entry("benchmarks.export.cli:pykeen", "Write triples and id maps for PyKEEN."),
        "tgb": Entry("benchmarks.export.cli:tgb", "Write a data set of TGB 2.0."),
        # What reads the formats of others was here at first.
        **{name: replace(entry, hidden=True) for name, entry in IMPORTS.items()},
    },
    help="Write a data set in the format of another tool.",
)
