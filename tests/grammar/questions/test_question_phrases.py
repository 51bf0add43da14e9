"""The table of phrases: complete, and such that no text can be misread because of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grammar.errors import UnwritableError
from grammar.questions.model import Form, OneHop, Role, phrase_table
from grammar.questions.reader import read_question

TABLE = phrase_table()
ALL = sorted({words for form in Form for words in TABLE.by_words[form]} | set(TABLE.wholes))
AROUND = {"on", "at", "will", "who", "why", "which", "someone", "they", "them", "it", "else"}
"""Words of the question templates that occur right next to a phrase or a name."""


def test_every_relation_has_words_of_its_own() -> None:
    for form in Form:
        words = [(phrase.form(form), phrase.after) for phrase in TABLE.rows.values()]
        assert len(set(words)) == len(words)
        for relation, phrase in TABLE.rows.items():
            assert TABLE.by_words[form][phrase.form(form)][phrase.after] == relation
    assert {TABLE.wholes[phrase.whole] for phrase in TABLE.rows.values()} == set(TABLE.rows)


def test_phrases_are_plain_words() -> None:
    assert all(name == " ".join(name.split()) and name.isprintable() for name in ALL)
    assert not [name for name in ALL if set(name) & set("“”?.")]


def test_forms_differ_by_their_verbs() -> None:
    for phrase in TABLE.rows.values():
        assert phrase.past != phrase.base
        assert len(phrase.base.split()) == len(phrase.past.split())


def test_no_phrase_begins_or_ends_as_the_words_beside_it() -> None:
    assert not [name for name in ALL if {name.split()[0], name.split()[-1]} & AROUND]


@pytest.mark.parametrize(
    ("relation", "whole"),
    [
        ("Reject", "reject"),
        ("Accuse of war crimes", "accuse of war crimes"),
        ("Threaten to halt negotiations", "threaten to halt negotiations with"),
        ("Express intent to meet or negotiate", "express intent to meet or negotiate with"),
        ("Appeal for economic aid", "appeal to for economic aid"),
    ],
)
def test_phrases_are_worded_as_the_ontology(relation: str, whole: str) -> None:
    assert TABLE.rows[relation].whole == whole


def test_the_longest_phrase_is_read() -> None:
    longer = {name for name in ALL for other in ALL if name.startswith(f"{other} ")}
    assert "threaten to halt negotiations with" in longer
    for words in longer & set(TABLE.wholes):
        relation = TABLE.wholes[words]
        query = OneHop(entity="Ada", relation=relation, asked=Role.OBJECT, time="3")
        assert read_question(f"Who will Ada {words} at time 3?").query == query


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
