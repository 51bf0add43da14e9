"""A year on the released facts, with their schema; a week on events without one."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from benchmarks.reproduction.speed.forecasting import (
    REFERENCES,
    released_rows,
    with_starts,
    write_rows,
)
from generators.facts.model import Settings
from generators.facts.outcome import Outcome, Plan, forecast
from solver.graph.io import read_dataset

FIRST = date(2023, 1, 1).toordinal()


def forecast_days(shared: Path, folder: Path, days: int, *, coherent: bool) -> Outcome:
    yago = shared / "data" / "yago2026"
    graph = folder / "graph.tsv"
    write_rows(graph, with_starts(released_rows(yago / REFERENCES), yago / "schema"))
    settings = Settings(begin=FIRST, end=FIRST + days - 1, published=not coherent)
    plan = Plan(settings=settings, schema=yago / "schema", coherent=coherent)
    return forecast(read_dataset(graph), plan)


@pytest.mark.parametrize(
    ("days", "least"), [(30, 250), pytest.param(365, 4_000, marks=pytest.mark.slow)]
)
def test_a_year_is_coherent(shared: Path, tmp_path: Path, days: int, least: int) -> None:
    outcome = forecast_days(shared, tmp_path, days, coherent=True)
    assert outcome.figures.facts == outcome.figures.wanted > least
    assert not outcome.checked.findings
    for comparison in outcome.figures.comparisons:
        assert comparison.floor <= comparison.distance <= comparison.floor + 0.15, comparison
    assert outcome.figures.comparison("pairs").made[0] > outcome.figures.facts / 3
    assert all(each_forecast.grounding for each_forecast in outcome.result.forecasts)


@pytest.mark.slow
def test_a_year_without_the_gate_is_caught(shared: Path, tmp_path: Path) -> None:
    outcome = forecast_days(shared, tmp_path, 365, coherent=False)
    assert set(outcome.checked.findings.counts()) == {"reclosed", "reopened"}
    assert len(outcome.checked.findings) > 1_000


@pytest.mark.slow
def test_events_without_a_schema(shared: Path) -> None:
    days = Settings(begin=date(2015, 1, 1).toordinal(), end=date(2015, 1, 7).toordinal())
    outcome = forecast(read_dataset(shared / "data" / "icews14"), Plan(settings=days))
    assert outcome.figures.facts == outcome.figures.wanted > 700
    assert outcome.figures.total_variation < 0.15
    assert not outcome.checked.findings
