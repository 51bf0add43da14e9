"""A question of a data set: text, query, gold answers, and the certificate of its answers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import msgspec

from grammar.questions.model import Arc, QuestionKind, Role
from solver.graph.model import Split
from solver.io.columns import column, columns_of, table_rows
from solver.io.sources import open_input
from solver.io.writing import packed

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


RuleNumber: TypeAlias = Annotated[
    int, msgspec.Meta(extra_json_schema={"minimum": 0, "maximum": 999_999_999})
]
"""Compared with the number of rules when it is read."""

_FACT = ["Ada", "visits", "Lanternworks", "2026-03-01"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A choice of a fact-reasoning question."""

    text: Annotated[str, column("the fact as a sentence", example="Ada visited Lanternworks.")]
    fact: Annotated[Fact, column("an earlier fact", example=_FACT)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """Evidence for the gold answers."""

    facts: Annotated[
        tuple[Fact, ...],
        column(
            "entity questions: the facts that entail each answer, in the order of the answers, one "
            "each, or two each for 2-hop (that of the named entity first); answer yes: the fact",
            example=[_FACT],
        ),
    ] = ()
    source: Annotated[
        Fact | None,
        column("answer unknown: the fact that was corrupted into the queried one", example=_FACT),
    ] = None
    contributions: Annotated[
        tuple[int, ...],
        column("fact reasoning: the contribution of each choice", example=[120, 80, 0, 0]),
    ] = ()
    rules: Annotated[
        tuple[int, ...],
        column(
            "fact reasoning: the row of the rule that leads from each choice to the fact",
            example=[7, 3, 9, 4],
        ),
    ] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question over a graph."""

    id: Annotated[str, column("id, unique in the data set", example="test-1-hop-0")]
    kind: Annotated[QuestionKind, column("kind of the question", example="1-hop")]
    split: Annotated[Split, column("split that it is in", example="test")]
    time: Annotated[
        str, column("query time; only earlier facts may be used to answer", example="2026-03-02")
    ]
    text: Annotated[
        str, column("the question in words", example="Who will Ada visit on 2 March 2026?")
    ]
    query: Annotated[
        tuple[Triple, ...],
        column(
            "one triple; two for 2-hop: that of the named entity, then that of the answer",
            example=[["Ada", "visits", ASKED]],
        ),
    ]
    answers: Annotated[
        tuple[str, ...],
        column(
            "all gold answers, sorted: entities; yes or unknown; the letter of a choice",
            example=["Lanternworks"],
        ),
    ]
    choices: Annotated[tuple[Choice, ...], column("fact reasoning: four choices")] = ()
    order: Annotated[
        str,
        column(
            "fact reasoning: letters of the choices by contribution, greatest first", example="BADC"
        ),
    ] = ""
    rule: Annotated[
        RuleNumber | None,
        column("2-hop: row of the rule in two_hop_rules.tsv that generated it, from 0", example=2),
    ] = None
    certificate: Annotated[
        Certificate, column("evidence for the answers, as its kind requires")
    ] = field(default_factory=Certificate)


Support: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=2**62)]


class TwoHopRow(msgspec.Struct, frozen=True, kw_only=True):
    """A 2-hop rule of a table, with a curator's verdict."""

    rule: Annotated[str, column("row, from 0; ignored on reading", example="0")] = ""
    given: Annotated[str, column("relation of the party to the named entity", example="visits")]
    given_shared: Annotated[Role, column("side of the party in the given fact", example="subject")]
    asked: Annotated[str, column("relation of the party to the answer", example="hosts")]
    asked_shared: Annotated[Role, column("side of the party in the asked fact", example="object")]
    days: Annotated[Support, column("days on which the rule holds", unit="days", example=12)]
    body_support: Annotated[
        Support, column("facts of the given relation, over all days", unit="facts", example=40)
    ]
    rule_support: Annotated[
        Support,
        column("those facts whose party has an answer that day", unit="facts", example=30),
    ]
    confidence: Annotated[
        str, column("rule support over body support; ignored on reading", example="0.750000")
    ] = ""
    curated: Annotated[
        Literal["yes", "no"], column("whether questions may be generated from it", example="yes")
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoHopRule:
    """A party with the ``given`` relation to one entity has, that day, ``asked`` to another.

    Attributes:
        given: relation of the party to the named entity, by name.
        asked: relation of the party to the answer.
        days: number of days on which the rule holds.
        rule_support: facts of ``given``, over all days, whose party has an answer that day.
        body_support: facts of ``given``, over all days.
        use: curator's verdict: whether questions may be generated from it.
    """

    given: Arc
    asked: Arc
    rule_support: int
    body_support: int
    days: int = 0
    use: bool = True

    @property
    def confidence(self) -> float:
        """Rule support over body support, in [0, 1]."""
        return self.rule_support / self.body_support if self.body_support else 0.0


def write_two_hop_rules(path: str | Path, rules: Iterable[TwoHopRule]) -> None:
    """Write a table with a header, one rule per row.

    Raises:
        OutputError: writing failed.
    """
    with packed(path) as file:
        file.write("\t".join(columns_of(TwoHopRow)).encode() + b"\n")
        for number, rule in enumerate(rules):
            row = TwoHopRow(
                rule=str(number),
                given=rule.given.relation,
                given_shared=rule.given.shared,
                asked=rule.asked.relation,
                asked_shared=rule.asked.shared,
                days=rule.days,
                body_support=rule.body_support,
                rule_support=rule.rule_support,
                confidence=f"{rule.confidence:.6f}",
                curated="yes" if rule.use else "no",
            )
            file.write("\t".join(map(str, msgspec.structs.astuple(row))).encode() + b"\n")


def read_two_hop_rules(path: str | Path) -> tuple[TwoHopRule, ...]:
    """Read a table of rules.

    Raises:
        InputError: the file cannot be read, or a row is not a rule.
    """
    with open_input(path) as source:
        return tuple(
            TwoHopRule(
                given=Arc(relation=row.given, shared=row.given_shared),
                asked=Arc(relation=row.asked, shared=row.asked_shared),
                days=row.days,
                body_support=row.body_support,
                rule_support=row.rule_support,
                use=row.curated == "yes",
            )
            for _, row in table_rows(source, TwoHopRow)
        )
