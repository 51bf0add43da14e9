"""The ``smt`` engine: a claim follows if its negation cannot be true together with the premise."""

from __future__ import annotations

from collections.abc import Sequence

from solver import smtlib
from solver.engines import EngineName
from solver.model import Item, Policy, Status, Verdict
from solver.policy import label
from solver.smt import CLAIMED, DENIED, OrderSolver


class RefutationEngine:
    """Asks z3 about ``encodings/temporal/order.smt2``.

    Of an inconsistent premise, what survives is asked: each relation whose order can still hold
    when all others are relaxed, while the points of a cycle fall together.
    """

    name = EngineName.SMT

    def __init__(self, *, policy: Policy = Policy.LOCAL, solver: OrderSolver | None = None) -> None:
        self._policy = policy
        self._solver = solver or OrderSolver()

    def decide(self, items: Sequence[Item]) -> list[Verdict]:
        """Give one verdict an item, in the order of the items.

        Raises:
            UndecidedError: if z3 needs longer for an item than it may.
        """
        return [self._decide(item) for item in items]

    def _decide(self, item: Item) -> Verdict:
        numbered = self._solver.begin(item)
        said = [*smtlib.relations(numbered), *smtlib.durations(numbered)]
        asked = _both_ways(smtlib.claim(item, numbered))
        with self._solver.assuming([*(s.meant for s in said), *asked]):
            status = self._status()
        consistent = status is not Status.CONTRADICTORY
        if not consistent:
            points = smtlib.claimed_points(item, numbered)
            relaxed = [term for s in said for term in (s.relaxed, s.if_heard)]
            with self._solver.assuming([*relaxed, *asked]):
                status = self._surviving_status(said, points)
        return Verdict(
            status=status,
            consistent=consistent,
            label=label(status, consistent=consistent, policy=self._policy),
        )

    def _surviving_status(self, said: Sequence[smtlib.Sentence], points: Sequence[str]) -> Status:
        torn = self._solver.unhearable(s.name for s in said)
        tears = [s for s in said if s.name in torn]
        with self._solver.assuming(smtlib.apart(points, tears)):
            if not self._solver.satisfiable():
                return Status.CONTRADICTORY
        return self._status(*(s.name for s in said if s.name not in torn))

    def _status(self, *heard: str) -> Status:
        """Whether the claim can be true and can be false; neither: there is a contradiction."""
        holds = self._solver.satisfiable(*heard, CLAIMED)
        fails = self._solver.satisfiable(*heard, DENIED)
        if holds and fails:
            return Status.UNKNOWN
        if holds:
            return Status.ENTAILED
        return Status.REFUTED if fails else Status.CONTRADICTORY


def _both_ways(claim: str) -> tuple[str, str]:
    return smtlib.if_heard(CLAIMED, claim), smtlib.if_heard(DENIED, f"(not {claim})")
