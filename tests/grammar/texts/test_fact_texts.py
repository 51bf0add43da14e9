"""Texts of dated facts: round trips with arbitrary names."""

from __future__ import annotations

import ast
import csv
import random
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grammar.dates import DateStyle, WrittenDate
from grammar.errors import UnwritableError
from grammar.texts import phrases
from grammar.texts.model import FactText, Headline, Link, Sentence
from grammar.texts.phrases import Phrase, phrase_table
from grammar.texts.reader import TITLES, read_text
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
    sentences = []
    for number in range(facts):
        day = date.fromordinal(source.randint(1, date.max.toordinal()))
        front = source.random() < 0.5
        link = Link.NONE if front or not number else source.choice((Link.NONE, Link.MEANWHILE))
        words = source.choice(PHRASES).words
        names = drawn_name(source), drawn_name(source)
        style = source.choice(STYLES)
        sentences.append(
            sentence(names[0], words, names[1], day, style=style, front=front, link=link)
        )
    headline = None
    if source.random() < 0.25:
        style = source.choice(STYLES)
        day = sentences[0].written_date.date
        written_date = WrittenDate(date=day, style=style, weekday=_weekday(day, style))
        headline = Headline(written_date=written_date, title=source.choice(TITLES))
    return FactText(sentences=tuple(sentences), headline=headline)


def test_ten_thousand_facts_with_hard_names_are_read_back() -> None:
    source = random.Random(6)
    facts = 0
    while facts < 10_000:
        text = drawn_text(source, source.randint(1, 4))
        facts += len(text.sentences)
        written = write_text(text)
        assert written.isprintable() or "\n" not in written
        assert read_text(written) == text, written


@given(
    subject=st.text(min_size=1, max_size=12), obj=st.text(min_size=1, max_size=12),
    day=st.dates(), style=st.sampled_from(STYLES), front=st.booleans(),
)  # fmt: skip
@settings(max_examples=300, deadline=None)
def test_any_string_can_be_a_name(
    subject: str, obj: str, day: date, style: DateStyle, front: bool
) -> None:
    one = sentence(subject, "joined", obj, day, style=style, front=front)
    other = sentence(obj, "left", subject, day, style=style, front=not front)
    text = FactText(sentences=(one, other))
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


@pytest.mark.parametrize("phrase", PHRASES, ids=lambda one: one.words)
def test_every_phrase_is_read_as_its_relation(phrase: Phrase) -> None:
    for front in (False, True):
        text = FactText(
            sentences=(sentence("Ada", phrase.words, "Rovers", date(2026, 3, 1), front=front),)
        )
        assert read_text(write_text(text)) == text
    # A name may contain the words of any phrase.
    name = f"Ada {phrase.words} Ben"
    text = FactText(sentences=(sentence(name, phrase.words, name, date(2026, 3, 1)),))
    assert read_text(write_text(text)) == text


def test_no_phrase_is_a_prefix_of_another() -> None:
    """Otherwise the longer phrase could be parsed as the shorter one and a name."""
    words = sorted(TABLE.by_words)
    assert not [(a, b) for a in words for b in words if b.startswith(f"{a} ")]
    assert len(words) == 2 * (len(_rows()) - 1)


def _rows() -> list[str]:
    path = Path(phrases.__file__).with_name("phrases.tsv")
    return path.read_text(encoding="utf-8").splitlines()


def test_every_relation_of_the_schema_has_phrases(shared: Path) -> None:
    schema = shared / "data" / "yago2026" / "schema" / "relations.csv"
    with schema.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    named = {row[side] for row in rows for side in ("start_relation", "end_relation")} - {""}
    assert set(TABLE.relations) == named
    assert all(len(TABLE.of(one)) >= 2 and len(TABLE.of(one, ahead=True)) >= 2 for one in named)


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
