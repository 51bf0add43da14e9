"""The ``timelines`` engine: enumerates the timelines of small items."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from grammar.errors import HopcheckError
from grammar.eventhop.model import AllenRelation, Item, Policy, Status, Verdict
from solver.asp import Program, Reasoning
from solver.encodings import Atom, written
from solver.eventhop.engines import EngineName, verdict
from solver.eventhop.engines.asp import (
    Lasts,
    QueryFact,
    RelaxedFact,
    constraint,
    encode_items,
    event_numbers,
)

# The grounding is cubic in the points: larger items take seconds.
MOST_EVENTS = 12

_CYCLIC = Program(encodings=("temporal/cyclic_constraints.lp",))
_FEASIBLE = Program(encodings=("temporal/feasible.lp",))


class TooLargeError(HopcheckError):
    """An item with more than ``MOST_EVENTS`` events."""

    code = "too-large"


def cyclic_constraints(items: Sequence[Item]) -> list[list[int | Lasts]]:
    """The constraints on cycles of each item: sentences of the premise, and durations.

    Raises:
        TooLargeError: an item has more than ``MOST_EVENTS`` events.
    """
    return [sorted(found.cyclic, key=str) for found in _relaxations(items)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Relaxation:
    """The constraints of an item that are relaxed.

    Attributes:
        cyclic: those on cycles.
        joined: weak orders whose points coincide.
    """

    cyclic: list[int | Lasts] = field(default_factory=list)
    joined: list[int | Lasts] = field(default_factory=list)


def _relaxations(items: Sequence[Item]) -> list[_Relaxation]:
    for item in items:
        _check_size(item)
    found = [_Relaxation() for _ in items]
    for atom in consequences(_CYCLIC, str(encode_items(items)), Reasoning.CAUTIOUS):
        index, term = atom.arguments
        relaxation = found[int(str(index))]
        kept = relaxation.cyclic if atom.name == "collapsed" else relaxation.joined
        kept.append(constraint(term))
    return found


def _relaxed(items: Sequence[Item], relaxations: Iterable[_Relaxation]) -> str:
    every = [[*relaxation.cyclic, *relaxation.joined] for relaxation in relaxations]
    return relaxed_facts(items, [sorted(constraints, key=str) for constraints in every])


def relaxed_facts(items: Sequence[Item], cyclic: Sequence[Iterable[int | Lasts]]) -> str:
    """Facts of a batch with the constraints on cycles relaxed, so that timelines exist."""
    relaxed = (
        RelaxedFact(item=index, constraint=lasts)
        for index, constraints in enumerate(cyclic)
        for lasts in constraints
    )
    return "\n".join([str(encode_items(items)), *written(relaxed)])


def consequences(program: Program, batch: str, reasoning: Reasoning) -> list[Atom]:
    """Brave (possible) or cautious (necessary) consequences over the timelines of a batch."""
    atoms = program.consequences(batch, reasoning)
    if atoms is None:
        raise HopcheckError("a relaxed premise has no timeline", hint="the encodings are broken")
    return atoms


def feasible_relations(item: Item, left: str, right: str) -> frozenset[AllenRelation]:
    """The Allen relations that can hold from ``left`` to ``right``.

    An inconsistent premise is relaxed; an event whose duration is on a cycle has no relations.

    Raises:
        TooLargeError: the item has more than ``MOST_EVENTS`` events.
        HopcheckError: the item does not mention one of the two events.
    """
    events = event_numbers(item)
    for event in (left, right):
        if event not in events:
            raise HopcheckError(f"the item does not mention the event {event!r}", where=item.id)
    query = QueryFact(item=0, left=events[left], right=events[right])
    relaxed = _relaxed([item], _relaxations([item]))
    program_facts = "\n".join([relaxed, *written([query])])
    atoms = consequences(_FEASIBLE, program_facts, Reasoning.BRAVE)
    return frozenset(AllenRelation(str(atom.arguments[3])) for atom in atoms)


def _check_size(item: Item) -> None:
    events = len(event_numbers(item))
    if events > MOST_EVENTS:
        raise TooLargeError(
            f"the item has {events} events; timelines are enumerated for at most {MOST_EVENTS}",
            where=item.id,
            hint="use one of the engines asp, graph, smt",
        )


# Consequences take more models to converge in larger batches.
BATCH = 32


class SearchEngine:
    """Computes brave and cautious consequences of ``encodings/temporal/search.lp``."""

    name = EngineName.TIMELINES

    def __init__(self, *, policy: Policy = Policy.LOCAL) -> None:
        self._policy = policy
        self._program = Program(encodings=("temporal/search.lp",))

    def decide(self, items: Sequence[Item]) -> list[Verdict]:
        """One verdict per item, in order.

        Raises:
            TooLargeError: an item has more events than the search supports.
        """
        verdicts: list[Verdict] = []
        for start in range(0, len(items), BATCH):
            verdicts += self._decide_batch(items[start : start + BATCH])
        return verdicts

    def _decide_batch(self, items: Sequence[Item]) -> list[Verdict]:
        relaxations = _relaxations(items)
        batch = _relaxed(items, relaxations)
        possible = self._consequences(batch, Reasoning.BRAVE)
        necessary = self._consequences(batch, Reasoning.CAUTIOUS)
        return [
            self._verdict(
                contradictory=("collapsed_claim", index) in necessary,
                can_hold=("true", index) in possible,
                must_hold=("true", index) in necessary,
                consistent=not relaxations[index].cyclic,
            )
            for index in range(len(items))
        ]

    def _consequences(self, batch: str, reasoning: Reasoning) -> set[tuple[str, object]]:
        atoms = consequences(self._program, batch, reasoning)
        return {(atom.name, atom.arguments[0]) for atom in atoms}

    def _verdict(
        self, *, contradictory: bool, can_hold: bool, must_hold: bool, consistent: bool
    ) -> Verdict:
        if contradictory:
            status = Status.CONTRADICTORY
        elif must_hold:
            status = Status.ENTAILED
        else:
            status = Status.UNKNOWN if can_hold else Status.REFUTED
        return verdict(status, consistent=consistent, policy=self._policy)
