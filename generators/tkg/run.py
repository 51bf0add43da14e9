"""Generates a graph in memory: planted instances and their consequences."""

from __future__ import annotations

from generators.tkg.beginning import plant_graph, random_generator
from generators.tkg.closure import close
from generators.tkg.config import Config
from generators.tkg.instances import Instances, LabelledGraph, label_graph
from generators.tkg.literal import look_back
from generators.tkg.modes import Mode


def generate(config: Config, seed: int) -> LabelledGraph:
    """Generate a graph, deterministically for a config and seed.

    Raises:
        ConfigError: the config cannot be satisfied.
        RunawayError: a guard is exceeded.
    """
    start = plant_graph(config, seed)
    match config.mode:
        case Mode.FORCED:
            followed = Instances.none()
        case Mode.FORWARD:
            followed = close(start, config, random_generator(seed, "closure"))
        case Mode.LITERAL:
            followed = look_back(start, config, random_generator(seed, "literal"))
    instances = Instances.joined(start.planted, followed)
    return label_graph(instances, start.plan, start.space, len(start.planted))
