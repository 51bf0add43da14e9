"""Faulty symbols: position, found and expected text."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from grammar.eventhop.model import Domain

ErrorParts = tuple[int, int, str, str, str]
ParseFailure = Callable[..., tuple[str, ErrorParts]]

LONG, CUT = "x" * 201, "x" * 40
SYMBOL = 'a point such as "mill1" or "mill2"'
ORDER = '"<", ">" or "="'
RELATIONS = '"<", ">", "=" or a word such as "meets"'
EVENT = 'an event such as "mill"'
SENTENCE_END = "the end of the sentence"
CLAIM_END = "the end of the claim"
TEXT_END = "the end of the text"
BOTH = "two events or two points of the premise"
BOTH_HINT = "events: mill < tide, mill meets tide; points: mill1 < tide2"


@pytest.mark.parametrize(
    ("premise", "expected"),
    [
        ("mill1 ! tide2", (1, 7, '"! tide2"', ORDER, "")),
        ("mill1 << tide2", (1, 8, '"< tide2"', SYMBOL, "")),
        ("mill < tide2", (1, 1, '"mill < tide2"', SYMBOL, "")),
        ("mill3 < tide2", (1, 1, '"mill3 < tide2"', SYMBOL, "")),
        ("mill1 < tide2. tide1 <", (1, 23, TEXT_END, SYMBOL, "")),
        ("mill1 < . tide2", (1, 9, '". tide2"', SYMBOL, "")),
        ("mill1 < . 22. tide1 < snow1", (1, 9, '". 22. tide1 < snow1"', SYMBOL, "")),
        ("mill1 < tide2 < snow", (1, 15, '"< snow"', SENTENCE_END, "")),
        ("mill1 < tide2 tide1 < snow1", (1, 15, '"tide1 < snow1"', SENTENCE_END, "")),
        ("mill1 < tide2.\ntide1 & snow1", (2, 7, '"& snow1"', ORDER, "")),
        (f"{LONG}1 < tide2", (1, 1, f'"{CUT}…"', SYMBOL, "a name has at most 200 characters")),
    ],
)
def test_what_is_wrong_with_a_premise(
    failure: ParseFailure, premise: str, expected: ErrorParts
) -> None:
    assert failure(Domain.LOGICAL, premise, "mill < tide") == ("premise", expected)


@pytest.mark.parametrize(
    ("premise", "claim", "expected"),
    [
        ("", "", (1, 1, TEXT_END, EVENT, "")),
        ("", "< tide", (1, 1, '"< tide"', EVENT, "")),
        ("", "mill tide", (1, 6, '"tide"', RELATIONS, "")),
        ("", "mill < ", (1, 7, TEXT_END, EVENT, "")),
        ("", "mill < tide < sun", (1, 13, '"< sun"', CLAIM_END, "")),
        ("mill1 < tide2", "mill1 < tide", (1, 1, '"mill1" and "tide"', BOTH, BOTH_HINT)),
        ("mill1 < tide2", "mill1 meets tide2", (1, 1, '"mill1" and "tide2"', BOTH, BOTH_HINT)),
        (
            "mill11 < tide12. mill1 < tide1",
            "mill1 < tide1",
            (1, 1, '"mill1" and "tide1"', BOTH, BOTH_HINT),
        ),
    ],
)
def test_what_is_wrong_with_a_claim(
    failure: ParseFailure, premise: str, claim: str, expected: ErrorParts
) -> None:
    assert failure(Domain.LOGICAL, premise, claim) == ("claim", expected)
