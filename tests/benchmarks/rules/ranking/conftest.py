"""Small random graphs with their queries, and a folder of one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
import pytest

from benchmarks.rules.ranking.queries import SplitQueries
from solver.graph.model import Dataset, Quadruples, Split, Vocabulary

GraphMaker = Callable[[int], Dataset]
RowWriter = Callable[[Path, Iterable[Sequence[object]]], str]

ENTITIES, RELATIONS = 7, 3
TIMES = {Split.TRAIN: (0, 6), Split.VALID: (6, 9), Split.TEST: (9, 12)}


@pytest.fixture(scope="session")
def graph_of() -> GraphMaker:
    """Makes a graph from a seed: few entities, so that facts repeat and queries share answers."""

    def make(seed: int) -> Dataset:
        source = np.random.default_rng(seed)
        splits = {}
        for split, (first, last) in TIMES.items():
            count = 30 if split is Split.TRAIN else 14
            rows = {
                (
                    int(source.integers(ENTITIES)),
                    int(source.integers(RELATIONS)),
                    int(source.integers(ENTITIES - 1)),
                    int(source.integers(first, last)),
                )
                for _ in range(count)
            }
            facts = np.array(sorted(rows), dtype=np.int64)
            splits[split] = Quadruples.of(facts).by_time()
        vocabulary = Vocabulary(entities=ENTITIES, relations=RELATIONS, times=12)
        return Dataset(name="graph", vocabulary=vocabulary, splits=splits)

    return make


@pytest.fixture
def graph(graph_of: GraphMaker) -> Dataset:
    return graph_of(1)


@pytest.fixture
def queries(graph: Dataset) -> SplitQueries:
    return SplitQueries.of(graph, Split.TEST)


@pytest.fixture(scope="session")
def write_rows() -> RowWriter:
    def write(path: Path, rows: Iterable[Sequence[object]]) -> str:
        path.write_text("".join("\t".join(map(str, row)) + "\n" for row in rows))
        return str(path)

    return write


@pytest.fixture
def folder(tmp_path: Path, graph: Dataset, write_rows: RowWriter) -> Path:
    """The graph as a folder."""
    home = tmp_path / "graph"
    home.mkdir()
    for split, facts in graph.splits.items():
        write_rows(home / f"{split}.txt", facts.rows().tolist())
    for name, count in (("entity2id", ENTITIES), ("relation2id", RELATIONS)):
        ids = ", ".join(f'"{name[0]}{n}": {n}' for n in range(count))
        (home / f"{name}.json").write_text(f"{{{ids}}}")
    return home


@pytest.fixture
def rank_rows(queries: SplitQueries) -> list[list[object]]:
    """Rows of a rank file: rank 1, 2, 3, 1, 2, ... in the order of the queries."""
    return [[*row, n % 3 + 1] for n, row in enumerate(queries.asked.rows().tolist())]


@pytest.fixture
def ranks_file(tmp_path: Path, rank_rows: list[list[object]], write_rows: RowWriter) -> str:
    return write_rows(tmp_path / "model.txt", rank_rows)
