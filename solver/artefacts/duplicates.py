"""Items that occur more than once, also with their premise sentences in another order."""

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
        texts: different texts.
        repeated: items whose text another item has had before.
        reordered: those of them whose premise sentences stand in another order.
        conflicting: texts that occur with more than one label.
    """

    texts: int
    repeated: int
    reordered: int
    conflicting: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """What makes two items the same: the set of sentences, with repeats, and the claim."""

    sentences: tuple[str, ...]
    claim: str


def text(sample: Sample) -> Text:
    """Reduce an item to what makes it the same as another."""
    sentences = (part.strip().lower() for part in _BETWEEN.split(sample.premise))
    claim = sample.claim.strip().rstrip(".").lower()
    return Text(sentences=tuple(sorted(filter(None, sentences))), claim=claim)


def once(samples: Sequence[Sample]) -> list[Sample]:
    """Each text once, in the order of the texts; of several labels the first by name."""
    ordered = sorted(samples, key=lambda s: (s.premise, s.claim, s.gold.value))
    first = {text(sample): sample for sample in reversed(ordered)}
    return sorted(first.values(), key=lambda s: (s.premise, s.claim))


def duplicates(samples: Sequence[Sample]) -> Duplicates:
    """Count repeats."""
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
