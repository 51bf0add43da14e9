"""Attaches certificates to wrong verdicts: ``python -m tests.campaigns.forgery --write``.

The right verdict of an item is computed here from the definitions of docs/certificates.md. No
certificate may be accepted for another one, and the right one needs a certificate. Three parts:

- ``small``: every item with at most two relations over at most three events, up to the names of the
  events and the order of the relations (``p > q`` is ``q < p``). Each certificate that is made is
  tried for its status and consistency, and for every verdict with the timelines and tables of all
  of them, which proves whatever it proves alone.
- ``bounded``: every item with at most one relation over at most two events. Every certificate
  within a bound is tried: see ``bounded_certificates``.
- ``random``: the items of ``tests.campaigns.engines``. The certificates, and mutants of them,
  are tried for wrong verdicts.

A verdict is first tried with its label under the policy ``local``. If it is accepted, each label is
tried under each policy.

The run stops and resumes at any time; ``--write`` continues from the items that
``benchmarks/results`` records, and adds to them after every shard.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement, permutations, product
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import msgspec
import numpy as np

from benchmarks.reproduction.eventhop.checkers import changed_value
from grammar.eventhop.model import (
    AllenRelation,
    Bound,
    Claim,
    ClaimRelation,
    Item,
    Label,
    Order,
    Point,
    Relation,
    Status,
    Verdict,
)
from solver.eventhop import check
from solver.eventhop.certificates.lines import texts, to_json
from solver.eventhop.certificates.make import UncertifiableError, certify, hops
from solver.eventhop.engines.graph import number, requirements
from solver.io.writing import line, write_json
from tests.campaigns.engines import random_item
from tests.campaigns.journal import campaign

Json: TypeAlias = Any

RESULTS = Path(__file__).resolve().parents[2] / "benchmarks" / "results" / "forgery.json"
SHARD = {"small": 2_000, "bounded": 200, "random": 2_000}
SHOWN = 20
POLICIES = ("local", "global")
MUTANTS = 4
"""Mutants of each certificate of a random item, and wrong verdicts tried with each."""

FAR = 10**6
"""Relations on a walk that does not exist."""


class Truth(NamedTuple):
    """The parts of a verdict but for its label."""

    status: str
    consistent: bool
    hops: int | None

    def label(self, policy: str) -> str:
        """The label under a policy."""
        if self.status == Status.CONTRADICTORY or (policy == "global" and not self.consistent):
            return "undefined"
        return "true" if self.status == Status.ENTAILED else "false"


SHORT = [Truth(*row) for row in product(Status, (True, False), (None, 0, 1, 2, 3))]
"""The verdicts on small items: a shortest walk has one relation at most for each in the premise."""


def truth(item: Item) -> Truth:
    """Status, consistency and hops by the definitions: lengths of walks between all points."""
    numbered = number(item)
    size = 2 * len(numbered.events)
    steps = [(p, p + 1, True, 0) for p in range(0, size, 2)]
    for p, order, q in numbered.relations:
        if order is Order.SIMULTANEOUS:
            steps += [(p, q, False, 1), (q, p, False, 1)]
        else:
            steps.append((p, q, True, 1) if order is Order.BEFORE else (q, p, True, 1))
    shortest = np.full((size, size), FAR)
    np.fill_diagonal(shortest, 0)
    for p, q, _, cost in steps:
        shortest[p, q] = min(shortest[p, q], cost)
    for via in range(size):
        np.minimum(shortest, shortest[:, via, None] + shortest[via], out=shortest)
    strict = np.full((size, size), FAR)
    for p, q, is_strict, cost in steps:
        if is_strict:
            np.minimum(strict, shortest[:, p, None] + cost + shortest[q], out=strict)
    walks = {False: shortest.tolist(), True: strict.tolist()}

    required = requirements(item, numbered)
    consistent = bool(strict.diagonal().min() >= FAR)
    rounds = [
        walks[True][p][p]
        if p == q
        else min(walks[out][p][q] + walks[not out][q][p] for out in (True, False))
        for p, q in required.pairs
    ]
    if min(rounds) < FAR:
        return Truth("contradictory", consistent, min(rounds))
    derived = [walks[need.strict][need.lower][need.upper] for need in required.inequalities]
    if max(derived) < FAR:
        return Truth("entailed", consistent, max(derived))
    opposites = [need.opposite for need in required.inequalities]
    refuted = [walks[need.strict][need.lower][need.upper] for need in opposites]
    if min(refuted) < FAR:
        return Truth("refuted", consistent, min(refuted))
    return Truth("unknown", consistent, None)


class Trial:
    """An item, and what the checker accepted for it."""

    def __init__(self, item: Item) -> None:
        self.right = truth(item)
        self.tried = 0
        self.proved: set[str] = set()
        """The policies under which the right verdict was accepted."""
        self.wrong: list[str] = []
        """The wrong verdicts that were accepted."""
        self.item = check.Item(texts(item))

    def accepts(self, candidate: Truth, label: str, policy: str, certificate: Json) -> bool:
        """Whether the checker accepts a verdict."""
        self.tried += 1
        verdict = {**candidate._asdict(), "label": label}
        try:
            check.check_verdict(self.item, verdict, policy, certificate)
        except check.RejectedError:
            return False
        return True

    def judge(self, candidate: Truth, certificate: Json) -> None:
        """Try a certificate for a verdict, with each label and policy."""
        if not self.accepts(candidate, candidate.label("local"), "local", certificate):
            return
        if candidate != self.right:
            self.wrong.append(
                f"{candidate.status}, consistent {candidate.consistent}, hops {candidate.hops}"
            )
        for policy, label in product(POLICIES, Label):
            if self.accepts(candidate, label.value, policy, certificate):
                if candidate == self.right and label.value == candidate.label(policy):
                    self.proved.add(policy)
                else:
                    self.wrong.append(f"{candidate.status}, {label.value}, {policy}")


def made(item: Item) -> list[tuple[Truth, Json]]:
    """The certificates that can be made for an item, for right and wrong verdicts."""
    found: list[tuple[Truth, Json]] = []
    for status, consistent in product(Status, (True, False)):
        verdict = Verdict(status=status, consistent=consistent, label=Label.TRUE)
        try:
            certificate = certify(item, verdict)
        except UncertifiableError:
            continue
        candidate = Truth(status.value, consistent, hops(certificate))
        found.append((candidate, to_json(certificate)))
    return found


def try_small(item: Item) -> Trial:
    """Each certificate for what it was made for, and all witnesses pooled for every verdict."""
    trial = Trial(item)
    every = made(item)
    for candidate, certificate in every:
        for truth in SHORT:
            if truth[:2] == candidate[:2]:
                trial.judge(truth, certificate)
    certificates = [certificate for _, certificate in every]
    pooled = {
        part: _distinct([certificate for some in certificates for certificate in some[part]])
        for part in ("timelines", "distances")
    }
    walks = _distinct([certificate["walks"] for certificate in certificates])
    cycles = _distinct([certificate["cycle"] for certificate in certificates])
    for proof, cycle in product(walks, cycles):
        for truth in SHORT:
            trial.judge(truth, {"walks": proof, "cycle": cycle, **pooled})
    return trial


def _distinct(values: list[Json]) -> list[Json]:
    return list({msgspec.json.encode(value): value for value in values}.values())


def try_bounded(item: Item) -> Trial:
    """Every certificate within the bound, for every verdict."""
    trial = Trial(item)
    for certificate, candidate in product(bounded_certificates(item), SHORT):
        trial.judge(candidate, certificate)
    return trial


LONGEST, LAST = 3, 2
"""Steps of a walk, and the greatest number in a table of distances."""


def bounded_certificates(item: Item) -> Iterator[Json]:
    """The certificates with walks of at most 3 steps and distances of 0 to 2.

    They have a closed strict walk or none; and no walk, one walk, or a walk for each requirement
    that derives it. The checker asks whether *some* timeline serves, or *some* table. So each has a
    monotone timeline for each order of the points, and the greatest table from each point, which
    gives no smaller bound than any other.
    """
    known = check.Item(texts(item))
    names, relations = list(known.points), tuple(known.relations)
    walks = _walks(known, names)
    needs = [[value for value, walk in walks if walk.derives(need)] for need in known.needs]
    proofs = _distinct([[], *([value] for value, _ in walks), *map(list, product(*needs))])
    cycles = [None, *(value for value, walk in walks if walk.first == walk.last and walk.strict)]
    timelines, tables = _lines_and_tables(len(names), relations)
    drawn = [[list(pair) for pair in zip(names, timeline, strict=True)] for timeline in timelines]
    distances = [
        {
            "from": names[source],
            "beyond": 0,
            "near": [[name, *pair] for name, pair in zip(names, table, strict=True)],
        }
        for source, table in tables
    ]
    for proof, cycle in product(proofs, cycles):
        yield {"walks": proof, "cycle": cycle, "timelines": drawn, "distances": distances}


def _walks(item: check.Item, names: list[str]) -> list[tuple[Json, check.Walk]]:
    found = []
    for name, length in product(names, range(LONGEST + 1)):
        for steps in product((None, *range(len(item.relations))), repeat=length):
            value = {"from": name, "steps": list(steps)}
            try:
                found.append((value, check.Walk(item, value)))
            except check.RejectedError:
                continue
    return found


Instants: TypeAlias = tuple[int, ...]
Table: TypeAlias = tuple[tuple[int, ...], ...]
"""For each point, the bounds for walks without and with a strict step."""


@cache
def _lines_and_tables(
    size: int, relations: tuple[tuple[int, str, int], ...]
) -> tuple[list[Instants], list[tuple[int, Table]]]:
    """All monotone timelines, and the greatest table from each point."""
    steps = [(p, p + 1, 1, 0) for p in range(0, size, 2)]
    for p, sign, q in relations:
        steps += [(p, q, 1, 1)] if sign == "<" else [(p, q, 0, 1), (q, p, 0, 1)]
    timelines = [
        table
        for table in product(range(size), repeat=size)
        if set(table) == set(range(max(table) + 1))
        and all(table[p] <= table[q] for p, q, _, _ in steps)
    ]
    tables = []
    cells = list(product(range(LAST + 1), repeat=2))
    every = [
        table
        for table in product(cells, repeat=size)
        if all(
            table[q][strict | was] <= table[p][was] + cost
            for p, q, strict, cost in steps
            for was in (0, 1)
        )
    ]
    for source in range(size):
        found = [table for table in every if table[source][0] <= 0]
        greatest = max(found, key=lambda table: sum(map(sum, table)))
        if any(np.any(np.subtract(table, greatest) > 0) for table in found):
            raise RuntimeError("no table is the greatest")
        tables.append((source, greatest))
    return timelines, tables


def try_random(item: Item, draw: random.Random) -> Trial:
    """The certificates that are made, and mutants of them, for wrong verdicts."""
    trial = Trial(item)
    right = trial.right
    counts = {None, 0, 1, right.hops or 2, (right.hops or 2) + 1, (right.hops or 2) - 1}
    every = [Truth(*row) for row in product(Status, (True, False), counts)]
    wrong = [truth for truth in every if truth != right]
    names = list(trial.item.points)
    for candidate, certificate in made(item):
        trial.judge(right, certificate)
        own = candidate[:2] == right[:2]
        others = wrong if own else draw.sample(wrong, MUTANTS)
        for other in others if candidate == right else [candidate, *others]:
            trial.judge(other, certificate)
        for _ in range(MUTANTS if own else 1):
            changed = certificate
            for _ in range(draw.randint(1, 3)):
                changed = changed_value(changed, draw, names)
            for other in [right, *draw.sample(wrong, MUTANTS)]:
                trial.judge(other, changed)
    return trial


Coded: TypeAlias = tuple[int, Any, int]
"""A relation of two points, or a claim about two events, by their numbers."""


@cache
def worlds(events: int, most: int) -> list[Item]:
    """Every item over some events with at most some relations, up to the names of the events."""
    points = range(2 * events)
    relations: list[Coded] = sorted(
        (p, sign, q) for p, q in product(points, repeat=2) for sign in "<=" if sign == "<" or p <= q
    )
    named: list[Coded] = [
        (a, relation, b)
        for a, b in product(range(events), repeat=2)
        for relation in (*ClaimRelation, *AllenRelation)
    ]
    names = list(permutations(range(events)))

    def point(p: int, renamed: tuple[int, ...]) -> int:
        return 2 * renamed[p // 2] + p % 2

    def relation(coded_relation: Coded, renamed: tuple[int, ...]) -> Coded:
        p, sign, q = (
            point(coded_relation[0], renamed),
            coded_relation[1],
            point(coded_relation[2], renamed),
        )
        return (min(p, q), sign, max(p, q)) if sign == "=" else (p, sign, q)

    items = []
    for size in range(most + 1):
        for premise in combinations_with_replacement(relations, size):
            images = {
                renaming: tuple(sorted(relation(r, renaming) for r in premise))
                for renaming in names
            }
            if min(images.values()) < premise:
                continue
            same = [renaming for renaming, image in images.items() if image == premise]
            about_points = [
                c for c in relations if all(c <= relation(c, renaming) for renaming in same)
            ]
            about_events = [
                (a, word, b)
                for a, word, b in named
                if all((a, b) <= (renaming[a], renaming[b]) for renaming in same)
            ]
            sentences = tuple(map(_relation, premise))
            claims: list[Claim | Relation] = [
                _relation(point_relation) for point_relation in about_points
            ]
            claims += [
                Claim(left=_event(a), relation=word, right=_event(b)) for a, word, b in about_events
            ]
            items += [Item(id="", premise=sentences, claim=claim) for claim in claims]
    return items


def _event(number: int) -> str:
    return "ABC"[number]


def _relation(coded: Coded) -> Relation:
    left, right = (
        Point(event=_event(p // 2), bound=Bound.END if p % 2 else Bound.START)
        for p in (coded[0], coded[2])
    )
    order = Order.BEFORE if coded[1] == "<" else Order.SIMULTANEOUS
    return Relation(left=left, order=order, right=right)


def size_of(part: str, items: int) -> int:
    """The number of items of a part."""
    return items if part == "random" else len(worlds(*_WORLDS[part]))


_WORLDS = {"small": (3, 2), "bounded": (2, 1)}


def forge(part: str, seed: int, first: int, count: int) -> dict[str, Any]:
    """Try forgeries for some items of a part."""
    start = time.process_time()
    statuses: Counter[str] = Counter()
    tried = accepted = unproved = 0
    forged: list[dict[str, Any]] = []
    for place in range(first, first + count):
        trial = trial_of(part, seed, place)
        statuses[trial.right.status] += 1
        tried += trial.tried
        accepted += len(trial.wrong)
        unproved += trial.proved != set(POLICIES)
        if trial.wrong or trial.proved != set(POLICIES):
            forged.append({"item": place, "accepted": trial.wrong[:3]})
    return {
        "statuses": statuses,
        "tried": tried,
        "wrong_accepted": accepted,
        "right_unproved": unproved,
        "first_faults": forged[:SHOWN],
        "seconds": round(time.process_time() - start, 1),
    }


def trial_of(part: str, seed: int, place: int) -> Trial:
    """The trial of the item at a place of a part."""
    if part == "random":
        digest = hashlib.sha256(f"forgery {seed} {place}".encode()).digest()
        return try_random(random_item(seed, place), random.Random(digest))
    item = worlds(*_WORLDS[part])[place]
    return try_small(item) if part == "small" else try_bounded(item)


_COUNTS = ("tried", "wrong_accepted", "right_unproved")


def added(figures: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
    """Figures with those of one more shard.

    Raises:
        ValueError: the shard does not begin where the figures end.
    """
    if row["first"] != figures["items"]:
        raise ValueError(f"a shard begins at {row['first']} after {figures['items']} items")
    return {
        **figures,
        "items": figures["items"] + row["count"],
        "statuses": Counter(figures["statuses"]) + Counter(row["statuses"]),
        **{name: figures[name] + row[name] for name in _COUNTS},
        "first_faults": [*figures["first_faults"], *row["first_faults"]][:SHOWN],
    }


def nothing(seed: int) -> dict[str, Any]:
    """The figures of no items."""
    counts = dict.fromkeys(_COUNTS, 0)
    return {"items": 0, "seed": seed, "statuses": {}, **counts, "first_faults": []}


def _results() -> dict[str, dict[str, Any]]:
    if not RESULTS.exists():
        return {}
    return msgspec.json.decode(RESULTS.read_bytes(), type=dict[str, dict[str, Any]])


def main() -> int:
    """Run a campaign, or one shard of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=tuple(SHARD), default="random")
    parser.add_argument("--items", type=int, default=100_000, help="random items in all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("campaigns/forgery"))
    parser.add_argument("--write", action="store_true", help=f"write {RESULTS.name}")
    parser.add_argument("--shard", type=int, nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    part, seed = options.part, options.seed
    if options.shard is not None:
        sys.stdout.buffer.write(line(forge(part, seed, *options.shard)))
        return 0
    figures = _results().get(part, nothing(seed)) if options.write else nothing(seed)
    if figures["seed"] != seed:
        parser.error(f"{RESULTS.name} records seed {figures['seed']} for {part}")
    if part != "random":
        figures["of"] = size_of(part, options.items)
    seconds, start = 0.0, figures["items"]
    for row in campaign(
        "tests.campaigns.forgery",
        options.out,
        {"part": part, "seed": seed},
        SHARD[part],
        size_of(part, options.items),
        *("--part", part, "--seed", str(seed)),
        start=start,
    ):
        figures = added(figures, row)
        seconds += row["seconds"]
        if options.write:
            write_json(RESULTS, _results() | {part: figures})
    sys.stdout.write(msgspec.json.format(line(figures), indent=2).decode() + "\n")
    each = 1000 * seconds / max(figures["items"] - start, 1)
    sys.stdout.write(f"{each:.2f} ms of processor time an item\n")
    return int(figures["wrong_accepted"] + figures["right_unproved"] > 0)


if __name__ == "__main__":
    sys.exit(main())
