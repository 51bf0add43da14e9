"""The schemas and the tables of fields are those of the declarations."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from benchmarks.reproduction import ROOT
from benchmarks.reproduction.file_tables import SCHEMAS, files
from solver.io.columns import columns_of
from solver.verification.kinds import built_in

DECLARED = [
    (kind.name, name, rows)
    for kind in built_in().values()
    if kind.columns is not None
    for name, rows in kind.columns().items()
]


@pytest.mark.pinned("msgspec")
def test_the_files_are_as_declared() -> None:
    """If not, run ``python -m benchmarks.reproduction.file_tables``."""
    made = dict(files())
    for path, text in made.items():
        assert (ROOT / path).read_text(encoding="utf-8") == text, path
    present = {path.relative_to(ROOT) for path in (ROOT / SCHEMAS).iterdir()}
    assert present == {path for path in made if path.parent == SCHEMAS}


def test_every_kind_declares_its_files() -> None:
    verified = {name for name, kind in built_in().items() if kind.columns is not None}
    assert {kind for kind, _, _ in DECLARED} == verified


@pytest.mark.parametrize(
    ("kind", "name", "rows"), DECLARED, ids=[f"{kind}.{name}" for kind, name, _ in DECLARED]
)
def test_every_field_is_described_and_its_example_is_valid(
    kind: str,
    name: str,
    rows: type[Any],
) -> None:
    fields = columns_of(rows)
    assert [known.name for known in fields.values() if not known.description] == [], (kind, name)
    row = {known.name: known.example for known in fields.values() if known.example is not None}
    shape = msgspec.defstruct(
        "Shape", [(given.encode_name, given.type, None) for given in _fields(rows)]
    )
    assert msgspec.convert(row, shape) is not None


def _fields(rows: type[Any]) -> list[Any]:
    info: Any = msgspec.inspect.type_info(rows)
    hints = msgspec._utils.get_class_annotations(rows)
    return [msgspec.structs.FieldInfo(f.name, f.encode_name, hints[f.name]) for f in info.fields]
