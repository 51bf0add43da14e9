"""Corrected copies of audited files: wrong labels replaced, and every other byte kept.

What a copy says is audited again before it is written, so that each correction is proved.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from benchmarks.audits.files import AuditFile, replaced, rows_of, write_copy
from benchmarks.audits.model import AuditedItem, Row, reading_name
from benchmarks.audits.report import (
    ITEMS,
    WORKED,
    AuditedFile,
    AuditReport,
    in_words,
    worked,
    write_items,
)
from benchmarks.audits.run import decided
from grammar.errors import ExitStatus, HopcheckError
from solver.io.writing import atomic, line, make_folder, spreadsheet_cell
from solver.verification.outcomes import WRONG_LABELS, Outcome, Verdict

CHANGES, LETTER = "changes.tsv", "maintainers.md"


class CorrectionError(HopcheckError):
    """A correction that is not right itself."""

    code = "correction"
    exit_status = ExitStatus.DISAGREEMENT


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A correction of a row.

    Attributes:
        row: as the file has it.
        item: what was found about it.
        values: the new values of its fields.
        after: what is found about the corrected row.
    """

    row: Row
    item: AuditedItem
    values: Mapping[str, object]
    after: AuditedItem


def write_patch(report: AuditReport, folder: str | Path) -> list[Path]:
    """Write corrected copies, ``changes.tsv``, the corrected items, and a text for maintainers.

    Raises:
        OutputError: the folder cannot be written.
        CorrectionError: a corrected label is wrong; nothing is written then.
    """
    corrected = [(file, *corrected_copy(file)) for file in report.files]
    folder = make_folder(Path(folder))
    written = [write_copy(folder, file.file, data) for file, data, _ in corrected]
    rows = [row for file, _, changes in corrected for row in _rows(file, changes)]
    with atomic(folder / CHANGES) as stream:
        head = "file\tid\tfield\tbefore\tafter\tverdict\tcertificate"
        stream.write("".join(f"{row}\n" for row in (head, *rows)).encode())
    changed = [
        replace(file, items=tuple(change.after for change in changes))
        for file, _, changes in corrected
    ]
    write_items(folder / ITEMS, changed, report.set)
    with atomic(folder / LETTER) as stream:
        stream.write(_letter(report).encode())
    return [*written, folder / CHANGES, folder / ITEMS, folder / LETTER]


def corrected_copy(file: AuditedFile) -> tuple[bytes, list[Change]]:
    """The bytes of the corrected copy of a file, and its changes.

    Raises:
        CorrectionError: a corrected label is wrong.
    """
    task = file.task
    edits = [
        (row, item, values)
        for row, item in zip(file.rows, file.items, strict=True)
        if item.verdict in WRONG_LABELS and (values := task.correct(row, _default(item)))
    ]
    data = replaced(task, file.file, [(row, values) for row, _, values in edits])
    copy = AuditFile(name=file.file.name, data=data, sha256="", packed=file.file.packed)
    rows = rows_of(task, copy)
    again = decided(task, file.readings, [rows[row.id] for row, _, _ in edits])
    for item in again:
        if item.verdict in WRONG_LABELS:
            raise CorrectionError(f"its correction is {item.verdict}", where=item.where)
    changes = [
        Change(row=row, item=item, values=values, after=after)
        for (row, item, values), after in zip(edits, again, strict=True)
    ]
    return data, changes


def _default(item: AuditedItem) -> Outcome:
    """The outcome of an item under the default reading."""
    case = dict(item.certificate["cases"][0])
    del case["reading"], case["decided"]
    verdict = Verdict(case.pop("verdict"))
    return Outcome(verdict=verdict, decided=item.decided, certificate=case, proof=item.proof)


def _rows(file: AuditedFile, changes: Sequence[Change]) -> Iterator[str]:
    """The lines of ``changes.tsv``; a certificate is that of the corrected row."""
    for change in changes:
        certificate = line(change.after.certificate).decode().strip()
        for name, value in change.values.items():
            cells = (
                *(PurePath(file.file.name).name, str(change.item.id), name),
                *(_cell(change.row.fields[name]), _cell(value)),
                *(change.item.verdict.value, certificate),
            )
            yield "\t".join(map(spreadsheet_cell, cells))


def _cell(value: object) -> str:
    """A value on one line; of a text, its JSON without the quotes."""
    text = line(value).decode().strip()
    return text[1:-1] if isinstance(value, str) else text


def _letter(report: AuditReport) -> str:
    """The text for the maintainers of the set."""
    parts = [f"# Labels of {report.set}\n"]
    for file in report.files:
        parts += [
            f"## {PurePath(file.file.name).name}\n",
            f"{len(file.items):,} items, {file.coverage:.1%} of them read. The file has the sha256",
            f"`{file.file.sha256}` ({file.version}). Default reading:",
            f"{reading_name(file.readings[0])}.\n",
        ]
        parts += [
            f"- {number:,} {name}: {Verdict(name).meaning}"
            for name, number in file.verdicts.items()
            if number
        ]
        examples = worked(file, WORKED)
        parts += ["", *(["Examples, each with its proof:\n"] if examples else [])]
        parts += [f"{n}. {' '.join(in_words(item))}" for n, item in enumerate(examples, 1)]
        parts.append("")
    parts.append(f"`{CHANGES}` lists every correction with the certificate that proves it.\n")
    return "\n".join(parts)
