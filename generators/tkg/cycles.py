"""Relations that lead back to themselves, along which closure would not end before time does."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from generators.tkg.modes import Cycles
from generators.tkg.weights import ConfigError
from solver.tkg.planted import PlantedPattern


def closed_patterns(patterns: Iterable[PlantedPattern], cycles: Cycles) -> list[PlantedPattern]:
    """Say of each pattern whether closure follows it.

    A pattern leads from the relations of its antecedents to that of its consequence.

    Raises:
        ConfigError: a pattern closes a cycle, and cycles are refused.
    """
    import networkx

    if cycles is Cycles.FOLLOW:
        return [replace(one, closed=True) for one in patterns]
    leads: networkx.DiGraph[int] = networkx.DiGraph()
    found = []
    for one in patterns:
        steps = [one.relation(step) for step in one.template.steps]
        sources, target = set(steps[:-1]), steps[-1]
        leads.add_nodes_from(steps)
        reached = networkx.descendants(leads, target) | {target}
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
