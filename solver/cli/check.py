"""``check``: check the certificates of verdicts again, with checkers that share no code."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TypeAlias

import click

from grammar.errors import ExitStatus
from solver import NAMESPACE
from solver.cli.options import as_json
from solver.io.sources import InputError
from solver.verification.report import Kind, detect

CHECKERS: Mapping[str, str] = {
    Kind.EVENTHOP: "solver.eventhop.check",
    Kind.LINKS: "solver.links.check",
    Kind.PATTERNS: "solver.patterns.check",
    Kind.TKG: "solver.tkg.check",
    Kind.FACTS: "solver.facts.check",
    Kind.QUESTIONS: "solver.questions.check",
    "rules": "solver.rules.check",
}
"""The checker of each kind: a file that imports the standard library alone."""

_FILES = {"items.jsonl": Kind.EVENTHOP, "documents.jsonl": Kind.LINKS}
"""Files of a report that have certificates."""

Checked: TypeAlias = tuple[str, str, str | None]
"""Place, item and fault; no fault if its verdict is proved."""


@click.command(name="check")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option(
    "--kind",
    type=click.Choice([str(kind) for kind in CHECKERS]),
    default=None,
    help="Kind of artefact; by default the one that the files suggest.",
)
@click.option(
    "--data",
    multiple=True,
    metavar="PATH",
    help="What the verdicts are about, which is read again: annotated documents, or a graph.",
)
@as_json
@click.pass_context
def command(
    ctx: click.Context,
    *,
    paths: tuple[str, ...],
    kind: str | None,
    data: tuple[str, ...],
    as_json: bool,
) -> None:
    """Check that certificates prove verdicts, without the engines that found these.

    PATH is a file with certificates, or its folder: see docs/certificates.md. The checker of a kind
    is one file: it reads the texts itself, needs no library and runs alone.

    \b
    Examples:
      python -m solver verify examples/flawed.tsv --report report
      python -m solver check report/items.jsonl
      python -m solver verify --kind links examples/links --report reports/links
      python -m solver check reports/links --data examples/links
      python -m solver check asked --data examples/questions/graph
    """  # noqa: D301 - click reads the backslash
    items, reasons = 0, dict[str, list[str]]()
    for path in paths:
        for where, name, fault in check(path, kind, data):
            items += 1
            if fault is not None:
                reasons.setdefault(name, []).append(f"{where}: {fault}")
    rejected = sum(map(len, reasons.values()))
    if as_json:
        report = {"items": items, "rejected": rejected, "reasons": reasons}
        click.echo(json.dumps(report, indent=2, sort_keys=True))
    else:
        for name, faults in reasons.items():
            click.echo("".join(f"{fault} (item {name})\n" for fault in faults), nl=False)
        click.echo(f"{items:,} items, {rejected:,} rejected")
    ctx.exit(ExitStatus.VIOLATIONS if rejected else ExitStatus.OK)


def check(path: str, kind: str | None, data: Sequence[str]) -> Iterator[Checked]:
    """Check the verdicts of a file or folder.

    Raises:
        InputError: a file cannot be read.
    """
    for name, of in _FILES.items():
        if (Path(path) / name).is_file() and kind in (None, of):
            path, kind = str(Path(path) / name), of
    if kind in (None, Kind.EVENTHOP) and (shards := sorted(Path(path).glob("items-*.jsonl"))):
        for shard in shards:
            yield from check(str(shard), Kind.EVENTHOP, data)
        return
    kind = kind or detect([path])
    if kind not in CHECKERS:
        raise InputError(f"no certificates of {kind} are checked", where=path)
    if data and kind == Kind.EVENTHOP:
        raise InputError(f"--data is not for {kind}: a line has the texts", where=path)
    module = import_module(NAMESPACE + CHECKERS[kind])
    check_file: Callable[..., Iterable[tuple[object, str, str | None]]] = module.check_file
    found = check_file(path) if kind == Kind.EVENTHOP else check_file(path, data)
    try:
        for where, name, fault in found:
            yield f"{path}:{where}" if isinstance(where, int) else str(where), name, fault
    except (OSError, *getattr(module, "UNREADABLE", ())) as error:
        raise InputError(f"cannot be checked: {error}", where=path) from None
