"""The label that follows from a status under a policy, for the engines that do not use ASP.

Implements ``encodings/temporal/labels.lp`` a second time; the cross-check compares the labels.
"""

from __future__ import annotations

from solver.model import Label, Policy, Status


def label(status: Status, *, consistent: bool, policy: Policy) -> Label:
    """The label under ``local`` or ``global``.

    Raises:
        ValueError: for ``published``, whose labels do not follow from a status.
    """
    if policy is Policy.PUBLISHED:
        raise ValueError("the published label is not a function of the status")
    undecidable = status is Status.CONTRADICTORY or (policy is Policy.GLOBAL and not consistent)
    if undecidable:
        return Label.UNDEFINED
    return Label.TRUE if status is Status.ENTAILED else Label.FALSE
