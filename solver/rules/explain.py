"""Explains the candidates of a query by rules and by groundings that clingo confirms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from solver.graph.model import Ids
from solver.graph.queries import Queries
from solver.rules.application import Application
from solver.rules.encode import Fact, Grounding, groundings
from solver.rules.history import Chains, History, bound_places, follow, timed
from solver.rules.model import Rule, code_of
from solver.seeding import seed_of

MOST_TRIED = 500
"""Maximum number of head facts that are searched for an earlier body grounding."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """A rule that predicts a candidate.

    Attributes:
        number: row of the rule in the rules passed to the forecaster.
        candidate: the predicted entity.
        score: score that the rule gives the candidate.
        begin: time of the first fact of the grounding that begins latest.
    """

    number: int
    rule: Rule
    candidate: int
    score: float
    begin: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The candidates of a query with the rules that predict each.

    Attributes:
        candidates: entities and scores, best first.
        ruled: whether rules predict them; otherwise they are the relation's frequent objects.
        reasons: by candidate, the rule with the highest score first.
    """

    candidates: tuple[tuple[int, float], ...]
    ruled: bool
    reasons: dict[int, list[Reason]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """A head fact and an earlier grounding of the body.

    Attributes:
        proved: whether clingo finds the same grounding.
    """

    head: Fact
    body: tuple[Fact, ...]
    proved: bool


def answer(application: Application, head: int, relation: int, time: int) -> Answer:
    """Answer one query and keep the score of every rule."""
    query = Queries.single(head, relation, time)
    events = application.events(query)
    found = application.scored(query, events)
    reasons: dict[int, list[Reason]] = {}
    for row in np.argsort(-events.score, kind="stable").tolist():
        rule, entity = int(events.rule[row]), int(events.entity[row])
        reasons.setdefault(entity, []).append(
            Reason(
                number=int(application.numbers[rule]),
                rule=application.rules.rule(rule),
                candidate=entity,
                score=float(events.score[row]),
                begin=int(events.time[row]),
            )
        )
    ranked = zip(found.entity.tolist(), found.score.tolist(), strict=True)
    return Answer(candidates=tuple(ranked), ruled=bool(found.ruled[0]), reasons=reasons)


def latest_grounding(
    history: History, rule: Rule, head: int, candidate: int, *, distinct_facts: bool = False
) -> tuple[Fact, ...]:
    """Find the grounding of a rule for a candidate whose first fact is latest, by joins alone.

    Ties are broken by the times of the later facts, latest first, and then by entity ids.

    Args:
        history: the facts.
        rule: the rule.
        head: the entity that the body starts at.
        candidate: the predicted entity.
        distinct_facts: whether the grounding uses no fact twice.

    Returns:
        The facts in the order of the body; empty if the rule does not predict the candidate.
    """
    best: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    for chains in _leading(history, rule, head, candidate):
        ordered, times = timed(history, chains, distinct_facts=distinct_facts)
        rows = zip(
            (tuple(-fact for fact in row) for row in np.stack(times, axis=1).tolist()),
            map(tuple, np.stack(ordered.entities, axis=1).tolist()),
            strict=True,
        )
        best = min((fact for fact in (best, min(rows, default=None)) if fact), default=None)
    if best is None:
        return ()
    times_back, entities = best
    passed = zip(entities, rule.body, entities[1:], times_back, strict=False)
    return tuple((start, relation, end, -time) for start, relation, end, time in passed)


def certified(
    history: History, query: Queries, rule: Rule, candidate: int, begin: int
) -> list[Grounding]:
    """Find all groundings of a rule for a candidate that begin at the latest time, with clingo.

    Args:
        history: facts before the query.
        query: a single query with the relation of the rule's head.
        rule: a rule that predicts the candidate.
        candidate: the predicted entity.
        begin: the latest time at which a grounding begins.
    """
    # Such groundings use no earlier fact, and only triples of chains that end at the candidate.
    recent = history.between(begin, int(query.time[0]))
    triples: list[Ids] = [np.empty(0, np.int64)]
    for chains in _leading(recent, rule, int(query.head[0]), candidate):
        triples += [np.unique(column) for column in chains.triples]
    facts = recent.facts(np.unique(np.concatenate(triples)))
    found = groundings(History.of(facts, history.vocabulary), query, [rule])
    return [grounding for grounding in found if grounding.candidate == candidate]


def supporting(history: History, rule: Rule, *, number: int, seed: int) -> list[Support]:
    """Sample head facts that follow a body grounding, each with its latest grounding.

    Args:
        history: all facts.
        rule: the rule.
        number: how many to find among at most ``MOST_TRIED`` head facts.
        seed: seed of the sample.
    """
    facts = history.facts()
    inverse = rule.head >= history.vocabulary.relations
    heads = facts.inverted(history.vocabulary.relations) if inverse else facts
    rows = np.flatnonzero(heads.relation == rule.head)
    chance = np.random.Generator(np.random.PCG64(seed_of(seed, "supporting")))
    found: list[Support] = []
    for s, r, o, t in heads.take(chance.permutation(rows)[:MOST_TRIED]).rows().tolist():
        if len(found) == number:
            break
        before = history.between(0, t)
        body = latest_grounding(before, rule, s, o)
        if body:
            proofs = certified(before, Queries.single(s, r, t), rule, o, body[0][3])
            proved = body in [proof.facts for proof in proofs]
            found.append(Support(head=(s, r, o, t), body=body, proved=proved))
    return found


def _leading(history: History, rule: Rule, head: int, candidate: int) -> Iterator[Chains]:
    """Yield chains of triples that match the body of a rule and end at the candidate."""
    start = Chains(asker=np.zeros(1, np.int64), entities=(np.array([head]),))
    bodies = np.array([rule.body])
    for chains in follow(history, start, bodies, bound_places(code_of(rule.same))):
        yield chains.take(chains.entities[-1] == candidate)


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


def prove(history: History, query: Queries, reason: Reason) -> Proof:
    """Ground a rule for a candidate, by joins and by clingo."""
    facts = latest_grounding(history, reason.rule, int(query.head[0]), reason.candidate)
    last = certified(history, query, reason.rule, reason.candidate, reason.begin)
    proved = facts in [grounding.facts for grounding in last]
    return Proof(reason=reason, facts=facts, alike=len(last), proved=proved)
