"""The ``timelines`` engine: looks at every line that the points of a small item can be put on."""

from __future__ import annotations

from collections.abc import Sequence

from solver.asp import Program, Reasoning
from solver.engines import EngineName
from solver.model import Item, Policy, Status, Verdict
from solver.policy import label
from solver.timelines import consequences, surviving, torn

# Every item adds lines to those of the others, and consequences are narrowed line by line.
BATCH = 32


class SearchEngine:
    """Asks ``encodings/temporal/search.lp`` for what is possible and what is necessary."""

    name = EngineName.TIMELINES

    def __init__(self, *, policy: Policy = Policy.LOCAL) -> None:
        self._policy = policy
        self._program = Program(encodings=("temporal/search.lp",))

    def decide(self, items: Sequence[Item]) -> list[Verdict]:
        """Give one verdict an item, in the order of the items.

        Raises:
            TooLargeError: if an item has more events than timelines are searched for.
        """
        verdicts: list[Verdict] = []
        for start in range(0, len(items), BATCH):
            verdicts += self._decide_batch(items[start : start + BATCH])
        return verdicts

    def _decide_batch(self, items: Sequence[Item]) -> list[Verdict]:
        tears = torn(items)
        given = surviving(items, tears)
        possible = self._ask(given, Reasoning.BRAVE)
        necessary = self._ask(given, Reasoning.CAUTIOUS)
        return [
            self._verdict(
                torn_claim=("torn_claim", index) in necessary,
                can_hold=("true", index) in possible,
                must_hold=("true", index) in necessary,
                consistent=not tears[index],
            )
            for index in range(len(items))
        ]

    def _ask(self, given: str, reasoning: Reasoning) -> set[tuple[str, object]]:
        atoms = consequences(self._program, given, reasoning)
        return {(atom.name, atom.arguments[0]) for atom in atoms}

    def _verdict(
        self, *, torn_claim: bool, can_hold: bool, must_hold: bool, consistent: bool
    ) -> Verdict:
        if torn_claim:
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
