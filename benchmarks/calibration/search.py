"""The search: asks TPE for a batch of values, makes their graphs, tells it how unlike they are.

Source: synthetic temporal knowledge graphs, Algorithm 12. The batches have a fixed size, and each
has a sampler of its own seed: the outcome depends neither on the number of processes nor on where
a search was interrupted.
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
"""Trials whose values are drawn before any of them is made."""

_AT_RANDOM = 4 * BATCH
"""Trials before TPE has a say."""


class CalibrationError(HopcheckError):
    """A search in which no graph could be made."""

    code = "calibration"


def search(
    problem: Problem,
    journal: Journal,
    trials: int,
    *,
    jobs: int = 1,
    progress: Callable[[int], object] | None = None,
) -> list[Outcome]:
    """Make so many trials, those included that the journal has; the first one is ``space.start``.

    Args:
        problem: what to search.
        journal: takes each finished trial.
        trials: how many; if the journal has more, those are not looked at.
        jobs: processes.
        progress: takes the number of trials after each batch.

    Raises:
        JournalError: the journal is of another search.
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
            asked = [study.ask(distributions) for _ in range(size)]
            batch = _known(asked, before[first : first + size])
            for outcome in make([trial.params for trial in asked[len(batch) :]]):
                journal.append(outcome, distributions)
                batch.append(outcome)
            for trial, outcome in zip(asked, batch, strict=True):
                study.tell(trial, outcome.score.total)
            found += batch
            if progress is not None:
                progress(size)
    return found


def best_trial(outcomes: Sequence[Outcome]) -> int:
    """The number of the trial with the least score, the first of them.

    Raises:
        CalibrationError: no graph could be made.
    """
    number = min(range(len(outcomes)), key=lambda n: (outcomes[n].score.total, n))
    if outcomes[number].figures is None:
        raise CalibrationError(
            f"found no graph in {len(outcomes):,} trials; the first failed as "
            f"{outcomes[0].failure}",
            hint="fix fewer parameters, or try more trials",
        )
    return number


def _sampler(seed: int, batch: int) -> optuna.samplers.TPESampler:
    # numpy's older generators, which optuna uses, take 32 bits.
    own = seed_of(seed, "calibrate", batch) % 2**32
    # Each parameter on its own: of so many, some of which have no say, that came closer.
    return optuna.samplers.TPESampler(seed=own, multivariate=False, n_startup_trials=_AT_RANDOM)


def _known(asked: Sequence[optuna.Trial], before: Sequence[Outcome]) -> list[Outcome]:
    """The outcomes of the first trials of a batch, from the journal.

    Raises:
        JournalError: they are of trials with other values.
    """
    for trial, outcome in zip(asked, before, strict=False):
        if trial.params != dict(outcome.values):
            raise JournalError(
                f"found other values of trial {trial.number} in the journal than this search draws",
                hint="it was made by another version of optuna; give another --out",
            )
    return list(before)


def _distribution(parameter: Parameter) -> BaseDistribution:
    if isinstance(parameter, Choice):
        return CategoricalDistribution(parameter.options)
    if parameter.whole:
        return IntDistribution(int(parameter.low), int(parameter.high), log=parameter.log)
    return FloatDistribution(parameter.low, parameter.high, log=parameter.log)
