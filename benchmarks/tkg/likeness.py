"""Report of how like two graphs are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from solver.graph.statistics import DISTANCES, FIGURES, GraphProfile, distances
from solver.report.charts import plot
from solver.report.model import Report, Section, Table

_SHARES = ("largest_relation", "self_loops", "repetition", "novelty")
_GINI = ("gini_entities", "gini_relations")
_COLOURS = ("#4878a8", "#c04030")


@dataclass(frozen=True, slots=True, kw_only=True)
class Likeness:
    """Two graphs and the distances of their distributions.

    Attributes:
        names: names of the graphs.
        profiles: their profiles; relative differences are relative to the second.
    """

    names: tuple[str, str]
    profiles: tuple[GraphProfile, GraphProfile]

    @property
    def distances(self) -> dict[str, float]:
        """Distances by name."""
        return distances(*self.profiles)

    def differences(self) -> dict[str, float]:
        """Differences of the figures: of shares and Gini coefficients absolute, else relative."""
        first, second = (profile.figures for profile in self.profiles)
        return {
            name: abs(first[name] - second[name])
            / (1 if name in (*_SHARES, *_GINI) else max(abs(second[name]), 1e-9))
            for name in FIGURES
        }

    def as_json(self) -> dict[str, object]:
        """All figures."""
        first, second = self.profiles
        return {
            "graphs": list(self.names),
            "figures": {name: [first.figures[name], second.figures[name]] for name in FIGURES},
            "differences": self.differences(),
            "distances": self.distances,
            "period": [profile.period.tolist() for profile in self.profiles],
        }

    def table(self) -> Table:
        """Each figure of both graphs, and the difference."""
        first, second = (profile.figures for profile in self.profiles)
        differences = self.differences()
        cells = [
            (title, _written(name, first[name]), _written(name, second[name]),
             _difference(name, differences[name]))
            for name, title in FIGURES.items()
        ]  # fmt: skip
        apart = self.distances
        cells += [(title, "", "", f"{apart[name]:.3f}") for name, title in DISTANCES.items()]
        return Table(columns=("", *self.names, "difference"), rows=tuple(cells))

    def report(self) -> Report:
        """The page."""
        first, second = self.names
        return Report(
            title="Likeness of two graphs",
            lead=f"{first} compared with {second}.",
            facts={},
            sections=(
                Section(title="Figures", tables=(self.table(),)),
                Section(title="Distributions", plots={"distributions": self._distributions()}),
                Section(title="Time", plots={"time": self._time()}),
            ),
        )

    def _distributions(self) -> str:
        with plot(width=10, panels=2) as drawn:
            for axes, title, of in (
                (drawn.axes[0], "Degrees", "degrees"),
                (drawn.axes[1], "Facts of relations", "relations"),
            ):
                for name, profile, colour in zip(self.names, self.profiles, _COLOURS, strict=True):
                    counts: Sequence[int] = getattr(profile, of)[::-1]
                    ranks = np.arange(1, len(counts) + 1)
                    axes.loglog(ranks, counts, color=colour, label=name)
                axes.set(title=title, xlabel="rank", ylabel="facts")
                axes.legend(fontsize=7)
        return drawn.svg

    def _time(self) -> str:
        with plot(width=10, panels=2) as drawn:
            steps, period = drawn.axes
            for name, profile, colour in zip(self.names, self.profiles, _COLOURS, strict=True):
                steps.step(range(len(profile.events)), profile.events, color=colour, label=name)
                places = range(1, len(profile.period) + 1)
                period.plot(places, profile.period, "o-", color=colour, label=name)
            steps.set(title="Facts per step", xlabel="time step", ylabel="facts", ylim=(0, None))
            period.set(title="Period", xlabel="step", ylabel="share of the facts", ylim=(0, None))
            period.legend(fontsize=7)
        return drawn.svg


def _written(name: str, value: float) -> str:
    if name in _SHARES:
        return f"{value:.2%}"
    if name in _GINI:
        return f"{value:.3f}"
    return f"{value:,.0f}" if value == round(value) else f"{value:,.1f}"


def _difference(name: str, value: float) -> str:
    return f"{value:.3f}" if name in (*_SHARES, *_GINI) else f"{value:.1%}"
