"""Rules as JSON Lines: one object per line with the fields of ``Rule`` and its confidence."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from solver.reading.failures import RowError
from solver.reading.jsonl import malformed
from solver.reading.lines import lines as lines_of
from solver.reading.source import open_input
from solver.records import Place
from solver.rules.files.row import Row, table_of
from solver.rules.table import RuleTable
from solver.writing.jsonl import line


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
