"""The table of phrases: complete, and such that no text can be misread because of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grammar.errors import UnwritableError
from grammar.questions.model import Form, phrase_table

TABLE = phrase_table()
ALL = sorted({words for form in Form for words in TABLE.by_words[form]})
AROUND = {"on", "at", "will", "while", "who", "why", "which", "that", "a", "this", "party", "else"}
"""Words of the question templates that occur right next to a phrase or a name."""


def within(phrases: list[str]) -> list[str]:
    """Whole-word substrings of another phrase."""
    spans = {
        " ".join(words[start:end])
        for words in map(str.split, phrases)
        for start in range(len(words))
        for end in range(start + 1, len(words) + 1)
        if end - start < len(words)
    }
    return [one for one in phrases if one in spans]


def running_into(phrases: list[str]) -> list[str]:
    """The words with which one phrase ends and one begins."""
    split = [one.split() for one in phrases]
    begins = {" ".join(words[:size]) for words in split for size in range(1, len(words))}
    ends = {" ".join(words[-size:]) for words in split for size in range(1, len(words))}
    return sorted(begins & ends)


@pytest.mark.parametrize("form", Form)
def test_every_relation_has_words_of_its_own(form: Form) -> None:
    words = [phrase.form(form) for phrase in TABLE.rows.values()]
    assert len(set(words)) == len(words) == len(TABLE.by_words[form])
    assert all(TABLE.rows[relation].form(form) == one for one, relation in _phrases(form))


def _phrases(form: Form) -> list[tuple[str, str]]:
    return list(TABLE.by_words[form].items())


def test_phrases_are_plain_words() -> None:
    assert all(one == " ".join(one.split()) and one.isprintable() for one in ALL)
    assert not [one for one in ALL if set(one) & set("“”?.")]


def test_forms_differ_by_their_verbs() -> None:
    for phrase in TABLE.rows.values():
        assert phrase.base != phrase.present
        assert phrase.past not in (phrase.base, phrase.present)
        assert len(phrase.base.split()) == len(phrase.present.split()) == len(phrase.past.split())


def test_no_phrase_stands_within_another_or_runs_into_it() -> None:
    assert not within(ALL)
    assert not running_into(ALL)


def test_no_phrase_begins_or_ends_as_the_words_beside_it() -> None:
    assert not [one for one in ALL if {one.split()[0], one.split()[-1]} & AROUND]


def test_the_check_sees_phrases_that_stand_within_others_or_run_into_them() -> None:
    assert within([*ALL, "rely upon criticize or denounce"]) == ["criticize or denounce"]
    assert running_into([*ALL, "against all odds defeat"]) == ["against"]


def test_relations_without_a_row_are_quoted() -> None:
    phrase = TABLE.of("spouse of ”x”")
    assert phrase.base == "have the relation “spouse of \\”x\\”” to"
    assert phrase.past == "had the relation “spouse of \\”x\\”” to"
    assert TABLE.suits("spouse of")
    with pytest.raises(UnwritableError, match="a relation with an empty name"):
        TABLE.of("")


def test_few_relations_make_no_question() -> None:
    unsuited = {relation for relation in TABLE.rows if not TABLE.suits(relation)}
    assert "Decline comment" in unsuited
    assert "Host a visit" not in unsuited
    assert 0 < len(unsuited) < len(TABLE.rows) / 20


def test_the_table_has_the_relations_of_icews14(shared: Path) -> None:
    path = shared / "data" / "icews14" / "relation2id.json"
    relations = json.loads(path.read_text(encoding="utf-8"))
    assert {name.replace("_", " ") for name in relations} == set(TABLE.rows)
