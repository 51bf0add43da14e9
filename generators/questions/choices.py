"""Sets of four choices for fact reasoning, balanced so that counts do not predict the answer.

A look is what can be counted of a choice, such as how many of the other choices are later; a
pattern is the looks of all four choices of a question, without their order. Of the candidate sets
of each question, the one is chosen that keeps most even, in each pattern and over all patterns,
which of the looks is the answer's. Questions that leave it uneven all the same are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from solver.graph.model import Ids, Quadruples, Vocabulary, expand, pack
from solver.questions.contributions import CHOICES, MARGIN, Contributions
from solver.questions.probes import History, pauses

_EVENING = 0.2
"""A question is left out if it makes up for less than this share of its own excesses."""
_AT_ONCE = 200
"""One question of so many is left out at once."""
_FEWEST = 8
"""No question is left out of so few."""
_ROUNDS = 4
"""Rounds in which questions choose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of a look that is balanced.

    Attributes:
        numbers: places of its numbers in the look.
        weight: factor of its excess.
        patterns: whether it is balanced in each pattern too.
    """

    numbers: tuple[int, ...]
    weight: int = 1
    patterns: bool = True


def balanced(looks: Ids, parts: Sequence[Part], questions: Ids, draw: np.random.Generator) -> Ids:
    """Choose at most one candidate set for each question.

    Args:
        looks: looks of the choices of each candidate set, the answer first; shape (sets,
            ``CHOICES``, numbers of a look).
        parts: parts of a look that are balanced.
        questions: the question of each candidate set, ascending.
        draw: random generator of the order in which questions choose.

    Returns:
        Rows of the chosen sets, ascending.
    """
    if not len(looks):
        return np.empty(0, dtype=np.int64)
    keys, excess = _excess(looks, parts)
    total = np.zeros(int(keys.max()) + 1, dtype=np.int64)
    starts = np.flatnonzero(np.diff(questions, prepend=-1))
    ends = np.append(starts[1:], len(questions))
    order = draw.permutation(len(starts))
    # Questions with fewer candidate sets choose first, and again when the others have chosen.
    order = order[np.argsort((ends - starts)[order], kind="stable")]
    taken = np.full(len(starts), -1)
    for _ in range(_ROUNDS):
        for number in order.tolist():
            if taken[number] >= 0:
                total[keys[taken[number]]] -= excess[taken[number]]
            some = slice(starts[number], ends[number])
            growth = (excess[some] * (excess[some] + 2 * total[keys[some]])).sum(axis=1)
            taken[number] = starts[number] + int(np.argmin(growth))
            total[keys[taken[number]]] += excess[taken[number]]
    while len(taken) > _FEWEST:
        own, others = excess[taken], total[keys[taken]] - excess[taken]
        # The product of own and other excesses is 0 if the others have none of its looks, and minus
        # the squares of its own if all are even with it.
        lacking = (own * (others + _EVENING * own)).sum(axis=1)
        worst = np.argsort(-lacking, kind="stable")[: 1 + len(taken) // _AT_ONCE]
        worst = worst[: len(taken) - _FEWEST]
        worst = worst[lacking[worst] > 0]
        if not len(worst):
            break
        np.subtract.at(total, keys[taken[worst]], excess[taken[worst]])
        taken = np.delete(taken, worst)
    return taken


def _excess(looks: Ids, parts: Sequence[Part]) -> tuple[Ids, Ids]:
    """By how much the answer has each look more often than by chance, times ``CHOICES``.

    Returns:
        Numbers of the looks, over all patterns or in the pattern of the set, and the excess that
        the set adds to each; both of shape (sets, columns).
    """
    more = np.full(CHOICES, -1)
    more[0] += CHOICES
    keys, excess, size = [], [], 1
    for part in parts:
        look = _numbered(looks[:, :, part.numbers])
        same = look[:, :, None] == look[:, None, :]
        # Choices that look alike count once, with their sum; the others have key 0.
        repeated = np.tril(same, -1).any(axis=2)
        sums = part.weight * np.where(repeated, 0, (same * more).sum(axis=2))
        keys.append(np.where(repeated, 0, look + size))
        excess.append(sums)
        size += int(look.max()) + 1
        if part.patterns:
            pattern = _numbered(np.sort(look, axis=1))
            pattern = np.broadcast_to(pattern[:, None], look.shape)
            within = _numbered(np.stack((pattern, look), axis=2))
            keys.append(np.where(repeated, 0, within + size))
            excess.append(sums)
            size += int(within.max()) + 1
    return np.concatenate(keys, axis=1), np.concatenate(excess, axis=1)


def _numbered(rows: Ids) -> Ids:
    """Numbers of the distinct rows of numbers along the last axis."""
    found = rows[..., 0]
    for column in np.moveaxis(rows, -1, 0)[1:]:
        pairs = found * (int(column.max()) + 1) + column
        found = np.unique(pairs, return_inverse=True)[1].reshape(pairs.shape)
    return found


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

(
    AGE,
    LAG,
    PAUSE,
    TRIPLE,
    TRIPLES,
    RELATION,
    RELATIONS,
    EXPECTED,
    GAP,
    KIND,
    SUBJECT,
    AGAIN,
) = range(12)
"""Numbers in a look.

