"""The report of ``strikingness``: weights, figures, HTML page and manifest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.rules.ranking.report import distribution
from benchmarks.rules.strikingness.measure import Change, Strikingness, write_strikingness
from benchmarks.rules.strikingness.settings import READINGS, Deviation, Element, Profile
from solver.graph.model import Dataset, Split
from solver.io.writing import reporting
from solver.report.charts import plot
from solver.report.model import Report, Section, Table
from solver.report.numbers import MISSING
from solver.report.page import write_report
from solver.rules.notation import fact_text
from solver.rules.provenance import Seen, manifest_path

MOST_EVENTS = 15
MOST_RELATIONS = 40


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StrikingnessRun:
    """The results of a run of ``strikingness``.

    Attributes:
        dataset: the graph.
        split: the measured split.
        found: the weights.
        rules: number of rules used.
        left_out: number of rules of the file that were not used.
        changes: effect of each switch; empty unless requested.
        seen: the facts that the rules were mined from; None if unknown.
        config: options of the run.
        inputs: files that were read.
    """

    dataset: Dataset
    split: Split
    found: Strikingness
    rules: int
    left_out: int
    changes: tuple[Change, ...]
    seen: Seen | None
    config: Mapping[str, object]
    inputs: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The figures as JSON values."""
        found, settings = self.found, self.found.settings
        return {
            "data": self.dataset.name,
            "split": self.split.value,
            "profile": settings.profile.value,
            "switches": {
                deviation.value: settings.reading(deviation).value for deviation in Deviation
            },
            "events": len(found),
            "rules": self.rules,
            "rules_left_out": self.left_out,
            "mean": float(found.weight.mean()),
            "quartiles": np.quantile(found.weight, (0.0, 0.25, 0.5, 0.75, 1.0)).tolist(),
            "components": {
                element.value: float(values.mean()) for element, values in found.components.items()
            },
            "ablation": [change_as_json(change) for change in self.changes],
        }

    def extremes(self, most: int) -> tuple[list[int], list[int]]:
        """Rows of the most and of the least striking events; ties in file order."""
        weight = self.found.weight
        return (
            np.argsort(-weight, kind="stable")[:most].tolist(),
            np.argsort(weight, kind="stable")[:most].tolist(),
        )


def change_as_json(change: Change) -> dict[str, Any]:
    """The effect of changed switches as JSON values."""
    return {
        "switches": sorted(switch.value for switch in change.switches),
        "to": None if change.reading is None else change.reading.value,
        "mean_difference": change.mean,
        "most": change.most,
        "changed": change.changed,
        "spearman": change.spearman,
    }


@reporting()
def write(run: StrikingnessRun, folder: Path) -> Path:
    """Write ``strikingness.txt``, ``summary.json``, ``report.html`` and ``manifest.json``."""
    weights = folder / "strikingness.txt"
    write_strikingness(weights, run.found, seen=run.seen, components=True)
    return write_report(
        folder,
        report(run),
        figures=run.as_json(),
        summary="summary.json",
        config=run.config,
        seed=0,
        encodings=(),
        inputs=run.inputs,
        outputs=[weights, manifest_path(weights)],
    )


def headline(found: Strikingness) -> str:
    """A one-sentence summary."""
    share = float((found.weight > 0.5).mean())
    return f"Mean strikingness {found.weight.mean():.3f}; {share:.0%} of the events are above .5."


def report(run: StrikingnessRun) -> Report:
    """The page of a run."""
    found, settings = run.found, run.found.settings
    facts = {
        "data": run.dataset.name,
        "split": f"{run.split}, {len(found):,} events",
        "profile": settings.name,
        "rules": f"{run.rules:,} used, {run.left_out:,} left out",
        "shares": ", ".join(f"{element} {settings.shares.of(element):g}" for element in Element),
        "lambda": f"{settings.decay:g}",
        "window": f"{settings.window:,} {'snapshots' if settings.snapshots else 'steps of time'}",
    }
    return Report(
        title=f"Strikingness of events in {run.dataset.name}",
        lead=headline(found),
        facts=facts,
        sections=tuple(_sections(run)),
    )


