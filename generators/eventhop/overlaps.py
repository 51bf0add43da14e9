"""Counts of what two splits have in common; 0 wherever the preset guarantees it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

from generators.eventhop.census import Census
from generators.eventhop.config import Config
from generators.eventhop.presets import SharedTrait, Split
from generators.eventhop.words import names, phrases
from solver.model import Domain, Order

_KINDS = ("names", "phrases")
_BY_SIDE = (
    "the last bit of a timeline's hash, which is invariant under renaming and reordering, is 0 for "
    "train and 1 for test"
)


def overlaps(config: Config, censuses: Mapping[Split, Census]) -> dict[str, object]:
    """Names, phrases and timelines that train and test share.

    Timelines are counted where both splits are made; otherwise their hashes prove it.
    """
    named, worded = ([set(own[kind]) for own in vocabulary(config).values()] for kind in _KINDS)
    found: dict[str, object] = {
        "names": len(named[0] & named[1]),
        "phrases": len(worded[0] & worded[1]),
        "timelines": _timelines(config, censuses),
        "timelines_proved_by": None if SharedTrait.TIMELINES in config.traits.shared else _BY_SIDE,
    }
    if config.domain is Domain.LOGICAL:
        found["phrases_note"] = "logic has one symbol for each order, in both splits"
    return found


def vocabulary(config: Config) -> dict[str, dict[str, list[str]]]:
    """The names and phrases of each split, including splits that are not made."""
    found = {}
    for split in Split:
        worded_by = config.source(split, SharedTrait.PHRASES)
        every = (phrases(worded_by, config.domain, order) for order in Order)
        named = names(config.source(split, SharedTrait.NAMES), config.domain)
        found[split.value] = dict(
            zip(_KINDS, (sorted(named), sorted(chain.from_iterable(every))), strict=True)
        )
    return found


def _timelines(config: Config, censuses: Mapping[Split, Census]) -> int | None:
    if len(censuses) == len(Split):
        import numpy as np

        train, test = (np.frombuffer(censuses[split].timelines, dtype=np.uint64) for split in Split)
        return len(np.intersect1d(train, test))
    return None if SharedTrait.TIMELINES in config.traits.shared else 0
