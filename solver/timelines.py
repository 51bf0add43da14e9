"""Timelines of small items, as ``encodings/temporal/weak_order.lp`` guesses them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from solver.asp import Atom, Program, Reasoning, Term
from solver.errors import HopcheckError
from solver.facts import facts
from solver.model import AllenRelation, Item
from solver.numbering import number

# Every two points are compared by way of every third: beyond this, an item takes seconds.
MOST_EVENTS = 12

_TORN = Program(encodings=("temporal/torn.lp",))
_FEASIBLE = Program(encodings=("temporal/feasible.lp",))


class TooLargeError(HopcheckError):
    """An item with more events than timelines are searched for."""

    code = "too-large"


def torn(items: Sequence[Item]) -> list[list[str]]:
    """The torn sentences of each item: numbers of relations, and ``lasts(E)`` of events, as terms.

    Raises:
        TooLargeError: if an item has more than ``MOST_EVENTS`` events.
    """
    for item in items:
        _check_size(item)
    found: list[list[str]] = [[] for _ in items]
    for atom in consequences(_TORN, facts(items), Reasoning.CAUTIOUS):
        index, sentence = atom.arguments
        found[int(str(index))].append(_text(sentence))
    return [sorted(sentences) for sentences in found]


def surviving(items: Sequence[Item], torn: Sequence[Iterable[str]]) -> str:
    """Facts of a batch whose torn sentences are relaxed: premises that some line satisfies."""
    relaxed = [f"relaxed({i},{s})." for i, said in enumerate(torn) for s in said]
    return "\n".join([facts(items), *relaxed])


def consequences(program: Program, given: str, reasoning: Reasoning) -> list[Atom]:
    """What is possible (brave) or necessary (cautious) on the lines of a batch."""
    atoms = program.consequences(given, reasoning)
    if atoms is None:
        raise HopcheckError("no line satisfies a relaxed premise", hint="the encodings are broken")
    return atoms


def feasible_relations(item: Item, left: str, right: str) -> frozenset[AllenRelation]:
    """The Allen relations that ``left`` can have to ``right``.

    Of an inconsistent premise, what survives counts; an event whose duration is torn has none.

    Raises:
        TooLargeError: if the item has more than ``MOST_EVENTS`` events.
        HopcheckError: if the item does not name one of the two events.
    """
    events = number(item).events
    for event in (left, right):
        if event not in events:
            raise HopcheckError(f"the item names no event {event!r}", where=item.id)
    asked = f"asked(0,{events.index(left)},{events.index(right)})."
    given = surviving([item], torn([item])) + asked
    atoms = consequences(_FEASIBLE, given, Reasoning.BRAVE)
    return frozenset(AllenRelation(str(atom.arguments[3])) for atom in atoms)


def _check_size(item: Item) -> None:
    events = len(number(item).events)
    if events > MOST_EVENTS:
        raise TooLargeError(
            f"the item has {events} events; timelines are searched for at most {MOST_EVENTS}",
            where=item.id,
            hint="ask one of the engines asp, graph, smt",
        )


def _text(term: Term) -> str:
    if isinstance(term, tuple):
        name, arguments = term
        return f"{name}({','.join(map(_text, arguments))})"
    return str(term)
