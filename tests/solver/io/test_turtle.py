"""Turtle with quoted triples: what a random writer wrote comes back; faults have a place."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from solver.io.sources import InputError, open_input
from solver.io.turtle import RDF, XSD, Blank, Iri, Literal, Term, Triple, read_turtle

PREFIXES = {"": "http://e.org/", "y": "http://y.org/resource/", "xsd": XSD}
HEADER = "".join(f"@prefix {name}: <{iri}> .\n" for name, iri in PREFIXES.items())


def read(path: Path, text: str) -> list[Triple]:
    path.write_bytes(text.encode())
    with open_input(path, "Turtle") as source:
        return list(read_turtle(source))


class Writer:
    """Writes random triples in random notations, and remembers them."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.triples: list[Triple] = []
        self.blanks = 0

    def gap(self, needed: bool = False) -> str:
        gaps = [" ", "\n", "\t", " # a . comment <<\n", "\r\n  "]
        return self.chance.choice(gaps if needed else [*gaps, ""])

    def iri(self) -> tuple[str, Iri]:
        chance = self.chance
        prefix, begin = chance.choice([*PREFIXES.items()][:2])
        local = chance.choice(["a", "B_1", "Ada_L-e", "x.y", "é", "a:b", "9", "%41"])
        iri = Iri(begin + local)
        kind = chance.randrange(5)
        if kind == 0:
            return f"<{iri.value}>", iri
        if kind == 1:
            return "<" + "".join(f"\\u{ord(one):04X}" for one in iri.value) + ">", iri
        if kind == 2:
            return rf"{prefix}:{local}\,\(", Iri(f"{iri.value},(")
        return f"{prefix}:{local}", iri

    def literal(self) -> tuple[str, Literal]:
        chance = self.chance
        text = "".join(chance.choices("ab \"'\\\n\t.é🙂<>", k=chance.randrange(8)))
        escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("'", "\\'")
        short = escaped.replace("\n", "\\n")
        written = chance.choice(
            [f'"{short}"', f"'{short}'", f'"""{escaped}"""', f"'''{escaped}'''"]
        )
        if chance.random() < 0.2:
            signs = [(f"\\u{ord(o):04X}" if ord(o) < 65_536 else f"\\U{ord(o):08X}") for o in text]
            written = f'"{"".join(signs)}"'
        kind = chance.randrange(4)
        if kind == 0:
            return f"{written}@en-GB", Literal(text, language="en-GB")
        if kind == 1:
            return f"{written}^^y:t", Literal(text, PREFIXES["y"] + "t")
        if kind == 2:
            plain, name = chance.choice(
                [("5", "integer"), ("-0.5", "decimal"), ("1.e3", "double"), ("true", "boolean")]
            )
            return plain, Literal(plain, XSD + name)
        return written, Literal(text)

    def blank(self) -> Blank:
        self.blanks += 1
        return Blank(f"[{self.blanks}]")

    def term(self, depth: int, *, literal: bool = True, quoted: bool = False) -> tuple[str, Term]:
        kind = self.chance.randrange(8)
        if kind == 0 and depth:
            return self.quoted(depth - 1)
        if kind == 1:
            return "_:b.1", Blank("b.1")
        if kind in (2, 3) and literal:
            return self.literal()
        if kind == 4 and depth and quoted:
            return "[]", self.blank()
        if kind == 4 and depth:
            node = self.blank()
            return f"[{self.gap()}{self.predicates(node, depth - 1)}]", node
        if kind == 5 and depth and not quoted:
            return self.collection(depth - 1)
        return self.iri()

    def quoted(self, depth: int) -> tuple[str, Triple]:
        one, subject = self.term(depth, literal=False, quoted=True)
        two, predicate = self.iri()
        three, object_ = self.term(depth, quoted=True)
        gaps = [self.gap(True) for _ in range(4)]
        text = f"<<{gaps[0]}{one}{gaps[1]}{two}{gaps[2]}{three}{gaps[3]}>>"
        return text, Triple(subject, predicate, object_)

    def collection(self, depth: int) -> tuple[str, Term]:
        items = [self.term(depth) for _ in range(self.chance.randrange(3))]
        nodes: list[Term] = [*(self.blank() for _ in items), Iri(f"{RDF}nil")]
        for (_, item), node, rest in zip(items, nodes[:-1], nodes[1:], strict=True):
            self.triples.append(Triple(node, Iri(f"{RDF}first"), item))
            self.triples.append(Triple(node, Iri(f"{RDF}rest"), rest))
        return f"({' '.join(text for text, _ in items)} )", nodes[0]

    def predicates(self, subject: Term, depth: int) -> str:
        parts = []
        for _ in range(self.chance.randrange(1, 3)):
            named, predicate = (
                self.iri() if self.chance.random() < 0.8 else ("a", Iri(f"{RDF}type"))
            )
            objects = []
            for _ in range(self.chance.randrange(1, 3)):
                text, object_ = self.term(depth)
                triple = Triple(subject, predicate, object_)
                self.triples.append(triple)
                if depth and self.chance.random() < 0.2:
                    text += f" {{| {self.predicates(triple, depth - 1)} |}}"
                objects.append(text)
            parts.append(f"{named}{self.gap(True)}{f' ,{self.gap()}'.join(objects)}")
        return f" ;{self.gap()}".join(parts) + self.chance.choice(["", " ;", " ; ;"])

    def statement(self) -> str:
        text, subject = self.term(2, literal=False)
        return (
            f"{text}{self.gap(True)}{self.predicates(subject, 2)}{self.gap(True)}.{self.gap(True)}"
        )


