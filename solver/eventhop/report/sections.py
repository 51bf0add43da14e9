"""Wrong labels by group: by cause, and by the sizes of the items."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePath

from grammar.eventhop.model import Chain, Cycle, Item, Label, Status, Timelines
from solver.drawing.names import legible
from solver.eventhop.drawing import draw
from solver.eventhop.messages import in_words, sentence_in_words
from solver.eventhop.records import Record
from solver.eventhop.verify import RIGHT, Cell, Finding, Outcome, Tally
from solver.probes.balance import Balance, Row
from solver.probes.findings import Artefacts
from solver.probes.findings import Finding as FindingsFinding
from solver.probes.guess import ProbeResult
from solver.report.charts import (
    BarPlot,
    GroupCount,
    HeatCell,
    HeatRow,
    HeatTable,
    Tone,
    bar_plot,
    percent,
)

MOST_GROUPS = 12
"""Maximum groups in a plot; more sizes than that are joined into ranges."""

NO_HOPS = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """Sizes from ``first`` to ``last``, both included."""

    first: int
    last: int

    def __str__(self) -> str:
        """Format as ``4`` or ``10–14``."""
        return str(self.first) if self.first == self.last else f"{self.first}–{self.last}"


def ranges(sizes: Mapping[int, int]) -> dict[int, Range]:
    """Map each size to its range: itself if there are few, else one with enough items.

    Args:
        sizes: size -> number of items.
    """
    ordered = sorted(sizes)
    if len(ordered) <= MOST_GROUPS:
        return {size: Range(first=size, last=size) for size in ordered}
    enough = sum(sizes.values()) / MOST_GROUPS
    groups: list[list[int]] = [[]]
    for size in ordered:
        if sum(sizes[member] for member in groups[-1]) >= enough:
            groups.append([])
        groups[-1].append(size)
    return {size: Range(first=group[0], last=group[-1]) for group in groups for size in group}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sizes:
    """The ranges of one run's sizes."""

    events: dict[int, Range]
    relations: dict[int, Range]
    hops: dict[int, Range]

    @classmethod
    def of(cls, tally: Tally) -> _Sizes:
        events: Counter[int] = Counter()
        relations: Counter[int] = Counter()
        hops: Counter[int] = Counter()
        for (cell, _), number in tally.cells.items():
            events[cell.events] += number
            relations[cell.relations] += number
            if cell.hops is not None:
                hops[cell.hops] += number
        return cls(events=ranges(events), relations=ranges(relations), hops=ranges(hops))

    def events_of(self, cell: Cell) -> _Key:
        return _ranged(self.events[cell.events])

    def relations_of(self, cell: Cell) -> _Key:
        return _ranged(self.relations[cell.relations])

    def hops_of(self, cell: Cell) -> _Key:
        return _LAST if cell.hops is None else _ranged(self.hops[cell.hops])


@dataclass(frozen=True, slots=True, order=True)
class _Key:
    rank: int
    name: str


_LAST = _Key(sys.maxsize, NO_HOPS)


def _ranged(sizes: Range) -> _Key:
    return _Key(sizes.first, str(sizes))


def size_plots(tally: Tally) -> list[BarPlot]:
    """Share of wrong labels by number of events, of relations, of hops."""
    sizes = _Sizes.of(tally)
    return [
        _plot(tally, "events", sizes.events_of),
        _plot(tally, "relations", sizes.relations_of),
        _plot(tally, "hops", sizes.hops_of),
    ]


def _plot(tally: Tally, noun: str, key: Callable[[Cell], _Key]) -> BarPlot:
    totals: Counter[_Key] = Counter()
    wrong: Counter[_Key] = Counter()
    for (cell, cause), number in tally.cells.items():
        totals[key(cell)] += number
        wrong[key(cell)] += number if cause != RIGHT else 0
    groups = [GroupCount(name=k.name, wrong=wrong[k], total=totals[k]) for k in sorted(totals)]
    return bar_plot(f"by {noun}", noun, groups)


def size_table(tally: Tally) -> HeatTable:
    """Share of wrong labels by events and relations together."""
    sizes = _Sizes.of(tally)
    title = "Wrong labels by events and relations"
    return _share_table(tally, title, "events ↓ relations →", sizes.events_of, sizes.relations_of)


