"""Shards: parts of a split that are generated, verified and written independently.

The content of a shard depends only on the config and its number, not on the process that generates
it or on interruptions.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Any

from generators.eventhop.cells import Cell, Shape
from generators.eventhop.config import Config
from generators.eventhop.groups import (
    FruitlessError,
    Plan,
    group,
    matched_group,
    opposed,
    seeded_random,
)
from generators.eventhop.layout import LABELS, Layout, layout, opposite
from generators.eventhop.presets import SharedTrait, Split
from generators.eventhop.wording import ItemWriter, WordedItem
from grammar.errors import ExitStatus, HopcheckError
from grammar.eventhop.model import ClaimRelation, Item, Label, Status, Verdict
from solver.eventhop.certificates.lines import certificate_error
from solver.eventhop.certificates.make import certify, hops
from solver.eventhop.crosscheck import Crosscheck
from solver.eventhop.engines import DEFAULT_ENGINES
from solver.eventhop.messages import claimed_events
from solver.eventhop.records import ItemPlace, Record
from solver.io.writing import line


class UncertifiedError(HopcheckError):
    """A rejected certificate: an engine or the certificate generator is wrong."""

    code = "uncertified"
    exit_status = ExitStatus.DISAGREEMENT


class Checker:
    """Checks whether items match their cells."""

    def __init__(self) -> None:
        self._crosscheck = Crosscheck(DEFAULT_ENGINES)

    def matches(self, items: Sequence[Item], cells: Sequence[Cell]) -> list[bool]:
        """For each item, whether its status, consistency and hops are those of its cell.

        Raises:
            DisagreementError: the engines disagree.
            UncertifiedError: a certificate is rejected.
        """
        verdicts = self._crosscheck.decide(items)
        return [
            _matches(item, cell, verdict)
            for item, cell, verdict in zip(items, cells, verdicts, strict=True)
        ]


def _matches(item: Item, cell: Cell, verdict: Verdict) -> bool:
    certificate = certify(item, verdict)
    distance = hops(certificate)
    error = certificate_error(item, verdict, distance, certificate)
    if error is not None:
        raise UncertifiedError(
            f"the certificate does not prove that the item is {verdict.status}: {error}",
            where=item.id,
        )
    return (
        verdict.status is cell.status
        and verdict.consistent is not cell.contradiction
        and distance == cell.hops
    )


def event_distance(item: Item) -> int | None:
    """Undirected distance between the claim's two events, in relations; None if unconnected."""
    neighbours: dict[str, list[str]] = {}
    for relation in item.premise:
        left, right = relation.left.event, relation.right.event
        neighbours.setdefault(left, []).append(right)
        neighbours.setdefault(right, []).append(left)
    claimed = claimed_events(item)
    first, last = claimed[0], claimed[-1]
    distance = {first: 0}
    fresh = deque([first])
    while fresh:
        event = fresh.popleft()
        if event == last:
            return distance[event]
        for then in neighbours.get(event, ()):
            if then not in distance:
                distance[then] = distance[event] + 1
                fresh.append(then)
    return None


DECLARED = {True: "possible", False: "impossible"}
PUBLISHED_LABELS = {Label.TRUE: "True", Label.FALSE: "False", Label.UNDEFINED: "Impossible"}
PUBLISHED_RELATIONS = {"overlaps": "overlap"}


def row(worded: WordedItem, plan: Plan, group: int | None = None) -> dict[str, Any]:
    """The fields of an item.

    ``relation`` is the claim's; ``timeline`` is the hash of the item's graph without names, and
    ``outline`` that of what the premises of a matched group have in common. ``group`` is only
    written of minimal groups.
    """
    cell = plan.cell
    fields: dict[str, Any] = {} if group is None else {"group": group}
    return fields | {
        "id": worded.item.id,
        "premise": worded.text.premise,
        "claim": worded.text.claim,
        "label": cell.label.value,
        "declared": DECLARED[not cell.contradiction],
        "forced": False,
        "relation": cell.claim.value,
        "events": cell.shape.events,
        "relations": cell.shape.relations,
        "event_distance": event_distance(worded.item),
        "hops": cell.hops,
        "status": cell.status.value,
        "domain": worded.item.domain.value,
        "timeline": f"{plan.timeline:016x}",
        "outline": f"{plan.outline:016x}",
    }


def cell_of(fields: Mapping[str, Any]) -> Cell:
    """The cell that a row belongs to."""
    return Cell(
        shape=Shape(events=fields["events"], relations=fields["relations"]),
        claim=ClaimRelation(fields["relation"]),
        status=Status(fields["status"]),
        contradiction=fields["declared"] == DECLARED[False],
        hops=fields["hops"],
    )


def published(fields: Mapping[str, Any], file: str) -> Record:
    """A row of the published format, with its names of labels and relations."""
    label = Label(fields["label"])
    return Record(
        id=fields["id"],
        premise=fields["premise"],
        claim=fields["claim"],
        gold=PUBLISHED_LABELS[label],
        label=label,
        place=ItemPlace(file=file, line=int(fields["id"]) + 1),
        declared=fields["declared"] == DECLARED[True],
        forced=fields["forced"],
        sampled=PUBLISHED_RELATIONS.get(fields["relation"], fields["relation"]),
        events=fields["events"],
        relations=fields["relations"],
        event_distance=fields["event_distance"],
    )


