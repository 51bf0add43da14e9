"""Relations as a schema declares them: which classes they join, whether they end, and how often."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from solver.schema.hierarchy import Hierarchy


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """One way to use a relation.

    Attributes:
        domain: classes of which the subject is one; of any class if there are none. So ``range``.
        qname: what the schema calls the relation in full: ``schema:spouse``.
    """

    domain: tuple[str, ...]
    range: tuple[str, ...]
    qname: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """A relation of the schema.

    Attributes:
        name: as facts with intervals call it: ``spouse``.
        start: what its beginning is called: ``startSpouse``; the name itself if it cannot end.
        end: what its end is called: ``endSpouse``; None if it cannot end.
        exclusive: whether a subject has one object at a time.
        signatures: of which any will do; two relations of one name are told apart by nothing else.
    """

    name: str
    start: str
    end: str | None
    exclusive: bool = False
    signatures: tuple[Signature, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """Relations by their names, and the classes that they join."""

    relations: Mapping[str, Relation] = field(default_factory=dict)
    hierarchy: Hierarchy = field(default_factory=Hierarchy)


def start_name(name: str) -> str:
    """What the beginning of a relation is called: ``startSpouse``."""
    return f"start{name[:1].upper()}{name[1:]}"


def end_name(name: str) -> str:
    """What the end of a relation is called: ``endSpouse``."""
    return f"end{name[:1].upper()}{name[1:]}"
