"""Grounds rules with clingo: the slow, independent engine and the source of certificates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from solver.asp import Program
from solver.encodings import Atom, Term, written
from solver.encodings import Fact as InputFact
from solver.graph.model import GraphFact, Ids, Relations
from solver.graph.queries import Queries
from solver.rules.history import History, ReachedEntities
from solver.rules.model import Rule, RuleTable

CANDIDATES = Program(encodings=("rules/candidates.lp",))
GROUNDINGS = Program(encodings=("rules/groundings.lp",))

QUERIES_AT_ONCE = 32

Fact: TypeAlias = tuple[int, int, int, int]
"""Head, relation, tail and time; the relation is inverse if the body reads the fact backwards."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Grounding:
    """A grounding by which a rule predicts a candidate of a query; facts in body order."""

    query: int
    rule: int
    candidate: int
    facts: tuple[Fact, ...]


class QueryFact(InputFact, predicate="query"):
    """A query for the objects of a subject and relation at a time."""

    query: int
    subject: int
    relation: int
    time: int


class RuleHead(InputFact, predicate="rule"):
    """A rule and its head relation."""

    rule: int
    relation: int


class RuleBody(InputFact, predicate="body"):
    """The relation of a fact of the body of a rule; positions are from 1."""

    rule: int
    position: int
    relation: int


class SameEntity(InputFact, predicate="same"):
    """Two positions of a body, from 0, that have the same entity."""

    rule: int
    first: int
    second: int


class Once(InputFact, predicate="once"):
    """A rule whose groundings use no fact twice."""

    rule: int


def rule_facts(number: int, rule: Rule) -> Iterator[InputFact]:
    """The head, the body and the equality constraints of a rule."""
    yield RuleHead(rule=number, relation=rule.head)
    for position, relation in enumerate(rule.body, 1):
        yield RuleBody(rule=number, position=position, relation=relation)
    for group in rule.same:
        yield from (SameEntity(rule=number, first=group[0], second=other) for other in group[1:])


def reach_by_logic(
    history: History,
    queries: Queries,
    numbers: Ids,
    rules: RuleTable,
    *,
    distinct_facts: bool = False,
) -> ReachedEntities:
    """Find the entities that rules predict, with ``rules/candidates.lp``.

    Args:
        history: the facts that the queries may use.
        queries: queries of any times.
        numbers: for each rule, the number of the query that it is applied to.
        rules: rules whose heads match the queries; repeated if applied to several queries.
        distinct_facts: whether a grounding uses no fact twice.

    Returns:
        The same as ``reach``; askers are the rows of ``rules``.
    """
    found: list[tuple[int, int, int]] = []
    each = np.unique(numbers)
    for begin in range(0, len(each), QUERIES_AT_ONCE):
        batch = each[begin : begin + QUERIES_AT_ONCE]
        rows = np.flatnonzero(np.isin(numbers, batch)).tolist()
        each_rule = list(dict.fromkeys(rules.rule(row) for row in rows))
        askers: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        for row in rows:
            askers[int(numbers[row]), each_rule.index(rules.rule(row))].append(row)
        asked = queries.take(batch)
        program = _program(history, asked, batch, each_rule, distinct_facts=distinct_facts)
        for atom in CANDIDATES.unique_model(program):
            query, rule, entity, time = _integers(atom.arguments)
            found += [(row, entity, time) for row in askers.get((query, rule), ())]
    columns = np.array(sorted(found), dtype=np.int64).reshape(-1, 3)
    return ReachedEntities(asker=columns[:, 0], entity=columns[:, 1], time=columns[:, 2])


def groundings(
    history: History, queries: Queries, rules: Sequence[Rule], *, distinct_facts: bool = False
) -> list[Grounding]:
    """Enumerate all groundings of the rules that match the queries, with ``rules/groundings.lp``.

    Queries and rules are numbered in their order. With ``distinct_facts``, no fact is used twice.
    """
    numbers = np.arange(len(queries), dtype=np.int64)
    program = _program(history, queries, numbers, rules, distinct_facts=distinct_facts)
    relations = {number: rule.body for number, rule in enumerate(rules)}
    return sorted(_grounding(atom, relations) for atom in GROUNDINGS.unique_model(program))


def _program(
    history: History,
    queries: Queries,
    numbers: Ids,
    rules: Sequence[Rule],
    *,
    distinct_facts: bool,
) -> str:
    relations = history.vocabulary.relations
    used = {relation % relations for rule in rules for relation in rule.body}
    facts = history.facts()
    relevant = facts.take(np.isin(facts.relation, sorted(used)))
    columns = (numbers, queries.head, queries.relation, queries.time)
    each = (fact for number, rule in enumerate(rules) for fact in rule_facts(number, rule))
    return "\n".join(
        (
            *written([Relations(number=relations)]),
            *GraphFact.rows(relevant.rows().tolist()),
            *QueryFact.rows(np.stack(columns, axis=1).tolist()),
            *written(each),
            *written(Once(rule=number) for number in range(len(rules) * distinct_facts)),
        )
    )


def _integers(terms: Sequence[Term]) -> Iterator[int]:
    return (term for term in terms if isinstance(term, int))


def _grounding(atom: Atom, relations: dict[int, tuple[int, ...]]) -> Grounding:
    *ends, walk = atom.arguments
    query, rule, candidate = _integers(ends)
    steps: list[tuple[int, int]] = []
    start = -1
    while start < 0:
        match walk:
            case ("next", (before, int(entity), int(time))):
                steps.append((entity, time))
                walk = before
            case ("begin", (int(entity),)):
                start = entity
            case _:
                raise ValueError(f"found {walk}, expected a walk")
    facts = []
    for relation, (entity, time) in zip(relations[rule], reversed(steps), strict=True):
        facts.append((start, relation, entity, time))
        start = entity
    return Grounding(query=query, rule=rule, candidate=candidate, facts=tuple(facts))
