"""Scores of critics, as ProcessBench, and of a model's own chains, with bootstrap intervals.

Chains are resampled with their twins. Source: docs/traces.md, section "Scores".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.metrics.bootstrap import RESAMPLES, Estimate, estimate, resampled_sums
from benchmarks.metrics.ranking import Numbers
from benchmarks.predictions import MatchedPredictions
from benchmarks.traces.inputs import Case, Critique, Prediction
from grammar.traces.model import StatementKind
from grammar.traces.reader import steps_of
from solver.probes.probe import area_under_curve
from solver.report.model import Report, Section, Table
from solver.report.numbers import MISSING, decimal_interval
from solver.report.page import write_report
from solver.traces.decide import crosschecked
from solver.traces.model import WRONG, StepVerdict, Support, Trace, TraceVerdict

_BLOCK = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSettings:
    """How chains are scored.

    Attributes:
        threshold: a step with a lower score is called wrong.
        seed: random seed of the bootstrap.
        resamples: number of resamples.
    """

    threshold: float = 0.5
    seed: int = 0
    resamples: int = RESAMPLES


Figures = Mapping[str, Estimate | None]
"""Name of a figure -> its value; None if there is nothing to divide by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """The scores of a file.

    Attributes:
        what: critique or chains.
        overall: the figures.
        groups: dimension -> group -> figures.
        auc: the area under the curve of step scores; None without scores.
        first_errors: first errors of a model's chains, by kind and verdict.
        items: number of chains.
    """

    what: str
    overall: Figures
    groups: Mapping[str, Mapping[str, Figures]]
    items: int
    auc: float | None = None
    first_errors: Mapping[str, int] | None = None

    def as_json(self) -> dict[str, Any]:
        """All figures as JSON values."""
        return {
            "what": self.what,
            "items": self.items,
            "overall": _plain(self.overall),
            "by": {
                dimension: {name: _plain(figures) for name, figures in groups.items()}
                for dimension, groups in self.groups.items()
            },
            "step_auc": None if self.auc is None else round(self.auc, 4),
            "first_errors": self.first_errors,
        }


def _plain(figures: Figures) -> dict[str, Any]:
    return {
        name: None if figure is None else asdict(figure.rounded(4))
        for name, figure in figures.items()
    }


Ratio = tuple[str, str]
"""The columns of a share: part and whole."""

Formula = Callable[[Mapping[str, Numbers]], Numbers]


def _ratio(part: str, whole: str) -> Formula:
    def share(sums: Mapping[str, Numbers]) -> Numbers:
        with np.errstate(invalid="ignore", divide="ignore"):
            found: Numbers = sums[part] / sums[whole]
        return found

    return share


def _harmonic(first: Formula, second: Formula) -> Formula:
    """The harmonic mean of two shares; 0 if both are 0."""

    def mean(sums: Mapping[str, Numbers]) -> Numbers:
        a, b = first(sums), second(sums)
        with np.errstate(invalid="ignore", divide="ignore"):
            found: Numbers = np.where(a + b == 0, 0.0, 2 * a * b / (a + b))
        return found

    return mean


_WRONG_CHAINS, _RIGHT_CHAINS = _ratio("wrong found", "wrong"), _ratio("right found", "right")
_PRECISION, _RECALL = _ratio("steps found", "steps called"), _ratio("steps found", "steps wrong")
CRITIC: Mapping[str, Formula] = {
    "F1": _harmonic(_WRONG_CHAINS, _RIGHT_CHAINS),
    "accuracy on wrong chains": _WRONG_CHAINS,
    "accuracy on right chains": _RIGHT_CHAINS,
    "twins both right": _ratio("twins found", "twins"),
}
STEPS: Mapping[str, Formula] = {
    "step precision": _PRECISION,
    "step recall": _RECALL,
    "step F1": _harmonic(_PRECISION, _RECALL),
}
CHAINS: Mapping[str, Formula] = {
    "right chains": _ratio("right", "chains"),
    "right answers": _ratio("answered", "chains"),
    "faithful of right answers": _ratio("faithful", "answered"),
    "lucky of right answers": _ratio("lucky", "answered"),
    "statements read": _ratio("read", "statements"),
}


def score(
    cases: Sequence[Case], answers: Sequence[Prediction | None], settings: ScoreSettings
) -> Scores:
    """Score predictions about chains; a missing one is wrong."""
    if any(isinstance(answer, str) for answer in answers):
        return _score_chains(cases, answers, settings)
    return _score_critic(cases, answers, settings)


