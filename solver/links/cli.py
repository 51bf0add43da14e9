"""Commands about annotated links: ``repair``, ``close``, ``reduce``."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grammar.links.model import Interpretation, Reading
from solver.cli.options import (
    NewFolder,
    Option,
    as_json,
    jobs,
    option_group,
    out_file,
    out_folder,
)
from solver.cli.options import report as report_option
from solver.cli.settings import made_option
from solver.links.settings import INTERPRETATION

if TYPE_CHECKING:
    from solver.links.corpus import Repaired


def interpretation(default: Reading = Reading.LENIENT) -> Option:
    """``--reading``, with its default, ``--during`` and ``--dates`` as one object."""
    defaults = asdict(Interpretation(reading=default))
    options = (made_option(name, option, defaults[name]) for name, option in INTERPRETATION.items())
    return option_group("interpretation", Interpretation, *options)


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@interpretation()
@out_folder("Folder for the repaired files and changes.tsv.", required=False)
@click.option(
    "--relabel", is_flag=True, help="Relabel links where a label fits, instead of removing them."
)
@click.option(
    "--weights",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Costs of removing links: document, tab, link, tab, whole number. Default: 1.",
)
@click.option(
    "--time-limit",
    type=click.IntRange(1, 86_400),
    default=60,
    show_default=True,
    help="Seconds for each document and solver; then an interval is reported.",
)
@click.option(
    "--second-limit",
    type=click.IntRange(0),
    default=300,
    show_default=True,
    help="Links of a document up to which a second solver (z3) confirms the minimum.",
)
@jobs
@report_option
@as_json
@click.pass_context
def repair(
    ctx: click.Context,
    /,
    *,
    paths: tuple[str, ...],
    interpretation: Interpretation,
    out: Path | None,
    relabel: bool,
    weights: Path | None,
    time_limit: int,
    second_limit: int,
    jobs: int,
    report: Path | None,
    as_json: bool,
) -> None:
    """Find the fewest links to remove so that each annotated document is consistent.

    clingo minimises; the result is proved minimal, or an interval if the time limit is hit (exit
    status 3). Files are written back with no other byte changed.

    \b
    Examples:
      python -m solver repair examples/links --out repaired
      python -m solver repair examples/links --relabel --report reports/repair
    """  # noqa: D301 - click reads the backslash
    from solver.cli.printing import finish_run
    from solver.links.corpus import read_weights, repair_corpus, write_repaired, write_report
    from solver.links.repair import RepairSettings

    settings = RepairSettings(
        interpretation=interpretation,
        seconds=time_limit,
        second_limit=second_limit,
        relabel=relabel,
    )
    costs = read_weights(weights) if weights else {}
    result = repair_corpus(paths, settings, weights=costs, jobs=jobs)
    for message in result.unreadable:
        click.echo(str(message), err=True)
    if out is not None:
        write_repaired(result, out)
    finish_run(
        result,
        as_json=as_json,
        show=lambda: _show_repairs(result),
        report=report,
        write=write_report,
    )
    ctx.exit(result.exit_status)


def _show_repairs(result: Repaired) -> None:
    from solver.links.corpus import changed_documents
    from solver.links.messages import link_in_words

    figures = result.as_json()
    for document, repair, _ in changed_documents(result):
        bounds = f"{repair.cost}" if repair.proved else f"{repair.lower} to {repair.cost}"
        click.echo(f"{document.name}: {bounds} of {len(document.links):,} links")
        for link, relation in repair.changes().items():
            action = f"relabel as {relation}" if relation else "remove"
            click.echo(f"  {action} {link_in_words(document, link)}")
    word = "proved minimal" if result.proved else "not proved minimal within the time limit"
    click.echo(
        f"{figures['inconsistent']:,} of {figures['documents']:,} documents are inconsistent; "
        f"{figures['removed']:,} links removed, {figures['relabelled']:,} relabelled; {word}"
    )


def _written(
    ctx: click.Context,
    paths: tuple[str, ...],
    interpretation: Interpretation,
    out: Path | None,
    folder: Path | None,
) -> None:
    """Write each consistent document with other links: as JSON Lines, or each file anew."""
    from solver.cli.printing import write_lines
    from solver.io.writing import line
    from solver.links.corpus import Change, relinked, write_changed
    from solver.links.io import as_json

    if out is not None and folder is not None:
        raise click.UsageError("Give either --out or --folder.")
    raw = folder is not None
    found = relinked(paths, interpretation, Change(str(ctx.info_name)), raw=raw)
    for broken in found.unreadable:
        click.echo(str(broken), err=True)
    for name in found.left_out:
        click.echo(f"left out: {name} contradicts itself", err=True)
    if folder is not None:
        write_changed(found.loaded, found.changed, folder)
    else:
        write_lines([line(as_json(document)) for document in found.documents], out)
    ctx.exit(found.exit_status)


files_anew = click.option(
    "--folder",
    type=NewFolder(),
    metavar="DIR",
    help="Write each file into a folder instead, in its own format (TimeML, table, JSON Lines), "
    "with no byte changed but for the links that are added or removed.",
)


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@interpretation()
@out_file()
@files_anew
@click.pass_context
def close(
    ctx: click.Context,
    /,
    *,
    paths: tuple[str, ...],
    interpretation: Interpretation,
    out: Path | None,
    folder: Path | None,
) -> None:
    """Write every link that follows, as far as the documents' labels express it (JSON Lines).

    Inconsistent documents are left out (exit status 1); repair them first.

    \b
    Examples:
      python -m solver close examples/links/market.tml
      python -m solver close examples/links/market.tml --folder closed
    """  # noqa: D301 - click reads the backslash
    _written(ctx, paths, interpretation, out, folder)


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@interpretation()
@out_file()
@files_anew
@click.pass_context
def reduce(
    ctx: click.Context,
    /,
    *,
    paths: tuple[str, ...],
    interpretation: Interpretation,
    out: Path | None,
    folder: Path | None,
) -> None:
    """Write a minimal equivalent set of the links of each document (JSON Lines).

    Identical and inverse links are merged; then each link is dropped, in the order of the document,
    that the rest entails.

    \b
    Examples:
      python -m solver reduce examples/links/market.tml
      python -m solver reduce corpus.tar.gz --folder reduced
    """  # noqa: D301 - click reads the backslash
    _written(ctx, paths, interpretation, out, folder)
