"""Questions and statements: what is written is read back, whatever the names."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lark.exceptions import UnexpectedInput

from grammar.errors import FaultError, UnwritableError
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
    phrase_table,
)
from grammar.questions.parser import (
    QUESTION,
    STATEMENT,
    HiddenText,
    Tokens,
    parsed_tokens,
    tokens_about_a_fact,
    write_name,
)
from grammar.questions.reader import read_question, read_statement
from grammar.questions.writer import STATEMENT_VARIANTS, VARIANTS, write_question, write_statement

TABLE = phrase_table()
VISIT, ACCUSE = "Host a visit", "Accuse"
DAY, NUMBER = "2033-04-01", "17"
KINDS = {
    OneHop: QuestionKind.ONE_HOP,
    TwoHop: QuestionKind.TWO_HOP,
    YesUnknown: QuestionKind.YES_UNKNOWN,
    FactReasoning: QuestionKind.FACT_REASONING,
}
BARE = (
    "Ada Brook",
    "Citizen (Belmora)",
    "Court, Council and Watch of Belmora",
    "The Almanac",
    "Port on the River",
    "Mayor of Saint-Elm",
    "Ben's Mill",
    'The "Old" Mill',
    "Who",
    "Will",
    "Who Will?",
    "F. C.",
    "98",
    "Party of a Party",
    "Ösvik",
    "東京 クラブ",
    "accuser",
    "the host",
    "visit by",
    "Which party will",
    "Bank. Which other party will",
    "{name}",
    "why",
    "a partyline",
    "\\",
)
HARD = (
    "Ada will accuse Ben",
    "accuse",
    "accused",
    "accuse, Ltd",
    "have the relation",
    "Fair on 2033-04-01",
    "On 2033-04-01, Ada",
    "Hall at time 3",
    "a party",
    "someone",
    "part of it",
    "Court of that day",
    "“Mill”",
    "”",
    " lead",
    "trail ",
    "two  blanks",
    "a\nb",
    "tab\there",
    "\u2028",
    "\xa0",
    "\ud800",
    "\x00",
    "\x01",
    "x" * 201,
)


def queries(names: tuple[str, str], relations: tuple[str, str], time: str = DAY) -> Iterator[Query]:
    """A query of every shape."""
    fact = Statement(subject=names[0], relation=relations[0], object=names[1], time=time)
    yield YesUnknown(fact=fact)
    yield FactReasoning(fact=fact)
    for asked in Role:
        yield OneHop(entity=names[0], relation=relations[0], asked=asked, time=time)
    for given_as, asked_as in product(Role, Role):
        yield TwoHop(
            entity=names[0],
            given=Arc(relation=relations[0], shared=given_as),
            asked=Arc(relation=relations[1], shared=asked_as),
            time=time,
        )


def worded(query: Query) -> Iterator[str]:
    """Its texts in all variants, each read back."""
    for variant in range(VARIANTS[KINDS[type(query)]]):
        text = write_question(query, variant)
        assert read_question(text) == (query, variant), text
        yield text


def stated(fact: Statement) -> Iterator[str]:
    for variant in range(STATEMENT_VARIANTS):
        text = write_statement(fact, variant)
        assert read_statement(text) == (fact, variant), text
        yield text


def test_every_kind_has_variants() -> None:
    assert set(VARIANTS) == set(QuestionKind)
    assert min(VARIANTS.values()) >= 3
    for query in queries(("Ada", "Ben"), (VISIT, ACCUSE)):
        texts = set(worded(query))
        assert len(texts) == VARIANTS[KINDS[type(query)]]
        with pytest.raises(IndexError):
            write_question(query, len(texts))


@pytest.mark.parametrize("relation", TABLE.rows)
def test_every_phrase_is_read_back(relation: str) -> None:
    fact = Statement(subject="Ada", relation=relation, object="Ben", time=NUMBER)
    phrase = TABLE.rows[relation]
    assert phrase.past in next(stated(fact))
    for query in queries(("Ada", "Ben"), (relation, ACCUSE)):
        assert phrase.base in next(worded(query))
    list(worded(list(queries(("Ada", "Ben"), (ACCUSE, relation)))[-1]))


MISREAD = (
    ("Guild threaten to", "Halt negotiations", "Ben"),
    ("Ada", "Reject", "economic cooperation with Ben"),
    ("Ada", "Threaten", "to halt negotiations with Ben"),
    ("Ada", "Accuse", "Court of war crimes"),
    ("Ada", "Investigate", "Council for war crimes"),
)


@pytest.mark.parametrize(("subject", "relation", "target"), MISREAD)
def test_names_that_form_another_phrase_are_quoted(
    subject: str, relation: str, target: str
) -> None:
    for names in ((subject, target), (target, subject)):
        for query in queries(names, (relation, VISIT)):
            assert list(worded(query))
        for query in queries(names, (VISIT, relation)):
            assert list(worded(query))
    fact = Statement(subject=subject, relation=relation, object=target, time=DAY)
    assert all("“" in text for text in worded(YesUnknown(fact=fact)))
    assert list(stated(fact))


@pytest.mark.parametrize("relation", ["spouse of", "”", "a “b” \\ \n", "Host_a_visit", " "])
def test_relations_without_a_row_are_read_back(relation: str) -> None:
    for query in queries(("Ada", "Ben"), (relation, VISIT)):
        assert all(f"relation {'“'}" in text for text in worded(query))
    for query in queries(("accuse", "Ben"), (relation, relation)):
        assert list(worded(query))


@pytest.mark.parametrize("name", BARE)
def test_ordinary_names_stay_bare(name: str) -> None:
    opens = name.casefold().startswith(("who", "will", "which", "why"))
    for query in queries((name, "Ben"), (VISIT, ACCUSE)):
        # A sentence that begins with the name would ask something else.
        first = isinstance(query, TwoHop) and query.given.shared is Role.OBJECT
        quoted = opens and first
        assert all(name in text and ("“" in text) == quoted for text in worded(query))
    for query in queries(("Ben", name), (VISIT, ACCUSE), NUMBER):
        assert all("“" not in text for text in worded(query))


@pytest.mark.parametrize("name", HARD, ids=ascii)
def test_names_that_could_be_misread_are_quoted(name: str) -> None:
    for pair in ((name, "Ben"), ("Ben", name), (name, name)):
        for query in queries(pair, (VISIT, ACCUSE)):
            named = name in pair[:1] or isinstance(query, YesUnknown | FactReasoning)
            for text in worded(query):
                assert text.isprintable()
                assert ("“" in text) == named
        fact = Statement(subject=pair[0], relation=VISIT, object=pair[1], time=NUMBER)
        assert all("“" in text for text in stated(fact))


def test_no_two_queries_have_the_same_text() -> None:
    """What the reader gives is then the only thing that a written text can mean."""
    names = ("Ada", "Ada accuse", "accuse Ada", "Ada accuse Ada", "accuse", "will", "a party")
    seen: dict[str, tuple[Query, int]] = {}
    for pair in product(names, names):
        for query in queries(pair, (ACCUSE, ACCUSE)):
            for variant in range(VARIANTS[KINDS[type(query)]]):
                text = write_question(query, variant)
                assert seen.setdefault(text, (query, variant)) == (query, variant)


WORDS = (
    *("of", "on", "the", "On", "will", "Will", "who", "Who else", "a party", "this", "third"),
    *(", while", ", who else will", "that", "It was on 2033-04-01 that", "at time 3", "why"),
    *("accuse", "accuses", "accused", "host a", "visit by", "hosts a visit by", "against"),
    *("have the relation", "“", "”", "?", ".", ",", "'", "\\", "\n", "  ", "é", "(x)", "Ada"),
    *("2033-04-01", "17", "\x00", "\x01", "\ud83d"),
)
NAMES = st.one_of(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map("".join),
    st.text(st.characters(), min_size=1, max_size=6),
)
RELATIONS = st.one_of(st.sampled_from(sorted(TABLE.rows)), NAMES)
TIMES = st.one_of(st.dates().map(str), st.integers(0, 10**18 - 1).map(str))


@settings(max_examples=250)
@given(
    st.tuples(NAMES, NAMES), st.tuples(RELATIONS, RELATIONS), TIMES, st.integers(0), st.integers(0)
)
def test_whatever_is_written_is_read_back(
    names: tuple[str, str], relations: tuple[str, str], time: str, shape: int, variant: int
) -> None:
    some = list(queries(names, relations, time))
    query = some[shape % len(some)]
    variant %= VARIANTS[KINDS[type(query)]]
    text = write_question(query, variant)
    assert text.isprintable()
    assert read_question(text) == (query, variant)
    fact = Statement(subject=names[0], relation=relations[0], object=names[1], time=time)
    variant %= STATEMENT_VARIANTS
    assert read_statement(write_statement(fact, variant)) == (fact, variant)


def test_texts_about_a_fact_have_the_tokens_of_the_parser() -> None:
    """Also texts with words changed, and read as texts of the other kind."""
    chance = random.Random(19)
    relations = sorted(TABLE.rows)
    read = 0
    for number in range(250):
        names = chance.choice(BARE), chance.choice(HARD if number % 4 == 0 else BARE)
        fact = Statement(
            subject=names[0],
            relation=chance.choice((*relations, "spouse of")),
            object=names[1],
            time=chance.choice((DAY, NUMBER)),
        )
        query = chance.choice((YesUnknown(fact=fact), FactReasoning(fact=fact)))
        text = write_question(query, number % VARIANTS[KINDS[type(query)]])
        if number % 2:
            text = write_statement(fact, chance.randrange(STATEMENT_VARIANTS))
        for changed in (text, _changed(text, chance), _changed(text, chance)):
            for part in (QUESTION, STATEMENT):
                try:
                    hidden = HiddenText.of(changed).hidden
                except FaultError:
                    continue
                fast, parsed = tokens_about_a_fact(hidden, part), _parsed(hidden, part)
                shorter = parsed is not None and parsed.kind.endswith("_hop")
                assert fast == (None if shorter else parsed), changed
                read += fast is not None
    assert read > 300


def _changed(text: str, chance: random.Random) -> str:
    for _ in range(chance.randint(1, 2)):
        begin = chance.randrange(len(text) + 1)
        end = begin if chance.random() < 0.5 else begin + chance.randint(1, 8)
        text = f"{text[:begin]}{chance.choice(('', *WORDS))}{text[end:]}"
    return text


def _parsed(hidden: str, part: str) -> Tokens | None:
    try:
        return parsed_tokens(hidden, part)
    except UnexpectedInput:
        return None


def test_empty_names_are_refused() -> None:
    for query in queries(("", "Ben"), (VISIT, ACCUSE)):
        with pytest.raises(UnwritableError, match="an empty name"):
            write_question(query)
    with pytest.raises(UnwritableError, match="a relation with an empty name"):
        write_statement(Statement(subject="Ada", relation="", object="Ben", time=DAY))


def test_the_names_of_icews14_are_read_back_and_bare(shared: Path) -> None:
    path = shared / "data" / "icews14" / "entity2id.json"
    names = [name.replace("_", " ") for name in json.loads(path.read_text(encoding="utf-8"))]
    assert len(names) > 7_000
    assert sum(write_name(name) != name for name in names) <= 5
    chance = random.Random(14)
    relations = sorted(TABLE.rows)
    for number, name in enumerate(names):
        first, second = chance.sample(relations, 2)
        some = list(queries((name, chance.choice(names)), (first, second)))
        query, variant = some[number % len(some)], number % 3
        assert read_question(write_question(query, variant)) == (query, variant)
    for name in names[::5]:
        fact = Statement(
            subject=name, relation=chance.choice(relations), object=chance.choice(names), time=DAY
        )
        assert list(stated(fact))
