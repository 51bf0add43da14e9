"""How well a label is guessed from some features: cross-validated macro-F1 against chance.

Chance is a guess drawn at random with the labels' own frequencies. Of all guesses that look at
nothing it has the best expected macro-F1, 1/k for k labels whatever their balance: with a share
p of a label guessed with frequency q, F1 is 2pq/(p + q), and the sum over labels is largest at
q = p.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from solver.artefacts.features import Seen, matrix
from solver.artefacts.sample import Sample
from solver.extras import available, install_hint

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LIBRARIES = ("sklearn", "scipy", "threadpoolctl")
"""What guessing needs; without them it is not measured, and the note names the extra."""

FOLDS = 5
FEWEST = 10
"""A label with fewer items is left out: a fold would hold too few of it to be measured."""

SEED = 20_240_229
PERMUTATIONS = 200
MARGIN = 0.03
"""By how much macro-F1 may exceed chance before it is told."""

LUCK = 3.09
"""Standard deviations above the mean that 99.9% of a normal distribution stay below."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess:
    """What a guesser reaches. All figures but the counts are in [0, 1]; higher gives away more.

    Attributes:
        seen: what the guesser sees.
        items: how many items it was tried on, repeats left out.
        macro_f1: the mean over the folds of the unweighted mean of the labels' F1, for the better
            of two guessers: the most probable label, and a label drawn with its probability. (Where
            probabilities differ little, the first always says the same.)
        low, high: the least and the greatest over the folds.
        chance: macro-F1 of guesses that look at nothing, the mean over permutations of the labels.
        chance_high: what 99.9% of these stay below.
        note: why nothing was measured, or what was left out; then the figures may be None.
    """

    seen: Seen
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
    def gives_away(self) -> bool:
        """Whether the label can be guessed: better than chance, and not by luck."""
        return (
            self.better_than_chance
            and self.macro_f1 is not None
            and self.chance_high is not None
            and self.macro_f1 > self.chance_high
        )


def guess(samples: Sequence[Sample], seen: Seen) -> Guess:
    """Measure how well labels are guessed from what is seen.

    Args:
        samples: each text once, in any fixed order.
        seen: what the guesser sees of each.
    """
    counts = Counter(sample.gold.value for sample in samples)
    rare = sorted(label for label, number in counts.items() if number < FEWEST)
    used = [sample for sample in samples if sample.gold.value not in rare]
    left = sorted(set(counts) - set(rare))
    if len(left) < 2:
        found = ", ".join(f"{counts[label]} {label}" for label in sorted(counts)) or "no items"
        return Guess(
            seen=seen,
            items=len(used),
            note=f"too few: needs two labels with {FEWEST} items each, has {found}",
        )
    if not available(*LIBRARIES):
        note = f"scikit-learn is not installed ({install_hint('sklearn')})"
        return Guess(seen=seen, items=len(used), note=note)
    note = f"left out, too few: {', '.join(f'{counts[r]} {r}' for r in rare)}" if rare else ""
    return _measured(used, left, seen, note)


def _measured(used: Sequence[Sample], labels: Sequence[str], seen: Seen, note: str) -> Guess:
    import numpy as np

    numbers = {label: number for number, label in enumerate(labels)}
    gold = np.array([numbers[sample.gold.value] for sample in used])
    features = matrix(used, seen)
    if features.shape[1] == 0:
        return Guess(seen=seen, items=len(used), note="nothing to see")
    folds = _folds(features, gold, len(labels))
    chances = _chances(gold, len(labels))
    return Guess(
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
    # One thread: the last bits of a sum depend on how it is shared out.
    with threadpool_limits(limits=1):
        for train, test in splits:
            # Balanced: macro-F1 counts each label alike, so a guesser for it has to as well.
            model = LogisticRegression(class_weight="balanced", max_iter=60, tol=1e-3)
            model.fit(features[train], gold[train])
            probable = model.predict_proba(features[test])
            frequent = np.bincount(gold[train], minlength=labels)
            reached.append(
                [_most_probable(gold[test], probable), _drawn(gold[test], probable * frequent)]
            )
    # One guesser for all folds, so that no fold picks the one it likes.
    by_guesser: NDArray[np.float64] = np.array(reached).T
    better: NDArray[np.float64] = by_guesser[by_guesser.mean(axis=1).argmax()]
    return better


def _most_probable(gold: NDArray[np.intp], probable: NDArray[np.float64]) -> float:
    """Macro-F1 of guessing the most probable label, all labels given the same weight."""
    return _macro_f1(gold, probable.argmax(axis=1), probable.shape[1])


def _drawn(gold: NDArray[np.intp], likely: NDArray[np.float64]) -> float:
    """Expected macro-F1 of drawing each label with its probability, as chance does."""
    import numpy as np

    shares = likely / likely.sum(axis=1, keepdims=True)
    hits = np.bincount(gold, shares[np.arange(len(gold)), gold], minlength=shares.shape[1])
    both = shares.sum(axis=0) + np.bincount(gold, minlength=shares.shape[1])
    return float((2 * hits / both).mean())


def _chances(gold: NDArray[np.intp], labels: int) -> NDArray[np.float64]:
    import numpy as np

    draw = np.random.default_rng(SEED)
    return np.array([_macro_f1(gold, draw.permutation(gold), labels) for _ in range(PERMUTATIONS)])


def _macro_f1(gold: NDArray[np.intp], guessed: NDArray[np.intp], labels: int) -> float:
    import numpy as np

    confusion = np.bincount(gold * labels + guessed, minlength=labels * labels)
    confusion = confusion.reshape(labels, labels)
    both = confusion.sum(axis=0) + confusion.sum(axis=1)
    return float((2 * np.diag(confusion) / np.maximum(both, 1)).mean())
