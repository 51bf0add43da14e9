"""Levels of difficulty: the options that they set, and reasoners that fail at them."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

import hopcheck as hc
from benchmarks.reproduction import RESULTS
from benchmarks.reproduction.levels import (
    OF,
    STEPS,
    of_graphs,
    of_items,
    of_texts,
    of_traces,
    shown,
)
from generators.eventhop.config import LEVELS
from generators.levels import LevelError, at_level
from generators.questions.graph import Encounters, Met
from generators.traces.twins import LEVELS as OF_TRACES
from solver.cli import run
from solver.graph.model import Quadruples

ROOT = Path(__file__).resolve().parents[2]
TEXTS = ROOT / "examples" / "texts" / "references.txt"
GRAPH = ROOT / "examples" / "questions" / "graph"
PAGES = {
    "eventhop": "eventhop-generate",
    "questions": "questions",
    "texts": "texts",
    "tkg": "tkg",
    "traces": "traces-train",
}


def test_limited_reasoners_fall_from_level_to_level() -> None:
    """Whoever combines k sentences answers what needs no more, and guesses the rest."""
    found = [list(of_items(level, size=90, seed=3).values()) for level in LEVELS]
    assert found[0][0] > 0.34
    for easier, harder in pairwise(found):
        assert sum(harder) < sum(easier)
        assert all(then <= first for first, then in zip(easier, harder, strict=True))
    for level, row in zip(LEVELS.values(), found, strict=True):
        most = max(level["hops"])
        known = [accuracy for k, accuracy in zip(STEPS, row, strict=True) if k >= most]
        assert known == [1.0] * len(known)


def test_chains_of_higher_levels_need_more_sentences() -> None:
    """A reasoner that combines as many sentences as a proof has finds nearly every first error."""
    found = {level: of_traces(level, twins=42, seed=2) for level in (1, 3, 5)}
    for easier, harder in pairwise(found.values()):
        assert all(harder[k] <= share for k, share in easier.items())
        assert harder["1"] < easier["1"] < 1
    for level, row in found.items():
        (hops,) = OF_TRACES[level]["hops"]
        assert row[str(hops)] > 0.98  # A detour may need more.
        assert row[str(hops - 1)] < 1.0


def test_rules_that_are_too_short_fail_on_graphs_of_a_level() -> None:
    """Rules of one fact know graphs of one hop, and nothing of those of two or three."""
    first, third, fifth = (of_graphs(level, graphs=1, steps=80) for level in (1, 3, 5))
    assert first["rules of 1 fact"] > 0.9 > 0.2 > third["rules of 1 fact"]
    assert third["rules of up to 2"] > 0.3 > 0.2 > fifth["rules of up to 2"]


def test_expressions_find_less_in_texts_of_higher_levels(tmp_path: Path) -> None:
    facts = tmp_path / "facts.txt"
    line = "[['Ada Brook', 'startMemberOf', 'Rovers', '2026-01-{:02}'], ['Dan Hollow', "
    line += "'endWorksFor', 'Northmill Press', '2026-02-{:02}']]\n"
    facts.write_text("".join(line.format(day, day) for day in range(1, 28)), encoding="utf-8")
    easy, hard = (sum(of_texts(level, facts).values()) for level in (2, 5))
    assert hard < 0.7 * easy


@pytest.mark.parametrize("kind", PAGES)
def test_the_documentation_has_the_measured_table(kind: str) -> None:
    measured = msgspec.json.decode((RESULTS / "levels.json").read_bytes())[kind]["levels"]
    found = {int(level): row for level, row in measured.items()}
    assert list(found) == list(OF[kind]) == [1, 2, 3, 4, 5]
    table = shown(kind, OF[kind], found)
    assert table in (ROOT / "docs" / f"{PAGES[kind]}.md").read_text(encoding="utf-8")
    sums = [sum(row.values()) for row in found.values()]
    assert sorted(sums, reverse=True) == sums
    assert sums[-1] < 0.6 * sums[0]


def test_a_level_of_the_api_is_that_of_its_options() -> None:
    of_level = list(hc.generate("eventhop", level=2, split="test", test_size=30, seed=4))
    options = {"shapes": ["12x12"], "hops": [3, 4]}
    assert of_level == list(
        hc.generate("eventhop", split="test", test_size=30, seed=4, **options)  # type: ignore[call-overload]
    )
    chains = list(hc.generate("traces", level=1, test_size=3, seed=4))
    assert {chain["hops"] for chain in chains} == {2}
    texts = list(hc.generate("texts", facts=TEXTS, level=4, seed=2))
    assert texts == list(hc.generate("texts", facts=TEXTS, style="story", indirect=0.75, seed=2))
    assert texts != list(hc.generate("texts", facts=TEXTS, style="story", seed=2))
    config = {"patterns": [0, 0, 16], "lags": {"low": 1, "high": 8}, "flags": "1101"}
    assert list(hc.generate("tkg", level=5)) == list(hc.generate("tkg", config=config))
    graph = hc.load_graph(GRAPH)
    met = list(hc.generate("questions", graph=graph, level=3))
    assert met
    assert met == list(hc.generate("questions", graph=graph, kinds=["1-hop"], met=["seldom"]))
    assert hc.item({"kinds": ["1-hop"], "met": ["seldom"]}, "test", 0, graph=graph) in met


@pytest.mark.parametrize("met", Met)
def test_entities_and_answers_met_as_often_as_is_asked(met: Met) -> None:
    """Counted over the facts one by one, from the words of the documentation."""
    graph = hc.load_graph(GRAPH)
    rows = graph.facts().rows().tolist()
    names = graph.vocabulary
    day = {names.time(time): time for time in {row[3] for row in rows}}
    number = {names.entity(entity): entity for entity in range(names.entities)}
    least = {"often": 20, "sometimes": 5, "seldom": 1, "never": 0}
    kinds = ["1-hop", "2-hop"]
    asked: dict[Met, list[Any]] = {
        each: list(hc.generate("questions", graph=graph, kinds=kinds, met=[each])) for each in Met
    }
    assert sum(map(len, asked.values())) > 100
    for question in asked[met]:
        named = {end for triple in question["query"] for end in (triple[0], triple[2])}
        (entity,) = (number[end] for end in named if not end.startswith("?"))
        most = max(
            sum(
                {head, tail} == {entity, number[answer]} and time < day[question["time"]]
                for head, _, tail, time in rows
            )
            for answer in question["answers"]
        )
        assert next(name for name, low in least.items() if most >= low) == met


def test_encounters_are_counted_before_the_question() -> None:
    """Random small graphs, with loops, repeated pairs and questions without earlier facts."""
    draw = np.random.default_rng(5)
    for _ in range(200):
        facts = np.unique(draw.integers((4, 2, 4, 30), size=(40, 4)), axis=0)
        graph = Quadruples.of(facts[np.argsort(facts[:, 3], kind="stable")])
        wanted = [met for met in Met if draw.random() < 0.5]
        sizes = draw.integers(1, 3, size=draw.integers(6))
        offsets = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
        time, entity = draw.integers((30, 4), size=(len(sizes), 2)).T
        answer = draw.integers(4, size=offsets[-1])
        found = Encounters(graph, 4, wanted).suits(time, entity, offsets, answer)
        due = []
        for place, (begin, end) in enumerate(pairwise(offsets.tolist())):
            ends = [{int(entity[place]), int(each)} for each in answer[begin:end]]
            earlier = [{head, tail} for head, _, tail, then in facts.tolist() if then < time[place]]
            most = max(earlier.count(pair) for pair in ends)
            name = "often" if most > 19 else "sometimes" if most > 4 else "never"
            due.append(("seldom" if 0 < most < 5 else name) in wanted)
        assert found.tolist() == due


def test_at_level() -> None:
    assert at_level(OF_TRACES, None, {"detours": 3}) == {"detours": 3}
    assert at_level(OF_TRACES, 4, {"seed": 1}) == {"seed": 1, **OF_TRACES[4]}
    with pytest.raises(LevelError, match="found a level and hops and detours, expected one"):
        at_level(OF_TRACES, 4, {"detours": 2, "hops": (2,)})
    for level in (0, 6, -1):
        with pytest.raises(LevelError, match=f"found level {level}, expected a number from 1 to 5"):
            hc.generate("eventhop", level=level)


COMMANDS = {
    "eventhop": (("--split=test", "--test-size=12"), "--shape=8x8"),
    "traces": (("--test=2",), "--hops=2"),
    "texts": (("--facts", str(TEXTS)), "--indirect=.5"),
    "tkg": (("--steps=40",), "--lags=1,2"),
    "questions": ((str(GRAPH),), "--met=never"),
}


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("kind", COMMANDS)
def test_a_level_with_its_options_is_refused(
    kind: str,
    order: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    needed, option = COMMANDS[kind]
    options = [*needed, *["--level=2", option][::order]]
    assert run(["generate", kind, *options, "--out", str(tmp_path / "out")]) == 2
    assert "found a level and " in capsys.readouterr().err


@pytest.mark.parametrize("kind", COMMANDS)
def test_a_level_of_the_command(kind: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    needed, _ = COMMANDS[kind]
    assert run(["generate", kind, "--level=1", *needed, "--seed=1", "--out", str(out)]) == 0
    config = json.loads((out / "manifest.json").read_text())["config"]
    assert isinstance(config, dict)
    due = {
        "eventhop": ("hops", [1, 2, 3]),
        "traces": ("hops", [2]),
        "texts": ("style", "plain"),
        "tkg": ("patterns", [16, 0, 0]),
        "questions": ("met", ["often"]),
    }
    name, value = due[kind]
    assert config[name] == value
