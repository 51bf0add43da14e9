"""Generated graphs with their splits."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from generators.tkg.config import Config
from generators.tkg.files import dataset
from generators.tkg.plan import LabelledGraph
from generators.tkg.run import generate
from solver.graph.model import Dataset


@pytest.fixture(scope="session")
def make() -> Callable[[int, Config], tuple[LabelledGraph, Dataset]]:
    """Makes a labelled graph, and its splits, from a seed and a config."""

    def made(seed: int, config: Config) -> tuple[LabelledGraph, Dataset]:
        graph = generate(config, seed)
        return graph, dataset(graph, config, f"graph-{seed}")

    return made
