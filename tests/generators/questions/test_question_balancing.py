"""What can be counted of choices: counted again by hand, and of no use to find the answer."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from generators.questions import even
from generators.questions.choices import COUNTED, SPREAD, candidate_sets, counted
from generators.questions.even import KEPT, chosen, evened, fitted
from generators.questions.reasoning import fitted_rules
from solver.graph.model import Ids, Split
from solver.questions.contributions import MARGIN, Contributors

from .conftest import MakeWorld


def drawn_sets(draw: np.random.Generator, questions: int = 600) -> tuple[Ids, Ids, Ids]:
    """Three columns and kinds that predict nothing, five sets for each question."""
    values = draw.integers(50, size=(5 * questions, 4, 3))
    return values, draw.integers(6, size=(5 * questions, 4)), np.arange(5 * questions) // 5


def columns(values: Ids) -> list[Ids]:
    """The columns of a table of sets, choices and columns."""
    return list(np.moveaxis(values, 2, 0))


def found_by_greatest(values: Ids) -> float:
    """How often the greatest of some numbers is the answer's; ties count in part."""
    best = values == values.max(axis=1, keepdims=True)
    return float((best[:, 0] / best.sum(axis=1)).mean())


def test_at_most_one_set_of_each_question_is_chosen() -> None:
    for seed in range(4):
        draw = np.random.default_rng(seed)
        values, kinds, questions = drawn_sets(draw, questions=40 * (seed + 1))
        rows = evened(columns(values), [kinds], questions, np.random.default_rng(seed))
        again = evened(columns(values), [kinds], questions, np.random.default_rng(seed))
        assert rows.tolist() == sorted(rows.tolist()) == again.tolist()
        assert len(set(questions[rows].tolist())) == len(rows)
        expected = KEPT * 40 * (seed + 1)
        # Four standard deviations of independent trials.
        assert abs(len(rows) - expected) < 4 * np.sqrt(expected)


def test_nothing_and_little_are_chosen_from() -> None:
    draw = np.random.default_rng(0)
    none = np.empty((0, 4, 2), dtype=np.int64)
    assert not len(evened(columns(none), [none[:, :, 0]], none[:, 0, 0], draw))
    values = draw.integers(9, size=(8, 4, 2))
    rows = evened(columns(values), [values[:, :, 0]], np.arange(8), draw)
    assert rows.tolist() == list(range(8))
    same = np.zeros((12, 4, 1), dtype=np.int64)
    assert len(evened(columns(same), [same[:, :, 0]], np.arange(12), draw)) >= 4


def leaks(values: Ids, kinds: Ids, name: str) -> float:
    """How often the answer is found by what was planted."""
    match name:
        case "a column":
            return found_by_greatest(values[:, :, 0])
        case "the least of a column":
            return found_by_greatest(-values[:, :, 2])
        case "two columns":
            return found_by_greatest((values[:, :, 0] % 50 > 24) ^ (values[:, :, 1] > 24))
        case _:
            return found_by_greatest(kinds == 3)


@pytest.mark.parametrize("name", ["a column", "the least of a column", "two columns", "a kind"])
def test_what_tells_the_answer_is_evened(name: str) -> None:
    draw = np.random.default_rng(3)
    values, kinds, questions = drawn_sets(draw, questions=2_000)
    planted = draw.random(len(values)) < 0.5
    match name:
        case "a column":
            values[planted, 0, 0] = 60
        case "the least of a column":
            values[planted, 0, 2] = -1
        case "two columns":
            # The answer has exactly one of both above the middle, the others none or both.
            values[planted, 1:, 1] = np.where(values[planted, 1:, 0] > 24, 40, 10)
            values[planted, 0, 1] = np.where(values[planted, 0, 0] > 24, 10, 40)
        case _:
            kinds[planted, 0] = 3
    before = leaks(values, kinds, name)
    rows = evened(columns(values), [kinds], questions, draw)
    assert len(rows) > 700
    assert before > 0.4
    # Chance is .25, its standard deviation at most .017.
    assert abs(leaks(values[rows], kinds[rows], name) - 0.25) < 0.06


def pairs(draw: np.random.Generator, questions: int) -> tuple[list[Ids], list[Ids], Ids]:
    """Ten pairs for each question; answers are greater in a column, and of kind 3 more often."""
    values = draw.integers(50, size=(3, 10 * questions, 2))
    values[0, :, 0] += draw.integers(20, size=10 * questions)
    kinds = draw.integers(6, size=(10 * questions, 2))
    kinds[draw.random(len(kinds)) < 0.2, 0] = 3
    return list(values), [values[2], kinds], np.arange(10 * questions) // 10


def test_pairs_that_are_not_fitted_are_evened_too() -> None:
    draw = np.random.default_rng(7)
    values, kinds, questions = pairs(draw, 1_500)
    evening, margins = fitted(values, kinds, questions, draw, rounds=60, rate=1.0, alone=True)
    assert evening.margins(values, kinds) == pytest.approx(margins)
    values, kinds, questions = pairs(draw, 1_500)
    kinds[1][:9, 1] = 7  # is not known
    before = float((values[0][:, 0] > values[0][:, 1]).mean())
    rows = chosen(evening.margins(values, kinds), questions, draw, 0.5)
    assert abs(len(rows) - 750) < 4 * np.sqrt(375)
    assert len(set(questions[rows].tolist())) == len(rows)
    assert before > 0.6
    # Chance is .5, its standard deviation .018.
    assert abs(float((values[0][rows, 0] > values[0][rows, 1]).mean()) - 0.5) < 0.07
    right, wrong = ((kinds[1][rows, place] == 3).mean() for place in (0, 1))
    assert abs(float(right - wrong)) < 0.07


