"""Finds and checks a single question of a data set."""

from __future__ import annotations

from solver.graph.model import nearest_hint
from solver.io.sources import InputError, shown
from solver.questions.io import PlacedQuestion, placed_questions
from solver.questions.linking import LinkedQuestion, unpacked
from solver.questions.model import Question
from solver.questions.rows import Rows, Source, check_task
from solver.questions.verify import Batch, decide_batch
from solver.verification.report import Finding

_NEARBY = 10_000


def find_question(source: Source, name: str) -> PlacedQuestion:
    """Find the first question with this id.

    Raises:
        InputError: there is none; the hint lists the nearest ids.
        RowError: an earlier row cannot be read.
    """
    # Ids start with split and kind: suggestions with the same prefix come first.
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


def check_question(
    source: Source, placed: PlacedQuestion
) -> tuple[LinkedQuestion | None, tuple[Finding, ...]]:
    """Check a question without regard to the others, such as duplicates.

    Returns:
        The linked question, None if it has unknown names, and its findings.

    Raises:
        InputError: rules are required and missing.
    """
    reasons = isinstance(placed.read, Question) and bool(placed.read.choices)
    if reasons and not source.rules:
        message = "found a fact-reasoning question, no rules"
        hint = "pass the rules with --rules FILE"
        raise InputError(message, where=placed.place.at(), hint=hint)
    _, (row,) = check_task(source, Rows(file=placed.place.file, rows=(placed,)))
    if not row.linked:
        return None, row.findings
    batch = Batch(numbers=(0,), places=(placed.place.at(),), ids=(row.id,), packed=(row.linked,))
    _, found = decide_batch(source, batch)
    return unpacked(row.linked), (*row.findings, *found.get(0, ()))
