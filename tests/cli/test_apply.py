"""``apply``, ``explain --rule`` and ``explain --query`` on the small graph."""

from __future__ import annotations

import gzip
import json
import shutil
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

Solver = Callable[..., Any]

# threatens 0, visits 2, hosts 3, negotiates 4, signs 5; inverses from 8 on.
RULES = [(3, [10], 58, 59), (5, [4], 40, 68), (0, [4], 21, 68), (4, [11], 19, 58), (4, [4], 19, 68)]


def written(rules: list[tuple[int, list[int], int, int]]) -> str:
    by_head: dict[str, list[dict[str, Any]]] = {}
    for head, body, support, out_of in rules:
        rule = {"head_rel": head, "body_rels": body, "var_constraints": []}
        figures = {"conf": support / out_of, "rule_supp": support, "body_supp": out_of}
        by_head.setdefault(str(head), []).append(rule | figures)
    return json.dumps(by_head)


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "rules.json"
    path.write_text(written(RULES), encoding="utf-8")
    return path


@pytest.fixture
def graph(examples: Path) -> Path:
    return examples / "tkg"


def test_both_engines_write_the_same_ranks(
    solver: Solver, rules: Path, graph: Path, tmp_path: Path
) -> None:
    paths = []
    for name, options in (("a", ()), ("b", ("--engine", "asp")), ("c", ("--jobs", 2))):
        paths.append(tmp_path / f"{name}.txt")
        ran = solver("apply", rules, "--data", graph, "--out", paths[-1], "--json", *options)
        assert ran.status == 0
        assert ran.json["rules"] == len(RULES)
        assert ran.json["facts"] == 130
    first = paths[0].read_bytes()
    assert all(path.read_bytes() == first for path in paths)
    rows = [line.split("\t") for line in first.decode().splitlines()]
    facts = [tuple(map(int, line.split())) for line in (graph / "test.txt").open()]
    assert [tuple(map(int, row[:4])) for row in rows] == [
        *facts,
        *((o, r + 8, s, t) for s, r, o, t in facts),
    ]
    reciprocal = sum(1 / float(row[4]) for row in rows) / len(rows)
    assert abs(reciprocal - ran.json["ranks"]["optimistic"]["mrr"]) < 1e-12
    hits = sum(float(row[4]) <= 3 for row in rows) / len(rows)
    assert abs(hits - ran.json["ranks"]["optimistic"]["hits@3"]) < 1e-12


@pytest.mark.parametrize("ties", ["optimistic", "realistic", "pessimistic"])
def test_ranks_are_scored_as_printed(
    solver: Solver, rules: Path, graph: Path, tmp_path: Path, ties: str
) -> None:
    """To the last digit, although many answers are no candidates and have the last rank."""
    path = tmp_path / "ranks.txt"
    options = ("--min-confidence", 0.5, "--ties", ties, "--json")
    ran = solver("apply", rules, "--data", graph, "--out", path, *options)
    scored = solver("score", "ranks", path, "--data", graph, "--json")
    assert scored.status == 0
    (model,) = scored.json["models"]
    assert model["not_returned"] is None
    figures = {name.replace("@", ""): value for name, value in ran.json["ranks"][ties].items()}
    assert {name: model["plain"][name] for name in figures} == figures


def test_many_answers_of_the_last_rank_are_scored_as_printed(
    solver: Solver, tmp_path: Path
) -> None:
    """No answer is a candidate: a rank that many share means nothing by itself."""
    rules, graph, path = tmp_path / "rules.json", tmp_path / "graph", tmp_path / "ranks.txt"
    rules.write_text(written([(0, [1], 3, 4)]), encoding="utf-8")
    graph.mkdir()
    (graph / "train.txt").write_text("0\t0\t1\t0\n1\t0\t0\t1\n")
    (graph / "test.txt").write_text("".join(f"{n}\t0\t{n + 20}\t5\n" for n in range(2, 22)))
    ran = solver("apply", rules, "--data", graph, "--out", path, "--json")
    assert {float(line.split()[4]) for line in path.read_text().splitlines()} == {42.0}
    (model,) = solver("score", "ranks", path, "--data", graph, "--json").json["models"]
    assert model["not_returned"] is None
    assert model["plain"]["mrr"] == ran.json["ranks"]["optimistic"]["mrr"] == 1 / 42