def _score_critic(
    cases: Sequence[Case], answers: Sequence[Prediction | None], settings: ScoreSettings
) -> Scores:
    columns = []
    step_scores: list[float] = []
    step_truths: list[bool] = []
    sizes = Counter(case.twin for case in cases)
    found_of: Counter[str] = Counter()
    for case, answer in zip(cases, answers, strict=True):
        verdict = case.result.verdict
        critique = answer if isinstance(answer, Critique) else None
        found = critique is not None and critique.first(settings.threshold) == verdict.first_error
        found_of[case.twin] += found
        wrong = verdict.first_error >= 0
        row = Counter({"wrong": int(wrong), "right": int(not wrong)})
        row["wrong found" if wrong else "right found"] = int(found)
        if critique is not None and critique.scores is not None:
            truths = [step.verdict in WRONG for step in verdict.steps]
            called = [mark < settings.threshold for mark in critique.scores]
            row["steps wrong"], row["steps called"] = sum(truths), sum(called)
            row["steps found"] = sum(map(bool.__and__, truths, called))
            step_scores += (-mark for mark in critique.scores)
            step_truths += truths
        columns.append(row)
    first: set[str] = set()
    for case, row in zip(cases, columns, strict=True):
        # A twin counts once, with its first chain.
        if sizes[case.twin] == 2 and case.twin not in first:
            first.add(case.twin)
            row["twins"], row["twins found"] = 1, int(found_of[case.twin] == 2)
    formulas = {**CRITIC, **(STEPS if step_scores else {})}
    return Scores(
        what="critique",
        overall=_figures(cases, columns, formulas, "", settings),
        groups=_by_group(cases, columns, formulas, settings, errors=True),
        items=len(cases),
        auc=area_under_curve(step_scores, step_truths) if step_scores else None,
    )


def _score_chains(
    cases: Sequence[Case], answers: Sequence[Prediction | None], settings: ScoreSettings
) -> Scores:
    given = [answer for answer in answers if isinstance(answer, str)]
    texts = iter(given)
    traces = [
        Trace(
            item=case.declared.trace.item,
            texts=steps_of(next(texts)),
            policy=case.declared.trace.policy,
            spatial=case.declared.trace.spatial,
        )
        for case, answer in zip(cases, answers, strict=True)
        if isinstance(answer, str)
    ]
    verdicts = iter([result.verdict for result in crosschecked(traces)])
    columns, first_errors = [], Counter[str]()
    for answer in answers:
        verdict = next(verdicts) if isinstance(answer, str) else None
        columns.append(_chain_columns(verdict))
        if verdict is not None and verdict.first_error >= 0:
            first_errors[_kind(verdict)] += 1
    return Scores(
        what="chains",
        overall=_figures(cases, columns, CHAINS, "", settings),
        groups=_by_group(cases, columns, CHAINS, settings, errors=False),
        items=len(cases),
        first_errors=dict(first_errors.most_common()),
    )


def _chain_columns(verdict: TraceVerdict | None) -> Counter[str]:
    row = Counter(chains=1)
    if verdict is None:
        return row
    kinds = [statement.kind for step in verdict.steps for statement in step.statements]
    row["statements"] = len(kinds)
    row["read"] = sum(kind is not StatementKind.UNREAD for kind in kinds)
    answered = verdict.answer is verdict.label
    # A chain that states nothing proves nothing: it is not right for want of errors.
    row["right"] = int(verdict.first_error < 0 and verdict.support is not Support.UNSUPPORTED)
    row["answered"], row["lucky"] = int(answered), int(verdict.lucky)
    supported = verdict.support is Support.SUPPORTED
    row["faithful"] = int(answered and supported and verdict.first_error < 0)
    return row


def _kind(verdict: TraceVerdict) -> str:
    """The first wrong statement of a chain, such as ``holds contradicts``."""
    wrong = (StepVerdict.CONTRADICTS, StepVerdict.OPEN)
    step = verdict.steps[verdict.first_error]
    first = next(statement for statement in step.statements if statement.verdict in wrong)
    return f"{first.kind.value} {first.verdict.value}"


