"""What a path on the command line stands for: a file, or a folder that a generator left."""

from __future__ import annotations

from pathlib import Path

import msgspec

from solver.reading import InputError

MANIFEST = "manifest.json"
# The same items lie there in several formats; the first of these that is there is read.
FORMATS = (".jsonl", ".jsonl.gz", ".parquet", ".tsv", ".tsv.gz")


class _Listed(msgspec.Struct):
    """The part of a manifest that names the files."""

    outputs: dict[str, object] | list[str]


def files(path: str) -> list[str]:
    """The item files that a path stands for, sorted; the path itself unless it is a data set.

    A data set is a folder with a ``manifest.json`` whose ``outputs`` name its files.

    Raises:
        InputError: the folder holds no data set.
    """
    manifest = Path(path) / MANIFEST
    if not manifest.is_file():
        return [path]
    try:
        outputs = sorted(msgspec.json.decode(manifest.read_bytes(), type=_Listed).outputs)
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
