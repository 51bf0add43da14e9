"""The HTML report of a forecast."""

from __future__ import annotations

from collections import Counter
from datetime import date
from pathlib import Path

import numpy as np

from generators.forecast.figures import Figures, rules_used
from generators.forecast.outcome import Outcome
from generators.forecast.reference import Reference
from generators.forecast.relations import compared
from generators.forecast.run import ForecastResult
from solver.report.plot import plot
from solver.report.sheet import Section, Sheet, Table, write_sheet
from solver.rules.wording import rule_text
from solver.tkg.dataset import Vocabulary

REPORT = "report.html"
SHOWN = 20
_BINS = 25


def write_report(folder: Path, outcome: Outcome) -> Path:
    """Write the report and return its path.

    Raises:
        OutputError: it cannot be written.
    """
    figures, reference, settings = outcome.figures, outcome.reference, outcome.plan.settings
    words = outcome.graph.vocabulary
    sheet = Sheet(
        title="Forecast facts",
        lead=f"{figures.facts:,} of {figures.wanted:,} facts requested after the model of "
        f"{reference.year}, each with its rule and grounding.",
        facts={
            "from": date.fromordinal(settings.begin).isoformat(),
            "to": date.fromordinal(settings.end).isoformat(),
            "reference year": str(reference.year),
            "seed": str(settings.seed),
            "attempts": f"{figures.attempts:,}",
            "rules": f"{figures.rules:,} used of {outcome.rules:,}",
            "violations": f"{len(outcome.checked.violations):,}",
        },
        sections=(
            Section(title="Facts per day", plots=(_days(outcome),)),
            Section(
                title="Relations",
                text=_drift(figures, reference),
                table=Table(
                    columns=("relation", str(reference.year), "share", "forecast", "share"),
                    rows=compared(figures, reference, words),
                ),
            ),
            Section(
                title="Confidence",
                text=f"Mean: {figures.confidence:.4f}.",
                plots=(_confidences(outcome.result),),
            ),
            Section(title="Rules used most", table=_rules(outcome.result, words)),
        ),
    )
    return write_sheet(folder / REPORT, sheet)


def _days(outcome: Outcome) -> str:
    settings, reference = outcome.plan.settings, outcome.reference
    days = range(settings.begin, settings.end + 1)
    counted = Counter(one.fact[3] + outcome.graph.first for one in outcome.result.forecasts)
    numbers = np.arange(len(days))
    wanted = [reference.quota(day, settings.most) for day in days]
    with plot(height=2.6, legend=True) as drawn:
        axes = drawn.axes[0]
        axes.step(numbers, wanted, where="mid", linewidth=0.8, color="0.6", label="wanted")
        axes.bar(numbers, [counted[day] for day in days], width=1.0, label="forecast")
        axes.set_xlabel(f"days from {date.fromordinal(settings.begin)}")
        axes.set_ylabel("facts")
    return drawn.svg


def _confidences(made: ForecastResult) -> str:
    with plot(height=2.6) as drawn:
        axes = drawn.axes[0]
        axes.hist([one.confidence for one in made.forecasts], bins=_BINS, range=(0.0, 1.0))
        axes.set_xlabel("confidence")
        axes.set_ylabel("facts")
    return drawn.svg


def _drift(figures: Figures, reference: Reference) -> str:
    text = (
        f"Total variation distance to {reference.year}: {figures.total_variation:.4f} "
        "(0: alike, 1: no relation in common)."
    )
    if figures.least_total_variation is not None:
        text += f" Relations without a rule alone account for {figures.least_total_variation:.4f}."
    return text


def _rules(made: ForecastResult, words: Vocabulary) -> Table:
    rows = tuple(
        (f"{count:,}", f"{one.rule.confidence:.3f}", rule_text(one.rule, words))
        for one, count in rules_used(made.forecasts)[:SHOWN]
    )
    return Table(columns=("facts", "confidence", "rule"), rows=rows)