def _figures(
    cases: Sequence[Case],
    columns: Sequence[Mapping[str, int]],
    formulas: Mapping[str, Formula],
    name: str,
    settings: ScoreSettings,
) -> Figures:
    """Each figure with its interval, chains resampled with their twins."""
    names = sorted({column for row in columns for column in row} | _NEEDED)
    units = {twin: place for place, twin in enumerate(dict.fromkeys(c.twin for c in cases))}
    table = np.zeros((len(units), len(names)))
    for case, row in zip(cases, columns, strict=True):
        table[units[case.twin]] += [row.get(column, 0) for column in names]
    seed = (settings.seed, "traces", name)
    drawn = resampled_sums(table, seed=seed, resamples=settings.resamples, block=_BLOCK)
    whole = dict(zip(names, table.sum(axis=0)[:, np.newaxis], strict=True))
    resampled = dict(zip(names, drawn.T, strict=True))
    found: dict[str, Estimate | None] = {}
    for figure, formula in formulas.items():
        value, values = float(formula(whole)[0]), formula(resampled)
        values = values[np.isfinite(values)]
        defined = np.isfinite(value) and len(values)
        found[figure] = estimate(value, values) if defined else None
    return found


_NEEDED = {
    "wrong", "right", "wrong found", "right found", "twins", "twins found", "steps wrong",
    "steps called", "steps found", "chains", "answered", "lucky", "faithful", "read", "statements",
}  # fmt: skip


def _by_group(
    cases: Sequence[Case],
    columns: Sequence[Mapping[str, int]],
    formulas: Mapping[str, Formula],
    settings: ScoreSettings,
    *,
    errors: bool,
) -> dict[str, dict[str, Figures]]:
    """The figures by error, hops and domain; an error has the twins of its chains as right ones."""
    kinds = {case.twin: case.error for case in cases if case.error is not None}
    dimensions: dict[str, list[str | None]] = {
        "error": [kinds.get(case.twin) for case in cases] if errors else [None] * len(cases),
        "hops": [None if case.hops is None else f"{case.hops:>2}" for case in cases],
        "domain": [case.declared.trace.item.domain.value for case in cases],
    }
    found: dict[str, dict[str, Figures]] = {}
    for dimension, keys in dimensions.items():
        for key in sorted({key for key in keys if key is not None}):
            places = [place for place, other in enumerate(keys) if other == key]
            some, rows = [cases[n] for n in places], [columns[n] for n in places]
            name = f"{dimension} {key.strip()}"
            figures = _figures(some, rows, formulas, name, settings)
            found.setdefault(dimension, {})[key.strip()] = figures
    return found


# --- The report -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreReport:
    """The result of ``score traces``.

    Attributes:
        data: names of the files of chains.
        matched: the predictions.
        scores: their scores.
        settings: how they were scored.
    """

    data: tuple[str, ...]
    matched: MatchedPredictions[Prediction]
    scores: Scores
    settings: ScoreSettings

    def as_json(self) -> dict[str, Any]:
        """All figures as JSON values."""
        predictions = self.matched.predictions
        return {
            "data": list(self.data),
            "predictions": predictions.name,
            **self.scores.as_json(),
            **self.matched.as_json(),
            "broken": list(predictions.broken),
        }

    def tables(self) -> Iterator[Table]:
        """The figures overall, by group, and the first errors of a model's chains."""
        scores = self.scores
        rows = tuple((name, _shown(figure)) for name, figure in scores.overall.items())
        if scores.auc is not None:
            rows = (*rows, ("step AUC", f"{scores.auc:.3f}"))
        yield Table(columns=("figure", "value"), rows=rows)
        for dimension, groups in scores.groups.items():
            columns = [name for name in scores.overall if any(groups[g][name] for g in groups)]
            yield Table(
                columns=(dimension, *columns),
                rows=tuple(
                    (group, *(_shown(figures[name]) for name in columns))
                    for group, figures in groups.items()
                ),
            )
        if scores.first_errors:
            counted = ((kind, f"{count:,}") for kind, count in scores.first_errors.items())
            yield Table(columns=("first error", "chains"), rows=tuple(counted))


def _shown(figure: Estimate | None) -> str:
    return MISSING if figure is None else decimal_interval(figure)


def write(run: ScoreReport, folder: Path) -> Path:
    """Write the figures, a page and a manifest; returns the path of the page."""
    sections = [
        Section(title=table.columns[0].capitalize(), tables=(table,)) for table in run.tables()
    ]
    name = run.matched.predictions.name
    return write_report(
        folder,
        Report(
            title=f"{run.scores.what.capitalize()} of {Path(name).name}",
            lead=f"{run.scores.items:,} chains; 95% bootstrap intervals in brackets.",
            sections=tuple(sections),
        ),
        figures=run.as_json(),
        page="scores.md",
        config=asdict(run.settings),
        seed=run.settings.seed,
        inputs=[*run.data, name],
    )
