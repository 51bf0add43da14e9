"""Items as input facts for the encodings."""

from __future__ import annotations

from collections.abc import Sequence

from solver.model import AllenRelation, Claim, Item
from solver.numbering import number


def facts(items: Sequence[Item]) -> str:
    """Facts ``event/2``, ``relation/5`` and ``claim/4`` of a batch; item ``i`` has the id ``i``.

    Events are numbered as in ``solver.numbering``.
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
