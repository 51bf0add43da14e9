"""``export``: data sets in the formats of the field's tools."""

from __future__ import annotations

from dataclasses import replace
from inspect import cleandoc
from pathlib import Path

import click

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
    from benchmarks.export.hf import export, note
    from benchmarks.export.source import read_source

    sources = [read_source(folder) for folder in folders]
    graph = None if data is None else read_graph(data)
    report_files(export(sources, out, licence=licence, graph=graph), out, note(sources))


name = click.option(
    "--name",
    metavar="NAME",
    help="Name in the other tool.  [default: made from that of the folder]",
)


@click.command()
@folder
@out_folder()
@name
def inspect(folder: Path, out: Path, name: str | None) -> None:
    """Write a package of tasks for inspect_ai, one for each kind of prompt.

    FOLDER has items or questions, whose accuracy is reported by label, status and hops, or by kind,
    hops and label; or chains of thought, which are scored by their proofs. The package needs
    hopcheck where it runs.

    \b
    Examples:
      python -m solver export inspect data/small --out data/tasks
      inspect eval data/tasks/hopcheck_small/tasks.py@zero_shot --model mockllm/model
    """  # noqa: D301 - click reads the backslash
    from benchmarks.export import tasks
    from benchmarks.export.source import read_source

    report_files(tasks.inspect(read_source(folder), out, name=name), out)


@click.command("lm-eval")
@folder
@out_folder()
@name
def lm_eval(folder: Path, out: Path, name: str | None) -> None:
    """Write tasks for lm-eval: zero-shot, with five examples, and with step-by-step reasoning.

    FOLDER has items or questions, which have no task with examples. Accuracy is reported by label,
    status and hops, or by kind, hops and label. The tasks need hopcheck where they run.

    \b
    Examples:
      python -m solver export lm-eval data/small --out data/tasks
      lm_eval --model dummy --tasks hopcheck_small --include_path data/tasks
    """  # noqa: D301 - click reads the backslash
    from benchmarks.export import tasks
    from benchmarks.export.source import read_source

    report_files(tasks.lm_eval(read_source(folder), out, name=name), out)


@click.command("reasoning-gym")
@folder
@out_folder()
@name
def reasoning_gym(folder: Path, out: Path, name: str | None) -> None:
    """Write a package that registers a data set of reasoning-gym.

    FOLDER has items, whose answers are scored by the solver, questions, or chains of thought. Item
    i of a seed is the same for every size. The package needs hopcheck where it runs.

    \b
    Examples:
      python -m solver export reasoning-gym data/small --out data/gym
    """  # noqa: D301 - click reads the backslash
    from benchmarks.export import tasks
    from benchmarks.export.source import read_source

    report_files(tasks.reasoning_gym(read_source(folder), out, name=name), out)


@click.command()
@folder
@out_folder()
def pykeen(folder: Path, out: Path) -> None:
    """Write triples, their times and the id maps for PyKEEN, which has no time.

    \b
    Examples:
      python -m solver export pykeen examples/ranks/graph --out data/pykeen
    """  # noqa: D301 - click reads the backslash
    from benchmarks.export import graphs
    from benchmarks.export.source import read_source

    files = graphs.pykeen(read_source(folder), out)
    report_files(files, out, graphs.pykeen_note(files))


@click.command()
@folder
@out_folder()
@name
def tgb(folder: Path, out: Path, name: str | None) -> None:
    """Write the edge list and the negatives of a data set of TGB 2.0, and a module that loads them.

    \b
    Examples:
      python -m solver export tgb examples/ranks/graph --out data/tgb
    """  # noqa: D301 - click reads the backslash
    from benchmarks.export import graphs
    from benchmarks.export.source import read_source

    report_files(graphs.tgb(read_source(folder), out, name=name), out)


_named = name  # "name" is an argument of the commands.


def _environment(tool: str, doc: str) -> click.Command:
    """The command that writes a package with an environment of chains of thought."""

    def write(folder: Path, out: Path, name: str | None) -> None:
        from benchmarks.export.source import read_source
        from benchmarks.export.traces import export_environment

        files = export_environment(tool, read_source(folder), out, name=name)
        report_files(files, out)

    example = f"  python -m solver export {tool} data/traces --out data/{tool}"
    write.__doc__ = f"{cleandoc(doc)}\n\n\b\nExamples:\n{example}\n"
    return click.command(tool)(folder(out_folder()(_named(write))))


def _of_traces(name: str, doc: str) -> click.Command:
    """The command of a format of chains of thought."""

    def write(folder: Path, out: Path) -> None:
        from benchmarks.export.source import read_source
        from benchmarks.export.traces import export_traces

        report_files(export_traces(name, read_source(folder), out), out)

    example = f"  python -m solver export {name} data/traces --out data/{name}"
    write.__doc__ = f"{cleandoc(doc)}\n\n\b\nExamples:\n{example}\n"
    return click.command(name)(folder(out_folder()(write)))


processbench = _of_traces(
    "processbench",
    """Write chains of thought with the fields of ProcessBench.

    FOLDER has chains of generate traces, or the report of verify --kind traces. The label is the
    first wrong step, -1 if there is none.""",
)
prm800k = _of_traces(
    "prm800k",
    """Write chains of thought with the fields of PRM800K.

    A step that follows is rated 1, one that restates or says nothing 0, and a wrong one -1, which
    ends the chain.""",
)
stepwise = _of_traces(
    "stepwise",
    """Write chains of thought for stepwise supervision: prompt, completions, labels.

    A label says whether the step is right.""",
)
preference = _of_traces(
    "preference",
    """Write pairs of a right and a wrong chain about the same item: prompt, chosen, rejected.

    The right one is the shortest proof.""",
)
verifiers = _environment(
    "verifiers",
    """Write a taskset of verifiers 0.4 that pays chains of thought for their proofs.

    FOLDER has chains of generate traces. Each task has the prompt of an item; validate runs the
    checker on its proof. The package needs hopcheck where it runs.""",
)
openenv = _environment(
    "openenv",
    """Write an environment server of OpenEnv that pays chains of thought for their proofs.

    FOLDER has chains of generate traces. An episode is an item, a chain and its reward. The package
    needs hopcheck where it runs.""",
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
