"""Turtle with quoted triples: what a random writer wrote comes back; faults have a place."""

from __future__ import annotations

import gzip
import random
import re
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, TypeAlias

import pyoxigraph
import pytest

from solver.io import sources
from solver.io.sources import InputError, open_input
from solver.io.turtle import RDF, Statement, read_turtle
from solver.io.turtle import Term as ReadTerm

XSD = "http://www.w3.org/2001/XMLSchema#"
PREFIXES = {"": "http://e.org/", "y": "http://y.org/resource/", "xsd": XSD}
HEADER = "".join(f"@prefix {name}: <{iri}> .\n" for name, iri in PREFIXES.items())


class Iri(NamedTuple):
    value: str


class Blank(NamedTuple):
    label: str


class Literal(NamedTuple):
    text: str
    datatype: str = ""
    language: str = ""


class Triple(NamedTuple):
    subject: Term
    predicate: Iri
    object: Term


Term: TypeAlias = Iri | Blank | Literal | Triple


def read(path: Path, text: str) -> list[Statement]:
    path.write_bytes(text.encode())
    with open_input(path, "Turtle") as source:
        return list(read_turtle(source))


def written(term: ReadTerm | Term, *, subject: bool = False) -> str:
    """A term in one notation; quoted triples other than subjects are read as blank nodes."""
    match term:
        case pyoxigraph.NamedNode() | Iri():
            return f"<{term.value}>"
        case pyoxigraph.Literal():
            datatype = "" if term.language else term.datatype.value.replace(f"{XSD}string", "")
            return written(Literal(term.value, datatype, term.language or ""))
        case Literal(text, datatype, language):
            kind = f"@{language.lower()}" if language else f"^^{datatype}" if datatype else ""
            return repr(text) + kind.replace(XSD, "")
        case pyoxigraph.Triple() | Triple() if subject:
            return f"<< {' '.join(map(written, (term.subject, term.predicate, term.object)))} >>"
        case _:
            return "_"


