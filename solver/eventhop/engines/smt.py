"""The ``smt`` engine: a claim is entailed if the premise and its negation are unsatisfiable."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from grammar.eventhop.model import (
    STRICT_ORDERS,
    AllenRelation,
    Claim,
    Item,
    Order,
    Policy,
    Status,
    Verdict,
)
from solver.eventhop.engines import EngineName, verdict
from solver.eventhop.engines.graph import NumberedItem, number
from solver.smt import CLAIMED, DENIED, THEORY, OrderSolver, assertions, constants, guarded, point


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A relation of the premise, or the duration axiom of an event.

    Attributes:
        strict: whether its points must differ.
        equal: whether they must coincide.
        left: its first point, as a term.
        right: its second point.
        term: the sentence as a term.
        relaxed: the sentence relaxed from < to <=.
        guard: name of its guard; equal sentences share one.
        guarded: the sentence under its guard.
    """

    strict: bool
    equal: bool
    left: str
    right: str
    term: str
    relaxed: str
    guard: str
    guarded: str


def relations(numbered: NumberedItem) -> list[Sentence]:
    """The relations of the premise, in their order."""
    return [_sentence(order.value, p, q) for p, order, q in numbered.relations]


def durations(numbered: NumberedItem) -> list[Sentence]:
    """The duration axioms, in the order of the events."""
    return [_sentence("lasts", p, p + 1) for p in range(0, 2 * len(numbered.events), 2)]


_STRICT = frozenset((*STRICT_ORDERS, "lasts"))


@lru_cache(65_536)
def _sentence(macro: str, p: int, q: int) -> Sentence:
    left, right = point(p), point(q)
    term, guard = f"({macro} {left} {right})", f"{macro}_{left}_{right}"
    return Sentence(
        strict=macro in _STRICT,
        equal=macro == Order.SIMULTANEOUS,
        left=left,
        right=right,
        term=term,
        relaxed=f"({macro}_relaxed {left} {right})",
        guard=guard,
        guarded=guarded(guard, term),
    )


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


def not_collapsed(points: Sequence[str], cyclic: Iterable[Sentence]) -> list[str]:
    """Terms: no two of the points coincide with the points of a constraint on a cycle.

    Both points of such a constraint coincide, so that one of those that share points is enough.
    """
    joined = _Classes(cyclic)
    pairs = [f"{p} {q}" for p, q in combinations(points, 2)]
    kept = dict.fromkeys(map(joined.first, list(joined.before)))
    return [f"(not_both_at {point} {pair})" for point in kept for pair in pairs]


class _Classes:
    """The points that sentences join; each class has a first point."""

    def __init__(self, sentences: Iterable[Sentence]) -> None:
        self.before: dict[str, str] = {}
        for sentence in sentences:
            self.before[self.first(sentence.right)] = self.first(sentence.left)

    def first(self, point: str) -> str:
        before = self.before
        while (nearer := before.setdefault(point, point)) != point:
            point = before[point] = before[nearer]
        return point


def narrowed(numbered: NumberedItem) -> list[Sentence]:
    """The weak orders of the premise as strict ones, in their order."""
    strict = {Order.NOT_AFTER: Order.BEFORE, Order.NOT_BEFORE: Order.AFTER}
    return [
        _sentence(strict[order].value, p, q)
        for p, order, q in numbered.relations
        if order in strict
    ]


def script(item: Item) -> str:
    """An SMT-LIB script: checks the premise, the premise with the claim, and with its negation."""
    numbered = number(item)
    points = [point(p) for p in range(2 * len(numbered.events))]
    named = {f"r{n}": relation for n, relation in enumerate(relations(numbered))}
    named |= {f"lasts_{n}": duration for n, duration in enumerate(durations(numbered))}
    claimed = claim(item, numbered)
    lines = [
        THEORY.read_text(encoding="utf-8"),
        *(constants([p], "Int") for p in points),
        *assertions(f"(! {sentence.term} :named {name})" for name, sentence in named.items()),
        "(check-sat)",
        f"(push) (assert {claimed}) (check-sat) (pop)",
        f"(push) (assert (not {claimed})) (check-sat) (pop)",
    ]
    return "\n".join(lines) + "\n"


def begin(solver: OrderSolver, item: Item) -> NumberedItem:
    """Start a new item: declare its points, with no assertions."""
    numbered = number(item)
    solver.begin(item.id, len(numbered.events))
    return numbered


