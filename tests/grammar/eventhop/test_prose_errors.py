"""Faulty sentences: position, found and expected text, and suggestions."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import pytest

from grammar.errors import ParseError
from grammar.eventhop.model import Domain
from grammar.eventhop.reader import FORMATS, reader
from grammar.eventhop.words import HINT

ErrorParts = tuple[int, int, str, str, str]
ParseFailure = Callable[..., tuple[str, ErrorParts]]

FIRST = "The end of Tide came before the end of Snow"
LONG, CUT = "x" * 201, "x" * 40
POINT = 'a point such as "start of X" or "end of X"'
EDGE = 'a point such as "western edge of X" or "eastern edge of X"'
NAME = "a name of at most 200 characters on one line"
RELATION = 'a name and a relation such as "happened before the"'
CLAIMED = 'a name and a relation such as "happens before"'
SENTENCE_END = "the end of the sentence"
CLAIM_END = "the end of the claim"
TEXT_END = "the end of the text"
ABBREVIATION = "within a name, a full stop may follow an abbreviation, as in St. Mary's Fair"
POINT_CLAIM = 'a claim about points uses a premise phrase, such as "happened before the"'
SENTENCES = f"sentences that are read: {FORMATS}"
PREMISE = "The start of Mill Quarrel happened before the end of Tide"


def near(line: int, column: int, found: str, phrase: str) -> ErrorParts:
    """Words that are much like a phrase."""
    return (line, column, found, f'a relation such as "{phrase}"', f'did you mean "{phrase}"?')


@pytest.mark.parametrize(
    ("premise", "expected"),
    [
        ("Hello", (1, 1, '"Hello"', POINT, SENTENCES)),
        (".", (1, 1, '"."', POINT, SENTENCES)),
        (
            "The start of Tide hapened before the end of Snow",
            near(1, 19, '"hapened before"', "happened before the"),
        ),
        (
            "The start of Tide Happened Before the end of Snow",
            near(1, 19, '"Happened Before"', "happened before the"),
        ),
        (
            "The start of Tide took place at the same time the end of Snow",
            near(1, 19, '"took place at the same time"', "took place at the same time as the"),
        ),
        (
            "The start of Tide ensued onse the end of Snow had happened",
            near(1, 19, '"ensued onse"', "ensued once the … had happened"),
        ),
        (
            "The start of Tide hugged the end of Snow",
            (1, 14, '"Tide hugged the end of Snow"', RELATION, ""),
        ),
        ("The start of Tide", (1, 14, '"Tide"', RELATION, "")),
        ("The start of Tide happened before the", (1, 38, TEXT_END, POINT, "")),
        (
            "The start of Tide happened before the strat of Snow",
            (1, 39, '"strat of Snow"', POINT, ""),
        ),
        ("The start of Tide happened before the end of", (1, 45, TEXT_END, NAME, "")),
        (
            "The start of happened before the end of Snow",
            (1, 14, '"happened before the end of Snow"', NAME, ""),
        ),
        (
            "The start of  Tide happened before the end of Snow",
            (1, 14, '"Tide happened before the end of Snow"', NAME, ""),
        ),
        (
            "The start of the the Tide happened before the end of Snow",
            (1, 18, '"the"', "a relation", HINT),
        ),
        (f"The start of {LONG} happened before the end of Snow", (1, 14, f'"{CUT}…"', NAME, "")),
        (f"The start of Tide happened before the end of {LONG}", (1, 46, f'"{CUT}…"', NAME, "")),
        (
            "The start of Tide\nWalk happened before the end of Snow",
            (1, 18, '"Walk happened before the end of Snow"', NAME, ""),
        ),
        (
            "The start of Tide happened before the end of Snow happened after the end of Hail",
            (1, 51, '"happened after the end of Hail"', SENTENCE_END, ""),
        ),
        ("The start of Tide ensued once the end of Snow", (1, 46, TEXT_END, '"had happened"', "")),
        (
            f"{FIRST}. The end of Snow hugs the end of Hail. The end of Hail came before {FIRST}",
            (1, 57, '"Snow hugs the end of Hail"', RELATION, ""),
        ),
        (
            FIRST + ".\nThe end of Snow came befor the end of Hail.",
            near(2, 17, '"came befor"', "came before the"),
        ),
        (
            "\n\n  The end of Tide cam before the end of Snow",
            near(3, 19, '"cam before"', "came before the"),
        ),
        (
            "The end of Tide came before the end of St. Orla came before the end of Hail",
            (1, 49, '"came before the end of Hail"', SENTENCE_END, ""),
        ),
        (
            FIRST + ". Something else",
            (1, 46, '"Something else"', "a point at the start of the sentence", ABBREVIATION),
        ),
        (
            FIRST + " The end of Snow came before the end of Hail",
            (1, 61, '"came before the end of Hail"', SENTENCE_END, ""),
        ),
        (
            "The end of \x1b[31mTide\x00 hugs it",
            (1, 12, "the control character U+001B", "characters that can be seen", ""),
        ),
    ],
)
def test_what_is_wrong_with_a_premise(
    failure: ParseFailure, premise: str, expected: ErrorParts
) -> None:
    assert failure(Domain.TEMPORAL, premise, "Mill Quarrel happens before Tide") == (
        "premise",
        expected,
    )


@pytest.mark.parametrize(
    ("premise", "expected"),
    [
        (
            "The start of Mill Wood happened before the end of Low Fen",
            (1, 1, '"The start of Mill Wood happened before…"', EDGE, ""),
        ),
        (
            "western edge of Mill Wood is westward of eastern edge of Low Fen",
            near(1, 27, '"is westward of"', "is westwards of"),
        ),
        ("western edge of Mill Wood is westwards of Low Fen", (1, 43, '"Low Fen"', EDGE, "")),
    ],
)
def test_what_is_wrong_with_a_spatial_premise(
    failure: ParseFailure, premise: str, expected: ErrorParts
) -> None:
    claim = "Mill Wood is completely west of Low Fen"
    assert failure(Domain.SPATIAL, premise, claim) == ("premise", expected)


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("", (1, 1, TEXT_END, CLAIMED, "")),
        ("Tide Snow", (1, 1, '"Tide Snow"', CLAIMED, "")),
        ("Tide hapens before Snow", near(1, 6, '"hapens before"', "happens before")),
        ("  Tide overlaps wiht Snow", near(1, 8, '"overlaps wiht"', "overlaps with")),
        (
            "Tide starts with but ends befor Snow",
            near(1, 6, '"starts with but ends befor"', "starts with but ends before"),
        ),
        ("happens before Snow", (1, 1, '"happens before Snow"', NAME, "")),
        ("Tide happens before", (1, 20, TEXT_END, NAME, "")),
        ("Tide happens before the the Snow", (1, 21, '"the the Snow"', NAME, "")),
        (f"{LONG} happens before Snow", (1, 1, f'"{CUT}…"', NAME, "")),
        (f"Tide happens before {LONG}", (1, 21, f'"{CUT}…"', NAME, "")),
        (
            "Tide happens before Snow overlaps with Hail",
            (1, 26, '"overlaps with Hail"', CLAIM_END, ""),
        ),
        (
            "Tide happens before Snow. Hail falls",
            (1, 27, '"Hail falls"', "a point at the start of the sentence", ABBREVIATION),
        ),
        (
            "The start of Tide hapened before the end of Snow",
            near(1, 19, '"hapened before"', "happened before the"),
        ),
        (
            "The start of Mill Quarrel happens before the end of Tide",
            (1, 1, '"The start of Mill Quarrel"', "an event", POINT_CLAIM),
        ),
        (
            "Snow happens before the end of the Tide",
            (1, 21, '"end of the Tide"', "an event", POINT_CLAIM),
        ),
    ],
)
def test_what_is_wrong_with_a_claim(
    failure: ParseFailure, claim: str, expected: ErrorParts
) -> None:
    assert failure(Domain.TEMPORAL, PREMISE, claim) == ("claim", expected)


def test_an_error_survives_the_way_between_processes() -> None:
    with pytest.raises(ParseError) as raised:
        reader(Domain.TEMPORAL).read("1", "Hello", "Tide happens before Snow")
    error, again = raised.value, pickle.loads(pickle.dumps(raised.value))
    assert isinstance(again, ParseError)
    assert str(again) == str(error)
    assert vars(again) == vars(error)
