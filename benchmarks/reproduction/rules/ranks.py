"""Reproduces the published figures for ICEWS14 from the published rank files.

Run it on the published files, which are not part of this repository::

    python -m benchmarks.reproduction.rules.ranks rank_file/* --data icews14 --weights FILE

It prints a page; ``--write`` saves it, and the figures as JSON, to ``benchmarks/results/``.
Source of the published figures: RSMF, Tables 1, 2 and 7. Four details of how Table 1 was made are
not in the text; they are found by experiment (``Halving``), and the page shows what each matters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from types import MappingProxyType

import click
import numpy as np

from benchmarks.metrics.ranking import Numbers, hits, mrr
from benchmarks.reproduction.speed.clock import write_results
from benchmarks.rules.ranking.comparison import agreements
from benchmarks.rules.ranking.groups import BIAS, Mask, bins, read_strikingness, weights_of
from benchmarks.rules.ranking.models import RankedModel, place, read_models
from benchmarks.rules.ranking.queries import (
    WINDOW,
    Filter,
    FilteredAnswers,
    SplitQueries,
    overlap,
)
from benchmarks.rules.ranking.recurrency import Form, Recurrency, Settings
from solver.graph.io import read_dataset
from solver.graph.model import Split
from solver.graph.queries import Tie

ENSEMBLE = "tlogic_logcl_0.8"
SIX = ("recurrency", "titer", "tlogic", "regcn", "tirgn", "logcl")
METRICS = ("MRR", "WMRR", "Hits@1", "WHits@1", "Hits@3", "WHits@3", "Hits@10", "WHits@10")

TABLE_2 = MappingProxyType(
    {
        "icl": (None, None, 32.40, 15.95, 45.94, 26.18, 56.59, 36.59),
        "gentkg": (None, None, 37.04, 18.28, 48.43, 28.07, 53.62, 33.96),
        "recurrency": (37.12, 19.47, 29.69, 13.62, 40.75, 21.49, 51.26, 30.75),
        "titer": (41.87, 25.46, 32.97, 17.55, 46.45, 28.39, 58.31, 40.72),
        "tlogic": (42.52, 24.92, 33.19, 16.68, 47.63, 28.53, 60.27, 41.41),
        "regcn": (42.43, 29.92, 31.90, 19.76, 47.59, 33.86, 62.74, 49.90),
        "tirgn": (44.45, 30.43, 33.77, 20.30, 49.57, 34.09, 64.89, 50.69),
        "logcl": (48.84, 38.17, 37.76, 26.88, 54.60, 43.23, 70.43, 60.78),
        ENSEMBLE: (51.35, 38.67, 40.23, 27.18, 57.60, 44.07, 72.56, 61.49),
    }
)
"""Model -> the cells of Table 2 for ICEWS14, in the order of ``METRICS``; None if not published."""

TABLE_7 = MappingProxyType(
    {"[0.0, 0.1]": (62.70, 76.12, 84.85), "[0.1, 0.2]": (41.85, 59.09, 69.55)}
)
"""Closed bin -> the share of queries that at least 6, 5 and 4 of ``SIX`` rank in the top three."""

TABLE_1 = MappingProxyType(
    {
        "recurrency": (19.10, 12.28, 13.46, 5.77, 12.05, 5.36, 5.23, 1.65),
        "titer": (27.61, 17.51, 21.92, 11.41, 22.89, 9.13, 16.67, 7.44),
        "tlogic": (28.96, 15.57, 21.28, 10.90, 19.08, 8.73, 14.60, 4.55),
        "regcn": (38.36, 17.81, 31.03, 19.23, 30.92, 17.86, 24.57, 14.98),
        "tirgn": (35.97, 19.31, 31.15, 20.26, 29.12, 18.25, 21.78, 14.88),
        "logcl": (49.40, 27.10, 42.56, 28.46, 43.98, 29.56, 33.45, 25.83),
        ENSEMBLE: (49.70, 26.65, 40.64, 25.90, 42.77, 28.37, 32.60, 24.69),
    }
)
"""Model -> Hits@3 of high and low NO in each of the last four bins of strikingness."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Halving:
    """How Table 1 splits a bin of strikingness at its median NO."""

    window: int = 150
    """Time steps of NO; the text has those of strikingness, 200."""
    closed: bool = True
    """Whether neighbouring bins share the events at their edge, as in Table 7."""
    shared: bool = True
    """Whether the events at the median are in both halves, else in the low one alone."""
    least: float = 0.01
    """A bin with a smaller median is split here; that of the last bin is 0."""

    def halves(self, queries: SplitQueries, values: Numbers) -> Iterator[tuple[str, Mask]]:
        """Name and events of both halves of each of the last four bins."""
        shares = overlap(queries, window=self.window)
        for name, members in islice(bins(values, closed=self.closed), 6, None):
            median = np.quantile(shares[members], 0.5, method="lower")
            split = max(float(median), self.least)
            yield f"high NO {name}", members & (shares >= split if self.shared else shares > split)
            yield f"low NO {name}", members & (shares <= split)


