"""Compares verdicts, certificates and rewards of chains of thought at length.

``python -m tests.campaigns.traces verdicts|twins|mutants|fuzz --items N [--seed S]`` draws random
premises, also contradictory ones, with random statements about them. *verdicts*: both engines agree
with an enumeration of all weak orders (premises with a model) or of all walks; *twins*: the
same of generated twins, whose certificates both checkers accept; *mutants*: both
checkers, in Python and compiled from the proofs, accept each certificate, and reject each verdict
that is exchanged for another; they find the same of lines with any value changed; *fuzz*: no
completion made of sentences, damaged ones and odd characters crashes the reward, and none without
some of its statements is paid more. Exit status: 0, or 1 with the first failures.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import combinations, islice
from operator import itemgetter
from typing import Any

import numpy as np

from generators.eventhop.config import Split
from generators.traces.run import TraceSettings, drawn
from grammar.eventhop.model import (
    Bound,
    Claim,
    ClaimRelation,
    Domain,
    Item,
    Label,
    Order,
    Point,
    Policy,
    Relation,
    SpatialReading,
    Status,
    Verdict,
)
from grammar.eventhop.reader import reader
from grammar.traces.model import (
    Orders,
    PointOrder,
    ReadSentence,
    ReadStatement,
    ReadStep,
    StatementKind,
    ordered,
)
from grammar.traces.reader import TraceReader
from solver.eventhop import check as item_check
from solver.eventhop.certificates.lines import texts, to_json, verdict_to_json
from solver.eventhop.certificates.make import certify, hops
from solver.eventhop.certificates.proved import BATCH, compiled, differing
from solver.traces import check, proved
from solver.traces.certificates import Certifier
from solver.traces.decide import certified, decided
from solver.traces.encode import decide_traces
from solver.traces.engine import PremiseClosure, decide, supplied, withdrawn
from solver.traces.model import RIGHT, Source, StepVerdict, TraceVerdict
from solver.traces.reward import Payer

ERRORS = {StepVerdict.CONTRADICTS, StepVerdict.OPEN}
JUDGED = (
    StepVerdict.RESTATED,
    StepVerdict.FOLLOWS,
    StepVerdict.CONTRADICTS,
    StepVerdict.OPEN,
    StepVerdict.CARRIED,
)
_ORDERED = (
    StatementKind.HOLDS,
    StatementKind.DOES_NOT_HOLD,
    StatementKind.POSSIBLE,
    StatementKind.NOT_DERIVABLE,
    StatementKind.LEFT_OPEN,
)


def random_trace(draw: random.Random) -> tuple[PremiseClosure, tuple[ReadStep, ...]]:
    """A random premise of up to four events, and steps with random statements."""
    names = [f"e{number}" for number in range(draw.randint(2, 4))]

    def point() -> Point:
        return Point(event=draw.choice(names), bound=draw.choice(list(Bound)))

    orders = [Order.BEFORE, *Order]
    premise = tuple(
        Relation(left=point(), order=draw.choice(orders), right=point())
        for _ in range(draw.randint(0, 6))
    )
    claim = Claim(left="e0", relation=draw.choice(list(ClaimRelation)), right="e1")
    closure = PremiseClosure(Item(id="random", premise=premise, claim=claim))
    size = closure.size

    def statement() -> ReadStatement:
        kind = draw.choice([*StatementKind, *[StatementKind.HOLDS] * 6])
        if kind in _ORDERED:
            stated = tuple(
                ordered(
                    draw.randrange(size),
                    draw.choice(["<", "<", "<=", "=", ">"]),
                    draw.randrange(size),
                )
                for _ in range(draw.choice([1, 1, 1, 2, 3]))
            )
            return ReadStatement(kind, stated)
        if kind is StatementKind.ANSWER:
            return ReadStatement(kind, label=draw.choice(list(Label)))
        if kind is StatementKind.TIMELINE:
            points = sorted(draw.sample(range(size), draw.randint(1, size)))
            return ReadStatement(kind, instants=tuple((p, draw.randint(0, 6)) for p in points))
        return ReadStatement(kind, events=2 if kind is StatementKind.UNREAD else 0)

    steps = tuple(
        ReadStep(
            "",
            tuple(
                ReadSentence(tuple(statement() for _ in range(draw.randint(0, 2))))
                for _ in range(draw.randint(1, 2))
            ),
        )
        for _ in range(draw.randint(1, 6))
    )
    return closure, steps


# --- The specification, by enumeration ------------------------------------------------------------


MOST_POINTS = 8
"""Of more points there are too many weak orders."""


@cache
def weak_orders(events: int) -> np.ndarray:
    """Every weak order of the points of some events that start before they end: rank by point."""
    found: list[tuple[float, ...]] = [()]
    for _ in range(2 * events):
        longer = []
        for ranks in found:
            top = len(set(ranks))
            # A new point is at a rank that is there, or between two.
            longer += [_ranked((*ranks, place / 2)) for place in range(-1, 2 * top)]
        found = [ranks for ranks in longer if len(ranks) % 2 or ranks[-2] < ranks[-1]]
    return np.array(found)


def _ranked(values: Sequence[float]) -> tuple[float, ...]:
    places = {value: place for place, value in enumerate(sorted(set(values)))}
    return tuple(places[value] for value in values)


def _satisfied(lines: np.ndarray, order: PointOrder) -> np.ndarray:
    p, sign, q = order
    left, right = lines[:, p], lines[:, q]
    satisfied: np.ndarray = (
        left < right if sign == "<" else left <= right if sign == "<=" else left == right
    )
    return satisfied


class Specification:
    """The verdicts of docs/traces.md: by all weak orders of up to four events, and by all walks.

    Args:
        premise: the premise; only its relations are used.
        size: number of its points.
    """

    def __init__(self, relations: Orders, size: int) -> None:
        self._relations, self._size = relations, size
        self.walks = all_walks(relations, size)
        self.consistent = not _cyclic(self.walks)
        self.models: np.ndarray | None = None
        if size <= MOST_POINTS:
            self.models = weak_orders(size // 2)
            for order in relations:
                self.models = self.models[_satisfied(self.models, order)]
            assert self.consistent == (len(self.models) > 0)

    def derivable(self, orders: Orders) -> bool:
        by_walks = all(shown(self.walks, order) for order in orders)
        if self.consistent and self.models is not None:
            # The same: this is what the page says of premises with a model.
            assert by_walks == all(bool(_satisfied(self.models, order).all()) for order in orders)
        return by_walks

    def denied(self, orders: Orders) -> bool:
        if not self.consistent:
            return any(shown(self.walks, other) for order in orders for other in opposites(order))
        if self.models is None:
            return _cyclic(all_walks((*self._relations, *orders), self._size))
        lines = self.models
        for order in orders:
            lines = lines[_satisfied(lines, order)]
        return len(lines) == 0

    def fits(self, instants: Sequence[tuple[int, float]]) -> bool:
        if not self.consistent:
            return False
        if self.models is None:
            ordered_ = tuple(
                PointOrder(p, "<" if at < other else "=", q)
                for (p, at), (q, other) in combinations(sorted(instants, key=itemgetter(1)), 2)
            )
            return not self.denied(ordered_)
        ranks = _ranked([at for _, at in instants])
        chosen = self.models[:, [p for p, _ in instants]]
        return any(_ranked(tuple(line)) == ranks for line in chosen)


def _cyclic(walks: frozenset[tuple[int, bool, int]]) -> bool:
    return any(strict and p == q for p, strict, q in walks)


def all_walks(relations: Orders, size: int) -> frozenset[tuple[int, bool, int]]:
    """Every (from, strict, to) with a walk, by composing walks until there are no new ones."""
    found = {(p, False, p) for p in range(size)} | {(p, True, p + 1) for p in range(0, size, 2)}
    for p, sign, q in relations:
        found.add((p, sign == "<", q))
        if sign == "=":
            found.add((q, False, p))
    while True:
        longer = {
            (p, first or second, r)
            for p, first, q in found
            for middle, second, r in found
            if middle == q
        }
        if longer <= found:
            return frozenset(found)
        found |= longer


def shown(walks: frozenset[tuple[int, bool, int]], order: PointOrder) -> bool:
    """Whether a walk shows an order."""
    p, sign, q = order
    if sign == "=":
        return (p, False, q) in walks and (q, False, p) in walks
    return (p, True, q) in walks or (sign == "<=" and (p, False, q) in walks)


def opposites(order: PointOrder) -> tuple[PointOrder, ...]:
    """One of these holds if an order does not."""
    p, sign, q = order
    if sign == "=":
        return PointOrder(p, "<", q), PointOrder(q, "<", p)
    return (PointOrder(q, "<=" if sign == "<" else "<", p),)


def expected(premise: PremiseClosure, steps: Sequence[ReadStep]) -> list[list[StepVerdict]]:
    """The verdict of each statement, from the specification alone; answers take the label."""
    specification = Specification(premise.relations, premise.size)
    taken = withdrawn(steps)
    stated = {_plain(order) for order in premise.relations}
    wrong: list[PointOrder] = []
    pairs = [(p, True, q) for p, q in premise.claimed.pairs]
    contradictory = any(
        (p, True, q) in specification.walks and (q, True, p) in specification.walks
        for p, _, q in pairs
    )
    found = []
    for place, step in enumerate(steps):
        verdicts = []
        for index, row in enumerate(step.statements):
            kind, orders = row.kind, row.orders
            if kind is StatementKind.UNREAD:
                verdicts.append(StepVerdict.UNREAD)
                continue
            if kind in (StatementKind.ASSUMED, StatementKind.WITHDRAWS):
                verdicts.append(StepVerdict.NONE)
                continue
            if (place, index) in taken:
                verdicts.append(StepVerdict.WITHDRAWN)
                continue
            right = {
                StatementKind.HOLDS: lambda o=orders: specification.derivable(o),
                StatementKind.DOES_NOT_HOLD: lambda o=orders: specification.denied(o),
                StatementKind.POSSIBLE: lambda o=orders: not specification.denied(o),
                StatementKind.NOT_DERIVABLE: lambda o=orders: not specification.derivable(o),
                StatementKind.LEFT_OPEN: lambda o=orders: (
                    not (specification.derivable(o) or specification.denied(o))
                ),
                StatementKind.CLAIM_CONTRADICTORY: lambda: contradictory,
                StatementKind.PREMISE_CONTRADICTORY: lambda: not specification.consistent,
                StatementKind.PREMISE_CONSISTENT: lambda: specification.consistent,
                StatementKind.TIMELINE: lambda r=row: specification.fits(r.instants),
                StatementKind.ANSWER: lambda r=row: r.label is premise.label,
            }[kind]()
            gives = orders if kind is StatementKind.HOLDS else ()
            if kind is StatementKind.DOES_NOT_HOLD and len(orders) == 1 and orders[0].sign != "=":
                gives = opposites(orders[0])
            if kind is StatementKind.HOLDS and all(_plain(order) in stated for order in orders):
                verdict = StepVerdict.RESTATED
            elif right:
                verdict = StepVerdict.FOLLOWS
            elif kind is not StatementKind.HOLDS or specification.denied(orders):
                verdict = StepVerdict.CONTRADICTS
            else:
                walks = all_walks((*premise.relations, *wrong), premise.size)
                carried = bool(wrong) and all(shown(walks, order) for order in orders)
                verdict = StepVerdict.CARRIED if carried else StepVerdict.OPEN
            if right:
                stated |= {_plain(order) for order in gives}
            else:
                wrong += gives
            verdicts.append(verdict)
        found.append(verdicts)
    return found


def _plain(order: PointOrder) -> PointOrder:
    p, sign, q = order
    return PointOrder(min(p, q), sign, max(p, q)) if sign == "=" else order


def fewest(sources: Sequence[Orders], orders: Orders, size: int, most: int) -> int | None:
    """The size of a smallest set of sources that derives some orders, up to a limit."""
    for number in range(most + 1):
        for some in combinations(sources, number):
            walks = all_walks(tuple(order for part in some for order in part), size)
            if all(shown(walks, order) for order in orders):
                return number
    return None


def sources_before(
    premise: PremiseClosure, verdict: TraceVerdict, step: int, index: int
) -> dict[Source, Orders]:
    """What a statement may use: the relations of the premise, and earlier right statements."""
    found: dict[Source, Orders] = {
        Source(index=number): (order,) for number, order in enumerate(premise.relations)
    }
    for place, part in enumerate(verdict.steps):
        for number, statement in enumerate(part.statements):
            if (place, number) >= (step, index):
                return found
            given = supplied(statement.stated)
            if given and statement.verdict in RIGHT:
                found[Source(step=place, index=number)] = given
    return found


def differences(seed: int, items: int) -> Iterator[str]:
    """Statements whose verdict an engine gives otherwise than the specification."""
    draw = random.Random(seed)
    traces = [random_trace(draw) for _ in range(items)]
    asp = decide_traces(
        [(premise.item, steps, withdrawn(steps)) for premise, steps in traces], Policy.LOCAL
    )
    for (premise, steps), by_asp in zip(traces, asp, strict=True):
        verdict = decide(premise, steps)
        for place, (row, step) in enumerate(
            zip(expected(premise, steps), verdict.steps, strict=True)
        ):
            for index, (wanted, statement) in enumerate(zip(row, step.statements, strict=True)):
                graph = statement.verdict
                other = by_asp.get((place, index), graph)
                if (place, index) not in by_asp and wanted in JUDGED:
                    other = StepVerdict.NONE
                if not wanted == graph == other:
                    yield f"{premise.item} {statement.stated}: {wanted}, graph {graph}, asp {other}"


# --- Certificates ---------------------------------------------------------------------------------


def certified_row(premise: PremiseClosure, verdict: TraceVerdict) -> dict[str, Any]:
    """A line with certificates; its texts are left out, as the item is given to the checker."""
    decided = Verdict(status=premise.status, consistent=premise.consistent, label=premise.label)
    certificate = certify(premise.item, decided)
    row = verdict.as_json(premise.points) | {
        "policy": "local",
        "verdict": verdict_to_json(decided, hops(certificate)),
        "certificate": to_json(certificate),
    }
    certifier = Certifier(premise)
    for place, step in enumerate(verdict.steps):
        for index, statement in enumerate(step.statements):
            part = certifier.certificate(statement, f"{place}.{index}")
            row["steps"][place]["statements"][index]["certificate"] = part
    return json.loads(json.dumps(row))  # type: ignore[no-any-return]


def mutants(row: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The line with one verdict exchanged for another, and what follows of it for its step."""
    for place, step in enumerate(row["steps"]):
        for index, statement in enumerate(step["statements"]):
            for verdict in JUDGED if statement["verdict"] in JUDGED else ():
                if verdict == statement["verdict"]:
                    continue
                mutant = copy.deepcopy(row)
                mutant["steps"][place]["statements"][index]["verdict"] = verdict.value
                _resummarise(mutant)
                yield mutant


