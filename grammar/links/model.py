"""Documents with events, times and the temporal links that annotators drew between them.

Frozen values without logic; the meaning of the relations is defined in ``encodings/links``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from grammar.eventhop.model import Point


class RelationType(StrEnum):
    """The relations of a link; the first 14 are TimeML's."""

    BEFORE = "BEFORE"
    AFTER = "AFTER"
    IBEFORE = "IBEFORE"
    IAFTER = "IAFTER"
    INCLUDES = "INCLUDES"
    IS_INCLUDED = "IS_INCLUDED"
    SIMULTANEOUS = "SIMULTANEOUS"
    IDENTITY = "IDENTITY"
    BEGINS = "BEGINS"
    BEGUN_BY = "BEGUN_BY"
    ENDS = "ENDS"
    ENDED_BY = "ENDED_BY"
    DURING = "DURING"
    DURING_INV = "DURING_INV"
    OVERLAP = "OVERLAP"
    STARTS_BEFORE = "STARTS_BEFORE"
    STARTS_AFTER = "STARTS_AFTER"
    STARTS_EQUAL = "STARTS_EQUAL"
    VAGUE = "VAGUE"

    # Relations are dictionary keys: the enum's default hash is ten times slower than a string's.
    __hash__ = str.__hash__


INVERSE: Mapping[RelationType, RelationType] = {
    one: other
    for pair in (
        (RelationType.BEFORE, RelationType.AFTER),
        (RelationType.IBEFORE, RelationType.IAFTER),
        (RelationType.INCLUDES, RelationType.IS_INCLUDED),
        (RelationType.SIMULTANEOUS, RelationType.SIMULTANEOUS),
        (RelationType.IDENTITY, RelationType.IDENTITY),
        (RelationType.BEGINS, RelationType.BEGUN_BY),
        (RelationType.ENDS, RelationType.ENDED_BY),
        (RelationType.DURING, RelationType.DURING_INV),
        (RelationType.OVERLAP, RelationType.OVERLAP),
        (RelationType.STARTS_BEFORE, RelationType.STARTS_AFTER),
        (RelationType.STARTS_EQUAL, RelationType.STARTS_EQUAL),
        (RelationType.VAGUE, RelationType.VAGUE),
    )
    for one, other in (pair, pair[::-1])
}
"""``A r B`` means the same as ``B INVERSE[r] A``."""


class Reading(StrEnum):
    """How the comparisons ``<`` of the relations are read: as ``<=`` or as ``<``."""

    LENIENT = "lenient"
    ALLEN = "allen"


class During(StrEnum):
    """Meaning of ``DURING``: as ``IS_INCLUDED``, or as ``SIMULTANEOUS`` (TempEval-3's scorer)."""

    INCLUDED = "included"
    SIMULTANEOUS = "simultaneous"


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpretation:
    """What the links of a document mean.

    Attributes:
        reading: of the comparisons ``<``.
        during: of ``DURING``.
        dates: whether the calendar orders times with normalised values.
    """

    reading: Reading = Reading.LENIENT
    during: During = During.INCLUDED
    dates: bool = False


class Format(StrEnum):
    """Format of a document; it decides how links are written."""

    TIMEML = "timeml"
    TABLE = "table"
    STARTS = "starts"
    JSON = "json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """An event or a time.

    Attributes:
        id: what links refer to: the id of an event instance, or of a time.
        is_time: whether it is a time expression.
        word: its text.
        sentence: the text around it.
        value: normalised value of a time, such as ``1998-02-27``.
    """

    id: str
    is_time: bool = False
    word: str = ""
    sentence: str = ""
    value: str = ""

    def __str__(self) -> str:
        """Format as ``e4 "said"``, or ``e4`` without a text."""
        return f'{self.id} "{self.word}"' if self.word else self.id


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link between two nodes.

    Attributes:
        id: as in the file; the number of the row in a table.
        left, right: ids of the nodes.
        relation: the relation of left to right.
        written: the relation as in the file.
        line: line in the file, from 1.
        weight: cost of removing it, a positive whole number.
        span: first byte and end of the link in the file.
    """

    id: str
    left: str
    right: str
    relation: RelationType
    written: str = ""
    line: int = 0
    weight: int = 1
    span: tuple[int, int] = (0, 0)

    def __str__(self) -> str:
        """Format as ``12: e4 AFTER e20``."""
        return f"{self.id}: {self.left} {self.written or self.relation} {self.right}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A step of a cycle, from a point to a later one, or to one that is no earlier.

    Attributes:
        strict: whether the target is later.
        relation: index of the link that the step follows from; None for a duration or the calendar.
    """

    source: Point
    target: Point
    strict: bool
    relation: int | None


class FlawCode(StrEnum):
    """Why a link is left out."""

    DANGLING = "dangling-id"
    UNKNOWN = "unknown-relation"
    SELF = "self-link"


@dataclass(frozen=True, slots=True, kw_only=True)
class Flaw:
    """A link that is left out, with its id, its line and what is wrong with it."""

    code: FlawCode
    link: str
    line: int
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """An annotated document.

    Attributes:
        name: its name; unique in its file.
        file: the file that it was read from.
        format: the format of that file.
        nodes: its events and times by id, in the order of the text.
        links: its links, in the order of the file.
        flaws: links that are left out.
    """

    name: str
    file: str = ""
    format: Format = Format.JSON
    nodes: Mapping[str, Node] = field(default_factory=dict)
    links: tuple[Link, ...] = ()
    flaws: tuple[Flaw, ...] = ()

    def where(self, line: int) -> str:
        """A position as ``file:line``."""
        return f"{self.file}:{line}" if line else self.file
