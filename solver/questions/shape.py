"""Structural checks: a question has the fields that its kind requires."""

from __future__ import annotations

from grammar.question import QuestionKind
from solver.questions.question import LETTERS, UNKNOWN, YES, Question
from solver.questions.triples import require_kind
from solver.reading.failures import FieldError, shown

_ROWS = 2**31
"""Upper bound of clingo's integers."""


def require_shape(question: Question) -> None:
    """Reject a question whose fields do not fit its kind.

    Raises:
        FieldError: naming the offending field.
    """
    if not question.id:
        raise FieldError("id", "''", "a name", "ids identify questions")
    require_kind(question.kind, question.query)
    _require_rule(question)
    match question.kind:
        case QuestionKind.YES_UNKNOWN:
            if question.answers not in ((YES,), (UNKNOWN,)):
                raise _answers(question, f"one of {YES} and {UNKNOWN}")
        case QuestionKind.FACT_REASONING:
            _require_choices(question)
    if question.kind != QuestionKind.FACT_REASONING and (question.choices or question.order):
        raise FieldError("choices", "some", "none", f"of a {question.kind} question")


def _require_rule(question: Question) -> None:
    found = "nothing" if question.rule is None else str(question.rule)
    if question.kind is not QuestionKind.TWO_HOP:
        if question.rule is not None:
            raise FieldError("rule", found, "nothing", f"of a {question.kind} question")
    elif question.rule is None or not 0 <= question.rule < _ROWS:
        raise FieldError("rule", found, "a row of the rules", "required of 2-hop questions, from 0")


def _require_choices(question: Question) -> None:
    if len(question.choices) != len(LETTERS):
        found = str(len(question.choices))
        raise FieldError("choices", found, str(len(LETTERS)), "of a fact-reasoning question")
    if "".join(sorted(question.order)) != LETTERS:
        expected = f"each of {', '.join(LETTERS)} once"
        raise FieldError("order", shown(question.order), expected, "most supporting first")
    if len(question.answers) != 1 or question.answers[0] not in tuple(LETTERS):
        raise _answers(question, f"one of {', '.join(LETTERS)}")


def _answers(question: Question, expected: str) -> FieldError:
    found = shown(", ".join(question.answers))
    return FieldError("answers", found, expected, f"of a {question.kind} question")
