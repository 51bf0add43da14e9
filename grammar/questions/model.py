"""Queries of questions over a temporal knowledge graph, and statements used as choices.

Names are labels, such as ``Mill Guild (Orm)``; linking them to a graph is left to the solver.
Source: ForecastTKGQuestions (Ding et al., ISWC 2023), section 3.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias


class QuestionKind(StrEnum):
    """Kinds of questions."""

    ONE_HOP = "1-hop"
    TWO_HOP = "2-hop"
    YES_UNKNOWN = "yes-unknown"
    FACT_REASONING = "fact-reasoning"


class Role(StrEnum):
    """A position in a fact."""

    SUBJECT = "subject"
    OBJECT = "object"

    @property
    def other(self) -> Role:
        """The other end of the fact."""
        return Role.OBJECT if self is Role.SUBJECT else Role.SUBJECT


@dataclass(frozen=True, slots=True, kw_only=True)
class Arc:
    """A relation between the party that two facts share and another entity.

    Attributes:
        shared: the position of the shared party in the fact.
    """

    relation: str
    shared: Role


@dataclass(frozen=True, slots=True, kw_only=True)
class OneHop:
    """Who is at the other end of this relation, on this day?

    Attributes:
        entity: the known end.
        asked: the position of the answer in the fact.
        time: a date ``2014-12-01``, or an integer where a graph has no dates.
    """

    entity: str
    relation: str
    asked: Role
    time: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoHop:
    """Who else is related to a party that, the same day, is related to this entity?

    Answer, party and entity are distinct.

    Attributes:
        entity: the named entity.
        given: relation of the party to the entity.
        asked: relation of the party to the answer.
        time: as in ``OneHop``.
    """

    entity: str
    given: Arc
    asked: Arc
    time: str


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Statement:
    """A fact by labels."""

    subject: str
    relation: str
    object: str
    time: str


@dataclass(frozen=True, slots=True, kw_only=True)
class YesUnknown:
    """Will this fact hold: yes or unknown?"""

    fact: Statement


@dataclass(frozen=True, slots=True, kw_only=True)
class FactReasoning:
    """Which of some earlier facts contributes most to this one?"""

    fact: Statement


Query: TypeAlias = OneHop | TwoHop | YesUnknown | FactReasoning