def test_candidates_are_listed_with_their_scores(
    solver: Solver, rules: Path, graph: Path, tmp_path: Path
) -> None:
    lines, table = tmp_path / "c.jsonl", tmp_path / "c.scores.txt.gz"
    for path in (lines, table):
        assert solver("apply", rules, "--data", graph, "--out", path).status == 0
    rows = [json.loads(line) for line in lines.read_text().splitlines()]
    output = [
        [str(row[column]) for column in ("s", "r", "t", "candidate", "score")] for row in rows
    ]
    with gzip.open(table, "rt") as file:
        assert [line.rstrip("\n").split("\t") for line in file] == output
    for row, following in pairwise(rows):
        if all(row[key] == following[key] for key in ("s", "r", "t")):
            assert row["score"] >= following["score"]


def test_a_table_of_three_ways_with_ties(solver: Solver, rules: Path, graph: Path) -> None:
    ran = solver("apply", rules, "--data", graph, "--split", "valid", "--window", 20)
    assert ran.status == 0
    assert "tkg, valid: 136 facts both ways" in ran.out
    assert [line.split()[0] for line in ran.out.splitlines() if line.count(".") == 4] == [
        "optimistic",
        "realistic",
        "pessimistic",
    ]


def test_what_rules_settings_leave_out(solver: Solver, rules: Path, graph: Path) -> None:
    for options, left in (
        (("--min-confidence", 0.5), 2),
        (("--min-body-support", 60), 3),
        (("--lengths", "2,3"), 0),
    ):
        assert solver("apply", rules, "--data", graph, "--json", *options).json["rules"] == left


@pytest.mark.parametrize(
    ("changed", "output"),
    [
        ([(99, [0], 1, 2)], "found relation 99, expected 0 to 15"),
        ([(0, [0, 16], 1, 2)], "found relation 16, expected 0 to 15"),
    ],
)
def test_rules_of_another_graph_are_refused(
    changed: Any, output: str, solver: Solver, graph: Path, tmp_path: Path
) -> None:
    path = tmp_path / "other.json"
    path.write_text(written(changed), encoding="utf-8")
    ran = solver("apply", path, "--data", graph)
    assert ran.status == 2
    assert ran.err.count("\n") == 1
    assert f"{path}:1:" in ran.err
    assert output in ran.err


def test_usage_errors(solver: Solver, rules: Path, graph: Path, tmp_path: Path) -> None:
    for arguments, output in (
        (("apply", tmp_path / "none.json", "--data", graph), "none.json"),
        (("apply", rules, "--data", tmp_path / "none"), "none"),
        (("apply", rules, "--data", graph, "--lengths", "x"), "'x', expected numbers"),
        (("apply", rules, "--data", graph, "--alpha", "nan"), "nan"),
    ):
        ran = solver(*arguments)
        assert ran.status == 2
        assert output in ran.err
        assert "Traceback" not in ran.err


def test_an_unsorted_graph_is_refused(solver: Solver, rules: Path, tmp_path: Path) -> None:
    (tmp_path / "train.txt").write_text("0 0 1 5\n1 0 0 3\n")
    ran = solver("apply", rules, "--data", tmp_path, "--split", "train")
    assert ran.status == 2
    assert "train.txt:2" in ran.err


