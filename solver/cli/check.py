"""``check``: check the certificates of verdicts again, with checkers that share no code."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import click

from grammar.errors import ExitStatus
from solver.cli.options import KindChoice, as_json
from solver.io.sources import InputError
from solver.verification.kinds import (
    AUDITED,
    Checker,
    KindDeclaration,
    detect,
    kind_named,
    kinds,
    named_kinds,
)

Checked: TypeAlias = tuple[str, str, str | None]
"""Place, item and fault; no fault if its verdict is proved."""


@click.command(name="check")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option(
    "--kind",
    type=KindChoice(lambda kind: kind.checker),
    default=None,
    help="Kind of artefact; by default the one that the files suggest.",
)
@click.option(
    "--data",
    multiple=True,
    metavar="PATH",
    help="What the verdicts are about, which is read again: annotated documents, or a graph.",
)
@click.option(
    "--phrases",
    multiple=True,
    metavar="FILE",
    help="Phrase file that the certificates may use; others are rejected. May be repeated.",
)
@as_json
@click.pass_context
def command(
    ctx: click.Context,
    *,
    paths: tuple[str, ...],
    kind: str | None,
    data: tuple[str, ...],
    phrases: tuple[str, ...],
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
    from grammar.phrases import load_phrases

    items, reasons = 0, dict[str, list[str]]()
    digests = frozenset(load_phrases(source).digest for source in phrases) if phrases else None
    for path in paths:
        for where, name, fault in check(path, kind, data, digests):
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


def check(
    path: str, kind: str | None, data: Sequence[str], digests: frozenset[str] | None = None
) -> Iterator[Checked]:
    """Check the verdicts of a file or folder, with the digests of the phrase files to be used.

    Raises:
        InputError: a file cannot be read.
    """
    audited = named_kinds(path) if kind is None else ()
    if audited:
        path = str(Path(path) / AUDITED) if Path(path).is_dir() else path
        for name in audited:
            yield from _check(_required(kind_named(name), path), path, (), {})
        return
    if kind is None and Path(path).is_dir():
        declared = next((of for of in kinds() if certificate_files(of, path)), None)
    else:
        declared = None if kind is None else kind_named(kind)
    declared = declared or kind_named(detect([path]))
    checker = _required(declared, path)
    if data and declared.quotes:
        raise InputError(f"--data is not for {declared.name}: a line has the texts", where=path)
    if digests is not None and "digests" not in _parameters(checker):
        raise InputError(f"--phrases is not for {declared.name}", where=path)
    known = {} if digests is None else {"digests": digests}
    for file in certificate_files(declared, path) or (path,):
        yield from _check(checker, file, () if declared.quotes else (data,), known)


def _required(declared: KindDeclaration, path: str) -> Checker:
    if declared.checker is None:
        raise InputError(f"no certificates of {declared.name} are checked", where=path)
    return declared.checker()


def _parameters(checker: Checker) -> Collection[str]:
    from inspect import signature

    return signature(checker.check_file).parameters


def certificate_files(kind: KindDeclaration, path: str) -> list[str]:
    """The files of a report with certificates of a kind; if there are several, all shards."""
    for pattern in kind.certificates:
        if files := sorted(map(str, Path(path).glob(pattern))):
            return files
    return []


def _check(
    checker: Checker,
    path: str,
    data: tuple[Sequence[str], ...],
    known: Mapping[str, frozenset[str]],
) -> Iterator[Checked]:
    try:
        for where, name, fault in checker.check_file(path, *data, **known):
            yield f"{path}:{where}" if isinstance(where, int) else str(where), name, fault
    except (OSError, *getattr(checker, "UNREADABLE", ())) as error:
        raise InputError(f"cannot be checked: {error}", where=path) from None
