"""Which faults of the published procedure explain a wrong gold label."""

from __future__ import annotations

from itertools import chain, combinations

from solver.model import Item, Label
from solver.published import Fault, Procedure, UnpublishedClaimError


def causes(item: Item, gold: Label, local: Label) -> tuple[Fault, ...]:
    """The smallest set of faults whose repair changes a published label to the correct one.

    Args:
        item: the item, in the spatial reading in which it was labelled.
        gold: the gold label.
        local: the label under the ``local`` policy.

    Returns:
        The faults in their fixed order; among several smallest sets the lexicographically first.
        Empty if ``gold`` is ``local``, if the procedure as printed does not give ``gold``, or if
        the claim is not one of the paper's three.
    """
    try:
        procedure = Procedure(item)
    except UnpublishedClaimError:
        return ()
    if gold is local or procedure.label() is not gold:
        return ()
    sets = chain.from_iterable(combinations(Fault, size) for size in range(1, len(Fault) + 1))
    return next((faults for faults in sets if procedure.label(frozenset(faults)) is local), ())
