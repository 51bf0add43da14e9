"""Names that are hard to separate from the text around them."""

from __future__ import annotations

import pytest

from grammar.errors import ParseError, UnwritableError
from grammar.eventhop.model import Bound, Claim, ClaimRelation, Domain, Item, Order, Point, Relation
from grammar.eventhop.reader import reader
from grammar.eventhop.writer import Writer

PROSE = [Domain.TEMPORAL, Domain.SPATIAL]
OTHER = "Lantern Walk"
MARKS = {
    Domain.TEMPORAL: ("start of", "end of", "happened before the", "overlaps with"),
    Domain.SPATIAL: (
        "western edge of",
        "eastern edge of",
        "is westwards of",
        "shares at least one longitude with",
    ),
}
NAMES = [
    "Quarrel at the Mill",
    "Feast of the Baker's Dozen",
    "Feast of the Baker’s Dozen",
    "Race on the Long Bridge of Oar",
    "St. Orla's Fair",
    "Fair of Mt. Brindle and St. Orla",
    "J. K. Thornby's Trial",
    "Ride against Capt. Moss",
    "U.S. Kite Trials",
    "Meeting No. 5",
    "Co.",
    "1907",
    "2nd Tour (1907-08)",
    "Ænder Møde",
    "Праздник урожая",
    "収穫祭",
    "e\u0301te\u0301 à Orly",
    "Came Before Hill",
    "What had happened",
    "A happened before B",
    "the",
    "The Hague Regatta",
    "Theodora",
    "theatre of the absurd",
    "of",
    "End of Days",
    "Day of the end of Tide",
    "is westwards",
    "x" * 200,
    'The "Quiet" Riot',
    "Cost: 3 < 5?",
    "Yes, no; maybe!",
    "Tab\there",
]


def relation(left: str, right: str, order: Order = Order.BEFORE) -> Relation:
    return Relation(
        left=Point(event=left, bound=Bound.START),
        order=order,
        right=Point(event=right, bound=Bound.END),
    )


@pytest.mark.parametrize("domain", PROSE)
@pytest.mark.parametrize("name", [name for name in NAMES if name not in {"the", "Co."}])
def test_a_name_is_read_in_every_place(domain: Domain, name: str) -> None:
    start, end, phrase, claimed = MARKS[domain]
    premise = (
        f"{start} {name} {phrase} {end} {OTHER}. "
        f"The {start} the {OTHER} {phrase} {end} {name}. "
        f"{start} {name} {phrase} {end} {name}"
    )
    for stop in ("", "."):
        for left, right in ((name, OTHER), (OTHER, name)):
            item = reader(domain).read(
                "1", premise + stop, f"{left} {claimed} {right}{stop}", names={name, OTHER}
            )
            assert item == Item(
                id="1",
                premise=(relation(name, OTHER), relation(OTHER, name), relation(name, name)),
                claim=Claim(left=left, relation=ClaimRelation.OVERLAPS, right=right),
                domain=domain,
            )


@pytest.mark.parametrize("domain", PROSE)
@pytest.mark.parametrize("name", [name for name in NAMES if name not in {"the", "Co."}])
def test_a_name_that_is_read_is_written(domain: Domain, name: str) -> None:
    item = Item(
        id="1",
        premise=(relation(name, OTHER), relation(OTHER, name, Order.AFTER)),
        claim=Claim(left=name, relation=ClaimRelation.BEFORE, right=OTHER),
        domain=domain,
    )
    text = Writer(domain, names={name}).write(item)
    assert text.premise.removeprefix("The ").startswith(f"{MARKS[domain][0]} {name} ")
    assert text.premise.endswith(f" {MARKS[domain][1]} {name}")
    assert reader(domain).read("1", text.premise, text.claim, names={name}) == item


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "found"),
        (" ", "found"),
        ("Orla ", '"Orla " would be parsed back as "Orla"'),
        ("the Orla", '"the Orla" would be parsed back as "Orla"'),
        ("the the Orla", "found"),
        ("Orla\nWalk", "found"),
        ("x" * 201, "at most 200 characters"),
        ("Mill. Something else", "expected a point"),
        ("B. something else", "expected a point"),
        ("St. Orla, start of Tide", "expected a point"),
        ("Orla happened before the end of Tide", "found"),
        ("Orla. The start of Tide", "found"),
    ],
)
def test_a_name_that_would_be_parsed_differently_is_not_written(name: str, message: str) -> None:
    for pair in ((name, OTHER), (OTHER, name)):
        item = Item(
            id="7",
            premise=(relation(*pair),),
            claim=Claim(left=OTHER, relation=ClaimRelation.BEFORE, right="Tide"),
        )
        with pytest.raises(UnwritableError, match=message) as raised:
            Writer(Domain.TEMPORAL).write(item)
        assert raised.value.where == "7"


