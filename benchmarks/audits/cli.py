"""``audit``: check a local copy of a public set, with a proof for each wrong label."""

from __future__ import annotations

from pathlib import Path

import click

from solver.cli.options import NewFolder, as_json, jobs, number_option


def _list(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    """Print the sets and end, before the arguments are asked for."""
    if not value or ctx.resilient_parsing:
        return
    from benchmarks.audits.registry import TITLES, tasks

    for name, known in tasks().items():
        click.echo(f"{name}: {TITLES.get(name, name)}")
        for task in known:
            click.echo(f"  {task.name} ({task.kind}): {task.title}")
            for convention in task.conventions:
                values = ", ".join(
                    f"{convention.name}={value} ({meaning})"
                    for value, meaning in convention.values.items()
                )
                click.echo(f"    {'each of' if convention.tried else 'first of'} {values}")
    ctx.exit()


def _as_reading(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    reading: dict[str, str] = {}
    for part in ",".join(values).split(",") if values else ():
        name, mark, value = part.strip().partition("=")
        if not mark or not name or not value:
            raise click.BadParameter(f"found {part!r}, expected NAME=VALUE.")
        reading[name] = value
    return reading


@click.command(name="audit")
@click.argument("name", metavar="SET")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option(
    "--list", is_flag=True, is_eager=True, expose_value=False, callback=_list,
    help="List the sets, their tasks and readings, and exit.",
)  # fmt: skip
@click.option(
    "--reading",
    multiple=True,
    callback=_as_reading,
    metavar="NAME=VALUE",
    help="Fix a convention, such as week=monday; may be repeated.",
)
@click.option(
    "--report",
    type=NewFolder(),
    metavar="DIR",
    help="Write manifest.json, summary.json, items.jsonl and report.html to DIR.",
)
@click.option(
    "--patch",
    type=NewFolder(),
    metavar="DIR",
    help="Write a corrected copy, changes.tsv and a text for the maintainers to DIR.",
)
@number_option("--show", default=5, low=0, high=1_000, help="Number of findings to print.")
@jobs
@as_json
@click.pass_context
def command(
    ctx: click.Context,
    *,
    name: str,
    paths: tuple[str, ...],
    reading: dict[str, str],
    report: Path | None,
    patch: Path | None,
    show: int,
    jobs: int,
    as_json: bool,
) -> None:
    """Audit a local copy of a public set: read every item, decide it twice, prove what is wrong.

    PATH is a file of the set as published, plain or gzip; which task it is of is found from its
    rows. A label may be right under one convention (a reading) and wrong under another: each item
    gets one verdict over the readings of its task. An item that is not read is never counted as
    right.

    \b
    Examples:
      python -m solver audit --list
      python -m solver audit bbh date_understanding.json
      python -m solver audit timex-nli order.jsonl --reading week=monday --json
      python -m solver audit bbh date_understanding.json --report report --patch corrected
      python -m solver check report
    """  # noqa: D301 - click reads the backslash
    from benchmarks.audits.run import audit
    from solver.cli.printing import print_json, progress
    from solver.io.sources import output_name

    with progress("items") as advance:
        result = audit(name, paths, reading=reading, jobs=jobs, progress=advance)
    if report is not None:
        click.echo(f"report: {output_name(result.write(report))}", err=True)
    if patch is not None:
        from benchmarks.audits.patches import write_patch

        for path in write_patch(result, patch):
            click.echo(f"written: {output_name(path)}", err=True)
    if as_json:
        print_json(result.as_json())
    else:
        for text in result.lines(show):
            click.echo(text)
    ctx.exit(result.exit_status)
