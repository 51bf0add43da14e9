"""Builds the parser of questions: ``questions.lark`` completed by phrases, times and names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache, lru_cache
from itertools import combinations, groupby, takewhile
from pathlib import Path
from typing import NamedTuple

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput
from lark.lexer import PatternRE, TerminalDef

from grammar.errors import (
    Fault,
    FaultError,
    UnwritableError,
    found_at,
    nearest,
    parser_stop,
    quoted,
)
from grammar.names import quote_name
from grammar.questions.model import GENERIC, Form, phrase_table

QUESTION, STATEMENT = "question", "statement"
"""Start symbols, and their names in error messages."""

HIDDEN = "\x00"
"""Placeholder for each character within quotes during parsing."""

_DAY = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_NUMBER = "[0-9]{1,18}"
TIME = f"(?:on {_DAY}|at time {_NUMBER})"
FRONT = f"(?:On {_DAY}|At time {_NUMBER})"
APART = rf"(?:[Oo]n {_DAY}|[Aa]t time [0-9]|(?:a party|someone|they|them|it|that day)(?!\w))"
"""Pattern not allowed in unquoted names."""

WORD = rf"(?!{APART})[^\s“”{HIDDEN}]+"
"""A word of an unquoted name; words are separated by single blanks."""


@cache
def phrase_pattern(*forms: Form, whole: bool = False, parts: bool = True) -> str:
    """A regular expression of all phrases in some forms, without capturing groups.

    It matches the longest phrase: *threaten to halt negotiations with*, not *threaten*.

    Args:
        forms: their forms.
        whole: whole phrases, where the object is asked for.
        parts: the words before the object.
    """
    table = phrase_table()
    found = {name for form in forms for name in table.by_words[form]} if parts else set()
    words = sorted(found.union(table.wholes if whole else ()))
    generic = [
        f"{re.escape(before)}“{HIDDEN}+”{re.escape(after)}"
        for before, after in (GENERIC[form] for form in forms)
    ]
    return f"(?:{'|'.join((_any_of(words), *generic))})"


@cache
def parser() -> Lark:
    """The parser of questions and statements, its two start symbols."""
    grammar = Path(__file__).with_name("questions.lark").read_text(encoding="utf-8")
    return Lark(
        grammar,
        parser="lalr",
        lexer="contextual",
        start=[QUESTION, STATEMENT],
        maybe_placeholders=False,
        edit_terminals=_fill,
    )


_BY_FACT = ("SUBJECT", "BASE", "_BLANK", "OBJECT")
_THAT_FACT = ("SUBJECT_WILL", "WILL_BASE", "_BLANK", "OBJECT")
_STATED = ("SUBJECT_THEN", "PAST", "_BLANK", "OBJECT")
_SEQUENCES: Mapping[str, Sequence[tuple[str, tuple[str, ...]]]] = {
    STATEMENT: (
        ("statement", ("FRONT", *_STATED, "FULL_STOP")),
        ("statement", (*_STATED, "WHEN_STATED")),
    ),
    QUESTION: (
        ("yes_unknown", ("WILL", *_BY_FACT, "WHEN")),
        ("yes_unknown", ("FRONT_WILL", *_BY_FACT, "STOP")),
        ("yes_unknown", ("ASKED", *_BY_FACT, "WHEN")),
        ("yes_unknown", ("FRONT_ASKED", *_BY_FACT, "STOP")),
        ("fact_reasoning", ("WHY", *_BY_FACT, "WHEN")),
        ("fact_reasoning", ("FRONT_WHY", *_BY_FACT, "STOP")),
        ("fact_reasoning", ("EVENT", *_THAT_FACT, "WHEN")),
        ("fact_reasoning", ("LIKELY", *_THAT_FACT, "WHEN")),
    ),
}
"""Kinds of texts about one whole fact, and their tokens. Each token but the first is the only one
that the parser accepts at its place, and no two openings match the same text."""


class Tokens(NamedTuple):
    """The tokens of a text, none of a type twice.

    Attributes:
        kind: the kind of question, or ``statement``.
        hidden: the text, as it was parsed.
        places: begin and end of each token, by its type.
    """

    kind: str
    hidden: str
    places: Mapping[str, tuple[int, int]]

    def first(self, types: tuple[str, ...]) -> tuple[str, int, int]:
        """Words, begin and end of the token of the first of these types that there is."""
        for name in types:
            if name in self.places:
                begin, end = self.places[name]
                return self.hidden[begin:end], begin, end
        raise KeyError(types)


def tokens(hidden: str, part: str) -> Tokens:
    """Split a text into tokens.

    Raises:
        UnexpectedInput: it does not follow the grammar.
    """
    return tokens_about_a_fact(hidden, part) or parsed_tokens(hidden, part)


def parsed_tokens(hidden: str, part: str) -> Tokens:
    """The tokens of a text, by the parser; raises as ``tokens`` does."""
    tree: Tree[Token] = parser().parse(hidden, start=part)
    if part == QUESTION:
        # The child of the start symbol is the kind of question.
        (tree,) = (child for child in tree.children if isinstance(child, Tree))
    found = [child for child in tree.children if isinstance(child, Token)]
    places = {token.type: (token.start_pos or 0, token.end_pos or 0) for token in found}
    return Tokens(kind=str(tree.data), hidden=hidden, places=places)


def tokens_about_a_fact(hidden: str, part: str) -> Tokens | None:
    """The tokens of a text about one whole fact, by one regular expression.

    The same as the parser's, in a tenth of the time; None for other texts, and for wrong ones.
    """
    for kind, names, pattern in _patterns(part):
        found = pattern.match(hidden)
        if found is not None:
            places = dict(zip(names, found.regs[1:], strict=True))
            return Tokens(kind=kind, hidden=hidden, places=places)
    return None


@cache
def _patterns(part: str) -> list[tuple[str, tuple[str, ...], re.Pattern[str]]]:
    """Patterns of token sequences, with the tokens that the parser keeps; as it, none goes back."""
    terminals = {terminal.name: terminal.pattern.to_regexp() for terminal in parser().terminals}
    return [
        (
            kind,
            tuple(name for name in names if not name.startswith("_")),
            re.compile(
                "".join(
                    f"(?>{terminals[name]})" if name.startswith("_") else f"((?>{terminals[name]}))"
                    for name in names
                )
            ),
        )
        for kind, names in _SEQUENCES[part]
    ]


def _any_of(words: Iterable[str]) -> str:
    """A regular expression of sorted words as a prefix tree, so that mismatches fail early."""
    branches = []
    for letter, group in groupby(words, key=lambda word: word[:1]):
        if not letter:
            continue
        alike = list(group)
        # The words are sorted: a prefix of the first and the last is common to all.
        shared = takewhile(lambda pair: pair[0] == pair[1], zip(alike[0], alike[-1], strict=False))
        stem = "".join(letter for letter, _ in shared)
        rests = [word[len(stem) :] for word in alike]
        branch = re.escape(stem)
        if any(rests):
            branch += _any_of(rests) + ("?" if "" in rests else "")
        branches.append(branch)
    return f"(?:{'|'.join(branches)})"


@cache
def _places() -> dict[str, str]:
    return {
        "@FRONT@": FRONT,
        "@TIME@": TIME,
        "@MIDDLE@": TIME,
        "@QUOTED@": f"“{HIDDEN}+”",
        "@WORD@": WORD,
        "@AFTER@": _any_of(sorted({row.after for row in phrase_table().rows.values()} - {""})),
        "@WHOLE@": phrase_pattern(Form.BASE, whole=True, parts=False),
        **{f"@{form.name}@": phrase_pattern(form) for form in Form},
    }


def _fill(terminal: TerminalDef) -> None:
    pattern = terminal.pattern.value
    for place, filling in _places().items():
        pattern = pattern.replace(place, filling)
    if pattern != terminal.pattern.value:
        terminal.pattern = PatternRE(pattern, terminal.pattern.flags)


LONGEST = 2_000
"""Maximal number of characters outside of quotes."""

MOST_PHRASES = 12
"""Maximal number of phrases outside of quotes, all of which the reader tries."""

_PUT_ASIDE = "\x01"
_QUOTED = re.compile(r"“((?:[^”\\]|\\.?)*+)(?:”|(\Z))", re.DOTALL)


class HiddenText(NamedTuple):
    """A text with each character within quotes replaced by ``HIDDEN``; positions are kept."""

    text: str
    hidden: str

    @classmethod
    def of(cls, text: str) -> HiddenText:
        """Hide quoted names.

        Raises:
            FaultError: the text is too long, on several lines, or a quote has no end.
        """
        if not text.isprintable():
            place = next(place for place, letter in enumerate(text) if not letter.isprintable())
            found = quoted(text[place])
            expected = "a text on one line, with what cannot be printed quoted and escaped"
            raise FaultError(Fault(position=place, found=found, expected=expected))
        hidden = _QUOTED.sub(_hide, text) if "“" in text else text
        bare = len(hidden) - hidden.count(HIDDEN)
        if bare > LONGEST:
            found = f"{bare:,} letters outside of quotes"
            raise FaultError(Fault(position=0, found=found, expected=f"at most {LONGEST:,}"))
        return cls(text=text, hidden=hidden)

    def phrases(self, part: str) -> list[tuple[int, int]]:
        """Start and end positions of phrases, by start; of two that overlap the first."""
        return spans(self.hidden, part)

    def choices(self, places: list[tuple[int, int]]) -> Iterator[str]:
        """Variants of the hidden text, each with one or two phrases kept, the others masked."""
        for size in (1, 2):
            for kept in combinations(places, size):
                letters = list(self.hidden)
                for start, _ in places:
                    # A phrase that starts within a kept one is skipped anyway.
                    if not any(first <= start < last for first, last in kept):
                        letters[start] = _PUT_ASIDE
                yield "".join(letters)


def spans(hidden: str, part: str) -> list[tuple[int, int]]:
    """Start and end positions of the phrases in a text, by start; of two that overlap the first."""
    return [found.span() for found in _phrases(part).finditer(hidden)]


@cache
def _phrases(part: str) -> re.Pattern[str]:
    asking = part == QUESTION
    pattern = phrase_pattern(Form.BASE if asking else Form.PAST, whole=asking)
    return re.compile(f"(?<= ){pattern}(?=[ ,?.])")


def _hide(found: re.Match[str]) -> str:
    if found[2] is not None:
        found_text = found_at(found.string, found.start())
        expected = "an end of this quoted name, ”"
        raise FaultError(Fault(position=found.start(), found=found_text, expected=expected))
    return f"“{HIDDEN * len(found[1])}”"


LONGEST_QUESTION_NAMES = 200
"""Maximal length of an unquoted name."""


@lru_cache(maxsize=1 << 16)
def write_name(name: str) -> str:
    """Format a name for questions and statements.

    Raises:
        UnwritableError: the name is empty.
    """
    if not name:
        raise UnwritableError("found an empty name, expected one", hint="name it or omit it")
    return name if is_plain(name) else quote_name(name)


def is_plain(name: str) -> bool:
    """Whether a name needs no quotes."""
    return (
        len(name) <= LONGEST_QUESTION_NAMES
        and name.isprintable()
        and _words().fullmatch(name) is not None
        and _phrase().search(f" {name} ") is None
    )


@cache
def _words() -> re.Pattern[str]:
    return re.compile(f"{WORD}(?: {WORD})*")


@cache
def _phrase() -> re.Pattern[str]:
    generic = "|".join(before.strip() for before, _ in GENERIC.values())
    return re.compile(f" (?:{phrase_pattern(*Form, whole=True)}|{generic})[ ,?.]")


_OPENINGS = 'a question, as in "Who will", "Will", "Why will" or "On 2026-01-11, who will"'
_STATEMENT = 'a statement, as in "A hosted a visit by B on 2026-01-11."'
_PHRASE = 'a name and the phrase of a relation, as in "{}"'
_SOMEONE = '"someone" or "a party" after the phrase'
_THEM = '"them" or "it" after the phrase'
_TURN = '". Who else will" or ". Which other party will"'
_BASE = 'the phrase of a relation, as in "host a visit by"'
_EXPECTED = {
    "WHEN": 'the time and "?", as in "on 2026-01-11?" or "at time 17?"',
    "WHEN_STATED": 'the time and a full stop, as in "on 2026-01-11."',
    "STOP": '"?" at the end',
    "FULL_STOP": "a full stop at the end",
    "THAT_DAY": '"that day?" at the end',
    "FRONT_ELSE": _TURN,
    "FRONT_OTHER": _TURN,
    "LATE_ELSE": f"the time, and {_TURN}",
    "LATE_OTHER": f"the time, and {_TURN}",
    "TO_SOMEONE": _SOMEONE,
    "TO_PARTY": _SOMEONE,
    "THEM": _THEM,
    "TO_IT": _THEM,
    "SUBJECT": _PHRASE.format("Ada will host a visit by"),
    "SUBJECT_WILL": _PHRASE.format("Ada will host a visit by"),
    "SUBJECT_THEN": _PHRASE.format("Ada hosted a visit by"),
    "FIRST_BASE": _BASE,
    "ASKED_BASE": _BASE,
    "BASE": _BASE,
    "WHOLE": _BASE,
    "OBJECT": "a name",
    "NAMED": f"a name and {_TURN}",
    "$END": "the end of the text",
}
_NAMES = {"SUBJECT", "SUBJECT_WILL", "SUBJECT_THEN", "OBJECT", "NAMED"}
_FORMS = {
    "SUBJECT": Form.BASE, "FIRST_BASE": Form.BASE, "BASE": Form.BASE, "SUBJECT_WILL": Form.BASE,
    "WILL_BASE": Form.BASE, "WHOLE": Form.BASE, "ASKED_BASE": Form.BASE,
    "SUBJECT_THEN": Form.PAST, "PAST": Form.PAST,
}  # fmt: skip
_ODD = (
    (re.compile(rf"(?:(?<= )|^){APART}"), "a name between “ and ”, as a time or a party is in it"),
    (re.compile("  "), "one blank"),
    (re.compile("(?<! )“|”(?![ ,?.])"), "quotes around a whole name"),
)
"""Patterns not allowed in unquoted names, with what is expected instead."""

_FRONT = re.compile("(?:On [0-9]|At time )")
_OPENED = re.compile(
    rf"(?:Who|Which party|Will|Why|Someone|A party|Yes or unknown|Which of these|{FRONT}, (?:who|"
    r"which party|will|why|someone|a party))(?!\w)"
)
_SECOND = re.compile(r"\. (?:Who else|Which other party) will ")
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
    position, allowed = parser_stop(error, text.text)
    asking = part == QUESTION and not _OPENED.match(text.hidden)
    if not text.text or "WHO" in allowed or (asking and not _SECOND.search(text.hidden)):
        expected = _OPENINGS if part == QUESTION else _STATEMENT
        return Fault(position=0, found=found_at(text.text, 0), expected=expected)
    end = _middle_end(text, part)
    if end is None:
        # Without a valid end the rest cannot be diagnosed.
        return _no_end(text, part)
    candidates = [words for name, words in _EXPECTED.items() if name in allowed]
    expected = " or ".join(dict.fromkeys(candidates)) or _EXPECTED["$END"]
    form = next((_FORMS[name] for name in _FORMS if name in allowed), None)
    fault = None if form is None else _near_phrase(text, position, end, form)
    if fault is None and _NAMES & allowed:
        fault = _odd_name(text, position, end)
    return fault or Fault(position=position, found=found_at(text.text, position), expected=expected)


def _middle_end(text: HiddenText, part: str) -> int | None:
    """Start of the final time expression or punctuation; None without one."""
    mark = r"\?" if part == QUESTION else r"\."
    dated = re.search(f" (?:{TIME}|that day){mark}$", text.hidden)
    if dated is not None:
        return dated.start()
    if _FRONT.match(text.hidden):
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
    table = phrase_table()
    phrases = {row.form(form) for row in table.rows.values()}
    phrases |= set(table.wholes) if form is Form.BASE else set()
    second = _SECOND.search(text.hidden, start, end)
    end = min(end if second is None else second.start(), start + _LOOKED_AT)
    near = nearest(text.hidden[:end], sorted(phrases), start=start, ends=None, loose=True)
    if near is None or near.phrase == text.text[near.start : near.end]:
        return None
    words = text.text[near.start : near.end]
    alike = get_close_matches(words, sorted(phrases), n=_NEAREST, cutoff=_LEAST_ALIKE)
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