def plain(triples: list[Statement] | list[Triple]) -> list[str]:
    return sorted(
        f"{written(subject, subject=True)} {written(predicate)} {written(object_)}"
        for subject, predicate, object_ in triples
    )


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
            return "<" + "".join(f"\\u{ord(name):04X}" for name in iri.value) + ">", iri
        if kind == 2:
            return rf"{prefix}:{local}\,\(", Iri(f"{iri.value},(")
        return f"{prefix}:{local}", iri

    def literal(self, *, quoted: bool) -> tuple[str, Literal]:
        chance = self.chance
        text = "".join(chance.choices("ab \"'\\\n\t.é🙂<>", k=chance.randrange(8)))
        escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("'", "\\'")
        short = escaped.replace("\n", "\\n")
        written = chance.choice(
            [f'"{short}"', f"'{short}'", f'"""{escaped}"""', f"'''{escaped}'''"][
                : 2 if quoted else 4
            ]
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
            return self.literal(quoted=quoted)
        if kind == 4 and depth and quoted:
            return "[]", self.blank()
        if kind == 4 and depth:
            node = self.blank()
            return f"[{self.gap()}{self.predicates(node, depth - 1)}]", node
        if kind == 5 and depth and not quoted:
            return self.collection(depth - 1)
        return self.iri()

    def quoted(self, depth: int) -> tuple[str, Triple]:
        name, subject = self.term(depth, literal=False, quoted=True)
        two, predicate = self.iri()
        three, object_ = self.term(depth, quoted=True)
        gaps = [self.gap(True) for _ in range(4)]
        text = f"<<{gaps[0]}{name}{gaps[1]}{two}{gaps[2]}{three}{gaps[3]}>>"
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


def test_what_was_written_is_read(tmp_path: Path) -> None:
    for text, triples in files(400):
        assert plain(read(tmp_path / "x.ttl", text)) == plain(triples), text


# What the reader that was written for this project before read.
READ: tuple[tuple[str, tuple[str, ...]], ...] = (
    (":a :b :c .", ("<E:a> <E:b> <E:c>",)),
    (
        ':a a :c , :d ; :e "f" ;; .',
        ("<E:a> <E:e> 'f'", "<E:a> <RDF:type> <E:c>", "<E:a> <RDF:type> <E:d>"),
    ),
    (
        ':a :b "x"@en-gb , "y"^^xsd:date , \'z\' .',
        ("<E:a> <E:b> 'x'@en-gb", "<E:a> <E:b> 'y'^^date", "<E:a> <E:b> 'z'"),
    ),
    (
        ":a :b 5 , -0.5 , +1e3 , 1.e3 , .5 , true , false .",
        (
            "<E:a> <E:b> '+1e3'^^double",
            "<E:a> <E:b> '-0.5'^^decimal",
            "<E:a> <E:b> '.5'^^decimal",
            "<E:a> <E:b> '1.e3'^^double",
            "<E:a> <E:b> '5'^^integer",
            "<E:a> <E:b> 'false'^^boolean",
            "<E:a> <E:b> 'true'^^boolean",
        ),
    ),
    (':a :b "tab\\t\\"q\\" \\u00e9 \\U0001F642" .', ("<E:a> <E:b> 'tab\\t\"q\" é 🙂'",)),
    (':a :b """two\nlines "quoted" (open""" .', ("<E:a> <E:b> 'two\\nlines \"quoted\" (open'",)),
    (":a :b '''it''s''' .", ("<E:a> <E:b> \"it''s\"",)),
    (':a :b "" , \'\' , """""" .', ("<E:a> <E:b> ''", "<E:a> <E:b> ''", "<E:a> <E:b> ''")),
    (":a\\,\\(b :b :c%41 .", ("<E:a,(b> <E:b> <E:c%41>",)),
    (
        ":x.y :b :a:b , :9 , :é·ü .",
        ("<E:x.y> <E:b> <E:9>", "<E:x.y> <E:b> <E:a:b>", "<E:x.y> <E:b> <E:é·ü>"),
    ),
    ("y:Ada_Lovelace y:p <http://e.org/z#t> .", ("<Y:Ada_Lovelace> <Y:p> <E:z#t>",)),
    ("<http://e.org/[1]> :b <http://e.org/%zz> .", ("<E:[1]> <E:b> <E:%zz>",)),
    ("<rel> :b <../up> .", ("<rel> <E:b> <../up>",)),
    ("<\\u0068ttp://e.org/a> :b :c .", ("<E:a> <E:b> <E:c>",)),
    (
        "@base <http://e.org/a/> .\n<b> :b <../c> , <#d> , <> .",
        ("<E:a/b> <E:b> <E:a/#d>", "<E:a/b> <E:b> <E:a/>", "<E:a/b> <E:b> <E:c>"),
    ),
    ("BASE <http://e.org/a/>\nPREFIX p: <y#>\n<> p:q <z> .", ("<E:a/> <E:a/y#q> <E:a/z>",)),
    ("@prefix é: <http://f.org/> .\né:a :b :c .", ("<http://f.org/a> <E:b> <E:c>",)),
    ("_:n :b _:m .", ("_ <E:b> _",)),
    ("[] :b [] .", ("_ <E:b> _",)),
    ("[ :b :c ] .", ("_ <E:b> <E:c>",)),
    (
        "[ :b :c ; :d [ :e 1 ] ] :f :g .",
        ("_ <E:b> <E:c>", "_ <E:d> _", "_ <E:e> '1'^^integer", "_ <E:f> <E:g>"),
    ),
    (
        ':a :b ( 1 ( :c ) "x" ) , () .',
        (
            "<E:a> <E:b> <RDF:nil>",
            "<E:a> <E:b> _",
            "_ <RDF:first> '1'^^integer",
            "_ <RDF:first> 'x'",
            "_ <RDF:first> <E:c>",
            "_ <RDF:first> _",
            "_ <RDF:rest> <RDF:nil>",
            "_ <RDF:rest> <RDF:nil>",
            "_ <RDF:rest> _",
            "_ <RDF:rest> _",
        ),
    ),
    ("() :b :c .", ("<RDF:nil> <E:b> <E:c>",)),
    ("( :a ) :b :c .", ("_ <E:b> <E:c>", "_ <RDF:first> <E:a>", "_ <RDF:rest> <RDF:nil>")),
    (
        '<< :a :b :c >> :d "2031-01-01"^^xsd:date .',
        ("<< <E:a> <E:b> <E:c> >> <E:d> '2031-01-01'^^date",),
    ),
    (
        "<< :a :b :c >> :d 1 , 2 ; :e 3 .",
        (
            "<< <E:a> <E:b> <E:c> >> <E:d> '1'^^integer",
            "<< <E:a> <E:b> <E:c> >> <E:d> '2'^^integer",
            "<< <E:a> <E:b> <E:c> >> <E:e> '3'^^integer",
        ),
    ),
    ('<< :a :b "x"@en >> :d :e .', ("<< <E:a> <E:b> 'x'@en >> <E:d> <E:e>",)),
    ("<< [] :b :c >> :d :e .", ("<< _ <E:b> <E:c> >> <E:d> <E:e>",)),
    ("<< << :a :b :c >> :d :e >> :f :g .", ("<< _ <E:d> <E:e> >> <E:f> <E:g>",)),
    (":a :b << :c :d :e >> .", ("<E:a> <E:b> _",)),
    (
        ":a :b :c {| :d 1 ; :e 2 |} , :f {| :d 3 |} .",
        (
            "<< <E:a> <E:b> <E:c> >> <E:d> '1'^^integer",
            "<< <E:a> <E:b> <E:c> >> <E:e> '2'^^integer",
            "<< <E:a> <E:b> <E:f> >> <E:d> '3'^^integer",
            "<E:a> <E:b> <E:c>",
            "<E:a> <E:b> <E:f>",
        ),
    ),
    (
        ":a :b :c {| :d :e {| :f :g |} ; :h 1 |} .",
        (
            "<< <E:a> <E:b> <E:c> >> <E:d> <E:e>",
            "<< <E:a> <E:b> <E:c> >> <E:h> '1'^^integer",
            "<< _ <E:d> <E:e> >> <E:f> <E:g>",
            "<E:a> <E:b> <E:c>",
        ),
    ),
    ("# only a comment << (", ()),
    ("", ()),
    (":a :b :c .# x\n#y\n:d :e :f.", ("<E:a> <E:b> <E:c>", "<E:d> <E:e> <E:f>")),
    (":a :b :c .\r\n:d\t:e\r\n:f .", ("<E:a> <E:b> <E:c>", "<E:d> <E:e> <E:f>")),
    (':a :b "#(<" . # "', ("<E:a> <E:b> '#(<'",)),
    (':a :b "x"@prefix , "y"@base .', ("<E:a> <E:b> 'x'@prefix", "<E:a> <E:b> 'y'@base")),
    (
        "prefix y: <http://z.org/> y:a y:b y:c .",
        ("<http://z.org/a> <http://z.org/b> <http://z.org/c>",),
    ),
)


@pytest.mark.parametrize(("text", "facts"), READ)
def test_the_facts_of_a_file(text: str, facts: tuple[str, ...], tmp_path: Path) -> None:
    found = plain(read(tmp_path / "x.ttl", HEADER + text))
    names = {"E:": PREFIXES[""], "Y:": PREFIXES["y"], "RDF:": RDF}
    for short, iri in names.items():
        facts = tuple(fact.replace(f"<{short}", f"<{iri}") for fact in facts)
    assert found == sorted(facts)


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (":a :b :c ~ :r . :r :d 1 .", "<< E:a E:b E:c >> E:d '1'^^integer"),
        ("_:r rdf:reifies <<( :a :b :c )>> . _:r :d 1 .", "<< E:a E:b E:c >> E:d '1'^^integer"),
        ('VERSION "1.2" :a :b :c .', "E:a E:b E:c"),
    ],
)
def test_quoted_triples_of_rdf_1_2(text: str, facts: str, tmp_path: Path) -> None:
    found = plain(read(tmp_path / "x.ttl", f"PREFIX rdf: <{RDF}>\n{HEADER}{text}"))
    assert facts in [re.sub(r"<http://e.org/(\w)>", r"E:\1", fact) for fact in found]


