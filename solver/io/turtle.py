"""Reads Turtle with the quoted triples of RDF-star, as a stream.

pyoxigraph parses; it reports a quoted triple as a node that *reifies* the triple, which is undone
here. It accepts any depth of brackets, and without its validation of IRIs, which refuses some of
published files, also IRIs and literals that span lines: ``_Checked`` refuses these.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import IO, NamedTuple, TypeAlias, cast

from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, Triple, parse

from solver.io.sources import InputError, Source, shown, shown_path, sound_lines

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
SH = "http://www.w3.org/ns/shacl#"

DEEPEST = 100
"""Maximum depth of nested brackets; pyoxigraph has none, and overflows the stack at 30,000."""

REMEMBERED = 10_000
"""Quoted triples whose nodes are known; one without a label is used within its statement only."""

Term: TypeAlias = NamedNode | BlankNode | Literal | Triple

_REIFIES = f"{RDF}reifies"
_PLAIN = re.compile(
    r"""
    [^"'<>\[\](){}\#\\]*+
    (?:
        (?:
            \\.
            |"(?!"")[^"\\]*+(?:\\.[^"\\]*+)*"
            |'(?!'')[^'\\]*+(?:\\.[^'\\]*+)*'
            |<(?:[^\x00-\x20<>"{}|^`\\]|\\[uU][0-9A-Fa-f]+)*>
            |\#.*
        )
        [^"'<>\[\](){}\#\\]*+
    ){,1000}
    """,
    re.VERBOSE,
)
"""Text between brackets. Not possessive, which Python 3.11.2 gets wrong, and so with a limit."""

_SIGN = re.compile(r"""(?P<long>\"{3}|'{3})|(?P<open><<|[\[({])|(?P<close>>>|[\])}>])|(?P<bad>.)""")
_END = {quote: re.compile(rf"(?:[^\\]|\\.)*?{quote}") for quote in ('"""', "'''")}
_CUT = re.compile(r"(@prefix\s+\w*:\s*<[^<>\s#]+)[ \t]*")
_HINT = "the file has to be Turtle, such as yago:Ada schema:spouse yago:Ben ."


class Statement(NamedTuple):
    """A triple; its subject may be a quoted triple."""

    subject: NamedNode | BlankNode | Triple
    predicate: NamedNode
    object: Term


def read_turtle(
    source: Source, prefixes: dict[str, str] | None = None, *, expected: str = "triples"
) -> Iterator[Statement]:
    """Read the triples of a file; collections and annotations are expanded.

    Memory does not grow with the file. Blank nodes of different files are different. Prefixes cut
    at ``#``, as in a file whose comments were stripped, are repaired:
    ``@prefix sh: <http://www.w3.org/ns/shacl`` becomes ``...shacl#> .``.

    Args:
        source: the file.
        prefixes: receives the IRIs of the file's prefixes, once it is read.
        expected: description of the expected content, for messages.

    Raises:
        InputError: the file is not Turtle; names the place, and what was found and expected.
    """
    checked = cast("IO[bytes]", _Checked(source))
    quads = parse(checked, format=RdfFormat.TURTLE, lenient=True, rename_blank_nodes=True)
    reified: OrderedDict[Term, Triple] = OrderedDict()
    try:
        for subject, predicate, object_, _ in quads:
            if predicate.value == _REIFIES and isinstance(object_, Triple):
                reified[subject] = object_
                if len(reified) > REMEMBERED:
                    reified.popitem(last=False)
            else:
                yield Statement(reified.get(subject, subject), predicate, object_)
    except SyntaxError as error:
        reason = error.msg.partition(": ")[2][:80]
        message = f"found broken Turtle ({shown_path(reason)}), expected {expected}"
        where = f"{source.name}:{error.lineno}:{error.offset}"
        raise InputError(message, where=where, hint=_HINT) from None
    except MemoryError as error:
        message = f"found a term that is too long ({error}), expected {expected}"
        raise InputError(message, where=source.name, hint=_HINT) from None
    if prefixes is not None:
        prefixes.update(quads.prefixes)


class _Checked:
    """The lines of a file, for a parser, with the depth of brackets limited."""

    def __init__(self, source: Source) -> None:
        self._name = source.name
        self._lines = sound_lines(source, blank=True)
        self._rest = b""
        self._depth = 0
        self._quote = ""

    def read(self, size: int = -1) -> bytes:
        """The next bytes, of one line at most."""
        if not self._rest:
            line = next(self._lines, None)
            if line is None:
                return b""
            text = line.text
            if text.startswith("@prefix") and (cut := _CUT.fullmatch(text)):
                text = f"{cut[1]}#> ."
            self._check(text, line.number)
            self._rest = f"{text}\n".encode()
        block, self._rest = self._rest[:size], self._rest[size:]
        return block

    def _check(self, text: str, number: int) -> None:
        begin = 0
        while True:
            if self._quote:
                end = _END[self._quote].match(text, begin)
                if end is None:
                    return
                self._quote, begin = "", end.end()
            while (plain := _PLAIN.match(text, begin)) and plain.end() > begin:
                begin = plain.end()
            match = _SIGN.match(text, begin)
            if match is None:
                return
            begin = match.end()
            match match.lastgroup:
                case "long":
                    self._quote = match[0]
                case "open":
                    self._depth += 1
                case "close":
                    self._depth = max(self._depth - 1, 0)
                case "bad":
                    message = f"found {shown(text[match.start() :][:20])}, expected a term"
                    raise self._error(message, number, match.start())
            if self._depth > DEEPEST:
                message = f"found more, expected at most {DEEPEST} nested brackets"
                raise self._error(message, number, match.start())

    def _error(self, message: str, line: int, begin: int) -> InputError:
        return InputError(message, where=f"{self._name}:{line}:{begin + 1}", hint=_HINT)


def shortened(iri: str, prefixes: Mapping[str, str]) -> str:
    """An IRI as ``prefix:local`` by the first prefix that fits, or in full."""
    for prefix, begin in prefixes.items():
        if iri.startswith(begin):
            return f"{prefix}:{iri[len(begin) :]}"
    return iri
