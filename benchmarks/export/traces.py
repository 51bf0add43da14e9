"""Exports of chains of thought, as what trainers and leaderboards of process rewards read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from benchmarks.eventhop.prompts import Prompter, Variant
from benchmarks.export.package import checked_name, finish, write_templates
from benchmarks.export.source import ExportError, Source, SourceKind
from generators.dataset import DatasetFolder
from generators.traces.right import proved_chain
from grammar.eventhop.model import Domain, Policy, SpatialReading
from grammar.eventhop.reader import reader
from solver.io.writing import make_folder
from solver.traces.decide import prepared
from solver.traces.model import RIGHT, WRONG, StepVerdict
from solver.traces.reward import Payer

Row = Mapping[str, Any]
_HINT = "pass what generate traces wrote, or the folder of verify --kind traces --report"
_NEEDED = ("id", "premise", "claim", "domain", "steps", "first_error")


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceFormat:
    """A format of chains.

    Attributes:
        tool: what reads it.
        row: the row of a chain; None for a chain that it leaves out.
    """

    tool: str
    row: Callable[[Row], dict[str, Any] | None]


def prompt_of(row: Row) -> str:
    """The prompt for a chain of thought about an item."""
    prompter = Prompter(Domain(row["domain"]), Variant.COT)
    return prompter.prompt(row["premise"], row["claim"])


def _texts(row: Row) -> list[str]:
    return [step["text"] for step in row["steps"]]


def _processbench(row: Row) -> dict[str, Any]:
    """The fields of ProcessBench: the label is the first wrong step, -1 if there is none."""
    return {
        "id": row["id"],
        "generator": "hopcheck",
        "problem": prompt_of(row),
        "steps": _texts(row),
        "final_answer_correct": _answered(row),
        "label": row["first_error"],
    }


def _answered(row: Row) -> bool:
    decided = row.get("label") or row.get("verdict", {}).get("label")
    return row.get("answer") is not None and row["answer"] == decided


def _rating(verdict: StepVerdict) -> int:
    return -1 if verdict in WRONG else int(verdict is StepVerdict.FOLLOWS)


def _prm800k(row: Row) -> dict[str, Any]:
    """The fields of PRM800K; a chain ends with its first wrong step."""
    steps: list[dict[str, Any]] = []
    for step in row["steps"]:
        rating = _rating(StepVerdict(step["verdict"]))
        completion = {"text": step["text"], "rating": rating, "flagged": False}
        steps.append(
            {"completions": [completion], "human_completion": None, "chosen_completion": 0}
        )
        if rating < 0:
            break
    found = bool(steps) and steps[-1]["completions"][0]["rating"] < 0
    return {
        "labeler": "hopcheck",
        "generation": None,
        "is_quality_control_question": False,
        "is_initial_screening_question": False,
        "question": {
            "problem": prompt_of(row),
            "ground_truth_answer": row.get("label") or row["verdict"]["label"],
        },
        "label": {"steps": steps, "finish_reason": "found_error" if found else "solution"},
    }


def _stepwise(row: Row) -> dict[str, Any]:
    """Stepwise supervision, as TRL trains process reward models."""
    return {
        "prompt": prompt_of(row),
        "completions": _texts(row),
        "labels": [
            StepVerdict(step["verdict"]) in (*RIGHT, StepVerdict.NONE) for step in row["steps"]
        ],
    }


def _preference(row: Row) -> dict[str, Any] | None:
    """A wrong chain, and the shortest right one about the same item."""
    if row["first_error"] < 0:
        return None
    item = reader(Domain(row["domain"])).read(str(row["id"]), row["premise"], row["claim"])
    chosen = proved_chain(item, row["claim"])
    if chosen is None:
        return None
    return {
        "prompt": prompt_of(row),
        "chosen": "\n".join(chosen),
        "rejected": "\n".join(_texts(row)),
    }


FORMATS: Mapping[str, TraceFormat] = MappingProxyType(
    {
        "processbench": TraceFormat(tool="ProcessBench", row=_processbench),
        "prm800k": TraceFormat(tool="PRM800K", row=_prm800k),
        "stepwise": TraceFormat(tool="stepwise supervision (TRL)", row=_stepwise),
        "preference": TraceFormat(tool="preference training (TRL)", row=_preference),
    }
)


def export_traces(name: str, source: Source, out: Path) -> tuple[Path, ...]:
    """Write chains in a format, a file for each split; returns the files.

    Args:
        name: one of ``FORMATS``.
        source: what ``generate traces`` or ``verify --kind traces`` wrote.
        out: output folder.

    Raises:
        HopcheckError: the chains cannot be read or have no verdicts, or a file not be written.
    """
    form = FORMATS[name]
    source.require(form.tool, SourceKind.TRACES)
    folder = DatasetFolder(out)
    for split in source.files:
        folder.add_lines(f"{split}.jsonl", _rows(form, source, split))
    return tuple(finish(folder, name, source, {}))


def _rows(form: TraceFormat, source: Source, split: str) -> Iterator[dict[str, Any]]:
    for row in source.rows(split):
        missing = [field for field in _NEEDED if field not in row]
        missing += ["verdict"] if any("verdict" not in s for s in row.get("steps", ())) else []
        if missing:
            message = f"row {row.get('id', '?')} has no {missing[0]}, expected decided chains"
            raise ExportError(message, where=str(source.files[split]), hint=_HINT)
        made = form.row(row)
        if made is not None:
            yield made


# --- Environments ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """A tool that asks items and pays the chains about them.

    Attributes:
        package: what it needs.
        module: the module that is written; its template has the name of the tool.
        names: what the package exports.
    """

    package: str
    module: str
    names: tuple[str, ...]


ENVIRONMENTS: Mapping[str, Environment] = MappingProxyType(
    {
        "verifiers": Environment(
            package="verifiers>=0.4,<0.5", module="taskset", names=("Config", "Task", "Taskset")
        ),
        "openenv": Environment(
            package="openenv-core", module="server", names=("Chain", "ChainEnvironment", "Question")
        ),
        "inspect": Environment(package="inspect_ai", module="tasks", names=("chain", "chains")),
        "reasoning-gym": Environment(
            package="reasoning-gym", module="dataset", names=("Chains", "Config")
        ),
    }
)


def export_environment(
    tool: str, source: Source, out: Path, *, name: str | None = None
) -> tuple[Path, ...]:
    """Write a package that asks the items whose proofs are paid; returns the files.

    Args:
        tool: one of ``ENVIRONMENTS``.
        source: what ``generate traces`` wrote.
        out: output folder; the package is a folder in it.
        name: name of the package; by default ``hopcheck_`` and the name of the folder.

    Raises:
        HopcheckError: the chains cannot be read or no item is paid, or a file not be written.
    """
    source.require(tool, SourceKind.TRACES)
    environment, called = ENVIRONMENTS[tool], checked_name(name, source)
    items = {split: list(_items(source, split)) for split in source.files}
    if not all(items.values()):
        message = "found no item that more than two sentences decide, expected some in each split"
        raise ExportError(message, where=str(source.path), hint="generate with --hops 3,4,5")
    folder = DatasetFolder(out)
    make_folder(out / called)
    for split, rows in items.items():
        folder.add_lines(f"{called}/{split}.jsonl", rows)
    write_templates(
        folder,
        {
            "pyproject.toml": "traces/pyproject.toml.jinja",
            f"{called}/__init__.py": "traces/init.py.jinja",
            f"{called}/{environment.module}.py": f"traces/{tool}.py.jinja",
        },
        name=called,
        tool=tool,
        command=tool,
        package=environment.package,
        module=environment.module,
        names=environment.names,
        splits=repr(tuple(items)),
        split="train" if "train" in items else next(iter(items)),
    )
    return tuple(finish(folder, tool, source, {"name": called}))


def _items(source: Source, split: str) -> Iterator[dict[str, Any]]:
    """The items whose shortest right chain is paid in full, each once."""
    asked: set[tuple[str, str]] = set()
    for row in source.rows(split):
        texts = (row["premise"], row["claim"])
        item = reader(Domain(row["domain"])).read(str(row["id"]), *texts)
        proof = proved_chain(item, row["claim"])
        if proof is None or texts in asked:
            continue
        asked.add(texts)
        premise, reads = prepared(item, Policy.LOCAL, SpatialReading.GEOMETRIC)
        if Payer(premise, reads).pay("\n".join(proof)).value == 1:
            yield {
                "name": str(row["id"]),
                "prompt": prompt_of(row),
                "premise": row["premise"],
                "claim": row["claim"],
                "domain": row["domain"],
                "label": premise.label.value,
                "proof": "\n".join(proof),
            }


verifiers = partial(export_environment, "verifiers")
openenv = partial(export_environment, "openenv")
processbench, prm800k, stepwise, preference = (partial(export_traces, name) for name in FORMATS)
