"""Every unsound file is refused in one line that names the place."""

from __future__ import annotations

import gzip
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grammar.errors import HopcheckError
from solver.graph.io import read_dataset
from solver.graph.io.folder import read_integers

TRAIN = "0\t0\t1\t0\n1\t1\t2\t1\n"

FOLDERS = {
    "no files": ({}, ": found no train.txt, valid.txt or test.txt"),
    "no facts": ({"train.txt": "\n\n"}, "/train.txt:1:1: found no facts"),
    "a word": (
        {"train.txt": "0 0 1 0\n\n1 x 2 1\n"},
        "/train.txt:3:3: found 'x', expected a relation, an integer",
    ),
    "a word on the first line": (
        {"train.txt": "0\tx\t1\t0\n"},
        "/train.txt:1:3: found 'x', expected a relation, an integer",
    ),
    "a fraction": ({"train.txt": "0\t0\t1.5\t0\n"}, "/train.txt:1:5: found '1.5', expected a tail"),
    "not a number": ({"train.txt": "0 0 nan 0\n"}, "/train.txt:1:5: found 'nan', expected a tail"),
    "too few columns": (
        {"train.txt": "0 0 1 0\n1 1 2\n"},
        "/train.txt:2:6: found 3 columns, expected 4 integers: head, relation, tail, time",
    ),
    "a header of ids": (
        {"train.txt": "head\trelation\ttail\ttime\n0\t0\t1\t0\n"},
        "/train.txt:1:1: found 'head', expected a head, an integer",
    ),
    "a huge number": (
        {"train.txt": "0 0 1 0\n0 0 1 99999999999999999999\n"},
        "/train.txt:2:7: found '99999999999999999999', expected a time, an integer of at most 64",
    ),
    "a number beyond clingo's": (
        {"train.txt": "0 0 1 0\n3000000000 0 1 1\n"},
        "/train.txt:2:1: found head 3000000000, expected 0 to 2147483647",
    ),
    "a negative id": (
        {"train.txt": "\n0   0  -1 0\n"},
        "/train.txt:2:8: found tail -1, expected 0 to 2147483647",
    ),
    "an entity beyond stat.txt": (
        {"train.txt": TRAIN, "stat.txt": "2 2 0"},
        "/train.txt:2:5: found tail 2, expected 0 to 1 as stat.txt says",
    ),
    "a relation beyond its map": (
        {"train.txt": TRAIN, "test.txt": "0 2 0 7", "relation2id.txt": "meets\t0\ncalls\t1\n"},
        "/test.txt:1:3: found relation 2, expected 0 to 1 as relation2id.txt says",
    ),
    "a time beyond its map": (
        {"train.txt": TRAIN, "ts2id.json": '{"2030-01-01": 0}'},
        "/train.txt:2:7: found time 1, expected 0 to 0 as ts2id.json says",
    ),
    "time going back": (
        {"train.txt": "0 0 1 5\n0 0 1 4\n"},
        "/train.txt:2:7: found time 4 after 5, expected times in order",
    ),
    "splits that share a time": (
        {"train.txt": TRAIN, "valid.txt": "", "test.txt": "0 0 1 1\n0 0 2 2\n"},
        "/test.txt:1:7: found time 1 in test, but train reaches time 1",
    ),
    "stat.txt against a map": (
        {"train.txt": TRAIN, "stat.txt": "4\t2\t0\n", "entity2id.txt": "a\t0\nb\t1\nc\t2\n"},
        "/stat.txt:1:1: found 4 entities, but entity2id.txt names 3",
    ),
    "an empty stat.txt": ({"train.txt": TRAIN, "stat.txt": ""}, "/stat.txt:1:1: found 0 lines"),
    "no relations": (
        {"train.txt": TRAIN, "stat.txt": "4 0 0"},
        "/stat.txt:1:3: found 0 relations, expected at least one",
    ),
    "an id twice": (
        {"train.txt": TRAIN, "entity2id.txt": "a\t0\nb\t1\nc\t1\n"},
        "/entity2id.txt:3:1: found id 1 for 'b' and for 'c', expected each id once",
    ),
    "a name twice": (
        {"train.txt": TRAIN, "entity2id.txt": "a\t0\nb\t1\na\t2\n"},
        "/entity2id.txt:3:1: found 'a' with id 0 and with id 2, expected each name once",
    ),
    "a gap": (
        {"train.txt": TRAIN, "entity2id.json": '{"a": 0,\n "b": 1,\n "c": 3}'},
        "/entity2id.json:3:2: found id 3 but no id 2, expected ids from 0 without a gap",
    ),
    "an id that is a word": (
        {"train.txt": TRAIN, "entity2id.txt": "a\t0\nb\tone\n"},
        "/entity2id.txt:2:3: found 'one', expected an id",
    ),
    "an id in JSON that is a word": (
        {"train.txt": TRAIN, "entity2id.json": '{"a": "0"}'},
        "/entity2id.json:1:1: found an invalid map of names to ids (Expected `int`, got `str`",
    ),
    "broken JSON": (
        {"train.txt": TRAIN, "entity2id.json": '{"a": 0,\n  "b" 1}'},
        "/entity2id.json:2:7: found broken JSON (JSON is malformed: expected ':')",
    ),
    "an empty map": ({"train.txt": TRAIN, "ts2id.txt": "3\n"}, "/ts2id.txt:1:1: found no names"),
    "no name": (
        {"train.txt": TRAIN, "entity2id.txt": "\t0\n"},
        "/entity2id.txt:1:1: found no name for id 0, expected one",
    ),
    "a named fact without a tail": (
        {"train.txt": "Ada\tmeets\tBo\t1\nBo\tmeets\t\t2\n"},
        "/train.txt:2:10: found no tail, expected head, relation, tail, time, separated by tabs",
    ),
    "a named fact without a time": (
        {"train.txt": "Ada\tmeets\tBo\t1\nBo\tmeets\tAda\n"},
        "/train.txt:2:13: found 3 columns, expected head, relation, tail, time, separated by tabs",
    ),
    "no such day": (
        {"train.txt": "Ada\tmeets\tBo\t2030-02-01\nAda\tmeets\tBo\t2030-02-30\n"},
        "/train.txt:2:14: found time '2030-02-30', expected a date such as 2014-01-31",
    ),
    "dates and numbers": (
        {"train.txt": "Ada\tmeets\tBo\t1\n", "test.txt": "Ada\tmeets\tBo\t2030-02-28\n"},
        "/test.txt:1:14: found time '2030-02-28', expected a whole number",
    ),
    "dates going back": (
        {"train.txt": "Ada\tmeets\tBo\t2030-02-02\nAda\tmeets\tBo\t2030-02-01\n"},
        "/train.txt:2:14: found time 0 after 1, expected times in order",
    ),
}

