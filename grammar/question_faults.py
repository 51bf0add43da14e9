"""Parse errors of questions and statements: position, expected tokens, nearest phrases."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches

from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from grammar.diagnosis.nearest import nearest
from grammar.errors import Fault, found_at, quoted
from grammar.question_parser import APART, QUESTION, TIME
from grammar.question_phrases import Form, phrase_table
from grammar.question_text import MOST_PHRASES, HiddenText

_OPENINGS = 'a question, as in "Who will", "Will", "Why will" or "On 2026-01-11, who will"'
_STATEMENT = 'a statement, as in "A hosted a visit by B on 2026-01-11."'
_PHRASE = 'a name and the phrase of a relation, as in "{}"'
_TO_PARTY = '"a party" or "this party" after the phrase'
_EXPECTED = {
    "WHEN": 'the time and "?", as in "on 2026-01-11?" or "at time 17?"',
    "WHEN_STATED": 'the time and a full stop, as in "on 2026-01-11."',
    "STOP": '"?" at the end',
    "FULL_STOP": "a full stop at the end",
    "WHILE": '", while"',
    "THEN_ELSE": '", who else will"',
    "THEN_OTHER": '", which other party will"',
    "A_PARTY": '"a party"',
    "A_THIRD": '"a third party"',
    "THIS_PARTY": '"this party"',
    "THIS_THIRD": '"this third party"',
    "TO_A_PARTY": _TO_PARTY,
    "TO_A_THIRD": _TO_PARTY,
    "TO_THIS_PARTY": _TO_PARTY,
    "TO_THIS_THIRD": _TO_PARTY,
    "SUBJECT": _PHRASE.format("Ada will host a visit by"),
    "SUBJECT_WILL": _PHRASE.format("Ada will host a visit by"),
    "SUBJECT_NOW": _PHRASE.format("Ada hosts a visit by"),
    "SUBJECT_THEN": _PHRASE.format("Ada hosted a visit by"),
    "FIRST_BASE": 'the phrase of a relation, as in "host a visit by"',
    "BASE": 'the phrase of a relation, as in "host a visit by"',
    "PRESENT": 'the phrase of a relation, as in "hosts a visit by"',
    "OBJECT": "a name",
    "INNER": 'a name and ", who else will" or ", which other party will"',
    "$END": "the end of the text",
}
_NAMES = {"SUBJECT", "SUBJECT_WILL", "SUBJECT_NOW", "SUBJECT_THEN", "OBJECT", "INNER"}
_FORMS = {
    "SUBJECT": Form.BASE, "FIRST_BASE": Form.BASE, "BASE": Form.BASE, "SUBJECT_WILL": Form.BASE,
    "WILL_BASE": Form.BASE, "SUBJECT_NOW": Form.PRESENT, "PRESENT": Form.PRESENT,
    "SUBJECT_THEN": Form.PAST, "PAST": Form.PAST,
}  # fmt: skip
_ODD = (
    (re.compile(rf"(?:(?<= )|^){APART}"), "a name between “ and ”, as a time or a party is in it"),
    (re.compile("  "), "one blank"),
    (re.compile("(?<! )“|”(?![ ,?.])"), "quotes around a whole name"),
)
"""Patterns not allowed in unquoted names, with what is expected instead."""

_FRONT = re.compile("(?:On [0-9]|At time )")
_NEAREST = 3
_LOOKED_AT = 500
"""Maximal number of characters to search for near phrases."""

_LEAST_ALIKE = 0.6


def too_many(places: Sequence[tuple[int, int]]) -> Fault:
    """The fault of a text with more phrases than the reader tries."""
    return Fault(
        position=places[MOST_PHRASES][0],
        found=f"{len(places)} phrases",
        expected=f"at most {MOST_PHRASES} outside of quotes",
    )


def fault_of(text: HiddenText, part: str, error: UnexpectedInput) -> Fault:
    """The fault of a text at which the parser stopped."""
    position, allowed = _halt(text, error)
    if not text.text or "WHO" in allowed:
        expected = _OPENINGS if part == QUESTION else _STATEMENT
        return Fault(position=0, found=found_at(text.text, 0), expected=expected)
    end = _middle_end(text, part)
    if end is None:
        # Without a valid end the rest cannot be diagnosed.
        return _no_end(text, part)
    candidates = [words for name, words in _EXPECTED.items() if name in allowed]
    expected = " or ".join(dict.fromkeys(candidates)) or _EXPECTED["$END"]
    form = next((_FORMS[one] for one in _FORMS if one in allowed), None)
    fault = None if form is None else _near_phrase(text, position, end, form)
    if fault is None and _NAMES & allowed:
        fault = _odd_name(text, position, end)
    return fault or Fault(position=position, found=found_at(text.text, position), expected=expected)


def _halt(text: HiddenText, error: UnexpectedInput) -> tuple[int, set[str]]:
    if isinstance(error, UnexpectedToken):
        at_end = error.token.type == "$END"
        return len(text.text) if at_end else error.token.start_pos or 0, set(error.expected)
    allowed = error.allowed if isinstance(error, UnexpectedCharacters) else None
    return error.pos_in_stream or 0, set(allowed or ())


def _middle_end(text: HiddenText, part: str) -> int | None:
    """Start of the final time expression or punctuation; None without one."""
    mark = r"\?" if part == QUESTION else r"\."
    dated = re.search(f" {TIME}{mark}$", text.hidden)
    if dated is not None:
        return dated.start()
    if _FRONT.match(text.hidden) or text.hidden.startswith("It was "):
        bare = re.search(f"{mark}$", text.hidden)
        return None if bare is None else bare.start()
    return None


def _no_end(text: HiddenText, part: str) -> Fault:
    front = _FRONT.match(text.hidden) is not None
    if part == QUESTION:
        expected = _EXPECTED["STOP" if front else "WHEN"]
    else:
        expected = _EXPECTED["FULL_STOP" if front else "WHEN_STATED"]
    # Point at the last possible time expression, if any.
    last = max(text.hidden.rfind(" on "), text.hidden.rfind(" at "))
    position = len(text.text.rstrip(".?!")) if front or last < 0 else last + 1
    return Fault(position=position, found=found_at(text.text, position), expected=expected)


def _near_phrase(text: HiddenText, start: int, end: int, form: Form) -> Fault | None:
    """The fault of words close to a phrase, if any."""
    phrases = phrase_table().by_words[form]
    second = text.hidden.find(", while ", start, end)
    end = min(end if second < 0 else second, start + _LOOKED_AT)
    near = nearest(text.hidden[:end], phrases, start=start, ends=None, loose=True)
    if near is None or near.phrase == text.text[near.start : near.end]:
        return None
    words = text.text[near.start : near.end]
    alike = get_close_matches(words, phrases, n=_NEAREST, cutoff=_LEAST_ALIKE)
    candidates = list(dict.fromkeys((near.phrase, *alike)))[:_NEAREST]
    return Fault(
        position=near.start,
        found=quoted(words),
        expected="the phrase of a relation",
        hint=f"did you mean {' or '.join(map(quoted, candidates))}?",
    )


def _odd_name(text: HiddenText, start: int, end: int) -> Fault | None:
    """The fault of a name that must be quoted, if any."""
    for wrong, expected in _ODD:
        found = wrong.search(text.hidden, start, end)
        if found is not None:
            place = found.start()
            offending = found_at(text.text, place) if found[0].strip() else quoted(found[0])
            return Fault(position=place, found=offending, expected=expected)
    return None
