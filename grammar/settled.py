"""Which names of an item are the same: those that differ by how a text may write them.

1. A sentence may begin with a capital letter or a capital article that belong to the sentence and
   not to the name: ``The harvest happens before …`` speaks of ``harvest`` if that is the name
   elsewhere, and of ``The Harvest`` if that is.
2. A straight and a curly apostrophe are one, and so are the composed and the decomposed form of an
   accented letter. The spelling that comes first stands for all.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from solver.model import Claim, Item, Point, Relation

_ARTICLE = "The "
_APOSTROPHES = str.maketrans({"’": "'", "ʼ": "'"})


def spellings(names: Iterable[str]) -> dict[str, str]:
    """The first spelling of each name, by what all its spellings have in common."""
    first: dict[str, str] = {}
    for name in names:
        first.setdefault(_folded(name), name)
    return first


def settled_subject(name: str, known: Mapping[str, str]) -> str:
    """What the name at the start of a claim is called elsewhere, if a capital begins it.

    Args:
        name: the name as it stands.
        known: the spellings of all other names of the item.
    """
    bare = name.removeprefix(_ARTICLE)
    for candidate in (name, bare, _uncapitalised(bare)):
        spelled = known.get(_folded(candidate))
        if spelled is not None:
            return spelled
    return bare


def settled_openings(item: Item) -> Item:
    """Take away capitals that every sentence may begin with, as names do in the logical domain."""
    firm = {relation.right.event for relation in item.premise} | set(_sides(item.claim)[1:])
    small = {name for name in _names(item) if not name[0].isupper()}
    renamed = {
        name: _uncapitalised(name)
        for name in _names(item)
        if name not in firm and _uncapitalised(name) in small
    }
    return _renamed(item, renamed)


def settled_spellings(item: Item) -> Item:
    """Spell each name as it is spelled where it comes first."""
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
