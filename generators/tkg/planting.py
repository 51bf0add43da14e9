"""Draws the patterns of a graph: templates, relations and lags.

Source: synthetic temporal knowledge graphs, Algorithm 1, lines 2-12; Table 5b, last row.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from generators.tkg.config import Config, ConfigError, Cycles, Floats, Mode, draw, draw_distinct
from generators.tkg.plan import ABSENT, STEPS, Instances, Plan, Space
from solver.graph.model import Ids, Quadruples
from solver.patterns.engine import enumerate_patterns, without_parts
from solver.patterns.model import MOST_HOPS, CycleReading, Lag, Pattern, PatternFlags, Triple
from solver.seeding import seed_of
from solver.tkg.planted import PlantedPattern, lag_ranges


def closed_patterns(patterns: Iterable[PlantedPattern], cycles: Cycles) -> list[PlantedPattern]:
    """Set ``closed`` of each pattern.

    A pattern adds edges from the relations of its antecedents to that of its consequence.

    Raises:
        ConfigError: a pattern closes a cycle, and cycles are rejected.
    """
    import networkx as nx

    if cycles is Cycles.FOLLOW:
        return [replace(one, closed=True) for one in patterns]
    leads: nx.DiGraph[int] = nx.DiGraph()
    found = []
    for one in patterns:
        steps = [one.relation(step) for step in one.template.steps]
        sources, target = set(steps[:-1]), steps[-1]
        leads.add_nodes_from(steps)
        reached = nx.descendants(leads, target) | {target}
        closes = sorted(sources & reached)
        if closes and cycles is Cycles.REFUSE:
            raise ConfigError(
                f"pattern {one.id} ({one}) leads from relation {closes[0]} back to it",
                hint="set closure.cycles to leave-out or follow",
            )
        if not closes:
            leads.add_edges_from((source, target) for source in sources)
        found.append(replace(one, closed=not closes))
    return found


_ROUNDS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class _DrawnTemplate:
    """A template with its relations, without lags."""

    template: Pattern
    relations: tuple[int, ...]

    @property
    def concrete(self) -> Pattern:
        """The steps with the graph's relations, numbered from 1."""
        steps = [
            Triple(head=one.head, relation=self.relations[one.relation - 1] + 1, tail=one.tail)
            for one in self.template.steps
        ]
        return Pattern(antecedents=tuple(steps[:-1]), consequence=steps[-1])


@cache
def templates(
    hops: int, flags: PatternFlags, reading: CycleReading, relations: int = MOST_HOPS + 1
) -> tuple[Pattern, ...]:
    """The valid canonical patterns with at most ``relations`` relations, cached per process."""
    if relations > MOST_HOPS:
        return tuple(enumerate_patterns(hops, flags, reading))
    return tuple(
        one for one in templates(hops, flags, reading) if _relation_count(one) <= relations
    )


def draw_plan(config: Config, weights: Floats, random: np.random.Generator) -> Plan:
    """Draw all patterns without duplicates; ``weights`` are those of relations.

    Raises:
        ConfigError: there are too few distinct patterns, or cycles are rejected.
    """
    found: list[_DrawnTemplate] = []
    relations = min(int(np.count_nonzero(weights)), MOST_HOPS + 1)
    for hops, count in config.hop_counts.items():
        library = templates(hops, config.pattern_flags, config.reading, relations)
        if not library:
            raise ConfigError(
                f"found no pattern of {hops} hops with flags {config.flags} and {relations} "
                "relations at most, expected one"
            )
        found = _topped_up(found, len(found) + count, library, config, weights, random)
    patterns = [
        PlantedPattern(
            id=number,
            template=one.template,
            relations=one.relations,
            lags=_lags(one.template.hops, config, random),
            closed=config.mode is Mode.FORWARD,
        )
        for number, one in enumerate(found)
    ]
    if config.mode is Mode.FORWARD:
        patterns = closed_patterns(patterns, config.closure.cycles)
    return Plan.of(patterns)


def _topped_up(
    found: list[_DrawnTemplate],
    wanted: int,
    library: Sequence[Pattern],
    config: Config,
    weights: Floats,
    random: np.random.Generator,
) -> list[_DrawnTemplate]:
    for _ in range(_ROUNDS):
        missing = wanted - len(found)
        if not missing:
            return found
        chosen = [library[place] for place in random.integers(len(library), size=missing)]
        relations = _relations(chosen, weights, random)
        drawn = [
            _DrawnTemplate(template=one, relations=tuple(row[: _relation_count(one)]))
            for one, row in zip(chosen, relations.tolist(), strict=True)
        ]
        found = list(dict.fromkeys([*found, *drawn]))
        if config.distinct:
            kept = set(without_parts([one.concrete for one in found]))
            found = [one for one in found if one.concrete in kept]
    raise ConfigError(
        f"found no more than {len(found)} different patterns, expected {wanted}",
        hint="request fewer patterns, more relations or fewer flags",
    )


def _relations(chosen: Sequence[Pattern], weights: Floats, random: np.random.Generator) -> Ids:
    """One row of distinct relations per template, as long as the longest one needs."""
    return draw_distinct(weights, len(chosen), max(map(_relation_count, chosen)), random)


def _relation_count(pattern: Pattern) -> int:
    return max(step.relation for step in pattern.steps)


def _lags(hops: int, config: Config, random: np.random.Generator) -> tuple[Lag, ...]:
    if isinstance(config.lags, Lag):
        return (config.lags,) * hops
    found = []
    for span in lag_ranges(config.lags, hops):
        low = int(random.integers(span.low.low, span.low.high + 1))
        width = int(random.integers(span.width.low, span.width.high + 1))
        found.append(Lag(low=low, high=low + width))
    return tuple(found)


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
