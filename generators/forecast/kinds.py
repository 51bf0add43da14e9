"""Base relation and bound of each relation of a graph: start, end or point event."""

from __future__ import annotations

from dataclasses import dataclass

from solver.schema import Schema
from solver.temporal_facts.dated import Bound
from solver.temporal_facts.linearisation import Naming
from solver.tkg.dataset import Vocabulary


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationKinds:
    """Relations as bounds of base relations.

    Attributes:
        names: names of the base relations, sorted.
        relation: for each relation of the graph, the index of its base relation in ``names``.
        bound: for each relation of the graph, which bound it marks.
        exclusive: for each of ``names``, whether a subject has one object at a time.
    """

    names: tuple[str, ...]
    relation: tuple[int, ...]
    bound: tuple[Bound, ...]
    exclusive: tuple[bool, ...]


def relation_kinds(vocabulary: Vocabulary, schema: Schema | None) -> RelationKinds:
    """Resolve names by the schema; without one, by prefix: ``startSpouse`` starts ``spouse``."""
    naming = Naming.of(schema)
    read = [naming.read(vocabulary.relation(number)) for number in range(vocabulary.relations)]
    names = sorted({name for name, _ in read})
    known = {} if schema is None else schema.relations
    return RelationKinds(
        names=tuple(names),
        relation=tuple(names.index(name) for name, _ in read),
        bound=tuple(bound for _, bound in read),
        exclusive=tuple(schema is None or (n in known and known[n].exclusive) for n in names),
    )
