"""TimeML documents: read with places of links in the file, written with only those bytes changed.

No declaration of an entity is accepted, nothing is fetched, and nesting and size are limited.
Source: TimeML 1.2.1, elements EVENT, MAKEINSTANCE, TIMEX3 and TLINK.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import PurePath
from xml.parsers import expat

from grammar.errors import HopcheckError
from grammar.links.model import Document, Flaw, FlawCode, Format, Link, Node
from grammar.links.tables import flaw_of, relation_of

NESTING = 100
"""Maximum depth of elements."""

SIZE = 256 * 1024**2
"""Maximum bytes of a document."""

ATTRIBUTES = 64 * 1024
"""Maximum characters of one element's attributes."""

_BLOCKS = ("DOCID", "DCT", "TITLE", "EXTRAINFO", "TEXT")
"""Elements that end a sentence."""

_TAGS = ("EVENT", "MAKEINSTANCE", "TIMEX3", "TLINK")
_EVENT_ENDS = ("eventInstanceID", "eventID")
_RELATED_ENDS = ("relatedToEventInstance", "relatedToEvent", "relatedToEventID")
_BOUNDARY = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]*[A-Z])|\n\s*\n")
_OWN_ID = re.compile(rb"""["'](c[0-9]+)["']""")
_END = re.compile(rb"</(?:[\w.-]+:)?TimeML\s*>")
_RELATION = re.compile(rb"""(\srelType\s*=\s*)("[^"]*"|'[^']*')""")


class TimemlError(HopcheckError):
    """A document that is no TimeML, or that is refused."""

    code = "timeml"


@dataclass(slots=True)
class _Tlink:
    attributes: dict[str, str]
    line: int
    span: tuple[int, int] = (0, 0)


@dataclass(slots=True)
class _Mark:
    """An EVENT or a TIMEX3 with its place in the text."""

    attributes: dict[str, str]
    start: int
    end: int = 0


@dataclass(slots=True)
class _Content:
    """What a document contains."""

    text: list[str] = field(default_factory=list)
    length: int = 0
    events: dict[str, _Mark] = field(default_factory=dict)
    times: dict[str, _Mark] = field(default_factory=dict)
    instances: dict[str, str] = field(default_factory=dict)
    links: list[_Tlink] = field(default_factory=list)
    name: str = ""


def read_timeml(blocks: Iterable[bytes], file: str, name: str) -> Document:
    """Read a document.

    Args:
        blocks: its bytes, in order.
        file: its name in messages.
        name: name of the document.

    Raises:
        TimemlError: it is not well-formed, has another root, declares entities, or is too large or
            too deeply nested.
    """
    reader = _Reader(file)
    reader.feed(blocks)
    return _document(reader.content, file, name)


class _Reader:
    """Feeds a parser that refuses declarations of entities."""

    def __init__(self, file: str) -> None:
        self.content = _Content()
        self._file = file
        self._open: list[str] = []
        self._marks: list[_Mark] = []
        self._size = 0
        self._last: _Tlink | None = None
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        self._parser.EntityDeclHandler = self._refuse_entity
        self._parser.UnparsedEntityDeclHandler = self._refuse_entity
        self._parser.ExternalEntityRefHandler = self._refuse_entity
        self._parser.SkippedEntityHandler = self._refuse_entity
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters

    def feed(self, blocks: Iterable[bytes]) -> None:
        """Parse all blocks."""
        first = True
        try:
            for block in blocks:
                if first and block[:2] in (b"\xff\xfe", b"\xfe\xff"):
                    raise self._refused("found UTF-16, expected UTF-8", "iconv -f utf-16 -t utf-8")
                first = False
                self._size += len(block)
                if self._size > SIZE:
                    message = f"found more than {SIZE // 1024**2} MiB, expected at most that"
                    raise self._refused(message)
                self._parser.Parse(block, False)
            self._parser.Parse(b"", True)
        except expat.ExpatError as error:
            where = f"{self._file}:{error.lineno}:{error.offset + 1}"
            message = f"found XML with an error ({expat.ErrorString(error.code)}), expected TimeML"
            raise TimemlError(message, where=where) from None
        except (LookupError, ValueError) as error:
            message = f"found XML in an unknown encoding ({error}), expected UTF-8"
            raise self._refused(message) from None

    def _refused(self, message: str, hint: str = "") -> TimemlError:
        where = f"{self._file}:{self._parser.CurrentLineNumber}"
        return TimemlError(message, where=where, hint=hint)

    def _refuse_entity(self, *_: object) -> int:
        raise self._refused("found a declared or external entity, expected none")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self._open) >= NESTING:
            message = f"found elements nested more than {NESTING} deep, expected fewer"
            raise self._refused(message)
        if sum(map(len, attributes.values())) > ATTRIBUTES:
            raise self._refused(f"found more than {ATTRIBUTES:,} characters of attributes")
        if not self._open and tag.rpartition(":")[2] != "TimeML":
            shown = tag if len(tag) <= 40 else tag[:40] + "…"
            raise self._refused(f"found the root {shown!r}, expected TimeML")
        self._open.append(tag)
        if tag not in _TAGS and tag.upper() in _TAGS:
            hint = "tags are in upper case, as in TimeML 1.2.1"
            raise self._refused(f"found the tag {tag!r}, expected {tag.upper()!r}", hint)
        content = self.content
        if tag in ("EVENT", "TIMEX3"):
            mark = _Mark(attributes, content.length)
            self._marks.append(mark)
            marks, key = (content.events, "eid") if tag == "EVENT" else (content.times, "tid")
            if attributes.get(key):
                marks.setdefault(attributes[key], mark)
        elif tag == "MAKEINSTANCE":
            content.instances.setdefault(attributes.get("eiid", ""), attributes.get("eventID", ""))
        elif tag == "TLINK":
            parser = self._parser
            self._last = _Tlink(attributes, parser.CurrentLineNumber)
            self._last.span = (parser.CurrentByteIndex, 0)
            content.links.append(self._last)

    def _end(self, tag: str) -> None:
        self._open.pop()
        if tag in ("EVENT", "TIMEX3"):
            self._marks.pop().end = self.content.length
            self._text("\0")
        elif tag in _BLOCKS:
            self._text("\n\n")
        elif tag == "TLINK" and self._last is not None:
            self._last.span = (self._last.span[0], self._parser.CurrentByteIndex)
            self._last = None

    def _characters(self, text: str) -> None:
        if "DOCID" in self._open:
            self.content.name += text
        self._text(text)

    def _text(self, text: str) -> None:
        self.content.text.append(text)
        self.content.length += len(text)


