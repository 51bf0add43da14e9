from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from grammar.errors import HopcheckError
from solver.io.sources import RowError
from solver.rules.io import read_rules, write_rules
from solver.rules.model import Rule, RuleTable

NAMES = ["rules.json", "rules.json.gz", "rules.jsonl", "rules.jsonl.gz", "rules.parquet"]
RULES = [
    Rule(head=0, body=(3,), rule_support=1, body_support=2),
    Rule(head=0, body=(1, 2, 1), same=((0, 2), (1, 3)), rule_support=1, body_support=4),
    Rule(head=5, body=(0, 2), rule_support=0, body_support=0),
]
ROW = {
    "head_rel": 0,
    "body_rels": [3],
    "var_constraints": [],
    "conf": 0.5,
    "rule_supp": 1,
    "body_supp": 2,
}


@pytest.mark.parametrize("name", NAMES)
def test_rules_come_back_from_files(name: str, tmp_path: Path) -> None:
    write_rules(tmp_path / name, RuleTable.of(RULES))
    found = read_rules(tmp_path / name)
    assert list(found) == RULES
    assert found.stated is None
    first = (tmp_path / name).read_bytes()
    write_rules(tmp_path / name, found)
    assert (tmp_path / name).read_bytes() == first


@pytest.mark.parametrize("name", NAMES)
def test_no_rules(name: str, tmp_path: Path) -> None:
    write_rules(tmp_path / name, RuleTable.of([]))
    assert list(read_rules(tmp_path / name)) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_confidence_of_its_own_is_kept(name: str, tmp_path: Path) -> None:
    """Smoothed by two unseen bodies."""
    published = {"0": [ROW | {"conf": 0.25}, ROW | {"rule_supp": 1, "body_supp": 3, "conf": 0.2}]}
    (tmp_path / "given.json").write_text(json.dumps(published))
    given = read_rules(tmp_path / "given.json")
    assert given.confidence.tolist() == [0.25, 0.2]
    assert given.ratio.tolist() == [0.5, 1 / 3]
    write_rules(tmp_path / name, given)
    assert read_rules(tmp_path / name).confidence.tolist() == [0.25, 0.2]


@pytest.mark.parametrize(
    ("supports", "confidences", "place"),
    [
        ([(21, 68)], [0.99], 1),
        ([(1, 2), (1, 3)], [0.5, 0.25], 2),
        ([(1, 2), (1, 3)], [0.25, 1 / 3], 2),
        ([(0, 3)], [0.1], 1),
        ([(2, 3)], [0.0], 1),
        ([(2, 3)], [0.67], 1),
    ],
)
def test_a_confidence_that_contradicts_its_supports_is_refused(
    tmp_path: Path, supports: list[tuple[int, int]], confidences: list[float], place: int
) -> None:
    rows = [
        {
            "head": 0,
            "body": [1],
            "confidence": confidence,
            "rule_support": rule,
            "body_support": body,
        }
        for (rule, body), confidence in zip(supports, confidences, strict=True)
    ]
    path = tmp_path / "rules.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    with pytest.raises(RowError, match=f":{place}:1: found confidence .* beside supports of"):
        read_rules(path)


def test_published_fields(tmp_path: Path) -> None:
    write_rules(tmp_path / "rules.json", RuleTable.of(RULES[1:2]))
    assert json.loads((tmp_path / "rules.json").read_text()) == {
        "0": [
            {
                "head_rel": 0,
                "body_rels": [1, 2, 1],
                "var_constraints": [[0, 2], [1, 3]],
                "conf": 0.25,
                "rule_supp": 1,
                "body_supp": 4,
            }
        ]
    }


def test_facts(tmp_path: Path) -> None:
    write_rules(tmp_path / "rules.lp", RuleTable.of(RULES[:2]))
    assert (tmp_path / "rules.lp").read_text().splitlines() == [
        "rule(0,0). body(0,1,3). support(0,1,2).",
        "rule(1,0). body(1,1,1). body(1,2,2). body(1,3,1). same(1,0,2). same(1,1,3). "
        "support(1,1,4).",
    ]


def published(**changes: object) -> str:
    return '{"0": [\n' + json.dumps(ROW) + ",\n " + json.dumps(ROW | changes) + "\n]}"


