"""Each phrase of the table means what it says in every world: all weak orders of the points.

The meanings are written from the words alone. In them a, b and c are the starts of A, B and C, and
x, y and z their ends.
"""

# ruff: noqa: ARG005 - a meaning need not ask for all points
from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from operator import eq, ge, gt, le, lt

import pytest

from grammar.eventhop.model import Domain
from grammar.eventhop.words import table
from solver.eventhop import check
from tests.grammar.eventhop.test_sentences import both

Meaning = Callable[..., bool]
HOLDS = {"<": lt, ">": gt, "=": eq, "<=": le, ">=": ge}
EVENTS = {
    Domain.TEMPORAL: ("A", "B", "C"),
    Domain.SPATIAL: ("Ox", "Elm", "Ash"),
    Domain.LOGICAL: ("ox", "elm", "ash"),
}
SPANS = [(start, end) for start, end in product(range(6), repeat=2) if start < end]


def worlds(number: int) -> Iterator[tuple[int, ...]]:
    """All weak orders of the starts and ends of two or three events."""
    spans = [span for span in SPANS if span[1] < 2 * number]
    for world in product(spans, repeat=number):
        yield tuple(point for span in world for point in span)


def says(premise: str, expected: Meaning, domain: Domain = Domain.TEMPORAL) -> None:
    """Assert that a premise means what is expected in every world."""
    read = both(premise, domain)
    assert read is not None, premise
    number = 3 if expected.__code__.co_argcount > 4 else 2
    numbers = {
        (name, bound): 2 * n + bound for n, name in enumerate(EVENTS[domain]) for bound in (0, 1)
    }
    rows = [(numbers[left], HOLDS[sign], numbers[right]) for left, sign, right in read.premise]
    for world in worlds(number):
        found = all(holds(world[left], world[right]) for left, holds, right in rows)
        assert found == expected(*world[: 2 * number]), (premise, world)


def claims(claim: str, expected: Meaning, domain: Domain = Domain.TEMPORAL) -> None:
    """Assert that a claim holds in the worlds that are expected."""
    read = both("", domain, claim)
    assert read is not None, claim
    names = EVENTS[domain]
    numbers = {(name, bound): 2 * n + bound for n, name in enumerate(names) for bound in (0, 1)}
    if isinstance(read.claim, check.Sentence):
        left, sign, right = read.claim
        rows = [(numbers[left], HOLDS[sign], numbers[right])]
    else:
        rows = [
            (
                numbers[read.claim[0], int(text[0] == "e")],
                HOLDS[text[1:-1]],
                numbers[read.claim[2], int(text[-1] == "e")],
            )
            for text in check.CLAIMS[read.claim[1]].split()
        ]
    for world in worlds(2):
        found = all(holds(world[left], world[right]) for left, holds, right in rows)
        assert found == expected(*world), (claim, world)


