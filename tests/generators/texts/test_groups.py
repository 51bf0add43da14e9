"""Groups of facts: distances computed by hand, no fact lost, sizes of two to four."""

from __future__ import annotations

import math
from collections import Counter
from datetime import date, timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generators.texts.groups import (
    EntityClasses,
    clean_name,
    cluster,
    fact_distances,
    group_facts,
    with_clean_names,
)
from generators.texts.run import Group
from grammar.texts.model import TextFact
from solver.facts.schema import Hierarchy, Relation, Schema, Signature
from solver.texts.io import ReferenceFacts

HIERARCHY = Hierarchy(
    parents={
        "Thing": (), "Person": ("Thing",), "Artist": ("Person",), "Place": ("Thing",),
        "City": ("Place",), "Odd": (),
    }
)  # fmt: skip
SCHEMA = Schema(
    relations={
        "home": Relation(
            name="home", start="startHome", end="endHome",
            signatures=(Signature(domain=("Person",), range=("Place",)),),
        )
    },
    hierarchy=HIERARCHY,
)  # fmt: skip
CLASSES = EntityClasses(
    schema=SCHEMA, of={"Ada": ("Artist", "Place"), "Rome": ("City",), "Odd": ("Odd",)}
)


def fact(subject: str, obj: str, day: int, relation: str = "startHome") -> TextFact:
    on = date(2026, 1, 1) + timedelta(days=day)
    return TextFact(subject=subject, relation=relation, object=obj, date=on)


@pytest.mark.parametrize(
    ("text_fact", "other", "subjects", "objects"),
    [
        # Steps between the nearest classes of the two: 0, 1, 2, or none.
        (fact("Ben", "Here", 0), fact("Eve", "There", 100), 0, 0),
        (fact("Ada", "Rome", 0), fact("Eve", "There", 7), 1, 1),
        (fact("Ada", "Rome", 0), fact("Rome", "Rome", 400), 1, 0),
        (fact("Odd", "Rome", 0), fact("Eve", "Ben", 183), None, 1),
        (fact("Rome", "Eve", 0), fact("Eve", "Eve", 1), 3, 0),
    ],
)
def test_distances_by_hand(
    text_fact: TextFact, other: TextFact, subjects: int | None, objects: int | None
) -> None:
    apart = [1.0 if steps is None else 1 - 1 / (steps + 1) for steps in (subjects, objects)]
    days = abs((text_fact.date - other.date).days)
    late = 1 / (1 + math.exp(-0.03 * (days - 365 / 2)))
    expected = 0.8 * (apart[0] + apart[1]) / 2 + 0.2 * late
    found = fact_distances([text_fact, other], CLASSES)
    assert found[0, 1] == pytest.approx(expected)
    assert found[1, 0] == found[0, 1]


def test_without_a_schema_only_the_same_entity_is_near() -> None:
    found = fact_distances(
        [fact("A", "B", 0), fact("A", "C", 0), fact("D", "E", 0)], EntityClasses()
    )
    same_day = 1 / (1 + math.exp(0.03 * 365 / 2))
    assert found[0, 1:] == pytest.approx([0.4 + 0.2 * same_day, 0.8 + 0.2 * same_day])


def test_near_facts_come_together() -> None:
    points = np.array([0, 0.1, 10, 10.1, 10.2, 20, 20.1, 20.2, 20.3])
    found = cluster(np.abs(points[:, None] - points[None, :]))
    assert sorted(map(sorted, found)) == [[0, 1], [2, 3, 4], [5, 6, 7, 8]]


def test_a_single_rest_joins_the_nearest_group_that_is_not_full() -> None:
    points = np.array([0, 0.1, 10, 10.1, 10.2, 10.3, 11])
    found = cluster(np.abs(points[:, None] - points[None, :]))
    assert sorted(map(sorted, found)) == [[0, 1, 6], [2, 3, 4, 5]]
    # If all groups are full, it stays alone.
    full = points[2:]
    assert sorted(map(sorted, cluster(np.abs(full[:, None] - full[None, :])))) == [
        [0, 1, 2, 3],
        [4],
    ]


@given(st.lists(st.tuples(st.sampled_from("ABCD"), st.integers(0, 900)), max_size=40))
@settings(max_examples=80)
def test_no_fact_is_lost(drawn: list[tuple[str, int]]) -> None:
    facts = [fact(name, "Rome", day) for name, day in drawn]
    groups = [Group(where=f"f:{n}", facts=(text_fact,)) for n, text_fact in enumerate(facts)]
    found = group_facts(groups, CLASSES)
    assert Counter(text_fact for group in found for text_fact in group.facts) == Counter(facts)
    sizes = [len(group.facts) for group in found]
    assert sizes.count(1) <= 1
    assert all(size <= 4 for size in sizes)
    if 1 in sizes and len(facts) > 1:
        assert all(size in (1, 4) for size in sizes)


@pytest.mark.parametrize(
    ("name", "clean"),
    [
        ("Tomas Reed ( rower, born May 1990)", "Tomas Reed (rower, born May 1990)"),
        ("Queen' s Harriers", "Queen's Harriers"),
        ("Division I Men U0027 S Basketball", "Division I Men's Basketball"),
        ("Reed U002C Jr", "Reed, Jr"),
        ("Lakeland team generic instance", "Lakeland team"),
        ("Northmill F. C.", "Northmill F. C."),
        ("U0020", "U0020"),
        ("Ncaa Division I Men U0027 S Basketball", "NCAA Division I Men's Basketball"),
        ("Fc Nantes Ii", "FC Nantes II"),
        ("University of Chieti– Pescara", "University of Chieti–Pescara"),
        ("D' Annunzio", "D'Annunzio"),
        ("Dusan K . Bozanic", "Dusan K. Bozanic"),
        ("Leomo p u002F b BMC", "Leomo p / b BMC"),
        ("Iii", "III"),
    ],
)
def test_names_are_cleaned(name: str, clean: str) -> None:
    assert clean_name(name) == clean


def test_clean_names_stay_apart() -> None:
    days = date(2026, 1, 1)
    names = ("Reed ( rower)", "Reed (rower)", "Mill ( north)")
    facts = tuple(
        TextFact(subject=name, relation="founder", object="Ben", date=days) for name in names
    )
    (line,) = with_clean_names([ReferenceFacts(where="1", facts=facts)])
    assert [fact.subject for fact in line.facts] == [
        "Reed ( rower)",
        "Reed (rower)",
        "Mill (north)",
    ]
