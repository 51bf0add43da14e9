"""Kinds of artefact that can be verified, and how the kind of a path is found."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

from grammar.errors import HopcheckError


class Kind(StrEnum):
    """The kinds of artefact."""

    EVENTHOP = "eventhop"
    PATTERNS = "patterns"
    TKG = "tkg"
    FACTS = "facts"
    TEXTS = "texts"
    QUESTIONS = "questions"

    @classmethod
    def _missing_(cls, value: object) -> Kind | None:
        """Accept the earlier spelling ``text``."""
        return cls.TEXTS if value == "text" else None


_FOLDERS = (
    (Kind.TKG, ("labels.tsv", "patterns.jsonl")),
    (Kind.FACTS, ("facts.tsv", "facts.jsonl")),
    (Kind.QUESTIONS, ("two_hop_rules.tsv",)),
)
"""Files that a folder of a kind contains, next to its manifest."""

_SPLITS = ("test.jsonl", "valid.jsonl", "train.jsonl")

_FIELDS = (
    (Kind.EVENTHOP, {"premise"}),
    (Kind.QUESTIONS, {"query", "answers"}),
    (Kind.PATTERNS, {"pattern"}),
    (Kind.FACTS, {"subject", "relation", "object"}),
    (Kind.TEXTS, {"text"}),
)
"""Fields, or names of columns, of the rows of a kind; the first match counts."""


def detect(paths: Sequence[str | Path]) -> Kind:
    """The kind of some paths, by manifest, fields and columns; ``EVENTHOP`` if nothing tells.

    Streams are not read: standard input and pipes count as items.
    """
    return next(map(_detect, map(Path, paths)), Kind.EVENTHOP)


def _detect(path: Path) -> Kind:
    if path.is_dir():
        return _of_folder(path)
    if not path.is_file():
        return Kind.EVENTHOP
    if path.name.endswith(".references.txt"):
        return Kind.FACTS
    return _of_fields(_fields(path))


def _of_folder(folder: Path) -> Kind:
    for kind, names in _FOLDERS:
        if all((folder / name).is_file() for name in names):
            return kind
    for name in _SPLITS:
        for path in (folder / name, folder / f"{name}.gz"):
            if path.is_file():
                return _of_fields(_fields(path))
    return Kind.EVENTHOP


def _of_fields(fields: frozenset[str]) -> Kind:
    return next((kind for kind, needed in _FIELDS if needed <= fields), Kind.EVENTHOP)


def _fields(path: Path) -> frozenset[str]:
    """The fields of the first JSON line, or the names in a first line of cells."""
    import msgspec

    from solver.io.sources import open_input

    try:
        with open_input(path) as source:
            head, parquet = source.head(), source.parquet
    except HopcheckError:
        return frozenset()
    if parquet:
        return _columns(path)
    first = head.lstrip().partition(b"\n")[0]
    if not first.startswith(b"{"):
        return frozenset(first.decode(errors="replace").strip().lower().split("\t"))
    try:
        return frozenset(msgspec.json.decode(first, type=dict[str, msgspec.Raw]))
    except (msgspec.DecodeError, RecursionError):
        return frozenset()


def _columns(path: Path) -> frozenset[str]:
    try:
        from pyarrow.parquet import read_schema

        return frozenset(read_schema(path).names)
    except (ImportError, OSError, ValueError):
        return frozenset()
