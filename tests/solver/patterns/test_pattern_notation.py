"""Patterns as text: both ways without loss, and errors that name the column."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.patterns.engine import enumerate_patterns
from solver.patterns.model import Flag, Lag, Pattern, PatternError, PatternFlags, Triple, read
from solver.tkg.planted import FAR, WINDOW, LagProfile, lag_ranges

numbers = st.integers(1, 999_999_999)
triples = st.builds(Triple, head=numbers, relation=numbers, tail=numbers)
patterns = st.builds(
    Pattern,
    antecedents=st.lists(triples, min_size=1, max_size=5).map(tuple),
    consequence=triples,
)


@given(patterns)
def test_what_is_written_is_read_back(pattern: Pattern) -> None:
    assert read(str(pattern)) == pattern
    assert read(str(pattern).replace(" ", "")) == pattern


def test_a_pattern_is_read() -> None:
    assert read(" 1 -1-> 2 ,2-2->3  =>  1 - 3 -> 3\t") == Pattern(
        antecedents=(
            Triple(head=1, relation=1, tail=2),
            Triple(head=2, relation=2, tail=3),
        ),
        consequence=Triple(head=1, relation=3, tail=3),
    )


@pytest.mark.parametrize(
    ("text", "column", "found", "expected"),
    [
        ("", 1, "the end", "an entity"),
        ("   ", 4, "the end", "an entity"),
        ("=> 1 -1-> 2", 1, "'=>'", "an entity"),
        ("1 -1-> 2", 9, "the end", "',' or '=>'"),
        ("1 -1-> 2 =>", 12, "the end", "an entity"),
        ("1 -1-> 2, => 1 -1-> 2", 11, "'=>'", "an entity"),
        ("1 -1- 2 => 2 -1-> 1", 5, "'-'", "'->'"),
        ("1 1-> 2 => 2 -1-> 1", 3, "'1'", "'-'"),
        ("1 -x-> 2 => 2 -1-> 1", 4, "'x'", "a relation"),
        ("1 -0-> 2 => 2 -1-> 1", 4, "'0'", "a relation"),
        ("1 -1-> 1000000000 => 2 -1-> 1", 8, "'1000000000'", "an entity"),
        ("1 -1-> 2 => 2 -1-> 1 => 3 -1-> 1", 22, "'=>'", "the end"),
        ("1 -1-> 2.5 => 2 -1-> 1", 9, "'.'", "',' or '=>'"),
        ("1 -1-> -2 => 2 -1-> 1", 8, "'-'", "an entity"),
        ("1 -1-> ２ => 2 -1-> 1", 8, "'２'", "an entity"),
        (f"1 -1-> {'9' * 5000} => 2 -1-> 1", 8, "'9", "an entity"),
    ],
)
def test_errors_name_the_column(text: str, column: int, found: str, expected: str) -> None:
    with pytest.raises(PatternError) as caught:
        read(text)
    assert caught.value.where == f"column {column}"
    assert caught.value.message.startswith(f"found {found}")
    assert f"expected {expected}" in caught.value.message
    assert len(str(caught.value)) < 250


def test_errors_name_the_file() -> None:
    with pytest.raises(PatternError) as caught:
        read("1 -1> 2 => 2 -1-> 1", where="list.jsonl:7", column=13)
    assert caught.value.where == "list.jsonl:7:17"


def test_patterns_are_sorted_by_their_steps() -> None:
    listed = enumerate_patterns(2, PatternFlags())
    assert listed == sorted(listed, key=lambda pattern: (pattern.antecedents, pattern.consequence))
    assert str(listed[0]) == "1 -1-> 1, 1 -1-> 1 => 1 -1-> 1"


@pytest.mark.parametrize("hops", [0, 4, -1])
def test_only_one_to_three_hops_are_enumerated(hops: int) -> None:
    with pytest.raises(PatternError, match=f"found {hops} hops, expected 1 to 3"):
        enumerate_patterns(hops, PatternFlags())


@pytest.mark.parametrize(
    ("text", "code", "shown"),
    [
        ("none", "0000", "none"),
        ("0000", "0000", "none"),
        ("all", "1111", "unique,no-self,no-new-relation,sequential"),
        ("1100", "1100", "unique,no-self"),
        ("no-self, unique", "1100", "unique,no-self"),
        ("sequential", "0001", "sequential"),
        ("no-new-relation", "0010", "no-new-relation"),
    ],
)
def test_flags_are_read(text: str, code: str, shown: str) -> None:
    flags = PatternFlags.read(text)
    assert (flags.code, str(flags)) == (code, shown)
    assert PatternFlags.of(frozenset(flags.names)) == flags == PatternFlags.read(flags.code)


@pytest.mark.parametrize("text", ["", "110", "1102", "unique,", "nothing", "Unique"])
def test_other_flags_are_refused(text: str) -> None:
    with pytest.raises(PatternError, match="expected some of unique, no-self"):
        PatternFlags.read(text)
    assert len(Flag) == 4


@pytest.mark.parametrize(("low", "high"), [(2, 1), (-1, 1), (-2, -1)])
def test_a_lag_goes_forwards(low: int, high: int) -> None:
    with pytest.raises(PatternError, match="expected 0 <= low <= high"):
        Lag(low=low, high=high)


@pytest.mark.parametrize("number", [0, -1, 10**9])
def test_placeholders_are_numbered_from_one(number: int) -> None:
    with pytest.raises(PatternError, match=f"found placeholder {number}"):
        Triple(head=1, relation=number, tail=1)


def test_a_pattern_has_an_antecedent() -> None:
    with pytest.raises(PatternError, match="no antecedent"):
        Pattern(antecedents=(), consequence=Triple(head=1, relation=1, tail=1))


@pytest.mark.parametrize("hops", [2, 3])
def test_lag_profiles_are_what_the_table_says(hops: int) -> None:
    """Table 5a, one line a profile."""
    ranges = {profile: lag_ranges(profile, hops) for profile in LagProfile}
    assert all(len(found) == hops for found in ranges.values())
    assert all(lag_range.width.high == 0 for lag_range in ranges[LagProfile.TIGHT])
    assert all(lag_range.width.low >= 5 for lag_range in ranges[LagProfile.LOOSE])
    front, back = ranges[LagProfile.FRONT_LOADED], ranges[LagProfile.BACK_LOADED]
    assert min(lag_range.mean for lag_range in front[:-1]) > front[-1].mean
    assert max(lag_range.mean for lag_range in back[:-1]) < back[-1].mean
    assert all(lag_range.longest <= WINDOW for lag_range in ranges[LagProfile.RECENCY])
    assert any(
        lag_range.low.low + lag_range.width.low >= FAR
        for lag_range in ranges[LagProfile.LONG_RANGE]
    )


def test_means_are_those_of_all_draws() -> None:
    for profile in LagProfile:
        (lag_range,) = lag_ranges(profile, 1)
        widths = range(lag_range.width.low, lag_range.width.high + 1)
        lows = range(lag_range.low.low, lag_range.low.high + 1)
        drawn = [low + width / 2 for low in lows for width in widths]
        assert sum(drawn) / len(drawn) == pytest.approx(lag_range.mean)
        assert max(lows) + max(widths) == lag_range.longest


def test_no_hop_has_no_lag() -> None:
    with pytest.raises(PatternError, match="found 0 hops"):
        lag_ranges(LagProfile.TIGHT, 0)
