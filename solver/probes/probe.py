"""Probes: how well a label can be predicted from some features, without reasoning.

A probe maps items to features, of one of three forms, each with a classifier in ``learners``. It is
fitted on the items of another split, or else by cross-validation, and its accuracy is compared with
chance, the share of the most frequent label.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from solver.probes.learners import Features

Item = TypeVar("Item")


class ProbeLevel(StrEnum):
    """Which probes are run."""

    NONE = "none"
    FAST = "fast"
    ALL = "all"


PROBED = {ProbeLevel.FAST: 2_000, ProbeLevel.ALL: 20_000}
"""Maximum number of items of a file that are probed."""


FEWEST_PROBED = 10
"""Labels with fewer items are not probed."""


MARGIN = 0.03
"""A probe is a finding if its accuracy exceeds chance by more than this."""

QUANTILE = 3.09
"""Of the standard normal distribution: each end of the interval is passed by chance once in 1,000
times, as there are many probes."""

FOLDS = 5
SHOWN = 3
"""Number of feature values and of example ids that a result lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe(Generic[Item]):
    """What a classifier may see.

    Attributes:
        name: the features in words, such as ``the words of the claim``.
        features: the features of all items of a split, in their order; they may depend on the other
            items of the split, but on no label.
        fast: whether the probe is run by default.
    """

    name: str
    features: Callable[[Sequence[Item]], Features]
    fast: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled(Generic[Item]):
    """The items of a split with their labels and ids.

    Attributes:
        groups: the group of each item, if items were made in groups: items of a group are in the
            same fold, as the label of an item can follow from those of the others. Keys are
            memorised across groups.
    """

    items: Sequence[Item]
    labels: Sequence[str]
    ids: Sequence[str]
    groups: Sequence[Hashable] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureValue:
    """A value of a feature, and what it says about the scored items.

    Attributes:
        value: such as ``mentions of the first event > 4``.
        label: the label that it predicts.
        items: number of items with the value; ``share`` of them have the label.
        examples: ids of some of these.
    """

    value: str
    label: str
    items: int
    share: float
    examples: tuple[str, ...]

    def __str__(self) -> str:
        """Format as ``mentions > 4: undefined in 61% of 120 items (such as 7, 9)``."""
        such = f" (such as {', '.join(self.examples)})" if self.examples else ""
        counted = "1 item" if self.items == 1 else f"{self.items:,} items"
        return f"{self.value}: {self.label} in {100 * self.share:.0f}% of {counted}{such}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeResult:
    """The result of a probe; every figure is in [0, 1], or None if the probe was not run.

    Attributes:
        name: the features.
        fitted: on what the classifier was fitted.
        items: number of scored items.
        accuracy: share of right predictions, with its Wilson interval ``low`` to ``high``.
        chance: share of the most frequent label.
        strongest: the feature values that predict most, strongest first.
        note: why the probe was not run, or what was left out.
    """

    name: str
    fitted: str = ""
    items: int = 0
    accuracy: float | None = None
    low: float | None = None
    high: float | None = None
    chance: float | None = None
    strongest: tuple[FeatureValue, ...] = ()
    note: str = ""

    def figures(self) -> tuple[str, str, str]:
        """Accuracy, interval and chance; a note instead if the probe was not run."""
        if self.accuracy is None:
            return self.note, "", ""
        interval = f"{self.low:.3f} to {self.high:.3f}"
        return f"{self.accuracy:.3f}", interval, f"{self.chance:.3f}"

    def as_json(self) -> dict[str, Any]:
        """The figures as JSON values."""
        return {
            "features": self.name,
            "items": self.items,
            "accuracy": self.accuracy,
            "interval": [self.low, self.high],
            "chance": self.chance,
            "shortcut": self.shortcut,
            "note": self.note,
            "strongest": [str(value) for value in self.strongest],
        }

    @property
    def excess(self) -> float | None:
        """Accuracy above chance."""
        if self.accuracy is None or self.chance is None:
            return None
        return self.accuracy - self.chance

    @property
    def shortcut(self) -> bool:
        """Whether the features predict the label: by more than the margin, and significantly."""
        return (
            self.excess is not None
            and self.low is not None
            and self.chance is not None
            and self.excess > MARGIN
            and self.low > self.chance
        )

    def __str__(self) -> str:
        """One sentence."""
        if self.accuracy is None:
            return f"The probe on {self.name} was not run: {self.note}."
        verdict = "does not predict the label"
        if self.shortcut:
            verdict = "predicts the label in part"
        elif (self.excess or 0) > MARGIN:
            verdict = f"exceeds chance, but not significantly on {self.items:,} items"
        more = f"; {self.note}" if self.note else ""
        return (
            f"The probe on {self.name} {verdict}: accuracy {self.accuracy:.3f} "
            f"[{self.low:.3f}, {self.high:.3f}], chance {self.chance:.3f} ({self.fitted}{more})."
        )


