"""Export for inspect_ai: a package with one task for each kind of prompt."""

from __future__ import annotations

from pathlib import Path

from benchmarks.export.package import checked_name, finish, samples_of, write_templates
from benchmarks.export.source import Source
from generators.dataset import DatasetFolder
from solver.io.writing import make_folder


def export(source: Source, out: Path, *, name: str | None = None) -> tuple[Path, ...]:
    """Write a package with tasks, to install or to name by path; returns the files.

    Args:
        source: items or questions.
        out: output folder; the package is a folder in it.
        name: name of the package; by default ``hopcheck_`` and the name of the folder.

    Raises:
        HopcheckError: the rows cannot be read or exported, or a file not be written.
    """
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
        variants=samples.variants,
        split="test" if "test" in source.files else next(iter(source.files)),
        count=sum(1 for split in source.files for _ in source.rows(split)),
    )
    return tuple(finish(folder, "inspect", source, {"name": called}))
