"""A folder that ``forecast`` made: which of its files are checked, and how, by its manifest."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import msgspec

from solver.reading.failures import InputError
from solver.temporal_facts.case import Window
from solver.verify.facts import Asked

FACTS = "facts.tsv"
CERTIFICATES = "facts.jsonl"
HISTORY = "history.tsv"
MANIFEST = "manifest.json"


class _Config(msgspec.Struct):
    begin: date
    end: date
    coherent: bool
    exclusive: bool
    typed: bool
    schema: str | None = None


class _Manifest(msgspec.Struct):
    config: _Config


def of_folder(folder: Path, how: Asked) -> tuple[str, Asked]:
    """The file of its facts, and how they are checked: as they were made, or as was asked for.

    A manifest names a schema without its place, which is looked for where one works and beside the
    folder, unless one was asked for.

    Raises:
        InputError: it is no such folder, or its schema is not found.
    """
    for name in (FACTS, CERTIFICATES, HISTORY, MANIFEST):
        if not (folder / name).is_file():
            message = f"found no {name}, expected a folder that forecast made"
            raise InputError(message, where=str(folder))
    config = _config(folder / MANIFEST)
    return str(folder / FACTS), replace(
        how,
        schema=how.schema or _schema(folder, config.schema),
        history=(*how.history, str(folder / HISTORY)),
        certificates=(*how.certificates, str(folder / CERTIFICATES)),
        window=how.window or Window(first=config.begin.toordinal(), last=config.end.toordinal()),
        exclusive=how.exclusive or (config.exclusive and config.coherent),
        require_types=how.require_types or config.typed,
    )


def _config(path: Path) -> _Config:
    try:
        return msgspec.json.decode(path.read_bytes(), type=_Manifest).config
    except (msgspec.DecodeError, RecursionError) as error:
        message = f"found no settings of a forecast: {error}"
        raise InputError(message, where=str(path)) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=str(path)) from None


def _schema(folder: Path, name: str | None) -> Path | None:
    if name is None:
        return None
    for place in (Path(name), folder.parent / name):
        if place.exists():
            return place
    message = f"found no {name}, the schema that this was forecast with"
    raise InputError(message, where=str(folder / MANIFEST), hint="say where it is: --schema DIR")
