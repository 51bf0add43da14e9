"""Verification in shards: what they return, and the sample that is read again in workers."""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path

import pytest

from grammar.eventhop.model import Label
from solver.eventhop.engines import ItemSettings
from solver.eventhop.io import read_records
from solver.eventhop.records import Record
from solver.eventhop.samples import Samples
from solver.eventhop.shards import SHARD, verify_shards

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "right.tsv"
RARE = 200
WRONG = {Label.TRUE: Label.FALSE, Label.FALSE: Label.UNDEFINED, Label.UNDEFINED: Label.TRUE}


def records(count: int) -> list[Record]:
    right = [record for record in read_records(EXAMPLE) if isinstance(record, Record)]
    return [replace(record, id=str(n)) for n, record in enumerate(islice(cycle(right), count))]


@pytest.mark.parametrize("limit", [0, 1, 40])
def test_shards_return_the_first_wrong_and_the_first_other_flawed_items(limit: int) -> None:
    items = [
        replace(record, label=WRONG[record.label])
        if int(record.id) % RARE == 0 and record.label
        else record
        for record in records(3 * SHARD)
    ]
    wrong, otherwise = [], []
    for result in verify_shards(items, ItemSettings(), limit=limit):
        wrong += [outcome.record.id for outcome in result.wrong]
        otherwise += [outcome.record.id for outcome in result.otherwise_flawed]
    size = len(list(read_records(EXAMPLE)))
    assert wrong == [record.id for record in items if int(record.id) % RARE == 0][:limit]
    # All but the first ones repeat the texts of earlier items.
    assert otherwise == [record.id for record in items[size:] if int(record.id) % RARE][:limit]


def test_workers_read_the_same_sample() -> None:
    items = records(2 * SHARD + 7)
    items[3] = replace(items[3], premise="no sentence of the grammar")
    items[5] = replace(items[5], label=None)
    samples = Samples(2 * SHARD)
    assert list(samples.drawn_from(items)) == items
    alone, shared = (samples.samples(ItemSettings(), jobs) for jobs in (1, 2))
    assert alone == shared
    assert [sample.id for sample in alone] == [record.id for record in samples.records()]
    assert len(alone) == 2 * SHARD
    assert Samples(5).samples(ItemSettings(), 2) == []
