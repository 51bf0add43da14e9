"""Scores by relation and by date style of the text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.quadruples.extraction import NONE, Extraction
from benchmarks.quadruples.profile import Mode
from benchmarks.quadruples.scores import Score, plain

UNREAD = "(unreadable)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A stratum of pairs: of one relation, or of texts of one style."""

    name: str
    pairs: int
    scores: Mapping[Mode, Score]


def by_relation(extraction: Extraction) -> tuple[Group, ...]:
    """Groups by the reference's relation, the largest first.

    An unmatched candidate counts for its own relation.
    """
    names = []
    for item, candidate, reference in zip(
        extraction.item.tolist(),
        extraction.candidate.tolist(),
        extraction.reference.tolist(),
        strict=True,
    ):
        facts = extraction.items[item]
        fact = facts.references[reference] if reference != NONE else facts.candidates[candidate]
        names.append(UNREAD if fact is None else fact[1])
    return _grouped(extraction, names)


def by_style(extraction: Extraction, styles: Sequence[str]) -> tuple[Group, ...]:
    """Groups by the style of the item's text, the largest first."""
    return _grouped(extraction, [styles[item] for item in extraction.item.tolist()])


def _grouped(extraction: Extraction, names: Sequence[str]) -> tuple[Group, ...]:
    members: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        members.setdefault(name, []).append(place)
    groups = [
        Group(name=name, pairs=len(some), scores=plain(extraction.pairs[np.array(some)]))
        for name, some in members.items()
    ]
    return tuple(sorted(groups, key=lambda group: (-group.pairs, group.name)))
