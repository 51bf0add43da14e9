"""Generated graphs, small enough to be looked through one fact at a time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from generators.tkg.config import Config
from generators.tkg.files import dataset, write_graph
from generators.tkg.plan import LabelledGraph
from generators.tkg.run import generate
from solver.graph.model import Dataset

Maker = Callable[..., tuple[LabelledGraph, Dataset]]

SMALL = Config(entities=12, relations=5, steps=30, patterns=(2, 3, 2), probability=0.3)


@pytest.fixture(scope="session")
def make() -> Maker:
    """Makes a labelled graph, and its splits, from a seed and perhaps a config."""

    def made(seed: int, config: Config = SMALL) -> tuple[LabelledGraph, Dataset]:
        graph = generate(config, seed)
        return graph, dataset(graph, config, f"graph-{seed}")

    return made


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory, make: Maker) -> Path:
    """A written graph."""
    place = tmp_path_factory.mktemp("retrieval") / "graph"
    write_graph(place, make(0)[0], SMALL, 0)
    return place