def test_a_name_that_ends_in_a_full_stop_may_not_end_a_text() -> None:
    inside = Item(
        id="1",
        premise=(relation("Tide", "Orla & Co."), relation("Orla & Co.", "Tide")),
        claim=Claim(left="Orla & Co.", relation=ClaimRelation.BEFORE, right="Tide"),
    )
    text = Writer(Domain.TEMPORAL).write(inside)
    assert text.premise.startswith("The start of Tide happened before the end of Orla & Co.. The")
    at_end = Item(
        id="1",
        premise=(relation("Tide", "Orla & Co."),),
        claim=Claim(left="Orla & Co.", relation=ClaimRelation.BEFORE, right="Tide"),
    )
    with pytest.raises(UnwritableError, match="Orla & Co"):
        Writer(Domain.TEMPORAL).write(at_end)


@pytest.mark.parametrize(
    ("premise", "claim", "left"),
    [
        # A sentence's capital is part of the name only if the name has it elsewhere.
        ("harvest", "Harvest", "harvest"),
        ("Harvest", "Harvest", "Harvest"),
        ("harvest", "The harvest", "harvest"),
        ("harvest", "the harvest", "harvest"),
        ("Harvest", "The Harvest", "Harvest"),
        ("The Harvest", "The Harvest", "The Harvest"),
        ("Harvest", "harvest", "harvest"),
        ("something", "Harvest", "Harvest"),
        ("something", "The Harvest", "Harvest"),
        # All apostrophes are equivalent.
        ("Orla's Walk", "Orla’s Walk", "Orla's Walk"),
        ("Orla’s Walk", "Orla's Walk", "Orla’s Walk"),
        ("orla’s walk", "Orla's walk", "orla’s walk"),
        ("\u00e9t\u00e9", "e\u0301te\u0301", "\u00e9t\u00e9"),
        ("e\u0301te\u0301", "\u00c9t\u00e9", "e\u0301te\u0301"),
    ],
)
def test_one_name_in_two_spellings(premise: str, claim: str, left: str) -> None:
    item = reader(Domain.TEMPORAL).read(
        "1",
        f"The start of {premise} happened before the end of Tide",
        f"{claim} happens before Tide",
    )
    assert isinstance(item.claim, Claim)
    assert item.claim.left == left


def test_spellings_are_normalized_within_a_premise_too() -> None:
    item = reader(Domain.TEMPORAL).read(
        "1",
        "The start of Orla’s Walk happened before the end of Tide. "
        "The start of Tide happened before the end of Orla's Walk. "
        "The start of Tide happened before the end of Orla’s Wake",
        "Tide happens before Orla's Wake",
    )
    assert [relation.right.event for relation in item.premise] == [
        "Tide",
        "Orla’s Walk",
        "Orla’s Wake",
    ]
    assert item.claim == Claim(left="Tide", relation=ClaimRelation.BEFORE, right="Orla’s Wake")


@pytest.mark.parametrize(
    ("premise", "names"),
    [
        ("Quarrel1 < fair2. quarrel2 > fair1", ["quarrel", "fair", "quarrel", "fair"]),
        ("Quarrel1 < fair2. fair1 < Quarrel2", ["Quarrel", "fair", "fair", "Quarrel"]),
        ("Quarrel1 < fair2. Fair1 < tide2", ["Quarrel", "fair", "fair", "tide"]),
        ("Quarrel1 < fair2. quarrel1 < Quarrel2", ["Quarrel", "fair", "quarrel", "Quarrel"]),
        ("Quarrel1 < fair2", ["Quarrel", "fair"]),
        ("orla's1 < fair2. fair1 > orla’s2", ["orla's", "fair", "fair", "orla's"]),
        ("naïve-thing1<x12", ["naïve-thing", "x1"]),
        ("11 < 22", ["1", "2"]),
        ("_1 = 収穫2", ["_", "収穫"]),
        (f"{'x' * 200}1 < fair2", ["x" * 200, "fair"]),
    ],
)
def test_names_in_symbols(premise: str, names: list[str]) -> None:
    item = reader(Domain.LOGICAL).read("1", premise, "fair < tide")
    read = [point.event for relation in item.premise for point in (relation.left, relation.right)]
    assert read == names
    text = Writer(Domain.LOGICAL).write(item)
    assert reader(Domain.LOGICAL).read("1", text.premise, text.claim) == item


@pytest.mark.parametrize("name", ["", "two words", "a<b", "full.stop", "x" * 201, "(x)", "a,b"])
def test_names_that_symbols_cannot_express(name: str) -> None:
    item = Item(
        id="1",
        premise=(relation(name, "fair"),),
        claim=Claim(left="fair", relation=ClaimRelation.BEFORE, right="tide"),
        domain=Domain.LOGICAL,
    )
    with pytest.raises(UnwritableError):
        Writer(Domain.LOGICAL).write(item)


def test_a_claim_phrase_within_a_name_makes_a_claim_ambiguous() -> None:
    with pytest.raises(ParseError, match="expected the end of the claim"):
        reader(Domain.TEMPORAL).read("1", "", "Sun happens before Tide happens after Snow")
