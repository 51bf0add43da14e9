"""Texts that are read without the parser: the parser reads them in the same way."""

from __future__ import annotations

import random
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from grammar.errors import ParseError, UnwritableError
from grammar.eventhop.lexicon import lexicon, point_terminals
from grammar.eventhop.model import (
    PUBLISHED_ORDERS,
    AllenRelation,
    Bound,
    Claim,
    ClaimRelation,
    Domain,
    Item,
    Point,
    Relation,
    SpatialReading,
)
from grammar.eventhop.plain import PlainProse
from grammar.eventhop.reader import Reader
from grammar.eventhop.writer import Text, Writer
from solver.eventhop.io import read_records
from solver.eventhop.records import Record

EXAMPLES = sorted((Path(__file__).resolve().parents[3] / "examples").glob("*.tsv"))
DOMAINS = pytest.mark.parametrize("domain", [Domain.TEMPORAL, Domain.SPATIAL])
# What ends, opens or blurs names and sentences.
SCRAPS = (
    "", " ", "  ", ".", ". ", "..", ".  ", ".\n", "\n", "\t", "\u00a0", "’", "e\u0301", "the",
    "the ", " the", " The ", "The ", "the the ", "X", "start of ", "Start of ", "end of ",
    "The start of ", " end of the ", " had happened", " ensued once the ", " happened before",
    " happened before the ", " was prior to the end of ", " happens before ",
    " happens strictly before ", " overlaps with ", "western edge of ", "Eastern edge of ",
    " eastern edge of ", " lies west of ", "St. ", "No. 5", " is as far west as ",
    " is completely west of ", "1", "<", "A. The end of ", "x" * 199, "x" * 201,
)  # fmt: skip
NAMES = (
    "Mill", "Long Fair", "Siege of Lantern Pass", "The Fen", "Ælnoth’s Day", "End of Rain",
    "St. Mary", "fall of the Mill", "Start", "the", "Mill that happened before the Fen", "x" * 200,
)  # fmt: skip


@cache
def readers(domain: Domain, spatial: SpatialReading) -> tuple[Reader, Reader]:
    """The reader, and the parser alone."""
    return Reader(domain, spatial), Reader(domain, spatial, plain=False)


def outcome(reader: Reader, text: Text) -> Item | str:
    try:
        return reader.read("1", text.premise, text.claim)
    except ParseError as error:
        return f"{error.line}:{error.column}: {error}"


def both_read(domain: Domain, spatial: SpatialReading, text: Text) -> Item | str:
    """What both readers read in a text, or say about it."""
    quick, parsed = (outcome(reader, text) for reader in readers(domain, spatial))
    assert quick == parsed, text
    # Values of two enums may be equal.
    assert isinstance(quick, str) == isinstance(parsed, str)
    if isinstance(quick, Item) and isinstance(parsed, Item):
        assert repr(quick) == repr(parsed), text
    return quick


def written(draw: random.Random, domain: Domain, spatial: SpatialReading) -> Text | None:
    """A random item in random phrases; None if it cannot be written."""
    names = draw.sample(NAMES, 4)

    def point() -> Point:
        return Point(event=draw.choice(names), bound=draw.choice(list(Bound)))

    def relation() -> Relation:
        return Relation(left=point(), order=draw.choice(PUBLISHED_ORDERS), right=point())

    claims = [*ClaimRelation, *AllenRelation]
    about = Claim(left=names[0], relation=draw.choice(claims), right=draw.choice(names))
    item = Item(
        id="1",
        premise=tuple(relation() for _ in range(draw.randint(0, 6))),
        claim=relation() if draw.random() < 0.2 else about,
        domain=domain,
    )
    try:
        return Writer(domain, spatial, phrases=draw.choice).write(item)
    except UnwritableError:
        return None


def damaged(draw: random.Random, text: str) -> str:
    for _ in range(draw.randint(1, 3)):
        begin = draw.randint(0, len(text))
        end = begin + draw.choice((0, 0, 0, 1, 1, 2, 5, 20))
        text = text[:begin] + draw.choice(SCRAPS) + text[end:]
    return text


