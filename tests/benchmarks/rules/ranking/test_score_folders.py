"""Folders of scores: the scores that were written come back, and no others."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.metrics.ranking import Numbers
from benchmarks.rules.ranking.files import ScoreFolder, read_scores
from benchmarks.rules.ranking.models import place
from benchmarks.rules.ranking.queries import Filter, FilteredAnswers, JoinError, SplitQueries
from grammar.errors import HopcheckError
from solver.graph.model import Dataset, Ids, Quadruples, Split, Vocabulary
from solver.graph.queries import Queries
from solver.io.sources import InputError
from solver.rules.score_folders import write_scores

from .conftest import GraphMaker


def table(queries: SplitQueries, seed: int) -> tuple[Ids, Numbers]:
    """The distinct queries of a split, and scores with ties."""
    asked, _ = Queries.of(queries.asked)
    keys = np.stack((asked.head, asked.relation, asked.time), axis=1)
    scores = np.random.default_rng(seed).integers(-3, 4, (len(keys), queries.entities))
    return keys, scores.astype(np.float64)


def written(folder: Path, keys: Ids, scores: Numbers, sizes: list[int]) -> None:
    """Write the rows in shards of some sizes."""
    begins = np.cumsum([0, *sizes])
    write_scores(
        folder,
        (
            (keys[at : at + size], scores[at : at + size].astype(np.float32))
            for at, size in zip(begins, [*sizes, len(keys)], strict=False)
        ),
        entities=scores.shape[1],
    )


@pytest.mark.parametrize("seed", range(30))
def test_shards_of_any_size_and_order_rank_like_one_table(
    graph_of: GraphMaker, seed: int, tmp_path: Path
) -> None:
    queries = SplitQueries.of(graph_of(seed), Split.TEST)
    keys, scores = table(queries, seed)
    source = np.random.default_rng(seed)
    order = source.permutation(len(keys))
    sizes = source.integers(0, 5, 4).tolist()
    written(tmp_path / "scores", keys[order], scores[order], sizes)
    found = read_scores(str(tmp_path / "scores"), queries, model="m")
    assert isinstance(found, ScoreFolder)
    by_key = {tuple(key): row for key, row in zip(keys.tolist(), scores, strict=True)}
    rows = source.integers(0, len(queries), 9)
    asked = queries.asked.take(rows).rows()[:, [0, 1, 3]].tolist()
    assert found.block(rows).tolist() == [by_key[tuple(key)].tolist() for key in asked]
    path = tmp_path / "whole.npz"
    np.savez(path, queries=keys, scores=scores)
    filtered = FilteredAnswers(queries, Filter.TIME_AWARE)
    ranks = [
        place(value, queries, filtered)
        for value in (found, read_scores(str(path), queries, model="m"))
    ]
    assert ranks[0].better.tolist() == ranks[1].better.tolist()
    assert ranks[0].tied.tolist() == ranks[1].tied.tolist()


def test_the_page_writes_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (Path(__file__).resolve().parents[4] / "docs" / "forecasting.md").read_text()
    monkeypatch.chdir(tmp_path)
    exec(page.split("```python\n")[1].split("```")[0], {})
    vocabulary = Vocabulary(entities=3, relations=2, times=6)
    facts = Quadruples.of(np.array([[0, 0, 1, 5]]))
    graph = Dataset(name="one", vocabulary=vocabulary, splits={Split.TEST: facts})
    found = read_scores("scores", SplitQueries.of(graph, Split.TEST), model="m")
    scores = found.block(np.arange(2))
    assert scores == pytest.approx(np.array([[0.1, 0.9, 0.0], [0.3, 0.3, 0.4]]))


def broken(folder: Path, name: str) -> None:
    """Damage a folder of two shards."""
    keys, scores = folder / "queries-00001.npy", folder / "scores-00001.npy"
    manifest = json.loads((folder / "manifest.json").read_bytes())
    if name == "a missing shard":
        keys.unlink()
    elif name == "other entities":
        manifest["entities"] += 1
    elif name == "ranks":
        manifest["content"] = "ranks"
    elif name == "fewer rows":
        np.save(scores, np.load(scores)[1:])
    elif name == "an id out of range":
        np.save(keys, np.load(keys) + 1_000)
    elif name == "no array":
        scores.write_bytes(b"scores")
    elif name == "whole numbers":
        np.save(scores, np.load(scores).astype(int))
    (folder / "manifest.json").write_text(json.dumps(manifest))


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("a missing shard", InputError, "No such file"),
        ("other entities", InputError, "expected scores of the 7 of graph"),
        ("ranks", InputError, "found ranks of 7 entities"),
        ("fewer rows", InputError, "found shapes"),
        ("an id out of range", InputError, "ids out of range"),
        ("no array", InputError, "expected an array as numpy.save writes it"),
        ("whole numbers", InputError, "found shapes"),
    ],
)
def test_damage_is_refused(
    queries: SplitQueries,
    tmp_path: Path,
    name: str,
    error: type[HopcheckError],
    message: str,
) -> None:
    keys, scores = table(queries, 0)
    written(tmp_path, keys, scores, [len(keys) // 2])
    broken(tmp_path, name)
    with pytest.raises(error, match=message):
        read_scores(str(tmp_path), queries, model="m")


def test_each_query_is_given_once(queries: SplitQueries, tmp_path: Path) -> None:
    keys, scores = table(queries, 0)
    twice = np.concatenate([keys, keys[:1]])
    write_scores(
        tmp_path, [(twice, np.zeros((len(twice), 7), np.float32))], entities=queries.entities
    )
    with pytest.raises(JoinError, match="twice, expected it once"):
        read_scores(str(tmp_path), queries, model="m")
    written(tmp_path, keys[1:], scores[1:], [2])
    with pytest.raises(JoinError, match="have no scores"):
        read_scores(str(tmp_path), queries, model="m")


def test_the_manifest_is_written_last(queries: SplitQueries, tmp_path: Path) -> None:
    keys, scores = table(queries, 0)
    written(tmp_path, keys, scores, [3])

    def interrupted() -> Iterator[tuple[Ids, NDArray[np.float32]]]:
        yield keys[:1], scores[:1].astype(np.float32)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_scores(tmp_path, interrupted(), entities=queries.entities)
    assert not (tmp_path / "manifest.json").exists()
