"""Damaged files: a few mutants for each command, and faults that the campaign has to notice."""

from __future__ import annotations

import gzip
import json
import random
import shutil
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from tests.campaigns import fuzz
from tests.campaigns.damage import damage
from tests.campaigns.fuzz import Ran, Target, complaint, unread

ITEMS = Target(command="verify items.jsonl --json", files=("items.jsonl",), count="items")
ROW = b'{"id": 1}\n'


@pytest.fixture(scope="module")
def undamaged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fuzz")
    fuzz.make_inputs(folder)
    return folder


@pytest.fixture
def inputs(undamaged: Path, tmp_path: Path) -> Path:
    """A copy of all files that are damaged."""
    return Path(shutil.copytree(undamaged, tmp_path / "inputs"))


@pytest.mark.parametrize("first", [1_000, pytest.param(3_000, marks=pytest.mark.slow)])
def test_damaged_files_end_in_a_verdict_or_a_message(first: int) -> None:
    found = fuzz.fuzz(1, first, len(fuzz.TARGETS))
    assert found["failures"] == []
    assert set(found["statuses"]) <= {"0", "1", "2", "3"}


def test_mutants_are_drawn_by_seed_and_number(
    inputs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = [fuzz.mutant(0, number, inputs) for number in range(200)]
    assert drawn == [fuzz.mutant(0, number, inputs) for number in range(200)]
    same = sum(content == (inputs / name).read_bytes() for _, name, content in drawn)
    assert same < 10
    monkeypatch.setattr(fuzz, "damage", lambda _, content: content)
    files = [fuzz.mutant(0, number, inputs)[:2] for number in range(5_000)]
    assert {(target.command, name) for target, name in files} == {
        (target.command, name) for target in fuzz.TARGETS for name in target.files
    }


@pytest.mark.parametrize("mutants", [100, pytest.param(200, marks=pytest.mark.slow)])
def test_formats_are_damaged_inside(inputs: Path, tmp_path: Path, mutants: int) -> None:
    """Many mutants of compressed files and tables are still well-formed, and differ."""
    for name, read in (
        ("items.tsv.gz", lambda path: gzip.decompress(path.read_bytes())),
        ("rules.parquet", lambda path: str(pq.read_table(path))),
        ("scores.npz", lambda path: {key: str(value) for key, value in np.load(path).items()}),
        ("links/market.tml", lambda path: ElementTree.parse(path)),
    ):
        whole, kinds = (inputs / name).read_bytes(), Counter[str]()
        for number in range(mutants):
            content = damage(random.Random(number), whole)
            (tmp_path / "mutant").write_bytes(content)
            try:
                read(tmp_path / "mutant")
            except Exception as error:
                kinds[type(error).__name__] += 1
            else:
                kinds["same" if content == whole else "read"] += 1
        assert kinds["read"] > mutants / 10, (name, kinds)
        assert len(kinds) > 2, (name, kinds)
        assert kinds["same"] < mutants / 10, (name, kinds)


def test_undamaged_files_raise_no_complaint(inputs: Path) -> None:
    for target in fuzz.TARGETS:
        with fuzz.without_charts():
            ran = fuzz.execute(target.command, inputs)
        assert ran.status in (0, 1), target.command
        assert not complaint(target, target.files[0], b"", ran) or target.count


@pytest.mark.parametrize(
    ("content", "read", "expected"),
    [
        (ROW * 2, 2, ""),
        (b"\xef\xbb\xbf" + ROW + b" \n", 1, ""),
        (ROW * 2, 1, "status 0 for 1 of 2 records"),
        (ROW + b"{", 1, "status 0 for broken JSON"),
        (b'{"a": NaN}', 1, "status 0 for broken JSON"),
        (ROW + b"[1]", 1, "status 0 for a line that is no object"),
        (ROW + b"\xff", 1, "status 0 for text that is not UTF-8"),
        (ROW + b"\0", 1, "status 0 for text with a NUL"),
        (gzip.compress(ROW * 2, mtime=0), 2, ""),
        (gzip.compress(ROW * 2, mtime=0)[:-4], 2, "status 0 for damaged gzip"),
    ],
)
def test_records_that_are_passed_over_are_noticed(content: bytes, read: int, expected: str) -> None:
    ran = Ran(status=0, out=json.dumps({"items": read}).encode(), err="")
    found = unread(ITEMS, "items.jsonl", content, ran)
    assert found.startswith(expected)
    assert bool(found) == bool(expected)


def _raise(error: BaseException) -> Callable[[list[str]], int]:
    def run(_: list[str]) -> int:
        raise error

    return run


def _print(text: str, status: int) -> Callable[[list[str]], int]:
    def run(_: list[str]) -> int:
        sys.stderr.write(text)
        return status

    return run


def _hang(_: list[str]) -> int:
    while True:
        try:
            sum(range(1000))
        except Exception:
            continue


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        (_raise(ValueError("no")), "ValueError: no"),
        (_raise(SystemExit(2)), "SystemExit: 2"),
        (_print("Traceback (most", 2), "a traceback"),
        (_print("", 2), "exit status 2 without a message"),
        (_print("bad", 4), "exit status 4: bad"),
        (_print("error: out of memory", 2), "out of memory"),
        (_print("error: no", 2), ""),
        (_hang, "more than 0.05 seconds"),
    ],
)
def test_faults_of_commands_are_noticed(
    run: Callable[[list[str]], int], expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fuzz, "run", run)
    monkeypatch.setattr(fuzz, "SECONDS", 0.05)
    ran = fuzz.execute(ITEMS.command, tmp_path)
    assert complaint(ITEMS, "items.jsonl", ROW, ran) == expected
