"""How well boosted trees find the answer of fact reasoning by what can be counted of the choices.

Each choice is an item: what is counted of it, and of the others from the latest to the oldest. The
trees are fitted to two splits, and the choice that they find most probable is compared with the
answer in the third. They see numbers of days and facts, where the probes of ``verify`` see ranks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.graph.model import History, Ids, Quadruples, Split, Vocabulary, pack
from solver.probes.probe import wilson
from solver.questions.linking import LinkedQuestion
from solver.questions.model import LETTERS
from solver.questions.probes import pauses

COUNTED = {
    "age": ("age", "pause"),
    "frequencies": ("triple", "relation"),
    "the relation": ("rate",),
    "all": ("age", "pause", "triple", "relation", "same subject", "rate"),
}
"""Name of a group -> what is counted of each choice.

``age``: days from the choice to the question; ``pause``: days to the next older choice. ``triple``,
``relation``: how many earlier facts have it. ``rate``: how often choices of this relation are the
answer in the other splits.
"""
_PRIOR = 4
"""Number of choices of average rate that are added to those of each relation."""

Choices: TypeAlias = Mapping[str, Ids]
"""What is counted, by choice; shape (questions, choices)."""


def tree_rows(
    questions: Mapping[Split, Sequence[LinkedQuestion]], facts: Quadruples, vocabulary: Vocabulary
) -> list[dict[str, str | float | int]]:
    """The accuracy of the trees on the questions of all splits, a row for each group.

    There are none if only one split has fact-reasoning questions.
    """
    asked = {
        split: [question for question in some if len(question.choices) == len(LETTERS)]
        for split, some in questions.items()
    }
    counted = {split: choices(some, facts, vocabulary) for split, some in asked.items() if some}
    answers = {
        split: np.array([question.answers[0] for question in asked[split]]) for split in counted
    }
    if len(counted) < 2:
        return []
    rows: list[dict[str, str | float | int]] = []
    for name, columns in COUNTED.items():
        right = sum(_right(split, counted, answers, columns) for split in counted)
        items = sum(map(len, answers.values()))
        low, high = wilson(right, items)
        rows.append(
            {
                "name": name,
                "questions": items,
                "accuracy": round(right / items, 4),
                "low": round(low, 4),
                "high": round(high, 4),
            }
        )
    return rows


def choices(
    questions: Sequence[LinkedQuestion], facts: Quadruples, vocabulary: Vocabulary
) -> dict[str, Ids]:
    """What is counted of the choices but the rate, and their relations."""
    table = np.array([question.choices for question in questions], dtype=np.int64)
    heads, relations, tails, times = np.moveaxis(table, 2, 0)
    days = np.array([question.query.time for question in questions])[:, None]
    subjects = np.array([question.query.triples[0][0] for question in questions])[:, None]
    every = np.broadcast_to(days, times.shape).reshape(-1)

    def before(keys: Ids, wanted: Ids) -> Ids:
        return History(keys, facts.time).before(wanted.reshape(-1), every).reshape(times.shape)

    def triples(*columns: Ids) -> Ids:
        sizes = (vocabulary.entities, vocabulary.relations, vocabulary.entities)
        return pack([column.reshape(-1) for column in columns], sizes)

    return {
        "age": days - times,
        "pause": pauses(times),
        "triple": before(
            triples(facts.head, facts.relation, facts.tail), triples(heads, relations, tails)
        ),
        "relation": before(facts.relation, relations),
        "same subject": (heads == subjects).astype(np.int64),
        "kind": relations,
    }


def _right(
    split: Split,
    counted: Mapping[Split, Choices],
    answers: Mapping[Split, Ids],
    columns: Sequence[str],
) -> int:
    """Number of questions of a split that trees fitted to the others answer."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from threadpoolctl import threadpool_limits

    others = [counted_split for counted_split in counted if counted_split is not split]
    known = {
        others_split: np.eye(len(LETTERS), dtype=np.int64)[answers[others_split]]
        for others_split in others
    }
    fitted = [
        _items(
            counted[others_split],
            columns,
            _rate(counted[others_split], counted, known, {others_split}),
        )
        for others_split in others
    ]
    right = np.concatenate([array.reshape(-1) for array in known.values()])
    items = _items(counted[split], columns, _rate(counted[split], counted, known, set()))
    # One thread: on busy cores, several wait for each other most of the time.
    with threadpool_limits(limits=1):
        tree = HistGradientBoostingClassifier(max_iter=60, random_state=0)
        tree.fit(np.concatenate(fitted), right)
        likely = tree.predict_proba(items)[:, 1].reshape(-1, len(LETTERS))
    return int((likely.argmax(axis=1) == answers[split]).sum())


def _rate(
    wanted: Choices, counted: Mapping[Split, Choices], known: Mapping[Split, Ids], but: set[Split]
) -> NDArray[np.float64]:
    """How often the relation of each choice is the answer, in all known splits but some."""
    some = [split for split in known if split not in but]
    none = [np.empty(0, dtype=np.int64)]
    kinds = np.concatenate([counted[split]["kind"].reshape(-1) for split in some] + none)
    right = np.concatenate([known[split].reshape(-1) for split in some] + none)
    size = max(int(kinds.max(initial=0)), int(wanted["kind"].max())) + 1
    total = np.bincount(kinds, minlength=size)
    found = np.bincount(kinds, weights=right, minlength=size)
    rate: NDArray[np.float64] = (found + _PRIOR / len(LETTERS)) / (total + _PRIOR)
    return rate[wanted["kind"]]


def _items(
    counted: Choices, columns: Sequence[str], rate: NDArray[np.float64]
) -> NDArray[np.float64]:
    """A row for each choice: what is counted of it, then of the others, the latest first."""
    values = np.stack([{**counted, "rate": rate}[name] for name in columns], axis=2).astype(float)
    rows = []
    for place in range(len(LETTERS)):
        age = np.delete(counted["age"], place, axis=1)
        order = np.argsort(age, axis=1, kind="stable")
        others = np.take_along_axis(np.delete(values, place, axis=1), order[:, :, None], axis=1)
        rows.append(np.concatenate((values[:, place], others.reshape(len(values), -1)), axis=1))
    return np.stack(rows, axis=1).reshape(-1, len(columns) * len(LETTERS))
