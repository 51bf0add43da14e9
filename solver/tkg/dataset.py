"""A temporal knowledge graph with its splits and its names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from solver.tkg.quadruples import Quadruples


class Split(StrEnum):
    """The parts of a data set, in order of time."""

    TRAIN = "train"
    VALID = "valid"
    TEST = "test"


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """How many entities, relations and times there are, and their names if they have any.

    Attributes:
        entities: how many; ids are 0 to this, exclusive. So for relations and times.
        relations: without inverses; the inverse of ``r`` is ``r + relations``.
        entity_names: by id; empty if there are none. So for relations.
        time_names: of times 0, ``time_step``, ``2 * time_step``, ...; empty if there are none.
        time_step: what lies between named times: 1, or 24 for days counted in hours.
    """

    entities: int
    relations: int
    times: int
    entity_names: tuple[str, ...] = ()
    relation_names: tuple[str, ...] = ()
    time_names: tuple[str, ...] = ()
    time_step: int = 1

    def entity(self, number: int) -> str:
        """The entity's name, or its id."""
        return self.entity_names[number] if self.entity_names else str(number)

    def relation(self, number: int) -> str:
        """The relation's name, or its id; an inverse is marked by ``^-1``."""
        plain = number % self.relations
        name = self.relation_names[plain] if self.relation_names else str(plain)
        return name if number < self.relations else f"{name}^-1"

    def time(self, number: int) -> str:
        """The time's name, a date for one, or its number."""
        place, between = divmod(number, self.time_step)
        return str(number) if between or not self.time_names else self.time_names[place]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """Splits over one vocabulary.

    Attributes:
        name: of the folder or file it came from.
        splits: those that there are, in order of time; a file without splits is all ``train``.
        left_out: rows of its files that are no facts, by the reason.
    """

    name: str
    vocabulary: Vocabulary
    splits: Mapping[Split, Quadruples] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)

    def facts(self, *splits: Split) -> Quadruples:
        """The facts of some splits, of all by default, one split after the other."""
        return Quadruples.joined(
            *(self.splits[one] for one in splits or Split if one in self.splits)
        )
