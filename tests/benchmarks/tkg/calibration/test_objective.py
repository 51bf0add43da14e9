"""Algorithm 13 by hand, as printed and relative."""

from __future__ import annotations

import pytest

from benchmarks.tkg.calibration.objective import (
    EPSILON,
    METRICS,
    WEIGHTED,
    Figures,
    Objective,
    ObjectiveError,
    ObjectiveKind,
)
from solver.graph.statistics import DISTANCES

REFERENCE = Figures(
    metrics=dict.fromkeys(METRICS, 10.0)
    | {"density": 0.5, "gini_entities": 0.0, "self_loops": 0.0},
    baselines={"one": 0.2, "two": 0.6},
    distances=dict.fromkeys(DISTANCES, 0.0),
)
FOUND = Figures(
    metrics=REFERENCE.metrics
    | {"facts": 12.0, "density": 0.4, "gini_entities": 0.01, "self_loops": 0.2},
    baselines={"one": 0.1, "two": 0.9},
    distances=REFERENCE.distances | {"degree_ks": 0.3},
)
N = len(WEIGHTED)


@pytest.mark.parametrize(
    ("kind", "errors"),
    [
        (ObjectiveKind.PRINTED, (2 / 10, 0.1 / 1, 0.01 / 1)),
        (ObjectiveKind.RELATIVE, (2 / 10, 0.1 / 0.5, 0.01 / EPSILON)),
    ],
)
def test_by_hand(kind: ObjectiveKind, errors: tuple[float, ...]) -> None:
    objective = Objective(kind=kind)
    message = objective.errors(FOUND, REFERENCE)
    named = dict(zip(("facts", "density", "gini_entities"), errors, strict=True))
    # Self-loops are relative to at least .01, and distances count as they are.
    named |= {"self_loops": 20, "degree_ks": 0.3}
    assert message == pytest.approx(dict.fromkeys(WEIGHTED, 0.0) | named)
    score = objective.score(FOUND, REFERENCE)
    assert score.core == pytest.approx((sum(errors) + 20.3) / N)
    assert score.base == pytest.approx((0.1 + 0.3) / 2)
    assert score.total == pytest.approx((sum(errors) + 20.3) / N + 0.2)


def test_weights_and_lambda_by_hand() -> None:
    objective = Objective(
        weights=dict.fromkeys(WEIGHTED, 0.0) | {"facts": 3.0, "density": 1.0}, baseline_weight=5
    )
    score = objective.score(FOUND, REFERENCE)
    assert score.core == pytest.approx((3 * 0.2 + 1 * 0.2) / 4)
    assert score.total == pytest.approx(score.core + 5 * 0.2)


def test_baselines_alone_can_count() -> None:
    objective = Objective(weights=dict.fromkeys(WEIGHTED, 0.0))
    assert objective.score(FOUND, REFERENCE).total == pytest.approx(0.2)


@pytest.mark.parametrize("kind", ObjectiveKind)
def test_the_reference_itself_scores_0(kind: ObjectiveKind) -> None:
    assert Objective(kind=kind).score(REFERENCE, REFERENCE).total == 0


@pytest.mark.parametrize(
    ("weights", "lam", "message"),
    [
        ({"fact": 1.0}, 1.0, "found a weight of fact, expected one of facts, entities"),
        ({"facts": -1.0}, 1.0, "found the weight -1.0, expected a number from 0"),
        ({"facts": float("nan")}, 1.0, "found the weight nan"),
        ({}, float("inf"), "found the weight inf"),
        (dict.fromkeys(WEIGHTED, 0.0), 0.0, "found no weight above 0"),
    ],
)
def test_weights_that_mean_nothing_are_refused(
    weights: dict[str, float], lam: float, message: str
) -> None:
    with pytest.raises(ObjectiveError, match=message):
        Objective(weights=weights, baseline_weight=lam)
