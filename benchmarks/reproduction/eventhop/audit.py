"""Audits files in the published EventHopNLI format: how many labels and declarations are correct.

The files are not part of this project::

    python -m benchmarks.reproduction.eventhop.audit temporal_test.tsv.gz --write

It prints a table; ``--write`` writes it and its figures as JSON to ``benchmarks/results/``.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

import click

from benchmarks.reproduction.speed.clock import write_results
from grammar.eventhop.model import Policy, SpatialReading
from solver.eventhop.engines import EngineName, ItemSettings
from solver.eventhop.outcomes import FindingCode
from solver.eventhop.report import ItemReport
from solver.eventhop.tally import Premise
from solver.verification.report import Kind
from solver.verification.run import verify

ENGINES = (EngineName.ASP, EngineName.GRAPH, EngineName.SMT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """Correctness of a file's labels and declarations under one policy and reading.

    Attributes:
        wrong: number of gold labels that differ from the decided label.
        possible: number of premises declared possible; ``contradictory``: those that are not.
        self_claims: number of claims of an event about itself.
        causes: causes of wrong labels, the most frequent first.
    """

    file: str
    policy: str
    spatial: str
    items: int
    wrong: int
    possible: int
    contradictory: int
    self_claims: int
    causes: dict[str, int]


def audit(path: Path, policy: Policy, spatial: SpatialReading) -> Audit:
    """Verify a file with all engines cross-checked, and collect the figures."""
    settings = ItemSettings(policy=policy, spatial=spatial, engines=ENGINES)
    report = verify(path, Kind.EVENTHOP, config=settings)
    if not isinstance(report, ItemReport):
        raise TypeError(f"found a report of {report.kind}, expected items")
    if report.failure is not None:
        raise report.failure
    tally = report.tally
    return Audit(
        file=path.name,
        policy=policy,
        spatial=spatial,
        items=tally.items,
        wrong=tally.findings[FindingCode.WRONG_LABEL],
        possible=sum(count for (declared, _), count in tally.declared.items() if declared),
        contradictory=sum(
            count
            for (declared, found), count in tally.declared.items()
            if declared and found is not Premise.CONSISTENT
        ),
        self_claims=tally.findings[FindingCode.SELF_CLAIM],
        causes=tally.shown_causes(),
    )


def table(audits: list[Audit]) -> str:
    """The audits as a Markdown table."""
    head = (
        "file | policy | reading of edges | items | wrong labels | declared possible, contradictory"
    )
    rows = [
        f"| {a.file} | {a.policy} | {a.spatial} | {a.items:,} | {_share(a.wrong, a.items)} | "
        f"{_share(a.contradictory, a.possible)} |"
        for a in audits
    ]
    return "\n".join([f"| {head} |", "|---|---|---|---|---|---|", *rows]) + "\n"


def _share(part: int, whole: int) -> str:
    return f"{part:,} of {whole:,} ({part / whole:.1%})" if whole else "none"


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--write", is_flag=True, help="Write the results to benchmarks/results/.")
def main(paths: tuple[Path, ...], write: bool) -> None:
    """Audit files under the policies local and global, spatial ones in both readings."""
    audits = []
    for path in paths:
        spatial = "spatial" in path.name
        for reading in SpatialReading if spatial else (SpatialReading.GEOMETRIC,):
            audits += [audit(path, policy, reading) for policy in (Policy.LOCAL, Policy.GLOBAL)]
    text = table(audits)
    click.echo(text, nl=False)
    if write:
        write_results("eventhop-audit", [asdict(each_audit) for each_audit in audits], text)


if __name__ == "__main__":
    main()
