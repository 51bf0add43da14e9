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

VISIT, CRITICIZE = "Host a visit", "Criticize or denounce"
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
        "Who else will a party criticize or denounce, while this party hosts a visit by Ösvik "
        "on 2033-04-01?",
        "On 2033-04-01, while a third party hosts a visit by Ösvik, which other party will this "
        "third party criticize or denounce?",
    ),
    (
        Role.SUBJECT,
        Role.OBJECT,
        "Who else will criticize or denounce a party, while this party hosts a visit by Ösvik "
        "on 2033-04-01?",
        "On 2033-04-01, while a third party hosts a visit by Ösvik, which other party will "
        "criticize or denounce this third party?",
    ),
    (
        Role.OBJECT,
        Role.SUBJECT,
        "Who else will a party criticize or denounce, while Ösvik hosts a visit by this party "
        "on 2033-04-01?",
        "On 2033-04-01, while Ösvik hosts a visit by a third party, which other party will this "
        "third party criticize or denounce?",
    ),
    (
        Role.OBJECT,
        Role.OBJECT,
        "Who else will criticize or denounce a party, while Ösvik hosts a visit by this party "
        "on 2033-04-01?",
        "On 2033-04-01, while Ösvik hosts a visit by a third party, which other party will "
        "criticize or denounce this third party?",
    ),
]


@pytest.mark.parametrize(("given_as", "asked_as", "first", "second"), TWO_HOPS)
def test_two_hops_have_four_orientations(
    given_as: Role, asked_as: Role, first: str, second: str
) -> None:
    query = TwoHop(
        entity="Ösvik",
        given=Arc(relation=VISIT, shared=given_as),
        asked=Arc(relation=CRITICIZE, shared=asked_as),
        time=DAY,
    )
    assert worded(query, QuestionKind.TWO_HOP)[:2] == [first, second]


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
        "Is it known that Ösvik will host a visit by Ada on 2033-04-01?",
    ]
    assert worded(FactReasoning(fact=fact), QuestionKind.FACT_REASONING)[1:3] == [
        "On 2033-04-01, why will Ösvik host a visit by Ada?",
        "Which earlier event best explains why Ösvik will host a visit by Ada on 2033-04-01?",
    ]
    stated = [write_statement(fact, variant) for variant in range(STATEMENT_VARIANTS)]
    assert [*map(read_statement, stated)] == [(fact, variant) for variant in range(len(stated))]
    assert stated == [
        "Ösvik hosted a visit by Ada on 2033-04-01.",
        "On 2033-04-01, Ösvik hosted a visit by Ada.",
        "It was on 2033-04-01 that Ösvik hosted a visit by Ada.",
    ]


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
