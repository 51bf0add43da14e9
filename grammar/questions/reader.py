"""Reads questions and statements: their query or fact, and their template variant.

A text with a single phrase has a single reading. With several, as in a name that contains one,
the reader tries each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import NamedTuple, TypeAlias

from lark import Token, Tree
from lark.exceptions import UnexpectedInput

from grammar.errors import AmbiguousError, Fault, FaultError, ParseError, placed
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
    fault_of,
    parser,
    too_many,
)

Known: TypeAlias = Callable[[str], bool]
"""Predicate of known entity names."""

_SHOWN = 3
_VARIANT = {
    "WHO": 0, "FRONT_WHO": 1, "WHICH": 2, "FRONT_WHICH": 3,
    "ELSE": 0, "THEN_OTHER": 1, "OTHER": 2, "THEN_ELSE": 3,
    "WILL": 0, "FRONT_WILL": 1, "KNOWN": 2, "POSSIBLE": 3,
    "WHY": 0, "FRONT_WHY": 1, "EVENT": 2, "LIKELY": 3,
    "FRONT": 1, "IT_WAS": 2,
}  # fmt: skip
_SUBJECTS = ("SUBJECT", "SUBJECT_WILL", "SUBJECT_NOW", "SUBJECT_THEN")
_OBJECTS = ("OBJECT", "INNER")
_BASES = ("BASE", "FIRST_BASE", "WILL_BASE")
_PHRASES = (*_BASES, "PRESENT", "PAST")
_TIMES = (
    "WHEN", "WHEN_STATED", "FRONT_WHO", "FRONT_WHICH", "FRONT_WHILE", "FRONT_WILL", "FRONT_WHY",
    "FRONT", "IT_WAS",
)  # fmt: skip


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
        readings = [one for one in readings if all(map(known, _names(one)))] or readings
    if len(readings) == 1:
        return readings[0]
    raise _ambiguous(text, part, readings)


def _readings(text: HiddenText, part: str) -> list[_Reading]:
    """All readings of a text, at least one."""
    places = text.phrases(part)
    failure = None
    try:
        tokens = _tokens(text.hidden, part)
        if len(places) == sum(one in tokens for one in _PHRASES):
            return [_reading(text, tokens)]
    except UnexpectedInput as error:
        failure = error
    if len(places) > MOST_PHRASES:
        raise FaultError(too_many(places))
    readings: list[_Reading] = []
    if len(places) > 1:
        for choice in text.choices(places):
            try:
                tokens = _tokens(choice, part)
            except UnexpectedInput:
                continue
            one = _reading(text, tokens)
            if one not in readings:
                readings.append(one)
    if failure is not None and not readings:
        raise FaultError(fault_of(text, part, failure))
    return readings


def _tokens(hidden: str, part: str) -> Mapping[str, Token]:
    """Tokens by type; no type occurs twice."""
    tree: Tree[Token] = parser().parse(hidden, start=part)
    if part == QUESTION:
        # The child of the start symbol is the kind of question.
        (tree,) = (one for one in tree.children if isinstance(one, Tree))
    found = {one.type: one for one in tree.children if isinstance(one, Token)}
    found["kind"] = Token("kind", tree.data)
    return found


def _reading(text: HiddenText, tokens: Mapping[str, Token]) -> _Reading:
    variant = next((_VARIANT[one] for one in tokens if one in _VARIANT), 0)
    time = _time(_first(tokens, _TIMES))
    kind = tokens["kind"]
    if kind == "two_hop":
        return ReadQuestion(_two_hop(text, tokens, time), variant)
    subject, object_ = (_name(text, tokens, types) for types in (_SUBJECTS, _OBJECTS))
    if kind == STATEMENT:
        relation = _relation(text, tokens["PAST"], Form.PAST)
        fact = Statement(subject=subject, relation=relation, object=object_, time=time)
        return ReadStatement(fact, variant)
    relation = _relation(text, _first(tokens, _BASES), Form.BASE)
    if kind == "one_hop":
        asked = Role.SUBJECT if "FIRST_BASE" in tokens else Role.OBJECT
        query = OneHop(entity=subject or object_, relation=relation, asked=asked, time=time)
        return ReadQuestion(query, variant)
    fact = Statement(subject=subject, relation=relation, object=object_, time=time)
    if kind == "yes_unknown":
        return ReadQuestion(YesUnknown(fact=fact), variant)
    return ReadQuestion(FactReasoning(fact=fact), variant)


def _two_hop(text: HiddenText, tokens: Mapping[str, Token], time: str) -> TwoHop:
    return TwoHop(
        entity=_name(text, tokens, (*_SUBJECTS, *_OBJECTS)),
        given=Arc(
            relation=_relation(text, tokens["PRESENT"], Form.PRESENT),
            shared=Role.OBJECT if "SUBJECT_NOW" in tokens else Role.SUBJECT,
        ),
        asked=Arc(
            relation=_relation(text, _first(tokens, _BASES), Form.BASE),
            shared=Role.OBJECT if "FIRST_BASE" in tokens else Role.SUBJECT,
        ),
        time=time,
    )


def _first(tokens: Mapping[str, Token], types: tuple[str, ...]) -> Token:
    return next(tokens[one] for one in types if one in tokens)


def _name(text: HiddenText, tokens: Mapping[str, Token], types: tuple[str, ...]) -> str:
    """The name in the first present token of some types; empty if none is present."""
    for one in types:
        if one in tokens:
            return read_name(text.text[tokens[one].start_pos : tokens[one].end_pos])
    return ""


def _relation(text: HiddenText, token: Token, form: Form) -> str:
    words = token.removeprefix(" ").removeprefix("will ")
    found = phrase_table().by_words[form].get(words)
    if found is not None:
        return found
    before, after = GENERIC[form]
    end = token.end_pos or 0
    return read_name(text.text[end - len(words) + len(before) : end - len(after)])


def _time(token: Token) -> str:
    """The date or number in a token."""
    words = token.replace(",", " ").rstrip("?.").split()
    day = next(word for word in words if word[0].isdecimal())
    if "-" in day:
        try:
            date.fromisoformat(day)
        except ValueError:
            position = (token.start_pos or 0) + token.index(day)
            raise FaultError(
                Fault(position=position, found=f'"{day}"', expected="a date that there is")
            ) from None
    return day


def _names(one: _Reading) -> tuple[str, ...]:
    phrase_pattern = one.statement if isinstance(one, ReadStatement) else one.query
    if isinstance(phrase_pattern, OneHop | TwoHop):
        return (phrase_pattern.entity,)
    fact = phrase_pattern if isinstance(phrase_pattern, Statement) else phrase_pattern.fact
    return fact.subject, fact.object


def _ambiguous(text: str, part: str, readings: list[_Reading]) -> ParseError:
    """The error that lists the readings, with quotes around the ambiguous names."""
    from grammar.questions.writer import write_question, write_statement

    written = [
        write_statement(*one) if isinstance(one, ReadStatement) else write_question(*one)
        for one in readings
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
