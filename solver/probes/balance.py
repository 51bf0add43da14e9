"""Association between labels and the cells of a file: contingency table and Cramér's V."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import erfc, exp, fsum, lgamma, log

SIGNIFICANT = 0.001
STRONG = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Items of one cell by label."""

    name: str
    counts: Mapping[str, int]

    @property
    def total(self) -> int:
        """Number of items in the cell."""
        return sum(self.counts.values())

    def share(self, label: str) -> float:
        """Share of a label in the cell, in [0, 1]."""
        return self.counts.get(label, 0) / self.total if self.total else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """Labels by cell.

    Attributes:
        by: name of the cell variable.
        labels: the columns.
        association: bias-corrected Cramér's V (Bergsma 2013), in [0, 1]: 0 if the label does not
            depend on the cell, 1 if the cell determines it; None for fewer than two rows or labels.
        p_value: of the chi-square test of independence; None likewise.
    """

    by: str
    labels: tuple[str, ...]
    rows: tuple[Row, ...]
    association: float | None = None
    p_value: float | None = None

    @property
    def uneven(self) -> bool:
        """Whether the label depends on the cell: strongly and significantly."""
        if self.association is None or self.p_value is None:
            return False
        return self.association > STRONG and self.p_value < SIGNIFICANT


def balance(by: str, cells: Sequence[Cell]) -> Balance:
    """Tabulate labels by cell, sorted by cell key."""
    labels = tuple(sorted({cell.label for cell in cells}))
    counted = Counter((cell.key, cell.name, cell.label) for cell in cells)
    names = dict(sorted({(cell.key, cell.name) for cell in cells}))
    rows = tuple(
        Row(name=name, counts={label: counted[key, name, label] for label in labels})
        for key, name in names.items()
    )
    table = [[row.counts[label] for label in labels] for row in rows]
    if len(rows) < 2 or len(labels) < 2:
        return Balance(by=by, labels=labels, rows=rows)
    return _with_association(by, labels, rows, table)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """The cell of an item, as sort key and display name, and the item's label."""

    key: tuple[int | str, ...]
    name: str
    label: str


def _with_association(
    by: str, labels: tuple[str, ...], rows: tuple[Row, ...], table: list[list[int]]
) -> Balance:
    import numpy as np

    counts = np.array(table, dtype=np.float64)
    items = sum(map(sum, table))
    expected = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0, keepdims=True) / items
    statistic = float(((counts - expected) ** 2 / expected).sum())
    degrees = (len(rows) - 1) * (len(labels) - 1)
    excess = statistic / items - degrees / max(items - 1, 1)
    height, breadth = (_bias_corrected(len(side), items) for side in (rows, labels))
    most = min(height, breadth) - 1
    strength = (max(excess, 0.0) / most) ** 0.5 if most > 0 else 0.0
    return Balance(
        by=by,
        labels=labels,
        rows=rows,
        association=round(min(float(strength), 1.0), 4),
        p_value=float(f"{chi_square_tail(statistic, degrees):.3g}"),
    )


def chi_square_tail(statistic: float, degrees: int) -> float:
    """The probability that a chi-square variable is at least so large.

    A finite sum for whole degrees of freedom (Abramowitz and Stegun, 26.4.4 and 26.4.5); its terms
    are products of ``half ** k / gamma(k + 1)``, for whole or half-integer k.
    """
    half = statistic / 2
    if half == 0:
        return 1.0
    first = 0.5 if degrees % 2 else 0.0
    powers = (first + step for step in range(degrees // 2))
    terms = (exp(k * log(half) - half - lgamma(k + 1)) for k in powers)
    return min(fsum([erfc(half**0.5) if degrees % 2 else 0.0, *terms]), 1.0)


def _bias_corrected(size: int, items: int) -> float:
    return size - (size - 1) ** 2 / max(items - 1, 1)
