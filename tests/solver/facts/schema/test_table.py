"""Schemas as tables and as SHACL shapes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from solver.facts.schema import Schema, read_types
from solver.facts.schema_files import read_schema
from solver.facts.settings import FactSettings
from solver.facts.shapes import read_shapes
from solver.io.sources import InputError
from solver.verification.report import Kind
from solver.verification.run import verify

ROOT = Path(__file__).resolve().parents[4]
EXAMPLE = ROOT / "examples" / "facts" / "schema"
RELATIONS = (
    "relation,qname,domain_class,range_class,can_end,exclusive\n"
    "spouse,s:spouse,Person,Person,yes,yes\n"
    "director,s:director,Place,Person|Firm,yes,yes\n"
    "director,y:director,Firm,Person,yes,no\n"
    "number,s:number,Person,xsd:string,no,no\n"
)
CLASSES = "class,parents,disjoint_with\nPerson,,Place|Firm\nPlace,,\nFirm,,\nCity,Place,\n"

Written = Callable[..., Path]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    """A folder with the two tables, with an optional replacement in one of them."""

    def write(old: str = "", new: str = "") -> Path:
        assert old in RELATIONS + CLASSES
        (tmp_path / "relations.csv").write_text(
            RELATIONS.replace(old, new, 1) if old else RELATIONS
        )
        (tmp_path / "classes.csv").write_text(CLASSES.replace(old, new, 1) if old else CLASSES)
        return tmp_path

    return write


def test_relations_and_classes(written: Written) -> None:
    schema = read_schema(written())
    assert set(schema.relations) == {"spouse", "director", "number"}
    spouse = schema.relations["spouse"]
    assert (spouse.start, spouse.end, spouse.exclusive) == ("startSpouse", "endSpouse", True)
    number = schema.relations["number"]
    assert (number.start, number.end) == ("number", None)
    assert number.signatures[0].range == ()
    director = schema.relations["director"]
    assert [signature.range for signature in director.signatures] == [
        ("Person", "Firm"),
        ("Person",),
    ]
    assert not director.exclusive
    assert schema.hierarchy.path("City") == "City < Place"
    assert schema.hierarchy.disjoint == {("Firm", "Person"), ("Person", "Place")}


def test_another_column_can_mark_exclusive_relations(written: Written) -> None:
    folder = written()
    table = folder / "relations.csv"
    table.write_text(table.read_text().replace("exclusive", "suggested"))
    assert not read_schema(folder).relations["spouse"].exclusive
    assert read_schema(folder, exclusive="suggested").relations["spouse"].exclusive


@pytest.mark.parametrize(
    ("old", "new", "place", "message"),
    [
        ("can_end,", "may_end,", "relations.csv:1", "no column can_end"),
        ("Person,Person,yes,yes", "Person,Person,maybe,yes", "relations.csv:2", "yes or no"),
        ("s:spouse,Person", "s:spouse,Persona", "relations.csv:2", "'Persona' for domain_class"),
        ("Person|Firm", "Person|Firma", "relations.csv:3", "'Firma' for range_class"),
        ("\nspouse,", "\n,", "relations.csv:2", "expected a relation name"),
        ("Person,Person,yes,yes", "Person,Person,yes", "relations.csv:2", "5 columns, expected 6"),
        ("y:director,Firm,Person,yes", "y:director,Firm,Person,no", "relations.csv:4", "twice"),
        ("City,Place,", "City,Area,", "classes.csv:5", "'Area' for parents"),
        ("Person,,Place|Firm", "Person,,Plaza", "classes.csv:2", "'Plaza' for disjoint_with"),
        ("City,Place,", "Firm,Place,", "classes.csv:5", "class 'Firm' again"),
    ],
)  # fmt: skip
def test_faults_are_reported_with_their_position(
    written: Written, old: str, new: str, place: str, message: str
) -> None:
    with pytest.raises(InputError, match="found") as found:
        read_schema(written(old, new))
    assert found.value.where.endswith(place)
    assert message in str(found.value)


def test_missing_or_empty_tables(written: Written, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_schema(tmp_path / "missing")
    folder = written()
    (folder / "relations.csv").write_text(RELATIONS.splitlines()[0])
    with pytest.raises(InputError, match="found no relations"):
        read_schema(folder)
    with pytest.raises(InputError, match="no column of_old"):
        read_schema(written(), exclusive="of_old")


def test_types_of_entities(written: Written, tmp_path: Path) -> None:
    hierarchy = read_schema(written()).hierarchy
    path = tmp_path / "types.tsv"
    path.write_text("entity\tclass\nAda\tPerson\nOld Mill\tPlace|Firm\nAda\tFirm\nBen\tHero\nCy\n")
    types = read_types(path, hierarchy)
    assert types.of == {"Ada": ("Person", "Firm"), "Old Mill": ("Place", "Firm")}
    assert [name.rpartition("types.tsv:")[2][:7] for name in types.unreadable] == [
        "5: foun",
        "6: foun",
    ]


def contents(schema: Schema) -> dict[str, Any]:
    """The part of a schema that both formats express."""
    return {
        name: (
            relation.exclusive,
            sorted((sorted(part.domain), sorted(part.range)) for part in relation.signatures),
        )
        for name, relation in schema.relations.items()
    }


def test_shapes_equal_the_table() -> None:
    table, shapes = read_schema(EXAMPLE), read_schema(EXAMPLE / "shapes.ttl")
    assert dict(shapes.hierarchy.parents) == dict(table.hierarchy.parents)
    assert shapes.hierarchy.disjoint == table.hierarchy.disjoint
    assert len(table.hierarchy.disjoint) == 6
    assert contents(shapes) == contents(table)


def test_the_published_shapes_equal_the_published_table(shared: Path) -> None:
    folder = shared / "data" / "yago2026" / "schema"
    table = read_schema(folder)
    (path,) = folder.glob("*.ttl")
    shapes = read_schema(path)
    every = [part for relation in shapes.relations.values() for part in relation.signatures]
    signatures = [part for relation in table.relations.values() for part in relation.signatures]
    assert len(signatures) == 52
    for part in signatures:
        # The table has one row a relation, the shapes one signature for each range.
        others = [signature for signature in every if signature.qname == part.qname]
        assert set(part.domain) == {name for signature in others for name in signature.domain}, (
            part.qname
        )
        assert set(part.range) == {name for signature in others for name in signature.range}, (
            part.qname
        )
    assert shapes.hierarchy.disjoint == table.hierarchy.disjoint
    for name, ups in shapes.hierarchy.parents.items():
        # The hierarchy of schema.org classes is in a separate file.
        assert set(ups) <= set(table.hierarchy.parents[name]), name


PAIRS = """
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix : <https://example.org/> .
:PersonShape a sh:NodeShape ; sh:targetClass :Person, :Firm ;
    sh:property [ sh:path :location ; sh:class :Place ; sh:maxCount 1 ] .
