"""The ``timelines`` engine: enumerates the timelines of small items."""

from __future__ import annotations

from collections.abc import Sequence

from solver.asp import Program, Reasoning
from solver.engines import EngineName
from solver.model import Item, Policy, Status, Verdict
from solver.policy import label
from solver.timelines import consequences, cyclic_constraints, relaxed_facts

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
            TooLargeError: an item has more events than ``solver.timelines`` supports.
        """
        verdicts: list[Verdict] = []
        for start in range(0, len(items), BATCH):
            verdicts += self._decide_batch(items[start : start + BATCH])
        return verdicts

    def _decide_batch(self, items: Sequence[Item]) -> list[Verdict]:
        cyclic = cyclic_constraints(items)
        batch = relaxed_facts(items, cyclic)
        possible = self._consequences(batch, Reasoning.BRAVE)
        necessary = self._consequences(batch, Reasoning.CAUTIOUS)
        return [
            self._verdict(
                contradictory=("collapsed_claim", index) in necessary,
                can_hold=("true", index) in possible,
                must_hold=("true", index) in necessary,
                consistent=not cyclic[index],
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
        return Verdict(
            status=status,
            consistent=consistent,
            label=label(status, consistent=consistent, policy=self._policy),
        )
