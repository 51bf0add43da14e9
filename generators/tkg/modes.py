"""Generation modes and treatments of cycles."""

from __future__ import annotations

from enum import StrEnum


class Mode(StrEnum):
    """What a graph contains in addition to the planted instances.

    ``forced``: nothing. ``forward``: the consequence of each match of antecedents.
    ``literal``: the output of Algorithms 4-7 as printed, which backtrack from consequences.
    """

    FORCED = "forced"
    FORWARD = "forward"
    LITERAL = "literal"


class Cycles(StrEnum):
    """Treatment of patterns that close a cycle of relations.

    ``leave-out``: plant such patterns, but exclude them from closure. ``follow``: include them.
    ``refuse``: stop with an error.
    """

    LEAVE_OUT = "leave-out"
    FOLLOW = "follow"
    REFUSE = "refuse"