:EventShape sh:targetClass :Event ;
    sh:property [ sh:path :location ; sh:class :Venue ; sh:maxCount 1 ] .
:Club a sh:NodeShape ;
    sh:property [ sh:path :location ; sh:class :Place ; sh:maxCount 1 ] .
:Poet rdfs:subClassOf :Person .
"""


def test_shapes_keep_their_pairs_of_target_and_range(tmp_path: Path) -> None:
    path = tmp_path / "shapes.ttl"
    path.write_text(PAIRS)
    schema = read_shapes(path)
    classes = {"Person", "Firm", "Event", "Club", "Poet", "Place", "Venue"}
    assert set(schema.hierarchy.parents) == classes
    location = schema.relations["location"]
    assert location.exclusive
    assert [(signature.domain, signature.range) for signature in location.signatures] == [
        (("Club", "Firm", "Person"), ("Place",)),
        (("Event",), ("Venue",)),
    ]


def test_a_pair_of_two_shapes_is_a_violation(tmp_path: Path) -> None:
    """A person at a venue fits the domain of one shape and the range of another."""
    schema, types, facts = (tmp_path / value for value in ("shapes.ttl", "types.tsv", "facts.txt"))
    schema.write_text(PAIRS)
    types.write_text("Ada\tPerson\nGala\tEvent\nHall\tVenue\nYork\tPlace\n")
    rows = (("Ada", "York"), ("Gala", "Hall"), ("Ada", "Hall"), ("Gala", "York"))
    facts.write_text(
        "".join(f"{s}\tstartLocation\t{o}\t2026-01-0{n}\n" for n, (s, o) in enumerate(rows, 1))
    )
    settings = FactSettings(schema=schema, types=types)
    found = verify(facts, Kind.FACTS, config=settings).findings
    assert [(finding.code, finding.where) for finding in found] == [
        ("wrong-signature", f"{facts}:{line}") for line in (3, 4)
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("@prefix : <https://example.org/> .\n:a :b", "expected shapes"),
        ("", "found no shapes"),
        ("\xff", "found byte 0xff, expected text in UTF-8"),
    ],
)
def test_invalid_shapes(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "shapes.ttl"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError, match=message) as found:
        read_shapes(path)
    assert "\n" not in str(found.value)


def test_truncated_prefixes_are_repaired(tmp_path: Path) -> None:
    path = tmp_path / "shapes.ttl"
    text = (EXAMPLE / "shapes.ttl").read_text()
    path.write_text(text.replace("shacl#> .", "shacl").replace("schema#> .", "schema"))
    assert "#> .\n@prefix :" in text
    assert contents(read_shapes(path)) == contents(read_shapes(EXAMPLE / "shapes.ttl"))
