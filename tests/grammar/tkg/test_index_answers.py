"""What language models answer to index prompts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammar.tkg.prompts import read_answer

ENTITIES = (638, 817, 34, 447)
"""By index; 2 is an index as well as no entity, 34 an entity but no index."""

READ = {
    "0.": (638,),
    "0": (638,),
    " 3 ": (447,),
    "0. 638": (638,),
    "0.638": (638,),
    "638": (638,),
    "0. 638]": (638,),
    "**1. 817**": (817,),
    "\\boxed{2}": (34,),
    "[3. 447, 18, 1. 817]": (817,),
    "144 : [3. 447, 18, 1. 817]": (817,),
    "144:[447, 18, 817]": (817,),
    "The answer is 2. 34": (34,),
    "The answer is index 2.": (34,),
    "Relation 18 comes after 70.\nAnswer: 34": (34,),
    "First 70, then 18.\n\n1. 817": (817,),
    "At 144 entity 447 did 18 with 1. 817.": (817,),
    "1. 817\n3. 447": (817, 447),
    "1, 0, 2, 1": (817, 638, 34),
    "Answer: 1. 817, 0. 638": (817, 638),
}
UNREAD = [
    "",
    "I do not know",
    "answer: none",
    "0. 817",
    "99",
    "-2",
    "1.5",
    "1. 817 or 2. 34?",
    "4.",
    "Answer: 99",
    "\ud800\0",
]


@pytest.mark.parametrize("text", READ)
def test_answers_are_read(text: str) -> None:
    assert read_answer(text, ENTITIES) == READ[text]


@pytest.mark.parametrize("text", UNREAD)
def test_nothing_is_guessed(text: str) -> None:
    assert read_answer(text, ENTITIES) == ()


@pytest.mark.parametrize(
    ("text", "read"),
    [("817", (817,)), ("1. 817\n2. 34", (817, 34)), ("144:[447, 18, 817]", (817,)), ("1.5", ())],
)
def test_answers_to_prompts_without_indexes(text: str, read: tuple[int, ...]) -> None:
    assert read_answer(text, ()) == read


@given(st.text(max_size=60), st.lists(st.integers(0, 50), unique=True, max_size=5))
def test_only_entities_of_the_prompt_are_read(text: str, entities: list[int]) -> None:
    found = read_answer(text, entities)
    assert len(set(found)) == len(found)
    assert not entities or set(found) <= set(entities)


@pytest.mark.parametrize("piece", ["1 ", "1. ", "[1, 2, 3", "answer: ", "9", "[", "**", " ", "1."])
def test_long_answers_take_short_time(piece: str, within: Callable[..., Any]) -> None:
    within(1, lambda: read_answer(piece * (1_000_000 // len(piece)), ENTITIES))
