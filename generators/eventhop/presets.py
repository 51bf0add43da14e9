"""Presets: what train and test have in common, which relations occur, and in which order.

Source: EventHopNLI, section 3.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from grammar.eventhop.model import Order


class Split(StrEnum):
    """The splits of a data set."""

    TRAIN = "train"
    TEST = "test"


class Preset(StrEnum):
    """Kind of train and test split."""

    STRICT = "strict"
    SAME_NAMES = "same-names"
    SAME_PHRASES = "same-phrases"
    SAME_TIMELINES = "same-timelines"
    SAME_ITEMS = "same-items"
    BEFORE_AFTER = "before+after"
    AFTER_SIMULTANEOUS = "after+simultaneous"
    BEFORE_SIMULTANEOUS = "before+simultaneous"
    ONLY_BEFORE = "only-before"
    MINIMAL_PAIRS = "minimal-pairs"
    SORTED = "sorted"
    ONLY_BEFORE_SORTED = "only-before-sorted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """The properties of a preset.

    Attributes:
        orders: relations that a premise may contain.
        in_order: whether sentences are sorted by their earliest point.
        minimal: whether the items of a group are worded alike, and the file names the group.
        shared: what the test split shares with the train split.
    """

    orders: tuple[Order, ...] = (Order.BEFORE, Order.AFTER, Order.SIMULTANEOUS)
    in_order: bool = False
    minimal: bool = False
    shared: frozenset[SharedTrait] = frozenset()

    @property
    def strong(self) -> bool:
        """Whether claims are asked again in the opposite order."""
        return SharedTrait.TIMELINES in self.shared and SharedTrait.ITEMS not in self.shared

    @property
    def equal(self) -> bool:
        """Whether *simultaneous* occurs."""
        return Order.SIMULTANEOUS in self.orders

    @property
    def strict(self) -> tuple[Order, ...]:
        """The strict orders that may occur."""
        return tuple(order for order in self.orders if order is not Order.SIMULTANEOUS)


class SharedTrait(StrEnum):
    """What two splits can share."""

    NAMES = "names"
    PHRASES = "phrases"
    TIMELINES = "timelines"
    ITEMS = "items"


TRAITS = {
    Preset.STRICT: Traits(),
    Preset.SAME_NAMES: Traits(shared=frozenset({SharedTrait.NAMES})),
    Preset.SAME_PHRASES: Traits(shared=frozenset({SharedTrait.PHRASES})),
    Preset.SAME_TIMELINES: Traits(shared=frozenset({SharedTrait.TIMELINES})),
    Preset.SAME_ITEMS: Traits(shared=frozenset({SharedTrait.TIMELINES, SharedTrait.ITEMS})),
    Preset.BEFORE_AFTER: Traits(orders=(Order.BEFORE, Order.AFTER)),
    Preset.AFTER_SIMULTANEOUS: Traits(orders=(Order.AFTER, Order.SIMULTANEOUS)),
    Preset.BEFORE_SIMULTANEOUS: Traits(orders=(Order.BEFORE, Order.SIMULTANEOUS)),
    Preset.ONLY_BEFORE: Traits(orders=(Order.BEFORE,)),
    Preset.MINIMAL_PAIRS: Traits(minimal=True),
    Preset.SORTED: Traits(in_order=True),
    Preset.ONLY_BEFORE_SORTED: Traits(orders=(Order.BEFORE,), in_order=True),
}
