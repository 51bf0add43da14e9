"""The classifiers of probes: trees, naive Bayes and memorisation, deterministic.

Each is fitted on some rows of the features, and scores the labels of others. A tree of depth five
on a handful of counts finds what a larger model would find in them, at a fraction of its cost;
boosted trees see how many properties act together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from math import prod
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Rows: TypeAlias = NDArray[np.intp]

Number = TypeVar("Number", bound=np.generic)

Value: TypeAlias = "tuple[str, int, Rows]"
"""A feature value in words, the label that it predicts, and the rows that have it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Numbers of each item; fitted by a small decision tree.

    Attributes:
        names: names of the columns.
        values: numbers of shape (items, columns); those of yes or no are 1 or 0.
    """

    names: tuple[str, ...]
    values: NDArray[np.float64]

    def select(self, names: Sequence[str]) -> Table:
        """Some of the columns."""
        places = [self.names.index(name) for name in names]
        return Table(names=tuple(names), values=self.values[:, places])


@dataclass(frozen=True, slots=True, kw_only=True)
class Bags:
    """Words, or other strings, of each item; fitted by naive Bayes on their presence."""

    bags: Sequence[Iterable[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sequences:
    """Texts, as lists of words; fitted by naive Bayes on the presence of sequences of words.

    Attributes:
        words: the words of each item, in their order.
        sizes: numbers of words of a sequence, ascending.
    """

    words: Sequence[Sequence[str]]
    sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Keys:
    """A key of each item, such as a hash; fitted by the majority label of each key."""

    keys: Sequence[int | str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """Many numbers of each item, of shape (items, columns); fitted by boosted trees."""

    values: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Coded:
    """One value of each item.

    Attributes:
        codes: the place of each item's value; -1 for none.
        values: different values; some may not occur.
    """

    codes: Rows
    values: Sequence[Hashable]

    @classmethod
    def of(cls, values: Sequence[Hashable]) -> Coded:
        """The values of all items, None for none; words are numbered by alphabet."""
        known: set[Any] = set(values) - {None}
        ordered = sorted(known, key=lambda value: (isinstance(value, str), value))
        code = {value: number for number, value in enumerate(ordered)}
        return cls(np.array([code.get(value, -1) for value in values], np.intp), ordered)

    @classmethod
    def of_numbers(
        cls, numbers: NDArray[np.generic], known: NDArray[np.bool_] | None = None
    ) -> Coded:
        """Numbers, or flags; ``known`` is where there is one."""
        values, codes = _numbered(numbers)
        return cls(codes if known is None else np.where(known, codes, -1), values.tolist())

    def take(self, rows: Rows) -> Coded:
        """The values of some items, which may be repeated."""
        return Coded(self.codes[rows], self.values)

    def filled(self, value: Hashable) -> Coded:
        """With this value where there was none."""
        if self.codes.min(initial=0) >= 0:
            return self
        values = self.values if value in self.values else [*self.values, value]
        return Coded(np.where(self.codes < 0, values.index(value), self.codes), values)


def distinct(values: NDArray[Number]) -> NDArray[Number]:
    """The different values, ascending; ``np.unique`` makes a hash table, which takes longer."""
    ordered = np.sort(values)
    return ordered[np.append(True, ordered[1:] != ordered[:-1])] if len(ordered) else ordered


def lower_quantiles(values: NDArray[Number], parts: int) -> NDArray[Number]:
    """The different greatest values of all parts of equal size but the last."""
    ordered = np.sort(values)
    places = np.floor((len(ordered) - 1) * (np.arange(1, parts) / parts)).astype(np.intp)
    return distinct(ordered[places])


def _numbered(numbers: NDArray[np.generic]) -> tuple[NDArray[np.generic], Rows]:
    """The different numbers, ascending, and the place of each among them."""
    if not len(numbers) or numbers.dtype.kind not in "biu":
        return np.unique(numbers, return_inverse=True)
    whole = numbers.astype(np.intp)
    low, high = int(whole.min()), int(whole.max())
    if high - low > 2 * len(numbers):
        return np.unique(numbers, return_inverse=True)
    # Counting takes a tenth of the time of sorting.
    present = np.bincount(whole - low) > 0
    values = (np.flatnonzero(present) + low).astype(numbers.dtype)
    return values, (np.cumsum(present) - 1)[whole - low]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cues:
    """Properties of each item.

    Attributes:
        names: names of the properties.
        columns: their values; numbers with many values are tested in bins.
        words: the words of each item, read once; how often a word occurs is a property too.
        pairs: whether pairs of properties are tested instead of single ones.
    """

    names: tuple[str, ...]
    columns: Sequence[Coded]
    words: Iterable[Sequence[str]] = ()
    pairs: bool = False


Fitted: TypeAlias = Table | Bags | Sequences | Keys | Numbers
"""Features that a classifier is fitted on."""

Features: TypeAlias = Fitted | Cues


class Learner(Protocol):
    """A classifier."""

    def fit(self, rows: Rows, gold: Rows) -> None:
        """Fit the labels ``gold[rows]``."""

    def scores(self, rows: Rows) -> NDArray[np.float64]:
        """How probable each label is for some rows: (rows, labels)."""
        ...

    def strongest(self, rows: Rows, gold: Rows, most: int) -> Iterator[Value]:
        """At most ``most`` feature values that predict most, among some rows."""
        ...


def learner(features: Fitted, labels: int) -> Learner:
    """The classifier for a form of features."""
    match features:
        case Table():
            return Tree(features, labels)
        case Bags():
            return NaiveBayes(_of_bags(features), labels)
        case Sequences():
            return NaiveBayes(_of_sequences(features), labels)
        case Keys():
            return Memory(features, labels)
        case Numbers():
            return Boosted(features, labels)


def joined(parts: Sequence[Fitted]) -> Fitted:
    """The features of several splits as one."""
    first = parts[0]
    if isinstance(first, Table):
        tables = [part.values for part in parts if isinstance(part, Table)]
        return Table(names=first.names, values=np.concatenate(tables))
    if isinstance(first, Bags):
        return Bags(bags=[bag for part in parts if isinstance(part, Bags) for bag in part.bags])
    if isinstance(first, Sequences):
        words = [word for part in parts if isinstance(part, Sequences) for word in part.words]
        return Sequences(words=words, sizes=first.sizes)
    if isinstance(first, Numbers):
        numbers = [part.values for part in parts if isinstance(part, Numbers)]
        return Numbers(values=np.concatenate(numbers))
    return Keys(keys=[key for part in parts if isinstance(part, Keys) for key in part.keys])


BINS = 24
DEPTH = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class _Leaf:
    counts: tuple[int, ...]

    @property
    def label(self) -> int:
        return int(np.argmax(self.counts))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Branch:
    column: int
    most: int
    low: _Branch | _Leaf
    high: _Branch | _Leaf


class Tree:
    """A decision tree over binned columns, grown greedily by Gini impurity."""

    def __init__(self, table: Table, labels: int) -> None:
        self._names, self._labels = table.names, labels
        self._edges = [_edges(column) for column in table.values.T]
        self._codes = np.stack(
            [
                np.searchsorted(edges, column, side="left")
                for edges, column in zip(self._edges, table.values.T, strict=True)
            ],
            axis=1,
        )
        # Places in counts of the shape (labels, columns, bins), of the first label.
        self._bins = 1 + max(map(len, self._edges))
        self._cells = self._codes + np.arange(len(self._edges)) * self._bins
        self._root: _Branch | _Leaf = _Leaf(counts=(0,) * labels)

    def fit(self, rows: Rows, gold: Rows) -> None:
        """Fit the labels ``gold[rows]``."""
        fewest = max(10, len(rows) // 200)
        self._root = self._grow(rows, gold, DEPTH, fewest)

    def _grow(self, rows: Rows, gold: Rows, depth: int, fewest: int) -> _Branch | _Leaf:
        counts = np.bincount(gold[rows], minlength=self._labels)
        leaf = _Leaf(counts=tuple(counts.tolist()))
        if not depth or len(rows) < 2 * fewest or counts.max() == len(rows):
            return leaf
        shape = (self._labels, len(self._edges), self._bins)
        cells = self._cells[rows] + (gold[rows] * prod(shape[1:]))[:, None]
        table = np.bincount(cells.ravel(), minlength=prod(shape)).reshape(shape)
        low = table.cumsum(axis=2)[:, :, :-1].astype(float)
        high = counts[:, None, None] - low
        below_size, above_size = low.sum(axis=0), high.sum(axis=0)
        # The sum of squares over the size is largest where the sides are purest.
        purity = (low * low).sum(axis=0) / np.maximum(below_size, 1)
        purity += (high * high).sum(axis=0) / np.maximum(above_size, 1)
        allowed = np.minimum(below_size, above_size) >= fewest
        gain = np.where(allowed, purity - (counts**2).sum() / len(rows), 0.0)
        best = int(gain.argmax()) if gain.size else 0
        if not gain.size or gain.flat[best] <= 1e-9:
            return leaf
        column, most = divmod(best, self._bins - 1)
        below = self._codes[rows, column] <= most
        return _Branch(
            column=column,
            most=most,
            low=self._grow(rows[below], gold, depth - 1, fewest),
            high=self._grow(rows[~below], gold, depth - 1, fewest),
        )

    def scores(self, rows: Rows) -> NDArray[np.float64]:
        """The shares of the labels in the leaf of each row."""
        found = np.zeros((len(self._codes), self._labels))
        for leaf, members, _ in self._leaves(self._root, rows, {}):
            found[members] = np.array(leaf.counts) / max(sum(leaf.counts), 1)
        return found[rows]

    def _leaves(
        self, node: _Branch | _Leaf, rows: Rows, path: dict[int, tuple[int, int]]
    ) -> Iterator[tuple[_Leaf, Rows, dict[int, tuple[int, int]]]]:
        """The leaves, their rows, and for each column on the path its least and greatest bin."""
        if isinstance(node, _Leaf):
            yield node, rows, path
            return
        below = self._codes[rows, node.column] <= node.most
        least, greatest = path.get(node.column, (0, self._bins - 1))
        yield from self._leaves(node.low, rows[below], {**path, node.column: (least, node.most)})
        more = {**path, node.column: (node.most + 1, greatest)}
        yield from self._leaves(node.high, rows[~below], more)

    def strongest(self, rows: Rows, gold: Rows, most: int) -> Iterator[Value]:
        """The leaves with most right predictions above the share of their label."""
        shares = np.bincount(gold[rows], minlength=self._labels) / max(len(rows), 1)
        found = [
            (float((gold[members] == leaf.label).sum() - shares[leaf.label] * len(members)), n)
            for n, (leaf, members, _) in enumerate(self._leaves(self._root, rows, {}))
        ]
        leaves = list(self._leaves(self._root, rows, {}))
        for gain, n in sorted(found, key=lambda pair: (-pair[0], pair[1]))[:most]:
            leaf, members, path = leaves[n]
            if gain > 0 and path:
                yield " and ".join(self._bounds(path)), leaf.label, members

    def _bounds(self, path: dict[int, tuple[int, int]]) -> Iterator[str]:
        """A condition in words for each column."""
        for column, (least, greatest) in path.items():
            edges = self._edges[column]
            low = f"> {edges[least - 1]:g}" if least else ""
            high = f"<= {edges[greatest]:g}" if greatest < len(edges) else ""
            yield f"{self._names[column]} {' and '.join(filter(None, (low, high)))}"


def _edges(column: NDArray[np.float64]) -> NDArray[np.float64]:
    """The greatest value of each bin but the last."""
    values = distinct(column)
    if len(values) > BINS:
        values = lower_quantiles(column, BINS)
        return values[:-1] if values[-1] == column.max() else values
    return values[:-1]


MOST_WORDS = 20_000
"""Words that are compared: the most frequent ones."""
BEST_WORDS = 300
SIGNIFICANT = 12.0
"""Least chi-square statistic of a word that is used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Occurrences:
    """Which words occur in which items.

    Attributes:
        items: number of items.
        rows, words: an item and the number of a word that occurs in it, each pair once.
        size: number of words.
        name: the word that has a number.
    """

    items: int
    rows: Rows
    words: Rows
    size: int
    name: Callable[[int], str]