GENERATOR = "eventhop"
GROUPS = 256
"""Groups per shard: four engine batches for each label."""
ITEMS = GROUPS * LABELS
ATTEMPTS = 100
"""Attempts to build a group when one of its items fails verification."""
SIDES = {Split.TRAIN: 0, Split.TEST: 1}
"""The last bit of the hashes of a split's outlines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard:
    """A numbered part of a split."""

    split: Split
    number: int

    @property
    def name(self) -> str:
        """File name."""
        return f"{self.split}-{self.number:06d}.jsonl"


def shards(config: Config) -> Iterator[Shard]:
    """All shards of a data set."""
    for split, size in sorted(config.sizes.items()):
        for number in range(-(-size // ITEMS)):
            yield Shard(split=split, number=number)


def make(config: Config, shard: Shard) -> bytes:
    """The lines of a shard."""
    maker = _maker(config.seed, _CacheKey(config), shard.split)
    return maker.lines(shard.number)


class _CacheKey:
    """A hashable key for a config, equal for equal options."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self._text = repr(config)

    def __hash__(self) -> int:
        return hash(self._text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _CacheKey) and self._text == other._text


@lru_cache(maxsize=4)
def _maker(seed: int, key: _CacheKey, split: Split) -> _Maker:  # noqa: ARG001 - part of the key
    return _Maker(key.config, split)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Candidate:
    worded: WordedItem
    plan: Plan
    group: int | None


class _Maker:
    """Generates the shards of a split."""

    def __init__(self, config: Config, split: Split) -> None:
        self._config = config
        self._split = split
        self._layout: Layout = layout(config, split)
        self._checker = Checker()
        self._drawn_as = config.source(split, SharedTrait.TIMELINES)
        self._writer = ItemWriter(
            config.domain,
            config.traits,
            named_by=config.source(split, SharedTrait.NAMES),
            phrased_by=config.source(split, SharedTrait.PHRASES),
        )

    def lines(self, number: int) -> bytes:
        """The lines of one shard, with its items in random order."""
        size = self._config.sizes[self._split]
        start = number * ITEMS
        wanted = min(ITEMS, size - start)
        groups = range(number * GROUPS, number * GROUPS + -(-wanted // LABELS))
        made = self._groups(groups)
        items = [one for index in groups for one in made[index]]
        over = len(items) - wanted
        if over:
            last = seeded_random(self._config.seed, GENERATOR, self._split, "last").sample(
                range(len(items) - LABELS, len(items)), over
            )
            items = [one for place, one in enumerate(items) if place not in last]
        seeded_random(self._config.seed, GENERATOR, self._split, "order", number).shuffle(items)
        return b"".join(
            line(row(_numbered(one.worded, start + place), one.plan, one.group))
            for place, one in enumerate(items)
        )

    def _groups(self, groups: range) -> dict[int, list[_Candidate]]:
        """Build and verify groups, rebuilding those with an item that fails verification."""
        made: dict[int, list[_Candidate]] = {}
        missing = list(groups)
        for attempt in range(ATTEMPTS):
            tried = {index: self._group(index, attempt) for index in missing}
            every = [(index, one) for index, found in tried.items() for one in found]
            matches = self._checker.matches(
                [one.worded.item for _, one in every], [one.plan.cell for _, one in every]
            )
            wrong = {index for (index, _), right in zip(every, matches, strict=True) if not right}
            made |= {index: found[:LABELS] for index, found in tried.items() if index not in wrong}
            missing = [index for index in missing if index not in made]
            if not missing:
                return made
        cells = "; ".join(map(str, self._layout.cells(missing[0])))
        raise FruitlessError(f"no items that pass verification were found for {cells}")

    def _group(self, index: int, attempt: int) -> list[_Candidate]:
        """The items of a group.

        If test makes the opposite claims about the premises of train, the items of the other split
        come after them: both splits have to reject the same groups.
        """
        random = self._random(self._drawn_as, index, attempt)
        cells, side = self._layout.built(index), SIDES[self._drawn_as]
        traits = self._config.traits
        if not self._layout.matched(index):
            return self._worded(group(random, cells, equal=traits.equal, side=side), index, attempt)
        strong = traits.strong
        plans = matched_group(random, cells, equal=traits.equal, strong=strong, side=side)
        if not strong:
            return self._worded(plans, index, attempt)
        opposite_plans = opposed(plans, opposite(cells, index))
        ordered = (opposite_plans, plans) if self._layout.again else (plans, opposite_plans)
        return [one for part in ordered for one in self._worded(part, index, attempt)]

    def _worded(self, plans: Sequence[Plan], index: int, attempt: int) -> list[_Candidate]:
        parts = (self._config.seed, GENERATOR, self._split, "words", index, attempt)
        words = seeded_random(*parts)
        found = []
        for place, plan in enumerate(plans):
            if self._config.traits.minimal:
                # The same draws for each item of the group.
                words = seeded_random(*parts)
            worded = self._writer.write(words, f"{index}.{place}", plan)
            named = index if self._config.traits.minimal else None
            found.append(_Candidate(worded=worded, plan=plan, group=named))
        return found

    def _random(self, split: Split, index: int, attempt: int) -> Random:
        return seeded_random(self._config.seed, GENERATOR, split, index, attempt)


def _numbered(worded: WordedItem, number: int) -> WordedItem:
    return replace(worded, item=replace(worded.item, id=str(number)))
