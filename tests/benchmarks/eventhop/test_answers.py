"""Which label is read from an answer."""

from __future__ import annotations

import pytest

from benchmarks.eventhop.predictions import Reading, read_answer, reader_of
from grammar.eventhop.model import Label
from solver.eventhop.records import LABELS

READABLE = [
    ("True", "true"),
    (" FALSE. ", "false"),
    ("**Undefined**", "undefined"),
    ("Impossible", "undefined"),
    ("contradictory", "undefined"),
    ("`true`", "true"),
    ('"False"', "false"),
    ("T", "true"),
    ("(u)", "undefined"),
    ("answer: 3: false", "false"),
    ("Answer: True", "true"),
    ("Label - Undefined", "undefined"),
    ("Label – Undefined", "undefined"),
    ("The answer is: **False**.", "false"),
    ("The answer is true", "true"),
    ("Final answer:\nTrue", "true"),
    ("Verdict → impossible", "undefined"),
    ('{"id": 3, "answer": "False"}', "false"),
    (r"Hence \boxed{True}", "true"),
    (r"$\boxed{\text{Undefined}}$", "undefined"),
    ("3: false", "false"),
    ("The claim is false.", "false"),
    ("I think that it's true!", "true"),
    # Reasoning first, the answer last.
    ("If it were true, A would end first. It does not. Answer: false", "false"),
    ("First guess: answer: true. But B starts earlier. Final answer: undefined.", "undefined"),
    ("Suppose the claim is true. Then C ends before D.\nSo the claim is false.", "false"),
    ("Is it true? No cycle.\n\nTherefore the statement is false", "false"),
    # Repeated choices are not an answer.
    ("I must answer True, False or Undefined. The claim is true.", "true"),
    ("Labels: true/false/undefined. Label: Undefined", "undefined"),
    # A negated label is not an answer, another one next to it is.
    ("It is not true, it is false.", "false"),
    ("This isn't undefined. The answer is true.", "true"),
    ("False, not undefined", "false"),
    ("The claim can’t be true; the premise makes it false", "false"),
]
NOTHING = [
    "",
    "   ",
    "3",
    "Yes",
    "maybe",
    "unknown",
    "The claim is not true.",
    "It isn't false",
    "It is not the case that the claim is true",
    "We cannot conclude that it is true.",
    "True or false?",
    "True, False or Undefined",
    "Either true, or else it is false",
    "The claim is true because the opposite is false",
    "The claim is true. Or rather, it is not true.",
    "untrue",
    "truely falsehood",
]


THOUGHT = [
    ("<think>It may be true. Answer: true</think>\nAnswer: false", "false"),
    ("It may be true.</think>The claim is false.", "false"),
    ("<thinking>True?</thinking> <think>Or false.</think> Undefined", "undefined"),
    ("False. <think>Answer: true", "false"),
]


@pytest.mark.parametrize(("text", "label"), THOUGHT)
def test_thoughts_are_skipped(text: str, label: str) -> None:
    assert read_answer(text) == label


def test_an_unfinished_thought_is_no_answer() -> None:
    assert reader_of().read("<think>Answer: true") == Reading(label=None)


@pytest.mark.parametrize(
    ("text", "ambiguous"),
    [
        ("False because it is true that A ends first", True),
        ("The claim is true. Hence it is true and false at once", True),
        ("I do not know", False),
        ("True, false or undefined?", False),
        ("It is not true", False),
        ("It is true that B ends. Answer: false", False),
    ],
)
def test_several_labels_are_ambiguous(text: str, ambiguous: bool) -> None:
    assert reader_of().read(text).ambiguous is ambiguous


def test_words_of_other_prompts_are_read_where_they_are_offered() -> None:
    words = {"entailment": Label.TRUE, "neutral": Label.FALSE, "yes": Label.TRUE, "no": Label.FALSE}
    for text, label in (("Answer: Entailment.", "true"), ("neutral", "false"), ("Yes.", "true")):
        assert read_answer(text, words) == label
        assert read_answer(text) is None
    assert read_answer("Entailment, neutral or no? I say: no", words) == "false"
    assert reader_of(words).read("Yes and no").ambiguous


@pytest.mark.parametrize(("text", "label"), READABLE)
def test_a_stated_label(text: str, label: str) -> None:
    assert read_answer(text) == label


@pytest.mark.parametrize("text", NOTHING)
def test_no_label(text: str) -> None:
    assert read_answer(text) is None


@pytest.mark.parametrize(("word", "label"), LABELS.items())
@pytest.mark.parametrize(
    "wrapped", ["{}", "{}.", "*{}*", "Answer: {}", "Long talk.\nThe label is {}.", "[{}]"]
)
def test_every_name_of_a_label_in_any_case(word: str, label: Label, wrapped: str) -> None:
    for written in (word, word.upper(), word.title()):
        assert read_answer(wrapped.format(written)) is label


def test_only_the_end_of_an_endless_answer_is_read() -> None:
    assert read_answer("true. " * 50_000 + "Answer: false") is Label.FALSE
