"""Files of annotated documents: TimeML, tables, JSON Lines and Parquet, in folders and archives."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Annotated, Any, cast

import msgspec

from grammar.errors import HopcheckError
from grammar.links.model import Document, Flaw, FlawCode, Format, Interpretation, Link, Node
from grammar.links.tables import (
    SHORT,
    STARTS,
    TableError,
    TableReader,
    flaw_of,
    is_row,
    relation_of,
)
from grammar.links.timeml import SIZE, document_name, read_timeml
from solver.io.columns import SAME_NAMES, ColumnNames, column
from solver.io.json_lines import BrokenRow, JsonDecoder
from solver.io.parquet import column_names
from solver.io.sources import WHOLE, InputError, Source, lines, open_input, require_text, shown_path
from solver.links.engine import Decision
from solver.verification.report import Unreadable

_SUFFIXES = (".tml", ".timeml", ".xml", ".tsv", ".txt", ".jsonl")
_ARCHIVES = (".tar.gz", ".tgz", ".tar")
_BLOCK = 128 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A document and, if they were asked for, the bytes of its file (not of JSON Lines).

    Attributes:
        path: path below the folder or in the archive that was named, to write it back.
    """

    document: Document
    path: str
    raw: bytes = b""


def read_documents(
    paths: Iterable[str | Path], *, raw: bool = False, columns: ColumnNames = SAME_NAMES
) -> Iterator[Loaded | Unreadable]:
    """Read the documents of files, folders and archives, in the order of their names.

    Args:
        paths: files, folders and archives; ``-`` is standard input.
        raw: whether to keep the bytes of TimeML documents.
        columns: names of the fields of JSON Lines.

    Raises:
        InputError: a named file cannot be read, or a folder contains no documents.
    """
    for given in paths:
        path = Path(given)
        if str(given).endswith(_ARCHIVES):
            yield from _archive(path, raw=raw, columns=columns)
        elif path.is_dir():
            yield from _folder(path, raw=raw, columns=columns)
        else:
            yield from _guarded(given, path.name, raw=raw, columns=columns)


def _folder(folder: Path, *, raw: bool, columns: ColumnNames) -> Iterator[Loaded | Unreadable]:
    found = [path for path in sorted(folder.rglob("*")) if _has_documents(path)]
    if not found:
        message = "found no documents, expected files named *.tml, *.tsv, *.txt or *.jsonl"
        raise InputError(message, where=shown_path(str(folder)))
    for path in found:
        yield from _guarded(path, path.relative_to(folder).as_posix(), raw=raw, columns=columns)


def _has_documents(path: Path) -> bool:
    """Whether a file in a folder has documents: by its suffix and, where unclear, its contents."""
    name = path.name.removesuffix(".gz")
    if not path.is_file():
        return False
    if name.endswith((".tml", ".timeml")):
        return True
    if name.endswith(".parquet"):
        return {"document", "links"} <= column_names(path)
    known = name.endswith(_SUFFIXES)
    # TimeBank-Dense names the file of an annotator for the document and the annotator.
    if not known and ".tml." not in name:
        return False
    try:
        with open_input(path) as source:
            form = _format(source.head())
    except HopcheckError:
        return known
    return form is not None if known else form is Format.TABLE


def _format(head: bytes) -> Format | None:
    """The format of a file; None if its first line is no row of a table either."""
    start = head.lstrip()
    if start.startswith(b"<"):
        return Format.TIMEML if b"<TimeML" in head or b":TimeML" in head else None
    if start.startswith(b"{"):
        return Format.JSON
    first = start.partition(b"\n")[0].decode(errors="replace")
    return Format.TABLE if is_row(first) else None


def _guarded(
    given: str | Path, name: str, *, raw: bool, columns: ColumnNames
) -> Iterator[Loaded | Unreadable]:
    with open_input(given, "TimeML, a table or JSON Lines") as source:
        yield from _documents(source, name, raw=raw, columns=columns)


def _documents(
    source: Source, name: str, *, raw: bool, columns: ColumnNames
) -> Iterator[Loaded | Unreadable]:
    start = source.head().lstrip()
    xml = name.removesuffix(".gz").endswith((".tml", ".timeml", ".xml"))
    if source.parquet:
        yield from _json_lines(source, name, columns)
    elif xml or start.startswith(b"<"):
        yield _timeml(source, name, raw=raw)
    elif start.startswith(b"{"):
        yield from _json_lines(source, name, columns)
    else:
        require_text(source)
        yield from _table(source, name, raw=raw)


