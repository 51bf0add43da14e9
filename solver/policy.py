"""The label that a status has under a policy, for the engines that do not ask ASP.

The same as the last rules of ``encodings/temporal/claims.lp``; the cross-check compares labels, so
a difference between the two stops the run.
"""

from __future__ import annotations

from solver.model import Label, Policy, Status


def label(status: Status, *, consistent: bool, policy: Policy) -> Label:
    """The label under ``local`` or ``global``.

    Raises:
        ValueError: for ``published``, whose labels come from a procedure and not from a status.
    """
    if policy is Policy.PUBLISHED:
        raise ValueError("the published label is not a function of the status")
    undecidable = status is Status.CONTRADICTORY or (policy is Policy.GLOBAL and not consistent)
    if undecidable:
        return Label.UNDEFINED
    return Label.TRUE if status is Status.ENTAILED else Label.FALSE
