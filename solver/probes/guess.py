"""Probes: cross-validated macro-F1 of predicting the label from some features, against chance.

Chance draws labels at random with their own frequencies. It has the best expected macro-F1 of all
predictors without features, 1/k for k labels whatever their balance: if a label with share p is
predicted with frequency q, its F1 is 2pq/(p + q), and the sum over labels is largest at q = p.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from solver.extras import available, install_hint
from solver.probes.sample import FeatureSet, Sample, matrix

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LIBRARIES = ("sklearn", "scipy", "threadpoolctl")
"""Libraries of the probes; without them no probe is run, and the note names the extra."""

FOLDS = 5
FEWEST = 10
"""Labels with fewer items are left out: folds would be too small."""

SEED = 20_240_229
PERMUTATIONS = 200
MARGIN = 0.03
"""Difference to chance from which macro-F1 is reported."""

LUCK = 3.09
"""The 99.9% quantile of the standard normal distribution."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeResult:
    """Scores of a probe. All but the counts are in [0, 1]; higher means more label leakage.

    Attributes:
        seen: the features.
        items: number of distinct items.
        macro_f1: macro-F1, mean over the folds, for the better of two decision rules: the most
            probable label, and a label drawn with its probability. (If probabilities differ
            little, the first always predicts the same label.)
        low, high: minimum and maximum over the folds.
        chance: macro-F1 of chance, mean over permutations of the labels.
        chance_high: 99.9% quantile of chance.
        note: why the probe was not run, or what was left out; the scores may be None.
    """

    seen: FeatureSet
    items: int
    macro_f1: float | None = None
    low: float | None = None
    high: float | None = None
    chance: float | None = None
    chance_high: float | None = None
    note: str = ""

    @property
    def better_than_chance(self) -> bool:
        """Whether macro-F1 exceeds chance by more than ``MARGIN``."""
        return (
            self.macro_f1 is not None
            and self.chance is not None
            and self.macro_f1 > self.chance + MARGIN
        )

    @property
    def leaks_label(self) -> bool:
        """Whether the features predict the label: better than chance, and significantly."""
        return (
            self.better_than_chance
            and self.macro_f1 is not None
            and self.chance_high is not None
            and self.macro_f1 > self.chance_high
        )


def probe(samples: Sequence[Sample], seen: FeatureSet) -> ProbeResult:
    """Measure how well some features predict the label.

    Args:
        samples: distinct texts, in any fixed order.
        seen: the features.
    """
    counts = Counter(sample.gold.value for sample in samples)
    rare = sorted(label for label, number in counts.items() if number < FEWEST)
    used = [sample for sample in samples if sample.gold.value not in rare]
    left = sorted(set(counts) - set(rare))
    if len(left) < 2:
        found = ", ".join(f"{counts[label]} {label}" for label in sorted(counts)) or "no items"
        return ProbeResult(
            seen=seen,
            items=len(used),
            note=f"too few items: found {found}, expected two labels with {FEWEST} items each",
        )
    if not available(*LIBRARIES):
        note = f"scikit-learn is not installed ({install_hint('sklearn')})"
        return ProbeResult(seen=seen, items=len(used), note=note)
    note = f"left out, too few: {', '.join(f'{counts[r]} {r}' for r in rare)}" if rare else ""
    return _cross_validated(used, left, seen, note)


def _cross_validated(
    used: Sequence[Sample], labels: Sequence[str], seen: FeatureSet, note: str
) -> ProbeResult:
    import numpy as np

    numbers = {label: number for number, label in enumerate(labels)}
    gold = np.array([numbers[sample.gold.value] for sample in used])
    features = matrix(used, seen)
    if features.shape[1] == 0:
        return ProbeResult(seen=seen, items=len(used), note="no features")
    folds = _folds(features, gold, len(labels))
    chances = _chances(gold, len(labels))
    return ProbeResult(
        seen=seen,
        items=len(used),
        macro_f1=_figure(folds.mean()),
        low=_figure(folds.min()),
        high=_figure(folds.max()),
        chance=_figure(chances.mean()),
        chance_high=_figure(chances.mean() + LUCK * chances.std()),
        note=note,
    )


def _figure(value: Any) -> float:  # noqa: ANN401 - numpy's scalars have many types
    return round(float(value), 4)


def _folds(features: Any, gold: NDArray[np.intp], labels: int) -> NDArray[np.float64]:  # noqa: ANN401
    import numpy as np
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    reached = []
    splits = StratifiedKFold(FOLDS, shuffle=True, random_state=SEED).split(gold, gold)
    # One thread: floating-point sums depend on the number of threads.
    with threadpool_limits(limits=1):
        for train, test in splits:
            # Balanced class weights, because macro-F1 weighs all labels equally.
            model = LogisticRegression(class_weight="balanced", max_iter=60, tol=1e-3)
            model.fit(features[train], gold[train])
            probable = model.predict_proba(features[test])
            frequent = np.bincount(gold[train], minlength=labels)
            reached.append(
                [_most_probable(gold[test], probable), _drawn(gold[test], probable * frequent)]
            )
    # One decision rule for all folds.
    by_rule: NDArray[np.float64] = np.array(reached).T
    better: NDArray[np.float64] = by_rule[by_rule.mean(axis=1).argmax()]
    return better


def _most_probable(gold: NDArray[np.intp], probable: NDArray[np.float64]) -> float:
    """Macro-F1 of predicting the most probable label under balanced class weights."""
    return _macro_f1(gold, probable.argmax(axis=1), probable.shape[1])


def _drawn(gold: NDArray[np.intp], likely: NDArray[np.float64]) -> float:
    """Expected macro-F1 of drawing each label with its probability."""
    import numpy as np

    shares = likely / likely.sum(axis=1, keepdims=True)
    hits = np.bincount(gold, shares[np.arange(len(gold)), gold], minlength=shares.shape[1])
    both = shares.sum(axis=0) + np.bincount(gold, minlength=shares.shape[1])
    return float((2 * hits / both).mean())


def _chances(gold: NDArray[np.intp], labels: int) -> NDArray[np.float64]:
    import numpy as np

    draw = np.random.default_rng(SEED)
    return np.array([_macro_f1(gold, draw.permutation(gold), labels) for _ in range(PERMUTATIONS)])


def _macro_f1(gold: NDArray[np.intp], predicted: NDArray[np.intp], labels: int) -> float:
    import numpy as np

    confusion = np.bincount(gold * labels + predicted, minlength=labels * labels)
    confusion = confusion.reshape(labels, labels)
    both = confusion.sum(axis=0) + confusion.sum(axis=1)
    return float((2 * np.diag(confusion) / np.maximum(both, 1)).mean())
