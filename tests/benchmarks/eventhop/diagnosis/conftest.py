"""A world to diagnose: items, what every reasoner answers to them, and noisy answers."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import pytest

from benchmarks.eventhop.ablations.reasoners import CLAIM_ONLY, Answers, answer, reasoner
from benchmarks.eventhop.cases import Case
from benchmarks.eventhop.diagnosis.likelihood import Observations, observations, reasoner_answers
from grammar.eventhop.model import Bound, Item, Label, Order, Point, Relation
from solver.eventhop.engines.graph import ClosureEngine
from solver.eventhop.records import ItemPlace, Record

Sampler = Callable[[int, int], list[Item]]


def cases_of(items: Sequence[Item]) -> list[Case]:
    def record(name: str) -> Record:
        place = ItemPlace(file="sampled", line=1)
        return Record(id=name, premise="", claim="", gold=None, label=None, place=place)

    return [
        Case(record=record(item.id), item=item, verdict=verdict, hops=None, distance="")
        for item, verdict in zip(items, ClosureEngine().decide(items), strict=True)
    ]


def noisy_answers(labels: Sequence[Label], *, rate: float, seed: int) -> list[Label]:
    """Each label, or with the given probability one of the two others."""
    source = random.Random(seed)
    return [
        source.choice([other for other in Label if other is not label])
        if source.random() < rate
        else label
        for label in labels
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    cases: list[Case]
    answers: Answers
    labels: Mapping[str, tuple[Label, ...]]

    def noisy(self, name: str, *, seed: int, rate: float = 0.1) -> list[Label]:
        return noisy_answers(self.labels[name], rate=rate, seed=seed)

    def answered(self, labels: Sequence[Label], *, seed: int = 0) -> Observations:
        return observations(self.cases, self.answers, labels, seed=seed)


def contradicted_elsewhere(item: Item) -> Item:
    """The item with two more events, each of which ends before the other starts."""
    pairs = (("F", "G"), ("G", "F"))
    cycle = tuple(
        Relation(
            left=Point(event=name, bound=Bound.END),
            order=Order.BEFORE,
            right=Point(event=other, bound=Bound.START),
        )
        for name, other in pairs
    )
    return replace(item, premise=(*item.premise, *cycle))


@pytest.fixture(scope="session")
def world(sampled: Sampler) -> World:
    items = [
        contradicted_elsewhere(item) if number % 4 == 0 else item
        for number, item in enumerate(sampled(11, 600))
    ]
    cases = cases_of(items)
    answers = reasoner_answers(cases)
    decided = [case.verdict.label for case in cases]
    claim_only = answer(items, decided, reasoners=[reasoner(CLAIM_ONLY)])
    return World(cases=cases, answers=answers, labels={**answers.labels, **claim_only.labels})


@pytest.fixture(scope="session")
def cases_from() -> Callable[[Sequence[Item]], list[Case]]:
    """Decides items, as if they had been read from a file."""
    return cases_of
