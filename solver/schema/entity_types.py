"""Reads the classes of entities: one ``entity<TAB>class|class`` per line."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from solver.reading.failures import InputError, shown
from solver.reading.lines import Line, lines
from solver.reading.source import open_input
from solver.schema.hierarchy import Hierarchy

TYPES = "types.tsv"
_HEADER = ("entity", "class")


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityTypes:
    """Classes by entity; ``unreadable`` has a message for each malformed line."""

    of: dict[str, tuple[str, ...]] = field(default_factory=dict)
    unreadable: tuple[str, ...] = ()

    def complete(self) -> EntityTypes:
        """Return these types if every line could be read.

        Raises:
            InputError: a line could not be read.
        """
        if self.unreadable:
            raise InputError(self.unreadable[0])
        return self


def read_types(path: Path, hierarchy: Hierarchy) -> EntityTypes:
    """Read the classes of entities; an entity may have several lines.

    Raises:
        InputError: the file cannot be read.
    """
    found: dict[str, list[str]] = {}
    unreadable = []
    with open_input(path, "classes of entities") as source:
        for line in lines(source):
            cells = [cell.strip() for cell in line.text.split("\t")]
            if line.blank or (line.number == 1 and tuple(cells) == _HEADER):
                continue
            fault = _fault(line, cells, hierarchy)
            if fault:
                unreadable.append(f"{source.name}:{line.number}: {fault}")
                continue
            known = found.setdefault(cells[0], [])
            known += [one for one in cells[1].split("|") if one not in known]
    return EntityTypes(of={e: tuple(c) for e, c in found.items()}, unreadable=tuple(unreadable))


def _fault(line: Line, cells: list[str], hierarchy: Hierarchy) -> str:
    """The fault of a line; empty if it names an entity and known classes."""
    if line.error is not None:
        return line.error.message
    if len(cells) != len(_HEADER) or not all(cells):
        return f"found {shown(line.text)}, expected an entity, a tab and its classes separated by |"
    unknown = [one for one in cells[1].split("|") if one not in hierarchy.parents]
    named = ", ".join(map(shown, unknown))
    return f"found class {named}, expected those of the schema" if unknown else ""
