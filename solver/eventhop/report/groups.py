"""Wrong labels by the sizes of items and by cause, and the artefact checks: tables and charts."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from grammar.eventhop.model import Label, Status
from solver.eventhop.outcomes import Cell
from solver.eventhop.tally import RIGHT, Tally
from solver.probes import probe
from solver.probes.balance import Balance
from solver.probes.probe import ProbeResult
from solver.report.charts import plot
from solver.report.model import Cell as ShownCell
from solver.report.model import Table, Tone
from solver.report.numbers import MISSING, share

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


def size_plots(tally: Tally) -> dict[str, str]:
    """Share of wrong labels by number of events, of relations, of hops."""
    sizes = _Sizes.of(tally)
    return {
        "by events": _plot(tally, "events", sizes.events_of),
        "by relations": _plot(tally, "relations", sizes.relations_of),
        "by hops": _plot(tally, "hops", sizes.hops_of),
    }


def _plot(tally: Tally, noun: str, key: Callable[[Cell], _Key]) -> str:
    totals: Counter[_Key] = Counter()
    wrong: Counter[_Key] = Counter()
    for (cell, cause), number in tally.cells.items():
        totals[key(cell)] += number
        wrong[key(cell)] += number if cause != RIGHT else 0
    names = sorted(totals)
    bars = [wilson(wrong[name], totals[name]) for name in names]
    ends = [
        [max(bar.share - bar.low, 0.0) for bar in bars],
        [max(bar.high - bar.share, 0.0) for bar in bars],
    ]
    with plot(width=4.2, height=2.6) as drawn:
        axes, places = drawn.axes[0], range(len(names))
        axes.bar(places, [bar.share for bar in bars], yerr=ends, color=_WRONG, capsize=2)
        axes.set_xticks(places, [f"{name.name}\n{totals[name]:,}" for name in names], fontsize=7)
        axes.set(title=f"by {noun}", xlabel=f"{noun}; items below", ylim=(0, upper_edge(bars)))
        axes.yaxis.set_major_formatter(lambda height, _: f"{height:.0%}")
    return drawn.svg


_WRONG = "#d55e00"
_RIGHT = "#0072b2"
Z = 1.96
"""Quantile of the normal distribution for intervals of 95%."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proportion:
    """A share in [0, 1] with its 95% confidence interval."""

    share: float
    low: float
    high: float


def wilson(count: int, total: int) -> Proportion:
    """A share with its Wilson interval, which is valid for small counts too."""
    if not total:
        return Proportion(share=0.0, low=0.0, high=0.0)
    low, high = probe.wilson(count, total, Z)
    return Proportion(share=round(count / total, 4), low=round(low, 4), high=round(high, 4))


def upper_edge(bars: Sequence[Proportion]) -> float:
    """The share at the upper edge of a plot of bars."""
    highest = max((bar.high for bar in bars), default=0.0)
    return next((edge for edge in (0.1, 0.2, 0.4, 0.6, 0.8) if highest <= edge), 1.0)


def size_table(tally: Tally) -> Table:
    """Share of wrong labels by events and relations together."""
    sizes = _Sizes.of(tally)
    title = "Wrong labels by events and relations"
    return _share_table(tally, title, "events ↓ relations →", sizes.events_of, sizes.relations_of)


def status_table(tally: Tally) -> Table:
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
) -> Table:
    totals: defaultdict[_Key, Counter[_Key]] = defaultdict(Counter)
    wrong: defaultdict[_Key, Counter[_Key]] = defaultdict(Counter)
    for (cell, cause), number in tally.cells.items():
        row, column = row_of(cell), column_of(cell)
        totals[row][column] += number
        wrong[row][column] += number if cause != RIGHT else 0
    columns = sorted({column for row in totals.values() for column in row})
    rows: tuple[tuple[str | ShownCell, ...], ...] = tuple(
        (row.name, *(_share_cell(wrong[row][c], totals[row][c]) for c in columns))
        for row in sorted(totals)
    )
    return Table(title=title, columns=(corner, *(c.name for c in columns)), rows=rows)


def _share_cell(wrong: int, total: int) -> ShownCell:
    if not total:
        return ShownCell()
    return ShownCell(
        text=share(wrong, total),
        detail=f"of {total:,}",
        strength=round(wrong / total, 4),
        tone=Tone.BAD,
    )


