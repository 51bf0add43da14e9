"""``temporal_sequences`` of BIG-Bench Hard: between what times a person could have gone somewhere.

The wordings are in ``grammar/calendar/temporal_sequences.toml``.
"""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.audits.model import AuditTask, ItemRead, Reading, Row, UnreadError
from benchmarks.audits.options import split_options, with_option
from grammar.calendar.phrases import Match, PhraseError, matches, phrase_table, slot_value
from solver.calendar.decide import decide
from solver.calendar.model import Entry, Problem, Times
from solver.calendar.words import clock
from solver.verification.outcomes import Outcome, Verdict

_TABLE = "temporal_sequences.toml"
_DAY = 24 * 60


def _line(row: Row, role: str, text: str) -> Match:
    found = list(matches(phrase_table(_TABLE), role, text))
    if len(found) != 1:
        raise UnreadError(f"found {text!r}, which {len(found)} phrases read", where=row.where)
    return found[0]


def _minute(row: Row, match: Match, name: str) -> int:
    try:
        value = slot_value("clock", match.slots[name])
    except PhraseError as error:
        raise UnreadError(error.message, where=row.where) from None
    assert isinstance(value, int)
    return value


def _span(row: Row, match: Match) -> tuple[int, int]:
    """The minutes of a time from one clock time to another; midnight ends a day."""
    start, end = _minute(row, match, "a"), _minute(row, match, "b") or _DAY
    if start >= end:
        raise UnreadError(f"found a time from {start} to {end}", where=row.where)
    return start, end


def _read(row: Row) -> ItemRead:
    text, options = split_options(row, row.text("input"))
    lines = [_line(row, "line", line) for line in text.splitlines() if line.strip()]
    kinds = [line.phrase.tag for line in lines]
    if kinds.count("topic") != 1 or kinds[-1] != "question":
        raise UnreadError("found no topic or no question, expected both", where=row.where)
    topic, question = lines[0].slots, lines[-1].slots
    _require_same(row, lines, topic["person"], topic["place"])
    start, end, entries = 0, _DAY, []
    for line in lines:
        match line.phrase.tag:
            case "opens":
                start = max(start, _minute(row, line, "a"))
            case "closes":
                end = min(end, _minute(row, line, "b") or _DAY)
            case "busy":
                first, last = _span(row, line)
                text = line.slots["activity"]
                entries.append(Entry(person=question["person"], start=first, end=last, text=text))
    if start >= end:
        raise UnreadError(f"found the day from {start} to {end}", where=row.where)
    offered = {name: _span(row, _line(row, "option", text)) for name, text in options.items()}
    gold = row.text("target")
    if gold not in offered:
        raise UnreadError(f"found the label {gold!r}, expected an option", where=row.where)
    times = Times(window=(start, end), entries=tuple(entries), options=offered)
    problem = Problem(question=times, gold=gold)
    used = dict.fromkeys(line.phrase.text for line in lines)
    return ItemRead(problem=problem, gold=gold, templates=tuple(used))


def _require_same(row: Row, lines: Sequence[Match], person: str, place: str) -> None:
    """Require that all lines are about one person and one place.

    Raises:
        UnreadError: one is about another.
    """
    for line in lines:
        slots = line.slots
        named = slots.get("place", place).lower().removeprefix("the ")
        if slots.get("person", person) != person or named != place.lower().removeprefix("the "):
            message = f"found {line.slots}, expected {person} and {place}"
            raise UnreadError(message, where=row.where)


def _decide(items: Sequence[ItemRead], _: Reading) -> Sequence[Outcome]:
    return decide([item.problem for item in items])


def _correct(row: Row, outcome: Outcome) -> dict[str, object]:
    if outcome.verdict is not Verdict.NO_RIGHT_OPTION:
        return {"target": outcome.decided}
    free = outcome.certificate["free"]
    if len(free) != 1:
        return {}
    text = row.text("input")
    start, end = (clock(minute).replace(":00", "").replace(" ", "") for minute in free[0])
    changed, label = with_option(text, split_options(row, text)[1], f"{start} to {end}")
    return {"input": changed, "target": label}


def _recognises(rows: Sequence[Row]) -> bool:
    texts = [str(row.fields.get("input", "")).splitlines() for row in rows]
    topics = (
        match.phrase.tag
        for lines in texts
        for line in lines[:1]
        for match in matches(phrase_table(_TABLE), "line", line)
    )
    return any(tag == "topic" for tag in topics)


TASK = AuditTask(
    name="temporal_sequences",
    kind="calendar",
    title="between what times a person could have gone to a place",
    recognises=_recognises,
    read=_read,
    decide=_decide,
    correct=_correct,
    versions={
        "92a1189faaa84aacc4c405aaa13f13f48c2992eb884772eedb622505252baef5": "BIG-Bench Hard, 2022",
    },
)
