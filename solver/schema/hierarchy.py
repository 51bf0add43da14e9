"""Classes, those above them, and those that have nothing in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Hierarchy:
    """A hierarchy of classes.

    Attributes:
        parents: of each class, those directly above it; every class is a key.
        disjoint: pairs of classes, each sorted, that no entity is both of.
    """

    parents: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    disjoint: frozenset[tuple[str, str]] = frozenset()

    def above(self, name: str) -> list[str]:
        """The class and those above it, each once, the nearest first."""
        found = [name]
        for one in found:
            found += [up for up in self.parents.get(one, ()) if up not in found]
        return found

    def path(self, name: str) -> str:
        """Read as ``City < Place < Thing``."""
        return " < ".join(self.above(name))


def pair(one: str, other: str) -> tuple[str, str]:
    """Two classes as ``Hierarchy.disjoint`` holds them."""
    return (one, other) if one <= other else (other, one)
