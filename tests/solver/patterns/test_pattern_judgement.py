"""Classification of patterns: violated rules, canonical form, shapes, regimes, subpatterns."""

from __future__ import annotations

from collections import Counter

import pytest

from solver.patterns.engine import PatternVerdict, enumerate_patterns, judge, without_parts
from solver.patterns.model import (
    UNLISTED_SHAPES,
    CycleReading,
    Pattern,
    PatternFlags,
    Rule,
    Shape,
    read,
)

ALL = PatternFlags.read("all")
LOOSE = PatternFlags()
USUAL = PatternFlags.read("1100")


def judged(
    text: str, flags: PatternFlags = LOOSE, reading: CycleReading = CycleReading.FIXED
) -> PatternVerdict:
    (verdict,) = judge([read(text)], flags, reading)
    return verdict


# A pattern, all that it breaks when every flag is set, and what of it no flag can allow.
BROKEN = [
    ("1 -1-> 2 => 1 -1-> 2", "duplicate_triple", ""),
    ("1 -1-> 1 => 1 -1-> 1", "duplicate_triple self_connection degree_not_two"
     " edges_unlike_entities", ""),
    ("1 -1-> 2 => 1 -2-> 2", "new_relation", ""),
    ("1 -1-> 2 => 2 -1-> 3", "degree_not_two edges_unlike_entities new_entity", "new_entity"),
    ("1 -1-> 2, 2 -1-> 3 => 3 -1-> 1", "", ""),
    ("1 -1-> 2, 2 -1-> 3 => 1 -1-> 2", "duplicate_triple degree_not_two", ""),
    ("1 -1-> 2, 3 -1-> 4 => 2 -1-> 3", "not_adjacent degree_not_two edges_unlike_entities", ""),
    ("1 -1-> 2, 3 -1-> 4 => 2 -1-> 1",
     "not_adjacent degree_not_two not_one_piece edges_unlike_entities not_connected",
     "not_connected"),
    ("1 -1-> 2, 2 -1-> 1, 3 -1-> 4 => 4 -1-> 3", "not_adjacent not_one_piece not_connected",
     "not_connected"),
    ("1 -1-> 2, 2 -1-> 3, 3 -1-> 4 => 4 -1-> 1", "", ""),
    ("1 -1-> 2, 3 -1-> 4, 2 -1-> 3 => 4 -1-> 1", "not_adjacent", ""),
    ("1 -1-> 2, 3 -1-> 4, 5 -1-> 6 => 2 -1-> 3",
     "not_adjacent degree_not_two not_one_piece edges_unlike_entities not_connected",
     "not_connected"),
    ("1 -1-> 2, 2 -1-> 3, 3 -1-> 4, 4 -1-> 5 => 5 -1-> 1", "too_many_hops", "too_many_hops"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "all_flags", "no_flag"), BROKEN)
def test_a_rejected_pattern_is_told_by_rule(text: str, all_flags: str, no_flag: str) -> None:
    assert " ".join(judged(text, ALL).violations) == all_flags
    assert " ".join(judged(text).violations) == no_flag


def test_every_rule_can_fire() -> None:
    assert {rule for _, names, _ in BROKEN for rule in names.split()} == set(Rule)


@pytest.mark.parametrize(
    ("code", "rules"),
    [
        ("1000", "duplicate_triple"),
        ("0100", "self_connection"),
        ("0010", "new_relation"),
        ("0001", "degree_not_two edges_unlike_entities"),
    ],
)
def test_a_flag_forbids_its_own_rules_only(code: str, rules: str) -> None:
    texts = ("1 -1-> 1 => 1 -1-> 1", "1 -1-> 1 => 1 -2-> 1")
    found = {rule for text in texts for rule in judged(text, PatternFlags.read(code)).violations}
    assert found == set(rules.split())


def test_the_two_readings_of_line_22_differ_where_the_consequence_brings_in_the_third() -> None:
    text = "1 -1-> 2, 1 -1-> 3, 4 -1-> 5 => 1 -1-> 4"
    assert judged(text, USUAL).valid
    assert judged(text, USUAL, CycleReading.LITERAL).violations == (Rule.NOT_CONNECTED,)
    # Both ends of the second are ends of the first: the printed line allows this one.
    assert judged("1 -1-> 2, 2 -1-> 1, 4 -1-> 5 => 1 -1-> 4", USUAL, CycleReading.LITERAL).valid


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("7 -5-> 3 => 3 -2-> 7", "1 -1-> 2 => 2 -2-> 1"),
        ("2 -1-> 1 => 1 -1-> 2", "1 -1-> 2 => 2 -1-> 1"),
        ("1 -2-> 2 => 1 -1-> 2", "1 -1-> 2 => 1 -2-> 2"),
        ("1 -1-> 3, 3 -1-> 2 => 2 -1-> 1", "1 -1-> 2, 2 -1-> 3 => 3 -1-> 1"),
        ("9 -9-> 9, 9 -8-> 8 => 7 -7-> 9", "1 -1-> 1, 1 -2-> 2 => 3 -3-> 1"),
        ("1 -1-> 2, 2 -2-> 3 => 1 -3-> 3", "1 -1-> 2, 2 -2-> 3 => 1 -3-> 3"),
    ],
)
def test_the_canonical_form_numbers_in_order_of_appearance(text: str, canonical: str) -> None:
    verdict = judged(text)
    assert str(verdict.canonical) == canonical
    assert verdict.is_canonical is (text == canonical)


