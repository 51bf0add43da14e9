"""``forecast``: generates future facts by rules, each with its rule and grounding."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import click
import numpy as np

from generators.facts.figures import says_nothing_new
from generators.facts.files import write_forecast
from generators.facts.model import Settings
from generators.facts.outcome import Outcome, Plan, forecast, queries_of
from grammar.errors import ExitStatus
from solver.cli.options import (
    as_json,
    graph_argument,
    jobs,
    out_folder,
    seed,
)
from solver.cli.printing import narrow_table, print_json, progress
from solver.cli.settings import setting_option
from solver.graph.io import read_dataset
from solver.graph.model import Dataset
from solver.io.sources import output_name
from solver.io.terminal import wide_console
from solver.io.writing import atomic, make_folder

_SHOWN = 10
QUERIES = "queries.npy"
MANIFEST = "manifest.json"


@click.command()
@graph_argument
@setting_option(Plan, "rules")
@setting_option(Plan, "scores")
@click.option(
    "--queries",
    is_flag=True,
    help=f"Write {QUERIES}, the queries that a model has to score for --scores, and no facts.",
)
@setting_option(Plan, "schema")
@setting_option(Settings, "begin")
@setting_option(Settings, "end")
@setting_option(Plan, "reference")
@setting_option(Settings, "most")
@setting_option(Settings, "subjects")
@setting_option(Settings, "tries")
@setting_option(Plan, "window")
@setting_option(Settings, "match")
@setting_option(Settings, "published")
@setting_option(Plan, "frequent")
@setting_option(Plan, "coherent")
@setting_option(Plan, "exclusive")
@setting_option(Plan, "unknown")
@setting_option(Plan, "typed")
@seed
@jobs
@out_folder()
@as_json
def command(
    *,
    graph: Path,
    queries: bool,
    jobs: int,
    out: Path,
    as_json: bool,
    **given: Any,  # noqa: ANN401 - the fields of the settings and of the plan
) -> int:
    """Forecast facts day by day, with the daily counts and relations of a reference year.

    GRAPH is a folder or a file of dated facts; only those before the first day are used. Facts are
    checked as by verify --kind facts, and their certificates as by check, before they are written.
    Facts by the --scores of a model have no certificates; schema and coherency are their gate.

    \b
    Examples:
      python -m solver forecast examples/tkg --from 2032-03-02 --to 2032-03-31 --out future
      python -m solver forecast GRAPH --schema DIR --from 2026-01-01 --to 2026-12-31 --out future
      python -m solver forecast GRAPH --rules rules.json --from 2026-01-01 --to 2026-01-31 \\
          --match-relations --jobs 2 --out future
      python -m solver forecast examples/tkg --from 2032-03-02 --to 2032-03-31 --queries --out asked
      python -m solver baseline forecaster runs/cygnet --data examples/tkg \\
          --queries asked/queries.npy --scores scored
      python -m solver forecast examples/tkg --from 2032-03-02 --to 2032-03-31 --scores scored \\
          --out future
    """  # noqa: D301 - click reads the backslash
    settings = Settings(**{field.name: given.pop(field.name) for field in fields(Settings)})
    plan = Plan(settings=settings, **given)
    if settings.end < settings.begin:
        raise click.BadParameter("the last day is before the first one", param_hint="--to")
    if plan.typed and plan.schema is None:
        raise click.UsageError("--require-types needs --schema.")
    if plan.scores is not None and (queries or plan.rules or settings.published or settings.match):
        message = "--scores excludes --queries, --rules, --published and --match-relations."
        raise click.UsageError(message)
    dataset = read_dataset(graph, ordered=False)
    if queries:
        _write_queries(dataset, plan, out, as_json=as_json)
        return ExitStatus.OK
    with progress("days", settings.end - settings.begin + 1) as advance:
        outcome = forecast(dataset, plan, jobs=jobs, progress=advance)
    manifest = None if plan.scores is None else plan.scores / MANIFEST
    inputs = [path for path in (graph, plan.rules, manifest, plan.schema) if path is not None]
    write_forecast(out, outcome, inputs)
    if as_json:
        print_json(_summary(outcome, dataset.name, out))
    else:
        _show(outcome, dataset.name, out)
    return ExitStatus.VIOLATIONS if outcome.checked.findings else ExitStatus.OK


def _write_queries(dataset: Dataset, plan: Plan, out: Path, *, as_json: bool) -> None:
    """Write the queries of a forecast as ``numpy.save`` does."""
    found = queries_of(dataset, plan)
    path = make_folder(out) / QUERIES
    with atomic(path) as file:
        np.save(file, found)
    if as_json:
        print_json({"out": out.name, "queries": len(found), "seed": plan.settings.seed})
    else:
        click.echo(f"wrote {len(found):,} queries to {path}", err=True)


def _summary(outcome: Outcome, name: str, out: Path) -> dict[str, Any]:
    return outcome.figures.as_json() | {
        "data": name,
        "out": out.name,
        "seed": outcome.plan.settings.seed,
        "reference": outcome.reference.year,
        "known": len(outcome.graph.facts),
        "later": outcome.graph.later,
        "rules": outcome.rules,
        "violations": outcome.checked.findings.counts(),
    }


def _show(outcome: Outcome, name: str, out: Path) -> None:
    console, figures, graph = wide_console(), outcome.figures, outcome.graph
    later = f", {graph.later:,} later facts ignored" if graph.later else ""
    roles = len(outcome.roles.rules) if outcome.roles is not None else 0
    rules = f"{outcome.rules:,} rules" + (f", {roles:,} role rules" if roles else "")
    if outcome.plan.scores is not None:
        rules = f"scores of {outcome.plan.scores}"
    console.print(f"{name}: {len(graph.facts):,} known facts{later}, {rules}")
    year = str(outcome.reference.year)
    for comparison in figures.comparisons:
        table = narrow_table("", comparison.name, (year, "share", "forecast", "share"))
        rows = (
            sorted(comparison.rows, key=_count, reverse=True)
            if comparison.name == "relations"
            else comparison.rows
        )
        for row in rows[:_SHOWN]:
            table.add_row(*row)
        console.print(table)
        if len(rows) > _SHOWN:
            console.print(f"{len(rows) - _SHOWN:,} more {comparison.name} in the report")
    console.print(f"total variation distance to {year}")
    table = narrow_table("", "shares of", ("distance", "floor"))
    for comparison in figures.comparisons:
        table.add_row(comparison.name, f"{comparison.distance:.3f}", f"{comparison.floor:.3f}")
    console.print(table)
    warning = says_nothing_new(figures.comparisons)
    if warning is not None:
        console.print(f"warning: nothing new: {warning}")
    if figures.facts < figures.wanted:
        console.print(f"{figures.wanted - figures.facts:,} requested facts not found")
    counts = outcome.checked.findings.counts()
    violations = ", ".join(f"{count:,} {code}" for code, count in counts.items()) or "0 violations"
    what = "certificates"
    if figures.first is not None:
        console.print(f"{figures.first:,} of {figures.facts:,} objects score highest")
        what = "facts"
    console.print(f"verified: {figures.facts:,} {what}, {violations}")
    console.print(f"wrote {figures.facts:,} facts to {output_name(out)}")


def _count(row: tuple[str, ...]) -> int:
    """The number of facts in the year."""
    return int(row[1].replace(",", ""))
