"""The encodings and the sweep have the same findings on random histories."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.encodings import ViolationAtom
from solver.facts import verify as verify_facts
from solver.facts.encode import findings
from solver.facts.engine import sweep
from solver.facts.model import (
    Bound,
    Case,
    DatedFact,
    IntervalFact,
    Window,
    build_case,
    count_chains,
)
from solver.facts.schema import Hierarchy, Relation, Schema, Signature
from solver.verification.run import DisagreementError

Dated = Callable[..., list[DatedFact]]

CLASSES = Hierarchy(
    parents={
        "Thing": (),
        "Person": ("Thing",),
        "Worker": ("Person",),
        "Place": ("Thing",),
        "City": ("Place",),
        "Odd": ("Worker", "Place"),
    },
    disjoint=frozenset({("Person", "Place")}),
)


def relation(
    name: str, *ends: tuple[str, str], single: bool = False, ends_: bool = True
) -> Relation:
    signatures = tuple(Signature(domain=tuple(d.split()), range=tuple(r.split())) for d, r in ends)
    end = f"end{name.title()}" if ends_ else None
    start = f"start{name.title()}" if ends_ else name
    return Relation(name=name, start=start, end=end, exclusive=single, signatures=signatures)


SCHEMA = Schema(
    relations={
        "spouse": relation("spouse", ("Person", "Person"), single=True),
        "director": relation("director", ("Place", "Worker"), ("City Worker", "City")),
        "founder": relation("founder", ("Thing", ""), ends_=False),
    },
    hierarchy=CLASSES,
)
NAMES = ["a", "b", "c", " ", "unknown"]

FACTS = st.builds(
    DatedFact,
    subject=st.sampled_from(NAMES),
    relation=st.sampled_from([*SCHEMA.relations, "strange"]),
    object=st.sampled_from(NAMES),
    bound=st.sampled_from(Bound),
    day=st.integers(1, 6),
    written=st.just("r"),
)
INTERVALS = st.builds(
    IntervalFact,
    subject=st.just("a"),
    relation=st.sampled_from([*SCHEMA.relations, "strange"]),
    object=st.just("b"),
    start=st.none() | st.integers(1, 3),
    end=st.none() | st.integers(1, 3),
)
CASES = st.builds(
    build_case,
    st.lists(FACTS, max_size=12),
    history=st.lists(FACTS, max_size=5),
    intervals=st.lists(INTERVALS, max_size=3),
    schema=st.none() | st.just(SCHEMA),
    types=st.dictionaries(
        st.sampled_from(NAMES),
        st.lists(st.sampled_from(sorted(CLASSES.parents)), min_size=1, max_size=2, unique=True).map(
            tuple
        ),
    ),
    window=st.none() | st.builds(Window, first=st.integers(1, 4), last=st.integers(3, 6)),
    whole_history=st.booleans(),
)


@settings(max_examples=60)
@given(CASES)
def test_engines_agree(case: Case) -> None:
    assert findings(case) == sweep(case)


@pytest.mark.slow
@settings(max_examples=4_000)
@given(CASES)
def test_engines_agree_on_many(case: Case) -> None:
    assert findings(case) == sweep(case)


@settings(max_examples=40)
@given(st.lists(FACTS, max_size=8))
def test_per_object_by_walking_each_history(facts: list[DatedFact]) -> None:
    """The definition of the paper, evaluated from scratch for each fact."""
    expected = []
    ordered = sorted(facts, key=lambda fact: fact.day)
    for number, fact in enumerate(ordered):
        if fact.bound is Bound.POINT or not fact.subject.strip():
            continue
        key = (fact.subject, fact.relation, fact.object)
        before = [
            other.bound
            for other in ordered[:number]
            if (other.subject, other.relation, other.object) == key
            and other.bound is not Bound.POINT
        ]
        is_open = bool(before) and before[-1] is Bound.START
        if fact.bound is Bound.START and is_open:
            expected.append(("reopened", number))
        if fact.bound is Bound.END and not is_open:
            expected.append(("reclosed" if before else "unverifiable", number))
    codes = ("reopened", "reclosed", "unverifiable")
    found = [
        (finding.code, finding.numbers[0])
        for finding in findings(build_case(facts))
        if finding.code in codes
    ]
    assert sorted(found) == sorted(expected)


def test_without_a_schema_all_relations_are_exclusive(dated: Dated) -> None:
    facts = dated("a start r b 1", "a start r c 2", "a end r d 3")
    assert findings(build_case(facts)) == [
        ViolationAtom(code="other_open", numbers=(2, 1)),
        ViolationAtom(code="second_open", numbers=(1, 0)),
        ViolationAtom(code="unverifiable", numbers=(2,)),
    ]


def test_order_within_a_day_is_input_order(dated: Dated) -> None:
    facts = dated("a start r b 1", "a end r b 2", "a start r b 2")
    assert findings(build_case(facts)) == []
    assert [finding.code for finding in findings(build_case([facts[0], facts[2], facts[1]]))] == [
        "reopened",
        "second_open",
    ]


def test_chains_are_counted(dated: Dated) -> None:
    facts = dated(
        "a start r b 1", "a start r c 2", "a start s c 2", "d point r c 1", "~ start r b 1"
    )
    case = build_case(facts, history=dated("e start r b 1"))
    chains = count_chains(case, findings(case)[-1:])
    assert (chains.all, chains.long, chains.incoherent) == (2, 1, 1)


def test_a_disagreement_is_reported(
    dated: Dated, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(verify_facts, "sweep", lambda _: [])
    case = build_case(dated("a end r b 1"))
    with pytest.raises(
        DisagreementError, match=r"unverifiable\(0\) is found by asp alone"
    ) as raised:
        verify_facts.cross_check(case)
    raised.value.write_reproducer(tmp_path)
    assert "disagreement-facts.lp" in raised.value.hint
    assert "fact(0,0,0,end,1,1)." in (tmp_path / "disagreement-facts.lp").read_text()
