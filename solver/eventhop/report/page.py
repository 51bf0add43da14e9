"""The content of a report, computed from a run's figures and independent of markup."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from types import MappingProxyType
from typing import Any

from grammar.eventhop.model import Label, SpatialReading, Status
from solver.eventhop.messages import counted
from solver.eventhop.records import LABELS
from solver.eventhop.report.sections import (
    ArtefactView,
    CauseRow,
    Exhibit,
    artefact_view,
    cause_rows,
    exhibits,
    size_plots,
    size_table,
    status_table,
)
from solver.eventhop.verify import RIGHT, Finding, Outcome, Tally
from solver.probes.findings import Artefacts
from solver.report.charts import BarPlot, HeatTable, cross_table, percent

_READING = {
    SpatialReading.GEOMETRIC.value: "a place starts at its western edge",
    SpatialReading.PUBLISHED.value: "a place starts at its eastern edge",
}
_DECLARED = {"possible": "consistent", "impossible": "contradictory"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One line about the run."""

    name: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusRow:
    """Items of one status; ``width`` is the bar's length in percent of the longest."""

    name: str
    number: int
    share: str
    width: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A report.

    Attributes:
        wrong: number of wrong labels.
        exhibits: the first flawed items, drawn; ``hidden`` more are only in ``items.jsonl``.
    """

    headline: str
    sublines: tuple[str, ...]
    facts: tuple[Fact, ...]
    wrong: int
    confusion: HeatTable
    declared: HeatTable
    causes: list[CauseRow]
    size_plots: list[BarPlot]
    size_table: HeatTable
    status_table: HeatTable
    statuses: list[StatusRow]
    artefacts: ArtefactView | None
    exhibits: list[Exhibit]
    hidden: int


def page(
    summary: Mapping[str, Any],
    tally: Tally,
    wrong: Sequence[Outcome],
    artefacts: Artefacts | None,
    versions: Mapping[str, str | None],
) -> Page:
    """Compute the content of a report.

    Args:
        summary: the contents of ``summary.json``; timings are not used.
        tally: the counts of the run.
        wrong: outcomes with findings, in the order of the file.
        artefacts: results of the artefact checks; None if they were not run.
        versions: versions of the software used.
    """
    shown = exhibits(wrong)
    labelled = _total(summary["confusion"])
    wrong_labels = sum(n for (_, cause), n in tally.cells.items() if cause != RIGHT)
    drawable = (n for finding, n in tally.findings.items() if finding != Finding.UNPARSED)
    flawed = max(drawable, default=0)
    return Page(
        headline=_headline(summary["items"], labelled, wrong_labels),
        sublines=tuple(_sublines(summary, tally)),
        facts=tuple(_facts(summary, versions)),
        wrong=wrong_labels,
        confusion=_confusion(summary["confusion"]),
        declared=_consistency(summary["declared"]),
        causes=cause_rows(summary["causes"]),
        size_plots=size_plots(tally),
        size_table=size_table(tally),
        status_table=status_table(tally),
        statuses=_statuses(summary["status"]),
        artefacts=artefact_view(artefacts) if artefacts is not None else None,
        exhibits=shown,
        hidden=max(flawed - len(shown), 0),
    )


def _headline(items: int, labelled: int, wrong: int) -> str:
    if not labelled:
        return f"{counted(items, 'item')} without gold labels"
    if not wrong:
        return f"{counted(items, 'item')}: every label is right"
    be = "is" if wrong == 1 else "are"
    return f"{counted(items, 'item')}: {percent(wrong, labelled)} of the labels {be} wrong"


def _sublines(summary: Mapping[str, Any], tally: Tally) -> Iterator[str]:
    wrong = tally.findings[Finding.WRONG_LABEL.value]
    labelled = _total(summary["confusion"])
    if wrong:
        yield f"{wrong:,} of {labelled:,} gold labels differ from the proved label."
    possible = summary["declared"].get("possible", {})
    contradictory = possible.get("contradictory", 0)
    if contradictory:
        total = sum(possible.values())
        yield (
            f"{percent(contradictory, total)} of the premises declared possible are contradictory "
            f"({contradictory:,} of {total:,})."
        )
    consistent = summary["declared"].get("impossible", {}).get("consistent", 0)
    if consistent:
        yield f"{counted(consistent, 'premise')} declared impossible can be satisfied."
    if summary["unparsed"]:
        yield f"{counted(summary['unparsed'], 'item')} could not be read."
    wrong_hops = tally.findings[Finding.WRONG_HOPS.value]
    if wrong_hops:
        yield f"{counted(wrong_hops, 'declared number')} of hops differ from the number found."


def _facts(summary: Mapping[str, Any], versions: Mapping[str, str | None]) -> Iterator[Fact]:
    files = [PurePath(file).name for file in summary.get("files", ())]
    if files:
        yield Fact(name="File" if len(files) == 1 else "Files", value=", ".join(files))
    yield Fact(name="Policy", value=_policy(summary))
    yield Fact(
        name="Spatial reading", value=f"{summary['spatial']}: {_READING[summary['spatial']]}"
    )
    yield Fact(name="Engines", value=_engines(summary["engines"], summary["disagreements"]))
    for finding, number in sorted(summary.get("findings", {}).items()):
        yield Fact(name=f"Found: {finding}", value=f"{number:,}")
    yield Fact(name="Versions", value=", ".join(f"{n} {v}" for n, v in versions.items() if v))


def _policy(summary: Mapping[str, Any]) -> str:
    repaired = summary.get("repaired", ())
    return f"{summary['policy']}, without {', '.join(repaired)}" if repaired else summary["policy"]


def _engines(engines: Sequence[str], disagreements: int) -> str:
    if len(engines) == 1:
        return f"{engines[0]}, alone"
    agree = "agree on every item" if not disagreements else f"differ on {disagreements:,} items"
    return f"{', '.join(engines)}: {agree}"


def _confusion(confusion: Mapping[str, Mapping[str, int]]) -> HeatTable:
    meanings = {gold: LABELS.get(gold.lower()) for gold in confusion}
    agreeing = {gold: label.value for gold, label in meanings.items() if label is not None}
    columns = [label.value for label in Label]
    ranks = {gold: columns.index(agreeing[gold]) if gold in agreeing else 9 for gold in confusion}
    confusion = {gold: confusion[gold] for gold in sorted(confusion, key=lambda g: (ranks[g], g))}
    return cross_table(
        "Gold labels and proved labels", "gold ↓ proved →", confusion, columns, agreeing
    )


def _consistency(declared: Mapping[str, Mapping[str, int]]) -> HeatTable:
    return cross_table(
        "Declared and found consistency",
        "declared ↓ found →",
        dict(sorted(declared.items(), reverse=True)),
        ("consistent", "contradictory"),
        _DECLARED,
    )


def _statuses(status: Mapping[str, int]) -> list[StatusRow]:
    total, most = sum(status.values()), max(status.values(), default=1)
    return [
        StatusRow(
            name=name.value,
            number=number,
            share=percent(number, total),
            width=round(100 * number / max(most, 1), 2),
        )
        for name in Status
        if (number := status.get(name.value, 0)) or total
    ]


def _total(nested: Mapping[str, Mapping[str, int]]) -> int:
    return sum(sum(row.values()) for row in nested.values())


FAULTS = MappingProxyType(
    {
        "simultaneous-exempt": "Two points that are derivably simultaneous are never called "
        "contradictory, even if one is also derivably before the other.",
        "same-event-exempt": "An event that derivably ends before it starts is accepted, the "
        "opposite of what the description of the procedure requires.",
        "seen-early": "The search marks a point as seen when it first meets it; if the first walk "
        "there has no strict step, a later strict one is missed.",
        "pair-unchecked": "Two of the six pairs of the claim's points are never checked: the two "
        "ends, and the end of the first event with the start of the second.",
        "overlap-by-absence": "Two events are labelled as overlapping because the premise does not "
        "rule it out: absence of information is taken as negation.",
    }
)

CIRCUMSTANCES = MappingProxyType(
    {
        "policy": "The label is right under the local policy; this run used another one.",
        "spatial-reading": "The label takes a place's eastern edge as its start; this run takes "
        "the western one, as a reader of the text does.",
        "unexplained": "None of these gives the file's label: the cause is a different one.",
    }
)


def meanings(causes: Iterable[str]) -> dict[str, str]:
    """All faults, and the circumstances that occur in causes; a cause joins names by ``+``."""
    occurring = {name for cause in causes for name in cause.split("+")}
    return {
        **FAULTS,
        **{name: text for name, text in CIRCUMSTANCES.items() if name in occurring},
    }