def _of_bags(features: Bags) -> _Occurrences:
    numbers = _numbers()
    sizes: list[int] = []
    words: list[int] = []
    for bag in features.bags:
        # A dict rather than a set: the order of a set differs between processes.
        each = dict.fromkeys(bag)
        words.extend(map(numbers.__getitem__, each))
        sizes.append(len(each))
    return _Occurrences(
        items=len(features.bags),
        rows=np.repeat(np.arange(len(sizes)), np.array(sizes, dtype=np.intp)),
        words=np.array(words, dtype=np.intp),
        size=len(numbers),
        name=list(numbers).__getitem__,
    )


def _numbers() -> defaultdict[str, int]:
    """A number for each word, in the order in which they are looked up."""
    return defaultdict(count().__next__)


def _of_sequences(features: Sequences) -> _Occurrences:
    """The sequences that occur; those of n words are numbered by those of n - 1 and the last."""
    numbers = _numbers()
    stream = [word for texts in features.words for word in texts]
    codes = np.array(list(map(numbers.__getitem__, stream)), dtype=np.int64)
    lengths = np.array([len(texts) for texts in features.words], dtype=np.int64)
    row_of = np.repeat(np.arange(len(lengths)), lengths)
    starts, numbered = np.arange(len(stream)), codes
    rows, words = [np.zeros(0, dtype=np.intp)], [np.zeros(0, dtype=np.intp)]
    names: list[tuple[int, int]] = []
    for size in range(2, max(features.sizes) + 1):
        ends = starts + size - 1
        inside = ends < len(stream)
        inside[inside] = row_of[ends[inside]] == row_of[starts[inside]]
        starts, ends, numbered = starts[inside], ends[inside], numbered[inside]
        keys = numbered * len(numbers) + codes[ends]
        each, first, numbered = np.unique(keys, return_index=True, return_inverse=True)
        if size in features.sizes:
            pairs = np.unique(row_of[starts] * max(len(each), 1) + numbered)
            row, word = np.divmod(pairs, max(len(each), 1))
            rows.append(row)
            words.append(word + len(names))
            names += [(begin, begin + size) for begin in starts[first].tolist()]
    return _Occurrences(
        items=len(lengths),
        rows=np.concatenate(rows),
        words=np.concatenate(words),
        size=len(names),
        name=lambda number: " ".join(stream[slice(*names[number])]),
    )


