"""Claims about points, claims of the logical domain, and which edge of a place is its start."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from grammar.eventhop.lexicon import detect
from grammar.eventhop.model import (
    AllenRelation,
    Bound,
    Claim,
    ClaimRelation,
    Domain,
    Item,
    Order,
    Point,
    Relation,
    SpatialReading,
)
from grammar.eventhop.reader import reader
from grammar.eventhop.writer import Writer


def point_claim(left: str, right: str, order: Order = Order.BEFORE) -> Relation:
    """A claim about the start of one event and the end of another."""
    return Relation(
        left=Point(event=left, bound=Bound.START),
        order=order,
        right=Point(event=right, bound=Bound.END),
    )


def event_claim(left: str, right: str) -> Claim:
    return Claim(left=left, relation=ClaimRelation.BEFORE, right=right)


@pytest.mark.parametrize(
    ("premise", "claim", "meant"),
    [
        # Neither is known as an event: points, known or not.
        ("", "mill1 < tide2", point_claim("mill", "tide")),
        ("mill1 < tide2", "mill1 < tide2", point_claim("mill", "tide")),
        ("mill1 < tide2", "mill1<tide2.", point_claim("mill", "tide")),
        ("mill1 < tide2", "mill1 < snow2", point_claim("mill", "snow")),
        ("mill1 < tide2", "mill1 = mill2", point_claim("mill", "mill", Order.SIMULTANEOUS)),
        ("mill1 < tide2", "mill1 > mill2", point_claim("mill", "mill", Order.AFTER)),
        # Known as events.
        ("mill11 < tide22", "mill1 < tide2", event_claim("mill1", "tide2")),
        ("mill11 < tide22", "mill1 < snow2", event_claim("mill1", "snow2")),
        ("mill11 < tide2", "mill1 < tide", event_claim("mill1", "tide")),
        ("mill11 < tide22. mill1 < sun1", "mill1 < tide2", event_claim("mill1", "tide2")),
        # As the start and the end of events that are called mill1 and tide2.
        ("mill11 < tide22", "mill11 < tide22", point_claim("mill1", "tide2")),
        # No points.
        ("", "mill < tide", event_claim("mill", "tide")),
        ("", "mill1 < tide", event_claim("mill1", "tide")),
        ("", "mill1 < tide3", event_claim("mill1", "tide3")),
        ("", "1 < 2", event_claim("1", "2")),
    ],
)
def test_the_premise_decides_what_a_logical_claim_is_about(
    premise: str, claim: str, meant: Claim | Relation
) -> None:
    assert reader(Domain.LOGICAL).read("1", premise, claim).claim == meant


def test_a_word_relates_events_even_if_they_look_like_points() -> None:
    claim = reader(Domain.LOGICAL).read("1", "", "mill1 meets tide2").claim
    assert claim == Claim(left="mill1", relation=AllenRelation.MEETS, right="tide2")


@pytest.mark.parametrize(
    ("domain", "claim"),
    [
        (Domain.TEMPORAL, "The start of Mill Quarrel happened before the end of Tide"),
        (Domain.TEMPORAL, "start of the Mill Quarrel preceded end of the Tide."),
        (Domain.SPATIAL, "western edge of Mill Quarrel is westwards of eastern edge of Tide"),
        (
            Domain.SPATIAL,
            "The western edge of the Mill Quarrel is westwards of the eastern edge of Tide",
        ),
    ],
)
def test_a_claim_about_points_is_worded_as_in_a_premise(domain: Domain, claim: str) -> None:
    meant = point_claim("Mill Quarrel", "Tide")
    item = reader(domain).read("1", "", claim)
    assert item.claim == meant
    text = Writer(domain).write(item)
    assert reader(domain).read("1", text.premise, text.claim) == item


def test_an_event_that_is_called_like_a_point_is_an_event() -> None:
    claim = reader(Domain.TEMPORAL).read("1", "", "End of Days happens before Start of Tide").claim
    assert claim == event_claim("End of Days", "Start of Tide")


@pytest.mark.parametrize(
    ("domain", "claim", "column", "name"),
    [
        (Domain.TEMPORAL, "Tide happens after the Tide", 20, "Tide"),
        (Domain.TEMPORAL, "The Tide happens after Tide", 24, "Tide"),
        (Domain.SPATIAL, "Fen is completely west of Fen.", 27, "Fen"),
        (Domain.LOGICAL, "tide = tide", 8, "tide"),
    ],
)
def test_an_event_is_related_to_itself_where_that_is_allowed(
    failure: Callable[..., object], domain: Domain, claim: str, column: int, name: str
) -> None:
    meant = reader(domain).read("1", "", claim).claim
    assert isinstance(meant, Claim)
    assert meant.left == meant.right == name
    found, expected = f'the event "{name}" again', "a claim about two different events"
    expected = ("claim", (1, column, found, expected, ""))
    assert failure(domain, "", claim, self_claims=False) == expected


def test_a_claim_may_be_about_events_outside_the_premise() -> None:
    premise = "The start of Tide happened before the end of Snow"
    item = reader(Domain.TEMPORAL).read("1", premise, "Hail happens before Sun")
    assert item.claim == event_claim("Hail", "Sun")


@pytest.mark.parametrize("premise", ["", " ", "\n\t "])
@pytest.mark.parametrize("domain", Domain)
def test_a_premise_may_be_empty(domain: Domain, premise: str) -> None:
    claim = Writer(domain).write(
        Item(id="1", premise=(), claim=event_claim("mill", "tide"), domain=domain)
    )
    assert claim.premise == ""
    assert reader(domain).read("1", premise, claim.claim).premise == ()


PLACES = "western edge of Mill Wood is westwards of eastern edge of Low Fen"


@pytest.mark.parametrize(
    ("spatial", "bounds"),
    [
        (SpatialReading.GEOMETRIC, (Bound.START, Bound.END)),
        (SpatialReading.PUBLISHED, (Bound.END, Bound.START)),
    ],
)
def test_the_reading_decides_which_edge_is_the_start(
    spatial: SpatialReading, bounds: tuple[Bound, Bound]
) -> None:
    item = reader(Domain.SPATIAL, spatial).read(
        "1", PLACES, "Mill Wood is completely west of Low Fen"
    )
    (relation,) = item.premise
    assert (relation.left.bound, relation.right.bound) == bounds
    # Only bounds are read in two ways: to the west is before in both.
    assert relation.order is Order.BEFORE
    assert item.claim == event_claim("Mill Wood", "Low Fen")
    assert Writer(Domain.SPATIAL, spatial).write(item).premise == PLACES.replace(
        "is westwards of", "is located to the west of"
    )


def test_the_reading_changes_no_other_domain() -> None:
    premise, claim = "The start of Tide happened before the end of Sun", "Tide happens before Sun"
    read = [
        reader(Domain.TEMPORAL, reading).read("1", premise, claim) for reading in SpatialReading
    ]
    assert read[0] == read[1]


@pytest.mark.parametrize(
    ("premise", "claim", "domain"),
    [
        ("The start of Tide happened before the end of Sun", "a < b", Domain.TEMPORAL),
        ("end of Tide hugs", "", Domain.TEMPORAL),
        ("  the Western Edge of Fen", "Fen happens before Mill", Domain.TEMPORAL),
        ("\nThe western edge of Fen hugs", "Fen happens before Mill", Domain.SPATIAL),
        ("eastern edge of The start of Tide is westwards of", "", Domain.SPATIAL),
        ("mill1<tide2", "Tide happens before Sun", Domain.LOGICAL),
        ("", "mill = tide", Domain.LOGICAL),
        ("", "mill finished_by tide", Domain.LOGICAL),
        ("", "Fen shares at least one longitude with Mill", Domain.SPATIAL),
        ("", "Fen is directly west of Mill", Domain.SPATIAL),
        ("", "western edge of Fen is westwards of eastern edge of Mill", Domain.SPATIAL),
        ("", "Tide overlaps with Sun", Domain.TEMPORAL),
        ("Hello. western edge of Fen is westwards of", "Hello", Domain.SPATIAL),
        ("", "", Domain.TEMPORAL),
        ("Hello", "Hello", Domain.TEMPORAL),
    ],
)
def test_the_domain_is_detected_from_the_text(premise: str, claim: str, domain: Domain) -> None:
    assert detect(premise, claim) is domain