def files(number: int) -> Iterator[tuple[str, list[Triple]]]:
    for seed in range(number):
        writer = Writer(seed)
        text = "".join(writer.statement() for _ in range(writer.chance.randrange(4)))
        yield HEADER + text, writer.triples


def plain(triples: list[Triple]) -> list[str]:
    return sorted(map(repr, triples))


def test_what_was_written_is_read(tmp_path: Path) -> None:
    for text, triples in files(400):
        assert plain(read(tmp_path / "x.ttl", text)) == plain(triples), text


def test_rdflib_reads_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rdflib = pytest.importorskip("rdflib")
    monkeypatch.setattr(rdflib, "NORMALIZE_LITERALS", False)
    compared = 0
    for written, _ in files(300):
        text = written.replace("comment <<", "comment")
        if "<<" in text or "{|" in text:
            continue
        graph = rdflib.Graph(bind_namespaces="none")
        graph.parse(data=text, format="turtle")

        def theirs(one: Any) -> tuple[str, ...]:
            if isinstance(one, rdflib.BNode):
                return ("blank",)
            if isinstance(one, rdflib.Literal):
                return (str(one), str(one.datatype or ""), (one.language or "").lower())
            return (str(one),)

        ours = {
            tuple(("blank",) if isinstance(one, Blank) else tuple(one) for one in triple)
            for triple in read(tmp_path / "x.ttl", text)
        }
        # Versions of rdflib differ in the case of languages.
        lowered = {
            tuple((*one[:2], one[2].lower()) if len(one) == 3 else one for one in row)
            for row in ours
        }
        assert lowered == {tuple(map(theirs, row)) for row in graph}, text
        compared += 1
    assert compared > 100


def test_a_base(tmp_path: Path) -> None:
    text = "@base <http://e.org/a/> .\n<b> <../c> <#d> .\nBASE <x/>\nPREFIX p: <y#>\n<> p:q <z> ."
    assert [[one.value for one in row] for row in read(tmp_path / "x.ttl", text)] == [  # type: ignore[union-attr]
        ["http://e.org/a/b", "http://e.org/c", "http://e.org/a/#d"],
        ["http://e.org/a/x/", "http://e.org/a/x/y#q", "http://e.org/a/x/z"],
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (":a :b :c", "x.ttl:4:9: found the end of the file, expected ."),
        (":a :b :c .\n:d :e", "x.ttl:5:6: found the end of the file, expected an object"),
        (":a :b\n  ; :c .", "x.ttl:5:3: found ';', expected an object"),
        ("z:a :b :c .", "x.ttl:4:1: found 'z:a', expected a prefix that is declared before"),
        ('"a" :b :c .', "x.ttl:4:1: found '\"a\"', expected a subject"),
        (":a 5 :c .", "x.ttl:4:4: found '5', expected a predicate"),
        (":a :b <c d> .", "x.ttl:4:7: found '<c d> .', expected a term"),
        (':a :b "c\n" .', "x.ttl:4:7: found '\"c', expected a term"),
        (':a :b """c\nd .', "x.ttl:4:7: found no end of a literal"),
        (':a :b """c\n"""d .', "x.ttl:5:4: found 'd', expected ."),
        ("<< :a :b >> :c :d .", "x.ttl:4:10: found '>>', expected an object"),
        ("<< :a :b (:c) >> :c :d .", "x.ttl:4:10: found '(', expected an object"),
        ("<< :a :b :c > :c :d .", "x.ttl:4:13: found '> :c :d .', expected a term"),
        (":a :b [ :c :d .", "x.ttl:4:15: found '.', expected ]"),
        (":a :b :c {| :d :e .", "x.ttl:4:19: found '.', expected |}"),
        ("@prefix a <b> .", "x.ttl:4:9: found 'a', expected a prefix such as yago:"),
        ("@prefix a: b .", "x.ttl:4:12: found 'b', expected an IRI"),
        (":a :b " + "[ :c " * 101, "expected at most 100 nested brackets"),
        (":a :b " + "(" * 101, "expected at most 100 nested brackets"),
        ("<< " * 101, "expected at most 100 nested brackets"),
    ],
)
def test_faults_have_a_place(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path / "x.ttl", HEADER + text)
    assert message in str(caught.value)
    assert "Turtle" in caught.value.hint


def test_triples_come_as_they_are_read(tmp_path: Path) -> None:
    path = tmp_path / "x.ttl"
    path.write_text(HEADER + ":a :b :c .\n" * 3 + ":a :b")
    with open_input(path, "Turtle") as source:
        found = read_turtle(source)
        assert len([next(found) for _ in range(3)]) == 3
        with pytest.raises(InputError):
            next(found)
