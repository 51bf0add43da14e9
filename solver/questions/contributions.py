"""Contribution of each earlier fact to a fact: rule confidence times temporal decay.

Integer arithmetic, so that both engines agree to the last digit. Source: fact-reasoning questions
of ForecastTKGQuestions (Ding et al., ISWC 2023), section 3.2, with TLogic's rules in place of the
paper's trained model; docs/questions-verify.md.

Rules are cross-fitted over time: those for a part of ``train`` are mined from its other parts,
those for ``valid`` and ``test`` from all of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from solver.graph.model import Ids, Quadruples, UnknownNameError, Vocabulary, expand, pack
from solver.io.sources import InputError, open_input, shown, sound_lines
from solver.io.writing import packed
from solver.questions.io import CROSS_FITTED, FOLDS, RULES
from solver.questions.names import TimeIndex
from solver.rules.io import read_rules
from solver.rules.model import RuleTable

COLUMNS = ("begin", "end", "first", "rules")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """Rules that count for questions of some times.

    Attributes:
        begin, end: first and last time.
        first: row of its first rule, counted through both files of rules.
        rules: number of its rules, which follow each other.
    """

    begin: int
    end: int
    first: int
    rules: int

    @property
    def rows(self) -> Ids:
        """The rows of its rules."""
        return np.arange(self.first, self.first + self.rules)


def everything(rules: RuleTable) -> tuple[Fold, ...]:
    """One fold: all rules count for all times."""
    return (Fold(begin=0, end=2**62, first=0, rules=len(rules)),)


def fold_of(folds: Sequence[Fold], times: Ids) -> Ids:
    """The number of the fold of each time, -1 for none."""
    found = np.full(len(times), -1, dtype=np.int64)
    for number, fold in enumerate(folds):
        found[(times >= fold.begin) & (times <= fold.end)] = number
    return found


def write_folds(path: Path, folds: Sequence[Fold], vocabulary: Vocabulary) -> None:
    """Write a table with a header, one fold per row.

    Raises:
        OutputError: writing failed.
    """
    with packed(path) as file:
        file.write("\t".join(COLUMNS).encode() + b"\n")
        for fold in folds:
            cells = (vocabulary.time(fold.begin), vocabulary.time(fold.end), fold.first, fold.rules)
            file.write("\t".join(map(str, cells)).encode() + b"\n")


def read_folds(path: Path, vocabulary: Vocabulary, size: int) -> tuple[Fold, ...]:
    """Read a table of folds.

    Args:
        path: the file.
        vocabulary: vocabulary of the graph.
        size: number of rules.

    Raises:
        InputError: the file cannot be read, or a row is not a fold of these rules.
    """
    folds: list[Fold] = []
    times = TimeIndex(vocabulary)
    with open_input(path) as source:
        for line in sound_lines(source):
            where = f"{source.name}:{line.number}:1"
            cells = line.text.split("\t")
            if line.number == 1:
                if tuple(cells) != COLUMNS:
                    message = f"found {shown(line.text)}, expected the columns {', '.join(COLUMNS)}"
                    raise InputError(message, where=where, hint="separated by tabs")
                continue
            try:
                begin, end, first, rules = cells
                fold = Fold(begin=times[begin], end=times[end], first=int(first), rules=int(rules))
            except (ValueError, KeyError, UnknownNameError):
                message = f"found {shown(line.text)}, expected two times and two numbers"
                raise InputError(message, where=where) from None
            if not 0 <= fold.first <= fold.first + fold.rules <= size:
                message = f"found rows {first} and {rules} on, expected some of {size} rules"
                raise InputError(message, where=where)
            folds.append(fold)
    return tuple(folds)


def folder_rules(folder: Path, vocabulary: Vocabulary) -> tuple[RuleTable, tuple[Fold, ...]]:
    """The rules of a folder of questions, all in one table, and their folds.

    Raises:
        InputError: a file cannot be read.
    """
    paths = [path for name in (RULES, CROSS_FITTED) if (path := _file(folder, name)) is not None]
    tables = [read_rules(path, relations=vocabulary.relations) for path in paths]
    rules = tables[0] if len(tables) == 1 else RuleTable.joined(*tables)
    table = _file(folder, FOLDS)
    folds = everything(rules) if table is None else read_folds(table, vocabulary, len(rules))
    return rules, folds


def _file(folder: Path, name: str) -> Path | None:
    return next((p for p in (folder / name, folder / f"{name}.gz") if p.is_file()), None)


LEAST_CONFIDENCE = 100
"""Minimal confidence of a rule that counts, in ten-thousandths."""

LEAST_SUPPORT = 2
"""Minimal number of body groundings of a rule that counts."""

CHOICES = 4
MARGIN = (3, 5)
"""The second choice contributes at most this share of the first, a fraction."""

_RATE = 0.1
_CONFIDENT = 10_000
_RECENT = 100_000
_SCALE = 100
_NO_RULE = np.iinfo(np.int64).min
_ROWS = 1 << 21
"""Pairs of a question and an earlier fact in memory at once."""


def decay(lags: Ids) -> Ids:
    """Decay factor ``exp(-0.1 lag)`` in 1/100,000, rounded down; 0 from ``HORIZON`` on."""
    recent: Ids = np.floor(_RECENT * np.exp(-_RATE * lags)).astype(np.int64)
    return recent


HORIZON = int(np.flatnonzero(decay(np.arange(200)) == 0)[0])
"""The shortest lag with a decay factor of 0."""


def confidence(rules: RuleTable) -> Ids:
    """The confidence of rules, in ten-thousandths, rounded down."""
    # Python integers, as a support times ten thousand may exceed 63 bits.
    pairs = zip(rules.rule_support.tolist(), rules.body_support.tolist(), strict=True)
    parts = [_CONFIDENT * matching // body if body else 0 for matching, body in pairs]
    return np.array(parts, dtype=np.int64)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Contributions:
    """Contributing facts of some queried facts, by descending weight.

    Ties are sorted by time, latest first, then by the fact.

    Attributes:
        offsets: queried fact ``k`` has rows ``offsets[k]`` to ``offsets[k + 1]``.
        facts: contributing facts, as in the graph.
        weight: contribution, from 1 to 9,048,300.
        rule: row of the contributing rule.
    """

    offsets: Ids
    facts: Quadruples
    weight: Ids
    rule: Ids

    @property
    def counts(self) -> Ids:
        """Number of contributing facts of each queried fact."""
        return np.diff(self.offsets)


class Contributors:
    """Index of a graph's facts and of the rules by which they support later ones.

    Args:
        graph: all facts; duplicates count once.
        rules: in any order; rules with one body atom and enough confidence and support count. Of
            equal rules the most confident counts, then the first.
        vocabulary: vocabulary of both.
        folds: which rules count for facts of which times; all by default.

    Raises:
        OverflowError: the graph is too large for keys of 63 bits.
    """

    def __init__(
        self,
        graph: Quadruples,
        rules: RuleTable,
        vocabulary: Vocabulary,
        folds: Sequence[Fold] | None = None,
    ) -> None:
        self._size = vocabulary
        self._folds = everything(rules) if folds is None else tuple(folds)
        facts = graph.distinct()
        facts = facts.take(facts.head != facts.tail)
        both = facts.both_ways(vocabulary.relations)
        keys = self._keys(both.head, both.tail, both.time)
        order = np.argsort(keys, kind="stable")
        self._both, self._times = both.take(order), keys[order]
        fold, self._rows, self._confidence = _counting(rules, vocabulary, self._folds)
        self._rule_keys = self._rule_key(fold, rules.head[self._rows], rules.body[self._rows, 0])

    def _keys(self, heads: Ids, tails: Ids, times: Ids) -> Ids:
        size = self._size
        return pack((heads, tails, times), (size.entities, size.entities, size.times + 1))

    def _rule_key(self, folds: Ids, heads: Ids, bodies: Ids) -> Ids:
        size = self._size.relations
        return (folds * size + heads) * (2 * size) + bodies

    def contributions(self, asked: Quadruples) -> Contributions:
        """Contributions of earlier facts to some facts, which need not be in the graph.

        Args:
            asked: facts without inverse relations; nothing contributes to ``(s, r, s, t)``.
        """
        early = np.maximum(asked.time - HORIZON + 1, 0)
        begins = np.searchsorted(self._times, self._keys(asked.head, asked.tail, early))
        ends = np.searchsorted(self._times, self._keys(asked.head, asked.tail, asked.time))
        ends = np.where(asked.head == asked.tail, begins, ends)
        sums = np.cumsum(ends - begins)
        parts: list[tuple[Ids, Ids, Ids, Ids]] = []
        first = 0
        while first < len(asked):
            done = int(sums[first - 1]) if first else 0
            last = max(int(np.searchsorted(sums, done + _ROWS, side="right")), first + 1)
            parts.append(self._supporting(asked, begins, ends, slice(first, last)))
            first = last
        nothing = (np.empty(0, np.int64),) * 4
        asker, fact, weight, rule = (
            np.concatenate(columns) for columns in zip(nothing, *parts, strict=True)
        )
        own_facts = self._own(fact)
        order = np.lexsort(
            (own_facts.tail, own_facts.relation, own_facts.head, -own_facts.time, -weight, asker)
        )
        counts = np.bincount(asker, minlength=len(asked))
        return Contributions(
            offsets=np.append(0, np.cumsum(counts)).astype(np.int64),
            facts=own_facts.take(order),
            weight=weight[order],
            rule=rule[order],
        )

    def weights(self, asked: Quadruples, facts: Quadruples) -> Ids:
        """The contribution of each fact of the graph to the queried fact in its row, 0 for none."""
        along = (facts.head == asked.head) & (facts.tail == asked.tail)
        back = (facts.head == asked.tail) & (facts.tail == asked.head)
        rows = np.flatnonzero((along | back) & (asked.head != asked.tail))
        rows = rows[facts.time[rows] < asked.time[rows]]
        times = asked.time[rows]
        key = self._rule_key(
            fold_of(self._folds, times),
            asked.relation[rows],
            facts.relation[rows] + self._size.relations * back[rows],
        )
        matching, weight, _ = self._by_rules(key, times - facts.time[rows])
        found = np.zeros(len(facts), dtype=np.int64)
        found[rows[matching]] = weight
        return found

    def _supporting(
        self, asked: Quadruples, begins: Ids, ends: Ids, some: slice
    ) -> tuple[Ids, Ids, Ids, Ids]:
        """Queried fact, row of the contributing fact, weight and rule of each contribution."""
        asker, fact = expand(begins[some], ends[some])
        asker += some.start
        fold = fold_of(self._folds, asked.time)[asker]
        key = self._rule_key(fold, asked.relation[asker], self._both.relation[fact])
        rows, weight, rule = self._by_rules(key, asked.time[asker] - self._both.time[fact])
        return asker[rows], fact[rows], weight, rule

    def _by_rules(self, key: Ids, lags: Ids) -> tuple[Ids, Ids, Ids]:
        """The rows of which there is a rule, the contributions by it, and the rules."""
        place = np.searchsorted(self._rule_keys, key)
        rows = np.flatnonzero(np.append(self._rule_keys, _NO_RULE).take(place) == key)
        place = place[rows]
        weight = self._confidence[place] * decay(lags[rows]) // _SCALE
        return rows, weight, self._rows[place]

    def _own(self, rows: Ids) -> Quadruples:
        """Facts in the direction of the graph."""
        both, relations = self._both.take(rows), self._size.relations
        turned = both.inverted(relations)
        back = both.relation >= relations
        return Quadruples(
            head=np.where(back, turned.head, both.head),
            relation=np.where(back, turned.relation, both.relation),
            tail=np.where(back, turned.tail, both.tail),
            time=both.time,
        )


def _counting(
    rules: RuleTable, vocabulary: Vocabulary, folds: Sequence[Fold]
) -> tuple[Ids, Ids, Ids]:
    """Rules that count, sorted by fold, head and body: their fold, row and confidence."""
    parts = confidence(rules)
    good = (rules.length == 1) & (rules.same == 0) & (rules.head < vocabulary.relations)
    good &= (parts >= LEAST_CONFIDENCE) & (rules.body_support >= LEAST_SUPPORT)
    each = [fold.rows[good[fold.rows]] for fold in folds]
    rows = np.concatenate([np.empty(0, np.int64), *each])
    fold = np.repeat(np.arange(len(folds), dtype=np.int64), [len(some) for some in each])
    order = np.lexsort((rows, -parts[rows], rules.body[rows, 0], rules.head[rows], fold))
    rows, fold = rows[order], fold[order]
    keys = np.stack((fold, rules.head[rows], rules.body[rows, 0]), axis=1)
    first = np.ones(len(rows), dtype=np.bool_)
    first[1:] = (keys[1:] != keys[:-1]).any(axis=1)
    return fold[first], rows[first], parts[rows[first]]


def between_two(rules: RuleTable) -> RuleTable:
    """Rules with one body atom over two distinct entities, the only ones used here."""
    return rules.take((rules.length == 1) & (rules.same == 0))
