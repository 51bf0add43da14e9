"""``verify``: checks files or rows of any kind of artefact."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

from hopcheck.inputs import PathLike, Rows, as_file, member, rows_of
from solver.probes.probe import ProbeLevel
from solver.verification.kinds import find
from solver.verification.report import Kind, VerifyReport

if TYPE_CHECKING:
    from solver.eventhop.records import ReadRecord

KindName: TypeAlias = Literal["eventhop", "links", "patterns", "tkg", "facts", "texts", "questions"]
"""The kinds of this project that are verified."""

_ROWS = "rows"
"""Name of rows without a file in positions: ``rows:3``."""


def verify(
    source: PathLike | Sequence[PathLike] | Rows,
    kind: KindName | str | None = None,
    *,
    config: object | None = None,
    jobs: int = 1,
    probes: str = "fast",
) -> VerifyReport:
    """Verify items, annotated links, patterns, generated graphs, facts, texts or questions.

    At least two engines decide every verdict, and an independent checker checks its certificate.

    Args:
        source: a file or a folder, several of them, or rows of a table.
        kind: eventhop, links, patterns, tkg, facts, texts or questions, or a kind of another
            distribution; by default detected from files, and eventhop for rows.
        config: settings of the kind, such as ``solver.eventhop.outcomes.ItemSettings``; None for
            the defaults.
        jobs: number of worker processes; the result does not depend on it.
        probes: which probes search for shortcuts in labelled data: none, fast (on a sample) or all.

    Returns:
        The report, with ``findings``, ``unreadable``, ``exit_status`` and ``write()``.

    Raises:
        HopcheckError: a file cannot be read, or engines disagree.

    Examples:
        >>> import hopcheck as hc
        >>> items = [{"premise": "the end of A happened before the start of B",
        ...           "claim": "B happens before A", "label": "true"}]
        >>> report = hc.verify(items)
        >>> [(finding.code, finding.where) for finding in report.findings]
        [('wrong-label', 'rows:1')]
        >>> hc.verify("examples/right.tsv").findings.counts()
        {}
    """
    from solver.verification.run import verify as verify_files

    chosen = None if kind is None else _kind(kind)
    level = member(ProbeLevel, "probes", probes)
    if isinstance(source, str | os.PathLike):
        return verify_files(_path(source), chosen, config=config, jobs=jobs, probes=level)
    if isinstance(source, list | tuple) and all(isinstance(p, str | os.PathLike) for p in source):
        return verify_files(map(_path, source), chosen, config=config, jobs=jobs, probes=level)
    table = cast(Rows, source)
    if chosen in (None, Kind.EVENTHOP):
        records = list(_records(rows_of(table)))
        return verify_files(records, Kind.EVENTHOP, config=config, jobs=jobs, probes=level)
    with as_file(table) as path:
        found = verify_files(path, chosen, config=config, jobs=jobs, probes=level)
    return replace(found, files=(_ROWS,))


def _kind(name: str) -> str:
    kind = find(name)
    # For the message, if there is no such kind.
    return member(Kind, "kind", name) if kind is None else kind.name


def _path(source: PathLike) -> str | Path:
    return source if isinstance(source, str) else Path(source)


def _records(rows: Sequence[Mapping[str, Any]]) -> Iterator[ReadRecord]:
    from solver.eventhop.records import ItemPlace, broken, record
    from solver.io.sources import FieldError

    for number, row in enumerate(rows, 1):
        place = ItemPlace(file=_ROWS, line=number)
        try:
            yield record(row, place)
        except FieldError as error:
            yield broken(str(number), place, None, error)
