"""Compares the Python checker of certificates with the one that is compiled from the Coq proofs.

    make proofs
    python -m benchmarks.reproduction.eventhop.checkers --certificates 1000000 [items.jsonl ...]

It takes random items with their certificates, the lines of the files, mutants of both, and random
verdicts with true witnesses; both checkers have to accept the same ones. Exit status: 0 if no
difference is found, else 1. proofs/README.md lists the integers that the compiled checker reads.
"""

from __future__ import annotations

import json
import random
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

import click

from benchmarks.reproduction import ROOT
from grammar.eventhop.model import (
    PUBLISHED_ORDERS,
    AllenRelation,
    Bound,
    Certificate,
    Claim,
    ClaimRelation,
    Item,
    Label,
    Order,
    Point,
    Policy,
    Relation,
    Status,
    Verdict,
)
from solver.eventhop import check
from solver.eventhop.certificates.lines import texts, to_json, verdict_to_json
from solver.eventhop.certificates.make import Steps, certify, hops, relations
from solver.eventhop.engines import label
from solver.eventhop.engines.graph import ClosureEngine, number, requirements

Json: TypeAlias = Any
COMPILED = ROOT / "build" / "proofs" / "check"

_SIGNS = ("<", ">", "=", "<=", ">=")
_KINDS = (
    *("before", "after", "overlaps", *_SIGNS[:3]),
    *(f"allen_{relation.value}" for relation in AllenRelation),
    *_SIGNS[3:],
)
_STATUSES = [status.value for status in Status]
_LABELS = [label.value for label in Label]
_POLICIES = [Policy.LOCAL.value, Policy.GLOBAL.value]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """An item in words, and what is stated about it, as JSON values."""

    texts: check.Texts
    policy: str
    verdict: Json
    certificate: Json


def accepted(case: Case) -> bool:
    """Whether the Python checker accepts a certificate."""
    try:
        check.check_verdict(check.Item(case.texts), case.verdict, case.policy, case.certificate)
    except check.RejectedError:
        return False
    return True


