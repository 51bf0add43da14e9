"""Items written and read again: the same items, and the same bytes."""

from __future__ import annotations

import dataclasses
import gzip
import hashlib
import json
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grammar.eventhop.model import Label
from solver.eventhop.io import read_records, write_jsonl, write_parquet, write_tsv
from solver.eventhop.records import BrokenRecord, ItemPlace, ReadRecord, Record
from solver.io.sources import InputError
from solver.io.writing import OutputError

Write = Callable[[Path, Iterable[Record]], None]

NOWHERE = ItemPlace(file="", line=0)
ITEM = Record(
    id="k1",
    premise='The end of "Great" Regatta came before the start of Harvest at Low Fen’s',
    claim="Regatta overlaps with Harvest at Low Fen",
    gold="Impossible",
    label=Label.UNDEFINED,
    place=NOWHERE,
    declared=False,
    forced=True,
    sampled="overlap",
    events=4,
    relations=0,
    event_distance=1,
)
BARE = Record(id="k2", premise="", claim="A < B", gold="true", label=Label.TRUE, place=NOWHERE)
UNLABELLED = dataclasses.replace(ITEM, id="k3", gold=None, label=None, hops=2)
WRITERS: dict[str, Write] = {
    "items.tsv": write_tsv,
    "items.tsv.gz": write_tsv,
    "items.jsonl": write_jsonl,
    "items.jsonl.gz": write_jsonl,
    "items.parquet": write_parquet,
}

# Any text without surrogates and NUL, which the line reader rejects.
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
SIZES = st.none() | st.integers(0, 999_999_999)
RECORDS = st.builds(
    Record,
    id=st.from_regex(r"[a-z0-9][a-z0-9-]{0,8}", fullmatch=True).filter(lambda x: x != "id"),
    premise=TEXTS,
    claim=TEXTS,
    gold=st.just("False"),
    label=st.just(Label.FALSE),
    place=st.just(NOWHERE),
    declared=st.none() | st.booleans(),
    forced=st.none() | st.booleans(),
    sampled=st.sampled_from([None, "after", "before", "overlap"]),
    events=SIZES,
    relations=SIZES,
    event_distance=SIZES,
)


def placeless(records: Iterable[ReadRecord]) -> list[Record]:
    read = list(records)
    assert [str(r.error) for r in read if isinstance(r, BrokenRecord)] == []
    return [dataclasses.replace(r, place=NOWHERE) for r in read if isinstance(r, Record)]


def readable(record: Record) -> bool:
    """Whether no line inside a text looks like a row, which the reader would take for one."""
    return all(text.count("\t") < 3 for text in (record.premise, record.claim))


@pytest.mark.parametrize("name", WRITERS)
@settings(max_examples=50)
@given(records=st.lists(RECORDS.filter(readable), min_size=1, max_size=4))
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, name: str, records: list[Record]
) -> None:
    path = tmp_path_factory.mktemp("items") / name
    WRITERS[name](path, records)
    assert placeless(read_records(path)) == records


@pytest.mark.parametrize("name", ["items.jsonl", "items.parquet"])
def test_a_label_may_be_absent(tmp_path: Path, name: str) -> None:
    WRITERS[name](tmp_path / name, [UNLABELLED, BARE])
    assert placeless(read_records(tmp_path / name)) == [UNLABELLED, BARE]


def test_a_tsv_needs_labels(tmp_path: Path) -> None:
    with pytest.raises(OutputError) as caught:
        write_tsv(tmp_path / "items.tsv", [ITEM, UNLABELLED])
    assert str(caught.value) == (
        ":0: item k3 has no label, expected one on each row of a TSV "
        "(write JSON Lines or Parquet, where a label may be absent)"
    )
    assert list(tmp_path.iterdir()) == []


def test_the_older_form_has_nine_columns(tmp_path: Path) -> None:
    write_tsv(tmp_path / "items.tsv", [ITEM], forced=False)
    (record,) = placeless(read_records(tmp_path / "items.tsv"))
    assert record == dataclasses.replace(ITEM, forced=None)


def test_a_row_of_the_published_form(tmp_path: Path) -> None:
    write_tsv(tmp_path / "items.tsv", [dataclasses.replace(ITEM, premise="P", claim='"C"'), BARE])
    assert (tmp_path / "items.tsv").read_bytes() == (
        b'k1\timpossible\ttrue\toverlap\t4\t0\t1\tP\t"""C"""\tImpossible\r\n'
        b"k2\t\t\t\t\t\t\t\tA < B\ttrue\r\n"
    )


def test_json_lines_have_sorted_keys_and_omit_unknown_fields(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "items.jsonl", [UNLABELLED, BARE])
    lines = (tmp_path / "items.jsonl").read_text(encoding="utf-8").splitlines()
    assert lines[1] == '{"claim":"A < B","id":"k2","label":"true","premise":""}'
    assert list(json.loads(lines[0])) == sorted(json.loads(lines[0]))


