"""Figures of a graph beside those that the paper reports, in the columns of its Table 1."""

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
"""The figures of ``solver.tkg.statistics`` that the table has, and its headings."""

_SHARES = ("gini_entities", "gini_relations")


def written(name: str, value: float) -> str:
    """A figure as a table shows it: shares to three digits, means to two, counts whole."""
    if name in _SHARES:
        return f"{value:.3f}"
    return f"{value:,.2f}" if name in ("average_degree", "events_per_step") else f"{value:,.0f}"


def cells(figures: Mapping[str, float]) -> tuple[str, ...]:
    """A row of the table."""
    return tuple(written(name, figures[name]) for name in COLUMNS)


def figures(row: PublishedRow) -> dict[str, float]:
    """What the paper reports, by the names of the statistics."""
    found: dict[str, float] = {name: asdict(row)[name] for name in COLUMNS}
    return found
