"""Items of a data set, one by one or in shards that are generated, verified and written together.

Item ``n`` of a split is in group ``n // 3``. A group depends only on the options, the split and its
number: not on the size of the split, the process that generates it or interruptions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from random import Random
from typing import Any

from generators.eventhop.config import Cell, Config, SharedTrait, Split
from generators.eventhop.groups import (
    ItemWriter,
    Plan,
    WordedItem,
    group,
    matched_group,
    opposed,
    seeded_random,
)
from generators.eventhop.layout import LABELS, Layout, layout, opposite
from grammar.errors import ExitStatus, HopcheckError
from grammar.eventhop.model import (
    Claim,
    ClaimRelation,
    Domain,
    Item,
    Label,
    Policy,
    SpatialReading,
    Status,
    Verdict,
)
from grammar.eventhop.reader import reader
from grammar.eventhop.writer import Text
from solver.eventhop import check
from solver.eventhop.certificates.lines import certificate_error, to_json, verdict_to_json
from solver.eventhop.certificates.make import certify, hops
from solver.eventhop.crosscheck import Crosscheck
from solver.eventhop.dataset import cell_name, event_distance
from solver.eventhop.engines import DEFAULT_ENGINES
from solver.eventhop.hashes import timeline_hashes
from solver.eventhop.records import ItemPlace, Record
from solver.io.writing import line
from solver.processes import no_collection


class UncertifiedError(HopcheckError):
    """An item that is not proved to be what was planned: an engine or the generator is wrong."""

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
            certified_hops(item, verdict) == cell.hops
            and verdict.status is cell.status
            and verdict.consistent is not cell.contradiction
            for item, cell, verdict in zip(items, cells, verdicts, strict=True)
        ]


def certified_hops(item: Item, verdict: Verdict) -> int | None:
    """The hops of an item by its certificate, which is checked.

    Raises:
        UncertifiedError: the certificate is rejected.
    """
    certificate = certify(item, verdict)
    distance = hops(certificate)
    error = certificate_error(item, verdict, distance, certificate)
    if error is not None:
        message = f"the certificate does not prove that the item is {verdict.status}: {error}"
        raise UncertifiedError(message, where=item.id)
    return distance


DECLARED = {True: "possible", False: "impossible"}
PUBLISHED_LABELS = {Label.TRUE: "True", Label.FALSE: "False", Label.UNDEFINED: "Impossible"}
PUBLISHED_RELATIONS = {"overlaps": "overlap"}


def item_fields(item: Item, text: Text, verdict: Verdict, hops: int | None) -> dict[str, Any]:
    """The fields of an item, generated or of links; ``relation`` is that of the claim."""
    claim = item.claim
    assert isinstance(claim, Claim)
    return {
        "id": item.id,
        "premise": text.premise,
        "claim": text.claim,
        "label": verdict.label.value,
        "declared": DECLARED[verdict.consistent],
        "forced": False,
        "relation": claim.relation.value,
        "events": len(
            {p.event for relation in item.premise for p in (relation.left, relation.right)}
        ),
        "relations": len(item.premise),
        "event_distance": event_distance(item),
        "hops": hops,
        "status": verdict.status.value,
        "domain": item.domain.value,
    }


def row(worded: WordedItem, plan: Plan, timeline: int, group: int | None = None) -> dict[str, Any]:
    """The fields of a generated item.

    ``timeline`` is the hash of the item's graph without names, and ``outline`` that of what the
    premises of a matched group have in common. ``group`` is only written of minimal groups.
    """
    cell = plan.cell
    verdict = Verdict(status=cell.status, consistent=not cell.contradiction, label=cell.label)
    fields = item_fields(worded.item, worded.text, verdict, cell.hops)
    hashes = {"timeline": f"{timeline:016x}", "outline": f"{plan.outline:016x}"}
    return ({} if group is None else {"group": group}) | fields | hashes


def cell_key(fields: Mapping[str, Any]) -> str:
    """The key of the cell that a row belongs to."""
    return _cell_key(*_CELL(fields))


_CELL = itemgetter("events", "relations", "relation", "status", "declared", "hops")


@lru_cache(maxsize=4096)
def _cell_key(
    events: int, relations: int, claim: str, status: str, declared: str, hops: int | None
) -> str:
    return cell_name(
        events=events,
        relations=relations,
        claim=ClaimRelation(claim),
        status=Status(status),
        consistent=declared == DECLARED[True],
        hops=hops,
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
RECENT = 256
"""Number of groups that are kept for further items of theirs."""
MAKERS = 4
"""Number of splits of data sets that are kept ready for further items."""
SIDES = {Split.TRAIN: 0, Split.TEST: 1}
"""The last bit of the hashes of a split's outlines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard:
    """A numbered part of a split.

    Attributes:
        split: the split.
        number: from 0.
        size: its items, unless it is the last one.
    """

    split: Split
    number: int
    size: int

    @property
    def name(self) -> str:
        """File name."""
        return f"{self.split}-{self.number:06d}.jsonl"


