"""Draws the patterns of a graph and plants instances of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from generators.tkg.config import Config
from generators.tkg.forced import plant
from generators.tkg.instances import Instances
from generators.tkg.plan import Plan
from generators.tkg.planting import draw_plan
from generators.tkg.space import Space
from solver.seeding import seed_of


@dataclass(frozen=True, slots=True, kw_only=True)
class PlantedGraph:
    """Patterns and planted instances, before any consequences are derived.

    Attributes:
        planted: planted instances, sorted by time and pattern.
    """

    space: Space
    plan: Plan
    planted: Instances


def plant_graph(config: Config, seed: int) -> PlantedGraph:
    """Draw the weights, the patterns and the instances to plant.

    Raises:
        ConfigError: the config cannot be satisfied.
    """
    space = Space(entities=config.entities, relations=config.relations, steps=config.steps)
    entities = config.entity_weights.drawn(
        config.entities, random_generator(seed, "entities"), named="entities"
    )
    relations = config.relation_weights.drawn(
        config.relations, random_generator(seed, "relations"), named="relations"
    )
    plan = draw_plan(config, relations, random_generator(seed, "patterns"))
    planted = plant(plan, config, space, entities, random_generator(seed, "instances"))
    return PlantedGraph(space=space, plan=plan, planted=planted)


def random_generator(seed: int, part: str) -> np.random.Generator:
    """Random generator for one part of a run."""
    return np.random.Generator(np.random.PCG64(seed_of(seed, "tkg", part)))