SHAPES = [
    ("1 -1-> 1 => 1 -2-> 1", "reflexivity"),
    ("1 -1-> 2 => 1 -2-> 2", "self_entailment"),
    ("1 -1-> 2 => 2 -2-> 1", "inverse"),
    ("1 -1-> 2, 2 -2-> 3 => 1 -3-> 3", "transitive_closure"),
    ("1 -1-> 2, 3 -2-> 2 => 3 -3-> 1", "transitive_closure"),
    ("1 -1-> 2, 2 -2-> 3 => 2 -3-> 1", "reinforcement"),
    ("1 -1-> 2, 3 -2-> 4 => 2 -3-> 3", "bridge"),
    ("1 -1-> 2, 2 -1-> 1 => 1 -2-> 2", "multi_derivation"),
    ("1 -1-> 2, 2 -1-> 2 => 1 -2-> 2", "reflexivity"),
    ("1 -1-> 2, 2 -2-> 3, 3 -3-> 4 => 1 -4-> 4", "multi_step_closure cyclic_entailment"),
    ("1 -1-> 2, 2 -2-> 3, 3 -3-> 4 => 1 -4-> 3", "shortcut"),
    ("1 -1-> 2, 2 -2-> 3, 3 -3-> 4 => 3 -4-> 2", "re_derivation"),
    ("1 -1-> 2, 3 -2-> 4, 2 -3-> 3 => 1 -4-> 4",
     "multi_step_closure bridging_composition cyclic_entailment"),
    ("1 -1-> 2, 3 -2-> 4, 4 -3-> 5 => 1 -4-> 5", "bridging_composition"),
    ("1 -1-> 2, 1 -2-> 3, 4 -3-> 1 => 2 -1-> 3", "star"),
    ("1 -1-> 2, 2 -2-> 3, 3 -3-> 1 => 1 -1-> 3", "triangle"),
    ("1 -1-> 2, 2 -1-> 1, 1 -2-> 2 => 2 -2-> 1", "triple_edge"),
    ("1 -1-> 2, 2 -1-> 3, 1 -2-> 2 => 1 -2-> 3", "double_edge_with_pendant"),
    ("1 -1-> 2, 2 -1-> 3, 4 -2-> 5 => 1 -2-> 5", "late_bridge"),
    ("1 -1-> 2, 2 -1-> 1, 3 -2-> 4 => 1 -2-> 4", "late_bridge"),
    ("1 -1-> 2, 2 -1-> 1, 1 -2-> 1 => 1 -2-> 2", "reflexivity"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "shapes"), SHAPES)
def test_shapes(text: str, shapes: str) -> None:
    assert " ".join(judged(text).shapes) == shapes


def test_every_shape_is_shown() -> None:
    assert {shape for _, names in SHAPES for shape in names.split()} == set(Shape)


@pytest.mark.parametrize("reading", CycleReading)
def test_shapes_of_two_hops_are_counted_as_published(reading: CycleReading) -> None:
    two = judge(enumerate_patterns(2, USUAL, reading), USUAL, reading)
    assert Counter(verdict.shapes for verdict in two) == {
        (Shape.TRANSITIVE_CLOSURE,): 40,
        (Shape.REINFORCEMENT,): 64,
        (Shape.BRIDGE,): 40,
        (Shape.MULTI_DERIVATION,): 10,
    }


@pytest.mark.slow
@pytest.mark.parametrize("reading", CycleReading)
def test_shapes_of_three_hops_are_counted_as_published(reading: CycleReading) -> None:
    three = judge(enumerate_patterns(3, USUAL, reading), USUAL, reading)
    found = Counter(shape for verdict in three for shape in verdict.shapes)
    late = 200 if reading is CycleReading.LITERAL else 920
    assert found == {
        Shape.MULTI_STEP_CLOSURE: 720,
        Shape.CYCLIC_ENTAILMENT: 720,
        Shape.SHORTCUT: 1_440,
        Shape.RE_DERIVATION: 1_800,
        Shape.BRIDGING_COMPOSITION: 3_160,
        Shape.STAR: 1_320,
        Shape.TRIANGLE: 600,
        Shape.TRIPLE_EDGE: 38,
        Shape.DOUBLE_EDGE_WITH_PENDANT: 1_512,
        Shape.LATE_BRIDGE: late,
    }
    others = [verdict for verdict in three if UNLISTED_SHAPES & set(verdict.shapes)]
    assert len(others) == (3_670 if reading is CycleReading.LITERAL else 4_390)
    assert all(len(verdict.shapes) == 1 for verdict in others)
    assert all(verdict.shapes for verdict in three)


