"""Spans of two elements, and their words."""

from __future__ import annotations

from string import ascii_lowercase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.texts.elements import elements, romanised, words
from benchmarks.texts.pairs import compare


@pytest.mark.parametrize(
    ("reference", "candidate", "counts"),
    [
        ("lake club", "lake club", (1, 0, 0, 0)),
        ("lake club", "choir", (0, 0, 1, 1)),
        ("", "choir", (0, 0, 1, 0)),
        ("", "", (0, 0, 1, 0)),
        ("choir", "", (0, 0, 0, 1)),
        # One word of two: the span of one word overlaps with nothing.
        ("lake club", "lake", (0, 0, 1, 1)),
        ("lake club", "club", (0, 0, 1, 1)),
        # An extra word before or after is linked with the name.
        ("lake club", "old lake club", (0, 1, 0, 0)),
        ("lake club", "lake club north", (0, 1, 0, 0)),
        # Each missing word at the end emits the same span again, one word longer.
        ("lake club of north", "lake club", (0, 2, 0, 0)),
        ("lake club of", "lake club", (0, 1, 0, 0)),
        # A gap inside yields three spans, one of which overlaps.
        ("lake rowing club", "lake club", (0, 1, 2, 0)),
        # An unlinked word is a span of its own.
        ("lake of north", "new of north", (0, 1, 1, 0)),
        # The quirk can make a span of one linked word equal the whole reference.
        ("lake rowing club", "lake chess", (1, 1, 2, 0)),
    ],
)
def test_counts(reference: str, candidate: str, counts: tuple[int, ...]) -> None:
    assert tuple(compare(words(reference), words(candidate))) == counts


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("lake rowing club", ("lake", "rowing", "club")),
        ("2031-01-05", ("2031-01-05",)),
        ("k. v. c. north", ("k.", "v.", "c.", "north")),
        ("k. v. c.", ("k.", "v.", "c")),
        ("taranto f. c. 1927", ("taranto", "f.", "c.", "1927")),
        ("taranto f. c. (old)", ("taranto", "f.", "c.", "old")),
        ('c. "lake" [x. 2]', ("c.", "lake", "x.", "2")),
        ("st. ann", ("st.", "ann")),
        ("online. lake", ("online", "lake")),
        ("1. fc lake", ("1.", "fc", "lake")),
        ("x - y , z", ("x", "y", "z")),
        ("ann's boat", ("ann", "'s", "boat")),
        ("don't stop", ("do", "n't", "stop")),
        ("cannot", ("can", "not")),
        ("a,b 1,2", ("a", "b", "1,2")),
        ("( rower)", ("rower",)),
        ("--", ()),
        ("", ()),
    ],
)
def test_words(text: str, found: tuple[str, ...]) -> None:
    assert words(text) == found


@given(
    st.lists(st.sampled_from(("lake", "club", "(old)", "1927", "[2]", '"x', "-", "'")), max_size=3),
    st.sampled_from(ascii_lowercase),
    st.sampled_from(("club", "club)", "1927", "(old)", "[2]", '"x"', "{a}", "'s", "§ 1", "b.")),
)
def test_an_initial_keeps_its_stop_before_anything(
    before: list[str], letter: str, after: str
) -> None:
    assert f"{letter}." in words(" ".join((*before, f"{letter}.", after)))


@pytest.mark.parametrize(
    ("text", "plain"),
    [("Ødegård".lower(), "odegard"), ("čačak", "cacak"), ("straße", "strasse"), ("a–b", "a-b")],
)
def test_diacritics_are_removed(text: str, plain: str) -> None:
    assert romanised(text) == plain


@pytest.mark.parametrize(
    ("fact", "found"),
    [
        (
            ["Ann_Lake", "startMemberOf", "FC"],
            (("ann", "lake"), ("start", "member", "of"), ("fc",)),
        ),
        (["Ann", "r", "Lake (Bay)"], (("ann",), ("r",), ("lake",))),
        (["Ann", "r", "Lake (Bay)", "d"], (("ann",), ("r",), ("lake", "bay"), ("d",))),
        (["", "r", "Lake", "d"], ((), ("r",), ("lake",), ("d",))),
        (["Ann", "r", "Lake", ""], (("ann",), ("r",), ("lake",), ())),
        # An empty object merges with the following separator.
        (["Ann", "r", "", "d"], (("ann",), ("r",), ("d",))),
    ],
)
def test_elements(fact: list[str], found: tuple[tuple[str, ...], ...]) -> None:
    assert elements(fact) == elements(fact, bars=True) == found
