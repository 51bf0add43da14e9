"""Finished trials on disk, in the journal format of optuna, whose own tools read it as well."""

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
    """A journal that is in use or does not go with the search."""

    code = "journal"


class _Unlocked(JournalFileOpenLock):
    """No lock for each line: the whole file is locked, in a way that a killed run leaves free."""

    def acquire(self) -> bool:
        return True

    def release(self) -> None:
        return


class Journal:
    """The trials of a search, in order; made by ``opened_journal``."""

    def __init__(self, path: Path) -> None:
        # What matters of a search, we tell.
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        storage = JournalStorage(JournalFileBackend(str(path), lock_obj=_Unlocked(str(path))))
        begin = optuna.load_study if path.stat().st_size else optuna.create_study
        self._study = begin(storage=storage, study_name=STUDY)

    def outcomes(self) -> list[Outcome]:
        """The trials that are there."""
        return [_outcome(trial) for trial in self._study.get_trials(deepcopy=False)]

    def append(self, outcome: Outcome, distributions: Mapping[str, BaseDistribution]) -> None:
        """Add a trial; it is on disk when this returns.

        Raises:
            OutputError: it cannot be written.
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
def opened_journal(path: Path) -> Iterator[Journal]:
    """Open a journal, or begin one; no other process may have it open.

    Raises:
        JournalError: another search has it, or it is damaged.
        OutputError: it cannot be written.
    """
    with os_errors_reported(path):
        file = path.open("ab+")
    with file:
        if not _locked(file.fileno()):
            raise JournalError("is in use by another search", where=str(path))
        # A killed run may have left half a line.
        file.seek(0)
        content = file.read()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            file.truncate(whole)
        try:
            journal = Journal(path)
        except (ValueError, KeyError, TypeError) as error:
            raise JournalError(f"is no journal of a search ({error})", where=str(path)) from None
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
    told_of, figures = trial.user_attrs, trial.user_attrs["figures"]
    score = Score(core=told_of["core"], base=told_of["base"], total=trial.values[0])
    return Outcome(
        values=trial.params,
        score=score,
        figures=None if figures is None else Figures(**figures),
        failure=told_of["failure"],
    )
