"""Parses prompts about a temporal knowledge graph into facts and a question.

Source: synthetic temporal knowledge graphs, section 5.3 and Table 6; ``index_prompts.lark``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple, cast

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from grammar.errors import Fault, FaultError, ParseError, found_at

PART = "prompt"
"""Name of the text in error messages."""

_NUMBER = re.compile(r"[0-9]+")
_LONGEST_LINE = 200
_WORDS = {
    "STAMP": 'a time and "[", as in "21 : ["',
    "ENTITY": 'an entity, as in "0. 1071"',
    "RELATION": 'a relation between commas, as in ", 20, "',
    "BLANK": '"?"',
    "CLOSE": '"]"',
    "FACT": 'a fact, as in "21 : [0. 1071, 20, 1. 1493]"',
    "QUESTION": 'a question, as in "21 : [0. 1071, 20, ?]"',
    "EXAMPLE": '"Example:"',
    "SOLVE": '"New Solve:"',
    "$END": "the end of the prompt",
}


class Fact(NamedTuple):
    """A quadruple of ids."""

    head: int
    relation: int
    tail: int
    time: int


class Question(NamedTuple):
    """A quadruple without its tail."""

    head: int
    relation: int
    time: int


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexPrompt:
    """A parsed prompt.

    Attributes:
        examples: solved questions: the facts of the context, followed by the answer.
        context: context of the question.
        question: the question.
        entities: entities by index in the prompt, from 0; empty without indexes.
    """

    examples: tuple[tuple[Fact, ...], ...]
    context: tuple[Fact, ...]
    question: Question
    entities: tuple[int, ...]


def read_prompt(text: str) -> IndexPrompt:
    """Parse a prompt.

    Raises:
        ParseError: the text is invalid, or its indexes are inconsistent.
    """
    try:
        return _PromptReader().prompt(_parser().parse(text, start=PART))
    except UnexpectedInput as error:
        fault = _fault(text, error)
    except FaultError as error:
        fault = error.fault
    raise ParseError.of(fault, part=PART, text=text)


@cache
def _parser() -> Lark:
    grammar = Path(__file__).with_name("index_prompts.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer="contextual", start=[PART, "line"])


class _PromptReader:
    """Extracts the numbers of one prompt's lines and checks the indexes of entities."""

    def __init__(self) -> None:
        self._entities: list[int] = []
        self._index: dict[int, int] = {}
        self._indexed: bool | None = None

    def prompt(self, tree: Tree[Token]) -> IndexPrompt:
        examples = [tuple(self._facts(one)) for one in tree.children if isinstance(one, Tree)]
        context = tuple(self._facts(tree))
        head, relation, time = self._numbers(cast("Token", tree.children[-1]))
        return IndexPrompt(
            examples=tuple(examples),
            context=context,
            question=Question(head, relation, time),
            entities=tuple(self._entities),
        )

    def _facts(self, tree: Tree[Token]) -> Iterator[Fact]:
        for child in tree.children:
            if isinstance(child, Token) and child.type == "FACT":
                head, relation, tail, time = self._numbers(child)
                yield Fact(head, relation, tail, time)

    def _numbers(self, line: Token) -> tuple[int, ...]:
        """Head, relation, tail (of facts) and time, without the indexes."""
        found = [int(number) for number in _NUMBER.findall(line)]
        plain = 3 if line.type == "QUESTION" else 4
        indexed = len(found) != plain
        if self._indexed is None:
            self._indexed = indexed
        if indexed != self._indexed or len(found) not in (plain, 2 * plain - 2):
            raise self._mixed(line)
        if not indexed:
            return (*found[1:], found[0])
        self._check_index(line, found[1], found[2], 1)
        if plain == 3:
            return found[2], found[3], found[0]
        self._check_index(line, found[4], found[5], 4)
        return found[2], found[3], found[5], found[0]

    def _check_index(self, line: Token, index: int, entity: int, place: int) -> None:
        """Check that an index is consistent with earlier ones; new indexes must be consecutive."""
        if index < len(self._entities):
            expected = self._entities[index]
            if expected != entity:
                raise _refused(line, place + 1, f"entity {expected} under index {index}")
        elif index > len(self._entities) or entity in self._index:
            due = self._index.get(entity, len(self._entities))
            raise _refused(line, place, f"index {due} for entity {entity}")
        else:
            self._index[entity] = index
            self._entities.append(entity)

    def _mixed(self, line: Token) -> FaultError:
        form = "an index before each entity, as in" if self._indexed else "no indexes, as in"
        shape = '"0. 1071"' if self._indexed else '"1071"'
        return _refused(line, 1, f"{form} {shape}, throughout the prompt")


def _refused(line: Token, number: int, expected: str) -> FaultError:
    place = [one.start() for one in _NUMBER.finditer(line)][number]
    found = found_at(line.partition("\n")[0], place)
    return FaultError(Fault(position=(line.start_pos or 0) + place, found=found, expected=expected))


def _fault(text: str, error: UnexpectedInput) -> Fault:
    """Locate a syntax error, within the line at which the parser stopped if possible."""
    position, allowed = _halt(text, error)
    words = _WORDS
    begin = text.rfind("\n", 0, position) + 1
    line = text[begin : begin + _LONGEST_LINE].partition("\n")[0].removesuffix("\r")
    if {"FACT", "QUESTION"} & allowed and line[:1].isdecimal():
        try:
            _parser().parse(line, start="line")
        except UnexpectedInput as within:
            place, allowed = _halt(line, within)
            position, words = begin + place, _WORDS | {"$END": "the end of the line"}
        else:
            if "QUESTION" in allowed:
                # A complete fact on an unterminated last line: the question is missing.
                position = begin + len(line)
    known = [words[name] for name in words if name in allowed]
    return Fault(
        position=position,
        found=_found(text, position),
        expected=" or ".join(known) or words["$END"],
    )


def _found(text: str, position: int) -> str:
    rest = text[position : position + _LONGEST_LINE].partition("\n")[0].rstrip("\r")
    if rest:
        return found_at(rest, 0) if rest.strip() else "a blank"
    if position >= len(text):
        return "the end of the text"
    return "an empty line" if position == 0 or text[position - 1] == "\n" else "the end of the line"


def _halt(text: str, error: UnexpectedInput) -> tuple[int, set[str]]:
    if isinstance(error, UnexpectedToken):
        at_end = error.token.type == "$END"
        return len(text) if at_end else error.token.start_pos or 0, set(error.expected)
    allowed = error.allowed if isinstance(error, UnexpectedCharacters) else None
    return error.pos_in_stream or 0, set(allowed or ())
