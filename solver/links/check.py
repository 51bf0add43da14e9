"""Checks verdicts about annotated links by their certificates, with nothing but this file.

    python check.py documents.jsonl [--data PATH ...]

Each line of documents.jsonl has a document, what its links mean, and a timeline or a cycle: see
docs/certificates.md. With --data, each document must also be in one of these files, folders or
archives, which are read here, by no shared code. Exit status: 0 if every line is proved, 1 if one
is not, 2 if a file cannot be read.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import sys
import tarfile
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias


class RejectedError(Exception):
    """A line does not prove what it says."""


class OpenError(RejectedError):
    """What a line says takes too long to show."""


def require(condition: object, reason: str) -> None:
    """Reject the line unless a condition holds."""
    if not condition:
        raise RejectedError(reason)


# --- What a document says -------------------------------------------------------------------------

Node: TypeAlias = tuple[str, str]  # An event or a time: its id, and the value of a time or "".
Link: TypeAlias = tuple[str, str, str, str]  # id, left, right, relation
Named: TypeAlias = tuple[str, str]  # A point: its event or time, and "start" or "end".


class Document(NamedTuple):
    """A document without what is no part of its order."""

    name: str
    nodes: list[Node]
    links: list[Link]


# The end points of two nodes, A from a to b and B from c to d. "<" is strict under the reading
# allen alone, "<<" under both.
RELATIONS = {
    "BEFORE": "b<c",
    "AFTER": "d<a",
    "IBEFORE": "b=c",
    "IAFTER": "d=a",
    "INCLUDES": "a<c d<b",
    "IS_INCLUDED": "c<a b<d",
    "SIMULTANEOUS": "a=c b=d",
    "IDENTITY": "a=c b=d",
    "BEGINS": "a=c b<<d",
    "BEGUN_BY": "a=c d<<b",
    "ENDS": "b=d c<<a",
    "ENDED_BY": "b=d a<<c",
    "OVERLAP": "a<<d c<<b",
    "STARTS_BEFORE": "a<<c",
    "STARTS_AFTER": "c<<a",
    "STARTS_EQUAL": "a=c",
    "VAGUE": "",
}
DURING = {
    "included": {"DURING": "c<a b<d", "DURING_INV": "a<c d<b"},
    "simultaneous": {"DURING": "a=c b=d", "DURING_INV": "a=c b=d"},
}


@cache
def meaning(relation: str, reading: str, during: str) -> tuple[tuple[int, bool, int], ...]:
    """What a relation says: ``(p, strict, q)`` for p < q or p <= q, with 0 to 3 for a to d."""
    found = []
    for word in (RELATIONS | DURING[during])[relation].split():
        p, q = "abcd".index(word[0]), "abcd".index(word[-1])
        if "=" in word:
            found += [(p, False, q), (q, False, p)]
        else:
            found.append((p, "<<" in word or reading == "allen", q))
    return tuple(found)


@cache
def leads(relation: str, reading: str, during: str, p: int, q: int) -> bool | None:
    """Whether a relation puts p strictly before q; None if q may be earlier than p.

    Every order of the four end points is tried.
    """
    strict = True
    for line in LINES:
        if all(
            line[x] < line[y] or (line[x] == line[y] and not sharp)
            for x, sharp, y in meaning(relation, reading, during)
        ):
            if line[p] > line[q]:
                return None
            strict = strict and line[p] < line[q]
    return strict


LINES = [(a, b, c, d) for a, b in combinations(range(4), 2) for c, d in combinations(range(4), 2)]


def calendar(nodes: Iterable[Node]) -> dict[Named, datetime]:
    """The instants of the ends of those times whose value is a calendar interval."""
    found: dict[Named, datetime] = {}
    for name, value in nodes:
        ends = interval(value) if value else None
        if ends is not None:
            found[name, "start"], found[name, "end"] = ends
    return found


VALUE = re.compile(
    r"(\d{4})(?:-(?:([QH])([1-4])|W(\d\d)(?:-([1-7]))?"
    r"|(\d\d)(?:-(\d\d)(?:T(\d\d)(?::(\d\d)(?::(\d\d)(?:\.\d+)?)?)?)?)?))?"
)


def interval(value: str) -> tuple[datetime, datetime] | None:
    """First instant and end of a value of TimeML; None if it is no calendar interval."""
    found = VALUE.fullmatch(value.strip())
    if not found:
        return None
    year, part, number, week, weekday, month, day, *clock = found.groups()

    def first_of(months: int) -> datetime:
        return datetime(int(year) + months // 12, months % 12 + 1, 1)

    try:
        if week:
            begin = datetime.fromisocalendar(int(year), int(week), int(weekday or 1))
            return begin, begin + timedelta(days=1 if weekday else 7)
        if not day:
            length = {"Q": 3, "H": 6, None: 1 if month else 12}[part]
            begins = length * (int(number) - 1) if part else int(month or 1) - 1
            require(not month or 1 <= int(month) <= 12, "no month")
            return first_of(begins), first_of(begins + length)
        hour, minute, second = (int(entry or 0) for entry in clock)
        begin = datetime(int(year), int(month), int(day), hour, minute, second)
        given = sum(entry is not None for entry in clock)
        return begin, begin + timedelta(seconds=(86400, 3600, 60, 1)[given])
    except (ValueError, OverflowError, RejectedError):
        return None


# --- The verdict ----------------------------------------------------------------------------------


def check_row(row: object) -> None:
    """Reject a line, read as JSON, that does not prove its verdict."""
    if type(row) is not dict or not row.keys() >= ROW:
        raise RejectedError(f"a line needs the fields {', '.join(sorted(ROW))}")
    for name, values in CHOICES.items():
        require(row[name] in values, f"the {name} is unknown")
    for name in ("dates", "consistent"):
        require(type(row[name]) is bool, f"{name} is true or false")
    document = document_of(row)
    names = {name for name, _ in document.nodes}
    require(len(names) == len(document.nodes), "an id occurs twice")
    for link, left, right, relation in document.links:
        require({left, right} <= names, f"link {link} refers to what the document lacks")
        known = relation in RELATIONS or relation in DURING[row["during"]]
        require(known, f"link {link} has the unknown relation {relation!r:.40}")
    dated = calendar(document.nodes) if row["dates"] else {}
    interpretation = row["reading"], row["during"]
    if row["consistent"]:
        require(row["cycle"] is None, "a consistent document has no cycle")
        check_timeline(document, interpretation, dated, row["timeline"])
    else:
        require(row["timeline"] is None, "an inconsistent document has no timeline")
        check_cycle(document, interpretation, dated, row["cycle"])
    if "repair" in row:
        require(row["consistent"], "a repaired document is consistent")
        check_repair(document, interpretation, dated, row["repair"])


def document_of(row: dict[str, Any]) -> Document:
    """The document of a line."""
    require(type(row["document"]) is str, "the name of a document is a string")
    nodes = [tuple(_strings(node, 2, "a node")) for node in _list(row["nodes"], "the nodes")]
    links = [tuple(_strings(link, 4, "a link")) for link in _list(row["links"], "the links")]
    return Document(row["document"], nodes, links)  # type: ignore[arg-type]


def check_timeline(
    document: Document, interpretation: tuple[str, str], dated: dict[Named, datetime], value: object
) -> None:
    """Reject a timeline on which a link, or the calendar, does not hold."""
    at: dict[str, tuple[int, int]] = {}
    for values in _list(value, "the timeline"):
        known = type(values) is list and len(values) == 3 and type(values[0]) is str
        require(known, "a timeline has triples of an id, its start and its end")
        name, start, end = values
        require(type(start) is type(end) is int, f"an instant of {name} is no whole number")
        require(start < end, f"{name} ends before it starts")
        at[name] = start, end
    placed = at.keys() == {name for name, _ in document.nodes} and len(at) == len(value)  # type: ignore[arg-type]
    require(placed, "a timeline places each event and time once")
    for link, left, right, relation in document.links:
        line = (*at[left], *at[right])
        for p, strict, q in meaning(relation, *interpretation):
            holds = line[p] < line[q] or (line[p] == line[q] and not strict)
            require(holds, f"the timeline violates link {link}")
    ends = sorted((when, at[name][bound == "end"]) for (name, bound), when in dated.items())
    for (when, number), (later, other) in pairwise(ends):
        holds = number < other if when < later else number == other
        require(holds, f"the timeline violates the calendar at {when}")


def check_cycle(
    document: Document, interpretation: tuple[str, str], dated: dict[Named, datetime], value: object
) -> None:
    """Reject steps that do not lead from a point back to it, or none of which is strict."""
    names = _points(document)
    steps, strict = [], False
    for values in _list(value, "the cycle"):
        known = type(values) is list and len(values) == 3
        require(known, "a cycle has triples of two points and a link, or null")
        for point in values[:2]:
            require(type(point) is str and point in names, f"{point!r:.60} is no point")
        p, q, number = names[values[0]], names[values[1]], values[2]
        leading: bool | None
        if number is None:
            leading = True if p == (q[0], "start") and q[1] == "end" else None
            if p in dated and q in dated and dated[p] <= dated[q]:
                leading = leading or dated[p] < dated[q]
        else:
            there = type(number) is int and 0 <= number < len(document.links)
            require(there, f"there is no link {number!r:.20}")
            leading = _leads(document, interpretation, number, p, q)
        require(leading is not None, f"nothing leads from {values[0]} to {values[1]}")
        steps.append((p, q))
        strict = strict or bool(leading)
    require(strict, "the cycle has no strict step")
    for (_, q), (p, _) in zip(steps, [*steps[1:], steps[0]], strict=True):
        require(p == q, f"the step to the {q[1]} of {q[0]} does not join the next")


def _points(document: Document) -> dict[str, Named]:
    return {f"{bound} of {name}": (name, bound) for name, _ in document.nodes for bound in BOUNDS}


def _leads(
    document: Document, interpretation: tuple[str, str], link: int, p: Named, q: Named
) -> bool | None:
    """Whether a link puts p strictly before q; None if q may be earlier than p."""
    _, left, right, relation = document.links[link]
    ends = [(name, bound) for name in (left, right) for bound in BOUNDS]
    # A link of a node to itself has each end point on both sides.
    ways = (
        leads(relation, *interpretation, x, y)
        for x, end in enumerate(ends)
        for y, other in enumerate(ends)
        if (end, other) == (p, q)
    )
    return max((way for way in ways if way is not None), default=None)


# --- The repair -----------------------------------------------------------------------------------

Way: TypeAlias = frozenset[int]  # Links that lead from one point to another: without them a step.


def check_repair(
    document: Document, interpretation: tuple[str, str], dated: dict[Named, datetime], value: object
) -> None:
    """Reject a repair with another cost, or one whose conflicts can be broken at less."""
    known = type(value) is dict and value.keys() == {"links", "cost", "lower", "conflicts"}
    require(known, "a repair has links, a cost, a lower bound, and conflicts")
    repair: dict[str, Any] = value  # type: ignore[assignment]
    rows = [_list(row, "a link") for row in _list(repair["links"], "the links")]
    weights = [row[4] if len(row) == 5 else 0 for row in rows]
    whole = (*weights, repair["cost"], repair["lower"])
    require(all(type(number) is int and number > 0 for number in whole), "a cost is no number")
    links: list[Link] = [tuple(_strings(row[:4], 4, "a link")) for row in rows]  # type: ignore[misc]
    before = Document(document.name, document.nodes, links)
    names = {name for name, _ in document.nodes}
    for link, left, right, relation in before.links:
        require({left, right} <= names, f"link {link} refers to what the document lacks")
        stated = relation in RELATIONS or relation in DURING[interpretation[1]]
        require(stated, f"link {link} has the unknown relation {relation!r:.40}")
    changed = changed_links(document, links)
    cost = sum(weights[number] for number in changed)
    require(cost == repair["cost"], f"the repair costs {cost}")
    require(repair["lower"] <= cost, "no lower bound is above the cost")
    points = _points(document)
    conflicts = []
    for cycle in _list(repair["conflicts"], "the conflicts"):
        check_cycle(before, interpretation, dated, cycle)
        conflicts.append(
            [
                _way(before, interpretation, points[p], points[q], n)
                for p, q, n in cycle
                if n is not None
            ]
        )
    if not unbreakable(conflicts, weights, repair["lower"]):
        raise RejectedError(f"a repair may cost less than {repair['lower']}")
    if repair["lower"] < cost:
        raise OpenError(f"not proved: a repair may cost {repair['lower']}")


def changed_links(document: Document, before: list[Link]) -> list[int]:
    """The places of those links before a repair that the document lacks, or has otherwise."""
    kept, changed = list(reversed(document.links)), list[int]()
    for number, (*ends, relation) in enumerate(before):
        stays = bool(kept) and kept[-1][:3] == tuple(ends)
        if not stays or kept.pop()[3] != relation:
            changed.append(number)
    require(not kept, "a link of the repaired document is not one of those before")
    return changed


def _way(document: Document, interpretation: tuple[str, str], p: Named, q: Named, link: int) -> Way:
    """The links that lead from a point to another as strongly as one link: all have to go."""
    strict = _leads(document, interpretation, link, p, q)
    ways = [_leads(document, interpretation, n, p, q) for n in range(len(document.links))]
    return frozenset(n for n, way in enumerate(ways) if way or way is strict)


MOST_TRIED = 5_000


def unbreakable(conflicts: list[list[Way]], weights: list[int], bound: int) -> bool:
    """Whether no links of less weight than a bound break a step of each conflict.

    Every way to break the conflicts one after another is tried, but for those that cannot stay
    below the bound, as conflicts without a common link are left.

    Raises:
        OpenError: these are too many.
    """
    conflicts = sorted(conflicts, key=len)
    seen: set[Way] = set()
    waiting: list[Way] = [frozenset()]
    while waiting:
        gone = waiting.pop()
        total, used = sum(weights[n] for n in gone), set[int]()
        first: list[Way] | None = None
        for ways in conflicts:
            if any(way <= gone for way in ways):
                continue
            first = first or ways
            every = frozenset().union(*ways) - gone
            if used.isdisjoint(every):
                used |= every
                total += min(sum(weights[n] for n in way - gone) for way in ways)
        if total >= bound:
            continue
        if first is None:
            return False
        for way in first:
            if gone | way not in seen:
                seen.add(gone | way)
                waiting.append(gone | way)
        if len(seen) > MOST_TRIED:
            raise OpenError("not proved: its lower bound takes too long to show")
    return True


def _list(value: object, what: str) -> list[Any]:
    if type(value) is not list:
        raise RejectedError(f"{what}: not an array")
    return value


def _strings(value: object, size: int, what: str) -> list[str]:
    found = _list(value, what)
    right = len(found) == size and all(type(text) is str for text in found)
    require(right, f"{what} has {size} strings")
    return found


# --- The annotated files --------------------------------------------------------------------------


def read_data(path: Path) -> Iterator[Document]:
    """The documents of a file, a folder or an archive.

    Raises:
        ValueError: it cannot be read; also OSError.
    """
    if path.is_dir():
        for other_path in sorted(path.rglob("*")):
            if other_path.is_file() and has_documents(other_path.name):
                yield from read_document(other_path.name, other_path.read_bytes())
    elif path.name.endswith((".tar", ".tar.gz", ".tgz")):
        with tarfile.open(path) as archive:
            for member in archive:
                file = archive.extractfile(member) if member.isfile() else None
                if file and has_documents(member.name):
                    yield from read_document(member.name, file.read())
    else:
        yield from read_document(path.name, path.read_bytes())


def has_documents(name: str) -> bool:
    """Whether a file is one of documents, by its name; files of annotators end in their names."""
    return name.removesuffix(".gz").endswith(SUFFIXES) or ".tml." in name


def read_document(name: str, data: bytes) -> Iterator[Document]:
    """The documents of a file: TimeML, JSON Lines or a table."""
    if data[:2] == b"\x1f\x8b":
        with gzip.open(io.BytesIO(data)) as file:
            data = file.read()
    start = data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    plain = name.rpartition("/")[2]
    for suffix in (".gz", ".tml", ".xml", ".timeml"):
        plain = plain.removesuffix(suffix)
    if start == b"<":
        if b"<!ENTITY" in data:
            raise ValueError("an entity is declared")
        yield from _timeml(plain, data)
    elif start == b"{":
        yield from map(_json, filter(str.strip, data.decode("utf-8-sig").split("\n")))
    else:
        yield from _table(plain.removesuffix(".txt"), data.decode("utf-8-sig"))


def _timeml(name: str, data: bytes) -> Iterator[Document]:
    root = ET.fromstring(data)
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    if root.tag != "TimeML":
        return
    events = {element.get("eid", "") for element in root.iter("EVENT")} - {""}
    made: dict[str, str] = {}
    for element in root.iter("MAKEINSTANCE"):
        made.setdefault(element.get("eiid", ""), element.get("eventID", ""))
    nodes = {instance: "" for instance, event in made.items() if instance and event in events}
    nodes |= dict.fromkeys(events - set(made.values()) - made.keys(), "")
    for element in root.iter("TIMEX3"):
        if element.get("tid"):
            nodes.setdefault(element.get("tid", ""), element.get("value", ""))
    links = []
    for number, element in enumerate(root.iter("TLINK")):
        left, right = (next(filter(None, map(element.get, some)), "") for some in ENDS)
        written = element.get("relType", "")
        name_of_link = element.get("lid") or str(number)
        links.append((name_of_link, left, right, written if len(written) > 2 else ""))
    yield _document(name, nodes, links)


def _json(text: str) -> Document:
    row = json.loads(text)
    links = [(link["id"], link["left"], link["right"], link["relation"]) for link in row["links"]]
    nodes = {
        record["id"]: record.get("value", "") if record.get("time") else ""
        for record in row.get("nodes", ())
    }
    if not nodes:
        nodes = {end: "" for link in links for end in link[1:3]}
    return _document(row["document"], nodes, links)


def _table(file: str, text: str) -> Iterator[Document]:
    rows: dict[str, list[Link]] = {}
    for number, line in enumerate(text.split("\n"), 1):
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) == 6:
            relation = STARTS.get(cells[5].upper(), "")
            rows.setdefault(cells[0], []).append((str(number), cells[3], cells[4], relation))
        elif len(cells) in (4, 5):
            rows.setdefault(cells[0], []).append((str(number), cells[1], cells[2], cells[3]))
        elif len(cells) == 3:
            rows.setdefault(file, []).append((str(number), cells[0], cells[1], cells[2]))
    for name, links in rows.items():
        yield _document(name, {end: "" for link in links for end in link[1:3]}, links)


def _document(name: str, nodes: dict[str, str], links: Iterable[Link]) -> Document:
    """A document without links that mean nothing: to nothing, or with an unknown label."""
    kept = []
    for link, left, right, written in links:
        relation = SHORT.get(written) or SHORT.get(written.strip().upper(), written.strip().upper())
        known = relation in RELATIONS or relation in DURING["included"]
        if known and left in nodes and right in nodes:
            kept.append((link, left, right, relation))
    return Document(name, list(nodes.items()), kept)


def unknown_in(data: Iterable[Document]) -> Callable[[dict[str, Any]], str | None]:
    """A function that says why the document of a line is none of these."""
    known: dict[str, list[tuple[object, object]]] = {}
    for document in data:
        known.setdefault(document.name, []).append(_order(document))

    def fault(row: dict[str, Any]) -> str | None:
        document = document_of(row)
        if document.name not in known:
            return f"no document of the data is {document.name}"
        orders = [_order(document)]
        if "repair" in row:  # The data may be the documents before it.
            links = [tuple(link[:4]) for link in row["repair"]["links"]]
            orders.append(_order(document._replace(links=links)))
        known_order = any(order in known[document.name] for order in orders)
        return None if known_order else "its links are not those of the data"

    return fault


def _order(document: Document) -> tuple[object, object]:
    return sorted(document.nodes), [link[1:] for link in document.links]


# --- The files ------------------------------------------------------------------------------------


def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object, in which each name occurs once."""
    require(len(dict(pairs)) == len(pairs), "a name occurs twice in an object")
    return dict(pairs)


