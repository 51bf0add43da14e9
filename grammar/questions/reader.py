"""Reads questions and statements: their query or fact, and their template variant.

A text with a single phrase has a single reading. With several, as in a name that contains one,
the reader tries each of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from lark.exceptions import UnexpectedInput

from grammar.errors import (
    AmbiguousError,
    Fault,
    FaultError,
    ParseError,
    found_at,
    placed,
    quoted,
)
from grammar.names import read_name
from grammar.questions.model import (
    GENERIC,
    Arc,
    FactReasoning,
    Form,
    OneHop,
    Query,
    Role,
    Statement,
    TwoHop,
    YesUnknown,
    phrase_table,
)
from grammar.questions.parser import (
    MOST_PHRASES,
    QUESTION,
    STATEMENT,
    HiddenText,
    Tokens,
    fault_of,
    tokens,
    too_many,
)

Known: TypeAlias = Callable[[str], bool]
"""Predicate of known entity names."""

_SHOWN = 3
_VARIANTS = {
    "WHO": 0, "FRONT_WHO": 1, "WHICH": 2, "FRONT_WHICH": 3,
    "FRONT_ELSE": 0, "FRONT_OTHER": 1, "LATE_ELSE": 2, "LATE_OTHER": 3,
    "WILL": 0, "FRONT_WILL": 1, "ASKED": 2, "FRONT_ASKED": 3,
    "WHY": 0, "FRONT_WHY": 1, "EVENT": 2, "LIKELY": 3,
}  # fmt: skip
_SUBJECTS = ("SUBJECT", "SUBJECT_WILL", "SUBJECT_THEN")
_OBJECTS = ("OBJECT", "NAMED")
_GIVEN = ("FIRST_BASE", "WILL_BASE")
_STATED = ("BASE", "WILL_BASE", "PAST")
_PHRASES = frozenset((*_STATED, "FIRST_BASE", "WHOLE", "ASKED_BASE"))
_PARTIES = ("TO_SOMEONE", "TO_PARTY", "THEM", "TO_IT")
_TIMES = (
    "WHEN", "WHEN_STATED", "FRONT_WHO", "FRONT_WHICH", "FRONT_WILL", "FRONT_ASKED", "FRONT_WHY",
    "FRONT_SOMEONE", "FRONT_PARTY", "FRONT", "LATE_ELSE", "LATE_OTHER",
)  # fmt: skip
_DAY = re.compile("[0-9][0-9-]*")


class ReadQuestion(NamedTuple):
    """A query and its template variant."""

    query: Query
    variant: int


class ReadStatement(NamedTuple):
    """A statement and its template variant."""

    statement: Statement
    variant: int


_Reading: TypeAlias = ReadQuestion | ReadStatement


def read_question(text: str, known: Known | None = None) -> ReadQuestion:
    """Read a question.

    Args:
        text: a single line; surrounding blanks are ignored.
        known: disambiguates: the only reading whose names are all known is chosen.

    Raises:
        AmbiguousError: there are several readings.
        ParseError: there is none; with the position.
    """
    found = _read(text, QUESTION, known)
    if isinstance(found, ReadQuestion):
        return found
    raise TypeError(found)


def read_statement(text: str, known: Known | None = None) -> ReadStatement:
    """Read a statement about the past, such as a choice.

    Raises:
        AmbiguousError, ParseError: as for a question.
    """
    found = _read(text, STATEMENT, known)
    if isinstance(found, ReadStatement):
        return found
    raise TypeError(found)


def _read(text: str, part: str, known: Known | None) -> _Reading:
    try:
        readings = _readings(HiddenText.of(text.strip()), part)
    except FaultError as error:
        raise placed(part, text, error.fault) from None
    if len(readings) > 1 and known is not None:
        readings = [reading for reading in readings if all(map(known, _names(reading)))] or readings
    if len(readings) == 1:
        return readings[0]
    raise _ambiguous(text, part, readings)


def _readings(text: HiddenText, part: str) -> list[_Reading]:
    """All readings of a text, at least one."""
    places = text.phrases(part)
    failure = None
    try:
        found = tokens(text.hidden, part)
        if len(places) == len(found.places.keys() & _PHRASES):
            return [_reading(text, found)]
    except UnexpectedInput as error:
        failure = error
    if len(places) > MOST_PHRASES:
        raise FaultError(too_many(places))
    readings: list[_Reading] = []
    if len(places) > 1:
        for choice in text.choices(places):
            try:
                found = tokens(choice, part)
            except UnexpectedInput:
                continue
            reading = _reading(text, found)
            if reading not in readings:
                readings.append(reading)
    if failure is not None and not readings:
        raise FaultError(fault_of(text, part, failure))
    return readings


def _reading(text: HiddenText, found: Tokens) -> _Reading:
    if found.kind == STATEMENT:
        return ReadStatement(_stated(text, found, Form.PAST), int("FRONT" in found.places))
    variant = next((_VARIANTS[place] for place in found.places if place in _VARIANTS), 0)
    return ReadQuestion(_query(text, found), variant)


def _query(text: HiddenText, found: Tokens) -> Query:
    kind = found.kind
    if kind == "yes_unknown":
        return YesUnknown(fact=_stated(text, found, Form.BASE))
    if kind == "fact_reasoning":
        return FactReasoning(fact=_stated(text, found, Form.BASE))
    if kind == "two_hop":
        return _two_hop(text, found, _time(found))
    if "WHOLE" in found.places:
        relation, role = _whole(text, found), Role.OBJECT
        entity = _name(text, found, ("SUBJECT",))
    else:
        relations, role = _relations(text, found, _GIVEN, Form.BASE), Role.SUBJECT
        relation, entity = _object(text, found, _OBJECTS, relations)
    return OneHop(entity=entity, relation=relation, asked=role, time=_time(found))


def _stated(text: HiddenText, found: Tokens, form: Form) -> Statement:
    """The whole fact that a text is about."""
    relations = _relations(text, found, _STATED, form)
    relation, object_ = _object(text, found, _OBJECTS, relations)
    subject = _name(text, found, _SUBJECTS)
    return Statement(subject=subject, relation=relation, object=object_, time=_time(found))


def _two_hop(text: HiddenText, found: Tokens, time: str) -> TwoHop:
    relations = _relations(text, found, _GIVEN, Form.BASE)
    if "NAMED" in found.places:
        relation, entity = _object(text, found, ("NAMED",), relations)
        given = Arc(relation=relation, shared=Role.SUBJECT)
    else:
        entity = _name(text, found, ("SUBJECT_WILL",))
        relation, _ = _object(text, found, _PARTIES[:2], relations)
        given = Arc(relation=relation, shared=Role.OBJECT)
    if "WHOLE" in found.places:
        asked = Arc(relation=_whole(text, found), shared=Role.SUBJECT)
    else:
        relations = _relations(text, found, ("ASKED_BASE",), Form.BASE)
        relation, _ = _object(text, found, _PARTIES[2:], relations)
        asked = Arc(relation=relation, shared=Role.OBJECT)
    return TwoHop(entity=entity, given=given, asked=asked, time=time)


def _name(text: HiddenText, found: Tokens, types: tuple[str, ...]) -> str:
    _, begin, end = found.first(types)
    return read_name(text.text[begin:end])


def _object(
    text: HiddenText, found: Tokens, types: tuple[str, ...], relations: Mapping[str, str]
) -> tuple[str, str]:
    """The relation and the name of an object, which the last words of the relation may follow.

    Args:
        text: the text.
        found: its tokens.
        types: that of the object, with the words that follow it.
        relations: relations of the words before it, by the words after it, longest first.
    """
    words, begin, end = found.first(types)
    for after in relations:
        if not after or words.endswith(f" {after}"):
            name = text.text[begin : end - len(f" {after}" if after else "")]
            return relations[after], read_name(name)
    expected = " or ".join(quoted(after) for after in sorted(relations))
    fault = Fault(position=end, found=found_at(text.text, end), expected=f"{expected} after it")
    raise FaultError(fault)


def _whole(text: HiddenText, found: Tokens) -> str:
    """The relation of a whole phrase."""
    words, _, _ = found.first(("WHOLE",))
    whole = phrase_table().wholes.get(_bare(words))
    return _relations(text, found, ("WHOLE",), Form.BASE)[""] if whole is None else whole


def _relations(
    text: HiddenText, found: Tokens, types: tuple[str, ...], form: Form
) -> Mapping[str, str]:
    """The relations of a phrase, by the words after the object."""
    words, _, end = found.first(types)
    words = _bare(words)
    listed = phrase_table().by_words[form].get(words)
    if listed is not None:
        return listed
    before, after = GENERIC[form]
    return {"": read_name(text.text[end - len(words) + len(before) : end - len(after)])}


def _bare(words: str) -> str:
    return words.removeprefix(" ").removeprefix("will ")


def _time(found: Tokens) -> str:
    """The date or number in the token of the time."""
    words, begin, _ = found.first(_TIMES)
    day, start, there = _day(words)
    if there:
        return day
    fault = Fault(position=begin + start, found=f'"{day}"', expected="a date that there is")
    raise FaultError(fault)


@lru_cache(maxsize=4096)
def _day(words: str) -> tuple[str, int, bool]:
    """The date or number in some words, its position, and whether there is such a date."""
    found = _DAY.search(words)
    assert found is not None
    if "-" not in found[0]:
        return found[0], found.start(), True
    try:
        date.fromisoformat(found[0])
    except ValueError:
        return found[0], found.start(), False
    return found[0], found.start(), True


def _names(reading: _Reading) -> tuple[str, ...]:
    phrase_pattern = reading.statement if isinstance(reading, ReadStatement) else reading.query
    if isinstance(phrase_pattern, OneHop | TwoHop):
        return (phrase_pattern.entity,)
    fact = phrase_pattern if isinstance(phrase_pattern, Statement) else phrase_pattern.fact
    return fact.subject, fact.object


def _ambiguous(text: str, part: str, readings: list[_Reading]) -> ParseError:
    """The error that lists the readings, with quotes around the ambiguous names."""
    from grammar.questions.writer import write_question, write_statement

    written = [
        write_statement(*reading)
        if isinstance(reading, ReadStatement)
        else write_question(*reading)
        for reading in readings
    ]
    more = f" or {len(written) - _SHOWN} more" if len(written) > _SHOWN else ""
    position = len(text) - len(text.lstrip())
    fault = Fault(
        position=position,
        found=f"{len(readings)} readings",
        expected="one",
        hint=f"quote the name that is meant: {' or '.join(written[:_SHOWN])}{more}",
    )
    return AmbiguousError.of(fault, part=part, text=text)
