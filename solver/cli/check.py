"""``check``: check the certificates of verdicts again, with checkers that share no code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeAlias

import click

from grammar.errors import ExitStatus, printable
from solver.cli.options import KindChoice, as_json
from solver.cli.printing import print_json
from solver.dataset.origin import undecidable
from solver.io.json_lines import read_document
from solver.io.sources import MANIFEST, InputError
from solver.verification.audited import figure_faults, lines_of, undecided
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
@click.option(
    "--proved",
    is_flag=True,
    help="Also run the checker that is compiled from the Coq proofs, and stop where it differs.",
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
    proved: bool,
    as_json: bool,
) -> None:
    """Check that certificates prove verdicts, without the engines that found these.

    PATH is a file with certificates, or its folder: see docs/certificates.md. The checker of a kind
    is one file: it reads the texts itself, needs no library and runs alone.

    \b
    Examples:
      python -m solver verify examples/flawed.tsv --report report
      python -m solver check report/items.jsonl
      python -m solver check report/items.jsonl --proved
      python -m solver verify --kind links examples/links --report reports/links
      python -m solver check reports/links --data examples/links
      python -m solver check asked --data examples/questions/graph
    """  # noqa: D301 - click reads the backslash
    from grammar.phrases import load_phrases

    counts, reasons, compiled = Counter[Outcome](), dict[str, list[str]](), Counter[str]()
    digests = frozenset(load_phrases(source).digest for source in phrases) if phrases else None
    for path in paths:
        for where, name, fault in check(path, kind, data, digests, compiled if proved else None):
            outcome = Outcome.of(fault)
            counts[outcome] += 1
            if fault is not None:
                reasons.setdefault(name, []).append(f"{where}: {fault}")
    items, texts, listed_open = counts.total(), compiled.total(), _undecidable(paths, kind)
    if as_json:
        numbers = {outcome.name.lower(): counts[outcome] for outcome in Outcome}
        beside: dict[str, object] = {}
        if proved:
            beside = {"proved_checker": ", ".join(compiled), "proved_reader": texts}
        beside |= {"undecidable": listed_open} if listed_open else {}
        print_json({"items": items, **numbers, **beside, "reasons": reasons})
    else:
        for name, faults in reasons.items():
            lines = (printable(f"{fault} (item {name})") for fault in faults)
            click.echo("".join(f"{line}\n" for line in lines), nl=False)
        listed = ", ".join(f"{counts[outcome]:,} {outcome}" for outcome in Outcome)
        agree = ""
        if proved:
            read = f"; {texts:,} texts read by the proved reader" if texts else ""
            agree = f" (check.py and the proved checker, {', '.join(compiled)}, agree{read})"
        click.echo(f"{items:,} items: {listed}{agree}")
        if listed_open:
            click.echo(printable(f"not decidable: {', '.join(listed_open)}"))
    unproved = ExitStatus.UNDECIDED if counts[Outcome.NOT_PROVED] else ExitStatus.OK
    ctx.exit(ExitStatus.VIOLATIONS if counts[Outcome.REJECTED] else unproved)


def _undecidable(paths: Sequence[str], kind: str | None) -> list[str]:
    """What checking the folders of audits among some paths leaves open."""
    names: dict[str, None] = {}
    for path in paths:
        audited = named_kinds(path) if kind is None and Path(path).is_dir() else ()
        listed_open = undecided(Path(path)) if audited else ()
        if listed_open:
            names |= dict.fromkeys((*listed_open, *undecidable([path], kind_named(audited[0]))))
    return list(names)


class Outcome(StrEnum):
    """What a checker finds of a verdict."""

    PROVED = "proved"
    REJECTED = "rejected"
    NOT_PROVED = "not proved"

    @classmethod
    def of(cls, fault: str | None) -> Outcome:
        """The outcome by the fault; see ``solver.verification.kinds.Checker``."""
        if fault is None:
            return cls.PROVED
        return cls.NOT_PROVED if fault.startswith(cls.NOT_PROVED) else cls.REJECTED


def check(
    path: str,
    kind: str | None,
    data: Sequence[str],
    digests: frozenset[str] | None = None,
    proved: Counter[str] | None = None,
) -> Iterator[Checked]:
    """Check the verdicts of a file or folder, with the digests of the phrase files to be used.

    Counts ``proved`` get how the checker runs that is compiled from proofs, with the number of
    items whose texts it has read itself.

    Raises:
        InputError: a file cannot be read.
        DisagreementError: the checkers differ.
    """
    audited = named_kinds(path) if kind is None else ()
    if audited:
        file = str(Path(path) / AUDITED) if Path(path).is_dir() else path
        for name in audited:
            kind_of_line = kind_named(name)
            yield from _check(kind_of_line, _required(kind_of_line, file, proved), file, (), {})
        if Path(path).is_dir():
            lines = list(lines_of(Path(file)))
            for where, fault in figure_faults(Path(path), lines):
                yield where, "figures", fault
        return
    if kind is None and Path(path).is_dir():
        declared = next((of for of in kinds() if certificate_files(of, path)), None)
    else:
        declared = None if kind is None else kind_named(kind)
    declared = declared or kind_named(detect([path]))
    checker = _required(declared, path, proved)
    if data and declared.quotes:
        raise InputError(f"--data is not for {declared.name}: a line has the texts", where=path)
    if digests is not None and "digests" not in _parameters(checker):
        raise InputError(f"--phrases is not for {declared.name}", where=path)
    known: dict[str, object] = {} if digests is None else {"digests": digests}
    if proved is not None and "read" in _parameters(checker):
        known["read"] = proved
    rows = 0
    for file in certificate_files(declared, path) or (path,):
        for checked in _check(declared, checker, file, () if declared.quotes else (data,), known):
            rows += 1
            yield checked
    if not rows:
        message = "found no verdicts, expected at least one"
        raise InputError(message, where=path, hint="a line for each")
    # Other files of certificates have every row, not only those with findings.
    every = declared.certificates and declared.certificates != ("violations.jsonl",)
    expected = declared_rows(Path(path), declared) if every else None
    if expected not in (None, rows):
        yield path, "rows", f"found {rows:,} {declared.noun}, expected {expected:,}"


def declared_rows(path: Path, kind: KindDeclaration) -> int | None:
    """The number of verdicts that the folder of a report or of a data set states, if it does."""
    folder = path if path.is_dir() else path.parent
    if path.is_file() and not any(path.match(pattern) for pattern in kind.certificates):
        return None
    if path.is_file() and "*" in next(filter(path.match, kind.certificates)):
        return None  # one shard of several
    if (folder / "summary.json").is_file():
        summary = read_document(folder / "summary.json", dict[str, Any], "summary")
        number = summary.get(kind.noun)
        return number if isinstance(number, int) else None
    if not (folder / MANIFEST).is_file():
        return None
    manifest = read_document(folder / MANIFEST, dict[str, Any], "manifest")
    splits, items = manifest.get("splits"), manifest.get("items")
    if isinstance(splits, dict):
        return sum(int(contents["items"]) for contents in splits.values())
    return sum(items.values()) if isinstance(items, dict) else None


def _required(declared: KindDeclaration, path: str, proved: Counter[str] | None) -> Checker:
    if declared.checker is None:
        raise InputError(f"no certificates of {declared.name} are checked", where=path)
    if proved is not None:
        if declared.proved_checker is None:
            message = f"no checker of {declared.name} is compiled from proofs"
            raise InputError(message, where=path, hint="leave out --proved")
        compiled = declared.proved_checker()
        proved[compiled.name()] += 0
        return compiled
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
    declared: KindDeclaration,
    checker: Checker,
    path: str,
    data: tuple[Sequence[str], ...],
    known: Mapping[str, object],
) -> Iterator[Checked]:
    # The checker that is compiled from proofs reads files by the one that runs alone.
    alone = None if declared.checker is None else declared.checker()
    try:
        for where, name, fault in checker.check_file(path, *data, **known):
            yield f"{path}:{where}" if isinstance(where, int) else str(where), name, fault
    except (OSError, *getattr(alone, "UNREADABLE", ())) as error:
        raise InputError(f"cannot be checked: {error}", where=path) from None
