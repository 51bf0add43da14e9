"""The evaluators of PyKEEN and TGB give our figures on the scores of forecasters."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import hopcheck as hc
from solver.cli import run
from solver.rules.score_folders import read_parts

from .test_pykeen import evaluated
from .test_tgb import LOAD, stamps


@dataclass(frozen=True)
class Scored:
    """The scores of a forecaster for the queries of test, and our figures of them."""

    keys: list[tuple[int, int, int]]
    scores: np.ndarray
    figures: dict[str, float]


@pytest.fixture(scope="module", params=["cygnet", "re-gcn"])
def scored(
    request: pytest.FixtureRequest, graph: Path, tmp_path_factory: pytest.TempPathFactory
) -> Scored:
    request.getfixturevalue("torch")
    home = tmp_path_factory.mktemp("forecaster")
    data = ["--data", str(graph), "--device", "cpu"]
    taught = ["--model", request.param, "--size", "8", "--epochs", "1", "--out", str(home / "run")]
    assert run(["train", "forecaster", *data, *taught]) == 0
    out = ["--scores", str(home / "scores"), "--out", str(home / "ranks.txt")]
    assert run(["baseline", "forecaster", str(home / "run"), *data, *out]) == 0
    read = hc.load_graph(graph)
    parts = read_parts(home / "scores", entities=read.vocabulary.entities, graph=read.name)
    keys = [tuple(key) for rows, _ in parts for key in rows.tolist()]
    figures = hc.score("ranks", home / "scores", read).figures["models"][0]["plain"]
    return Scored(keys, np.concatenate([scores for _, scores in parts]), figures)


def test_pykeen(scored: Scored, graph: Path, tmp_path: Path, outside: Callable[..., str]) -> None:
    found = evaluated(hc.load_graph(graph), scored.keys, scored.scores, tmp_path, outside)
    assert found == {name: pytest.approx(scored.figures[name], abs=1e-9) for name in found}
    assert set(found) >= {"mrr", "hits1", "hits10"}


def test_tgb(scored: Scored, graph: Path, tmp_path: Path, outside: Callable[..., str]) -> None:
    read = hc.load_graph(graph)
    hc.export("tgb", graph, tmp_path / "out", name="ours")
    stamp = stamps(read, dated=True)
    queries = np.array([(h, r, stamp(t)) for h, r, t in scored.keys])
    np.savez(tmp_path / "theirs.npz", queries=queries, scores=scored.scores)
    load = tmp_path / "out" / "load.py"
    ranks = json.loads(outside(LOAD, load, tmp_path / "theirs.npz", needs="tgb"))["ranks"]
    assert (1 / np.array(ranks)).mean() == pytest.approx(scored.figures["mrr"], abs=1e-9)
