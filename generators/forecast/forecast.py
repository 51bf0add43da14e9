"""A fact that is expected to happen, with the rule and the facts that it is expected for."""

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
        confidence: what all rules together give it, in (0, 1].
        rule: the one that gives most; its head is the fact.
        number: the rule's row among those that were given.
        grounding: the latest facts that match the body of the rule, in its order; the relation is
            an inverse where the body reads a fact backwards. All are before the fact's day.
    """

    fact: Fact
    confidence: float
    rule: Rule
    number: int
    grounding: tuple[Fact, ...]

    def as_json(self, graph: DatedGraph) -> dict[str, Any]:
        """A line of ``facts.jsonl``, in names."""
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
    """A fact in names, in its own direction."""
    words = graph.vocabulary
    start, relation, end, time = forwards(fact, words)
    return [words.entity(start), words.relation(relation), words.entity(end), graph.date(time)]
