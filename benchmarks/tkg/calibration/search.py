"""Bayesian optimisation with TPE in batches: draw values, generate graphs, report their scores.

Source: synthetic temporal knowledge graphs, Algorithm 12. Batches have a fixed size and each has
its own sampler seed, so the outcome depends neither on the number of processes nor on where a
search was interrupted.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

import optuna
from optuna.distributions import (
    BaseDistribution,
    CategoricalDistribution,
    FloatDistribution,
    IntDistribution,
)
from optuna.storages import JournalStorage
from optuna.storages.journal import JournalFileBackend, JournalFileOpenLock
from optuna.trial import FrozenTrial, create_trial

from benchmarks.tkg.calibration.objective import Figures, Score
from benchmarks.tkg.calibration.space import Choice, Parameter
from benchmarks.tkg.calibration.trial import Outcome, Problem, workers
from grammar.errors import HopcheckError
from solver.encodings import encoding
from solver.io.sources import sha256
from solver.io.writing import atomic, lasting, line, os_errors_reported
from solver.manifest import versions
from solver.patterns.engine import PATTERN_ENCODINGS
from solver.seeding import seed_of

STUDY = "calibrate"


class JournalError(HopcheckError):
    """A journal that is in use or belongs to another search."""

    code = "journal"


class _Unlocked(JournalFileOpenLock):
    """No lock per line: ``open_journal`` locks the whole file, and a killed run releases it."""

    def acquire(self) -> bool:
        return True

    def release(self) -> None:
        return


class Journal:
    """The trials of a search, in order; created by ``open_journal``."""

    def __init__(self, path: Path) -> None:
        # The command reports progress itself.
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        storage = JournalStorage(JournalFileBackend(str(path), lock_obj=_Unlocked(str(path))))
        begin = optuna.load_study if path.stat().st_size else optuna.create_study
        self._study = begin(storage=storage, study_name=STUDY)

    def outcomes(self) -> list[Outcome]:
        """The stored trials."""
        return [_outcome(trial) for trial in self._study.get_trials(deepcopy=False)]

    def append(self, outcome: Outcome, distributions: Mapping[str, BaseDistribution]) -> None:
        """Append a trial; it is on disk on return.

        Raises:
            OutputError: the file cannot be written.
        """
        figures = None if outcome.figures is None else outcome.figures.as_json()
        attributes = {
            "core": outcome.score.core,
            "base": outcome.score.base,
            "figures": figures,
            "failure": outcome.failure,
        }
        self._study.add_trial(
            create_trial(
                value=outcome.score.total,
                params=dict(outcome.values),
                distributions=dict(distributions),
                user_attrs=attributes,
            )
        )


@contextmanager
def open_journal(path: Path) -> Iterator[Journal]:
    """Open or create a journal with an exclusive lock.

    Raises:
        JournalError: another search uses it, or it is damaged.
        OutputError: the file cannot be written.
    """
    with os_errors_reported(path):
        file = path.open("ab+")
    with file:
        if not _locked(file.fileno()):
            raise JournalError("is in use by another search", where=str(path))
        # A killed run may have left an incomplete line.
        file.seek(0)
        content = file.read()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            file.truncate(whole)
        try:
            journal = Journal(path)
        except (ValueError, KeyError, TypeError) as error:
            raise JournalError(f"is not a journal of a search ({error})", where=str(path)) from None
        with os_errors_reported(path):
            yield journal


def _locked(descriptor: int) -> bool:
    if sys.platform == "win32":
        return True
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _outcome(trial: FrozenTrial) -> Outcome:
    attributes, figures = trial.user_attrs, trial.user_attrs["figures"]
    score = Score(core=attributes["core"], base=attributes["base"], total=trial.values[0])
    return Outcome(
        values=trial.params,
        score=score,
        figures=None if figures is None else Figures(**figures),
        failure=attributes["failure"],
    )


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
    distributions = {
        name: _distribution(parameter) for name, parameter in problem.space.parameters.items()
    }
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


JOURNAL = "journal.log"
STAMP = "search.json"


def claim(folder: Path, problem: Problem) -> Path:
    """Record the problem in a folder and return the path of the journal.

    Raises:
        JournalError: the folder belongs to another search.
        OutputError: the file cannot be written.
    """
    content = line(_stamp(problem))
    stamp = folder / STAMP
    if stamp.exists() and stamp.read_bytes() != content:
        raise JournalError(
            "the folder holds a search with other options, another reference or other versions",
            where=str(folder),
            hint="choose another --out",
        )
    if not stamp.exists():
        if (folder / JOURNAL).exists():
            message = f"the folder holds a {JOURNAL} without {STAMP}"
            raise JournalError(message, where=str(folder), hint="choose another --out")
        with lasting(), atomic(stamp) as file:
            file.write(content)
    return folder / JOURNAL


def _stamp(problem: Problem) -> dict[str, object]:
    """Everything that the trials depend on."""
    libraries = {name: version(name) for name in ("numpy", "optuna")}
    return {
        "base": problem.space.base.as_json(),
        "fixed": dict(problem.space.fixed),
        "parameters": {
            name: str(parameter) for name, parameter in problem.space.parameters.items()
        },
        "curves": {name: list(values) for name, values in problem.space.curves.items()},
        "period": list(problem.space.period),
        "reference": problem.reference.as_json(),
        "objective": problem.objective.as_json(),
        "seed": problem.seed,
        "versions": versions() | libraries,
        "encodings": {name: sha256(encoding(name)) for name in PATTERN_ENCODINGS},
    }
