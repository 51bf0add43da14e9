"""``export hf``: Parquet, card and metadata, as the library ``datasets`` reads them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import hopcheck as hc
from benchmarks.export.source import ExportError
from solver.cli import run
from solver.patterns.model import Shape

LOAD = """
import json, sys
from datasets import get_dataset_config_names, load_dataset
folder, found = sys.argv[1], {}
for name in get_dataset_config_names(folder):
    splits = load_dataset(folder, name)
    features = next(iter(splits.values())).features
    found[name] = {
        "rows": {split: list(rows) for split, rows in splits.items()},
        "names": {
            n: inner.names
            for n, f in features.items()
            if hasattr(inner := getattr(f, "feature", f), "names")
        },
        "types": {n: str(f.dtype) for n, f in features.items() if hasattr(f, "dtype")},
    }
found["default"] = {split: len(rows) for split, rows in load_dataset(folder).items()}
print(json.dumps(found))
"""
Outside = Callable[..., str]


def json_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def loaded(outside: Outside, folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(outside(LOAD, folder, needs="datasets"))
    return found


def test_items_have_typed_columns(items: Path, tmp_path: Path, outside: Outside) -> None:
    hc.export("hf", items, tmp_path / "hub", licence="cc-by-4.0")
    found = loaded(outside, tmp_path / "hub")
    assert found["default"] == {"train": 30, "test": 18}
    names = found["temporal"]["names"]
    assert names["label"] == ["true", "false", "undefined"]
    assert {names[n][0] for n in ("status", "declared", "relation", "domain")} == {
        *("entailed", "possible", "before", "temporal")
    }
    assert {found["temporal"]["types"][n] for n in ("hops", "events")} == {"int32"}
    for split, rows in found["temporal"]["rows"].items():
        named = [{n: names[n][v] if n in names else v for n, v in row.items()} for row in rows]
        written = json_lines(items / f"{split}.jsonl")
        assert named == [{name: record.get(name) for name in named[0]} for record in written]


def test_questions_have_a_configuration_for_each_kind(
    questions: Path, tmp_path: Path, outside: Outside
) -> None:
    hc.export("hf", questions, tmp_path / "hub")
    found = loaded(outside, tmp_path / "hub")
    sizes = {split: len(json_lines(questions / f"{split}.jsonl")) for split in ("train", "test")}
    assert {split: found["default"][split] for split in sizes} == sizes
    assert {*found} == {"all", "default", "1-hop", "2-hop", "yes-unknown", "fact-reasoning"}
    rows = found["all"]["rows"]["test"]
    written = {line["id"]: line for line in json_lines(questions / "test.jsonl")}
    assert {row["id"] for row in rows} == {*written}
    for row in rows:
        record = written[row["id"]]
        assert (row["kind"], row["answers"]) == (record["kind"], record["answers"])
    assert rows[0]["day"] == (date.fromisoformat(rows[0]["time"]) - date(1970, 1, 1)).days


def test_a_graph_has_names_ids_and_whole_times(
    planted: Path, tmp_path: Path, outside: Outside
) -> None:
    hc.export("hf", planted, tmp_path / "hub")
    found = loaded(outside, tmp_path / "hub")
    assert {*found} == {"default", "facts", "labels", "patterns"}
    rows = [row for split in found["facts"]["rows"].values() for row in split]
    quads = [line.split("\t") for s in ("train", "valid", "test") for line in lines(planted, s)]
    ids = ("head_id", "relation_id", "tail_id", "time")
    assert [[row[name] for name in ids] for row in rows] == [[*map(int, q[:4])] for q in quads]
    assert [row["fact"] for row in rows] == [*range(len(rows))]
    assert rows[0]["head"] == f"e{rows[0]['head_id']}"
    labels = found["labels"]["rows"]["train"]
    assert len(labels) == len(lines(planted, "labels", ".tsv")) - 1
    assert found["labels"]["names"] == {"role": ["antecedent", "consequence"]}


def lines(folder: Path, name: str, end: str = ".txt") -> list[str]:
    return (folder / f"{name}{end}").read_text().splitlines()


def test_every_row_has_integers_for_times_and_numbers_for_labels(
    tmp_path: Path, outside: Outside
) -> None:
    """Links, patterns, rules, facts and texts: the types of all columns, and some rows."""
    made = tmp_path / "made"
    made.mkdir()
    links = {
        "document": "d",
        "nodes": [{"id": "e", "word": "met"}, {"id": "t", "time": True, "value": "1970-01-03"}],
        "links": [
            {"id": "1", "left": "e", "right": "t", "relation": "IS_INCLUDED", "weight": 3},
            {"id": "2", "left": "e", "right": "x", "relation": "BEFORE"},
        ],
    }
    (made / "links.jsonl").write_text(json.dumps(links) + "\n")
    options = ["--hops", "1", "--flags", "0000", "--out", str(made / "patterns.jsonl")]
    assert run(["generate", "patterns", *options]) == 0
    body = {"head": 2, "body": [1, 5], "same": [[0, 2]], "rule_support": 1, "body_support": 4}
    (made / "rules.jsonl").write_text(json.dumps(body) + "\n")
    rows = ("subject\trelation\tobject\tstart\tend", "A\tmemberOf\tB\t1970-01-02\t")
    (made / "facts.tsv").write_text("\n".join((*rows, "C\tstartSpouse\tD\t1969-12-31\n")))
    text = {
        "text": "A married B on 1970-01-01.",
        "facts": [["A", "startSpouse", "B", "1970-01-01"]],
    }
    (made / "texts.jsonl").write_text(json.dumps(text) + "\n")
    found = {}
    for name in ("links.jsonl", "patterns.jsonl", "rules.jsonl", "facts.tsv", "texts.jsonl"):
        out = tmp_path / name
        assert run(["export", "hf", str(made / name), "--out", str(out)]) == 0
        found |= loaded(outside, out)
    del found["default"]
    assert {*found} == {*("links", "nodes", "documents", "patterns", "rules", "facts", "texts")}
    labels = {name: record["names"] for name, record in found.items() if record["names"]}
    assert {name: [*label] for name, label in labels.items()} == {
        "links": ["relation"],
        "nodes": ["kind"],
        "patterns": ["shapes", "entity_reuse", "relation_reuse", "antecedent_relations"],
    }
    assert labels["patterns"]["shapes"] == [shape.value for shape in Shape]
    train = {name: record["rows"]["train"] for name, record in found.items()}
    [link] = train["links"]
    assert (labels["links"]["relation"][link["relation"]], link["weight"]) == ("IS_INCLUDED", 3)
    assert [node["kind"] for node in train["nodes"]] == [0, 1]
    [document] = train["documents"]
    assert [link["id"] for link in document["links"]] == ["1"]
    assert [node["id"] for node in document["nodes"]] == ["e", "t"]
    assert [node["day"] for node in train["nodes"]] == [None, 2]
    listed = json_lines(made / "patterns.jsonl")
    assert [pattern["pattern"] for pattern in train["patterns"]] == [
        record["pattern"] for record in listed
    ]
    names = labels["patterns"]
    for row, record in zip(train["patterns"], listed, strict=True):
        assert [names["shapes"][n] for n in row["shapes"]] == record["shapes"]
        for name in names.keys() - {"shapes"}:
            assert (None if row[name] is None else names[name][row[name]]) == record[name]
    assert train["rules"] == [body | {"confidence": 0.25}]
    assert [(fact["start"], fact["start_day"], fact["day"]) for fact in train["facts"]] == [
        ("1970-01-02", 1, None),
        (None, None, -1),
    ]
    assert train["texts"][0]["facts"] == text["facts"]


def test_what_is_left_out_is_stated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    links = [{"id": str(n), "left": "a", "right": "b", "relation": "NEAR"} for n in range(2)]
    links += [{"id": "3", "left": "a", "right": "b", "relation": "AFTER"}]
    (tmp_path / "d.jsonl").write_text(json.dumps({"document": "d", "links": links}) + "\n")
    assert run(["export", "hf", str(tmp_path), "--out", str(tmp_path / "hub")]) == 0
    stated = "left out 2 links (unknown-relation)"
    assert stated in capsys.readouterr().err
    assert (
        "Links that were left out: 2 unknown-relation." in (tmp_path / "hub/README.md").read_text()
    )


def test_questions_are_probed_with_their_graph(
    questions: Path, graph: Path, tmp_path: Path
) -> None:
    page = tmp_path / "README.md"
    for options, expected in (
        ([], "- questions: Not probed, as the graph was not given."),
        (["--data", str(graph)], "questions of test: The probe on "),
    ):
        assert run(["export", "hf", str(questions), *options, "--out", str(tmp_path)]) == 0
        assert expected in page.read_text()


def test_dates_are_kept(graph: Path, tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    assert run(["export", "hf", str(graph), "--out", str(tmp_path)]) == 0
    rows = pq.read_table(tmp_path / "facts-test.parquet").to_pylist()
    written = [line.split("\t") for line in lines(graph, "test", ".tsv")]
    assert [[r["head"], r["relation"], r["tail"], r["date"]] for r in rows] in (
        written,
        written[1:],
    )


def test_the_card_states_licence_sizes_and_probes(items: Path, tmp_path: Path) -> None:
    hc.export("hf", items, tmp_path, licence="cc-by-4.0")
    card = (tmp_path / "README.md").read_text()
    assert "\nlicense: cc-by-4.0\n" in card
    assert "num_examples: 18\n" in card
    assert "## Probes for label leakage: items\n\n- train: The probe on" in card


def test_the_metadata_name_every_file_with_its_checksum(items: Path, tmp_path: Path) -> None:
    hc.export("hf", items, tmp_path)
    made = json.loads((tmp_path / "croissant.json").read_text())
    found = {record["contentUrl"]: record["sha256"] for record in made["distribution"]}
    files = sorted(tmp_path.glob("*.parquet"))
    assert found == {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}
    assert [record["@id"] for record in made["recordSet"]] == ["temporal-train", "temporal-test"]


def test_folders_become_configurations(items: Path, tmp_path: Path) -> None:
    other = tmp_path / "spatial"
    options = ["--domain", "spatial", "--split", "test", "--test-size", "9", "--shape", "8x8"]
    assert run(["generate", "eventhop", *options, "--out", str(other)]) == 0
    files = hc.export("hf", [items, other], tmp_path / "hub")
    assert {file.name for file in files if file.suffix == ".parquet"} == {
        *("temporal-train.parquet", "temporal-test.parquet", "spatial-test.parquet")
    }
    with pytest.raises(ExportError, match="two folders of one name"):
        hc.export("hf", [items, items], tmp_path / "twice")


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({}, "the files of a data set"),
        ({"notes.txt": "a"}, "the files of a data set"),
        ({"train.jsonl": '{"premise": "p", "label": "maybe"}\n'}, "found the label 'maybe'"),
    ],
)
def test_other_folders_are_refused(files: dict[str, str], reason: str, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name, text in files.items():
        (tmp_path / "in" / name).write_text(text)
    with pytest.raises(ExportError, match=reason):
        hc.export("hf", tmp_path / "in", tmp_path / "out")


def test_the_licence_is_an_identifier(items: Path, tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="found the licence 'Do what"):
        hc.export("hf", items, tmp_path, licence="Do what you like")
