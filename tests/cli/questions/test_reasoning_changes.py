"""Each change to questions of fact reasoning is caught."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from grammar.questions.model import QuestionKind
from solver.questions.model import Fact, Question

Asked = Any
WHY = QuestionKind.FACT_REASONING


def shown_by(question: Question, **parts: Any) -> Question:
    return replace(question, certificate=replace(question.certificate, **parts))


def first(questions: Sequence[Question], wanted: Callable[[Question], bool]) -> Question:
    return next(question for question in questions if wanted(question))


def with_choice(question: Question, place: int, fact: Fact) -> Question:
    choices = list(question.choices)
    choices[place] = replace(choices[place], fact=fact)
    return replace(question, choices=tuple(choices))


def late_choice(asked: Asked) -> str:
    question = asked.of(WHY)[0]
    (_, queried, _), *_ = question.query
    day = sorted(fact for fact in asked.facts if fact[3] == question.time)
    late = next(fact for fact in day if fact[1] != queried)
    asked.put(question, asked.reworded(with_choice(question, 0, late)))
    return question.id


def absent_choice(asked: Asked) -> str:
    question = asked.of(WHY)[0]
    s, r, o, t = question.choices[0].fact
    asked.put(question, asked.reworded(with_choice(question, 0, (o, r, s, t))))
    assert (o, r, s, t) not in asked.facts
    return question.id


def equal_choices(asked: Asked) -> str:
    question = asked.of(WHY)[0]
    most, second, *_ = ("ABCD".index(letter) for letter in question.order)
    asked.put(question, asked.reworded(with_choice(question, second, question.choices[most].fact)))
    return question.id


def choices_out_of_order(asked: Asked) -> str:
    question = asked.of(WHY)[0]
    asked.put(question, replace(question, order=question.order[0] + question.order[:0:-1]))
    return question.id


def no_contribution(asked: Asked) -> str:
    """The second one is replaced by another question's fact."""
    question = asked.of(WHY)[0]
    place = "ABCD".index(question.order[1])
    used = {choice.fact for choice in question.choices}
    ends = {question.query[0][0], question.query[0][2]}
    other = next(
        fact
        for fact in asked.facts
        if fact[3] < question.time and fact not in used and {fact[0], fact[2]} != ends
    )
    asked.put(question, asked.reworded(with_choice(question, place, other)))
    return question.id


def answer_repeats(asked: Asked) -> str:
    """The answer becomes an earlier fact of the queried triple."""

    def earlier(given_question: Question) -> list[Fact]:
        used = {choice.fact for choice in given_question.choices}
        same = [
            fact
            for fact in asked.facts
            if fact[:3] == given_question.query[0] and fact[3] < given_question.time
        ]
        return [fact for fact in same if fact not in used]

    question = first(asked.of(WHY), lambda q: bool(earlier(q)))
    place = "ABCD".index(question.answers[0])
    asked.put(question, asked.reworded(with_choice(question, place, earlier(question)[0])))
    return question.id


def not_ranked_first(asked: Asked) -> str:
    """The queried object is replaced by another one."""
    question = asked.of(WHY)[0]
    subject, relation, end = question.query[0]
    other = next(e for e in asked.entities if e not in (subject, end))
    asked.put(question, asked.reworded(replace(question, query=((subject, relation, other),))))
    return question.id


def text_of_a_choice_differs(asked: Asked) -> str:
    question = asked.of(WHY)[0]
    choices = (replace(question.choices[0], text=question.choices[1].text), *question.choices[1:])
    asked.put(question, replace(question, choices=choices))
    return question.id


def certificate_of_other_values(asked: Asked) -> str:
    question = asked.of(WHY)[0]
    values = question.certificate.contributions
    asked.put(question, shown_by(question, contributions=(values[0] + 1, *values[1:])))
    return question.id


CHANGES: dict[Callable[[Asked], str], set[str]] = {
    late_choice: {"late-choice", "no-contribution", "certificate-fails"},
    absent_choice: {"absent-choice", "no-contribution", "certificate-fails"},
    equal_choices: {"equal-choices", "twin-choices", "narrow-margin", "certificate-fails"},
    choices_out_of_order: {"choices-out-of-order"},
    no_contribution: {"no-contribution", "certificate-fails"},
    answer_repeats: {"choice-repeats-the-question", "certificate-fails"},
    not_ranked_first: {"not-ranked-first", "certificate-fails"},
    text_of_a_choice_differs: {"text-differs"},
    certificate_of_other_values: {"certificate-fails"},
}
# Consequences of a change are not separated: choices that contribute nothing have no order.
FOLLOWS = {
    *("choices-out-of-order", "no-contribution", "narrow-margin", "wrong-answer"),
    *("not-ranked-first", "twin-choices"),
}


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_each_change_is_caught(asked: Asked, change: Callable[[Asked], str]) -> None:
    name = change(asked)
    codes, named = asked.verified()
    assert CHANGES[change] <= codes <= CHANGES[change] | FOLLOWS
    assert named == {name}
