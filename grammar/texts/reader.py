"""Reads and writes texts of dated facts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cache, lru_cache, partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput
from lark.lexer import PatternRE, TerminalDef

from grammar import dates
from grammar.dates import DateStyle, WrittenDate, read_date, read_relative
from grammar.errors import Fault, FaultError, found_at, parser_stop, placed
from grammar.names import ABBREVIATION, OPEN, read_name
from grammar.texts.discourse import (
    DENIALS,
    OPENINGS,
    ORDINALS,
    Discourse,
    all_references,
    relative_pronoun,
)
from grammar.texts.model import Cast, Clause, FactText, Headline, Link, Naming, Sentence
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


KEPT = 64
"""Maximum number of tables of phrases whose parsers are kept."""


@lru_cache(maxsize=KEPT)
def places(table: PhraseTable) -> dict[str, str]:
    """The regular expression for each ``@PLACEHOLDER@`` of the grammar file."""
    patterns = {
        "DATE": dates.PATTERN,
        "RELATIVE": dates.RELATIVE,
        "RELATIVE_FIRST": dates.RELATIVE_FIRST,
        "PHRASE": _phrases(table),
        "TITLE": titles_pattern(),
        "QUOTED": _QUOTED,
        "WORD": _WORD,
        "WHO": "(?:who|which)",
        "REFERENCE": _any_of(all_references()),
        "REFERENCE_FIRST": _any_of(words[0].upper() + words[1:] for words in all_references()),
        "CAST": _any_of(OPENINGS),
        "DENIAL": _any_of({denial.before for denial in DENIALS}),
    }
    infinitives = [word[len(WILL) :] for word in table.by_words if word.startswith(WILL)]
    between = _any_of({denial.between for denial in DENIALS})
    after = _any_of({denial.after for denial in DENIALS} - {""})
    patterns |= {
        "WHEN": f"(?:on {dates.PATTERN}|{dates.RELATIVE})",
        "END": rf"(?:\.(?: |\Z)|, and {dates.RELATIVE} )",
        "DENIED": f"{between} {_any_of(infinitives)}",
        "DENIED_STOP": rf"(?: {after})?\.(?: |\Z)",
        "OPENING": f"(?:On {dates.PATTERN}|{dates.RELATIVE_FIRST}), |{dates.PATTERN} – "
        f"|(?:Later|On the same day|Meanwhile), |{patterns['DENIAL']} |{patterns['CAST']} ",
    }
    return {f"@{name}@": pattern for name, pattern in patterns.items()}


WILL = "will "
"""How a phrase of the future tense begins; the rest is its infinitive."""


def _phrases(table: PhraseTable) -> str:
    """The pattern of all phrases."""
    composed, patterns = set[str](), list[str]()
    for composition in compositions():
        ties = "|".join(map(re.escape, composition.ties.values()))
        verbs = [
            *(past for past, _ in composition.verbs),
            *(f"{WILL}{verb}" for _, verb in composition.verbs),
        ]
        patterns.append(f"(?:{'|'.join(map(re.escape, verbs))}) (?:{ties})")
        composed |= {f"{verb} {tie}" for verb in verbs for tie in composition.ties.values()}
    others = sorted(set(table.by_words) - composed)
    patterns.append(_one_of([tuple(words.split(" ")) for words in others]))
    return f"(?:{'|'.join(patterns)})"


def _any_of(texts: Iterable[str]) -> str:
    """A pattern of texts, the longest first."""
    return f"(?:{'|'.join(map(re.escape, sorted(texts, key=lambda text: (-len(text), text))))})"


@cache
def titles_pattern() -> str:
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


@lru_cache(maxsize=KEPT)
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


@lru_cache(maxsize=12 * KEPT)
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


def read_title(title: str) -> tuple[str, str]:
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
    headline, cast, discourse = None, None, Discourse()
    sentences: list[Sentence] = []
    for child in tree.children:
        if isinstance(child, Tree) and child.data == "cast":
            cast = _cast(child)
            discourse = replace(discourse, cast=cast.names)
        elif isinstance(child, Tree):
            sentence = _denied(child, table, discourse) if child.data == "denial" else None
            sentence = sentence or _sentence(child, table, discourse)
            sentences += sentence
            discourse.add(sentence)
        else:
            day, _, written = child.removesuffix(". ").partition(" – ")
            title, name = read_title(written)
            headline = Headline(written_date=_date(child, day, 0), title=title, name=name)
            report = headline.written_date.date
            discourse = Discourse(report=report, last_date=report, title=name)
    return FactText(sentences=tuple(sentences), headline=headline, cast=cast)


def _cast(tree: Tree[Token]) -> Cast:
    """The entities listed at the start, each once."""
    opening, *rest = (child for child in tree.children if isinstance(child, Token))
    written = [token for token in rest if token.type == "NAMED"]
    names = [read_name(token) for token in written]
    for place, token in enumerate(written):
        if names[place] in names[:place]:
            raise _fault_at(token, "another name, as this one was listed before")
        if place >= len(ORDINALS):
            raise _fault_at(token, f"at most {len(ORDINALS)} names")
    return Cast(words=opening[:-1], names=tuple(names))


def _sentence(tree: Tree[Token], table: PhraseTable, discourse: Discourse) -> tuple[Sentence, ...]:
    """The clauses of a sentence that states facts."""
    tokens = _tokens(tree)
    parts = {part.data: part for part in tree.children if isinstance(part, Tree)}
    front = "FRONT" in tokens
    subject, subject_by = _entity(tokens, ("SUBJECT", "REFERENCE"), discourse, Clause.MAIN)
    object_, object_by = _entity(tokens, _OBJECTS, discourse, Clause.MAIN)
    main = Sentence(
        subject=subject,
        subject_by=subject_by,
        phrase=table.by_words[tokens["PHRASE"][1:-1]],
        object=object_,
        object_by=object_by,
        written_date=_when(
            tokens["FRONT" if front else "DATE"], discourse.last_date, discourse.report
        ),
        front=front,
        link=next((_LINKS[name] for name in _LINKS if name in tokens), Link.NONE),
    )
    found = [main]
    if "who" in parts:
        tokens = _tokens(parts["who"])
        about = _further(tokens, table, discourse, main, Clause.WHO)
        if tokens["WHO"] != f", {relative_pronoun(about.phrase.relation)}":
            raise _fault_at(tokens["WHO"], "a clause on a subject of another kind")
        found.insert(0, about)
    if "and" in parts:
        found.append(_further(_tokens(parts["and"]), table, discourse, main, Clause.AND))
    return tuple(found)


def _further(
    tokens: Mapping[str, Token],
    table: PhraseTable,
    discourse: Discourse,
    main: Sentence,
    clause: Clause,
) -> Sentence:
    """A clause besides the main one, from whose date it counts."""
    subject, subject_by = main.subject, Naming.OMITTED.value
    if "AND" in tokens:
        subject, subject_by = _entity(tokens, ("SUBJECT", "REFERENCE"), discourse, clause)
    object_, object_by = _entity(tokens, _OBJECTS, discourse, clause)
    day = next(tokens[name] for name in ("DATE", "AND", "AND_SAME") if name in tokens)
    return Sentence(
        subject=subject,
        subject_by=subject_by,
        phrase=table.by_words[tokens["PHRASE"][1:-1]],
        object=object_,
        object_by=object_by,
        written_date=_when(day, main.written_date.date, discourse.report),
        clause=clause,
    )


def _denied(tree: Tree[Token], table: PhraseTable, discourse: Discourse) -> tuple[Sentence, ...]:
    """A sentence that states no fact; its names are written in full."""
    tokens = _tokens(tree)
    phrase, stop = tokens["DENIED_PHRASE"][1:-1], tokens["DENIED_STOP"]
    after = stop.rstrip().removesuffix(".").lstrip()
    before = tokens["DENIAL"][:-1]
    for denial in DENIALS:
        if (denial.before, denial.after) == (before, after):
            words = phrase.removeprefix(f"{denial.between} ")
            if words != phrase and f"{WILL}{words}" in table.by_words:
                break
    else:
        raise _fault_at(stop, f'the end of a sentence that begins with "{before}"')
    return (
        Sentence(
            subject=_entity(tokens, ("DENIED_SUBJECT",), discourse, Clause.DENIED)[0],
            phrase=table.by_words[f"{WILL}{words}"],
            object=_entity(tokens, ("DENIED_OBJECT",), discourse, Clause.DENIED)[0],
            written_date=_when(tokens["DATE"], None, None),
            clause=Clause.DENIED,
            denial=denial,
        ),
    )


def _tokens(tree: Tree[Token]) -> dict[str, Token]:
    return {child.type: child for child in tree.children if isinstance(child, Token)}


_OBJECTS = tuple(
    f"{place}_{form}"
    for place in ("DATED", "JOINED", "LAST", "WITHIN")
    for form in ("OBJECT", "REFERENCE")
)


def _entity(
    tokens: Mapping[str, Token], names: Sequence[str], discourse: Discourse, clause: Clause
) -> tuple[str, str]:
    """An entity, and how it is named: by its name, a part of it or another reference."""
    token = next(tokens[name] for name in names if name in tokens)
    if not token.type.endswith("REFERENCE"):
        fitting = [] if token.startswith(OPEN) or " " in token else discourse.whole_names(token)
        if not fitting:
            return read_name(token), Naming.NAME
        by = str(token)
    else:
        by = token.lower()
        fitting = discourse.meant(by, clause)
    if len(fitting) != 1:
        meant = f"it fits {' and '.join(fitting)}" if fitting else "nothing before fits it"
        if not (fitting or discourse.before) and clause is Clause.MAIN:
            meant = "no sentence comes before"
        raise _fault_at(token, f"a name, as {meant}")
    return fitting[0], by


def _when(token: Token, last: date | None, report: date | None) -> WrittenDate:
    """The date of a clause, in full or relative to the last one."""
    words = token.strip(" ,").removeprefix("and ")
    offset = token.index(words)
    if words[:3] in ("on ", "On "):
        return _date(token, words[3:], offset + 3)
    words = words[0].lower() + words[1:]
    try:
        day = read_relative(words, last, report)
    except ValueError as error:
        raise _fault_at(token, str(error), offset) from None
    return WrittenDate(date=day, style=DateStyle.WORDS, relative=words)


def _fault_at(token: Token, expected: str, offset: int = 0) -> FaultError:
    position = (token.start_pos or 0) + offset
    found = f'"{token.strip(" ,")}"'
    return FaultError(Fault(position=position, found=found, expected=expected))


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
