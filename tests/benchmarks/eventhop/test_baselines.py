"""Baselines: what they learn, what they cannot, and that ``score nli`` reads them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.eventhop.baselines import (
    Baseline,
    LabelledItems,
    UntrainableError,
    answers,
    cross_answers,
)
from benchmarks.eventhop.cases import Case
from grammar.errors import ExitStatus
from grammar.eventhop.model import Claim, ClaimRelation, Item, Label, Status, Verdict
from solver.cli import run
from solver.eventhop.records import ItemPlace, Record

T, F, U = Label
VERDICT = Verdict(status=Status.UNKNOWN, consistent=True, label=Label.FALSE)


def case(name: str, relation: str = "before", premise: str = "") -> Case:
    """An item of which only the id, the words and the claim's relation matter."""
    claim = Claim(left="A", relation=ClaimRelation(relation), right="B")
    return Case(
        record=Record(
            id=name,
            premise=premise,
            claim=f"A {relation} B",
            gold=None,
            label=None,
            place=ItemPlace(file="made", line=1),
        ),
        item=Item(id=name, premise=(), claim=claim),
        verdict=VERDICT,
        hops=None,
        distance="",
    )


def test_the_majority_and_the_claims_own_majority() -> None:
    train = LabelledItems(
        cases=[case(str(n), "before" if n < 3 else "after") for n in range(5)],
        labels=[F, F, U, U, U],
    )
    asked = [case("x", "before"), case("y", "after"), case("z", "overlaps")]
    assert answers(Baseline.MAJORITY, train, asked) == [U, U, U]
    # A relation that was never seen gets the majority of all.
    assert answers(Baseline.CLAIM_ONLY, train, asked) == [F, U, U]


def test_words_that_tell_the_label_are_learned() -> None:
    words = {T: "green tree", F: "grey stone", U: "blue river"}
    labels = [label for label in Label for _ in range(8)]
    cases = [case(str(n), premise=words[label]) for n, label in enumerate(labels)]
    train = LabelledItems(cases=cases, labels=labels)
    asked = [
        case("x", premise="a stone"),
        case("y", premise="the river"),
        case("z", premise="tree"),
    ]
    assert answers(Baseline.BAG_OF_WORDS, train, asked) == [F, U, T]
    assert cross_answers(Baseline.BAG_OF_WORDS, train) == labels


def test_one_label_to_learn_is_the_only_answer() -> None:
    train = LabelledItems(cases=[case("0"), case("1")], labels=[U, U])
    assert answers(Baseline.BAG_OF_WORDS, train, [case("x")]) == [U]


def test_random_answers_are_even_and_seeded() -> None:
    asked = [case(str(n)) for n in range(3_000)]
    nothing = LabelledItems(cases=[], labels=[])
    first = answers(Baseline.RANDOM, nothing, asked, seed=1)
    assert first == answers(Baseline.RANDOM, nothing, asked, seed=1)
    assert first != answers(Baseline.RANDOM, nothing, asked, seed=2)
    assert all(900 < count < 1_100 for count in Counter(first).values())
    # An item's answer does not depend on the items around it.
    assert answers(Baseline.RANDOM, nothing, asked[7:9], seed=1) == first[7:9]


def test_no_item_is_answered_by_a_fit_on_itself() -> None:
    """One item of each relation: a model that had seen it would know its label."""
    relations = list(ClaimRelation)
    cases = [case(str(n), relation) for n, relation in enumerate(relations)]
    items = LabelledItems(cases=cases, labels=[T, F, U])
    for seed in range(20):
        folded = cross_answers(Baseline.CLAIM_ONLY, items, seed=seed)
        assert all(given is not label for given, label in zip(folded, items.labels, strict=True))


def test_what_learns_needs_items() -> None:
    with pytest.raises(UntrainableError, match="found no training items"):
        answers(Baseline.MAJORITY, LabelledItems(cases=[], labels=[]), [case("x")])


@pytest.mark.parametrize("kind", Baseline)
def test_predictions_are_read_and_scored(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, right_file: Path, kind: Baseline
) -> None:
    file = tmp_path / "answers.jsonl"
    data = ["--data", str(right_file)]
    assert run(["baseline", kind.value, *data, "--out", str(file)]) == ExitStatus.OK
    assert run(["score", "nli", str(file), *data, "--json"]) == ExitStatus.OK
    output = json.loads(capsys.readouterr().out)
    assert output["unreadable"] == []
    assert output["overall"]["accuracy"]["value"] < 1.0
    again = tmp_path / "again.jsonl"
    assert run(["baseline", kind.value, *data, "--out", str(again)]) == ExitStatus.OK
    assert again.read_bytes() == file.read_bytes()


def test_a_fit_on_the_items_themselves_is_possible(
    capsys: pytest.CaptureFixture[str], right_file: Path
) -> None:
    file = str(right_file)
    assert run(["baseline", "bag-of-words", "--data", file, "--train", file]) == ExitStatus.OK
    rows = [json.loads(row) for row in capsys.readouterr().out.splitlines()]
    assert len(rows) == len(right_file.read_text(encoding="utf-8").splitlines())
    assert {row["answer"] for row in rows} <= set(Label)
