"""1-hop questions: who is at the other end of a relation at a time?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from generators.questions.graph import Arcs, GenerationError
from grammar.questions.model import Arc, Role
from solver.graph.model import Ids, Index, Quadruples, Vocabulary
from solver.questions.model import TwoHopRule
from solver.seeding import seed_of


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OneHopItems:
    """Questions, a row each, sorted by time, relation and entity.

    Attributes:
        entity: the known end.
        relation: relation of the fact, or the inverse ``r + relations`` if the subject is queried.
        offsets: the answers of row ``k`` are ``answer[offsets[k]:offsets[k + 1]]``, ascending.
    """

    time: Ids
    entity: Ids
    relation: Ids
    offsets: Ids
    answer: Ids

    def __len__(self) -> int:
        return len(self.time)


def one_hop(facts: Quadruples, relations: int) -> OneHopItems:
    """Query both ends of each fact; facts that differ in that end only form one question.

    Args:
        facts: distinct facts of a split.
        relations: number of relations without inverses.
    """
    both = facts.both_ways(relations)
    both = both.take(np.lexsort((both.tail, both.head, both.relation, both.time)))
    asked = np.stack((both.time, both.relation, both.head))
    first = np.ones(len(both), dtype=np.bool_)
    first[1:] = (asked[:, 1:] != asked[:, :-1]).any(axis=0)
    begins = np.flatnonzero(first)
    return OneHopItems(
        time=both.time[begins],
        entity=both.head[begins],
        relation=both.relation[begins],
        offsets=np.append(begins, len(both)),
        answer=both.tail,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RuleKeys:
    """Curated rules as pairs of relations.

    Attributes:
        pair: ``given * relations + asked``, ascending, inverses counted as in ``Arcs``.
        row: of each in the table of rules.
    """

    pair: Ids
    row: Ids


def rule_keys(rules: Sequence[TwoHopRule], vocabulary: Vocabulary, where: str) -> RuleKeys:
    """The pairs of relations of the rules that the curator accepted.

    Raises:
        GenerationError: a relation is not in the graph, or a rule is repeated.
    """
    size = vocabulary.relations
    known = {vocabulary.relation(number): number for number in range(size)}

    def seen(arc: Arc, row: int) -> int:
        if arc.relation not in known:
            message = f"row {row}: found relation {arc.relation!r}, expected one of the graph"
            raise GenerationError(message, where=where)
        return known[arc.relation] + size * (arc.shared is Role.OBJECT)

    pairs: dict[int, int] = {}
    for row, rule in enumerate(rules):
        pair = seen(rule.given, row) * 2 * size + seen(rule.asked, row)
        if rule.given == rule.asked:
            message = f"row {row}: found the same relation twice, expected two that differ"
            raise GenerationError(message, where=where)
        if pair in pairs:
            message = f"row {row}: found the rule of row {pairs[pair]} again, expected each once"
            raise GenerationError(message, where=where)
        pairs[pair] = row
    used = sorted((pair, row) for pair, row in pairs.items() if rules[row].use)
    columns = np.array(used, dtype=np.int64).reshape(-1, 2)
    return RuleKeys(pair=columns[:, 0], row=columns[:, 1])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TwoHopItems:
    """Questions, a row each, sorted by time, rule and entity.

    Attributes:
        entity: named entity.
        rule: row of the rule.
        offsets: the answers of row ``k`` are ``answer[offsets[k]:offsets[k + 1]]``, ascending.
        answer: entities; party: the first party that leads to each.
        found: number of questions before capping.
    """

    time: Ids
    entity: Ids
    rule: Ids
    offsets: Ids
    answer: Ids
    party: Ids
    found: int

    def __len__(self) -> int:
        return len(self.time)


def two_hop(arcs: Arcs, keys: RuleKeys, cap: int, seeded: tuple[object, ...]) -> TwoHopItems:
    """Generate questions from all groundings of rules, sampled down to a cap per rule.

    Args:
        arcs: arcs of the facts of a split.
        keys: keys of the rules.
        cap: maximal number of questions per rule; 0 for all.
        seeded: parts of the sampling seed, besides the rule's pair of relations.
    """
    steps = _steps(arcs, keys)
    steps = steps[:, np.lexsort(steps[::-1])]
    # By time, rule, entity and answer; the first party of each is kept.
    steps = steps[:, _first_of(steps[:4])]
    begins = np.flatnonzero(_first_of(steps[:3]))
    chosen = _capped(steps[1, begins], keys, cap, seeded)
    item = np.searchsorted(begins, np.arange(steps.shape[1]), side="right") - 1
    kept = steps[:, chosen[item]]
    starts = np.flatnonzero(_first_of(kept[:3]))
    return TwoHopItems(
        time=kept[0, starts],
        rule=kept[1, starts],
        entity=kept[2, starts],
        offsets=np.append(starts, kept.shape[1]),
        answer=kept[3],
        party=kept[4],
        found=len(begins),
    )


def _steps(arcs: Arcs, keys: RuleKeys) -> Ids:
    """Groundings in columns: time, row of the rule, named entity, answer and party."""
    index = Index(keys=keys.pair, order=keys.row)
    found = [np.empty((5, 0), np.int64)]
    for first, second in arcs.pairs():
        pair = arcs.relation[first] * arcs.relations + arcs.relation[second]
        ruled = index.contains(pair)
        first, second, pair = first[ruled], second[ruled], pair[ruled]
        rule = keys.row[np.searchsorted(keys.pair, pair)]
        ends = (arcs.other[first], arcs.other[second], arcs.party[first])
        found.append(np.stack((arcs.time[first], rule, *ends)))
    return np.concatenate(found, axis=1)


def _first_of(columns: Ids) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which of the sorted columns differ from their predecessor."""
    first = np.ones(columns.shape[1], dtype=np.bool_)
    first[1:] = (columns[:, 1:] != columns[:, :-1]).any(axis=0)
    return first


