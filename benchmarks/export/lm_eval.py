"""Export for EleutherAI's evaluation harness: a group with one task for each kind of prompt."""

from __future__ import annotations

from pathlib import Path

from benchmarks.eventhop.prompts import Variant
from benchmarks.export.package import GROUPS, Items, checked_name, finish, render, write_templates
from benchmarks.export.source import ExportError, Source
from generators.dataset import DatasetFolder

_TOKENS = {Variant.COT: 2_048}
_FEW_TOKENS = 32


def export(source: Source, out: Path, *, name: str | None = None) -> tuple[Path, ...]:
    """Write a folder for ``lm_eval --include_path``; returns the files.

    Args:
        source: items, with a split test.
        out: output folder.
        name: name of the group of tasks; by default ``hopcheck_`` and the name of the folder.

    Raises:
        HopcheckError: the items cannot be read or exported, or a file not be written.
    """
    items, called = Items.of(source, "lm-eval"), checked_name(name, source)
    if "test" not in source.files:
        raise ExportError("found no split test, which lm-eval evaluates", where=str(source.path))
    folder = DatasetFolder(out)
    items.write(folder)
    names = {one: one.value.replace("-", "_") for one in Variant}
    for variant, short in names.items():
        text = render(
            "lm_eval/task.yaml.jinja",
            name=called,
            variant=short,
            train="train" in source.files,
            opening=items.openings[variant.value],
            tokens=_TOKENS.get(variant, _FEW_TOKENS),
            values=items.values("test"),
        )
        folder.add_text(f"{called}_{short}.yaml", text)
    write_templates(
        folder,
        {f"{called}.yaml": "lm_eval/group.yaml.jinja", "scoring.py": "lm_eval/scoring.py.jinja"},
        name=called,
        variants=list(names.values()),
        groups=repr(GROUPS),
        splits=repr(tuple(source.files)),
    )
    return tuple(finish(folder, "lm-eval", source, {"name": called}))
