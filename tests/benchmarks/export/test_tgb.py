"""``export tgb``: the library has our splits, ids, negatives and metrics."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import hopcheck as hc
from benchmarks.export.source import ExportError
from solver.graph.model import Dataset, Split

LOAD = """
import json, runpy, sys
import numpy as np
data, evaluator = runpy.run_path(sys.argv[1])["load"]()
with np.load(sys.argv[2]) as file:
    scores = {tuple(key): row for key, row in zip(file["queries"].tolist(), file["scores"])}
full = data.full_data
columns = ("sources", "edge_type", "destinations", "timestamps")
rows = np.stack([full[name] for name in columns], axis=1)
data.load_val_ns(); data.load_test_ns()
test = rows[data.test_mask]
s, r, o, t = test.T
negatives = data.negative_sampler.query_batch(s, o, t, r, split_mode="test")
ranks = []
times = sorted({*rows[:, 3].tolist()})
for (s, r, o, t), others in zip(test.tolist(), negatives):
    row = scores[s, r, t]
    found = evaluator.eval({"y_pred_pos": row[[o]], "y_pred_neg": row[others][None, :],
                            "eval_metric": ["mrr"]})
    ranks.append(round(2 / float(found["mrr"])) / 2)
print(json.dumps({
    "splits": {name: rows[mask].tolist() for name, mask in
               (("train", data.train_mask), ("valid", data.val_mask), ("test", data.test_mask))},
    "counts": [data.num_rels, data.num_edges], "metric": data.eval_metric, "ranks": ranks}))
"""


def stamps(read: Dataset, dated: bool) -> Callable[[int], int]:
    """Seconds since 1970 for dates, else the time itself."""
    if not dated:
        return lambda time: time
    first = np.datetime64(read.vocabulary.time_names[0])
    return lambda time: int((first + np.timedelta64(time, "D")).astype("datetime64[s]").astype(int))


@pytest.mark.parametrize("dated", [True, False])
def test_the_library_has_our_splits_ids_and_metrics(
    graph: Path, planted: Path, tmp_path: Path, outside: Callable[..., str], dated: bool
) -> None:
    folder = graph if dated else planted
    hc.export("tgb", folder, tmp_path / "out", name="ours")
    read = hc.load_graph(folder)
    words = read.vocabulary
    stamp = stamps(read, dated)
    both = {split: facts.both_ways(words.relations) for split, facts in read.splits.items()}
    keys = sorted({(h, r, t) for h, r, _, t in both[Split.TEST].rows().tolist()})
    scores = np.random.default_rng(1).integers(0, 4, (len(keys), words.entities)) / 3
    ours, theirs = tmp_path / "ours.npz", tmp_path / "theirs.npz"
    np.savez(ours, queries=np.array(keys), scores=scores)
    np.savez(theirs, queries=np.array([(h, r, stamp(t)) for h, r, t in keys]), scores=scores)
    found = json.loads(outside(LOAD, tmp_path / "out" / "load.py", theirs, needs="tgb"))
    for split, facts in both.items():
        expected = [[h, r, t, stamp(time)] for h, r, t, time in facts.rows().tolist()]
        assert sorted(found["splits"][split]) == sorted(expected)
    facts = len(read.facts())
    assert (found["counts"][1], found["metric"]) == (2 * facts, "mrr")
    plain = hc.score("ranks", ours, read).figures["models"][0]["plain"]
    # TGB computes in single precision; its ranks, which are multiples of a half, are exact.
    ranks = np.array(found["ranks"])
    assert (1 / ranks).mean() == pytest.approx(plain["mrr"], abs=1e-9)


def test_a_graph_without_splits_is_refused(graph: Path, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "train.tsv").write_bytes((graph / "train.tsv").read_bytes())
    with pytest.raises(ExportError, match="found no split valid"):
        hc.export("tgb", tmp_path / "in", tmp_path / "out")
