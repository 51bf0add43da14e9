"""A question as a file holds it: text, query, gold answers, and what shows that they are right."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from grammar.question import QuestionKind
from solver.tkg.dataset import Split

Triple: TypeAlias = tuple[str, str, str]
"""Subject, relation and object, as the graph names them; ``ASKED`` or ``PARTY`` stands for one."""

Fact: TypeAlias = tuple[str, str, str, str]
"""Subject, relation, object and time, as the graph names them."""

ASKED = "?answer"
"""What is asked for, in a query."""

PARTY = "?party"
"""What the two facts of a 2-hop query share."""

YES, UNKNOWN = "yes", "unknown"
LETTERS = "ABCD"
"""Of the choices, in the order in which they are shown."""


def written(fact: Fact) -> str:
    """A fact in one line."""
    return f"({', '.join(fact)})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """An earlier fact that may be chosen, and its text."""

    text: str
    fact: Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """What shows the answers to be right.

    Attributes:
        facts: of an entity question the facts behind each answer, in the order of the answers: one
            each, or two each for 2-hop (that of the named entity first). Of a yes the fact itself.
        source: of an unknown the fact that was changed into the one asked about.
        contributions: of fact reasoning, by choice, how much each speaks for the fact.
        rules: of fact reasoning, by choice, the row of the rule that leads from it to the fact.
    """

    facts: tuple[Fact, ...] = ()
    source: Fact | None = None
    contributions: tuple[int, ...] = ()
    rules: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question.

    Attributes:
        id: the only one of this name in its data set.
        time: on which it is asked; only earlier facts may be used to answer it.
        query: one triple; two for 2-hop: that of the named entity, then that of the answer.
        answers: all of them, sorted: entities; ``yes`` or ``unknown``; the letter of a choice.
        choices: of fact reasoning, four.
        order: of fact reasoning, the letters of the choices by what they contribute, most first.
        rule: of 2-hop, the rule it was made by, as its row in ``two_hop_rules.tsv``, from 0.
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
