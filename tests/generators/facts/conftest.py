"""A small graph of people who join and leave clubs, and forecasts from it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from generators.facts.model import Settings
from generators.facts.outcome import Outcome, Plan, forecast
from solver.graph.io import read_dataset

FIRST, LAST = date(2031, 1, 1).toordinal(), date(2031, 2, 28).toordinal()


def career_rows() -> list[tuple[str, str, str, str]]:
    """Two years in which people who leave a club join another one three days later."""
    chance = random.Random(7)
    rows = []
    for number in range(40):
        day = date(2029, 1, 1) + timedelta(days=chance.randrange(60))
        club = chance.randrange(6)
        while day < date(2030, 12, 1):
            rows.append((f"Player {number}", "startMemberOf", f"Club {club}", day.isoformat()))
            day += timedelta(days=chance.randrange(40, 160))
            if day < date(2031, 1, 1):
                rows.append((f"Player {number}", "endMemberOf", f"Club {club}", day.isoformat()))
                rows.append((f"Club {club}", "pays", f"Player {number}", day.isoformat()))
            day += timedelta(days=3)
            club = (club + chance.randrange(1, 6)) % 6
    return sorted(rows, key=lambda row: row[3])


@pytest.fixture(scope="session")
def careers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("graph") / "careers.tsv"
    path.write_text("".join("\t".join(row) + "\n" for row in career_rows()))
    return path


@pytest.fixture(scope="session")
def schema(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("schema")
    (folder / "classes.csv").write_text(
        "class,parents,disjoint_with\nThing,,\nPerson,Thing,Club\nClub,Thing,\nTeam,Club,\n"
    )
    (folder / "relations.csv").write_text(
        "relation,domain_class,range_class,can_end\nmemberOf,Person,Club,yes\npays,Club,Person,no\n"
    )
    return folder


@pytest.fixture(scope="session")
def made(careers: Path) -> Callable[..., Outcome]:
    """Forecast from the careers; keywords are fields of the plan, ``settings`` of its settings."""
    dataset = read_dataset(careers)

    def make(
        settings: dict[str, object] | None = None, *, jobs: int = 1, **plan: object
    ) -> Outcome:
        chosen = replace(Settings(begin=FIRST, end=LAST), **(settings or {}))  # type: ignore[arg-type]
        return forecast(dataset, Plan(settings=chosen, **plan), jobs=jobs)  # type: ignore[arg-type]

    return make


@pytest.fixture(scope="session")
def plain(made: Callable[..., Outcome]) -> Outcome:
    """The forecast by default."""
    return made()


@pytest.fixture(scope="session")
def published(made: Callable[..., Outcome]) -> Outcome:
    """The forecast by the published procedure, which draws no starts by role rules."""
    return made({"published": True})
