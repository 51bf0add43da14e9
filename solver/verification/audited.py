"""The folder of an audit: its figures and its manifest repeat what its lines state.

Certificates are checked by the checkers of their kinds; this compares the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from solver.dataset.seal import open_dataset
from solver.io.json_lines import read_document
from solver.io.sources import MANIFEST, shown
from solver.verification.kinds import AUDITED, find

SUMMARY = "summary.json"
_OPEN = ("certificate", "proof")
"""What needs the audited file: whether a certificate is about an item of it, and its words."""
_OPEN_FIGURES = (f"version of {SUMMARY}", f"templates of {SUMMARY}")

_FIELDS = frozenset(
    {"id", "verdict", "gold", "decided", "readings", "certificate", "proof"}
    | {"kind", "set", "task", "file"}
)
"""The fields of a line, which are there even where they have no value."""

Row = Mapping[str, Any]


def lines_of(path: Path) -> Iterator[Row]:
    """The lines of an audit, which its checkers have read."""
    decode = msgspec.json.Decoder(dict[str, Any]).decode
    with path.open("rb") as file:
        yield from map(decode, filter(bytes.strip, file))


def undecided(folder: Path) -> tuple[str, ...]:
    """What checking a folder leaves open; nothing without a manifest."""
    if open_dataset(folder) is None or not (folder / SUMMARY).is_file():
        return ()
    summary = read_document(folder / SUMMARY, dict[str, Any], "summary")
    return (*_OPEN, *(_OPEN_FIGURES if "set" in summary else ()))


def figure_faults(folder: Path, rows: Sequence[Row]) -> Iterator[tuple[str, str]]:
    """Each place where the folder of an audit contradicts its lines, with what is wrong there.

    Args:
        folder: written by ``audit --report``, or by ``verify --report`` of a kind whose lines are
            of the same form; any other folder has no fault.
        rows: the lines of ``items.jsonl``.

    Raises:
        InputError: the summary or the manifest cannot be read.
    """
    dataset = open_dataset(folder)
    if dataset is None:
        return
    if not (folder / SUMMARY).is_file():
        yield str(folder / SUMMARY), "found no such file, expected the figures"
        return
    summary = read_document(folder / SUMMARY, dict[str, Any], "summary")
    if "set" not in summary and not any("set" in row for row in rows):
        kind = find(str(summary.get("kind")))
        noun = "problems" if kind is None else kind.noun
        number = summary.get(noun)
        if number != len(rows):
            yield str(folder / SUMMARY), f"found {number} {noun}, expected {len(rows):,}"
        return
    yield from _order_faults(str(folder / AUDITED), rows)
    for name, expected in _figures(rows).items():
        for part, found, due in _differences(name, summary.get(name), expected):
            message = f"{part}: found {shown(str(found))}, expected {shown(str(due))}"
            yield str(folder / SUMMARY), message
    files = [file for file in summary.get("files", ()) if isinstance(file, dict)]
    given = [{"name": file.get("file"), "sha256": file.get("sha256")} for file in files]
    stated = dataset.manifest.get("inputs")
    # The figures have the checksum of what is in a packed file, the manifest that of the file.
    for due, entry in zip(given, stated if isinstance(stated, list) else (), strict=False):
        if str(due["name"]).endswith(".gz") and isinstance(entry, dict):
            due["sha256"] = entry.get("sha256")
    expected_entries = {
        "config": {
            "readings": [file.get("reading") for file in files],
            "set": summary.get("set"),
        },
        "inputs": given,
        "seed": None,
    }
    for name, due in expected_entries.items():
        if dataset.manifest.get(name) != due:
            found = shown(str(dataset.manifest.get(name)))
            message = f"{name}: found {found}, expected {shown(str(due))}"
            yield str(folder / MANIFEST), message


def _order_faults(path: str, rows: Sequence[Row]) -> Iterator[tuple[str, str]]:
    """Rows are those of one file after another, numbered from 0 in each."""
    number, before = 0, None
    for line, row in enumerate(rows, 1):
        if missing := sorted(_FIELDS - row.keys()):
            yield f"{path}:{line}", f"found no {', '.join(missing)}, expected them"
        number = 0 if row.get("file") != before else number + 1
        before = row.get("file")
        if row.get("id") != number or isinstance(row.get("id"), bool):
            yield f"{path}:{line}", f"found the id {row.get('id')}, expected {number}"
            return


def _figures(rows: Sequence[Row]) -> dict[str, Any]:
    """The figures of all rows, and of each file."""
    by_file: dict[Any, list[Row]] = {}
    for row in rows:
        by_file.setdefault(row.get("file"), []).append(row)
    files = [_of_file(name, of_file) for name, of_file in by_file.items()]
    tasks = dict.fromkeys(str(file["task"]) for file in files)
    figures = {**_counts(rows), "set": _single(rows, "set"), "task": ", ".join(tasks)}
    # A file without a single item that is read has no certificate that names its readings.
    if all("reading" in file for file in files):
        figures["reading"] = "; ".join(dict.fromkeys(str(file["reading"]) for file in files))
    return {**figures, "files": files}


def _of_file(name: object, rows: Sequence[Row]) -> dict[str, Any]:
    figures = {"file": name, "task": _single(rows, "task"), **_counts(rows)}
    cases = next((_readings(row) for row in rows if _readings(row)), [])
    if cases:
        figures |= {"reading": cases[0], "readings": cases}
    return figures


def _readings(row: Row) -> list[Any]:
    """The readings of a certificate, the default one first; none of an unread item."""
    certificate = row.get("certificate")
    cases = certificate.get("cases") if isinstance(certificate, dict) else None
    return [case.get("reading") for case in cases if isinstance(case, dict)] if cases else []


def _counts(rows: Sequence[Row]) -> dict[str, Any]:
    verdicts = Counter(str(row.get("verdict")) for row in rows)
    return {
        "items": len(rows),
        "verdicts": dict(verdicts),
        "coverage": 1 - verdicts["unread"] / len(rows),
    }


def _single(rows: Sequence[Row], name: str) -> object:
    """The value that all rows have; all values as text if they differ."""
    values = dict.fromkeys(str(row.get(name)) for row in rows)
    return ", ".join(values)


def _differences(name: str, found: object, due: Any) -> Iterator[tuple[str, object, object]]:  # noqa: ANN401
    """The figures that differ; a verdict that is not listed has no items."""
    if name == "files":
        rows = found if isinstance(found, list) else []
        if len(rows) != len(due):
            yield name, len(rows), len(due)
        for number, (row, expected) in enumerate(zip(rows, due, strict=False)):
            for part, value in expected.items():
                stated = row.get(part) if isinstance(row, dict) else None
                for inner in _differences(part, stated, value):
                    yield f"{part} of file {number}", *inner[1:]
    elif name == "verdicts":
        stated = found if isinstance(found, dict) else {}
        for verdict in sorted(stated.keys() | due.keys()):
            if stated.get(verdict, 0) != due.get(verdict, 0):
                yield verdict, stated.get(verdict, 0), due.get(verdict, 0)
    elif found != due:
        yield name, found, due
