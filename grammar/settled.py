"""Normalizes names within an item: different spellings of the same name are unified.

1. At the start of a sentence, a capital letter or article may belong to the sentence instead of the
   name: ``The harvest happens before …`` is about ``harvest`` if that is the name elsewhere, and
   about ``The Harvest`` if that is.
2. Straight and curly apostrophes are equivalent, and so are composed and decomposed accents. The
   first spelling is used.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from solver.model import Claim, Item, Point, Relation

_ARTICLE = "The "
_APOSTROPHES = str.maketrans({"’": "'", "ʼ": "'"})


def spellings(names: Iterable[str]) -> dict[str, str]:
    """Map the normal form of each name to its first spelling."""
    first: dict[str, str] = {}
    for name in names:
        first.setdefault(_folded(name), name)
    return first


def normalize_subject(name: str, known: Mapping[str, str]) -> str:
    """Match the name at the start of a claim to a known name, apart from its capital letter.

    Args:
        name: the name as written.
        known: the spellings of all other names of the item.
    """
    bare = name.removeprefix(_ARTICLE)
    for candidate in (name, bare, _uncapitalised(bare)):
        spelled = known.get(_folded(candidate))
        if spelled is not None:
            return spelled
    return bare


def normalize_openings(item: Item) -> Item:
    """Lower capitals at the start of sentences, where the logical domain has names."""
    fixed = {relation.right.event for relation in item.premise} | set(_sides(item.claim)[1:])
    lower = {name for name in _names(item) if not name[0].isupper()}
    renamed = {
        name: _uncapitalised(name)
        for name in _names(item)
        if name not in fixed and _uncapitalised(name) in lower
    }
    return _renamed(item, renamed)


def normalize_spellings(item: Item) -> Item:
    """Replace each name by its first spelling."""
    first = spellings(_names(item))
    return _renamed(item, {name: first[_folded(name)] for name in _names(item)})


def _folded(name: str) -> str:
    if name.isascii():
        return name
    return unicodedata.normalize("NFC", name).translate(_APOSTROPHES)


def _uncapitalised(name: str) -> str:
    return name[:1].lower() + name[1:]


def _sides(claim: Claim | Relation) -> list[str]:
    if isinstance(claim, Claim):
        return [claim.left, claim.right]
    return [claim.left.event, claim.right.event]


def _names(item: Item) -> Iterator[str]:
    for relation in item.premise:
        yield relation.left.event
        yield relation.right.event
    yield from _sides(item.claim)


def _renamed(item: Item, names: Mapping[str, str]) -> Item:
    if all(old == new for old, new in names.items()):
        return item
    claim = item.claim
    return replace(
        item,
        premise=tuple(_relations(item.premise, names)),
        claim=next(_relations([claim], names))
        if isinstance(claim, Relation)
        else replace(
            claim,
            left=names.get(claim.left, claim.left),
            right=names.get(claim.right, claim.right),
        ),
    )


def _relations(relations: Iterable[Relation], names: Mapping[str, str]) -> Iterator[Relation]:
    for relation in relations:
        yield replace(
            relation, left=_point(relation.left, names), right=_point(relation.right, names)
        )


def _point(point: Point, names: Mapping[str, str]) -> Point:
    return replace(point, event=names.get(point.event, point.event))