def status_table(tally: Tally) -> HeatTable:
    """Share of wrong labels by status and hops."""
    sizes = _Sizes.of(tally)
    title = "Wrong labels by status and hops"
    return _share_table(
        tally, title, "status ↓ hops →", lambda cell: _status_key(cell.status), sizes.hops_of
    )


def _status_key(status: Status | None) -> _Key:
    order = list(Status)
    return _Key(order.index(status), status.value) if status else _Key(len(order), NO_HOPS)


def _share_table(
    tally: Tally,
    title: str,
    corner: str,
    row_of: Callable[[Cell], _Key],
    column_of: Callable[[Cell], _Key],
) -> HeatTable:
    totals: defaultdict[_Key, Counter[_Key]] = defaultdict(Counter)
    wrong: defaultdict[_Key, Counter[_Key]] = defaultdict(Counter)
    for (cell, cause), number in tally.cells.items():
        row, column = row_of(cell), column_of(cell)
        totals[row][column] += number
        wrong[row][column] += number if cause != RIGHT else 0
    columns = sorted({column for row in totals.values() for column in row})
    rows = tuple(
        HeatRow(
            name=row.name,
            cells=tuple(_share_cell(wrong[row][c], totals[row][c]) for c in columns),
        )
        for row in sorted(totals)
    )
    return HeatTable(title=title, corner=corner, columns=tuple(c.name for c in columns), rows=rows)


def _share_cell(wrong: int, total: int) -> HeatCell:
    if not total:
        return HeatCell(text="")
    return HeatCell(
        text=percent(wrong, total),
        detail=f"of {total:,}",
        strength=round(wrong / total, 4),
        tone=Tone.BAD,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CauseRow:
    """A cause of wrong labels; ``width`` is its bar's length in percent of the longest."""

    faults: tuple[str, ...]
    number: int
    share: str
    width: float


def cause_rows(causes: Mapping[str, int]) -> list[CauseRow]:
    """Wrong labels by cause, the most frequent first."""
    total = sum(causes.values())
    most = max(causes.values(), default=1)
    return [
        CauseRow(
            faults=tuple(cause.split("+")),
            number=number,
            share=percent(number, total),
            width=round(100 * number / most, 2),
        )
        for cause, number in sorted(causes.items(), key=lambda pair: (-pair[1], pair[0]))
    ]


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


MOST_ROWS = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtefactView:
    """Results of the artefact checks, ready to be rendered."""

    items: int
    findings: tuple[FindingsFinding, ...]
    guesses: tuple[ProbeResult, ...]
    by_claim: HeatTable | None
    by_cell: HeatTable | None


def artefact_view(artefacts: Artefacts) -> ArtefactView:
    """Prepare the artefact checks for a report."""
    return ArtefactView(
        items=artefacts.items,
        findings=artefacts.findings,
        guesses=artefacts.guesses,
        by_claim=_table(artefacts.by_claim, "Gold labels by claim", "claim ↓ gold →"),
        by_cell=_table(artefacts.by_cell, "Gold labels by size", "size ↓ gold →"),
    )


def _table(balance: Balance, title: str, corner: str) -> HeatTable | None:
    if not balance.rows:
        return None
    note = ""
    if balance.association is not None:
        note = f"Cramér's V {balance.association:.2f}, p = {balance.p_value:.2g}"
    rows = balance.rows[:MOST_ROWS]
    labels = tuple(label.value for label in Label if label.value in balance.labels)
    if len(rows) < len(balance.rows):
        note = f"{note}; {len(balance.rows) - len(rows):,} more rows are left out"
    return HeatTable(
        title=title,
        corner=corner,
        columns=labels,
        rows=tuple(_row(row, labels) for row in rows),
        note=note,
    )


def _row(row: Row, labels: tuple[str, ...]) -> HeatRow:
    cells = tuple(
        HeatCell(
            text=percent(row.counts[label], row.total),
            detail=f"{row.counts[label]:,}",
            strength=round(row.share(label), 4),
        )
        for label in labels
    )
    return HeatRow(name=row.name, cells=cells)
