"""Flawed items as rows of a listing, with the proof that the page puts into words and draws."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any

import msgspec

from grammar.eventhop.model import Bound, Item, Order, Point, Status, Verdict
from solver.drawing.canvas import legible
from solver.eventhop.certificates.evidence import Chain, Cycle, Evidence, Steps, Timeline
from solver.eventhop.certificates.expand import evidence
from solver.eventhop.messages import claim_in_words, claimed_events, named_first
from solver.eventhop.outcomes import Circumstance, FindingCode, Outcome, message_of
from solver.eventhop.records import Record
from solver.report.model import Column, Listing

LONGEST_TEXT = 4_000
MOST_SENTENCES = 100
NONE = "none"


def encoded(outcome: Outcome) -> bytes:
    """The row of a flawed item, as the processes that decide items return it."""
    return msgspec.json.encode(_row(outcome))


def listing(rows: Sequence[bytes], found: int, *, published: bool, file: str) -> Listing:
    """The listing of flawed items.

    Args:
        rows: encoded rows, some of the first.
        found: number of flawed items.
        published: whether the labels are those of the published procedure, whose faults can be the
            causes of wrong labels.
        file: name of the file with all items.
    """
    known = [msgspec.json.decode(row) for row in rows]
    if not published:
        for row in known:
            row["causes"] = [
                cause for cause in row["causes"] if row["causes"] == [Circumstance.POLICY]
            ]

    def of(name: str) -> list[str]:
        return [row[name] for row in known]

    def choices(name: str) -> list[tuple[str, ...]]:
        return [tuple(row[name]) or (NONE,) for row in known]

    columns = (
        Column(name="where", title="where", values=of("where"), width=16, minor=True),
        Column(name="item", title="item", values=of("item"), width=8),
        Column(name="claim", title="claim", values=of("claim"), width=36),
        Column(name="labels", title="gold → proved", values=of("labels"), width=17),
        Column(name="finding", title="finding", values=choices("findings"), filtered=True, width=16,
               minor=True, mark=True),
        Column(name="cause", title="cause", values=choices("causes"), filtered=True, width=16,
               minor=True),
        Column(name="status", title="status", values=of("status"), filtered=True, width=12,
               minor=True),
        Column(name="hops", title="hops", values=of("hops"), filtered=True, width=5, minor=True),
        Column(name="cell", title="events × relations", values=of("cell"), filtered=True,
               width=None),
        Column(name="text", title="premise", values=of("text"), width=None, long=True),
        Column(name="notes", title="notes", values=of("notes"), width=None, long=True),
    )  # fmt: skip
    proofs = [row["proof"] for row in known]
    return Listing(columns=columns, proofs=proofs, left_out=found - len(known), file=file)


def _row(outcome: Outcome) -> dict[str, Any]:
    record, verdict, cell = outcome.record, outcome.verdict, outcome.cell
    read = isinstance(record, Record)
    gold = record.gold if isinstance(record, Record) else None
    labels = f"{gold or NONE} → {NONE if verdict is None else outcome.label}"
    return {
        # Without folders, which differ between machines.
        "where": _cut(f"{PurePath(record.place.file).name}:{record.place.line}"),
        "item": _cut(record.id or ""),
        "claim": _cut(record.claim) if isinstance(record, Record) else "",
        "labels": _cut(labels) if read else "",
        "findings": [finding.value for finding in outcome.findings],
        "causes": list(outcome.causes),
        "status": NONE if cell.status is None else cell.status.value,
        "hops": NONE if cell.hops is None else str(cell.hops),
        "cell": NONE if outcome.item is None else f"{cell.events} × {cell.relations}",
        "text": _cut(record.premise) if isinstance(record, Record) else "",
        "notes": _cut(" ".join(_notes(outcome))) if any(_notes(outcome)) else "",
        "proof": _proof(outcome),
    }


def _proof(outcome: Outcome) -> dict[str, Any] | None:
    item, verdict, certificate = outcome.item, outcome.verdict, outcome.certificate
    if item is None or verdict is None or certificate is None:
        return None
    return proof(item, verdict, evidence(item, verdict, certificate), outcome.hops)


_EXPLAINED = {FindingCode.UNPARSED, FindingCode.WRONG_HOPS, FindingCode.SELF_CLAIM}
"""Findings whose message says more than the columns."""


def _notes(outcome: Outcome) -> Iterator[str]:
    for finding in outcome.findings:
        if finding in _EXPLAINED:
            yield f"{finding.value}: {message_of(finding, outcome)}."
    record, item, verdict = outcome.record, outcome.item, outcome.verdict
    left_out = 0 if item is None else len(item.premise) - MOST_SENTENCES
    if left_out > 0:
        yield f"And {left_out:,} more sentences."
    declared = isinstance(record, Record) and record.declared
    if declared and verdict is not None and not verdict.consistent:
        outside = "" if verdict.status is Status.CONTRADICTORY else ", outside the claim"
        yield f"The premise is declared possible but is contradictory{outside}."


_ORDERS = {
    Order.BEFORE: 0,
    Order.AFTER: 1,
    Order.SIMULTANEOUS: 2,
    Order.NOT_AFTER: 3,
    Order.NOT_BEFORE: 4,
}


def proof(item: Item, verdict: Verdict, found: Evidence, hops: int | None) -> dict[str, Any]:
    """A proof as JSON values; docs/report.md describes them. A point is 2 · event, + 1 for its end.

    Args:
        item: the item.
        verdict: its verdict.
        found: what the certificate proves.
        hops: premise sentences on the shortest proof, None for an unknown claim.
    """
    events = named_first(item)
    places = {event: place for place, event in enumerate(events)}

    def point(given_point: Point) -> int:
        return 2 * places[given_point.event] + (given_point.bound is Bound.END)

    def steps(walk: Steps) -> list[list[int]]:
        return [
            [point(step.source), point(step.target), 2 if step.weak else int(step.strict),
             0 if step.relation is None else step.relation + 1]
            for step in walk
        ]  # fmt: skip

    def times(timeline: Timeline) -> list[int | None]:
        points = (Point(event=event, bound=bound) for event in events for bound in Bound)
        return [timeline.get(other_point) for other_point in points]

    walks: Iterable[Steps] = ()
    timelines: Iterable[Timeline] = ()
    match found:
        case Chain():
            kind, walks, timelines = "chain", found.walks, (found.apart,)
        case Cycle():
            kind, walks = "cycle", (found.forward, found.backward)
        case _:
            kind, timelines = "timelines", (found.holds, found.fails)
    shown: Mapping[str, Any] = {
        "kind": kind,
        "status": verdict.status.value,
        "label": verdict.label.value,
        "consistent": verdict.consistent,
        "hops": hops,
        "asks": legible(claim_in_words(item.claim)),
        "events": [legible(event) for event in events],
        "claimed": len(claimed_events(item)),
        "premise": [
            [point(relation.left), _ORDERS[relation.order], point(relation.right)]
            for relation in item.premise[:MOST_SENTENCES]
        ],
        "walks": [steps(walk) for walk in walks],
        "times": [times(timeline) for timeline in timelines],
        "elsewhere": [] if isinstance(found, Cycle) else steps(found.elsewhere),
        "core": [index + 1 for index in found.core] if isinstance(found, Cycle) else [],
    }
    return dict(shown)


def _cut(text: str) -> str:
    text = legible(text)
    if len(text) <= LONGEST_TEXT:
        return text
    return f"{text[:LONGEST_TEXT]}… (and {len(text) - LONGEST_TEXT:,} more characters)"