# Meanings of the verbs between two events, by the first verb of each group.
RELATIONS: Mapping[str, Meaning] = {
    "happened directly before": lambda a, x, b, y: x == b,
    "happened directly after": lambda a, x, b, y: a == y,
    "overlapped with": lambda a, x, b, y: max(a, b) < min(x, y),
    "overlapped the beginning of": lambda a, x, b, y: a < b < x < y,
    "overlapped the ending of": lambda a, x, b, y: b < a < y < x,
    "ended with but started before": lambda a, x, b, y: a < b and x == y,
    "ended with but started after": lambda a, x, b, y: a > b and x == y,
    "started with but ended before": lambda a, x, b, y: a == b and x < y,
    "started with but ended after": lambda a, x, b, y: a == b and x > y,
    "started and ended with": lambda a, x, b, y: (a, x) == (b, y),
    "happened strictly around": lambda a, x, b, y: a < b and y < x,
    "was contained in": lambda a, x, b, y: a > b and x < y,
    "outlasted": lambda a, x, b, y: x > y,
    "was outlasted by": lambda a, x, b, y: x < y,
    "spans": lambda a, x, b, y: a <= b and y <= x,
    # Places; a verb of whole places, and then the words.
    "strictly west of": lambda a, x, b, y: x < b,
    "completely west of": lambda a, x, b, y: x <= b,
    "strictly east of": lambda a, x, b, y: a > y,
    "completely east of": lambda a, x, b, y: a >= y,
    "is directly west of": lambda a, x, b, y: x == b,
    "is directly east of": lambda a, x, b, y: a == y,
    "shares at least one longitude with": lambda a, x, b, y: max(a, b) < min(x, y),
    "overlaps the western part of": lambda a, x, b, y: a < b < x < y,
    "overlaps the eastern part of": lambda a, x, b, y: b < a < y < x,
    "reaches as far east as but further west than": lambda a, x, b, y: a < b and x == y,
    "reaches as far east as but begins east of": lambda a, x, b, y: a > b and x == y,
    "begins as far west as but ends west of": lambda a, x, b, y: a == b and x < y,
    "begins as far west as but reaches further east than": lambda a, x, b, y: a == b and x > y,
    "covers the same longitudes as": lambda a, x, b, y: (a, x) == (b, y),
    "reaches further both ways than": lambda a, x, b, y: a < b and y < x,
    "is strictly within the longitudes of": lambda a, x, b, y: a > b and x < y,
    "straddles the western edge of": lambda a, x, b, y: a < b < x,
    "straddles the eastern edge of": lambda a, x, b, y: a < y < x,
    "reaches as far west as": lambda a, x, b, y: a == b,
    "reaches as far east as": lambda a, x, b, y: x == y,
    "extends further west than": lambda a, x, b, y: a < b,
    "extends further east than": lambda a, x, b, y: x > y,
}
LOGICAL: Mapping[str, Meaning] = {
    **{"precedes": lambda a, x, b, y: x < b, "preceded_by": lambda a, x, b, y: a > y},
    **{"meets": lambda a, x, b, y: x == b, "met_by": lambda a, x, b, y: a == y},
    "overlaps": lambda a, x, b, y: a < b < x < y,
    "overlapped_by": lambda a, x, b, y: b < a < y < x,
    "finished_by": lambda a, x, b, y: a < b and x == y,
    "finishes": lambda a, x, b, y: a > b and x == y,
    "starts": lambda a, x, b, y: a == b and x < y,
    "started_by": lambda a, x, b, y: a == b and x > y,
    "contains": lambda a, x, b, y: a < b and y < x,
    "during": lambda a, x, b, y: a > b and x < y,
    "equals": lambda a, x, b, y: (a, x) == (b, y),
}
POINTS: Mapping[str, Callable[[int, int], bool]] = {
    **{"before": lt, "after": gt, "earlier": lt, "later": gt, "same": eq, "soon": eq},
    **{"once": ge, "not_earlier": ge, "by": le, "not_later": le, "when": eq},
}
# Sentences of each category, a phrase for {0}, and what they mean. Categories in POINTS and
# RELATIONS and those of the nouns have tests of their own.
SENTENCES: Mapping[str, list[tuple[str, Meaning]]] = {
    "begin": [
        ("A {0} before B started", lambda a, x, b, y: a < b),
        ("A {0} after B", lambda a, x, b, y: a > y),
        ("When B ended, A {0}", lambda a, x, b, y: a == y),
    ],
    "end": [
        ("A {0} before B started", lambda a, x, b, y: x < b),
        ("A {0} after B", lambda a, x, b, y: x > y),
        ("A {0} when B started", lambda a, x, b, y: x == b),
        ("A and B {0} at the same time", lambda a, x, b, y: x == y),
    ],
    "begun": [
        ("A {0} before B started", lambda a, x, b, y: a < b),
        ("A {0} when B ended", lambda a, x, b, y: a <= y),
        ("When A {0}, B ended", lambda a, x, b, y: y >= a),
    ],
    "ended": [
        ("A {0} before B started", lambda a, x, b, y: x < b),
        ("When B started, A {0}", lambda a, x, b, y: x <= b),
        ("B started when A {0}", lambda a, x, b, y: b >= x),
    ],
    "whole": [
        ("A {0} before B", lambda a, x, b, y: x < b),
        ("A {0} after B ended", lambda a, x, b, y: a > y),
        ("A {0} during B", lambda a, x, b, y: a > b and x < y),
        ("A {0} between B and C", lambda a, x, b, y, c, z: y < a and x < c),
        ("A {0} after B but before C", lambda a, x, b, y, c, z: y < a and x < c),
        ("A {0} before B, B before C", lambda a, x, b, y, c, z: x < b and y < c),
    ],
    "going": [
        ("A {0} when B started", lambda a, x, b, y: a < b < x),
        ("A {0} at the start of B", lambda a, x, b, y: a < b < x),
        ("A started while B {0}", lambda a, x, b, y: b < a < y),
        ("When B {0}, A ended", lambda a, x, b, y: b < x < y),
        ("A {0} when B took place", lambda a, x, b, y: a < b and y < x),
        ("When B took place, A {0}", lambda a, x, b, y: a < b and y < x),
        ("By the time B started, A {0}", lambda a, x, b, y: a < b < x),
    ],
    "still": [
        ("With B {0}, A ended", lambda a, x, b, y: b < x < y),
        ("With B {0}, A took place", lambda a, x, b, y: b < a and x < y),
    ],
    "over": [
        ("With B {0}, A began", lambda a, x, b, y: a > y),
        ("With B {0}, A took place", lambda a, x, b, y: a > y),
        ("With B {0}, A was going on", lambda a, x, b, y: x > y),
    ],
    "lasted_after": [
        ("A {0} B", lambda a, x, b, y: x > y),
        ("A {0} B had begun", lambda a, x, b, y: x > b),
    ],
    "though": [
        ("A ended before B ended, {0} C began after A", lambda a, x, b, y, c, z: x < y and x < c),
        ("{0} A ended before B ended, C began after A", lambda a, x, b, y, c, z: x < y and x < c),
    ],
    "aside": [
        ("A, {0}, ended before B started", lambda a, x, b, y: x < b),
        ("{0}, A ended before B started", lambda a, x, b, y: x < b),
    ],
    "sooner": [
        ("A ended at the same time as B but began {0}", lambda a, x, b, y: x == y and a < b),
        ("A began later than B, and ended {0}", lambda a, x, b, y: a > b and x < y),
        ("A began after B began, but B ended {0}", lambda a, x, b, y: a > b and y < x),
    ],
    "only_then": [
        ("A ended, and {0} B begin", lambda a, x, b, y: x < b),
        ("A took place, {0} B begin", lambda a, x, b, y: x < b),
    ],
    "alike": [("A and B {0}", lambda a, x, b, y: (a, x) == (b, y))],
    "lasted": [
        ("A {0} B started", lambda a, x, b, y: x == b),
        ("A {0} the end of B", lambda a, x, b, y: x == y),
        ("A {0} B", lambda a, x, b, y: x == b),
    ],
    "lasted_from": [
        ("A {0} the end of B to the start of C", lambda a, x, b, y, c, z: a == y and x == c),
        ("A {0} the start of B until the end of C", lambda a, x, b, y, c, z: a == b and x == z),
    ],
    "together": [
        ("A and B started {0}", lambda a, x, b, y: a == b),
        ("A ended and B began {0}", lambda a, x, b, y: x == b),
    ],
    "during": [
        ("A took place {0} B", lambda a, x, b, y: a > b and x < y),
        ("A ended {0} B", lambda a, x, b, y: b < x < y),
        ("A began and ended {0} B", lambda a, x, b, y: a > b and x < y),
        ("{0} B, there was A", lambda a, x, b, y: a > b and x < y),
    ],
    "while": [("A ended {0} B was going on", lambda a, x, b, y: b < x < y)],
    "throughout": [("A {0} B", lambda a, x, b, y: a <= b and x >= y)],
    "all_through": [
        ("{0} B, A was in force", lambda a, x, b, y: a <= b and x >= y),
        ("A was in force {0} B", lambda a, x, b, y: a <= b and x >= y),
    ],
    "until": [
        ("{0} B began, A was in force", lambda a, x, b, y: x == b),
        ("{0} the end of B, A went on", lambda a, x, b, y: x == y),
    ],
    "between": [
        ("{0} B and C, A took place", lambda a, x, b, y, c, z: y < a and x < c),
        ("{0} B and C, A ended", lambda a, x, b, y, c, z: y < x < c),
        ("A ended {0} B and C", lambda a, x, b, y, c, z: y < x < c),
        (
            "The start of A was {0} the start of B and the end of C",
            lambda a, x, b, y, c, z: b < a < z,
        ),
    ],
    "held": [
        ("{0} A before B", lambda a, x, b, y: x < b),
        ("{0} A after B started", lambda a, x, b, y: a > b),
        ("{0} A during B", lambda a, x, b, y: a > b and x < y),
    ],
    "first": [("{0} A, then B, and then C", lambda a, x, b, y, c, z: x < b and y < c)],
    "so_did": [
        ("A ended before B, {0} C", lambda a, x, b, y, c, z: x < b and z < b),
        (
            "A began before B and ended after it, {0} C",
            lambda a, x, b, y, c, z: max(a, c) < b and y < min(x, z),
        ),
    ],
    "came_first": [("A {0}, then B", lambda a, x, b, y: x < b)],
    "next": [
        ("A, {0} B, and {0} C", lambda a, x, b, y, c, z: x < b and y < c),
        ("A ended, {0} B began", lambda a, x, b, y: x < b),
    ],
    "in_order": [
        ("A, B and C {0}", lambda a, x, b, y, c, z: x < b and y < c),
        ("The end of A, the start of B and C's end {0}", lambda a, x, b, y, c, z: x < b < z),
    ],
    "orderly": [("A, B and C ended {0}", lambda a, x, b, y, c, z: x < y < z)],
    "terms": [
        ("A meets B {0}", lambda a, x, b, y: x == b),
        ("A meets B, {0}", lambda a, x, b, y: x == b),
        ("{0}, A meets B", lambda a, x, b, y: x == b),
    ],
    "in_turn": [
        ("{0} A, B and C", lambda a, x, b, y, c, z: x < b and y < c),
        ("{0} A, B, C", lambda a, x, b, y, c, z: x < b and y < c),
    ],
    "whereas": [
        ("A ended before B ended, {0} C started after A", lambda a, x, b, y, c, z: x < y and x < c)
    ],
    "opener": [("{0} A ended before B started", lambda a, x, b, y: x < b)],
    "that_of": [
        ("The end of A was before {0} B", lambda a, x, b, y: x < y),
        ("The start of A followed {0} B", lambda a, x, b, y: a > b),
    ],
    "precede": [
        ("A {0} B", lambda a, x, b, y: x < b),
        ("The start of A {0} the end of B", lambda a, x, b, y: a < y),
    ],
    "follow": [
        ("A {0} B", lambda a, x, b, y: a > y),
        ("The start of A {0} the end of B", lambda a, x, b, y: a > y),
    ],
    "coincide": [("The start of A {0} the end of B", lambda a, x, b, y: a == y)],
    "coincided": [("The start of A and the end of B {0}", lambda a, x, b, y: a == y)],
}
PLACES: Mapping[str, list[tuple[str, Meaning]]] = {
    "begin": [("Ox {0} west of the eastern edge of Elm", lambda a, x, b, y: a < y)],
    "end": [("Ox {0} further east than Elm", lambda a, x, b, y: x > y)],
    "whole": [
        ("Ox {0} west of Elm", lambda a, x, b, y: x < b),
        ("Ox's western edge {0} east of Elm's western edge", lambda a, x, b, y: a > b),
    ],
    "before": [("Ox's eastern edge is {0} Elm's western edge", lambda a, x, b, y: x < b)],
    "after": [
        ("Ox's eastern edge is {0} Elm's western edge", lambda a, x, b, y: x > b),
        ("Ox starts {0} Elm but {0} Ash", lambda a, x, b, y, c, z: a > y and a > z),
    ],
    "earlier": [("Ox's eastern edge is {0} Elm's eastern edge", lambda a, x, b, y: x < y)],
    "later": [("Ox's western edge is {0} Elm's western edge", lambda a, x, b, y: a > b)],
    "same": [("Ox's western edge is {0} Elm's eastern edge", lambda a, x, b, y: a == y)],
    "together": [("Ox and Elm begin {0}", lambda a, x, b, y: a == b)],
    "during": [("Ox lies {0} Elm", lambda a, x, b, y: a > b and x < y)],
    "lasted_from": [
        (
            "Ox {0} the western edge of Elm to the eastern edge of Ash",
            lambda a, x, b, y, c, z: a == b and x == z,
        )
    ],
    "by": [("Ox's western edge is {0} Elm's eastern edge", lambda a, x, b, y: a <= y)],
    "once": [("Ox's western edge is {0} Elm's eastern edge", lambda a, x, b, y: a >= y)],
    "coincide": [("The western edge of Ox {0} the eastern edge of Elm", lambda a, x, b, y: a == y)],
    "coincided": [("The western edges of Ox and Elm {0}", lambda a, x, b, y: a == b)],
    "in_order": [
        ("Ox, Elm and Ash {0}", lambda a, x, b, y, c, z: x < b and y < c),
        ("Ox's west end and Elm's east end {0}", lambda a, x, b, y: a < y),
    ],
    "orderly": [("Ox and Elm end {0}", lambda a, x, b, y: x < y)],
    "in_turn": [("{0} Ox, Elm and Ash", lambda a, x, b, y, c, z: x < b and y < c)],
    "that_of": [("The western edge of Ox is west of {0} Elm", lambda a, x, b, y: a < b)],
    "whereas": [
        (
            "Ox is west of Elm, {0} Ash is east of Elm",
            lambda a, x, b, y, c, z: x < b and c > y,
        )
    ],
    "opener": [("{0}, Ox lies west of Elm", lambda a, x, b, y: x < b)],
    "though": [
        ("Ox is west of Elm, {0} Ash is east of Elm", lambda a, x, b, y, c, z: x < b and c > y)
    ],
    "aside": [("Ox, {0}, lies west of Elm", lambda a, x, b, y: x < b)],
}


