"""Stores finished trials in optuna's journal format, which optuna's tools can read."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import optuna
from optuna.distributions import BaseDistribution
from optuna.storages import JournalStorage
from optuna.storages.journal import JournalFileBackend, JournalFileOpenLock
from optuna.trial import FrozenTrial, create_trial

from benchmarks.calibration.figures import Figures
from benchmarks.calibration.objective import Score
from benchmarks.calibration.trial import Outcome
from solver.errors import HopcheckError
from solver.writing.atomic import os_errors_reported

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
