"""StepGame, and bAbI 14, 17 and 19: where things are, routes, and places visited.

The wordings are the phrase files ``grammar/positions/stepgame.toml`` and ``babi.toml``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from benchmarks.audits.model import AuditTask, Convention, ItemRead, Reading, Row, UnreadError
from grammar.positions.model import Asks
from grammar.positions.reader import StoryError, reader, shape
from solver.io.sources import InputError
from solver.positions.decide import decide
from solver.positions.model import CONVENTIONS, LABELS, Problem
from solver.verification.outcomes import Outcome


def _convention(name: str, source: str, *, tried: bool) -> Convention:
    return Convention(name=name, values=CONVENTIONS[name], source=source, tried=tried)


_STEPS = partial(_convention, "steps")
_ROWS = partial(_convention, "rows")


def _problem(row: Row, wording: str, asked: str, gold: str, asks: Asks) -> Problem:
    """Read a story, its question and its label.

    Raises:
        UnreadError: one of them is not read, or the label is no answer of the question.
    """
    story = row.fields.get("story")
    sentences = [story] if isinstance(story, str) else story
    if not isinstance(sentences, list) or not all(isinstance(text, str) for text in sentences):
        raise UnreadError("found no story, expected sentences", where=row.where)
    try:
        read = reader(wording).story(sentences, asked)
    except StoryError as error:
        raise UnreadError(error.message, where=row.where, hint=error.hint) from None
    problem = Problem(story=read, gold=gold, reading={})
    known = {
        Asks.WHERE: gold in LABELS,
        Asks.WHETHER: gold in ("yes", "no"),
        Asks.ROUTE: bool(problem.moves),
        Asks.BEFORE: bool(gold),
    }
    if read.question.asks is not asks or not known[read.question.asks]:
        raise UnreadError(f"found the label {gold!r}, expected an answer", where=row.where)
    return problem


def _read_stepgame(row: Row) -> ItemRead:
    asked, gold = row.text("question"), row.text("label")
    problem = _problem(row, "stepgame", asked, gold, Asks.WHERE)
    # A wording is charged with the items whose answer it bears on.
    used = sorted({*problem.story.walk(), *problem.story.unclear})
    templates = dict.fromkeys(shape(problem.story.sentences[number]) for number in used)
    return ItemRead(problem=problem, gold=gold, templates=tuple(templates))


def _read_babi(asks: Asks, row: Row) -> ItemRead:
    asked, gold = row.text("question"), row.text("answer")
    return ItemRead(problem=_problem(row, "babi", asked, gold, asks), gold=gold)


def _decide(items: Sequence[ItemRead], reading: Reading) -> Sequence[Outcome]:
    return decide(
        [
            Problem(story=item.problem.story, gold=item.problem.gold, reading=reading)
            for item in items
        ]
    )


def _correct(field: str, _: Row, outcome: Outcome) -> Mapping[str, object]:
    return {} if outcome.decided is None else {field: outcome.decided}


def _has_labels(rows: Sequence[Row]) -> bool:
    return all({"story", "question", "label"} <= set(row.fields) for row in rows)


def _asks(word: str, rows: Sequence[Row]) -> bool:
    return all(str(row.fields.get("question", "")).startswith(word) for row in rows)


def story_rows(name: str, data: bytes) -> list[Row]:
    """The questions of a bAbI file, each with the sentences of its story before it.

    Raises:
        InputError: a line has another form.
    """
    rows: list[Row] = []
    story: list[str] = []
    start = 0
    for line_number, line in enumerate(data.splitlines(keepends=True), 1):
        where = f"{name}:{line_number}"
        text = line.decode()
        number, _, rest = text.rstrip("\r\n").partition(" ")
        if rest:
            if not number.isdecimal():
                message = f"found {number!r:.40}, expected the number of a sentence"
                raise InputError(message, where=where, hint="a line is: 1 The hall is here.")
            if int(number) == 1:
                story = []
            asked, tab, answer = rest.partition("\t")
            if tab:
                label = answer.split("\t")[0]
                at = start + line.index(b"\t") + 1
                fields = {"story": list(story), "question": asked.strip(), "answer": label}
                spans = {"answer": (at, at + len(label.encode()))}
                rows.append(Row(id=len(rows), where=where, fields=fields, spans=spans))
            else:
                story.append(asked.strip())
        start += len(line)
    if not rows:
        raise InputError("found no question, expected some", where=name)
    return rows


STEPGAME = AuditTask(
    name="stepgame",
    kind="positions",
    title="where a point is from another, after a story of steps (StepGame)",
    recognises=_has_labels,
    read=_read_stepgame,
    decide=_decide,
    correct=partial(_correct, "label"),
    conventions=(
        _STEPS("the generator of StepGame moves every object by one step", tried=True),
        _ROWS("StepGame's left is left, and its upper-left another relation", tried=False),
        _convention("front", "StepGame's plane has no front and no back", tried=False),
    ),
)


def _babi(number: int, asks: Asks, first: str, title: str, *conventions: Convention) -> AuditTask:
    return AuditTask(
        name=f"qa{number}",
        kind="positions",
        title=f"{title} (bAbI {number})",
        recognises=partial(_asks, first),
        read=partial(_read_babi, asks),
        decide=_decide,
        correct=partial(_correct, "answer"),
        conventions=conventions,
        rows=story_rows,
        plain=True,
    )


QA14 = _babi(
    14, Asks.BEFORE, "Where was", "where someone was before a place",
    _convention("visit", "the supporting facts of bAbI are those of the last visit", tried=True),
)  # fmt: skip
QA17 = _babi(
    17, Asks.WHETHER, "Is the", "whether a thing is left or right of, above or below another",
    _STEPS("bAbI places things on a grid", tried=False),
    _ROWS("the answers of bAbI are those of a grid", tried=True),
)  # fmt: skip
QA19 = _babi(
    19, Asks.ROUTE, "How do you go", "the way from a room to another",
    _STEPS("bAbI places rooms on a grid", tried=False),
    _convention("rooms", "stories of bAbI put two rooms at one place", tried=True),
)  # fmt: skip