def _document(content: _Content, file: str, name: str) -> Document:
    text = "".join(content.text)
    starts = [0, *(found.end() for found in _BOUNDARY.finditer(text))]

    def node(name: str, mark: _Mark | None, *, is_time: bool) -> Node:
        if mark is None:
            return Node(id=name, is_time=is_time)
        at = bisect_right(starts, mark.start) - 1
        end = starts[at + 1] if at + 1 < len(starts) else len(text)
        return Node(
            id=name,
            is_time=is_time,
            word=_words(text[mark.start : mark.end]),
            sentence=_words(text[starts[at] : max(end, mark.end)]),
            value=mark.attributes.get("value", "") if is_time else "",
        )

    nodes: list[tuple[int, Node]] = []
    instanced = set(content.instances.values())
    for instance, event in content.instances.items():
        if instance and event in content.events:
            mark = content.events[event]
            nodes.append((mark.start, node(instance, mark, is_time=False)))
    for event, mark in content.events.items():
        if event not in instanced and event not in content.instances:
            nodes.append((mark.start, node(event, mark, is_time=False)))
    events = {other_node.id for _, other_node in nodes}
    for time, mark in content.times.items():
        if time in events:
            message = f"found {time!r} as the id of an event and of a time, expected one"
            raise TimemlError(message, where=file)
        nodes.append((mark.start, node(time, mark, is_time=True)))
    nodes.sort(key=lambda pair: pair[0])
    document = Document(
        name=name,
        file=file,
        format=Format.TIMEML,
        nodes={other_node.id: other_node for _, other_node in nodes},
    )
    return _with_links(document, content.links)


def _words(text: str) -> str:
    """The text on one line; the end of an element separates words if a letter follows."""
    return " ".join(re.sub(r"\0(?=\w)", " ", text).replace("\0", "").split())


def _with_links(document: Document, tlinks: Iterable[_Tlink]) -> Document:
    links: list[Link] = []
    flaws: list[Flaw] = []
    for tlink in tlinks:
        written = tlink.attributes.get("relType", "")
        lid = tlink.attributes.get("lid") or f"line {tlink.line}"
        left = _end_of(tlink.attributes, (*_EVENT_ENDS, "timeID"))
        right = _end_of(tlink.attributes, (*_RELATED_ENDS, "relatedToTime"))
        relation = relation_of(written) if len(written) > 2 else None
        missing = [end or "nothing" for end in (left, right) if end not in document.nodes]
        flaw = flaw_of(lid, tlink.line, (left, right), written, relation)
        if missing:
            message = f"link {lid} refers to {' and '.join(missing)}, which the document lacks"
            flaw = Flaw(code=FlawCode.DANGLING, link=lid, line=tlink.line, message=message)
        if flaw is not None:
            flaws.append(flaw)
        if relation is not None and not missing:
            links.append(
                Link(
                    id=lid,
                    left=left,
                    right=right,
                    relation=relation,
                    written=written,
                    line=tlink.line,
                    span=tlink.span,
                )
            )
    return replace(document, links=tuple(links), flaws=tuple(flaws))


