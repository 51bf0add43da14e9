"""A slice of the campaign that forges what other kinds write."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from benchmarks.reproduction import RESULTS
from solver.io.json_lines import read_document
from tests.campaigns import forged_kinds
from tests.campaigns.forged_kinds import FORGERS, NothingError


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("forged")
    for forger in FORGERS.values():
        forger.make(folder)
    return folder


@pytest.mark.parametrize("kind", FORGERS)
def test_what_is_not_forged_is_proved(home: Path, kind: str) -> None:
    untouched = FORGERS[kind](home, home / FORGERS[kind].kind, random.Random(0))
    assert forged_kinds.accepted(untouched, kind)


@pytest.mark.parametrize("number", [60, pytest.param(1_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", FORGERS)
def test_no_forgery_is_accepted(home: Path, kind: str, number: int) -> None:
    found = list(forged_kinds.forged(home, kind, 7, 0, number))
    assert [n for n, _, _ in found] == [*range(number)]
    assert [(n, way) for n, way, accepted in found if accepted] == []
    assert {way for _, way, _ in found} == set(FORGERS[kind].ways())


@pytest.mark.parametrize("kind", FORGERS)
def test_a_forgery_is_drawn_again_where_there_is_nothing(home: Path, kind: str) -> None:
    forger = FORGERS[kind](home, home / FORGERS[kind].kind, random.Random(0))
    with pytest.raises(NothingError):
        forger._one([])


def test_the_results_are_of_every_way() -> None:
    found = read_document(RESULTS / "forged-kinds.json", dict, "results")
    assert found["accepted"] == []
    assert {kind: set(ways) for kind, ways in found["ways"].items()} == {
        kind: set(forger.ways()) for kind, forger in FORGERS.items()
    }
    assert min(found["forged"].values()) >= 5_000
