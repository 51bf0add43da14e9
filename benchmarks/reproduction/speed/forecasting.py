"""Measures the cost of a forecast and the results of its verification.

    python -m benchmarks.reproduction.speed.forecasting YAGO [--icews FOLDER] [--write]

YAGO contains the released facts of 2022 (``yago2022/single.references.txt``) and the schema table
(``schema``). A single year yields hardly any rule, so a synthetic start is added 30 to 1,500 days
before each end without one: the result is a YAGO-like graph, not the release. Times are process
times of one core, the minimum over the rounds, from the file of the graph to the folder of facts.
"""

from __future__ import annotations

import tempfile
from dataclasses import asdict, dataclass, replace
from datetime import date, timedelta
from pathlib import Path

import click

from benchmarks.reproduction.speed.clock import fastest, machine, write_results
from generators.facts.files import write_forecast
from generators.facts.model import Settings
from generators.facts.outcome import Outcome, Plan, forecast
from solver.cli.printing import print_json
from solver.facts.intervals import Naming
from solver.facts.literals import read_literals
from solver.facts.model import Bound
from solver.facts.schema_files import read_schema
from solver.graph.io import read_dataset
from solver.seeding import seed_of

REFERENCES = "yago2022/single.references.txt"
EARLIEST, LATEST = 30, 1500
"""Range of days between a synthetic start and its end."""

Row = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ForecastRun:
    """The result of a run.

    Attributes:
        compared: total variation distance to the reference year and its floor, by feature.
        new_pairs: number of facts that join a new pair of entities.
        seconds: process time; None if not measured.
    """

    graph: str
    options: str
    known: int
    rules: int
    facts: int
    wanted: int
    compared: dict[str, tuple[float, float]]
    new_pairs: int
    violations: dict[str, int]
    certificates: int
    seconds: float | None = None


@click.command()
@click.argument("yago", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--icews", type=click.Path(exists=True, path_type=Path), help="ICEWS14.")
@click.option(
    "--rounds", type=click.IntRange(1), default=3, show_default=True, help="Timing rounds."
)
@click.option("--write", is_flag=True, help="Write benchmarks/results/forecast.json too.")
def main(yago: Path, icews: Path | None, rounds: int, *, write: bool) -> None:
    """Measure forecasting."""
    schema = yago / "schema"
    year = Settings(begin=_day(2023, 1, 1), end=_day(2023, 12, 31))
    published = replace(year, published=True)
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        released, built = home / "released.tsv", home / "yago-like.tsv"
        write_rows(released, released_rows(yago / REFERENCES))
        write_rows(built, with_starts(released_rows(yago / REFERENCES), schema))
        runs = [
            _timed(built, "", Plan(settings=year, schema=schema), home, rounds),
            _run(built, "--published", Plan(settings=published, schema=schema)),
            _run(
                built,
                "--published --no-coherency",
                Plan(settings=published, schema=schema, coherent=False),
            ),
            _run(released, "", Plan(settings=year, schema=schema)),
        ]
        if icews is not None:
            month = Settings(begin=_day(2015, 1, 1), end=_day(2015, 1, 31))
            runs.append(_timed(icews, "", Plan(settings=month), home, 1))
    figures = {"rounds": rounds, "machine": machine(), "runs": [asdict(run) for run in runs]}
    if write:
        write_results("forecast", figures)
    print_json(figures)


def released_rows(path: Path) -> list[Row]:
    """The distinct facts without empty names, by date."""
    rows = {
        (fact.subject.strip(), fact.relation, fact.object.strip(), fact.date)
        for example in read_literals(path)
        for fact in example.facts
    }
    return sorted((row for row in rows if all(row)), key=lambda row: (row[3], row))


def with_starts(rows: list[Row], schema: Path) -> list[Row]:
    """The facts, with a synthetic start for each end without one."""
    naming = Naming.of(read_schema(schema))
    read = [(*naming.read(row[1]), row) for row in rows]
    started = {(row[0], name, row[2]) for name, bound, row in read if bound is Bound.START}
    made = []
    for name, bound, (subject, _, object_, day) in read:
        if bound is Bound.END and (subject, name, object_) not in started:
            span = seed_of("start", subject, name, object_, day) % (LATEST - EARLIEST + 1)
            begun = date.fromisoformat(day) - timedelta(days=EARLIEST + span)
            start = naming.write(name, Bound.START)
            made.append((subject, start, object_, begun.isoformat()))
            started.add((subject, name, object_))
    return sorted({*rows, *made}, key=lambda row: (row[3], row))


def write_rows(path: Path, rows: list[Row]) -> None:
    """Write a graph in the format of ``read_dataset``."""
    path.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")


def _timed(path: Path, options: str, plan: Plan, home: Path, rounds: int) -> ForecastRun:
    def run() -> Outcome:
        outcome = forecast(read_dataset(path, ordered=False), plan)
        write_forecast(home / "out", outcome, [])
        return outcome

    seconds, outcome = fastest(run, rounds)
    return _forecast_run(path, options, outcome, round(seconds, 2))


def _run(path: Path, options: str, plan: Plan) -> ForecastRun:
    return _forecast_run(path, options, forecast(read_dataset(path, ordered=False), plan))


def _forecast_run(
    path: Path, options: str, outcome: Outcome, seconds: float | None = None
) -> ForecastRun:
    figures = outcome.figures
    return ForecastRun(
        graph=path.stem,
        options=options,
        known=len(outcome.graph.facts),
        rules=outcome.rules,
        facts=figures.facts,
        wanted=figures.wanted,
        compared={
            comparison.name: (round(comparison.distance, 4), round(comparison.floor, 4))
            for comparison in figures.comparisons
        },
        new_pairs=figures.comparison("pairs").made[0],
        violations=outcome.checked.findings.counts(),
        certificates=len(outcome.result.forecasts),
        seconds=seconds,
    )


def _day(year: int, month: int, day: int) -> int:
    return date(year, month, day).toordinal()


if __name__ == "__main__":
    main()
