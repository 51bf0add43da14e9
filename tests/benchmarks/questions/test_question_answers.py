"""Answers: the oracle is right, forecasts see the past only, and texts are all that is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from benchmarks.predictions import Predictions, match_predictions
from benchmarks.questions.answerers import RandomBaseline
from benchmarks.questions.inputs import Batch
from benchmarks.questions.past import PastFacts, tune_threshold
from benchmarks.questions.predictions import Ranking
from benchmarks.questions.run import CERTAIN, Basis, answer
from benchmarks.questions.scores import evaluate, score
from grammar.questions.model import QuestionKind
from solver.graph.model import Quadruples
from solver.questions.model import LETTERS, Question

MakeWorld = Callable[[int], Any]
ANYTHING = [*Basis, None]


def predicted(
    world: Any, basis: Basis | None, facts: Quadruples | None = None
) -> Predictions[Ranking]:
    rankings = answer(world.asked(), world.means(basis, facts), CERTAIN)
    ids = [question.id for question in world.questions]
    return Predictions(
        name="answers",
        answers=dict(zip(ids, rankings, strict=True)),
        places=dict.fromkeys(ids, "answers"),
    )


@pytest.mark.parametrize("seed", range(4))
def test_the_oracle_is_right(world: MakeWorld, seed: int) -> None:
    made = world(seed)
    assert {QuestionKind.ONE_HOP, QuestionKind.TWO_HOP} <= {
        question.kind for question in made.questions
    }
    matched = match_predictions(
        predicted(made, None), [question.id for question in made.questions], "question"
    )
    evaluated, missing = evaluate(made.questions, matched), matched.missing
    assert not missing
    for part in score(evaluated, details=False, resamples=1).parts.values():
        assert {figure.value for figure in part.figures.values()} == {1.0}


def test_some_small_world_asks_for_reasons(world: MakeWorld) -> None:
    asked = (question.kind for seed in range(4) for question in world(seed).questions)
    assert QuestionKind.FACT_REASONING in set(asked)


@pytest.mark.parametrize("basis", [basis for basis in Basis if basis is not Basis.MULTI_HOP])
def test_forecasts_rest_on_the_past_alone(world: MakeWorld, basis: Basis) -> None:
    made = world(1)
    facts, times = made.dataset.facts(), [question.query.time for question in made.asked()]
    first = min(times)
    kept = facts.take(facts.time < first)
    source = np.random.default_rng(5)
    other = Quadruples.of(
        np.concatenate(
            [kept.rows(), source.integers([0, 0, 0, first], [8, 4, 8, first + 1], size=(40, 4))]
        )
    )
    today = [place for place, time in enumerate(times) if time == first]
    before, after = (list(predicted(made, basis, gold).answers.values()) for gold in (facts, other))
    assert len(today) > 10
    assert [before[n] for n in today] == [after[n] for n in today]
    # On later days the changed facts are in the past, and make a difference.
    assert basis is Basis.CHANCE or before != after


def test_the_oracle_does_look(world: MakeWorld) -> None:
    made = world(1)
    facts = made.dataset.facts()
    asked = [question.query.time for question in made.asked()]
    assert predicted(made, None) != predicted(made, None, facts.take(facts.time < min(asked)))


@pytest.mark.parametrize("basis", ANYTHING)
def test_the_order_of_questions_changes_no_answer(world: MakeWorld, basis: Basis | None) -> None:
    made = world(2)
    asked, means = made.asked(), made.means(basis)
    whole = answer(asked, means, CERTAIN)
    backwards = answer(asked[::-1], means, CERTAIN)
    assert backwards[::-1] == whole


@pytest.mark.slow
@pytest.mark.parametrize("basis", [Basis.RULES, None])
def test_processes_answer_alike(world: MakeWorld, basis: Basis | None) -> None:
    made = world(2)
    names, two = (answer(made.asked(), made.means(basis), CERTAIN, jobs=jobs) for jobs in (1, 2))
    assert names == two


def slow_past(world: Any, question: Question) -> Iterator[tuple[str, int]]:
    """Earlier answers to an entity question, fact by fact, each with its time."""
    words = world.dataset.vocabulary
    facts = [
        (words.entity(s), words.relation(r), words.entity(o), time)
        for s, r, o, time in world.dataset.facts().rows().tolist()
        if words.time(time) < question.time
    ]
    times = sorted({time for *_, time in facts})
    for time in times:
        for found in walked(question, [fact for fact in facts if fact[3] == time]):
            yield found, time


def walked(question: Question, facts: list[tuple[str, str, str, int]]) -> Iterator[str]:
    *given, (subject, relation, end) = question.query
    parties = [""]
    named = ""
    if given:
        ((first, between, second),) = given
        named = second if first.startswith("?") else first
        ends = [(s, o) if first.startswith("?") else (o, s) for s, r, o, _ in facts if r == between]
        parties = [party for party, other in ends if other == named]
    for party in parties:
        for s, r, o, _ in facts:
            known, found = (o, s) if subject == "?answer" else (s, o)
            wanted = party if given else (end if subject == "?answer" else subject)
            if r == relation and known == wanted and not (given and len({named, s, o}) < 3):
                yield found


@pytest.mark.parametrize("seed", range(3))
def test_what_came_before_is_ranked_as_by_hand(world: MakeWorld, seed: int) -> None:
    made = world(seed)
    frequent, recent = (
        predicted(made, basis).answers for basis in (Basis.FREQUENCY, Basis.RECENCY)
    )
    number = made.dataset.vocabulary.entity_names.index
    compare = 0
    for question in made.questions:
        if question.kind not in (QuestionKind.ONE_HOP, QuestionKind.TWO_HOP):
            continue
        earlier = list(slow_past(made, question))
        counts = Counter(name for name, _ in earlier)
        latest = dict(earlier)
        compare += len(counts) > 1
        for ranking, scores in ((frequent, counts), (recent, latest)):
            slow = sorted(scores, key=lambda name, by=scores: (-by[name], number(name)))
            assert ranking[question.id][: len(slow)] == tuple(slow)
            # What follows was no answer before.
            assert not set(ranking[question.id][len(slow) :]) & set(slow)
    assert compare > 20


@pytest.mark.parametrize("basis", ANYTHING)
def test_entities_are_named_once_and_no_more_than_asked_for(
    world: MakeWorld, basis: Basis | None
) -> None:
    made = world(3)
    means = made.means(basis)
    long = answer(made.asked(), means, CERTAIN)
    assert all(len(set(names)) == len(names) for names in long)
    short_means = type(means)(
        dataset=means.dataset, basis=basis, rules=made.rules, reasoning=made.rules, most=2
    )
    short = answer(made.asked(), short_means, CERTAIN)
    for question, names, other in zip(made.questions, long, short, strict=True):
        if question.kind in (QuestionKind.ONE_HOP, QuestionKind.TWO_HOP):
            assert len(other) <= 2
            assert basis is Basis.CHANCE or names[:2] == other
        else:
            assert names == other


def test_names_of_a_2_hop_question_are_no_answer_to_it(world: MakeWorld) -> None:
    made = world(0)
    for basis in (Basis.RULES, Basis.FREQUENCY, Basis.RECENCY):
        for question in made.questions:
            if question.kind is QuestionKind.TWO_HOP:
                (first, _, second), _ = question.query
                named = second if first.startswith("?") else first
                assert named not in predicted(made, basis).answers[question.id]
                break


def test_chance_depends_on_the_question_and_the_seed() -> None:
    facts = Quadruples.of(np.array([[1, 0, 2, 5], [3, 1, 2, 5], [3, 1, 4, 5]]))
    choices = Quadruples.of(np.zeros((12, 4), dtype=np.int64))
    baseline, two = (RandomBaseline(8, most=8, seed=seed) for seed in (0, 1))
    support = baseline.support(facts, choices)
    last = facts.take(slice(2, 3))
    assert (baseline.support(last, choices.take(slice(4))) == support[2:]).all()
    assert (two.support(facts, choices) != support).all()
    assert len({tuple(row) for row in support.tolist()}) == 3


def test_chance_chooses_all_letters_alike() -> None:
    facts = Quadruples.of(np.stack([np.arange(2000)] * 4, axis=1))
    support = RandomBaseline(8, most=8, seed=0).support(facts, facts)
    share = np.bincount(support.argmax(axis=1), minlength=len(LETTERS)) / 2000
    assert share == pytest.approx(np.full(4, 0.25), abs=0.04)


@pytest.mark.parametrize(
    ("scores", "gold", "expected"),
    [
        ([3, 2, 1, 0], [1, 1, 0, 0], 2),
        ([3, 2, 2, 0], [1, 1, 0, 0], 3),
        ([3, 2, 2, 2], [0, 1, 1, 1], 2),
        ([1, 1], [0, 0], np.inf),
        ([1, 1], [1, 0], np.inf),
        ([], [], np.inf),
    ],
)
def test_thresholds(scores: list[float], gold: list[int], expected: float) -> None:
    found = tune_threshold(np.array(scores, dtype=np.float64), np.array(gold, dtype=bool))
    assert found == expected


def test_no_threshold_tells_more_rightly() -> None:
    source = np.random.default_rng(0)
    for _ in range(50):
        scores = source.integers(6, size=30).astype(np.float64)
        gold = source.random(30) < scores / 8
        best = ((scores >= tune_threshold(scores, gold)) == gold).sum()
        assert best == max(((scores >= value) == gold).sum() for value in [*range(7), np.inf])


def test_batches_hold_each_question_once(world: MakeWorld) -> None:
    made = world(0)
    asked = made.asked()
    whole = Batch.of(asked, np.arange(len(asked)), made.dataset.vocabulary.relations)
    assert sorted(np.concatenate(list(whole.places.values())).tolist()) == list(range(len(asked)))
    assert len(whole) == len(asked)
    assert len(whole.choices) == 4 * len(whole.reasoning)


def test_ends_of_a_relation_are_those_before(world: MakeWorld) -> None:
    made = world(0)
    facts, past = made.dataset.facts(), PastFacts(made.dataset.facts(), made.dataset.vocabulary)
    for time in range(14):
        tails = facts.distinct()
        seen = tails.take((tails.time < time) & (tails.relation == 1)).tail.tolist()
        counts = Counter(seen)
        slow = sorted(counts, key=lambda entity: (-counts[entity], entity))
        assert past.often(1, time).tolist() == slow
