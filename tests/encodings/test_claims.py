"""Status and labels of items: tables of program, instance, atoms, under both policies."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Solve = Callable[..., list[str]]
Given = Callable[..., str]

PROGRAM = ("temporal/claims.lp",)

# Premise, claim, status, labels under local and global; t, f, u as in docs/eventhop.md.
CASES = [
    # Before: meeting counts.
    ("a+ < b-", "a before b", "entailed", "tt"),
    ("a+ = b-", "a before b", "entailed", "tt"),
    ("b- > a+", "a before b", "entailed", "tt"),
    ("a+ < c-, c+ = b-", "a before b", "entailed", "tt"),
    ("a+ = c-, c- = b-", "a before b", "entailed", "tt"),
    ("a- < b-", "a before b", "unknown", "ff"),
    ("a+ > b-", "a before b", "refuted", "ff"),
    ("b+ < a-", "a before b", "refuted", "ff"),
    ("b- < c+, c+ = a+", "a before b", "refuted", "ff"),
    ("", "a before b", "unknown", "ff"),
    ("c- < d-", "a before b", "unknown", "ff"),
    # After is the converse of before.
    ("a- > b+", "a after b", "entailed", "tt"),
    ("a- = b+", "a after b", "entailed", "tt"),
    ("a+ < b-", "a after b", "refuted", "ff"),
    ("a+ = b-", "a after b", "refuted", "ff"),
    ("a+ > b+", "a after b", "unknown", "ff"),
    # Overlaps: each starts before the other ends.
    ("a- < b+, b- < a+", "a overlaps b", "entailed", "tt"),
    ("a- = b-", "a overlaps b", "entailed", "tt"),
    ("a- < b-, b+ < a+", "a overlaps b", "entailed", "tt"),
    ("a+ < b-", "a overlaps b", "refuted", "ff"),
    ("a+ = b-", "a overlaps b", "refuted", "ff"),
    ("b+ = a-", "a overlaps b", "refuted", "ff"),
    ("b- < a+", "a overlaps b", "unknown", "ff"),
    ("a- < b+", "a overlaps b", "unknown", "ff"),
    # Two claimed points contradict each other, in every way.
    ("a- = b-, a- < b-", "a before b", "contradictory", "uu"),
    ("a+ < a-", "a before b", "contradictory", "uu"),
    ("a+ = a-", "a before b", "contradictory", "uu"),
    ("b+ < b-", "a before b", "contradictory", "uu"),
    ("a+ < b+, b+ < a+", "a before b", "contradictory", "uu"),
    ("a+ < b-, b- < a+", "a overlaps b", "contradictory", "uu"),
    ("a- < b+, b+ < a-", "a after b", "contradictory", "uu"),
    ("a+ < b-, b+ < a-", "a before b", "contradictory", "uu"),
    ("a- < c-, c- = b-, b- < a-", "a before b", "contradictory", "uu"),
    # A contradiction elsewhere, or with a single claimed point, does not matter.
    ("c- < d-, d- < c-, a+ < b-", "a before b", "entailed", "tu"),
    ("c+ < c-, b- < a+", "a before b", "refuted", "fu"),
    ("c- < d-, d- < c-", "a before b", "unknown", "fu"),
    ("a- < c-, c- < a-, a+ < b-", "a before b", "entailed", "tu"),
    ("a- < a-, a+ < b-", "a before b", "entailed", "tu"),
    # An event about itself: each of its points is paired with itself.
    ("a- < b-", "a before a", "refuted", "ff"),
    ("a- < b-", "a after a", "refuted", "ff"),
    ("a- < b-", "a overlaps a", "entailed", "tt"),
    ("", "a allen(equals) a", "entailed", "tt"),
    ("a- < b-, b- < a-", "a before a", "contradictory", "uu"),
    ("a+ = b-, b- < a+", "a overlaps a", "contradictory", "uu"),
    ("b- < b-", "a overlaps a", "entailed", "tu"),
    # Allen's relations.
    ("a+ < b-", "a allen(precedes) b", "entailed", "tt"),
    ("a+ = b-", "a allen(precedes) b", "refuted", "ff"),
    ("a+ = b-", "a allen(meets) b", "entailed", "tt"),
    ("a+ < b-", "a allen(meets) b", "refuted", "ff"),
    ("a- < b-, b- < a+, a+ < b+", "a allen(overlaps) b", "entailed", "tt"),
    ("a- < b-, b- < a+", "a allen(overlaps) b", "unknown", "ff"),
    ("a- = b-, a+ = b+", "a allen(equals) b", "entailed", "tt"),
    ("a- = b-", "a allen(equals) b", "unknown", "ff"),
    ("a- > b-, a+ < b+", "a allen(during) b", "entailed", "tt"),
    ("a- > b-, a+ < b+", "a allen(contains) b", "refuted", "ff"),
    # Claims about points: only the two points count.
    ("a+ < b-", "a- < b+", "entailed", "tt"),
    ("a+ < b-", "b+ > a-", "entailed", "tt"),
    ("a- = c-, c- = b-", "a- = b-", "entailed", "tt"),
    ("a- < b-", "a- = b-", "refuted", "ff"),
    ("a- > b-", "a- = b-", "refuted", "ff"),
    ("a- = b-", "a- < b-", "refuted", "ff"),
    ("a- < b-", "a- > b-", "refuted", "ff"),
    ("a- > c-", "a- > b-", "unknown", "ff"),
    ("a- < b-", "a+ < b+", "unknown", "ff"),
    ("a- < b-, b- < a-", "a- = b-", "contradictory", "uu"),
    ("a- < b-, b- < a-", "a+ < b+", "unknown", "fu"),
    ("", "a- < a+", "entailed", "tt"),
    ("", "a- = a-", "entailed", "tt"),
    ("", "a- < a-", "refuted", "ff"),
    ("a- < b-, b- < a-", "a- < a-", "contradictory", "uu"),
    ("a- < b-, b- < a-", "a+ = a+", "entailed", "tu"),
]
LABELS = {"t": "true", "f": "false", "u": "undefined"}


@pytest.mark.parametrize(("premise", "claim", "status", "labels"), CASES)
def test_status_and_labels(
    solve: Solve, given: Given, premise: str, claim: str, status: str, labels: str
) -> None:
    facts = given(premise, claim)
    for policy, label in zip(("local", "global"), labels, strict=True):
        expected = [f"label(0,{LABELS[label]})", f"status(0,{status})"]
        # Under `global` a label is undefined exactly if the premise is inconsistent.
        if labels[1] != "u":
            expected.append("consistent(0)")
        assert solve(PROGRAM, facts, policy=policy) == sorted(expected)


def test_local_is_the_default_policy(solve: Solve, given: Given) -> None:
    facts = given("c- < d-, d- < c-, a+ < b-", "a before b")
    assert "label(0,true)" in solve(PROGRAM, facts)


def test_items_of_a_batch_do_not_mix(solve: Solve, given: Given) -> None:
    chosen = CASES[::3]
    facts = "\n".join(
        given(premise, claim, item=number) for number, (premise, claim, _, _) in enumerate(chosen)
    )
    expected = sorted(f"status({number},{case[2]})" for number, case in enumerate(chosen))
    assert solve(PROGRAM, facts, "status") == expected


def test_order_and_names_of_sentences_do_not_matter(solve: Solve, given: Given) -> None:
    for premise, claim, status, _ in CASES:
        sentences = premise.split(", ")
        turned = ", ".join(_converse(sentence) for sentence in reversed(sentences) if sentence)
        assert solve(PROGRAM, given(turned, claim), "status") == [f"status(0,{status})"], premise


def _converse(sentence: str) -> str:
    p, sign, q = sentence.split()
    return f"{q} {({'<': '>', '>': '<', '=': '='})[sign]} {p}"
