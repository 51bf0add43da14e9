"""The ``smt`` engine: a claim is entailed if the premise and its negation are unsatisfiable."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence

from grammar.eventhop.model import Item, Policy, Status, Verdict
from solver import smt as smtlib
from solver.eventhop.crosscheck import verdict
from solver.eventhop.engines import EngineName
from solver.smt import CLAIMED, DENIED, OrderSolver


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
        numbered = self._solver.begin(item)
        sentences = [*smtlib.relations(numbered), *smtlib.durations(numbered)]
        claims = _claim_and_negation(smtlib.claim(item, numbered))
        with self._solver.assuming([*(s.term for s in sentences), *claims]):
            status = self._status()
        consistent = status is not Status.CONTRADICTORY
        if not consistent:
            points = smtlib.claimed_points(item, numbered)
            strict = [s for s in sentences if s.strict]
            self._solver.declare(s.guard for s in strict)
            relaxed = [*(s.relaxed for s in sentences), *(s.guarded for s in strict)]
            with self._solver.assuming([*relaxed, *claims]):
                status = self._relaxed_status(strict, points)
        return verdict(status, consistent=consistent, policy=self._policy)

    def _relaxed_status(
        self, sentences: Sequence[smtlib.Sentence], points: Sequence[str]
    ) -> Status:
        """The status over the relaxed premise: constraints off cycles hold by their guards."""
        on_cycles = self._solver.refuted(s.guard for s in sentences)
        cyclic = [s for s in sentences if s.guard in on_cycles]
        with self._solver.assuming(smtlib.not_collapsed(points, cyclic)):
            if not self._solver.satisfiable():
                return Status.CONTRADICTORY
        return self._status(*(s.guard for s in sentences if s.guard not in on_cycles))

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
    return smtlib.guarded(CLAIMED, claim), smtlib.guarded(DENIED, f"(not {claim})")


def unsatisfiable(solver: OrderSolver, item: Item, relations: Collection[int]) -> bool:
    """Whether these premise relations are unsatisfiable together with the duration axioms."""
    numbered = solver.begin(item)
    sentences = smtlib.relations(numbered)
    chosen = [sentences[n].term for n in relations]
    with solver.assuming([*chosen, *(s.term for s in smtlib.durations(numbered))]):
        return not solver.satisfiable()


def minimal_core(solver: OrderSolver, item: Item, relations: Iterable[int]) -> tuple[int, ...]:
    """A minimal unsatisfiable core of the given premise relations, ascending.

    Deletion-based: relations are tried in the given order, and each is dropped if the rest stays
    unsatisfiable. The result depends only on the premise and that order.

    Raises:
        ValueError: the relations are satisfiable.
    """
    numbered = solver.begin(item)
    sentences = smtlib.relations(numbered)
    rest = list(dict.fromkeys(relations))

    def unsat(chosen: Sequence[int]) -> bool:
        return not solver.satisfiable(*(sentences[n].guard for n in chosen))

    kept: list[int] = []
    durations = [s.term for s in smtlib.durations(numbered)]
    solver.declare(sentences[n].guard for n in rest)
    with solver.assuming([*durations, *(sentences[n].guarded for n in rest)]):
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
