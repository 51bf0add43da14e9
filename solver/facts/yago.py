"""Reads YAGO 4.5: dated facts, classes of their entities, and the schema, from Turtle.

``<< s R o >> schema:startDate d`` and ``endDate`` become dated facts, named as by ``intervals``: a
relation none of whose facts ends keeps its name. Files are read as streams; what grows with the
number of facts is sorted on disk, and only classes, relations and shapes are in memory.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from pyoxigraph import Literal, NamedNode, Triple

from grammar.dates import day_number
from solver.facts.model import Bound
from solver.facts.schema import TYPES, end_name, start_name
from solver.facts.schema_files import CLASSES, RELATIONS
from solver.io.external_sort import AT_ONCE, ExternalSort
from solver.io.sources import InputError, open_input
from solver.io.turtle import OWL, RDF, RDFS, SH, Statement, Term, read_turtle, shortened
from solver.io.writing import atomic, make_folder

FACTS = "facts.tsv"
SCHEMA = "schema"

_YAGO = "http://yago-knowledge.org/resource/"
_PREFIXES = {
    "schema": "http://schema.org/",
    "yago": _YAGO,
    "bioschemas": "https://bioschemas.org/",
    "rdfs": RDFS,
    "owl": OWL,
}
_META = (RDFS, RDF, OWL, SH)
"""Classes of these are of terms, not of entities."""
_BOUNDS = {"startDate": Bound.START, "endDate": Bound.END}
_DATE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?(?:T[0-9:.]+)?(?:Z|[+-]\d\d:\d\d)?")
_CELL = re.compile(r"[^\t\n\r\0]+")


class Imprecise(StrEnum):
    """Dates without a day: left out, or read as the first day of their month or year."""

    SKIP = "skip"
    FIRST = "first"


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What was written.

    Attributes:
        facts, entities, typed: dated facts, their entities, and those with a class.
        relations, classes: of the schema.
        left_out: numbers of triples that became no fact, by reason.
    """

    facts: int
    entities: int
    typed: int
    relations: int
    classes: int
    left_out: dict[str, int]

    @property
    def paths(self) -> tuple[str, ...]:
        """The files, relative to the folder."""
        return (FACTS, *(f"{SCHEMA}/{name}" for name in (CLASSES, RELATIONS, TYPES)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Signature:
    """Domain and range of a relation in a shape; ``qname`` is its qualified name."""

    qname: str
    domain: tuple[str, ...]
    range: tuple[str, ...]
    exclusive: bool


@dataclass(slots=True)
class _Terms:
    """What is in memory: classes, relations, shapes.

    Attributes:
        parents: superclasses of each class.
        disjoint: pairs of classes.
        shapes: the triples of shapes, by subject.
        ends: for each relation with dated facts, whether one of them ends.
        qnames: qualified names of these relations.
    """

    parents: dict[str, set[str]] = field(default_factory=dict)
    disjoint: set[tuple[str, str]] = field(default_factory=set)
    shapes: dict[Term, list[tuple[str, Term]]] = field(default_factory=lambda: defaultdict(list))
    ends: dict[str, bool] = field(default_factory=dict)
    qnames: dict[str, str] = field(default_factory=dict)

    def klass(self, iri: NamedNode) -> str:
        """The name of a class, which is recorded."""
        name = shortened(iri.value, _PREFIXES)
        self.parents.setdefault(name, set())
        return name


def import_yago(
    paths: Sequence[str | Path],
    folder: Path,
    *,
    imprecise: Imprecise = Imprecise.SKIP,
    at_once: int = AT_ONCE,
    progress: Callable[[int], object] | None = None,
) -> Imported:
    """Read files of YAGO and write ``facts.tsv`` and the folder ``schema``.

    Args:
        paths: files in Turtle, plain or gzip, in any order.
        folder: the output folder.
        imprecise: what happens with dates without a day.
        at_once: number of rows that are sorted in memory.
        progress: called with a number of read triples.

    Raises:
        InputError: a file is not Turtle, or there is no dated fact.
        OutputError: a file cannot be written.
    """
    make_folder(folder)
    home, terms, left_out = make_folder(folder / SCHEMA), _Terms(), Counter[str]()
    with ExitStack() as opened:
        facts, types, entities = (
            opened.enter_context(ExternalSort(folder, name, at_once=at_once))
            for name in ("facts", "types", "entities")
        )
        for path in paths:
            with open_input(path, "facts in Turtle") as source:
                for number, statement in enumerate(read_turtle(source), 1):
                    reason = _record(statement, terms, facts, types, imprecise)
                    if reason:
                        left_out[reason] += 1
                    if progress is not None and not number % 1_000:
                        progress(1_000)
        count = 0
        with atomic(folder / FACTS) as file:
            for day, head, relation, bound, tail in facts.rows():
                name = _bound_name(relation, Bound(bound), ends=terms.ends[relation])
                file.write(f"{head}\t{name}\t{tail}\t{day}\n".encode())
                entities.add(head)
                entities.add(tail)
                count += 1
            if not count:
                message = "found no dated facts, expected << s R o >> schema:startDate or endDate"
                raise InputError(message, where=", ".join(map(str, paths)))
        sizes = {"entities": 0, "typed": 0}
        with atomic(home / TYPES) as file:
            file.write(b"entity\tclass\n")
            for name, classes in _joined(entities.rows(), types.rows()):
                sizes["entities"] += 1
                sizes["typed"] += bool(classes)
                if classes:
                    file.write(f"{name}\t{'|'.join(classes)}\n".encode())
    relations = _relations(terms)
    _write_table(home / RELATIONS, relations)
    _write_table(home / CLASSES, _classes(terms))
    return Imported(
        facts=count,
        **sizes,
        relations=len({row[0] for row in relations[1:]}),
        classes=len(terms.parents),
        left_out=dict(sorted(left_out.items())),
    )


def _record(
    statement: Statement,
    terms: _Terms,
    facts: ExternalSort,
    types: ExternalSort,
    imprecise: Imprecise,
) -> str:
    """Record a triple; returns why it is no fact and no part of the schema, or nothing."""
    subject, predicate, object_ = statement
    local = _local(predicate.value)
    if isinstance(subject, Triple):
        if local not in _BOUNDS:
            return "other annotations"
        return _dated(subject, _BOUNDS[local], object_, terms, facts, imprecise)
    if predicate.value.startswith(SH) or predicate.value in (f"{RDF}first", f"{RDF}rest"):
        terms.shapes[subject].append((local, object_))
        return ""
    if not isinstance(subject, NamedNode) or not isinstance(object_, NamedNode):
        return "blank nodes and literals"
    match predicate.value:
        case value if value == f"{RDFS}subClassOf":
            terms.parents.setdefault(terms.klass(subject), set()).add(terms.klass(object_))
        case value if value == f"{OWL}disjointWith":
            klass, other = terms.klass(subject), terms.klass(object_)
            terms.disjoint |= {(klass, other), (other, klass)}
        case value if value == f"{RDF}type":
            if object_.value.startswith(_META):
                if _local(object_.value) in ("Class", "NodeShape"):
                    terms.klass(subject)
                return ""
            name = _entity(subject)
            if name is None:
                return "unwritable names"
            types.add(name, terms.klass(object_))
        case _:
            return "facts without dates"
    return ""


def _dated(
    fact: Triple,
    bound: Bound,
    value: Term,
    terms: _Terms,
    facts: ExternalSort,
    imprecise: Imprecise,
) -> str:
    subject, predicate, object_ = fact.subject, fact.predicate, fact.object
    if not isinstance(subject, NamedNode) or not isinstance(object_, NamedNode):
        return "dates of blank nodes and literals"
    names = _entity(subject), _entity(object_)
    if names[0] is None or names[1] is None:
        return "unwritable names"
    relation = _local(predicate.value)
    # A relation ends even if the day is not known.
    terms.ends[relation] = terms.ends.get(relation, False) or bound is Bound.END
    terms.qnames[relation] = shortened(predicate.value, _PREFIXES)
    match = _DATE.fullmatch(value.value) if isinstance(value, Literal) else None
    if match is None:
        return "dates of another form"
    year, month, day = match.groups()
    if day is None and imprecise is Imprecise.SKIP:
        return "dates without a day"
    written = f"{year}-{month or '01'}-{day or '01'}"
    if day_number(written) is None:
        return "dates of another form"
    facts.add(written, names[0], relation, bound.value, names[1])
    return ""


def _local(iri: str) -> str:
    return re.split(r"[/#]", iri)[-1] or iri


def _entity(iri: NamedNode) -> str | None:
    """The name of an entity: its id in YAGO, or its IRI; None if it fits in no table."""
    name = iri.value.removeprefix(_YAGO)
    return name if _CELL.fullmatch(name) else None


def _bound_name(relation: str, bound: Bound, *, ends: bool) -> str:
    if not ends:
        return relation
    return start_name(relation) if bound is Bound.START else end_name(relation)


def _joined(
    entities: Iterator[tuple[str, ...]], types: Iterator[tuple[str, ...]]
) -> Iterator[tuple[str, list[str]]]:
    """The classes of each entity; both are sorted by entity."""
    row = next(types, None)
    for (name,) in entities:
        while row is not None and row[0] < name:
            row = next(types, None)
        classes = []
        while row is not None and row[0] == name:
            classes.append(row[1])
            row = next(types, None)
        yield name, classes


def _classes(terms: _Terms) -> list[tuple[str, ...]]:
    apart: dict[str, set[str]] = defaultdict(set)
    for name, other in terms.disjoint:
        apart[name].add(other)
    rows = [
        (name, "|".join(sorted(above - {name})), "|".join(sorted(apart[name])))
        for name, above in sorted(terms.parents.items())
    ]
    return [("class", "parents", "disjoint_with"), *rows]


def _relations(terms: _Terms) -> list[tuple[str, ...]]:
    """Rows of ``relations.csv``: one for each signature, or one without classes."""
    signatures = _signatures(terms)
    rows = [
        (
            name,
            signature.qname,
            "|".join(signature.domain),
            "|".join(signature.range),
            "yes" if terms.ends.get(name, True) else "no",
            "yes" if signature.exclusive else "no",
        )
        for name in sorted({*terms.ends, *signatures})
        for signature in signatures.get(name) or [_unsigned(terms.qnames[name])]
    ]
    return [("relation", "qname", "domain_class", "range_class", "can_end", "exclusive"), *rows]


def _unsigned(qname: str) -> _Signature:
    """A relation without a shape: any classes."""
    return _Signature(qname=qname, domain=(), range=(), exclusive=False)


def _signatures(terms: _Terms) -> dict[str, list[_Signature]]:
    """The properties of shapes whose values are entities, by relation."""
    shapes = terms.shapes
    found: dict[str, list[_Signature]] = defaultdict(list)
    for shape, parts in list(shapes.items()):
        properties = [value for name, value in parts if name == "property"]
        targets = [value for name, value in parts if name == "targetClass"] or [shape]
        domain = tuple(terms.klass(target) for target in targets if isinstance(target, NamedNode))
        for other_property in properties:
            own = shapes.get(other_property, [])
            path = next((value for name, value in own if name == "path"), None)
            if not isinstance(path, NamedNode):
                continue
            ranges = list(_ranges(own, shapes, terms))
            if not ranges:
                continue
            most = [value for name, value in own if name == "maxCount"]
            signature = _Signature(
                qname=shortened(path.value, _PREFIXES),
                domain=tuple(sorted(domain)),
                range=tuple(sorted(set(ranges))),
                exclusive=any(isinstance(m, Literal) and m.value == "1" for m in most),
            )
            if signature not in found[_local(path.value)]:
                found[_local(path.value)].append(signature)
    for signatures in found.values():
        signatures.sort(
            key=lambda those_signature: (
                those_signature.qname,
                those_signature.domain,
                those_signature.range,
            )
        )
    return found


def _ranges(
    parts: Iterable[tuple[str, Term]], shapes: dict[Term, list[tuple[str, Term]]], terms: _Terms
) -> Iterator[str]:
    """The classes of ``sh:class`` and ``sh:node``, alone or within ``sh:or``."""
    for name, value in parts:
        if name in ("class", "node") and isinstance(value, NamedNode):
            yield terms.klass(value)
        elif name == "or":
            seen: set[Term] = set()
            while value not in seen:
                seen.add(value)
                own = dict(shapes.get(value, []))
                if "first" in own:
                    yield from _ranges(shapes.get(own["first"], []), {}, terms)
                value = own.get("rest", value)


def _write_table(path: Path, rows: Iterable[tuple[str, ...]]) -> None:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    with atomic(path) as file:
        file.write(text.getvalue().encode())
