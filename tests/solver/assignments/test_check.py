"""Each condition of the checker is asked for: a forged case breaks it, and its reason is given."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from grammar.assignments.reader import reader
from solver.assignments import check
from solver.assignments.decide import Problem
from tests.solver.assignments.test_decide import ORDER

PEOPLE = """There are 3 people next to each other in a row in positions 1, 2, 3 who have the \
following characteristics.
Everyone sails a different boat: dinghy, ketch, sloop.
Everyone drinks a different drink: cocoa, mint tea, plum.
Everyone likes a different fruit: plum, quince, fig.
Using the clues provided below, answer the question at the end.
Clue 1: The person who sails the ketch is at one of the ends.
Clue 2: The person who likes plum is at one of the ends.
Clue 3: The person who likes plum is the person who sails the sloop.

Question: What position is the person who sails the dinghy at?"""
OPEN = ORDER.replace("The yawl is the leftmost.", "The yawl is to the left of the sloop.")
IMPOSSIBLE = ORDER.replace("The yawl is the leftmost.", "The yawl is the second from the right.")
NONE_FITS = ORDER.replace("(A) The ketch is the second", "(A) The ketch is the third")


def case(text: str, gold: str, under: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The case of a label, as a line of a file has it."""
    read = reader("zebra").people if text == PEOPLE else reader("logical_deduction").objects
    found = Problem(puzzle=read(text), gold=gold).decide(under or {})
    row = {"verdict": found.verdict.value, "decided": found.decided, **found.certificate}
    return json.loads(json.dumps(row))


OBJECTS = case(ORDER, "(A)")
SOME = case(PEOPLE, "2", {"words": "some"})
EITHER = case(PEOPLE, "2", {"words": "either"})
UNUSED = case(PEOPLE, "2", {"words": "unused"})
SPOTS = SOME["models"][0]["places"]


def test_the_cases_are_proved() -> None:
    for sound, gold in ((OBJECTS, "(A)"), (SOME, "2"), (EITHER, "2"), (UNUSED, "2"),
                        (case(OPEN, "(A)"), "(A)"), (case(IMPOSSIBLE, "(A)"), "(A)"),
                        (case(NONE_FITS, "(A)"), "(A)")):  # fmt: skip
        assert check.fault_of_case(sound, gold) is None, sound
    assert SOME["meanings"]
    assert not EITHER["meanings"]


def text(old: str, new: str) -> dict[str, str]:
    """The text of the objects, changed."""
    assert old in ORDER
    return {"text": ORDER.replace(old, new)}


def people(old: str, new: str) -> dict[str, str]:
    """The text of the people, changed."""
    assert old in PEOPLE
    return {"text": PEOPLE.replace(old, new)}


def model(**parts: Any) -> dict[str, Any]:
    """The model of the people, changed."""
    return {"models": [SOME["models"][0] | parts]}


PHRASES = OBJECTS["phrases"]
TWICE = [*PHRASES, {"text": "The {A} is to the left of the {B}", "means": ["B before A"]}]
LONG = [{"text": "The {A} is to the left of the {B}", "means": ["A beside of B"]}, *PHRASES[1:]]
HEAD, _, QUESTION = PEOPLE.partition("Clue 1")
PLUM = "".join(
    f"Clue {n}: The person who likes plum is at one of the ends.\n" for n in range(1, 15)
)
MANY = {
    "text": f"{HEAD}{PLUM}\nQuestion{QUESTION.partition('Question')[2]}",
    "models": [{"places": SPOTS, "meanings": [[n, 0, 6] for n in range(14)]}],
    "refutations": {"1": list(range(14))},
}
"""Fourteen descriptions of two meanings."""

