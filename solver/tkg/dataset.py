"""A temporal knowledge graph: splits and vocabulary."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from solver.tkg.quadruples import Quadruples


class Split(StrEnum):
    """Splits of a data set, in chronological order."""

    TRAIN = "train"
    VALID = "valid"
    TEST = "test"


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """Numbers of entities, relations and times, and their names if known.

    Attributes:
        entities: number of entities; ids are 0 to this, exclusive.
        relations: number without inverses; the inverse of ``r`` is ``r + relations``.
        times: number of times; times are 0 to this, exclusive.
        entity_names: names by id; empty if unknown.
        relation_names: names by id; empty if unknown.
        time_names: names of times 0, ``time_step``, ``2 * time_step``, ...; empty if unknown.
        time_step: distance of named times: 1, or 24 for days counted in hours.
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
        """The time's name, such as a date, or its number."""
        place, between = divmod(number, self.time_step)
        return str(number) if between or not self.time_names else self.time_names[place]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """Splits over one vocabulary.

    Attributes:
        name: name of the folder or file.
        splits: facts by split, in chronological order; a file without splits is all ``train``.
        left_out: numbers of skipped rows, by reason.
    """

    name: str
    vocabulary: Vocabulary
    splits: Mapping[Split, Quadruples] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)

    def facts(self, *splits: Split) -> Quadruples:
        """Concatenate the facts of the given splits; all splits by default."""
        return Quadruples.joined(
            *(self.splits[one] for one in splits or Split if one in self.splits)
        )
