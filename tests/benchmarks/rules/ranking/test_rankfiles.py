"""Rank files are joined by key in any order and format; errors are reported."""

from __future__ import annotations

import gzip
import json
import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchmarks.rules.ranking.files import read_ranks
from benchmarks.rules.ranking.groups import read_strikingness, weights_of
from benchmarks.rules.ranking.models import ConventionError, ModelNameError, names, read_models
from benchmarks.rules.ranking.queries import Filter, FilteredAnswers, SplitQueries
from grammar.errors import HopcheckError
from solver.graph.model import Dataset, Quadruples, Split
from solver.io.sources import InputError
from solver.rules.application import write_ranks
from solver.rules.provenance import manifest_path

COLUMNS = ("s", "r", "o", "t", "rank")
Rows = list[list[Any]]


def read(path: str | Path, queries: SplitQueries) -> list[float]:
    values: list[float] = read_ranks(str(path), queries).tolist()
    return values


@pytest.mark.parametrize(
    "form", ["text", "header", "commas", "spaces", "gzip", "jsonl", "names", "parquet"]
)
def test_formats_and_orders(
    tmp_path: Path, queries: SplitQueries, rank_rows: Rows, form: str
) -> None:
    wanted = [row[-1] for row in rank_rows]
    rows = random.Random(5).sample(rank_rows, len(rank_rows))
    path = tmp_path / "model"
    text = "".join("\t".join(map(str, row)) + "\n" for row in rows)
    match form:
        case "text":
            path.write_text(text)
        case "header":
            path.write_text("\t".join(COLUMNS) + "\n" + text)
        case "commas":
            path.write_text(text.replace("\t", ","))
        case "spaces":
            path.write_text("\n" + text.replace("\t", "  ").replace("\n", "\r\n"))
        case "gzip":
            path.write_bytes(gzip.compress(text.encode()))
        case "jsonl":
            path.write_text("\n".join(json.dumps(dict(zip(COLUMNS, r, strict=True))) for r in rows))
        case "names":
            long = ("subject", "relation", "object", "time", "rank")
            path.write_text("\n".join(json.dumps(dict(zip(long, r, strict=True))) for r in rows))
        case "parquet":
            columns = dict(zip(COLUMNS, zip(*rows, strict=True), strict=True))
            pq.write_table(pa.table({k: list(v) for k, v in columns.items()}), path)
    assert read(path, queries) == wanted


def test_what_is_written_is_read(tmp_path: Path, queries: SplitQueries) -> None:
    ranks = np.arange(len(queries)) % queries.entities / 2 + 1.0
    write_ranks(tmp_path / "ranks.txt", queries.asked, ranks)
    assert read(tmp_path / "ranks.txt", queries) == ranks.tolist()


