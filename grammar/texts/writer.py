"""Writes texts of dated facts; ``grammar.texts.reader`` reads them back."""

from __future__ import annotations

from grammar.dates import write_date
from grammar.texts.model import FactText, Headline, Link, Sentence
from grammar.texts.reader import write_name

_LINKS = {
    Link.NONE: "",
    Link.LATER: "Later, ",
    Link.SAME_DAY: "On the same day, ",
    Link.MEANWHILE: "Meanwhile, ",
}


def write_text(text: FactText) -> str:
    """Write a text on one line; weekdays are computed from the dates.

    Raises:
        UnwritableError: a name is empty.
    """
    # Backwards, as whether a name needs quotes depends on what follows it.
    rest = ""
    for one in reversed(text.sentences):
        rest = _sentence(one, rest)
    return _headline(text.headline) + rest if text.headline is not None else rest


def _headline(headline: Headline) -> str:
    day = write_date(headline.written_date.date, headline.written_date.style)
    return f"{day} – {headline.title}. "


def _sentence(one: Sentence, rest: str) -> str:
    day = write_date(one.written_date.date, one.written_date.style)
    rest = f". {rest}" if rest else "."
    if not one.front:
        rest = f" on {day}{rest}"
    rest = write_name(one.object, "LAST_OBJECT" if one.front else "DATED_OBJECT", rest) + rest
    rest = f" {one.phrase.words} {rest}"
    rest = write_name(one.subject, "SUBJECT", rest) + rest
    return f"On {day}, {rest}" if one.front else f"{_LINKS[one.link]}{rest}"
