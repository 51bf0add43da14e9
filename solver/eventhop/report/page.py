"""The report on event-order items: labels, causes, sizes, artefacts, and the flawed items.

The same run gives the same bytes: timings are only in ``summary.json``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from grammar.eventhop.model import SpatialReading, Status
from solver.eventhop.labels import EVENTHOP, LabelScheme
from solver.eventhop.outcomes import ROWS, FindingCode
from solver.eventhop.records import label_words, meaning
from solver.eventhop.report.findings import listing
from solver.eventhop.report.groups import (
    balance_table,
    bar_table,
    cause_table,
    cross_table,
    guess_plot,
    guess_table,
    size_plots,
    size_table,
    status_table,
)
from solver.eventhop.tally import RIGHT, Tally
from solver.io.sources import counted
from solver.manifest import versions
from solver.report.model import Point, Report, Section, Table
from solver.report.numbers import share

if TYPE_CHECKING:
    from solver.eventhop.artefacts import Artefacts
    from solver.eventhop.dataset import Problem

_READING = {
    SpatialReading.GEOMETRIC.value: "a place starts at its western edge",
    SpatialReading.PUBLISHED.value: "a place starts at its eastern edge",
}
_DECLARED = {"possible": "consistent", "impossible": "contradictory"}


def verification_report(
    summary: Mapping[str, Any],
    tally: Tally,
    rows: Sequence[bytes],
    artefacts: Mapping[str, Artefacts],
    problems: Sequence[Problem] = (),
    *,
    file: str = ROWS,
) -> Report:
    """Build the report of a run.

    Args:
        summary: the contents of ``summary.json``; timings are not used.
        tally: the counts of the run.
        rows: the flawed items, in the order of the file.
        artefacts: results of the artefact checks by file; empty if they were not run.
        problems: findings of data sets as wholes.
        file: name of the file with all items, for messages.
    """
    labelled = _total(summary["confusion"])
    wrong_labels = sum(n for (_, cause), n in tally.cells.items() if cause != RIGHT)
    sections = [_labels(summary)]
    if summary["causes"]:
        sections.append(_causes(summary["causes"]))
    if wrong_labels:
        sections.append(_sizes(tally))
    for place, measured in artefacts.items():
        where = f": {PurePath(place).name}" if len(artefacts) > 1 else ""
        sections.append(_artefacts(f"Shortcuts{where}", measured))
    return Report(
        title=_headline(summary["items"], labelled, wrong_labels),
        lead="\n".join(_sublines(summary, tally)),
        facts=dict(_facts(summary)),
        sections=(*sections, _findings(tally, rows, problems, file)),
        footer=f"Timings and the full list of items are in `summary.json` and `{file}` next to "
        "this file.",
    )


def _labels(summary: Mapping[str, Any]) -> Section:
    counts = summary["status"]
    statuses = {other_status.value: counts.get(other_status.value, 0) for other_status in Status}
    status = bar_table(
        statuses if any(statuses.values()) else {},
        columns=("status", "items", "share", ""),
        title="Status of the claim given the premise",
        note="Entailed: the claim follows. Refuted: its negation follows. Unknown: neither "
        "follows. Contradictory: the premise is contradictory about the claim's events.",
    )
    tables = (_confusion(summary), _consistency(summary["declared"]), status)
    return Section(title="Labels", tables=tuple(table for table in tables if table.rows))


def _causes(causes: Mapping[str, int]) -> Section:
    return Section(
        title="Why labels are wrong",
        text="The smallest set of faults of the published labelling procedure whose repair gives "
        "the right label, or the circumstance that explains the label.",
        tables=(cause_table(causes),),
        definitions=meanings(causes),
    )


def _sizes(tally: Tally) -> Section:
    return Section(
        title="Where labels are wrong",
        text="Share of wrong labels; lines are 95% confidence intervals. Hops are the premise "
        "sentences on the shortest chain that proves the status; items of status unknown have "
        "none.",
        plots=size_plots(tally),
        tables=(size_table(tally), status_table(tally)),
    )


def _artefacts(title: str, artefacts: Artefacts) -> Section:
    by_claim = balance_table(artefacts.by_claim, "Gold labels by claim", "claim ↓ gold →")
    by_cell = balance_table(artefacts.by_cell, "Gold labels by size", "size ↓ gold →")
    folded = "Gold labels by numbers of events and relations"
    if by_cell is not None:
        by_cell = replace(by_cell, folded=f"{folded} ({len(by_cell.rows)} rows)")
    tables = (guess_table(artefacts.guesses), by_claim, by_cell)
    return Section(
        title=title,
        text=f"How well the gold label can be predicted without reasoning, on {artefacts.items:,} "
        "items. On a benchmark without shortcuts, probes stay at chance.",
        points=tuple(
            Point(text=finding.sentence, warning=finding.warning) for finding in artefacts.findings
        ),
        plots={"accuracy of probes against chance": guess_plot(artefacts.guesses)},
        tables=tuple(table for table in tables if table is not None),
    )


def _findings(
    tally: Tally, rows: Sequence[bytes], problems: Sequence[Problem], file: str
) -> Section:
    points = tuple(
        Point(text=f"{problem.flaw}: {problem.where}: {problem.message}", warning=True)
        for problem in problems
    )
    if not tally.flawed:
        return Section(title="Findings", text="No item is flawed.", points=points)
    listed = listing(rows, tally.flawed, published=tally.published, file=file)
    left = f" {listed.left_out:,} more are in `{file}`." if listed.left_out else ""
    text = f"Each verdict has a certificate that an independent checker accepted.{left}"
    return Section(title="Findings", text=text, points=points, listing=listed)


def _headline(items: int, labelled: int, wrong: int) -> str:
    if not labelled:
        return f"{counted(items, 'item')} without gold labels"
    if not wrong:
        return f"{counted(items, 'item')}: every label is right"
    be = "is" if wrong == 1 else "are"
    return f"{counted(items, 'item')}: {share(wrong, labelled)} of the labels {be} wrong"


def _sublines(summary: Mapping[str, Any], tally: Tally) -> Iterator[str]:
    wrong = tally.findings[FindingCode.WRONG_LABEL.value]
    labelled = _total(summary["confusion"])
    if wrong:
        yield f"{wrong:,} of {labelled:,} gold labels differ from the proved label."
    possible = summary["declared"].get("possible", {})
    contradictory = possible.get("contradictory", 0)
    if contradictory:
        total = sum(possible.values())
        yield (
            f"{share(contradictory, total)} of the premises declared possible are contradictory "
            f"({contradictory:,} of {total:,})."
        )
    consistent = summary["declared"].get("impossible", {}).get("consistent", 0)
    if consistent:
        yield f"{counted(consistent, 'premise')} declared impossible can be satisfied."
    if summary["unparsed"]:
        yield f"{counted(summary['unparsed'], 'item')} could not be read."
    wrong_hops = tally.findings[FindingCode.WRONG_HOPS.value]
    if wrong_hops:
        yield f"{counted(wrong_hops, 'declared number')} of hops differ from the number found."


def _facts(summary: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    files = [PurePath(file).name for file in summary.get("files", ())]
    if files:
        yield ("File" if len(files) == 1 else "Files", ", ".join(files))
    yield ("Policy", _policy(summary))
    yield ("Spatial reading", f"{summary['spatial']}: {_READING[summary['spatial']]}")
    if summary["items"] > summary["unparsed"]:
        yield ("Engines", _engines(summary["engines"], summary["disagreements"]))
    for finding, number in sorted(summary.get("findings", {}).items()):
        yield (f"Found: {finding}", f"{number:,}")
    yield ("Versions", ", ".join(f"{n} {v}" for n, v in versions().items() if v))


def _policy(summary: Mapping[str, Any]) -> str:
    repaired = summary.get("repaired", ())
    return f"{summary['policy']}, without {', '.join(repaired)}" if repaired else summary["policy"]


def _engines(engines: Sequence[str], disagreements: int) -> str:
    if len(engines) == 1:
        return f"{engines[0]}, alone"
    agree = "agree on every item" if not disagreements else f"differ on {disagreements:,} items"
    return f"{', '.join(engines)}: {agree}"


def _confusion(summary: Mapping[str, Any]) -> Table:
    confusion: Mapping[str, Mapping[str, int]] = summary["confusion"]
    scheme = LabelScheme.parse(summary.get("labels", EVENTHOP))
    agreeing = {gold: str(meaning(gold, scheme)) for gold in confusion}
    columns = list(map(str, label_words(scheme)))
    ranks = {gold: columns.index(agreeing[gold]) for gold in confusion}
    confusion = {gold: confusion[gold] for gold in sorted(confusion, key=lambda g: (ranks[g], g))}
    return cross_table(
        "Gold labels and proved labels",
        "gold ↓ proved →",
        confusion,
        columns,
        agreeing,
        note="Items, and their share of the row. Blue agrees with the gold label, orange does not.",
    )


def _consistency(declared: Mapping[str, Mapping[str, int]]) -> Table:
    return cross_table(
        "Declared and found consistency",
        "declared ↓ found →",
        dict(sorted(declared.items(), reverse=True)),
        ("consistent", "contradictory"),
        _DECLARED,
        note="Whether the premise is satisfiable: as declared by the file, and as found.",
    )


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
