"""Candidate sets of four choices for fact reasoning, and what can be counted of the choices."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solver.graph.model import History, Ids, Quadruples, Vocabulary, expand, pack
from solver.questions.contributions import CHOICES, MARGIN, Contributions
from solver.questions.probes import pauses

SPREAD = 20
"""Time steps between the answer and each other choice, at most: a much older fact contributes less
whatever its rule is."""
_ANSWERS = 40
"""Facts of a queried fact that are tried as its answer."""
_DRAWS = 5
"""Draws of the other choices for each answer and age."""
_TRIES = 4
"""Tries to draw a choice that differs from those drawn before."""
_SETS = 48
"""Candidate sets for a queried fact, at most."""

COUNTED = (
    "age",
    "pause",
    "triple",
    "relation",
    "subject",
    "object",
    "pair",
    "triple since",
    "pair since",
    "subject and relation",
    "relation and object",
    "same subject",
)
"""What is counted of a choice before the query time.

``age``: the time to the question; ``pause``: the time to the next older choice. ``triple`` to
``pair`` and those with *and*: the facts that share it with the choice, a pair in any order;
``since``: of those, the ones after the choice. ``same subject``: whether the subject is that of the
question.
"""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CandidateSets:
    """Sets of four choices, sorted by queried fact.

    Attributes:
        asked: the queried fact of each set; shape (sets,).
        rows: rows of the contributing facts by descending contribution, the answer first; shape
            (sets, ``CHOICES``).
    """

    asked: Ids
    rows: Ids


def candidate_sets(
    found: Contributions, asked: Quadruples, draw: np.random.Generator
) -> CandidateSets:
    """Draw sets of four contributing facts of each queried fact.

    The four have different days, which also excludes two reports of one event, different
    relations, and different contributions with a margin after the first. None has the queried
    relation.

    Args:
        found: contributing facts of all queried facts.
        asked: queried facts.
        draw: random generator.
    """
    owner = np.repeat(np.arange(len(asked), dtype=np.int64), found.counts)
    rows = np.flatnonzero(found.facts.relation != asked.relation[owner])
    owner, weight = owner[rows], found.weight[rows]
    time, relation = found.facts.time[rows], found.facts.relation[rows]
    answers = _sample(owner, _ANSWERS, draw)
    # Rows are sorted by descending contribution: those below the margin follow.
    most, whole = MARGIN
    greatest = int(weight.max(initial=0)) + 1
    keys = owner * greatest + greatest - 1 - weight
    limit = most * weight[answers] // whole
    begins = np.searchsorted(keys, owner[answers] * greatest + greatest - 1 - limit)
    number, other = expand(begins, np.searchsorted(owner, owner[answers], side="right"))
    lag = time[answers[number]] - time[other]
    near = (lag != 0) & (np.abs(lag) <= SPREAD) & (relation[other] != relation[answers[number]])
    number, other, lag = number[near], other[near], lag[near]
    # The others of each answer, the later ones first.
    order = np.lexsort((lag > 0, number))
    number, other, lag = number[order], other[order], lag[order]
    each = np.arange(len(answers))
    first, last = np.searchsorted(number, each), np.searchsorted(number, each, side="right")
    middle = first + np.bincount(number[lag < 0], minlength=len(answers))
    drawn = [np.empty((0, CHOICES), dtype=np.int64)]
    for age in range(CHOICES):
        for _ in range(_DRAWS):
            chosen = answers[:, None]
            begin, end = first, last
            kept = np.arange(len(answers))
            for place in range(CHOICES - 1):
                begin, end = (first, middle) if place < age else (middle, last)
                begin, end = begin[kept], end[kept]
                pick = np.full(len(kept), -1, dtype=np.int64)
                for _ in range(_TRIES):
                    open_ = np.flatnonzero((pick < 0) & (end > begin))
                    drawn_row = other[draw.integers(begin[open_], end[open_])]
                    so_far = chosen[open_, 1:]
                    differs = (
                        (time[drawn_row][:, None] != time[so_far])
                        & (relation[drawn_row][:, None] != relation[so_far])
                        & (weight[drawn_row][:, None] != weight[so_far])
                    ).all(axis=1)
                    pick[open_[differs]] = drawn_row[differs]
                good = pick >= 0
                kept = kept[good]
                chosen = np.concatenate((chosen[good], pick[good, None]), axis=1)
            drawn.append(chosen)
    table = np.concatenate(drawn)
    table[:, 1:].sort(axis=1)
    table = np.unique(table, axis=0)
    table = table[_sample(owner[table[:, 0]], _SETS, draw)]
    return CandidateSets(asked=owner[table[:, 0]], rows=rows[table])


def counted(
    sets: CandidateSets,
    found: Contributions,
    asked: Quadruples,
    graph: Quadruples,
    vocabulary: Vocabulary,
) -> Ids:
    """What can be counted of the choices of each set; shape (sets, ``CHOICES``, ``COUNTED``).

    Args:
        sets: the candidate sets.
        found: contributing facts of all queried facts.
        asked: queried facts.
        graph: all facts.
        vocabulary: vocabulary of the graph.
    """
    facts, owner = found.facts, np.repeat(np.arange(len(asked)), found.counts)
    before, entities, relations = asked.time[owner], vocabulary.entities, vocabulary.relations

    def counts(*columns: str, since: bool = False) -> Ids:
        """The facts before the query time that share columns, or those since the choice."""
        sizes = [relations if column == "relation" else entities for column in columns]
        every, own = (
            pack([getattr(some, column) for column in columns], sizes) for some in (graph, facts)
        )
        history = History(every, graph.time)
        number = history.before(own, before)
        return number - history.before(own, facts.time + 1) if since else number

    def pairs(*, since: bool = False) -> Ids:
        """The same for the two entities in any order."""
        both = [
            pack(
                (np.minimum(some.head, some.tail), np.maximum(some.head, some.tail)),
                (entities, entities),
            )
            for some in (graph, facts)
        ]
        history = History(both[0], graph.time)
        number = history.before(both[1], before)
        return number - history.before(both[1], facts.time + 1) if since else number

    triple = ("head", "relation", "tail")
    columns = (
        before - facts.time,
        counts(*triple),
        counts("relation"),
        counts("head"),
        counts("tail"),
        pairs(),
        counts(*triple, since=True),
        pairs(since=True),
        counts("head", "relation"),
        counts("relation", "tail"),
        (facts.head == asked.head[owner]).astype(np.int64),
    )
    age, *others = (column[sets.rows] for column in columns)
    return np.stack((age, pauses(-age), *others), axis=2).astype(np.int64)


def _sample(owner: Ids, most: int, draw: np.random.Generator) -> Ids:
    """Rows of a random sample of so many of each owner, ascending; owners are sorted."""
    order = np.lexsort((draw.random(len(owner)), owner))
    place = np.arange(len(owner)) - np.searchsorted(owner, owner)
    return np.sort(order[place < most])
