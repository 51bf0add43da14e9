"""Fact reasoning: which of four earlier facts contributes most to a fact that rules predict?

Source: ForecastTKGQuestions (Ding et al., ISWC 2023), section 3.2; contributions are those of rules
of one fact, where the paper has a model's and annotators.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from generators.questions.graph import TRUE_SHARE
from solver.graph.model import Ids, Index, Quadruples, Vocabulary, pack
from solver.questions.contributions import CHOICES, Contributors
from solver.rules.application import Application, Settings, ranked_first
from solver.rules.exact import ExactMining, mine_exact
from solver.rules.graph import RuleGraph
from solver.rules.model import RuleTable

LOOP = "the same entity on both sides"
NOT_FIRST = "rules do not rank the answer strictly first"
FEW = "fewer than four earlier facts contribute"
ALIKE = "two of the four contribute alike"
REPEATED = "the first choice says the same of an earlier time"

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReasoningItems:
    """Questions, a row each, sorted by time.

    Attributes:
        facts: queried facts.
        choices: four facts per question by descending contribution, concatenated.
        values: their contributions, shape (n, 4); rules: rows of their rules, same shape.
        left_out: number of facts without a question, by reason.
    """

    facts: Quadruples
    choices: Quadruples
    values: Ids
    rules: Ids
    left_out: Mapping[str, int]

    def __len__(self) -> int:
        return len(self.facts)


def rules_of_one_fact(facts: Quadruples, relations: int) -> RuleTable:
    """Mine rules with one body atom exactly, filtered by the defaults of rule application."""
    used = Settings()
    mining = ExactMining(lengths=(1,), confidence=used.confidence, body_support=used.body_support)
    return mine_exact(RuleGraph.of(facts, relations), mining)[0].rules


def reasoning(
    facts: Quadruples,
    graph: Quadruples,
    rules: RuleTable,
    vocabulary: Vocabulary,
) -> ReasoningItems:
    """Query the facts that rules rank strictly first and four earlier facts contribute to.

    Args:
        facts: distinct facts of a split, sorted by time.
        graph: all facts; those before the query time count.
        rules: rules with one body atom.
        vocabulary: vocabulary of the graph.
    """
    left_out: dict[str, int] = {}

    def without(some: Quadruples, good: Flags, reason: str) -> Quadruples:
        left_out[reason] = int((~good).sum())
        return some.take(good)

    kept = without(facts, facts.head != facts.tail, LOOP)
    application = Application(rules, graph, vocabulary)
    kept = without(kept, ranked_first(application, kept), NOT_FIRST)
    found = Contributors(graph, rules, vocabulary).contributions(kept)
    enough = found.counts >= CHOICES
    apart = found.distinct_choices()[enough]
    rows = found.chosen()[enough][apart]
    kept = without(without(kept, enough, FEW), apart, ALIKE)
    new = _new(kept, found.facts.take(rows[:, 0]))
    rows = rows[new]
    return ReasoningItems(
        facts=without(kept, new, REPEATED),
        choices=found.facts.take(rows.reshape(-1)),
        values=found.weight[rows],
        rules=found.rule[rows],
        left_out=left_out,
    )


def _new(facts: Quadruples, answers: Quadruples) -> Flags:
    """Whether the answer to each fact is another triple."""
    differ: Flags = (answers.head != facts.head) | (answers.relation != facts.relation)
    differ |= answers.tail != facts.tail
    return differ


_ROUNDS = 64
"""Draws before an exhaustive search for the remaining facts."""
_PATIENCE = 16
"""Draws before another position of a fact than the first one drawn may be corrupted."""
_PARTS = ("head", "relation", "tail")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class YesUnknownItems:
    """Questions, a row each, sorted by time.

    Attributes:
        asked: queried facts.
        source: their source facts; the same where ``true``.
        true: whether the answer is yes.
        left_out: number of facts without any corruption that never holds.
    """

    asked: Quadruples
    source: Quadruples
    true: NDArray[np.bool_]
    left_out: int

    def __len__(self) -> int:
        return len(self.true)


class Changes:
    """Corrupts facts in one position to triples that are at no time in the graph.

    Args:
        graph: facts of all splits.
        suits: whether each relation suits a question.

    Raises:
        OverflowError: two entities, a relation and a time do not fit in 63 bits.
    """

    def __init__(self, graph: Quadruples, suits: NDArray[np.bool_]) -> None:
        self._entities = np.unique(np.concatenate((graph.head, graph.tail)))
        relations = np.unique(graph.relation)
        self._relations = relations[suits[relations]]
        self._times = np.unique(graph.time)
        ends = int(self._entities.max(initial=0)) + 1
        self._sizes = (len(self._times), ends, len(suits), ends)
        self._known = Index.of(np.unique(self._triples(graph)))

    def drawn(
        self, facts: Quadruples, draw: np.random.Generator
    ) -> tuple[Quadruples, NDArray[np.bool_]]:
        """Corrupt each fact in one position, without duplicates.

        Returns:
            The corrupted facts, and for which of ``facts`` one was found; others are unchanged.
        """
        rows = facts.rows()
        found = np.zeros(len(rows), dtype=np.bool_)
        taken = np.empty(0, dtype=np.int64)
        parts = draw.integers(len(_PARTS), size=len(rows))
        for number in range(_ROUNDS):
            left = np.flatnonzero(~found)
            if not len(left):
                break
            if number >= _PATIENCE:
                parts[left] = draw.integers(len(_PARTS), size=len(left))
            tried = self._changed(rows[left], parts[left], draw)
            keys = self._keys(tried)
            good = self._unknown(tried) & ~np.isin(keys, taken)
            first = np.zeros(len(left), dtype=np.bool_)
            first[np.unique(keys, return_index=True)[1]] = True
            good &= first
            rows[left[good]] = tried.take(good).rows()
            found[left[good]] = True
            taken = np.concatenate((taken, keys[good]))
        self._search(rows, found, set(taken.tolist()), draw)
        return Quadruples.of(rows), found

    def _changed(self, rows: Ids, part: Ids, draw: np.random.Generator) -> Quadruples:
        """Redraw one position of each row, possibly with the same value."""
        tried = rows.copy()
        ends = self._entities[draw.integers(len(self._entities), size=len(rows))]
        relations = self._relations[draw.integers(len(self._relations), size=len(rows))]
        tried[np.arange(len(rows)), part] = np.where(part == 1, relations, ends)
        return Quadruples.of(tried)

    def _search(
        self, rows: Ids, found: NDArray[np.bool_], taken: set[int], draw: np.random.Generator
    ) -> None:
        """Search all corruptions of the facts that random draws did not corrupt."""
        for row in np.flatnonzero(~found).tolist():
            every = self._every(rows[row])
            some = every.take(self._unknown(every))
            keys = self._keys(some).tolist()
            good = [place for place, key in enumerate(keys) if key not in taken]
            if good:
                chosen = good[draw.integers(len(good))]
                rows[row] = some.rows()[chosen]
                found[row] = True
                taken.add(keys[chosen])

    def _every(self, row: Ids) -> Quadruples:
        """All facts that differ from one in at most one position."""
        parts = []
        for place, name in enumerate(_PARTS):
            values = self._relations if name == "relation" else self._entities
            block = np.repeat(row[np.newaxis], len(values), axis=0)
            block[:, place] = values
            parts.append(block)
        return Quadruples.of(np.concatenate(parts))

    def _unknown(self, facts: Quadruples) -> NDArray[np.bool_]:
        return ~self._known.contains(self._triples(facts))

    def _triples(self, facts: Quadruples) -> Ids:
        return pack((facts.head, facts.relation, facts.tail), self._sizes[1:])

    def _keys(self, facts: Quadruples) -> Ids:
        ranks = np.searchsorted(self._times, facts.time)
        return pack((ranks, facts.head, facts.relation, facts.tail), self._sizes)


def yes_unknown(facts: Quadruples, changes: Changes, draw: np.random.Generator) -> YesUnknownItems:
    """Query each fact: one in four unchanged, the others corrupted in one position.

    Args:
        facts: distinct facts of a split, with suitable relations.
        changes: corruption over the whole graph.
        draw: random generator of labels and corruptions.
    """
    true = np.zeros(len(facts), dtype=np.bool_)
    true[draw.permutation(len(facts))[: round(len(facts) / TRUE_SHARE)]] = True
    rows = facts.rows()
    changed, found = changes.drawn(facts.take(~true), draw)
    rows[~true] = changed.rows()
    kept = true.copy()
    kept[~true] = found
    return YesUnknownItems(
        asked=replace(Quadruples.of(rows[kept]), time=facts.time[kept]),
        source=facts.take(kept),
        true=true[kept],
        left_out=int((~kept).sum()),
    )
