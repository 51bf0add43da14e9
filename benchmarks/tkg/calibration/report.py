"""Writes the results of a search: best config, trials, figures, report, manifest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.tkg.calibration.objective import Figures
from benchmarks.tkg.calibration.search import best_trial
from benchmarks.tkg.calibration.space import Number, Parameter, Space
from benchmarks.tkg.calibration.trial import Outcome, Problem
from generators.tkg.config import Config
from solver.io.writing import atomic, line, write_json
from solver.patterns.engine import PATTERN_ENCODINGS
from solver.report.charts import plot
from solver.report.model import Report, Section, Table
from solver.report.page import write_report

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_COLOUR = "#4878a8"
_BEST = "#c04030"
_PANELS = 4
_SPREAD = 0.25
_MARGIN = 1.05


def course(outcomes: Sequence[Outcome]) -> str:
    """Score of each trial and the best so far; failed trials are drawn at the top."""
    scores = np.array([outcome.score.total for outcome in outcomes])
    made = np.array([outcome.figures is not None for outcome in outcomes])
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


def parameters(outcomes: Sequence[Outcome], space: Space) -> dict[str, str]:
    """Score over each parameter, four panels per row, with the best trial highlighted.

    Only trials in which the parameter is active are shown.
    """
    made = [outcome for outcome in outcomes if outcome.figures is not None]
    names = list(space.parameters)
    drawings = {}
    for begin in range(0, len(names), _PANELS):
        row = names[begin : begin + _PANELS]
        with plot(width=2.8 * len(row), height=2.8, panels=len(row)) as drawn:
            for axes, name in zip(drawn.axes, row, strict=True):
                shown = [outcome for outcome in made if space.active(name, outcome.values)]
                _panel(axes, name, space.parameters[name], shown)
            drawn.axes[0].set_ylabel("objective")
        drawings[", ".join(row)] = drawn.svg
    return drawings


def _panel(axes: Axes, name: str, parameter: Parameter, made: Sequence[Outcome]) -> None:
    scores = np.array([outcome.score.total for outcome in made])
    if isinstance(parameter, Number):
        places = np.array([float(outcome.values[name]) for outcome in made])
        if parameter.log:
            _logarithmic(axes, parameter)
        else:
            beyond = (_MARGIN - 1) * (parameter.high - parameter.low)
            axes.set_xlim(parameter.low - beyond, parameter.high + beyond)
    else:
        labels = [str(option).lower() for option in parameter.options]
        chosen = np.array([parameter.options.index(outcome.values[name]) for outcome in made])
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


BEST = "best.json"
SUMMARY = "summary.json"
TRIALS = "trials.jsonl"

_FAILURES = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """Result of a search.

    Attributes:
        name: name of the reference.
        elsewhere: scores of the best config at other seeds.
    """

    name: str
    problem: Problem
    outcomes: Sequence[Outcome]
    elsewhere: Mapping[int, float]

    @property
    def best(self) -> int:
        """Number of the best trial."""
        return best_trial(self.outcomes)

    @property
    def config(self) -> Config:
        """The best config."""
        return self.problem.space.config(self.outcomes[self.best].values)

    @property
    def figures(self) -> Figures:
        """Figures of the best graph."""
        found = self.outcomes[self.best].figures
        return found if found is not None else self.problem.reference

    def failures(self) -> list[tuple[int, str]]:
        """Numbers of the failed trials, with reasons."""
        return [
            (n, outcome.failure)
            for n, outcome in enumerate(self.outcomes)
            if outcome.figures is None
        ]

    def as_json(self) -> dict[str, object]:
        """All figures."""
        best = self.outcomes[self.best]
        errors = self.problem.objective.errors(self.figures, self.problem.reference)
        return {
            "reference": {"name": self.name, **self.problem.reference.as_json()},
            "objective": self.problem.objective.as_json(),
            "seed": self.problem.seed,
            "trials": len(self.outcomes),
            "without_graph": len(self.failures()),
            "best": {"trial": self.best, "errors": errors, **best.as_json()},
            "other_seeds": {str(seed): score for seed, score in self.elsewhere.items()},
        }


def evaluate_best(name: str, problem: Problem, outcomes: list[Outcome], seeds: int) -> Calibration:
    """Evaluate the best config at other seeds, since it may be overfitted to its seed.

    Raises:
        CalibrationError: all trials failed.
    """
    values = outcomes[best_trial(outcomes)].values
    elsewhere = {
        seed: replace(problem, seed=seed).trial(values).score.total
        for seed in range(problem.seed + 1, problem.seed + 1 + seeds)
    }
    return Calibration(name=name, problem=problem, outcomes=outcomes, elsewhere=elsewhere)


def write_calibration(folder: Path, found: Calibration, inputs: Sequence[str]) -> Path:
    """Write all files but the journal, the manifest last, and return the path of the report.

    Raises:
        OutputError: a file cannot be written.
    """
    write_json(folder / BEST, found.config.as_json())
    with atomic(folder / TRIALS) as file:
        for number, outcome in enumerate(found.outcomes):
            file.write(line({"trial": number} | outcome.as_json()))
    problem = found.problem
    return write_report(
        folder,
        report(found),
        figures=found.as_json(),
        summary=SUMMARY,
        config={
            "trials": len(found.outcomes),
            "objective": problem.objective.as_json(),
            "fixed": problem.space.fixed,
            "base": problem.space.base.as_json(),
        },
        seed=problem.seed,
        encodings=PATTERN_ENCODINGS,
        inputs=inputs,
        outputs=[folder / BEST, folder / TRIALS],
    )


def figures_table(found: Calibration) -> Table:
    """Each figure of the reference and of the best graph, and its error."""
    reference, best = found.problem.reference, found.figures
    errors = found.problem.objective.errors(best, reference)
    cells = [
        (name, _written(wanted), _written(best.metrics[name]), f"{errors[name]:.3f}")
        for name, wanted in reference.metrics.items()
    ]
    for name, distance in best.distances.items():
        cells.append((name, "", "", f"{distance:.3f}"))
    for name, wanted in reference.baselines.items():
        hit = best.baselines[name]
        cells.append((name, f"{wanted:.3f}", f"{hit:.3f}", f"{abs(hit - wanted):.3f}"))
    return Table(columns=("", "reference", "best", "error"), rows=tuple(cells))


def elsewhere(found: Calibration) -> str:
    """Text on the scores at other seeds; empty if there are none."""
    scores = list(found.elsewhere.values())
    if not scores:
        return ""
    spread = f"{min(scores):.3f} to {max(scores):.3f}"
    return f"{fmean(scores):.3f} in the mean of {len(scores)} other seeds ({spread})"


def report(found: Calibration) -> Report:
    """The report."""
    failures = found.failures()
    sections = [
        Section(title="Search", plots={"search": course(found.outcomes)}),
        Section(title="Figures", tables=(figures_table(found),)),
        Section(title="Best config", tables=(_values(found),)),
        Section(
            title="Parameters",
            plots=parameters(found.outcomes, found.problem.space),
        ),
    ]
    if failures:
        first = tuple((str(number), reason) for number, reason in failures[:_FAILURES])
        table = Table(columns=("trial", "why there is no graph"), rows=first)
        sections.append(Section(title=f"The first of {len(failures):,} failures", tables=(table,)))
    return Report(
        title="Calibration of a generator",
        lead=f"{len(found.outcomes):,} trials, reference {found.name}.",
        facts=_facts(found),
        sections=tuple(sections),
    )


def _facts(found: Calibration) -> dict[str, str]:
    """Key facts about the search."""
    score, objective = found.outcomes[found.best].score, found.problem.objective
    return {
        "reference": found.name,
        "objective": f"{objective.kind}, baselines times {objective.baseline_weight:g}",
        "best": f"{score.total:.4f} in trial {found.best}: {score.core:.4f} of figures, "
        f"{score.base:.4f} of baselines",
        "seed": str(found.problem.seed),
        "other seeds": elsewhere(found) or "not tried",
        "without a graph": f"{len(found.failures()):,} of {len(found.outcomes):,} trials",
    }


def _values(found: Calibration) -> Table:
    """Active parameters of the best trial."""
    space, best = found.problem.space, found.outcomes[found.best].values
    cells = tuple(
        (name, _shown(value))
        for name, value in {**space.fixed, **best}.items()
        if space.active(name, best)
    )
    return Table(columns=("parameter", "value"), rows=cells)


def _written(value: float) -> str:
    if value == round(value):
        return f"{value:,.0f}"
    return f"{value:,.2f}" if value >= 10 else f"{value:.4f}"


def _shown(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value).lower()
