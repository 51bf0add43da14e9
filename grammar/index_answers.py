"""Reads what a language model answers to an index prompt: entities, the best first; or none.

Nothing is guessed: an answer that names an index together with another entity, or that talks about
several entities without saying which it means, is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

LONGEST = 20_000
"""Characters of an answer that are read: the last ones."""

_NAMED = re.compile(
    r"(?<![\w.-])(?P<index>[0-9]{1,9})\.(?P<gap>\s?)(?P<entity>[0-9]{1,18})(?!\w|\.\w)"
)
_NUMBER = re.compile(r"(?<![\w.-])(?P<number>[0-9]{1,18})(?P<dot>\.?)(?!\w|\.\w)")
# A fact that was completed: its tail is the answer.
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
    """The entities that a text answers, the best first, each once; none if it cannot be read.

    In this order: a text of entities and nothing else; what follows the last "answer:" on its
    line; the last line, if it is of entities and nothing else; the only entity that is named with
    its index. ``0.``, ``0``, ``0. 1071`` and ``1071`` name an entity, and so does a completed fact.

    Args:
        text: the answer.
        entities: by their indexes in the prompt; empty for a prompt without indexes, where each
            number is an entity.
    """
    said = _FACT.sub(r" \g<tail> ", _DECORATION.sub(" ", text[-LONGEST:])).strip()
    for part in _parts(said):
        found = _listed(part, entities)
        if found:
            return found
    told = {_entity(one, entities) for one in _NAMED.finditer(said)} if entities else set()
    alone = next(iter(told)) if len(told) == 1 else None
    return () if alone is None else (alone,)


def _parts(said: str) -> Iterator[str]:
    yield said
    marks = list(_MARK.finditer(said))
    if marks:
        yield said[marks[-1].end() :].strip().partition("\n")[0]
    yield said.rpartition("\n")[2]


def _listed(text: str, entities: Sequence[int]) -> tuple[int, ...]:
    """The entities of a text that holds nothing else; none if it does."""
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
    """The entity that is named; None if there is no such one in the prompt."""
    named = match.groupdict()
    if "entity" in named:
        index, entity = int(named["index"]), int(named["entity"])
        if not entities:
            # A list that the model itself numbered, or else a fraction.
            return entity if named["gap"] else None
        return entity if index < len(entities) and entities[index] == entity else None
    number = int(named["number"])
    if not entities:
        return number
    if number < len(entities):
        return entities[number]
    return number if not named["dot"] and number in entities else None
