"""Reads a schema from SHACL shapes in Turtle.

The classes of a shape, by ``sh:targetClass`` or else the shape itself, are the domain of the
shape's properties; ``sh:class``, alone or within ``sh:or``, gives the range. Each shape keeps its
own pair of domain and range. ``sh:maxCount 1`` makes a relation exclusive. Shapes do not declare
which relations can end, so every relation can.
"""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from solver.extras import require
from solver.facts.schema import Hierarchy, Relation, Schema, Signature, end_name, pair, start_name
from solver.io.sources import InputError, open_input

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rdflib import Graph
    from rdflib.term import Node

_CUT = re.compile(r"^(@prefix\s+\w*:\s*<[^<>\s#]+)[ \t]*$", re.MULTILINE)
_PLACE = re.compile(r"at line (\d+)")


def read_shapes(path: Path) -> Schema:
    """Read a file of shapes.

    Prefixes truncated at ``#``, as in a file whose comments were stripped, are repaired:
    ``@prefix sh: <http://www.w3.org/ns/shacl`` becomes ``...shacl#> .``.

    Raises:
        InputError: the file cannot be read, or holds no shapes.
        MissingLibraryError: rdflib is not installed.
    """
    graph = _graph(path)
    hierarchy = _hierarchy(graph)
    relations = _relations(graph, hierarchy)
    if not relations:
        raise InputError("found no shapes with properties, expected some", where=str(path))
    return Schema(relations=relations, hierarchy=hierarchy)


def _graph(path: Path) -> Graph:
    require("a schema of SHACL shapes", "rdflib")
    from rdflib import Graph
    from rdflib.exceptions import ParserError
    from rdflib.plugins.parsers.notation3 import BadSyntax

    with open_input(path, "SHACL shapes") as source:
        data = source.whole()
    # Use only the prefixes of the file; rdflib's defaults may bind other namespaces.
    graph = Graph(bind_namespaces="none")
    try:
        graph.parse(data=_CUT.sub(r"\1#> .", data.decode()), format="turtle")
    # On truncated Turtle the parser raises LookupError.
    except (BadSyntax, ParserError, ValueError, LookupError, RecursionError) as error:
        place = _PLACE.search(str(error))
        where = f"{path}:{place[1]}" if place else str(path)
        reason = " ".join(str(getattr(error, "message", error)).split())[:80]
        raise InputError(f"found broken Turtle ({reason}), expected shapes", where=where) from None
    return graph


def _hierarchy(graph: Graph) -> Hierarchy:
    """Classes with a shape, their superclasses, and classes used as range or in disjointness."""
    from rdflib import OWL, RDF, RDFS, SH

    names: set[str] = set()
    for shape in {*graph.subjects(RDF.type, SH.NodeShape), *graph.subjects(SH.targetClass)}:
        names |= _targets(graph, shape)
    parents: dict[str, set[str]] = defaultdict(set)
    for one, up in graph.subject_objects(RDFS.subClassOf):
        parents[_name(graph, one)].add(_name(graph, up))
    disjoint = frozenset(
        pair(_name(graph, one), _name(graph, other))
        for one, other in graph.subject_objects(OWL.disjointWith)
    )
    names |= {_name(graph, one) for one in graph.objects(None, SH["class"])}
    names |= {one for both in disjoint for one in both}
    names |= set(parents) | {up for ups in parents.values() for up in ups}
    return Hierarchy(
        parents={name: tuple(sorted(parents.get(name, ()))) for name in sorted(names)},
        disjoint=disjoint,
    )


def _relations(graph: Graph, hierarchy: Hierarchy) -> dict[str, Relation]:
    """Relations by local name; relations that share one become signatures of one relation."""
    from rdflib import SH

    ranges: dict[str, dict[Node, set[str]]] = defaultdict(lambda: defaultdict(set))
    single: dict[str, bool] = {}
    for shape, body in graph.subject_objects(SH.property):
        for path in graph.objects(body, SH.path):
            name = _name(graph, path)
            ranges[name][shape] |= _range(graph, body)
            most = {str(one) for one in graph.objects(body, SH.maxCount)}
            single[name] = single.get(name, True) and most == {"1"}
    by_name: dict[str, list[str]] = defaultdict(list)
    for qname in sorted(ranges):
        by_name[qname.rpartition(":")[2]].append(qname)
    return {
        name: Relation(
            name=name,
            start=start_name(name),
            end=end_name(name),
            exclusive=all(single[one] for one in qnames),
            signatures=tuple(
                Signature(domain=domain, range=range_, qname=one)
                for one in qnames
                for domain, range_ in _pairs(graph, ranges[one], hierarchy)
            ),
        )
        for name, qnames in sorted(by_name.items())
    }


def _pairs(
    graph: Graph, ranges: dict[Node, set[str]], hierarchy: Hierarchy
) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Domain and range of a relation by shape; shapes with the same range share a pair."""
    domains: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for shape, names in ranges.items():
        domains[_classes(names, hierarchy)] |= _targets(graph, shape)
    return sorted((_classes(names, hierarchy), found) for found, names in domains.items())


def _targets(graph: Graph, shape: Node) -> set[str]:
    """The classes whose instances a shape describes."""
    from rdflib import SH

    return {_name(graph, one) for one in graph.objects(shape, SH.targetClass)} or {
        _name(graph, shape)
    }


def _classes(names: Iterable[str], hierarchy: Hierarchy) -> tuple[str, ...]:
    """The names, sorted, if all are classes; empty (any class) if one is a datatype."""
    found = sorted(names)
    return tuple(found) if all(name in hierarchy.parents for name in found) else ()


def _range(graph: Graph, body: Node) -> set[str]:
    """The classes or literal datatypes allowed as object of a property."""
    from rdflib import SH
    from rdflib.collection import Collection

    bodies = [body]
    for head in graph.objects(body, SH["or"]):
        bodies += list(Collection(graph, head))
    wanted = (SH["class"], SH.datatype)
    return {
        _name(graph, one) for part in bodies for kind in wanted for one in graph.objects(part, kind)
    }


def _name(graph: Graph, node: Node) -> str:
    """The qualified name: ``schema:Person``; the full IRI if no prefix matches."""
    from rdflib import URIRef

    if not isinstance(node, URIRef):
        return str(node)
    try:
        prefix, _, rest = graph.compute_qname(str(node), generate=False)
    except (KeyError, ValueError):
        return str(node)
    return f"{prefix}:{rest}" if prefix else str(rest)
