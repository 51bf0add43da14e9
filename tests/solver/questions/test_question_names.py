"""Labels and graph names, both ways."""

from __future__ import annotations

import random

import pytest

from grammar.questions.model import QuestionKind
from solver.graph.model import UnknownNameError, Vocabulary
from solver.questions.linking import (
    ASKED_ID,
    PARTY_ID,
    LinkedQuery,
    Names,
    labelled_query,
    labelled_statement,
    linked_query,
    linked_statement,
)
from solver.questions.names import Labels

NAMED = Vocabulary(
    entities=6,
    relations=4,
    times=3,
    entity_names=("Ann_(Leith)", "Bo", "Gus_of_Roe", "Gus of Roe", "_Hal", "Two__Lines"),
    relation_names=("Make_a_visit", "make_Statement", "likes_it", "Likes it"),
    time_names=("2033-01-01", "2033-01-02", "2033-01-03"),
)
PLAIN = Vocabulary(entities=3, relations=2, times=40)


def test_labels_have_blanks_unless_ambiguous() -> None:
    labels = Labels.of(NAMED)
    assert labels.entities == (
        "Ann (Leith)",
        "Bo",
        "Gus_of_Roe",
        "Gus of Roe",
        "_Hal",
        "Two__Lines",
    )
    # The second one is in the phrase table in another case; the last two differ in theirs.
    assert labels.relations == ("Make a visit", "Make statement", "likes it", "Likes it")


def test_ids_are_labels_without_names() -> None:
    labels = Labels.of(PLAIN)
    assert labels.entities == ("0", "1", "2")
    assert labels.time_label(39) == "39"
    assert labels.time("39") == 39


@pytest.mark.parametrize("vocabulary", [NAMED, PLAIN])
def test_queries_round_trip_through_labels(vocabulary: Vocabulary) -> None:
    labels, chance = Labels.of(vocabulary), random.Random(2)

    def drawn(*ends: int) -> tuple[int, int, int]:
        number, other = chance.sample(ends, 2)
        return number, chance.randrange(vocabulary.relations), other

    for _ in range(200):
        entity, other = (chance.randrange(vocabulary.entities) for _ in range(2))
        for kind, triples in (
            (QuestionKind.ONE_HOP, (drawn(entity, ASKED_ID),)),
            (QuestionKind.TWO_HOP, (drawn(entity, PARTY_ID), drawn(ASKED_ID, PARTY_ID))),
            (QuestionKind.YES_UNKNOWN, (drawn(entity, other),)),
            (QuestionKind.FACT_REASONING, (drawn(entity, other),)),
        ):
            query = LinkedQuery(kind=kind, time=chance.randrange(vocabulary.times), triples=triples)
            assert linked_query(labelled_query(query, labels), labels) == query
        fact = (*drawn(entity, other), chance.randrange(vocabulary.times))
        assert linked_statement(labelled_statement(fact, labels), labels) == fact


@pytest.mark.parametrize("kind", ["entity", "relation", "time"])
def test_unknown_names_list_near_names(kind: str) -> None:
    labels, names = Labels.of(NAMED), Names.of(NAMED)
    near = {"entity": ("Ann (Leitch)", "Ann_(Leitch)"), "relation": ("Make a visi", "Make_a_visi")}
    label, own_word = near.get(kind, ("2033-01-09", "2033-01-09"))
    with pytest.raises(UnknownNameError, match=f"found no {kind}") as error:
        getattr(labels, kind)(label)
    assert error.value.hint.startswith("near: ")
    found = "found time 2033-01-09, after the last day" if kind == "time" else f"found no {kind}"
    with pytest.raises(UnknownNameError, match=found) as error:
        getattr(names, kind)(own_word)
    assert error.value.hint.startswith("near: ")
    # Where a graph has names, an id is not accepted for one.
    with pytest.raises(UnknownNameError):
        getattr(names, kind)("1")
