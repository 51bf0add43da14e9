"""Texts of dated facts: round trips with arbitrary names."""

from __future__ import annotations

import ast
import csv
import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grammar.dates import DateStyle, WrittenDate
from grammar.errors import UnwritableError
from grammar.texts.model import FactText, Headline, Link, Naming, Sentence
from grammar.texts.phrases import known_rows, phrase_table
from grammar.texts.reader import ABOUT, TITLES, read_text
from grammar.texts.writer import write_text

TABLE = phrase_table()
PHRASES = tuple(TABLE.by_words.values())
STYLES = tuple(DateStyle)
BARE = (
    "Ada Brook",
    "Northmill F. C.",
    "University of Lakeside, Eastport",
    "Queen' s Harriers",
    "Tomas Reed ( rower, born May 1990)",
    "May",
    "On Time",
    "98",
    "Ørsted Ålesund",
    "Øyvind Å",
    "Dr. Elm",
    "J. R. Stone",
    "Later",
    "Rail 4.5",
    "Board on Rivers",
    'The "Old" Mill',
    "Foo;bar: baz",
    "Committee of the Whole [North]",
    "A joined-up Band",
    "Meanwhile",
    "{x}",
    "東京 クラブ",
    "Bolt.example",
)
HARD = (
    "Ada joined Ben",
    "Club on 2026-01-31",
    "X on May 1st, 2026. Y",
    "Later, Ada",
    "“Mill”",
    "”",
    "\\",
    "On 2026-01-01, Ada",
    "2026-01-01 – News in brief. Ada",
    " lead",
    "trail ",
    "two  blanks",
    "a\nb",
    "tab\there",
    "\u2028",
    "\ud800",
    "\x00",
    "end.",
    "F. C.",
    ".",
    "J",
    "Mr.",
    "nbsp\xa0here",
    "\\u0041",
    "Meanwhile, X",
    "On the same day, Z",
    "will join",
    "joined",
    "was founded by the sea",
    "“",
    "\\”",
    "A. B. left C. D. on 2026-02-03.",
    "Sun, 2026-03-01",
    "January 1st, 2026",
    "The former",
    "the latter",
    "Ada in the news",
    " ",
    "who said “no”?",
)
PIECES = (
    *BARE,
    *HARD,
    "of",
    "the",
    "and",
    "on",
    "On",
    ",",
    ".",
    "(",
    ")",
    "[",
    "]",
    '"',
    "'",
    "“",
    "”",
    "–",
    "é",
    "ß",
    "ł",
    "٣",
    "7",
    "1905",
    "January",
    "Sun,",
    "joined",
    "left",
    "will",
    "a",
    "B.",
    "St.",
    "\\",
)


def sentence(
    subject: str, words: str, obj: str, day: date, *, style: DateStyle = DateStyle.ISO,
    front: bool = False, link: Link = Link.NONE,
) -> Sentence:  # fmt: skip
    written_date = WrittenDate(date=day, style=style, weekday=_weekday(day, style))
    phrase = TABLE.by_words[words]
    return Sentence(
        subject=subject,
        phrase=phrase,
        object=obj,
        written_date=written_date,
        front=front,
        link=link,
    )


def _weekday(day: date, style: DateStyle) -> int | None:
    return None if style in (DateStyle.ISO, DateStyle.WORDS) else day.weekday()


def drawn_name(source: random.Random) -> str:
    if source.random() < 0.3:
        return source.choice((*BARE, *HARD))
    glue = source.choice((" ", " ", "", "  ", ". ", ", "))
    return glue.join(source.choices(PIECES, k=source.randint(1, 5))) or "x"


def drawn_text(source: random.Random, facts: int) -> FactText:
    sentences: list[Sentence] = []
    for number in range(facts):
        day = date.fromordinal(source.randint(1, date.max.toordinal()))
        front = source.random() < 0.5
        link = Link.NONE if front or not number else source.choice((Link.NONE, Link.MEANWHILE))
        words = source.choice(PHRASES).words
        names = [drawn_name(source), drawn_name(source)]
        naming = [Naming.NAME, Naming.NAME]
        for end in (0, 1):
            if number and source.random() < 0.3:
                naming[end] = source.choice((Naming.FORMER, Naming.LATTER))
                before = sentences[-1]
                former = naming[end] is Naming.FORMER
                names[end] = before.subject if former else before.object
        style = source.choice(STYLES)
        made_sentence = sentence(
            names[0], words, names[1], day, style=style, front=front, link=link
        )
        sentences.append(replace(made_sentence, subject_by=naming[0], object_by=naming[1]))
    headline = None
    if source.random() < 0.25:
        style = source.choice(STYLES)
        day = sentences[0].written_date.date
        written_date = WrittenDate(date=day, style=style, weekday=_weekday(day, style))
        title = source.choice((*TITLES, *ABOUT))
        name = drawn_name(source) if title in ABOUT else ""
        headline = Headline(written_date=written_date, title=title, name=name)
    return FactText(sentences=tuple(sentences), headline=headline)