class RefutationEngine:
    """Refutes with z3 over ``encodings/temporal/order.smt2``.

    An inconsistent premise is relaxed: constraints on cycles are weakened from < to <=, so that
    the points of a cycle coincide, and all other constraints are kept.
    """

    name = EngineName.SMT

    def __init__(self, *, policy: Policy = Policy.LOCAL, solver: OrderSolver | None = None) -> None:
        self._policy = policy
        self._solver = solver or OrderSolver()

    def decide(self, items: Sequence[Item]) -> list[Verdict]:
        """One verdict per item, in order.

        Raises:
            UndecidedError: z3 exceeds the time limit for an item.
        """
        return [self._decide(item) for item in items]

    def _decide(self, item: Item) -> Verdict:
        numbered = begin(self._solver, item)
        sentences = [*relations(numbered), *durations(numbered)]
        claims = _claim_and_negation(claim(item, numbered))
        with self._solver.assuming([*(s.term for s in sentences), *claims]):
            status = self._status()
        consistent = status is not Status.CONTRADICTORY
        if not consistent:
            points = claimed_points(item, numbered)
            strict = [s for s in sentences if s.strict]
            weak = narrowed(numbered)
            self._solver.declare(s.guard for s in (*strict, *weak))
            relaxed = [s.relaxed for s in sentences]
            relaxed += [s.guarded for s in (*strict, *weak)]
            equal = [s for s in relations(numbered) if s.equal]
            with self._solver.assuming([*relaxed, *claims]):
                status = self._relaxed_status(strict, points, weak, equal)
        return verdict(status, consistent=consistent, policy=self._policy)

    def _relaxed_status(
        self,
        sentences: Sequence[Sentence],
        points: Sequence[str],
        weak: Sequence[Sentence],
        equal: Sequence[Sentence],
    ) -> Status:
        """The status over the relaxed premise: constraints off cycles hold by their guards.

        A point on a cycle is derivably before itself, so that a weak order between it and a point
        off the cycle is strict.
        """
        on_cycles = self._solver.refuted(s.guard for s in (*sentences, *weak))
        cyclic = [s for s in sentences if s.guard in on_cycles]
        with self._solver.assuming(not_collapsed(points, cyclic)):
            if not self._solver.satisfiable():
                return Status.CONTRADICTORY
        strict = [s for s in sentences if s.guard not in on_cycles]
        if weak:
            joined = _Classes([*cyclic, *equal, *(s for s in weak if s.guard in on_cycles)])
            classes = {joined.first(s.left) for s in cyclic}
            strict += [
                s
                for s in weak
                if s.guard not in on_cycles
                and not classes.isdisjoint((joined.first(s.left), joined.first(s.right)))
            ]
        return self._status(*(s.guard for s in strict))

    def _status(self, *guards: str) -> Status:
        """The status from the satisfiability of the claim and of its negation."""
        holds = self._solver.satisfiable(*guards, CLAIMED)
        if not holds and CLAIMED not in self._solver.core():
            return Status.CONTRADICTORY
        fails = self._solver.satisfiable(*guards, DENIED)
        if holds and fails:
            return Status.UNKNOWN
        if holds:
            return Status.ENTAILED
        return Status.REFUTED if fails else Status.CONTRADICTORY


def _claim_and_negation(claim: str) -> tuple[str, str]:
    return guarded(CLAIMED, claim), guarded(DENIED, f"(not {claim})")


def unsatisfiable(solver: OrderSolver, item: Item, premise: Collection[int]) -> bool:
    """Whether these premise relations are unsatisfiable together with the duration axioms."""
    numbered = begin(solver, item)
    sentences = relations(numbered)
    chosen = [sentences[n].term for n in premise]
    with solver.assuming([*chosen, *(s.term for s in durations(numbered))]):
        return not solver.satisfiable()


def minimal_core(solver: OrderSolver, item: Item, premise: Iterable[int]) -> tuple[int, ...]:
    """A minimal unsatisfiable core of the given premise relations, ascending.

    Deletion-based: relations are tried in the given order, and each is dropped if the rest stays
    unsatisfiable. The result depends only on the premise and that order.

    Raises:
        ValueError: the relations are satisfiable.
    """
    numbered = begin(solver, item)
    sentences = relations(numbered)
    rest = list(dict.fromkeys(premise))

    def unsat(chosen: Sequence[int]) -> bool:
        return not solver.satisfiable(*(sentences[n].guard for n in chosen))

    kept: list[int] = []
    lasting = [s.term for s in durations(numbered)]
    solver.declare(sentences[n].guard for n in rest)
    with solver.assuming([*lasting, *(sentences[n].guarded for n in rest)]):
        if not unsat(rest):
            raise ValueError("the relations are satisfiable")
        while not unsat(kept):
            # Bisect for the next relation to keep: linear deletion takes hours on long cycles.
            needed = bisect_left(
                range(len(rest)), True, key=lambda n: not unsat([*kept, *rest[n + 1 :]])
            )
            kept.append(rest[needed])
            rest = rest[needed + 1 :]
    return tuple(sorted(kept))
