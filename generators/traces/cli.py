"""``generate traces``: chains of thought with proved step labels."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generators.dataset import SplitFormat
from generators.levels import level_option, settled
from generators.traces.twins import LEVELS, Error
from grammar.eventhop.model import Domain
from solver.cli.options import (
    CommaSeparated,
    WholeNumbers,
    as_json,
    choice_option,
    jobs,
    number_option,
    on_cluster,
    out_folder,
    probes,
    seed,
)
from solver.probes.probe import ProbeLevel

if TYPE_CHECKING:
    from generators.traces.run import Outcome


@click.command()
@number_option("--train", default=0, low=0, help="Number of train twins, of two chains each.")
@number_option("--test", default=700, low=0, help="Number of test twins, of two chains each.")
@click.option(
    "--domains",
    type=CommaSeparated(Domain),
    default="all",
    show_default=True,
    metavar="DOMAINS",
    help=f"Wordings, of {', '.join(Domain)}.",
)
@click.option(
    "--errors",
    type=CommaSeparated(Error),
    default="all",
    show_default=True,
    metavar="ERRORS",
    help=f"Kinds of first errors, of {', '.join(Error)}.",
)
@click.option(
    "--hops",
    type=WholeNumbers(2, 12),
    default="2,3,4,5",
    show_default=True,
    metavar="HOPS",
    help="Comma-separated numbers of premise sentences of a proof.",
)
@level_option(LEVELS)
@number_option("--detours", default=0, low=0, high=8, help="Right steps that lead nowhere.")
@number_option(
    "--irrelevant", default=2, low=0, high=12, help="Premise sentences that no proof needs."
)
@seed
@choice_option(
    "--format",
    "form",
    values=SplitFormat,
    default=SplitFormat.BOTH,
    help="Format of the splits: JSON Lines (with certificates), Parquet or both.",
)
@probes
@jobs
@on_cluster
@out_folder()
@as_json
def command(
    *,
    form: SplitFormat,
    probes: ProbeLevel,
    jobs: int,
    out: Path,
    as_json: bool,
    **given: Any,  # noqa: ANN401 - the fields of the settings
) -> None:
    """Generate chains of thought in twins: one right, one with a first error at a known step.

    The chains of a twin are the same word for word; their premises differ in one sentence. Each is
    decided by two engines, and each verdict has a checked certificate. Probes rank the chains from
    their words.

    \b
    Examples:
      python -m solver generate traces --test 700 --out data/traces
      python -m solver generate traces --train 5000 --test 500 --detours 1 --out data/traces
      python -m solver generate traces --test 70 --errors converse --out data/small
      python -m solver generate traces --test 70 --level 4 --out data/level-4
    """  # noqa: D301 - click reads the backslash
    from generators.traces.run import TraceSettings, generate
    from solver.cli.printing import note_skipped, print_json, progress

    settings = TraceSettings(**settled(LEVELS, given))
    if not settings.train + settings.test:
        raise click.UsageError("found no twins to generate, expected --train or --test above 0.")
    if form is SplitFormat.BOTH:
        note_skipped("Parquet files are not written", "pyarrow")
    if probes is not ProbeLevel.NONE:
        note_skipped("probes are not run", "sklearn")
    with progress("twins", settings.train + settings.test) as advance:
        outcome = generate(settings, out, form=form, probes=probes, jobs=jobs, progress=advance)
    if as_json:
        print_json({"out": out.name, "seed": settings.seed} | outcome.as_json())
    else:
        _show(outcome, out)


def _show(outcome: Outcome, out: Path) -> None:
    from generators.traces.run import TARGETS

    for cell, count in sorted(outcome.counts.items()):
        click.echo(f"{cell}: {count:,}")
    for split, results in outcome.probes.items():
        for result in results:
            target = TARGETS[result.name]
            click.echo(
                f"probe of {split} on the {result.name} ({result.learner}): "
                f"AUC {result.auc:.3f}, at most {target:.2f} is wanted"
            )
    click.echo(f"made: {out}")
