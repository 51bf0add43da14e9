"""Quotas of entities: apportionment, dealing, separation, and the degrees of graphs."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from generators.tkg.config import Config, ConfigError, Distribution, Weights, curve_of
from generators.tkg.planting import plant_graph
from generators.tkg.rates import apportion, column_pairs, deal, separate
from generators.tkg.run import generate
from solver.graph.model import Ids

SEEDS = range(10)
CASES = 30
"""Random inputs for each seed."""


def one_by_one(weights: np.ndarray, total: int) -> list[int]:
    """D'Hondt: each id with a weight has 1, and each further one goes to the largest quotient."""
    found = [int(weight > 0) for weight in weights]
    for _ in range(total - sum(found)):
        quotients = [weight / (seats + 1) for weight, seats in zip(weights, found, strict=True)]
        found[int(np.argmax(quotients))] += 1
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_quotas_are_those_of_awarding_one_by_one(seed: int) -> None:
    random = np.random.default_rng(seed)
    for _ in range(CASES):
        weights = random.gamma(random.choice([0.1, 1, 5]), 1, random.integers(1, 12)) + 1e-9
        weights[1:] *= random.random(len(weights) - 1) < 0.8
        total = int(np.count_nonzero(weights) + random.integers(0, 60))
        assert apportion(weights, total).tolist() == one_by_one(weights, total)


@pytest.mark.parametrize("seed", SEEDS)
def test_equal_weights_have_quotas_of_the_largest_quotients(seed: int) -> None:
    random = np.random.default_rng(seed)
    for _ in range(CASES):
        weights = random.integers(1, 5, random.integers(1, 9)).astype(float)
        total = len(weights) + int(random.integers(0, 40))
        found = apportion(weights, total)
        assert found.sum() == total
        awarded = [
            weight / seats for weight, seats in zip(weights, found, strict=True) if seats > 1
        ]
        assert min(awarded, default=np.inf) >= max(weights / (found + 1)) - 1e-9


def test_the_largest_weights_have_the_quotas_if_there_are_too_few() -> None:
    assert apportion(np.array([0, 3, 1, 4, 0.5]), 2).tolist() == [0, 1, 0, 1, 0]
    assert apportion(np.array([2.0, 1.0]), 0).tolist() == [0, 0]


