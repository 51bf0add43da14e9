"""Samples with known artefacts."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

from grammar.eventhop.model import Label
from solver.probes.findings import Artefacts
from solver.probes.guess import ProbeResult
from solver.probes.sample import FeatureSet, Sample

LABELS = tuple(Label)
RELATIONS = ("before", "after", "overlaps")
NAMES = ("fair", "race", "parade", "regatta", "market", "concert", "vigil", "picnic")


class Studio:
    @staticmethod
    def drawn_samples(
        count: int, label: Callable[[random.Random, str, list[int]], Label], seed: int = 1
    ) -> list[Sample]:
        """Samples with random texts, and a label that may depend on the claim and the kinds."""
        source = random.Random(seed)
        made = []
        for number in range(count):
            relation = source.choice(RELATIONS)
            a, b, c, d = source.sample(NAMES, 4)
            kinds = [source.randrange(4) for _ in range(12)]
            order = source.choice(("before", "after"))
            made.append(
                Sample(
                    premise=f"The end of {a} happened {order} the start of {c} in {number}. "
                    f"The start of {d} happened after the end of {b}",
                    claim=f"the {a} {relation} the {b}",
                    gold=label(source, relation, kinds),
                    relation=relation,
                    events=source.choice((4, 5, 9)),
                    relations=source.choice((4, 9)),
                    kinds=tuple(kinds),
                )
            )
        return made

    @staticmethod
    def at_random(source: random.Random, *_: object) -> Label:
        return source.choice(LABELS)

    @staticmethod
    def by_claim(_: random.Random, relation: str, __: list[int]) -> Label:
        return LABELS[RELATIONS.index(relation)]

    @staticmethod
    def by_kinds(_: random.Random, __: str, kinds: list[int]) -> Label:
        return LABELS[(kinds[0] > 1) + (kinds[3] > 1)]

    @staticmethod
    def by_claim_a_little(source: random.Random, relation: str, _: list[int]) -> Label:
        weights = (1, 1, 0.05) if relation == "overlaps" else (1, 1, 1.3)
        return source.choices(LABELS, weights)[0]

    @staticmethod
    def result(found: Artefacts, seen: FeatureSet) -> ProbeResult:
        return next(result for result in found.guesses if result.seen is seen)

    @staticmethod
    def figures(value: object) -> Iterator[float]:
        if isinstance(value, dict):
            for inner in value.values():
                yield from Studio.figures(inner)
        elif isinstance(value, list | tuple):
            for inner in value:
                yield from Studio.figures(inner)
        elif isinstance(value, float):
            yield value

    @staticmethod
    def sentences(found: Artefacts, *, warning: bool) -> list[str]:
        return [finding.sentence for finding in found.findings if finding.warning is warning]


@pytest.fixture(scope="session")
def studio() -> Studio:
    return Studio()
