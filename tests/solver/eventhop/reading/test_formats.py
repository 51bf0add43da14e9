"""Valid item files: the published TSV, JSON Lines, standard input."""

from __future__ import annotations

import gzip
import io
import json
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from grammar.eventhop.model import Label
from solver.eventhop.io import Format, read_records
from solver.eventhop.records import BrokenRecord, ItemPlace, ReadRecord, Record
from solver.io.sources import InputError

Read = Callable[[str | bytes, str], list[ReadRecord]]

PREMISE = "The end of Regatta of Port Calder came before the start of Harvest at Low Fen"
CLAIM = "Regatta of Port Calder happens before Harvest at Low Fen"
ROW = f"7\tpossible\tfalse\tafter\t4\t3\t2\t{PREMISE}\t{CLAIM}\tTrue\n"
OLD_ROW = ROW.replace("\tfalse\t", "\t", 1)
OBJECT = {"id": "7", "premise": PREMISE, "claim": CLAIM, "label": "True"}
LONG_HEADER = (
    "index\tdeclared\tforced\trelation\tevents\trelations\tdistance\tpremise\thypothesis\tlabel\n"
)


def whole(records: list[ReadRecord]) -> list[Record]:
    assert [str(r.error) for r in records if isinstance(r, BrokenRecord)] == []
    return [record for record in records if isinstance(record, Record)]


class TestPublishedFormat:
    def test_ten_columns(self, read: Read) -> None:
        assert read(ROW, "items.tsv") == [
            Record(
                id="7",
                premise=PREMISE,
                claim=CLAIM,
                gold="True",
                label=Label.TRUE,
                place=ItemPlace(file="items.tsv", line=1, premise=30, claim=108),
                declared=True,
                forced=False,
                sampled="after",
                events=4,
                relations=3,
                event_distance=2,
            )
        ]

    def test_nine_columns_leave_forced_unknown(self, read: Read) -> None:
        new, old = whole(read(ROW + OLD_ROW, "items.tsv"))
        assert old.forced is None
        assert (old.sampled, old.events, old.premise) == (new.sampled, new.events, new.premise)

    @pytest.mark.parametrize(
        "row",
        [ROW, OLD_ROW, ROW.replace(PREMISE, f'"{PREMISE}"').replace(CLAIM, f'"{CLAIM}"')],
        ids=["ten columns", "nine columns", "quoted"],
    )
    def test_the_place_has_the_columns_of_the_texts(self, read: Read, row: str) -> None:
        (record,) = whole(read(row, "items.tsv"))
        assert record.place.premise == row.index(PREMISE) + 1
        assert record.place.claim == row.index(CLAIM) + 1

    def test_a_quoted_text_may_contain_tabs_quotes_and_line_ends(self, read: Read) -> None:
        text = 'The "Great"\tRegatta\nof\r\nPort Calder\n'
        quoted = '"' + text.replace('"', '""') + '"'
        first, second = whole(read(ROW.replace(CLAIM, quoted) + ROW, "items.tsv"))
        assert first.claim == text
        assert (first.place.line, second.place.line) == (1, 5)
        assert first.place.claim == second.place.claim + 1

    @pytest.mark.parametrize(
        ("written", "label"),
        [
            ("True", Label.TRUE),
            ("FALSE", Label.FALSE),
            ("Impossible", Label.UNDEFINED),
            ("undefined", Label.UNDEFINED),
            ("Contradictory", Label.UNDEFINED),
            (" true ", Label.TRUE),
        ],
    )
    def test_labels(self, read: Read, written: str, label: Label) -> None:
        (record,) = whole(read(ROW.replace("\tTrue\n", f"\t{written}\n"), "items.tsv"))
        assert (record.gold, record.label) == (written.strip(), label)

    @pytest.mark.parametrize(
        "around",
        ["\ufeff{}", "\n \r\n{}\n\t\t\n", LONG_HEADER + "{}", "#\tpremise\tclaim\tLabel\n\n{}"],
        ids=["byte order mark", "blank lines", "header", "short header"],
    )
    def test_what_is_skipped(self, read: Read, around: str) -> None:
        (record,) = whole(read(around.format(ROW), "items.tsv"))
        assert (record.id, record.place.premise) == ("7", 30)

    def test_a_header_is_looked_for_in_the_first_row_only(self, read: Read) -> None:
        records = read(ROW + ROW.replace("7", "index", 1), "items.tsv")
        assert [record.id for record in records] == ["7", "index"]

    def test_windows_line_ends_and_a_missing_last_one(self, read: Read) -> None:
        records = whole(read(ROW.replace("\n", "\r\n") + ROW.removesuffix("\n"), "items.tsv"))
        assert [record.label for record in records] == [Label.TRUE, Label.TRUE]

    def test_an_empty_cell_is_none(self, read: Read) -> None:
        (record,) = whole(read(f"\t\t\t\t\t\t\t{PREMISE}\t{CLAIM}\tFalse\n", "items.tsv"))
        fields = (record.declared, record.forced, record.sampled, record.events, record.relations)
        assert (record.id, fields, record.event_distance) == ("1", (None,) * 5, None)

    @pytest.mark.parametrize("name", ["items.tsv.gz", "items.tsv", "items"])
    def test_gzip_is_known_by_its_content(self, read: Read, name: str) -> None:
        packed = gzip.compress(ROW.encode()) + gzip.compress(OLD_ROW.encode())
        assert [record.id for record in whole(read(packed, name))] == ["7", "7"]

    @pytest.mark.parametrize(
        ("name", "items"),
        [
            ("temporal_test", 2400),
            ("temporal_train", 720),
            ("spatial_test", 720),
            ("logical_test", 720),
        ],
    )
    def test_real_files(self, shared: Path, name: str, items: int) -> None:
        records = whole(list(read_records(shared / "data" / "eventhop" / f"{name}.tsv.gz")))
        assert [record.id for record in records] == [str(index) for index in range(items)]


