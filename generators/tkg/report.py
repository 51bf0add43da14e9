"""HTML report of a generated graph."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from generators.tkg import plots
from generators.tkg.comparison import COLUMNS, cells, figures
from generators.tkg.config import Config
from generators.tkg.instances import LabelledGraph
from generators.tkg.published import PublishedRow
from solver.report.sheet import Section, Sheet, Table, write_sheet

REPORT = "report.html"


def write_report(
    folder: Path,
    graph: LabelledGraph,
    config: Config,
    seed: int,
    statistics: Mapping[str, float],
    published: PublishedRow | None,
) -> Path:
    """Write the report and return its path.

    Raises:
        OutputError: the file cannot be written.
    """
    facts = graph.facts
    sheet = Sheet(
        title="Generated temporal knowledge graph",
        lead=f"{len(facts):,} labelled facts of {len(graph.plan):,} patterns.",
        facts={
            "mode": config.mode.value,
            "seed": str(seed),
            "patterns of 1, 2, 3 hops": ", ".join(map(str, config.patterns)),
            "planted instances": f"{graph.forced:,}",
            "labels": f"{len(graph.labels):,}",
            "weights": f"entities {config.entity_weights}, relations {config.relation_weights}",
        },
        sections=(
            Section(title="Figures", table=_table(statistics, published)),
            Section(title="Degree", plots=(plots.degrees(facts),)),
            Section(title="Events per step", plots=(plots.events(facts, config.steps),)),
            Section(title="Entities and relations", plots=(plots.distributions(facts),)),
            Section(title="Patterns", table=_patterns(graph)),
        ),
    )
    return write_sheet(folder / REPORT, sheet)


def _table(statistics: Mapping[str, float], published: PublishedRow | None) -> Table:
    rows = [("this graph", *cells(statistics))]
    if published is not None:
        rows.append((f"paper, {published.name}", *cells(figures(published))))
    return Table(columns=("", *COLUMNS.values()), rows=tuple(rows))


def _patterns(graph: LabelledGraph) -> Table:
    import numpy as np

    labels = graph.labels
    instances = np.unique(np.stack((labels.pattern, labels.instance)), axis=1)[0]
    counts = np.bincount(instances, minlength=len(graph.plan))
    rows = tuple(
        (str(one.id), str(one), " ".join(map(str, one.lags)), f"{count:,}")
        for one, count in zip(graph.plan.patterns, counts.tolist(), strict=True)
    )
    return Table(columns=("id", "pattern", "lags", "instances"), rows=rows)
