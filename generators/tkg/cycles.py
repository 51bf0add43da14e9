"""Detects cycles of relations, along which closure would continue until the last time step."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from generators.tkg.modes import Cycles
from generators.tkg.weights import ConfigError
from solver.tkg.planted import PlantedPattern


def closed_patterns(patterns: Iterable[PlantedPattern], cycles: Cycles) -> list[PlantedPattern]:
    """Set ``closed`` of each pattern.

    A pattern adds edges from the relations of its antecedents to that of its consequence.

    Raises:
        ConfigError: a pattern closes a cycle, and cycles are rejected.
    """
    if cycles is Cycles.FOLLOW:
        return [replace(one, closed=True) for one in patterns]
    leads: dict[int, set[int]] = defaultdict(set)
    found = []
    for one in patterns:
        steps = [one.relation(step) for step in one.template.steps]
        sources, target = set(steps[:-1]), steps[-1]
        reached = _reached(leads, target)
        closes = sorted(sources & reached)
        if closes and cycles is Cycles.REFUSE:
            raise ConfigError(
                f"pattern {one.id} ({one}) leads from relation {closes[0]} back to it",
                hint="set closure.cycles to leave-out or follow",
            )
        if not closes:
            for source in sources:
                leads[source].add(target)
        found.append(replace(one, closed=not closes))
    return found


def _reached(leads: Mapping[int, set[int]], start: int) -> set[int]:
    """The relations that a relation leads to, itself included."""
    reached, waiting = {start}, [start]
    while waiting:
        new = leads.get(waiting.pop(), set()) - reached
        reached |= new
        waiting += new
    return reached
