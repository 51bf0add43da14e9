"""The search: the same whatever the processes, and wherever it was interrupted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import optuna
import pytest

from benchmarks.tkg.calibration.objective import PENALTY, Objective, ObjectiveKind, Score
from benchmarks.tkg.calibration.search import (
    BATCH,
    JOURNAL,
    STAMP,
    STUDY,
    CalibrationError,
    JournalError,
    best_trial,
    claim,
    open_journal,
    search,
)
from benchmarks.tkg.calibration.trial import Outcome, Problem

TRIALS = 5 * BATCH + 3
"""Some at random, then some that TPE has a say in, then part of a batch."""


def run(problem: Problem, path: Path, trials: int = TRIALS, jobs: int = 1) -> list[Outcome]:
    with open_journal(path) as journal:
        return search(problem, journal, trials, jobs=jobs)


@pytest.fixture(scope="module")
def problem(problem: Problem) -> Problem:
    """There are few sequential patterns, so that each process has soon enumerated them."""
    return replace(problem, space=problem.space.with_fixed({"sequential": "true"}))


@pytest.fixture(scope="module")
def journal(problem: Problem, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("search") / JOURNAL
    run(problem, path)
    return path


@pytest.fixture(scope="module")
def outcomes(journal: Path) -> list[Outcome]:
    with open_journal(journal) as opened:
        return opened.outcomes()


def test_the_first_trial_is_the_start(problem: Problem, outcomes: list[Outcome]) -> None:
    assert len(outcomes) == TRIALS
    assert outcomes[0].values == problem.space.start()
    assert len({str(outcome.values) for outcome in outcomes}) == TRIALS


def test_a_journal_keeps_what_trials_came_to(problem: Problem, outcomes: list[Outcome]) -> None:
    for outcome in outcomes[:4]:
        assert problem.trial(outcome.values) == outcome


def test_two_processes_find_the_same(
    problem: Problem, outcomes: list[Outcome], tmp_path: Path
) -> None:
    assert run(problem, tmp_path / JOURNAL, jobs=2) == outcomes


def test_another_seed_draws_others(
    problem: Problem, outcomes: list[Outcome], tmp_path: Path
) -> None:
    other = run(replace(problem, seed=4), tmp_path / JOURNAL, trials=3)
    assert [outcome.values for outcome in other[1:]] != [
        outcome.values for outcome in outcomes[1:3]
    ]


def test_fewer_trials_are_the_first_ones(
    problem: Problem, outcomes: list[Outcome], tmp_path: Path
) -> None:
    """So that a search can be gone on with, wherever its batches ended."""
    few = BATCH + 3
    assert run(problem, tmp_path / JOURNAL, trials=few) == outcomes[:few]


@pytest.mark.parametrize(
    ("kept", "torn"),
    [
        # Half of them in the fast run: each number, and each end.
        pytest.param(kept, torn, marks=[pytest.mark.slow] * (number % 2 == (torn == "")))
        for torn in ("", '{"op_code":4,"worker')
        for number, kept in enumerate((0, BATCH, 4 * BATCH + 5, TRIALS - 1))
    ],
)
def test_a_search_goes_on_to_the_same_end(
    problem: Problem,
    journal: Path,
    outcomes: list[Outcome],
    tmp_path: Path,
    kept: int,
    torn: str,
) -> None:
    """Whatever a killed run left: trials are lines, and the last one may be torn."""
    lines = journal.read_text().splitlines(keepends=True)
    assert len(lines) == TRIALS + 1
    (tmp_path / JOURNAL).write_text("".join(lines[: kept + 1]) + torn)
    assert run(problem, tmp_path / JOURNAL) == outcomes
    with open_journal(tmp_path / JOURNAL) as opened:
        assert opened.outcomes() == outcomes


def test_what_is_there_is_not_made_again(
    problem: Problem, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def made(_problem: Problem, _values: object) -> Outcome:
        pytest.fail("a graph was made")

    monkeypatch.setattr(Problem, "trial", made)
    assert len(run(problem, journal, trials=TRIALS - 1)) == TRIALS - 1


def test_optuna_reads_the_journal(journal: Path, outcomes: list[Outcome]) -> None:
    backend = optuna.storages.journal.JournalFileBackend(str(journal))
    study = optuna.load_study(study_name=STUDY, storage=optuna.storages.JournalStorage(backend))
    assert study.best_trial.number == best_trial(outcomes)
    assert study.best_value == outcomes[best_trial(outcomes)].score.total


def test_a_search_comes_closer_than_its_start(outcomes: list[Outcome]) -> None:
    assert outcomes[best_trial(outcomes)].score.total < outcomes[0].score.total


def scored(*totals: float) -> Sequence[Outcome]:
    figures = object()
    return [
        Outcome(
            values={},
            score=Score(core=total, base=0, total=total),
            figures=None if total == PENALTY else figures,  # type: ignore[arg-type]
            failure="pattern 3 ran away" if total == PENALTY else "",
        )
        for total in totals
    ]


def test_the_first_of_the_best_is_the_best() -> None:
    assert best_trial(scored(PENALTY, 2, 1, 1)) == 2


def test_a_search_without_a_graph_says_why() -> None:
    with pytest.raises(CalibrationError, match=r"no graph in 2 trials; .* pattern 3 ran away"):
        best_trial(scored(PENALTY, PENALTY))


def test_a_journal_in_use_is_not_shared(problem: Problem, tmp_path: Path) -> None:
    path = tmp_path / JOURNAL
    with open_journal(path), pytest.raises(JournalError, match="in use by another search"):
        run(problem, path)
    assert len(run(problem, path, trials=1)) == 1


def test_what_is_no_journal_is_refused(problem: Problem, tmp_path: Path) -> None:
    path = tmp_path / JOURNAL
    for content in ("Some words.\n", "[1, 2]\n", '{"op_code": 4}\n', "17\n", '"a"\n'):
        path.write_text(content)
        with pytest.raises(JournalError, match="is not a journal of a search"):
            run(problem, path)


def test_trials_of_another_search_are_refused(
    problem: Problem, journal: Path, tmp_path: Path
) -> None:
    (tmp_path / JOURNAL).write_bytes(journal.read_bytes())
    with pytest.raises(JournalError, match="found other values of trial 1"):
        run(replace(problem, seed=4), tmp_path / JOURNAL)


def test_a_folder_is_for_one_search(problem: Problem, tmp_path: Path) -> None:
    assert claim(tmp_path, problem) == claim(tmp_path, problem) == tmp_path / JOURNAL
    printed = replace(problem, objective=Objective(kind=ObjectiveKind.PRINTED))
    fixed = replace(problem, space=problem.space.with_fixed({"mode": "forced"}))
    figures = replace(problem.reference, metrics={**problem.reference.metrics, "facts": 1.0})
    for other in (
        printed,
        fixed,
        replace(problem, seed=4),
        replace(problem, reference=figures),
    ):
        with pytest.raises(JournalError, match="with other options, another reference"):
            claim(tmp_path, other)


def test_a_journal_of_nothing_known_is_refused(problem: Problem, tmp_path: Path) -> None:
    (tmp_path / JOURNAL).touch()
    with pytest.raises(JournalError, match=r"without search\.json"):
        claim(tmp_path, problem)
    assert not (tmp_path / STAMP).exists()