def numbers(case: Case) -> str:
    """The line that the compiled checker reads.

    Raises:
        TypeError, ValueError, KeyError: a value has no place there.
        solver.eventhop.check.RejectedError: a name is no point of the item.
    """
    item = check.Item(case.texts)
    claim = case.texts.claim
    if isinstance(claim, check.Sentence):
        sides = [_point(item, side) for side in (claim.left, claim.right)]
        kind = _KINDS.index(claim.sign)
    else:
        sides = [_point(item, (event, 0)) // 2 for event in (claim[0], claim[2])]
        kind = _KINDS.index(claim[1])
    parts: list[Json] = [
        [(p, _SIGNS.index(sign), q) for p, sign, q in item.relations],
        (kind, *sides),
        _POLICIES.index(case.policy),
    ]
    given, witnesses = case.verdict, case.certificate
    parts += [
        _STATUSES.index(given["status"]),
        [False, True].index(given["consistent"]),
        _LABELS.index(given["label"]),
        _optional(given["hops"]),
    ]
    cycle = witnesses["cycle"]
    parts += [
        [_walk(item, walk) for walk in _array(witnesses["walks"])],
        [] if cycle is None else [_walk(item, cycle)],
        [_timeline(item, line) for line in _array(witnesses["timelines"])],
        [_table(item, table) for table in _array(witnesses["distances"])],
    ]
    return " ".join(_flat(parts))


def _flat(part: Json) -> Iterator[str]:
    """A list that is not at the top has its length before it; a tuple has not."""
    for values in part:
        if isinstance(values, list):
            yield str(len(values))
        if isinstance(values, (list, tuple)):
            yield from _flat(values)
        else:
            yield str(int(values))


def _point(item: check.Item, point: tuple[str, int]) -> int:
    return item.point(("start of ", "end of ")[point[1]] + point[0])


def _array(value: Json) -> list[Json]:
    if type(value) is not list:
        raise TypeError(value)
    return value


def _integer(value: Json) -> int:
    if type(value) is not int:
        raise TypeError(value)
    return value


def _optional(value: Json) -> int:
    """-1 for null; other negative numbers have no place."""
    if value is None:
        return -1
    if _integer(value) < 0:
        raise ValueError(value)
    return _integer(value)


def _walk(item: check.Item, value: Json) -> tuple[int, list[int]]:
    return item.point(value["from"]), [_optional(step) for step in _array(value["steps"])]


def _timeline(item: check.Item, value: Json) -> list[int]:
    at = {item.point(name): _integer(instant) for name, instant in map(_array, _array(value))}
    if len(at) != len(value):
        raise ValueError("a point has two instants")
    return [at[p] for p in range(len(item.points))]


def _table(item: check.Item, value: Json) -> tuple[int, list[int], list[int]]:
    beyond = _integer(value["beyond"])
    loose, strict = [beyond] * len(item.points), [beyond] * len(item.points)
    for name, without, with_strict in map(_array, _array(value["near"])):
        loose[item.point(name)] = _integer(without)
        strict[item.point(name)] = _integer(with_strict)
    return item.point(value["from"]), loose, strict


def random_cases(rng: random.Random, orders: Sequence[Order] = PUBLISHED_ORDERS) -> Iterator[Case]:
    """Random items of some orders with their verdicts and certificates, without end."""
    engines = {policy: ClosureEngine(policy=policy) for policy in (Policy.LOCAL, Policy.GLOBAL)}
    while True:
        policy = rng.choice([*engines])
        item = _random_item(rng, orders)
        (verdict,) = engines[policy].decide([item])
        certificate = certify(item, verdict)
        yield _case(item, policy, verdict, hops(certificate), certificate)


def forgeries(rng: random.Random, orders: Sequence[Order] = PUBLISHED_ORDERS) -> Iterator[Case]:
    """Random items with random verdicts, and true witnesses that do not prove most of them."""
    while True:
        item = _random_item(rng, orders)
        policy, status = rng.choice(_POLICIES), rng.choice([*Status])
        numbered = number(item)
        required, steps = requirements(item, numbered), Steps(numbered)
        needs = list(required.inequalities)
        if status is Status.REFUTED:
            needs = [rng.choice(needs).opposite]
        found = [steps.derive(goal).walk_to(goal.upper, strict=goal.strict) for goal in needs]
        walks = [walk for walk in found if walk is not None]
        cycle = steps.cycle()
        consistent = cycle is None if rng.random() < 0.8 else rng.random() < 0.5
        # Monotone timelines; those that were made coarser merge instants.
        exact = steps.place(apart=rng.random() < 0.5)
        last = max(exact)
        lines = [exact, [instant // rng.randint(2, 4) for instant in exact], [0] * len(exact)]
        cut = rng.randint(0, last)
        lines += [[min(instant, cut) for instant in exact]]
        lines += [steps.place([need.opposite], apart=rng.random() < 0.5) for need in needs]
        closed = [cycle] if cycle and status is Status.CONTRADICTORY else walks
        number_of_hops = max(map(relations, closed), default=0) + rng.choice([0, 0, 0, -1, 1])
        searches = [steps.search(p, lambda _: False) for p in required.points]
        certificate = Certificate(
            events=numbered.events,
            walks=() if status in (Status.UNKNOWN, Status.CONTRADICTORY) else tuple(walks),
            cycle=None if consistent else cycle,
            timelines=tuple(map(tuple, rng.sample(lines, rng.randint(1, len(lines))))),
            distances=tuple(search.distances(max(number_of_hops, 0)) for search in searches),
        )
        named = label(status, consistent=consistent, policy=Policy(policy))
        verdict = Verdict(status=status, consistent=consistent, label=named)
        stated = None if status is Status.UNKNOWN else number_of_hops
        yield _case(item, Policy(policy), verdict, stated, certificate)


def _case(
    item: Item, policy: Policy, verdict: Verdict, stated: int | None, certificate: Certificate
) -> Case:
    return Case(
        texts=texts(item),
        policy=policy.value,
        verdict=verdict_to_json(verdict, stated),
        certificate=to_json(certificate),
    )


def _random_item(rng: random.Random, orders: Sequence[Order]) -> Item:
    events = "ABCDEF"[: rng.randint(1, 6)]
    points = [Point(event=event, bound=bound) for event in events for bound in Bound]
    # Most relations of most premises follow a hidden order; so many premises are consistent.
    hidden = {point: rng.randrange(8) for point in points}
    for start, end in zip(points[::2], points[1::2], strict=True):
        hidden[end] = hidden[start] + 1 + hidden[end] // 2
    disorder = rng.choice([0.0, 0.0, 0.1, 0.5])
    premise = []
    weak = {True: Order.NOT_AFTER, False: Order.NOT_BEFORE}
    for _ in range(rng.randrange(2 * len(events) + 1)):
        left, right = rng.choice(points), rng.choice(points)
        if rng.random() < disorder:
            order = rng.choice(orders)
        elif Order.NOT_AFTER in orders and rng.random() < 0.4:
            order = weak[hidden[left] <= hidden[right]]
        elif hidden[left] == hidden[right]:
            order = Order.SIMULTANEOUS
        else:
            order = Order.BEFORE if hidden[left] < hidden[right] else Order.AFTER
        premise.append(Relation(left=left, order=order, right=right))
    claim: Claim | Relation
    if rng.random() < 0.2:
        claim = Relation(
            left=rng.choice(points), order=rng.choice(orders), right=rng.choice(points)
        )
    else:
        named = rng.choice([*ClaimRelation] * 3 + [*AllenRelation])
        claim = Claim(left=rng.choice(events), relation=named, right=rng.choice(events))
    return Item(id="random", premise=tuple(premise), claim=claim)


def file_cases(path: Path) -> Iterator[Case]:
    """The lines of a file of verdicts with certificates, but for those of ``published``."""
    with path.open("rb") as file:
        for row in map(json.loads, file):
            if row["certificate"] is not None and row["policy"] in _POLICIES:
                read = check.read_texts(row["premise"], row["claim"], row["domain"], row["spatial"])
                yield Case(
                    texts=read,
                    policy=row["policy"],
                    verdict=row["verdict"],
                    certificate=row["certificate"],
                )


def mutant(case: Case, rng: random.Random) -> Case:
    """The case with one value changed: of the item, the verdict or the certificate."""
    item, policy, verdict, certificate = case.texts, case.policy, case.verdict, case.certificate
    part = rng.randrange(14)
    if part == 0 and item.premise:
        premise = list(item.premise)
        place = rng.randrange(len(premise))
        changed = premise[place]._replace(sign=rng.choice(_SIGNS))
        premise[place] = rng.choice([changed, check.Sentence(changed.right, *changed[1::-1])])
        item = item._replace(premise=premise)
    elif part == 1:
        policy = _POLICIES[1 - _POLICIES.index(policy)]
    elif part == 2:
        verdict = changed_value(verdict, rng, [*_STATUSES, *_LABELS])
    elif part == 3:
        status = Status(rng.choice(_STATUSES))
        named = label(status, consistent=verdict["consistent"], policy=Policy(policy))
        verdict = {**verdict, "status": status.value, "label": named.value}
    else:
        certificate = changed_value(certificate, rng, [*check.Item(item).points])
    return Case(texts=item, policy=policy, verdict=verdict, certificate=certificate)


def changed_value(tree: Json, rng: random.Random, words: Sequence[str]) -> Json:
    """A JSON value with one value in it changed, removed or repeated."""
    if isinstance(tree, dict):
        filled = [key for key in tree if tree[key] not in ([], None) or rng.random() < 0.1]
        key = rng.choice(filled or [*tree])
        return {**tree, key: changed_value(tree[key], rng, words)}
    if isinstance(tree, list) and tree:
        place = rng.randrange(len(tree))
        if isinstance(tree[place], str):  # Few lines with another name are well-formed.
            place = rng.randrange(len(tree))
        kind = rng.randrange(20)
        between = [tree[place]] * 2 * kind if kind < 2 else [changed_value(tree[place], rng, words)]
        return [*tree[:place], *between, *tree[place + 1 :]]
    if isinstance(tree, bool):
        return not tree
    if isinstance(tree, int):
        odd = rng.choice([None, True, 0.5])
        return rng.choice([tree + 1, tree - 1, rng.randrange(12), rng.randrange(-3, 3), odd])
    return rng.choice(words) if isinstance(tree, str) else rng.choice([0, 1, [], True])


def compare(cases: Sequence[Case], compiled: Path) -> tuple[Counter[str], list[Case]]:
    """The answers of both checkers, counted, and the cases on which they differ."""
    lines = []
    for case in cases:
        try:
            lines.append(numbers(case))
        except (TypeError, ValueError, KeyError, check.RejectedError):
            lines.append("malformed")
    ran = subprocess.run(
        [compiled.resolve()], input="\n".join(lines), capture_output=True, text=True, check=True
    )
    answers = ran.stdout.split()
    differing = [
        case
        for case, answer in zip(cases, answers, strict=True)
        if accepted(case) != (answer == "accepted")
    ]
    return Counter(answers), differing


def all_cases(
    files: Iterable[Path], *, certificates: int, mutants: int, rng: random.Random
) -> Iterator[Case]:
    """The cases of the files, random ones and forgeries, all but the last with their mutants."""

    def with_mutants(cases: Iterable[Case]) -> Iterator[Case]:
        for case in cases:
            yield case
            for _ in range(mutants):
                yield mutant(case, rng)

    for path in files:
        yield from with_mutants(file_cases(path))
    yield from islice(with_mutants(random_cases(rng)), certificates - certificates // 2)
    yield from islice(forgeries(rng), certificates // 2)


@click.command()
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--certificates",
    type=click.IntRange(0),
    default=100_000,
    show_default=True,
    help="Number of random certificates, half of them forgeries, mutants included.",
)
@click.option(
    "--mutants",
    type=click.IntRange(0),
    default=3,
    show_default=True,
    help="Number of mutants of each certificate.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Random seed.")
@click.option(
    "--compiled",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    default=COMPILED,
    help="The compiled checker, from `make proofs`.",
)
def main(files: Sequence[Path], certificates: int, mutants: int, seed: int, compiled: Path) -> None:
    """Compare the two checkers, on FILES and on random certificates."""
    cases = all_cases(files, certificates=certificates, mutants=mutants, rng=random.Random(seed))
    seen = Counter[str]()
    differences = 0
    while batch := list(islice(cases, 20_000)):
        counted, differing = compare(batch, compiled)
        seen += counted
        differences += len(differing)
        for case in differing[:3]:
            click.echo(f"the checkers differ on {case}")
    counts = ", ".join(f"{count:,} {answer}" for answer, count in sorted(seen.items()))
    click.echo(f"{seen.total():,} certificates ({counts}), {differences:,} differences")
    raise SystemExit(differences > 0)


if __name__ == "__main__":
    main()
