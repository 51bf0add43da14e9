"""Schema of a knowledge graph: classes, and the relations between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from solver.io.sources import InputError, Line, lines, open_input, shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Hierarchy:
    """A class hierarchy.

    Attributes:
        parents: direct superclasses of each class; every class is a key.
        disjoint: sorted pairs of classes without common instances.
    """

    parents: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    disjoint: frozenset[tuple[str, str]] = frozenset()

    def above(self, name: str) -> list[str]:
        """The class and its superclasses, each once, nearest first."""
        found = [name]
        for text in found:
            found += [up for up in self.parents.get(text, ()) if up not in found]
        return found

    def path(self, name: str) -> str:
        """Format as ``City < Place < Thing``."""
        return " < ".join(self.above(name))


def pair(name: str, other: str) -> tuple[str, str]:
    """A pair of classes in the order used by ``Hierarchy.disjoint``."""
    return (name, other) if name <= other else (other, name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """An admissible combination of domain and range.

    Attributes:
        domain: allowed classes of the subject; empty for any class. Likewise ``range``.
        qname: the qualified name of the relation: ``schema:spouse``.
    """

    domain: tuple[str, ...]
    range: tuple[str, ...]
    qname: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """A relation of the schema.

    Attributes:
        name: the base name, used by interval facts: ``spouse``.
        start: name of the start relation: ``startSpouse``; the base name if it cannot end.
        end: name of the end relation: ``endSpouse``; None if it cannot end.
        exclusive: whether a subject has one object at a time.
        signatures: alternatives; several where relations share a base name.
    """

    name: str
    start: str
    end: str | None
    exclusive: bool = False
    signatures: tuple[Signature, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """Relations by name, and the class hierarchy."""

    relations: Mapping[str, Relation] = field(default_factory=dict)
    hierarchy: Hierarchy = field(default_factory=Hierarchy)


def start_name(name: str) -> str:
    """The default name of the start relation: ``startSpouse``."""
    return f"start{name[:1].upper()}{name[1:]}"


def end_name(name: str) -> str:
    """The default name of the end relation: ``endSpouse``."""
    return f"end{name[:1].upper()}{name[1:]}"


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
            known += [part for part in cells[1].split("|") if part not in known]
    return EntityTypes(of={e: tuple(c) for e, c in found.items()}, unreadable=tuple(unreadable))


def _fault(line: Line, cells: list[str], hierarchy: Hierarchy) -> str:
    """The fault of a line; empty if it names an entity and known classes."""
    if line.error is not None:
        return line.error.message
    if len(cells) != len(_HEADER) or not all(cells):
        return f"found {shown(line.text)}, expected an entity, a tab and its classes separated by |"
    unknown = [part for part in cells[1].split("|") if part not in hierarchy.parents]
    named = ", ".join(map(shown, unknown))
    return f"found class {named}, expected those of the schema" if unknown else ""
