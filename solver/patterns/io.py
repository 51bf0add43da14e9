"""Lists of patterns: JSON Lines with a manifest.

A line: ``{"pattern": "1 -1-> 2 => 2 -1-> 1", "hops": 1, "shapes": ["inverse"], ...}``; only
``pattern`` is required. See ``docs/patterns.md``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import msgspec

from solver.io.columns import SAME_NAMES, ColumnNames, column
from solver.io.json_lines import BrokenRow, JsonDecoder, column_of_field, read_document
from solver.io.sources import InputError, open_input
from solver.patterns.engine import PatternVerdict
from solver.patterns.model import CycleReading, Pattern, PatternError, PatternFlags, read


@dataclass(frozen=True, slots=True, kw_only=True)
class ListDeclaration:
    """Declared content of a list: every valid canonical pattern of these hops."""

    hops: tuple[int, ...]
    flags: PatternFlags
    reading: CycleReading = CycleReading.FIXED

    def as_json(self) -> dict[str, object]:
        """Fields of the manifest."""
        return {
            "hops": list(self.hops),
            "flags": self.flags.code,
            "cycle_reading": self.reading.value,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedPattern:
    """A line of a list.

    Attributes:
        where: location, as ``file:line``.
        stated: the fields of ``describe`` that the line states.
    """

    pattern: Pattern
    where: str
    stated: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternList:
    """The lines of a file; ``unreadable`` holds one error message per invalid line."""

    patterns: tuple[ListedPattern, ...]
    unreadable: tuple[str, ...]


class PatternRow(msgspec.Struct):
    """A pattern of a list; all fields but the pattern are checked if they are present."""

    pattern: Annotated[str, column("the steps and the consequence", example="1 -1-> 2 => 2 -1-> 1")]
    hops: Annotated[int | msgspec.UnsetType, column("number of steps", unit="steps", example=1)] = (
        msgspec.UNSET
    )
    shapes: Annotated[
        list[str] | msgspec.UnsetType, column("shapes that it has", example=["inverse"])
    ] = msgspec.UNSET
    entity_reuse: Annotated[
        str | msgspec.UnsetType | None,
        column("where the entities of the consequence come from", example="fully_reused"),
    ] = msgspec.UNSET
    relation_reuse: Annotated[
        str | msgspec.UnsetType,
        column("whether some step has the relation of the consequence", example="copied"),
    ] = msgspec.UNSET
    antecedent_relations: Annotated[
        str | msgspec.UnsetType,
        column("whether one relation has more than half of the steps", example="homogeneous"),
    ] = msgspec.UNSET


DECODER = JsonDecoder(
    PatternRow, what="line of a list", hint='such as {"pattern": "1 -1-> 2 => 2 -1-> 1"}'
)


class _Manifest(msgspec.Struct):
    config: _Config


class _Config(msgspec.Struct):
    hops: list[int]
    flags: str
    cycle_reading: CycleReading = CycleReading.FIXED


def describe(verdict: PatternVerdict) -> dict[str, Any]:
    """The fields of a line other than the pattern itself."""
    return {
        "hops": verdict.pattern.hops,
        "shapes": [shape.value for shape in verdict.shapes],
        "entity_reuse": verdict.entity_reuse and verdict.entity_reuse.value,
        "relation_reuse": verdict.relation_reuse.value,
        "antecedent_relations": verdict.antecedent_relations.value,
    }


def row(verdict: PatternVerdict) -> dict[str, Any]:
    """A line of a list."""
    return {"pattern": str(verdict.pattern)} | describe(verdict)


def manifest_path(path: Path) -> Path:
    """Path of a list's manifest: ``patterns.manifest.json`` for ``patterns.jsonl``."""
    return path.with_name(f"{path.name.split('.')[0]}.manifest.json")


def read_declared(path: Path) -> ListDeclaration | None:
    """Read the manifest of a list; None if there is none.

    Raises:
        InputError: the manifest is invalid.
    """
    file = manifest_path(path)
    if not file.is_file():
        return None
    what, hint = "manifest of a list of patterns", "remove it and pass --flags and --hops"
    config = read_document(file, _Manifest, what, hint=hint).config
    try:
        flags = PatternFlags.read(config.flags)
    except PatternError as error:
        raise InputError(f"found an invalid {what} ({error})", where=str(file), hint=hint) from None
    return ListDeclaration(hops=tuple(config.hops), flags=flags, reading=config.cycle_reading)


def read_list(path: str | Path, columns: ColumnNames = SAME_NAMES) -> PatternList:
    """Read a list, whose columns may have other names; ``-`` is standard input.

    Raises:
        InputError: the file cannot be read or is empty.
    """
    patterns: list[ListedPattern] = []
    unreadable: list[str] = []
    with open_input(path, "a list of patterns") as source:
        for row in DECODER.with_names(columns).rows(source):
            if isinstance(row, BrokenRow):
                unreadable.append(str(row.error))
                continue
            where = row.place.at()
            # One past the opening quote.
            at = column_of_field(row.text, columns.in_file("pattern")) + 1
            try:
                pattern = read(row.value.pattern, where=where, column=at)
            except PatternError as error:
                unreadable.append(str(error))
            else:
                stated = _stated(row.value)
                patterns.append(ListedPattern(pattern=pattern, where=where, stated=stated))
        if not patterns and not unreadable:
            message = "found no patterns, expected at least one"
            raise InputError(message, where=f"{source.name}:1:1", hint="one pattern a line")
    return PatternList(patterns=tuple(patterns), unreadable=tuple(unreadable))


def _stated(found: PatternRow) -> dict[str, object]:
    values = msgspec.structs.asdict(found)
    del values["pattern"]
    return {name: value for name, value in values.items() if value is not msgspec.UNSET}
