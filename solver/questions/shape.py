"""Whether a question has the parts that its kind asks for; whether they are right is not asked."""

from __future__ import annotations

from grammar.question import QuestionKind
from solver.questions.question import ASKED, LETTERS, PARTY, UNKNOWN, YES, Question, Triple
from solver.reading.failures import FieldError, shown

_MARKS = (ASKED, PARTY)
_QUERIES = {
    QuestionKind.ONE_HOP: f"one triple, with {ASKED} as its subject or object",
    QuestionKind.TWO_HOP: f"two triples of {PARTY}, the second one with {ASKED}",
    QuestionKind.YES_UNKNOWN: "one triple, a fact",
    QuestionKind.FACT_REASONING: "one triple, a fact",
}


def require_shape(question: Question) -> None:
    """Refuse a question whose parts do not make one of its kind.

    Raises:
        FieldError: naming the field.
    """
    marks = tuple(_marks(triple) for triple in question.query)
    if not _fits(question.kind, marks):
        found = shown(str([list(triple) for triple in question.query]))
        raise FieldError("query", found, _QUERIES[question.kind], f"of a {question.kind} question")
    match question.kind:
        case QuestionKind.YES_UNKNOWN:
            if question.answers not in ((YES,), (UNKNOWN,)):
                raise _answers(question, f"one of {YES} and {UNKNOWN}")
        case QuestionKind.FACT_REASONING:
            _require_choices(question)
        case QuestionKind.TWO_HOP:
            if question.rule is None or question.rule < 0:
                raise FieldError("rule", "nothing", "a row of the rules", "2-hop questions have it")
    if question.kind != QuestionKind.FACT_REASONING and (question.choices or question.order):
        raise FieldError("choices", "some", "none", f"of a {question.kind} question")


def _marks(triple: Triple) -> tuple[str, str]:
    """What stands for an entity at both ends of a triple; empty for an entity."""
    subject, _, end = triple
    return subject if subject in _MARKS else "", end if end in _MARKS else ""


def _fits(kind: QuestionKind, marks: tuple[tuple[str, str], ...]) -> bool:
    ends = [tuple(sorted(pair)) for pair in marks]
    match kind:
        case QuestionKind.ONE_HOP:
            return ends == [("", ASKED)]
        case QuestionKind.TWO_HOP:
            return ends == [("", PARTY), (ASKED, PARTY)]
    return ends == [("", "")]


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
