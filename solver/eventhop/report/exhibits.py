"""Flawed items with their text, explanation and drawing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePath

from grammar.eventhop.model import Item, Status
from solver.drawing.names import legible
from solver.eventhop.certificates.evidence import relations_used
from solver.eventhop.certificates.expand import evidence
from solver.eventhop.drawing import draw
from solver.eventhop.messages import in_words, sentence_in_words
from solver.eventhop.outcomes import FindingCode, Outcome
from solver.eventhop.records import Record
from solver.io.sources import counted
from solver.report.model import Exhibit, Sentence

MOST = 50
LONGEST_TEXT = 4_000
MOST_SENTENCES = 100


def exhibits(wrong: Iterable[Outcome]) -> tuple[Exhibit, ...]:
    """Prepare the first ``MOST`` outcomes that have a verdict."""
    shown: list[Exhibit] = []
    for outcome in wrong:
        if len(shown) == MOST:
            break
        exhibit = _exhibit(outcome)
        if exhibit is not None:
            shown.append(exhibit)
    return tuple(shown)


def _exhibit(outcome: Outcome) -> Exhibit | None:
    record, item, verdict, certificate = (
        outcome.record,
        outcome.item,
        outcome.verdict,
        outcome.certificate,
    )
    if not isinstance(record, Record) or item is None or verdict is None or certificate is None:
        return None
    findings = tuple(finding.value for finding in outcome.findings)
    found = evidence(item, verdict, certificate)
    # Without folders, which differ between machines.
    place = f"{PurePath(record.place.file).name}:{record.place.line}"
    hops = "" if outcome.hops is None else f", {counted(outcome.hops, 'hop')}"
    return Exhibit(
        id=record.id,
        claim=_cut(record.claim),
        labels=(record.gold or "none", verdict.label.value),
        wrong=FindingCode.WRONG_LABEL in outcome.findings,
        tags=tuple(outcome.causes) or findings,
        text=_cut(record.premise),
        sentences=_sentences(item, relations_used(found))[:MOST_SENTENCES],
        notes=tuple(_notes(item, record, outcome)),
        heading=f"Why it is {verdict.label.value}: {verdict.status.value}{hops}",
        words=tuple(in_words(item, verdict, found)),
        drawing=draw(item, verdict, certificate, hops=outcome.hops),
        place=" · ".join((place, ", ".join(findings))) if findings else place,
    )


def _notes(item: Item, record: Record, outcome: Outcome) -> Iterator[str]:
    left_out = len(item.premise) - MOST_SENTENCES
    if left_out > 0:
        yield f"And {left_out:,} more sentences."
    verdict = outcome.verdict
    if record.declared and verdict is not None and not verdict.consistent:
        outside = "" if verdict.status is Status.CONTRADICTORY else ", outside the claim"
        yield f"The premise is declared possible but is contradictory{outside}."


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
