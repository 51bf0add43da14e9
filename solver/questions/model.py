"""A question of a data set: text, query, gold answers, and the certificate of its answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from grammar.questions.model import QuestionKind
from solver.graph.model import Split

Triple: TypeAlias = tuple[str, str, str]
"""Subject, relation and object, by name; ``ASKED`` and ``PARTY`` are variables in their place."""

Fact: TypeAlias = tuple[str, str, str, str]
"""Subject, relation, object and time, by their names in the graph."""

ASKED = "?answer"
"""Query variable of the answer."""

PARTY = "?party"
"""Query variable of the party that both facts of a 2-hop query share."""

YES, UNKNOWN = "yes", "unknown"
LETTERS = "ABCD"
"""Letters of the choices, in the order in which they are shown."""


def format_fact(fact: Fact) -> str:
    """Format a fact on one line."""
    return f"({', '.join(fact)})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A choice of a fact-reasoning question: an earlier fact and its text."""

    text: str
    fact: Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """Evidence for the gold answers.

    Attributes:
        facts: entity questions: the facts that entail each answer, in the order of the answers,
            one each, or two each for 2-hop (that of the named entity first). Answer yes: the fact.
        source: answer unknown: the fact that was corrupted into the queried one.
        contributions: fact reasoning: the contribution of each choice.
        rules: fact reasoning: the row of the rule that leads from each choice to the fact.
    """

    facts: tuple[Fact, ...] = ()
    source: Fact | None = None
    contributions: tuple[int, ...] = ()
    rules: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question.

    Attributes:
        id: unique in its data set.
        time: query time; only earlier facts may be used to answer.
        query: one triple; two for 2-hop: that of the named entity, then that of the answer.
        answers: all gold answers, sorted: entities; ``yes`` or ``unknown``; a choice's letter.
        choices: fact reasoning: four choices.
        order: fact reasoning: letters of the choices by contribution, greatest first.
        rule: 2-hop: row of the rule in ``two_hop_rules.tsv`` that generated it, from 0.
    """

    id: str
    kind: QuestionKind
    split: Split
    time: str
    text: str
    query: tuple[Triple, ...]
    answers: tuple[str, ...]
    choices: tuple[Choice, ...] = ()
    order: str = ""
    rule: int | None = None
    certificate: Certificate = field(default_factory=Certificate)