EXPERIMENTS = MappingProxyType(
    {
        "as found": Halving(),
        f"window of {WINDOW} time steps": Halving(window=WINDOW),
        "half-open bins": Halving(closed=False),
        "events at the median in the low half alone": Halving(shared=False),
        "the last bin split at its median, 0": Halving(least=0.0),
        "all four": Halving(window=WINDOW, closed=False, shared=False, least=0.0),
    }
)
"""What is changed in the way that Table 1 was made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A published figure and the reproduced one, both in percent."""

    table: int
    row: str
    column: str
    printed: float
    ours: float

    @property
    def equal(self) -> bool:
        """Whether they are equal at two decimals."""
        return f"{self.ours:.2f}" == f"{self.printed:.2f}"


def cells_of_table_2(entrant: RankedModel, values: Numbers) -> dict[str, float]:
    """All metrics of a model in percent, also unpublished ones."""
    weights = weights_of(values, bias=BIAS)
    ranks = entrant.ranks
    figures = [mrr(ranks), mrr(ranks, weights)]
    for cut in (1, 3, 10):
        figures += [hits(ranks, cut), hits(ranks, cut, weights)]
    return {name: 100 * figure for name, figure in zip(METRICS, figures, strict=True)}


def cells(entrants: list[RankedModel], queries: SplitQueries, values: Numbers) -> Iterator[Cell]:
    """Yield every published cell of the three tables for the given models."""
    models = {entrant.model: entrant for entrant in entrants}
    for model, printed in TABLE_2.items():
        if model in models:
            ours = cells_of_table_2(models[model], values)
            for name, figure in zip(METRICS, printed, strict=True):
                if figure is not None:
                    yield Cell(table=2, row=model, column=name, printed=figure, ours=ours[name])
    yield from cells_of_table_1(models, queries, values, Halving())
    if models.keys() >= set(SIX):
        for agreement in agreements([models[model].ranks for model in SIX], values):
            for n, figure in zip((6, 5, 4), TABLE_7.get(agreement.group, ()), strict=False):
                share = 100 * agreement.shares[n - 1]
                named = f"at least {n} of 6"
                yield Cell(table=7, row=agreement.group, column=named, printed=figure, ours=share)


def cells_of_table_1(
    models: dict[str, RankedModel], queries: SplitQueries, values: Numbers, halving: Halving
) -> Iterator[Cell]:
    """The cells of Table 1 with a way of splitting bins."""
    halves = list(halving.halves(queries, values))
    for model, figures in TABLE_1.items():
        for (name, members), figure in zip(halves, figures, strict=True) if model in models else ():
            both = np.concatenate([members, members])
            share = 100 * hits(models[model].ranks[both], 3)
            yield Cell(table=1, row=model, column=name, printed=figure, ours=share)


def experiments(
    entrants: list[RankedModel], queries: SplitQueries, values: Numbers
) -> dict[str, dict[str, float]]:
    """What is changed -> the number of equal cells of Table 1, and the largest difference."""
    models = {entrant.model: entrant for entrant in entrants}
    found = {
        name: list(cells_of_table_1(models, queries, values, halving))
        for name, halving in EXPERIMENTS.items()
    }
    return {
        name: {"equal": equal_cells(some), "most": largest(some)} for name, some in found.items()
    }


