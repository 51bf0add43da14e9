"""Prompts about a temporal graph: what they say, and where they break off."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammar.errors import ParseError
from grammar.tkg.prompts import Fact, IndexPrompt, Question, read_prompt

FACT = 'a fact, as in "21 : [0. 1071, 20, 1. 1493]"'
QUESTION = 'a question, as in "21 : [0. 1071, 20, ?]"'
LAST_LINE = "22 : [0. 1071, 20, ?]"


def test_the_format_of_section_5_3() -> None:
    read = read_prompt("21 : [0. 1071, 20, 1. 1493]\n25 : [1. 1493, 3, ?]")
    assert read == IndexPrompt(
        examples=(),
        context=(Fact(head=1071, relation=20, tail=1493, time=21),),
        question=Question(head=1493, relation=3, time=25),
        entities=(1071, 1493),
    )


def test_the_format_of_table_6() -> None:
    read = read_prompt(
        "Example:\n125:[638, 70, 638]\n143:[817, 18, 817]\nNew Solve:\n"
        "143:[1468, 70, 746]\n144:[447, 18, ?]\n"
    )
    assert read == IndexPrompt(
        examples=(((638, 70, 638, 125), (817, 18, 817, 143)),),  # type: ignore[arg-type]
        context=(Fact(1468, 70, 746, 143),),
        question=Question(447, 18, 144),
        entities=(),
    )


def test_several_examples_and_a_bare_question() -> None:
    read = read_prompt("Example:\r\n1:[1, 2, 3]\r\nExample:\n2:[4, 2, 5]\nNew Solve:\n9:[6, 2, ?]")
    assert read.examples == ((Fact(1, 2, 3, 1),), (Fact(4, 2, 5, 2),))
    assert read.context == ()
    assert read_prompt("9 : [0. 6, 2, ?]").entities == (6,)


IDS = st.integers(0, 10**18 - 1)
FACTS = st.lists(st.tuples(IDS, IDS, IDS, IDS), max_size=6)


@given(
    examples=st.lists(FACTS.filter(bool), max_size=2), context=FACTS, asked=st.tuples(IDS, IDS, IDS)
)
def test_nothing_is_lost(
    examples: list[list[tuple[int, ...]]],
    context: list[tuple[int, ...]],
    asked: tuple[int, int, int],
) -> None:
    order: list[int] = []

    def entity(number: int) -> str:
        if number not in order:
            order.append(number)
        return f"{order.index(number)}. {number}"

    def line(fact: tuple[int, ...]) -> str:
        return f"{fact[3]} : [{entity(fact[0])}, {fact[1]}, {entity(fact[2])}]\n"

    text = ""
    for example in examples:
        text += "Example:\n" + "".join([line(fact) for fact in example])
    text += "New Solve:\n" if examples else ""
    text += "".join([line(fact) for fact in context])
    text += f"{asked[2]} : [{entity(asked[0])}, {asked[1]}, ?]"
    read = read_prompt(text)
    assert [[tuple(fact) for fact in example] for example in read.examples] == examples
    assert [tuple(fact) for fact in read.context] == context
    assert tuple(read.question) == asked
    assert list(read.entities) == order


FAULTS = {
    "": ("1:1", "the end of the text", f'{FACT} or {QUESTION} or "Example:"'),
    "x": ("1:1", '"x"', f'{FACT} or {QUESTION} or "Example:"'),
    "-1 : [0. 1, 2, ?]": ("1:1", '"-1 : [0. 1, 2, ?]"', f'{FACT} or {QUESTION} or "Example:"'),
    "Example:\n": ("2:1", "the end of the text", FACT),
    f"Example:\nNew Solve:\n{LAST_LINE}": ("2:1", '"New Solve:"', FACT),
    f"New Solve:\n{LAST_LINE}": (
        "1:1",
        '"New Solve:"',
        f'{FACT} or {QUESTION} or "Example:"',
    ),
    f"Example:\n21 : [0. 1071, 20, 1. 1493]\n{LAST_LINE}": (
        "3:1",
        f'"{LAST_LINE}"',
        f'{FACT} or "Example:" or "New Solve:"',
    ),
    "21 : [0. 1071, 20, 1. 1493\n" + LAST_LINE: ("1:27", "the end of the line", '"]"'),
    "21 : [0. 1071, 20, 1. 1493]  \n" + LAST_LINE: (
        "1:28",
        "a blank",
        "the end of the line",
    ),
    "21 : [0. 1071, 20, 1. 1493] " + LAST_LINE: (
        "1:28",
        f'"{LAST_LINE}"',
        "the end of the line",
    ),
    "21 : [0. 1071, twenty, 1. 1493]\n" + LAST_LINE: (
        "1:14",
        '", twenty, 1. 1493]"',
        'a relation between commas, as in ", 20, "',
    ),
    "21 : [0. 1071, 20, nan]\n" + LAST_LINE: (
        "1:20",
        '"nan]"',
        'an entity, as in "0. 1071" or "?"',
    ),
    "21 : [0. 1071, 20, 1.5. 3]\n" + LAST_LINE: ("1:21", '".5. 3]"', '"]"'),
    "21 (0. 1071, 20, ?)": ("1:1", '"21 (0. 1071, 20, ?)"', 'a time and "[", as in "21 : ["'),
    "21 : [0. 1071, 20, 0. 1493]\n" + LAST_LINE: (
        "1:23",
        '"1493]"',
        "entity 1071 under index 0",
    ),
    "21 : [0. 1071, 20, 2. 1493]\n" + LAST_LINE: (
        "1:20",
        '"2. 1493]"',
        "index 1 for entity 1493",
    ),
    "21 : [0. 1071, 20, 1. 1071]\n" + LAST_LINE: (
        "1:20",
        '"1. 1071]"',
        "index 0 for entity 1071",
    ),
    "21 : [1. 1071, 20, 0. 5]\n" + LAST_LINE: (
        "1:7",
        '"1. 1071, 20, 0. 5]"',
        "index 0 for entity 1071",
    ),
    "21 : [0. 1071, 20, 1493]\n" + LAST_LINE: (
        "1:7",
        '"0. 1071, 20, 1493]"',
        'an index before each entity, as in "0. 1071", throughout the prompt',
    ),
    "21 : [1071, 20, 1493]\n" + LAST_LINE: (
        "2:7",
        '"0. 1071, 20, ?]"',
        'no indexes, as in "1071", throughout the prompt',
    ),
    f"{LAST_LINE}\n{LAST_LINE}": (
        "2:1",
        f'"{LAST_LINE}"',
        "the end of the prompt",
    ),
    f"{LAST_LINE}\n\n": ("2:1", "an empty line", "the end of the prompt"),
    "9" * 19 + " : [0. 1, 2, ?]": (
        "1:1",
        '"' + "9" * 19 + ' : [0. 1, 2, ?]"',
        'a time and "[", as in "21 : ["',
    ),
    "21 : [0. 1071, 20, 1. 1493]": ("1:28", "the end of the text", None),
    "1 : [0. 1, 2, ?": ("1:16", "the end of the text", '"]"'),
    "\ud800": ("1:1", '"\\ud800"', None),
    "\u0663 : [0. 1, 2, ?]": ("1:1", None, None),
}


@pytest.mark.parametrize("text", FAULTS, ids=range(len(FAULTS)))
def test_faults_are_told_with_their_place(text: str) -> None:
    place, found, expected = FAULTS[text]
    with pytest.raises(ParseError) as raised:
        read_prompt(text)
    assert raised.value.where == f"prompt:{place}"
    assert "\n" not in str(raised.value)
    assert found in (None, raised.value.found)
    assert expected in (None, raised.value.expected)


PIECES = ["9", "1 : [", "1 : [0. 1, 2, 0. 1]", "\n", "Example:\n", "[", "\r", "\0", "1. "]


@pytest.mark.parametrize(
    "piece", [*PIECES, "1 : [0. 1, 2, 0. 1]\n", "Example:\n1 : [0. 1, 2, 0. 1]\n"]
)
def test_long_texts_are_refused_in_short_time(piece: str, within: Callable[..., Any]) -> None:
    def read() -> None:
        with pytest.raises(ParseError):
            read_prompt(piece * (300_000 // len(piece)))

    within(2, read)
