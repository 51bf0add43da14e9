"""Predictions by the planted patterns, compared with plain loops over all matches."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from benchmarks.tkg.planted import planted_ranks, predictions
from generators.tkg.config import Config
from generators.tkg.run import generate
from solver.graph.model import Quadruples, Vocabulary
from solver.graph.queries import Queries
from solver.tkg.planted import PlantedPattern

Row = tuple[int, int, int, int]


def brute(
    patterns: tuple[PlantedPattern, ...], rows: list[Row], until: int
) -> dict[tuple[int, int, int], dict[int, float]]:
    """Scores by (head, relation, time) and tail, from all tuples of facts."""
    facts = set(rows)
    matches = []
    for pattern in patterns:
        steps = pattern.template.steps
        by_step = [[row for row in rows if row[1] == pattern.relation(step)] for step in steps[:-1]]
        for chosen in product(*by_step):
            bound: dict[int, int] = {}
            sound = True
            for step, row in zip(steps, chosen, strict=False):
                for placeholder, entity in ((step.head, row[0]), (step.tail, row[2])):
                    sound &= bound.setdefault(placeholder, entity) == entity
            for lag, row, after in zip(pattern.lags, chosen, chosen[1:], strict=False):
                sound &= lag.low <= after[3] - row[3] <= lag.high
            if sound and {steps[-1].head, steps[-1].tail} <= set(bound):
                end, lag = chosen[-1][3], pattern.lags[-1]
                triple = bound[steps[-1].head], pattern.relation(steps[-1]), bound[steps[-1].tail]
                matches.append((pattern.id, triple, end, end + lag.low, end + lag.high))
    scores: dict[tuple[int, int, int], dict[int, float]] = {}
    for pattern in patterns:
        own = [match for match in matches if match[0] == pattern.id]
        counted = [match for match in own if match[4] < until]
        right = sum(
            any((*triple, time) in facts for time in range(first, last + 1))
            for _, triple, _, first, last in counted
        )
        share = (right + 1) / (len(counted) + 2)
        for _, (head, relation, tail), end, first, last in own:
            for time in range(max(first, end + 1), last + 1):
                tails = scores.setdefault((head, relation, time), {})
                left = (1 - tails.get(tail, 0)) * (1 - share / (last - first + 1))
                tails[tail] = 1 - left
    return scores


@pytest.mark.parametrize("seed", range(40))
def test_predictions_are_those_of_all_matches(seed: int) -> None:
    config = Config.of_json(
        {
            **{"entities": 5 + seed % 7, "relations": 4, "steps": 14, "patterns": [2, 1, 1]},
            **{"probability": 0.15, "lags": {"low": seed % 2, "high": 2}},
            **{"mode": "forward" if seed % 3 else "forced", "flags": "1000"},
        }
    )
    graph = generate(config, seed)
    rows = [tuple(row) for row in graph.facts.rows().tolist()]
    words = Vocabulary(entities=config.entities, relations=config.relations, times=config.steps)
    expected = brute(graph.plan.patterns, rows, 9)
    asked = graph.facts.take(graph.facts.time >= 9)
    queries, _ = Queries.of(asked.both_ways(config.relations))
    found = predictions(graph.plan.patterns, graph.facts, words, queries, 9)
    for number in range(len(queries)):
        head, relation, time = (
            int(column[number]) for column in (queries.head, queries.relation, queries.time)
        )
        if relation < config.relations:
            wanted = expected.get((head, relation, time), {})
        else:
            wanted = {
                index: tails[head]
                for (index, r, t), tails in expected.items()
                if (r, t) == (relation - config.relations, time) and head in tails
            }
        part = found.rows(number)
        named = dict(zip(found.entity[part].tolist(), found.score[part].tolist(), strict=True))
        assert named == pytest.approx(wanted, rel=1e-5)
        assert sorted(named.values(), reverse=True) == found.score[part].tolist()


def test_later_facts_change_no_prediction() -> None:
    config = Config.of_json({"entities": 12, "relations": 5, "steps": 30, "mode": "forced"})
    graph = generate(config, 0)
    words = Vocabulary(entities=12, relations=5, times=30)
    until = 20
    asked = graph.facts.take(graph.facts.time == until)
    queries, _ = Queries.of(asked)
    rows = graph.facts.rows()
    changed = rows[rows[:, 3] < until]
    extra = np.array([[n % 12, n % 5, (n + 1) % 12, until + n % 9] for n in range(40)])
    later = Quadruples.of(np.unique(np.concatenate((changed, extra)), axis=0))
    candidates, other = (
        predictions(graph.plan.patterns, facts, words, queries, until)
        for facts in (graph.facts, later)
    )
    assert candidates.entity.tolist() == other.entity.tolist()
    assert candidates.score.tolist() == other.score.tolist()


def test_consequences_are_found_unless_another_one_is_likelier() -> None:
    config = Config.of_json(
        {"entities": 500, "relations": 12, "steps": 60, "mode": "forced", "patterns": [4, 4, 2]}
    )
    graph = generate(config, 1)
    words = Vocabulary(entities=500, relations=12, times=60)
    ends = np.unique(graph.labels.fact[graph.labels.consequence])
    asked = graph.facts.take(ends[graph.facts.time[ends] >= 54])
    ranks = planted_ranks(
        graph.plan.patterns, graph.facts, words, asked, until=54, miss=510, raw=True
    )
    assert (ranks.better < 500).mean() > 0.99
    assert (ranks.better + ranks.tied <= 3).mean() > 0.9


def test_the_command_ranks_a_generated_graph(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from solver.cli import run

    folder = str(tmp_path / "graph")
    assert run(["generate", "tkg", "--mode", "forced", "--seed", "3", "--out", folder]) == 0
    capsys.readouterr()
    out = str(tmp_path / "planted.ranks.txt")
    assert run(["baseline", "planted", "--data", folder, "--out", out, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["hits"]["consequences"]["3"]["expected"] > 0.8
    assert found["hits"]["consequences"]["3"]["expected"] > found["hits"]["tail"]["3"]["expected"]
    assert run(["score", "ranks", out, "--data", folder, "--json"]) == 0
    assert run(["baseline", "planted", "--data", folder]) == 0
    shown = capsys.readouterr().out
    assert "consequences" in shown
    assert "other facts" in shown


def test_a_graph_without_patterns_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    from solver.cli import run

    examples = Path(__file__).resolve().parents[3] / "examples"
    assert run(["baseline", "planted", "--data", str(examples / "ranks" / "graph")]) == 2
    assert "patterns.jsonl" in capsys.readouterr().err
