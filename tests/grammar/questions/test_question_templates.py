"""Templates of each kind of question, in each orientation and variant; valid times."""

from __future__ import annotations

import re

import pytest

from grammar.errors import UnwritableError
from grammar.questions.model import (
    Arc,
    FactReasoning,
    OneHop,
    Query,
    QuestionKind,
    Role,
    Statement,
    TwoHop,
    YesUnknown,
)
from grammar.questions.reader import read_question, read_statement
from grammar.questions.writer import STATEMENT_VARIANTS, VARIANTS, write_question, write_statement

VISIT, ACCUSE = "Host a visit", "Accuse of war crimes"
DAY, NUMBER = "2033-04-01", "17"


def worded(query: Query, kind: QuestionKind) -> list[str]:
    """Its texts in all variants, each read back."""
    texts = [write_question(query, variant) for variant in range(VARIANTS[kind])]
    assert [read_question(text) for text in texts] == [
        (query, variant) for variant in range(len(texts))
    ]
    return texts


TWO_HOPS = [
    (
        Role.SUBJECT,
        Role.SUBJECT,
        "On 2033-04-01, someone will host a visit by Ösvik. Who else will "
        "they accuse of war crimes that day?",
        "A party will host a visit by Ösvik on 2033-04-01. Which other party will it accuse of war "
        "crimes that day?",
    ),
    (
        Role.SUBJECT,
        Role.OBJECT,
        "On 2033-04-01, someone will host a visit by Ösvik. Who else will "
        "accuse them of war crimes that day?",
        "A party will host a visit by Ösvik on 2033-04-01. Which other party will accuse it of war "
        "crimes that day?",
    ),
    (
        Role.OBJECT,
        Role.SUBJECT,
        "On 2033-04-01, Ösvik will host a visit by someone. Who else will "
        "they accuse of war crimes that day?",
        "Ösvik will host a visit by a party on 2033-04-01. Which other party will it accuse of war "
        "crimes that day?",
    ),
    (
        Role.OBJECT,
        Role.OBJECT,
        "On 2033-04-01, Ösvik will host a visit by someone. Who else will "
        "accuse them of war crimes that day?",
        "Ösvik will host a visit by a party on 2033-04-01. Which other party will accuse it of war "
        "crimes that day?",
    ),
]


@pytest.mark.parametrize(("given_as", "asked_as", "first", "second"), TWO_HOPS)
def test_two_hops_have_four_orientations(
    given_as: Role, asked_as: Role, first: str, second: str
) -> None:
    query = TwoHop(
        entity="Ösvik",
        given=Arc(relation=VISIT, shared=given_as),
        asked=Arc(relation=ACCUSE, shared=asked_as),
        time=DAY,
    )
    assert worded(query, QuestionKind.TWO_HOP)[::3] == [first, second]


def test_one_hop_asks_for_either_end() -> None:
    texts = {
        asked: worded(
            OneHop(entity="Ösvik", relation=VISIT, asked=asked, time=NUMBER),
            QuestionKind.ONE_HOP,
        )
        for asked in Role
    }
    assert texts == {
        Role.OBJECT: [
            "Who will Ösvik host a visit by at time 17?",
            "At time 17, who will Ösvik host a visit by?",
            "Which party will Ösvik host a visit by at time 17?",
            "At time 17, which party will Ösvik host a visit by?",
        ],
        Role.SUBJECT: [
            "Who will host a visit by Ösvik at time 17?",
            "At time 17, who will host a visit by Ösvik?",
            "Which party will host a visit by Ösvik at time 17?",
            "At time 17, which party will host a visit by Ösvik?",
        ],
    }


def test_facts_are_asked_about_and_stated() -> None:
    fact = Statement(subject="Ösvik", relation=VISIT, object="Ada", time=DAY)
    assert worded(YesUnknown(fact=fact), QuestionKind.YES_UNKNOWN)[::2] == [
        "Will Ösvik host a visit by Ada on 2033-04-01?",
        "Yes or unknown: will Ösvik host a visit by Ada on 2033-04-01?",
    ]
    assert worded(FactReasoning(fact=fact), QuestionKind.FACT_REASONING)[1:3] == [
        "On 2033-04-01, why will Ösvik host a visit by Ada?",
        "Which of these events best explains why Ösvik will host a visit by Ada on 2033-04-01?",
    ]
    stated = [write_statement(fact, variant) for variant in range(STATEMENT_VARIANTS)]
    assert [*map(read_statement, stated)] == [(fact, variant) for variant in range(len(stated))]
    assert stated == [
        "Ösvik hosted a visit by Ada on 2033-04-01.",
        "On 2033-04-01, Ösvik hosted a visit by Ada.",
    ]


def test_words_after_the_object() -> None:
    fact = Statement(subject="Ösvik", relation=ACCUSE, object="Ada", time=NUMBER)
    assert worded(YesUnknown(fact=fact), QuestionKind.YES_UNKNOWN)[0] == (
        "Will Ösvik accuse Ada of war crimes at time 17?"
    )
    assert write_statement(fact) == "Ösvik accused Ada of war crimes at time 17."
    texts = {
        asked: worded(
            OneHop(entity="Ada", relation=ACCUSE, asked=asked, time=NUMBER), QuestionKind.ONE_HOP
        )[0]
        for asked in Role
    }
    assert texts == {
        Role.OBJECT: "Who will Ada accuse of war crimes at time 17?",
        Role.SUBJECT: "Who will accuse Ada of war crimes at time 17?",
    }


@pytest.mark.parametrize(
    ("time", "message"),
    [
        ("2033-02-29", "the time '2033-02-29'"),
        ("20330401", ""),
        ("2033-4-1", "expected a date such as"),
        ("-3", "'-3'"),
        ("", "''"),
        ("1" * 19, "'1111"),
        ("2033-04-01T00:00", "T00:00"),
        ("2033-W13-5", "W13"),
    ],
)
def test_times_are_days_or_whole_numbers(time: str, message: str) -> None:
    query = OneHop(entity="Ada", relation=VISIT, asked=Role.OBJECT, time=time)
    if not message:
        assert worded(query, QuestionKind.ONE_HOP)
        return
    with pytest.raises(UnwritableError, match=re.escape(message)):
        write_question(query)
