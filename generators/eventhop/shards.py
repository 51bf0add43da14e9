"""Shards: stretches of a split that are made, checked and written apart from each other.

What a shard holds follows from the config and its number alone, so it does not matter which
process makes it, or whether a run was interrupted before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random

from generators.eventhop.check import Checker
from generators.eventhop.config import Config
from generators.eventhop.groups import FruitlessError, Plan, group, seeded
from generators.eventhop.layout import LABELS, Layout, layout
from generators.eventhop.presets import Shared, Split
from generators.eventhop.rows import row
from generators.eventhop.wording import Teller, Told
from solver.writing.jsonl import line

GENERATOR = "eventhop"
GROUPS = 256
"""Groups of a shard: four batches of an engine for each label."""
ITEMS = GROUPS * LABELS
ATTEMPTS = 100
"""How often a group is built anew when one of its items is not what it should be."""
SIDES = {Split.TRAIN: 0, Split.TEST: 1}
"""The last bit of a timeline's hash tells the split that may hold it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard:
    """A stretch of a split, by its number."""

    split: Split
    number: int

    @property
    def name(self) -> str:
        """Its file."""
        return f"{self.split}-{self.number:06d}.jsonl"


def shards(config: Config) -> Iterator[Shard]:
    """All shards of a data set."""
    for split, size in sorted(config.sizes.items()):
        for number in range(-(-size // ITEMS)):
            yield Shard(split=split, number=number)


def make(config: Config, shard: Shard) -> bytes:
    """The lines of a shard."""
    maker = _maker(config.seed, _Frozen(config), shard.split)
    return maker.lines(shard.number)


class _Frozen:
    """A config to be looked up by: equal if it says the same."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self._said = repr(config)

    def __hash__(self) -> int:
        return hash(self._said)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Frozen) and self._said == other._said


@lru_cache(maxsize=4)
def _maker(seed: int, frozen: _Frozen, split: Split) -> _Maker:  # noqa: ARG001 - part of the key
    return _Maker(frozen.config, split)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Made:
    told: Told
    plan: Plan


class _Maker:
    """Makes the shards of a split."""

    def __init__(self, config: Config, split: Split) -> None:
        self._config = config
        self._split = split
        self._layout: Layout = layout(config)
        self._checker = Checker()
        self._drawn_as = config.source(split, Shared.TIMELINES)
        self._teller = Teller(
            config.domain,
            config.traits,
            named_by=config.source(split, Shared.NAMES),
            phrased_by=config.source(split, Shared.PHRASES),
        )

    def lines(self, number: int) -> bytes:
        """The lines of one shard, its items in random order."""
        size = self._config.sizes[self._split]
        start = number * ITEMS
        wanted = min(ITEMS, size - start)
        groups = range(number * GROUPS, number * GROUPS + -(-wanted // LABELS))
        made = self._groups(groups)
        items = [one for index in groups for one in made[index]]
        over = len(items) - wanted
        if over:
            last = seeded(self._config.seed, GENERATOR, self._split, "last").sample(
                range(len(items) - LABELS, len(items)), over
            )
            items = [one for place, one in enumerate(items) if place not in last]
        seeded(self._config.seed, GENERATOR, self._split, "order", number).shuffle(items)
        return b"".join(
            line(row(_numbered(one.told, start + place), one.plan))
            for place, one in enumerate(items)
        )

    def _groups(self, groups: range) -> dict[int, list[_Made]]:
        """Build groups, check them, and build those anew that hold an item that is not right."""
        made: dict[int, list[_Made]] = {}
        missing = list(groups)
        for attempt in range(ATTEMPTS):
            tried = [(index, self._group(index, attempt)) for index in missing]
            every = [one for _, group_made in tried for one in group_made]
            right = self._checker.right(
                [one.told.item for one in every], [one.plan.cell for one in every]
            )
            wrong = {
                index
                for (index, _), answer in zip(
                    ((index, one) for index, group_made in tried for one in group_made),
                    right,
                    strict=True,
                )
                if not answer
            }
            made |= {index: group_made for index, group_made in tried if index not in wrong}
            missing = [index for index in missing if index not in made]
            if not missing:
                return made
        cells = "; ".join(map(str, self._layout.cells(missing[0])))
        raise FruitlessError(f"no right items were found for {cells}")

    def _group(self, index: int, attempt: int) -> list[_Made]:
        seed = self._config.seed
        plans = group(
            self._random(self._drawn_as, index, attempt),
            self._layout.cells(index),
            equal=self._config.traits.equal,
            side=SIDES[self._drawn_as],
        )
        words = seeded(seed, GENERATOR, self._split, "words", index, attempt)
        return [
            _Made(told=self._teller.tell(words, f"{index}.{place}", plan), plan=plan)
            for place, plan in enumerate(plans)
        ]

    def _random(self, split: Split, index: int, attempt: int) -> Random:
        return seeded(self._config.seed, GENERATOR, split, index, attempt)


def _numbered(told: Told, number: int) -> Told:
    return replace(told, item=replace(told.item, id=str(number)))
