"""A bounded sample of a file's items, the same whatever the order in which they come."""

from __future__ import annotations

from bisect import insort
from collections import Counter
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import product
from typing import NamedTuple

from solver.model import Bound, Claim, Label, Order, Point, Relation
from solver.records import Record
from solver.verify.outcome import Outcome

LIMIT = 20_000
"""Items that a sample holds at most."""

CHARACTERS = 32_000_000
"""Characters of text that a sample holds at most: about 30 MB."""

KINDS = tuple(product(Bound, Order, Bound))
"""The twelve kinds of premise relation, such as ``end before start``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """What a guesser may see of an item, and the label it has to guess.

    Attributes:
        relation: the relation that the claim asks for; empty if it is not known.
        events, relations: how many the item has; 0 if not known.
        kinds: how many premise relations there are of each of ``KINDS``; empty if not known.
    """

    premise: str
    claim: str
    gold: Label
    relation: str = ""
    events: int = 0
    relations: int = 0
    kinds: tuple[int, ...] = ()


def sample(outcome: Outcome) -> Sample | None:
    """Keep of an outcome what a guesser may see; None if it has no gold label or no graph."""
    record, item = outcome.record, outcome.item
    if not isinstance(record, Record) or record.label is None or item is None:
        return None
    counts = Counter((r.left.bound, r.order, r.right.bound) for r in item.premise)
    return Sample(
        premise=record.premise,
        claim=record.claim,
        gold=record.label,
        relation=_claimed(item.claim),
        events=outcome.cell.events,
        relations=outcome.cell.relations,
        kinds=tuple(counts[kind] for kind in KINDS),
    )


def _claimed(claim: Claim | Relation) -> str:
    if isinstance(claim, Claim):
        return claim.relation.value
    return f"{_bound(claim.left)} {claim.order} {_bound(claim.right)}"


def _bound(point: Point) -> str:
    return point.bound.value


class _Kept(NamedTuple):
    digest: int
    item: Sample


@dataclass(slots=True, kw_only=True)
class Sampler:
    """Keeps the samples whose texts have the smallest digests, within both limits.

    What is kept depends on what was added, not on the order; so samplers of shards can be merged.

    Attributes:
        added: how many samples were offered.
    """

    limit: int = LIMIT
    characters: int = CHARACTERS
    added: int = 0
    _kept: list[_Kept] = field(default_factory=list)
    _size: int = 0
    _bound: int = 2**64

    def add(self, item: Sample) -> None:
        """Offer one sample."""
        self.added += 1
        self._insert(_Kept(_digest(item), item))

    def merge(self, other: Sampler) -> None:
        """Offer all that another sampler was offered."""
        self.added += other.added
        self._bound = min(self._bound, other._bound)
        for kept in other._kept:
            self._insert(kept)
        self._shrink()

    def samples(self) -> list[Sample]:
        """The kept samples, in the order of their digests."""
        return [kept.item for kept in self._kept]

    def _insert(self, kept: _Kept) -> None:
        if kept.digest < self._bound:
            insort(self._kept, kept, key=_by_digest)
            self._size += _length(kept.item)
            self._shrink()

    def _shrink(self) -> None:
        # Whatever is dropped bounds all that comes later, so that the order does not matter.
        while self._kept and (
            len(self._kept) > self.limit
            or self._size > self.characters
            or self._kept[-1].digest >= self._bound
        ):
            dropped = self._kept.pop()
            self._size -= _length(dropped.item)
            self._bound = min(self._bound, dropped.digest)


def _by_digest(kept: _Kept) -> int:
    return kept.digest


def _length(item: Sample) -> int:
    return len(item.premise) + len(item.claim)


def _digest(item: Sample) -> int:
    text = "\0".join((item.premise, item.claim, item.gold.value))
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big")
