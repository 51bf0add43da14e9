"""Names of what a graph holds beside what is planted."""

from __future__ import annotations

from enum import StrEnum


class Mode(StrEnum):
    """What is in the graph beside the instances that are planted.

    ``forced``: nothing. ``forward``: each match of antecedents has its consequence.
    ``literal``: what Algorithms 4-7 add as printed, which look back from consequences.
    """

    FORCED = "forced"
    FORWARD = "forward"
    LITERAL = "literal"


class Cycles(StrEnum):
    """What closure does with patterns whose relations lead back to themselves.

    ``leave-out``: a pattern that would close a cycle is planted, but not followed. ``follow``:
    follow all. ``refuse``: tell of the cycle and make nothing.
    """

    LEAVE_OUT = "leave-out"
    FOLLOW = "follow"
    REFUSE = "refuse"
