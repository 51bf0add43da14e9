"""Questions that cannot be read: the place, what was expected, near phrases; and those with two
readings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from grammar.errors import AmbiguousError, ParseError
from grammar.questions.model import Statement, YesUnknown
from grammar.questions.reader import ReadQuestion, read_question, read_statement

NEAR = "the phrase of a relation"
SOME = 'a name and the phrase of a relation, as in "Ada will host a visit by"'
END = 'the time and "?", as in "on 2026-01-11?" or "at time 17?"'
OPENING = 'a question, as in "Who will", "Will", "Why will" or "On 2026-01-11, who will"'
QUOTES = "a name between “ and ”, as a time or a party is in it"

WRONG = [
    ("", 1, "the end of the text", OPENING, ""),
    ("who will accuse Ada on 2033-04-01?", 1, '"who will', OPENING, ""),
    ("On 2033-04-01, what will Ada do?", 1, '"On 2033-04-01, what', OPENING, ""),
    ("Will Ben acuse Ada on 2033-04-01?", 10, '"acuse"', NEAR, 'did you mean "accuse"'),
    (
        "Who will Ösvik hosts a visit by on 2033-04-01?",
        16,
        '"hosts a visit by"',
        NEAR,
        'did you mean "host a visit by"?',
    ),
    (
        "Who will Saint-Elm hosts visit by at time 3?",
        20,
        '"hosts visit by"',
        NEAR,
        'did you mean "host a visit by"?',
    ),
    (
        "Will Ben provid economic ad to Ada on 2033-04-01?",
        10,
        '"provid economic ad to"',
        NEAR,
        'did you mean "provide economic aid to" or "provide aid to" or "provide military aid to"?',
    ),
    (
        "A party will hosts a visit by Ben at time 3. Which other party will it accuse that day?",
        14,
        '"hosts a visit by"',
        NEAR,
        'did you mean "host a visit by"',
    ),
    ("Will Ben shout at Ada on 2033-04-01?", 6, '"Ben shout at', SOME, ""),
    ("Will accuse Ben on 2033-04-01?", 6, '"accuse Ben', SOME, ""),
    ("Will “” accuse Ben on 2033-04-01?", 6, '"“”', SOME, ""),
    ("Will Ben accuse on 2033-04-01?", 17, '"on 2033-04-01?"', "a name", ""),
    ("Will Ben accuse Ada on 2033-02-30?", 24, '"2033-02-30"', "a date that there is", ""),
    ("On 2033-02-30, why will Ben accuse Ada?", 4, '"2033-02-30"', "a date that there is", ""),
    ("Will Ben accuse Ada?", 20, '"?"', END, ""),
    ("Will Ben accuse Ada on 1 April?", 21, '"on 1 April?"', END, ""),
    ("Will Ben accuse Ada on 2033-04-01", 21, '"on 2033-04-01"', END, ""),
    ("Will Ben accuse Ada on 2033-04-01.", 21, '"on 2033-04-01."', END, ""),
    ("At time 3, will Ben accuse Ada.", 31, '"."', '"?" at the end', ""),
    ("Will Fair on 2033-01-01 accuse Ben at time 3?", 11, '"on 2033-01-01', QUOTES, ""),
    ("Will Ben  Reed accuse Ada at time 3?", 9, '"  "', "one blank", ""),
    ("Will “Ben accuse Ada at time 3?", 6, '"“Ben', "an end of this quoted name, ”", ""),
    ("Will Ben\x07 accuse Ada at time 3?", 9, '"\\x07"', "a text on one line", ""),
    (
        "On 2033-04-01, someone will accuse Ben. Who else will it accuse that day?",
        55,
        '"it accuse',
        "the phrase of a relation",
        "",
    ),
    (
        "Someone will accuse Ben. Who else will they accuse that day?",
        24,
        '". Who else',
        'the time, and ". Who else will"',
        "",
    ),
    ("Will Ada use Ben at time 3?", 17, '"at time 3', '"as a human shield" after it', ""),
    ("Will " + "accuse " * 13 + "at time 3?", 90, "13 phrases", "at most 12", ""),
]


@pytest.mark.parametrize(("text", "column", "found", "expected", "hint"), WRONG)
def test_a_wrong_question_is_told_with_its_place(
    text: str, column: int, found: str, expected: str, hint: str
) -> None:
    with pytest.raises(ParseError) as raised:
        read_question(text)
    error = raised.value
    assert not isinstance(error, AmbiguousError)
    assert (error.part, error.line, error.column) == ("question", 1, column)
    assert error.found.startswith(found)
    assert expected in error.expected
    assert error.hint.startswith(hint) if hint else not error.hint
    assert str(error).isprintable()


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("Ben accused Ada on 2033-04-01?", 17, "a full stop"),
        ("On 2033-04-01, Ben accused Ada", 31, "a full stop at the end"),
        ("Ben acused Ada at time 3.", 5, NEAR),
        ("", 1, "a statement"),
        ("On 2033-02-30, Ben accused Ada.", 4, "a date that there is"),
        ("On 2033-04-01, Ada accused Ben on 2033-04-02.", 31, "a full stop at the end"),
    ],
)
def test_a_wrong_statement_is_told_with_its_place(text: str, column: int, expected: str) -> None:
    with pytest.raises(ParseError) as raised:
        read_statement(text)
    assert (raised.value.part, raised.value.column) == ("statement", column)
    assert expected in raised.value.expected


def test_blanks_around_a_text_do_not_count_but_in_its_place() -> None:
    question = "Will Ben accuse Ada at time 3?"
    assert read_question(f" \n\t{question}  \n") == read_question(question)
    with pytest.raises(ParseError) as raised:
        read_question("\n  Will Ben acuse Ada at time 3?")
    assert (raised.value.line, raised.value.column) == (2, 12)


def yes(subject: str, object_: str) -> YesUnknown:
    return YesUnknown(fact=Statement(subject=subject, relation="Accuse", object=object_, time="3"))


TWO = "Will Ben accuse Ada accuse Cleo at time 3?"


def test_two_readings_are_told_each_put_clearly() -> None:
    with pytest.raises(AmbiguousError, match="found 2 readings, expected one") as raised:
        read_question(TWO)
    first, second = raised.value.hint.removeprefix("quote the name that is meant: ").split(" or ")
    assert read_question(first).query == yes("Ben", "Ada accuse Cleo")
    assert read_question(second).query == yes("Ben accuse Ada", "Cleo")


def test_many_readings_are_truncated() -> None:
    with pytest.raises(AmbiguousError, match="found 5 readings") as raised:
        read_question("Will Ben " + "accuse Ada " * 5 + "at time 3?")
    assert raised.value.hint.endswith(" or 2 more")


def test_known_names_settle_what_is_meant() -> None:
    read = read_question(TWO, known={"Ben", "Ada accuse Cleo"}.__contains__)
    assert read == ReadQuestion(yes("Ben", "Ada accuse Cleo"), 0)
    read = read_question(TWO, known={"Ben accuse Ada", "Cleo"}.__contains__)
    assert read.query == yes("Ben accuse Ada", "Cleo")
    read = read_question(TWO, known={"Ben", "Ada accuse Cleo", "Cleo"}.__contains__)
    assert read.query == yes("Ben", "Ada accuse Cleo")
    for names in ({"Ben", "Cleo"}, {"Ben", "Ada accuse Cleo", "Ben accuse Ada", "Cleo"}):
        with pytest.raises(AmbiguousError, match="found 2 readings"):
            read_question(TWO, known=names.__contains__)


def test_unknown_names_are_read_where_there_is_no_doubt() -> None:
    text = "Will Ben accuse Ada at time 3?"
    assert read_question(text, known=lambda _: False).query == yes("Ben", "Ada")


def test_both_ends_of_a_one_hop_question_may_be_a_phrase() -> None:
    with pytest.raises(AmbiguousError) as raised:
        read_question("Who will accuse Ben accuse at time 3?")
    assert "Who will accuse “Ben accuse” at time 3?" in raised.value.hint
    assert "Who will “accuse Ben” accuse at time 3?" in raised.value.hint


def test_statements_may_have_two_readings() -> None:
    text = "Ben accused Ada accused Cleo at time 3."
    with pytest.raises(AmbiguousError, match="statement:1:1: found 2 readings"):
        read_statement(text)
    read = read_statement(text, {"Ben", "Ada accused Cleo"}.__contains__)
    assert read.statement.subject == "Ben"


def test_a_phrase_in_quotes_is_no_phrase() -> None:
    assert read_question("Will Ben accuse “Ada accuse Cleo” at time 3?").query == yes(
        "Ben", "Ada accuse Cleo"
    )


MANY = 400_000
HOSTILE = {
    "letters": "a" * MANY,
    "words": "Will " + "a " * MANY + "on 2033-04-01?",
    "phrases": "Will " + "accuse " * MANY + "on 2033-04-01?",
    "quotes": "“" * MANY,
    "escaped quotes": "“\\" * MANY,
    "names": "Will " + "“x” " * MANY,
    "joined names": "Will " + "“x”" * MANY + " accuse B at time 3?",
    "open relations": "Will have the relation “" * (MANY // 20),
    "zeros": "\x00" * MANY,
    "near phrases": "Will " + "host a visit " * 150 + "on 2033-04-01?",
    "times": "Will " + "on 2033-04-01 " * 140 + "?",
    "short words": "Will " + "a " * 950 + "on 2033-04-01?",
    "will": "Is it known that " + "will " * 390 + "on 2033-04-01?",
    "generic": "Will " + "have the relation “x” to " * 80 + "B at time 3?",
    "one long name": "Will have the relation “" + "x" * MANY + "” to B at time 3?",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_texts_are_refused_soon(text: str, within: Callable[..., Any]) -> None:
    read_question("Will Ben accuse Ada at time 3?")

    def refused() -> None:
        for read in (read_question, read_statement):
            with pytest.raises(ParseError) as raised:
                read(text)
            assert len(str(raised.value)) < 600

    within(2, refused)


def test_a_long_quoted_name_is_read() -> None:
    name = "accuse " * 100_000
    assert read_question(f"Will “{name}” accuse Ada at time 3?").query == yes(name, "Ada")
