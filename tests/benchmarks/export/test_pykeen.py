"""``export pykeen``: the library has our splits, ids and metrics."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import hopcheck as hc
from benchmarks.export.source import ExportError
from solver.cli import run
from solver.graph.model import Dataset, Quadruples, Split, Vocabulary

LOAD = """
import json, runpy, sys
loaded = runpy.run_path(sys.argv[1])
data = loaded["load"]()
print(json.dumps({
    "splits": {"train": data.training.mapped_triples.tolist(),
               "valid": data.validation.mapped_triples.tolist(),
               "test": data.testing.mapped_triples.tolist()},
    "times": {split: loaded["times"](split) for split in ("train", "valid", "test")},
    "entities": data.entity_to_id, "relations": data.relation_to_id}))
"""

EVALUATE = """
import json, sys
import numpy, torch
from pykeen.evaluation import RankBasedEvaluator
evaluator = RankBasedEvaluator()
for target in ("head", "tail"):
    with numpy.load(sys.argv[1]) as file:
        scores = torch.tensor(file[target], dtype=torch.float64)
        answers = torch.tensor(file[target + "_answers"])
    evaluator.process_scores_(None, target, scores, scores.gather(1, answers[:, None]))
# PyKEEN has ranks in single precision: they are exact, but not the mean of their inverses.
for key, ranks in evaluator.ranks.items():
    evaluator.ranks[key] = [one.astype(float) for one in ranks]
found = evaluator.finalize()
names = {"mrr": "inverse_harmonic_mean_rank", "hits1": "hits_at_1", "hits10": "hits_at_10",
         "amr": "adjusted_arithmetic_mean_rank", "amri": "adjusted_arithmetic_mean_rank_index"}
measured = {ours: found.get_metric("both.realistic." + name) for ours, name in names.items()}
print(json.dumps(measured))
"""


def test_splits_ids_and_times_are_kept(
    graph: Path, tmp_path: Path, outside: Callable[..., str]
) -> None:
    hc.export("pykeen", graph, tmp_path / "out")
    found = json.loads(outside(LOAD, tmp_path / "out" / "load.py", needs="pykeen"))
    read = hc.load_graph(graph)
    assert [*found["entities"]] == [*read.vocabulary.entity_names]
    assert [*found["relations"]] == [*read.vocabulary.relation_names]
    for split in Split:
        facts = [
            [h, r, t, read.vocabulary.time(time)]
            for h, r, t, time in read.splits[split].rows().tolist()
        ]
        pairs = zip(found["splits"][split], found["times"][split], strict=True)
        assert sorted(facts) == sorted(
            [*map(int, value), day] for value, days in pairs for day in days
        )


def evaluated(
    read: Dataset,
    keys: list[tuple[int, int, int]],
    scores: np.ndarray,
    folder: Path,
    outside: Callable[..., str],
) -> dict[str, float]:
    """The figures of PyKEEN for scores of the queries of test, in the time-aware setting."""
    words = read.vocabulary
    every = read.facts().both_ways(words.relations).rows().tolist()
    place = {key: row for row, key in enumerate(keys)}
    sides: dict[str, list[np.ndarray]] = {"head": [], "tail": []}
    answers: dict[str, list[int]] = {"head": [], "tail": []}
    for h, r, t, time in read.splits[Split.TEST].both_ways(words.relations).rows().tolist():
        row = scores[place[h, r, time]].copy()
        row[[o for s, q, o, at in every if (s, q, at) == (h, r, time) and o != t]] = np.nan
        side = "tail" if r < words.relations else "head"
        sides[side].append(row)
        answers[side].append(t)
    named = {f"{side}_answers": np.array(answer) for side, answer in answers.items()}
    np.savez(folder / "theirs.npz", **{s: np.array(arrays) for s, arrays in sides.items()}, **named)
    found: dict[str, float] = json.loads(outside(EVALUATE, folder / "theirs.npz", needs="pykeen"))
    return found


def test_metrics_are_equal(graph: Path, tmp_path: Path, outside: Callable[..., str]) -> None:
    """The scores have ties; other true answers at the query's time are removed, as by default."""
    read = hc.load_graph(graph)
    words = read.vocabulary
    draw = np.random.default_rng(0)
    both = read.splits[Split.TEST].both_ways(words.relations)
    keys = sorted({(h, r, t) for h, r, _, t in both.rows().tolist()})
    scores = draw.integers(0, 6, (len(keys), words.entities)) / 5
    np.savez(tmp_path / "ours.npz", queries=np.array(keys), scores=scores)
    ours = hc.score("ranks", tmp_path / "ours.npz", read).figures

    found = evaluated(read, keys, scores, tmp_path, outside)
    plain = ours["models"][0]["plain"]
    assert found == {name: pytest.approx(plain[name], abs=1e-9) for name in found}