def _timeml(source: Source, name: str, *, raw: bool) -> Loaded | Unreadable:
    blocks: list[bytes] = []

    def read() -> Iterator[bytes]:
        while block := source.stream.read1(_BLOCK):
            if raw:
                blocks.append(block)
            yield block
        if source.fault is not None:
            raise InputError(source.fault.message, where=source.name, hint=source.fault.hint)

    try:
        document = read_timeml(read(), source.name, document_name(name))
    except HopcheckError as error:
        return Unreadable.of(error)
    return Loaded(document=document, path=name, raw=b"".join(blocks))


def _table(source: Source, name: str, *, raw: bool) -> Iterator[Loaded | Unreadable]:
    reader = TableReader(source.name, document_name(name.removesuffix(".txt")))
    whole = b""
    if raw:
        whole = source.stream.read(WHOLE + 1)
        if source.fault is not None or len(whole) > WHOLE:
            message = source.fault.message if source.fault else f"found more than {WHOLE:,} bytes"
            raise InputError(message, where=source.name)
        source = Source(source.name, None, io.BytesIO(whole))
    for line in lines(source):
        if line.error is not None:
            yield Unreadable.of(line.error)
        elif not line.blank:
            try:
                reader.add(line.number, line.text)
            except TableError as error:
                yield Unreadable.of(error)
    yield from (Loaded(document=document, path=name, raw=whole) for document in reader.documents())


