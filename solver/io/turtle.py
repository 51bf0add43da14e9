"""Reads Turtle with the quoted triples of RDF-star, statement by statement.

Memory does not grow with the file. The grammar is that of the W3C recommendation of Turtle 1.1 and
of the community report on RDF-star: prefixes, bases, literals, blank nodes, collections, quoted
triples ``<< s p o >>`` and annotations ``{| p o |}``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias
from urllib.parse import urljoin

from solver.io.sources import InputError, Source, lines, shown

XSD = "http://www.w3.org/2001/XMLSchema#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"

DEEPEST = 100
"""Maximum depth of nested brackets."""


class Iri(NamedTuple):
    """An IRI, in full."""

    value: str


class Blank(NamedTuple):
    """A blank node; one without a label has a number in brackets."""

    label: str


class Literal(NamedTuple):
    """A literal; without a datatype or language it is a string."""

    text: str
    datatype: str = ""
    language: str = ""


class Triple(NamedTuple):
    """A triple; its subject and object may be quoted triples."""

    subject: Term
    predicate: Iri
    object: Term


Term: TypeAlias = "Iri | Blank | Literal | Triple"

_ESCAPED = r"\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}"
_PART = r"%[0-9A-Fa-f]{2}|\\[_~.\-!$&'()*+,;=/?#@%]"
_PREFIX = r"(?:[^\W\d_](?:[\w.\-]*[\w\-])?)?:"
_LOCAL = rf"(?:{_PART}|[\w:])(?:(?:{_PART}|[\w:.\-\u00b7])*(?:{_PART}|[\w:\-\u00b7]))?"
_TOKEN = re.compile(
    rf"""
    (?P<mark><<|>>|\{{\||\|\}}|\^\^)
    |(?P<iri><(?:[^\x00-\x20<>"{{}}|^`\\]|{_ESCAPED})*>)
    |(?P<blank>_:\w(?:[\w.\-\u00b7]*[\w\-\u00b7])?)
    |(?P<name>{_PREFIX}(?:{_LOCAL})?)
    |(?P<long>\"\"\"|''')
    |(?P<string>"(?:[^"\\\n\r]|\\[tbnrf"'\\]|{_ESCAPED})*"|'(?:[^'\\\n\r]|\\[tbnrf"'\\]|{_ESCAPED})*')
    |(?P<directive>@prefix|@base)(?![\w-])
    |(?P<language>@[A-Za-z]+(?:-[A-Za-z0-9]+)*)
    |(?P<double>[+-]?(?:\d+\.\d*|\.\d+|\d+)[eE][+-]?\d+)
    |(?P<decimal>[+-]?\d*\.\d+)
    |(?P<integer>[+-]?\d+)
    |(?P<word>[^\W\d_]\w*)
    |(?P<sign>[.;,\[\]()])
    """,
    re.VERBOSE,
)
_SPACE = re.compile(r"(?:[ \t\r\n]+|\#.*)*")
_CODE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_SIGNS = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}
_LONG = {
    quote: re.compile(
        rf"(?:{quote[0]}{{0,2}}(?:[^{quote[0]}\\]|\\[tbnrf\"'\\]|{_ESCAPED}))*{quote}"
    )
    for quote in ('"""', "'''")
}
_NUMBERS = ("integer", "decimal", "double")
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
_HINT = "the file has to be Turtle, such as yago:Ada schema:spouse yago:Ben ."


class _Token(NamedTuple):
    kind: str
    text: str
    line: int
    column: int


def read_turtle(source: Source) -> Iterator[Triple]:
    """Read the asserted triples of a file, in order; collections and annotations are expanded.

    Raises:
        InputError: the file is not Turtle; names the place, and what was found and expected.
    """
    return _Reader(source).triples()


class _Reader:
    def __init__(self, source: Source) -> None:
        self._name = source.name
        self._tokens = self._scanned(source)
        self._next = self._advance()
        self._prefixes: dict[str, str] = {}
        self._base = ""
        self._blanks = 0
        self._found: list[Triple] = []

    # Tokens.

    def _scanned(self, source: Source) -> Iterator[_Token]:
        number, text, begin = 0, "", 0
        rows = lines(source)
        for row in rows:
            if row.error is not None:
                raise InputError(row.error.message, where=f"{self._name}:{row.number}")
            number, text = row.number, row.text
            space = _SPACE.match(text)
            begin = space.end() if space else 0
            while begin < len(text):
                match = _TOKEN.match(text, begin)
                if match is None or match.lastgroup is None:
                    found = shown(text[begin : begin + 20])
                    raise self._error(f"found {found}, expected a term", number, begin)
                kind, end = match.lastgroup, match.end()
                token = _Token(kind, match[0], number, begin + 1)
                if kind == "long":
                    # The literal may end on a later line.
                    pieces, first = text[end:], (number, begin)
                    whole = _LONG[match[0]].match(pieces)
                    while whole is None:
                        row = next(rows, None)  # type: ignore[assignment]
                        if row is None or row.error is not None:
                            raise self._error("found no end of a literal, expected one", *first)
                        number, text = row.number, row.text
                        pieces += "\n" + text
                        if match[0] in text:
                            whole = _LONG[match[0]].match(pieces)
                    token = _Token("string", match[0] + whole[0], *token[2:])
                    end = len(text) - (len(pieces) - whole.end())
                yield token
                space = _SPACE.match(text, end)
                begin = space.end() if space else end
        yield _Token("end", "", number or 1, begin + 1)

    def _advance(self) -> _Token:
        return next(self._tokens)

    def _take(self) -> _Token:
        token = self._next
        if token.kind != "end":
            self._next = self._advance()
        return token

    def _is(self, text: str) -> bool:
        return self._next.kind in ("sign", "mark") and self._next.text == text

    def _expect(self, text: str) -> None:
        if not self._is(text):
            raise self._wrong(text)
        self._take()

    def _wrong(self, expected: str) -> InputError:
        found = "the end of the file" if self._next.kind == "end" else shown(self._next.text)
        place = self._next.line, self._next.column - 1
        return self._error(f"found {found}, expected {expected}", *place)

    def _error(self, message: str, line: int, begin: int) -> InputError:
        return InputError(message, where=f"{self._name}:{line}:{begin + 1}", hint=_HINT)

    # Statements.

    def triples(self) -> Iterator[Triple]:
        """Read the statements of the file."""
        while self._next.kind != "end":
            self._statement()
            yield from self._found
            self._found.clear()

    def _statement(self) -> None:
        token = self._next
        word = token.text.lower() if token.kind in ("word", "directive") else ""
        if word in ("@prefix", "@base", "prefix", "base"):
            self._take()
            self._directive(word)
            return
        if self._is("["):
            subject = self._properties(0)
            if not self._is("."):
                self._predicates(subject, 0)
        else:
            self._predicates(self._term("a subject", 0, literal=False), 0)
        self._expect(".")

    def _directive(self, word: str) -> None:
        if word.endswith("prefix"):
            name = self._next
            if name.kind != "name" or not name.text.endswith(":") or name.text.count(":") > 1:
                raise self._wrong("a prefix such as yago:")
            self._take()
            self._prefixes[name.text] = self._full(self._iri_token())
        else:
            self._base = self._full(self._iri_token())
        if word.startswith("@"):
            self._expect(".")

    def _iri_token(self) -> str:
        if self._next.kind != "iri":
            raise self._wrong("an IRI such as <http://schema.org/>")
        return self._take().text[1:-1]

    def _predicates(self, subject: Term, depth: int, end: str = ".") -> None:
        """Read predicates and objects of a subject, up to a sign that is left."""
        while True:
            predicate = self._predicate()
            while True:
                triple = Triple(subject, predicate, self._term("an object", depth))
                self._found.append(triple)
                while self._is("{|"):
                    self._take()
                    self._predicates(triple, self._deeper(depth), "|}")
                    self._expect("|}")
                if not self._is(","):
                    break
                self._take()
            if not self._is(";"):
                return
            while self._is(";"):
                self._take()
            if self._is(end):
                return

    def _predicate(self) -> Iri:
        token = self._next
        if token.kind == "word" and token.text == "a":
            self._take()
            return Iri(f"{RDF}type")
        if token.kind not in ("iri", "name"):
            raise self._wrong("a predicate")
        found = self._term("a predicate", 0)
        assert isinstance(found, Iri)
        return found

    # Terms.

    def _deeper(self, depth: int) -> int:
        if depth >= DEEPEST:
            raise self._wrong(f"at most {DEEPEST} nested brackets")
        return depth + 1

    def _term(self, expected: str, depth: int, *, literal: bool = True) -> Term:
        token = self._next
        match token.kind:
            case "iri":
                return Iri(self._full(self._take().text[1:-1]))
            case "name":
                return Iri(self._named())
            case "blank":
                return Blank(self._take().text[2:])
            case "string" if literal:
                return self._string()
            case _ if literal and token.kind in _NUMBERS:
                return Literal(self._take().text, XSD + token.kind)
            case "word" if literal and token.text in ("true", "false"):
                return Literal(self._take().text, f"{XSD}boolean")
        if self._is("<<"):
            return self._quoted(self._deeper(depth))
        if self._is("["):
            return self._properties(self._deeper(depth))
        if self._is("("):
            return self._collection(self._deeper(depth))
        raise self._wrong(expected)

    def _quoted(self, depth: int) -> Triple:
        self._expect("<<")
        subject = self._plain("a subject", depth, literal=False)
        predicate = self._predicate()
        found = Triple(subject, predicate, self._plain("an object", depth))
        self._expect(">>")
        return found

    def _plain(self, expected: str, depth: int, *, literal: bool = True) -> Term:
        """A term of a quoted triple: no collection, and no properties of a blank node."""
        if self._is("("):
            raise self._wrong(expected)
        if self._is("["):
            self._take()
            self._expect("]")
            return self._blank()
        return self._term(expected, depth, literal=literal)

    def _blank(self) -> Blank:
        self._blanks += 1
        return Blank(f"[{self._blanks}]")

    def _properties(self, depth: int) -> Blank:
        self._expect("[")
        node = self._blank()
        if not self._is("]"):
            self._predicates(node, depth, "]")
        self._expect("]")
        return node

    def _collection(self, depth: int) -> Term:
        self._expect("(")
        items = []
        while not self._is(")"):
            items.append(self._term("an item or )", depth))
        self._take()
        nodes: list[Term] = [*(self._blank() for _ in items), Iri(f"{RDF}nil")]
        for item, node, rest in zip(items, nodes[:-1], nodes[1:], strict=True):
            self._found += [
                Triple(node, Iri(f"{RDF}first"), item),
                Triple(node, Iri(f"{RDF}rest"), rest),
            ]
        return nodes[0]

    def _string(self) -> Literal:
        token = self._take().text
        marks = 3 if token[:3] in _LONG and len(token) >= 6 else 1
        text = _unescaped(token[marks:-marks])
        if self._next.kind == "language":
            return Literal(text, language=self._take().text[1:])
        # The words of a directive are languages where a literal ends.
        if self._next.kind == "directive":
            return Literal(text, language=self._take().text[1:])
        if self._is("^^"):
            self._take()
            if self._next.kind not in ("iri", "name"):
                raise self._wrong("a datatype such as xsd:date")
            datatype = self._term("a datatype", 0)
            assert isinstance(datatype, Iri)
            return Literal(text, datatype.value)
        return Literal(text)

    def _named(self) -> str:
        prefix, colon, local = self._next.text.partition(":")
        known = self._prefixes.get(prefix + colon)
        if known is None:
            raise self._wrong(
                f"a prefix that is declared before, such as @prefix {prefix}: <...> ."
            )
        self._take()
        return known + re.sub(r"\\(.)", r"\1", local)

    def _full(self, written: str) -> str:
        iri = _unescaped(written)
        if not self._base or _ABSOLUTE.match(iri):
            return iri
        # urljoin drops an empty fragment.
        return urljoin(self._base, iri) + ("#" if iri.endswith("#") else "")


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text

    def sign(match: re.Match[str]) -> str:
        code = match[1] or match[2]
        if code is None:
            return _SIGNS.get(match[3], match[3])
        number = int(code, 16)
        surrogate = 0xD800 <= number <= 0xDFFF
        return "\ufffd" if surrogate or number > 0x10FFFF else chr(number)

    return _CODE.sub(sign, text)


def shortened(iri: str, prefixes: Mapping[str, str]) -> str:
    """An IRI as ``prefix:local`` by the first prefix that fits, or in full."""
    for prefix, begin in prefixes.items():
        if iri.startswith(begin):
            return f"{prefix}:{iri[len(begin) :]}"
    return iri
