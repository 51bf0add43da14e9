"""Cues: single properties of items, and pairs of them, that the label depends on.

Each property is tested for independence of the label (Pearson's chi-square). As there are many,
the level holds for all tests of a probe together (Bonferroni): where no property has to do with it,
one probe in a hundred is a false alarm. An association must also be strong enough to matter.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, count
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

import numpy as np

from solver.probes.balance import chi_square_tail
from solver.probes.learners import Coded, Cues, lower_quantiles

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from solver.probes.learners import Rows, Value

STRENGTH = 0.005
"""Least association that is reported: chi-square above its expectation, per item."""

FEWEST = 12
"""Values of a property that occur in fewer items are taken together."""

BINS = 8
"""Numbers with more values than this are tested in as many bins."""

WORDS = 200
"""Words whose occurrences are counted: the most frequent ones."""

PAIRED = 6
"""Values of a property in a pair: the most frequent, and all others together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Property:
    """A property, or two together: the number of the value of each item, and values in words."""

    name: str
    codes: Rows
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Association:
    """How much the label depends on a property.

    Attributes:
        strength: chi-square above its expectation, per item.
        p_value: of independence, times the number of tests; 1 if the association is not strong.
    """

    tested: Property
    strength: float
    p_value: float

    def strongest(self, gold: Rows, labels: int, most: int) -> Iterator[Value]:
        """The values that have most items of a label above its share."""
        table = _table(self.tested, gold, labels)
        shares = table.sum(axis=0) / table.sum()
        gains = table - table.sum(axis=1, keepdims=True) * shares
        best = gains.max(axis=1)
        for value in np.argsort(-best, kind="stable")[:most].tolist():
            if best[value] > 0:
                members = np.flatnonzero((self.tested.codes == value) & (gold >= 0))
                text = f"{self.tested.name}: {self.tested.values[value]}"
                yield text, int(gains[value].argmax()), members


def associations(
    cues: Cues, gold: Rows, labels: int, groups: Sequence[Hashable]
) -> list[Association]:
    """The properties, or pairs of them, most significant first.

    Args:
        cues: the properties of each item.
        gold: the number of the label of each item; -1 for items that do not count.
        labels: number of labels.
        groups: the group of each item; where items of a group tend to have one label, as items
            with one premise may, they count as fewer.
    """
    properties = [
        _property(name, column) for name, column in zip(cues.names, cues.columns, strict=True)
    ]
    properties += _counted(cues.words)
    # Two properties that say the same of each item are tested once.
    distinct = list({tested.codes.tobytes(): tested for tested in reversed(properties)}.values())
    distinct.reverse()
    tested = [each for each in distinct if len(each.values) > 1]
    if cues.pairs:
        coarse = [_coarse(each) for each in tested]
        tested = [_together(*pair) for pair in combinations(coarse, 2)]
    known = np.flatnonzero(gold >= 0)
    items = len(known)
    effect = design_effect(gold[known], labels, [groups[place] for place in known.tolist()])
    found = []
    tables = [_table(each, gold, labels) for each in tested]
    for each, (statistic, degrees) in zip(tested, chi_squares(tables), strict=True):
        statistic /= effect
        strength = (statistic - degrees) / items
        strong = degrees and strength >= STRENGTH
        p_value = min(1.0, chi_square_tail(statistic, degrees) * len(tested)) if strong else 1.0
        found.append(Association(tested=each, strength=strength, p_value=p_value))
    return sorted(found, key=lambda each: (each.p_value, -each.strength, each.tested.name))


