"""Items in SMT-LIB, as terms over the macros of ``encodings/temporal/order.smt2``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from solver.model import AllenRelation, Claim, Item
from solver.numbering import NumberedItem, number
from solver.theories import encoding

THEORY = encoding("temporal/order.smt2")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A relation of the premise, or the duration axiom of an event.

    Attributes:
        name: ``r3`` for relation 3 of the premise, ``lasts_2`` for the duration of event 2; also
            the name of its guard.
        macro: the macro that defines its meaning.
        left: its first point, as a term.
        right: its second point, as a term.
    """

    name: str
    macro: str
    left: str
    right: str

    @property
    def term(self) -> str:
        """The sentence as a term."""
        return f"({self.macro} {self.left} {self.right})"

    @property
    def relaxed(self) -> str:
        """The sentence relaxed from < to <=."""
        return f"({self.macro}_relaxed {self.left} {self.right})"

    @property
    def guarded(self) -> str:
        """The sentence under its guard."""
        return guarded(self.name, self.term)


def relations(numbered: NumberedItem) -> list[Sentence]:
    """The relations of the premise, in their order."""
    return [
        Sentence(name=f"r{n}", macro=order.value, left=point(p), right=point(q))
        for n, (p, order, q) in enumerate(numbered.relations)
    ]


def durations(numbered: NumberedItem) -> list[Sentence]:
    """The duration axioms, in the order of the events."""
    return [
        Sentence(name=f"lasts_{e}", macro="lasts", left=f"start_{e}", right=f"end_{e}")
        for e in range(len(numbered.events))
    ]


def point(number: int) -> str:
    """The term of a numbered point."""
    return f"end_{number >> 1}" if number & 1 else f"start_{number >> 1}"


def claimed_points(item: Item, numbered: NumberedItem) -> list[str]:
    """The points that the claim compares; a point may occur twice."""
    left, right = numbered.claim
    if not isinstance(item.claim, Claim):
        return [point(left), point(right)]
    return [f"start_{left}", f"end_{left}", f"start_{right}", f"end_{right}"]


def claim(item: Item, numbered: NumberedItem) -> str:
    """The claim as a term."""
    points = " ".join(claimed_points(item, numbered))
    if not isinstance(item.claim, Claim):
        return f"({item.claim.order} {points})"
    theory = "allen" if isinstance(item.claim.relation, AllenRelation) else "claim"
    return f"({theory}_{item.claim.relation} {points})"


def guarded(guard: str, term: str) -> str:
    """A term that holds if its guard does."""
    return f"(guarded {guard} {term})"


def assertions(terms: Iterable[str]) -> Iterator[str]:
    """An assertion of each term."""
    return (f"(assert {term})" for term in terms)


def constants(names: Iterable[str], sort: str) -> str:
    """Declarations of constants."""
    return "".join(f"(declare-const {name} {sort})" for name in names)


def not_collapsed(points: Sequence[str], cyclic: Iterable[Sentence]) -> list[str]:
    """Terms: no two of the points coincide with the points of a constraint on a cycle."""
    pairs = [f"{p} {q}" for p, q in combinations(points, 2)]
    cycle_points = dict.fromkeys(s.left for s in cyclic)
    return [f"(not_both_at {point} {pair})" for point in cycle_points for pair in pairs]


def script(item: Item) -> str:
    """An SMT-LIB script: checks the premise, the premise with the claim, and with its negation."""
    numbered = number(item)
    points = [point(p) for p in range(2 * len(numbered.events))]
    sentences = [*relations(numbered), *durations(numbered)]
    claimed = claim(item, numbered)
    lines = [
        THEORY.read_text(encoding="utf-8"),
        *(constants([p], "Int") for p in points),
        *assertions(f"(! {s.term} :named {s.name})" for s in sentences),
        "(check-sat)",
        f"(push) (assert {claimed}) (check-sat) (pop)",
        f"(push) (assert (not {claimed})) (check-sat) (pop)",
    ]
    return "\n".join(lines) + "\n"