def check_deal(sizes: Ids, quotas: Ids, found: Ids) -> None:
    """Slots use up quotas, largest first; beyond them, entities with the most left come first."""
    left = quotas.astype(int).tolist()
    for size in sorted(set(sizes.tolist()), reverse=True):
        counts = np.bincount(found[sizes == size], minlength=len(left)).tolist()
        room = [max(0, size_left // size) for size_left in left]
        if sum(counts) <= sum(room):
            assert all(count <= able for count, able in zip(counts, room, strict=True))
        else:
            known = np.flatnonzero(quotas).tolist()
            rest = [left[identifier] - size * room[identifier] for identifier in known]
            over = [counts[identifier] - room[identifier] for identifier in known]
            assert min(over) >= 0
            assert max(over) - min(over) <= 1
            chosen = [
                remainder for remainder, more in zip(rest, over, strict=True) if more == max(over)
            ]
            others = [
                remainder for remainder, more in zip(rest, over, strict=True) if more < max(over)
            ]
            assert min(chosen) >= max(others, default=min(chosen))
        left = [size_left - size * count for size_left, count in zip(left, counts, strict=True)]


@pytest.mark.parametrize("seed", SEEDS)
def test_slots_use_up_the_quotas_largest_first(seed: int) -> None:
    random = np.random.default_rng(seed)
    for _ in range(CASES):
        sizes = random.integers(1, random.integers(2, 7), random.integers(0, 20)).astype(np.int64)
        weights = random.gamma(0.5, 1, random.integers(1, 8)) + 1e-9
        weights[1:] *= random.random(len(weights) - 1) < 0.8
        quotas = apportion(weights, int(sizes.sum()))
        found = deal(sizes, quotas, random)
        assert (quotas[found] > 0).all()
        check_deal(sizes, quotas, found)
        reached = np.bincount(found, sizes, len(quotas)).astype(int)
        if sizes.size and (sizes == 1).sum() >= len(quotas) * sizes.max() <= quotas.min():
            assert reached.tolist() == quotas.tolist()


def test_small_slots_bring_each_entity_to_its_quota() -> None:
    random = np.random.default_rng(0)
    sizes = np.repeat([40, 7, 3, 2, 1], [2, 20, 60, 200, 400]).astype(np.int64)
    quotas = apportion(random.gamma(0.3, 1, 250) + 1e-3, int(sizes.sum()))
    found = deal(sizes, quotas, random)
    assert np.bincount(found, sizes, 250).astype(int).tolist() == quotas.tolist()
    assert (quotas == 1).sum() > 20


def feasible(sizes: Ids, bound: Ids, apart: np.ndarray) -> bool:
    """Whether any permutation of the entities of the slots separates them."""
    pairs, slots = column_pairs(bound.shape[1]), np.nonzero(sizes)
    for entities in set(permutations(bound[slots].tolist())):
        table = bound.copy()
        table[slots] = entities
        if not (apart & (table[:, pairs[:, 0]] == table[:, pairs[:, 1]])).any():
            return True
    return False


@pytest.mark.parametrize("seed", SEEDS)
def test_entities_are_separated_if_a_permutation_can(seed: int) -> None:
    random = np.random.default_rng(seed)
    for _ in range(CASES):
        shape = (int(random.integers(1, 4)), 3)
        sizes = random.integers(0, 4, shape)
        sizes.ravel()[6:] = 0
        bound = random.integers(0, 3, shape)
        pairs = column_pairs(3)
        used = (sizes[:, pairs[:, 0]] > 0) & (sizes[:, pairs[:, 1]] > 0)
        apart = used & (random.random(used.shape) < 0.7)
        if not feasible(sizes, bound, apart):
            with pytest.raises(ConfigError, match="could not be kept apart"):
                separate(sizes, bound, apart, random)
            continue
        found = separate(sizes, bound, apart, random)
        assert not (apart & (found[:, pairs[:, 0]] == found[:, pairs[:, 1]])).any()
        assert sorted(found[sizes > 0].tolist()) == sorted(bound[sizes > 0].tolist())
        assert (found[sizes == 0] == bound[sizes == 0]).all()


def test_swaps_between_slots_of_one_size_keep_the_sums() -> None:
    random = np.random.default_rng(1)
    sizes = np.repeat(np.arange(1, 5), 100).reshape(-1, 4)
    bound = random.integers(0, 9, sizes.shape)
    found = separate(sizes, bound, np.ones((100, 6), np.bool_), random)
    assert all(len(set(row)) == 4 for row in found.tolist())
    sums = [np.bincount(table.ravel(), sizes.ravel()).tolist() for table in (bound, found)]
    assert sums[0] == sums[1]


BASE = {
    "entities": 1_500,
    "relations": 12,
    "steps": 140,
    "patterns": [4, 8, 6],
    "flags": "1100",
    "mode": "forced",
    "probability": 0.5,
    # All facts of an instance are at one time, so none is beyond the last.
    "lags": {"low": 0, "high": 0},
    "entity_weights": {"distribution": "zipf", "exponent": 1.0},
    "quotas": True,
}


def config(**options: object) -> Config:
    return Config.of_json(BASE | options)


def planted_degrees(made: Config, seed: int) -> Ids:
    """Ends of planted facts by entity, of repeated facts too."""
    start = plant_graph(made, seed)
    facts = start.space.facts(start.planted.codes[start.planted.codes >= 0])
    return np.bincount(np.concatenate((facts.head, facts.tail)), minlength=made.entities)


@pytest.mark.parametrize("options", [{}, {"loops": 0.0}, {"injective": True}])
@pytest.mark.parametrize("again", [{}, {"repetition": 0.5}, {"repetition": 0.6, "mixed": 0.5}])
def test_degrees_of_planted_facts_are_the_quotas(
    options: dict[str, object], again: dict[str, object]
) -> None:
    # Repetitions leave few placeholders of a single fact, so fewer entities can have one.
    entities, exponent = (300, 0.5) if again else (1_500, 1)
    values = (np.arange(1, entities + 1.0) ** -exponent).tolist()
    weights = {"distribution": "given", "values": values}
    made = config(entities=entities, entity_weights=weights, **options, **again)
    degrees = planted_degrees(made, 7)
    quotas = apportion(np.array(values), int(degrees.sum()))
    # Some slots of the most frequent entities were swapped with ones of sizes nearby.
    assert np.abs(degrees - quotas).sum() <= 0.05 * quotas.sum()
    if not again:
        alone = [int((array == 1).sum()) for array in (degrees, quotas)]
        assert alone[0] == pytest.approx(alone[1], abs=0.1 * alone[1])
        assert alone[1] > 300
    if options:
        graph = generate(made, 7).facts
        assert not (graph.head == graph.tail).any()


def test_repetitions_are_mixed_over_patterns_by_their_share() -> None:
    wide = {"entities": 3_000, "entity_weights": {}, "injective": True, "repetition": 0.6}
    shares = []
    for mixed in (0.0, 0.5, 1.0):
        start = plant_graph(config(**wide, mixed=mixed), 2)
        pairs: dict[int, set[tuple[int, int]]] = {}
        own_flags, others = [], []
        for pattern, codes in zip(start.planted.pattern.tolist(), start.planted.codes, strict=True):
            # The entities of the first two placeholders, which are those of the first fact.
            fact = start.space.facts(codes[:1])
            pair = (int(fact.head[0]), int(fact.tail[0]))
            earlier = set().union(*pairs.values())
            own_flags.append(pair in pairs.get(pattern, set()))
            others.append(pair in earlier or pair[::-1] in earlier)
            pairs.setdefault(pattern, set()).add(pair)
        shares.append((np.mean(own_flags), np.mean(others)))
    assert shares[0][0] == pytest.approx(0.6, abs=0.05)
    assert shares[0][1] == pytest.approx(shares[0][0], abs=0.02)
    assert shares[2][1] == pytest.approx(0.6, abs=0.05)
    assert shares[0][0] > shares[1][0] + 0.1 > shares[2][0] + 0.2


def test_a_curve_of_quotas_rounds_down_to_the_counts() -> None:
    random = np.random.default_rng(0)
    counts = np.floor(random.pareto(0.9, 5_000) + 1).astype(np.int64)
    values = curve_of(counts, floored=True)
    weights = Weights(distribution=Distribution.CURVE, values=values)
    drawn = weights.drawn(len(counts), random, named="entities")
    quotas = apportion(drawn, int(counts.sum()))
    for degree in (1, 2, 3, 5, 10, 50):
        assert (quotas <= degree).mean() == pytest.approx((counts <= degree).mean(), abs=0.02)