def equal_cells(found: list[Cell]) -> int:
    """How many cells are equal at two decimals."""
    return sum(cell.equal for cell in found)


def largest(found: list[Cell]) -> float:
    """The largest difference of a published and a reproduced figure."""
    return max((abs(cell.ours - cell.printed) for cell in found), default=0.0)


def baseline(queries: SplitQueries) -> dict[str, float]:
    """MRR in percent of each form of Recurrency."""
    filtered = FilteredAnswers(queries, Filter.TIME_AWARE)
    placed = {f: place(Recurrency(queries, Settings(form=f)), queries, filtered) for f in Form}
    return {form.value: 100 * mrr(ranks.values(Tie.REALISTIC)) for form, ranks in placed.items()}


def page(found: list[Cell], tried: dict[str, dict[str, float]], forms: dict[str, float]) -> str:
    """The figures in Markdown."""
    return "\n".join(_lines(found, tried, forms)) + "\n"


def _lines(
    found: list[Cell], tried: dict[str, dict[str, float]], forms: dict[str, float]
) -> Iterator[str]:
    for table, what in (
        (2, "all queries"),
        (7, "queries that several models rank in the top three, closed bins"),
        (1, "Hits@3 at high strikingness, bins split at their median NO, closed bins"),
    ):
        some = [cell for cell in found if cell.table == table]
        if not some:
            continue
        equal, most = equal_cells(some), largest(some)
        yield f"## Table {table}: {what}"
        yield ""
        yield f"{equal} of {len(some)} cells equal at two decimals; largest difference {most:.2f}."
        yield ""
        named = dict.fromkeys(cell.column for cell in some)
        columns = [name for name in METRICS if name in named] or list(named)
        yield f"| published / here | {' | '.join(columns)} |"
        yield f"|---|{'---:|' * len(columns)}"
        for row in dict.fromkeys(cell.row for cell in some):
            by_column = {cell.column: cell for cell in some if cell.row == row}
            texts = (_cell(by_column.get(column)) for column in columns)
            yield f"| {row} | {' | '.join(texts)} |"
        yield ""
    yield "| Table 1 with one change | cells equal | largest difference |"
    yield "|---|---:|---:|"
    for name, figures in tried.items():
        yield f"| {name} | {figures['equal']} | {figures['most']:.2f} |"
    yield ""
    yield "## Recurrency, MRR"
    yield ""
    yield "| rank file | " + " | ".join(forms) + " |"
    yield f"|---:|{'---:|' * len(forms)}"
    yield "| 37.12 | " + " | ".join(f"{figure:.2f}" for figure in forms.values()) + " |"


def _cell(cell: Cell | None) -> str:
    if cell is None:
        return "–"
    ours = f"{cell.ours:.2f}"
    return f"{cell.printed:.2f} / {ours}" if cell.equal else f"{cell.printed:.2f} / **{ours}**"


@click.command()
@click.argument("paths", nargs=-1, required=True)
@click.option("--data", "folder", required=True, type=click.Path(path_type=Path))
@click.option("--weights", required=True)
@click.option("--write", is_flag=True, help="Write the results to benchmarks/results/.")
def main(paths: tuple[str, ...], folder: Path, weights: str, write: bool) -> None:
    """Compare published figures with those of the rank files."""
    queries = SplitQueries.of(read_dataset(folder), Split.TEST)
    filtered = FilteredAnswers(queries, Filter.TIME_AWARE)
    entrants = read_models(paths, queries, filtered, not_returned={"": 0})
    values = read_strikingness(weights, queries)
    found, tried = list(cells(entrants, queries, values)), experiments(entrants, queries, values)
    forms = baseline(queries)
    text = page(found, tried, forms)
    click.echo(text, nl=False)
    if write:
        rows = [asdict(cell) | {"equal": cell.equal} for cell in found]
        value = {"cells": rows, "table 1": tried, "recurrency": forms}
        write_results("ranks-icews14", value, text)


if __name__ == "__main__":
    main()
