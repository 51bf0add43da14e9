"""Files that cannot be read, or not to their end, and the documented limits."""

from __future__ import annotations

import bz2
import gzip
import random
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grammar.errors import ExitStatus
from solver.eventhop.io import read_records
from solver.eventhop.records import BrokenRecord, ReadRecord, Record
from solver.io.sources import LINE_LIMIT, InputError

Read = Callable[[str | bytes, str], list[ReadRecord]]

ROW = "0\tpossible\tfalse\tafter\t4\t3\t2\tP.\tC?\tTrue\n"
FILES = "expected a TSV, JSONL or Parquet file"
BINARY = "expected text in UTF-8 (text in UTF-16 is converted with iconv -f utf-16 -t utf-8)"
PACKED = "expected text, gzip or Parquet (unpack it first)"
EMPTY = "found no items, expected at least one (one item a line)"
PACK_AGAIN = "(download or compress the file again; the data before this were read)"


def failure(path: str) -> str:
    with pytest.raises(InputError) as caught:
        list(read_records(path))
    assert caught.value.exit_status == ExitStatus.UNREADABLE
    return str(caught.value)


CONTENTS = {
    "empty": (b"", f"items:1:1: {EMPTY}"),
    "blank": (b" \n\r\n", f"items:1:1: {EMPTY}"),
    "a byte order mark alone": ("\ufeff".encode(), f"items:1:1: {EMPTY}"),
    "a header alone": (b"index\tlabel\n", f"items:1:1: {EMPTY}"),
    "nothing packed": (gzip.compress(b""), f"items:1:1: {EMPTY}"),
    "binary": (
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
        f"items:3:1: found binary data (a NUL byte), {BINARY}",
    ),
    "UTF-16": (ROW.encode("utf-16-le"), f"items:1:2: found binary data (a NUL byte), {BINARY}"),
    "binary packed": (
        gzip.compress("é\0".encode()),
        f"items:1:2: found binary data (a NUL byte), {BINARY}",
    ),
    "another packing": (bz2.compress(ROW.encode()), f"items:1:1: found a bzip2 file, {PACKED}"),
    "a zip archive": (b"PK\x03\x04items", f"items:1:1: found a zip archive, {PACKED}"),
    "a JSON array": (
        b'[{"premise": ""},\n',
        "items:1:1: found a JSON array, expected JSON Lines (write one object a line)",
    ),
    "Parquet in name only": (
        b"PAR1 and no more",
        "items:1:1: damaged Parquet data (Parquet magic bytes not found in footer. Either the file "
        "is corrupted or this is not a parquet file.), expected a whole Parquet file "
        "(write or fetch the file again)",
    ),
    "gzip in name only": (
        b"\x1f\x8bno gzip, as it seems",
        "items:1:1: damaged gzip data (unknown compression method), expected intact data "
        + PACK_AGAIN,
    ),
    "a piece of gzip": (
        gzip.compress(ROW.encode())[:9],
        f"items:1:1: the gzip data end early, expected their end mark {PACK_AGAIN}",
    ),
}


@pytest.mark.parametrize("case", CONTENTS)
def test_contents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str) -> None:
    monkeypatch.chdir(tmp_path)
    content, expected = CONTENTS[case]
    Path("items").write_bytes(content)
    assert failure("items") == expected


def test_a_name_that_promises_parquet(tmp_path: Path) -> None:
    path = tmp_path / "items.parquet"
    path.write_text(ROW, encoding="utf-8")
    assert "expected a whole Parquet file" in failure(str(path))


class TestPaths:
    def test_a_missing_file(self) -> None:
        hint = "(check the path; - reads standard input)"
        assert failure("no/items.tsv") == f"no/items.tsv: no such file or directory, {FILES} {hint}"

    def test_a_folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        assert failure(".") == f".: is a directory, {FILES} (name the files in it)"

    def test_a_file_that_may_not_be_read(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*_: object) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(Path, "open", refuse)
        hint = "(change its permissions or copy it)"
        assert failure("items.tsv") == f"items.tsv: permission denied, {FILES} {hint}"

    @pytest.mark.parametrize("path", ["a\0b", "a\nb", "a\udcffb"])
    def test_names_that_no_file_has_or_no_terminal_shows(self, path: str) -> None:
        message = failure(path)
        assert message.startswith(f"{path!r}: ")
        assert message.isprintable()