FILES = {
    "an event file without a column": (
        "Event Date\tSource Name\tEvent Text\n",
        ":1:1: found no column 'Target Name'",
    ),
    "an event with too few columns": (
        "Event Date\tSource Name\tEvent Text\tTarget Name\n2030-01-01\tAda\tConsult\n",
        ":2:23: found 3 columns, expected 4 as the header has",
    ),
    "an event without a date": (
        "Source Name\tEvent Date\tEvent Text\tTarget Name\nAda\tsoon\tConsult\tBo\n",
        ":2:5: found time 'soon', expected a whole number",
    ),
    "only events without names": (
        "Event Date\tSource Name\tEvent Text\tTarget Name\n2030-01-01\t\tConsult\tBo\n",
        ": found no facts",
    ),
}

TABLES = {
    "no tail": ({"head": [0], "relation": [0], "time": [0]}, ":1:1: found no column tail"),
    "a missing time": (
        {"head": [0, 1], "relation": [0, 0], "tail": [1, 1], "time": [0, None]},
        ":2:4: found no time, expected one in every row",
    ),
    "fractions": (
        {"head": [0.5], "relation": [0], "tail": [1], "time": [0]},
        ":1:1: found head of type double, expected integers or names",
    ),
    "a negative id": (
        {"time": [0], "head": [0], "relation": [-2], "tail": [1]},
        ":1:3: found relation -2, expected 0 to 2147483647",
    ),
    "an unknown split": (
        {"head": [0], "relation": [0], "tail": [1], "time": [0], "split": ["dev"]},
        ":1:5: found split 'dev', expected train, valid, test",
    ),
    "time going back": (
        {"head": [0, 0], "relation": [0, 0], "tail": [1, 1], "time": [3, 2]},
        ":2:4: found time 2 after 3, expected times in order",
    ),
}