@pytest.mark.parametrize("name", WRITERS)
def test_the_same_items_are_the_same_bytes(tmp_path: Path, name: str) -> None:
    digests = set()
    for folder in ("one", "two"):
        path = tmp_path / folder / name
        path.parent.mkdir()
        WRITERS[name](path, iter([ITEM, BARE] * 5000))
        digests.add(hashlib.sha256(path.read_bytes()).hexdigest())
    assert len(digests) == 1


def test_gzip_has_neither_name_nor_time(tmp_path: Path) -> None:
    write_tsv(tmp_path / "items.tsv.gz", [ITEM])
    head = (tmp_path / "items.tsv.gz").read_bytes()[:8]
    assert head == b"\x1f\x8b\x08\x00" + bytes(4)


@pytest.mark.parametrize(
    "name", ["temporal_test", "temporal_train", "spatial_test", "logical_test"]
)
def test_real_files_survive_all_formats(shared: Path, tmp_path: Path, name: str) -> None:
    source = shared / "data" / "eventhop" / f"{name}.tsv.gz"
    write_jsonl(tmp_path / "a.jsonl", placeless(read_records(source)))
    write_parquet(tmp_path / "b.parquet", placeless(read_records(tmp_path / "a.jsonl")))
    write_tsv(tmp_path / "c.tsv", placeless(read_records(tmp_path / "b.parquet")))
    assert (tmp_path / "c.tsv").read_bytes() == gzip.decompress(source.read_bytes())


class TestParquetOfOthers:
    def written(self, path: Path, **columns: list[object]) -> list[ReadRecord]:
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(pa.table(columns), path)
        return list(read_records(path))

    def test_other_names_and_tables_with_gaps(self, tmp_path: Path) -> None:
        records = placeless(
            self.written(
                tmp_path / "items.parquet",
                hypothesis=["A < B", "A > B"],
                premise=["", "A1 < B1"],
                gold=["True", None],
                hops=[1.0, None],
                extra=[{"label": "x"}, None],
            )
        )
        assert [(r.id, r.claim, r.label, r.hops) for r in records] == [
            ("1", "A < B", Label.TRUE, 1),
            ("2", "A > B", None, None),
        ]

    def test_a_broken_row_names_its_row_and_column(self, tmp_path: Path) -> None:
        path = tmp_path / "items.parquet"
        records = self.written(
            path, premise=["", None, ""], claim=["A < B"] * 3, label=["True", "True", "so"]
        )
        assert [str(r.error) for r in records if isinstance(r, BrokenRecord)] == [
            f"{path}:2:1: premise: found nothing, expected a string "
            "(--map premise=COLUMN,claim=COLUMN names other columns)",
            f"{path}:3:3: label: found 'so', expected True, False, Impossible, Undefined or "
            "Contradictory (--labels nli3 reads entailment, neutral and contradiction; or give "
            "your own words)",
        ]
        assert isinstance(records[0], Record)

    @pytest.mark.parametrize(
        ("columns", "missing"),
        [
            ({"premise": [""]}, "claim"),
            ({"hypothesis": ["A < B"]}, "premise"),
            ({"x": [1]}, "premise"),
        ],
    )
    def test_a_missing_column(
        self, tmp_path: Path, columns: dict[str, list[object]], missing: str
    ) -> None:
        path = tmp_path / "items.parquet"
        with pytest.raises(InputError) as caught:
            self.written(path, **columns)
        assert str(caught.value) == (
            f"{path}:1:1: found no column {missing}, expected premise, claim and, if known, label "
            "(--map premise=COLUMN,claim=COLUMN names other columns)"
        )

    def test_a_table_without_rows(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="found no items"):
            self.written(tmp_path / "items.parquet", premise=[], claim=[])

    def test_a_row_over_the_limit(self, tmp_path: Path) -> None:
        long = "x" * (4 * 1024 * 1024)
        first, second = self.written(
            tmp_path / "items.parquet", premise=[long, ""], claim=["A < B"] * 2
        )
        assert isinstance(first, BrokenRecord)
        assert "found a row of 4,194,309 characters, expected at most 4,194,304" in str(first.error)
        assert isinstance(second, Record)

    def test_damage_in_the_middle_keeps_what_comes_before(self, tmp_path: Path) -> None:
        path = tmp_path / "items.parquet"
        write_parquet(path, (dataclasses.replace(BARE, premise=f"{n}" * 9) for n in range(9000)))
        content = bytearray(path.read_bytes())
        content[len(content) * 3 // 4] ^= 0xFF
        path.write_bytes(content)
        records = read_records(path)
        seen: list[ReadRecord] = []
        with pytest.raises(InputError, match="damaged Parquet data"):
            seen.extend(records)
        assert 0 < len(seen) < 9000