class NodeRow(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """An event or a time of a document."""

    id: Annotated[str, column("id, unique in the document", example="e1")]
    time: Annotated[bool, column("whether it is a time, otherwise an event", example=False)] = False
    word: Annotated[str, column("word or phrase that is annotated", example="opened")] = ""
    sentence: Annotated[
        str, column("sentence with it", example="The fair opened before the race.")
    ] = ""
    value: Annotated[str, column("value of a time in TimeML", example="2026-03-02")] = ""


class LinkRow(msgspec.Struct, omit_defaults=True):
    """An annotated link of a document."""

    id: Annotated[str, column("id, unique in the document", example="l1")]
    left: Annotated[str, column("id of the first event or time", example="e1")]
    right: Annotated[str, column("id of the second event or time", example="e2")]
    relation: Annotated[str, column("relation as in TimeML or in a table", example="BEFORE")]
    weight: Annotated[int, column("cost of removing the link in a repair", example=1)] = 1


class DocumentRow(msgspec.Struct):
    """An annotated document."""

    document: Annotated[str, column("name of the document", example="harbour")]
    links: Annotated[list[LinkRow], column("links between its events and times")]
    nodes: Annotated[
        list[NodeRow],
        column("events and times; without any, they are the ends of the links"),
    ] = []


class TableRow(msgspec.Struct):
    """A link of a table of four columns, as in TDDiscourse and TimeBank-Dense."""

    document: Annotated[str, column("name of the document", example="harbour")]
    left: Annotated[str, column("id of the first event or time", example="e1")]
    right: Annotated[str, column("id of the second event or time", example="t0")]
    relation: Annotated[
        str,
        column(f"label: {', '.join(SHORT)}, or a relation of TimeML", example="b"),
    ]


class StartsRow(msgspec.Struct):
    """A link of the start points in a table of six columns, as in MATRES."""

    document: Annotated[str, column("name of the document", example="harbour")]
    left_word: Annotated[str, column("word of the first event", example="opened")]
    right_word: Annotated[str, column("word of the second event", example="left")]
    left: Annotated[str, column("id of the first event", example="1")]
    right: Annotated[str, column("id of the second event", example="2")]
    relation: Annotated[str, column(f"label: {', '.join(STARTS)}", example="BEFORE")]


def _json_lines(source: Source, name: str, columns: ColumnNames) -> Iterator[Loaded | Unreadable]:
    decoder = JsonDecoder(DocumentRow, what="document", hint="write one document per line")
    for row in decoder.with_names(columns).rows(source):
        if isinstance(row, BrokenRow):
            yield Unreadable.of(row.error)
        else:
            document = _from_json(row.value, source.name, row.place.line)
            yield Loaded(document=document, path=name)


def _from_json(value: DocumentRow, file: str, line: int) -> Document:
    nodes = {
        node.id: Node(
            id=node.id, is_time=node.time, word=node.word, sentence=node.sentence, value=node.value
        )
        for node in value.nodes
    }
    links: list[Link] = []
    flaws: list[Flaw] = []
    for link in value.links:
        ends = (link.left, link.right)
        if not value.nodes:
            for end in ends:
                nodes.setdefault(end, Node(id=end))
        relation = relation_of(link.relation)
        flaw = flaw_of(link.id, line, ends, link.relation, relation)
        missing = [end for end in ends if end not in nodes]
        if missing:
            message = f"link {link.id} refers to {' and '.join(missing)}, which the document lacks"
            flaw = Flaw(code=FlawCode.DANGLING, link=link.id, line=line, message=message)
        if flaw is not None:
            flaws.append(flaw)
        if relation is not None and not missing:
            links.append(
                Link(
                    id=link.id,
                    left=link.left,
                    right=link.right,
                    relation=relation,
                    written=link.relation,
                    line=line,
                    weight=max(1, link.weight),
                )
            )
    return Document(
        name=value.document, file=file, nodes=nodes, links=tuple(links), flaws=tuple(flaws)
    )


def as_json(document: Document) -> dict[str, object]:
    """A document as one JSON line; ``read_documents`` reads it back."""
    nodes = [
        NodeRow(
            id=node.id, time=node.is_time, word=node.word, sentence=node.sentence, value=node.value
        )
        for node in document.nodes.values()
    ]
    links = [
        LinkRow(
            id=link.id,
            left=link.left,
            right=link.right,
            relation=str(link.relation),
            weight=link.weight,
        )
        for link in document.links
    ]
    row = DocumentRow(document=document.name, nodes=nodes, links=links)
    return msgspec.to_builtins(row)  # type: ignore[no-any-return]


def certified(
    document: Document, interpretation: Interpretation, decision: Decision
) -> dict[str, Any]:
    """A document with its verdict and certificate, as the checker reads them."""
    timeline = [[name, *ends] for name, ends in decision.timeline.items()]
    cycle = [[str(step.source), str(step.target), step.relation] for step in decision.cycle]
    values = ((node.id, node.value if node.is_time else "") for node in document.nodes.values())
    return {
        "document": document.name,
        "reading": str(interpretation.reading),
        "during": str(interpretation.during),
        "dates": interpretation.dates,
        "nodes": list(map(list, values)),
        "links": [[link.id, link.left, link.right, str(link.relation)] for link in document.links],
        "consistent": decision.consistent,
        "timeline": timeline if decision.consistent else None,
        "cycle": None if decision.consistent else cycle,
    }


def _archive(path: Path, *, raw: bool, columns: ColumnNames) -> Iterator[Loaded | Unreadable]:
    """Read the members of a tar archive one after another; nothing is unpacked to disk."""
    name = shown_path(str(path))
    found = 0
    with open_input(path, "a tar archive") as source:
        try:
            with tarfile.open(fileobj=cast(IO[bytes], source.stream), mode="r|") as archive:
                for member in archive:
                    inside = member.name.removesuffix(".gz").endswith(_SUFFIXES)
                    if not member.isfile() or not inside:
                        continue
                    where = f"{name}/{member.name if member.name.isprintable() else '?'}"
                    if member.size > SIZE:
                        message = f"found {member.size:,} bytes, expected at most {SIZE:,}"
                        yield Unreadable(where=where, message=message)
                        continue
                    stream = archive.extractfile(member)
                    if stream is not None:
                        found += 1
                        inner = Source(where, None, cast(io.BufferedReader, stream))
                        yield from _documents(inner, member.name, raw=raw, columns=columns)
        except (tarfile.TarError, EOFError, OSError) as error:
            message = f"found a damaged archive ({error}), expected a tar archive"
            raise InputError(message, where=name) from None
        if source.fault is not None:
            raise InputError(source.fault.message, where=name, hint=source.fault.hint)
    if not found:
        raise InputError("found no documents in the archive", where=name)


def names(documents: Sequence[Document]) -> list[str]:
    """The names of documents, sorted."""
    return sorted(document.name for document in documents)
