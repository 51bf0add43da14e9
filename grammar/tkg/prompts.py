"""Parses prompts about a temporal knowledge graph into facts and a question.

Source: synthetic temporal knowledge graphs, section 5.3 and Table 6; ``index_prompts.lark``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple, cast

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from grammar.errors import Fault, FaultError, ParseError, found_at, parser_stop

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
        examples = [tuple(self._facts(child)) for child in tree.children if isinstance(child, Tree)]
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
    place = [match.start() for match in _NUMBER.finditer(line)][number]
    found = found_at(line.partition("\n")[0], place)
    return FaultError(Fault(position=(line.start_pos or 0) + place, found=found, expected=expected))


def _fault(text: str, error: UnexpectedInput) -> Fault:
    """Locate a syntax error, within the line at which the parser stopped if possible."""
    position, allowed = parser_stop(error, text)
    words = _WORDS
    begin = text.rfind("\n", 0, position) + 1
    line = text[begin : begin + _LONGEST_LINE].partition("\n")[0].removesuffix("\r")
    if {"FACT", "QUESTION"} & allowed and line[:1].isdecimal():
        try:
            _parser().parse(line, start="line")
        except UnexpectedInput as within:
            place, allowed = parser_stop(within, line)
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


LONGEST = 20_000
"""Maximum number of characters read, from the end of the answer."""

_NAMED = re.compile(
    r"(?<![\w.-])(?P<index>[0-9]{1,9})\.(?P<gap>\s?)(?P<entity>[0-9]{1,18})(?!\w|\.\w)"
)
_NUMBER_INDEX_ANSWERS = re.compile(r"(?<![\w.-])(?P<number>[0-9]{1,18})(?P<dot>\.?)(?!\w|\.\w)")
# A completed fact, whose tail is the answer.
_FACT = re.compile(
    r"(?:[0-9]{1,18} ?: ?)?\[\s*(?:[0-9]{1,9}\. ?)?[0-9]{1,18}\s*,\s*[0-9]{1,18}\s*,\s*"
    r"(?P<tail>(?:[0-9]{1,9}\. ?)?[0-9]{1,18}\.?)\s*\]?"
)
_MARK = re.compile(
    r"\b(?:answer|prediction|entity|tail|index)\b\s*(?:is\b|would be\b|:|=)\s*"
    r"(?:entity\b|index\b)?",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"[\s,;|>()\[\]{}\"'.]*")
_DECORATION = re.compile(r"[*_`$]+|\\boxed|\\text")


def read_answer(text: str, entities: Sequence[int]) -> tuple[int, ...]:
    """Extract the answered entities, best first, without duplicates; empty if unreadable.

    Tried in order: the whole text, the rest of the line after the last "answer:", and the last
    line, each if it consists of entities only; then the only entity named with its index. ``0.``,
    ``0``, ``0. 1071``, ``1071`` and a completed fact name an entity.

    Args:
        text: the answer.
        entities: entities by index in the prompt; empty for a prompt without indexes, where each
            number is an entity.
    """
    cleaned = _FACT.sub(r" \g<tail> ", _DECORATION.sub(" ", text[-LONGEST:])).strip()
    for part in _parts(cleaned):
        found = _listed(part, entities)
        if found:
            return found
    named = {_entity(match, entities) for match in _NAMED.finditer(cleaned)} if entities else set()
    alone = next(iter(named)) if len(named) == 1 else None
    return () if alone is None else (alone,)


def _parts(cleaned: str) -> Iterator[str]:
    yield cleaned
    marks = list(_MARK.finditer(cleaned))
    if marks:
        yield cleaned[marks[-1].end() :].strip().partition("\n")[0]
    yield cleaned.rpartition("\n")[2]


def _listed(text: str, entities: Sequence[int]) -> tuple[int, ...]:
    """The entities of a text that consists of entities only; empty otherwise."""
    found: dict[int, None] = {}
    place = _after(text, 0)
    while place < len(text):
        match = _NAMED.match(text, place) or _NUMBER_INDEX_ANSWERS.match(text, place)
        if match is None:
            return ()
        entity = _entity(match, entities)
        if entity is None:
            return ()
        found[entity] = None
        place = _after(text, match.end())
    return tuple(found)


def _after(text: str, place: int) -> int:
    match = _BETWEEN.match(text, place)
    return match.end() if match else place


def _entity(match: re.Match[str], entities: Sequence[int]) -> int | None:
    """The named entity; None if it is not in the prompt."""
    named = match.groupdict()
    if "entity" in named:
        index, entity = int(named["index"]), int(named["entity"])
        if not entities:
            # An item of a numbered list if there is a gap, otherwise a decimal number.
            return entity if named["gap"] else None
        return entity if index < len(entities) and entities[index] == entity else None
    number = int(named["number"])
    if not entities:
        return number
    if number < len(entities):
        return entities[number]
    return number if not named["dot"] and number in entities else None
