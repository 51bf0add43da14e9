"""Plants random instances of patterns.

Source: synthetic temporal knowledge graphs, Algorithm 2 and Algorithm 4, lines 9-21.
"""

from __future__ import annotations

import numpy as np

from generators.tkg.config import Config
from generators.tkg.instances import ABSENT, Instances
from generators.tkg.plan import STEPS, Plan
from generators.tkg.space import Space
from generators.tkg.weights import ConfigError, Floats, draw, draw_distinct
from solver.tkg.quadruples import Ids, Quadruples


def plant(
    plan: Plan, config: Config, space: Space, weights: Floats, random: np.random.Generator
) -> Instances:
    """Draw the instances of all patterns at all time steps, sorted by their first time.

    Args:
        plan: the patterns.
        config: numbers of trials and their probability.
        space: sizes of the graph.
        weights: weights of the entities.
        random: random generator.

    Raises:
        ConfigError: there are more instances than the guard allows.
    """
    times, pattern = _drawn(plan, config, random)
    bound = _bound(plan, config, weights, len(pattern), random)
    gaps = plan.low[pattern] + np.floor(
        random.random((len(pattern), STEPS - 1)) * (plan.high - plan.low + 1)[pattern]
    ).astype(np.int64)
    when = times[:, None] + np.concatenate(
        (np.zeros((len(pattern), 1), np.int64), np.cumsum(gaps, axis=1)), axis=1
    )
    codes = space.codes(
        Quadruples(
            head=np.take_along_axis(bound, plan.head[pattern], axis=1).ravel(),
            relation=plan.relation[pattern].ravel(),
            tail=np.take_along_axis(bound, plan.tail[pattern], axis=1).ravel(),
            time=when.ravel(),
        )
    ).reshape(when.shape)
    there = (np.arange(STEPS) <= plan.hops[pattern, None]) & (when < config.steps)
    return Instances(pattern=pattern, codes=np.where(there, codes, ABSENT))


def _drawn(plan: Plan, config: Config, random: np.random.Generator) -> tuple[Ids, Ids]:
    """First time and pattern of each instance, sorted by time and pattern."""
    counts = random.binomial(config.trials, config.probability, (config.steps, len(plan))).ravel()
    planted = int(counts.sum())
    if planted > config.guards.edges:
        raise ConfigError(
            f"found {planted:,} instances to plant, expected at most {config.guards.edges:,} facts",
            hint="plant fewer, or raise guards.edges",
        )
    cell = np.repeat(np.arange(len(counts), dtype=np.int64), counts)
    times, pattern = np.divmod(cell, len(plan))
    return times, pattern


def _bound(
    plan: Plan, config: Config, weights: Floats, size: int, random: np.random.Generator
) -> Ids:
    """Entity of each placeholder of each instance, shape (size, placeholders)."""
    if config.injective:
        return draw_distinct(weights, size, plan.placeholders, random)
    return draw(weights, size * plan.placeholders, random).reshape(size, plan.placeholders)
