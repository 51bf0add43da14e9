"""Files named by a URI are read as those on this machine, in parts."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import pyarrow.fs
import pytest

from solver.eventhop.io import read_records, write_jsonl, write_parquet
from solver.eventhop.records import ItemPlace, ReadRecord, Record
from solver.io.sources import InputError, open_input

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "right.tsv"
NOWHERE = ItemPlace(file="", line=0)


def read(path: str | Path) -> list[ReadRecord]:
    """The records of a file, without their places."""
    return [replace(one, place=NOWHERE) for one in read_records(path)]


@pytest.fixture(params=["items.tsv", "items.tsv.gz", "items.jsonl", "items.parquet"])
def items(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A file of items in each format."""
    path = tmp_path / str(request.param)
    records = [one for one in read_records(EXAMPLE) if isinstance(one, Record)]
    if path.suffix == ".jsonl":
        write_jsonl(path, records)
    elif path.suffix == ".parquet":
        write_parquet(path, records)
    else:
        data = EXAMPLE.read_bytes()
        path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def test_any_file_system_is_read(items: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read(items.as_uri()) == read(items)
    memory, _ = pyarrow.fs.FileSystem.from_uri("mock:///")
    with memory.open_output_stream(items.name, compression=None) as file:
        file.write(items.read_bytes())

    class InMemory:
        @staticmethod
        def from_uri(uri: str) -> tuple[pyarrow.fs.FileSystem, str]:
            return memory, uri.removeprefix("s3://bucket/")

    monkeypatch.setattr("pyarrow.fs.FileSystem", InMemory)
    assert read(f"s3://bucket/{items.name}") == read(items)


@pytest.mark.parametrize(
    ("uri", "problem"),
    [
        ("file:///nowhere/items.tsv", "failed to open local file"),
        ("nosuch://items.tsv", "unrecognized filesystem type"),
    ],
)
def test_what_cannot_be_opened_is_one_error(uri: str, problem: str) -> None:
    with pytest.raises(InputError, match=f"^{uri}: {problem}") as raised, open_input(uri):
        pass
    assert "\n" not in str(raised.value)