@pytest.mark.parametrize("command", ["mine", "apply", "strikingness"])
def test_a_repeated_fact_counts_once(
    solver: Solver, rules: Path, graph: Path, tmp_path: Path, command: str
) -> None:
    """A release may repeat facts: the output is that of the graph without them, and a note."""
    doubled = tmp_path / graph.name
    shutil.copytree(graph, doubled)
    facts = (graph / "test.txt").read_text().splitlines(keepends=True)
    (doubled / "test.txt").write_text("".join([facts[0], *facts]))
    arguments = {
        "mine": ("mine", "--json"),
        "apply": ("apply", rules, "--json", "--data"),
        "strikingness": ("strikingness", "--rules", rules, "--json"),
    }[command]
    expected = solver(*arguments, graph)
    ran = solver(*arguments, doubled)
    assert ran.status == expected.status == 0
    assert ran.out == expected.out
    assert ran.err == f"left out of {graph.name}: 1 row, repeated\n" + expected.err


def test_a_repeated_fact_of_a_sealed_graph_is_refused(
    solver: Solver, graph: Path, tmp_path: Path, renew: Callable[[Path], None]
) -> None:
    shutil.copytree(graph, tmp_path / "doubled")
    path = tmp_path / "doubled" / "test.txt"
    facts = path.read_text().splitlines(keepends=True)
    path.write_text("".join([facts[0], *facts]))
    (tmp_path / "doubled" / "manifest.json").write_text('{"outputs": {"test.txt": ""}}')
    renew(tmp_path / "doubled")
    ran = solver("mine", tmp_path / "doubled")
    assert (ran.status, ran.out) == (2, "")
    assert "doubled: test: row 2: found the fact" in ran.err
    assert "(first at doubled: test: row 1), expected it once" in ran.err


@pytest.mark.parametrize("name", ["rules.json", "rules.jsonl.gz", "rules.lp"])
def test_rules_state_what_they_were_mined_from(
    solver: Solver, graph: Path, tmp_path: Path, name: str
) -> None:
    out = tmp_path / name
    assert solver("mine", graph, "--lengths", 1, "--split", "all", "--out", out).status == 0
    seen = json.loads((tmp_path / f"{name}.manifest.json").read_text())["seen"]
    assert seen["splits"] == ["train", "valid", "test"]
    last = int((graph / "test.txt").read_text().split()[-1])
    assert (seen["first"], seen["last"], seen["seed"]) == (0, last, None)


@pytest.mark.parametrize("splits", ["train", "train,valid", "all"])
def test_what_has_seen_the_evaluated_times_is_refused(
    solver: Solver, graph: Path, tmp_path: Path, splits: str
) -> None:
    rules, ranks, weights = (tmp_path / name for name in ("rules.json", "ranks.txt", "sk.txt"))
    scores = tmp_path / "scores.jsonl"
    mined = solver("mine", graph, "--lengths", 1, "--split", splits, "--out", rules)
    assert mined.status == 0
    commands = {
        "apply": ("apply", rules, "--data", graph, "--out", ranks),
        "candidates": ("apply", rules, "--data", graph, "--out", scores),
        "strikingness": ("strikingness", graph, "--rules", rules, "--out", weights),
        "ranks": ("score", "ranks", ranks, "--data", graph),
        "scores": ("score", "ranks", scores, "--data", graph, "--ensemble", scores, scores),
        "weights": ("score", "ranks", ranks, "--data", graph, "--weights", weights),
    }
    commands["scores"] = ("score", "ranks", tmp_path / "x.scores.jsonl", "--data", graph)
    for name, command in commands.items():
        if name == "scores":
            for ending in ("", ".manifest.json"):
                made = Path(f"{scores}{ending}")
                made.rename(tmp_path / made.name.replace("scores", "x.scores"))
        refused = solver(*command)
        if splits == "all":
            assert refused.status == 2, name
            assert "learned from train, valid, test of tkg, up to time" in refused.err
            allowed = solver(*command, "--allow-leak")
            assert (allowed.status, "note: " in allowed.err) == (0, True), name
        else:
            assert refused.status == 0, name


