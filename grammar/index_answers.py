"""Extracts the entities, best first, from a language model's answer to an index prompt.

Ambiguous answers are rejected: an index with a non-matching entity, or several entities without an
indication of which one is the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

LONGEST = 20_000
"""Maximum number of characters read, from the end of the answer."""

_NAMED = re.compile(
    r"(?<![\w.-])(?P<index>[0-9]{1,9})\.(?P<gap>\s?)(?P<entity>[0-9]{1,18})(?!\w|\.\w)"
)
_NUMBER = re.compile(r"(?<![\w.-])(?P<number>[0-9]{1,18})(?P<dot>\.?)(?!\w|\.\w)")
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
    named = {_entity(one, entities) for one in _NAMED.finditer(cleaned)} if entities else set()
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
        match = _NAMED.match(text, place) or _NUMBER.match(text, place)
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