def _sections(run: StrikingnessRun) -> Iterator[Section]:
    found = run.found
    plots = {"distribution": distribution(found.weight), "components": _components(found)}
    yield Section(title="Distribution", plots=plots, tables=(means_table(found),))
    most, least = run.extremes(MOST_EVENTS)
    for title, rows in (("Most striking", most), ("Least striking", least)):
        yield Section(title=title, tables=(events_table(run, rows),))
    text = f"The most frequent of {len(np.unique(found.events.relation)):,} relations."
    yield Section(title="By relation", text=text, tables=(_relations(run),))
    if run.changes:
        text = "Effect of changing one switch, or all, to the other profile."
        yield Section(title="Switches", text=text, tables=(ablation_table(run.changes),))


def means_table(found: Strikingness) -> Table:
    """Means of the components and of the weights."""
    rows = [
        (element.value, f"{found.settings.shares.of(element):g}", *_spread(values))
        for element, values in found.components.items()
    ]
    rows.append(("weight", "", *_spread(found.weight)))
    return Table(columns=("", "share", "mean", "median", "at 0", "at 1"), rows=tuple(rows))


def _spread(values: np.ndarray[Any, np.dtype[np.float64]]) -> tuple[str, str, str, str]:
    none, whole = (values == 0).mean(), (values == 1).mean()
    return f"{values.mean():.3f}", f"{np.median(values):.3f}", f"{none:.1%}", f"{whole:.1%}"


def events_table(run: StrikingnessRun, rows: Sequence[int]) -> Table:
    """Some events with names, weights and components."""
    found, size = run.found, run.dataset.vocabulary
    events = found.events.rows()[rows].tolist()
    cells = []
    for row, (s, r, o, t) in zip(rows, events, strict=True):
        parts = (f"{values[row]:.3f}" for values in found.components.values())
        text = fact_text((s, r, o, t), size)
        cells.append((size.time(t), text, f"{found.weight[row]:.3f}", *parts))
    columns = ("time", "event", "weight", *(component.value for component in found.components))
    return Table(columns=columns, rows=tuple(cells))


def _relations(run: StrikingnessRun) -> Table:
    found, size = run.found, run.dataset.vocabulary
    relations, place = np.unique(found.events.relation, return_inverse=True)
    counts = np.bincount(place)
    numbers = [found.weight, *found.components.values()]
    means = [np.bincount(place, weights=values) / counts for values in numbers]
    first = np.argsort(-counts, kind="stable")[:MOST_RELATIONS].tolist()
    rows = tuple(
        (
            size.relation(int(relations[name])),
            f"{counts[name]:,}",
            *(f"{values[name]:.3f}" for values in means),
        )
        for name in first
    )
    columns = ("relation", "events", "weight", *(component.value for component in found.components))
    return Table(columns=columns, rows=rows)


def ablation_table(changes: Sequence[Change]) -> Table:
    """One row per ablation."""
    rows = []
    for change in changes:
        name = next(iter(change.switches)) if len(change.switches) == 1 else None
        paper = change.reading is Profile.PAPER
        meaning = "" if name is None else READINGS[name][0 if paper else 1]
        rows.append(
            (
                f"all {len(change.switches)}" if name is None else name.value,
                "either" if change.reading is None else change.reading.value,
                meaning,
                f"{change.mean:.3f}",
                f"{change.most:.3f}",
                f"{change.changed:,}",
                MISSING if change.spearman is None else f"{change.spearman:.3f}",
            )
        )
    columns = ("switch", "to", "meaning", "mean difference", "most", "changed", "Spearman")
    return Table(columns=columns, rows=tuple(rows))


def _components(found: Strikingness) -> str:
    with plot(width=9.6, height=3.2, panels=3) as drawn:
        for axes, (element, values) in zip(drawn.axes, found.components.items(), strict=True):
            axes.hist(values, bins=np.linspace(0, 1, 21).tolist(), edgecolor="white")
            axes.set(title=f"other {element}s", xlabel="component")
        drawn.axes[0].set_ylabel("events")
    return drawn.svg
