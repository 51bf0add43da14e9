"""Probes of questions find what is planted, and nothing where labels are random."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

import numpy as np
import pytest

from grammar.questions.model import QuestionKind
from solver.graph.model import Quadruples, Split, Vocabulary
from solver.probes.probe import ProbeLevel
from solver.questions.linking import ASKED_ID, LinkedQuery, LinkedQuestion
from solver.questions.probes import probed

ENTITIES, RELATIONS, DAYS = 60, 6, 40
SIZES = {Split.TRAIN: 1_200, Split.TEST: 600}
WORDS = Vocabulary(entities=ENTITIES, relations=RELATIONS, times=DAYS)
Label = Callable[[int, int, int, bool], bool]
Named = tuple[str, LinkedQuestion]


def facts() -> Quadruples:
    draw = np.random.default_rng(1)
    sizes = (ENTITIES, RELATIONS, ENTITIES, DAYS)
    return Quadruples.of(draw.integers(0, sizes, size=(2_000, 4))).distinct()


def questions(label: Label, *, share: float = 0.2) -> dict[Split, list[Named]]:
    """Yes-unknown questions; of some a feature decides the answer, one in four others is a yes."""
    draw = np.random.default_rng(2)
    found: dict[Split, list[Named]] = {}
    for split, size in SIZES.items():
        found[split] = []
        for number in range(size):
            head, tail = draw.choice(ENTITIES, size=2, replace=False).tolist()
            planted = bool(draw.random() < share)
            yes = bool(draw.random() < 0.25)
            triple = (head, int(draw.integers(RELATIONS)), tail)
            yes = label(*triple, planted) or (yes and not planted)
            query = LinkedQuery(
                kind=QuestionKind.YES_UNKNOWN, time=int(draw.integers(5, DAYS)), triples=(triple,)
            )
            question = LinkedQuestion(query=query, split=split, answers=(int(yes),))
            found[split].append((f"{split}-{number}", question))
            if planted and label is other_questions:
                for end in ((head, triple[1], ASKED_ID), (ASKED_ID, triple[1], tail)):
                    hop = LinkedQuery(kind=QuestionKind.ONE_HOP, time=query.time, triples=(end,))
                    found[split].append(("", LinkedQuestion(query=hop, split=split, answers=())))
    return found


def other_questions(_head: int, _relation: int, _tail: int, planted: bool) -> bool:
    """Planted: both ends are asked for in other questions of the day."""
    return planted


def subject(head: int, _relation: int, _tail: int, _planted: bool) -> bool:
    """Planted: one entity in five is the subject of true facts alone."""
    return head % 5 == 0


def nothing(_head: int, _relation: int, _tail: int, _planted: bool) -> bool:
    return False


def shortcuts(found: Mapping[Split, list[Named]]) -> set[str]:
    results = list(probed(found, facts(), WORDS, ProbeLevel.FAST))
    assert {probe.split for probe in results} == {Split.TEST}
    assert all(probe.result.accuracy is not None for probe in results)
    return {probe.result.name for probe in results if probe.result.shortcut}


def test_random_labels_are_not_predicted() -> None:
    assert shortcuts(questions(nothing, share=0)) == set()


@pytest.mark.parametrize(
    ("label", "name"),
    [
        (other_questions, "the other questions of the split"),
        (subject, "the words of the question"),
    ],
)
def test_a_planted_feature_is_found(label: Label, name: str) -> None:
    """It decides 20% of the questions."""
    assert name in shortcuts(questions(label))


@pytest.mark.parametrize("planted", ["", "age", "relation", "pause"])
def test_what_can_be_counted_of_choices(planted: str) -> None:
    """In 20% of the questions the choice that is first in some order is right for certain."""
    draw = np.random.default_rng(3)
    rows = facts().rows().tolist()
    relations = Counter(relation for _, relation, _, time in rows if time < 30)
    triples = [[tuple(row[:3]) for row in rows if row[1] == index] for index in range(RELATIONS)]
    found: dict[Split, list[Named]] = {}
    for split, size in SIZES.items():
        found[split] = []
        for number in range(size):
            days = draw.permutation(20)[:4].tolist()
            different = draw.permutation(RELATIONS)[:4].tolist()
            some = [
                triples[relation][int(draw.integers(len(triples[relation])))]
                for relation in different
            ]
            answer = int(draw.integers(4))
            if planted and draw.random() < 0.2:
                values = {
                    "age": days,
                    "relation": [-relations[triple[1]] for triple in some],
                    "pause": [day - max((d for d in days if d < day), default=day) for day in days],
                }
                answer = int(np.argmax(values[planted]))
            query = LinkedQuery(
                kind=QuestionKind.FACT_REASONING, time=30, triples=((1, 2, int(draw.integers(60))),)
            )
            choices = tuple((*triple, day) for triple, day in zip(some, days, strict=True))
            question = LinkedQuestion(query=query, split=split, answers=(answer,), choices=choices)
            found[split].append((f"{split}-{number}", question))
    expected = {"age, frequency and subject of the choices"} if planted else set()
    assert shortcuts(found) == expected


def test_no_probe_is_run_on_request() -> None:
    assert not list(probed(questions(nothing), facts(), WORDS, ProbeLevel.NONE))