def changed(rows: Rows, damage: str) -> Rows:
    rows = [list(row) for row in rows]
    match damage:
        case "missing":
            del rows[4], rows[7]
        case "doubled":
            rows.append(rows[2])
        case "unknown":
            rows.append([0, 0, 0, 9, 1])
        case "one direction":
            rows = rows[: len(rows) // 2]
        case "rank 0":
            rows[3][4] = 0
        case "rank .5":
            rows[3][4] = 0.5
        case "rank nan":
            rows[3][4] = "nan"
        case "rank inf":
            rows[3][4] = "inf"
        case "rank too far":
            rows[3][4] = 8
        case "entity out of range":
            rows[3][2] = 7
        case "entity below 0":
            rows[3][0] = -1
        case "relation out of range":
            rows[3][1] = 6
        case "half an entity":
            rows[3][0] = 0.5
        case "word":
            rows[3][4] = "first"
        case "short":
            rows[3] = rows[3][:4]
        case "empty":
            rows = []
    return rows


DAMAGES = {
    "missing": "2 of {n} queries of test have no row: ({row4}), ({row8})",
    "doubled": "1 have more than one row: ({row2})",
    "unknown": "1 are not in test: (0, 0, 0, 9) (line {next})",
    "one direction": "with relation r + 3",
    "rank 0": ":4: found rank 0, expected 1 to 7",
    "rank .5": ":4: found rank 0.5, expected",
    "rank nan": ":4: found rank nan, expected",
    "rank inf": ":4: found rank inf, expected",
    "rank too far": ":4: found rank 8, expected 1 to 7",
    "entity out of range": ":4: found entity 7, expected a whole number from 0 to 6",
    "entity below 0": ":4: found entity -1, expected",
    "relation out of range": ":4: found relation 6, expected a whole number from 0 to 5",
    "half an entity": ":4: found entity 0.5, expected",
    "word": ":4: found 'first' as rank, expected 5 numbers: s r o t rank",
    "short": ":4: found 4 columns, expected 5 numbers",
    "empty": "found no rows, expected s, r, o, t, rank",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_reported(
    tmp_path: Path, queries: SplitQueries, rank_rows: Rows, write_rows: Any, damage: str
) -> None:
    path = write_rows(tmp_path / "model.txt", changed(rank_rows, damage))
    with pytest.raises(HopcheckError) as caught:
        read(path, queries)
    facts = queries.asked.rows().tolist()
    rows = {f"row{n}": ", ".join(map(str, facts[n])) for n in (2, 4, 8)}
    output = DAMAGES[damage].format(n=len(queries), next=len(queries) + 1, **rows)
    assert output in str(caught.value)
    assert "\n" not in str(caught.value)


def test_every_missing_row_is_noticed(
    tmp_path: Path, queries: SplitQueries, rank_rows: Rows
) -> None:
    """Each missing row is reported by its query."""
    named = set()
    for left_out in range(len(rank_rows)):
        path = tmp_path / "model.txt"
        kept = rank_rows[:left_out] + rank_rows[left_out + 1 :]
        path.write_text("".join(" ".join(map(str, row)) + "\n" for row in kept))
        with pytest.raises(HopcheckError) as caught:
            read(path, queries)
        named.add(caught.value.message)
    assert len(named) == len(rank_rows)


def test_a_truncated_gzip_is_refused(
    tmp_path: Path, queries: SplitQueries, rank_rows: Rows
) -> None:
    text = "".join(" ".join(map(str, row)) + "\n" for row in rank_rows)
    path = tmp_path / "model.txt.gz"
    path.write_bytes(gzip.compress(text.encode())[:-9])
    with pytest.raises(InputError, match="the gzip data end early"):
        read(path, queries)


def test_a_broken_line_of_json_is_named(tmp_path: Path, queries: SplitQueries) -> None:
    path = tmp_path / "model.jsonl"
    path.write_text('{"s": 0, "r": 0, "o": 0, "t": 9, "rank": NaN}\n')
    with pytest.raises(InputError, match=r"model.jsonl:1:\d+: broken JSON .*JSON has no NaN"):
        read(path, queries)
    path.write_text('{"s": 0, "r": 0, "o": 0, "t": 9, "rank": null}\n')
    with pytest.raises(InputError, match=r":1: found 'None' as rank"):
        read(path, queries)


def test_columns_are_selected_by_name(
    tmp_path: Path, queries: SplitQueries, rank_rows: Rows, write_rows: Any
) -> None:
    """Without them an additional column could be mistaken for the rank."""
    wide = [[*row[:4], 7, row[4]] for row in rank_rows]
    path = write_rows(tmp_path / "model.txt", [["s", "r", "o", "t", "worst", "rank"], *wide])
    assert read(path, queries) == [row[-1] for row in rank_rows]
    path = write_rows(tmp_path / "model.txt", wide)
    with pytest.raises(InputError, match=r":1: found 6 columns without names, expected s r o t"):
        read(path, queries)
    path = write_rows(tmp_path / "model.txt", [["s", "r", "o", "t", "worst", "best"], *wide])
    with pytest.raises(InputError, match=r":1: found no column rank among 's r o t worst best'"):
        read(path, queries)
    wide[2] = wide[2][:5]
    path = write_rows(tmp_path / "model.txt", [["s", "r", "o", "t", "worst", "rank"], *wide])
    with pytest.raises(InputError, match=r":4: found 5 columns, expected"):
        read(path, queries)


def sk_rows(graph: Dataset, split: Split) -> Rows:
    return [[*row, n / 100] for n, row in enumerate(graph.splits[split].rows().tolist())]


def test_strikingness_is_joined_and_counts_both_ways(
    tmp_path: Path, graph: Dataset, queries: SplitQueries, write_rows: Any
) -> None:
    rows = sk_rows(graph, Split.TEST)
    path = write_rows(tmp_path / "sk.txt", reversed(rows))
    values = read_strikingness(path, queries)
    assert values.tolist() == [row[-1] for row in rows]
    weights = weights_of(values, bias=0.1)
    back = queries.rows_of(queries.event().inverted(3))
    assert weights[back].tolist() == pytest.approx((values + 0.1).tolist())


def test_strikingness_of_another_split_is_refused(
    tmp_path: Path, graph: Dataset, queries: SplitQueries, write_rows: Any
) -> None:
    path = write_rows(tmp_path / "sk.txt", sk_rows(graph, Split.VALID))
    with pytest.raises(HopcheckError, match="all of them facts of valid"):
        read_strikingness(path, queries)


@pytest.mark.parametrize("value", ["nan", "inf", "-0.1", "1.001"])
def test_strikingness_is_in_0_1(
    tmp_path: Path, graph: Dataset, queries: SplitQueries, write_rows: Any, value: str
) -> None:
    rows = sk_rows(graph, Split.TEST)
    rows[2][-1] = value
    with pytest.raises(InputError, match=f":3: found strikingness {value}, expected"):
        read_strikingness(write_rows(tmp_path / "sk.txt", rows), queries)


def test_a_fact_twice_in_a_split_is_refused(graph: Dataset) -> None:
    facts = graph.splits[Split.TEST]
    twice = Quadruples.joined(facts, facts.take(slice(2)))
    doubled = Dataset(
        name="graph", vocabulary=graph.vocabulary, splits={**graph.splits, Split.TEST: twice}
    )
    named = re.escape(str(tuple(facts.rows()[0].tolist())))
    rows = rf"row {len(facts) + 1}: found the fact {named} again \(first at graph: test: row 1\)"
    with pytest.raises(InputError, match=rows):
        SplitQueries.of(doubled, Split.TEST)


def test_a_split_that_is_not_there(graph: Dataset) -> None:
    alone = Dataset(
        name="graph",
        vocabulary=graph.vocabulary,
        splits={Split.TRAIN: graph.splits[Split.TRAIN]},
    )
    with pytest.raises(InputError, match="found no facts of the split test"):
        SplitQueries.of(alone, Split.TEST)


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["a/X_one.txt.gz", "b/X_two.txt"], ["one", "two"]),
        (["X_one.txt"], ["X_one"]),
        (["-", "one.txt"], ["stdin", "one"]),
        (["X_a.txt", "X_a_b.txt"], ["a", "a_b"]),
        (["one.ranks.txt", "two.scores.jsonl"], ["one", "two"]),
        (["X_0.8.txt.gz", "X_0.9.txt.gz"], ["0.8", "0.9"]),
    ],
)
def test_names_of_models(paths: list[str], expected: list[str]) -> None:
    assert names(paths) == expected