def _capped(
    rule: Ids, keys: RuleKeys, cap: int, seeded: tuple[object, ...]
) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which questions are kept; the sample of a rule is independent of the other rules."""
    kept = np.ones(len(rule), dtype=np.bool_)
    if not cap:
        return kept
    pair_of = dict(zip(keys.row.tolist(), keys.pair.tolist(), strict=True))
    index = Index.of(rule)
    for row in np.unique(rule).tolist():
        places = index.rows(row)
        if len(places) > cap:
            draw = np.random.Generator(np.random.PCG64(seed_of(*seeded, pair_of[row])))
            kept[places] = False
            kept[draw.choice(places, size=cap, replace=False)] = True
    return kept


ENCODING = "questions/two_hop_rules.lp"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DayCounts:
    """Counts of pairs of relations, one row for each pair and time at which both occur.

    Attributes:
        given, asked: relations seen from the shared party; inverse where it is the object.
        support: pairs of a party and a named entity with an answer.
        body: all pairs of a party and a named entity at this time.
    """

    given: Ids
    asked: Ids
    time: Ids
    support: Ids
    body: Ids


def day_counts(arcs: Arcs) -> DayCounts:
    """Count supports of every pair of relations on each day; rows are sorted by pair and time."""
    size = arcs.relations
    times, rank = np.unique(arcs.time, return_inverse=True)
    keys, counts = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for first, second in arcs.pairs():
        # Each body grounding counts once, whatever its number of answers.
        rows, asked = np.divmod(np.unique(first * size + arcs.relation[second]), size)
        pair = arcs.relation[rows] * size + asked
        some, count = np.unique(pair * len(times) + rank[rows], return_counts=True)
        keys.append(some)
        counts.append(count)
    every, part = np.unique(np.concatenate(keys), return_inverse=True)
    support = np.bincount(part, weights=np.concatenate(counts), minlength=len(every))
    pair, time = np.divmod(every, max(len(times), 1))
    given, asked = np.divmod(pair, size)
    bodies, body = np.unique(arcs.relation * len(times) + rank, return_counts=True)
    return DayCounts(
        given=given,
        asked=asked,
        time=times[time],
        support=support.astype(np.int64),
        body=body[np.searchsorted(bodies, given * len(times) + time)],
    )


def mine(arcs: Arcs, vocabulary: Vocabulary, min_support: int) -> tuple[TwoHopRule, ...]:
    """Mine the rules that hold on some day, by descending support; all are marked ``yes``.

    Args:
        arcs: arcs of the training facts.
        vocabulary: vocabulary of their relations.
        min_support: minimal support on a day on which a rule holds.
    """
    counts = day_counts(arcs)
    size = arcs.relations
    holds = (2 * counts.support > counts.body) & (counts.support >= min_support)
    pair = counts.given * size + counts.asked
    pairs, days = np.unique(pair[holds], return_counts=True)
    kept = np.isin(pair, pairs)
    place = np.searchsorted(pairs, pair[kept])
    support = np.bincount(place, weights=counts.support[kept], minlength=len(pairs))
    body = np.bincount(arcs.relation, minlength=size)[pairs // size]
    order = np.lexsort((pairs, -support))
    return tuple(
        TwoHopRule(
            given=arc_of(int(pairs[row]) // size, vocabulary),
            asked=arc_of(int(pairs[row]) % size, vocabulary),
            days=int(days[row]),
            rule_support=int(support[row]),
            body_support=int(body[row]),
        )
        for row in order.tolist()
    )


def arc_of(relation: int, vocabulary: Vocabulary) -> Arc:
    """A relation, or an inverse, as seen from the shared party."""
    plain, inverse = relation % vocabulary.relations, relation >= vocabulary.relations
    shared = Role.OBJECT if inverse else Role.SUBJECT
    return Arc(relation=vocabulary.relation(plain), shared=shared)