def wilson(right: int, items: int, quantile: float = QUANTILE) -> tuple[float, float]:
    """The Wilson score interval of a proportion (Wilson 1927)."""
    share, square = right / items, quantile**2
    middle = share + square / (2 * items)
    reach = quantile * (share * (1 - share) / items + square / (4 * items**2)) ** 0.5
    scale = 1 + square / items
    return max(0.0, (middle - reach) / scale), min(1.0, (middle + reach) / scale)


def run_probes(
    probes: Iterable[Probe[Item]],
    scored: Labelled[Item],
    train: Labelled[Item] | None = None,
    *,
    level: ProbeLevel = ProbeLevel.ALL,
) -> Iterator[ProbeResult]:
    """Run probes on a split.

    Args:
        probes: the probes of a kind.
        scored: the split to predict labels of.
        train: the split to fit on; None to cross-validate on ``scored`` in five folds.
        level: whether only the fast probes are run, or none.
    """
    if level is not ProbeLevel.NONE:
        for probe in probes:
            if probe.fast or level is ProbeLevel.ALL:
                yield run_probe(probe, scored, train)


def run_probe(
    probe: Probe[Item], scored: Labelled[Item], train: Labelled[Item] | None = None
) -> ProbeResult:
    """Run one probe; see ``run_probes``."""
    import numpy as np

    from solver.probes.learners import Keys, joined, learner

    counts = Counter(scored.labels)
    left = sorted(label for label, number in counts.items() if number >= FEWEST_PROBED)
    fitted_labels = left if train is None else sorted(set(train.labels))
    rare = ", ".join(f"{counts[label]} {label}" for label in sorted(counts) if label not in left)
    if len(left) < 2 or len(fitted_labels) < 2:
        found = ", ".join(f"{counts[label]} {label}" for label in sorted(counts)) or "no items"
        note = f"too few items: found {found}, expected two labels with {FEWEST_PROBED} items each"
        return ProbeResult(name=probe.name, items=len(scored.items), note=note)
    names = tuple(sorted({*left, *fitted_labels}))
    # One vocabulary for both splits: the items of train come first.
    parts = [scored] if train is None else [train, scored]
    features = joined([probe.features(part.items) for part in parts])
    labels = [label for part in parts for label in part.labels]
    gold = np.array([names.index(label) if label in names else -1 for label in labels])
    start = 0 if train is None else len(train.items)
    every = np.flatnonzero(gold >= 0)
    judged, learned = every[every >= start], every[every < start]
    model = learner(features, len(names))
    if train is None:
        predicted = np.full(len(gold), -1)
        every_row = range(len(scored.items))
        groups = every_row if isinstance(features, Keys) else scored.groups or every_row
        folds = folds_of([groups[row] for row in judged])
        for fold in range(FOLDS):
            model.fit(judged[folds != fold], gold)
            predicted[judged[folds == fold]] = model.predict(judged[folds == fold])
        learned = judged
        model.fit(learned, gold)
    else:
        model.fit(learned, gold)
        predicted = np.full(len(gold), -1)
        predicted[judged] = model.predict(judged)
    right = int((predicted[judged] == gold[judged]).sum())
    low, high = wilson(right, len(judged))
    strongest = tuple(
        _value(text, label, members, names, gold, scored.ids, start)
        for text, label, members in model.strongest(judged, gold, SHOWN)
    )
    return ProbeResult(
        name=probe.name,
        fitted=f"{FOLDS} folds" if train is None else "fitted on train",
        items=len(judged),
        accuracy=round(right / len(judged), 4),
        low=round(low, 4),
        high=round(high, 4),
        chance=round(float(np.bincount(gold[judged]).max()) / len(judged), 4),
        strongest=strongest,
        note=f"left out, too few: {rare}" if rare else "",
    )


def folds_of(groups: Sequence[Hashable]) -> NDArray[np.intp]:
    """A random fold for each item, the same for all items of a group."""
    import numpy as np

    numbers: dict[Hashable, int] = {}
    group = np.array(
        [numbers.setdefault(hashable, len(numbers)) for hashable in groups], dtype=np.intp
    )
    return (np.random.default_rng(0).permutation(len(numbers)) % FOLDS)[group]


def _value(
    text: str,
    label: int,
    members: NDArray[np.intp],
    names: Sequence[str],
    gold: NDArray[np.intp],
    ids: Sequence[str],
    start: int,
) -> FeatureValue:
    of_label = members[gold[members] == label]
    return FeatureValue(
        value=text,
        label=names[label],
        items=len(members),
        share=round(len(of_label) / len(members), 4),
        examples=tuple(ids[int(place) - start] for place in of_label[:SHOWN]),
    )
