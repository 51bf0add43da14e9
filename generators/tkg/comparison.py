"""Formats graph statistics and the published ones in the columns of the paper's Table 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from types import MappingProxyType

from generators.tkg.published import PublishedRow

COLUMNS: Mapping[str, str] = MappingProxyType(
    {
        "facts": "|G|",
        "entities": "|E|",
        "relations": "|R|",
        "steps": "|T|",
        "average_degree": "avg. degree",
        "events_per_step": "events/step",
        "gini_entities": "Gini(E)",
        "gini_relations": "Gini(R)",
    }
)
"""Column headings of the table, by the names of ``solver.tkg.statistics``."""

_SHARES = ("gini_entities", "gini_relations")


def format_figure(name: str, value: float) -> str:
    """Format a figure: Gini coefficients with three decimals, means with two, counts with none."""
    if name in _SHARES:
        return f"{value:.3f}"
    return f"{value:,.2f}" if name in ("average_degree", "events_per_step") else f"{value:,.0f}"


def cells(figures: Mapping[str, float]) -> tuple[str, ...]:
    """A row of the table."""
    return tuple(format_figure(name, figures[name]) for name in COLUMNS)


def figures(row: PublishedRow) -> dict[str, float]:
    """The published statistics, by name."""
    found: dict[str, float] = {name: asdict(row)[name] for name in COLUMNS}
    return found
