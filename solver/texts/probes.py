"""Probes of texts: is the relation of a sentence given away by anything but its phrase?

The phrase states the relation, so it has to predict it, and so may a word of it: these two probes
are figures. The date and the form of a sentence state nothing about the relation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grammar.dates import DateStyle
from grammar.texts.model import FactText, Link, Sentence
from solver.probes.learners import Features, Keys, Table
from solver.probes.probe import PROBED, Labelled, Probe, ProbeLevel, ProbeResult, run_probes


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbedSentence:
    """A sentence in its text.

    Attributes:
        where: place of the text.
        place: number of the sentence, from 0.
        headline: whether the text has one.
    """

    sentence: Sentence
    where: str
    place: int
    headline: bool


def probed_sentences(text: FactText, where: str) -> Iterator[ProbedSentence]:
    """The sentences of a parsed text."""
    for place, sentence in enumerate(text.statements):
        headline = text.headline is not None
        yield ProbedSentence(sentence=sentence, where=where, place=place, headline=headline)


Items = Sequence[ProbedSentence]


def _phrases(items: Items) -> Features:
    return Keys(keys=[sample.sentence.phrase.words for sample in items])


def _single_words(items: Items) -> Features:
    """The rarest word of each phrase, which says most."""
    counts: dict[str, int] = {}
    split = [sample.sentence.phrase.words.split() for sample in items]
    for words in split:
        for word in words:
            counts[word] = counts.get(word, 0) + 1
    return Keys(keys=[min(words, key=lambda word: (counts[word], word)) for words in split])


def _styles(items: Items) -> Features:
    rows = [
        [sample.sentence.written_date.style is style for style in DateStyle] for sample in items
    ]
    return _table([f"date style {style}" for style in DateStyle], rows)


def _forms(items: Items) -> Features:
    names = ["date in front", "sentence", "future", "headline", *(f"link {link}" for link in Link)]
    rows = [
        [
            sample.sentence.front,
            sample.place,
            sample.sentence.phrase.ahead,
            sample.headline,
            *(sample.sentence.link is link for link in Link),
        ]
        for sample in items
    ]
    return _table(names, rows)


def _table(names: Sequence[str], rows: Sequence[Sequence[float]]) -> Features:
    import numpy as np

    values = np.array(rows, dtype=np.float64).reshape(len(rows), len(names))
    return Table(names=tuple(names), values=values)


STATED = ("the phrase", "the rarest word of the phrase")
"""Names of the probes that see what states the relation."""

PROBES: tuple[Probe[ProbedSentence], ...] = (
    Probe(name=STATED[0], features=_phrases, fast=False),
    Probe(name=STATED[1], features=_single_words, fast=False),
    Probe(name="the date style", features=_styles),
    Probe(name="the form of the sentence", features=_forms),
)


def is_shortcut(result: ProbeResult) -> bool:
    """Whether a probe predicts the relation from what does not state it."""
    return result.shortcut and result.name not in STATED


def probed(sentences: Items, level: ProbeLevel) -> Iterator[ProbeResult]:
    """Cross-validate the probes on the first sentences of a set of texts."""
    if level is ProbeLevel.NONE:
        return
    some = sentences[: PROBED[level]]
    labelled = Labelled(
        items=some,
        labels=[probed_sentence.sentence.phrase.relation for probed_sentence in some],
        ids=[sentence.where for sentence in some],
    )
    yield from run_probes(PROBES, labelled, level=level)
