"""The framework of probes: what is planted is found, and nothing else."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from solver.probes.learners import Bags, Features, Keys, Sequences, Table, learner
from solver.probes.probe import (
    FOLDS,
    MARGIN,
    Labelled,
    Probe,
    ProbeLevel,
    folds_of,
    run_probe,
    run_probes,
    wilson,
)

LABELS = ("true", "false", "undefined")


def numbers(items: Sequence[Any]) -> Features:
    rows = [[len(item["words"]), item["count"], item["other"]] for item in items]
    return Table(names=("words", "count", "other"), values=np.array(rows, dtype=float))


def words(items: Sequence[Any]) -> Features:
    return Bags(bags=[item["words"] for item in items])


def sequences(items: Sequence[Any]) -> Features:
    return Sequences(words=[item["words"] for item in items], sizes=(2, 3))


def keys(items: Sequence[Any]) -> Features:
    return Keys(keys=[item["key"] for item in items])


PROBES: tuple[Probe[Any], ...] = (
    Probe(name="numbers", features=numbers),
    Probe(name="words", features=words),
    Probe(name="sequences", features=sequences),
    Probe(name="keys", features=keys),
)


def drawn(
    size: int, seed: int, *, planted: float = 0, weights: tuple[float, ...] = (1, 1, 1)
) -> Labelled[Any]:
    """Random items; in a share of them, a count, a word and a key determine the label."""
    source = random.Random(seed)
    items = []
    labels = []
    for _ in range(size):
        label = source.choices(LABELS, weights)[0]
        item: dict[str, Any] = {
            "words": [f"w{source.randrange(400)}" for _ in range(30)],
            "count": source.randrange(6),
            "other": source.random(),
            "key": source.randrange(10**9),
        }
        if source.random() < planted:
            item["count"] = 20 + LABELS.index(label)
            item["words"][:2] = f"marker-{label}", "of"
            item["key"] = LABELS.index(label)
        items.append(item)
        labels.append(label)
    return Labelled(items=items, labels=labels, ids=[f"i{n}" for n in range(size)])


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.name)
@pytest.mark.parametrize("apart", [False, True], ids=["folds", "train"])
def test_a_feature_that_decides_a_tenth_of_the_items_is_found(
    probe: Probe[Any], apart: bool
) -> None:
    scored = drawn(2500, 1, planted=0.1)
    result = run_probe(probe, scored, drawn(5000, 2, planted=0.1) if apart else None)
    assert result.shortcut
    assert result.excess is not None
    assert 0.04 < result.excess < 0.1
    assert result.strongest
    for value in result.strongest[:1]:
        assert value.share > 0.9
        assert 0 < value.items < 150
        at = [scored.ids.index(example) for example in value.examples]
        assert {scored.labels[n] for n in at} == {value.label}
    said = {"numbers": "count >", "keys": "key "}.get(probe.name, "`marker-")
    assert said in result.strongest[0].value


@pytest.mark.parametrize("weights", [(1, 1, 1), (3, 1, 0), (8, 1, 1)])
@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.name)
def test_random_labels_stay_at_chance(probe: Probe[Any], weights: tuple[float, ...]) -> None:
    for seed in range(3):
        result = run_probe(probe, drawn(1500, seed, weights=weights))
        assert result.chance == pytest.approx(max(weights) / sum(weights), abs=0.04)
        assert not result.shortcut
        assert result.excess is not None
        assert result.excess < MARGIN + 0.01


def test_sequences_are_those_of_the_texts() -> None:
    """As naive Bayes on the sequences written out, also of empty and one-word texts."""
    source = random.Random(8)
    for turn in range(40):
        texts = [
            [source.choice("abc") for _ in range(source.randrange(7))]
            for _ in range(source.randrange(1, 60))
        ]
        sizes = source.choice([(2,), (2, 3), (3,), (2, 4)])
        bags = [
            [" ".join(text[at : at + n]) for n in sizes for at in range(len(text) - n + 1)]
            for text in texts
        ]
        gold = np.array([source.randrange(2) for _ in texts])
        rows = np.arange(len(texts))
        found = []
        for features in (Bags(bags=bags), Sequences(words=texts, sizes=sizes)):
            model = learner(features, 2)
            model.fit(rows, gold)
            values = [
                (text, members.tolist()) for text, _, members in model.strongest(rows, gold, 1000)
            ]
            found.append((model.scores(rows).argmax(axis=1).tolist(), sorted(values)))
        assert found[0] == found[1], turn


def test_a_group_is_in_one_fold() -> None:
    groups = [random.Random(n).randrange(40) for n in range(200)]
    folds = folds_of(groups)
    assert len({*zip(groups, folds.tolist(), strict=True)}) == len(set(groups))
    assert set(folds.tolist()) == set(range(FOLDS))


def test_labels_that_follow_from_the_rest_of_a_group_are_no_guess_below_chance() -> None:
    """Of three items with equal counts and all labels, two would say what the third is not."""
    source = random.Random(9)
    items, labels, groups = [], [], []
    for group in range(400):
        count = source.random()
        for label in LABELS:
            items.append({"words": [], "count": count, "other": 0, "key": 0})
            labels.append(label)
            groups.append(group)
    ids = list(map(str, range(len(items))))
    alone = run_probe(PROBES[0], Labelled(items=items, labels=labels, ids=ids))
    whole = run_probe(PROBES[0], Labelled(items=items, labels=labels, ids=ids, groups=groups))
    assert (alone.excess or 0) < -0.02
    assert whole.excess == pytest.approx(0, abs=1e-4)


def test_a_probe_beside_others_finds_the_same() -> None:
    """Folds are shared by probes, but not with those that memorise across groups."""
    scored = drawn(600, 5, planted=0.3)
    scored = replace(scored, groups=[random.Random(n).randrange(60) for n in range(600)])
    alone = [run_probe(probe, scored) for probe in PROBES]
    assert list(run_probes(PROBES, scored)) == alone
    assert list(run_probes(PROBES[::-1], scored)) == alone[::-1]


def test_two_numbers_that_decide_only_together_are_found() -> None:
    source = random.Random(3)
    items = [
        {"words": [], "count": source.randrange(2), "other": source.randrange(2), "key": 0}
        for _ in range(2000)
    ]
    labels = ["true" if item["count"] == item["other"] else "false" for item in items]
    result = run_probe(PROBES[0], Labelled(items=items, labels=labels, ids=[""] * 2000))
    assert result.accuracy == 1


def test_results_do_not_depend_on_a_second_run_and_are_json() -> None:
    import msgspec

    scored = drawn(600, 4, planted=0.3)
    found = list(run_probes(PROBES, scored))
    assert found == list(run_probes(PROBES, scored))
    assert msgspec.json.decode(msgspec.json.encode(found))[0]["name"] == "numbers"


def test_levels() -> None:
    probes = (*PROBES, Probe(name="slow", features=numbers, fast=False))
    scored = drawn(100, 5)
    for level, expected in ((ProbeLevel.NONE, 0), (ProbeLevel.FAST, 4), (ProbeLevel.ALL, 5)):
        assert len(list(run_probes(probes, scored, level=level))) == expected


@pytest.mark.parametrize("size", [0, 3, 25])
def test_too_few_items_have_a_note(size: int) -> None:
    labelled = drawn(size, 6, weights=(1, 0, 0))
    result = run_probe(PROBES[0], labelled)
    assert result.accuracy is None
    assert not result.shortcut
    assert "too few items" in str(result)


def test_a_rare_label_is_left_out() -> None:
    result = run_probe(PROBES[1], drawn(600, 7, weights=(100, 100, 1)))
    assert "left out, too few" in str(result)
    assert result.chance == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize("items", [24, 60])
def test_few_items_are_seldom_ranked_by_chance(items: int) -> None:
    alarms = 0
    for seed in range(60):
        scored = drawn(items, 100 + seed, weights=(1, 1, 0))
        alarms += any(run_probe(probe, scored).shortcut for probe in PROBES)
    assert alarms <= 2


def test_the_area_of_a_rare_label_is_found_that_is_never_predicted() -> None:
    source = random.Random(12)
    items, labels = [], []
    for _ in range(2500):
        rare = source.random() < 0.15
        count = source.choices(range(4), (1, 2, 3, 4) if rare else (4, 3, 2, 1))[0]
        items.append({"words": [], "count": count, "other": 0, "key": 0})
        labels.append("rare" if rare else "usual")
    result = run_probe(PROBES[0], Labelled(items=items, labels=labels, ids=[""] * len(items)))
    assert (result.excess or 0) < MARGIN
    assert result.auc == pytest.approx(0.75, abs=0.04)
    assert result.shortcut
    assert ", AUC 0.7" in str(result)


@pytest.mark.parametrize(("right", "items"), [(0, 10), (5, 10), (10, 10), (400, 1000)])
def test_the_interval_solves_its_equation(right: int, items: int) -> None:
    """Each end is a share p from which right / items is exactly that many errors away."""
    for end in wilson(right, items, 2.0):
        assert (right / items - end) ** 2 == pytest.approx(4 * end * (1 - end) / items)


def test_a_table_is_made_once_for_each_split() -> None:
    """And each probe of it sees its own columns, of both splits."""
    made: list[int] = []
    source = np.random.default_rng(4)

    def table(items: Sequence[int]) -> Table:
        made.append(len(items))
        gold = np.array([item % 2 for item in items])
        noise = source.integers(0, 2, len(items))
        return Table(names=("label", "noise"), values=np.stack([gold, noise], axis=1).astype(float))

    def split(size: int) -> Labelled[int]:
        labels = [str(item % 2) for item in range(size)]
        return Labelled(items=range(size), labels=labels, ids=labels)

    probes = [
        Probe(name="noise", features=table, columns=("noise",)),
        Probe(name="label", features=table, columns=("label",)),
        Probe(name="both", features=table),
    ]
    scored, train = split(200), split(300)
    noise, label, both = run_probes(probes, scored, train)
    assert made == [200, 300]
    assert label.accuracy == both.accuracy == 1
    assert noise.accuracy is not None
    assert noise.accuracy < 0.7
    alone = tuple(run_probe(probe, scored, train) for probe in probes[1:])
    assert alone == (label, both)
