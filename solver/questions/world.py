"""The background knowledge of questions, by ids: a graph, its splits and its rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from solver.questions.contributions import Contributors
from solver.questions.linking import Names
from solver.questions.two_hop import TwoHopRule
from solver.reading.failures import InputError
from solver.rules.history import require_keys
from solver.rules.table import RuleTable
from solver.tkg.dataset import Dataset, Split, Vocabulary
from solver.tkg.naming import UnknownNameError
from solver.tkg.quadruples import Ids, Quadruples

NO_RULES = RuleTable.of(())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class World:
    """A graph with the rules from which its questions were generated.

    Attributes:
        facts: facts of all splits, each once, sorted by time.
        days: times of the facts of each split, ascending.
        rules: rules by which facts support later ones.
        two_hop: 2-hop rules, by row; None if unknown, then they are not checked.
        contributors: index of the same facts and rules.
    """

    vocabulary: Vocabulary
    facts: Quadruples
    days: dict[Split, Ids]
    rules: RuleTable
    two_hop: tuple[LinkedRule, ...] | None
    contributors: Contributors

    @classmethod
    def of(
        cls,
        dataset: Dataset,
        *,
        rules: RuleTable = NO_RULES,
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
            two_hop=None if two_hop is None else tuple(_linked(one, names) for one in two_hop),
            contributors=Contributors(facts, rules, size),
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
