"""1-hop questions: who is at the other end of a relation at a time?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from generators.questions.graph import (
    DAYS_PAIRS,
    Arcs,
    Encounters,
    GenerationError,
    Ledger,
    Settings,
    day_parts,
)
from grammar.questions.model import Arc, Role
from solver.graph.model import Ids, Index, Quadruples, Vocabulary, pack
from solver.questions.model import TwoHopRule
from solver.rules.model import wilson_bound


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


def one_hop(
    graph: Quadruples,
    rows: Ids,
    relations: int,
    ledger: Ledger,
    draw: np.random.Generator,
    encounters: Encounters | None = None,
) -> OneHopItems:
    """Query facts from one end each, in random order; each question asks for all that are there.

    A question is asked only if no other question uses one of its facts.

    Args:
        graph: distinct facts.
        rows: facts of a split whose relation suits a question, ascending.
        relations: number of relations without inverses.
        ledger: which facts are used; those asked here are marked.
        draw: random generator of the order.
        encounters: selects questions; None for all.
    """
    found = [
        _one_hop(graph, part, relations, ledger, draw, encounters)
        for part in day_parts(graph, rows, DAYS_PAIRS)
    ]
    return OneHopItems(
        **_joined(found, "time", "entity", "relation", "answer"), offsets=_offsets(found)
    )


def _one_hop(
    graph: Quadruples,
    rows: Ids,
    relations: int,
    ledger: Ledger,
    draw: np.random.Generator,
    encounters: Encounters | None,
) -> OneHopItems:
    """The questions of some days: no question of another day uses their facts."""
    both = graph.take(rows).both_ways(relations)
    order = np.lexsort((both.tail, both.head, both.relation, both.time))
    both, fact = both.take(order), np.tile(rows, 2)[order].data
    begins = np.flatnonzero(_first_of(np.stack((both.time, both.relation, both.head))))
    offsets = np.append(begins, len(both))
    # Weighted by the number of answers: questions with several of them are more rarely possible.
    order = np.argsort(-(draw.random(len(begins)) ** (1 / np.diff(offsets))), kind="stable")
    if encounters is not None:
        suits = encounters.suits(both.time[begins], both.head[begins], offsets, both.tail)
        order = order[suits[order]]
    ends = offsets.data
    kept = np.zeros(len(begins), dtype=np.bool_)
    for number in order.data:
        kept[number] = ledger.take(fact[ends[number] : ends[number + 1]])
    sizes = np.diff(offsets)
    return OneHopItems(
        time=both.time[begins[kept]],
        entity=both.head[begins[kept]],
        relation=both.relation[begins[kept]],
        offsets=np.append(0, np.cumsum(sizes[kept])),
        answer=both.tail[np.repeat(kept, sizes)],
    )


def _joined(parts: Sequence[OneHopItems | TwoHopItems], *names: str) -> dict[str, Ids]:
    """Columns of the questions of all parts."""
    none = np.empty(0, dtype=np.int64)
    return {
        name: np.concatenate([none, *(getattr(items, name) for items in parts)]) for name in names
    }


def _offsets(parts: Sequence[OneHopItems | TwoHopItems]) -> Ids:
    """Where the answers of the questions of all parts begin."""
    sizes = [np.diff(items.offsets) for items in parts]
    return np.cumsum(np.concatenate([np.zeros(1, dtype=np.int64), *sizes]))


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


def two_hop(
    graph: Quadruples,
    rows: Ids,
    relations: int,
    keys: RuleKeys,
    cap: int,
    draw: np.random.Generator,
    ledger: Ledger | None = None,
    encounters: Encounters | None = None,
) -> TwoHopItems:
    """Generate questions from groundings of rules, in random order, up to a cap per rule.

    In memory are those of some days. If there are more, the cap is reached in steps: up to a day,
    the share of a rule is that of the questions it has up to then.

    Args:
        graph: distinct facts, sorted by time; those of the ledger.
        rows: facts of a split whose relation suits a question, ascending.
        relations: number of relations without inverses.
        keys: keys of the rules.
        cap: maximal number of questions per rule; 0 for all.
        draw: random generator of the order.
        ledger: which facts are used; those asked here are marked. None for all questions.
        encounters: selects questions; None for all.
    """
    parts = day_parts(graph, rows, DAYS_PAIRS)
    limits = _limits((Arcs.of(graph, relations, part) for part in parts), keys, cap, len(parts))
    used, found = np.zeros(limits.shape[1], dtype=np.int64), list[TwoHopItems]()
    for part, limit in zip(parts, limits, strict=True):
        steps = _steps(Arcs.of(graph, relations, part), keys)
        found.append(_two_hop(steps, limit, used, draw, ledger, encounters))
    return TwoHopItems(
        **_joined(found, "time", "rule", "entity", "answer", "party"),
        offsets=_offsets(found),
        found=sum(items.found for items in found),
    )


def _limits(parts: Iterable[Arcs], keys: RuleKeys, cap: int, number: int) -> Ids:
    """How many questions each rule may have up to each part; shape (parts, rules)."""
    rules = int(keys.row.max(initial=-1)) + 1
    if not cap or number <= 1:
        return np.full((number, rules), cap or np.iinfo(np.int64).max)
    counts = np.zeros((number, rules), dtype=np.int64)
    for part, arcs in enumerate(parts):
        times, day = np.unique(arcs.time, return_inverse=True)
        sizes = rules, len(times), int(arcs.other.max(initial=0)) + 1
        found = [
            pack((rule, day[first], arcs.other[first]), sizes)
            for first, _, rule in _groundings(arcs, keys)
        ]
        asked = np.unique(np.concatenate(found)) // (sizes[1] * sizes[2])
        counts[part] = np.bincount(asked, minlength=rules)
    reached = np.cumsum(counts, axis=0)
    total = np.maximum(reached[-1], 1)
    limits: Ids = (cap * reached + total // 2) // total
    return limits


def _two_hop(
    steps: Ids,
    limit: Ids,
    used: Ids,
    draw: np.random.Generator,
    ledger: Ledger | None,
    encounters: Encounters | None,
) -> TwoHopItems:
    """The questions of some groundings, whose rules are counted in ``used`` up to a limit."""
    steps = steps[:, np.lexsort(steps[::-1])]
    begins = np.flatnonzero(_first_of(steps[:3]))
    if encounters is not None:
        offsets = np.append(begins, steps.shape[1])
        suits = encounters.suits(steps[0, begins], steps[2, begins], offsets, steps[3])
        steps = steps[:, np.repeat(suits, np.diff(offsets))]
        begins = np.flatnonzero(_first_of(steps[:3]))
    kept = _chosen(steps, begins, limit, used, draw, ledger)
    item = np.searchsorted(begins, np.arange(steps.shape[1]), side="right") - 1
    # The first party that leads to each answer is kept.
    shown = steps[:, kept[item] & _first_of(steps[:4])]
    starts = np.flatnonzero(_first_of(shown[:3]))
    return TwoHopItems(
        time=shown[0, starts],
        rule=shown[1, starts],
        entity=shown[2, starts],
        offsets=np.append(starts, shown.shape[1]),
        answer=shown[3],
        party=shown[4],
        found=len(begins),
    )


def _chosen(
    steps: Ids,
    begins: Ids,
    limit: Ids,
    used: Ids,
    draw: np.random.Generator,
    ledger: Ledger | None,
) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which questions are asked, of those that begin at some columns of the groundings."""
    kept = np.zeros(len(begins), dtype=np.bool_)
    rules, given, asked = steps[1, begins].data, steps[5].data, steps[6].data
    offsets, left = np.append(begins, steps.shape[1]).data, (limit - used).tolist()
    for number in draw.permutation(len(begins)).data:
        rule, part = rules[number], slice(offsets[number], offsets[number + 1])
        if left[rule] and (ledger is None or ledger.take_hops(given[part], asked[part])):
            left[rule] -= 1
            kept[number] = True
    used[:] = limit - left
    return kept