def test_alone_the_others_are_not_seen() -> None:
    draw = np.random.default_rng(1)
    values = list(draw.integers(9, size=(3, 5, 4)))
    assert [column.tolist() for column in even._columns(values, alone=True)] == [
        column.tolist() for column in values
    ]
    # Three columns, their ranks, and those of three other choices.
    assert len(list(even._columns(values, alone=False))) == 3 * (1 + 1 + 3)


def test_chances_are_in_proportion_up_to_one() -> None:
    draw = np.random.default_rng(5)
    for size in (3, 10, 60):
        for wanted in (1.0, size / 3, size - 0.5):
            weights = 2.0 ** draw.integers(-8, 9, size=size)
            chances = even._capped(weights, wanted)
            assert chances.sum() == pytest.approx(wanted)
            below = chances < 1
            factors = chances[below] / weights[below]
            assert factors == pytest.approx(factors[:1].repeat(len(factors)))
            assert (weights[~below] * factors.max(initial=0.0) >= 1 - 1e-9).all() or not below.any()
    assert even._capped(np.array([1.0, 5.0]), 2.0).tolist() == [1.0, 1.0]


def grown(
    rows: NDArray[np.uint8], goals: list[int], columns: list[int], depth: int, prior: float
) -> list[float]:
    """A tree of the specification, by loops: the prediction for each row."""

    def split(some: list[int], left: int) -> dict[int, float]:
        total = sum(goals[n] for n in some)
        best, at = 0.0, None
        for column in columns if left else []:
            for value in range(32):
                low = [n for n in some if rows[n, column] <= value]
                excess = sum(goals[n] for n in low)
                gain = (
                    excess**2 / (len(low) + prior)
                    + (total - excess) ** 2 / (len(some) - len(low) + prior)
                    - total**2 / (len(some) + prior)
                )
                if gain > best:
                    best, at = gain, (column, value)
        if at is None:
            return dict.fromkeys(some, total / (len(some) + prior))
        low = [n for n in some if rows[n, at[0]] <= at[1]]
        high = [n for n in some if rows[n, at[0]] > at[1]]
        return split(low, left - 1) | split(high, left - 1)

    found = split(list(range(len(rows))), depth)
    return [found[n] for n in range(len(rows))]


@pytest.mark.parametrize("seed", range(8))
def test_trees_are_those_grown_by_loops(seed: int) -> None:
    draw = np.random.default_rng(seed)
    table = draw.integers(32, size=(60, 4, 5)).astype(np.uint8)
    table[:, 0, 2] = np.minimum(table[:, 0, 2] + 8, 31)
    some, columns = np.arange(60), draw.permutation(5)[:3]
    seen = np.ascontiguousarray(np.moveaxis(table, 2, 0))
    found = even._grown(seen, some, columns).preferred(seen)
    prior = even._FEWEST * 240
    goals = [3 if place == 0 else -1 for _ in range(60) for place in range(4)]
    scores = grown(table.reshape(-1, 5), goals, columns.tolist(), even._DEPTH, prior)
    expected = [scores[4 * row] - sum(scores[4 * row + 1 : 4 * row + 4]) / 3 for row in range(60)]
    assert found == pytest.approx(np.array(expected))


@pytest.mark.parametrize("seed", range(3))
def test_columns_are_those_counted_by_hand(world: MakeWorld, seed: int) -> None:
    graph = world(seed, 700).graph
    words, asked = graph.vocabulary, graph.splits[Split.TEST]
    asked = asked.take(asked.head != asked.tail)
    rules = fitted_rules(graph.splits, words.relations)
    found = Contributors(graph.facts, rules.all, words, rules.folds).contributions(asked)
    sets = candidate_sets(found, asked, np.random.default_rng(seed))
    assert len(sets.asked) > 50
    table = counted(sets, found, asked, graph.facts, words)
    assert table.shape == (len(sets.asked), 4, len(COUNTED))
    facts, contributing = graph.facts.rows().tolist(), found.facts.rows().tolist()
    most, whole = MARGIN
    for question, rows, own in zip(
        sets.asked.tolist(), sets.rows.tolist(), table.tolist(), strict=True
    ):
        head, relation, _, time = asked.rows()[question].tolist()
        chosen = [contributing[row] for row in rows]
        weights = found.weight[rows].tolist()
        assert weights == sorted(set(weights), reverse=True)
        assert whole * weights[1] <= most * weights[0]
        assert all(found.offsets[question] <= row < found.offsets[question + 1] for row in rows)
        assert len({row[1] for row in chosen} - {relation}) == 4
        days = [row[3] for row in chosen]
        assert len(set(days)) == 4
        assert all(abs(day - days[0]) <= SPREAD for day in days)
        before = [fact for fact in facts if fact[3] < time]
        for (subject, kind, target, day), look in zip(chosen, own, strict=True):
            triple = [fact for fact in before if fact[:3] == [subject, kind, target]]
            pair = [fact for fact in before if {fact[0], fact[2]} == {subject, target}]
            assert dict(zip(COUNTED, look, strict=True)) == {
                "age": time - day,
                "pause": day - max((other for other in days if other < day), default=day),
                "triple": len(triple),
                "relation": sum(fact[1] == kind for fact in before),
                "subject": sum(fact[0] == subject for fact in before),
                "object": sum(fact[2] == target for fact in before),
                "pair": len(pair),
                "triple since": sum(fact[3] > day for fact in triple),
                "pair since": sum(fact[3] > day for fact in pair),
                "subject and relation": sum(fact[:2] == [subject, kind] for fact in before),
                "relation and object": sum(fact[1:3] == [kind, target] for fact in before),
                "same subject": subject == head,
            }
