"""Each reasoner errs where its piece of logic is missing, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from benchmarks.eventhop.ablations.reasoners import (
    BOUNDS,
    CLAIM_ONLY,
    DIAGNOSED,
    FULL,
    PUBLISHED,
    REASONERS,
    Reasoner,
    UnansweredError,
    answer,
    most_frequent_labels,
    reasoner,
)
from grammar.eventhop.model import AllenRelation, Claim, ClaimRelation, Item, Label, Order, Status
from solver.encodings import ENCODINGS, encoding
from solver.eventhop.certificates.make import certify, hops
from solver.eventhop.engines.graph import ClosureEngine

ItemMaker = Callable[[str, str], Item]
Sampler = Callable[[int, int], list[Item]]

# premise, claim, right label, and the reasoners that err, with their labels
ERRORS = [
    ("B+ < A-", "A before B", "false", {}),
    ("A+ > A-", "A before B", "false", {"after-not-inverted": "undefined"}),
    ("A+ < B+", "A before B", "false", {"ends-confused": "true"}),
    ("B+ < A-", "A after B", "true", {"forward-search": "false"}),
    ("B- < A+", "A overlaps B", "false", {"overlap-by-absence": "true", "published": "true"}),
    ("A+ = B-", "A before B", "true", {"no-simultaneity": "false", "ends-confused": "false"}),
    ("A+ < C-, C+ < B-", "A before B", "true", {"hops-1": "false", "no-duration": "false"}),
    ("A+ < C-, B- > C-", "A before B", "true", {"hops-1": "false", "after-not-inverted": "false"}),
    (
        "C+ < B-, A+ < C-",
        "A before B",
        "true",
        {"hops-1": "false", "no-duration": "false", "single-pass": "false"},
    ),
    (
        "A+ < B-, B+ < A-",
        "A before B",
        "undefined",
        {"no-duration": "true", "blind-to-contradictions": "true", "first-derivation": "true"},
    ),
    (
        "B+ < A-, A+ < B-",
        "A before B",
        "undefined",
        {"no-duration": "true", "blind-to-contradictions": "true", "first-derivation": "false"},
    ),
    (
        "A- < C+, C+ < B-, B- < A-",
        "A before B",
        "undefined",
        {"hops-1": "false", "blind-to-contradictions": "false", "forward-search": "false"},
    ),
    (
        "A+ < A-",
        "A before B",
        "undefined",
        {
            "no-duration": "false",
            "blind-to-contradictions": "false",
            "ends-confused": "false",
            "published": "false",
        },
    ),
    (
        "A+ < C+, C+ < D+, D+ < B-",
        "A before B",
        "true",
        {"hops-1": "false", "hops-2": "false"},
    ),
]
ASKED = [each_reasoner for each_reasoner in REASONERS if each_reasoner.name != CLAIM_ONLY]
LACKING = [
    diagnosed_reasoner
    for diagnosed_reasoner in DIAGNOSED
    if diagnosed_reasoner.encoding and "ablations" in diagnosed_reasoner.encoding
]


def answers(items: list[Item], reasoners: list[Reasoner]) -> dict[str, tuple[Label, ...]]:
    return dict(answer(items, [Label.TRUE] * len(items), reasoners=reasoners).labels)


@pytest.mark.parametrize(("premise", "claim", "right", "wrong"), ERRORS)
def test_who_errs(
    item_of: ItemMaker, premise: str, claim: str, right: str, wrong: dict[str, str]
) -> None:
    found = {name: label for name, (label,) in answers([item_of(premise, claim)], ASKED).items()}
    assert found[FULL] == right
    assert {name: label.value for name, label in found.items() if label != right} == wrong


def test_every_reasoner_errs_somewhere_in_the_table() -> None:
    erring = {name for *_, wrong in ERRORS for name in wrong}
    deeper = {f"hops-{bound}" for bound in BOUNDS[2:]}
    assert {asked_reasoner.name for asked_reasoner in ASKED} - deeper - {FULL} == erring


@pytest.mark.parametrize("bound", BOUNDS)
def test_a_chain_as_long_as_the_bound_is_followed_and_no_longer_one(
    item_of: ItemMaker, bound: int
) -> None:
    def chain(hops: int) -> Item:
        steps = [f"E{n}+ < E{n + 1}-" for n in range(hops)]
        return item_of(", ".join(steps), f"E0 before E{hops}")

    name = f"hops-{bound}"
    found = answers([chain(bound), chain(bound + 1)], [reasoner(name)])[name]
    assert found == (Label.TRUE, Label.FALSE)


def test_bounded_reasoners_are_right_up_to_their_bound(sampled: Sampler) -> None:
    items = sampled(1, 150)
    verdicts = ClosureEngine().decide(items)
    distances = [hops(certify(*pair)) for pair in zip(items, verdicts, strict=True)]
    found = answers(items, [reasoner(f"hops-{bound}") for bound in BOUNDS])
    reached = 0
    for bound in BOUNDS:
        for verdict, distance, label in zip(
            verdicts, distances, found[f"hops-{bound}"], strict=True
        ):
            within = distance is None or distance <= bound
            reached += within
            if within:
                assert label is verdict.label
            elif verdict.status in (Status.ENTAILED, Status.REFUTED):
                # Refuted or not yet found, the label is false.
                assert label is Label.FALSE
    assert 0 < reached < len(items) * len(BOUNDS)


def test_the_full_reasoner_is_the_engine(sampled: Sampler) -> None:
    items = sampled(2, 100)
    decided = [verdict.label for verdict in ClosureEngine().decide(items)]
    assert list(answers(items, [reasoner(FULL)])[FULL]) == decided


def test_without_what_a_reasoner_misses_it_is_right(sampled: Sampler) -> None:
    items = sampled(3, 100)
    found = answers(items, ASKED)
    right = found[FULL]
    consistent = [verdict.consistent for verdict in ClosureEngine().decide(items)]
    orders = [{relation.order for relation in item.premise} for item in items]
    nothing_missing = {
        "no-simultaneity": [Order.SIMULTANEOUS not in order for order in orders],
        "after-not-inverted": [Order.AFTER not in order for order in orders],
        "blind-to-contradictions": consistent,
        "first-derivation": consistent,
        "overlap-by-absence": [
            isinstance(item.claim, Claim) and item.claim.relation is not ClaimRelation.OVERLAPS
            for item in items
        ],
    }
    for name, harmless in nothing_missing.items():
        assert 0 < sum(harmless) < len(items)
        errs = [a is not b for a, b in zip(found[name], right, strict=True)]
        assert not any(e and h for e, h in zip(errs, harmless, strict=True))
        assert any(errs)


def test_a_single_pass_is_right_where_the_sentences_follow_the_chain(item_of: ItemMaker) -> None:
    forwards = item_of("A+ < C-, C- = D-, D+ < B-", "A before B")
    backwards = item_of("D+ < B-, C- = D-, A+ < C-", "A before B")
    found = answers([forwards, backwards], [reasoner("single-pass")])["single-pass"]
    assert found == (Label.TRUE, Label.FALSE)


def test_the_claim_alone_gets_its_most_frequent_label(item_of: ItemMaker) -> None:
    items = [item_of("", f"A {relation} B") for relation in ("before", "after", "before", "before")]
    decided = [Label.FALSE, Label.UNDEFINED, Label.UNDEFINED, Label.UNDEFINED]
    assert str(most_frequent_labels(items, decided)) == (
        "most_frequent(after,undefined).\nmost_frequent(before,undefined)."
    )
    decided[2] = Label.FALSE
    found = answer(items, decided, reasoners=[reasoner(CLAIM_ONLY)]).labels[CLAIM_ONLY]
    assert found == (Label.FALSE, Label.UNDEFINED, Label.FALSE, Label.FALSE)


def test_the_published_procedure_is_left_out_where_it_has_no_label(item_of: ItemMaker) -> None:
    plain = item_of("A+ < B-", "A before B")
    allen = Claim(left="A", relation=AllenRelation.MEETS, right="B")
    allen_item = Item(id="m", premise=plain.premise, claim=allen)
    given = answer([plain, allen_item], [Label.TRUE, Label.FALSE])
    assert set(given.left_out) == {PUBLISHED}
    assert set(given.labels) == {each_reasoner.name for each_reasoner in REASONERS} - {PUBLISHED}


def test_an_encoding_that_gives_no_label_is_reported(item_of: ItemMaker) -> None:
    dumb = Reasoner(name="dumb", meaning="", habit="", encoding="temporal/allen.lp")
    with pytest.raises(UnansweredError, match="0 labels for 1 items"):
        answer([item_of("", "A before B")], [Label.FALSE], reasoners=[dumb])


def test_every_ablation_is_a_reasoner() -> None:
    files = {
        f"temporal/ablations/{path.name}" for path in (ENCODINGS / "temporal/ablations").iterdir()
    }
    assert files == {lacking_reasoner.encoding for lacking_reasoner in LACKING}


@pytest.mark.parametrize(
    "name", sorted({str(lacking_reasoner.encoding) for lacking_reasoner in LACKING})
)
def test_encodings_run_alone_in_silence(name: str, python: Callable[..., Any]) -> None:
    done = python("-m", "clingo", "--warn=all", "--verbose=0", encoding(name))
    assert (done.stdout.split(), done.stderr) == (["SATISFIABLE"], "")


@pytest.mark.parametrize(
    ("premise", "claim", "right", "wrong"),
    [
        ("A+ = B-", "A before B", "true", {"strict-meeting": "false"}),
        ("A- = B+", "A after B", "true", {"strict-meeting": "false"}),
        ("A+ < B-", "A before B", "true", {}),
        ("A+ = B-", "A overlaps B", "false", {}),
        ("A+ < B-, B+ < A-", "A before B", "undefined", {"never-undefined": "false"}),
        ("A+ < B-, C+ < D-, D+ < C-", "A before B", "true", {"global": "undefined"}),
        ("B+ < A-, C+ < C-", "A before B", "false", {"global": "undefined"}),
    ],
)
def test_other_readings(
    item_of: ItemMaker, premise: str, claim: str, right: str, wrong: dict[str, str]
) -> None:
    asked = [
        diagnosed_reasoner
        for diagnosed_reasoner in DIAGNOSED
        if diagnosed_reasoner not in REASONERS
    ]
    found = {name: label for name, (label,) in answers([item_of(premise, claim)], asked).items()}
    assert found == {
        asked_reasoner.name: wrong.get(asked_reasoner.name, right) for asked_reasoner in asked
    }
