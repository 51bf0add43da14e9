"""Commands about annotated links: ``verify --kind links``, ``repair``, ``close``, ``reduce``."""

from __future__ import annotations

from pathlib import Path

import click

from grammar.links.model import During, Interpretation, Reading
from solver.cli.options import EnumChoice, Option, jobs, option_group
from solver.cli.verify import checking, finish
from solver.verification.report import Kind


def reading(default: Reading = Reading.LENIENT) -> Option:
    """``--reading``, with its default."""
    return click.option(
        "--reading",
        type=EnumChoice(Reading),
        default=default.value,
        show_default=True,
        help="Whether events that meet count as before each other, and so on (lenient: < is read "
        "as <=), or not (allen).",
    )


during = click.option(
    "--during",
    type=EnumChoice(During),
    default=During.INCLUDED.value,
    show_default=True,
    help="Whether DURING means IS_INCLUDED or, as in the TempEval-3 scorer, SIMULTANEOUS.",
)
dates = click.option(
    "--dates", is_flag=True, help="Add the order of times that are normalised to calendar dates."
)


def interpretation(default: Reading = Reading.LENIENT) -> Option:
    """``--reading``, ``--during`` and ``--dates`` as one object."""
    return option_group("interpretation", Interpretation, reading(default), during, dates)


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@interpretation()
@click.option(
    "--cores",
    type=click.IntRange(0, 10_000),
    default=0,
    show_default=True,
    help="Number of minimal contradictory sets of links to list for each document.",
)
@click.option("--no-redundancy", is_flag=True, help="Skip counting links that follow from others.")
@jobs
@checking
@click.pass_context
def verify(
    ctx: click.Context,
    /,
    *,
    paths: tuple[str, ...],
    interpretation: Interpretation,
    cores: int,
    no_redundancy: bool,
    jobs: int,
    report: Path | None,
    show: int,
    as_json: bool,
) -> None:
    """Check annotated documents: are the temporal links of each consistent?

    PATH is a file, a folder or a .tar.gz of TimeML (.tml), tables (TDDiscourse, TimeBank-Dense,
    MATRES) or JSON Lines. Two engines decide each document; an inconsistent one is shown with a
    minimal contradictory cycle, a consistent one has a timeline, and both are checked.

    \b
    Examples:
      python -m solver verify --kind links examples/links
      python -m solver verify --kind links examples/links --reading allen --dates --cores 10
      python -m solver verify --kind links corpus.tar.gz --jobs 2 --report reports/links
    """  # noqa: D301 - click reads the backslash
    from solver.cli.printing import progress
    from solver.links.verify import LinkSettings
    from solver.verification import run

    settings = LinkSettings(
        interpretation=interpretation, cores=cores, redundancy=not no_redundancy
    )
    with progress("documents") as advance:
        result = run.verify(
            paths, Kind.LINKS, config=settings, jobs=jobs, progress=advance, folder=report
        )
    ctx.exit(finish(result, report=report, show=show, as_json=as_json))
