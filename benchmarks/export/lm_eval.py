"""Export for EleutherAI's evaluation harness: a group with one task for each kind of prompt."""

from __future__ import annotations

from pathlib import Path

from benchmarks.eventhop.prompts import Variant
from benchmarks.export.package import (
    checked_name,
    finish,
    render,
    samples_of,
    write_templates,
)
from benchmarks.export.source import ExportError, Source
from generators.dataset import DatasetFolder

_TOKENS = {Variant.COT.value: 2_048}
_FEW_TOKENS = {"eventhop": 32, "questions": 128}


def export(source: Source, out: Path, *, name: str | None = None) -> tuple[Path, ...]:
    """Write a folder for ``lm_eval --include_path``; returns the files.

    Args:
        source: items or questions, with a split test.
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
        splits=repr(tuple(source.files)),
    )
    return tuple(finish(folder, "lm-eval", source, {"name": called}))