def _steps(arcs: Arcs, keys: RuleKeys) -> Ids:
    """Groundings in columns: time, row of the rule, named entity, answer, party, both facts."""
    found = [np.empty((7, 0), np.int64)]
    for first, second, rule in _groundings(arcs, keys):
        ends = (arcs.other[first], arcs.other[second], arcs.party[first])
        facts = (arcs.row[first], arcs.row[second])
        found.append(np.stack((arcs.time[first], rule, *ends, *facts)))
    return np.concatenate(found, axis=1)


def _groundings(arcs: Arcs, keys: RuleKeys) -> Iterator[tuple[Ids, Ids, Ids]]:
    """Pairs of arcs that rules are about, with the rows of their rules."""
    index = Index(keys=keys.pair, order=keys.row)
    for first, second in arcs.pairs():
        pair = arcs.relation[first] * arcs.relations + arcs.relation[second]
        ruled = index.contains(pair)
        rule = keys.row[np.searchsorted(keys.pair, pair[ruled])]
        yield first[ruled], second[ruled], rule


def _first_of(columns: Ids) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which of the sorted columns differ from their predecessor."""
    first = np.ones(columns.shape[1], dtype=np.bool_)
    first[1:] = (columns[:, 1:] != columns[:, :-1]).any(axis=0)
    return first


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


def _on_days(counts: DayCounts, size: int, settings: Settings) -> Ids:
    """Pairs of relations, with the number of days on which they hold, and their support."""
    holds = (2 * counts.support > counts.body) & (counts.support >= settings.min_support)
    pairs, place = np.unique(counts.given * size + counts.asked, return_inverse=True)
    days = np.bincount(place, holds, len(pairs))
    support = np.bincount(place, counts.support, len(pairs))
    return np.stack((pairs, days, support), axis=1).astype(np.int64)


def mine(facts: Quadruples, vocabulary: Vocabulary, settings: Settings) -> tuple[TwoHopRule, ...]:
    """Mine rules that hold on several days, by descending support.

    A rule is marked ``no`` if its row of the reviewed table is, else ``yes``.

    Args:
        facts: distinct facts of training, sorted by time.
        vocabulary: their vocabulary.
        settings: minimal support on a day, number of such days, and confidence over all days.
    """
    size = 2 * vocabulary.relations
    found, bodies = np.empty((0, 3), np.int64), np.zeros(size, dtype=np.int64)
    # By days, as a graph has many more pairs of relations on each day than pairs.
    for part in day_parts(facts, np.arange(len(facts)), DAYS_PAIRS):
        arcs = Arcs.of(facts, vocabulary.relations, part)
        bodies += np.bincount(arcs.relation, minlength=size)
        found = np.concatenate((found, _on_days(day_counts(arcs), size, settings)))
        every, place = np.unique(found[:, 0], return_inverse=True)
        held, total = (np.bincount(place, found[:, n], len(every)) for n in (1, 2))
        found = np.stack((every, held, total), axis=1).astype(np.int64)
    pairs, days, support = found.T
    body = bodies[pairs // size]
    good = (days >= settings.min_days) & (wilson_bound(support, body) >= settings.min_confidence)
    order = np.lexsort((pairs, -support))
    rejected = reviewed()
    rules = []
    for row in order[good[order]].tolist():
        given, asked = (arc_of(number, vocabulary) for number in divmod(int(pairs[row]), size))
        rule = TwoHopRule(
            given=given,
            asked=asked,
            days=int(days[row]),
            rule_support=int(support[row]),
            body_support=int(body[row]),
            use=not rejected.get((_plain(given), _plain(asked)), False),
        )
        rules.append(rule)
    return tuple(rules)


def _plain(arc: Arc) -> Arc:
    """An arc with blanks for underscores, as in the reviewed table."""
    return Arc(relation=arc.relation.replace("_", " "), shared=arc.shared)


@cache
def reviewed() -> Mapping[tuple[Arc, Arc], bool]:
    """Whether the reviewed table rejects each of its rules; it gives the reason for each."""
    table = {}
    lines = Path(__file__).with_name("two_hop_review.tsv").read_text(encoding="utf-8").splitlines()
    for line in lines[1:]:
        given, given_shared, asked, asked_shared, verdict, _ = line.split("\t")
        arcs = (
            Arc(relation=given, shared=Role(given_shared)),
            Arc(relation=asked, shared=Role(asked_shared)),
        )
        table[arcs] = verdict == "no"
    return table


def arc_of(relation: int, vocabulary: Vocabulary) -> Arc:
    """A relation, or an inverse, as seen from the shared party."""
    plain, inverse = relation % vocabulary.relations, relation >= vocabulary.relations
    shared = Role.OBJECT if inverse else Role.SUBJECT
    return Arc(relation=vocabulary.relation(plain), shared=shared)