def _resummarise(row: dict[str, Any]) -> None:
    first = -1
    for place, step in enumerate(row["steps"]):
        verdicts = [statement["verdict"] for statement in step["statements"]]
        step["verdict"] = min(verdicts, key=check.SEVERITY.index, default="none")
        if first < 0 and {"contradicts", "open"} & set(verdicts):
            first = place
    row["first_error"] = first


def damaged(row: dict[str, Any], draw: random.Random) -> dict[str, Any]:
    """The line with one value of its steps changed, left out or repeated."""
    row = copy.deepcopy(row)
    places = list(_places(row["steps"]))
    values, key = draw.choice(places)
    value = values[key]
    others = [among[at] for among, at in places if type(among[at]) is type(value)]
    if isinstance(values, list) and draw.random() < 0.3:
        del values[key]
    elif isinstance(values, list) and draw.random() < 0.2:
        values.insert(key, copy.deepcopy(value))
    elif type(value) is int and draw.random() < 0.7:
        values[key] = value + draw.choice([-2, -1, 1, 2])
    else:
        values[key] = copy.deepcopy(draw.choice(others))
    if draw.random() < 0.7:
        with suppress(KeyError, TypeError, ValueError):
            _resummarise(row)
    return row


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    keys = value if isinstance(value, dict) else range(len(value))
    for key in keys:
        yield value, key
        if isinstance(value[key], (dict, list)):
            yield from _places(value[key])


