"""Compares the Python checker of certificates with the one that is compiled from the Coq proofs.

    make proofs
    python -m benchmarks.reproduction.eventhop.checkers --certificates 1000000 [items.jsonl ...]

It takes random items with their certificates, the lines of the files, mutants of both, and random
verdicts with true witnesses; both checkers have to accept the same ones. Exit status: 0 if no
difference is found, else 1.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

import click

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
from solver.eventhop.certificates.proved import (
    MALFORMED,
    Compiled,
    Judgement,
    compiled,
    differing,
    in_node,
    judge,
)
from solver.eventhop.engines import Fault, label
from solver.eventhop.engines.graph import ClosureEngine, number, requirements
from solver.eventhop.published import UnpublishedClaimError, published_label

Json: TypeAlias = Any

_SIGNS = ("<", ">", "=", "<=", ">=")
_STATUSES = [status.value for status in Status]
_LABELS = [label.value for label in Label]
_FOLLOWING = [Policy.LOCAL, Policy.GLOBAL]
_POLICIES = [Policy.LOCAL.value, Policy.GLOBAL.value, Policy.PUBLISHED.value]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """An item in words, and what is stated about it, as JSON values.

    Attributes:
        row: the line that it was read from, of which the compiled checker reads the texts itself;
            none of an item without texts.
    """

    texts: check.Texts
    policy: str
    verdict: Json
    certificate: Json
    repaired: tuple[str, ...] = ()
    row: Json = None

    def judge(self) -> Judgement:
        """What the Python checker finds, and the line of the compiled one."""
        item = check.Item(self.texts, self.row)
        return judge(item, self.verdict, self.policy, self.certificate, self.repaired)[0]


def random_cases(rng: random.Random, orders: Sequence[Order] = PUBLISHED_ORDERS) -> Iterator[Case]:
    """Random items of some orders with their verdicts and certificates, without end."""
    engines = {policy: ClosureEngine(policy=policy) for policy in (Policy.LOCAL, Policy.GLOBAL)}
    while True:
        policy = rng.choice([*engines])
        item = _random_item(rng, orders)
        (verdict,) = engines[policy].decide([item])
        certificate = certify(item, verdict)
        case = _case(item, policy, verdict, hops(certificate), certificate)
        yield _under_procedure(case, item, rng) if rng.random() < 0.3 else case


def _under_procedure(case: Case, item: Item, rng: random.Random) -> Case:
    """The case under ``published`` with some faults repaired, if its item is supported."""
    repaired = rng.sample(check.FAULTS, rng.choice([0, 0, 1, 2, 3, 5]))
    try:
        printed = published_label(item, frozenset(map(Fault, repaired)))
    except UnpublishedClaimError:
        return case
    verdict = {**case.verdict, "label": printed.value}
    return replace(case, policy="published", verdict=verdict, repaired=tuple(repaired))


def forgeries(rng: random.Random, orders: Sequence[Order] = PUBLISHED_ORDERS) -> Iterator[Case]:
    """Random items with random verdicts, and true witnesses that do not prove most of them."""
    while True:
        item = _random_item(rng, orders)
        policy, status = rng.choice(_POLICIES[:2]), rng.choice([*Status])
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
    """The lines of a file of verdicts with certificates."""
    with path.open("rb") as file:
        for row in map(json.loads, file):
            if row["certificate"] is not None:
                read = check.read_texts(row["premise"], row["claim"], row["domain"], row["spatial"])
                yield Case(
                    texts=read,
                    policy=row["policy"],
                    verdict=row["verdict"],
                    certificate=row["certificate"],
                    repaired=tuple(row.get("repaired", ())),
                    row=row,
                )


def mutant(case: Case, rng: random.Random) -> Case:
    """The case with one value changed: of the item, the verdict or the certificate."""
    item, policy, verdict, certificate = case.texts, case.policy, case.verdict, case.certificate
    row = case.row
    part = rng.randrange(14)
    if part == 0 and item.premise:
        premise = list(item.premise)
        place = rng.randrange(len(premise))
        changed = premise[place]._replace(sign=rng.choice(_SIGNS))
        premise[place] = rng.choice([changed, check.Sentence(changed.right, *changed[1::-1])])
        item, row = item._replace(premise=premise), None
    elif part == 1:
        policy = rng.choice(_POLICIES)
    elif part == 2:
        verdict = changed_value(verdict, rng, [*_STATUSES, *_LABELS])
    elif part == 3:
        status = Status(rng.choice(_STATUSES))
        named = label(status, consistent=verdict["consistent"], policy=rng.choice(_FOLLOWING))
        verdict = {**verdict, "status": status.value, "label": named.value}
    else:
        certificate = changed_value(certificate, rng, [*check.Item(item).points])
    repaired = case.repaired if policy == "published" else ()
    if repaired and part < 3:
        repaired = repaired[1:]
    return Case(
        texts=item,
        policy=policy,
        verdict=verdict,
        certificate=certificate,
        repaired=repaired,
        row=row,
    )


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


def compare(cases: Sequence[Case], checker: Compiled) -> tuple[Counter[str], list[Case]]:
    """The answers of both checkers, counted, and the cases on which they differ."""
    judgements = [case.judge() for case in cases]
    counted = Counter(
        "malformed" if known.line == MALFORMED else "accepted" if known.accepted else "rejected"
        for known in judgements
    )
    return counted, [cases[number] for number in differing(judgements, checker)]


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
@click.option("--node", is_flag=True, help="Run the compiled checker as JavaScript.")
def main(files: Sequence[Path], certificates: int, mutants: int, seed: int, *, node: bool) -> None:
    """Compare the two checkers, on FILES and on random certificates."""
    cases = all_cases(files, certificates=certificates, mutants=mutants, rng=random.Random(seed))
    checker, seen = in_node() if node else compiled(), Counter[str]()
    differences = 0
    while batch := list(islice(cases, 20_000)):
        counted, different = compare(batch, checker)
        seen += counted
        differences += len(different)
        for case in different[:3]:
            click.echo(f"the checkers differ on {case}")
    counts = ", ".join(f"{count:,} {answer}" for answer, count in sorted(seen.items()))
    summary = f"{seen.total():,} certificates ({counts}), {differences:,} differences"
    click.echo(f"{checker.name}: {summary}")
    raise SystemExit(differences > 0)


if __name__ == "__main__":
    main()
