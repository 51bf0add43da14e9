"""Columns of values in a line of JSON, and documents with damaged bytes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.io.json_lines import Step, column_of_value, read_document
from solver.io.sources import InputError

SCALARS = st.none() | st.booleans() | st.integers() | st.text('a"\\{[]}:, ö\n')
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text('a":ö', max_size=2), inner),
    max_leaves=8,
)


def members(
    value: object, path: tuple[Step, ...] = ()
) -> Iterator[tuple[tuple[Step, ...], object]]:
    yield path, value
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from members(inner, (*path, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from members(inner, (*path, number))


def test_bytes_of_unknown_members_are_text(tmp_path: Path) -> None:
    path = tmp_path / "document.json"
    path.write_bytes(b'{\n "id": 1, "a": "\xc3\xb6\xe5"}')
    with pytest.raises(InputError, match=r"document\.json:2:18: found invalid UTF-8"):
        read_document(path, Known, "document")
    path.write_bytes(b'{"id": 1, "a": "\xc3\xb6"}')
    assert read_document(path, Known, "document") == Known(id=1)


class Known(msgspec.Struct):
    id: int


@given(VALUES, st.booleans(), st.sampled_from([None, 2]))
def test_a_value_starts_at_the_reported_column(
    value: object, ascii_only: bool, indent: int
) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    decode = json.JSONDecoder().raw_decode
    for path, inner in members(value):
        assert decode(text, column_of_value(text, path) - 1)[0] == inner


@pytest.mark.parametrize(
    ("path", "column"),
    [(("text",), 40), (("choices", 0, "text"), 22), (("choices", 1), 1), (("text", "text"), 1)],
)
def test_keys_are_distinguished_by_their_path(path: tuple[Step, ...], column: int) -> None:
    assert column_of_value('{"choices":[{"text": "text"}], "text": "a"}', path) == column


def test_the_last_of_two_members_counts() -> None:
    assert column_of_value('{"a": 1, "a": 2}', ["a"]) == 15
