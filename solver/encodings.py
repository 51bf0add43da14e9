"""Paths of the encodings, and the files that they include; imports no solver."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

ENCODINGS = Path(__file__).parent.parent / "encodings"


def encoding(name: str) -> Path:
    """Path of an encoding, named as in ``encodings/README.md``: ``temporal/claims.lp``."""
    return ENCODINGS / name


INCLUDE = re.compile(r'^#include "([^"]+)"\.', re.MULTILINE)
"""An include statement; its path is relative to the including file."""


def with_included(names: Iterable[str]) -> list[str]:
    """Encodings and their transitive includes, sorted, named as in ``encoding``."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _included(name)
    return sorted(found)


def _included(name: str) -> Iterator[str]:
    path = encoding(name)
    for other in INCLUDE.findall(path.read_text(encoding="utf-8")):
        yield (path.parent / other).resolve().relative_to(ENCODINGS.resolve()).as_posix()