def test_every_pattern_has_a_shape_whatever_the_flags() -> None:
    for hops in (1, 2):
        verdicts = judge(enumerate_patterns(hops, LOOSE), LOOSE)
        assert all(len(verdict.shapes) == 1 for verdict in verdicts)
        assert all(verdict.entity_reuse is not None for verdict in verdicts)


@pytest.mark.slow
def test_so_it_has_at_three_hops() -> None:
    verdicts = judge(enumerate_patterns(3, LOOSE), LOOSE)
    assert all(verdict.shapes and verdict.entity_reuse for verdict in verdicts)


@pytest.mark.parametrize(
    ("text", "regimes"),
    [
        ("1 -1-> 2 => 2 -2-> 1", "fully_reused novel homogeneous"),
        ("1 -1-> 2, 3 -1-> 4 => 2 -1-> 3", "bridge_reuse copied homogeneous"),
        ("1 -1-> 2, 2 -2-> 3 => 1 -3-> 3", "recombined novel heterogeneous"),
        ("1 -1-> 2, 2 -2-> 3 => 2 -1-> 2", "collapsed copied heterogeneous"),
        ("1 -1-> 1 => 1 -1-> 1", "fully_reused copied homogeneous"),
        ("1 -1-> 2, 2 -2-> 3, 3 -1-> 4 => 3 -2-> 4", "fully_reused copied homogeneous"),
        ("1 -1-> 2, 2 -2-> 3, 3 -3-> 4 => 1 -3-> 4", "recombined copied heterogeneous"),
        ("1 -1-> 2, 3 -2-> 4, 4 -3-> 5 => 1 -4-> 5", "bridge_reuse novel heterogeneous"),
        ("1 -1-> 2 => 1 -1-> 3", "None copied homogeneous"),
    ],
)
def test_regimes(text: str, regimes: str) -> None:
    verdict = judged(text)
    names = f"{verdict.entity_reuse} {verdict.relation_reuse} {verdict.antecedent_relations}"
    assert names == regimes


KEPT = [
    # The same antecedents in another order are no other pattern when time does not count.
    ("1 -1-> 2, 2 -2-> 3 => 1 -3-> 3 | 1 -2-> 2, 3 -1-> 1 => 3 -3-> 2", "0", "0"),
    # A chain within a longer one, by the same relations or by others.
    ("1 -1-> 2, 2 -2-> 3, 3 -4-> 4 => 1 -3-> 3 | 1 -1-> 2, 2 -2-> 3 => 1 -3-> 3", "0", "0"),
    ("1 -1-> 2, 2 -2-> 3, 3 -4-> 4 => 1 -3-> 3 | 1 -5-> 2, 2 -2-> 3 => 1 -3-> 3", "0 1", "0"),
    # What comes first stays, even within a later one.
    ("1 -1-> 2 => 2 -1-> 1 | 1 -1-> 2, 2 -2-> 3 => 2 -1-> 1", "0 1", "0 1"),
    # The consequence is no antecedent.
    ("1 -1-> 2, 2 -2-> 3 => 1 -3-> 3 | 1 -1-> 2 => 2 -2-> 3", "0 1", "0 1"),
    # Distinct entities stay distinct.
    ("1 -1-> 2, 2 -1-> 1 => 1 -2-> 1 | 1 -1-> 2, 2 -1-> 3 => 1 -2-> 3", "0 1", "0 1"),
    # What is refused refuses nothing: the last one is a part of the second only.
    ("1 -1-> 2 => 2 -1-> 1 | 1 -1-> 2 => 2 -1-> 1 | 1 -7-> 2 => 2 -7-> 1", "0 2", "0"),
]


@pytest.mark.parametrize(("texts", "kept", "renamed"), KEPT)
def test_parts_of_earlier_patterns_are_refused(texts: str, kept: str, renamed: str) -> None:
    patterns = [read(text) for text in texts.split("|")]
    assert without_parts(patterns) == [patterns[int(n)] for n in kept.split()]
    assert without_parts(patterns, renamed=True) == [patterns[int(n)] for n in renamed.split()]


def test_patterns_of_one_length_are_parts_of_each_other_by_reordering_only() -> None:
    patterns = enumerate_patterns(2, USUAL)
    swapped = [
        Pattern(antecedents=pattern.antecedents[::-1], consequence=pattern.consequence)
        for pattern in patterns
    ]
    turned = [verdict.canonical for verdict in judge(swapped, USUAL)]
    least = {min(pair) for pair in zip(patterns, turned, strict=True)}
    assert without_parts(patterns, renamed=True) == sorted(least)


def test_nothing_is_asked_about_nothing() -> None:
    assert judge([], ALL) == []
    assert without_parts([]) == []
