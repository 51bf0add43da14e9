"""The 56 cases with known scores, and perfect copies of the released references."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.texts.elements import MODES, Profile, SeparatorError
from benchmarks.texts.extraction import Extraction, Item, extract, match_lines
from benchmarks.texts.scores import score
from solver.facts.literals import read_predictions, read_references

FIGURES = ("precision", "recall", "f1")


@pytest.fixture(scope="module")
def cases(shared: Path) -> list[dict[str, Any]]:
    path = shared / "data" / "yago2026" / "derived" / "metric_cases.json"
    found: list[dict[str, Any]] = json.loads(path.read_bytes())["cases"]
    assert len(found) == 56
    return found


def scored(case: dict[str, Any], profile: Profile) -> Extraction:
    item = Item(references=case["references"], candidates=case["candidates"])
    return extract([item], profile)


def test_the_released_profile_gives_each_cases_scores(cases: list[dict[str, Any]]) -> None:
    for case in cases:
        found = scored(case, Profile.RELEASED)
        assert len(found.item) == case["pairs_scored"]
        figures = found.pairs.figures.mean(axis=0)
        for place, mode in enumerate(MODES):
            wanted = case["expected"][mode.value]
            allowed = [[wanted[name]["value"] for name in FIGURES]]
            # One case also stores the result of a tie broken by rounding.
            if "released_script_float" in case:
                floats = case["released_script_float"][mode.value]
                allowed.append([floats[name] for name in FIGURES])
            actual = figures[place].tolist()
            assert any(actual == pytest.approx(values, abs=1e-9) for values in allowed), case["id"]


def test_the_released_profile_takes_the_first_best_alignment(cases: list[dict[str, Any]]) -> None:
    for case in cases:
        found = scored(case, Profile.RELEASED)
        count = len(case["references"])
        wanted = [n if n < count else -1 for n in case["alignment_candidate_to_reference"]]
        assert found.reference.tolist() == wanted, case["id"]


def test_the_exact_profile_finds_the_true_optimum_of_partial(cases: list[dict[str, Any]]) -> None:
    known = [case for case in cases if "partial_f1_true_optimum" in case]
    assert len(known) > 20
    differing = 0
    for case in known:
        place = MODES.index(MODES[3])
        actual = scored(case, Profile.EXACT).pairs.figures[0, place, 2]
        assert actual == pytest.approx(case["partial_f1_true_optimum"]["value"], abs=1e-9), case[
            "id"
        ]
        differing += actual > case["expected"]["partial"]["f1"]["value"] + 1e-9
    assert differing


@pytest.mark.parametrize(
    ("name", "precision", "f1", "seconds"),
    [("single", 0.9994654312, 0.9996945321, 3), ("multi", 0.9994807122, 0.9997032641, 6)],
)
def test_perfect_copies(
    shared: Path,
    name: str,
    precision: float,
    f1: float,
    seconds: float,
    within: Callable[..., Any],
) -> None:
    path = str(shared / "data" / "yago2026" / "yago2026" / f"{name}.references.txt")

    def scored() -> Any:
        rows = read_references(path)
        items, unread, unpredicted = match_lines(rows, read_predictions(path), file=path)
        found = extract(items, Profile.RELEASED, unread=unread, unpredicted=unpredicted)
        return score(found, resamples=0)

    scores = within(seconds, scored)
    for mode in MODES:
        actual = scores[mode].macro
        figures = (actual.precision.value, actual.recall.value, actual.f1.value)
        assert figures == pytest.approx((precision, 1.0, f1), abs=1e-9)


def test_a_separator_inside_a_name_stops_the_released_profile_only() -> None:
    fact = ["Ann | Bea", "startMemberOf", "Choir", "2031-01-01"]
    item = Item(references=[fact], candidates=[fact])
    with pytest.raises(SeparatorError, match=r"^item 1: found 5 elements"):
        extract([item], Profile.RELEASED)
    assert extract([item], Profile.EXACT).pairs.figures.min() == 1


def test_more_than_seven_facts_are_left_out_and_counted() -> None:
    facts = [[f"Ann {n}", "startMemberOf", "Choir", "2031-01-01"] for n in range(8)]
    items = [Item(references=facts, candidates=facts), Item(references=[], candidates=[])]
    released = extract(items, Profile.RELEASED)
    assert released.excluded.long == (0,)
    assert released.excluded.bare == (1,)
    assert len(released.item) == 0
    exact = extract(items, Profile.EXACT)
    assert exact.excluded.long == ()
    assert len(exact.item) == 8
