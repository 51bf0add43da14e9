"""Where a name ends: patterns derived from the phrases of a grammar.

A name has no delimiters: it extends to the next phrase that a point follows, the next sentence or
the end of the text. Since a Lark terminal cannot look ahead to another one, the grammars contain
placeholders such as ``@POINT_END@``, which the hooks made here replace by patterns built from the
grammar's own phrases.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from lark.lexer import PatternRE, TerminalDef

from grammar.lexicon import CLAIMS, ORDERS, Lexicon
from solver.model import Domain

EditTerminal: TypeAlias = Callable[[TerminalDef], None]

_SPACES = r"\s{1,20}"
_TEXT_END = r"\.\Z|\Z"
ARTICLE = " the"
"""Optional last word of a phrase before a point."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Boundaries:
    """Patterns of a prose grammar.

    Attributes:
        opening: the mark of a point at the start of a sentence, ``The start of ``.
        mark: the mark of a point elsewhere, ``start of ``.
        phrase: a phrase of a premise, `` happened before the``.
        link: a phrase and the mark after it, `` happened before the end of ``.
        close: the part of a phrase after the second point, `` had happened``.
        claim_phrase: a phrase of a claim, `` happens before``.
        sentence_start: a full stop and the opening of the next sentence.
    """

    opening: str
    mark: str
    phrase: str
    link: str
    close: str
    claim_phrase: str
    sentence_start: str

    def fill(self, pattern: str) -> str:
        """Replace the placeholders of a pattern by what may follow a name."""
        ends = {
            "@POINT_END@": f"{self.link}|{self.sentence_start}|{_TEXT_END}",
            "@INNER_END@": f"{self.close}(?:{self.sentence_start}|{_TEXT_END})",
            "@SUBJECT_END@": f"{self.claim_phrase} ",
            "@OBJECT_END@": f"{self.claim_phrase} |{_TEXT_END}",
        }
        for place, end in ends.items():
            pattern = pattern.replace(place, end)
        return pattern


def boundaries(lexicon: Lexicon) -> Boundaries:
    """Build the patterns of a prose grammar."""
    words = lexicon.literals
    marks = [words[name] for name in words if name.endswith("_MARK")]
    opening = f"(?:{_any(words['ARTICLE'])})?(?:{_any(m for mark in marks for m in mark)})"
    mark = f"(?:{_any(mark[0] for mark in marks)})"
    phrase = _phrase(text for name in ORDERS if name in words for text in words[name])
    return Boundaries(
        opening=opening,
        mark=mark,
        phrase=phrase,
        link=f"{phrase} {mark}",
        close=f" (?:{_any(words.get('AFTER_CLOSE', ()))})",
        claim_phrase=f" (?:{_any(text for name in CLAIMS for text in words[name])})",
        sentence_start=rf"\.{_SPACES}{opening}",
    )


def editor(lexicon: Lexicon) -> EditTerminal:
    """The Lark hook that completes the terminals of a grammar."""
    return _symbols(lexicon) if lexicon.domain is Domain.LOGICAL else _prose(lexicon)


def _prose(lexicon: Lexicon) -> EditTerminal:
    edges = boundaries(lexicon)

    def edit(terminal: TerminalDef) -> None:
        name = terminal.name
        texts = lexicon.literals.get(name, ())
        if name in ORDERS:
            terminal.pattern = PatternRE(f"{_phrase(texts)} (?={edges.mark})")
        elif name in CLAIMS:
            terminal.pattern = PatternRE(f" (?:{_any(texts)}) ")
        elif name.endswith("_CLOSE"):
            terminal.pattern = PatternRE(f" (?:{_any(texts)})")
        else:
            terminal.pattern = PatternRE(edges.fill(terminal.pattern.to_regexp()))

    return edit


def _symbols(lexicon: Lexicon) -> EditTerminal:
    def edit(terminal: TerminalDef) -> None:
        if terminal.name in ORDERS or terminal.name in CLAIMS:
            texts = lexicon.literals[terminal.name]
            # Around symbols, spaces are optional.
            space = " " if texts[0][0].isalpha() else " ?"
            terminal.pattern = PatternRE(f"{space}(?:{_any(texts)}){space}")

    return edit


def _phrase(texts: Iterable[str]) -> str:
    """A phrase after a space; the article at its end is optional."""
    return f" (?:{_any(text.removesuffix(ARTICLE) for text in texts)})(?:{ARTICLE})?"


def _any(texts: Iterable[str]) -> str:
    """Alternatives, longest first."""
    return "|".join(re.escape(text) for text in sorted(texts, key=lambda text: (-len(text), text)))