def check_file(
    path: str, data: Iterable[str] = (), decide: Callable[[object], None] = check_row
) -> Iterator[tuple[str, str, str | None]]:
    """Place, document and fault of each line; the fault is None if its verdict is proved."""
    fault_in = (
        unknown_in(document for some in data for document in read_data(Path(some)))
        if data
        else None
    )
    with Path(path).open("rb") as file:
        for number, line in enumerate(file, 1):
            name, fault = f"line {number}", None
            try:
                row = json.loads(line, object_pairs_hook=unique)
                name = str(row.get("document", name)) if type(row) is dict else name
                decide(row)
                fault = fault_in and fault_in(row)
            except RejectedError as error:
                fault = str(error)
            except (ValueError, RecursionError) as error:
                fault = f"not a line of JSON: {error}"
            yield f"{path}:{number}", name, fault


def main(arguments: list[str]) -> int:
    """Check a file; returns the exit status."""
    path, *more = arguments or [""]
    if not path or path.startswith("-") or (more and more[0] != "--data"):
        sys.stderr.write("usage: check.py documents.jsonl [--data PATH ...]\n")
        return 2
    count = rejected = 0
    try:
        for where, name, fault in check_file(path, more[1:]):
            count, rejected = count + 1, rejected + (fault is not None)
            if fault is not None:
                sys.stdout.write(f"{where}: {fault} (item {name})\n")
    except (OSError, *UNREADABLE) as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    sys.stdout.write(f"{count:,} items, {rejected:,} rejected\n")
    return 1 if rejected else 0


