"""A temporal knowledge graph: splits and vocabulary."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from grammar.dates import day_number
from grammar.errors import HopcheckError
from solver.dataset.seal import Breach, accepted
from solver.encodings import Fact
from solver.io.sources import InputError, shown
from solver.io.writing import OutputError, atomic, make_folder

if TYPE_CHECKING:
    from pandas import DataFrame


Ids: TypeAlias = NDArray[np.int64]
"""Ids, times or row numbers; one-dimensional unless stated otherwise."""


STAT = "stat.txt"
"""The file of the numbers of entities, relations and times."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Quadruples:
    """Facts ``(head, relation, tail, time)`` in the order of their file.

    Four contiguous columns of the same length, ids from 0; treat them as read-only. Papers also
    call head and tail subject and object.
    """

    head: Ids
    relation: Ids
    tail: Ids
    time: Ids

    def __len__(self) -> int:
        return len(self.head)

    @classmethod
    def of(cls, rows: Ids) -> Quadruples:
        """Create from rows, shape (n, 4)."""
        columns = np.ascontiguousarray(rows.reshape(-1, 4).T, dtype=np.int64)
        return cls(head=columns[0], relation=columns[1], tail=columns[2], time=columns[3])

    @classmethod
    def joined(cls, *parts: Quadruples) -> Quadruples:
        """Concatenate sets of facts."""
        return cls.of(np.concatenate([np.empty((0, 4), np.int64), *(p.rows() for p in parts)]))

    def rows(self) -> Ids:
        """A new array of shape (n, 4): head, relation, tail, time."""
        return np.stack((self.head, self.relation, self.tail, self.time), axis=1)

    def take(self, chosen: NDArray[np.int64] | NDArray[np.bool_] | slice) -> Quadruples:
        """Select facts by row numbers, mask or slice."""
        return Quadruples(
            head=self.head[chosen],
            relation=self.relation[chosen],
            tail=self.tail[chosen],
            time=self.time[chosen],
        )

    def by_time(self) -> Quadruples:
        """Sort by time, head, relation and tail."""
        return self.take(np.lexsort((self.tail, self.relation, self.head, self.time)))

    def distinct(self) -> Quadruples:
        """Deduplicate, sorted as by ``by_time``."""
        ordered = self.by_time()
        again = np.zeros(len(ordered), dtype=np.bool_)
        again[1:] = True
        for column in (ordered.time, ordered.head, ordered.relation, ordered.tail):
            again[1:] &= column[1:] == column[:-1]
        return ordered.take(~again) if again.any() else ordered

    def repeated(self) -> tuple[int, int] | None:
        """The first row that repeats an earlier one, after that one; None if all are distinct."""
        # The sort is stable: rows of equal facts are adjacent and ascending.
        order = np.lexsort((self.tail, self.relation, self.head, self.time))
        rows = self.rows()[order]
        again = np.flatnonzero((rows[1:] == rows[:-1]).all(axis=1))
        if not len(again):
            return None
        place = again[np.argmin(order[again + 1])]
        return int(order[place]), int(order[place + 1])

    def first_ones(self) -> Quadruples:
        """Deduplicate; the first occurrence of each fact is kept, in its place."""
        if self.repeated() is None:
            return self
        _, first = np.unique(self.rows(), axis=0, return_index=True)
        return self.take(np.sort(first))

    def inverted(self, relations: int) -> Quadruples:
        """Invert the facts: ``(tail, relation + relations, head, time)``.

        The inverse of an inverse is the original fact.

        Args:
            relations: number of relations without inverses.
        """
        inverse = inverse_of(self.relation, relations)
        return Quadruples(head=self.tail, relation=inverse, tail=self.head, time=self.time)

    def both_ways(self, relations: int) -> Quadruples:
        """The facts followed by their inverses."""
        return Quadruples.joined(self, self.inverted(relations))


