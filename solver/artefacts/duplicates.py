"""Duplicate items, including those with reordered premise sentences."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from solver.artefacts.sample import Sample

_BETWEEN = re.compile(r"\.(?:\s+|$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Duplicates:
    """How often texts are repeated.

    Attributes:
        texts: number of distinct texts.
        repeated: items that repeat the text of an earlier item.
        reordered: those of them whose premise sentences are in another order.
        conflicting: texts that occur with more than one label.
    """

    texts: int
    repeated: int
    reordered: int
    conflicting: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """Key for deduplication: the multiset of sentences, and the claim."""

    sentences: tuple[str, ...]
    claim: str


def text(sample: Sample) -> Text:
    """The deduplication key of an item."""
    sentences = (part.strip().lower() for part in _BETWEEN.split(sample.premise))
    claim = sample.claim.strip().rstrip(".").lower()
    return Text(sentences=tuple(sorted(filter(None, sentences))), claim=claim)


def deduplicate(samples: Sequence[Sample]) -> list[Sample]:
    """Each text once, sorted by text; of several labels the alphabetically first."""
    ordered = sorted(samples, key=lambda s: (s.premise, s.claim, s.gold.value))
    first = {text(sample): sample for sample in reversed(ordered)}
    return sorted(first.values(), key=lambda s: (s.premise, s.claim))


def duplicates(samples: Sequence[Sample]) -> Duplicates:
    """Count duplicates."""
    groups: defaultdict[Text, list[Sample]] = defaultdict(list)
    for sample in samples:
        groups[text(sample)].append(sample)
    exact = len({(s.premise.strip().lower(), s.claim.strip().lower()) for s in samples})
    return Duplicates(
        texts=len(groups),
        repeated=len(samples) - len(groups),
        reordered=exact - len(groups),
        conflicting=sum(len({s.gold for s in group}) > 1 for group in groups.values()),
    )
