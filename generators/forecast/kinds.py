"""What each relation of a graph tells of: the start or the end of what lasts, or what happens."""

from __future__ import annotations

from dataclasses import dataclass

from solver.schema import Schema
from solver.temporal_facts.dated import Bound
from solver.temporal_facts.linearisation import Naming
from solver.tkg.dataset import Vocabulary


@dataclass(frozen=True, slots=True, kw_only=True)
class Kinds:
    """Relations as bounds of relations that last.

    Attributes:
        names: of the relations without their bounds, sorted.
        relation: of each relation of the graph its row in ``names``; bound: what it tells of.
        exclusive: of each of ``names`` whether a subject has one object at a time.
    """

    names: tuple[str, ...]
    relation: tuple[int, ...]
    bound: tuple[Bound, ...]
    exclusive: tuple[bool, ...]


def kinds_of(vocabulary: Vocabulary, schema: Schema | None) -> Kinds:
    """Read names as the schema does; without one ``startSpouse`` starts ``spouse``."""
    naming = Naming.of(schema)
    read = [naming.read(vocabulary.relation(number)) for number in range(vocabulary.relations)]
    names = sorted({name for name, _ in read})
    known = {} if schema is None else schema.relations
    return Kinds(
        names=tuple(names),
        relation=tuple(names.index(name) for name, _ in read),
        bound=tuple(bound for _, bound in read),
        exclusive=tuple(schema is None or (n in known and known[n].exclusive) for n in names),
    )
