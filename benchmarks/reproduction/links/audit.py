"""Audits published corpora of temporal links: contradictions, and the fewest links to remove.

The data are not part of this project::

    python -m benchmarks.reproduction.links.audit DATA --write

DATA contains ``tddiscourse/TDDMan*``, ``tddiscourse/TDDAuto*``, ``matres/*`` and
``narrativetime/a1`` and ``a2``. It prints a table; ``--write`` writes it and its figures as JSON to
``benchmarks/results/``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from benchmarks.reproduction.speed.clock import write_results
from grammar.links.model import Interpretation, Reading
from solver.links.corpus import Repaired, repair_corpus
from solver.links.messages import link_in_words
from solver.links.repair import RepairSettings

CORPORA = {
    "TDDMan": "tddiscourse/TDDMan*",
    "TDDAuto": "tddiscourse/TDDAuto*",
    "MATRES": "matres/*",
    "NarrativeTime a1": "narrativetime/a1/*",
    "NarrativeTime a2": "narrativetime/a2/*",
}
_SHOWN = 9
"""Documents of each of these corpora whose contradictions are listed."""

_EXPLAINED = (("TDDMan", Reading.LENIENT), ("NarrativeTime a1", Reading.ALLEN))


def audit(data: Path, seconds: float) -> Iterator[tuple[str, Reading, Repaired]]:
    """Repair each corpus under each reading."""
    for name, pattern in CORPORA.items():
        for reading in Reading:
            settings = RepairSettings(
                interpretation=Interpretation(reading=reading), seconds=seconds
            )
            paths = [str(path) for path in sorted(data.glob(pattern))]
            yield name, reading, repair_corpus(paths, settings)


def figures(result: Repaired) -> dict[str, object]:
    """The figures of a corpus that do not depend on the machine."""
    found = result.as_json()
    kept = ("documents", "links", "inconsistent", "removed", "weight", "least", "proved_minimal",
            "confirmed_by_second_solver", "by_document", "intervals")  # fmt: skip
    return {name: found[name] for name in kept}


def contradictions(result: Repaired) -> list[str]:
    """The shortest cycles of the documents that need the most changes, one for each."""
    order = sorted(result.repairs, key=lambda n: (-result.repairs[n].cost, n))
    return [
        f"{outcome.document.name}: "
        + "; ".join(
            link_in_words(outcome.document, outcome.document.links[link])
            for link in outcome.decision.links
        )
        for outcome in (result.outcomes[n] for n in order[:_SHOWN])
    ]


@click.command()
@click.argument("data", type=click.Path(path_type=Path, exists=True))
@click.option("--time-limit", default=60, show_default=True, help="Seconds for each document.")
@click.option("--write", is_flag=True, help="Write the results.")
def main(data: Path, time_limit: int, write: bool) -> None:
    """Audit corpora of temporal links."""
    rows = [
        "| corpus | reading | documents | links | inconsistent | fewest links to remove |",
        "|---|---|---:|---:|---:|---:|",
    ]
    values: dict[str, object] = {}
    shown: list[str] = []
    for name, reading, result in audit(data, time_limit):
        record = figures(result)
        values[f"{name}, {reading}"] = record
        least = f"{record['least']}"
        if not record["proved_minimal"]:
            least += f" to {record['weight']}"
        cells = (name, str(reading), f"{record['documents']:,}", f"{record['links']:,}",
                 f"{record['inconsistent']}", least)  # fmt: skip
        rows.append(f"| {' | '.join(cells)} |")
        click.echo(rows[-1])
        if (name, reading) in _EXPLAINED:
            shown += contradictions(result)
    values["contradictions"] = shown
    text = "\n".join([*rows, "", *(f"- {name}" for name in shown), ""])
    if write:
        write_results("audit-links", values, text)


if __name__ == "__main__":
    main()
