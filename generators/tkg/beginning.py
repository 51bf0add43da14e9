"""What a graph begins with: patterns, and the instances of them that are planted."""

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
class Beginning:
    """What there is before anything follows.

    Attributes:
        planted: the instances that are planted, in order of time and then of pattern.
    """

    space: Space
    plan: Plan
    planted: Instances


def begin(config: Config, seed: int) -> Beginning:
    """Draw the weights, the patterns and the instances to plant.

    Raises:
        ConfigError: they cannot be drawn as it is asked for.
    """
    space = Space(entities=config.entities, relations=config.relations, steps=config.steps)
    entities = config.entity_weights.drawn(
        config.entities, random_of(seed, "entities"), named="entities"
    )
    relations = config.relation_weights.drawn(
        config.relations, random_of(seed, "relations"), named="relations"
    )
    plan = draw_plan(config, relations, random_of(seed, "patterns"))
    planted = plant(plan, config, space, entities, random_of(seed, "instances"))
    return Beginning(space=space, plan=plan, planted=planted)


def random_of(seed: int, part: str) -> np.random.Generator:
    """The random numbers of a part of a run."""
    return np.random.Generator(np.random.PCG64(seed_of(seed, "tkg", part)))
