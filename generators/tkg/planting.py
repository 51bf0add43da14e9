"""Draws the patterns of a graph: templates, relations and lags.

Source: synthetic temporal knowledge graphs, Algorithm 1, lines 2-12; Table 5b, last row.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from generators.tkg.config import Config, ConfigError, Cycles, Floats, Mode, draw, draw_distinct
from generators.tkg.plan import ABSENT, STEPS, Instances, Plan, Space
from generators.tkg.rates import (
    apportion,
    column_pairs,
    deal,
    drawn_times,
    pattern_rates,
    separate,
    start_rates,
    trials_of,
)
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
        return [replace(pattern, closed=True) for pattern in patterns]
    leads: nx.DiGraph[int] = nx.DiGraph()
    found = []
    for pattern in patterns:
        steps = [pattern.relation(step) for step in pattern.template.steps]
        sources, target = set(steps[:-1]), steps[-1]
        leads.add_nodes_from(steps)
        reached = nx.descendants(leads, target) | {target}
        closes = sorted(sources & reached)
        if closes and cycles is Cycles.REFUSE:
            raise ConfigError(
                f"pattern {pattern.id} ({pattern}) leads from relation {closes[0]} back to it",
                hint="set closure.cycles to leave-out or follow",
            )
        if not closes:
            leads.add_edges_from((source, target) for source in sources)
        found.append(replace(pattern, closed=not closes))
    return found


_ROUNDS = 100
_TEMPER = 0.25
"""Power of the relation weights by which the relations of a balanced graph's patterns are drawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _DrawnTemplate:
    """A template with its relations, without lags."""

    template: Pattern
    relations: tuple[int, ...]

    @property
    def concrete(self) -> Pattern:
        """The steps with the graph's relations, numbered from 1."""
        steps = [
            Triple(head=step.head, relation=self.relations[step.relation - 1] + 1, tail=step.tail)
            for step in self.template.steps
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
        template
        for template in templates(hops, flags, reading)
        if _relation_count(template) <= relations
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
            template=drawn_template.template,
            relations=drawn_template.relations,
            lags=_lags(drawn_template.template.hops, config, random),
            closed=config.mode is Mode.FORWARD,
        )
        for number, drawn_template in enumerate(found)
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
            _DrawnTemplate(template=template, relations=tuple(row[: _relation_count(template)]))
            for template, row in zip(chosen, relations.tolist(), strict=True)
        ]
        found = list(dict.fromkeys([*found, *drawn]))
        if config.distinct:
            kept = set(without_parts([template.concrete for template in found]))
            found = [template for template in found if template.concrete in kept]
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
    plan: Plan,
    config: Config,
    space: Space,
    entities: Floats,
    relations: Floats,
    random: np.random.Generator,
) -> Instances:
    """Draw the instances of all patterns at all time steps, sorted by their first time.

    Args:
        plan: the patterns.
        config: numbers of trials and their probability.
        space: sizes of the graph.
        entities: weights of the entities.
        relations: weights of the relations.
        random: random generator.

    Raises:
        ConfigError: there are more instances than the guard allows.
    """
    wanted = config.profile.drawn(config.steps, random)
    times, pattern = _drawn(plan, config, relations, wanted, random)
    if config.quotas:
        # The drawn entities only decide which instances recur.
        shape = len(pattern), plan.placeholders
        bound = draw(entities, len(pattern) * plan.placeholders, random).reshape(shape)
    else:
        bound = _bound(plan, config, entities, pattern, random)
    source = _sources(pattern, bound, plan, config, entities, random)
    if config.quotas:
        bound = _dealt(pattern, source, plan, config, entities, random)
    bound = bound[source]
    when = _times(plan, config, times, pattern, wanted, random)
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


def _drawn(
    plan: Plan,
    config: Config,
    relations: Floats,
    wanted: Floats,
    random: np.random.Generator,
) -> tuple[Ids, Ids]:
    """First time and pattern of each instance, sorted by time and pattern."""
    shape = config.steps, len(plan)
    if config.balanced or not config.profile.flat:
        rates = pattern_rates(plan, config, relations)
        drawn = trials_of(np.outer(start_rates(plan, rates, wanted, random), rates), config)
        counts = random.binomial(*drawn).ravel()
    else:
        counts = random.binomial(config.trials, config.probability, shape).ravel()
    planted = int(counts.sum())
    if planted > config.guards.edges:
        raise ConfigError(
            f"found {planted:,} instances to plant, expected at most {config.guards.edges:,} facts",
            hint="plant fewer, or raise guards.edges",
        )
    cell = np.repeat(np.arange(len(counts), dtype=np.int64), counts)
    times, pattern = np.divmod(cell, len(plan))
    return times, pattern


