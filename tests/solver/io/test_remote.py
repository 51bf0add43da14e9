"""Files named by a URI are read as those on this machine, in parts."""

from __future__ import annotations

import gzip
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pyarrow.fs
import pytest

from grammar.errors import HopcheckError
from hopcheck import load_graph
from solver.eventhop.io import read_records, write_jsonl, write_parquet
from solver.eventhop.records import ItemPlace, ReadRecord, Record
from solver.io.remote import Folder, _name, changed_files, downloaded, uploaded, write_remote
from solver.io.sources import InputError, is_uri, open_input, output_name, sha256, shown_as
from solver.io.writing import OutputError

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "right.tsv"
NOWHERE = ItemPlace(file="", line=0)


def read(path: str | Path) -> list[ReadRecord]:
    """The records of a file, without their places."""
    return [replace(record, place=NOWHERE) for record in read_records(path)]


@pytest.fixture(params=["items.tsv", "items.tsv.gz", "items.jsonl", "items.parquet"])
def items(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A file of items in each format."""
    path = tmp_path / str(request.param)
    records = [record for record in read_records(EXAMPLE) if isinstance(record, Record)]
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


@pytest.mark.parametrize("status", [None, 0, 1])
def test_a_folder_is_uploaded_as_a_whole(status: int | None, tmp_path: Path) -> None:
    target = tmp_path / "there" / "out"
    with suppress(SystemExit), uploaded(target.as_uri()) as folder:
        assert folder.name == "out"
        (folder / "deeper").mkdir(parents=True)
        for name in ("manifest.json", "deeper/b", "z"):
            (folder / name).write_text(name)
        assert not target.exists()
        if status is not None:
            sys.exit(status)
    found = {str(path.relative_to(target)): path for path in target.rglob("*") if path.is_file()}
    assert {name: path.read_text() for name, path in found.items()} == {
        name: name for name in ("manifest.json", "deeper/b", "z")
    }
    assert max(found, key=lambda name: found[name].stat().st_mtime_ns) == "manifest.json"
    assert not folder.parent.exists()


def written(uri: str, error: HopcheckError | None) -> None:
    """Upload a folder with one file, unless there is an error."""
    with uploaded(uri) as folder:
        folder.mkdir()
        (folder / "x").write_text("x")
        if error is not None:
            error.where = str(folder / "x")
            raise error


def test_nothing_is_uploaded_after_an_error(tmp_path: Path) -> None:
    target = (tmp_path / "out").as_uri()
    with pytest.raises(InputError, match=f"^{target}/x: no"):
        written(target, InputError("no"))
    assert not (tmp_path / "out").exists()


def test_half_a_file_does_not_stay(tmp_path: Path) -> None:
    def blocks() -> Iterator[bytes]:
        yield b"half"
        raise KeyboardInterrupt

    target = tmp_path / "out" / "file"
    with pytest.raises(KeyboardInterrupt):
        write_remote(target.as_uri(), blocks())
    assert not any(target.parent.iterdir())


@pytest.mark.parametrize("remote", [False, True])
def test_a_folder_is_the_same_on_disk_and_at_a_uri(remote: bool, tmp_path: Path) -> None:
    place = tmp_path / "a b"
    folder = Folder(place.as_uri() if remote else str(place))
    assert folder.names() == frozenset()
    folder.remove("x")
    folder.remove("below")
    assert not folder.has("x")
    assert folder.sha256("x") is None
    for name, data in (("x", b"1"), ("x", b"22"), ("below/y", b"333")):
        folder.write(name, data)
        assert folder.read(name) == data
    assert folder.names() == {"x"}
    assert folder.has("below/y")
    assert not folder.has("below")
    assert folder.sha256("x") == sha256(place / "x")
    declared = dict.fromkeys(("x", "z"), sha256(place / "x") or "")
    assert list(changed_files(folder, declared)) == [(folder.path("z"), declared["z"], None)]
    folder.remove("below")
    folder.remove("x")
    assert not any(place.iterdir())


def test_options_of_a_file_system_stay_at_the_end_of_a_uri() -> None:
    folder = Folder("s3://bucket/data/?region=eu-west-1")
    assert folder.path("x/y") == "s3://bucket/data/x/y?region=eu-west-1"
    uri = "s3://bucket/a%20b/?region=eu-west-1"
    with shown_as(Path("/tmp/a"), uri):
        assert output_name(Path("/tmp/a")) == "s3://bucket/a%20b?region=eu-west-1"
        assert output_name(Path("/tmp/a/b")) == "s3://bucket/a%20b/b?region=eu-west-1"
    assert output_name(Path("/tmp/a/b")) == "/tmp/a/b"
    assert [*map(_name, (uri, "s3://bucket", "s3://bucket?x=/y"))] == ["a b", "bucket", "bucket"]


def test_a_folder_that_cannot_be_uploaded_is_one_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for target in ((tmp_path / "file" / "out").as_uri(), "nosuch://a/b"):
        with pytest.raises(OutputError, match=f"^{target}: cannot be written: ") as raised:
            written(target, None)
        assert "\n" not in str(raised.value)


def test_what_cannot_be_downloaded_is_one_error() -> None:
    with pytest.raises(InputError, match=r"^file:///nowhere/graph: no such file or folder$"):
        downloaded("file:///nowhere/graph").__enter__()


@pytest.mark.parametrize(
    ("uri", "where"),
    [
        ("s3://name:secret@bucket/items.tsv", "s3://***@bucket/items.tsv"),
        ("s3://name:se/cr@et@bucket?region=x", "s3://***@bucket?region=x"),
        ("abfs://:secret@account/items.tsv", "abfs://***@account/items.tsv"),
    ],
)
def test_a_uri_with_a_password_is_refused_without_repeating_it(uri: str, where: str) -> None:
    readers: list[Callable[[str], object]] = [
        lambda name: Folder(name).names(),
        lambda name: Folder(name).write("x", b""),
        lambda name: open_input(name).__enter__(),
        load_graph,
    ]
    for reader in readers:
        with pytest.raises(InputError, match="found a password in a URI") as raised:
            reader(uri)
        assert raised.value.where == where
        assert re.search("name:|secret|se/cr", str(raised.value)) is None


@pytest.mark.parametrize(
    "uri",
    [
        "s3://bucket/a:b@c",
        "s3://bucket?endpoint_override=localhost:5000",
        "gs://anonymous@bucket/x",
        "file:///a:b@c",
    ],
)
def test_other_uris_have_no_password(uri: str) -> None:
    assert is_uri(uri)
