"""Limits on untrusted input: a file beyond one is refused in one line."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from benchmarks.predictions import read_predictions
from benchmarks.rules.ranking.tables import require_unpackable
from generators.tkg.config import read_config
from grammar.errors import ExitStatus, HopcheckError
from solver.eventhop.io import read_records
from solver.eventhop.records import BrokenRecord, Record
from solver.graph.io import read_dataset
from solver.io import sources as limits
from solver.io.json_lines import JsonDecoder, read_document
from solver.io.parquet import read_table, write_table
from solver.io.sources import InputError, Place, RowError, lines, open_input
from solver.patterns.io import read_list
from solver.questions.io import read_questions
from solver.rules.io import read_rules

ITEM = {"id": "a", "premise": "P.", "claim": "C?"}


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


LINES = 1 << 10
"""Of a mebibyte of a bomb."""


def bomb(path: Path, megabytes: int) -> Path:
    line = b" " * ((1 << 20) // LINES - 1) + b"\n"
    with gzip.open(path, "wb") as file:
        for _ in range(megabytes):
            file.write(line * LINES)
    return path


READERS: dict[str, Callable[[Path], object]] = {
    "items.jsonl": lambda path: list(read_records(path)),
    "items.tsv": lambda path: list(read_records(path)),
    "list.jsonl": read_list,
    "train.txt": read_dataset,
    "questions.jsonl": lambda path: list(read_questions(path)),
    "rules.json": read_rules,
    "rules.jsonl": read_rules,
    "manifest.json": lambda path: read_document(path, dict[str, int], "manifest"),
    "config.json": read_config,
    "answers.jsonl": lambda path: read_predictions(str(path), lambda row: ("a", row)),
}


@pytest.mark.parametrize("name", READERS)
def test_a_decompression_bomb_is_refused_by_every_reader(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "STREAM", 1 << 21)
    monkeypatch.setattr(limits, "WHOLE", 1 << 21)
    path = bomb(tmp_path / f"{name}.gz", 8)
    assert path.stat().st_size < 1 << 17
    with pytest.raises(HopcheckError, match="found more than 2 MiB") as caught:
        READERS[name](path)
    assert caught.value.exit_status is ExitStatus.UNREADABLE
    assert "\n" not in str(caught.value)


def test_data_up_to_the_limit_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "STREAM", 1 << 20)
    with open_input(bomb(tmp_path / "a.gz", 1)) as source:
        assert sum(1 for _ in lines(source)) == LINES
    monkeypatch.setattr(limits, "STREAM", (1 << 20) - 1)
    with open_input(tmp_path / "a.gz") as source, pytest.raises(InputError, match="more than"):
        list(lines(source))


def test_decompressed_data_are_bounded_by_the_packed_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "UNPACKED", 1 << 20)
    with gzip.open(tmp_path / "bomb.gz", "wb") as file:
        for _ in range(8):
            file.write(b"0\t0\t0\t0\n" * (1 << 17))
    packed = (tmp_path / "bomb.gz").stat().st_size
    with open_input(tmp_path / "bomb.gz") as source, pytest.raises(InputError, match="more than"):
        source.whole()
    assert limits.unpacked_limit(packed) < 1 << 22
    with gzip.open(tmp_path / "numbers.gz", "wb", compresslevel=1) as file:
        file.write(b"".join(b"%07d\n" % number for number in range(limits.UNPACKED // 8 + 1)))
    with open_input(tmp_path / "numbers.gz") as source:
        assert len(source.whole()) > limits.UNPACKED


def test_a_small_file_takes_little_memory(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"1\n")
    tracemalloc.start()
    with open_input(tmp_path / "a") as source:
        assert source.whole() == b"1\n"
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 23


def test_documents_and_records_have_their_own_limits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "DOCUMENT", 100)
    monkeypatch.setattr(limits, "LINE_LIMIT", 50)
    (tmp_path / "manifest.json").write_text(json.dumps({"a" * 200: 1}))
    with pytest.raises(InputError, match="found more than 100 bytes"):
        read_document(tmp_path / "manifest.json", dict[str, int], "manifest")
    assert read_document(tmp_path / "manifest.json", dict[str, int], "map", most=300)
    with pytest.raises(RowError, match="found 72 bytes of JSON, expected at most 50"):
        JsonDecoder(object).decode(json.dumps("a" * 70), Place(file="f", line=1))


def test_scores_of_a_zip_bomb_are_refused(tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "scores.npz", scores=np.zeros((1 << 13, 1 << 10)))
    with pytest.raises(InputError, match="found 67,108,992 bytes of decompressed data"):
        require_unpackable(str(tmp_path / "scores.npz"))
    np.savez(tmp_path / "scores.npz", scores=np.zeros((1 << 13, 1 << 10)))
    require_unpackable(str(tmp_path / "scores.npz"))


def test_repeated_texts_in_parquet_are_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pa = pytest.importorskip("pyarrow")
    write_table(tmp_path / "texts.parquet", pa.table({"text": ["x" * 1000] * 20_000}))
    assert read_table(tmp_path / "texts.parquet").num_rows == 20_000
    monkeypatch.setattr(limits, "WHOLE", 1 << 23)
    with pytest.raises(InputError, match="found columns of"):
        read_table(tmp_path / "texts.parquet")


def test_a_plain_stream_has_no_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "STREAM", 10)
    (tmp_path / "a").write_text("x\n" * 100)
    with open_input(tmp_path / "a") as source:
        assert sum(1 for _ in lines(source)) == 100


@pytest.mark.parametrize(("depth", "readable"), [(199, True), (200, False), (100_000, False)])
def test_nesting(depth: int, readable: bool, tmp_path: Path) -> None:
    # The object around the array is one level.
    row = json.dumps(ITEM)[:-1] + f', "x": {nested(depth)}}}'
    (tmp_path / "items.jsonl").write_text(f"{row}\n{json.dumps(ITEM | {'id': 'b'})}\n")
    first, second = read_records(tmp_path / "items.jsonl")
    assert isinstance(second, Record)
    assert isinstance(first, Record if readable else BrokenRecord)
    if isinstance(first, BrokenRecord):
        assert "too deeply nested" in str(first.error)
    (tmp_path / "manifest.json").write_text(row)
    if readable:
        assert read_document(tmp_path / "manifest.json", dict[str, object], "manifest")
    else:
        with pytest.raises(InputError, match="too deeply nested"):
            read_document(tmp_path / "manifest.json", dict[str, object], "manifest")


def test_brackets_in_strings_and_beside_each_other_do_not_nest() -> None:
    decoder = JsonDecoder(object)
    place = Place(file="f", line=1)
    assert decoder.decode(json.dumps(["[{" * 500, '"[' * 500]), place)
    assert decoder.decode(json.dumps([[{}]] * 500), place)
    with pytest.raises(RowError, match=r"f:1:1: broken JSON .too deeply nested"):
        decoder.decode(f'["]", {nested(200)}]', place)


def test_a_parquet_file_beyond_the_limit_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyarrow")
    from solver.graph.io.parquet import write_parquet
    from solver.graph.model import Dataset, Quadruples, Split, Vocabulary

    facts = Quadruples.of(np.zeros((100_000, 4), dtype=np.int64))
    words = Vocabulary(entities=1, relations=1, times=1)
    same = Dataset(name="same", vocabulary=words, splits={Split.TRAIN: facts})
    write_parquet(tmp_path / "same.parquet", same)
    assert (tmp_path / "same.parquet").stat().st_size < 1 << 16
    assert len(read_dataset(tmp_path / "same.parquet", ordered=False).facts()) == 100_000
    monkeypatch.setattr(limits, "WHOLE", 1 << 20)
    with pytest.raises(InputError, match="expected at most 1,048,576"):
        read_dataset(tmp_path / "same.parquet")


def test_limits_in_words() -> None:
    assert limits.in_words(limits.STREAM) == "16 GiB"
    assert limits.in_words(limits.LINE_LIMIT) == "4 MiB"
    assert limits.in_words(1_000) == "1,000 bytes"