def _times(
    plan: Plan,
    config: Config,
    times: Ids,
    pattern: Ids,
    wanted: Floats,
    random: np.random.Generator,
) -> Ids:
    """Time of each step of each instance, shape (instances, STEPS)."""
    if not config.profile.flat:
        return drawn_times(plan, times, pattern, wanted, random)
    gaps = plan.low[pattern] + np.floor(
        random.random((len(pattern), STEPS - 1)) * (plan.high - plan.low + 1)[pattern]
    ).astype(np.int64)
    return times[:, None] + np.concatenate(
        (np.zeros((len(pattern), 1), np.int64), np.cumsum(gaps, axis=1)), axis=1
    )


def _bound(
    plan: Plan, config: Config, weights: Floats, pattern: Ids, random: np.random.Generator
) -> Ids:
    """Entity of each placeholder of each instance, shape (instances, placeholders)."""
    shape = len(pattern), plan.placeholders
    arranged = random.random(len(pattern)) < config.arranged if config.arranged else None
    if config.injective:
        return _arranged(plan, pattern, draw_distinct(weights, *shape, random), weights, arranged)
    drawn = draw(weights, len(pattern) * plan.placeholders, random).reshape(shape)
    bound = _arranged(plan, pattern, drawn, weights, arranged)
    if config.loops == 1:
        return bound
    cleared = random.random(len(pattern)) >= config.loops
    for _ in range(_ROUNDS):
        again = np.flatnonzero(cleared & _looped(plan, pattern, bound))
        if not len(again):
            return bound
        drawn = draw(weights, len(again) * plan.placeholders, random).reshape(-1, shape[1])
        kept = None if arranged is None else arranged[again]
        bound[again] = _arranged(plan, pattern[again], drawn, weights, kept)
    raise ConfigError("found weights so unequal that self-loops could not be avoided")


def _looped(plan: Plan, pattern: Ids, bound: Ids) -> NDArray[np.bool_]:
    """Whether a fact has one entity at both ends that belong to different placeholders."""
    head, tail = plan.head[pattern], plan.tail[pattern]
    ends = np.take_along_axis(bound, head, axis=1) == np.take_along_axis(bound, tail, axis=1)
    there = np.arange(STEPS) <= plan.hops[pattern, None]
    found: NDArray[np.bool_] = (ends & (head != tail) & there).any(axis=1)
    return found


def _sources(
    pattern: Ids,
    bound: Ids,
    plan: Plan,
    config: Config,
    weights: Floats,
    random: np.random.Generator,
) -> Ids:
    """Row of the instance that each instance has the entities of: an earlier one, or itself.

    An earlier instance, of the pattern or of any, is chosen in proportion to the smallest weight of
    its entities.
    """
    if not config.repetition:
        return np.arange(len(pattern))
    order = np.argsort(pattern, kind="stable")
    kinds, rows = pattern[order], bound[order]
    used = _occurrences(plan)[kinds] > 0
    active = np.where(used, weights[rows], np.inf).min(axis=1)
    summed = np.concatenate((np.zeros(1), np.cumsum(active)))
    place = np.arange(len(kinds))
    first = np.searchsorted(kinds, kinds, side="left")
    drawn = summed[first] + random.random(len(kinds)) * (summed[place] - summed[first])
    source = np.searchsorted(summed, drawn, side="right") - 1
    again = random.random(len(kinds)) < config.repetition
    copied = again & (place > first)
    source = np.where(copied, np.clip(source, first, np.maximum(place - 1, first)), place)
    found, repeated, smallest = np.empty_like(source), np.empty_like(copied), np.empty_like(active)
    found[order], repeated[order], smallest[order] = order[source], again, active
    if config.mixed:
        # Rows are in the order of time, so sources are earlier ones here too.
        summed = np.concatenate((np.zeros(1), np.cumsum(smallest)))
        other = np.searchsorted(summed, random.random(len(place)) * summed[:-1], side="right") - 1
        mixed = repeated & (random.random(len(place)) < config.mixed) & (place > 0)
        found = np.where(mixed, np.clip(other, 0, np.maximum(place - 1, 0)), found)
    # Each round doubles the length of the chains that are followed.
    while (found[found] != found).any():
        found = found[found]
    return found


