"""Which rules stand behind a candidate, and by which facts: found by joins, certified by logic."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from solver.rules.application import Application
from solver.rules.chains import Chains, follow, timed
from solver.rules.grounding import Fact, Grounding, groundings
from solver.rules.history import History
from solver.rules.queries import Queries
from solver.rules.reach import bound_places
from solver.rules.rule import Rule
from solver.rules.table import code_of
from solver.tkg.quadruples import Ids


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """A rule behind a candidate.

    Attributes:
        number: the rule's row among the rules that were given to the application.
        candidate: entity that it leads to.
        score: what it gives the candidate.
        begin: the latest time at which a grounding begins.
    """

    number: int
    rule: Rule
    candidate: int
    score: float
    begin: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A query's candidates with the reasons for each.

    Attributes:
        candidates: the best first, with their scores.
        ruled: whether rules gave them; otherwise they are the relation's frequent objects.
        reasons: by candidate, the rule that gives most first.
    """

    candidates: tuple[tuple[int, float], ...]
    ruled: bool
    reasons: dict[int, list[Reason]]


def answer(application: Application, head: int, relation: int, time: int) -> Answer:
    """Answer one query and keep what every rule gave."""
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


def latest_grounding(history: History, rule: Rule, head: int, candidate: int) -> tuple[Fact, ...]:
    """The facts, in the body's order, by which a rule leads to a candidate from the latest time on.

    Of several groundings it is the one whose later facts are latest, then that of the first
    entities. Found by joins alone.

    Returns:
        Nothing if the rule does not lead there.
    """
    best: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    for chains in _leading(history, rule, head, candidate):
        ordered, times = timed(history, chains)
        rows = zip(
            (tuple(-one for one in row) for row in np.stack(times, axis=1).tolist()),
            map(tuple, np.stack(ordered.entities, axis=1).tolist()),
            strict=True,
        )
        best = min((one for one in (best, min(rows, default=None)) if one), default=None)
    if best is None:
        return ()
    times_back, entities = best
    passed = zip(entities, rule.body, entities[1:], times_back, strict=False)
    return tuple((start, relation, end, -time) for start, relation, end, time in passed)


def certified(application: Application, query: Queries, reason: Reason) -> list[Grounding]:
    """The groundings behind a reason that begin at the latest time, as clingo finds them.

    Args:
        application: that gave the reason.
        query: the one query.
        reason: a rule behind a candidate.
    """
    # Whatever begins then uses no earlier fact, and only triples of chains that lead there.
    history = application.history(int(query.time[0])).between(reason.begin, int(query.time[0]))
    triples: list[Ids] = [np.empty(0, np.int64)]
    for chains in _leading(history, reason.rule, int(query.head[0]), reason.candidate):
        triples += [np.unique(column) for column in chains.triples]
    slice_ = History.of(history.facts(np.unique(np.concatenate(triples))), history.vocabulary)
    found = groundings(slice_, query, [reason.rule])
    return [one for one in found if one.candidate == reason.candidate]


def _leading(history: History, rule: Rule, head: int, candidate: int) -> Iterator[Chains]:
    """Chains of triples that match a rule's body and end at the candidate."""
    start = Chains(asker=np.zeros(1, np.int64), entities=(np.array([head]),))
    bodies = np.array([rule.body])
    for chains in follow(history, start, bodies, bound_places(code_of(rule.same))):
        yield chains.take(chains.entities[-1] == candidate)
