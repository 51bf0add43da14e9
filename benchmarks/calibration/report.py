"""Writes the results of a search: best config, trials, figures, report, manifest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from benchmarks.calibration import plots
from benchmarks.calibration.figures import Figures
from benchmarks.calibration.search import best_trial
from benchmarks.calibration.trial import Outcome, Problem
from generators.tkg.config import Config
from solver.manifest import manifest
from solver.report.sheet import Section, Sheet, Table, write_sheet
from solver.tkg.patterns import PATTERN_ENCODINGS
from solver.writing import atomic, write_json
from solver.writing.jsonl import line

BEST = "best.json"
SUMMARY = "summary.json"
TRIALS = "trials.jsonl"
PAGE = "report.html"
MANIFEST = "manifest.json"

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
        return [(n, one.failure) for n, one in enumerate(self.outcomes) if one.figures is None]

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
        seed: Problem(
            space=problem.space,
            reference=problem.reference,
            objective=problem.objective,
            seed=seed,
        )
        .trial(values)
        .score.total
        for seed in range(problem.seed + 1, problem.seed + 1 + seeds)
    }
    return Calibration(name=name, problem=problem, outcomes=outcomes, elsewhere=elsewhere)


def write_calibration(folder: Path, found: Calibration, inputs: Sequence[str]) -> Path:
    """Write all files but the journal, the manifest last, and return the path of the report.

    Raises:
        OutputError: a file cannot be written.
    """
    write_json(folder / BEST, found.config.as_json())
    write_json(folder / SUMMARY, found.as_json())
    with atomic(folder / TRIALS) as file:
        for number, one in enumerate(found.outcomes):
            file.write(line({"trial": number} | one.as_json()))
    page = write_sheet(folder / PAGE, sheet(found))
    problem = found.problem
    content = manifest(
        config={
            "trials": len(found.outcomes),
            "objective": problem.objective.as_json(),
            "fixed": problem.space.fixed,
            "base": problem.space.base.as_json(),
        },
        seed=problem.seed,
        encodings=PATTERN_ENCODINGS,
        inputs=inputs,
        outputs=[folder / BEST, folder / SUMMARY, folder / TRIALS, page],
    )
    write_json(folder / MANIFEST, content)
    return page


def rows(found: Calibration) -> list[tuple[str, str, str, str]]:
    """Rows of the comparison: figure, reference, best graph, error."""
    reference, best = found.problem.reference, found.figures
    errors = found.problem.objective.errors(best, reference)
    cells = [
        (name, _written(wanted), _written(best.metrics[name]), f"{errors[name]:.3f}")
        for name, wanted in reference.metrics.items()
    ]
    for name, wanted in reference.baselines.items():
        hit = best.baselines[name]
        cells.append((name, f"{wanted:.3f}", f"{hit:.3f}", f"{abs(hit - wanted):.3f}"))
    return cells


def elsewhere(found: Calibration) -> str:
    """Text on the scores at other seeds; empty if there are none."""
    scores = list(found.elsewhere.values())
    if not scores:
        return ""
    spread = f"{min(scores):.3f} to {max(scores):.3f}"
    return f"{fmean(scores):.3f} in the mean of {len(scores)} other seeds ({spread})"


def sheet(found: Calibration) -> Sheet:
    """The report."""
    failures = found.failures()
    figures = Table(columns=("", "reference", "best", "error"), rows=tuple(rows(found)))
    sections = [
        Section(title="Search", plots=(plots.course(found.outcomes),)),
        Section(title="Figures", table=figures),
        Section(title="Best config", table=_values(found)),
        Section(
            title="Parameters",
            plots=plots.parameters(found.outcomes, found.problem.space),
        ),
    ]
    if failures:
        first = tuple((str(number), reason) for number, reason in failures[:_FAILURES])
        table = Table(columns=("trial", "why there is no graph"), rows=first)
        sections.append(Section(title=f"The first of {len(failures):,} failures", table=table))
    return Sheet(
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
