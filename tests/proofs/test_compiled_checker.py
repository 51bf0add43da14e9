"""The compiled checker accepts what a checker in Python accepts that was written from the text.

Items, verdicts and certificates are nested lists and tuples of integers, as the compiled checker
reads them: a list has its length before it, a tuple has not.
"""

from __future__ import annotations

import random
import subprocess
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any, TypeAlias

import pytest

BEFORE, AFTER, SIMULTANEOUS, NOT_AFTER, NOT_BEFORE = range(5)
SIGNS = ("<", ">", "=", "<=", ">=")
ENTAILED, REFUTED, UNKNOWN, CONTRADICTORY = range(4)
TRUE, FALSE, UNDEFINED = range(3)
DURATION = NO_HOPS = -1
INFINITE = 10**30  # longer than a machine integer

# For each kind of claim about events, the comparisons of its points; s is the start, e the end.
EVENT_CLAIMS = {
    **{0: "e<=s", 1: "s>=e", 2: "s<e e>s"},
    **{6: "e<s", 7: "e=s", 8: "s<s e>s e<e", 9: "s<s e=e", 10: "s<s e>e", 11: "s=s e<e"},
    **{12: "s=s e=e", 13: "s=s e>e", 14: "s>s e<e", 15: "s>s e=e", 16: "s>s s<e e>e"},
    **{17: "s=e", 18: "s>e"},
}
POINT_CLAIMS = {3: "<", 4: ">", 5: "=", 19: "<=", 20: ">="}
KINDS = [*EVENT_CLAIMS, *POINT_CLAIMS]
# (lower, strict, upper)
Need: TypeAlias = tuple[int, bool, int]


def inequalities(p: int, sign: str, q: int) -> list[Need]:
    if sign == "=":
        return [(p, False, q), (q, False, p)]
    return [(p, "=" not in sign, q) if sign[0] == "<" else (q, "=" not in sign, p)]


def opposite(need: Need) -> Need:
    return need[2], not need[1], need[0]


