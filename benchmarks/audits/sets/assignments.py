"""BIG-Bench Hard, logical_deduction, and BIG-Bench Extra Hard, zebra_puzzles.

The wordings are the phrase files ``grammar/assignments/logical_deduction.toml`` and ``zebra.toml``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from benchmarks.audits.model import AuditTask, Convention, ItemRead, Reading, Row, UnreadError
from grammar.assignments.model import Puzzle
from grammar.assignments.reader import PuzzleError, reader
from solver.assignments.decide import WORDS, Problem
from solver.verification.outcomes import Outcome


def _objects(text: str) -> Puzzle:
    return reader("logical_deduction").objects(text)


def _people(text: str) -> Puzzle:
    return reader("zebra").people(text)


def _read(puzzle_of: Callable[[str], Puzzle], row: Row) -> ItemRead:
    gold = row.text("target").strip()
    try:
        puzzle = puzzle_of(row.text("input"))
    except PuzzleError as error:
        raise UnreadError(error.message, where=row.where, hint=error.hint) from None
    if gold not in dict(puzzle.options):
        raise UnreadError(f"found the label {gold!r}, expected an option", where=row.where)
    return ItemRead(problem=Problem(puzzle=puzzle, gold=gold), gold=gold)


def _decide(items: Sequence[ItemRead], reading: Reading) -> Sequence[Outcome]:
    return [item.problem.decide(reading) for item in items]


def _correct(_: Row, outcome: Outcome) -> Mapping[str, object]:
    return {} if outcome.decided is None else {"target": outcome.decided}


def _begins(words: str, rows: Sequence[Row]) -> bool:
    return all(str(row.fields.get("input", "")).lstrip().startswith(words) for row in rows)


LOGICAL_DEDUCTION = AuditTask(
    name="logical_deduction",
    kind="assignments",
    title="which of several things is at a place of an order (BIG-Bench Hard)",
    recognises=partial(_begins, "The following paragraphs each describe a set of"),
    read=partial(_read, _objects),
    decide=_decide,
    correct=_correct,
)
ZEBRA_PUZZLES = AuditTask(
    name="zebra_puzzles",
    kind="assignments",
    title="the position of someone in a row, from clues (BIG-Bench Extra Hard)",
    recognises=partial(_begins, "There are "),
    read=partial(_read, _people),
    decide=_decide,
    correct=_correct,
    conventions=(
        Convention(
            name="words",
            values=WORDS,
            source="a clue does not say which category its words are from",
            tried=True,
        ),
    ),
)
