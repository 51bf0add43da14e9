"""Each change to questions about entities and whole facts, and to any question, is caught."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from grammar.questions.model import QuestionKind
from solver.graph.model import Split
from solver.questions.model import ASKED, UNKNOWN, YES, Question

Asked = Any
HOP, HOPS, WHETHER = QuestionKind.ONE_HOP, QuestionKind.TWO_HOP, QuestionKind.YES_UNKNOWN


def answered(question: Question, *answers: str) -> Question:
    return replace(question, answers=answers)


def shown_by(question: Question, **parts: Any) -> Question:
    return replace(question, certificate=replace(question.certificate, **parts))


def first(questions: Sequence[Question], wanted: Callable[[Question], bool]) -> Question:
    return next(question for question in questions if wanted(question))


def wrong_answer(asked: Asked) -> str:
    question = asked.of(HOP)[0]
    other = next(e for e in asked.entities if e not in question.answers)
    asked.put(question, answered(question, *sorted((*question.answers, other))))
    return question.id


def wrong_answer_of_two_hops(asked: Asked) -> str:
    question = asked.of(HOPS)[0]
    other = next(e for e in asked.entities if e not in question.answers)
    asked.put(question, answered(question, other, *question.answers[1:]))
    return question.id


def missing_answer(asked: Asked) -> str:
    question = asked.of(HOP)[0]
    asked.put(
        question,
        shown_by(answered(question, *question.answers[1:]), facts=question.certificate.facts[1:]),
    )
    return question.id


def missing_answer_of_two_hops(asked: Asked) -> str:
    question = first(asked.of(HOPS), lambda q: len(q.answers) > 1)
    asked.put(
        question,
        shown_by(answered(question, *question.answers[1:]), facts=question.certificate.facts[2:]),
    )
    return question.id


def no_answer(asked: Asked) -> str:
    """Nothing follows, and nothing is answered."""
    question = asked.of(HOP)[0]
    (triple,) = question.query
    active = {s for s, r, _, t in asked.facts if (r, t) == (triple[1], question.time)}
    query = ((next(e for e in asked.entities if e not in active), triple[1], ASKED),)
    asked.put(
        question, asked.reworded(shown_by(replace(answered(question), query=query), facts=()))
    )
    return question.id


def repeated_answer(asked: Asked) -> str:
    question = asked.of(HOPS)[0]
    answers, facts = question.answers, question.certificate.facts
    both = shown_by(answered(question, answers[0], *answers), facts=(*facts[:2], *facts))
    asked.put(question, both)
    return question.id


def answers_not_sorted(asked: Asked) -> str:
    question = first(asked.of(HOPS), lambda q: len(q.answers) > 1)
    facts = question.certificate.facts
    pairs = [facts[at : at + 2] for at in range(0, len(facts), 2)][::-1]
    turned = shown_by(
        answered(question, *question.answers[::-1]), facts=tuple(f for p in pairs for f in p)
    )
    asked.put(question, turned)
    return question.id


def certificate_of_another_kind(asked: Asked) -> str:
    question = first(asked.of(WHETHER), lambda q: q.answers == (UNKNOWN,))
    asked.put(question, shown_by(question, facts=(asked.facts[0],)))
    return question.id


def yes_for_an_absent_fact(asked: Asked) -> str:
    question = first(asked.of(WHETHER), lambda q: q.answers == (UNKNOWN,))
    asked.put(question, answered(question, YES))
    return question.id


def unknown_for_a_present_fact(asked: Asked) -> str:
    question = first(asked.of(WHETHER), lambda q: q.answers == (YES,))
    asked.put(question, answered(question, UNKNOWN))
    return question.id


def known_at_another_time(asked: Asked) -> str:
    question = first(asked.of(WHETHER), lambda q: q.answers == (YES,))
    times = {fact[3] for fact in asked.facts if fact[:3] == question.query[0]}
    days = {q.time for q in asked.of(HOP)} - times
    moved = replace(question, time=min(days))
    asked.put(question, asked.reworded(moved))
    return question.id


def outside_its_split(asked: Asked) -> str:
    question = asked.of(WHETHER)[0]
    asked.put(question, replace(question, split=Split.VALID))
    return question.id


def repeated_question(asked: Asked) -> str:
    question = asked.of(HOPS)[0]
    asked.put(question, question, replace(asked.reworded(question), id="again"))
    return "again"


def repeated_id(asked: Asked) -> str:
    question, other = asked.of(HOP)[:2]
    asked.put(other, replace(other, id=question.id))
    return question.id


def text_differs(asked: Asked) -> str:
    question, other = asked.of(HOP)[:2]
    asked.put(question, replace(question, text=other.text))
    return question.id


def unparsed(asked: Asked) -> str:
    question = asked.of(HOP)[0]
    asked.put(question, replace(question, text=f"Well, {question.text}?"))
    return question.id


def unknown_name(asked: Asked) -> str:
    question = asked.of(HOP)[0]
    asked.put(question, answered(question, *sorted((*question.answers, "Stranger"))))
    return question.id


def unknown_name_in_a_text(asked: Asked) -> str:
    question = asked.of(WHETHER)[0]
    name = asked.labels.entity_label(asked.names.entity(question.query[0][0]))
    asked.put(
        question,
        replace(
            asked.reworded(question),
            text=asked.reworded(question).text.replace(name, "Stranger", 1),
        ),
    )
    return question.id


def certificate_of_other_facts(asked: Asked) -> str:
    question, other = asked.of(HOP)[:2]
    asked.put(
        question, shown_by(question, facts=other.certificate.facts[:1] * len(question.answers))
    )
    return question.id


def rule_refused(asked: Asked) -> str:
    question = asked.of(HOPS)[0]
    asked.put(question, replace(question, rule=9_999))
    return question.id


def ambiguous(asked: Asked) -> str:
    """An unquoted name contains the words of a relation."""
    question = asked.of(WHETHER)[0]
    asked.put(question, replace(question, text=AMBIGUOUS))
    return question.id


AMBIGUOUS = "Will Ada consult Berta consult Carla on 2014-12-01?"


CHANGES: dict[Callable[[Asked], str], set[str]] = {
    wrong_answer: {"wrong-answer", "certificate-fails"},
    wrong_answer_of_two_hops: {"wrong-answer", "missing-answer", "certificate-fails"},
    missing_answer: {"missing-answer"},
    missing_answer_of_two_hops: {"missing-answer"},
    no_answer: {"no-answer"},
    repeated_answer: {"repeated-answer"},
    answers_not_sorted: {"answers-not-sorted"},
    certificate_of_another_kind: {"certificate-fails"},
    yes_for_an_absent_fact: {"yes-for-an-absent-fact", "certificate-fails"},
    unknown_for_a_present_fact: {"unknown-for-a-present-fact", "certificate-fails"},
    known_at_another_time: {"known-at-another-time", "certificate-fails"},
    outside_its_split: {"outside-its-split"},
    repeated_question: {"repeated-question"},
    repeated_id: {"repeated-id"},
    text_differs: {"text-differs"},
    unparsed: {"unparsed"},
    ambiguous: {"ambiguous"},
    unknown_name: {"unknown-name"},
    unknown_name_in_a_text: {"unknown-name"},
    certificate_of_other_facts: {"certificate-fails"},
    rule_refused: {"rule-refused"},
}


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_each_change_is_caught(asked: Asked, change: Callable[[Asked], str]) -> None:
    name = change(asked)
    assert asked.verified() == (CHANGES[change], {name})