class Item:
    """What follows at once from a premise and a claim."""

    def __init__(self, premise: list[tuple[int, int, int]], claim: tuple[int, int, int]) -> None:
        kind, a, b = claim
        self.premise = premise
        if kind in POINT_CLAIMS:
            self.claimed = {a, b}
            self.needs = inequalities(a, POINT_CLAIMS[kind], b)
        else:
            self.claimed = {2 * a, 2 * a + 1, 2 * b, 2 * b + 1}
            self.needs = [
                need
                for text in EVENT_CLAIMS[kind].split()
                for need in inequalities(
                    2 * a + (text[0] == "e"), text[1:-1], 2 * b + (text[-1] == "e")
                )
            ]
        mentioned = {p for left, _, right in premise for p in (left, right)} | self.claimed
        self.points = range(2 * (max(mentioned) // 2 + 1))
        self.pairs = [(p, q) for p, q in product(self.claimed, repeat=2) if p != q or a == b]
        self.steps = [(p, True, p + 1, 0, DURATION) for p in self.points[::2]]
        for index, (p, order, q) in enumerate(premise):
            for lower, strict, upper in inequalities(p, SIGNS[order], q):
                self.steps.append((lower, strict, upper, 1, index))


def walked(item: Item, route: tuple[int, list[int]]) -> tuple[Need, int, set[int]] | None:
    """What a walk derives, what it costs, and the points that it passes."""
    first, strides = route
    here, strict, passed = first, False, {first}
    for stride in strides:
        leaving = [step for step in item.steps if step[0] == here and step[4] == stride]
        if not leaving:
            return None
        _, is_strict, here, _, _ = leaving[0]
        strict |= is_strict
        passed.add(here)
    cost = sum(stride != DURATION for stride in strides)
    return (first, strict, here), cost, passed


def derives(found: tuple[Need, int, set[int]] | None, need: Need) -> bool:
    return (
        found is not None
        and (found[0][0], found[0][2]) == (need[0], need[2])
        and found[0][1] >= need[1]
    )


def accepts(
    item: Item, policy: int, verdict: tuple[int, int, int, int], certificate: tuple[Any, ...]
) -> bool:
    """The checks of the table of witnesses, one by one."""
    status, consistent, label, hops = verdict
    walks, cycles, lines, tables = certificate
    if len(cycles) > 1 or hops < NO_HOPS or any(len(line) != len(item.points) for line in lines):
        return False
    if any(line[p] > line[q] for line in lines for p, _, q, _, _ in item.steps):
        return False
    slack = [{f[p] for p, strict, q, _, _ in item.steps if strict and f[p] == f[q]} for f in lines]
    timelines = list(zip(lines, slack, strict=True))

    distance: list[tuple[int, dict[tuple[int, bool], int]]] = []
    for origin, loose, strict in tables:
        if len(loose) != len(item.points) or len(strict) != len(item.points):
            return False
        d = {(p, flag): (strict if flag else loose)[p] for p in item.points for flag in (0, 1)}
        if d.get((origin, False), 0) > 0:
            return False
        for (p, is_strict, q, cost, _), flag in product(item.steps, (False, True)):
            if d[q, flag or is_strict] > d[p, flag] + cost:
                return False
        distance.append((origin, d))

    def bounds(need: Need) -> list[int]:
        lower, is_strict, upper = need
        flags = [True] if is_strict else [False, True]
        return [min(d[upper, f] for f in flags) for origin, d in distance if origin == lower]

    def at_least(need: Need) -> bool:
        return hops == 0 or max(bounds(need), default=-INFINITE) >= hops

    def around(p: int, q: int) -> bool:
        if p == q:
            return at_least((p, True, p))
        ways = (
            ((p, True, q), (q, False, p)),
            ((p, False, q), (q, True, p)),
        )
        return all(
            max(bounds(out), default=-INFINITE) + max(bounds(back), default=-INFINITE) >= hops
            for out, back in ways
        )

    def open_(need: Need) -> bool:
        lower, is_strict, upper = need
        return any(
            f[upper] < f[lower] or (is_strict and f[upper] == f[lower] and f[lower] not in loose)
            for f, loose in timelines
        )

    closed = walked(item, cycles[0]) if cycles else None
    derived = [walked(item, walk) for walk in walks]
    if consistent:
        if cycles or not any(not loose for _, loose in timelines):
            return False
    elif closed is None or not derives(closed, (cycles[0][0], True, cycles[0][0])):
        return False
    if label != labelled(policy, status, bool(consistent)):
        return False
    if status == CONTRADICTORY:
        return (
            not walks
            and closed is not None
            and closed[1] == hops
            and any({p, q} <= closed[2] for p, q in item.pairs)
            and all(around(p, q) for p, q in item.pairs)
        )
    if not any(
        all(f[p] != f[q] or f[p] not in loose for p, q in item.pairs) for f, loose in timelines
    ):
        return False
    if status == UNKNOWN:
        return (
            hops == NO_HOPS
            and not walks
            and any(map(open_, item.needs))
            and all(open_(opposite(need)) for need in item.needs)
        )
    costs = [found[1] for found in derived if found]
    if status == ENTAILED:
        return (
            len(walks) == len(item.needs)
            and all(map(derives, derived, item.needs))
            and max(costs) == hops
            and any(map(at_least, item.needs))
        )
    return (
        len(walks) == 1
        and costs == [hops]
        and any(derives(derived[0], opposite(need)) for need in item.needs)
        and all(at_least(opposite(need)) for need in item.needs)
    )


def labelled(policy: int, status: int, consistent: bool) -> int:
    if status == CONTRADICTORY or (policy == 1 and not consistent):
        return UNDEFINED
    return TRUE if status == ENTAILED else FALSE


State: TypeAlias = tuple[int, bool]


def shortest(item: Item, origin: int) -> dict[State, tuple[int, list[int]]]:
    """The cost and the steps of the shortest walk to each point, without and with a strict step."""
    reached: dict[State, tuple[int, list[int]]] = {(origin, False): (0, [])}
    changed = True
    while changed:
        changed = False
        for (p, strict, q, cost, index), flag in product(item.steps, (False, True)):
            if (p, flag) in reached:
                so_far, strides = reached[p, flag]
                if so_far + cost < reached.get((q, flag or strict), (INFINITE,))[0]:
                    reached[q, flag or strict] = so_far + cost, [*strides, index]
                    changed = True
    return reached


def certified(item: Item, policy: int) -> tuple[tuple[int, int, int, int], tuple[Any, ...]]:
    """The verdict on an item by the definitions, and a certificate of it."""
    reached = {p: shortest(item, p) for p in item.points}

    def walk(need: Need) -> tuple[int, list[int]] | None:
        lower, is_strict, upper = need
        flags = [True] if is_strict else [False, True]
        found = [reached[lower][upper, flag] for flag in flags if (upper, flag) in reached[lower]]
        return min(found, default=None)

    after = {p: {q for q, _ in reached[p]} for p in item.points}
    below = {p: [q for q in item.points if p in after[q]] for p in item.points}
    # Components in topological order: the points of one share an instant, and no others.
    line = [
        len(below[p]) * len(item.points) + min(q for q in below[p] if q in after[p])
        for p in item.points
    ]

    def counterexample(need: Need) -> list[int]:
        lower, _, upper = need
        top = max(line) + 1
        between = after[lower] & {*below[upper]}
        return [
            top if p in between else line[p] + (top + 1 if p in after[lower] else 0)
            for p in item.points
        ]

    opposites = [opposite(need) for need in item.needs]
    loops = [
        (out[0] + back[0], p, out[1] + back[1])
        for p, q in item.pairs
        for strict in (True, False)
        if (out := walk((p, strict, q))) and (back := walk((q, not strict, p)))
    ]
    cyclic = [(p, found[1]) for p in item.points if (found := walk((p, True, p)))]
    walks, cycles, lines, hops = [], cyclic[:1], [line], NO_HOPS
    if loops:
        status = CONTRADICTORY
        hops, first, strides = min(loops)
        cycles = [(first, strides)]
    elif all(map(walk, item.needs)):
        status = ENTAILED
        walks = [(need[0], walk(need)[1]) for need in item.needs]
        hops = max(walk(need)[0] for need in item.needs)
    elif any(map(walk, opposites)):
        status = REFUTED
        hops, strides, first = min((*walk(need), need[0]) for need in opposites if walk(need))
        walks = [(first, strides)]
    else:
        status = UNKNOWN
        lines += map(counterexample, [*item.needs, *opposites])
    tables = [
        (p, *[[reached[p].get((q, s), (INFINITE,))[0] for q in item.points] for s in (False, True)])
        for p in sorted(item.claimed)
    ]
    verdict = (status, int(not cyclic), labelled(policy, status, not cyclic), hops)
    return verdict, (walks, cycles, lines, [] if status == UNKNOWN else tables)


PROCEDURES = range(2, 34)
"""Numbers of the published procedure with some faults repaired, in the place of the policy."""


def numbers(tree: Any) -> str:
    """Integers in the order in which the compiled checker reads them."""
    if isinstance(tree, int):
        return str(int(tree))
    length = [len(tree)] if isinstance(tree, list) else []
    return " ".join([*map(str, length), *map(numbers, tree)])


def mutant(tree: Any, rng: random.Random) -> Any:
    """The tree with one number changed, or one element of a list removed or repeated."""
    if isinstance(tree, int):
        return rng.choice([tree + 1, tree - 1, rng.randrange(6)])
    if not tree:
        return tree
    place = rng.randrange(len(tree))
    if isinstance(tree, tuple):
        return (*tree[:place], mutant(tree[place], rng), *tree[place + 1 :])
    kind = rng.randrange(8)
    changed = mutant(tree[place], rng)
    middle = [[], [tree[place]] * 2][kind] if kind < 2 else [changed]
    return [*tree[:place], *middle, *tree[place + 1 :]]


def random_item(rng: random.Random) -> tuple[list[tuple[int, int, int]], tuple[int, int, int]]:
    events = rng.randint(1, 4)
    points = range(2 * events)
    order = rng.choice([[*points], rng.sample(points, len(points))])
    premise = []
    for _ in range(rng.randrange(6)):
        p, q = rng.choice(points), rng.choice(points)
        sign = rng.choice([BEFORE, BEFORE, AFTER, SIMULTANEOUS, NOT_AFTER, NOT_BEFORE])
        # Half of the premises follow an order, so that many are consistent.
        if order == [*points] and sign != SIMULTANEOUS and p != q:
            p, q = sorted((p, q), reverse=sign in (AFTER, NOT_BEFORE))
        premise.append((p, sign, q))
    kind = rng.choice(KINDS)
    sides = points if kind in POINT_CLAIMS else range(events)
    return premise, (kind, rng.choice(sides), rng.choice(sides))


def answers(built: Path, lines: list[str]) -> list[str]:
    ran = subprocess.run(
        [built / "check"], input="\n".join(lines), capture_output=True, text=True, check=True
    )
    return ran.stdout.split()


def well_formed(case: Any) -> bool:
    """Whether the numbers are in the ranges of what they stand for."""
    (premise, claim), policy, (status, consistent, label, hops), certificate = case
    points = [p for left, _, right in premise for p in (left, right)]
    points += [*claim[1:], *(first for part in certificate[:2] for first, _ in part)]
    strides = [s for part in certificate[:2] for _, route in part for s in route]
    return (
        all(p >= 0 for p in [*points, *(table[0] for table in certificate[3])])
        and all(s >= DURATION for s in strides)
        and all(order in range(5) for _, order, _ in premise)
        and claim[0] in KINDS
        and policy in range(2)
        and (status in range(4), consistent in range(2), label in range(3), hops >= NO_HOPS)
        == (True, True, True, True)
        and len(certificate[1]) <= 1
    )


def judged(case: Any) -> str:
    if not well_formed(case):
        return "malformed"
    (premise, claim), policy, verdict, certificate = case
    return "accepted" if accepts(Item(premise, claim), policy, verdict, certificate) else "rejected"


def compare(built: Path, cases: list[Any]) -> Counter[str]:
    expected = [judged(case) for case in cases]
    found = answers(built, [numbers(case) for case in cases])
    differing = [
        case for case, name, two in zip(cases, expected, found, strict=True) if name != two
    ]
    assert differing == []
    return Counter(found)


@pytest.fixture(scope="module")
def honest() -> list[Any]:
    """Items with their verdicts and certificates."""
    rng = random.Random(5)
    cases = []
    for _ in range(400):
        described, policy = random_item(rng), rng.randrange(2)
        cases.append((described, policy, *certified(Item(*described), policy)))
    return cases


def test_every_status_and_consistency_occurs(honest: list[Any]) -> None:
    """A contradictory claim has an inconsistent premise; all other pairs are possible."""
    seen = Counter((verdict[0], verdict[1]) for _, _, verdict, _ in honest)
    assert len(seen) == 7
    assert min(seen.values()) >= 3


def test_certificates_are_accepted(built: Path, honest: list[Any]) -> None:
    assert compare(built, honest) == {"accepted": len(honest)}


def test_certificates_show_no_other_verdict(built: Path, honest: list[Any]) -> None:
    """Neither another status with its label nor other hops or another consistency."""
    others = []
    for item, policy, (status, consistent, label, hops), certificate in honest:
        for wrong in range(4):
            if wrong != status:
                right_label = labelled(policy, wrong, bool(consistent))
                others.append((item, policy, (wrong, consistent, right_label, hops), certificate))
        others += [
            (item, policy, (status, 1 - consistent, label, hops), certificate),
            (item, policy, (status, consistent, (label + 1) % 3, hops), certificate),
            (item, policy, (status, consistent, label, hops + 1), certificate),
        ]
    assert compare(built, others) == {"rejected": len(others)}


def test_mutants_are_judged_alike(built: Path, honest: list[Any]) -> None:
    rng = random.Random(7)
    mutants = [mutant(case, rng) for case in honest for _ in range(6)]
    # Labels of the procedure are compared in test_checkers.py.
    mutants = [case for case in mutants if case[1] not in PROCEDURES]
    seen = compare(built, mutants)
    assert min(seen[answer] for answer in ("accepted", "rejected", "malformed")) >= 50


@pytest.mark.parametrize(
    "line",
    ["", "x", "0", "-1", "1 1 0 2", "999999999999999999999", "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 -"],
)
def test_other_lines_are_malformed(built: Path, line: str) -> None:
    assert answers(built, [line + "\n"]) == ["malformed"]