@dataclass(frozen=True, slots=True)
class Line:
    """A line about a chain, true or forged.

    Attributes:
        judged: what the checker finds, and the line of the compiled one.
        wanted: whether it has to be accepted; None for a damaged line, which may be.
        row: the line.
    """

    judged: proved.Judgement
    wanted: bool | None
    row: dict[str, Any]


def forged_lines(seed: int, items: int) -> Iterator[Line]:
    """True lines about random chains, and so many forged ones of them."""
    draw = random.Random(seed)
    number = 0
    while number < items:
        premise, steps = random_trace(draw)
        row = certified_row(premise, decide(premise, steps))
        exchanged = list(mutants(row))
        forged = [damaged(row, draw) for _ in range(6)]
        number += len(exchanged) + len(forged)
        for wanted, rows in ((True, [row]), (False, exchanged), (None, forged)):
            for line in rows:
                item = item_check.Item(texts(premise.item))
                yield Line(proved.judge(item, line)[0], wanted, line)


def forgeries(seed: int, items: int) -> tuple[int, list[str]]:
    """Number of forged lines that were checked, and those on which a checker is wrong."""
    number, faults = 0, []
    lines = forged_lines(seed, items)
    while batch := list(islice(lines, BATCH)):
        number += sum(line.wanted is not True for line in batch)
        faults += [
            f"accepted is {line.judged.accepted}: {line.row}"
            for line in batch
            if line.wanted not in (None, line.judged.accepted)
        ]
        differ = differing([line.judged for line in batch], compiled())
        faults += [f"the checkers differ: {batch[place].row}" for place in differ]
    return number, faults


