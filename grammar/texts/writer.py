"""Writes texts of dated facts; what it writes is read back by ``grammar.texts.reader``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from grammar import dates
from grammar.dates import WrittenDate, write_date
from grammar.errors import UnwritableError
from grammar.names import OPEN, quote_name
from grammar.texts.discourse import Discourse, all_references, relative_pronoun
from grammar.texts.model import Clause, FactText, Headline, Link, Naming, Sentence
from grammar.texts.phrases import PhraseTable, phrase_table
from grammar.texts.reader import KEPT, name_pattern, places, read_title, titles_pattern

_CONNECTIVES = {
    Link.NONE: "",
    Link.LATER: "Later, ",
    Link.SAME_DAY: "On the same day, ",
    Link.MEANWHILE: "Meanwhile, ",
}
_REFERENCES = all_references() | {Naming.THEM}


def write_text(text: FactText, table: PhraseTable | None = None) -> str:
    """Write a text on one line; weekdays are computed from the dates.

    Args:
        text: what to write.
        table: the phrases of its readers; by default those of ``phrases.tsv``.

    Raises:
        UnwritableError: a name is empty.
    """
    table = phrase_table() if table is None else table
    # Forwards, as a name that is a part of one stated before needs quotes.
    sentences, discourse = [], Discourse(cast=() if text.cast is None else text.cast.names)
    for clauses in text.by_sentence():
        quoted = frozenset(
            name
            for clause in clauses
            for name in (clause.subject, clause.object)
            if discourse.whole_names(name)
        )
        sentences.append(_Sentence(clauses=clauses, quoted=quoted, table=table))
        discourse.add(clauses)
    # Backwards, as whether a name needs quotes depends on what follows it.
    rest = ""
    for sentence in reversed(sentences):
        rest = sentence.written(rest)
    if text.cast is not None:
        rest = f". {rest}"
        for place, name in reversed(list(enumerate(text.cast.names))):
            rest = write_name(name, "NAMED", rest, table) + rest
            rest = f"; {rest}" if place else f"{text.cast.words} {rest}"
    return write_headline(text.headline, rest) + rest if text.headline is not None else rest


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sentence:
    """A sentence to be written.

    Attributes:
        clauses: in text order.
        quoted: names that would be read as parts of others.
        table: the phrases of the text.
    """

    clauses: tuple[Sentence, ...]
    quoted: frozenset[str]
    table: PhraseTable

    def written(self, rest: str) -> str:
        """The sentence before the rest of its text."""
        rest = f" {rest}" if rest else ""
        first = self.clauses[0]
        if first.denial is not None:
            return self._denied(first, rest)
        by = {clause.clause: clause for clause in self.clauses}
        main, who, further = by[Clause.MAIN], by.get(Clause.WHO), by.get(Clause.AND)
        rest = f".{rest}"
        if further is not None:
            rest = f" {further.phrase.words} {self._object(further, 'LAST', rest)}"
            if further.subject_by != Naming.OMITTED:
                rest = f" {self._subject(further, rest)}"
            rest = f", and {_day(further.written_date)}{rest}"
        if main.front:
            rest = self._object(main, "LAST" if further is None else "JOINED", rest)
        else:
            rest = self._object(main, "DATED", f" {_day(main.written_date)}{rest}")
        rest = f" {main.phrase.words} {rest}"
        if who is not None:
            rest = f" {_day(who.written_date)},{rest}"
            rest = f" {who.phrase.words} {self._object(who, 'WITHIN', rest)}"
            rest = f", {relative_pronoun(who.phrase.relation)}{rest}"
        if main.front:
            return f"{_upper(_day(main.written_date))}, {self._subject(main, rest)}"
        subject = self._subject(main, rest)
        if main.link is not Link.NONE:
            return f"{_CONNECTIVES[main.link]}{subject}"
        return subject if main.subject_by == Naming.NAME else _upper(subject)

    def _denied(self, clause: Sentence, rest: str) -> str:
        denial = clause.denial
        if denial is None:
            raise TypeError("expected a denied fact")
        after = f" {denial.after}" if denial.after else ""
        rest = self._name(
            clause.object, "DENIED_OBJECT", f" {_day(clause.written_date)}{after}.{rest}"
        )
        infinitive = clause.phrase.words.removeprefix("will ")
        rest = f" {denial.between} {infinitive} {rest}"
        return f"{denial.before} {self._name(clause.subject, 'DENIED_SUBJECT', rest)}"

    def _subject(self, clause: Sentence, rest: str) -> str:
        if clause.subject_by != Naming.NAME:
            return f"{clause.subject_by}{rest}"
        return self._name(clause.subject, "SUBJECT", rest)

    def _object(self, clause: Sentence, place: str, rest: str) -> str:
        if clause.object_by != Naming.NAME:
            return f"{clause.object_by}{rest}"
        return self._name(clause.object, f"{place}_OBJECT", rest)

    def _name(self, name: str, terminal: str, rest: str) -> str:
        written = quote_name(name) if name in self.quoted else ""
        return (written or write_name(name, terminal, rest, self.table)) + rest


def _day(written: WrittenDate) -> str:
    """A date in its clause."""
    return written.relative or f"on {write_date(written.date, written.style)}"


def _upper(text: str) -> str:
    return text[0].upper() + text[1:]


def write_name(name: str, terminal: str, rest: str, table: PhraseTable) -> str:
    """Write a name for a given context, with quotes if needed.

    Args:
        name: not empty.
        terminal: the grammar terminal of the name.
        rest: the text that follows it.
        table: the phrases of the text.

    Raises:
        UnwritableError: the name is empty.
    """
    if not name:
        raise UnwritableError("found an empty name, expected one", hint="name it or leave it out")
    bare = not name.startswith(OPEN) and name.lower() not in _REFERENCES
    bare = bare and _misread(table).search(f"{name} ") is None
    if terminal == "LAST_OBJECT":
        # A name that ends with an initial may seem to go on up to a further clause.
        bare = bare and name_pattern("JOINED_OBJECT", table).match(name + rest) is None
    found = name_pattern(terminal, table).match(name + rest) if bare else None
    if found is not None and found.end() == len(name):
        return name
    return quote_name(name)


@lru_cache(maxsize=KEPT)
def _misread(table: PhraseTable) -> re.Pattern[str]:
    """What else a bare name would be read as: a further clause, or a phrase at its start."""
    of = places(table)
    further = rf", (?:and {of['@RELATIVE@']}|{of['@WHO@']} {of['@PHRASE@']}) "
    return re.compile(rf"{further}|\A{of['@PHRASE@']} ")


def write_headline(headline: Headline, rest: str) -> str:
    """Write a headline before a text; its name is quoted if it would not be read back.

    Args:
        headline: the headline.
        rest: the text that follows it.
    """
    day = write_date(headline.written_date.date, headline.written_date.style)

    def written(name: str) -> str:
        return f"{day} – {headline.title.format(name) if name else headline.title}. "

    plain = written(headline.name)
    found = re.match(rf"{dates.PATTERN} – {titles_pattern()}\. ", plain + rest)
    same = found is not None and found[0] == plain and not headline.name.startswith(OPEN)
    title = plain.removesuffix(". ").partition(" – ")[2]
    if same and read_title(title) == (headline.title, headline.name):
        return plain
    return written(quote_name(headline.name) if headline.name else "")
