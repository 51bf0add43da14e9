"""Explanations of patterns, rules, queries, questions and events: those of the command."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import hopcheck as hc
from solver.report.explanation import WrittenExplanation

Command = Callable[..., str]
GRAPH = "examples/tkg"
PATTERN = "1 -1-> 2 => 2 -2-> 1"
QUERY = ("Belmora", "visits", "?", "2031-05-10")
EVENT = ("Belmora", "visits", "Dunmarch", "2031-05-10")


@pytest.fixture(scope="module", autouse=True)
def _in_the_checkout() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(Path(__file__).resolve().parents[2])
        yield


@pytest.fixture(scope="module")
def graph(_in_the_checkout: None) -> hc.Dataset:
    return hc.load_graph(GRAPH)


@pytest.fixture(scope="module")
def rules(graph: hc.Dataset) -> hc.Rules:
    return hc.mine(graph, lengths=[1, 2])


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> tuple[hc.Dataset, Path, list[str]]:
    """A graph, a file of questions about it, and an id of each kind of question."""
    graph = hc.load_graph("examples/questions/graph")
    kinds = ["1-hop", "2-hop", "yes-unknown"]
    rows = list(hc.generate("questions", graph=graph, kinds=kinds))
    path = tmp_path_factory.mktemp("asked") / "questions.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return graph, path, [next(r["id"] for r in rows if r["kind"] == kind) for kind in kinds]


def test_explanations_are_those_of_the_command(
    graph: hc.Dataset, rules: hc.Rules, command: Command, tmp_path: Path
) -> None:
    file = rules.write(tmp_path / "rules.json")
    data = ("--rules", file, "--data", GRAPH)
    cases: list[tuple[WrittenExplanation, tuple[object, ...]]] = [
        (hc.explain(pattern=PATTERN), ("--pattern", PATTERN)),
        (
            hc.explain(pattern=PATTERN, flags="1100", cycle_reading="literal"),
            ("--pattern", PATTERN, "--flags", "1100", "--cycle-reading", "literal"),
        ),
        (
            hc.explain(rule=3, rules=file, graph=GRAPH, groundings=2, seed=1),
            ("--rule", 3, *data, "--groundings", 2, "--seed", 1),
        ),
        (
            hc.explain(query=QUERY, rules=file, graph=graph, candidates=2),
            ("--query", *QUERY, *data, "--candidates", 2),
        ),
        (
            hc.explain(event=EVENT, rules=file, graph=graph, peers=2),
            ("--event", *EVENT, *data, "--peers", 2),
        ),
    ]
    for explanation, arguments in cases:
        assert command("explain", *arguments) == "".join(f"{n}\n" for n in explanation.lines())
        printed = json.loads(command("explain", *arguments, "--json"))
        assert printed == json.loads(json.dumps(explanation.as_json()))


def test_a_rule_is_given_as_text_or_by_its_number(graph: hc.Dataset, rules: hc.Rules) -> None:
    by_number = hc.explain(rule=0, rules=rules, graph=graph)
    text = by_number.as_json()["text"]
    assert hc.explain(rule=text, rules=rules, graph=graph).number == 0
    with pytest.raises(hc.HopcheckError, match=f"expected 0 to {len(rules) - 1}"):
        hc.explain(rule=len(rules), rules=rules, graph=graph)


def test_questions_are_explained(
    asked: tuple[hc.Dataset, Path, list[str]], command: Command
) -> None:
    graph, path, ids = asked
    for name in ids:
        explanation = hc.explain(path, question=name, graph=graph)
        assert explanation.question.id == name
        assert explanation.findings == ()
        assert [*explanation.lines()][-1].startswith("right: ")
        printed = command(
            "explain", "--question", name, path, "--data", "examples/questions/graph", "--json"
        )
        assert json.loads(printed) == json.loads(json.dumps(explanation.as_json()))
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    wrong = [row | {"answers": ["Nowhere"]} if row["id"] == ids[0] else row for row in rows]
    explanation = hc.explain(wrong, question=ids[0], graph=graph)
    assert explanation.findings


def test_explanations_are_tables_drawings_and_files(
    graph: hc.Dataset,
    rules: hc.Rules,
    asked: tuple[hc.Dataset, Path, list[str]],
    tmp_path: Path,
) -> None:
    questions, path, ids = asked
    found: list[tuple[WrittenExplanation, bool]] = [
        (hc.explain(pattern=PATTERN), True),
        (hc.explain(rule=0, rules=rules, graph=graph), True),
        (hc.explain(rule=0, rules=rules, graph=graph, groundings=0), False),
        (hc.explain(query=QUERY, rules=rules, graph=graph), True),
        (hc.explain(event=EVENT, rules=rules, graph=graph), True),
        *((hc.explain(path, question=name, graph=questions), False) for name in ids),
    ]
    for explanation, drawn in found:
        rows = explanation.rows()
        assert all(tuple(row) == tuple(explanation.columns()) for row in rows)
        assert ("<svg" in explanation.svg()) is bool(explanation.svg()) is drawn
        html = explanation._repr_html_()
        assert html.startswith("<div><svg" if drawn else "<div><pre>")
        assert json.loads(explanation.write(tmp_path / "a.json").read_text(encoding="utf-8"))
        text = explanation.write(tmp_path / "a.txt").read_text(encoding="utf-8")
        assert text == "".join(f"{line}\n" for line in explanation.lines())
        if drawn:
            assert (
                explanation.write(tmp_path / "a.svg").read_text(encoding="utf-8")
                == explanation.svg()
            )
        else:
            with pytest.raises(hc.HopcheckError, match="nothing to draw"):
                explanation.write(tmp_path / "b.svg")
    assert found[0][0].rows() == []
    assert len(found[1][0].rows()) == 3
    assert len(found[3][0].rows()) == 5


def test_a_data_frame(graph: hc.Dataset, rules: hc.Rules) -> None:
    pytest.importorskip("pandas")
    frame = hc.explain(query=QUERY, rules=rules, graph=graph).to_pandas()
    assert list(frame.columns) == ["candidate", "score", "rules", "holds", "rule"]
    assert len(frame) == 5


@pytest.mark.parametrize(
    "options",
    [
        {"pattern": PATTERN, "rule": 0},
        {"source": GRAPH, "pattern": PATTERN},
        {"pattern": PATTERN, "cycle_reading": "free"},
        {"question": "1", "graph": GRAPH},
        {"event": EVENT[:3], "rules": "rules.json", "graph": GRAPH},
    ],
    ids=str,
)
def test_wrong_arguments_are_named(options: dict[str, Any]) -> None:
    with pytest.raises(hc.ArgumentError):
        hc.explain(**options)


def test_a_query_asks_for_one_entity(graph: hc.Dataset, rules: hc.Rules) -> None:
    for query in (EVENT, ("?", "visits", "?", "2031-05-10"), QUERY[:3]):
        with pytest.raises(hc.HopcheckError, match="expected subject, relation"):
            hc.explain(query=query, rules=rules, graph=graph)


def test_an_option_of_another_kind_is_refused() -> None:
    with pytest.raises(TypeError):
        hc.explain(pattern=PATTERN, seed=1)  # type: ignore[call-overload]
