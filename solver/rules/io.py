"""Rule files: the published JSON, JSON Lines and Parquet; ASP facts can only be written.

The published JSON has the rules by head, ``{"12": [{"head_rel": 12, "body_rels": [...], ...}]}``,
with confidences of six decimals; the rules of a head are sorted by descending confidence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np

from grammar.errors import HopcheckError
from solver.encodings import written
from solver.graph.model import Ids, Index
from solver.io.columns import column
from solver.io.json_lines import JsonDecoder, read_document
from solver.io.sources import WHOLE, Place, RowError, byte_location, open_input, shown
from solver.io.writing import line, packed
from solver.rules.model import LARGEST, MOST_FACTS, RuleTable, code_of, groups, refuse, with_stated
from solver.rules.provenance import Content, remove_manifest, seen_by, write_manifest


class RuleFormat(StrEnum):
    """Format of a rule file, by file extension; all but Parquet may be compressed (``.gz``)."""

    PUBLISHED = ".json"
    JSONL = ".jsonl"
    PARQUET = ".parquet"
    FACTS = ".lp"


class RuleFormatError(HopcheckError):
    """An unknown file extension, or a format that cannot be read."""

    code = "rule-format"


def format_of(path: str | Path) -> RuleFormat:
    """The format of a file, by its extension.

    Raises:
        RuleFormatError: the extension is unknown.
    """
    name = str(path).removesuffix(".gz")
    for rule_format in RuleFormat:
        if name.endswith(rule_format.value):
            if rule_format is RuleFormat.PARQUET and name != str(path):
                break
            return rule_format
    message = f"found the file extension {Path(path).suffix or 'none'!r}, expected "
    expected = ".json, .jsonl or .lp, also with .gz, or .parquet"
    raise RuleFormatError(message + expected, where=str(path))


def read_rules(path: str | Path, *, relations: int | None = None) -> RuleTable:
    """Read rules in the order of the file.

    Args:
        path: the file.
        relations: number of relations without inverses; rules with other relations are refused.

    Raises:
        RuleFormatError: the extension is unknown, or the format cannot be read.
        InputError: the file cannot be read.
        RowError: a rule is invalid.
    """
    return replace(_read(path, relations), seen=seen_by(path, Content.RULES))


def _read(path: str | Path, relations: int | None) -> RuleTable:
    match format_of(path):
        case RuleFormat.PUBLISHED:
            return _read_published(path, relations)
        case RuleFormat.JSONL:
            return _read_jsonl(path, relations)
        case RuleFormat.PARQUET:
            from solver.extras import require

            require("Parquet", "pyarrow")
            from solver.rules.parquet import read_parquet

            return read_parquet(path, relations)
        case RuleFormat.FACTS:
            raise RuleFormatError(
                "ASP facts can be written, not read",
                where=str(path),
                hint="store the rules as .json, .jsonl or .parquet",
            )


def write_rules(path: str | Path, rules: RuleTable) -> None:
    """Write rules in their order, atomically; gzip if the path ends in ``.gz``.

    If it is known what they were mined from, it is written to a manifest beside the file.

    Raises:
        RuleFormatError: the extension is unknown.
        OutputError: the file cannot be written.
    """
    form = format_of(path)
    if form is RuleFormat.PARQUET:
        from solver.extras import require

        require("Parquet", "pyarrow")
        from solver.rules.parquet import write_parquet

        write_parquet(path, rules)
    else:
        _write(path, form, rules)
    if rules.seen is None:
        remove_manifest(path)
    else:
        write_manifest(path, Content.RULES, rules.seen)


def _write(path: str | Path, form: RuleFormat, rules: RuleTable) -> None:
    encode: dict[RuleFormat, Callable[[RuleTable], Iterable[bytes]]] = {
        RuleFormat.PUBLISHED: _published,
        RuleFormat.JSONL: _json_lines,
        RuleFormat.FACTS: _facts,
    }
    with packed(path) as file:
        file.writelines(encode[form](rules))


Id = Annotated[int, msgspec.Meta(ge=0, le=LARGEST)]
Count = Annotated[int, msgspec.Meta(ge=0, le=2**62)]
Body = Annotated[list[Id], msgspec.Meta(min_length=1, max_length=MOST_FACTS)]
Confidence = Annotated[float, msgspec.Meta(ge=0, le=1)]


class Row(msgspec.Struct, kw_only=True):
    """A temporal rule of a graph."""

    head: Annotated[Id, column("relation that is derived, by its id in the graph", example=12)]
    body: Annotated[
        Body,
        column("relations of the body, in its order; inverses have ids too", example=[3, 7]),
    ]
    same: Annotated[
        list[list[int]], column("positions of the body with the same entity", example=[[0, 2]])
    ] = []
    confidence: Annotated[
        Confidence | None, column("rule support over body support", example=0.75)
    ] = None
    rule_support: Annotated[
        Count, column("groundings of the body that the head follows", unit="groundings", example=30)
    ]
    body_support: Annotated[Count, column("groundings of the body", unit="groundings", example=40)]


_HINT = f"a rule has {', '.join(Row.__struct_fields__)}"
_DECODER = JsonDecoder(Row, hint=_HINT)


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
    return with_stated(table, np.fromiter(stated, dtype=np.float64), place)


def _integers(values: object) -> Ids:
    return np.fromiter(values, dtype=np.int64)  # type: ignore[call-overload, no-any-return]


def _read_jsonl(path: str | Path, relations: int | None) -> RuleTable:
    with open_input(path, "a file of rules") as source:
        read = list(_DECODER.sound_rows(source))
    rows = [row.value for row in read]
    return table_of(rows, lambda row: read[row].place.at(1), relations)


def _json_lines(rules: RuleTable) -> Iterator[bytes]:
    for rule, confidence in zip(rules, rules.confidence.tolist(), strict=True):
        yield line(rule.as_json() | {"confidence": confidence})


def _facts(rules: RuleTable) -> Iterator[bytes]:
    """Yield one line of facts per rule; rules are numbered from 0 in their order."""
    from solver.rules.encode import rule_facts

    for number, rule in enumerate(rules):
        support = f"support({number},{rule.rule_support},{rule.body_support})."
        yield (" ".join((*written(rule_facts(number, rule)), support)) + "\n").encode()


_NAMES = {
    "head": "head_rel",
    "body": "body_rels",
    "same": "var_constraints",
    "confidence": "conf",
    "rule_support": "rule_supp",
    "body_support": "body_supp",
}
_DECIMALS = 6


class _Published(Row, rename=_NAMES, kw_only=True):
    """A rule with the field names of the published files."""

    head: Id
    body: Body
    same: list[list[int]]
    confidence: Confidence
    rule_support: Count
    body_support: Count


_DECODER_PUBLISHED = JsonDecoder(_Published, hint=f"a rule has {', '.join(_NAMES.values())}")


def _read_published(path: str | Path, relations: int | None) -> RuleTable:
    hint = "one object that maps a head relation to a list of its rules"
    by_head = read_document(
        path, dict[str, list[msgspec.Raw]], "file of rules", hint=hint, most=WHOLE
    )
    rules = [rule for rules in by_head.values() for rule in rules]

    def where(row: int) -> str:
        return _location(path, rules[row])

    rows: list[Row] = []
    for head, of_head in by_head.items():
        for rule in of_head:
            try:
                row = _DECODER_PUBLISHED.decode(bytes(rule), Place(file="", line=1))
            except RowError as error:
                raise RowError(error.message, where=where(len(rows)), hint=error.hint) from None
            if head != str(row.head):
                found = f"found head_rel {row.head} under {shown(head)}"
                raise RowError(f"{found}, expected the same relation", where=where(len(rows)))
            rows.append(row)
    return table_of(rows, where, relations)


def _location(path: str | Path, rule: msgspec.Raw) -> str:
    """Location of a rule; a duplicate has that of its first occurrence, with the same error."""
    with open_input(path) as source:
        data = source.whole()
    return byte_location(source.name, data, data.find(bytes(rule)))


def _published(rules: RuleTable) -> Iterator[bytes]:
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
