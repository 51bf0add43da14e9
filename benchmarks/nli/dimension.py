"""What items are grouped by."""

from __future__ import annotations

from enum import StrEnum


class Dimension(StrEnum):
    """What items are grouped by."""

    EVENTS = "events"
    RELATIONS = "relations"
    RATIO = "relations per event"
    HOPS = "hops"
    STATUS = "status"
    CLAIM = "claim"
    SIMULTANEITY = "simultaneity"
    CONTRADICTION = "contradiction distance"
