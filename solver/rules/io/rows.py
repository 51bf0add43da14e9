"""A rule as a row of a file, and the conversion of rows to a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np
from numpy.typing import NDArray

from solver.atoms import written
from solver.eventhop.reading import malformed
from solver.eventhop.records import Place
from solver.graph.model import Ids
from solver.io.sources import RowError, open_input
from solver.io.sources import lines as lines_of
from solver.io.writing import line
from solver.rules.model import MOST_FACTS, RuleTable, code_of

LARGEST = 2**31 - 1

Id = Annotated[int, msgspec.Meta(ge=0, le=LARGEST)]
Count = Annotated[int, msgspec.Meta(ge=0, le=2**62)]
Body = Annotated[list[Id], msgspec.Meta(min_length=1, max_length=MOST_FACTS)]
Confidence = Annotated[float, msgspec.Meta(ge=0, le=1)]


class Row(msgspec.Struct, kw_only=True):
    """A rule in JSON Lines; fields as in ``Rule``."""

    head: Id
    body: Body
    same: list[list[int]] = []
    confidence: Confidence | None = None
    rule_support: Count
    body_support: Count


def table_of(rows: Sequence[Row], place: Callable[[int], str], relations: int | None) -> RuleTable:
    """Convert rows to columns and validate them.

    Args:
        rows: the rows of a file.
        place: location of a row, for messages.
        relations: number of relations without inverses; None to accept any.

    Raises:
        RowError: a row is inconsistent, or names an unknown relation.
    """
    longest = max((len(row.body) for row in rows), default=1)
    body = [row.body + [-1] * (longest - len(row.body)) for row in rows]
    same = np.zeros(len(rows), dtype=np.int64)
    for number, row in enumerate(rows):
        if row.same:
            same[number] = code_of(groups(row.same, len(row.body), partial(place, number)))
    table = RuleTable(
        head=_integers(row.head for row in rows),
        body=np.array(body, dtype=np.int64).reshape(-1, longest),
        same=same,
        rule_support=_integers(row.rule_support for row in rows),
        body_support=_integers(row.body_support for row in rows),
    )
    refuse(table, place, relations)
    stated = (np.nan if row.confidence is None else row.confidence for row in rows)
    return with_stated(table, np.fromiter(stated, dtype=np.float64))


def groups(same: Sequence[Sequence[int]], length: int, where: Callable[[], str]) -> list[list[int]]:
    """The groups of positions of a row, in ascending order.

    Raises:
        RowError: a position is not in the body, or is named twice.
    """
    found = sorted(sorted(group) for group in same)
    named = [position for group in found for position in group]
    if len(named) != len(set(named)) or not all(0 <= one <= length for one in named):
        message = f"found {[list(group) for group in same]} as positions with the same entity"
        expected = f"expected groups of different positions, 0 to {length}"
        raise RowError(f"{message}, {expected}", where=where())
    return [group for group in found if len(group) > 1]


def refuse(table: RuleTable, place: Callable[[int], str], relations: int | None) -> None:
    """Refuse inconsistent rules.

    Raises:
        RowError: at the first row whose rule support exceeds its body support, or that names an
            unknown relation.
    """
    for row in np.flatnonzero(table.rule_support > table.body_support)[:1]:
        message = f"found a rule support of {table.rule_support[row]:,}, "
        expected = f"expected at most the body support, {table.body_support[row]:,}"
        raise RowError(message + expected, where=place(int(row)))
    if relations is None:
        return
    most = np.maximum(table.head, table.body.max(axis=1, initial=-1))
    for row in np.flatnonzero(most >= 2 * relations)[:1]:
        message = f"found relation {most[row]}, expected 0 to {2 * relations - 1}"
        hint = f"the graph has {relations} relations, and an inverse for each"
        raise RowError(message, where=place(int(row)), hint=hint)


def with_stated(table: RuleTable, confidence: NDArray[np.float64]) -> RuleTable:
    """Add the confidences of a file (NaN if missing), unless they are the ratios of supports."""
    ratio = table.ratio
    stated = np.where(np.isnan(confidence), ratio, confidence)
    if (stated == ratio).all():
        return table
    return RuleTable(
        head=table.head,
        body=table.body,
        same=table.same,
        rule_support=table.rule_support,
        body_support=table.body_support,
        stated=stated,
    )


def _integers(values: object) -> Ids:
    return np.fromiter(values, dtype=np.int64)  # type: ignore[call-overload, no-any-return]


def read_jsonl(path: str | Path, relations: int | None) -> RuleTable:
    """Read a file; see ``read_rules``."""
    decode = msgspec.json.Decoder(Row).decode
    rows: list[Row] = []
    places: list[int] = []
    with open_input(path, "a file of rules") as source:
        for read in lines_of(source):
            if read.error is not None:
                raise read.error
            if read.blank:
                continue
            try:
                rows.append(decode(read.text))
            except (msgspec.DecodeError, RecursionError) as error:
                place = Place(file=source.name, line=read.number)
                broken = malformed(read.text, place, error)
                hint = f"a rule has {', '.join(Row.__struct_fields__)}"
                raise RowError(broken.message, where=broken.where, hint=hint) from None
            places.append(read.number)
        return table_of(rows, lambda row: f"{source.name}:{places[row]}:1", relations)


def lines(rules: RuleTable) -> Iterator[bytes]:
    """Yield the lines of the file, in the order of the rules."""
    for rule, confidence in zip(rules, rules.confidence.tolist(), strict=True):
        yield line(
            {
                "head": rule.head,
                "body": rule.body,
                "same": rule.same,
                "confidence": confidence,
                "rule_support": rule.rule_support,
                "body_support": rule.body_support,
            }
        )


def lines_facts(rules: RuleTable) -> Iterator[bytes]:
    """Yield one line of facts per rule; rules are numbered from 0 in their order."""
    from solver.rules.encode import rule_facts

    for number, rule in enumerate(rules):
        support = f"support({number},{rule.rule_support},{rule.body_support})."
        yield (" ".join((*written(rule_facts(number, rule)), support)) + "\n").encode()
