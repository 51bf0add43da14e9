"""The class hierarchy: superclasses and disjointness."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


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
        for one in found:
            found += [up for up in self.parents.get(one, ()) if up not in found]
        return found

    def path(self, name: str) -> str:
        """Format as ``City < Place < Thing``."""
        return " < ".join(self.above(name))


def pair(one: str, other: str) -> tuple[str, str]:
    """A pair of classes in the order used by ``Hierarchy.disjoint``."""
    return (one, other) if one <= other else (other, one)
