"""Finds one question of a data set, and judges it by itself."""

from __future__ import annotations

from solver.questions.files import Placed, placed_questions
from solver.questions.linking import LinkedQuestion, unpacked
from solver.questions.question import Question
from solver.reading.failures import InputError, shown
from solver.tkg.naming import nearest_hint
from solver.verify.checked import Violation
from solver.verify.questions_deciding import Batch, decide
from solver.verify.questions_reading import Rows, look_at
from solver.verify.questions_source import Source

_NEARBY = 10_000


def find(source: Source, name: str) -> Placed:
    """The first question of a name.

    Raises:
        InputError: there is none; the nearest names are told.
        RowError: the row of a question before it cannot be read.
    """
    # Kinds and splits come first in a name: what begins otherwise is meant less likely.
    begin = name[: len(name) // 2]
    likely: list[str] = []
    others: list[str] = []
    for path in source.paths:
        for placed in placed_questions(path):
            if not isinstance(placed.read, Question):
                raise placed.read.error
            if placed.read.id == name:
                return placed
            ids = likely if placed.read.id.startswith(begin) else others
            if len(ids) < _NEARBY:
                ids.append(placed.read.id)
    hint = nearest_hint(name, likely or others)
    where = str(source.folder or source.paths[0])
    raise InputError(f"found no question {shown(name)}", where=where, hint=hint)


def judged(source: Source, placed: Placed) -> tuple[LinkedQuestion | None, tuple[Violation, ...]]:
    """A question by ids, if the graph has its names, and what is wrong with it.

    Nothing is said of other questions, such as whether one of them asks the same.

    Raises:
        InputError: it needs rules, and there are none.
    """
    reasons = isinstance(placed.read, Question) and bool(placed.read.choices)
    if reasons and not source.rules:
        message = "found a fact-reasoning question, no rules"
        hint = "give the rules by --rules FILE"
        raise InputError(message, where=placed.place.at(), hint=hint)
    _, (looked,) = look_at(source, Rows(file=placed.place.file, rows=(placed,)))
    if not looked.linked:
        return None, looked.violations
    batch = Batch(
        numbers=(0,), places=(placed.place.at(),), ids=(looked.id,), packed=(looked.linked,)
    )
    _, found = decide(source, batch)
    return unpacked(looked.linked), (*looked.violations, *found.get(0, ()))
