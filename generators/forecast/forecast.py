"""A forecast fact with its certificate: the rule that derives it and the rule's grounding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from generators.forecast.dated import DatedGraph
from solver.rules.grounding import Fact
from solver.rules.notation import forwards
from solver.rules.rule import Rule
from solver.rules.wording import rule_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """A future fact and its certificate.

    Attributes:
        fact: subject, relation, object and time.
        confidence: aggregated over all rules, in (0, 1].
        rule: the rule with the highest score; its head matches the fact.
        number: row of the rule in the input.
        grounding: the latest facts that match the rule's body, in body order, all before the day
            of the fact; inverse relations where the body uses a fact in inverse direction.
    """

    fact: Fact
    confidence: float
    rule: Rule
    number: int
    grounding: tuple[Fact, ...]

    def as_json(self, graph: DatedGraph) -> dict[str, Any]:
        """A line of ``facts.jsonl``, with names."""
        subject, relation, object_, time = self.fact
        words = graph.vocabulary
        return {
            "subject": words.entity(subject),
            "relation": words.relation(relation),
            "object": words.entity(object_),
            "date": graph.date(time),
            "confidence": round(self.confidence, 6),
            "rule": rule_text(self.rule, words),
            "rule_number": self.number,
            "rule_confidence": round(self.rule.confidence, 6),
            "grounding": [_named(one, graph) for one in self.grounding],
        }


def _named(fact: Fact, graph: DatedGraph) -> list[str]:
    """A fact with names, in forward direction."""
    words = graph.vocabulary
    start, relation, end, time = forwards(fact, words)
    return [words.entity(start), words.relation(relation), words.entity(end), graph.date(time)]
