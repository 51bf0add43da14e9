"""What each preset promises."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from generators.eventhop.config import Preset, Split, names
from generators.eventhop.groups import phrases
from grammar.eventhop.model import PUBLISHED_ORDERS, Claim, Domain, Item, Order
from grammar.eventhop.reader import reader
from solver.cli import run
from solver.eventhop.certificates.make import place
from solver.eventhop.dataset import lemmas
from solver.eventhop.engines.graph import number
from solver.eventhop.hashes import ItemHashes

MakeData = Callable[..., Any]
every_preset = pytest.mark.parametrize(
    "preset",
    [
        # They differ from others by the names of their relations.
        pytest.param(
            preset,
            marks=[pytest.mark.slow] * ("simultaneous" in preset or preset is Preset.ONLY_BEFORE),
        )
        for preset in Preset
    ],
)

ORDERS = {
    Preset.BEFORE_AFTER: {Order.BEFORE, Order.AFTER},
    Preset.AFTER_SIMULTANEOUS: {Order.AFTER, Order.SIMULTANEOUS},
    Preset.BEFORE_SIMULTANEOUS: {Order.BEFORE, Order.SIMULTANEOUS},
    Preset.ONLY_BEFORE: {Order.BEFORE},
    Preset.ONLY_BEFORE_SORTED: {Order.BEFORE},
}


def items(made: Any, split: Split) -> list[Item]:
    read = reader(made.config.domain).read
    return [read(row["id"], row["premise"], row["claim"]) for row in made.rows(split)]


def named(every: list[Item]) -> set[str]:
    found: set[str] = set()
    for item in every:
        assert isinstance(item.claim, Claim)
        found |= {p.event for r in item.premise for p in (r.left, r.right)}
        found |= {item.claim.left, item.claim.right}
    return found


def worded(made: Any, split: Split) -> set[str]:
    """The phrases of both splits that occur in the premises of one."""
    texts = "\n".join(row["premise"] for row in made.rows(split))
    every = {p for s in Split for o in PUBLISHED_ORDERS for p in phrases(s, made.config.domain, o)}
    return {
        phrase for phrase in every if re.search(rf" {re.escape(phrase)} (?:start|end) of", texts)
    }


@every_preset
def test_every_item_is_right(
    make_data: MakeData, preset: Preset, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_data(preset).folder
    assert run(["verify", str(folder)]) == 0
    assert capsys.readouterr().err == ""


@every_preset
def test_orders(make_data: MakeData, preset: Preset) -> None:
    made = make_data(preset)
    found = {r.order for split in Split for item in items(made, split) for r in item.premise}
    assert found == ORDERS.get(preset, set(PUBLISHED_ORDERS))


@pytest.mark.parametrize("preset", [Preset.SORTED, Preset.ONLY_BEFORE_SORTED])
def test_sentences_are_sorted_by_their_earliest_point(make_data: MakeData, preset: Preset) -> None:
    for item in items(make_data(preset), Split.TEST):
        numbered = number(item)
        instants = place(numbered, ())
        earliest = [min(instants[p], instants[q]) for p, _, q in numbered.relations]
        assert earliest == sorted(earliest)


def test_other_presets_are_not_sorted(make_data: MakeData) -> None:
    unsorted = 0
    for item in items(make_data(), Split.TEST):
        numbered = number(item)
        instants = place(numbered, ())
        earliest = [min(instants[p], instants[q]) for p, _, q in numbered.relations]
        unsorted += earliest != sorted(earliest)
    assert unsorted > 40


@pytest.mark.parametrize("domain", Domain)
def test_strict_shares_nothing(make_data: MakeData, domain: Domain) -> None:
    made = make_data(domain=domain)
    train, test = (named(items(made, split)) for split in Split)
    assert train <= set(names(Split.TRAIN, domain))
    assert test <= set(names(Split.TEST, domain))
    assert not train & test
    overlaps = made.manifest["overlaps"]
    assert overlaps["names"] == overlaps["timelines"] == 0
    # Logic says an order by one symbol.
    assert overlaps["phrases"] == (3 if domain is Domain.LOGICAL else 0)
    assert overlaps["premises"] == 0
    assert overlaps["lemmas"] == (0 if domain is Domain.TEMPORAL else None)
    hashes = [{ItemHashes(item).graph() for item in items(made, split)} for split in Split]
    assert not hashes[0] & hashes[1]


def test_strict_words_its_splits_apart(make_data: MakeData) -> None:
    train, test = (worded(make_data(), split) for split in Split)
    assert len(train) > 20
    assert len(test) > 12
    assert not train & test
    assert not lemmas(train) & lemmas(test)
    assert lemmas({"took place earlier than the", "fell earlier than"}) == lemmas(
        {"took place", "early", "fall"}
    )


def test_same_names(make_data: MakeData) -> None:
    made = make_data(Preset.SAME_NAMES)
    assert named(items(made, Split.TEST)) <= set(names(Split.TRAIN, Domain.TEMPORAL))
    assert made.manifest["overlaps"]["names"] == 128
    assert made.manifest["overlaps"]["phrases"] == made.manifest["overlaps"]["timelines"] == 0


def test_same_phrases(make_data: MakeData) -> None:
    made = make_data(Preset.SAME_PHRASES)
    allowed = {
        p for order in PUBLISHED_ORDERS for p in phrases(Split.TRAIN, Domain.TEMPORAL, order)
    }
    assert worded(made, Split.TEST) <= allowed
    assert made.manifest["overlaps"]["phrases"] == 26
    assert made.manifest["overlaps"]["names"] == made.manifest["overlaps"]["timelines"] == 0


def test_same_timelines_make_other_claims(make_data: MakeData) -> None:
    made = make_data(Preset.SAME_TIMELINES)
    train, test = (
        {ItemHashes(item).graph(): str(item.claim.relation) for item in items(made, split)}
        for split in Split
    )
    shared = train.keys() & test.keys()
    assert len(shared) > 70
    assert all(train[index] != test[index] for index in shared)
    overlaps = made.manifest["overlaps"]
    assert overlaps["premises"] > 20
    assert overlaps["timelines"] == overlaps["names"] == overlaps["phrases"] == 0


def test_same_items(make_data: MakeData) -> None:
    made = make_data(Preset.SAME_ITEMS)
    train, test = ([row["timeline"] for row in made.rows(split)] for split in Split)
    # The last group of a split may hold other labels than the same group of the other split.
    assert sum(timeline in set(train) for timeline in test) >= len(test) - 2
    overlaps = made.manifest["overlaps"]
    assert overlaps["timelines"] == len(set(train) & set(test)) > 70
    assert overlaps["names"] == overlaps["phrases"] == 0
    texts = [{row["premise"] for row in made.rows(split)} for split in Split]
    assert not texts[0] & texts[1]
