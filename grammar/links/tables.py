"""Tables of links: a row has a document, two events or times, and a relation.

TDDiscourse and TimeBank-Dense have four columns: document, left, right, relation; a fifth is a
note. A file of one annotator of TimeBank-Dense has three, without the document, which the file is
named for. MATRES has six: document, two verbs, two ids of events, and a relation of the start
points.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from grammar.errors import HopcheckError
from grammar.links.model import Document, Flaw, FlawCode, Format, Link, Node, RelationType

SHORT: Mapping[str, RelationType] = {
    "b": RelationType.BEFORE,
    "a": RelationType.AFTER,
    "i": RelationType.INCLUDES,
    "ii": RelationType.IS_INCLUDED,
    "s": RelationType.SIMULTANEOUS,
    "v": RelationType.VAGUE,
}
"""Labels of TDDiscourse and TimeBank-Dense."""

STARTS: Mapping[str, RelationType] = {
    "BEFORE": RelationType.STARTS_BEFORE,
    "AFTER": RelationType.STARTS_AFTER,
    "EQUAL": RelationType.STARTS_EQUAL,
    "VAGUE": RelationType.VAGUE,
}
"""Labels of MATRES."""

_LONG = {relation.value: relation for relation in RelationType}
_FURTHER = {
    "NONE": RelationType.VAGUE,
    "UNKNOWN": RelationType.VAGUE,
    "EQUAL": RelationType.SIMULTANEOUS,
    "CONTAINS": RelationType.INCLUDES,
    "OVERLAPS": RelationType.OVERLAP,
}

RELATION: Mapping[int, int] = {3: 2, 4: 3, 5: 3, 6: 5}
"""The column of the relation, by the number of columns of a row."""


class TableError(HopcheckError):
    """A row with another number of columns, or with an empty cell."""

    code = "row"


def relation_of(written: str) -> RelationType | None:
    """The relation of a label in TimeML or a table of four columns; None if it is unknown."""
    if written in SHORT:
        return SHORT[written]
    upper = written.strip().upper()
    return _LONG.get(upper) or _FURTHER.get(upper)


def is_row(line: str) -> bool:
    """Whether a line looks like a row with a known label."""
    cells = line.rstrip("\r\n").split("\t")
    if len(cells) not in RELATION:
        return False
    label = cells[RELATION[len(cells)]].strip()
    return label.upper() in STARTS if len(cells) == 6 else relation_of(label) is not None


class TableReader:
    """Collects the rows of one table as documents, in the order of their first rows."""

    def __init__(self, file: str, document: str = "") -> None:
        """Read no row yet.

        Args:
            file: its name in messages.
            document: the document of rows that name none.
        """
        self._file, self._document = file, document
        self._documents: dict[str, _Rows] = {}

    def add(self, line: int, text: str) -> None:
        """Add a row.

        Raises:
            TableError: it has another number of columns, or an empty cell.
        """
        cells = [cell.strip() for cell in text.split("\t")]
        where = f"{self._file}:{line}"
        if len(cells) not in RELATION:
            message = f"found {len(cells)} columns, expected 4 (document, left, right, relation)"
            raise TableError(f"{message}, 3, 5 or 6", where=where)
        cells = cells[: RELATION[len(cells)] + 1]
        if not all(cells):
            message = f"column {cells.index('') + 1} is empty, expected a text"
            raise TableError(message, where=where)
        name = self._document if len(cells) == 3 else cells[0]
        self._documents.setdefault(name, _Rows(form=_FORMATS[len(cells)])).add(line, cells)

    def documents(self) -> Iterator[Document]:
        """The documents."""
        for name, rows in self._documents.items():
            yield Document(
                name=name,
                file=self._file,
                format=rows.form,
                nodes=rows.nodes,
                links=tuple(rows.links),
                flaws=tuple(rows.flaws),
            )


_FORMATS = {3: Format.PAIRS, 4: Format.TABLE, 6: Format.STARTS}


class _Rows:
    """The rows of one document."""

    def __init__(self, form: Format) -> None:
        self.nodes: dict[str, Node] = {}
        self.links: list[Link] = []
        self.flaws: list[Flaw] = []
        self.form = form

    def add(self, line: int, cells: list[str]) -> None:
        starts = len(cells) == 6
        ids, words = cells[-3:-1], cells[1:3] if starts else ["", ""]
        written = cells[-1]
        for identifier, word in zip(ids, words, strict=True):
            time = identifier[:1] == "t" and identifier[1:].isdigit()
            self.nodes.setdefault(identifier, Node(id=identifier, is_time=time, word=word))
        found = STARTS.get(written.upper()) if starts else relation_of(written)
        left, right = ids
        flaw = flaw_of(str(line), line, (left, right), written, found)
        if flaw is not None:
            self.flaws.append(flaw)
        if found is not None:
            link = Link(
                id=str(line), left=left, right=right, relation=found, written=written, line=line
            )
            self.links.append(link)


def flaw_of(
    link: str, line: int, ends: tuple[str, str], written: str, relation: RelationType | None
) -> Flaw | None:
    """What is wrong with a link by itself: its relation, or that it links a node to itself."""
    if relation is None:
        message = f"link {link} has the unknown relation {written!r}"
        return Flaw(code=FlawCode.UNKNOWN, link=link, line=line, message=message)
    if ends[0] == ends[1]:
        message = f"link {link} links {ends[0]} to itself ({written})"
        return Flaw(code=FlawCode.SELF, link=link, line=line, message=message)
    return None


def written_label(relation: RelationType, format: Format) -> str | None:
    """The label of a relation in a format; None if the format has none."""
    tables = {Format.STARTS: STARTS, Format.TABLE: SHORT, Format.PAIRS: SHORT}
    if format in tables:
        found = (
            label for label, relation_type in tables[format].items() if relation_type is relation
        )
        return next(found, None)
    return str(relation)


def rows(documents: Iterable[Document]) -> Iterator[str]:
    """The documents as rows of their formats; links without a label there are left out."""
    for document in documents:
        for link in document.links:
            label = link.written or written_label(link.relation, document.format)
            if label is None:
                continue
            ends = [link.left, link.right]
            if document.format is Format.STARTS:
                words = [document.nodes[end].word or "-" for end in ends]
                yield "\t".join([document.name, *words, *ends, label])
            elif document.format is Format.PAIRS:
                yield "\t".join([*ends, label])
            else:
                yield "\t".join([document.name, *ends, label])
