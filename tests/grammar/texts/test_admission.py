"""Admitted phrases: no sentence has two readings, but some sentence of each refused one has."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from datetime import date
from itertools import product

import pytest

from grammar.dates import DateStyle, WrittenDate
from grammar.texts.model import FactText, Sentence
from grammar.texts.phrases import Phrase, PhraseRow, Refusal, admit, known_rows, phrase_table
from grammar.texts.reader import read_text
from grammar.texts.writer import write_text

Reading = tuple[str, str, str]
"""A subject, a relation with its tense, and an object."""


def row(relation: str, past: str, ahead: str) -> PhraseRow:
    return PhraseRow(relation=relation, past=past, ahead=ahead)


def phrases(rows: Sequence[PhraseRow]) -> dict[tuple[str, ...], set[str]]:
    """The words of each phrase with its meanings: the relation and the tense."""
    found: dict[tuple[str, ...], set[str]] = {}
    for row in rows:
        for words, tense in ((row.past, "past"), (row.ahead, "ahead")):
            found.setdefault(tuple(words.split()), set()).add(f"{row.relation} {tense}")
    return found


def readings(words: tuple[str, ...], known: Mapping[tuple[str, ...], set[str]]) -> set[Reading]:
    """All splits of a sentence into a subject without phrases, a phrase and an object."""
    sizes = {len(names) for names in known}
    there = [
        (start, start + size)
        for start in range(len(words))
        for size in sizes
        if words[start : start + size] in known
    ]
    first = min((end for _, end in there), default=0)
    return {
        (" ".join(words[:start]), meaning, " ".join(words[end:]))
        for start, end in there
        if 0 < start < first and end < len(words)
        for meaning in known[words[start:end]]
    }


def sentences(letters: str, longest: int) -> list[tuple[str, ...]]:
    """All sentences in which two phrases can share a word; ``n`` is in no phrase."""
    lengths = range(3, 2 * longest + 2)
    return [sentence for n in lengths for sentence in product(f"{letters}n", repeat=n)]


def drawn(source: random.Random, letters: str, longest: int) -> list[PhraseRow]:
    def words() -> str:
        return " ".join(source.choices(letters, k=source.randint(1, longest)))

    return [row(f"r{n % 3}", words(), words()) for n in range(8)]


CASES = [(seed, "abcd", 2) for seed in range(40)] + [(seed, "ab", 3) for seed in range(15)]


@pytest.mark.parametrize(("seed", "letters", "longest"), CASES)
def test_admitted_phrases_have_one_reading_and_refused_ones_two(
    seed: int, letters: str, longest: int
) -> None:
    rows = drawn(random.Random(seed), letters, longest)
    found = admit(rows, known=())
    known = phrases(found.admitted)
    every = sentences(letters, longest)
    assert all(len(readings(sentence, known)) <= 1 for sentence in every)
    for refused in found.refused:
        if refused.code is Refusal.REPEATED:
            again = phrases([refused.row])
            assert any(meanings & known.get(words, set()) for words, meanings in again.items())
        else:
            extended = phrases((*found.admitted, refused.row))
            assert any(len(readings(sentence, extended)) > 1 for sentence in every), refused.message


@pytest.mark.parametrize("seed", range(6))
def test_the_reader_finds_the_only_reading(seed: int) -> None:
    added = admit(drawn(random.Random(seed), "abcd", 2)).admitted
    table, known = phrase_table(added), phrases(added)
    one_reading = 0
    for words in sentences("abcd", 2)[:1200:3]:
        for subject, meaning, obj in readings(words, known):
            (fact,) = read_text(f"{' '.join(words)} on 2026-03-01.", table).facts
            tense = "ahead" if table.by_words[_phrase(words, subject, obj)].ahead else "past"
            assert (fact.subject, f"{fact.relation} {tense}", fact.object) == (
                subject,
                meaning,
                obj,
            )
            one_reading += 1
    assert one_reading or not added


def _phrase(words: tuple[str, ...], subject: str, obj: str) -> str:
    return " ".join(words[len(subject.split()) : len(words) - len(obj.split())])


@pytest.mark.parametrize(
    ("candidate", "code", "clash"),
    [
        (row("startMemberOf", "rallied to", "will rally to"), None, ""),
        (row("juggles", "kept in the air", "will keep in the air"), None, ""),
        (row("endMemberOf", "joined", "will quarrel with"), Refusal.CLASH, "startMemberOf"),
        (row("endMemberOf", "joined forces with", "will x"), Refusal.CLASH, '"joined"'),
        (row("endMemberOf", "was joined", "will be x"), Refusal.CLASH, '"joined"'),
        (row("endMemberOf", "x", "member of"), Refusal.CLASH, '"became a member of"'),
        (row("endMemberOf", "of late x", "y"), Refusal.CLASH, '"A became a member of late x B"'),
        (row("endMemberOf", "set up", "will set up"), Refusal.CLASH, '"will set up"'),
        (row("endMemberOf", "x with x", "y"), Refusal.CLASH, '"A x with x with x B"'),
        (row("endMemberOf", "x", "x"), Refusal.CLASH, '"x"'),
        (row("startMemberOf", "joined", "will join"), Refusal.REPEATED, '"joined" again'),
        (row("startMemberOf", "x", "will join"), Refusal.REPEATED, '"will join" again'),
        (row("endMemberOf", "Left", "will x"), Refusal.FORM, "'Left'"),
        (row("endMemberOf", "x on 2026-03-01", "y"), Refusal.FORM, "2026"),
        (row("endMemberOf", "x. y", "z"), Refusal.FORM, "x. y"),
        (row("endMemberOf", "", "z"), Refusal.FORM, "''"),
        (row("endMemberOf", "x  y", "z"), Refusal.FORM, "'x  y'"),
        (row("", "x", "y"), Refusal.FORM, "relation"),
    ],
)
def test_refusals_name_the_clash(candidate: PhraseRow, code: Refusal | None, clash: str) -> None:
    found = admit([candidate])
    assert [refused_row.code for refused_row in found.refused] == ([] if code is None else [code])
    assert all(clash in refused_row.message for refused_row in found.refused)
    assert found.admitted == ((candidate,) if code is None else ())


def test_rows_are_compared_with_rows_admitted_before() -> None:
    first, second = row("r", "rallied to", "will rally to"), row("q", "rallied to", "will q")
    assert admit([first, second]).admitted == (first,)
    assert admit([second], admitted=(first,)).admitted == ()
    assert admit([second]).admitted == (second,)


def test_the_known_phrases_are_admitted() -> None:
    assert not admit(known_rows(), known=()).refused


def test_admitted_phrases_are_written_and_read() -> None:
    added = (row("juggles", "kept in the air", "will keep in the air"),)
    table = phrase_table(added)
    phrase = Phrase(words="kept in the air", relation="juggles", ahead=False)
    day = WrittenDate(date=date(2026, 3, 1), style=DateStyle.ISO)
    sentence = Sentence(subject="Who kept in the air", phrase=phrase, object="B", written_date=day)
    written = write_text(FactText(sentences=(sentence,)), table)
    assert written == "“Who kept in the air” kept in the air B on 2026-03-01."
    assert read_text(written, table).sentences == (sentence,)
