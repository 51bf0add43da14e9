"""The ``asp`` engine: derivation in ASP, many items in one call of clingo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grammar.eventhop.model import (
    AllenRelation,
    Bound,
    Claim,
    Item,
    Label,
    Order,
    Point,
    Policy,
    Status,
    Verdict,
)
from solver.asp import Program
from solver.encodings import AtomError, Compound, Fact, FactTable, Term
from solver.eventhop.engines import EngineName


class At(Compound, predicate="at"):
    """The start or the end of an event."""

    event: int
    bound: Bound


class Allen(Compound, predicate="allen"):
    """One of Allen's relations as the relation of a claim."""

    relation: AllenRelation


class Lasts(Compound, predicate="lasts"):
    """The duration axiom of an event."""

    event: int


class EventFact(Fact, predicate="event"):
    """An event of an item."""

    item: int
    event: int


class RelationFact(Fact, predicate="relation"):
    """A sentence of the premise of an item."""

    item: int
    sentence: int
    left: At
    order: Order
    right: At


class ClaimFact(Fact, predicate="claim"):
    """The claim of an item, about two events or about two points."""

    item: int
    relation: str | Allen
    left: int | At
    right: int | At


class RelaxedFact(Fact, predicate="relaxed"):
    """A constraint on a cycle: a sentence of the premise, or the duration of an event."""

    item: int
    constraint: int | Lasts


class QueryFact(Fact, predicate="query"):
    """Two events whose Allen relation is queried."""

    item: int
    left: int
    right: int


class MostFrequentLabel(Fact, predicate="most_frequent"):
    """The most frequent label of the claims of a relation."""

    relation: str | Allen
    label: Label


def encode_items(items: Sequence[Item]) -> FactTable:
    """Events, relations and claims of a batch; item ``i`` has the number ``i``."""
    relations: list[str] = []
    claims: list[str] = []
    events: list[str] = []
    ends = Bound.END
    for index, item in enumerate(items):
        numbers = event_numbers(item)
        for sentence, relation in enumerate(item.premise):
            # Inlined: a call for each point would double the time.
            left, right = relation.left, relation.right
            p = f"{numbers[left.event]},{'end' if left.bound is ends else 'start'}"
            q = f"{numbers[right.event]},{'end' if right.bound is ends else 'start'}"
            relations.append(f"{index},{sentence},at({p})," + relation.order + f",at({q})")
        claim = item.claim
        sides = (
            f"{numbers[side]}" if isinstance(side, str) else _at(side, numbers)
            for side in (claim.left, claim.right)
        )
        claims.append(",".join((f"{index}", f"{claimed_relation(item)}", *sides)))
        if numbers:
            events.append(f"{EventFact.predicate}({index},0..{len(numbers) - 1}).")
    return FactTable(rows={RelationFact: relations, ClaimFact: claims}, text="\n".join(events))


def _at(point: Point, numbers: Mapping[str, int]) -> str:
    return f"at({numbers[point.event]},{point.bound})"


def claimed_relation(item: Item) -> str | Allen:
    """The relation of an item's claim as a term."""
    claim = item.claim
    if not isinstance(claim, Claim):
        return claim.order
    named = claim.relation
    return Allen(relation=named) if isinstance(named, AllenRelation) else named


def event_numbers(item: Item) -> dict[str, int]:
    """The number of each event, in the order of first mention, premise before claim."""
    numbers: dict[str, int] = {}
    for relation in item.premise:
        numbers.setdefault(relation.left.event, len(numbers))
        numbers.setdefault(relation.right.event, len(numbers))
    claim = item.claim
    for side in (claim.left, claim.right):
        numbers.setdefault(side.event if isinstance(side, Point) else side, len(numbers))
    return numbers


def constraint(term: Term) -> int | Lasts:
    """Decode a constraint: the number of a sentence, or ``lasts(event)``.

    Raises:
        AtomError: the term is neither.
    """
    match term:
        case int(sentence):
            return sentence
        case ("lasts", (int(event),)):
            return Lasts(event=event)
    raise AtomError(f"found the constraint {term}, expected a sentence or lasts(event)")


# A call of clingo has a fixed cost of 3 ms: without batches an item takes four times as long.
# Larger batches gain nothing.
BATCH = 256


class DerivationEngine:
    """Runs ``encodings/temporal/claims.lp``."""

    name = EngineName.ASP

    def __init__(self, *, policy: Policy = Policy.LOCAL) -> None:
        self._program = Program(
            encodings=("temporal/claims.lp",), constants={"policy": policy.value}
        )

    def decide(self, items: Sequence[Item]) -> list[Verdict]:
        """One verdict per item, in order."""
        verdicts: list[Verdict] = []
        for start in range(0, len(items), BATCH):
            verdicts += self._decide_batch(items[start : start + BATCH])
        return verdicts

    def _decide_batch(self, items: Sequence[Item]) -> list[Verdict]:
        status: dict[object, object] = {}
        label: dict[object, object] = {}
        consistent: set[object] = set()
        for atom in self._program.unique_model(encode_items(items)):
            if atom.name == "status":
                status[atom.arguments[0]] = atom.arguments[1]
            elif atom.name == "label":
                label[atom.arguments[0]] = atom.arguments[1]
            else:
                consistent.add(atom.arguments[0])
        return [
            Verdict(
                status=Status(str(status[index])),
                consistent=index in consistent,
                label=Label(str(label[index])),
            )
            for index in range(len(items))
        ]
