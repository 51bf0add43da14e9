"""What a question over a temporal knowledge graph asks, and the statements among which it chooses.

Names are those that a text says, ``Mill Guild (Orm)``; how a graph writes them is not known here.
Source: ForecastTKGQuestions (Ding et al., ISWC 2023), section 3.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias


class QuestionKind(StrEnum):
    """The kinds of questions."""

    ONE_HOP = "1-hop"
    TWO_HOP = "2-hop"
    YES_UNKNOWN = "yes-unknown"
    FACT_REASONING = "fact-reasoning"


class Role(StrEnum):
    """A place in a fact."""

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
        shared: the place of the shared party in the fact.
    """

    relation: str
    shared: Role


@dataclass(frozen=True, slots=True, kw_only=True)
class OneHop:
    """Who is at the other end of this relation, on this day?

    Attributes:
        entity: the end that is known.
        asked: the place of the answer in the fact.
        time: a date ``2014-12-01``, or a whole number where a graph has no dates.
    """

    entity: str
    relation: str
    asked: Role
    time: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoHop:
    """Who else is related to a party that, the same day, is related to this entity?

    Answer, party and entity are three different ones.

    Attributes:
        entity: that is named.
        given: how the party is related to the entity.
        asked: how it is related to the answer.
        time: as in ``OneHop``.
    """

    entity: str
    given: Arc
    asked: Arc
    time: str


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Statement:
    """A fact, as it is said."""

    subject: str
    relation: str
    object: str
    time: str


@dataclass(frozen=True, slots=True, kw_only=True)
class YesUnknown:
    """Does this happen, or can nobody tell?"""

    fact: Statement


@dataclass(frozen=True, slots=True, kw_only=True)
class FactReasoning:
    """Which of some earlier facts speaks most for this one?"""

    fact: Statement


Query: TypeAlias = OneHop | TwoHop | YesUnknown | FactReasoning