class Split(StrEnum):
    """Splits of a data set, in chronological order."""

    TRAIN = "train"
    VALID = "valid"
    TEST = "test"


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """Numbers of entities, relations and times, and their names if known.

    Attributes:
        entities: number of entities; ids are 0 to this, exclusive.
        relations: number without inverses; the inverse of ``r`` is ``r + relations``.
        times: number of times; times are 0 to this, exclusive.
        entity_names: names by id; empty if unknown.
        relation_names: names by id; empty if unknown.
        time_names: names of times 0, ``time_step``, ``2 * time_step``, ...; empty if unknown.
        time_step: distance of named times: 1, or 24 for days counted in hours.
    """

    entities: int
    relations: int
    times: int
    entity_names: tuple[str, ...] = ()
    relation_names: tuple[str, ...] = ()
    time_names: tuple[str, ...] = ()
    time_step: int = 1

    def entity(self, number: int) -> str:
        """The entity's name, or its id."""
        return self.entity_names[number] if self.entity_names else str(number)

    def relation(self, number: int) -> str:
        """The relation's name, or its id; an inverse is marked by ``^-1``."""
        plain = number % self.relations
        name = self.relation_names[plain] if self.relation_names else str(plain)
        return name if number < self.relations else f"{name}^-1"

    def time(self, number: int) -> str:
        """The time's name, such as a date, or its number; also for days after the last one."""
        place, between = divmod(number, self.time_step)
        if between or not self.time_names:
            return str(number)
        if place < len(self.time_names):
            return self.time_names[place]
        first = self.first_day
        if first is None or first + place > date.max.toordinal():
            return str(number)
        return date.fromordinal(first + place).isoformat()

    @property
    def first_day(self) -> int | None:
        """The day number of time 0 if the times are named by days, one after the other."""
        if not self.time_names:
            return None
        first, last = (day_number(self.time_names[place]) for place in (0, -1))
        if first is None or last is None or last - first != len(self.time_names) - 1:
            return None
        return first

    def fact(self, fact: Sequence[int]) -> tuple[str, str, str, str]:
        """The names of head, relation, tail and time."""
        head, relation, tail, time = fact
        return self.entity(head), self.relation(relation), self.entity(tail), self.time(time)


LARGEST_TIME = 2**31 - 1
"""The largest time that clingo can represent."""

FACT = ("head", "relation", "tail", "time")
"""Names of a fact's elements."""


