"""Comparison of models by their answers to the same items: mean and deviation over seeds, tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, combinations
from pathlib import Path, PurePath
from typing import Any

import numpy as np

from benchmarks.eventhop.cases import Cases, Dimension, Gold, gold_labels, groups, read_cases
from benchmarks.eventhop.predictions import answered_labels
from benchmarks.eventhop.scores import label_confusion, numbered
from benchmarks.eventhop.scoring import match_answers, plot_name
from benchmarks.metrics.classification import accuracy, macro_f1
from benchmarks.metrics.ranking import Numbers
from benchmarks.metrics.significance import holm, permutation_test
from grammar.errors import ExitStatus, HopcheckError
from solver.eventhop.engines import ItemSettings
from solver.eventhop.records import label_words
from solver.report.charts import Series, curve_chart
from solver.report.model import Report, Section, Table
from solver.report.numbers import p_value
from solver.report.page import write_report


class ComparisonError(HopcheckError):
    """Models that cannot be compared."""

    code = "comparison"


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Mean and standard deviation (n - 1) over the seeds of a model; no deviation of one seed."""

    mean: float
    deviation: float | None

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """The spread of some values."""
        numbers = np.array(values)
        deviation = float(numbers.std(ddof=1)) if len(values) > 1 else None
        return cls(mean=float(numbers.mean()), deviation=deviation)

    def __str__(self) -> str:
        """Format in percent, as ``71.25 ± 0.83``."""
        shown = f"{100 * self.mean:.2f}"
        return shown if self.deviation is None else f"{shown} ± {100 * self.deviation:.2f}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelScores:
    """The scores of a model.

    Attributes:
        name: name of the model.
        seeds: number of its files.
        by_group: dimension -> group -> macro-F1.
    """

    name: str
    seeds: int
    macro_f1: Spread
    accuracy: Spread
    by_group: Mapping[Dimension, Mapping[str, Spread]]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTest:
    """A paired permutation test of the accuracy of two models, on the items.

    Attributes:
        difference: accuracy of the first less that of the second.
        p: two-sided, of this test alone.
        corrected: p by Holm's procedure over all pairs.
    """

    model: str
    other: str
    difference: float
    p: float
    corrected: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The result of ``compare``.

    Attributes:
        data: names of the item files.
        files: model -> its files of predictions.
        config: the run's options.
        seed: random seed of the tests.
        items: number of items.
        notes: what of the files could not be used.
        exit_status: 0 if each file has one answer to each item; 2 if a row cannot be read.
    """

    data: tuple[str, ...]
    files: Mapping[str, tuple[str, ...]]
    config: Mapping[str, object]
    seed: int
    items: int
    notes: tuple[str, ...]
    exit_status: ExitStatus
    models: tuple[ModelScores, ...]
    tests: tuple[PairTest, ...]

    def as_json(self) -> dict[str, Any]:
        """All figures."""
        return {
            "items": self.items,
            "notes": list(self.notes),
            "models": [
                {
                    "name": model.name,
                    "seeds": model.seeds,
                    "macro_f1": asdict(model.macro_f1),
                    "accuracy": asdict(model.accuracy),
                    "by": {
                        dimension.value: {name: asdict(spread) for name, spread in found.items()}
                        for dimension, found in model.by_group.items()
                    },
                }
                for model in self.models
            ],
            "tests": [
                {
                    "models": [test.model, test.other],
                    "difference": test.difference,
                    "p": test.p,
                    "corrected": test.corrected,
                }
                for test in self.tests
            ],
        }


def by_model(paths: Sequence[str]) -> dict[str, list[str]]:
    """The files of each model, in the order given.

    ``MODEL=FILE`` names the model of a file; without it the model is the part of the file's name
    before its first dot, so that ``t5.0.jsonl`` and ``t5.1.jsonl`` are two seeds of ``t5``.
    """
    found: dict[str, list[str]] = {}
    for path in paths:
        name, sign, file = path.partition("=")
        if not sign:
            name, file = PurePath(path).name.partition(".")[0], path
        found.setdefault(name, []).append(file)
    return found


def compare(
    models: Mapping[str, Sequence[str]],
    data: Sequence[str],
    settings: ItemSettings,
    *,
    gold: Gold = Gold.DECIDED,
    seed: int = 0,
) -> Comparison:
    """Compare models on the same items; missing and unreadable answers count as wrong.

    Args:
        models: model -> files of predictions, one a seed.
        data: files of items.
        settings: how the items are read and decided.
        gold: source of the gold labels.
        seed: random seed of the tests.

    Raises:
        ComparisonError: there are fewer than two models.
        HopcheckError: a file cannot be read, or its ids are not those of the items.
    """
    if len(models) < 2:
        message = f"found {len(models)} model, expected at least two"
        hint = "MODEL=FILE names the model of a file"
        raise ComparisonError(message, where=", ".join(models), hint=hint)
    cases = read_cases(data, settings)
    known = label_words(settings.labels)
    right = numbered(gold_labels(cases, gold, settings.labels), known)
    found: list[ModelScores] = []
    correct: dict[str, Numbers] = {}
    notes = [f"unparsed: {message}" for message in cases.unparsed]
    statuses = [ExitStatus.UNREADABLE if cases.unparsed else ExitStatus.OK]
    for name, files in models.items():
        read = [match_answers(file, cases, settings) for file in files]
        for file, answered in zip(files, read, strict=True):
            notes += [f"{file}: {note}" for note in answered.notes()]
            statuses.append(answered.matched.exit_status)
        answers = [numbered(answered_labels(each.matched), known) for each in read]
        found.append(_scores(name, cases, right, answers, len(known)))
        correct[name] = np.mean([right == answer for answer in answers], axis=0)
    return Comparison(
        data=tuple(data),
        files={name: tuple(files) for name, files in models.items()},
        config={"gold": gold.value, **settings.as_config()},
        seed=seed,
        items=len(right),
        notes=tuple(notes),
        exit_status=max(statuses),
        models=tuple(found),
        tests=_tests(correct, seed),
    )


def _scores(
    name: str,
    cases: Cases,
    right: Any,  # noqa: ANN401 - an array
    answers: Sequence[Any],
    labels: int,
) -> ModelScores:
    counts = [label_confusion(right, answer, labels) for answer in answers]
    by_group: dict[Dimension, dict[str, Spread]] = {}
    for group in groups(cases.cases, tuple(Dimension)):
        members = list(group.members)
        some = [
            macro_f1(label_confusion(right[members], answer[members], labels)) for answer in answers
        ]
        by_group.setdefault(group.dimension, {})[group.name] = Spread.of(some)
    return ModelScores(
        name=name,
        seeds=len(answers),
        macro_f1=Spread.of([macro_f1(count) for count in counts]),
        accuracy=Spread.of([accuracy(count) for count in counts]),
        by_group=by_group,
    )


def _tests(correct: Mapping[str, Numbers], seed: int) -> tuple[PairTest, ...]:
    pairs = list(combinations(correct, 2))
    found = [
        permutation_test(correct[name], correct[other], paired=True, seed=seed)
        for name, other in pairs
    ]
    corrected = holm([difference.p for difference in found])
    return tuple(
        PairTest(
            model=name,
            other=other,
            difference=float(correct[name].mean() - correct[other].mean()),
            p=test.p,
            corrected=p,
        )
        for (name, other), test, p in zip(pairs, found, corrected, strict=True)
    )


def write(found: Comparison, folder: Path) -> Path:
    """Write the figures, a page, the plots and a manifest; returns the path of the page."""
    return write_report(
        folder,
        report(found),
        figures=found.as_json(),
        summary="comparison.json",
        page="comparison.md",
        config=dict(found.config),
        seed=found.seed,
        inputs=[*found.data, *chain.from_iterable(found.files.values())],
    )


CURVES = (Dimension.HOPS, Dimension.DISTANCE, Dimension.EVENTS, Dimension.RELATIONS)
"""Dimensions drawn as curves; the first two are those of Figures 2 and 3 of EventHopNLI."""


def report(found: Comparison) -> Report:
    """The page: a table as Table 1 of EventHopNLI, the tests, and curves of all models."""
    return Report(
        title=f"{len(found.models)} models",
        lead=f"{found.items:,} items of {', '.join(PurePath(file).name for file in found.data)}; "
        "in percent, mean ± standard deviation over the seeds of a model. Bands of plots are one "
        "standard deviation.",
        sections=(
            Section(title="All items", tables=(_overall(found.models),)),
            Section(title="Tests", tables=(_test_table(found.tests),)),
            *(_by(found.models, dimension) for dimension in found.models[0].by_group),
        ),
    )


def _overall(models: Sequence[ModelScores]) -> Table:
    return Table(
        columns=("model", "macro-F1", "accuracy", "seeds"),
        rows=tuple(
            (model.name, str(model.macro_f1), str(model.accuracy), str(model.seeds))
            for model in models
        ),
        best=frozenset(
            (max(range(len(models)), key=lambda row: means[row]), column)
            for column, means in enumerate(
                (
                    [model.macro_f1.mean for model in models],
                    [model.accuracy.mean for model in models],
                ),
                1,
            )
        ),
    )


def _test_table(tests: Sequence[PairTest]) -> Table:
    return Table(
        columns=("models", "difference in accuracy", "p", "corrected p"),
        rows=tuple(
            (f"{test.model} - {test.other}", f"{100 * test.difference:+.2f}", p_value(test.p),
             p_value(test.corrected))
            for test in tests
        ),
        note="Two-sided paired permutation tests on the items, with the accuracies of an item "
        "averaged over seeds; p corrected by Holm's procedure.",
    )  # fmt: skip


def _by(models: Sequence[ModelScores], dimension: Dimension) -> Section:
    """The models by the groups of a dimension."""
    names = list(models[0].by_group[dimension])
    plots = {}
    if dimension in CURVES:
        curves = [_curve(model.name, [model.by_group[dimension][name] for name in names])
                  for model in models]  # fmt: skip
        title = f"macro-F1 by {dimension.value}"
        plots[plot_name(dimension)] = curve_chart(names, curves, title=title, axis=dimension.value)
    rows = tuple((model.name, *(str(model.by_group[dimension][name]) for name in names))
                 for model in models)  # fmt: skip
    table = Table(columns=("model", *names), rows=rows)
    return Section(title=f"By {dimension.value}", plots=plots, tables=(table,))


def _curve(name: str, spreads: Sequence[Spread]) -> Series:
    known = [(spread.mean, spread.deviation or 0.0) for spread in spreads]
    return Series(
        name=name,
        values=[mean for mean, _ in known],
        low=[max(0.0, mean - deviation) for mean, deviation in known],
        high=[min(1.0, mean + deviation) for mean, deviation in known],
    )