class NaiveBayes:
    """Naive Bayes on the presence of the words that depend most on the label."""

    def __init__(self, features: _Occurrences, labels: int) -> None:
        self._labels = labels
        self._items = features.items
        counts = np.bincount(features.words, minlength=features.size)
        order = np.argsort(-counts, kind="stable")[:MOST_WORDS]
        order = order[counts[order] > 1]
        self._words = [features.name(int(n)) for n in order]
        renumbered = np.full(features.size, -1)
        renumbered[order] = np.arange(len(order))
        column = renumbered[features.words]
        self._rows, self._columns = features.rows[column >= 0], column[column >= 0]
        self._used: Rows = np.zeros(0, dtype=np.intp)
        self._weights = np.zeros((0, labels))
        self._start = np.zeros(labels)

    def fit(self, rows: Rows, gold: Rows) -> None:
        """Fit the labels ``gold[rows]``."""
        size, labels = len(self._words), self._labels
        known = np.zeros(self._items, dtype=bool)
        known[rows] = True
        seen = known[self._rows]
        cells = self._columns[seen] * labels + gold[self._rows[seen]]
        present = np.bincount(cells, minlength=size * labels).reshape(size, labels)
        totals = np.bincount(gold[rows], minlength=labels)
        self._used = _dependent(present, totals)
        share = (present[self._used] + 0.5) / (totals + 1)
        absent = np.log1p(-share)
        self._weights = np.log(share) - absent
        self._start = np.log((totals + 0.5) / (len(rows) + 1)) + absent.sum(axis=0)

    def scores(self, rows: Rows) -> NDArray[np.float64]:
        """The logarithms of the probabilities of the labels."""
        place = np.full(len(self._words), -1)
        place[self._used] = np.arange(len(self._used))
        used = place[self._columns]
        scores = np.tile(self._start, (self._items, 1))
        np.add.at(scores, self._rows[used >= 0], self._weights[used[used >= 0]])
        found: NDArray[np.float64] = scores[rows]
        found -= found.max(axis=1, keepdims=True)
        found -= np.log(np.exp(found).sum(axis=1, keepdims=True))
        return found

    def strongest(self, rows: Rows, gold: Rows, most: int) -> Iterator[Value]:
        """The words with the largest chi-square statistic."""
        known = np.zeros(self._items, dtype=bool)
        known[rows] = True
        for word in self._used[:most]:
            members = self._rows[self._columns == word]
            members = members[known[members]]
            if len(members):
                label = int(np.bincount(gold[members], minlength=self._labels).argmax())
                yield f"`{self._words[word]}`", label, members


