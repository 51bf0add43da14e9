"""Reads and writes texts of dated facts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache, partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput
from lark.lexer import PatternRE, TerminalDef

from grammar import dates
from grammar.dates import WrittenDate, read_date, write_date
from grammar.errors import Fault, FaultError, UnwritableError, found_at, parser_stop, placed
from grammar.names import ABBREVIATION, OPEN, quote_name, read_name
from grammar.texts.model import FactText, Headline, Link, Naming, Sentence
from grammar.texts.phrases import PhraseTable, compositions, phrase_table

TITLES = (
    "News in brief",
    "From our correspondents",
    "Notices of the week",
    "The record",
    "Around the world",
)
"""Titles that name no entity, as in texts of earlier versions."""

ABOUT = (
    "News of {}",
    "Spotlight on {}",
    "A day to remember for {}",
    "{} in the news",
    "{} makes headlines",
)
"""Titles about an entity."""

# Within quotes a backslash escapes quotes and unprintable characters; see grammar/names.py.
_QUOTED = r"“(?:[^”\\]|\\.)+”"
_ODD = r"\s“”\x00-\x1f\x7f-\x9f\ud800-\udfff"
# A full stop belongs to a word before another letter, and after an initial or an abbreviation.
_WORD = (
    rf"(?:(?:(?:[^\W\d_]\.)+|(?:{ABBREVIATION.pattern})\.)(?= )"
    rf"|(?:[^.{_ODD}]|\.(?=[^.{_ODD}]))+)"
)


_TABLES = 64
"""Maximum number of tables of phrases whose parsers are kept."""


@lru_cache(maxsize=_TABLES)
def places(table: PhraseTable) -> dict[str, str]:
    """The regular expression for each ``@PLACEHOLDER@`` of the grammar file."""
    composed, patterns = set[str](), list[str]()
    for composition in compositions():
        ties = "|".join(map(re.escape, composition.ties.values()))
        verbs = [
            *(past for past, _ in composition.verbs),
            *(f"will {verb}" for _, verb in composition.verbs),
        ]
        patterns.append(f"(?:{'|'.join(map(re.escape, verbs))}) (?:{ties})")
        composed |= {f"{verb} {tie}" for verb in verbs for tie in composition.ties.values()}
    others = sorted(set(table.by_words) - composed)
    patterns.append(_one_of([tuple(words.split(" ")) for words in others]))
    phrases = f"(?:{'|'.join(patterns)})"
    opening = rf"On {dates.PATTERN}, |Later, |On the same day, |Meanwhile, |{dates.PATTERN} – "
    return {
        "@OPENING@": opening,
        "@PHRASE@": phrases,
        "@TITLE@": _titles(),
        "@DATE@": dates.PATTERN,
        "@QUOTED@": _QUOTED,
        "@WORD@": _WORD,
    }


@cache
def _titles() -> str:
    """The pattern of all titles, of which some contain a name."""
    name = rf"(?:{_QUOTED}|{_WORD}(?: {_WORD})*)"
    about = [name.join(map(re.escape, template.split("{}"))) for template in ABOUT]
    return f"(?:{'|'.join([*map(re.escape, TITLES), *about])})"


def _one_of(phrases: Sequence[tuple[str, ...]]) -> str:
    """A pattern of sorted sequences of words, with their common first words factored out.

    No phrase is the beginning of another one.
    """
    found = []
    for word, group in groupby(phrases, key=itemgetter(0)):
        rest = [names[1:] for names in group if len(names) > 1]
        found.append(f"{re.escape(word)} {_one_of(rest)}" if rest else re.escape(word))
    return found[0] if len(found) == 1 else f"(?:{'|'.join(found)})"


@lru_cache(maxsize=_TABLES)
def parser(table: PhraseTable) -> Lark:
    """Build the parser of texts with the phrases of a table."""
    grammar = Path(__file__).with_name("dated_facts.lark").read_text(encoding="utf-8")
    return Lark(
        grammar,
        parser="lalr",
        lexer="contextual",
        start="text",
        maybe_placeholders=False,
        edit_terminals=partial(_fill, table),
    )


@lru_cache(maxsize=3 * _TABLES)
def name_pattern(terminal: str, table: PhraseTable) -> re.Pattern[str]:
    """The pattern of a name terminal of the parser: ``SUBJECT`` or one of the objects."""
    found = parser(table).get_terminal(terminal).pattern
    return re.compile(found.to_regexp())


def _fill(table: PhraseTable, terminal: TerminalDef) -> None:
    pattern = terminal.pattern.value
    for place, filling in places(table).items():
        pattern = pattern.replace(place, filling)
    if pattern != terminal.pattern.value:
        terminal.pattern = PatternRE(pattern, terminal.pattern.flags)


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
    bare = not name.startswith(OPEN) and name.lower() not in REFERENCES
    found = name_pattern(terminal, table).match(name + rest) if bare else None
    if found is not None and found.end() == len(name):
        return name
    return quote_name(name)


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
    found = re.match(rf"{dates.PATTERN} – {_titles()}\. ", plain + rest)
    same = found is not None and found[0] == plain and not headline.name.startswith(OPEN)
    title = plain.removesuffix(". ").partition(" – ")[2]
    if same and _titled(title) == (headline.title, headline.name):
        return plain
    return written(quote_name(headline.name) if headline.name else "")


def _titled(title: str) -> tuple[str, str]:
    """The template and the name of a title; the name is empty if the title has none."""
    if title in TITLES:
        return title, ""
    for template in ABOUT:
        before, after = template.split("{}")
        if title.startswith(before) and title.endswith(after) and len(title) > len(template) - 2:
            return template, read_name(title[len(before) : len(title) - len(after)])
    return title, ""


PART = "text"
"""The name of the input in error messages."""

REFERENCES = (Naming.FORMER.value, Naming.LATTER.value)
"""Words for entities of the sentence before; a name that equals them is quoted."""

_LINKS = {"LATER": Link.LATER, "SAME_DAY": Link.SAME_DAY, "MEANWHILE": Link.MEANWHILE}
_EXPECTED = {
    "HEADLINE": "a headline",
    "SUBJECT": "a name and a phrase after it",
    "PHRASE": "a phrase such as joined",
    "DATED_OBJECT": "a name and the date of the fact, as in Rovers on 2026-01-11.",
    "LAST_OBJECT": "a name at the end of its sentence",
    "DATE": "a date",
    "STOP": "the end of the sentence",
    "$END": "the end of the text",
}


def read_text(text: str, table: PhraseTable | None = None) -> FactText:
    """Parse a text.

    Args:
        text: sentences, each of which states a fact.
        table: the phrases; by default those of ``phrases.tsv``.

    Raises:
        ParseError: a part of the text states no fact; gives the position.
    """
    body = text.strip()
    table = phrase_table() if table is None else table
    try:
        return _text(parser(table).parse(body), table)
    except UnexpectedInput as error:
        fault = _fault(body, error)
    except FaultError as error:
        fault = error.fault
    raise placed(PART, text, fault)


def _text(tree: Tree[Token], table: PhraseTable) -> FactText:
    headline = None
    sentences: list[Sentence] = []
    for child in tree.children:
        if isinstance(child, Tree):
            before = sentences[-1] if sentences else None
            sentences.append(_sentence(child, table, before))
        else:
            day, _, written = child.removesuffix(". ").partition(" – ")
            title, name = _titled(written)
            headline = Headline(written_date=_date(child, day, 0), title=title, name=name)
    return FactText(sentences=tuple(sentences), headline=headline)


def _sentence(tree: Tree[Token], table: PhraseTable, before: Sentence | None) -> Sentence:
    tokens = {child.type: child for child in tree.children if isinstance(child, Token)}
    front = "FRONT" in tokens
    day = tokens["FRONT"] if front else tokens["DATE"]
    written = day[3:-2] if front else day[4:]
    written_date = _date(day, written, 3 if front else 4)
    end = "LAST" if front else "DATED"
    subject, subject_by = _entity(tokens, "SUBJECT", "REFERENCE", before)
    object_, object_by = _entity(tokens, f"{end}_OBJECT", f"{end}_REFERENCE", before)
    return Sentence(
        subject=subject,
        subject_by=subject_by,
        phrase=table.by_words[tokens["PHRASE"][1:-1]],
        object=object_,
        object_by=object_by,
        written_date=written_date,
        front=front,
        link=next((_LINKS[name] for name in _LINKS if name in tokens), Link.NONE),
    )


def _entity(
    tokens: Mapping[str, Token], name: str, reference: str, before: Sentence | None
) -> tuple[str, Naming]:
    """An entity, named or referred to."""
    if name in tokens:
        return read_name(tokens[name]), Naming.NAME
    token = tokens[reference]
    naming = Naming(token.lower())
    if before is None:
        expected = "a name, as no sentence comes before"
        fault = Fault(position=token.start_pos or 0, found=f'"{token}"', expected=expected)
        raise FaultError(fault)
    return (before.subject if naming is Naming.FORMER else before.object), naming


def _date(token: Token, written: str, offset: int) -> WrittenDate:
    try:
        return read_date(written)
    except ValueError as error:
        position = (token.start_pos or 0) + offset
        found = f'"{written}"'
        raise FaultError(Fault(position=position, found=found, expected=str(error))) from None


def _fault(text: str, error: UnexpectedInput) -> Fault:
    position, allowed = parser_stop(error, text)
    expected = [words for name, words in _EXPECTED.items() if name in allowed]
    return Fault(
        position=position,
        found=found_at(text, position),
        expected=" or ".join(expected) or _EXPECTED["SUBJECT"],
    )


_CONNECTIVES = {
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
    for sentence in reversed(text.sentences):
        rest = _written_sentence(sentence, rest, table)
    return write_headline(text.headline, rest) + rest if text.headline is not None else rest


def _written_sentence(sentence: Sentence, rest: str, table: PhraseTable) -> str:
    day = write_date(sentence.written_date.date, sentence.written_date.style)
    rest = f". {rest}" if rest else "."
    if not sentence.front:
        rest = f" on {day}{rest}"
    terminal = "LAST_OBJECT" if sentence.front else "DATED_OBJECT"
    if sentence.object_by is Naming.NAME:
        rest = write_name(sentence.object, terminal, rest, table) + rest
    else:
        rest = sentence.object_by + rest
    rest = f" {sentence.phrase.words} {rest}"
    if sentence.subject_by is Naming.NAME:
        rest = write_name(sentence.subject, "SUBJECT", rest, table) + rest
    else:
        first = not sentence.front and sentence.link is Link.NONE
        rest = (sentence.subject_by.capitalize() if first else sentence.subject_by) + rest
    return f"On {day}, {rest}" if sentence.front else f"{_CONNECTIVES[sentence.link]}{rest}"
