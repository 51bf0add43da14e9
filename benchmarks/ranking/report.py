"""The folder that ``score ranks --report`` leaves: figures, page, manifest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.ranking import figures
from benchmarks.ranking.groups import Grouping
from benchmarks.ranking.standings import METRICS, Standings, as_json, best
from benchmarks.report_folder import write_folder
from solver.report.sheet import Section, Sheet, Table

NAMES = {
    "mrr": "MRR",
    "hits1": "Hits@1",
    "hits3": "Hits@3",
    "hits10": "Hits@10",
    "amr": "AMR",
    "amri": "AMRI",
}
"""What metrics are called; a W stands before the weighted ones."""

MOST_RELATIONS = 12
LEAST_CHANCE = 1e-300


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ranked:
    """What came out of a run of ``score ranks``.

    Attributes:
        standings: the figures.
        weights: the strikingness file, or the name of a naive measure; empty without.
        config: the run's options.
        inputs: files that were read.
        shares: eta -> MRR on the validation set, if one was looked for.
        notes: what a reader should know of the input.
    """

    standings: Standings
    weights: str
    config: Mapping[str, object]
    inputs: tuple[str, ...]
    shares: tuple[tuple[float, float], ...] = ()
    notes: tuple[str, ...] = ()
    seed: int = 0

    def as_json(self) -> dict[str, Any]:
        """All figures as JSON values."""
        queries = self.standings.queries
        return {
            "data": queries.dataset.name,
            "split": queries.split.value,
            "events": queries.events,
            "queries": len(queries),
            "weights": self.weights or None,
            "config": {name: str(value) for name, value in self.config.items()},
            "bias": self.standings.bias,
            "notes": list(self.notes),
            "ensemble_search": [{"share": one, "mrr": figure} for one, figure in self.shares],
            **as_json(self.standings),
        }


def write_report(run: Ranked, folder: Path) -> Path:
    """Write ``scores.json``, ``report.html`` and ``manifest.json``; gives the page."""
    return write_folder(run, sheet(run), folder)


def sheet(run: Ranked) -> Sheet:
    """The page."""
    stand, queries = run.standings, run.standings.queries
    facts = {
        "data": f"{queries.dataset.name}, {queries.split}",
        "events": f"{queries.events:,}, each asked for its object and for its subject",
        "weights": f"{run.weights} + {stand.bias:g}" if run.weights else "none",
        "filter": str(run.config["filter"]),
        **{f"note {n}": note for n, note in enumerate(run.notes, 1)},
    }
    return Sheet(
        title=f"Ranks of {len(stand.models)} models on {queries.dataset.name}",
        lead=headline(stand),
        facts=facts,
        sections=tuple(_sections(run)),
    )


def headline(run: Standings) -> str:
    """Who leads, by the plain and by the weighted MRR, and on which bins of strikingness."""
    if not run.whole:
        return ""
    said = [f"By MRR {_leader(run, 'plain')} leads"]
    if run.strikingness is not None:
        said.append(f"by weighted MRR {_leader(run, 'weighted')}")
    by_bin = [
        run.names[min(best([m.mrr for m in one.measures], "mrr"))]
        for one in figures.groups_of(run, Grouping.STRIKINGNESS)
    ]
    where = [f"{name} leads {by_bin.count(name)}" for name in dict.fromkeys(by_bin)]
    bins = f" Of {len(by_bin)} bins of strikingness {', '.join(where)}." if where else ""
    return f"{', '.join(said)}.{bins}"


def _leader(run: Standings, form: str) -> str:
    place = min(best([getattr(one, form).mrr for one in run.models], "mrr"))
    return f"{run.names[place]} ({100 * getattr(run.models[place], form).mrr:.2f})"


def _sections(run: Ranked) -> Iterator[Section]:
    stand = run.standings
    told = "In percent, but for AMR, whose best is the least; the best of each column in bold. "
    told += "95% is the bootstrap interval of the last MRR, first the share of resamples led."
    yield Section(title="Models", text=told, table=overall(stand))
    ties = open_ties(stand)
    if ties is not None:
        text = "Equal scores counted against the answer, broken at random, counted for it."
        yield Section(title="Ties", text=text, table=ties)
    values = stand.strikingness
    if values is not None and stand.sweep is not None:
        yield from _striking(stand)
        plots = (
            figures.distribution(values),
            figures.by_repetition(stand, values),
            figures.by_frequency(stand, values),
        )
        yield Section(title="Strikingness", plots=plots)
    for grouping in Grouping:
        groups = figures.groups_of(stand, grouping)
        if groups and stand.whole and grouping is not Grouping.STRIKINGNESS:
            left = len(groups) - MOST_RELATIONS
            shown = figures.heat(stand, grouping, most=MOST_RELATIONS)
            more = f"{left:,} more are in scores.json." if left > 0 else ""
            yield Section(title=f"By {grouping}", text=more, plots=(shown,))
    yield from agreement(stand)
    yield from tests(stand)
    if run.shares:
        rows = tuple((f"{share:g}", f"{100 * figure:.2f}") for share, figure in run.shares)
        top = best([figure for _, figure in run.shares], "mrr")
        cells = frozenset((place, 1) for place in top)
        table = Table(columns=("eta", "MRR on valid"), rows=rows, best=cells)
        yield Section(title="Ensemble", text="Shares of the first model.", table=table)


def _striking(run: Standings) -> Iterator[Section]:
    swept = run.sweep
    if figures.groups_of(run, Grouping.STRIKINGNESS):
        text = "A frame marks the best model of each bin."
        plots = (
            figures.heat(run, Grouping.STRIKINGNESS),
            figures.by_group(run, Grouping.STRIKINGNESS),
        )
        yield Section(title="Which model wins where", text=text, plots=plots)
    crossings = swept.crossings if swept is not None else ()
    rows = tuple((one.below, f"{one.bias:.4g}", one.above) for one in crossings)
    columns = ("leads below", "b", "leads above")
    table = Table(columns=columns, rows=rows) if rows else None
    text = "Where two models change places:" if rows else ""
    yield Section(title="Bias", text=text, table=table, plots=(figures.over_bias(run),))


def overall(run: Standings) -> Table:
    """All metrics of all models, the best of each marked."""
    forms = ("plain",) if run.strikingness is None else ("plain", "weighted")
    columns = ["model"]
    cells: list[list[str]] = [[name] for name in run.names]
    marked = set()
    for form in forms:
        for metric in METRICS:
            columns.append(("W" if form == "weighted" else "") + NAMES[metric])
            values = [getattr(getattr(one, form), metric) for one in run.models]
            marked |= {(place, len(columns) - 1) for place in best(values, metric)}
            for row, value in zip(cells, values, strict=True):
                row.append(shown(value, metric))
    columns += ["95%", "first"]
    for row, (interval, leading) in zip(cells, drawn(run), strict=True):
        row += [interval, leading]
    rows = tuple(tuple(row) for row in cells)
    return Table(columns=tuple(columns), rows=rows, best=frozenset(marked))


def open_ties(run: Standings) -> Table | None:
    """What ties leave open of each model with scores; None if there is none."""
    metrics = METRICS[:4]
    rows = []
    for one in run.models:
        for prefix, bounds in zip(("", "W"), one.bounds or (), strict=False):
            if bounds is not None:
                sides = (bounds.pessimistic, bounds.expected, bounds.optimistic)
                rows += [
                    (
                        one.entrant.model,
                        prefix + NAMES[metric],
                        *(shown(getattr(side, metric), metric) for side in sides),
                    )
                    for metric in metrics
                ]
    columns = ("model", "metric", "pessimistic", "expected", "optimistic")
    return Table(columns=columns, rows=tuple(rows)) if rows else None


def shown(value: float | None, metric: str) -> str:
    """A figure in percent at two decimals; AMR, a ratio, at three; a dash for none."""
    if value is None:
        return "–"
    return f"{value:.3f}" if metric == "amr" else f"{100 * value:.2f}"


def drawn(run: Standings) -> list[tuple[str, str]]:
    """The interval of each model and how often it leads; dashes for those without."""
    if run.drawn is None:
        return [("–", "–")] * len(run.models)
    known = iter(zip(run.drawn.intervals, run.drawn.leading, strict=True))
    found = []
    for one in run.models:
        if not one.entrant.whole:
            found.append(("–", "–"))
            continue
        interval, leading = next(known)
        found.append((f"{100 * interval.low:.2f}-{100 * interval.high:.2f}", f"{leading:.0%}"))
    return found


def agreement(run: Standings) -> Iterator[Section]:
    """On how many queries models agree (eq. 16), if there are several."""
    if not run.agreement or len(run.models) < 2:
        return
    numbers: Sequence[int] = range(len(run.models), 0, -1)
    rows = tuple(
        (one.group, f"{one.events:,}", *(f"{100 * one.shares[n - 1]:.2f}" for n in numbers))
        for one in run.agreement
    )
    columns = ("strikingness", "events", *(f"{n} model{'s' * (n != 1)}" for n in numbers))
    text = "Percent of queries that at least so many models rank in the first three; closed bins."
    yield Section(title="Agreement", text=text, table=Table(columns=columns, rows=rows))


def tests(run: Standings) -> Iterator[Section]:
    """Whether what is hardly striking is answered better than what is very striking."""
    if not run.tests:
        return
    rows = tuple(
        (
            *(one.model, f"Hits@{one.cut}", f"{100 * one.low:.2f}", f"{100 * one.high:.2f}"),
            *(f"{one.welch[0]:.2f}", _chance(one.welch[1])),
            *(f"{one.mann_whitney[0]:,.0f}", _chance(one.mann_whitney[1])),
        )
        for one in run.tests
    )
    columns = ("model", "metric", "sk < .2", "sk > .8", "Welch t", "p", "Mann-Whitney U", "p")
    text = "Percent of queries, events below .2 and above .8; p of a difference as large by chance."
    table = Table(columns=columns, rows=rows)
    yield Section(title="Low against high strikingness", text=text, table=table)


def _chance(p: float) -> str:
    """A probability; one too small for a number of the machine is not 0."""
    return f"{p:.2g}" if p >= LEAST_CHANCE else f"<{LEAST_CHANCE:g}"