class TestDamagedGzip:
    """What comes before the damage is read."""

    def read_until_it_fails(self, path: Path) -> Iterator[ReadRecord | InputError]:
        try:
            yield from read_records(path)
        except InputError as error:
            yield error

    def damaged(self, path: Path, damage: Callable[[bytearray], None]) -> list[object]:
        draw = random.Random(1)
        texts = ["".join(draw.choices("abcdefgh", k=60)) for _ in range(3000)]
        packed = bytearray(gzip.compress("".join(ROW.replace("P.", t) for t in texts).encode()))
        damage(packed)
        path.write_bytes(packed)
        return list(self.read_until_it_fails(path))

    def test_truncated(self, tmp_path: Path) -> None:
        path = tmp_path / "items.tsv.gz"
        *records, error = self.damaged(path, lambda packed: packed.__delitem__(slice(-20000, None)))
        assert isinstance(error, InputError)
        assert error.message == "the gzip data end early, expected their end mark"
        assert 1000 < len(records) < 3000
        assert all(isinstance(record, Record) for record in records)
        file, line, column = error.where.rsplit(":", 2)
        assert (file, int(line)) == (str(path), len(records) + 1)
        assert 1 <= int(column) <= len(ROW) + 60

    def test_a_wrong_checksum(self, tmp_path: Path) -> None:
        def flip(packed: bytearray) -> None:
            packed[-6] ^= 1

        *records, error = self.damaged(tmp_path / "items.tsv.gz", flip)
        assert isinstance(error, InputError)
        assert error.message.startswith("damaged gzip data (CRC check failed")
        assert len(records) == 3000

    def test_garbage_in_the_middle(self, tmp_path: Path) -> None:
        def wipe(packed: bytearray) -> None:
            packed[60000:61000] = bytes(1000)

        *records, error = self.damaged(tmp_path / "items.tsv.gz", wipe)
        assert isinstance(error, InputError)
        assert error.message.startswith("damaged gzip data")
        assert len(records) > 500


class TestLimits:
    def test_ten_thousand_relations_are_read(self, read: Read) -> None:
        sentence = "The end of Regatta of Port Calder took place at the same time as the start of X"
        premise = ". ".join([sentence + " of Low Fen and the Hills"] * 10_000)
        (record,) = read(ROW.replace("P.", premise), "items.tsv")
        assert isinstance(record, Record)
        assert record.premise == premise

    @pytest.mark.parametrize("end", ["\n", "\r\n"])
    def test_the_longest_line(self, read: Read, end: str) -> None:
        fill = "x" * (LINE_LIMIT - len(ROW.replace("P.", "")) - len(end) + 2)
        fits = ROW.replace("P.", fill).replace("\n", end)
        long = ROW.replace("P.", fill + "x" * len(end)).replace("\n", end)
        first, second, third = read(fits + long + ROW, "items.tsv")
        assert [isinstance(r, Record) for r in (first, second, third)] == [True, False, True]
        assert third.place.line == 3

    @pytest.mark.parametrize("name", ["items.tsv", "items.jsonl"])
    def test_ten_megabytes_on_a_line_are_refused_unread(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
    ) -> None:
        monkeypatch.chdir(tmp_path)
        Path(name).write_bytes(b"a" * 10_000_000 + b"\n" + ROW.encode() + b"b" * 10_000_000)
        tracemalloc.start()
        first, _, last = read_records(name)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        for record, line in ((first, 1), (last, 3)):
            assert isinstance(record, BrokenRecord)
            assert str(record.error) == (
                f"{name}:{line}:1: found a line of 10,000,000 bytes, expected at most 4,194,304 "
                "(write one item a line; split a longer one)"
            )
        assert peak < 10_000_000

    def test_memory_is_flat(self, tmp_path: Path) -> None:
        path = tmp_path / "items.tsv.gz"
        with gzip.open(path, "wb", compresslevel=1) as file:
            file.writelines(f"{n}{ROW[1:]}".encode() for n in range(15_000))
        tracemalloc.start()
        items = sum(1 for _ in read_records(path))
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert items == 15_000
        assert peak < 1_500_000