def _dealt(
    pattern: Ids,
    source: Ids,
    plan: Plan,
    config: Config,
    weights: Floats,
    random: np.random.Generator,
) -> Ids:
    """Entity of each placeholder of each instance that is its own source, by quotas.

    A placeholder of an instance takes as many ends of facts from the quota of its entity as it has
    in the instance and in all that have the same entities.
    """
    sizes = np.zeros((len(pattern), plan.placeholders), np.int64)
    np.add.at(sizes, source, _occurrences(plan)[pattern])
    slots = np.nonzero(sizes)
    found = np.zeros_like(sizes)
    found[slots] = deal(sizes[slots], apportion(weights, int(sizes.sum())), random)
    first, second = column_pairs(plan.placeholders).T
    apart = (sizes[:, first] > 0) & (sizes[:, second] > 0)
    if not config.injective:
        cleared = random.random(len(pattern)) >= config.loops
        joined = np.zeros_like(apart)
        np.logical_or.at(joined, source, _joined(plan)[pattern][:, first, second])
        apart &= cleared[:, None] & joined
    return separate(sizes, found, apart, random)


def _joined(plan: Plan) -> NDArray[np.bool_]:
    """Whether two placeholders are the ends of a fact, shape (patterns, placeholders twice)."""
    found = np.zeros((len(plan), plan.placeholders, plan.placeholders), dtype=np.bool_)
    pattern, step = np.nonzero(np.arange(STEPS) <= plan.hops[:, None])
    head, tail = plan.head[pattern, step], plan.tail[pattern, step]
    found[pattern, head, tail] = found[pattern, tail, head] = True
    return found


def _arranged(
    plan: Plan, pattern: Ids, bound: Ids, weights: Floats, chosen: NDArray[np.bool_] | None
) -> Ids:
    """Arrange the entities of chosen instances so that rarer ones are in fewer facts."""
    if chosen is None:
        return bound
    occurrences = _occurrences(plan)[pattern]
    # Unused placeholders come last and keep what they have.
    places = np.argsort(-occurrences, axis=1, kind="stable")
    used = np.take_along_axis(occurrences, places, axis=1) > 0
    entities = np.take_along_axis(bound, places, axis=1)
    order = np.argsort(np.where(used, -weights[entities], np.inf), axis=1, kind="stable")
    found = bound.copy()
    np.put_along_axis(found, places, np.take_along_axis(entities, order, axis=1), axis=1)
    return np.where(chosen[:, None], found, bound)


def _occurrences(plan: Plan) -> Ids:
    """Number of ends of facts of each placeholder, shape (patterns, placeholders)."""
    found = np.zeros((len(plan), plan.placeholders), dtype=np.int64)
    there = np.arange(STEPS) <= plan.hops[:, None]
    pattern, step = np.nonzero(there)
    for ends in (plan.head, plan.tail):
        np.add.at(found, (pattern, ends[pattern, step]), 1)
    return found


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
    relations, plan = plant_patterns(config, seed)
    planted = plant(plan, config, space, entities, relations, random_generator(seed, "instances"))
    return PlantedGraph(space=space, plan=plan, planted=planted)


def plant_patterns(config: Config, seed: int) -> tuple[Floats, Plan]:
    """Draw the weights of relations, and the patterns.

    Raises:
        ConfigError: the config cannot be satisfied.
    """
    relations = config.relation_weights.drawn(
        config.relations, random_generator(seed, "relations"), named="relations"
    )
    # Of a balanced graph the rates make relations frequent, so that rare ones are in patterns too.
    drawn = relations**_TEMPER if config.balanced else relations
    return relations, draw_plan(config, drawn, random_generator(seed, "patterns"))


def random_generator(seed: int, part: str) -> np.random.Generator:
    """Random generator for one part of a run."""
    return np.random.Generator(np.random.PCG64(seed_of(seed, "tkg", part)))
