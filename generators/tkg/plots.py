"""Plots of a graph: degrees, facts per time step, frequencies of entities and relations."""

from __future__ import annotations

import numpy as np

from solver.report.plot import plot
from solver.tkg.quadruples import Ids, Quadruples

_COLOUR = "#4878a8"


def degrees(facts: Quadruples) -> str:
    """Degree distribution on logarithmic axes."""
    degree, entities = np.unique(_occurrences(_ends(facts)), return_counts=True)
    with plot() as drawn:
        axes = drawn.axes[0]
        axes.loglog(degree, entities, ".", color=_COLOUR)
        axes.set(title="Degree", xlabel="facts of an entity", ylabel="entities")
    return drawn.svg


def events(facts: Quadruples, steps: int) -> str:
    """Number of facts at each time step."""
    with plot() as drawn:
        axes = drawn.axes[0]
        axes.step(range(steps), np.bincount(facts.time, minlength=steps), color=_COLOUR)
        axes.set(title="Events per step", xlabel="time step", ylabel="facts", ylim=(0, None))
    return drawn.svg


def distributions(facts: Quadruples) -> str:
    """Frequencies of entities and relations by rank."""
    with plot(width=10, panels=2) as drawn:
        for axes, ids, name in (
            (drawn.axes[0], _ends(facts), "entities"),
            (drawn.axes[1], facts.relation, "relations"),
        ):
            counts = np.sort(_occurrences(ids))[::-1]
            axes.plot(np.arange(1, len(counts) + 1), counts, color=_COLOUR)
            axes.set(title=f"Frequency of {name}", xlabel="rank", ylabel="facts", yscale="log")
    return drawn.svg


def _ends(facts: Quadruples) -> Ids:
    return np.concatenate((facts.head, facts.tail))


def _occurrences(ids: Ids) -> Ids:
    return np.unique(ids, return_counts=True)[1].astype(np.int64)
