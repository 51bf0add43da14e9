"""Dimensions by which items are grouped."""

from __future__ import annotations

from enum import StrEnum


class Dimension(StrEnum):
    """Dimensions by which items are grouped."""

    EVENTS = "events"
    RELATIONS = "relations"
    RATIO = "relations per event"
    HOPS = "hops"
    STATUS = "status"
    CLAIM = "claim"
    SIMULTANEITY = "simultaneity"
    CONTRADICTION = "contradiction distance"
