"""Settings to verify a folder written by ``forecast``, from its manifest."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import msgspec

from solver.reading.failures import InputError
from solver.temporal_facts.case import Window
from solver.verify.facts import FactSettings

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


def forecast_folder(folder: Path, settings: FactSettings) -> tuple[str, FactSettings]:
    """Return the facts file and settings completed from the manifest; given options take priority.

    The manifest stores the name of the schema only; it is searched in the working directory and
    next to the folder, unless a schema is given.

    Raises:
        InputError: it is not a forecast folder, or its schema is not found.
    """
    for name in (FACTS, CERTIFICATES, HISTORY, MANIFEST):
        if not (folder / name).is_file():
            message = f"found no {name}, expected a folder written by forecast"
            raise InputError(message, where=str(folder))
    config = _config(folder / MANIFEST)
    return str(folder / FACTS), replace(
        settings,
        schema=settings.schema or _schema(folder, config.schema),
        history=(*settings.history, str(folder / HISTORY)),
        certificates=(*settings.certificates, str(folder / CERTIFICATES)),
        window=settings.window
        or Window(first=config.begin.toordinal(), last=config.end.toordinal()),
        exclusive=settings.exclusive or (config.exclusive and config.coherent),
        require_types=settings.require_types or config.typed,
    )


def _config(path: Path) -> _Config:
    try:
        return msgspec.json.decode(path.read_bytes(), type=_Manifest).config
    except (msgspec.DecodeError, RecursionError) as error:
        message = f"not the manifest of a forecast: {error}"
        raise InputError(message, where=str(path)) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=str(path)) from None


def _schema(folder: Path, name: str | None) -> Path | None:
    if name is None:
        return None
    for place in (Path(name), folder.parent / name):
        if place.exists():
            return place
    message = f"schema {name} of this forecast not found"
    raise InputError(message, where=str(folder / MANIFEST), hint="give its path: --schema DIR")
