"""The ``asp`` engine: derivation in ASP, many items in one call of clingo."""

from __future__ import annotations

from collections.abc import Sequence

from grammar.eventhop.model import Item, Label, Policy, Status, Verdict
from solver.asp import Program
from solver.eventhop.encode import encode_items
from solver.eventhop.engines import EngineName

# A call of clingo has a fixed cost of 1.8 ms: without batches an item takes four times as long.
# Larger batches gain little and triple the memory.
BATCH = 64


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