@DOMAINS
@pytest.mark.parametrize("spatial", SpatialReading)
@pytest.mark.parametrize("number", [20, pytest.param(5_000, marks=pytest.mark.slow)])
def test_random_and_damaged_texts(domain: Domain, spatial: SpatialReading, number: int) -> None:
    draw = random.Random(7)
    read = faulty = 0
    for _ in range(number):
        text = written(draw, domain, spatial)
        if text is None:
            continue
        read += isinstance(both_read(domain, spatial, text), Item)
        for _ in range(3):
            broken = Text(premise=damaged(draw, text.premise), claim=damaged(draw, text.claim))
            for other_text in (
                broken,
                Text(premise=broken.premise, claim=text.claim),
                Text(premise=text.premise, claim=broken.claim),
            ):
                faulty += isinstance(both_read(domain, spatial, other_text), str)
    assert read > number / 3
    assert faulty > number


def texts(path: Path) -> list[Text]:
    records = (record for record in read_records(path) if isinstance(record, Record))
    return [Text(premise=record.premise, claim=record.claim) for record in records]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples(path: Path) -> None:
    for text in texts(path):
        for domain in (Domain.TEMPORAL, Domain.SPATIAL):
            both_read(domain, SpatialReading.GEOMETRIC, text)


@pytest.mark.parametrize("share", [20, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ["temporal_test", "spatial_test"])
def test_published_texts(shared: Path, name: str, share: int) -> None:
    domain = Domain(name.partition("_")[0])
    found = texts(shared / "data" / "eventhop" / f"{name}.tsv.gz")[::share]
    plain = PlainProse(lexicon(domain), point_terminals(domain, SpatialReading.PUBLISHED))
    for text in found:
        assert isinstance(both_read(domain, SpatialReading.PUBLISHED, text), Item)
        # All of them are plain: the parser takes four times as long.
        assert plain.premise(text.premise) is not None
        assert plain.claim(text.claim) is not None


# One text in so many: coprime to the numbers of openings and of ends, so that all occur.
@pytest.mark.parametrize("share", [7, pytest.param(1, marks=pytest.mark.slow)])
@DOMAINS
@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("the", "Fen"),
        ("Mill", "the"),
        ("the the Mill", "Fen"),
        ("Mill ", "Fen"),
        ("Mill", " Fen"),
        ("Mill. Fen", "Tide"),
        ("Mill", "Fen. Tide"),
        ("St. Mary", "Fen"),
        ("x" * 200, "Fen"),
        ("x" * 201, "Fen"),
        ("the " + "x" * 200, "Fen"),
        ("Mill", "x" * 201),
        ("Mill\u00a0Fen", "Tide"),
        ("", "Fen"),
        ("Mill", ""),
        ("Start of Mill", "Fen"),
        ("start of Mill", "end of Fen"),
        ("western edge of Mill", "eastern edge of Fen"),
        ("Mill had happened", "Fen had happened"),
        ("Mill happens before Fen", "Fen"),
    ],
)
def test_names_at_the_edges(domain: Domain, left: str, right: str, share: int) -> None:
    words = lexicon(domain)
    first, last = (words.mark(name) for name in point_terminals(domain, SpatialReading.GEOMETRIC))
    phrases = [phrase for order in PUBLISHED_ORDERS for phrase in words.phrases(order)]
    stops = ("", ".", ". ", ". {0}", ".\n{0}.", ".  {0}")
    every = list(product(phrases, ("", "The ", "the "), stops))
    for phrase, opening, stop in every[::share]:
        before, _, after = phrase.partition(" …")
        premise = f"{opening}{first}{left} {before} {last}{right}{after}"
        text = Text(premise=premise + stop.format(premise), claim=premise)
        both_read(domain, SpatialReading.GEOMETRIC, text)
    for relation in (*ClaimRelation, *AllenRelation):
        for phrase in words.phrases(relation):
            both_read(
                domain,
                SpatialReading.GEOMETRIC,
                Text(premise="", claim=f"{left} {phrase} {right}"),
            )
