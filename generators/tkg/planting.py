"""Draws the patterns of a graph: templates, relations and lags.

Source: synthetic temporal knowledge graphs, Algorithm 1, lines 2-12; Table 5b, last row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from generators.tkg.config import Config
from generators.tkg.cycles import closed_patterns
from generators.tkg.modes import Mode
from generators.tkg.plan import Plan
from generators.tkg.weights import ConfigError, Floats, draw_distinct
from solver.tkg.lags import lag_ranges
from solver.tkg.pattern import MOST_HOPS, CycleReading, Lag, Pattern, PatternFlags, Triple
from solver.tkg.patterns import enumerate_patterns, without_parts
from solver.tkg.planted import PlantedPattern
from solver.tkg.quadruples import Ids

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
