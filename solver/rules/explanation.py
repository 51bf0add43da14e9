"""Explains the candidates of a query by rules and by groundings that clingo confirms."""

from __future__ import annotations

from dataclasses import dataclass

from solver.rules.application import Application
from solver.rules.certificate import Reason, answer, certified, latest_grounding
from solver.rules.grounding import Fact
from solver.rules.history import History
from solver.rules.queries import Queries


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """A rule that predicts a candidate, with its latest grounding.

    Attributes:
        facts: the latest grounding, in the order of the body; found by joins.
        alike: number of groundings that begin at the same time; found by clingo.
        proved: whether clingo finds this grounding too.
    """

    reason: Reason
    facts: tuple[Fact, ...]
    alike: int
    proved: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedCandidate:
    """A candidate with the rules that give it the highest scores.

    Attributes:
        score: aggregated score of the rules; the relative object frequency if no rule applies.
        rules: number of rules that predict it.
    """

    entity: int
    score: float
    rules: int
    proofs: tuple[Proof, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """A query and its best candidates.

    Attributes:
        first: the best candidates in descending order.
        candidates: total number of candidates.
        ruled: whether rules predict them; otherwise they are the relation's frequent objects.
    """

    head: int
    relation: int
    time: int
    first: tuple[ExplainedCandidate, ...]
    candidates: int
    ruled: bool


def explain(
    application: Application, head: int, relation: int, time: int, *, candidates: int, reasons: int
) -> Explanation:
    """Answer a query and prove ``reasons`` rules for each of the best ``candidates``."""
    found = answer(application, head, relation, time)
    history, query = application.history(time), Queries.single(head, relation, time)
    first = []
    for entity, score in found.candidates[:candidates]:
        behind = found.reasons.get(entity, [])
        proofs = tuple(_proof(history, query, one) for one in behind[:reasons])
        first.append(
            ExplainedCandidate(entity=entity, score=score, rules=len(behind), proofs=proofs)
        )
    return Explanation(
        head=head,
        relation=relation,
        time=time,
        first=tuple(first),
        candidates=len(found.candidates),
        ruled=found.ruled,
    )


def _proof(history: History, query: Queries, reason: Reason) -> Proof:
    facts = latest_grounding(history, reason.rule, int(query.head[0]), reason.candidate)
    last = certified(history, query, reason.rule, reason.candidate, reason.begin)
    proved = facts in [one.facts for one in last]
    return Proof(reason=reason, facts=facts, alike=len(last), proved=proved)
