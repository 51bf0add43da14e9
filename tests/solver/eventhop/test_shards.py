"""Verification in shards: what they return, and the sample that is read again in workers."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path

import pytest

from grammar.eventhop.model import Item, Label
from solver.cli import run
from solver.eventhop import outcomes, reading
from solver.eventhop.engines import ItemSettings
from solver.eventhop.io import read_records
from solver.eventhop.outcomes import ItemDecider, decider
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


def test_probes_read_no_item_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nor do they keep one: the same records of a later run are read anew."""
    read, calls = reading.read, Counter[str]()

    def counted(record: Record, settings: ItemSettings) -> tuple[Record, Item]:
        calls[record.id] += 1
        return read(record, settings)

    monkeypatch.setattr(outcomes, "read", counted)
    path = tmp_path / "items.jsonl"
    rows = [
        {"id": each.id, "premise": each.premise, "claim": each.claim, "label": each.gold}
        for each in records(60)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    reports = []
    for recent, twice in ((60, 0), (60, 0), (50, 10)):
        decider(ItemSettings()).forget()
        calls.clear()
        monkeypatch.setattr(outcomes, "RECENT", recent)
        run(["verify", str(path), "--json"])
        report = json.loads(capsys.readouterr().out)
        reports.append((report["probes"], report["status"]))
        assert set(calls) == {str(n) for n in range(60)}
        assert set(calls.values()) <= {1, 2}
        assert list(calls.values()).count(2) >= twice
        assert twice or max(calls.values()) == 1
        assert not decider(ItemSettings())._recent
    assert reports[0] == reports[1] == reports[2]
    kept: list[Record] = []
    monkeypatch.setattr(ItemDecider, "keep", lambda _: kept.append(records(1)[0]))
    assert run(["verify", str(path), "--json", "--probes", "none"]) == 1
    assert not kept
    run(["verify", str(path), "--json"])
    assert len(kept) == 1
