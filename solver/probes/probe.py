"""Probes: how well a label can be predicted from some features, without reasoning.

A probe maps items to features, of one of the forms in ``learners``, each with a classifier. It is
fitted on the items of another split, or else by cross-validation. Its accuracy is compared with
chance, the share of the most frequent label, and the area under its curve with one half: a label
that is rare can be recognised without being predicted. Cues are compared with the label one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from solver.probes.cues import Association
    from solver.probes.learners import Features, Fitted, Value

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

AREA_QUANTILE = 3.5
"""Likewise for areas, of which each probe has one for each label."""

LEVEL = 0.01
"""A probe on cues has a false alarm with at most this probability, however many there are."""

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
        columns: those of a table that it sees; all by default.
        fast: whether the probe is run by default.
    """

    name: str
    features: Callable[[Sequence[Item]], Features]
    columns: tuple[str, ...] = ()
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
        auc: the area under the curve of the label that is ranked best against the others, with the
            lower end of its interval ``auc_low``.
        p_value: of cues, the probability that one of them is as strong by chance.
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
    auc: float | None = None
    auc_low: float | None = None
    p_value: float | None = None
    strongest: tuple[FeatureValue, ...] = ()
    note: str = ""

    def figures(self) -> tuple[str, str, str, str]:
        """Accuracy, interval, chance and AUC; a note instead if the probe was not run."""
        if self.accuracy is None:
            return self.note, "", "", ""
        interval = f"{self.low:.3f} to {self.high:.3f}"
        area = "" if self.auc is None else f"{self.auc:.3f}"
        return f"{self.accuracy:.3f}", interval, f"{self.chance:.3f}", area

    def as_json(self) -> dict[str, Any]:
        """The figures as JSON values."""
        return {
            "features": self.name,
            "items": self.items,
            "accuracy": self.accuracy,
            "interval": [self.low, self.high],
            "chance": self.chance,
            "auc": self.auc,
            "p_value": self.p_value,
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
        """Whether the features predict the label: by more than the margin, and significantly.

        By accuracy or by AUC; cues by their p-value.
        """
        if self.p_value is not None:
            return self.p_value < LEVEL
        return self._accurate or self._ranks

    @property
    def _accurate(self) -> bool:
        return (
            self.excess is not None
            and self.low is not None
            and self.chance is not None
            and self.excess > MARGIN
            and self.low > self.chance
        )

    @property
    def _ranks(self) -> bool:
        return (
            self.auc is not None
            and self.auc_low is not None
            and self.auc > 0.5 + MARGIN
            and self.auc_low > 0.5
        )

    def __str__(self) -> str:
        """One sentence."""
        if self.accuracy is None:
            return f"The probe on {self.name} was not run: {self.note}."
        verdict = "does not predict the label"
        if self.shortcut:
            verdict = "predicts the label in part"
        elif self.p_value is None and (self.excess or 0) > MARGIN:
            verdict = f"exceeds chance, but not significantly on {self.items:,} items"
        more = f"; {self.note}" if self.note else ""
        area = f", AUC {self.auc:.3f}" if self._ranks and not self._accurate else ""
        chance = f", p = {self.p_value:.1g}" if self.p_value is not None else ""
        return (
            f"The probe on {self.name} {verdict}: accuracy {self.accuracy:.3f} "
            f"[{self.low:.3f}, {self.high:.3f}], chance {self.chance:.3f}{area}{chance} "
            f"({self.fitted}{more})."
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
    made: dict[object, Any] = {}
    if level is not ProbeLevel.NONE:
        for probe in probes:
            if probe.fast or level is ProbeLevel.ALL:
                yield run_probe(probe, scored, train, made)


def run_probe(
    probe: Probe[Item],
    scored: Labelled[Item],
    train: Labelled[Item] | None = None,
    made: dict[object, Any] | None = None,
) -> ProbeResult:
    """Run one probe; see ``run_probes``. Tables and folds of other probes are in ``made``."""
    import numpy as np

    from solver.probes.learners import Cues, Keys, Numbers, joined, learner

    made = {} if made is None else made
    counts = Counter(scored.labels)
    left = sorted(label for label, number in counts.items() if number >= FEWEST_PROBED)
    fitted_labels = left if train is None else sorted(set(train.labels))
    rare = ", ".join(f"{counts[label]} {label}" for label in sorted(counts) if label not in left)
    if len(left) < 2 or len(fitted_labels) < 2:
        found = ", ".join(f"{counts[label]} {label}" for label in sorted(counts)) or "no items"
        note = f"too few items: found {found}, expected two labels with {FEWEST_PROBED} items each"
        return ProbeResult(name=probe.name, items=len(scored.items), note=note)
    names = tuple(sorted({*left, *fitted_labels}))
    number = {name: place for place, name in enumerate(names)}
    features = _features(probe, scored, made)
    if isinstance(features, Numbers):
        from solver.extras import available, install_hint

        if not available("sklearn", "threadpoolctl"):
            note = f"it needs scikit-learn: {install_hint('sklearn')}"
            return ProbeResult(name=probe.name, items=len(scored.items), note=note)
    associated: list[Association] | None = None
    fitted: Fitted
    if isinstance(features, Cues):
        from solver.probes.cues import associations

        # Each cue is compared with the labels of its own split; the best one is scored.
        own = np.array([number.get(label, -1) for label in scored.labels])
        associated = associations(features, own, len(names), scored.groups or range(len(own)))
        train = None
        best = associated[0].tested.codes.tolist() if associated else [0] * len(own)
        fitted = Keys(keys=best)
    else:
        fitted = features
    # One vocabulary for both splits: the items of train come first.
    parts = [scored] if train is None else [train, scored]
    if train is not None:
        others = _features(probe, train, made)
        assert not isinstance(others, Cues)
        fitted = joined([others, fitted])
    labels = [label for part in parts for label in part.labels]
    gold = np.array([number.get(label, -1) for label in labels])
    start = 0 if train is None else len(train.items)
    every = np.flatnonzero(gold >= 0)
    judged, learned = every[every >= start], every[every < start]
    model = learner(fitted, len(names))
    scores = np.zeros((len(gold), len(names)))
    folds = np.zeros(len(judged), dtype=np.intp)
    if train is None:
        rows = range(len(scored.items))
        apart = rows if isinstance(fitted, Keys) and associated is None else scored.groups or rows
        key = "folds", apart is rows
        if key not in made:
            made[key] = folds_of([apart[row] for row in judged.tolist()])
        folds = made[key]
        for fold in range(FOLDS):
            model.fit(judged[folds != fold], gold)
            scores[judged[folds == fold]] = model.scores(judged[folds == fold])
        learned = judged
    model.fit(learned, gold)
    if train is not None:
        scores[judged] = model.scores(judged)
    right = int((scores[judged].argmax(axis=1) == gold[judged]).sum())
    low, high = wilson(right, len(judged))
    area, area_low = best_area(scores[judged], gold[judged], folds)
    values = (
        model.strongest(judged, gold, SHOWN)
        if associated is None
        else islice(_values_of(associated, gold, len(names)), SHOWN)
    )
    return ProbeResult(
        name=probe.name,
        fitted=f"{FOLDS} folds" if train is None else "fitted on train",
        items=len(judged),
        accuracy=round(right / len(judged), 4),
        low=round(low, 4),
        high=round(high, 4),
        chance=round(float(np.bincount(gold[judged]).max()) / len(judged), 4),
        auc=None if area is None else round(area, 4),
        auc_low=None if area_low is None else round(area_low, 4),
        p_value=None
        if associated is None
        else min((each.p_value for each in associated), default=1.0),
        strongest=tuple(
            _value(text, label, members, names, gold, scored.ids, start)
            for text, label, members in values
        ),
        note=f"left out, too few: {rare}" if rare else "",
    )


def _features(probe: Probe[Item], split: Labelled[Item], made: dict[object, Any]) -> Features:
    from solver.probes import learners

    key = probe.features, id(split)
    found: Features | None = made.get(key)
    if found is None:
        found = probe.features(split.items)
    if isinstance(found, learners.Table):
        made[key] = found
        return found.select(probe.columns) if probe.columns else found
    return found


def _values_of(
    associated: Sequence[Association], gold: NDArray[np.intp], labels: int
) -> Iterator[Value]:
    """The strongest values of the significant cues, the best of each."""
    for association in associated:
        if association.p_value < LEVEL:
            yield from association.strongest(gold, labels, 1)


def best_area(
    scores: NDArray[np.float64], gold: NDArray[np.intp], folds: NDArray[np.intp]
) -> tuple[float | None, float | None]:
    """The area under the curve of the label that is ranked best, and the low end of its interval.

    Areas are taken within folds, as scores of different fits are not comparable, and averaged. The
    error is that of Hanley and McNeil 1982, or that of an area of one half if it is larger, as it
    is for few items.
    """
    import numpy as np

    best: tuple[float | None, float | None] = (None, None)
    for label in range(scores.shape[1]):
        areas, weights, variances = [], [], []
        for fold in range(int(folds.max(initial=0)) + 1):
            inside = folds == fold
            truth = gold[inside] == label
            true, false = int(truth.sum()), int((~truth).sum())
            if not true or not false:
                continue
            area = area_under_curve(scores[inside, label], truth)
            first, second = area / (2 - area), 2 * area**2 / (1 + area)
            spread = (true - 1) * (first - area**2) + (false - 1) * (second - area**2)
            areas.append(area)
            weights.append(true * false / (true + false))
            by_chance = (true + false + 1) / (12 * true * false)
            variances.append(max((area * (1 - area) + spread) / (true * false), by_chance))
        if not areas:
            continue
        shares = np.array(weights) / sum(weights)
        mean = float(shares @ areas)
        low = mean - AREA_QUANTILE * float(shares**2 @ variances) ** 0.5
        if best[1] is None or low > best[1]:
            best = mean, low
    return best


def area_under_curve(scores: Sequence[float] | NDArray[np.float64], gold: Sequence[bool]) -> float:
    """The probability that a true one has a higher score than a false one; ties count half.

    Source: Mann and Whitney 1947. NaN if all are true, or none.
    """
    import numpy as np

    truth = np.asarray(gold, dtype=bool)
    _, places, counts = np.unique(np.asarray(scores), return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[places]
    true = int(truth.sum())
    pairs = true * (len(truth) - true)
    return float("nan") if not pairs else float(ranks[truth].sum() - true * (true + 1) / 2) / pairs


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