def test_every_category_has_sentences() -> None:
    own = {"start", "finish", "relations", "placed", "further"}
    assert set(table()["temporal"]) - own == set(SENTENCES) | set(POINTS)
    assert set(table()["spatial"]) - own == set(PLACES)
    assert set(table()["logical"]) == {"signs", "relations"}


@pytest.mark.parametrize("category", SENTENCES)
def test_each_phrase_of_time_means_what_it_says(category: str) -> None:
    for word, (form, expected) in product(table()["temporal"][category], SENTENCES[category]):
        if word in ("went on", "was on", "is on") and form.startswith("A {0}"):
            continue  # "Went on when" would be "continued".
        if word.startswith("at ") and form.startswith("The start of A was {0}"):
            continue  # "Was at" is another phrase.
        says(form.format(word), expected)


ORDERS_AROUND: list[tuple[str, Meaning]] = [
    ("It was after B ended that A began", lambda a, x, b, y: a > y),
    ("It was only after B that A began", lambda a, x, b, y: a > y),
    ("It was before B that A took place", lambda a, x, b, y: x < b),
    ("It was when B began that A ended", lambda a, x, b, y: x == b),
    ("It was after B ended that A took place", lambda a, x, b, y: a > y),
    ("While B was on, A began and ended", lambda a, x, b, y: b < a and x < y),
    ("During B, A began and ended", lambda a, x, b, y: b < a and x < y),
    ("A ended, and B began after that", lambda a, x, b, y: x < b),
    ("A took place, and B took place later", lambda a, x, b, y: x < b),
    ("A began at the same time as B but ended later", lambda a, x, b, y: a == b and x > y),
    ("A began no earlier than B and ended later", lambda a, x, b, y: a >= b and x > y),
    ("A fell between the end of B and the start of C", lambda a, x, b, y, c, z: y < a and x < c),
    ("A began between the start of B and the end of C", lambda a, x, b, y, c, z: b < a < z),
    ("Between the end of B and the start of C, A ended", lambda a, x, b, y, c, z: y < x < c),
    ("After B and before C, A took place", lambda a, x, b, y, c, z: y < a and x < c),
    ("After B ended, but before C, A began", lambda a, x, b, y, c, z: y < a < c),
    ("After B but before C began, A took place", lambda a, x, b, y, c, z: y < a and x < c),
    ("It was during B that A began", lambda a, x, b, y: b < a < y),
    ("It was while B was on that A took place", lambda a, x, b, y: b < a and x < y),
    ("It was at the end of B that A began", lambda a, x, b, y: a == y),
    ("It was A that began before B ended", lambda a, x, b, y: a < y),
    ("It was A and B that ended before C", lambda a, x, b, y, c, z: max(x, y) < c),
    ("When B was going on, A began and ended", lambda a, x, b, y: b < a and x < y),
    ("Before B, A began and ended", lambda a, x, b, y: x < b),
    ("A began and ended between B and C", lambda a, x, b, y, c, z: y < a and x < c),
    ("A ended during B but before C", lambda a, x, b, y, c, z: b < x < min(y, c)),
    ("During B but before C began, A ended", lambda a, x, b, y, c, z: b < x < min(y, c)),
    ("The end of A was after B but before C", lambda a, x, b, y, c, z: y < x < c),
    ("The end of A was between B and C", lambda a, x, b, y, c, z: y < x < c),
    ("It was between B and C that A took place", lambda a, x, b, y, c, z: y < a and x < c),
    ("After B ended, there was A", lambda a, x, b, y: y < a),
    ("A and B started together, but B ended first", lambda a, x, b, y: a == b and y < x),
    ("A began later than B but ended first", lambda a, x, b, y: a > b and x < y),
    ("A that preceded B ended after C", lambda a, x, b, y, c, z: x < b and x > z),
    ("A ended before B that followed C began", lambda a, x, b, y, c, z: x < b and b > z),
    ("It was after A that preceded B that C began", lambda a, x, b, y, c, z: x < b and c > x),
    ("What ended before B began was A", lambda a, x, b, y: x < b),
    ("What was followed by A was B", lambda a, x, b, y: y < a),
    ("A had ended at the same time as B", lambda a, x, b, y: x == y),
    ("There was A after B and before C", lambda a, x, b, y, c, z: y < a and x < c),
    ("A ended, then B began, and then C began", lambda a, x, b, y, c, z: x < b < c),
    ("A took place, then B took place, then C ended", lambda a, x, b, y, c, z: x < b and y < z),
    ("Before B began, A and C ended", lambda a, x, b, y, c, z: x < b and z < b),
    ("Before B, A ended and C began", lambda a, x, b, y, c, z: x < b and c < b),
    ("When B began, A was over and C had begun", lambda a, x, b, y, c, z: x <= b and c <= b),
    ("It was after B that A began and C ended", lambda a, x, b, y, c, z: y < a and y < z),
    ("There was A between B and C", lambda a, x, b, y, c, z: y < a and x < c),
    ("A was under way before B began", lambda a, x, b, y: a < b),
    ("A was under way after B", lambda a, x, b, y: x > y),
    ("Before B, A was already under way", lambda a, x, b, y: a < b),
    ("After B ended, A was still under way", lambda a, x, b, y: x > y),
    ("A ended; B began afterwards", lambda a, x, b, y: x < b),
    ("A took place after B and during C", lambda a, x, b, y, c, z: a > y and c < a and x < z),
    ("The end of A fell during B", lambda a, x, b, y: b < x < y),
    ("A took place before B did", lambda a, x, b, y: x < b),
    ("A started as soon as B did", lambda a, x, b, y: a == b),
    ("A had begun before B had", lambda a, x, b, y: a < b),
    ("A was over before B was", lambda a, x, b, y: x < y),
    ("A was opened after B was", lambda a, x, b, y: a > b),
    ("A began before B, but B ended later", lambda a, x, b, y: a < b and y > x),
    ("A was followed by B, B by C", lambda a, x, b, y, c, z: x < b and y < c),
    ("A was preceded by B, and B by C", lambda a, x, b, y, c, z: y < a and z < b),
    ("What followed A was B", lambda a, x, b, y: x < b),
    ("What preceded A was B", lambda a, x, b, y: y < a),
    ("What came after A was B", lambda a, x, b, y: x < b),
    ("A was over, then came B, and then C", lambda a, x, b, y, c, z: x < b and y < c),
    ("A, held before B, ended after C", lambda a, x, b, y, c, z: x < b and x > z),
    ("A, begun before B, ended after C", lambda a, x, b, y, c, z: a < b and x > z),
    ("A, having begun before B did, ended after C", lambda a, x, b, y, c, z: a < b and x > z),
    ("Held before B, A ended after C", lambda a, x, b, y, c, z: x < b and x > z),
    ("Having ended before B, A began after C", lambda a, x, b, y, c, z: x < b and a > z),
    ("A ended before B, begun after C", lambda a, x, b, y, c, z: x < b and b > z),
    ("A came first, and B followed it", lambda a, x, b, y: x < b),
    ("A ended before B, which in turn preceded C", lambda a, x, b, y, c, z: x < b and y < c),
    ("With A and B finished, C began", lambda a, x, b, y, c, z: max(x, y) < c),
    ("Though A began before B, it met B in Allen's terms", lambda a, x, b, y: x == b),
    ("First, A took place, then B, and finally C", lambda a, x, b, y, c, z: x < b and y < c),
]


