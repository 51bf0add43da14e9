"""Measures the speed of ``verify --kind links`` and ``repair``, each in a process of its own.

The data are not part of this project::

    python -m benchmarks.reproduction.links.speed DATA --write

DATA contains ``tddiscourse/TDDMan*`` and ``tddiscourse/TDDAuto*``; the other files are made anew,
from a seed. It prints a table; ``--write`` writes it and its figures as JSON to
``benchmarks/results/``.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click

from benchmarks.reproduction.speed.clock import machine, rounded_figures, write_results
from benchmarks.reproduction.speed.processes import Process, command
from grammar.links.model import Document, Link, Node, RelationType
from solver.io.writing import json_lines
from solver.links.io import as_json

SEED = 0
SMALL, SMALL_NODES, SMALL_LINKS = 10_000, 12, 20
LARGE_NODES, LARGE_LINKS = 2_000, 50_000
LIMITS = {
    "TDDiscourse, verify": 10.0,
    "TDDiscourse, repair": 120.0,
    "10,000 documents of 20 links, verify": 60.0,
    "a document of 50,000 links, verify": 10.0,
}
"""Seconds that each measurement may take."""


def random_document(name: str, nodes: int, links: int, *, right: float, seed: int) -> Document:
    """A document whose links are true on a random line, but for a share of ``1 - right``."""
    source = random.Random(f"{seed} {name}")
    starts = [source.randrange(4 * nodes) for _ in range(nodes)]
    ends = [start + source.randrange(1, 8) for start in starts]
    drawn = []
    for number in range(links):
        index, other = source.sample(range(nodes), 2)
        relation = RelationType.VAGUE
        if source.random() > right:
            relation = source.choice((RelationType.BEFORE, RelationType.INCLUDES))
        elif ends[index] < starts[other]:
            relation = RelationType.BEFORE
        elif ends[other] < starts[index]:
            relation = RelationType.AFTER
        elif starts[index] < starts[other] and ends[other] < ends[index]:
            relation = RelationType.INCLUDES
        elif starts[other] < starts[index] and ends[index] < ends[other]:
            relation = RelationType.IS_INCLUDED
        drawn.append(Link(id=str(number), left=f"e{index}", right=f"e{other}", relation=relation))
    every = {f"e{n}": Node(id=f"e{n}") for n in range(nodes)}
    return Document(name=name, nodes=every, links=tuple(drawn))


def measure(data: Path, jobs: int) -> Iterator[tuple[str, Process]]:
    """Run each command once."""
    discourse = [str(path) for path in sorted((data / "tddiscourse").glob("TDD*"))]
    options = ("--json", "--jobs", str(jobs))
    with tempfile.TemporaryDirectory() as name:
        small, large = Path(name) / "small.jsonl", Path(name) / "large.jsonl"
        with json_lines(small) as file:
            for n in range(SMALL):
                document = random_document(str(n), SMALL_NODES, SMALL_LINKS, right=0.99, seed=SEED)
                file.write(as_json(document))
        with json_lines(large) as file:
            document = random_document("large", LARGE_NODES, LARGE_LINKS, right=1.0, seed=SEED)
            file.write(as_json(document))
        works = (
            ("verify", "--kind", "links", *discourse),
            ("repair", *discourse),
            ("verify", "--kind", "links", str(small)),
            ("verify", "--kind", "links", str(large)),
        )
        for title, work in zip(LIMITS, works, strict=True):
            yield title, command(*work, *options)


@click.command()
@click.argument("data", type=click.Path(path_type=Path, exists=True))
@click.option("--jobs", default=2, show_default=True, help="Worker processes.")
@click.option("--write", is_flag=True, help="Write the results.")
def main(data: Path, jobs: int, write: bool) -> None:
    """Measure verification and repair of temporal links."""
    lines = [
        "| work | seconds | process time | most memory (MiB) | limit |",
        "|---|---:|---:|---:|---:|",
    ]
    values: dict[str, object] = {"jobs": jobs, "machine": machine()}
    for title, process in measure(data, jobs):
        limit = LIMITS[title]
        lines.append(
            f"| {title} | {process.seconds:.1f} | {process.spent:.1f} | {process.mebibytes:.0f} | "
            f"{limit:.0f} |"
        )
        click.echo(lines[-1])
        values[title] = {
            "seconds": process.seconds,
            "process_seconds": process.spent,
            "mebibytes": process.mebibytes,
            "limit": limit,
        }
    if write:
        page = "\n".join([*lines, ""])
        write_results("links-speed", rounded_figures(values, 2), page)


if __name__ == "__main__":
    main()