class TestJsonLines:
    def test_all_fields(self, read: Read) -> None:
        sizes = {"events": 4, "relations": 3, "event_distance": 2, "hops": 1}
        fields = {"declared": "impossible", "forced": True, "relation": "overlap"}
        assert read(json.dumps(OBJECT | fields | sizes), "items.jsonl") == [
            Record(
                id="7",
                premise=PREMISE,
                claim=CLAIM,
                gold="True",
                label=Label.TRUE,
                place=ItemPlace(file="items.jsonl", line=1),
                declared=False,
                forced=True,
                sampled="overlap",
                events=4,
                relations=3,
                event_distance=2,
                hops=1,
            )
        ]

    def test_only_premise_and_claim_are_needed(self, read: Read) -> None:
        line = json.dumps({"premise": "", "claim": CLAIM, "label": None, "source": {"label": [1]}})
        (record,) = whole(read("\n" + line, "items.jsonl"))
        assert (record.id, record.premise, record.gold, record.label) == ("2", "", None, None)

    def test_other_names_of_claim_and_label(self, read: Read) -> None:
        values = {"id": 3, "premise": PREMISE, "hypothesis": CLAIM, "gold": "False"}
        (record,) = whole(read(json.dumps(values), "items.jsonl"))
        assert (record.id, record.claim, record.label) == ("3", CLAIM, Label.FALSE)

    def test_gold_is_not_mistaken_for_a_predicted_label(self, read: Read) -> None:
        (record,) = whole(read(json.dumps(OBJECT | {"gold": "False"}), "items.jsonl"))
        assert record.label is Label.FALSE

    def test_whole_floats_are_numbers(self, read: Read) -> None:
        (record,) = whole(read(json.dumps(OBJECT | {"hops": 2.0}), "items.jsonl"))
        assert repr(record.hops) == "2"

    @pytest.mark.parametrize("name", ["items.jsonl", "items.tsv", "items"])
    @pytest.mark.parametrize("pack", [bytes, gzip.compress])
    def test_known_by_its_first_character(
        self, read: Read, name: str, pack: Callable[[bytes], bytes]
    ) -> None:
        content = "\ufeff \n" + json.dumps(OBJECT) + "\r\n"
        (record,) = whole(read(pack(content.encode()), name))
        assert (record.id, record.place.line) == ("7", 2)

    @pytest.mark.parametrize("name", ["items.jsonl", "items.jsonl.gz", "items.ndjson"])
    def test_known_by_its_name_when_the_first_line_is_damaged(self, read: Read, name: str) -> None:
        records = read('"id": 1}\n' + json.dumps(OBJECT), name)
        assert [type(record) for record in records] == [BrokenRecord, Record]

    def test_the_requested_format_is_used(self, tmp_path: Path) -> None:
        path = tmp_path / "items"
        path.write_text(json.dumps(OBJECT), encoding="utf-8")
        assert isinstance(next(read_records(path, format=Format.TSV)), BrokenRecord)


class TestStreams:
    @pytest.mark.parametrize("pack", [bytes, gzip.compress])
    @pytest.mark.parametrize("content", [ROW, json.dumps(OBJECT)], ids=["tsv", "jsonl"])
    def test_standard_input(
        self, monkeypatch: pytest.MonkeyPatch, content: str, pack: Callable[[bytes], bytes]
    ) -> None:
        stdin = io.TextIOWrapper(io.BytesIO(pack(content.encode())))
        monkeypatch.setattr(sys, "stdin", stdin)
        (record,) = whole(list(read_records("-")))
        assert (record.claim, record.place.file) == (CLAIM, "<stdin>")
        assert not stdin.closed

    def test_a_slow_pipe(self, tmp_path: Path) -> None:
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)

        def write() -> None:
            with pipe.open("wb", buffering=0) as file:
                for byte in gzip.compress(ROW.encode()):
                    file.write(bytes([byte]))

        writer = threading.Thread(target=write, daemon=True)
        writer.start()
        (record,) = whole(list(read_records(pipe)))
        writer.join()
        assert record.claim == CLAIM

    def test_no_standard_input(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdin", None)
        with pytest.raises(InputError, match=r"^<stdin>: closed, expected a TSV, JSONL or Parquet"):
            next(read_records("-"))

    def test_parquet_needs_a_file(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"PAR1 and more")))
        with pytest.raises(InputError, match=r"^<stdin>: found Parquet in a stream, expected a"):
            next(read_records("-"))
