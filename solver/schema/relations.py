"""Relations of a schema: domain, range, names of their bounds, and exclusiveness."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from solver.schema.hierarchy import Hierarchy


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
