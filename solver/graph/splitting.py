"""Splits a graph by time: no two splits share a time, and each fact counts once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grammar.dates import day_number
from grammar.errors import HopcheckError
from solver.graph.model import REPEATED, Dataset, Ids, Quadruples, Split


class SplittingError(HopcheckError):
    """A graph that cannot be split as wanted."""

    code = "split"


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitFigures:
    """What a split has, and what is new in it.

    Attributes:
        facts: number of facts.
        share: of all facts.
        first, last: names of its first and last time.
        new_entities, new_relations: those that no earlier split has.
        unseen: facts with an entity or a relation that no earlier split has.
        repeated: facts whose head, relation and tail are those of a fact of an earlier split.
    """

    facts: int
    share: float
    first: str
    last: str
    new_entities: int
    new_relations: int
    unseen: int
    repeated: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitGraph:
    """A graph that is split by time.

    Attributes:
        graph: the splits, each sorted by time.
        repeated: facts that the files had once more, and that count once.
        figures: by split.
    """

    graph: Dataset
    repeated: int
    figures: dict[Split, SplitFigures]

    def as_json(self) -> dict[str, Any]:
        """All figures as JSON values."""
        return {
            "repeated": self.repeated,
            "splits": {split.value: asdict(row) for split, row in self.figures.items()},
        }


def split_by_time(graph: Dataset, shares: Sequence[float]) -> SplitGraph:
    """Split a graph into shares of its facts, earlier ones first, as near as times allow.

    Args:
        graph: any splits it has are joined.
        shares: of train and test, or of train, valid and test; they add up to 1.

    Raises:
        SplittingError: they do not, or there are fewer times than splits.
    """
    if len(shares) not in (2, 3) or min(shares) <= 0 or abs(sum(shares) - 1) > 1e-9:
        found = ", ".join(f"{share:g}" for share in shares)
        message = f"found the shares {found}, expected two or three that add up to 1"
        raise SplittingError(message, hint="such as .8,.1,.1")
    facts = graph.facts().distinct()
    times, counts = np.unique(facts.time, return_counts=True)
    if len(times) < len(shares):
        message = (
            f"found {len(times)} times, expected at least one for each of {len(shares)} splits"
        )
        raise SplittingError(message, where=graph.name)
    ends, wanted = np.cumsum(counts), np.cumsum(shares)[:-1] * len(facts)
    chosen = list[int]()
    for number, share in enumerate(wanted):
        # Each split has a time of its own.
        low = chosen[-1] + 1 if chosen else 0
        high = len(times) - (len(shares) - 1 - number)
        place = low + int(np.argmin(np.abs(ends[low:high] - share)))
        chosen.append(place)
    return _split(graph, facts, [int(times[place + 1]) for place in chosen])


def split_at(graph: Dataset, starts: Sequence[str]) -> SplitGraph:
    """Split a graph at times.

    Args:
        graph: any splits it has are joined.
        starts: the first time of test, or of valid and of test: names, such as dates, or numbers.

    Raises:
        SplittingError: a time is unknown, or a split is empty.
    """
    if len(starts) not in (1, 2):
        message = f"found {len(starts)} times, expected the first one of test, or of valid and test"
        raise SplittingError(message)
    facts = graph.facts().distinct()
    places = [_time(graph, start) for start in starts]
    if sorted(set(places)) != places:
        message = f"found the times {', '.join(starts)}, expected an earlier one first"
        raise SplittingError(message, where=graph.name)
    return _split(graph, facts, places)


def _time(graph: Dataset, name: str) -> int:
    """The number of a time."""
    words, day = graph.vocabulary, day_number(name)
    if name in words.time_names:
        return words.time_names.index(name) * words.time_step
    if not words.time_names and name.isdecimal():
        return int(name)
    days = [day_number(each) for each in words.time_names]
    if day is not None and days and None not in days:
        # A day without facts is as good as the next one.
        return sum(each < day for each in days if each is not None) * words.time_step
    last = words.time(int(graph.facts().time.max())) if len(graph.facts()) else "none"
    message = f"found the time {name!r}, expected one of the graph"
    raise SplittingError(message, where=graph.name, hint=f"its last one is {last}")


def _split(graph: Dataset, facts: Quadruples, starts: Sequence[int]) -> SplitGraph:
    names = tuple(Split) if len(starts) == 2 else (Split.TRAIN, Split.TEST)
    parts = np.split(facts.rows(), np.searchsorted(facts.time, starts))
    splits = {name: Quadruples.of(part) for name, part in zip(names, parts, strict=True)}
    for name, part in splits.items():
        if not len(part):
            raise SplittingError(f"found no fact of {name}, expected some", where=graph.name)
    figures = dict(_figures(graph, splits, len(facts)))
    left_out = graph.left_out.get(REPEATED, 0)
    return SplitGraph(
        graph=replace(graph, splits=splits),
        repeated=len(graph.facts()) - len(facts) + left_out,
        figures=figures,
    )


def _figures(
    graph: Dataset, splits: dict[Split, Quadruples], facts: int
) -> list[tuple[Split, SplitFigures]]:
    words, found = graph.vocabulary, list[tuple[Split, SplitFigures]]()
    entities, relations = np.empty(0, np.int64), np.empty(0, np.int64)
    triples = np.empty((0, 3), np.int64)
    for split, part in splits.items():
        ends = np.union1d(part.head, part.tail)
        here = np.unique(part.rows()[:, :3], axis=0)
        seen = _among(part.rows()[:, :3], triples)
        unseen = (
            ~np.isin(part.head, entities)
            | ~np.isin(part.tail, entities)
            | ~np.isin(part.relation, relations)
        )
        found.append(
            (
                split,
                SplitFigures(
                    facts=len(part),
                    share=round(len(part) / facts, 4),
                    first=words.time(int(part.time.min())),
                    last=words.time(int(part.time.max())),
                    new_entities=len(np.setdiff1d(ends, entities)),
                    new_relations=len(np.setdiff1d(part.relation, relations)),
                    unseen=int(unseen.sum()),
                    repeated=int(seen.sum()),
                ),
            )
        )
        entities = np.union1d(entities, ends)
        relations = np.union1d(relations, part.relation)
        triples = np.unique(np.concatenate((triples, here)), axis=0)
    return found


def _among(rows: Ids, known: Ids) -> NDArray[np.bool_]:
    """Which rows are among known ones."""
    every, places = np.unique(np.concatenate((known, rows)), axis=0, return_inverse=True)
    is_known = np.zeros(len(every), dtype=np.bool_)
    places = places.ravel()
    is_known[places[: len(known)]] = True
    found: NDArray[np.bool_] = is_known[places[len(known) :]]
    return found
