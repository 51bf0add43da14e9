"""Generates a graph in memory: what is planted, and what follows from it."""

from __future__ import annotations

from generators.tkg.beginning import begin, random_of
from generators.tkg.closure import close
from generators.tkg.config import Config
from generators.tkg.instances import Instances, LabelledGraph, labelled
from generators.tkg.literal import look_back
from generators.tkg.modes import Mode


def generate(config: Config, seed: int) -> LabelledGraph:
    """Generate a graph; the same config and seed give the same one.

    Raises:
        ConfigError: it cannot be made as it is asked for.
        RunawayError: it grew beyond its guards.
    """
    begun = begin(config, seed)
    match config.mode:
        case Mode.FORCED:
            followed = Instances.none()
        case Mode.FORWARD:
            followed = close(begun, config, random_of(seed, "closure"))
        case Mode.LITERAL:
            followed = look_back(begun, config, random_of(seed, "literal"))
    instances = Instances.joined(begun.planted, followed)
    return labelled(instances, begun.plan, begun.space, len(begun.planted))
