"""Tampered certificates: the checker rejects all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from grammar.eventhop.model import (
    Certificate,
    Chain,
    Cycle,
    Domain,
    Item,
    Order,
    Point,
    SpatialReading,
    Status,
    Step,
    Timelines,
    Walk,
)
from grammar.eventhop.reader import Reader
from solver.eventhop.certificates.check import (
    Fact,
    certificate_error,
    duration_facts,
    relation_facts,
)
from solver.eventhop.certificates.make import certify
from solver.eventhop.engines import EngineName, engine
from solver.eventhop.io import read_records
from solver.eventhop.records import Record

ItemMaker = Callable[[str, str], Item]
RandomItems = Callable[[int, int], list[Item]]

GRAPH = engine(EngineName.GRAPH)
FILES = ["temporal_test", "temporal_train", "spatial_test", "logical_test"]


class Tampered(NamedTuple):
    """A modification and the tampered certificate."""

    how: str
    status: Status
    certificate: Certificate


def tamperings(item: Item, status: Status, certificate: Certificate) -> Iterator[Tampered]:
    """Modifications that invalidate a certificate."""
    for other in set(Status) - {status}:
        yield Tampered("status changed", other, certificate)
    if isinstance(certificate, Chain):
        changed = _chains(item, certificate)
    elif isinstance(certificate, Cycle):
        changed = _cycles(item, certificate)
    else:
        changed = _timelines(item, certificate)
    for how, made in changed:
        yield Tampered(how, status, made)


def _chains(item: Item, chain: Chain) -> Iterator[tuple[str, Certificate]]:
    walks = chain.walks
    for n, walk in enumerate(walks):
        for how, made in _walks(item, walk):
            yield how, Chain(walks=(*walks[:n], made, *walks[n + 1 :]))
        derived = {(w[0].source, w[-1].target) for w in walks}
        if len(derived) == len(walks) > 1:
            yield "walk left out", Chain(walks=(*walks[:n], *walks[n + 1 :]))
    if walks:
        yield "all walks left out", Chain(walks=())


def _cycles(item: Item, cycle: Cycle) -> Iterator[tuple[str, Certificate]]:
    for how, made in _walks(item, cycle.forward):
        yield how, replace(cycle, forward=made)
    for how, made in _walks(item, cycle.backward):
        yield how, replace(cycle, backward=made)
    yield (
        "backward walk left out" if cycle.backward else "forward walk twice",
        replace(cycle, backward=() if cycle.backward else cycle.forward),
    )
    yield "forward walk left out", replace(cycle, forward=cycle.backward, backward=())
    if cycle.backward:
        yield "one walk for both", replace(cycle, backward=cycle.forward)
    for index in cycle.core:
        core = tuple(one for one in cycle.core if one != index)
        yield "core without one", replace(cycle, core=core)
    for index in sorted(set(range(len(item.premise))) - set(cycle.core)):
        yield "core with one more", replace(cycle, core=(*cycle.core, index))
    yield "core out of range", replace(cycle, core=(*cycle.core, len(item.premise)))
    yield "core negative", replace(cycle, core=(-1, *cycle.core))


def _walks(item: Item, walk: Walk) -> Iterator[tuple[str, Walk]]:
    for n, step in enumerate(walk):
        yield "step removed", (*walk[:n], *walk[n + 1 :])
        for how, made in _steps(item, step):
            yield how, (*walk[:n], made, *walk[n + 1 :])


def _steps(item: Item, step: Step) -> Iterator[tuple[str, Step]]:
    yield "strictness changed", replace(step, strict=not step.strict)
    if step.source != step.target:
        yield "direction flipped", replace(step, source=step.target, target=step.source)
    fact = Fact(step.source, step.strict, step.target)
    for index, relation in enumerate(item.premise):
        if fact not in relation_facts(relation):
            yield "relation changed", replace(step, relation=index)
    yield "relation out of range", replace(step, relation=len(item.premise))
    yield "relation negative", replace(step, relation=-len(item.premise) - 1)
    if fact not in duration_facts([step.source.event]):
        yield "relation for axiom", replace(step, relation=None)


def _timelines(item: Item, timelines: Timelines) -> Iterator[tuple[str, Certificate]]:
    yield "timelines exchanged", Timelines(holds=timelines.fails, fails=timelines.holds)
    yield "one timeline twice", Timelines(holds=timelines.holds, fails=timelines.holds)
    yield "one timeline twice", Timelines(holds=timelines.fails, fails=timelines.fails)
    named = {point.event for relation in item.premise for point in (relation.left, relation.right)}
    facts = [
        fact for relation in item.premise for fact in relation_facts(relation)
    ] + duration_facts(named)
    for which in ("holds", "fails"):
        line = dict(getattr(timelines, which))
        for fact in facts:
            for how, moved in _moved(line, fact):
                yield how, replace(timelines, **{which: moved})
        for relation in item.premise:
            if relation.order is Order.SIMULTANEOUS and relation.left != relation.right:
                apart = line | {relation.left: line[relation.left] + 1}
                yield "simultaneous points parted", replace(timelines, **{which: apart})


def _moved(line: dict[Point, int], fact: Fact) -> Iterator[tuple[str, dict[Point, int]]]:
    """Move points of the fact so that it fails, outside any cycle."""
    lower, upper = fact.lower, fact.upper
    # Points of a cycle share an instant, where a relation may be violated.
    if line[lower] >= line[upper]:
        return
    yield "point moved too late", line | {lower: line[upper]}
    yield "point moved past", line | {lower: line[upper] + 1}
    yield "point moved too early", line | {upper: line[lower]}
    yield "point left out", {p: instant for p, instant in line.items() if p != lower}


def assert_all_rejected(items: list[Item]) -> Counter[str]:
    tried: Counter[str] = Counter()
    for item, verdict in zip(items, GRAPH.decide(items), strict=True):
        certificate = certify(item, verdict)
        assert certificate_error(item, verdict.status, certificate) is None
        for tampered in tamperings(item, verdict.status, certificate):
            found = certificate_error(item, tampered.status, tampered.certificate)
            assert found is not None, (tampered.how, item, tampered.certificate)
            tried[tampered.how] += 1
    return tried


EVERY_WAY = {
    *("status changed", "walk left out", "all walks left out", "backward walk left out"),
    *("forward walk left out", "one walk for both", "core without one", "core with one more"),
    *("core out of range", "core negative", "step removed", "strictness changed"),
    *("direction flipped", "relation changed", "relation out of range", "relation negative"),
    *("relation for axiom", "timelines exchanged", "one timeline twice", "point moved too late"),
    *("point moved past", "point moved too early", "point left out", "simultaneous points parted"),
}


def test_no_tampered_certificate_of_a_random_item_passes(random_items: RandomItems) -> None:
    small = [item for item in random_items(11, 900) if len(item.premise) <= 12]
    tried = assert_all_rejected(small)
    assert {how for how in EVERY_WAY if tried[how] < 10} == set()


CASES = [
    ("A- < A+", "A overlaps A"),
    ("A- < C-, C- < A-", "A before A"),
    ("A- < A-", "A- < A-"),
    ("A- = B-, A- < B-", "A before B"),
    ("C- < D-, D- < C-, A- < B-", "A before B"),
    ("A+ = C-, C- = B-", "A allen_meets B"),
]


@pytest.mark.parametrize(("premise", "claim"), CASES)
def test_no_tampered_certificate_of_an_odd_item_passes(
    item_of: ItemMaker, premise: str, claim: str
) -> None:
    assert assert_all_rejected([item_of(premise, claim)])


def test_a_detour_is_rejected(item_of: ItemMaker) -> None:
    """A chain must be minimal, even if each step is justified."""
    item = item_of("A+ < B-, A+ < C-, C- < B-", "A before B")
    p, q, r = (
        relation.left for relation in item_of("A+ < X-, C- < X-, B- < X-", "A before B").premise
    )
    straight = Step(source=p, target=r, strict=True, relation=0)
    there = Step(source=p, target=q, strict=True, relation=1)
    on = Step(source=q, target=r, strict=True, relation=2)
    for walk, passes in (((straight,), True), ((there, on), True)):
        assert (certificate_error(item, Status.ENTAILED, Chain(walks=(walk,))) is None) is passes
    item = item_of("A+ < B-, A+ = C+", "A before B")
    q = item.premise[1].right
    out = Step(source=p, target=q, strict=False, relation=1)
    back = Step(source=q, target=p, strict=False, relation=1)
    detour = Chain(walks=((out, back, straight),))
    found = certificate_error(item, Status.ENTAILED, detour)
    assert found is not None
    assert "does not need" in found


def test_a_core_must_be_in_the_component_of_the_pair(item_of: ItemMaker) -> None:
    item = item_of("A- < B-, B- < A-, C- < D-, D- < C-", "A before B")
    (verdict,) = GRAPH.decide([item])
    certificate = certify(item, verdict)
    assert isinstance(certificate, Cycle)
    assert certificate.core == (0, 1)
    found = certificate_error(item, Status.CONTRADICTORY, replace(certificate, core=(2, 3)))
    assert found == "relation 2 of the core is not in the pair's component"


def test_points_not_in_the_claim_are_rejected(item_of: ItemMaker) -> None:
    item = item_of("A- < B-, B- < A-, C- < D-, D- < C-", "A before B")
    other = item_of("A- < B-, B- < A-, C- < D-, D- < C-", "C before D")
    (verdict,) = GRAPH.decide([other])
    elsewhere = certify(other, verdict)
    assert certificate_error(other, verdict.status, elsewhere) is None
    found = certificate_error(item, verdict.status, elsewhere)
    assert found == "the walks' points are not points of the claim"


def real_items(shared: Path, name: str) -> list[Item]:
    reader = Reader(Domain(name.partition("_")[0]), SpatialReading.GEOMETRIC)
    records = read_records(shared / "data" / "eventhop" / f"{name}.tsv.gz")
    return [reader.read(r.id, r.premise, r.claim) for r in records if isinstance(r, Record)]


@pytest.mark.parametrize("name", FILES)
def test_no_tampered_certificate_of_the_real_files_passes(shared: Path, name: str) -> None:
    tried = assert_all_rejected(real_items(shared, name)[::24])
    assert {how for how in EVERY_WAY if not tried[how]} == set()


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_no_tampered_certificate_of_any_real_item_passes(shared: Path, name: str) -> None:
    tried = assert_all_rejected(real_items(shared, name))
    assert sum(tried.values()) > 10_000
