"""A forecast fact with its certificate: the rule that derives it and the rule's grounding.

A fact that a model's scores propose has no certificate, only the rank of its object.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

import numpy as np

from grammar.dates import day_number
from grammar.errors import HopcheckError
from solver.facts.io import NamedFact
from solver.facts.role_rules import RoleRule
from solver.graph.model import Dataset, Ids, Quadruples, Vocabulary
from solver.io.sources import shown
from solver.rules.encode import Fact
from solver.rules.model import Rule
from solver.rules.notation import forwards, rule_text
from solver.verification.settings import option, setting


class ForecastError(HopcheckError):
    """No facts can be forecast for the given graph or days."""

    code = "forecast"


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedGraph:
    """The facts known before the first day to forecast.

    Attributes:
        facts: times are days since ``first``; chronological, within a day in input order.
        vocabulary: its times extend to the last day to forecast.
        first: the day of time 0, as a proleptic ordinal.
        later: number of facts excluded because they are not before the first day.
    """

    facts: Quadruples
    vocabulary: Vocabulary
    first: int
    later: int

    def date(self, time: int) -> str:
        """The ISO date of a time: ``2014-01-31``."""
        return date.fromordinal(self.first + time).isoformat()

    def named(self, fact: Fact) -> NamedFact:
        """A fact with names and its day, in forward direction."""
        words = self.vocabulary
        subject, relation, object_, time = forwards(fact, words)
        ends = words.entity(subject), words.entity(object_)
        return ends[0], words.relation(relation), ends[1], self.first + time


def dated_graph(dataset: Dataset, *, begin: int, end: int) -> DatedGraph:
    """Keep the facts of a graph before a given day.

    Args:
        dataset: its times are named by dates.
        begin: first day to forecast, as a proleptic ordinal.
        end: last day to forecast.

    Raises:
        ForecastError: times have no dates, or there is no fact before ``begin``.
    """
    days = days_of(dataset)
    facts = dataset.facts()
    at = days[facts.time // dataset.vocabulary.time_step]
    order = np.flatnonzero(at < begin)
    if not len(order):
        found = f"found no facts before {date.fromordinal(begin)}, expected at least one"
        if len(facts):
            found += f"; the earliest is of {date.fromordinal(int(at.min()))}"
        raise ForecastError(found, where=dataset.name)
    order = order[np.argsort(at[order], kind="stable")]
    first = int(at[order[0]])
    known = facts.take(order)
    return DatedGraph(
        facts=replace(known, time=at[order] - first),
        vocabulary=replace(dataset.vocabulary, times=end - first + 1, time_names=(), time_step=1),
        first=first,
        later=len(facts) - len(order),
    )


def days_of(dataset: Dataset) -> Ids:
    """The day of each named time.

    Raises:
        ForecastError: times have no dates.
    """
    names = dataset.vocabulary.time_names
    days = [day_number(name) for name in names]
    wrong = next((name for name, day in zip(names, days, strict=True) if day is None), None)
    if wrong is not None or not names:
        found = "no dates" if wrong is None else f"time {shown(wrong)}"
        raise ForecastError(
            f"found {found}, expected times such as 2014-01-31",
            where=dataset.name,
            hint="use dates in the facts, or name the times in ts2id.txt",
        )
    return np.array(days, dtype=np.int64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """A future fact and its certificate.

    Attributes:
        fact: subject, relation, object and time.
        confidence: aggregated over all rules, in (0, 1]; of scores, the object's share in their
            softmax.
        rule: the rule with the highest score, or a role rule; its head matches the fact. None for
            a fact by scores.
        number: row of the rule in the input, or number of the role rule; -1 without one.
        grounding: the latest facts that match the rule's body, in body order, all before the day
            of the fact; inverse relations where the body uses a fact in inverse direction.
        rank: of scores, the place of the object among all entities; before it are those that the
            constraints refuse.
    """

    fact: Fact
    confidence: float
    rule: Rule | RoleRule | None = None
    number: int = -1
    grounding: tuple[Fact, ...] = ()
    rank: int | None = None

    @property
    def by_roles(self) -> bool:
        """Whether a role rule derives the fact."""
        return isinstance(self.rule, RoleRule)

    def rule_text(self, words: Vocabulary) -> str:
        """The rule with names; empty without one."""
        if self.rule is None:
            return ""
        if isinstance(self.rule, RoleRule):
            return self.rule.text(words)
        return rule_text(self.rule, words)

    def named(self, graph: DatedGraph) -> tuple[NamedFact, list[NamedFact]]:
        """The fact and those of its grounding, in forward direction."""
        return graph.named(self.fact), [graph.named(fact) for fact in self.grounding]

    def as_json(self, graph: DatedGraph) -> dict[str, Any]:
        """A line of ``facts.jsonl`` or of ``scores.jsonl``, with names."""
        subject, relation, object_, time = self.fact
        words = graph.vocabulary
        named = {
            "subject": words.entity(subject),
            "relation": words.relation(relation),
            "object": words.entity(object_),
            "date": graph.date(time),
            "confidence": round(self.confidence, 6),
        }
        if self.rule is None:
            return named | {"rank": self.rank}
        return named | {
            "rule": self.rule_text(words),
            "role_rule" if self.by_roles else "rule_number": self.number,
            "rule_confidence": round(self.rule.confidence, 6),
            "grounding": [
                [*fact[:3], date.fromordinal(fact[3]).isoformat()] for fact in self.named(graph)[1]
            ],
        }


_DAY: dict[str, Any] = {"date": True, "metavar": "DATE", "convert": date.toordinal}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Settings of the sampling procedure; days are proleptic ordinals.

    The draws of a day depend on the seed, the day and the facts known by then.
    """

    begin: int = field(metadata=option("First day to forecast.", name="from", **_DAY))
    end: int = field(metadata=option("Last day to forecast.", name="to", **_DAY))
    most: int = setting(128, "Maximum number of facts per day.", low=1)
    subjects: int = setting(4, "Subjects drawn per attempt at a fact.", low=1)
    tries: int = setting(50, "Maximum number of attempts per requested fact of a day.", low=1)
    match: bool = setting(
        False,
        "Let relations with rules compensate for those without, in proportion to their shares.",
        name="match-relations",
    )
    published: bool = setting(
        False,
        "Use chain rules only and draw relations by share: hardly any fact joins a new pair.",
    )
    seed: int = setting(0, "Random seed.", low=0)
