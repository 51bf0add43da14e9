"""Checks texts of dated facts: each says exactly the facts that it was written from."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from enum import StrEnum

from grammar.errors import ParseError
from grammar.fact_reader import read_text
from grammar.fact_text import FactText, clashes
from solver.fact_texts.differences import differences
from solver.fact_texts.mentions import HEADLINE_DAYS, unmentioned
from solver.fact_texts.reading import Pair, ReadText, Told, read_pairs
from solver.verify.checked import VerifyReport, Violation
from solver.verify.settings import Kind


class Reading(StrEnum):
    """How much is asked of a text.

    ``grammar``: every sentence is read, and says one of the facts. ``names``: names and full dates
    stand in the text as they are written, and no others. ``normalised``: the same, but names are
    compared by their letters and digits.
    """

    GRAMMAR = "grammar"
    NAMES = "names"
    NORMALISED = "normalised"


RIGHT = {
    Reading.GRAMMAR: "each text says exactly its facts, and no weekday, tense or order is false",
    Reading.NAMES: "each text names its facts and full dates, no other date and no false weekday",
    Reading.NORMALISED: "each text names its facts and full dates, names compared by their letters",
}


def check(texts: str, facts: str, *, reading: Reading = Reading.GRAMMAR) -> VerifyReport:
    """Check a file of texts against the facts that they were written from.

    A violation's code is a value of ``Difference``, ``Clash`` or ``Fault``, or ``unparsed``,
    ``far-headline``, ``missing-text``, ``extra-text``.

    Raises:
        InputError: a file cannot be read.
    """
    began = time.perf_counter()
    pairs = list(read_pairs(texts, facts))
    unreadable = [str(error) for pair in pairs for error in _errors(pair)]
    violations = [one for pair in pairs for one in _violations(pair, reading)]
    flawed = {one.where for one in violations}
    said = [one for pair in pairs if pair.told is not None for one in pair.told.facts]
    figures = {
        "facts": len(said),
        "texts_with_violations": len(flawed),
        "reading": reading.value,
        "relations": dict(sorted(Counter(one.relation for one in said).items())),
    }
    return VerifyReport(
        kind=Kind.TEXT.value,
        noun="texts",
        number=sum(pair.text is not None for pair in pairs),
        right=RIGHT[reading],
        files=(texts, facts),
        violations=tuple(violations),
        figures=figures,
        unreadable=tuple(unreadable),
        seconds=time.perf_counter() - began,
    )


def _errors(pair: Pair) -> Iterator[Exception]:
    if pair.text is not None and pair.text.error is not None:
        yield pair.text.error
    if pair.told is not None:
        yield from pair.told.errors


def _violations(pair: Pair, reading: Reading) -> Iterator[Violation]:
    text, told = pair.text, pair.told
    if text is None and told is not None:
        message = f"found no text for these facts, expected one; the first is {_first(told)}"
        yield Violation(code="missing-text", where=told.where, message=message)
    elif told is None and text is not None:
        message = "found a text without facts, expected as many lines in both files"
        yield _violation("extra-text", text, message)
    elif text is not None and told is not None and text.error is None and not told.errors:
        check_one = _by_grammar if reading is Reading.GRAMMAR else _by_mention
        yield from check_one(text, told, reading)


def _first(told: Told) -> str:
    return str(told.facts[0]) if told.facts else "not readable"


def _by_grammar(text: ReadText, told: Told, _: Reading) -> Iterator[Violation]:
    try:
        read = read_text(text.text)
    except ParseError as error:
        place = f"column {error.column}" if error.line == 1 else error.where
        message = f"{place}: {error.message}"
        hint = "--reading names checks texts that were written otherwise"
        yield _violation(
            "unparsed", text, message, facts=[str(one) for one in told.facts], hint=hint
        )
        return
    for one in differences(told.facts, read.facts):
        yield _violation(one.kind, text, str(one))
    for clash, message in clashes(read):
        yield _violation(clash, text, message)
    yield from _far(text, read)


def _far(text: ReadText, read: FactText) -> Iterator[Violation]:
    """A headline that is dated more than a week from every fact."""
    if read.headline is None:
        return
    day = read.headline.said.date
    nearest = min(abs((one.date - day).days) for one in read.facts)
    if nearest > HEADLINE_DAYS:
        message = f"the headline is dated {day}, {nearest} days from the nearest fact"
        yield _violation("far-headline", text, message)


def _by_mention(text: ReadText, told: Told, reading: Reading) -> Iterator[Violation]:
    for one in unmentioned(text.text, told.facts, normalised=reading is Reading.NORMALISED):
        about = {} if one.fact is None else {"fact": str(one.fact)}
        yield _violation(one.fault, text, one.message, **about)


def _violation(code: str, text: ReadText, message: str, **certificate: object) -> Violation:
    shown = {"text": text.text} | certificate
    return Violation(code=str(code), where=text.where, message=message, certificate=shown)