def test_a_base(tmp_path: Path) -> None:
    text = "@base <http://e.org/a/> .\n<b> <../c> <#d> .\nBASE <x/>\nPREFIX p: <y#>\n<> p:q <z> ."
    assert [[written(term)[1:-1] for term in row] for row in read(tmp_path / "x.ttl", text)] == [
        ["http://e.org/a/b", "http://e.org/c", "http://e.org/a/#d"],
        ["http://e.org/a/x/", "http://e.org/a/x/y#q", "http://e.org/a/x/z"],
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (":a :b :c", "x.ttl:5:1: found broken Turtle (Unexpected end), expected triples"),
        (":a :b :c .\n:d :e", "x.ttl:6:1: found broken Turtle (Unexpected end)"),
        (":a :b\n  ; :c .", "x.ttl:5:3: found broken Turtle (; is not a valid RDF object)"),
        ("z:a :b :c .", "x.ttl:4:1: found broken Turtle (The prefix z: has not been declared)"),
        ('"a" :b :c .', 'x.ttl:4:1: found broken Turtle ("a" is not a valid subject'),
        (":a 5 :c .", "x.ttl:4:4: found broken Turtle (5 is not a valid predicate)"),
        (":a :b True .", "x.ttl:4:7: found broken Turtle (True is not a valid RDF object)"),
        (":a :b <c d> .", "x.ttl:4:7: found '<c d> .', expected a term"),
        (":a :b <c\n> .", "x.ttl:4:7: found '<c', expected a term"),
        (':a :b "é🙂" "c\n" .', "x.ttl:4:12: found '\"c', expected a term"),
        (":a :b 'c\n' .", 'x.ttl:4:7: found "\'c", expected a term'),
        (':a :b """c\nd .', "x.ttl:4:7: found broken Turtle (Unexpected end of file)"),
        (':a :b """c\n"""d .', "x.ttl:5:4: found broken Turtle (d is not a valid subject"),
        (':a :b "\\uD800" .', "x.ttl:4:8: found broken Turtle (UTF-16 surrogate"),
        (':a :b "\\q" .', "x.ttl:4:8: found broken Turtle (Unexpected escape character"),
        (":a :b :c \x07 .", "x.ttl:4:10: found broken Turtle ("),
        ("<< :a :b >> :c :d .", "x.ttl:4:10: found broken Turtle (>> is not a valid RDF quoted"),
        ("<< :a :b (:c) >> :c :d .", "x.ttl:4:10: found broken Turtle (( is not a valid"),
        # A fault of pyoxigraph: it is Turtle.
        ('<< :a :b """c""" >> :c :d .', 'found broken Turtle ("""c""" is not a valid RDF quoted'),
        ("<< :a :b :c > :c :d .", "x.ttl:4:13: found broken Turtle (Expecting '>>' to close"),
        (":a :b [ :c :d .", "x.ttl:4:15: found broken Turtle (blank node property lists should"),
        (":a :b :c {| :d :e .", "x.ttl:4:19: found broken Turtle (Annotations should end"),
        (":a :b :c ) .", "x.ttl:4:10: found broken Turtle () is not a valid subject"),
        ("@prefix a <b> .", "x.ttl:4:9: found broken Turtle (The PREFIX keyword"),
        ("@prefix a: b .", "x.ttl:4:12: found broken Turtle (The PREFIX declaration"),
        ("GRAPH :g { :a :b :c }", "x.ttl:4:1: found broken Turtle (GRAPH is not a valid subject"),
        (":a :b " + "[ :c " * 101, "x.ttl:4:507: found more, expected at most 100 nested brackets"),
        (":a :b " + "(" * 101, "expected at most 100 nested brackets"),
        ("<< " * 101, "expected at most 100 nested brackets"),
        (":a :b " + '<<( :a # """ >> }\n :b ' * 60, "expected at most 100 nested brackets"),
        (":a :b :c " + "{| :d ')' , \\) , 'it\\'s ]' ; :e 1" * 101, "nested brackets"),
    ],
)
def test_faults_have_a_place(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path / "x.ttl", HEADER + text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert str(caught.value).isprintable()
    assert "Turtle" in caught.value.hint


def test_brackets_in_literals_are_not_nested(tmp_path: Path) -> None:
    text = ':a :b "(([[" , \'{\' , <http://e.org/((> , """<< (\n ( """ . # <<((\n'
    assert len(read(tmp_path / "x.ttl", HEADER + text * 100)) == 400


def test_a_literal_of_many_lines_has_a_limit(tmp_path: Path) -> None:
    text = ':a :b """' + ("x" * 2**20 + "\n") * 17
    with pytest.raises(InputError, match="found a term that is too long"):
        read(tmp_path / "x.ttl", HEADER + text)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b':a :b "\xe9" .\n', "x.ttl:4:8: found byte 0xe9, expected text in UTF-8"),
        (b':a :b "\0" .\n', "x.ttl:4:8: found a NUL character"),
        (b"# " + b"x" * sources.LINE_LIMIT, "x.ttl:4:1: found a line of 4,194,306 bytes"),
    ],
)
def test_lines_that_are_no_text(data: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "x.ttl"
    path.write_bytes(HEADER.encode() + data)
    with pytest.raises(InputError) as caught, open_input(path) as source:
        list(read_turtle(source))
    assert message in str(caught.value)


def test_truncated_gzip(tmp_path: Path) -> None:
    path = tmp_path / "x.ttl.gz"
    lines = "".join(f":a{n} :b :c{n * n} .\n" for n in range(9_999))
    path.write_bytes(gzip.compress((HEADER + lines).encode())[:-2_000])
    found: list[Statement] = []
    with pytest.raises(InputError, match="the gzip data end early"), open_input(path) as source:
        found.extend(read_turtle(source))
    assert len(found) > 1_000


def test_memory_does_not_grow(tmp_path: Path) -> None:
    path = tmp_path / "x.ttl"
    lines = (f"<< :a{n} :b :c{n} >> :d :e .\n" for n in range(60_000))
    path.write_text(HEADER + "".join(lines))
    peaks = []
    with open_input(path) as source:
        tracemalloc.start()
        for number, _ in enumerate(read_turtle(source), 1):
            if number % 20_000 == 0:
                peaks.append(tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()
    assert len(peaks) == 3
    assert peaks[-1] < peaks[0] + 100_000


def test_cut_prefixes(tmp_path: Path) -> None:
    path = tmp_path / "x.ttl"
    path.write_text("@prefix s: <http://s.org/ns\ns:a s:b s:c .")
    prefixes: dict[str, str] = {}
    with open_input(path) as source:
        (statement,) = read_turtle(source, prefixes)
    assert statement.predicate.value == "http://s.org/ns#b"
    assert prefixes == {"s": "http://s.org/ns#"}


def test_triples_come_as_they_are_read(tmp_path: Path) -> None:
    path = tmp_path / "x.ttl"
    path.write_text(HEADER + ":a :b :c .\n" * 3 + ":a :b")
    with open_input(path, "Turtle") as source:
        found = read_turtle(source)
        assert len([next(found) for _ in range(3)]) == 3
        with pytest.raises(InputError):
            next(found)
