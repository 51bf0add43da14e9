"""``date_understanding`` of BIG-bench and of BIG-Bench Hard: a day before or after today.

The wordings are in ``grammar/calendar/date_understanding.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from benchmarks.audits.model import AuditTask, ItemRead, Reading, Row, UnreadError
from benchmarks.audits.options import split_options, with_option
from grammar.calendar.phrases import PhraseError, phrase_table, read
from grammar.calendar.slots import date_parts
from grammar.calendar.steps import Step
from solver.calendar.decide import decide
from solver.calendar.model import Problem, Value
from solver.calendar.words import written
from solver.verification.outcomes import Outcome, Verdict

_TABLE = "date_understanding.toml"
_FORM = "MM/DD/YYYY"
_QUESTION = re.compile(r"\s*(What (?:is|was|will be) the date\b.*\?)\s*", re.DOTALL)


def _item(row: Row, text: str, options: Mapping[str, str], gold: str) -> ItemRead:
    """The item of a text that ends with its question."""
    found = _QUESTION.search(text)
    if found is None:
        raise UnreadError(f"found no question for a date in {text!r}", where=row.where)
    table = phrase_table(_TABLE)
    try:
        chain = read(table, "premise", text[: found.start()])
        chain = read(table, "question", found[1], chain)
    except PhraseError as error:
        raise UnreadError(error.message, where=row.where) from None
    steps, offered = list(chain.steps), dict[str, int]()
    for name, option in options.items():
        parts = date_parts(option)
        if parts is None:
            raise UnreadError(f"found the option {option!r}, expected a date", where=row.where)
        offered[name] = len(steps)
        steps.append(Step(name=f"option {name}", op="date", arguments=parts))
    if gold not in offered:
        raise UnreadError(f"found the label {gold!r}, expected an option", where=row.where)
    problem = Problem(
        question=Value(step=chain.names["the_answer"], written=_FORM, options=offered),
        gold=gold,
        steps=tuple(steps),
        stated=tuple(chain.stated),
        same=tuple(chain.same),
    )
    return ItemRead(problem=problem, gold=gold, templates=(" ".join(chain.phrases),))


def _read_hard(row: Row) -> ItemRead:
    text, options = split_options(row, row.text("input"))
    return _item(row, text, options, row.text("target"))


def _read_scored(row: Row) -> ItemRead:
    scores = row.fields.get("target_scores")
    if not isinstance(scores, dict):
        raise UnreadError("found no target_scores, expected them", where=row.where)
    right = [option for option, score in scores.items() if score == 1]
    if len(right) != 1:
        message = f"found {len(right)} options with score 1, expected one"
        raise UnreadError(message, where=row.where)
    return _item(row, row.text("input"), {option: option for option in scores}, right[0])


def _decide(items: Sequence[ItemRead], _: Reading) -> Sequence[Outcome]:
    return decide([item.problem for item in items])


def _answer(outcome: Outcome) -> str:
    """The right date, of an item in which it is no option."""
    certificate = outcome.certificate
    (value,) = certificate["values"][certificate["problem"]["question"]["step"]]
    return written(value, _FORM)


def _correct_hard(row: Row, outcome: Outcome) -> dict[str, object]:
    if outcome.verdict is not Verdict.NO_RIGHT_OPTION:
        return {"target": outcome.decided}
    text = row.text("input")
    changed, label = with_option(text, split_options(row, text)[1], _answer(outcome))
    return {"input": changed, "target": label}


def _correct_scored(row: Row, outcome: Outcome) -> dict[str, object]:
    right = outcome.decided or _answer(outcome)
    options = dict.fromkeys([*row.fields["target_scores"], right])
    return {"target_scores": {option: int(option == right) for option in options}}


def _asks(rows: Sequence[Row]) -> bool:
    texts = [row.fields.get("input") for row in rows]
    return any(isinstance(text, str) and _QUESTION.search(text) for text in texts)


def _recognises_hard(rows: Sequence[Row]) -> bool:
    return _asks(rows) and all("target" in row.fields for row in rows)


def _recognises_scored(rows: Sequence[Row]) -> bool:
    return _asks(rows) and all("target_scores" in row.fields for row in rows)


HARD = AuditTask(
    name="date_understanding",
    kind="calendar",
    title="a day before or after today, which is described; one of up to six dates",
    recognises=_recognises_hard,
    read=_read_hard,
    decide=_decide,
    correct=_correct_hard,
    versions={
        "0148d4ac5fca05b2f82373e5fef7208e15363b9c6079493034d77b3dab496bf5": "BIG-Bench Hard, 2022",
    },
)
BIG_BENCH = AuditTask(
    name="date_understanding",
    kind="calendar",
    title="a day before or after today, which is described; dates with scores",
    recognises=_recognises_scored,
    read=_read_scored,
    decide=_decide,
    correct=_correct_scored,
)
