"""Entities with a single fact are removed recursively."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from generators.facts.model import DatedGraph, ForecastError, Settings, dated_graph
from generators.facts.outcome import Plan, forecast
from generators.facts.reference import without_rare_entities
from solver.facts.role_rules import relation_kinds
from solver.graph.io import read_dataset

FIRST = date(2031, 1, 1).toordinal()
RING = ("a likes b 01", "b likes c 02", "c likes a 03")


def graph(path: Path, *rows: str) -> DatedGraph:
    lines = []
    for row in rows:
        subject, relation, other, day = row.split()
        lines.append(f"{subject}\t{relation}\t{other}\t2030-01-{day}\n")
    file = path / "graph.tsv"
    file.write_text("".join(lines))
    return dated_graph(read_dataset(file), begin=800_000, end=800_001)


def left(known: DatedGraph) -> int:
    return len(without_rare_entities(known, relation_kinds(known.vocabulary, None)).facts)


def test_a_chain_is_removed_link_by_link(tmp_path: Path) -> None:
    assert left(graph(tmp_path, *RING, "c likes d 04", "d likes e 05", "e likes f 06")) == 3


def test_start_and_end_of_a_fact_count_once(tmp_path: Path) -> None:
    once = ("a startSpouse z 04", "a endSpouse z 05", "a startSpouse z 06")
    assert left(graph(tmp_path, *RING, *once)) == 3
    assert left(graph(tmp_path, *RING, *once, "b pays z 07")) == 7


def test_removing_everything_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ForecastError, match="removing rare entities leaves no facts"):
        left(graph(tmp_path, "a likes b 01", "b likes c 02"))


def test_a_forecast_without_rare_entities(careers: Path, tmp_path: Path) -> None:
    path = tmp_path / "careers.tsv"
    path.write_text(careers.read_text() + "Passer-by\tpays\tClub 1\t2030-12-31\n")
    dataset = read_dataset(path)
    plan = Plan(settings=Settings(begin=FIRST, end=FIRST + 9))
    whole, frequent = (forecast(dataset, replace(plan, frequent=flag)) for flag in (False, True))
    assert len(frequent.graph.facts) == len(whole.graph.facts) - 1
    assert frequent.result.forecasts
    assert not frequent.checked.findings