FORGED: list[tuple[dict[str, Any], str, dict[str, Any], str]] = [
    (OBJECTS, "(A)", {"phrases": LONG}, "'A beside of B' is no statement about places"),
    (OBJECTS, "(A)", {"phrases": TWICE}, "2 readings of"),
    (OBJECTS, "(A)", {"phrases": PHRASES[1:]}, "0 readings of"),
    (OBJECTS, "(A)", text("four boats", "some boats"), "the list of things is not found"),
    (OBJECTS, "(A)", text("On a quay,", "On a quay."), "the list of things is not found"),
    (OBJECTS, "(A)", text("four boats", "five boats"), "things are missing"),
    (OBJECTS, "(A)", text("a sloop, and a yawl", "a sloop, and a sloop"), "things are missing"),
    (OBJECTS, "(A)", text("(D) The yawl", "D. The yawl"), "an option has another form"),
    (SOME, "2", people("There are 3 people", "There are  people"),
     "the number of people is not found"),
    (SOME, "2", people("plum, quince, fig", "plum, quince"),
     "a category has another number of things"),
    (SOME, "2", people("plum, quince, fig", "plum, quince, quince"),
     "a category has another number of things"),
    (SOME, "2", people("Clue 3: ", ""), "is no clue"),
    (SOME, "2", people("What position is", "Which place is"), "the question has not one reading"),
    (SOME, "2", model(meanings=[[1, 0, 5], [2, 0, 6]]), "a model has another meaning of a word"),
    (EITHER, "2", model(meanings=[[1, 0, 1], [2, 0, 6]]), "a word does not mean that"),
    (SOME, "2", {"meanings": [[1, 0, 1], [2, 0, 6]], **model(meanings=[])},
     "a word does not mean that"),
    (SOME, "2", model(places=[*SPOTS[:-1], SPOTS[-2]]), "a model is no assignment"),
    (SOME, "2", model(places=[*SPOTS[:3], *SPOTS[3:-3], 4, 2, 3]), "a model is no assignment"),
    (SOME, "2", model(places=[SPOTS[1], SPOTS[0], *SPOTS[2:]]), "a model breaks a clue"),
    (OBJECTS, "(E)", {}, "the label is no option"),
    (SOME, "2", {"meanings": SOME["meanings"][:1]}, "a mention has no meaning"),
    (EITHER, "2", {"meanings": SOME["meanings"]}, "meanings are fixed"),
    (UNUSED, "2", {"refutations": {"1": [0, 1, 2]}}, "a refutation uses other clues"),
    (OBJECTS, "(A)", {"refutations": {"(B)": [7]}}, "a refutation uses other clues"),
    (case(IMPOSSIBLE, "(A)"), "(A)", {"core": [0]}, "the clues have a model"),
    (OBJECTS, "(A)", {"models": []}, "no model is shown"),
    (OBJECTS, "(A)", {"refutations": {"(B)": [1]}}, "an option is not refuted"),
    (OBJECTS, "(A)", {"refutations": {}, "denials": {}},
     "(A) is neither refuted nor false in a model"),
    (OBJECTS, "(A)", {"denials": {"(A)": [1]}}, "an option does not follow"),
    (EITHER, "2", MANY, "too many meanings are left open"),
    (case(OPEN, "(A)"), "(A)",
     {"models": [{"places": [4, 1, 3, 2], "meanings": []}], "refutations": {}, "denials": {}},
     "no option is possible"),
    (case(NONE_FITS, "(A)"), "(A)", {"verdict": "unanswerable"}, "the verdict is no-right-option"),
    (OBJECTS, "(A)", {"verdict": "wrong"}, "the verdict is right"),
    (OBJECTS, "(A)", {"decided": "(B)"}, "the answer is (A)"),
]  # fmt: skip


@pytest.mark.parametrize(("sound", "gold", "forged", "reason"), FORGED)
def test_each_condition_is_asked_for(
    sound: dict[str, Any], gold: str, forged: dict[str, Any], reason: str
) -> None:
    found = check.fault_of_case(sound | forged, gold)
    assert found is not None
    assert reason in found