def shards(config: Config, size: int | None = None) -> Iterator[Shard]:
    """All shards of a data set.

    Args:
        config: the options of the data set.
        size: items of a shard; ``ITEMS`` by default.
    """
    size = ITEMS if size is None else size
    for split, items in sorted(config.sizes.items()):
        for number in range(-(-items // size)):
            yield Shard(split=split, number=number, size=size)


def make(config: Config, shard: Shard) -> bytes:
    """The lines of a shard."""
    return _maker(_CacheKey(config), shard.split).shard(shard)


def prepare(config: Config, splits: Iterable[Split]) -> None:
    """Do once what the first items of each split need: cells, grammar and encodings."""
    for split in splits:
        make(config, Shard(split=split, number=0, size=LABELS))


def make_item(config: Config, split: Split, index: int) -> bytes:
    """The line of one item, the same for every size of the split."""
    return _maker(_CacheKey(config), split).lines(range(index, index + 1))


def planned(config: Config, split: Split) -> Iterator[Plan]:
    """The plans of a split; they depend on its size, the seed and what premises may contain."""
    maker = _maker(_CacheKey(config), split)
    for index in range(config.sizes[split]):
        yield maker.plan(index)


def drafted(config: Config, split: Split, plans: Iterable[Plan]) -> Iterator[WordedItem]:
    """The items of a split from its plans, not verified."""
    maker = _maker(_CacheKey(config), split)
    return (maker.worded(index, plan) for index, plan in enumerate(plans))


class _CacheKey:
    """A hashable key for a config, equal for equal options."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self._text = repr(config)

    def __hash__(self) -> int:
        return hash(self._text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _CacheKey) and self._text == other._text


@lru_cache(maxsize=MAKERS)
def _maker(key: _CacheKey, split: Split) -> _Maker:
    return _Maker(key.config, split)


class _Maker:
    """Generates the items of a split."""

    def __init__(self, config: Config, split: Split) -> None:
        self._config = config
        self._split = split
        self._layout: Layout = layout(config, split)
        self._checker = Checker()
        self._planned = lru_cache(maxsize=RECENT)(self._plans)
        self._drawn_as = config.source(split, SharedTrait.TIMELINES)
        self._writer = ItemWriter(
            config.domain,
            config.traits,
            named_by=config.source(split, SharedTrait.NAMES),
            phrased_by=config.source(split, SharedTrait.PHRASES),
            wordings=config.phrases,
        )

    def shard(self, shard: Shard) -> bytes:
        """The lines of a shard."""
        start = shard.number * shard.size
        end = min(start + shard.size, self._config.sizes[self._split])
        # In parts: an item takes some ten times the memory of its line.
        return b"".join(
            self.lines(range(first, min(first + ITEMS, end))) for first in range(start, end, ITEMS)
        )

    @no_collection()
    def lines(self, indices: range) -> bytes:
        """The lines of some items.

        Raises:
            UncertifiedError: an item is not what its cell wants.
        """
        minimal = self._config.traits.minimal
        plans = [self.plan(index) for index in indices]
        worded = [self.worded(index, plan) for index, plan in zip(indices, plans, strict=True)]
        cells = [plan.cell for plan in plans]
        matches = self._checker.matches([worded_item.item for worded_item in worded], cells)
        if not all(matches):
            number = matches.index(False)
            raise UncertifiedError(
                f"the item is not what was planned: {cells[number]}",
                where=f"{self._split} {indices[number]}",
            )
        timelines = timeline_hashes(
            [(plan.edges, plan.events, plan.cell.claim is ClaimRelation.OVERLAPS) for plan in plans]
        )
        return b"".join(
            line(row(item, plan, timeline, index // LABELS if minimal else None))
            for index, item, plan, timeline in zip(indices, worded, plans, timelines, strict=True)
        )

    def plan(self, index: int) -> Plan:
        """The plan of an item."""
        return self._planned(index // LABELS)[index % LABELS]

    def worded(self, index: int, plan: Plan) -> WordedItem:
        """An item with its text; the items of a minimal group are worded by the same draws."""
        number = index // LABELS if self._config.traits.minimal else index
        return self._writer.write(self._random(self._split, "words", number), str(index), plan)

    def _plans(self, number: int) -> list[Plan]:
        """The items of a group, in random order."""
        random = self._random(self._drawn_as, number)
        cells, side = self._layout.built(number), SIDES[self._drawn_as]
        equal, strong = self._config.traits.equal, self._config.traits.strong
        if not self._layout.matched(number):
            plans = group(random, cells, equal=equal, side=side)
        else:
            plans = matched_group(random, cells, equal=equal, strong=strong, side=side)
        if self._layout.again:
            plans = opposed(plans, opposite(cells, number))
        return self._random(self._split, "order", number).sample(plans, LABELS)

    def _random(self, *parts: object) -> Random:
        return seeded_random(self._config.seed, GENERATOR, *parts)


class UnprovedError(HopcheckError):
    """A row whose text has no certificate for its verdict."""

    code = "unproved"
    exit_status = ExitStatus.DISAGREEMENT


def certified_row(item: Item, text: Text, verdict: Verdict) -> dict[str, Any]:
    """A row of ``items.jsonl``, for the certificate checker."""
    certificate = certify(item, verdict)
    return {
        "id": item.id,
        "premise": text.premise,
        "claim": text.claim,
        "domain": item.domain.value,
        "spatial": SpatialReading.GEOMETRIC.value,
        "policy": Policy.LOCAL.value,
        "verdict": verdict_to_json(verdict, hops(certificate)),
        "certificate": to_json(certificate),
    }


def certified(
    rows: Iterable[Mapping[str, Any]], split: str, domain: Domain
) -> Iterator[dict[str, Any]]:
    """The rows of a split as items.jsonl has them, each with a checked certificate.

    The texts are read again, so that the certificates are of what a reader of the data set sees.

    Raises:
        UnprovedError: a certificate does not prove the row's verdict.
    """
    texts = reader(domain)
    for row in rows:
        name = f"{split}-{row['id']}"
        item = texts.read(name, row["premise"], row["claim"])
        verdict = Verdict(
            status=Status(row["status"]),
            consistent=row["declared"] == DECLARED[True],
            label=Label(row["label"]),
        )
        found = certified_row(item, Text(premise=row["premise"], claim=row["claim"]), verdict)
        try:
            check.check_row(found)
        except check.RejectedError as error:
            raise UnprovedError(f"the certificate is rejected: {error}", where=name) from None
        yield found