def test_models_of_one_name_are_refused() -> None:
    with pytest.raises(ModelNameError, match="two files are named one"):
        names(["a/one.txt", "b/one.txt"])


def test_the_rank_of_answers_not_returned_is_stated(tmp_path: Path, graph_of: Any) -> None:
    """By an option or by the manifest; never guessed from the ranks, however many are the last."""
    queries = SplitQueries.of(graph_of(2), Split.TEST)
    ranks = np.where(np.arange(len(queries)) < 4, 1.0, float(queries.entities))
    path, filtered = str(tmp_path / "model.txt"), FilteredAnswers(queries, Filter.RAW)
    for declared, kept in ((0, None), (queries.entities, queries.entities)):
        write_ranks(path, queries.asked, ranks, not_returned=declared)
        assert read_models([path], queries, filtered)[0].not_returned == kept
    manifest_path(path).unlink()
    with pytest.raises(ConventionError, match="pass --not-returned model=RANK"):
        read_models([path], queries, filtered)
    for name in ("model", ""):
        for stated, kept in ((0, None), (60, 60)):
            (model,) = read_models([path], queries, filtered, not_returned={name: stated})
            assert model.not_returned == kept
    with pytest.raises(ModelNameError, match="no rank file is named other"):
        read_models([path], queries, filtered, not_returned={"other": 50, "": 0})


def test_a_manifest_of_another_file_is_refused(tmp_path: Path, queries: SplitQueries) -> None:
    path, ranks = tmp_path / "model.txt", np.ones(len(queries))
    write_ranks(path, queries.asked, ranks)
    path.write_text(path.read_text().replace("\t1\n", "\t2\n"))
    with pytest.raises(InputError, match="found the manifest of another file"):
        read_models([str(path)], queries, FilteredAnswers(queries, Filter.RAW))
