"""Conversion of intervals to dated facts of their bounds, and back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.facts.intervals import Naming, linearise
from solver.facts.model import Bound, DatedFact, IntervalFact, without_rare
from solver.facts.schema import Relation, Schema

Spans = Callable[..., list[IntervalFact]]
Dated = Callable[..., list[DatedFact]]

SCHEMA = Schema(
    relations={
        "spouse": Relation(name="spouse", start="startSpouse", end="endSpouse"),
        "founder": Relation(name="founder", start="founder", end=None),
        "starting": Relation(name="starting", start="begins", end="stops"),
    }
)
NAMING = Naming.of(SCHEMA)


def delinearise(facts: Sequence[DatedFact]) -> tuple[IntervalFact, ...]:
    """Match starts with the ends that follow them, for the same subject, relation and object.

    An unmatched start gives an interval without an end, an unmatched end one without a start. A
    point event becomes an interval without an end, as its relation cannot end.

    Returns:
        Intervals sorted by subject, relation, object and days.
    """
    starts: dict[tuple[str, str, str], list[DatedFact]] = defaultdict(list)
    found: list[IntervalFact] = []
    for fact in sorted(facts, key=lambda fact: fact.day):
        key = (fact.subject, fact.relation, fact.object)
        if fact.bound is Bound.POINT:
            found.append(_interval(fact, fact.day, None))
        elif fact.bound is Bound.START:
            starts[key].append(fact)
        elif starts[key]:
            # First in, first out: which of two open starts an end belongs to is unknown.
            begun = starts[key].pop(0)
            found.append(_interval(begun, begun.day, fact.day))
        else:
            found.append(_interval(fact, None, fact.day))
    found += [_interval(fact, fact.day, None) for left in starts.values() for fact in left]
    return tuple(sorted(found, key=by_names))


def _interval(fact: DatedFact, start: int | None, end: int | None) -> IntervalFact:
    return IntervalFact(
        subject=fact.subject,
        relation=fact.relation,
        object=fact.object,
        start=start,
        end=end,
        where=fact.where,
    )


def by_names(fact: IntervalFact) -> tuple[str, ...]:
    return fact.subject, fact.relation, fact.object, f"{fact.start or fact.end or 0:09}"


def rendered(facts: tuple[DatedFact, ...]) -> list[str]:
    return [f"{fact.subject} {fact.written} {fact.object} {fact.day}" for fact in facts]


def test_each_interval_gives_a_start_and_an_end(spans: Spans) -> None:
    done = linearise(spans("a spouse b 1 5", "a spouse b 7 9", "a spouse c 5 -"), NAMING)
    assert rendered(done.facts) == [
        "a startSpouse b 1",
        "a endSpouse b 5",
        "a startSpouse c 5",
        "a startSpouse b 7",
        "a endSpouse b 9",
    ]
    assert done.reversed == done.endless == ()


def test_relations_that_cannot_end_keep_their_name(spans: Spans) -> None:
    done = linearise(spans("a founder b 1 5", "a founder c 2 -"), NAMING)
    assert rendered(done.facts) == ["a founder b 1", "a founder c 2"]
    assert {fact.bound for fact in done.facts} == {Bound.POINT}
    assert [fact.object for fact in done.endless] == ["b"]


def test_reversed_intervals_are_reported_and_skipped(spans: Spans) -> None:
    done = linearise(spans("a spouse b 5 1", "a spouse c 5 5"), NAMING)
    assert [fact.object for fact in done.reversed] == ["b"]
    assert rendered(done.facts) == ["a startSpouse c 5", "a endSpouse c 5"]


@pytest.mark.parametrize(
    ("written", "name", "bound"),
    [
        ("startSpouse", "spouse", Bound.START),
        ("endSpouse", "spouse", Bound.END),
        ("founder", "founder", Bound.POINT),
        ("begins", "starting", Bound.START),
        ("stops", "starting", Bound.END),
        # Names unknown to the schema are read by their prefix.
        ("startLeader", "leader", Bound.START),
        ("endLeader", "leader", Bound.END),
        # Relations that cannot end have no end relation; other names are other relations.
        ("endFounder", "endFounder", Bound.POINT),
        ("startStarting", "startStarting", Bound.POINT),
        ("starting", "starting", Bound.POINT),
        ("endorses", "endorses", Bound.POINT),
        ("start", "start", Bound.POINT),
    ],
)
def test_names_are_read(written: str, name: str, bound: Bound) -> None:
    assert NAMING.read(written) == (name, bound)


@pytest.mark.parametrize("naming", [NAMING, Naming()])
@pytest.mark.parametrize("relation", ["spouse", "leader", "founder"])
def test_written_names_read_back(naming: Naming, relation: str) -> None:
    bounds = (Bound.START, Bound.END) if naming.ends(relation) else (Bound.POINT,)
    for bound in bounds:
        assert naming.read(naming.write(relation, bound)) == (relation, bound)


STINTS = st.lists(
    st.tuples(
        st.sampled_from("ab"),
        st.sampled_from(["spouse", "founder"]),
        st.sampled_from("cd"),
        st.lists(st.integers(1, 30), min_size=1, max_size=6, unique=True),
    ),
    unique_by=lambda row: row[:3],
)


@given(STINTS)
def test_round_trip(stints: list[tuple[str, str, str, list[int]]]) -> None:
    """Consecutive intervals are restored; the last one may be open."""
    intervals = []
    for subject, relation, object_, days in stints:
        days.sort()
        for start, end in zip(days[::2], [*days[1::2], None][: len(days[::2])], strict=True):
            last = None if relation == "founder" else end
            intervals.append(
                IntervalFact(
                    subject=subject, relation=relation, object=object_, start=start, end=last
                )
            )
    facts = linearise(intervals, NAMING).facts
    assert len(facts) == sum(1 + (interval.end is not None) for interval in intervals)
    assert sorted(map(str, delinearise(facts))) == sorted(map(str, intervals))


def test_unmatched_bounds(dated: Dated) -> None:
    facts = dated("a end r b 3", "a start r b 5", "a start r b 6", "a end r b 9", "a point r b 2")
    days = [(fact.start, fact.end) for fact in delinearise(facts)]
    assert sorted(days, key=str) == [(2, None), (5, 9), (6, None), (None, 3)]


def test_rare_entities_are_removed_recursively(dated: Dated) -> None:
    ring = dated("a start r b 1", "b start r c 1", "c start r a 1")
    tail = dated("c start r d 1", "d start r e 1", "e end r f 1", "g start r g 1")
    # g is both subject and object of one fact.
    assert without_rare((*ring, *tail)) == (*ring, tail[3])
    assert without_rare(tail[:3]) == ()
    assert without_rare(()) == ()


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=14))
def test_rare_entities_by_repeated_counting(pairs: list[tuple[int, int]]) -> None:
    facts = [
        IntervalFact(subject=str(s), relation="r", object=str(o), start=1, end=None)
        for s, o in pairs
    ]
    left = facts
    while True:
        ends = [end for fact in left for end in (fact.subject, fact.object)]
        kept = [o for o in left if min(ends.count(o.subject), ends.count(o.object)) > 1]
        if len(kept) == len(left):
            break
        left = kept
    assert list(without_rare(facts)) == left