def refused(path: Path) -> str:
    with pytest.raises(HopcheckError) as caught:
        read_dataset(path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def answer(path: Path) -> str:
    try:
        return "read" if len(read_dataset(path).facts()) else "nothing"
    except HopcheckError as error:
        return str(error)


@pytest.mark.parametrize(("files", "message"), FOLDERS.values(), ids=FOLDERS)
def test_unsound_folders(tmp_path: Path, files: dict[str, str], message: str) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert refused(tmp_path).startswith(f"{tmp_path}{message}")


@pytest.mark.parametrize(("text", "message"), FILES.values(), ids=FILES)
def test_unsound_event_files(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "events.tsv"
    path.write_text(text, encoding="utf-8")
    assert refused(path).startswith(f"{path}{message}")


@pytest.mark.parametrize(("columns", "message"), TABLES.values(), ids=TABLES)
def test_unsound_tables(tmp_path: Path, columns: dict[str, list[object]], message: str) -> None:
    path = tmp_path / "graph.parquet"
    pq.write_table(pa.table(columns), path)
    assert refused(path).startswith(f"{path}{message}")


def test_disorder_is_read_where_it_is_tolerated(tmp_path: Path) -> None:
    (tmp_path / "train.txt").write_text("0 0 1 5\n0 0 1 4\n")
    (tmp_path / "test.txt").write_text("0 0 1 3\n")
    assert read_dataset(tmp_path, ordered=False).facts().time.tolist() == [5, 4, 3]


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    assert "no such file" in refused(tmp_path / "nowhere")


def test_damaged_files(tmp_path: Path) -> None:
    path = tmp_path / "graph"
    path.write_bytes(b"PAR1" + b"\0" * 40)
    assert "damaged Parquet data" in refused(path)
    ids = {name: [0] for name in ("head", "relation", "tail", "time")}
    nested = {b"hopcheck.vocabulary": b'{"a":' + b"[" * 100_000}
    pq.write_table(pa.table(ids).replace_schema_metadata(nested), path)
    assert "found metadata that cannot be read" in refused(path)
    path.write_bytes(gzip.compress(TRAIN.encode() * 500)[:-12])
    assert "the gzip data end early" in refused(path)
    path.write_bytes(b"Ada\tmeets\tB\xff\t3\n")
    assert refused(path).startswith(f"{path}:1:12: found byte 0xff")


def test_columns_of_any_table(tmp_path: Path) -> None:
    path = tmp_path / "ranks"
    path.write_text("\ufeff1 2 +3 4\n\n-5\t6\t7\t8 9\n", encoding="utf-8")
    assert read_integers(path, 3).tolist() == [[1, 2, 3], [-5, 6, 7]]
    path.write_text("1 2\n4 1_0\n")
    with pytest.raises(HopcheckError, match=r":2:3: found '1_0', expected an integer \(a line"):
        read_integers(path, 2)


@settings(max_examples=150)
@given(
    train=st.binary(max_size=30) | st.text("0123456789-. \t\nax", max_size=40).map(str.encode),
    words=st.binary(max_size=20) | st.text('{}":,01 a\n\t', max_size=20).map(str.encode),
)
def test_anything_reads_or_is_refused_in_one_line(
    tmp_path_factory: pytest.TempPathFactory, train: bytes, words: bytes
) -> None:
    folder = tmp_path_factory.mktemp("graph")
    (folder / "train.txt").write_bytes(train)
    for name in ("entity2id.json", "relation2id.txt", "stat.txt"):
        (folder / name).write_bytes(words)
        for path in (folder, folder / "train.txt"):
            message = answer(path)
            assert message == "read" or (message.startswith(str(folder)) and "\n" not in message)
        (folder / name).unlink()


@pytest.mark.filterwarnings("error")
def test_separators_alone_are_blank_lines(tmp_path: Path) -> None:
    path = tmp_path / "facts.txt"
    path.write_bytes(b"\x1f\n")
    found = answer(path)
    path.write_bytes(b"")
    assert found == answer(path) != "read"
