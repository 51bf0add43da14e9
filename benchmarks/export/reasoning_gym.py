"""Export for reasoning-gym: a registered data set with config and curriculum."""

from __future__ import annotations

from pathlib import Path

from benchmarks.eventhop.prompts import Variant
from benchmarks.export.package import Items, checked_name, finish, write_templates
from benchmarks.export.source import Source
from generators.dataset import DatasetFolder
from solver.io.writing import make_folder


def export(source: Source, out: Path, *, name: str | None = None) -> tuple[Path, ...]:
    """Write a package that registers a data set when it is imported; returns the files.

    Args:
        source: the items.
        out: output folder; the package is a folder in it.
        name: name of the data set; by default ``hopcheck_`` and the name of the folder.

    Raises:
        HopcheckError: the items cannot be read or exported, or a file not be written.
    """
    items, called = Items.of(source, "reasoning-gym"), checked_name(name, source)
    folder = DatasetFolder(out)
    make_folder(out / called)
    items.write(folder, f"{called}/")
    folder.add_json(f"{called}/prompts.json", items.openings)
    every = [row for split in source.files for row in items.rows(split)]
    write_templates(
        folder,
        {
            "pyproject.toml": "reasoning_gym/pyproject.toml.jinja",
            f"{called}/__init__.py": "reasoning_gym/init.py.jinja",
            f"{called}/dataset.py": "reasoning_gym/dataset.py.jinja",
        },
        name=called,
        splits=repr(tuple(source.files)),
        split=next(iter(source.files)),
        variants=repr(tuple(one.value for one in Variant)),
        events=repr(sorted({row["events"] for row in every})),
        hops=repr(sorted({row["hops"] for row in every} - {None}) or [1]),
    )
    return tuple(finish(folder, "reasoning-gym", source, {"name": called}))
