"""Balance, duplicates and samples on data with known results."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grammar.eventhop.lexicon import detect
from grammar.eventhop.model import Item, Label
from grammar.eventhop.reader import reader
from solver.eventhop.io import read_records
from solver.eventhop.records import ItemPlace, Record
from solver.probes.balance import Cell, balance, deduplicate, duplicates
from solver.probes.findings import measure
from solver.probes.sample import Sample, sample

ItemMaker = Callable[[str, str], Item]

LABELS = tuple(Label)
RELATIONS = ("before", "after", "overlaps")
NAMES = ("fair", "race", "parade", "regatta", "market", "concert", "vigil", "picnic")


def cells(table: Sequence[Sequence[int]]) -> list[Cell]:
    return [
        Cell(key=(row,), name=f"row {row}", label=f"label {column}")
        for row, counts in enumerate(table)
        for column, count in enumerate(counts)
        for _ in range(count)
    ]


@pytest.mark.parametrize(
    ("table", "association", "uneven"),
    [
        ([[50, 0], [0, 50]], 1.0, True),
        ([[50, 50], [50, 50]], 0.0, False),
        ([[90, 10], [10, 90]], 0.8, True),
        ([[3, 2], [1, 4]], 0.25, False),
    ],
)
def test_association_of_known_tables(
    table: Sequence[Sequence[int]], association: float, uneven: bool
) -> None:
    found = balance("row", cells(table))
    assert found.association == pytest.approx(association, abs=0.03)
    assert found.uneven is uneven
    assert [list(row.counts.values()) for row in found.rows] == [list(row) for row in table]


def test_many_small_cells_of_random_labels_show_no_association() -> None:
    """Without bias correction V would grow with the number of cells."""
    source = random.Random(3)
    found = balance(
        "cell",
        [
            Cell(key=(number % 60,), name=str(number % 60), label=source.choice(LABELS).value)
            for number in range(300)
        ],
    )
    assert found.association is not None
    assert found.association < 0.2
    assert not found.uneven


def test_one_row_or_one_label_has_nothing_to_compare() -> None:
    assert balance("row", cells([[5, 7]])).association is None
    assert balance("row", cells([[5], [7]])).association is None
    assert balance("row", []).rows == ()


PREMISE = (
    "The end of fair happened before the start of race. The end of race preceded the end of vigil"
)
TURNED = (
    "the end of race preceded the end of vigil. the end of fair happened before the start of race."
)


def test_reordered_duplicates_are_found(studio: Any) -> None:
    one = Sample(premise=PREMISE, claim="the fair happens before the race", gold=Label.TRUE)
    samples = [
        one,
        one,
        replace(one, premise=TURNED),
        replace(one, claim="The fair happens after the race"),
        replace(one, claim="The fair happens after the race.", gold=Label.FALSE),
    ]
    found = duplicates(samples)
    assert (found.texts, found.repeated, found.reordered, found.conflicting) == (2, 3, 2, 1)
    assert len(deduplicate(samples)) == 2
    described = studio.sentences(measure(samples), warning=True)
    assert any(s.startswith("Repeats of an earlier item: 3, of these 2") for s in described)


def test_distinct_items_are_no_duplicates(studio: Any) -> None:
    samples = studio.drawn_samples(200, studio.at_random)
    assert duplicates(samples).repeated == 0
    assert "No item occurs twice." in studio.sentences(measure(samples), warning=False)


def test_a_sample_of_an_item(item_of: ItemMaker) -> None:
    record = Record(
        id="1",
        premise="p",
        claim="c",
        gold="Impossible",
        label=Label.UNDEFINED,
        place=ItemPlace(file="f", line=1),
    )
    seen = sample(record, item_of("A+ < B-, B+ = C-, A+ < C-", "A overlaps B"))
    assert seen is not None
    assert (seen.gold, seen.relation, seen.events, seen.relations) == (
        Label.UNDEFINED,
        "overlaps",
        3,
        3,
    )
    assert sorted(seen.kinds)[-2:] == [1, 2]
    pointed = sample(record, item_of("", "A+ < B-"))
    assert pointed is not None
    assert pointed.relation == "end before start"
    unread = sample(record, None)
    assert unread is not None
    assert unread.kinds == ()
    assert sample(replace(record, gold=None, label=None), None) is None


def test_the_published_wording_leaks_labels(shared: Path) -> None:
    samples = []
    for record in read_records(shared / "data" / "eventhop" / "temporal_test.tsv.gz"):
        assert isinstance(record, Record)
        item = reader(detect(record.premise, record.claim)).read(
            record.id, record.premise, record.claim
        )
        seen = sample(record, item)
        assert seen is not None
        samples.append(seen)
    began = time.process_time()
    found = measure(samples)
    assert time.process_time() - began < 10
    rows = {row.name: row for row in found.by_claim.rows}
    orders = [rows["before"], rows["after"]]
    undefined = sum(row.counts["undefined"] for row in orders) / sum(row.total for row in orders)
    assert round(100 * rows["overlaps"].share("undefined")) == 2
    assert round(100 * undefined) == 39
    assert all(result.leaks_label for result in found.guesses)
    assert found.duplicates.repeated == 0
