"""``check``: check the certificates of verdicts again, with the checker that shares no code."""

from __future__ import annotations

from pathlib import Path

import click

from grammar.errors import ExitStatus
from solver.cli.options import as_json


@click.command(name="check")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@as_json
@click.pass_context
def command(ctx: click.Context, *, paths: tuple[str, ...], as_json: bool) -> None:
    """Check that certificates prove verdicts: status, consistency, label and hops.

    PATH is an items.jsonl as verify --report writes it, or the folder of the report. The checker is
    one file, solver/eventhop/check.py: it reads the texts itself, needs no library and runs alone.

    \b
    Examples:
      python -m solver verify examples/flawed.tsv --report report
      python -m solver check report/items.jsonl
    """  # noqa: D301 - click reads the backslash
    from solver.eventhop.check import main

    files = [str(Path(path) / "items.jsonl") if Path(path).is_dir() else path for path in paths]
    # A path may begin with a dash.
    named = [f"./{file}" if file.startswith("-") else file for file in files]
    ctx.exit(ExitStatus(main([*(["--json"] if as_json else []), *named])))
