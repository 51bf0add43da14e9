"""Writes texts of dated facts; ``grammar.texts.reader`` reads them back."""

from __future__ import annotations

from grammar.dates import write_date
from grammar.texts.model import FactText, Link, Naming, Sentence
from grammar.texts.phrases import PhraseTable, phrase_table
from grammar.texts.reader import write_headline, write_name

_LINKS = {
    Link.NONE: "",
    Link.LATER: "Later, ",
    Link.SAME_DAY: "On the same day, ",
    Link.MEANWHILE: "Meanwhile, ",
}


def write_text(text: FactText, table: PhraseTable | None = None) -> str:
    """Write a text on one line; weekdays are computed from the dates.

    Args:
        text: what to write.
        table: the phrases of its readers; by default those of ``phrases.tsv``.

    Raises:
        UnwritableError: a name is empty.
    """
    # Backwards, as whether a name needs quotes depends on what follows it.
    rest = ""
    table = phrase_table() if table is None else table
    for one in reversed(text.sentences):
        rest = _sentence(one, rest, table)
    return write_headline(text.headline, rest) + rest if text.headline is not None else rest


def _sentence(one: Sentence, rest: str, table: PhraseTable) -> str:
    day = write_date(one.written_date.date, one.written_date.style)
    rest = f". {rest}" if rest else "."
    if not one.front:
        rest = f" on {day}{rest}"
    terminal = "LAST_OBJECT" if one.front else "DATED_OBJECT"
    if one.object_by is Naming.NAME:
        rest = write_name(one.object, terminal, rest, table) + rest
    else:
        rest = one.object_by + rest
    rest = f" {one.phrase.words} {rest}"
    if one.subject_by is Naming.NAME:
        rest = write_name(one.subject, "SUBJECT", rest, table) + rest
    else:
        first = not one.front and one.link is Link.NONE
        rest = (one.subject_by.capitalize() if first else one.subject_by) + rest
    return f"On {day}, {rest}" if one.front else f"{_LINKS[one.link]}{rest}"