def test_metrics_of_distinct_triples_are_equal(tmp_path: Path, outside: Callable[..., str]) -> None:
    """PyKEEN's setting: each triple once, and all true answers of any time are removed."""
    draw = np.random.default_rng(1)
    facts = {tuple(map(int, row)) for row in draw.integers(0, (7, 2, 7, 12), (160, 4))}
    rows = sorted(facts, key=lambda fact: fact[3])
    parts = {Split.TRAIN: rows[:90], Split.VALID: rows[90:100], Split.TEST: rows[100:]}
    read = Dataset(
        name="drawn",
        vocabulary=Vocabulary(entities=7, relations=2, times=12),
        splits={split: Quadruples.of(np.array(part)) for split, part in parts.items()},
    )
    asked = {fact[:3] for fact in parts[Split.TEST]}
    assert len(asked) < len(parts[Split.TEST])
    # A model without times: the same scores for (h, r) at every time.
    base = {(h, r): draw.integers(0, 6, 7) / 5 for h in range(7) for r in range(4)}
    both = read.splits[Split.TEST].both_ways(2).rows().tolist()
    keys = sorted({(h, r, t) for h, r, _, t in both})
    scores = np.array([base[h, r] for h, r, _ in keys])
    np.savez(tmp_path / "ours.npz", queries=np.array(keys), scores=scores)

    timeless = {(h, r, t) for h, r, t, _ in read.facts().both_ways(2).rows().tolist()}
    sides: dict[str, list[np.ndarray]] = {"head": [], "tail": []}
    answers: dict[str, list[int]] = {"head": [], "tail": []}
    for h, r, t in sorted({(h, r, t) for h, r, t, _ in both}):
        row = base[h, r].copy()
        row[[o for o in range(7) if (h, r, o) in timeless and o != t]] = np.nan
        side = "tail" if r < 2 else "head"
        sides[side].append(row)
        answers[side].append(t)
    named = {f"{side}_answers": np.array(answer) for side, answer in answers.items()}
    theirs = tmp_path / "theirs.npz"
    np.savez(theirs, **{s: np.array(arrays) for s, arrays in sides.items()}, **named)
    found = json.loads(outside(EVALUATE, theirs, needs="pykeen"))

    figures = hc.score(
        "ranks", tmp_path / "ours.npz", read, filter="static", queries="distinct"
    ).figures
    assert figures["events"] == len(asked)
    plain = figures["models"][0]["plain"]
    assert found == {name: pytest.approx(plain[name], abs=1e-9) for name in found}
    facts_too = hc.score("ranks", tmp_path / "ours.npz", read, filter="static").figures
    assert facts_too["events"] == len(parts[Split.TEST])
    assert facts_too["models"][0]["plain"]["mrr"] != pytest.approx(plain["mrr"], abs=1e-6)


def test_the_command_states_that_times_are_lost(
    graph: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["export", "pykeen", str(graph), "--out", str(tmp_path)]) == 0
    triples = sum(len((tmp_path / f"{split}.tsv").read_text().splitlines()) for split in Split)
    facts = len(hc.load_graph(graph).facts())
    note = f"note: PyKEEN has no time: {facts} facts became {triples} triples; "
    assert triples < facts
    assert capsys.readouterr().err.startswith(note)


def test_items_are_refused(items: Path, tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="found eventhop data, expected tkg or graph for PyKEEN"):
        hc.export("pykeen", items, tmp_path)
