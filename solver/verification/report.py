"""Result of a verification: findings, each with its certificate, unreadable rows and metrics."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from grammar.errors import ExitStatus, HopcheckError
from solver.dataset.seal import Breach, accepted, recording
from solver.io.sources import counted
from solver.io.writing import json_lines, line, make_folder, reporting

if TYPE_CHECKING:
    from pandas import DataFrame

    from solver.probes.probe import ProbeResult
    from solver.report.model import Listing, Report, Section, Table


class Kind(StrEnum):
    """The kinds of artefact of this project; each is declared in ``solver/<kind>/kind.py``."""

    EVENTHOP = "eventhop"
    LINKS = "links"
    PATTERNS = "patterns"
    TKG = "tkg"
    FACTS = "facts"
    TEXTS = "texts"
    QUESTIONS = "questions"
    TRACES = "traces"
    RULES = "rules"
    CALENDAR = "calendar"
    POSITIONS = "positions"
    ASSIGNMENTS = "assignments"
    FAMILY = "family"

    @classmethod
    def _missing_(cls, value: object) -> Kind | None:
        """Accept the earlier spelling ``text``."""
        return cls.TEXTS if value == "text" else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A difference between a file and what it declares.

    Attributes:
        code: finding code, such as ``missing-closure``.
        where: the position as ``file:line``, or the name of the object.
        message: a sentence without full stop.
        certificate: the evidence as JSON values, such as the conflicting facts.
        id: id of the row, if rows have ids.
        causes: causes of a wrong label, if known.
        status: status of the claim of an item.
        hops: hops of an item.
    """

    code: str
    where: str
    message: str
    certificate: Mapping[str, Any] = field(default_factory=dict)
    id: str | None = None
    causes: tuple[str, ...] = ()
    status: str | None = None
    hops: int | None = None

    @property
    def certificate_id(self) -> str | None:
        """A hash of the certificate, by which it is found again; None without one."""
        if not self.certificate:
            return None
        return hashlib.sha256(line(dict(self.certificate))).hexdigest()[:16]

    def as_json(self) -> dict[str, Any]:
        """A line of ``violations.jsonl``."""
        row = {"code": self.code, "where": self.where, "message": self.message}
        return row | ({"certificate": dict(self.certificate)} if self.certificate else {})


