"""Forged certificates: whatever is changed, the checker accepts no wrong verdict.

What is true of an item is computed here from the definitions alone: walks by a fixpoint over pairs
of points, and timelines by enumerating all weak orders.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from operator import itemgetter
from typing import Any, NamedTuple

import pytest

from grammar.eventhop.model import Bound, Item, Label, Point, Relation, Status, Verdict
from solver.eventhop import check
from solver.eventhop.certificates.lines import texts, to_json, verdict_to_json
from solver.eventhop.certificates.make import UncertifiableError, certify, hops

from .test_certificates import small_items

POLICIES = ("local", "global")
FAR = 99


class Truth(NamedTuple):
    """A verdict by definition, as JSON values without the label."""

    status: str
    consistent: bool
    hops: int | None

    def label(self, policy: str) -> str:
        if self.status == "contradictory" or (policy == "global" and not self.consistent):
            return "undefined"
        return "true" if self.status == "entailed" else "false"

    def verdict(self, policy: str) -> dict[str, Any]:
        return {**self._asdict(), "label": self.label(policy)}


def lengths(item: check.Item) -> dict[tuple[int, int, bool], int]:
    """Fewest relations of the walks between points, without and with a strict step."""
    points = range(len(item.points))
    length = {(p, q, s): FAR for p in points for q in points for s in (False, True)}
    for p in points:
        length[p, p, False] = 0
    for p, strict, q, cost in item.steps:
        length[p, q, strict] = min(length[p, q, strict], cost)
    changed = True
    while changed:
        changed = False
        for (p, via, flag), (_, q, other) in product(list(length), repeat=2):
            if _ != via:
                continue
            both = length[p, via, flag] + length[via, q, other]
            if both < length[p, q, flag or other]:
                length[p, q, flag or other] = both
                changed = True
    return length


def truth(item: check.Item) -> Truth:
    """Status, consistency and hops by the definitions."""
    length = lengths(item)
    points = range(len(item.points))

    def cost(lower: int, strict: bool, upper: int) -> int:
        walks = [length[lower, upper, True]] + ([] if strict else [length[lower, upper, False]])
        return min(walks)

    consistent = all(length[p, p, True] >= FAR for p in points)
    rounds = [
        length[p, p, True]
        if p == q
        else min(
            length[p, q, out] + length[q, p, back]
            for out, back in ((True, True), (True, False), (False, True))
        )
        for p, q in item.pairs
    ]
    if min(rounds) < FAR:
        return Truth("contradictory", consistent, min(rounds))
    derived = [cost(*need) for need in item.needs]
    if max(derived) < FAR:
        return Truth("entailed", consistent, max(derived))
    refuted = [cost(upper, not strict, lower) for lower, strict, upper in item.needs]
    if min(refuted) < FAR:
        return Truth("refuted", consistent, min(refuted))
    return Truth("unknown", consistent, None)


def proves(item: check.Item, verdict: object, policy: str, certificate: object) -> bool:
    try:
        check.check_verdict(item, verdict, policy, certificate)
    except check.RejectedError:
        return False
    return True


VERDICTS = [
    Verdict(status=status, consistent=consistent, label=Label.TRUE)
    for status in Status
    for consistent in (True, False)
]


def made(item: Item) -> Iterator[tuple[Verdict, dict[str, Any], int | None]]:
    """All certificates that can be made for an item, for right and wrong verdicts."""
    for verdict in VERDICTS:
        try:
            certificate = certify(item, verdict)
        except UncertifiableError:
            continue
        yield verdict, to_json(certificate), hops(certificate)


SMALL = [item for item in small_items(20261122, 500) if len(item.premise) <= 6]


def test_the_smallest_forgery_is_rejected(item_of: Any) -> None:
    """Both orders can be derived: one walk alone proves nothing."""
    item = check.Item(texts(item_of("A+ < B-, B+ < A-", "A before B")))
    chain = {"from": "end of A", "steps": [0]}
    flat = [[name, 0] for name in item.points]
    apart = [["start of A", 0], ["end of A", 1], ["start of B", 2], ["end of B", 3]]
    for timelines in ([], [flat], [apart], [flat, apart]):
        distances = [{"from": "end of A", "beyond": 1, "near": [["end of A", 0, 1]]}]
        certificate = {"walks": [chain], "cycle": None, "timelines": timelines}
        verdict = Truth("entailed", True, 1).verdict("local")
        assert not proves(item, verdict, "local", certificate | {"distances": distances})


def test_right_verdicts_are_proved_and_no_certificate_proves_another() -> None:
    """Every certificate that a maker makes, with every status, consistency and hops."""
    seen: Counter[str] = Counter()
    for small_item in SMALL:
        item = check.Item(texts(small_item))
        right = truth(item)
        proved = False
        for _, certificate, distance in made(small_item):
            near = {None, 0, 1, distance, right.hops, (distance or 0) + 1}
            for status, consistent, count in product(Status, (True, False), near):
                stated = Truth(status.value, consistent, count)
                if proves(item, stated.verdict("local"), "local", certificate):
                    assert stated == right, (small_item, stated, right)
                    proved = True
        assert proved, (small_item, right)
        seen[right.status, right.consistent] += 1
    assert len(seen) == 7
    assert min(seen.values()) >= 3


@pytest.mark.parametrize("policy", POLICIES)
def test_no_other_label_is_proved(policy: str) -> None:
    for small_item in SMALL[:150]:
        item = check.Item(texts(small_item))
        right = truth(item)
        (certificate,) = [
            certificate
            for verdict, certificate, _ in made(small_item)
            if (verdict.status, verdict.consistent) == (right.status, right.consistent)
        ]
        labels = [
            label.value
            for label in Label
            if proves(item, right.verdict(policy) | {"label": label.value}, policy, certificate)
        ]
        assert labels == [right.label(policy)]


def mutants(value: Any, source: random.Random) -> Any:
    """A copy with one number, list or name changed."""
    whole = copy.deepcopy(value)
    places: list[tuple[Any, Any]] = []
    fresh = [whole]
    while fresh:
        part = fresh.pop()
        keys = part.keys() if isinstance(part, dict) else range(len(part))
        for key in keys:
            places.append((part, key))
            if isinstance(part[key], dict | list):
                fresh.append(part[key])
    part, key = source.choice(places)
    old = part[key]
    if isinstance(old, list):
        change = source.randrange(3)
        if change == 0 or not old:
            part[key] = []
        elif change == 1:
            old.pop(source.randrange(len(old)))
        else:
            old.insert(source.randrange(len(old) + 1), copy.deepcopy(source.choice(old)))
    elif isinstance(old, int):
        part[key] = source.choice([old + 1, old - 1, 0, 1, -1, True, None, 1.0])
    elif isinstance(old, str):
        part[key] = source.choice(["start of A", "end of A", "start of B", "end of B", "X", 0])
    else:
        part[key] = source.choice([0, 1, None, {"from": "start of A", "steps": [0, None]}])
    return whole


def test_no_mutant_proves_a_wrong_verdict() -> None:
    """One to three changes in the certificate, any change in the verdict."""
    source = random.Random(7)
    rejected = accepted = 0
    for small_item in SMALL[:250]:
        item = check.Item(texts(small_item))
        right = truth(item)
        for _, certificate, _ in made(small_item):
            for _ in range(8):
                changed = certificate
                for _ in range(source.randint(1, 3)):
                    changed = mutants(changed, source)
                count = right.hops
                if source.random() < 0.3:
                    count = source.choice([None, 0, 1, 2, 3])
                stated = Truth(source.choice([*Status]).value, source.random() < 0.5, count)
                for verdict in (stated, right):
                    if proves(item, verdict.verdict("local"), "local", changed):
                        assert verdict == right, (small_item, changed, verdict)
                        accepted += 1
                    else:
                        rejected += 1
    assert rejected > 5_000
    assert accepted > 100


# Exhaustive over small premises: all timelines and all walks within a bound, at once.


def weak_orders(size: int) -> list[tuple[int, ...]]:
    """All ways to place points on instants 0, 1, ... without a gap."""
    return [
        instants
        for instants in product(range(size), repeat=size)
        if set(instants) == set(range(max(instants) + 1))
    ]


ORDERS = {size: weak_orders(size) for size in (2, 4)}


def small_premises(events: str) -> list[list[check.Sentence]]:
    """All premises of at most two relations of some events."""
    places = [(event, bound) for event in events for bound in (0, 1)]
    sentences = [check.Sentence(p, sign, q) for p, q in product(places, repeat=2) for sign in "<="]
    return [[], *([sentence] for sentence in sentences), *map(list, combinations(sentences, 2))]


def claims(events: str) -> list[check.Claim]:
    """All claims about some events and their points."""
    places = [(event, bound) for event in events for bound in (0, 1)]
    points = [check.Sentence(p, s, q) for p, q in product(places, repeat=2) for s in "<>="]
    named = [
        (left, name, right) for left, right in product(events, repeat=2) for name in check.CLAIMS
    ]
    return [*points, *named]


def walks(item: check.Item, longest: int) -> list[tuple[dict[str, Any], check.Walk]]:
    """All walks of at most some steps."""
    names = {number: name for name, number in item.points.items()}
    found = []
    fresh: list[tuple[int, list[int | None]]] = [(p, []) for p in names]
    while fresh:
        start, steps = fresh.pop()
        value = {"from": names[start], "steps": steps}
        try:
            walk = check.Walk(item, value)
        except check.RejectedError:
            continue
        found.append((value, walk))
        if len(steps) < longest:
            fresh += [(start, [*steps, step]) for step in (None, *range(len(item.relations)))]
    return found


def certifiable(premise: list[check.Sentence], claim: check.Claim) -> set[tuple[str, bool]]:
    """The statuses, with consistency, that any certificate within the bound proves.

    More timelines never harm a certificate, so all of them are given at once; distances are left
    to the tests above: a table with one number too large for its claim is rejected there.
    """
    item = check.Item(check.Texts(premise, claim))
    timelines = []
    for instants in ORDERS[len(item.points)]:
        value = [[name, instants[number]] for name, number in item.points.items()]
        try:
            check.Timeline(item, value)
        except check.RejectedError:
            continue
        timelines.append(value)
    every = walks(item, 5)
    length = lengths(item)
    names = list(item.points)
    distances = [
        {
            "from": name,
            "beyond": FAR,
            "near": [[n, length[p, q, False], length[p, q, True]] for q, n in enumerate(names)],
        }
        for p, name in enumerate(names)
    ]
    cycles = [None, *(v for v, walk in every if walk.first == walk.last and walk.strict)]
    opposites = [check.Need(q, not s, p) for p, s, q in item.needs]
    proofs: list[list[dict[str, Any]]] = [[]]
    direct = [[(walk.cost, v) for v, walk in every if walk.derives(need)] for need in item.needs]
    if all(direct):
        proofs += [[min(some, key=itemgetter(0))[1] for some in direct]]
    against = [(walk.cost, v) for v, walk in every if any(map(walk.derives, opposites))]
    if against:
        proofs += [[choose(against, key=itemgetter(0))[1]] for choose in (min, max)]
    found = set()
    for cycle, some in product(cycles, proofs):
        certificate = {
            "walks": some,
            "cycle": cycle,
            "timelines": timelines,
            "distances": distances,
        }
        for status, consistent in product(Status, (True, False)):
            for count in (None, 0, 1, 2, 3):
                stated = Truth(status.value, consistent, count)
                if proves(item, stated.verdict("local"), "local", certificate):
                    found.add((status.value, consistent))
                    assert stated == truth(item), (premise, claim, stated)
    return found


PREMISES = small_premises("AB")
CLAIMS = claims("AB")


def assert_only_the_truth(seed: int, count: int) -> None:
    source = random.Random(seed)
    for _ in range(count):
        premise, claim = source.choice(PREMISES), source.choice(CLAIMS)
        right = truth(check.Item(check.Texts(premise, claim)))
        assert certifiable(premise, claim) == {(right.status, right.consistent)}, (premise, claim)


def test_within_a_bound_only_the_truth_has_a_certificate() -> None:
    assert_only_the_truth(3, 25)


@pytest.mark.slow
def test_within_a_bound_only_the_truth_has_a_certificate_at_length() -> None:
    assert_only_the_truth(4, 5_000)


def test_a_claim_about_points_of_the_model_is_read_alike() -> None:
    """The adapter of parsed items, which the tests above rest on."""
    p, q = Point(event="A", bound=Bound.END), Point(event="B", bound=Bound.START)
    relation = Relation(left=p, order="after", right=q)  # type: ignore[arg-type]
    stated = texts(Item(id="1", premise=(relation,), claim=relation))
    assert stated == check.Texts([check.Sentence(("A", 1), ">", ("B", 0))], stated.premise[0])
    assert verdict_to_json(VERDICTS[0], 3)["hops"] == 3
