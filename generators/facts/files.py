"""Writes the folder of a forecast: facts, certificates, history, report and manifest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path

import numpy as np

from generators.dataset import DatasetFolder
from generators.facts.figures import (
    facts_of,
    rules_used,
    says_nothing_new,
    write_facts,
)
from generators.facts.outcome import Outcome
from generators.facts.run import ForecastResult
from solver.dataset.copies import read
from solver.dataset.seal import Breach, DataSet
from solver.facts.encode import COHERENCY, SCHEMA
from solver.facts.role_rules import role_rows
from solver.facts.verify import CERTIFICATES, FACTS, HISTORY, ROLE_RULES, RULES, SCORED
from solver.graph.model import Vocabulary
from solver.io.sources import MANIFEST
from solver.report.charts import plot
from solver.report.model import Report, Section, Table
from solver.rules.io import stated_confidences, write_rules

SHOWN = 20
_BINS = 25


def report(outcome: Outcome) -> Report:
    """The page of a forecast."""
    figures, reference, settings = outcome.figures, outcome.reference, outcome.plan.settings
    words, scored = outcome.graph.vocabulary, outcome.plan.scores is not None
    return Report(
        title="Forecast facts",
        lead=f"{figures.facts:,} of {figures.wanted:,} facts requested after the model of "
        f"{reference.year}, {'by scores' if scored else 'each with its rule and grounding'}.",
        facts={
            "from": date.fromordinal(settings.begin).isoformat(),
            "to": date.fromordinal(settings.end).isoformat(),
            "reference year": str(reference.year),
            "seed": str(settings.seed),
            "attempts": f"{figures.attempts:,}",
            **(
                {"first of its scores": f"{figures.first:,}"}
                if scored
                else {
                    "by role rules": f"{figures.by_roles:,}",
                    "rules": f"{figures.rules:,} used of {outcome.rules:,}",
                }
            ),
            "violations": f"{len(outcome.checked.findings):,}",
        },
        sections=(
            Section(title="Facts per day", plots={"facts per day": _days(outcome)}),
            _compared(outcome),
            Section(
                title="Confidence",
                text=f"Mean: {figures.confidence:.4f}.",
                plots={"confidence": _confidences(outcome.result)},
            ),
            *(
                ()
                if scored
                else (Section(title="Rules used most", tables=(_rules(outcome.result, words),)),)
            ),
        ),
    )


def _days(outcome: Outcome) -> str:
    settings, reference = outcome.plan.settings, outcome.reference
    days = range(settings.begin, settings.end + 1)
    counted = Counter(
        forecast.fact[3] + outcome.graph.first for forecast in outcome.result.forecasts
    )
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
        axes.hist(
            [forecast.confidence for forecast in made.forecasts], bins=_BINS, range=(0.0, 1.0)
        )
        axes.set_xlabel("confidence")
        axes.set_ylabel("facts")
    return drawn.svg


def _compared(outcome: Outcome) -> Section:
    """The distributions of the forecast beside those of the year."""
    year, figures = str(outcome.reference.year), outcome.figures
    warning = says_nothing_new(figures.comparisons)
    text = (
        "Total variation distance of the shares, in [0, 1], and its floor: with these rules and "
        "known facts no forecast is closer."
    )
    overview = Table(
        columns=("shares of", "distance", "floor"),
        rows=tuple(
            (comparison.name, f"{comparison.distance:.3f}", f"{comparison.floor:.3f}")
            for comparison in figures.comparisons
        ),
    )
    tables = (
        Table(columns=(comparison.name, year, "share", "forecast", "share"), rows=comparison.rows)
        for comparison in figures.comparisons
    )
    return Section(
        title=f"Compared with {year}",
        text=text if warning is None else f"Nothing new: {warning}. {text}",
        tables=(overview, *tables),
    )


def _rules(made: ForecastResult, words: Vocabulary) -> Table:
    rows = tuple(
        (f"{count:,}", f"{forecast.rule.confidence:.3f}", forecast.rule_text(words))
        for forecast, count in rules_used(made.forecasts)[:SHOWN]
        if forecast.rule is not None
    )
    return Table(columns=("facts", "confidence", "rule"), rows=rows)


def write_forecast(folder: Path, outcome: Outcome, inputs: Sequence[Path]) -> tuple[Path, ...]:
    """Write all files and return their paths, the manifest last.

    Raises:
        OutputError: a file cannot be written.
    """
    home, graph = DatasetFolder(folder), outcome.graph
    forecasts = outcome.result.forecasts
    home.add(
        write_facts(home.path / FACTS, facts_of(forecasts), graph),
        write_facts(home.path / HISTORY, graph.facts, graph),
    )
    scored = outcome.plan.scores is not None
    if not scored:
        write_rules(home.path / RULES, outcome.table)
        home.add(home.path / RULES)
    if outcome.roles is not None:
        rows = role_rows(outcome.roles, graph.vocabulary, outcome.kinds)
        home.add_lines(ROLE_RULES, rows)
    lines = (forecast.as_json(graph) for forecast in forecasts)
    home.add_lines(SCORED if scored else CERTIFICATES, lines)
    home.remove_stale((SCORED, CERTIFICATES, RULES, ROLE_RULES))
    home.add_page(report(outcome))
    figures = outcome.figures.as_json() | {"violations": outcome.checked.findings.counts()}
    return home.finish(
        config=_config(outcome),
        seed=outcome.plan.settings.seed,
        encodings=(COHERENCY,) if outcome.plan.schema is None else (COHERENCY, SCHEMA),
        inputs=inputs,
        more={"figures": figures, "relations": _relations(graph.vocabulary)},
    )


def _relations(words: Vocabulary) -> list[str]:
    """Names of the relations of the rules, by id."""
    return [words.relation(number) for number in range(words.relations)]


def _config(outcome: Outcome) -> dict[str, object]:
    """The plan as JSON values, with ISO dates."""
    plan: dict[str, object] = asdict(outcome.plan)
    settings = asdict(outcome.plan.settings)
    days = {name: date.fromordinal(settings[name]).isoformat() for name in ("begin", "end")}
    del plan["settings"]
    return plan | settings | days | {"reference": outcome.reference.year}


def disagreements(dataset: DataSet) -> Iterator[Breach]:
    """Figures of the manifest, and confidences of rules, that differ from what the folder contains.

    Raises:
        HopcheckError: a file cannot be read.
        KeyError, TypeError: an entry is missing or malformed.
    """
    manifest, where = dataset.manifest, dataset.folder.path(MANIFEST)
    name = next((name for name in (SCORED, CERTIFICATES) if name in dataset.outputs), None)
    if name is None:
        return
    rows = [row.values for row in read(dataset.folder.path(name))]
    by_roles = [row for row in rows if row.get("role_rule") is not None]
    ruled = [row for row in rows if row.get("rule") is not None]
    used = {(row.get("role_rule"), row.get("rule_number")) for row in ruled}
    mean = float(np.mean([row["confidence"] for row in rows])) if rows else 0.0
    due = {
        "facts": len(rows),
        "by_role_rules": len(by_roles),
        "relations": len({row["relation"] for row in rows}),
        "rules_used": len(used),
        "mean_confidence": mean,
    }
    figures = manifest["figures"]
    for figure, expected in due.items():
        # Facts have rounded confidences.
        if abs(figures[figure] - expected) > 10**-6:
            message = f"found {figures[figure]} {figure}, expected {round(expected, 6)}"
            yield Breach(where=where, message=message)
    if figures["violations"]:
        yield Breach(where=where, message="found violations, expected none of a forecast")
    if by_roles and ROLE_RULES not in dataset.outputs:
        message = f"outputs lack {ROLE_RULES}, whose rules {len(by_roles):,} facts have"
        yield Breach(where=where, message=message)
    if RULES in dataset.outputs:
        yield from stated_confidences(dataset.folder.path(RULES))
