"""Presets: what train and test have in common, which relations occur, and in which order.

Source: EventHopNLI, section 3.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from solver.model import Order


class Split(StrEnum):
    """The two halves of a data set."""

    TRAIN = "train"
    TEST = "test"


class Preset(StrEnum):
    """A pair of train and test."""

    STRICT = "strict"
    SAME_NAMES = "same-names"
    SAME_PHRASES = "same-phrases"
    SAME_TIMELINES = "same-timelines"
    BEFORE_AFTER = "before+after"
    AFTER_SIMULTANEOUS = "after+simultaneous"
    BEFORE_SIMULTANEOUS = "before+simultaneous"
    ONLY_BEFORE = "only-before"
    SORTED = "sorted"
    ONLY_BEFORE_SORTED = "only-before-sorted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """What a preset is made of.

    Attributes:
        orders: relations that a premise may hold.
        in_order: whether sentences are sorted by the earliest point that they speak of.
        shared: what the test split has in common with the train split.
    """

    orders: tuple[Order, ...] = (Order.BEFORE, Order.AFTER, Order.SIMULTANEOUS)
    in_order: bool = False
    shared: frozenset[Shared] = frozenset()

    @property
    def equal(self) -> bool:
        """Whether *simultaneous* occurs."""
        return Order.SIMULTANEOUS in self.orders

    @property
    def strict(self) -> tuple[Order, ...]:
        """How one point may be said to come before another."""
        return tuple(order for order in self.orders if order is not Order.SIMULTANEOUS)


class Shared(StrEnum):
    """What two splits can have in common."""

    NAMES = "names"
    PHRASES = "phrases"
    TIMELINES = "timelines"


TRAITS = {
    Preset.STRICT: Traits(),
    Preset.SAME_NAMES: Traits(shared=frozenset({Shared.NAMES})),
    Preset.SAME_PHRASES: Traits(shared=frozenset({Shared.PHRASES})),
    Preset.SAME_TIMELINES: Traits(shared=frozenset({Shared.TIMELINES})),
    Preset.BEFORE_AFTER: Traits(orders=(Order.BEFORE, Order.AFTER)),
    Preset.AFTER_SIMULTANEOUS: Traits(orders=(Order.AFTER, Order.SIMULTANEOUS)),
    Preset.BEFORE_SIMULTANEOUS: Traits(orders=(Order.BEFORE, Order.SIMULTANEOUS)),
    Preset.ONLY_BEFORE: Traits(orders=(Order.BEFORE,)),
    Preset.SORTED: Traits(in_order=True),
    Preset.ONLY_BEFORE_SORTED: Traits(orders=(Order.BEFORE,), in_order=True),
}