def chi_squares(tables: Sequence[NDArray[Any]]) -> list[tuple[float, int]]:
    """Pearson's statistic of independence of rows and columns, and its degrees of freedom.

    Rows with few items are taken together, as the statistic is of many items only.

    Args:
        tables: counts of the same items, with the same columns.
    """
    if not tables:
        return []
    counts, heights = np.concatenate(tables), list(map(len, tables))
    of = np.repeat(np.arange(len(tables)), heights)
    rare = counts.sum(axis=1) < FEWEST
    together = np.zeros((len(tables), counts.shape[1]), counts.dtype)
    np.add.at(together, of[rare], counts[rare])
    counts = np.concatenate([counts[~rare], together])
    of = np.concatenate([of[~rare], np.arange(len(tables))])
    columns = tables[0].sum(axis=0)
    there = counts.sum(axis=1) > 0
    counts, of, columns = counts[there][:, columns > 0], of[there], columns[columns > 0]
    expected = counts.sum(axis=1, keepdims=True) * (columns / max(columns.sum(), 1))
    of_rows = ((counts - expected) ** 2 / expected).sum(axis=1)
    statistics = np.bincount(of, of_rows, len(tables)).tolist()
    rows = np.bincount(of, minlength=len(tables)).tolist()
    degrees = [(height - 1) * (len(columns) - 1) for height in rows]
    return [
        (statistic, free) if free > 0 else (0.0, 0)
        for statistic, free in zip(statistics, degrees, strict=True)
    ]


def design_effect(gold: Rows, labels: int, groups: Sequence[Hashable]) -> float:
    """How many items count as one, as items of a group tend to have one label (Kish 1965); >= 1.

    ``1 + (size - 1) * correlation`` with the size of the group of an average item and the
    correlation of two items of a group in the label for which it is largest, from the variance
    within and between groups.
    """
    numbers: dict[Hashable, int] = {}
    group = np.array([numbers.setdefault(each, len(numbers)) for each in groups], dtype=np.intp)
    items, number = len(gold), len(numbers)
    if number in (0, 1, items):
        return 1.0
    sizes = np.bincount(group, minlength=number)
    average = float((sizes**2).sum() / items)
    unequal = (items - average) / (number - 1)
    most = 0.0
    for label in range(labels):
        has = (gold == label).astype(float)
        means = np.bincount(group, has, minlength=number) / sizes
        between = float((sizes * (means - has.mean()) ** 2).sum()) / (number - 1)
        within = float(((has - means[group]) ** 2).sum()) / (items - number)
        spread = between + (unequal - 1) * within
        if spread > 0:
            most = max(most, (between - within) / spread)
    return 1 + (average - 1) * most


def _table(tested: Property, gold: Rows, labels: int) -> NDArray[np.intp]:
    """Items by value and label."""
    size = len(tested.values)
    cells = (tested.codes * labels + gold)[gold >= 0]
    cells = np.bincount(cells, minlength=size * labels)
    return cells.reshape(size, labels)


def _property(name: str, column: Coded) -> Property:
    """Values numbered from the most frequent; rare ones together, numbers in bins."""
    counts = np.bincount(column.codes + 1, minlength=len(column.values) + 1)
    # None is the value before the first one.
    present = np.flatnonzero(counts).tolist()
    values = [None, *column.values]
    if len(present) > BINS and all(isinstance(values[n], int | float | None) for n in present):
        numbers = np.array([np.nan, *(values[1:])], dtype=float)
        return _binned(name, numbers[column.codes + 1])
    kept = [n for n in present if counts[n] >= FEWEST]
    kept.sort(key=lambda n: (-counts[n], str(values[n])))
    number = np.full(len(values), len(kept), np.intp)
    number[kept] = np.arange(len(kept))
    words = [_in_words(values[n]) for n in kept]
    rest = () if len(kept) == len(present) else ("another",)
    return Property(name=name, codes=number[column.codes + 1], values=(*words, *rest))


