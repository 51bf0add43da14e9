"""Bayesian optimisation with TPE in batches: draw values, generate graphs, report their scores.

Source: synthetic temporal knowledge graphs, Algorithm 12. Batches have a fixed size and each has
its own sampler seed, so the outcome depends neither on the number of processes nor on where a
search was interrupted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import optuna
from optuna.distributions import (
    BaseDistribution,
    CategoricalDistribution,
    FloatDistribution,
    IntDistribution,
)

from benchmarks.calibration.journal import Journal, JournalError
from benchmarks.calibration.space import Choice, Parameter
from benchmarks.calibration.trial import Outcome, Problem
from benchmarks.calibration.workers import workers
from solver.errors import HopcheckError
from solver.seeding import seed_of

BATCH = 8
"""Number of trials drawn at once."""

_AT_RANDOM = 4 * BATCH
"""Number of random trials before TPE starts."""


class CalibrationError(HopcheckError):
    """A search in which all trials failed."""

    code = "calibration"


def search(
    problem: Problem,
    journal: Journal,
    trials: int,
    *,
    jobs: int = 1,
    progress: Callable[[int], object] | None = None,
) -> list[Outcome]:
    """Run trials, reusing those of the journal; the first one is ``space.start``.

    Args:
        problem: search problem.
        journal: journal to which each finished trial is appended.
        trials: number of trials; further trials of the journal are ignored.
        jobs: number of worker processes.
        progress: callback with the number of trials of each finished batch.

    Raises:
        JournalError: the journal belongs to another search.
    """
    distributions = {name: _distribution(one) for name, one in problem.space.parameters.items()}
    study = optuna.create_study()
    study.enqueue_trial(problem.space.start())
    before = journal.outcomes()
    found: list[Outcome] = []
    with workers(problem, jobs) as make:
        for first in range(0, trials, BATCH):
            study.sampler = _sampler(problem.seed, first // BATCH)
            size = min(BATCH, trials - first)
            drawn = [study.ask(distributions) for _ in range(size)]
            batch = _known(drawn, before[first : first + size])
            for outcome in make([trial.params for trial in drawn[len(batch) :]]):
                journal.append(outcome, distributions)
                batch.append(outcome)
            for trial, outcome in zip(drawn, batch, strict=True):
                study.tell(trial, outcome.score.total)
            found += batch
            if progress is not None:
                progress(size)
    return found


def best_trial(outcomes: Sequence[Outcome]) -> int:
    """Number of the first trial with the smallest score.

    Raises:
        CalibrationError: all trials failed.
    """
    number = min(range(len(outcomes)), key=lambda n: (outcomes[n].score.total, n))
    if outcomes[number].figures is None:
        raise CalibrationError(
            f"found no graph in {len(outcomes):,} trials; the first failed as "
            f"{outcomes[0].failure}",
            hint="fix fewer parameters, or run more trials",
        )
    return number


def _sampler(seed: int, batch: int) -> optuna.samplers.TPESampler:
    # optuna uses numpy's legacy generators, whose seeds have 32 bits.
    own = seed_of(seed, "calibrate", batch) % 2**32
    # Univariate TPE gave better results with these many conditional parameters.
    return optuna.samplers.TPESampler(seed=own, multivariate=False, n_startup_trials=_AT_RANDOM)


def _known(drawn: Sequence[optuna.Trial], before: Sequence[Outcome]) -> list[Outcome]:
    """Outcomes of the first trials of a batch, from the journal.

    Raises:
        JournalError: the journal has other values.
    """
    for trial, outcome in zip(drawn, before, strict=False):
        if trial.params != dict(outcome.values):
            raise JournalError(
                f"found other values of trial {trial.number} in the journal than this search draws",
                hint="it was written by another version of optuna; choose another --out",
            )
    return list(before)


def _distribution(parameter: Parameter) -> BaseDistribution:
    if isinstance(parameter, Choice):
        return CategoricalDistribution(parameter.options)
    if parameter.whole:
        return IntDistribution(int(parameter.low), int(parameter.high), log=parameter.log)
    return FloatDistribution(parameter.low, parameter.high, log=parameter.log)