@pytest.mark.parametrize(
    ("name", "text", "place", "message"),
    [
        ("r.json", "", ":1:1", "broken JSON"),
        ("r.json", "[]", ":1:1", "one object that maps a head relation"),
        ("r.json", '{"0": [1]}', ":1:8", "expected `object`, got `int`"),
        ("r.json", published(rule_supp="two"), ":3:2", "expected `int`, got `str`"),
        ("r.json", published(rule_supp=3), ":3:2", "rule support of 3, expected at most the body"),
        ("r.json", published(conf=1.5), ":3:2", "expected `float` <= 1.0"),
        ("r.json", published(conf=float("nan")), ":3:67", "broken JSON"),
        ("r.json", published(body_rels=[]), ":3:2", "length >= 1"),
        ("r.json", published(body_rels=[99]), ":3:2", "relation 99, expected 0 to 9"),
        ("r.json", published(body_rels=[-1]), ":3:2", "expected `int` >= 0"),
        ("r.json", published(head_rel=1), ":3:2", "found head_rel 1 under '0'"),
        ("r.json", published(var_constraints=[[0, 2]]), ":3:2", "different positions, 0 to 1"),
        ("r.json", published(var_constraints=[[0, 0]]), ":3:2", "different positions, 0 to 1"),
        ("r.jsonl", '\n{"head": 1}', ":2:1", "missing required field `body`"),
        ("r.jsonl", '{"head": x}', ":1:10", "broken JSON"),
        ("r.jsonl", '{"head":1,"body":[12],"rule_support":1,"body_support":1}', ":1:1", "12"),
        ("r.parquet", "PAR1", ":1:1", "expected a whole Parquet file"),
        ("r.lp", "", "", "not read"),
        ("r.txt", "", "", "expected .json, .jsonl or .lp"),
        ("r.parquet.gz", "", "", "expected .json, .jsonl or .lp"),
    ],
)
def test_invalid_files_are_reported_in_one_line(
    name: str, text: str, place: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(HopcheckError) as caught:
        read_rules(path, relations=5)
    assert f"{path}{place}: " in str(caught.value)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("column", "values", "place", "message"),
    [
        ("head", [0, -1], ":2:1", "found -1"),
        ("head", [0, None], "", "found nothing in column head"),
        ("head", ["a", "b"], "", "expected a Parquet file of rules"),
        ("body", [[1], []], ":2:1", "body of 0 facts"),
        ("body", [[-3], [1]], ":1:1", "relation -3"),
        ("body", [[1], [10]], ":2:1", "relation 10, expected 0 to 9"),
        ("same", [[], [[0, 2]]], ":2:1", "different positions, 0 to 1"),
        ("confidence", [0.5, float("nan")], ":2:1", "confidence of nan"),
        ("body_support", [2, 0], ":2:1", "rule support of 1"),
        ("same", [[], [None]], "", "found nothing within column same, expected positions"),
        ("same", [[], [[0, None]]], "", "found nothing within column same, expected positions"),
    ],
)
def test_bad_parquet(
    column: str, values: list[object], place: str, message: str, tmp_path: Path
) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {
        "head": [0, 1],
        "body": [[1], [2]],
        "same": [[], []],
        "confidence": [0.5, 0.5],
        "rule_support": [1, 1],
        "body_support": [2, 2],
    }
    path = tmp_path / "r.parquet"
    pq.write_table(pa.table(columns | {column: values}), path)
    with pytest.raises(HopcheckError) as caught:
        read_rules(path, relations=5)
    assert f"{path}{place}: " in str(caught.value)
    assert message in str(caught.value)


def test_truncated_gzip(tmp_path: Path) -> None:
    (tmp_path / "r.json.gz").write_bytes(gzip.compress(published().encode())[:-9])
    with pytest.raises(HopcheckError, match="gzip data end early"):
        read_rules(tmp_path / "r.json.gz")


def test_published_rules_of_icews14(shared: Path, tmp_path: Path) -> None:
    path = shared / "data/icews14/tlogic_rules_len123_seed12.json.gz"
    rules = read_rules(path, relations=230)
    lengths = [int((rules.length == length).sum()) for length in (1, 2, 3)]
    assert lengths == [8_364, 7_916, 12_453]
    assert abs(rules.confidence - rules.ratio).max() <= 0.5e-6 + 1e-12
    write_rules(tmp_path / "again.json", rules)
    again = json.loads((tmp_path / "again.json").read_text())
    assert again == json.loads(gzip.decompress(path.read_bytes()))