def _in_words(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"`{value}`" if isinstance(value, str) else f"{value}"


def _counted(texts: Iterable[Sequence[str]]) -> Iterator[Property]:
    """How often each of the most frequent words occurs in each text."""
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    coded, sizes = array("q"), list[int]()
    for text in texts:
        coded.extend(map(numbers.__getitem__, text))
        sizes.append(len(text))
    if not coded:
        return
    flat = np.array(coded, np.intp)
    of_text = np.repeat(np.arange(len(sizes)), sizes)
    # Equal pairs of a text and a word are next to each other.
    pairs = np.sort(of_text * len(numbers) + flat)
    first = np.flatnonzero(np.diff(pairs, prepend=-1))
    times = np.diff(first, append=len(pairs))
    row, word = np.divmod(pairs[first], len(numbers))
    items = np.bincount(word, minlength=len(numbers))
    # Sorted, so that equally frequent words are chosen in every process alike.
    names = sorted(
        (name for name, number in numbers.items() if items[number] >= FEWEST),
        key=lambda name: (-items[numbers[name]], name),
    )
    starts = np.argsort(word, kind="stable")
    bounds = np.searchsorted(word[starts], np.arange(len(numbers) + 1))
    for name in names[:WORDS]:
        places = starts[slice(*bounds[numbers[name] : numbers[name] + 2])]
        counts = np.zeros(len(sizes), dtype=np.intp)
        counts[row[places]] = times[places]
        frequent = np.flatnonzero(np.bincount(counts) >= FEWEST)
        if not len(frequent):
            continue
        low, high = int(frequent[0]), int(frequent[-1])
        values = [f"{low} times{' or fewer' if low else ''}"]
        values += [f"{number} times" for number in range(low + 1, high)]
        values += [f"{high} times or more"] * (high > low)
        codes = np.clip(counts, low, high) - low
        yield Property(name=f"`{name}`", codes=codes, values=tuple(values))
        if high - low > 1:
            yield Property(name=f"`{name}`", codes=counts % 2, values=("even", "odd"))


def _binned(name: str, numbers: NDArray[np.float64]) -> Property:
    known = numbers[~np.isnan(numbers)]
    cuts = lower_quantiles(known, BINS)
    cuts = cuts[cuts < known.max()]
    bounds = [f"{cut:g}" for cut in cuts]
    words = [
        " and ".join(filter(None, (f"> {low}" if low else "", f"<= {high}" if high else "")))
        for low, high in zip(["", *bounds], [*bounds, ""], strict=True)
    ]
    # What is no number is sorted to the end.
    codes = np.searchsorted([*cuts, np.inf], numbers)
    rest = () if len(known) == len(numbers) else ("none",)
    return Property(name=name, codes=codes, values=(*words, *rest))


def _coarse(tested: Property) -> Property:
    """With few values: the most frequent ones, others together; neighbouring bins or letters."""
    if len(tested.values) <= PAIRED:
        return tested
    if all(len(value) == len("`A`") for value in tested.values if value != "another"):
        thirds = np.array(
            [_third(value[1]) if value != "another" else 0 for value in tested.values],
            dtype=np.intp,
        )
        words = ("no letter", "A to I", "J to R", "S to Z")
        return Property(name=tested.name, codes=thirds[tested.codes], values=words)
    if tested.values[0].startswith("<= "):
        half = (len(tested.values) + 1) // 2
        low = tested.values[half - 1].rpartition("<= ")[2]
        return Property(
            name=tested.name,
            codes=(tested.codes >= half).astype(np.intp),
            values=(f"<= {low}", f"> {low}"),
        )
    last = PAIRED - 1
    return Property(
        name=tested.name,
        codes=np.minimum(tested.codes, last),
        values=(*tested.values[:last], "another"),
    )


def _third(letter: str) -> int:
    """1 to 3 for a third of the alphabet, 0 for no letter."""
    return min(ascii_lowercase.find(letter.lower()) // 9, 2) + 1


def _together(first: Property, second: Property) -> Property:
    breadth = len(second.values)
    return Property(
        name=f"{first.name}, and {second.name}",
        codes=first.codes * breadth + second.codes,
        values=tuple(f"{a} and {b}" for a in first.values for b in second.values),
    )