@pytest.mark.parametrize(("premise", "expected"), ORDERS_AROUND)
def test_other_orders_of_words_mean_what_they_say(premise: str, expected: Meaning) -> None:
    says(premise, expected)


@pytest.mark.parametrize(
    "premise",
    [
        "After B ended did A begin",
        "Only after B ended did A begin",
        "Once B ended did A begin",
        "It was B that A began",
        "The film was on before B",
        "A continued before B began",
        "A ended before B was",
        "A was over before B came",
        "A began before B, but C ended later",
        "A ended, then B began, and C began afterwards",
        "A that B ended before C",
        "A and B that preceded C ended after D",
        "A that ended before C",
        "A ended first",
        "A ended before B, and C ended first",
        "A began before B, but first ended",
        "A ended, then B began, and C began at the same time",
        "A ended, only then did B begin, then C ended",
        "A and B, which were held before C, ended after D",
        "A and B, held before C, ended after D",
        "A ended before B and C, held before D",
        "A began when B had",
        "A began as soon as B had",
        "A began before B, but B ended next",
        "A began before B, and B ended later",
        "A was followed by B, B before C",
        "A preceded B, B by C",
        "What followed A came B",
        "A was over, then B, and then C",
        "A, ended, began after C",
        "Held, A ended before B",
        "It was at B that A began",
        "It marked the end of B that A began",
        "With B going on, A ended",
        "A ended with B still going on",
        "Not after B began, A was under way",
        "A began at the same time as B but began later",
        "A began at the same time as B but ended next",
        "A had begun earlier than B but ended later",
        "A ended, and B began followed by",
        "After B and C, before A took place",
        "It came after B that A began",
        "A covered the same period",
        "A had not yet begun when B ended",
        "A did not begin until B ended",
        "Not until B ended did A begin",
        "During B, A began and started",
    ],
)
def test_what_is_near_to_them_is_refused(premise: str) -> None:
    assert both(premise) is None


