"""Resolves user-supplied names of entities, relations and times to ids."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from solver.errors import HopcheckError
from solver.reading.failures import shown
from solver.tkg.dataset import Vocabulary

INVERSE = "^-1"
"""Suffix of inverse relations."""

_SUGGESTED = 3


class UnknownNameError(HopcheckError):
    """A name or an id that the graph does not have."""

    code = "name"


def entity_id(vocabulary: Vocabulary, text: str) -> int:
    """Resolve the name or id of an entity.

    Raises:
        UnknownNameError: there is none; the hint lists the closest names.
    """
    return _id("entity", vocabulary.entity_names, vocabulary.entities, text)


def relation_id(vocabulary: Vocabulary, text: str) -> int:
    """Resolve the name or id of a relation; inverses have the suffix ``^-1``.

    Raises:
        UnknownNameError: there is none; the hint lists the closest names.
    """
    names, size = vocabulary.relation_names, vocabulary.relations
    if text not in names and text.endswith(INVERSE):
        plain = _id("relation", names, size, text.removesuffix(INVERSE))
        return plain + size
    return _id("relation", names, 2 * size, text)


def time_id(vocabulary: Vocabulary, text: str) -> int:
    """Resolve the name of a time, such as a date, or its number; one past the last is allowed.

    Raises:
        UnknownNameError: there is none.
    """
    names = vocabulary.time_names
    if text in names:
        return names.index(text) * vocabulary.time_step
    return _id("time", names, vocabulary.times + 1, text)


def _id(kind: str, names: Sequence[str], size: int, text: str) -> int:
    if text in names:
        return names.index(text)
    if text.isascii() and text.isdecimal():
        if int(text) < size:
            return int(text)
        raise UnknownNameError(f"found {kind} {text}, expected 0 to {size - 1}")
    expected = f"expected a name or an id of 0 to {size - 1}"
    hint = nearest_hint(text, names)
    raise UnknownNameError(f"found no {kind} {shown(text)}, {expected}", hint=hint)


def nearest_hint(text: str, names: Sequence[str]) -> str:
    """Hint with the names closest to a text; empty if there are none."""
    near = get_close_matches(text, names, n=_SUGGESTED, cutoff=0.5)
    return f"near: {', '.join(near)}" if near else ""
