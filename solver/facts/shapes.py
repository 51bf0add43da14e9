"""Reads a schema from SHACL shapes in Turtle.

The classes of a shape, by ``sh:targetClass`` or else the shape itself, are the domain of the
shape's properties; ``sh:class``, alone or within ``sh:or``, gives the range. Each shape keeps its
own pair of domain and range. ``sh:maxCount 1`` makes a relation exclusive. Shapes do not declare
which relations can end, so every relation can.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from pyoxigraph import NamedNode

from solver.facts.schema import Hierarchy, Relation, Schema, Signature, end_name, pair, start_name
from solver.io.sources import InputError, open_input
from solver.io.turtle import OWL, RDF, RDFS, SH, Term, read_turtle, shortened


def read_shapes(path: Path) -> Schema:
    """Read a file of shapes.

    Raises:
        InputError: the file cannot be read, or holds no shapes.
    """
    graph = _Graph(path)
    hierarchy = _hierarchy(graph)
    relations = _relations(graph, hierarchy)
    if not relations:
        raise InputError("found no shapes with properties, expected some", where=str(path))
    return Schema(relations=relations, hierarchy=hierarchy)


class _Graph:
    """The triples of a file, by predicate and subject."""

    def __init__(self, path: Path) -> None:
        self._objects: dict[str, dict[Term, list[Term]]] = defaultdict(lambda: defaultdict(list))
        prefixes: dict[str, str] = {}
        with open_input(path, "SHACL shapes") as source:
            for subject, predicate, object_ in read_turtle(source, prefixes, expected="shapes"):
                self._objects[predicate.value][subject].append(object_)
        # Of nested namespaces, the innermost names a class.
        self._prefixes = dict(sorted(prefixes.items(), key=lambda entry: -len(entry[1])))

    def pairs(self, predicate: str) -> Iterator[tuple[Term, Term]]:
        """Subjects and objects of a predicate."""
        for subject, objects in self._objects[predicate].items():
            for object_ in objects:
                yield subject, object_

    def objects(self, subject: Term, predicate: str) -> list[Term]:
        """The objects of a subject and a predicate."""
        return self._objects[predicate].get(subject, [])

    def items(self, head: Term) -> Iterator[Term]:
        """The items of a collection."""
        visited: set[Term] = set()
        cells = [head]
        for cell in cells:
            if cell not in visited:
                visited.add(cell)
                yield from self.objects(cell, f"{RDF}first")
                cells += self.objects(cell, f"{RDF}rest")

    def name(self, node: Term) -> str:
        """The qualified name: ``schema:Person``; the full IRI if no prefix matches."""
        if not isinstance(node, NamedNode):
            return str(getattr(node, "value", node))
        return shortened(node.value, self._prefixes).removeprefix(":")


def _hierarchy(graph: _Graph) -> Hierarchy:
    """Classes with a shape, their superclasses, and classes used as range or in disjointness."""
    shapes = {subject for subject, _ in graph.pairs(f"{SH}targetClass")}
    for subject, kind in graph.pairs(f"{RDF}type"):
        if kind == NamedNode(f"{SH}NodeShape"):
            shapes.add(subject)
    names = {name for shape in shapes for name in _targets(graph, shape)}
    parents: dict[str, set[str]] = defaultdict(set)
    for child, parent in graph.pairs(f"{RDFS}subClassOf"):
        parents[graph.name(child)].add(graph.name(parent))
    disjoint = frozenset(
        pair(graph.name(left), graph.name(right))
        for left, right in graph.pairs(f"{OWL}disjointWith")
    )
    names |= {graph.name(range_) for _, range_ in graph.pairs(f"{SH}class")}
    names |= {name for both in disjoint for name in both}
    names |= set(parents) | {name for above in parents.values() for name in above}
    return Hierarchy(
        parents={name: tuple(sorted(parents.get(name, ()))) for name in sorted(names)},
        disjoint=disjoint,
    )


def _relations(graph: _Graph, hierarchy: Hierarchy) -> dict[str, Relation]:
    """Relations by local name; relations that share one become signatures of one relation."""
    ranges: dict[str, dict[Term, set[str]]] = defaultdict(lambda: defaultdict(set))
    single: dict[str, bool] = {}
    for shape, body in graph.pairs(f"{SH}property"):
        for path in graph.objects(body, f"{SH}path"):
            name = graph.name(path)
            ranges[name][shape] |= _range(graph, body)
            most = {graph.name(count) for count in graph.objects(body, f"{SH}maxCount")}
            single[name] = single.get(name, True) and most == {"1"}
    by_name: dict[str, list[str]] = defaultdict(list)
    for qname in sorted(ranges):
        by_name[qname.rpartition(":")[2]].append(qname)
    return {
        name: Relation(
            name=name,
            start=start_name(name),
            end=end_name(name),
            exclusive=all(single[qname] for qname in qnames),
            signatures=tuple(
                Signature(domain=domain, range=range_, qname=qname)
                for qname in qnames
                for domain, range_ in _pairs(graph, ranges[qname], hierarchy)
            ),
        )
        for name, qnames in sorted(by_name.items())
    }


def _pairs(
    graph: _Graph, ranges: dict[Term, set[str]], hierarchy: Hierarchy
) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Domain and range of a relation by shape; shapes with the same range share a pair."""
    domains: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for shape, names in ranges.items():
        domains[_classes(names, hierarchy)] |= _targets(graph, shape)
    return sorted((_classes(names, hierarchy), found) for found, names in domains.items())


def _targets(graph: _Graph, shape: Term) -> set[str]:
    """The classes whose instances a shape describes."""
    classes = graph.objects(shape, f"{SH}targetClass") or [shape]
    return {graph.name(class_) for class_ in classes}


def _classes(names: Iterable[str], hierarchy: Hierarchy) -> tuple[str, ...]:
    """The names, sorted, if all are classes; empty (any class) if one is a datatype."""
    found = sorted(names)
    return tuple(found) if all(name in hierarchy.parents for name in found) else ()


def _range(graph: _Graph, body: Term) -> set[str]:
    """The classes or literal datatypes allowed as object of a property."""
    bodies = [body]
    for head in graph.objects(body, f"{SH}or"):
        bodies += graph.items(head)
    return {
        graph.name(range_)
        for part in bodies
        for kind in ("class", "datatype")
        for range_ in graph.objects(part, f"{SH}{kind}")
    }