@pytest.mark.parametrize("number", [3_000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_facts_with_hard_names_are_read_back(number: int) -> None:
    source = random.Random(6)
    facts = 0
    while facts < number:
        text = drawn_text(source, source.randint(1, 4))
        facts += len(text.sentences)
        written = write_text(text)
        assert written.isprintable() or "\n" not in written
        assert read_text(written) == text, written


@given(
    subject=st.text(min_size=1, max_size=12), obj=st.text(min_size=1, max_size=12),
    day=st.dates(), style=st.sampled_from(STYLES), front=st.booleans(),
)  # fmt: skip
@settings(max_examples=300)
def test_any_string_can_be_a_name(
    subject: str, obj: str, day: date, style: DateStyle, front: bool
) -> None:
    made_sentence = sentence(subject, "joined", obj, day, style=style, front=front)
    other = sentence(obj, "left", subject, day, style=style, front=not front)
    text = FactText(sentences=(made_sentence, other))
    assert read_text(write_text(text)) == text


@pytest.mark.parametrize("name", BARE)
def test_unambiguous_names_are_bare(name: str) -> None:
    text = FactText(sentences=(sentence(name, "joined", name, date(2026, 3, 1)),))
    assert write_text(text) == f"{name} joined {name} on 2026-03-01."


@pytest.mark.parametrize(
    "name", ["Ada joined Ben", "Later, Ada", "2026-01-01 – News in brief. Ada"]
)
def test_names_that_would_be_misread_are_quoted(name: str) -> None:
    text = FactText(sentences=(sentence(name, "joined", "Rovers", date(2026, 3, 1)),))
    assert write_text(text) == f"“{name}” joined Rovers on 2026-03-01."


@pytest.mark.parametrize("relation", TABLE.relations)
def test_every_phrase_is_read_as_its_relation(relation: str) -> None:
    for phrase in (*TABLE.of(relation), *TABLE.of(relation, ahead=True)):
        for front in (False, True):
            made_sentence = sentence("Ada", phrase.words, "Rovers", date(2026, 3, 1), front=front)
            text = FactText(sentences=(made_sentence,))
            assert read_text(write_text(text)) == text
        # A name may contain the words of any phrase.
        name = f"Ada {phrase.words} Ben"
        text = FactText(sentences=(sentence(name, phrase.words, name, date(2026, 3, 1)),))
        assert read_text(write_text(text)) == text


def test_no_phrase_shares_words_with_another_in_a_sentence() -> None:
    """No phrase occurs in another, or begins with words that one ends with."""
    phrases = [
        tuple(row.split())
        for known_row in known_rows()
        for row in (known_row.past, known_row.ahead)
    ]
    assert len(set(phrases)) == len(phrases) == len(TABLE.by_words)
    beginnings = {phrase[:size] for phrase in phrases for size in range(1, len(phrase))}
    for phrase in phrases:
        parts = {
            phrase[first:last]
            for first in range(len(phrase))
            for last in range(first + 1, len(phrase) + 1)
        }
        assert (parts - {phrase}).isdisjoint(phrases), phrase
        assert beginnings.isdisjoint(phrase[first:] for first in range(1, len(phrase))), phrase


def test_every_relation_has_twelve_phrases() -> None:
    for relation in TABLE.relations:
        assert len(TABLE.of(relation)) >= 12
        assert len(TABLE.of(relation, ahead=True)) >= 12


def test_every_relation_of_the_schema_has_phrases(shared: Path) -> None:
    schema = shared / "data" / "yago2026" / "schema" / "relations.csv"
    with schema.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    named = {row[side] for row in rows for side in ("start_relation", "end_relation")} - {""}
    assert set(TABLE.relations) == named


def test_the_released_facts_round_trip(shared: Path) -> None:
    facts = list(_released(shared / "data" / "yago2026" / "yago2026" / "single.references.txt"))
    assert len(facts) == 4_209
    source = random.Random(0)
    expressed = 0
    for subject, relation, obj, day in facts:
        words = source.choice(TABLE.of(relation)).words
        style, front = source.choice(STYLES), source.random() < 0.5
        text = FactText(sentences=(sentence(subject, words, obj, day, style=style, front=front),))
        if not (subject and obj):
            with pytest.raises(UnwritableError):
                write_text(text)
            continue
        assert read_text(write_text(text)) == text
        expressed += 1
    assert expressed == 4_209 - 10


def _released(path: Path) -> Iterator[tuple[str, str, str, date]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        for subject, relation, obj, day in ast.literal_eval(line):
            yield subject, relation, obj, date.fromisoformat(day)


def test_an_unknown_relation_has_no_phrase() -> None:
    with pytest.raises(UnwritableError, match="'juggles'"):
        TABLE.of("juggles")