# --- Tables ---------------------------------------------------------------------------------------

ROW = {"document", "reading", "during", "dates", "nodes", "links"}
ROW |= {"consistent", "timeline", "cycle"}
CHOICES = {"reading": ("lenient", "allen"), "during": ("included", "simultaneous")}
BOUNDS = ("start", "end")
UNREADABLE = (ValueError, KeyError, TypeError, ET.ParseError, tarfile.TarError)
SUFFIXES = (".tml", ".timeml", ".xml", ".tsv", ".txt", ".jsonl")
ENDS = (
    ("eventInstanceID", "eventID", "timeID"),
    ("relatedToEventInstance", "relatedToEvent", "relatedToEventID", "relatedToTime"),
)
SHORT = {
    "b": "BEFORE",
    "a": "AFTER",
    "i": "INCLUDES",
    "ii": "IS_INCLUDED",
    "s": "SIMULTANEOUS",
    "v": "VAGUE",
    "NONE": "VAGUE",
    "UNKNOWN": "VAGUE",
    "EQUAL": "SIMULTANEOUS",
    "CONTAINS": "INCLUDES",
    "OVERLAPS": "OVERLAP",
}
STARTS = {
    "BEFORE": "STARTS_BEFORE",
    "AFTER": "STARTS_AFTER",
    "EQUAL": "STARTS_EQUAL",
    "VAGUE": "VAGUE",
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
