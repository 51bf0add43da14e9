"""The background knowledge of questions, by ids: a graph, its splits and its rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from grammar.questions.model import QuestionKind
from solver.graph.model import (
    Dataset,
    Ids,
    Index,
    Quadruples,
    Split,
    UnknownNameError,
    Vocabulary,
    expand,
    pack,
)
from solver.io.sources import InputError
from solver.questions.contributions import Contributors, Fold, everything
from solver.questions.linking import LinkedQuestion, Names
from solver.questions.model import TwoHopRule
from solver.rules.history import require_keys
from solver.rules.model import RuleTable

NO_RULES = RuleTable.of(())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class World:
    """A graph with the rules from which its questions were generated.

    Attributes:
        facts: facts of all splits, each once, sorted by time.
        days: times of the facts of each split, ascending.
        rules: rules by which facts support later ones.
        folds: which of them count for questions of which times.
        two_hop: 2-hop rules, by row; None if unknown, then they are not checked.
        contributors: index of the same facts and rules.
    """

    vocabulary: Vocabulary
    facts: Quadruples
    days: dict[Split, Ids]
    rules: RuleTable
    folds: tuple[Fold, ...]
    two_hop: tuple[LinkedRule, ...] | None
    contributors: Contributors

    @classmethod
    def of(
        cls,
        dataset: Dataset,
        *,
        rules: RuleTable = NO_RULES,
        folds: Sequence[Fold] | None = None,
        two_hop: Sequence[TwoHopRule] | None = None,
    ) -> World:
        """Build the indexes.

        Raises:
            GraphSizeError: the graph is too large.
            InputError: a 2-hop rule names an unknown relation.
        """
        size = dataset.vocabulary
        require_keys(size, dataset.name)
        facts = dataset.facts().distinct()
        names = Names.of(size)
        return cls(
            vocabulary=size,
            facts=facts,
            days={split: np.unique(part.time) for split, part in dataset.splits.items()},
            rules=rules,
            folds=everything(rules) if folds is None else tuple(folds),
            two_hop=None if two_hop is None else tuple(_linked(rule, names) for rule in two_hop),
            contributors=Contributors(facts, rules, size, folds),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedRule:
    """A 2-hop rule by ids.

    Attributes:
        given, asked: relations; the inverse if the party is the object.
    """

    given: int
    asked: int
    use: bool


def _linked(rule: TwoHopRule, names: Names) -> LinkedRule:
    given, asked = (
        _from_party(names, arc.relation, party_first=arc.shared == "subject")
        for arc in (rule.given, rule.asked)
    )
    return LinkedRule(given=given, asked=asked, use=rule.use)


def _from_party(names: Names, relation: str, *, party_first: bool) -> int:
    try:
        number = names.relation(relation)
    except UnknownNameError as error:
        message = f"a 2-hop rule: {error.message}"
        raise InputError(message, hint=error.hint) from None
    return number if party_first else number + names.vocabulary.relations


_WHO = (QuestionKind.ONE_HOP, QuestionKind.TWO_HOP)


class RelevantFacts:
    """Indexes of a graph for the two kinds of lookup that questions need.

    Args:
        facts: facts without duplicates.
        sizes: numbers of entities and relations.
    """

    def __init__(self, facts: Quadruples, sizes: tuple[int, int]) -> None:
        self._facts = facts
        self._entities, self._relations = sizes
        self._by_day = Index.of(facts.time)
        self._by_triple = Index.of(self._triples(facts.head, facts.relation, facts.tail))

    def facts(self, questions: Sequence[LinkedQuestion]) -> Quadruples:
        """Facts on which the answers and choices of some questions depend, sorted, each once.

        Entity questions: facts of their relations at the query time. Yes-unknown: facts of the
        triple at any time. Fact reasoning: the choices, as far as they are facts.
        """
        rows = [*self._of_days(questions), *self._of_triples(questions)]
        found = np.unique(np.concatenate([np.empty(0, np.int64), *rows]))
        return self._facts.take(found)

    def _of_days(self, questions: Sequence[LinkedQuestion]) -> Iterable[Ids]:
        who = [question.query for question in questions if question.query.kind in _WHO]
        relations = np.unique([triple[1] for query in who for triple in query.triples])
        for day in sorted({query.time for query in who}):
            rows = self._by_day.rows(day)
            yield rows[np.isin(self._facts.relation[rows], relations)]

    def _of_triples(self, questions: Sequence[LinkedQuestion]) -> Iterable[Ids]:
        asked = [
            question.query.triples[0]
            for question in questions
            if question.query.kind is QuestionKind.YES_UNKNOWN
        ]
        if asked:
            heads, relations, tails = np.array(asked, dtype=np.int64).T
            yield self._rows(heads, relations, tails)[1]
        choices = [choice for question in questions for choice in question.choices]
        if choices:
            heads, relations, tails, times = np.array(choices, dtype=np.int64).T
            choice, rows = self._rows(heads, relations, tails)
            yield rows[self._facts.time[rows] == times[choice]]

    def _rows(self, heads: Ids, relations: Ids, tails: Ids) -> tuple[Ids, Ids]:
        """Rows of the facts of some triples at any time, each with the place of its triple."""
        asker, places = expand(*self._by_triple.ranges(self._triples(heads, relations, tails)))
        return asker, self._by_triple.order[places]

    def _triples(self, heads: Ids, relations: Ids, tails: Ids) -> Ids:
        return pack((heads, relations, tails), (self._entities, self._relations, self._entities))