def test_an_unknown_origin_is_noted(solver: Solver, rules: Path, graph: Path) -> None:
    ran = solver("apply", rules, "--data", graph)
    assert ran.status == 0
    assert "rules.json does not state the facts that it was mined from" in ran.err


def test_dates_of_different_graphs_are_compared(solver: Solver, tmp_path: Path) -> None:
    """Rules of a file of all facts, whose times begin elsewhere, are refused by their dates."""
    names = ("2031-05-09", "2031-05-10", "2031-05-11")
    for folder, days in (("early", names[:2]), ("late", names)):
        (tmp_path / folder).mkdir()
        lines = [f"a\tvisits\tb\t{day}\nb\thosts\ta\t{day}\n" for day in days]
        (tmp_path / folder / "train.txt").write_text("".join(lines[:-1]))
        (tmp_path / folder / "test.txt").write_text(lines[-1])
    rules = tmp_path / "rules.json"
    mine = ("--lengths", 1, "--split", "all", "--out", rules)
    assert solver("mine", tmp_path / "early", *mine).status == 0
    assert solver("apply", rules, "--data", tmp_path / "late").status == 0
    assert solver("mine", tmp_path / "late", *mine).status == 0
    ran = solver("apply", rules, "--data", tmp_path / "early")
    assert ran.status == 2
    assert "up to time 2031-05-11" in ran.err


def test_a_graph_of_huge_ids_is_refused(solver: Solver, rules: Path, tmp_path: Path) -> None:
    (tmp_path / "train.txt").write_text(f"0 15 {2**31 - 2} 5\n")
    ran = solver("apply", rules, "--data", tmp_path, "--split", "train")
    assert ran.status == 2
    assert "error: found a graph too large" in ran.err


def test_a_rule_is_shown_with_groundings(
    solver: Solver, rules: Path, graph: Path, tmp_path: Path
) -> None:
    drawing = tmp_path / "rule.svg"
    asked = ("--rules", rules, "--data", graph)
    ran = solver("explain", "--rule", "0", *asked, "--svg", drawing)
    assert ran.status == 0
    lines = ran.out.splitlines()
    assert lines[0] == "rule 0: hosts(A, B) <- visits(B, A)"
    assert lines[1] == ("confidence 0.9831: 58 of 59 body groundings are followed by the head")
    assert sum("hosts(" in line for line in lines[2:]) == 3
    assert sum("visits(" in line for line in lines[2:]) == 3
    assert "NOT" not in ran.out
    root = ElementTree.fromstring(drawing.read_text(encoding="utf-8"))
    shown = {
        "".join(element.itertext()).strip()
        for element in root.iter()
        if element.tag.endswith("}text")
    }
    assert {"hosts", "visits", "hosts(A, B) <- visits(B, A)"} <= shown
    by_text = solver("explain", "--rule", "hosts(X, Y) <- visits(Y, X)", *asked, "--json")
    assert by_text.json["rule"] == 0
    assert all(grounding["proved"] for grounding in by_text.json["groundings"])
    facts = {
        tuple(map(int, line.split()))
        for split in ("train", "valid", "test")
        for line in (graph / f"{split}.txt").open()
    }
    for grounding in by_text.json["groundings"]:
        (s, _, o, t), ((body_s, relation, body_o, before),) = grounding["head"], grounding["body"]
        assert (s, 3, o, t) in facts
        assert (body_o, relation - 8, body_s, before) in facts
        assert (body_s, body_o) == (s, o)
        assert before < t


