"""An item in SMT-LIB: what is given, in the words of ``encodings/temporal/order.smt2``."""

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
        name: ``r3`` for relation 3 of the premise, ``lasts_2`` for the duration of event 2.
        word: the macro that says what the sentence means.
        left: its first point, as a term.
        right: its second point, as a term.
    """

    name: str
    word: str
    left: str
    right: str

    @property
    def meant(self) -> str:
        """The sentence as it is meant."""
        return f"({self.word} {self.left} {self.right})"

    @property
    def relaxed(self) -> str:
        """The sentence with its order allowed to shrink to one instant."""
        return f"({self.word}_relaxed {self.left} {self.right})"

    @property
    def if_heard(self) -> str:
        """The sentence as it is meant if it is heard; nothing if not."""
        return if_heard(self.name, self.meant)


def relations(numbered: NumberedItem) -> list[Sentence]:
    """The relations of the premise, in their order."""
    return [
        Sentence(name=f"r{n}", word=order.value, left=point(p), right=point(q))
        for n, (p, order, q) in enumerate(numbered.relations)
    ]


def durations(numbered: NumberedItem) -> list[Sentence]:
    """The duration axioms, in the order of the events."""
    return [
        Sentence(name=f"lasts_{e}", word="lasts", left=f"start_{e}", right=f"end_{e}")
        for e in range(len(numbered.events))
    ]


def point(number: int) -> str:
    """The term of a numbered point."""
    return f"end_{number >> 1}" if number & 1 else f"start_{number >> 1}"


def claimed_points(item: Item, numbered: NumberedItem) -> list[str]:
    """The points that the claim sets beside each other; one may be named twice."""
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


def if_heard(name: str, term: str) -> str:
    """A term that holds if the sentence of this name is heard."""
    return f"(states {name} {term})"


def asserting(terms: Iterable[str]) -> Iterator[str]:
    """An assertion of each term."""
    return (f"(assert {term})" for term in terms)


def constants(names: Iterable[str], sort: str) -> str:
    """Declarations of constants."""
    return "".join(f"(declare-const {name} {sort})" for name in names)


def apart(points: Sequence[str], torn: Iterable[Sentence]) -> list[str]:
    """Terms: no two of the points fall together at a torn sentence."""
    pairs = [f"{p} {q}" for p, q in combinations(points, 2)]
    tears = dict.fromkeys(s.left for s in torn)
    return [f"(apart_at {tear} {pair})" for tear in tears for pair in pairs]


def script(item: Item) -> str:
    """A file for ``z3``: is the premise satisfiable, and so with the claim, with its denial?"""
    numbered = number(item)
    points = [point(p) for p in range(2 * len(numbered.events))]
    said = [*relations(numbered), *durations(numbered)]
    claimed = claim(item, numbered)
    lines = [
        THEORY.read_text(encoding="utf-8"),
        *(constants([p], "Int") for p in points),
        *asserting(f"(! {s.meant} :named {s.name})" for s in said),
        "(check-sat)",
        f"(push) (assert {claimed}) (check-sat) (pop)",
        f"(push) (assert (not {claimed})) (check-sat) (pop)",
    ]
    return "\n".join(lines) + "\n"
