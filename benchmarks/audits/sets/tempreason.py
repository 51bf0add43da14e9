"""TempReason, level 1: the month some years and months before or after another.

Both forms of its files are read: that of TimeBench, whose answer is a list of texts, and that of
the published set, whose answer is an object with such a list.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from benchmarks.audits.model import AuditTask, ItemRead, Reading, Row, UnreadError
from grammar.calendar.steps import Step
from grammar.dates import MONTHS
from solver.calendar.decide import decide
from solver.calendar.model import Problem, Value
from solver.verification.outcomes import Outcome

_MONTH = "|".join(MONTHS) + "|" + "|".join([*(name[:3] for name in MONTHS), "Sept"])
_DATE = rf"(?P<month>{_MONTH})\.?,? *(?P<year>[0-9]{{1,4}})"
_QUESTION = re.compile(
    r"What is the (?:time|date|month)"
    r"(?: (?P<years>[0-9]+) years?)?(?:(?: and|,)? *(?P<months>[0-9]+) months?)?"
    rf" (?P<side>before|after) {_DATE} *\?? *",
    re.IGNORECASE,
)
_ANSWER = re.compile(rf" *{_DATE} *", re.IGNORECASE)


def _number(name: str) -> int:
    return [month[:3].lower() for month in MONTHS].index(name[:3].lower()) + 1


def _gold(row: Row) -> str:
    """The first of the accepted answers, all of which are the same month.

    Raises:
        UnreadError: there is no answer, or there are several.
    """
    answer = row.fields.get("answer", row.fields.get("text_answers"))
    texts = answer.get("text") if isinstance(answer, dict) else answer
    if isinstance(texts, str):
        return texts
    if not isinstance(texts, list) or len(texts) != 1 or not isinstance(texts[0], str):
        raise UnreadError(f"found the answer {answer!r}, expected one text", where=row.where)
    return texts[0]


def _read(row: Row) -> ItemRead:
    question, gold = row.text("question"), _gold(row)
    found = _QUESTION.fullmatch(question)
    if found is None or not (found["years"] or found["months"]):
        raise UnreadError(f"found the question {question!r}", where=row.where)
    amount = 12 * int(found["years"] or 0) + int(found["months"] or 0)
    stated = _ANSWER.fullmatch(gold)
    start = Step(name="the given month", op="month", arguments=_month(found))
    end = Step(
        name=f"the month {amount} months {found['side'].lower()} it",
        op="shift",
        arguments=(0, "month", amount if found["side"].lower() == "after" else -amount),
    )
    steps = [start, end]
    if stated is not None:
        steps.append(Step(name="the label", op="month", arguments=_month(stated)))
    asked = Value(step=1, written="Mon, YYYY", label=2 if stated else -1)
    problem = Problem(question=asked, gold=gold, steps=tuple(steps))
    template = re.sub("[0-9]+", "N", question[: found.start("month")]) + "MONTH, YEAR"
    return ItemRead(problem=problem, gold=gold, templates=(template,))


def _month(found: re.Match[str]) -> tuple[int, int]:
    return int(found["year"]), _number(found["month"])


def _decide(items: Sequence[ItemRead], _: Reading) -> Sequence[Outcome]:
    return decide([item.problem for item in items])


def _correct(row: Row, outcome: Outcome) -> dict[str, object]:
    if "answer" in row.fields:
        answer: object = row.fields["answer"]
        return {"answer": [outcome.decided] if isinstance(answer, list) else outcome.decided}
    return {"text_answers": {**row.fields["text_answers"], "text": [outcome.decided]}}


def _recognises(rows: Sequence[Row]) -> bool:
    texts = [row.fields.get("question") for row in rows]
    return all(isinstance(text, str) and _QUESTION.fullmatch(text) for text in texts[:1])


DATE_ARITHMETIC = AuditTask(
    name="date_arith",
    kind="calendar",
    title="the month some years and months before or after another (TempReason L1)",
    recognises=_recognises,
    read=_read,
    decide=_decide,
    correct=_correct,
    versions={
        "f93bf3931e39d9dd25621061d41cab7025765ba60e8fe11e8b518e9f5571b1b7": "TimeBench, date_arith",
    },
)
