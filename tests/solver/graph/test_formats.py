"""Every format gives the same facts, and what is written reads back."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.graph.io import read_dataset
from solver.graph.io.parquet import write_parquet
from solver.graph.model import Dataset, Quadruples, Split, Vocabulary
from solver.graph.statistics import time_step
from solver.io.writing import OutputError

FACTS = [[0, 0, 1, 0], [1, 1, 2, 0], [2, 0, 0, 1], [0, 1, 2, 3]]
NAMES = ("Ada", "Bo", "Çelik, C.")
TEXT = "0\t0\t1\t0\n1\t1\t2\t0\n2\t0\t0\t1\n0\t1\t2\t3\n"

# What no line of text can hold is kept out; the reader of id maps strips blanks.
names = st.text(
    st.characters(codec="utf-8", exclude_characters="\t\n\r\0", exclude_categories=["Cs"]),
    min_size=1,
    max_size=8,
).filter(lambda name: name == name.strip())


def folder(home: Path, **files: str) -> Path:
    for name, text in files.items():
        (home / name.replace("_", ".")).write_text(text, encoding="utf-8")
    return home


def same(first: Dataset, second: Dataset) -> bool:
    return (
        first.vocabulary == second.vocabulary
        and list(first.splits) == list(second.splits)
        and all(
            np.array_equal(first.splits[split].rows(), second.splits[split].rows())
            for split in first.splits
        )
    )


@st.composite
def datasets(draw: st.DrawFn) -> Dataset:
    entities, relations, times = (draw(st.integers(1, 6)) for _ in range(3))
    row = st.tuples(*(st.integers(0, size - 1) for size in (entities, relations, entities)))
    cuts = sorted(draw(st.lists(st.integers(0, times), min_size=2, max_size=2)))
    splits = {}
    for split, begin, end in zip(Split, (0, *cuts), (*cuts, times), strict=True):
        facts = [
            (*draw(row), time) for time in range(begin, end) for _ in range(draw(st.integers(0, 2)))
        ]
        rows = np.array(list(dict.fromkeys(map(tuple, facts))), dtype=np.int64)
        splits[split] = Quadruples.of(rows.reshape(-1, 4))
    if not any(map(len, splits.values())):
        splits[Split.TRAIN] = Quadruples.of(np.zeros((1, 4), dtype=np.int64))

    def called(number: int) -> tuple[str, ...]:
        chosen = draw(st.lists(names, min_size=number, max_size=number, unique=True))
        # Ids that are called as they are numbered are read as having no names.
        return () if chosen == list(map(str, range(number))) else tuple(chosen)

    words = Vocabulary(
        entities=entities,
        relations=relations,
        times=times,
        entity_names=called(entities) if draw(st.booleans()) else (),
        relation_names=called(relations) if draw(st.booleans()) else (),
        time_names=called(times) if draw(st.booleans()) else (),
    )
    return Dataset(name="any", vocabulary=words, splits=splits)


@settings(max_examples=15)
@given(dataset=datasets())
def test_what_is_written_reads_back(
    tmp_path_factory: pytest.TempPathFactory, dataset: Dataset
) -> None:
    folder = tmp_path_factory.mktemp("graph")
    files = dataset.write(folder)
    assert sorted(files) == sorted(folder.iterdir())
    assert same(read_dataset(folder), dataset)
    packed = folder / "graph.parquet"
    write_parquet(packed, dataset)
    assert same(read_dataset(packed), dataset)
    before = packed.read_bytes()
    write_parquet(packed, dataset)
    assert packed.read_bytes() == before


def test_real_data_reads_back(shared: Path, tmp_path: Path) -> None:
    dataset = read_dataset(shared / "data" / "icews14")
    assert [len(facts) for facts in dataset.splits.values()] == [74_845, 8_514, 7_371]
    assert dataset.vocabulary.time(364) == "2014-12-31"
    dataset.write(tmp_path)
    assert same(read_dataset(tmp_path), dataset)
    write_parquet(tmp_path / "all", dataset)
    assert same(read_dataset(tmp_path / "all"), dataset)


def test_maps_of_both_kinds_with_a_count_or_without(tmp_path: Path) -> None:
    listed = "".join(f"{name}\t{number}\n" for number, name in enumerate(NAMES))
    folder(tmp_path, train_txt=TEXT, relation2id_json='{"meets": 1, "calls": 0}')
    for text in (listed, f"3\n{listed}", listed.replace("\t", " ")):
        found = read_dataset(folder(tmp_path, entity2id_txt=text)).vocabulary
        assert found.entity_names == NAMES
        assert found.relation_names == ("calls", "meets")
        assert (found.entities, found.relations, found.times) == (3, 2, 4)


def test_hours_stay_hours_and_days_keep_their_names(tmp_path: Path) -> None:
    days = "2030-01-01\t{}\n2030-01-02\t{}\n2030-01-03\t{}\n"
    folder(tmp_path, train_txt="0 0 1 0 -1\n1 0 0 24 -1\n", test_txt="1 0 1 48 -1\n")
    for ids in ((0, 1, 2), (0, 24, 48)):
        found = read_dataset(folder(tmp_path, ts2id_txt=days.format(*ids)))
        assert found.facts().time.tolist() == [0, 24, 48]
        assert time_step(found.facts().time) == found.vocabulary.time_step == 24
        assert found.vocabulary.time(48) == "2030-01-03"
        assert found.vocabulary.times == 49


def test_sizes_without_maps(tmp_path: Path) -> None:
    found = read_dataset(folder(tmp_path, train_txt=TEXT, stat_txt="9\t4\t0\n")).vocabulary
    assert (found.entities, found.relations, found.times) == (9, 4, 4)
    found = read_dataset(folder(tmp_path, stat_txt="9 4 8")).vocabulary
    assert (found.entities, found.relations, found.times) == (9, 4, 8)
    found = read_dataset(tmp_path / "train.txt").vocabulary
    assert (found.entities, found.relations, found.times) == (3, 2, 4)
    assert (found.entity(2), found.relation(3), found.time(3)) == ("2", "1^-1", "3")


def test_packed_files(tmp_path: Path) -> None:
    (tmp_path / "train.txt.gz").write_bytes(gzip.compress(TEXT.encode()))
    assert read_dataset(tmp_path).facts().rows().tolist() == FACTS


@pytest.mark.parametrize("header", ["", "head\trelation\ttail\ttime\n", "s\tr\to\tt\n"])
def test_names_and_dates_on_lines(tmp_path: Path, header: str) -> None:
    train = "Bo\tcalls\tAda\t2030-02-27\nAda\tmeets\tÇelik, C.\t2030-02-28\textra\n"
    folder(tmp_path, train_txt=header + train, test_txt="Bo\tmeets\tBo\t2030-03-02\n")
    found = read_dataset(tmp_path)
    assert found.vocabulary.entity_names == NAMES
    assert found.vocabulary.relation_names == ("calls", "meets")
    assert found.vocabulary.time_names == ("2030-02-27", "2030-02-28", "2030-03-01", "2030-03-02")
    assert found.facts().rows().tolist() == [[1, 0, 0, 0], [0, 1, 2, 1], [1, 1, 1, 3]]
    assert [len(facts) for facts in found.splits.values()] == [2, 1]


def test_names_and_numbers_on_lines(tmp_path: Path) -> None:
    path = tmp_path / "graph.tsv"
    path.write_text("Bo\tcalls\tAda\t7\nAda\tcalls\tBo\t9\n", encoding="utf-8")
    found = read_dataset(path)
    assert found.facts().rows().tolist() == [[1, 0, 0, 7], [0, 0, 1, 9]]
    assert found.vocabulary.times == 10
    assert list(found.splits) == [Split.TRAIN]


ICEWS = (
    "Event ID\tEvent Date\tSource Name\tSource Sectors\tEvent Text\tCAMEO Code\tTarget Name\n"
    "3\t2030-05-03\tAda Lund\tGovernment\tMake statement\t010\tBo\n"
    "1\t2030-05-01\tBo\t\tConsult\t040\tAda Lund\n"
    "2\t2030-05-01\t\tMedia\tConsult\t040\tAda Lund\n"
    "4\t2030-05-03\tAda Lund\tParty\tMake statement\t010\tBo\n"
    "5\t2030-05-03\tAda Lund\tParty\tMake statement\t010\t\n"
)


def test_weekly_events(tmp_path: Path) -> None:
    path = tmp_path / "events.tab"
    path.write_text(ICEWS, encoding="utf-8")
    found = read_dataset(path)
    assert found.vocabulary.entity_names == ("Ada_Lund", "Bo")
    assert found.vocabulary.relation_names == ("Consult", "Make_statement")
    assert found.vocabulary.time_names == ("2030-05-01", "2030-05-02", "2030-05-03")
    assert found.facts().rows().tolist() == [[1, 0, 0, 0], [0, 1, 1, 2]]
    assert found.left_out == {"repeated": 1, "without Source Name": 1, "without Target Name": 1}


def test_parquet_of_others(tmp_path: Path) -> None:
    path = tmp_path / "graph"
    columns = {"tail": ["Ada", "Bo"], "head": ["Bo", "Ada"], "relation": ["calls", "calls"]}
    for times in (["2030-05-01", "2030-05-04"], pa.array([22_035, 22_038], pa.date32())):
        split = pa.array(["train", "test"]).dictionary_encode()
        pq.write_table(pa.table({**columns, "time": times, "split": split}), path)
        found = read_dataset(path)
        assert found.facts().rows().tolist() == [[1, 0, 0, 0], [0, 0, 1, 3]]
        assert list(found.splits) == [Split.TRAIN, Split.TEST]
        assert found.vocabulary.time(3) == "2030-05-04"
    columns = dict(zip(("head", "relation", "tail", "time"), np.array(FACTS).T, strict=True))
    pq.write_table(
        pa.table({name: pa.array(column, pa.uint16()) for name, column in columns.items()}), path
    )
    assert read_dataset(path).facts().rows().tolist() == FACTS


@pytest.mark.parametrize("name", ["", "a\tb", "a\nb", " a", "a\0"])
def test_names_that_no_line_can_hold(tmp_path: Path, name: str) -> None:
    words = Vocabulary(entities=3, relations=2, times=4, entity_names=("x", name, "y"))
    splits = {Split.TRAIN: Quadruples.of(np.array(FACTS))}
    with pytest.raises(OutputError, match="an id map cannot represent"):
        Dataset(name="odd", vocabulary=words, splits=splits).write(tmp_path)
    assert not list(tmp_path.iterdir())


def test_the_first_repeated_fact_is_found() -> None:
    """As by a dictionary of the earlier rows."""
    source = np.random.default_rng(0)
    for _ in range(500):
        rows = source.integers(0, 3, size=(int(source.integers(0, 9)), 4))
        first: dict[tuple[int, ...], int] = {}
        pairs = [(first.setdefault(tuple(row), n), n) for n, row in enumerate(rows.tolist())]
        expected = next((pair for pair in pairs if pair[0] != pair[1]), None)
        assert Quadruples.of(rows).repeated() == expected