def _dependent(present: Rows, totals: Rows) -> Rows:
    """The words on which the label depends most, by the chi-square test of presence."""
    items = totals.sum()
    with_it = present.sum(axis=1, keepdims=True)
    expected = with_it * totals / items
    without = (items - with_it) * totals / items
    square = (present - expected) ** 2
    statistic = (square / np.maximum(expected, 1e-9) + square / np.maximum(without, 1e-9)).sum(1)
    order = np.argsort(-statistic, kind="stable")[:BEST_WORDS]
    dependent: Rows = order[statistic[order] > SIGNIFICANT]
    return dependent


class Memory:
    """The majority label of each key; of a new key, that of all items."""

    def __init__(self, features: Keys, labels: int) -> None:
        self._labels = labels
        numbers: dict[int | str, int] = {}
        keys = [numbers.setdefault(key, len(numbers)) for key in features.keys]
        self._keys = np.array(keys, dtype=np.intp)
        self._names: Sequence[int | str] = list(numbers)
        self._majority = np.zeros(len(numbers), dtype=np.intp)
        self._seen: NDArray[np.bool_] = np.zeros(len(numbers), dtype=bool)
        self._shares = np.zeros((len(numbers), labels))

    def fit(self, rows: Rows, gold: Rows) -> None:
        """Fit the labels ``gold[rows]``."""
        size = len(self._names)
        cells = self._keys[rows] * self._labels + gold[rows]
        table = np.bincount(cells, minlength=size * self._labels).reshape(size, self._labels)
        self._seen = table.sum(axis=1) > 0
        every = table.sum(axis=0)
        self._majority = np.where(self._seen, table.argmax(axis=1), every.argmax())
        # A key that was not seen has the shares of all items; one seen once, nearly its own label.
        self._shares = (table + every / max(every.sum(), 1)) / (table.sum(axis=1)[:, None] + 1)

    def scores(self, rows: Rows) -> NDArray[np.float64]:
        """The shares of the labels of the key of each row, drawn towards those of all items."""
        return self._shares[self._keys[rows]]

    def strongest(self, rows: Rows, gold: Rows, most: int) -> Iterator[Value]:
        """The keys with most right predictions."""
        predicted = self._majority[self._keys[rows]]
        right = rows[self._seen[self._keys[rows]] & (predicted == gold[rows])]
        counts = np.bincount(self._keys[right], minlength=len(self._names))
        order = np.argsort(-counts, kind="stable")
        for key in islice((n for n in order if counts[n]), most):
            members = rows[self._keys[rows] == key]
            yield f"key {self._names[key]}", int(self._majority[key]), members


