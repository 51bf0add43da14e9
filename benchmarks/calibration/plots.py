"""Plots of a search: best score by trial, and the score over each parameter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.calibration.space import Number, Parameter, Space
from benchmarks.calibration.trial import Outcome
from solver.report.plot import plot

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLOUR = "#4878a8"
_BEST = "#c04030"
_PANELS = 4
_SPREAD = 0.25
_MARGIN = 1.05


def course(outcomes: Sequence[Outcome]) -> str:
    """Score of each trial and the best so far; failed trials are drawn at the top."""
    scores = np.array([one.score.total for one in outcomes])
    made = np.array([one.figures is not None for one in outcomes])
    number = np.arange(len(outcomes))
    best = np.minimum.accumulate(np.where(made, scores, np.inf))
    with plot(width=9, height=4) as drawn:
        axes = drawn.axes[0]
        axes.plot(number[made], scores[made], ".", color=_COLOUR, alpha=0.5, label="trial")
        axes.step(number, best, where="post", color=_BEST, label="best so far")
        if not made.all():
            top = np.full((~made).sum(), scores[made].max() * 1.3)
            axes.plot(number[~made], top, "x", color="0.5", markersize=4, label="no graph")
        axes.set(title="Search", xlabel="trial", ylabel="objective", yscale="log")
        axes.legend(fontsize=7)
    return drawn.svg


def parameters(outcomes: Sequence[Outcome], space: Space) -> tuple[str, ...]:
    """Score over each parameter, four panels per row, with the best trial highlighted.

    Only trials in which the parameter is active are shown.
    """
    made = [one for one in outcomes if one.figures is not None]
    names = list(space.parameters)
    drawings = []
    for begin in range(0, len(names), _PANELS):
        row = names[begin : begin + _PANELS]
        with plot(width=2.8 * len(row), height=2.8, panels=len(row)) as drawn:
            for axes, name in zip(drawn.axes, row, strict=True):
                shown = [one for one in made if space.active(name, one.values)]
                _panel(axes, name, space.parameters[name], shown)
            drawn.axes[0].set_ylabel("objective")
        drawings.append(drawn.svg)
    return tuple(drawings)


def _panel(axes: Axes, name: str, parameter: Parameter, made: Sequence[Outcome]) -> None:
    scores = np.array([one.score.total for one in made])
    if isinstance(parameter, Number):
        places = np.array([float(one.values[name]) for one in made])
        if parameter.log:
            _logarithmic(axes, parameter)
        else:
            beyond = (_MARGIN - 1) * (parameter.high - parameter.low)
            axes.set_xlim(parameter.low - beyond, parameter.high + beyond)
    else:
        labels = [str(option).lower() for option in parameter.options]
        chosen = np.array([parameter.options.index(one.values[name]) for one in made])
        # Spread horizontally in the order of the trials.
        places = chosen + np.linspace(-_SPREAD, _SPREAD, len(made))
        turned = 60 if len(labels) > 2 else 0
        axes.set_xticks(range(len(labels)), labels, rotation=turned, fontsize=7)
        axes.set_xlim(-0.5, len(labels) - 0.5)
    axes.plot(places, scores, ".", color=_COLOUR, alpha=0.4, markersize=3)
    best = scores.argsort()[:1]
    axes.plot(places[best], scores[best], "o", color=_BEST, markersize=5)
    axes.set(title=name, yscale="log")


def _logarithmic(axes: Axes, parameter: Number) -> None:
    """Label only the ends and the middle of the range; matplotlib's ticks would overlap."""
    from matplotlib.ticker import NullLocator

    ticks = np.geomspace(parameter.low, parameter.high, 3)
    axes.set_xscale("log")
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xticks(ticks, [f"{tick:.3g}" for tick in ticks])
    axes.set_xlim(ticks[0] / _MARGIN, ticks[-1] * _MARGIN)