_PLACED = re.compile(r"(?P<where>.*?:\d+(?::\d+)?): (?P<message>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """A row that could not be read, with its position if known."""

    where: str
    message: str

    @classmethod
    def of(cls, error: HopcheckError | str) -> Unreadable:
        """The position and the message of an error, or of its text."""
        found = _PLACED.fullmatch(str(error))
        return cls(**found.groupdict()) if found else cls(where="", message=str(error))

    def __str__(self) -> str:
        """Format as ``file:line: message``."""
        return f"{self.where}: {self.message}" if self.where else self.message


class Findings(Sequence[Finding]):
    """An immutable sequence of findings.

    Args:
        found: the findings.
        counts: number of findings by code, if more were found than are kept.
    """

    __slots__ = ("_counts", "_kept")

    def __init__(
        self, found: Iterable[Finding] = (), counts: Mapping[str, int] | None = None
    ) -> None:
        self._kept = tuple(found)
        codes = Counter(finding.code for finding in self._kept) if counts is None else counts
        self._counts = dict(sorted(codes.items()))

    @overload
    def __getitem__(self, index: int) -> Finding: ...
    @overload
    def __getitem__(self, index: slice) -> Findings: ...
    def __getitem__(self, index: int | slice) -> Finding | Findings:
        """One finding, or some."""
        chosen = self._kept[index]
        return Findings(chosen) if isinstance(chosen, tuple) else chosen

    def __len__(self) -> int:
        """Number of findings that are kept."""
        return len(self._kept)

    def __eq__(self, other: object) -> bool:
        """Whether findings and counts are equal."""
        if not isinstance(other, Findings):
            return NotImplemented
        return self._kept == other._kept and self._counts == other._counts

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Format as ``Findings(wrong-label: 2)``."""
        return f"Findings({', '.join(f'{code}: {n}' for code, n in self._counts.items())})"

    def counts(self) -> dict[str, int]:
        """Number of findings by code, sorted by code; includes findings that are not kept."""
        return dict(self._counts)

    def to_pandas(self) -> DataFrame:
        """One row per finding: id, code, where, message, causes, status, hops and certificate.

        Raises:
            MissingLibraryError: pandas is not installed.
        """
        from solver.report.notebook import data_frame

        rows = [
            {"id": finding.id, "code": finding.code, "where": finding.where,
             "message": finding.message,
             "causes": ", ".join(finding.causes), "status": finding.status, "hops": finding.hops,
             "certificate_id": finding.certificate_id, "certificate": dict(finding.certificate)}
            for finding in self
        ]  # fmt: skip
        names = ("id", "code", "where", "message", "causes", "status", "hops", "certificate_id")
        return data_frame(rows, (*names, "certificate"))

    def _repr_html_(self) -> str:
        """An HTML table of the first findings."""
        if not self._counts:
            return "<p>no findings</p>"
        head = "".join(f"<th>{name}</th>" for name in ("where", "code", "problem"))
        rows = "".join(
            f"<tr><td>{escape(finding.where)}</td><td>{escape(finding.code)}</td>"
            f"<td>{escape(finding.message)}</td></tr>"
            for finding in self[:_PREVIEWED]
        )
        more = sum(self._counts.values()) - min(len(self), _PREVIEWED)
        note = f"<p>and {more:,} more</p>" if more > 0 else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{note}"


_PREVIEWED = 10
_SHOWN = 200
_LONGEST = 4_000


def agreeing(engines: Sequence[str]) -> str:
    """Format engines as ``engines asp and graph agree``, or ``engine asp``."""
    if len(engines) == 1:
        return f"engine {engines[0]}"
    return f"engines {', '.join(engines[:-1])} and {engines[-1]} agree"


def shortcut(result: ProbeResult, where: str) -> Finding:
    """The finding of a probe that predicts labels."""
    return Finding(
        code="shortcut",
        where=where,
        message=str(result),
        certificate={
            "features": result.name,
            "accuracy": result.accuracy,
            "interval": [result.low, result.high],
            "chance": result.chance,
            "strongest": [str(value) for value in result.strongest],
        },
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyReport:
    """The result of a verification.

    Attributes:
        rows: the count.
        passed: the message if nothing was found, a sentence without full stop.
        kind: kind of artefact; a verifier leaves it out, and what the run collects.
        noun: what was counted, in the plural: ``patterns``.
        files: names of the inputs, as given.
        findings: the findings; for items the first ones, with the counts of all.
        unreadable: rows that could not be read.
        metrics: further counts, as JSON values.
        tables: further tables for the page, by title.
        probed: the results of probes, each with what was probed, such as ``texts``.
        engines: the engines, which agreed.
        seconds: wall time.
        config: settings of the run, for the manifest.
        encodings: encodings that decided, for the manifest.
        failure: the error that ended reading; the report covers the rows before it.
        equal: copies of the same rows that were compared: ``test.jsonl and test.parquet``.
        undecidable: fields and files of data sets that were not decided.
        breaches: where files differ from their manifest, if they were read nevertheless.
    """

    rows: int
    passed: str
    kind: str = ""
    noun: str = ""
    files: tuple[str, ...] = ()
    findings: Findings = field(default_factory=Findings)
    unreadable: tuple[Unreadable, ...] = ()
    metrics: Mapping[str, Any] = field(default_factory=dict)
    tables: Mapping[str, Table] = field(default_factory=dict)
    probed: tuple[tuple[str, ProbeResult], ...] = ()
    engines: tuple[str, ...] = ()
    seconds: float = 0.0
    config: Mapping[str, object] = field(default_factory=dict)
    encodings: tuple[str, ...] = ()
    failure: HopcheckError | None = None
    equal: tuple[str, ...] = ()
    undecidable: tuple[str, ...] = ()
    breaches: tuple[Breach, ...] = field(default_factory=accepted)

    @property
    def scope(self) -> str:
        """What was compared, decided and left open of data sets; empty for plain files."""
        if not self.equal and not self.undecidable:
            return ""
        parts = [*(f"{names} equal" for names in self.equal), f"{self.counted} decided"]
        if self.undecidable:
            parts.append(f"not decidable: {', '.join(self.undecidable)}")
        return "; ".join(parts)

    def scope_as_json(self) -> dict[str, list[str]]:
        """The same as entries of ``summary.json``."""
        return {"equal": list(self.equal), "undecidable": list(self.undecidable)}

    @property
    def exit_status(self) -> ExitStatus:
        """Unreadable rows take precedence over findings."""
        if self.unreadable or self.failure is not None:
            return ExitStatus.UNREADABLE
        return ExitStatus.VIOLATIONS if self.findings else ExitStatus.OK

    @property
    def counted(self) -> str:
        """The count with its noun: ``1 pattern``, ``2,000 patterns``."""
        return counted(self.rows, self.noun.removesuffix("s"))

    @property
    def unread(self) -> str:
        """The number of unreadable rows with its noun; empty for none."""
        return counted(len(self.unreadable), "row") if self.unreadable else ""

    @property
    def headline(self) -> str:
        """The counts of rows and findings in one line."""
        flawed = ", ".join(f"{number:,} {code}" for code, number in self.findings.counts().items())
        unread = f"{self.unread} unread" if self.unread else ""
        return f"{self.counted}: {flawed or unread or 'as declared'}"

    def as_json(self) -> dict[str, Any]:
        """The object printed by ``--json`` and written to ``summary.json``."""
        return {
            "kind": self.kind,
            "files": list(self.files),
            self.noun: self.rows,
            "unreadable": len(self.unreadable),
            "engines": list(self.engines),
            "violations": self.findings.counts(),
            **(self.scope_as_json() if self.scope else {}),
            "figures": dict(self.metrics) | self._probe_figures(),
            "seconds": round(self.seconds, 3),
        }

    def _probe_figures(self) -> dict[str, object]:
        """The results of the probes as JSON values; nothing if none was run."""
        rows = [{"probed": place, **result.as_json()} for place, result in self.probed]
        return {"probes": rows} if rows else {}

    @reporting()
    def write(self, folder: str | Path) -> Path:
        """Write summary, findings, page and manifest to a folder; returns the page's path.

        Raises:
            OutputError: the folder cannot be written.
        """
        with recording(self.breaches):
            return self._write(folder)

    def _write(self, folder: str | Path) -> Path:
        from solver.report.page import write_report

        folder = make_folder(Path(folder))
        rows = folder / "violations.jsonl"
        with json_lines(rows) as file:
            for finding in self.findings:
                file.write(finding.as_json())
        return write_report(
            folder,
            self._page(),
            figures=self.as_json(),
            summary="summary.json",
            config={"kind": self.kind, **self.config},
            encodings=self.encodings,
            inputs=self.files,
            outputs=[rows, *self._certificates(folder)],
            timed=True,
        )

    def _certificates(self, _folder: Path) -> list[Path]:
        """Write further files, with the certificates of what is right."""
        return []

    def _page(self) -> Report:
        from solver.report.model import Report

        return Report(
            title=self.headline,
            lead="" if self.findings or self.unreadable else f"{self.passed}.",
            facts={
                "files": ", ".join(self.files),
                "engines": " = ".join(self.engines) or "none",
                "unreadable rows": f"{len(self.unreadable):,}",
                **{
                    name.replace("_", " "): str(value)
                    for name, value in self.metrics.items()
                    if not isinstance(value, Mapping | list | tuple)
                },
            },
            sections=tuple(self._sections()),
        )

    def _sections(self) -> Iterator[Section]:
        from solver.report.model import Section, Table

        if self.findings:
            yield Section(title="Findings", listing=_listing(self.findings))
        for title, table in self.tables.items():
            left = len(table.rows) - _SHOWN
            text = f"The first {_SHOWN}; {left:,} more." if left > 0 else ""
            shown = Table(columns=table.columns, rows=table.rows[:_SHOWN])
            yield Section(title=title, text=text, tables=(shown,))
        if self.probed:
            rows = tuple((place, result.name, *result.figures()) for place, result in self.probed)
            columns = ("probed", "features", "accuracy", "99.8% interval", "chance", "AUC")
            yield Section(title="Probes", tables=(Table(columns=columns, rows=rows),))

    def _repr_html_(self) -> str:
        """The headline and the first findings."""
        shown = self.findings._repr_html_() if self.findings else f"<p>{escape(self.passed)}</p>"
        return f"<p><b>{escape(self.headline)}</b></p>{shown}"


def _listing(findings: Findings) -> Listing:
    from solver.report.model import Column, Listing

    def filtered(
        name: str, values: Iterable[object], *, width: int = 8, minor: bool = True
    ) -> Column:
        texts = ["none" if value is None else str(value) for value in values]
        return Column(
            name=name, title=name, values=texts, filtered=True, width=width, minor=minor,
            mark=not minor,
        )  # fmt: skip

    columns = [
        Column(
            name="where", title="where", values=[finding.where for finding in findings], width=20
        ),
        filtered("finding", (finding.code for finding in findings), minor=False, width=14),
        Column(
            name="problem",
            title="problem",
            values=[finding.message for finding in findings],
            width=46,
        ),
    ]
    for name, values in (
        ("status", [finding.status for finding in findings]),
        ("hops", [finding.hops for finding in findings]),
    ):
        if any(value is not None for value in values):
            columns.append(filtered(name, values))
    evidence = [_evidence(finding.certificate) for finding in findings]
    columns.append(
        Column(name="certificate", title="certificate", values=evidence, width=None, long=True)
    )
    return Listing(columns=tuple(columns), file="violations.jsonl")


def _evidence(certificate: Mapping[str, object]) -> str:
    from solver.report.numbers import cut

    parts = (f"{name.replace('_', ' ')}: {value}" for name, value in certificate.items())
    return cut("; ".join(parts), _LONGEST)


_FIELD = re.compile(r"\{(\w[\w.]*)[^}]*\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """A finding code.

    Attributes:
        name: as in reports.
        message: template of the messages; names in braces are arguments of the violation, or what
            the kind says of them.
        meaning: the code in tables; empty if the message is enough.
        violation: its name in the encodings; empty for a code that Python derives.
        arguments: names of the arguments of the violation, in order.
    """

    name: str
    message: str
    meaning: str = ""
    violation: str = ""
    arguments: tuple[str, ...] = ()

    def describe(self) -> str:
        """The meaning, else the message with its names in angle brackets."""
        shown = _FIELD.sub(r"<\1>", self.message)
        return self.meaning or f"`{shown}`"

    def finding(
        self, where: str, certificate: Mapping[str, Any] | None = None, **words: object
    ) -> Finding:
        """A finding with its message."""
        message = self.message.format(**words)
        return Finding(code=self.name, where=where, message=message, certificate=certificate or {})

    def format(self, words: Mapping[str, Callable[[], object]]) -> str:
        """The message; words that it does not contain are not computed."""
        return self.message.format_map(_Called(words))


@dataclass(frozen=True, slots=True)
class _Called:
    words: Mapping[str, Callable[[], object]]

    def __getitem__(self, name: str) -> object:
        return self.words[name]()


class Codes(Mapping[str, Code]):
    """The codes of a kind by name, in the order of their declaration.

    Args:
        declared: the message, or the message and the meaning, of each violation as its encoding
            derives it, such as ``late_choice(question,choice)``, and of each code that Python
            derives. An underscore in the name of a violation is a hyphen in its code.
    """

    def __init__(self, declared: Mapping[str, str | tuple[str, str]]) -> None:
        self._codes: dict[str, Code] = {}
        for key, text in declared.items():
            message, meaning = (text, "") if isinstance(text, str) else text
            violation, _, arguments = key.rstrip(")").partition("(")
            name = violation.replace("_", "-") if arguments else violation
            self._codes[name] = Code(
                name=name,
                message=message,
                meaning=meaning,
                violation=violation if arguments else "",
                arguments=tuple(filter(None, arguments.split(","))),
            )

    def __getitem__(self, name: str) -> Code:
        """The code of that name, or of the violation of that name."""
        return self._codes[name] if name in self._codes else self._codes[name.replace("_", "-")]

    def __iter__(self) -> Iterator[str]:
        """The names."""
        return iter(self._codes)

    def __len__(self) -> int:
        """Their number."""
        return len(self._codes)


SHORTCUT = {"shortcut": ("{message}", "a probe predicts labels better than chance")}
"""The code of kinds whose data are probed."""