ROUNDS = 20
"""Trees of each label that boosting grows."""
MOST_FITTED = 6_000
"""Items that boosted trees are fitted on; more would find little more."""


class Boosted:
    """Gradient-boosted trees on all columns."""

    def __init__(self, features: Numbers, labels: int) -> None:
        self._values, self._labels = features.values, labels
        self._model: Any = None
        self._known: Rows = np.zeros(0, dtype=np.intp)

    def fit(self, rows: Rows, gold: Rows) -> None:
        """Fit the labels ``gold[rows]``."""
        from sklearn.ensemble import HistGradientBoostingClassifier
        from threadpoolctl import threadpool_limits

        self._model = HistGradientBoostingClassifier(
            max_iter=ROUNDS, max_leaf_nodes=15, max_bins=32, early_stopping=False, random_state=0
        )
        chosen = rows[:: -(-len(rows) // MOST_FITTED)]
        # One thread: others would wait for cores that are busy, a hundred times as long.
        with threadpool_limits(1):
            self._model.fit(self._values[chosen], gold[chosen])
        self._known = self._model.classes_

    def scores(self, rows: Rows) -> NDArray[np.float64]:
        """The probabilities of the labels."""
        from threadpoolctl import threadpool_limits

        found = np.zeros((len(rows), self._labels))
        if len(rows):
            if len(self._known) == 1:
                found[:, self._known] = 1
                return found
            with threadpool_limits(1):
                found[:, self._known] = self._model.predict_proba(self._values[rows])
        return found

    def strongest(self, rows: Rows, gold: Rows, most: int) -> Iterator[Value]:  # noqa: ARG002
        """None: a value of one property says little where many act together."""
        return iter(())