@pytest.mark.parametrize("category", PLACES)
def test_each_phrase_of_place_means_what_it_says(category: str) -> None:
    for word, (form, expected) in product(table()["spatial"][category], PLACES[category]):
        says(form.format(word), expected, Domain.SPATIAL)


def _converse(expected: Meaning) -> Meaning:
    return lambda a, x, b, y: expected(b, y, a, x)


@pytest.mark.parametrize(
    ("domain", "kind", "form"),
    [
        (Domain.TEMPORAL, "relations", "A {} B"),
        (Domain.SPATIAL, "relations", "Ox {} Elm"),
        (Domain.SPATIAL, "placed", "Ox lies {} Elm"),
    ],
)
def test_each_verb_between_events_means_what_it_says(domain: Domain, kind: str, form: str) -> None:
    for texts in table()[domain][kind].values():
        (expected,) = (RELATIONS[text] for text in texts if text in RELATIONS)
        for text in texts:
            says(form.format(text), expected, domain)
            left, right = EVENTS[domain][:2]
            if domain is Domain.SPATIAL or not re.search(" (?:with|of|in|than)$", text):
                converse = form.format(text).replace(left, "?").replace(right, left)
                says(converse.replace("?", right), _converse(expected), domain)


def test_each_verb_compares_with_the_other_place() -> None:
    """A place reaches further than the other one of the sentence."""
    before = "Elm and Ox begin at the same longitude, but Ox {}"
    for meaning, texts in table()["spatial"]["further"].items():
        left, sign, right = meaning.split()
        assert left[1] == right[1], meaning
        n = "-+".index(left[1])
        for text in texts:
            says(
                before.format(text),
                lambda *w, n=n, sign=sign: w[0] == w[2] and HOLDS[sign](w[n], w[2 + n]),
                Domain.SPATIAL,
            )
    assert both("Elm is west of Ox, but Ash reaches further east", Domain.SPATIAL) is None


