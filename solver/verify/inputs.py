"""Resolves a path on the command line to item files: a file, or a generated data set's folder."""

from __future__ import annotations

from pathlib import Path

import msgspec

from solver.reading import InputError

MANIFEST = "manifest.json"
# A data set holds the same items in several formats; the first available one is read.
FORMATS = (".jsonl", ".jsonl.gz", ".parquet", ".tsv", ".tsv.gz")


class _ManifestOutputs(msgspec.Struct):
    """The part of a manifest that lists the files."""

    outputs: dict[str, object] | list[str]


def files(path: str) -> list[str]:
    """The item files of a data set's folder, sorted; for any other path, the path itself.

    A data set is a folder with a ``manifest.json`` whose ``outputs`` list its files.

    Raises:
        InputError: the manifest lists no item files.
    """
    manifest = Path(path) / MANIFEST
    if not manifest.is_file():
        return [path]
    try:
        outputs = sorted(msgspec.json.decode(manifest.read_bytes(), type=_ManifestOutputs).outputs)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        message = "found a manifest without outputs, expected the names of its files"
        raise InputError(
            message, where=str(manifest), hint="name the files in the folder"
        ) from None
    for ending in FORMATS:
        named = [name for name in outputs if name.endswith(ending)]
        if named:
            return [str(Path(path) / name) for name in named]
    message = f"found no data file among the outputs, expected one of {', '.join(FORMATS)}"
    raise InputError(message, where=str(manifest), hint="name the files in the folder")
