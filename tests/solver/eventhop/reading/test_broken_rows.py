"""A row that cannot be read: its message; the rows around it are still read."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from solver.eventhop.records import BrokenRecord, ReadRecord, Record
from solver.io.sources import RowError

Read = Callable[[str | bytes, str], list[ReadRecord]]

ROW = "0\tpossible\tfalse\tafter\t4\t3\t2\tP.\tC?\tTrue\n"
OBJECT = '{"premise": "P.", "claim": "C?"}'
# The head of a file distinguishes text from binary: errors in rows come after it.
LONG_ROW = ROW.replace("P.", "Port Calder. " * 1000)

COLUMNS = (
    "(read are the published TSV of 9 or 10 columns; a table (tabs, commas or semicolons) whose "
    "first line names premise and claim; JSON Lines; Parquet)"
)
LABEL = (
    "expected True, False, Impossible, Undefined or Contradictory "
    "(--labels nli3 reads entailment, neutral and contradiction; or give your own words)"
)
NUMBER = "expected a whole number from 0 to 999,999,999 (write digits only)"
UTF_8 = "expected text in UTF-8 (convert the file, for example with iconv -f latin1 -t utf-8)"
QUOTES = "(quote the whole text if it contains a quote, and double the quotes inside it)"

ROWS: dict[str, tuple[str | bytes, str]] = {
    "too few columns": (
        "0\tpossible\n",
        f"2:11: found 2 columns, expected 9 or 10 separated by tabs {COLUMNS}",
    ),
    "no tab": (
        "0,possible\n",
        f"2:11: found 1 column, expected 9 or 10 separated by tabs {COLUMNS}",
    ),
    "too many columns": (
        ROW.replace("True", "True\tmore"),
        f"2:41: found 11 columns, expected 9 or 10 separated by tabs {COLUMNS}",
    ),
    "unknown label": (ROW.replace("True", "Maybe"), f"2:36: label: found 'Maybe', {LABEL}"),
    "no label": (ROW.replace("True", ""), f"2:36: label: found '', {LABEL}"),
    "a label of another scheme": (
        ROW.replace("True", "entailment"),
        f"2:36: label: found 'entailment', {LABEL}",
    ),
    "a word as a number": (ROW.replace("4", "four"), f"2:24: events: found 'four', {NUMBER}"),
    "a sign": (ROW.replace("3", "-3"), f"2:26: relations: found '-3', {NUMBER}"),
    "another script": (ROW.replace("2", "٢"), f"2:28: event_distance: found '٢', {NUMBER}"),
    "huge, in nine columns": (
        ROW.replace("\tfalse", "").replace("4", "9" * 5000),
        f"2:18: events: found '{'9' * 40}'…, {NUMBER}",
    ),
    "declared": (
        ROW.replace("possible", "so\x1b[31m"),
        "2:3: declared: found 'so\\x1b[31m', expected possible or impossible "
        "(leave it out if unknown)",
    ),
    "forced": (
        ROW.replace("false", "0"),
        "2:12: forced: found '0', expected true or false (leave it out if unknown)",
    ),
    "another encoding": (
        ROW.replace("P.", "Pöt").encode("latin1"),
        f"2:31: found byte 0xf6, {UTF_8}",
    ),
    "half a character": (
        ROW.replace("P.", "éö").encode().replace(b"\xb6", b""),
        f"2:31: found byte 0xc3, {UTF_8}",
    ),
    "NUL": (
        ROW.replace("P.", "P\0"),
        "2:31: found a NUL character, expected text (the line is damaged, or binary)",
    ),
    "unclosed quote": (
        ROW.replace("C?", '"C?'),
        f"2:33: found an opening quote without a closing quote, expected a complete quoted text "
        f"{QUOTES}",
    ),
    "text after a closing quote": (
        ROW.replace("P.", '"Great" regatta'),
        f"2:37: found text after a closing quote, expected a tab {QUOTES}",
    ),
}

LINES = {
    "cut off": ('{"premise": "P', "2:15: broken JSON (the line is truncated)"),
    "no quotes": ("{id: 7}", "2:2: broken JSON (object keys must be strings)"),
    "a word": ('{"premise": "ö", "claim": x}', "2:27: broken JSON (invalid character)"),
    "two on a line": ("{} {}", "2:4: broken JSON (trailing characters)"),
    "an array": ("[1]", "2:1: broken JSON (expected `object`, got `array`)"),
    "deep": ('{"x": ' + "[" * 10**6, "2:1: broken JSON (too deeply nested)"),
    "half a character": (
        '{"premise": "\\ude00"}',
        "2:20: broken JSON (invalid utf-16 surrogate pair)",
    ),
    "beyond all numbers": (
        '{"premise": "", "events": 1e999}',
        "2:27: broken JSON (number out of range)",
    ),
}

# Each value follows `{"premise": "P.", "claim": "C?", "` and its name.
FIELDS = {
    "label": (True, "2:43: label: found a boolean, expected a string (write it in quotes)"),
    "gold": ("?", f"2:42: label: found '?', {LABEL}"),
    "hops": (-1, f"2:42: hops: found -1, {NUMBER}"),
    "events": (10**30, f"2:44: events: found a number, {NUMBER}"),
    "relations": (1.5, f"2:47: relations: found 1.5, {NUMBER}"),
    "event_distance": (False, f"2:52: event_distance: found a boolean, {NUMBER}"),
    "forced": ("true", "2:44: forced: found 'true', expected true or false (write it unquoted)"),
    "declared": (
        "yes",
        "2:46: declared: found 'yes', expected possible or impossible (leave it out if unknown)",
    ),
    "relation": (["a"], "2:46: relation: found an array, expected a string (write it in quotes)"),
    "id": ({}, "2:40: id: found an object, expected a string or a whole number (or leave it out)"),
}


def message(record: ReadRecord) -> str:
    assert isinstance(record, BrokenRecord)
    assert isinstance(record.error, RowError)
    return str(record.error)


@pytest.mark.parametrize("case", ROWS)
def test_rows(read: Read, case: str) -> None:
    row, expected = ROWS[case]
    content = LONG_ROW.encode() + (row if isinstance(row, bytes) else row.encode()) + ROW.encode()
    before, broken, after = read(content, "items.tsv")
    assert message(broken) == f"items.tsv:{expected}"
    assert isinstance(before, Record)
    assert isinstance(after, Record)
    assert after.place.line == 3


@pytest.mark.parametrize("case", LINES)
def test_lines_of_json(read: Read, case: str) -> None:
    line, expected = LINES[case]
    _, broken, after = read(f"{OBJECT}\n{line}\n{OBJECT}\n", "items.jsonl")
    hint = "expected an object (write one complete object per line, without commas between them)"
    assert message(broken) == f"items.jsonl:{expected}, {hint}"
    assert isinstance(after, Record)


@pytest.mark.parametrize("field", FIELDS)
def test_fields_of_json(read: Read, field: str) -> None:
    value, expected = FIELDS[field]
    line = OBJECT.replace("}", f', "{field}": {json.dumps(value)}}}')
    _, broken, after = read(f"{OBJECT}\n{line}\n{OBJECT}\n", "items.jsonl")
    assert message(broken) == f"items.jsonl:{expected}"
    assert isinstance(after, Record)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('{"claim": "C?", "premise": null}', "1:28: premise: found nothing"),
        ('{"premise": "P."}', "1:1: claim: found nothing"),
    ],
)
def test_premise_and_claim_are_needed(read: Read, line: str, expected: str) -> None:
    (broken,) = read(line, "items.jsonl")
    needed = "expected a string (--map premise=COLUMN,claim=COLUMN names other columns)"
    assert message(broken) == f"items.jsonl:{expected}, {needed}"


def test_the_column_is_that_of_the_key_not_of_the_same_word_in_a_text(read: Read) -> None:
    line = json.dumps({"premise": 'x "label": ', "claim": "", "label": "?"})
    (broken,) = read(line, "items.jsonl")
    assert message(broken).startswith(f"items.jsonl:1:{line.rindex(chr(34) + '?') + 1}: label")


@pytest.mark.parametrize(
    ("content", "id"),
    [
        (ROW.replace("0", "k8").replace("True", "Maybe"), "k8"),
        (OBJECT.replace("}", ', "id": "k8", "label": "Maybe"}'), "k8"),
        (OBJECT.replace("}", ', "id": []}'), "1"),
        ("k8\tpossible\n", "k8"),
        ('k8\t"', "k8"),
        ('k8\t"a"b', "k8"),
        ('"k8', "1"),
        ("{", "1"),
    ],
)
def test_the_id_is_kept_as_far_as_it_can_be_read(read: Read, content: str, id: str) -> None:
    assert [record.id for record in read(content, "items")] == [id]


def test_a_message_is_one_line_for_any_content(read: Read) -> None:
    (broken,) = read(ROW.replace("True", '"a\nb\u2028c\x85"'), "items.tsv")
    assert len(message(broken).splitlines()) == 1