# --- Twins ----------------------------------------------------------------------------------------


def faults_of_twin(number: int, seed: int) -> tuple[list[str], list[proved.Judgement]]:
    """What is wrong with a generated twin by the specification, and its lines for the checkers."""
    draw = random.Random(f"{seed} {number}")
    settings = TraceSettings(
        test=number + 1,
        domains=(draw.choice(list(Domain)),),
        hops=(2, 3, 4),
        irrelevant=draw.randint(1, 3),
        detours=draw.randint(0, 2),
        seed=seed,
    )
    made = drawn(settings, Split.TEST, number)
    faults, lines = [], []
    for place, row in enumerate(made.rows):
        result = decided(row.trace)
        found = [[s.verdict for s in step.statements] for step in result.verdict.steps]
        wanted = expected(result.premise, result.steps)
        first = next((n for n, step in enumerate(wanted) if {*step} & ERRORS), -1)
        due = made.twin.first_error if place == made.flawed else -1
        if found != wanted or first != due:
            faults.append(f"twin {number}: {found}, expected {wanted}; first error {first}, {due}")
        judged: list[tuple[str, proved.Judgement]] = []
        certified(row, result, judged)
        lines += [line for _, line in judged]
    return faults, lines


def twins(seed: int, items: int) -> list[str]:
    """Faults of generated twins, and of the checkers about them."""
    faults: list[str] = []
    lines: list[proved.Judgement] = []
    for number in range(items):
        found, judged = faults_of_twin(number, seed)
        faults += found
        lines += judged
    return faults + [f"the checkers differ: {lines[n]}" for n in differing(lines, compiled())]