def cross_table(
    title: str,
    corner: str,
    counts: Mapping[str, Mapping[str, int]],
    columns: Sequence[str],
    agreeing: Mapping[str, str],
    note: str = "",
) -> Table:
    """Cross-tabulate two variables that should agree; shares are of the row.

    Args:
        title: title of the table.
        corner: label of rows and columns.
        counts: row -> column -> items.
        columns: all columns, in order.
        agreeing: row -> the column that agrees with it; the other cells of the row are wrong. Cells
            of other rows are neutral.
        note: remark below the table.
    """
    rows: list[tuple[str | ShownCell, ...]] = []
    for name, row in counts.items():
        total = sum(row.values())
        cells: list[ShownCell] = []
        for column in columns:
            number = row.get(column, 0)
            tone = Tone.GOOD if agreeing.get(name) == column else Tone.BAD
            cells.append(
                ShownCell(
                    text=f"{number:,}",
                    detail=share(number, total),
                    strength=round(number / total, 4) if total else 0.0,
                    tone=tone if name in agreeing else Tone.NEUTRAL,
                )
            )
        rows.append((name, *cells))
    return Table(title=title, columns=(corner, *columns), rows=tuple(rows), note=note)


def cause_table(causes: Mapping[str, int]) -> Table:
    """Wrong labels by cause, the most frequent first; a cause joins names by ``+``."""
    ranked = sorted(causes.items(), key=lambda pair: (-pair[1], pair[0]))
    counts = {" + ".join(cause.split("+")): number for cause, number in ranked}
    return bar_table(counts, columns=("cause", "items", "share", ""), tone=Tone.BAD)


def bar_table(
    counts: Mapping[str, int],
    *,
    columns: tuple[str, str, str, str],
    tone: Tone = Tone.NEUTRAL,
    title: str = "",
    note: str = "",
) -> Table:
    """Counts with their share of all, and a bar relative to the greatest."""
    total, most = sum(counts.values()), max(counts.values(), default=1)
    rows = tuple(
        (
            name,
            f"{number:,}",
            share(number, total),
            ShownCell(tone=tone, bar=round(100 * number / max(most, 1), 2)),
        )
        for name, number in counts.items()
    )
    return Table(title=title, columns=columns, rows=rows, note=note)


MOST_ROWS = 80


def balance_table(balance: Balance, title: str, corner: str) -> Table | None:
    """Gold labels by the value of a feature; None if there are no values."""
    if not balance.rows:
        return None
    note = ""
    if balance.association is not None:
        note = f"Cramér's V {balance.association:.2f}, p = {balance.p_value:.2g}"
    rows = balance.rows[:MOST_ROWS]
    labels = tuple(label.value for label in Label if label.value in balance.labels)
    if len(rows) < len(balance.rows):
        note = f"{note}; {len(balance.rows) - len(rows):,} more rows are left out"
    return Table(
        title=title,
        columns=(corner, *labels),
        rows=tuple(
            (
                row.name,
                *(
                    ShownCell(
                        text=share(row.counts[label], row.total),
                        detail=f"{row.counts[label]:,}",
                        strength=round(row.share(label), 4),
                    )
                    for label in labels
                ),
            )
            for row in rows
        ),
        note=note,
    )


def guess_plot(guesses: Sequence[ProbeResult]) -> str:
    """Accuracy of each probe with its interval, against chance."""
    with plot(width=8.0, height=0.9 + 0.32 * len(guesses)) as drawn:
        axes = drawn.axes[0]
        for place, guess in enumerate(guesses):
            if (
                guess.accuracy is None
                or guess.low is None
                or guess.high is None
                or guess.chance is None
            ):
                axes.text(0.01, place, guess.note, va="center", color="0.4")
                continue
            color = _WRONG if guess.shortcut else _RIGHT
            axes.vlines(guess.chance, place - 0.4, place + 0.4, color="0.4", linestyle="--")
            axes.hlines(place, guess.low, guess.high, color=color, alpha=0.4, linewidth=4)
            axes.plot(guess.accuracy, place, "o", color=color)
        axes.set_yticks(range(len(guesses)), [guess.name for guess in guesses])
        axes.invert_yaxis()
        axes.set(xlim=(0, 1), xlabel="accuracy (band: 99.8% interval; dashed: chance)")
    return drawn.svg


def guess_table(guesses: Sequence[ProbeResult]) -> Table:
    """Accuracy of each probe and of chance."""
    rows = []
    for guess in guesses:
        scores = (guess.accuracy, guess.low, guess.high, guess.chance, guess.auc)
        shown = (MISSING if score is None else f"{score:.3f}" for score in scores)
        p_value = MISSING if guess.p_value is None else f"{guess.p_value:.1g}"
        counted_on = f"{guess.items:,}", guess.fitted, guess.note
        rows.append((guess.name, *shown, p_value, *counted_on))
    scored = ("accuracy", "low", "high", "chance", "AUC", "p")
    columns = ("features", *scored, "items", "fitted", "note")
    note = (
        "Low and high: 99.8% Wilson interval. Chance: the share of the most frequent label. AUC: "
        "of the label that is ranked best against the others. p: of the most significant cue, for "
        "all cues together."
    )
    return Table(columns=columns, rows=tuple(rows), note=note)