REPEATED = "repeated"
"""Why a row is left out that has a fact of its split once more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """Splits over one vocabulary.

    Attributes:
        name: name of the folder or file.
        splits: facts by split, in chronological order; a file without splits is all ``train``.
        left_out: numbers of skipped rows, by reason.
        breaches: where its files differ from their manifest, if it was read nevertheless.
    """

    name: str
    vocabulary: Vocabulary
    splits: Mapping[Split, Quadruples] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)
    breaches: tuple[Breach, ...] = field(default_factory=accepted, compare=False, repr=False)

    def facts(self, *splits: Split) -> Quadruples:
        """Concatenate the facts of the given splits; all splits by default."""
        return Quadruples.joined(
            *(self.splits[split] for split in splits or Split if split in self.splits)
        )

    def require_distinct(self, *splits: Split) -> None:
        """Refuse facts that are repeated within one of the splits; all by default.

        Raises:
            InputError: naming the rows of the first repeated fact.
        """
        for split in splits or Split:
            facts = self.splits.get(split, Quadruples.joined())
            found = facts.repeated()
            if found is not None:
                first, again = (f"{self.name}: {split}: row {row + 1}" for row in found)
                fact = tuple(facts.rows()[found[1]].tolist())
                message = f"found the fact {fact} again (first at {first}), expected it once"
                raise InputError(message, where=again, hint="give each fact of a split once")

    def counted_once(self) -> Dataset:
        """Leave out the rows that repeat an earlier one of their split."""
        left = {split: facts.first_ones() for split, facts in self.splits.items()}
        repeated = sum(map(len, self.splits.values())) - sum(map(len, left.values()))
        if not repeated:
            return self
        return replace(self, splits=left, left_out={**self.left_out, REPEATED: repeated})

    def to_pandas(self, *splits: Split) -> DataFrame:
        """The facts with their names, as a data frame: split, head, relation, tail, time.

        Raises:
            MissingLibraryError: pandas is not installed.
        """
        from solver.report.notebook import data_frame

        chosen = [Split(split) for split in splits or Split if split in self.splits]
        rows = (
            {"split": split.value} | dict(zip(FACT, self.vocabulary.fact(fact), strict=True))
            for split in chosen
            for fact in self.splits[split].rows().tolist()
        )
        return data_frame(rows, ("split", *FACT))

    def write(self, folder: str | Path) -> tuple[Path, ...]:
        """Write a folder with one file of ids per split and the names; returns the paths.

        Each file is written atomically. ``stat.txt`` holds the numbers of entities, relations and
        times. Without names, the id maps map each id to itself.

        Raises:
            OutputError: a name contains a tab or a line break, or a file cannot be written.
        """
        target = make_folder(Path(folder))
        words = self.vocabulary
        texts = {
            "entity2id.txt": _id_map(words.entity_names, words.entities),
            "relation2id.txt": _id_map(words.relation_names, words.relations),
            STAT: f"{words.entities}\t{words.relations}\t{words.times}\n",
        }
        if words.time_names:
            texts["ts2id.txt"] = _id_map(words.time_names, step=words.time_step)
        for split, facts in self.splits.items():
            lines = io.StringIO()
            np.savetxt(lines, facts.rows(), fmt="%d", delimiter="\t")
            texts[f"{split}.txt"] = lines.getvalue()
        for name, text in texts.items():
            with atomic(target / name) as file:
                file.write(text.encode())
        return tuple(target / name for name in texts)

    def _repr_html_(self) -> str:
        """The size of the graph and its first facts, for notebooks."""
        from solver.report.notebook import MOST_ROWS, html_table

        words, facts = self.vocabulary, self.facts()
        title = (
            f"{self.name}: {len(facts):,} facts, {words.entities:,} entities, "
            f"{words.relations:,} relations, {words.times:,} times"
        )
        shown = map(words.fact, facts.rows()[:MOST_ROWS].tolist())
        return html_table(title, FACT, shown, size=len(facts))


def _id_map(names: tuple[str, ...], count: int = 0, *, step: int = 1) -> str:
    for name in names:
        if not name or name != name.strip() or any(sign in name for sign in "\t\n\r\0"):
            message = f"found the name {name!r}, which an id map cannot represent"
            raise OutputError(message, hint="write Parquet")
    called = names or tuple(map(str, range(count)))
    return "".join(f"{name}\t{number * step}\n" for number, name in enumerate(called))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Snapshots:
    """Facts sorted by time.

    Attributes:
        facts: facts in stable order by time.
        times: times with facts, ascending.
        offsets: the facts of ``times[k]`` are rows ``offsets[k]`` to ``offsets[k + 1]``.
    """

    facts: Quadruples
    times: Ids
    offsets: Ids

    @classmethod
    def of(cls, facts: Quadruples) -> Snapshots:
        """Sort facts by time."""
        ordered = facts.take(np.argsort(facts.time, kind="stable"))
        times, begins = np.unique(ordered.time, return_index=True)
        offsets = np.append(begins, len(ordered)).astype(np.int64)
        return cls(facts=ordered, times=times, offsets=offsets)

    def at(self, time: int) -> Quadruples:
        """The facts of one time."""
        return self.between(time, time + 1)

    def between(self, begin: int, end: int) -> Quadruples:
        """The facts at times ``begin <= time < end``."""
        return self.facts.take(self.rows_between(begin, end))

    def previous(self, time: int, snapshots: int) -> Quadruples:
        """The facts of the last ``snapshots`` non-empty snapshots before a time."""
        last = int(np.searchsorted(self.times, time))
        first = max(last - snapshots, 0)
        return self.facts.take(slice(int(self.offsets[first]), int(self.offsets[last])))

    def rows_between(self, begin: int, end: int) -> slice:
        """The rows of ``facts`` at times ``begin <= time < end``."""
        first, last = np.searchsorted(self.times, (begin, end))
        return slice(int(self.offsets[first]), int(self.offsets[last]))


INVERSE = "^-1"
"""Suffix of inverse relations."""

_SUGGESTED = 3


class UnknownNameError(HopcheckError):
    """A name or an id that the graph does not have."""

    code = "name"


def entity_id(vocabulary: Vocabulary, text: str) -> int:
    """Resolve the name or id of an entity.

    Raises:
        UnknownNameError: there is none; the hint lists the closest names.
    """
    return _id("entity", vocabulary.entity_names, vocabulary.entities, text)


def relation_id(vocabulary: Vocabulary, text: str) -> int:
    """Resolve the name or id of a relation; inverses have the suffix ``^-1``.

    Raises:
        UnknownNameError: there is none; the hint lists the closest names.
    """
    names, size = vocabulary.relation_names, vocabulary.relations
    if text not in names and text.endswith(INVERSE):
        plain = _id("relation", names, size, text.removesuffix(INVERSE))
        return plain + size
    return _id("relation", names, 2 * size, text)


def time_id(vocabulary: Vocabulary, text: str, *, later: bool = False) -> int:
    """Resolve the name of a time, such as a date, or its number; one past the last is allowed.

    Args:
        vocabulary: times and their names.
        text: the name or the number.
        later: whether all times after the last one of the graph are allowed.

    Raises:
        UnknownNameError: there is none; the hint lists the closest names.
    """
    names, step, first = vocabulary.time_names, vocabulary.time_step, vocabulary.first_day
    if text in names:
        return names.index(text) * step
    day = day_number(text)
    if first is not None and day is not None:
        place = day - first
        if place >= 0 and later:
            return place * step
        ends = ("before the first", names[0]) if place < 0 else ("after the last", names[-1])
        message = f"found time {text}, {ends[0]} day of the graph, {ends[1]}"
        raise UnknownNameError(message, hint="" if later else nearest_hint(text, names))
    return _id("time", names, LARGEST_TIME + 1 if later else vocabulary.times + 1, text)


def _id(kind: str, names: Sequence[str], size: int, text: str) -> int:
    if text in names:
        return names.index(text)
    if text.isascii() and text.isdecimal():
        if int(text) < size:
            return int(text)
        raise UnknownNameError(f"found {kind} {text}, expected 0 to {size - 1}")
    expected = f"expected a name or an id of 0 to {size - 1}"
    hint = nearest_hint(text, names)
    raise UnknownNameError(f"found no {kind} {shown(text)}, {expected}", hint=hint)


def nearest_hint(text: str, names: Sequence[str]) -> str:
    """Hint with the names closest to a text; empty if there are none."""
    near = get_close_matches(text, names, n=_SUGGESTED, cutoff=0.5)
    return f"near: {', '.join(near)}" if near else ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Index:
    """Rows sorted by a key.

    Attributes:
        keys: keys of the rows, ascending.
        order: row number of each key; the sort is stable.
    """

    keys: Ids
    order: Ids

    @classmethod
    def of(cls, keys: Ids) -> Index:
        """Index rows by their keys; see ``pack`` for keys of several columns."""
        order = stable_order(keys)
        return cls(keys=keys[order], order=order)

    def ranges(self, keys: Ids) -> tuple[Ids, Ids]:
        """Begin and end of each key's rows in ``order``."""
        return places_between(self.keys, keys, keys, "right")

    def rows(self, key: int) -> Ids:
        """The rows of one key."""
        begin, end = np.searchsorted(self.keys, (key, key + 1))
        return self.order[begin:end]

    def contains(self, keys: Ids) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Whether each key occurs."""
        if not len(self.keys):
            return np.zeros(len(keys), dtype=np.bool_)
        found = np.searchsorted(self.keys, keys)
        found[found == len(self.keys)] = 0
        held: np.ndarray[tuple[int], np.dtype[np.bool_]] = self.keys[found] == keys
        return held


class History:
    """How often keys occurred in a graph before a time.

    Args:
        keys: key of each fact.
        times: time of each fact.
    """

    def __init__(self, keys: Ids, times: Ids) -> None:
        self._horizon = int(times.max(initial=0)) + 2
        self._moments = keys * self._horizon + times
        self._moments.sort()

    def places(self, keys: Ids, times: Ids) -> tuple[Ids, Ids]:
        """Where the facts with each key before each time are, of all by key and time."""
        first = keys * self._horizon
        return places_between(self._moments, first, first + times)

    def before(self, keys: Ids, times: Ids) -> Ids:
        """Number of facts with each key before each time."""
        begins, ends = self.places(keys, times)
        return ends - begins

    def at(self, keys: Ids, times: Ids) -> Ids:
        """Number of facts with each key at each time."""
        moments = keys * self._horizon + times
        begins, ends = places_between(self._moments, moments, moments, "right")
        return ends - begins

    def counted(self, keys: Ids, times: Ids) -> tuple[Ids, Ids]:
        """Number of facts with each key before each time, and the time from the last; 0 if none."""
        begins, ends = self.places(keys, times)
        number = ends - begins
        if not len(self._moments):
            return number, np.zeros(len(keys), dtype=np.int64)
        last = self._moments[np.maximum(ends - 1, 0)] % self._horizon
        return number, np.where(number > 0, times - last, 0)


def places_between(
    ascending: Ids, first: Ids, last: Ids, side: Literal["left", "right"] = "left"
) -> tuple[Ids, Ids]:
    """The places of first values, and those of last ones, on a side of what equals them."""
    # In order, they are found three times as fast.
    order = np.argsort(first)
    begins, ends = np.empty_like(order), np.empty_like(order)
    begins[order] = np.searchsorted(ascending, first[order])
    ends[order] = np.searchsorted(ascending, last[order], side)
    return begins, ends


def stable_order(keys: Ids) -> Ids:
    """The order that sorts keys, rows of equal keys in their own order."""
    bits = len(keys).bit_length()
    if not len(keys) or keys.min() < 0 or int(keys.max()) >> (63 - bits):
        return np.argsort(keys, kind="stable")
    # Values are sorted many times faster than rows are by their values.
    packed = (keys << bits) | np.arange(len(keys), dtype=np.int64)
    packed.sort()
    return packed & ((1 << bits) - 1)


def inverse_of(relation: Ids, relations: int) -> Ids:
    """The inverses of relations, of ``relations`` without inverses."""
    return np.where(relation < relations, relation + relations, relation - relations)


def pack(columns: Sequence[Ids], sizes: Sequence[int]) -> Ids:
    """Combine columns into one key each row; keys sort lexicographically as the rows do.

    Args:
        columns: values in [0, size) of their column, of the same length.
        sizes: sizes of the columns. With times as the last column, a range of keys is a window.

    Raises:
        OverflowError: the keys do not fit in 63 bits.
    """
    if np.prod([float(size) for size in sizes]) >= 2.0**63:
        raise OverflowError(f"keys of sizes {tuple(sizes)} do not fit in 63 bits")
    key = np.zeros(len(columns[0]), dtype=np.int64)
    for column, size in zip(columns, sizes, strict=True):
        key *= size
        key += column
    return key


def expand(begins: Ids, ends: Ids) -> tuple[Ids, Ids]:
    """All pairs of a join: each range number with each place ``begin <= place < end``.

    Returns:
        range numbers, ascending; places, ascending within each range.
    """
    counts = np.maximum(ends - begins, 0)
    askers = np.repeat(np.arange(len(counts), dtype=np.int64), counts)
    first = np.cumsum(counts) - counts
    places = np.arange(len(askers), dtype=np.int64) + (begins - first).take(askers)
    return askers, places


class GraphFact(Fact, predicate="fact"):
    """A fact of the graph."""

    subject: int
    relation: int
    object: int
    time: int


class Relations(Fact, predicate="relations"):
    """The number of relations without inverses."""

    number: int