# --- Rewards --------------------------------------------------------------------------------------

PREMISE = (
    "The end of Kite Fair happened before the start of Boat Race. The end of Boat Race happened "
    "before the start of Lamp Walk. The end of Lamp Walk happened before the start of Stone Play"
)
CLAIM = "Kite Fair happens before Stone Play"
SENTENCES = (
    "Kite Fair ends before Boat Race starts.", "Boat Race ends before Lamp Walk starts.",
    "So Kite Fair ends before Lamp Walk starts.", "Lamp Walk ends before Stone Play starts.",
    "Hence Kite Fair ends before Stone Play starts.", "Kite Fair happens before Stone Play.",
    "KF.end < BR.start < BR.end < LW.start", "Boat Race starts before it ends.",
    "Stone Play might end before Kite Fair starts.", "Suppose Stone Play ends first.",
    "Wait, that is wrong.", "The claim is true.", "There is no contradiction.", "Answer: True",
    "Answer: False", "Stone Play does not end before Kite Fair starts.",
    "| Kite Fair | < | Boat Race |", "Kite Fair blorbs Boat Race.",
    "$\\text{end}(\\text{Kite Fair}) < \\text{start}(\\text{Boat Race})$",
    "Kite Fair 0 to 1, Boat Race 2 to 3, Lamp Walk 4 to 5, Stone Play 6 to 7",
    "It ends before Lamp Walk.", "Neither Kite Fair nor Boat Race starts after Stone Play.",
    "If so, the two overlap.", "",
)  # fmt: skip
ODD = "\x00\u200b\u202e\ufffd\ue000\ue1004\U0001f600{}[]()<>$\\|*_#'\"`~^&%…—,.;:!?0123456789"


