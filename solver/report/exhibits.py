"""The flawed items that a report shows in full: text, labels, certificate in words and drawn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePath

from solver.drawing import draw
from solver.drawing.names import legible
from solver.model import Chain, Cycle, Item, Timelines
from solver.records import Record
from solver.verify.outcome import Finding, Outcome
from solver.wording import in_words, sentence_in_words

MOST = 50
LONGEST_TEXT = 4_000
MOST_SENTENCES = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A premise sentence as it was parsed; ``used`` if the certificate refers to it."""

    number: int
    text: str
    used: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Exhibit:
    """One flawed item.

    Attributes:
        place: its position, as ``file:line``; without folders, which differ between machines.
        sentences: the parsed premise, at most ``MOST_SENTENCES``; ``left_out`` more are not shown.
        inconsistent: whether the premise is contradictory but declared possible.
        drawing: SVG, safe to embed in a page.
    """

    id: str
    place: str
    findings: tuple[str, ...]
    wrong_label: bool
    inconsistent: bool
    gold: str
    label: str
    status: str
    hops: int | None
    causes: tuple[str, ...]
    premise: str
    claim: str
    sentences: tuple[Sentence, ...]
    left_out: int
    words: tuple[str, ...]
    drawing: str


def exhibits(wrong: Iterable[Outcome]) -> list[Exhibit]:
    """Prepare the first ``MOST`` outcomes that have a verdict."""
    shown: list[Exhibit] = []
    for outcome in wrong:
        if len(shown) == MOST:
            break
        exhibit = _exhibit(outcome)
        if exhibit is not None:
            shown.append(exhibit)
    return shown


def _exhibit(outcome: Outcome) -> Exhibit | None:
    record, item, verdict, certificate = (
        outcome.record,
        outcome.item,
        outcome.verdict,
        outcome.certificate,
    )
    if not isinstance(record, Record) or item is None or verdict is None or certificate is None:
        return None
    sentences = _sentences(item, _used(certificate))
    return Exhibit(
        id=record.id,
        place=f"{PurePath(record.place.file).name}:{record.place.line}",
        findings=tuple(finding.value for finding in outcome.findings),
        wrong_label=Finding.WRONG_LABEL in outcome.findings,
        inconsistent=bool(record.declared) and not verdict.consistent,
        gold=record.gold or "none",
        label=verdict.label.value,
        status=verdict.status.value,
        hops=outcome.hops,
        causes=tuple(outcome.causes),
        premise=_cut(record.premise),
        claim=_cut(record.claim),
        sentences=sentences[:MOST_SENTENCES],
        left_out=max(len(sentences) - MOST_SENTENCES, 0),
        words=tuple(in_words(item, verdict, certificate)),
        drawing=draw(item, verdict, certificate, hops=outcome.hops),
    )


def _used(certificate: Chain | Cycle | Timelines) -> frozenset[int]:
    match certificate:
        case Chain():
            walks = certificate.walks
        case Cycle():
            walks = (certificate.forward, certificate.backward)
        case Timelines():
            walks = ()
    return frozenset(s.relation for walk in walks for s in walk if s.relation is not None)


def _sentences(item: Item, used: frozenset[int]) -> tuple[Sentence, ...]:
    return tuple(
        Sentence(number=index + 1, text=legible(sentence_in_words(relation)), used=index in used)
        for index, relation in enumerate(item.premise)
    )


def _cut(text: str) -> str:
    text = legible(text)
    if len(text) <= LONGEST_TEXT:
        return text
    return f"{text[:LONGEST_TEXT]}… (and {len(text) - LONGEST_TEXT:,} more characters)"
