"""The report of an audit: verdicts, faulty templates, and proofs of what is found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from benchmarks.audits.files import AuditFile
from benchmarks.audits.model import AuditedItem, AuditTask, Reading, Row, reading_name
from grammar.errors import ExitStatus, printable
from solver.io.sources import counted
from solver.io.writing import json_lines, make_folder, reporting
from solver.verification.outcomes import LABEL_HOLDS, Verdict

if TYPE_CHECKING:
    from solver.report.model import Report, Section

ITEMS = "items.jsonl"
WORKED = 5
"""Findings that are written out in full."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateUse:
    """A wording with the number of its uses, and of those whose item has a fault of its label."""

    template: str
    uses: int
    wrong: int

    def as_json(self) -> dict[str, object]:
        """The figures."""
        return {"template": self.template, "uses": self.uses, "wrong": self.wrong}


@dataclass(frozen=True, kw_only=True)
class AuditedFile:
    """The result of an audit about one file.

    Attributes:
        file: its bytes.
        task: the task that it is of.
        rows: its rows.
        readings: the readings that were tried, the default one first.
        items: the results, in the order of the rows.
    """

    file: AuditFile
    task: AuditTask
    rows: tuple[Row, ...]
    readings: tuple[Reading, ...]
    items: tuple[AuditedItem, ...]

    @cached_property
    def verdicts(self) -> dict[str, int]:
        """Number of items of each verdict, zeros included."""
        counts = Counter(item.verdict for item in self.items)
        return {verdict.value: counts[verdict] for verdict in Verdict}

    @property
    def coverage(self) -> float:
        """Share of the items that are read, in [0, 1]."""
        return 1 - self.verdicts[Verdict.UNREAD] / len(self.items)

    @property
    def version(self) -> str:
        """The published version that the bytes are, or that they are another one."""
        return self.task.versions.get(self.file.sha256, "another version")

    def findings(self) -> Iterator[AuditedItem]:
        """The items that are not right in every reading, without unread ones."""
        left_out = (Verdict.RIGHT, Verdict.UNREAD)
        return (item for item in self.items if item.verdict not in left_out)

    def templates(self) -> list[TemplateUse]:
        """The wordings that faults of labels are due to, the most faulty ones first.

        An item may use several wordings. The one whose items are faulty most often is charged
        with them, these items are set aside, and so on with what is left: a wording is not blamed
        for the company that it keeps.
        """
        users: dict[str, set[int]] = {}
        for item in self.items:
            for template in item.templates:
                users.setdefault(template, set()).add(item.id)
        bad = {item.id for item in self.items if item.verdict in _FAULTS}
        left, blamed = set(bad), list[TemplateUse]()
        rest = {template: set(uses) for template, uses in users.items() if uses & bad}
        while left and rest:
            share = {text: len(uses & left) / len(uses) for text, uses in rest.items() if uses}
            worst = max(share, key=lambda text: (share[text], len(rest[text] & left), text))
            wrong = rest.pop(worst)
            if not wrong & left:
                break
            blamed.append(
                TemplateUse(template=worst, uses=len(users[worst]), wrong=len(users[worst] & bad))
            )
            left -= wrong
            rest = {text: uses - wrong for text, uses in rest.items() if uses - wrong & left}
        return sorted(blamed, key=lambda use: (-use.wrong / use.uses, -use.wrong, use.template))

    @property
    def headline(self) -> str:
        """The counts in one line."""
        counts = (f"{number:,} {name}" for name, number in self.verdicts.items() if number)
        return (
            f"{PurePath(self.file.name).name} ({self.task.name}): "
            f"{counted(len(self.items), 'item')}, {self.coverage:.1%} read: {', '.join(counts)}"
        )

    def as_json(self) -> dict[str, Any]:
        """The figures."""
        return {
            "file": PurePath(self.file.name).name,
            "sha256": self.file.sha256,
            "version": self.version,
            "task": self.task.name,
            "items": len(self.items),
            "reading": reading_name(self.readings[0]),
            "readings": [reading_name(reading) for reading in self.readings],
            "coverage": self.coverage,
            "verdicts": self.verdicts,
            "templates": [use.as_json() for use in self.templates()],
        }