def completion(draw: random.Random) -> str:
    """Some sentences, perhaps damaged, with an answer more often than not."""
    lines = [draw.choice(SENTENCES) for _ in range(draw.randint(0, 10))]
    if draw.random() < 0.4:
        place = draw.randrange(len(lines) + 1)
        text = draw.choice(SENTENCES)
        cut = draw.randrange(len(text) + 1)
        odd = "".join(draw.choice(ODD) for _ in range(draw.randint(1, 4)))
        lines.insert(place, text[:cut] + odd + text[draw.randrange(cut, len(text) + 1) :])
    if draw.random() < 0.7:
        lines.append("Answer: True")
    return "\n".join(lines)


def payer() -> Payer:
    """What pays completions about the item of these sentences."""
    item = reader(Domain.TEMPORAL).read("fuzz", PREMISE, CLAIM)
    premise = PremiseClosure(item)
    assert premise.status is Status.ENTAILED
    return Payer(premise, TraceReader(item, SpatialReading.GEOMETRIC, premise.claimed.orders))


def overpaid(seed: int, items: int) -> tuple[int, list[str]]:
    """Number of paid completions, and those of which a part without some lines is paid more."""
    draw, pays = random.Random(seed), payer()
    paid, faults = 0, []
    for _ in range(items):
        text = completion(draw)
        value = pays.pay(text).value
        if not 0 <= value <= 1:
            faults.append(f"{value}: {text!r}")
        if value:
            paid += 1
            lines = text.split("\n")
            kept = [line for line in lines[:-1] if draw.random() < 0.7]
            less = pays.pay("\n".join([*kept, lines[-1]])).value
            if less > value:
                faults.append(f"{value} < {less}: {text!r} without {set(lines) - set(kept)}")
    return paid, faults


def main(arguments: list[str]) -> int:
    """Run a campaign; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else "")
    parser.add_argument("campaign", choices=("verdicts", "twins", "mutants", "fuzz"))
    parser.add_argument("--items", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    if given.campaign == "verdicts":
        faults, done = list(differences(given.seed, given.items)), given.items
    elif given.campaign == "twins":
        faults, done = twins(given.seed, given.items), given.items
    elif given.campaign == "mutants":
        done, faults = forgeries(given.seed, given.items)
    else:
        done, faults = overpaid(given.seed, given.items)
    lines = [*faults[:10], f"{given.campaign}: {done:,} of {given.items:,}, {len(faults):,} faults"]
    sys.stdout.write("\n".join(lines) + "\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