def test_each_word_between_symbols_means_what_it_says() -> None:
    rows = table()["logical"]
    for sign, texts in rows["signs"].items():
        for text, (p, q) in product((*texts, sign), product("12", repeat=2)):
            says(
                f"ox{p} {text} elm{q}",
                lambda *w, p=p, q=q, sign=sign: HOLDS[sign](w[int(p) - 1], w[1 + int(q)]),
                Domain.LOGICAL,
            )
    for texts in rows["relations"].values():
        (expected,) = (LOGICAL[text] for text in texts if text in LOGICAL)
        for text in texts:
            says(f"ox {text} elm", expected, Domain.LOGICAL)


def test_each_order_of_points_means_what_it_says() -> None:
    rows = table()["temporal"]
    verbs = [
        (rows[name][0], n // 2, n % 2) for n, name in enumerate(("begin", "begun", "end", "ended"))
    ]
    for category, holds in POINTS.items():
        for word, (first, x, done), (second, y, also) in product(rows[category], verbs, verbs):
            premise = f"A {first} {word} B {second}"
            if (category == "same" and (done or also)) or (category == "when" and done and also):
                assert both(premise) is None
                continue
            known = {(1, 0): le, (0, 1): ge}.get((done, also), eq) if category == "when" else holds
            says(premise, lambda *w, x=x, y=y, known=known: known(w[x], w[2 + y]))
            if word == rows[category][0]:
                fronted = f"{word} B {second}, A {first}"
                says(fronted, lambda *w, x=x, y=y, known=known: known(w[x], w[2 + y]))


@pytest.mark.parametrize("domain", [Domain.TEMPORAL, Domain.SPATIAL])
def test_each_noun_of_a_point_means_what_it_says(domain: Domain) -> None:
    a, b, _ = EVENTS[domain]
    order, noun_of_b = (
        ("was before", "end")
        if domain is Domain.TEMPORAL
        else (
            "is west of",
            "eastern edge",
        )
    )
    for category, n in (("start", 0), ("finish", 1)):
        for noun in table()[domain][category]:
            says(
                f"The {noun} of {a} {order} the {noun_of_b} of {b}",
                lambda *w, n=n: w[n] < w[3],
                domain,
            )
            says(f"{a}'s {noun} {order} {b}'s {noun_of_b}", lambda *w, n=n: w[n] < w[3], domain)
            says(f"{a} and {b} have the same {noun}", lambda *w, n=n: w[n] == w[2 + n], domain)
            says(f"{a} has the same {noun} as {b}", lambda *w, n=n: w[n] == w[2 + n], domain)
            if domain is Domain.TEMPORAL:
                says(f"A ended at the {noun} of B", lambda *w, n=n: w[1] == w[2 + n])
                says(f"Upon {noun} of B, A began", lambda *w, n=n: w[0] == w[2 + n])


def test_each_claim_means_what_it_says() -> None:
    """Whole events in a claim meet or are apart; published claims and Allen's relations, too."""
    rows = table()["temporal"]
    for verb in rows["whole"]:
        claims(f"A {verb} before B", lambda a, x, b, y: x <= b)
        claims(f"A {verb} after B", lambda a, x, b, y: a >= y)
    for verb in rows["precede"]:
        claims(f"A {verb} B", lambda a, x, b, y: x <= b)
    for texts in rows["relations"].values():
        (expected,) = (RELATIONS[text] for text in texts if text in RELATIONS)
        for text in texts:
            if expected is RELATIONS["spans"]:
                assert both("", Domain.TEMPORAL, f"A {text} B") is None
            else:
                claims(f"A {text} B", expected)
    for (verb, n), (word, holds) in product(
        ((rows["begin"][0], 0), (rows["end"][0], 1)), POINTS.items()
    ):
        claims(f"A {verb} {rows[word][0]} B ended", lambda *w, n=n, holds=holds: holds(w[n], w[3]))
    claims("Did A end before B?", lambda a, x, b, y: x < b)
    claims("Was A over before B began?", lambda a, x, b, y: x < b)
    claims("Is A before B?", lambda a, x, b, y: x <= b)
    claims("A happened strictly before B", lambda a, x, b, y: x < b)
    claims("Did A take place during B?", lambda a, x, b, y: a > b and x < y)
    claims('"A" happens before "B"', lambda a, x, b, y: x <= b)
    claims("Ox lies entirely west of Elm", lambda a, x, b, y: x < b, Domain.SPATIAL)
    claims("Is Ox completely west of Elm?", lambda a, x, b, y: x <= b, Domain.SPATIAL)
    claims("ox2 is at most elm1", lambda a, x, b, y: x <= b, Domain.LOGICAL)
    claims("ox is during elm", lambda a, x, b, y: a > b and x < y, Domain.LOGICAL)