def _end_of(attributes: Mapping[str, str], names: Iterable[str]) -> str:
    return next((attributes[name] for name in names if attributes.get(name)), "")


def edited_timeml(raw: bytes, changes: Mapping[Link, str | None]) -> bytes:
    """The bytes of a document with some links removed or relabelled; all others are unchanged.

    A line that is left blank by a removed link is removed with it.

    Args:
        raw: the document as it was read.
        changes: the new relation of each changed link, None to remove it.
    """
    for link in sorted(changes, key=lambda change: change.span, reverse=True):
        start, end = _whole(raw, link)
        relation = changes[link]
        if relation is not None:
            found = _RELATION.search(raw, start, end)
            if found is not None:
                raw = raw[: found.start(2)] + f'"{relation}"'.encode() + raw[found.end(2) :]
            continue
        line = raw.rfind(b"\n", 0, start) + 1
        after = raw.find(b"\n", end) + 1 or len(raw)
        if not raw[line:start].strip() and not raw[end:after].strip():
            start, end = line, after
        raw = raw[:start] + raw[end:]
    return raw


def _whole(raw: bytes, link: Link) -> tuple[int, int]:
    """First byte and end of a link's element, its end tag included."""
    start, end = link.span
    if raw[end : end + 2] == b"</":
        end = raw.index(b">", end) + 1
    return start, end


def extended_timeml(raw: bytes, document: Document, links: Sequence[Link]) -> bytes:
    """The bytes of a document with more links after its last one; all others are unchanged.

    Args:
        raw: the document as it was read.
        document: what it contains.
        links: the links to add; they get the first ids ``c1``, ``c2``, ... that are not in use.

    Raises:
        TimemlError: the document without links has no end tag.
    """
    used = set(_OWN_ID.findall(raw))
    fresh = (name for name in map("c{}".format, count(1)) if name.encode() not in used)
    # Other characters as references: the encoding of the document is not known here.
    elements = [
        _tlink(replace(link, id=name), document.nodes).encode("ascii", "xmlcharrefreplace")
        for link, name in zip(links, fresh, strict=False)
    ]
    newline = b"\r\n" if b"\r\n" in raw else b"\n"
    if document.links:
        start, end = _whole(raw, max(document.links, key=lambda link: link.span))
        indent = raw[raw.rfind(b"\n", 0, start) + 1 : start]
        # Links that share a line get more of them on it.
        before = b"" if indent.strip() else newline + indent
        return raw[:end] + b"".join(before + element for element in elements) + raw[end:]
    tags = list(_END.finditer(raw))
    if not tags:
        raise TimemlError("found no end tag of TimeML, expected one", where=document.file)
    end = tags[-1].start()
    return raw[:end] + b"".join(element + newline for element in elements) + raw[end:]


def document_name(path: str) -> str:
    """Name of the document in a file: its name without ``.gz``, ``.tml`` and ``.xml``."""
    name = PurePath(path).name
    for suffix in (".gz", ".tml", ".xml", ".timeml"):
        name = name.removesuffix(suffix)
    return name


def timeml(document: Document) -> bytes:
    """Write a document without a source as TimeML; its text is that of its nodes."""
    from xml.sax.saxutils import escape

    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<TimeML>"]
    made: list[str] = []
    for node in document.nodes.values():
        word = escape(node.word or node.id)
        if node.is_time:
            value = _attributes(tid=node.id, value=node.value)
            lines.append(f"<TIMEX3{value}>{word}</TIMEX3>.")
        else:
            lines.append(f"<EVENT{_attributes(eid='e:' + node.id)}>{word}</EVENT>.")
            made.append(f"<MAKEINSTANCE{_attributes(eiid=node.id, eventID='e:' + node.id)}/>")
    lines += made
    lines += (_tlink(link, document.nodes) for link in document.links)
    return "\n".join([*lines, "</TimeML>", ""]).encode()


def _tlink(link: Link, nodes: Mapping[str, Node]) -> str:
    left = "timeID" if nodes[link.left].is_time else "eventInstanceID"
    right = "relatedToTime" if nodes[link.right].is_time else "relatedToEventInstance"
    ends = {left: link.left, right: link.right}
    return f"<TLINK{_attributes(lid=link.id, relType=str(link.relation), **ends)}/>"


def _attributes(**values: str) -> str:
    from xml.sax.saxutils import quoteattr

    return "".join(f" {name}={quoteattr(value)}" for name, value in values.items() if value)
