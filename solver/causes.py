"""Why a gold label is wrong: the faults of the published procedure that explain it."""

from __future__ import annotations

from itertools import chain, combinations

from solver.model import Item, Label
from solver.published import Fault, Procedure, UnpublishedClaimError


def causes(item: Item, gold: Label, local: Label) -> tuple[Fault, ...]:
    """The smallest set of faults whose repair turns a published label into the right one.

    Args:
        item: the item, in the reading by which it was labelled.
        gold: the label that the file gives.
        local: the label under the ``local`` policy.

    Returns:
        The faults in their fixed order; of several smallest sets the first, as combinations of
        that order are listed. Empty if there is nothing to explain (``gold`` is ``local``), and
        if the procedure explains nothing: the label as printed is not ``gold``, or the claim is
        not one of the paper's three.
    """
    try:
        procedure = Procedure(item)
    except UnpublishedClaimError:
        return ()
    if gold is local or procedure.label() is not gold:
        return ()
    sets = chain.from_iterable(combinations(Fault, size) for size in range(1, len(Fault) + 1))
    return next((faults for faults in sets if procedure.label(frozenset(faults)) is local), ())
