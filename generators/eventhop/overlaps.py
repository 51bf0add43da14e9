"""What two splits have in common: counted, and 0 wherever the preset promises it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

from generators.eventhop.census import Census
from generators.eventhop.config import Config
from generators.eventhop.presets import Shared, Split
from generators.eventhop.words import names, phrases
from solver.model import Domain, Order

_KINDS = ("names", "phrases")
_BY_SIDE = (
    "the last bit of a timeline's hash, which renaming and reordering cannot change, is 0 for "
    "train and 1 for test"
)


def overlaps(config: Config, censuses: Mapping[Split, Census]) -> dict[str, object]:
    """Names, phrases and timelines that train and test share.

    Timelines are counted where both splits are made; otherwise the sides of their hashes tell.
    """
    named, worded = ([set(own[kind]) for own in vocabulary(config).values()] for kind in _KINDS)
    found: dict[str, object] = {
        "names": len(named[0] & named[1]),
        "phrases": len(worded[0] & worded[1]),
        "timelines": _timelines(config, censuses),
        "timelines_proved_by": None if Shared.TIMELINES in config.traits.shared else _BY_SIDE,
    }
    if config.domain is Domain.LOGICAL:
        found["phrases_note"] = "an order has one symbol in logic, in any split"
    return found


def vocabulary(config: Config) -> dict[str, dict[str, list[str]]]:
    """The names and phrases that each split may use, whether it is made or not."""
    told = {}
    for split in Split:
        worded_by = config.source(split, Shared.PHRASES)
        every = (phrases(worded_by, config.domain, order) for order in Order)
        named = names(config.source(split, Shared.NAMES), config.domain)
        told[split.value] = dict(
            zip(_KINDS, (sorted(named), sorted(chain.from_iterable(every))), strict=True)
        )
    return told


def _timelines(config: Config, censuses: Mapping[Split, Census]) -> int | None:
    if len(censuses) == len(Split):
        import numpy as np

        train, test = (np.frombuffer(censuses[split].timelines, dtype=np.uint64) for split in Split)
        return len(np.intersect1d(train, test))
    return None if Shared.TIMELINES in config.traits.shared else 0
