"""Explanations of queries and of single rules, as text, JSON, tables and drawings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from solver.graph.model import Dataset, Vocabulary, entity_id, relation_id, time_id
from solver.graph.queries import Queries
from solver.report.explanation import WrittenExplanation
from solver.rules.application import Application
from solver.rules.explain import (
    Answer,
    ExplainedCandidate,
    Proof,
    Support,
    answer,
    prove,
    supporting,
)
from solver.rules.history import History
from solver.rules.model import Rule, RuleTable
from solver.rules.notation import RuleTextError, fact_text, read_rule, rule_text

UNKNOWN = "?"
"""Stands for the entity that a query asks for."""


@dataclass(frozen=True, kw_only=True, eq=False)
class QueryExplanation(WrittenExplanation):
    """The best candidates of a query, with the rules and facts behind each.

    Attributes:
        head, relation, time: the query, by ids.
        answer: all its candidates.
        first: the explained ones, best first.
        graph: the graph.
    """

    head: int
    relation: int
    time: int
    answer: Answer
    first: tuple[ExplainedCandidate, ...]
    graph: Dataset

    @property
    def candidates(self) -> list[str]:
        """The names of the explained candidates, best first."""
        return [self.graph.vocabulary.entity(candidate.entity) for candidate in self.first]

    @cached_property
    def known(self) -> frozenset[int]:
        """The answers that are facts of the graph."""
        facts = self.graph.facts().both_ways(self.graph.vocabulary.relations)
        matching = (facts.head == self.head) & (facts.relation == self.relation)
        return frozenset(facts.tail[matching & (facts.time == self.time)].tolist())

    def lines(self) -> Iterator[str]:
        """The candidates in words."""
        size = self.graph.vocabulary
        fact = (self.head, self.relation, -1, self.time)
        yield f"{fact_text(fact, size)} at {size.time(self.time)}"
        last = self._last
        if self.time > last:
            yield f"a forecast: the last facts of the graph are of {size.time(last)}"
        if not self.answer.ruled:
            yield "no rule applies: candidates are the most frequent objects of the relation"
        for place, candidate in enumerate(self.first, 1):
            right = ", a fact of the graph" if candidate.entity in self.known else ""
            ruled = (
                f" by {candidate.rules} rule{'s' * (candidate.rules != 1)}"
                if self.answer.ruled
                else ""
            )
            yield f"{place}. {size.entity(candidate.entity)} {candidate.score:.4f}{ruled}{right}"
            for proof in candidate.proofs:
                yield from _proof_lines(proof, size)
        left_out = len(self.answer.candidates) - len(self.first)
        if left_out:
            yield f"and {left_out:,} more candidates"

    @property
    def _last(self) -> int:
        return int(self.graph.facts().time.max())

    def as_json(self) -> dict[str, Any]:
        """The candidates as JSON values."""
        size = self.graph.vocabulary
        return {
            "head": self.head,
            "relation": self.relation,
            "time": self.time,
            "forecast": self.time > self._last,
            "ruled": self.answer.ruled,
            "candidates": len(self.answer.candidates),
            "first": [
                {
                    "entity": candidate.entity,
                    "name": size.entity(candidate.entity),
                    "score": candidate.score,
                    "rules": candidate.rules,
                    "holds": candidate.entity in self.known,
                    "reasons": [_reason(proof, size) for proof in candidate.proofs],
                }
                for candidate in self.first
            ],
        }

    def columns(self) -> Sequence[str]:
        """Candidate, score, number of rules, whether it holds, and the best rule."""
        return ("candidate", "score", "rules", "holds", "rule")

    def rows(self) -> list[Mapping[str, object]]:
        """The candidates, best first."""
        size = self.graph.vocabulary
        return [
            {
                "candidate": size.entity(candidate.entity),
                "score": candidate.score,
                "rules": candidate.rules,
                "holds": candidate.entity in self.known,
                "rule": rule_text(candidate.proofs[0].reason.rule, size)
                if candidate.proofs
                else None,
            }
            for candidate in self.first
        ]

    def picture(self, form: str = "svg") -> bytes | None:
        """The grounding of the rule with the highest score for the best candidate."""
        from solver.rules.drawing import picture_of

        size = self.graph.vocabulary
        best = self.first[0] if self.first else None
        if best is None or not best.proofs:
            return None
        proof = best.proofs[0]
        rule = proof.reason.rule
        note = (
            f"confidence {rule.confidence:.3f}; {size.entity(best.entity)} scores "
            f"{best.score:.4f} by {best.rules} rules"
        )
        head = (self.head, self.relation, best.entity, self.time)
        return picture_of(rule, size, note=note, body=proof.facts, head=head, form=form)


def explain_query(
    application: Application,
    graph: Dataset,
    asked: Sequence[str],
    *,
    candidates: int,
    reasons: int,
) -> QueryExplanation:
    """Answer a query and prove some rules for each of the best candidates.

    Args:
        application: the rules, applied to the graph.
        graph: the graph.
        asked: subject, relation, object and time, as names or ids; subject or object is ``?``.
        candidates: number of candidates.
        reasons: number of rules for each.

    Raises:
        RuleTextError: not exactly one of subject and object is ``?``.
        UnknownNameError: the graph has no such name.
    """
    if len(asked) != 4 or (asked[0] == UNKNOWN) == (asked[2] == UNKNOWN):
        message = f"found {' '.join(asked)!r}, expected subject, relation, object and time"
        raise RuleTextError(message, hint="exactly one of subject and object is a question mark")
    head, relation, time = _query_ids(asked, graph.vocabulary)
    found = answer(application, head, relation, time)
    history, query = application.history(time), Queries.single(head, relation, time)
    first = []
    for entity, score in found.candidates[:candidates]:
        behind = found.reasons.get(entity, [])
        proofs = tuple(prove(history, query, reason) for reason in behind[:reasons])
        first.append(
            ExplainedCandidate(entity=entity, score=score, rules=len(behind), proofs=proofs)
        )
    return QueryExplanation(
        head=head, relation=relation, time=time, answer=found, first=tuple(first), graph=graph
    )


def _query_ids(asked: Sequence[str], vocabulary: Vocabulary) -> tuple[int, int, int]:
    """Head, relation and time; a head query becomes a tail query of the inverse relation."""
    head, named, tail, moment = asked
    relation, time = relation_id(vocabulary, named), time_id(vocabulary, moment, later=True)
    if tail == UNKNOWN:
        return entity_id(vocabulary, head), relation, time
    size = vocabulary.relations
    return entity_id(vocabulary, tail), (relation + size) % (2 * size), time


def _proof_lines(proof: Proof, size: Vocabulary) -> Iterator[str]:
    reason = proof.reason
    rule = f"rule {reason.number}, confidence {reason.rule.confidence:.3f}"
    yield f"   {reason.score:.4f} {rule}: {rule_text(reason.rule, size)}"
    for fact in proof.facts:
        yield f"          {size.time(fact[3])}  {fact_text(fact, size)}"
    others = proof.alike - 1
    if others:
        yield f"          and {others:,} more grounding{'s' * (others != 1)} that begin then"
    if not proof.proved:
        yield "          NOT confirmed by clingo"


def _reason(proof: Proof, size: Vocabulary) -> dict[str, Any]:
    return {
        "rule": proof.reason.number,
        "text": rule_text(proof.reason.rule, size),
        "confidence": proof.reason.rule.confidence,
        "score": proof.reason.score,
        "grounding": proof.facts,
        "alike": proof.alike,
        "proved": proof.proved,
    }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RuleExplanation(WrittenExplanation):
    """A rule with its supports and some groundings in the graph.

    Attributes:
        number: row of the rule, from 0.
        rule: the rule.
        found: head facts, each with an earlier grounding of the body.
        graph: the graph.
    """

    number: int
    rule: Rule
    found: Sequence[Support]
    graph: Dataset

    def lines(self) -> Iterator[str]:
        """The rule and its groundings in words."""
        rule, size = self.rule, self.graph.vocabulary
        yield f"rule {self.number}: {rule_text(rule, size)}"
        yield (
            f"confidence {rule.confidence:.4f}: {rule.rule_support:,} of {rule.body_support:,} "
            "body groundings are followed by the head"
        )
        if not self.found:
            yield "no grounding was found among the sampled facts of the head"
        for place, support in enumerate(self.found, 1):
            yield f"{place}. {size.time(support.head[3])}  {fact_text(support.head, size)}"
            for fact in reversed(support.body):
                yield f"   {size.time(fact[3])}  {fact_text(fact, size)}"
            if not support.proved:
                yield "   NOT confirmed by clingo"

    def as_json(self) -> dict[str, Any]:
        """The rule and its groundings as JSON values."""
        rule = self.rule
        return {
            "rule": self.number,
            "text": rule_text(rule, self.graph.vocabulary),
            "head": rule.head,
            "body": rule.body,
            "same": rule.same,
            "confidence": rule.confidence,
            "rule_support": rule.rule_support,
            "body_support": rule.body_support,
            "groundings": [
                {"head": support.head, "body": support.body, "proved": support.proved}
                for support in self.found
            ],
        }

    def columns(self) -> Sequence[str]:
        """Head fact, its time, the facts of the body, and whether clingo confirms them."""
        return ("head", "time", "body", "proved")

    def rows(self) -> list[Mapping[str, object]]:
        """The groundings."""
        size = self.graph.vocabulary
        return [
            {
                "head": fact_text(support.head, size),
                "time": size.time(support.head[3]),
                "body": "; ".join(
                    f"{fact_text(fact, size)} at {size.time(fact[3])}" for fact in support.body
                ),
                "proved": support.proved,
            }
            for support in self.found
        ]

    def picture(self, form: str = "svg") -> bytes | None:
        """The first grounding."""
        from solver.rules.drawing import picture_of

        if not self.found:
            return None
        rule, first = self.rule, self.found[0]
        note = (
            f"confidence {rule.confidence:.3f}: {rule.rule_support:,} of "
            f"{rule.body_support:,} body groundings"
        )
        size = self.graph.vocabulary
        return picture_of(rule, size, note=note, body=first.body, head=first.head, form=form)


def explain_rule(
    table: RuleTable, graph: Dataset, wanted: str, *, groundings: int, seed: int, where: str
) -> RuleExplanation:
    """Explain a rule by some groundings, found by joins and confirmed by clingo.

    Args:
        table: the rules.
        graph: the graph.
        wanted: the rule as text, or its row.
        groundings: number of groundings.
        seed: random seed.
        where: name of the rules in messages.

    Raises:
        RuleTextError: there is no such rule.
    """
    number = _number(wanted, table, graph.vocabulary, where)
    rule = table.rule(number)
    history = History.of(graph.facts(), graph.vocabulary)
    found = supporting(history, rule, number=groundings, seed=seed)
    return RuleExplanation(number=number, rule=rule, found=found, graph=graph)


def _number(wanted: str, table: RuleTable, size: Vocabulary, file: str) -> int:
    """Find the row of a rule given as text or number."""
    if wanted.isascii() and wanted.isdecimal():
        if int(wanted) < len(table):
            return int(wanted)
        message = f"found rule {wanted}, expected 0 to {len(table) - 1}"
        raise RuleTextError(message, where=file)
    meant = {(rule.head, rule.body, rule.same) for rule in read_rule(wanted, size)}
    heads = {head for head, _, _ in meant}
    for number, rule in enumerate(table):
        if rule.head in heads and (rule.head, rule.body, rule.same) in meant:
            return number
    raise RuleTextError("the file has no such rule", where=file, hint=_near(heads, table, size))


def _near(heads: set[int], table: RuleTable, size: Vocabulary) -> str:
    """Describe the rules of the file with the same head relation."""
    rows = np.flatnonzero(np.isin(table.head, sorted(heads)))
    if not len(rows):
        return "it has none for this relation"
    first = rule_text(table.rule(int(rows[0])), size)
    return f"it has {len(rows):,} for this relation, such as {first}"
