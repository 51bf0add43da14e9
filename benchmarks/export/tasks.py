"""Exports for evaluation tools: a package or group with one task for each kind of prompt."""

from __future__ import annotations

from pathlib import Path

from benchmarks.eventhop.prompts import Variant
from benchmarks.export.package import (
    checked_name,
    finish,
    render,
    samples_of,
    words_of,
    write_templates,
)
from benchmarks.export.source import ExportError, Source, SourceKind
from benchmarks.export.traces import export_environment
from generators.dataset import DatasetFolder
from solver.io.writing import make_folder


def inspect(source: Source, out: Path, *, name: str | None = None) -> tuple[Path, ...]:
    """Write a package with tasks for inspect_ai, to install or to name by path; returns the files.

    Args:
        source: items, questions, problems or chains of thought.
        out: output folder; the package is a folder in it.
        name: name of the package; by default ``hopcheck_`` and the name of the folder.

    Raises:
        HopcheckError: the rows cannot be read or exported, or a file not be written.
    """
    if source.kind is SourceKind.TRACES:
        return export_environment("inspect", source, out, name=name)
    samples, called = samples_of(source, "inspect"), checked_name(name, source)
    folder = DatasetFolder(out)
    make_folder(out / called)
    samples.write(folder, f"{called}/")
    folder.add_json(f"{called}/prompts.json", samples.openings)
    write_templates(
        folder,
        {
            "pyproject.toml": "inspect/pyproject.toml.jinja",
            f"{called}/__init__.py": "inspect/init.py.jinja",
            f"{called}/tasks.py": "inspect/tasks.py.jinja",
        },
        name=called,
        kind=samples.kind,
        groups=repr(samples.groups),
        words=repr(words_of(source)),
        variants=samples.variants,
        split="test" if "test" in source.files else next(iter(source.files)),
        count=sum(1 for split in source.files for _ in source.rows(split)),
    )
    return tuple(finish(folder, "inspect", source, {"name": called}))


_TOKENS = {Variant.COT.value: 2_048}
_FEW_TOKENS = {"eventhop": 32, "questions": 128, "problems": 32}


def lm_eval(source: Source, out: Path, *, name: str | None = None) -> tuple[Path, ...]:
    """Write a folder for EleutherAI's ``lm_eval --include_path``; returns the files.

    Args:
        source: items, questions or problems, with a split test.
        out: output folder.
        name: name of the group of tasks; by default ``hopcheck_`` and the name of the folder.

    Raises:
        HopcheckError: the rows cannot be read or exported, or a file not be written.
    """
    samples, called = samples_of(source, "lm-eval"), checked_name(name, source)
    if "test" not in source.files:
        raise ExportError("found no split test, which lm-eval evaluates", where=str(source.path))
    folder = DatasetFolder(out)
    samples.write(folder)
    for short, variant in samples.variants.items():
        text = render(
            "lm_eval/task.yaml.jinja",
            name=called,
            kind=samples.kind,
            variant=short,
            splits=list(source.files),
            opening=samples.openings[variant],
            tokens=_TOKENS.get(variant, _FEW_TOKENS[samples.kind]),
            values=samples.values("test"),
        )
        folder.add_text(f"{called}_{short}.yaml", text)
    write_templates(
        folder,
        {f"{called}.yaml": "lm_eval/group.yaml.jinja", "scoring.py": "lm_eval/scoring.py.jinja"},
        name=called,
        kind=samples.kind,
        variants=list(samples.variants),
        groups=repr(samples.groups),
        words=repr(words_of(source)),
        splits=repr(tuple(source.files)),
    )
    return tuple(finish(folder, "lm-eval", source, {"name": called}))


def reasoning_gym(source: Source, out: Path, *, name: str | None = None) -> tuple[Path, ...]:
    """Write a package that registers a data set when it is imported; returns the files.

    Args:
        source: items, questions, problems or chains of thought.
        out: output folder; the package is a folder in it.
        name: name of the data set; by default ``hopcheck_`` and the name of the folder.

    Raises:
        HopcheckError: the rows cannot be read or exported, or a file not be written.
    """
    if source.kind is SourceKind.TRACES:
        return export_environment("reasoning-gym", source, out, name=name)
    samples, called = samples_of(source, "reasoning-gym"), checked_name(name, source)
    folder = DatasetFolder(out)
    make_folder(out / called)
    samples.write(folder, f"{called}/")
    folder.add_json(f"{called}/prompts.json", samples.openings)
    every = [row for split in source.files for row in samples.rows(split)]
    levels = {
        name: sorted({row[name] for row in every if row.get(name) is not None})
        for name in ("events", "hops", "kind", "level", "family")
    }
    write_templates(
        folder,
        {
            "pyproject.toml": "reasoning_gym/pyproject.toml.jinja",
            f"{called}/__init__.py": "reasoning_gym/init.py.jinja",
            f"{called}/dataset.py": f"reasoning_gym/{samples.kind}.py.jinja",
        },
        name=called,
        words=repr(words_of(source)),
        splits=repr(tuple(source.files)),
        split=next(iter(source.files)),
        variants=repr(tuple(samples.openings)),
        events=repr(levels["events"]),
        hops=repr(levels["hops"] or [1]),
        kinds=repr(tuple(levels["kind"])),
        levels=repr(levels["level"] or [1]),
        families=repr(tuple(levels["family"])),
    )
    return tuple(finish(folder, "reasoning-gym", source, {"name": called}))
