"""The ``asp`` engine: derivation in ASP, many items in one call of clingo."""

from __future__ import annotations

from collections.abc import Sequence

from grammar.eventhop.model import AllenRelation, Claim, Item, Label, Policy, Status, Verdict
from solver.asp import Program
from solver.eventhop.engines import EngineName
from solver.eventhop.numbering import number


def facts(items: Sequence[Item]) -> str:
    """Facts ``event/2``, ``relation/5`` and ``claim/4`` of a batch; item ``i`` has the id ``i``.

    Events are numbered as in ``solver.eventhop.numbering``.
    """
    return "\n".join(_facts(index, item) for index, item in enumerate(items))


def _facts(index: int, item: Item) -> str:
    numbered = number(item)
    lines = [
        f"relation({index},{n},{_AT[p & 1](p >> 1)},{order},{_AT[q & 1](q >> 1)})."
        for n, (p, order, q) in enumerate(numbered.relations)
    ]
    left, right = numbered.claim
    relation: str
    if isinstance(item.claim, Claim):
        named = item.claim.relation
        relation = f"allen({named})" if isinstance(named, AllenRelation) else named
        sides = f"{left},{right}"
    else:
        relation = item.claim.order
        sides = f"{_AT[left & 1](left >> 1)},{_AT[right & 1](right >> 1)}"
    lines.append(
        f"event({index},0..{len(numbered.events) - 1}). claim({index},{relation},{sides})."
    )
    return "\n".join(lines)


_AT = ("at({},start)".format, "at({},end)".format)


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
        for atom in self._program.unique_model(facts(items)):
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