``AGE``, ``PAUSE``, ``TRIPLE``, ``RELATION``, ``EXPECTED``: how many of the other choices are later,
have a longer time to the next older choice, a triple or a relation that was more frequent before
the query time, a greater expected contribution, which is that of their relation on average,
whatever is asked. ``LAG``, ``TRIPLES``, ``RELATIONS``, ``GAP``: classes of the time to the latest
choice, of both frequencies, and of the distance to the greatest expected contribution. ``KIND``:
the relation. ``SUBJECT``: whether the subject is that of the question. ``AGAIN``: whether the
triple occurs again before the query time.
"""

PARTS = (
    Part(numbers=(AGE, LAG)),
    Part(numbers=(AGE, PAUSE)),
    Part(numbers=(AGE, RELATION)),
    Part(numbers=(TRIPLE,)),
    Part(numbers=(TRIPLE, RELATION)),
    Part(numbers=(TRIPLES,)),
    Part(numbers=(RELATIONS,)),
    Part(numbers=(EXPECTED,)),
    Part(numbers=(EXPECTED, GAP)),
    Part(numbers=(SUBJECT,)),
    Part(numbers=(AGAIN,)),
    Part(numbers=(KIND,), weight=3, patterns=False),
)
"""Parts of a look that are balanced together."""

_LAGS = (1, 3, 6, 11, 21)
_TRIPLES = (2, 3, 5, 9, 17, 33, 65)
_RELATIONS = (100, 300, 1_000, 3_000, 10_000, 20_000)
_GAPS = (300, 800, 1_500, 2_500)
"""Least values of the second and further classes of lags, counts and gaps."""
_PRIOR = 5
"""Number of contributions of average confidence that are added to those of each relation."""
_RATE = 100
"""Thousandths by which the logarithm of a contribution decays in a time step."""


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


def looks(
    sets: CandidateSets,
    found: Contributions,
    asked: Quadruples,
    graph: Quadruples,
    vocabulary: Vocabulary,
) -> Ids:
    """What can be counted of the choices of each set; shape (sets, ``CHOICES``, numbers of a look).

    Args:
        sets: the candidate sets.
        found: contributing facts of all queried facts.
        asked: queried facts.
        graph: all facts.
        vocabulary: vocabulary of the graph.
    """
    facts, owner = found.facts, np.repeat(np.arange(len(asked)), found.counts)
    before = asked.time[owner]
    sizes = vocabulary.entities, vocabulary.relations, vocabulary.entities
    triples, own = (pack((some.head, some.relation, some.tail), sizes) for some in (graph, facts))
    history = History(triples, graph.time)
    triple = history.before(own, before)
    relation = History(graph.relation, graph.time).before(facts.relation, before)
    again = triple > history.before(own, facts.time + 1)
    lag = before - facts.time
    # The contribution that is expected of the relation, whatever is asked.
    heights = np.rint(1_000 * np.log(found.weight)).astype(np.int64) + _RATE * lag
    counts = np.bincount(facts.relation, minlength=vocabulary.relations)
    sums = np.bincount(facts.relation, weights=heights, minlength=vocabulary.relations)
    mean = heights.mean() if len(heights) else 0.0
    prior = np.rint((sums + _PRIOR * mean) / (counts + _PRIOR)).astype(np.int64)
    expected = prior[facts.relation] - _RATE * lag
    lag, triple, relation, expected = (x[sets.rows] for x in (lag, triple, relation, expected))
    since = lag - lag.min(axis=1, keepdims=True)
    gap = expected.max(axis=1, keepdims=True) - expected
    numbers = (
        _places(-lag),
        np.searchsorted(_LAGS, since, side="right"),
        _places(pauses(-lag)),
        _places(triple),
        np.searchsorted(_TRIPLES, triple, side="right"),
        _places(relation),
        np.searchsorted(_RELATIONS, relation, side="right"),
        _places(expected),
        np.searchsorted(_GAPS, gap, side="right"),
        facts.relation[sets.rows],
        facts.head[sets.rows] == asked.head[sets.asked][:, None],
        again[sets.rows],
    )
    return np.stack(numbers, axis=2).astype(np.int64)


def _places(values: Ids) -> Ids:
    """How many of the other choices have a greater value."""
    number: Ids = (values[:, None, :] > values[:, :, None]).sum(axis=2)
    return number


def _sample(owner: Ids, most: int, draw: np.random.Generator) -> Ids:
    """Rows of a random sample of so many of each owner, ascending; owners are sorted."""
    order = np.lexsort((draw.random(len(owner)), owner))
    place = np.arange(len(owner)) - np.searchsorted(owner, owner)
    return np.sort(order[place < most])
