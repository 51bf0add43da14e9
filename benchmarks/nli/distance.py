"""Distance between a claim and the nearest contradiction in its premise."""

from __future__ import annotations

from collections.abc import Sequence

from solver.asp import Program
from solver.facts import facts
from solver.model import Item

CONSISTENT = "consistent"
APART = "apart"
FARTHEST = 3
_BATCH = 64


def contradiction_distances(items: Sequence[Item], consistent: Sequence[bool]) -> list[str]:
    """For each item, the number of sentences between its claim and the nearest contradiction.

    Args:
        items: premises and claims.
        consistent: whether each premise is consistent; these get ``CONSISTENT``.

    Returns:
        ``0``, ``1``, ``2``, ``3 and more``; ``APART`` where the two are unconnected.
    """
    program = Program(encodings=("temporal/cycles.lp",), constants={"farthest": FARTHEST})
    found = [CONSISTENT if one else APART for one in consistent]
    asked = [place for place, one in enumerate(consistent) if not one]
    for start in range(0, len(asked), _BATCH):
        places = asked[start : start + _BATCH]
        for atom in program.unique_model(facts([items[place] for place in places])):
            index, distance = atom.arguments
            if isinstance(index, int) and isinstance(distance, int):
                found[places[index]] = _name(distance)
    return found


def _name(distance: int) -> str:
    return str(distance) if distance < FARTHEST else f"{FARTHEST} and more"
