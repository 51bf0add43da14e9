"""The published JSON: rules by head, ``{"12": [{"head_rel": 12, "body_rels": [...], ...}]}``.

Confidences have six decimals. The rules of a head are sorted by descending confidence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np

from solver.eventhop.reading import malformed
from solver.eventhop.records import Place
from solver.graph.index import Index
from solver.io.sources import InputError, RowError, open_input, shown
from solver.rules.io.rows import Body, Confidence, Count, Id, Row, table_of
from solver.rules.model import RuleTable

_NAMES = {
    "head": "head_rel",
    "body": "body_rels",
    "same": "var_constraints",
    "confidence": "conf",
    "rule_support": "rule_supp",
    "body_support": "body_supp",
}
_DECIMALS = 6
_EXPECTED = "expected one object that maps a head relation to a list of its rules"


class _Published(Row, rename=_NAMES, kw_only=True):
    """A rule with the field names of the published files."""

    head: Id
    body: Body
    same: list[list[int]]
    confidence: Confidence
    rule_support: Count
    body_support: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    """The bytes of a file, to locate errors in them."""

    name: str
    data: bytes

    def place(self, position: int) -> str:
        before = self.data[:position]
        column = len(before[before.rfind(b"\n") + 1 :].decode(errors="replace")) + 1
        return f"{self.name}:{before.count(10) + 1}:{column}"

    def place_of(self, rule: msgspec.Raw) -> str:
        # A duplicate is reported at its first occurrence, which has the same error.
        return self.place(self.data.find(bytes(rule)))


def read_published(path: str | Path, relations: int | None) -> RuleTable:
    """Read a file; see ``read_rules``."""
    with open_input(path, "a file of rules") as source:
        file = _File(name=source.name, data=source.whole())
    raw = _by_head(file)
    rows = [row for head, rules in raw.items() for row in _rules(file, head, rules)]
    every = [rule for rules in raw.values() for rule in rules]
    return table_of(rows, lambda row: file.place_of(every[row]), relations)


def pieces(rules: RuleTable) -> Iterator[bytes]:
    """Yield the bytes of the file; heads ascending, rules of a head in their order."""
    encode = msgspec.json.Encoder().encode
    confidence = rules.confidence
    index = Index.of(rules.head)
    yield b"{"
    between = b""
    for head in np.unique(rules.head).tolist():
        rows = [_row(rules, row, float(confidence[row])) for row in index.rows(head).tolist()]
        yield between + f'"{head}":'.encode() + encode(rows)
        between = b",\n"
    yield b"}\n"


def _row(rules: RuleTable, number: int, confidence: float) -> _Published:
    rule = rules.rule(number)
    return _Published(
        head=rule.head,
        body=list(rule.body),
        same=[list(group) for group in rule.same],
        confidence=round(confidence, _DECIMALS),
        rule_support=rule.rule_support,
        body_support=rule.body_support,
    )


def _by_head(file: _File) -> dict[str, list[msgspec.Raw]]:
    try:
        return msgspec.json.decode(file.data, type=dict[str, list[msgspec.Raw]])
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        reason = " ".join(str(error).split()).replace("JSON is malformed: ", "")
        message = f"broken JSON ({reason[:1].lower() + reason[1:]}), {_EXPECTED}"
        raise InputError(message, where=file.name) from None


def _rules(file: _File, head: str, rules: list[msgspec.Raw]) -> Iterator[Row]:
    decode = msgspec.json.Decoder(_Published).decode
    for rule in rules:
        try:
            row = decode(rule)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
            place = Place(file=file.name, line=1)
            broken = malformed(bytes(rule).decode(errors="replace"), place, error)
            hint = f"a rule has {', '.join(_NAMES.values())}"
            raise RowError(broken.message, where=file.place_of(rule), hint=hint) from None
        if head != str(row.head):
            message = f"found head_rel {row.head} under {shown(head)}, expected the same relation"
            raise RowError(message, where=file.place_of(rule))
        yield row