def test_a_query_is_explained_by_rules(
    solver: Solver, rules: Path, graph: Path, tmp_path: Path
) -> None:
    asked = ("--rules", rules, "--data", graph)
    query = ("Hestia Bay", "threatens", "?", "2031-05-10")
    ran = solver("explain", "--query", *query, *asked, "--svg", tmp_path / "q.png")
    assert ran.status == 0
    assert ran.out.startswith("threatens(Hestia Bay, ?) at 2031-05-10\n1. Kestrin ")
    assert "a fact of the graph" in ran.out
    assert "2031-05-04  negotiates(Hestia Bay, Kestrin)" in ran.out
    assert (tmp_path / "q.png").read_bytes().startswith(b"\x89PNG")
    output = solver("explain", "--query", *query, *asked, "--json").json
    assert output["ruled"]
    assert output["first"][0]["name"] == "Kestrin"
    assert all(reason["proved"] for record in output["first"] for reason in record["reasons"])
    backwards = solver("explain", "--query", "?", "3", "0", "70", *asked, "--json").json
    assert (backwards["head"], backwards["relation"]) == (0, 11)


@pytest.mark.parametrize(
    ("time", "shown"),
    [
        ("2099-01-01", "2099-01-01"),
        ("2031-05-20", "2031-05-20"),
        ("80", "2031-05-20"),
        ("2147483647", "2147483647"),
    ],
)
def test_a_query_after_the_last_day_is_a_forecast(
    solver: Solver, rules: Path, graph: Path, time: str, shown: str
) -> None:
    asked = ("Hestia Bay", "threatens", "?", time, "--rules", rules, "--data", graph)
    ran = solver("explain", "--query", *asked)
    assert ran.status == 0
    first, second, *_ = ran.out.splitlines()
    assert first == f"threatens(Hestia Bay, ?) at {shown}"
    assert second == "a forecast: the last facts of the graph are of 2031-05-19"
    assert solver("explain", "--query", *asked, "--json").json["forecast"]


def test_a_query_within_the_graph_is_no_forecast(solver: Solver, rules: Path, graph: Path) -> None:
    asked = ("0", "threatens", "?", "2031-05-19", "--rules", rules, "--data", graph)
    assert "forecast" not in solver("explain", "--query", *asked).out
    assert not solver("explain", "--query", *asked, "--json").json["forecast"]


def test_a_query_that_no_rule_answers(solver: Solver, rules: Path, graph: Path) -> None:
    asked = ("--rules", rules, "--data", graph)
    ran = solver("explain", "--query", "0", "allies", "?", "60", *asked)
    assert ran.status == 0
    assert "no rule applies" in ran.out
    drawn = solver("explain", "--query", "0", "allies", "?", "60", *asked, "--svg", "none.svg")
    assert "nothing is drawn" in drawn.err


@pytest.mark.parametrize(
    ("arguments", "output"),
    [
        (("--query", "Hestia", "threatens", "?", "70"), "near: Hestia Bay"),
        (("--query", "0", "threaten", "?", "70"), "near: threatens"),
        (("--query", "0", "threatens", "?", "2031-13-13"), "found no time"),
        (
            ("--query", "0", "threatens", "?", "2030-01-01"),
            "found time 2030-01-01, before the first day of the graph, 2031-03-01",
        ),
        (("--query", "0", "threatens", "1", "70"), "question mark"),
        (("--query", "99", "threatens", "?", "70"), "found entity 99, expected 0 to 19"),
        (("--rule", "5"), "found rule 5, expected 0 to 4"),
        (("--rule", "hosts(A, B) <- signs(A, B)"), "such as hosts(A, B) <- visits(B, A)"),
        (("--rule", "allies(A, B) <- signs(A, B)"), "none for this relation"),
        (("--rule", "hosts(A, B)"), "found no <-"),
        (("--rule", "host(A, B) <- signs(A, B)"), "near: hosts"),
    ],
)
def test_what_cannot_be_explained_is_refused(
    arguments: tuple[str, ...], output: str, solver: Solver, rules: Path, graph: Path
) -> None:
    ran = solver("explain", *arguments, "--rules", rules, "--data", graph)
    assert ran.status == 2
    assert output in ran.err
    assert "Traceback" not in ran.err
