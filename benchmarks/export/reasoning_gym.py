"""Export for reasoning-gym: a registered data set with config and curriculum."""

from __future__ import annotations

from pathlib import Path

from benchmarks.export.package import checked_name, finish, samples_of, write_templates
from benchmarks.export.source import Source
from generators.dataset import DatasetFolder
from solver.io.writing import make_folder


def export(source: Source, out: Path, *, name: str | None = None) -> tuple[Path, ...]:
    """Write a package that registers a data set when it is imported; returns the files.

    Args:
        source: items or questions.
        out: output folder; the package is a folder in it.
        name: name of the data set; by default ``hopcheck_`` and the name of the folder.

    Raises:
        HopcheckError: the rows cannot be read or exported, or a file not be written.
    """
    samples, called = samples_of(source, "reasoning-gym"), checked_name(name, source)
    folder = DatasetFolder(out)
    make_folder(out / called)
    samples.write(folder, f"{called}/")
    folder.add_json(f"{called}/prompts.json", samples.openings)
    every = [row for split in source.files for row in samples.rows(split)]
    levels = {
        name: sorted({row[name] for row in every if row.get(name) is not None})
        for name in ("events", "hops", "kind")
    }
    write_templates(
        folder,
        {
            "pyproject.toml": "reasoning_gym/pyproject.toml.jinja",
            f"{called}/__init__.py": "reasoning_gym/init.py.jinja",
            f"{called}/dataset.py": f"reasoning_gym/{samples.kind}.py.jinja",
        },
        name=called,
        splits=repr(tuple(source.files)),
        split=next(iter(source.files)),
        variants=repr(tuple(samples.openings)),
        events=repr(levels["events"]),
        hops=repr(levels["hops"] or [1]),
        kinds=repr(tuple(levels["kind"])),
    )
    return tuple(finish(folder, "reasoning-gym", source, {"name": called}))