_FAULTS = frozenset(
    {Verdict.WRONG, Verdict.NO_RIGHT_OPTION, Verdict.CONTRADICTORY, Verdict.UNANSWERABLE}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditReport:
    """The result of an audit: one or several files of a set."""

    set: str
    files: tuple[AuditedFile, ...]

    @property
    def verdicts(self) -> dict[str, int]:
        """Number of items of each verdict in all files."""
        return {
            verdict.value: sum(file.verdicts[verdict] for file in self.files) for verdict in Verdict
        }

    @property
    def exit_status(self) -> ExitStatus:
        """Undecided if an item is unread, violations if a label is not right in every reading."""
        if self.verdicts[Verdict.UNREAD]:
            return ExitStatus.UNDECIDED
        findings = any(True for file in self.files for _ in file.findings())
        return ExitStatus.VIOLATIONS if findings else ExitStatus.OK

    def as_json(self) -> dict[str, Any]:
        """The figures of all files together, and of each."""
        items = sum(len(file.items) for file in self.files)
        return {
            "set": self.set,
            "task": ", ".join(dict.fromkeys(file.task.name for file in self.files)),
            "items": items,
            "reading": "; ".join(
                dict.fromkeys(reading_name(file.readings[0]) for file in self.files)
            ),
            "coverage": 1 - self.verdicts[Verdict.UNREAD] / items,
            "verdicts": self.verdicts,
            "files": [file.as_json() for file in self.files],
        }

    def lines(self, shown: int) -> Iterator[str]:
        """The report as text: the headlines, what is faulty, and some findings with proofs."""
        for file in self.files:
            yield file.headline
            yield f"  sha256 {file.file.sha256}: {file.version}"
            yield f"  default reading: {reading_name(file.readings[0])}"
            for convention in file.task.conventions:
                tried = sorted({reading[convention.name] for reading in file.readings})
                source = f" ({convention.source})"
                yield f"  {convention.name}: {' and '.join(tried)}{source}"
            for use in file.templates()[:shown]:
                yield printable(f"  {use.wrong:,} of {use.uses:,} uses faulty: {use.template}")
            for item in worked(file, shown):
                yield ""
                yield from in_words(item)

    @reporting()
    def write(self, folder: str | Path) -> Path:
        """Write items, figures, page and manifest to a folder; returns the path of the page.

        Raises:
            OutputError: the folder cannot be written.
        """
        from solver.report.page import write_report

        folder = make_folder(Path(folder))
        rows = write_items(folder / ITEMS, self.files, self.set)
        return write_report(
            folder,
            self._page(),
            figures=self.as_json(),
            summary="summary.json",
            config={
                "set": self.set,
                "readings": [file.as_json()["reading"] for file in self.files],
            },
            inputs=[file.file.name for file in self.files],
            outputs=[rows],
        )

    def _page(self) -> Report:
        from solver.report.model import Report

        return Report(
            title=f"{self.set}: " + ", ".join(
                f"{number:,} {name}" for name, number in self.verdicts.items() if number
            ),
            lead="\n".join(file.headline for file in self.files),
            facts={
                "files": ", ".join(
                    f"{PurePath(file.file.name).name} ({file.version}, sha256 {file.file.sha256})"
                    for file in self.files
                ),
                "default reading": "; ".join(
                    dict.fromkeys(reading_name(file.readings[0]) for file in self.files)
                ),
            },
            sections=tuple(self._sections()),
        )  # fmt: skip

    def _sections(self) -> Iterator[Section]:
        from solver.report.model import Point, Section, Table

        for file in self.files:
            counts = tuple(
                (name, f"{number:,}", Verdict(name).meaning)
                for name, number in file.verdicts.items()
            )
            tables = [Table(columns=("verdict", "items", "meaning"), rows=counts)]
            if uses := file.templates():
                rows = tuple((use.template, f"{use.uses:,}", f"{use.wrong:,}") for use in uses)
                columns = ("template", "uses", "faulty uses")
                tables.append(Table(columns=columns, rows=rows, title="Faulty templates"))
            yield Section(
                title=file.task.name,
                text=file.task.title,
                tables=tuple(tables),
                definitions={
                    f"{convention.name}={value}": meaning
                    for convention in file.task.conventions
                    for value, meaning in convention.values.items()
                },
                points=tuple(Point(text=" ".join(in_words(item))) for item in worked(file, WORKED)),
            )


def worked(file: AuditedFile, most: int) -> list[AuditedItem]:
    """Some findings of a file: one of each verdict in turn, wrong labels first."""
    ranks = {verdict: rank for rank, verdict in enumerate(_ORDER)}
    seen: Counter[Verdict] = Counter()
    ranked = []
    for item in file.items:
        if item.verdict in ranks:
            ranked.append((seen[item.verdict], ranks[item.verdict], item.id, item))
            seen[item.verdict] += 1
    return [item for *_, item in sorted(ranked, key=lambda row: row[:3])[:most]]


_ORDER = (
    *(Verdict.UNREAD, Verdict.WRONG, Verdict.NO_RIGHT_OPTION, Verdict.CONTRADICTORY),
    *(Verdict.UNANSWERABLE, Verdict.FALSE_PREMISE, Verdict.RIGHT_UNDER),
)


def in_words(item: AuditedItem) -> Iterator[str]:
    """A finding as lines: what it is, the proof, and the readings that excuse the label."""
    gold = "" if item.gold is None else f": gold {item.gold}"
    decided = f", decided {item.decided}" if item.decided not in (None, item.gold) else ""
    yield printable(f"item {item.id}: {item.verdict}{gold}{decided}.")
    yield from (printable(f"  {text}") for text in item.proof.splitlines())
    if item.verdict is Verdict.RIGHT_UNDER:
        holds = [name for name, row in item.readings.items() if row["verdict"] in LABEL_HOLDS]
        yield printable(f"  The label is right under {' and under '.join(holds)}.")


def write_items(path: Path, files: Iterable[AuditedFile], name: str) -> Path:
    """Write the lines of ``items.jsonl``."""
    with json_lines(path) as rows:
        for file in files:
            for item in file.items:
                kept = {"kind": file.task.kind, "set": name, "task": file.task.name}
                rows.write({**item.as_json(), **kept, "file": PurePath(file.file.name).name})
    return path
