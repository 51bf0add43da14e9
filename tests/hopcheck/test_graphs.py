"""Graphs are loaded, mined, forecast and measured as by the commands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np
import pytest

import hopcheck as hc

Command = Callable[..., str]

ROOT = Path(__file__).resolve().parents[2]
GRAPH = ROOT / "examples" / "tkg"
COLUMNS = ("s", "r", "o", "date", "split")


@pytest.fixture(scope="module")
def graph() -> hc.Dataset:
    return hc.load_graph(GRAPH)


@pytest.fixture(scope="module")
def rules(graph: hc.Dataset) -> hc.Rules:
    return hc.mine(graph, lengths=[1, 2])


def test_a_table_of_facts_is_the_same_graph(graph: hc.Dataset) -> None:
    rows = [
        dict(zip(COLUMNS, (*graph.vocabulary.fact(fact), split.value), strict=True))
        for split, facts in graph.splits.items()
        for fact in facts.rows().tolist()
    ]
    again = hc.load_graph(rows)
    assert again.name == "facts"
    for split, facts in graph.splits.items():
        names = [graph.vocabulary.fact(fact) for fact in facts.rows().tolist()]
        others = [again.vocabulary.fact(fact) for fact in again.splits[split].rows().tolist()]
        assert names == others


@pytest.mark.parametrize("wrong", [{"head": None}, {"head": ""}, {"tail": "a\tb"}, {"split": "x"}])
def test_a_fact_without_an_element_is_an_argument_error(wrong: dict[str, object]) -> None:
    fact = {"head": "a", "relation": "r", "tail": "b", "time": 0}
    with pytest.raises(hc.ArgumentError):
        hc.load_graph([fact | wrong])


def test_rules_are_those_of_the_command(rules: hc.Rules, tmp_path: Path, command: Command) -> None:
    command("mine", str(GRAPH), "--out", str(tmp_path / "command.jsonl"))
    rules.write(tmp_path / "api.jsonl")
    assert (tmp_path / "api.jsonl").read_bytes() == (tmp_path / "command.jsonl").read_bytes()
    assert len(rules) == len(list(rules)) > 0


def test_sampled_rules_depend_on_the_seed_alone(graph: hc.Dataset) -> None:
    first, again, other = (
        hc.mine(graph, lengths=[3], walks=20, samples=20, seed=seed) for seed in (1, 1, 2)
    )
    assert list(first) == list(again) != list(other)


def test_ranks_are_those_of_the_command(
    graph: hc.Dataset, rules: hc.Rules, tmp_path: Path, command: Command
) -> None:
    path, ranks = rules.write(tmp_path / "rules.json"), tmp_path / "ranks.txt"
    command("apply", str(path), "--data", str(GRAPH), "--out", str(ranks), "--ties", "realistic")
    found = hc.apply(rules, graph)
    found.write(tmp_path / "api.txt", ties="realistic")
    assert (tmp_path / "api.txt").read_bytes() == ranks.read_bytes()
    assert hc.apply(path, GRAPH).metrics == found.metrics


def test_ranks_are_scored_as_by_the_command(
    graph: hc.Dataset, rules: hc.Rules, tmp_path: Path, command: Command
) -> None:
    ranking = hc.apply(rules, graph)
    path = ranking.write(tmp_path / "rules.ranks.txt", ties="realistic")
    shown = command("score", "ranks", str(path), "--data", str(GRAPH), "--json", "--groups")
    expected = msgspec.json.decode(shown)
    found = msgspec.to_builtins(hc.score("ranks", ranking, graph).figures, str_keys=True)
    assert [model["plain"] for model in found["models"]] == [
        model["plain"] for model in expected["models"]
    ]
    assert [model["file"] for model in found["models"]] == [""]


def test_strikingness_is_that_of_the_command(
    graph: hc.Dataset, rules: hc.Rules, tmp_path: Path, command: Command
) -> None:
    path, weights = rules.write(tmp_path / "rules.json"), tmp_path / "weights.txt"
    command("strikingness", str(GRAPH), "--rules", str(path), "--out", str(weights))
    found = hc.strikingness(graph, rules)
    assert np.allclose(found.weights, np.loadtxt(weights)[:, 4])
    assert found.write(tmp_path / "report").is_file()


def test_a_forecast_is_that_of_the_command(tmp_path: Path, command: Command) -> None:
    days = ("--from", "2032-03-02", "--to", "2032-03-05")
    command("forecast", str(GRAPH), *days, "--out", str(tmp_path))
    future = hc.forecast(GRAPH, "2032-03-02", "2032-03-05")
    text = (tmp_path / "facts.jsonl").read_bytes()
    assert msgspec.to_builtins(future.rows()) == [
        msgspec.json.decode(line) for line in text.splitlines()
    ]
    future.write(tmp_path / "again")
    assert (tmp_path / "again" / "facts.jsonl").read_bytes() == text


@pytest.mark.parametrize("splits", [("train",), ("train", "valid", "test")])
def test_rules_that_have_seen_the_evaluated_times_are_refused(
    graph: hc.Dataset, tmp_path: Path, splits: tuple[str, ...]
) -> None:
    rules = hc.mine(graph, lengths=[1], splits=splits)
    path = rules.write(tmp_path / "rules.json")
    last = graph.vocabulary.time(int(graph.facts().time.max()))
    calls = {
        "apply": lambda given, **more: hc.apply(given, graph, **more),
        "strikingness": lambda given, **more: hc.strikingness(graph, given, **more),
        "forecast": lambda _: hc.forecast(GRAPH, last, last, rules=path),
    }
    for name, call in calls.items():
        for given in (rules, path):
            if len(splits) == 1:
                if name != "forecast":
                    call(given)
                continue
            with pytest.raises(hc.HopcheckError, match="learned from"):
                call(given)
            if name != "forecast":
                call(given, allow_leak=True)
    ranks = hc.apply(rules, graph, allow_leak=True)
    if len(splits) == 3:
        with pytest.raises(hc.HopcheckError, match="learned from train, valid, test"):
            hc.score("ranks", ranks.write(tmp_path / "ranks.txt"), graph)
        with pytest.raises(hc.HopcheckError, match="learned from train, valid, test"):
            hc.score("ranks", ranks, graph)


def test_a_forecast_ends_after_its_begin() -> None:
    with pytest.raises(hc.ArgumentError, match="end=2032-03-01"):
        hc.forecast(GRAPH, "2032-03-02", "2032-03-01")


def test_rules_of_another_graph_are_rejected(rules: hc.Rules) -> None:
    other = hc.load_graph([{"head": "a", "relation": "r", "tail": "b", "time": 0}])
    with pytest.raises(hc.HopcheckError, match="found rules of tkg"):
        hc.apply(rules, other, split="train")


def test_notebooks_show_tables(graph: hc.Dataset, rules: hc.Rules) -> None:
    ranking, striking = hc.apply(rules, graph), hc.strikingness(graph, rules)
    for result in (graph, rules, ranking, striking):
        html = result._repr_html_()
        assert html.startswith("<div><table>")
        assert "tkg" in html
    assert "Galdria" in graph._repr_html_()


def test_names_are_escaped_in_notebooks() -> None:
    fact = {"head": "<script>", "relation": "r", "tail": "b", "time": 0}
    assert "<script>" not in hc.load_graph([fact])._repr_html_()


def test_data_frames(graph: hc.Dataset, rules: hc.Rules, notebook: None) -> None:  # noqa: ARG001
    frame = graph.to_pandas()
    assert len(frame) == len(graph.facts())
    assert hc.load_graph(frame).vocabulary.entity_names == graph.vocabulary.entity_names
    assert list(rules.to_pandas()["confidence"]) == [rule.confidence for rule in rules]
    ranking = hc.apply(rules, graph)
    assert len(ranking.to_pandas()) == len(ranking)
    assert len(hc.strikingness(graph, rules).to_pandas()) == len(graph.splits["test"])


def test_without_pandas_a_data_frame_names_it(
    graph: hc.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.extras.find_spec", lambda name: None)  # noqa: ARG005
    with pytest.raises(hc.HopcheckError, match=r"pip install 'hopcheck\[notebook\]'"):
        graph.to_pandas()
