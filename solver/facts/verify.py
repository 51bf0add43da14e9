"""Verifies dated facts: temporal coherency, schema conformance and valid names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Any, ClassVar

import msgspec

from solver.dataset.copies import Copy, PlacedRow, differences, in_words, read
from solver.encodings import ViolationAtom
from solver.facts.certificates import ForecastRules, certificate_findings, role_rows_of
from solver.facts.codes import CODES, FindingFormatter
from solver.facts.encode import (
    COHERENCY,
    SCHEMA,
    UNTYPED,
    UNVERIFIABLE,
    encode_case,
    findings,
)
from solver.facts.engine import sweep
from solver.facts.intervals import Linearisation, Naming, linearise
from solver.facts.io import CertifiedFact, FactFile, read_certificates, read_facts
from solver.facts.model import (
    Case,
    ChainCounts,
    DatedFact,
    IntervalFact,
    Window,
    build_case,
    count_chains,
)
from solver.facts.schema import TYPES, EntityTypes, Schema, read_types
from solver.facts.schema_files import read_schema
from solver.facts.settings import ENGINES, FactSettings
from solver.io.columns import ColumnNames
from solver.io.json_lines import read_document
from solver.io.parquet import exported
from solver.io.sources import MANIFEST, InputError, open_input, sound_lines
from solver.report.model import Table
from solver.rules.io import read_rules
from solver.verification.report import Finding, Kind, Unreadable, VerifyReport
from solver.verification.run import DisagreementError, difference, found_alone
from solver.verification.verifier import Execution, RunResult

EXCLUSIVE = ("nothing_open", "other_open", "second_open")
"""Finding codes of the exclusive level: a subject has one object of a relation at a time."""

PER_OBJECT = ("never_opened", "reclosed", "reopened")


def encodings(settings: FactSettings) -> tuple[str, ...]:
    """The encodings that decide the findings."""
    return (COHERENCY,) if settings.schema is None else (COHERENCY, SCHEMA)


class FactVerifier:
    """Verifies the facts of several files as one set."""

    kind: ClassVar[str] = Kind.FACTS

    def __init__(self, execution: Execution, settings: FactSettings | None = None) -> None:
        self._settings = settings or FactSettings()
        self._columns = execution.columns
        self._files: list[str] = []
        self._folders: list[Path] = []
        self._equal: list[str] = []
        self._certified: list[CertifiedFact] = []
        self._case: Case | None = None
        self._found: list[ViolationAtom] = []

    def read(self, source: Sequence[str | Path]) -> Iterator[Case | Unreadable]:
        """Read facts, history, schema, classes and certificates.

        A folder written by ``forecast`` supplies its own history, window and certificates; an
        export for the hub has its facts in Parquet.

        Raises:
            InputError: a file cannot be read.
        """
        for path in map(str, source):
            file = path
            if tables := exported(path, "facts"):
                self._files += map(str, tables.values())
                continue
            if Path(path).is_dir():
                file, self._settings = forecast_folder(Path(path), self._settings)
                self._folders.append(Path(path))
            self._files.append(file)
        settings = self._settings
        if settings.schema is None and (settings.types or settings.require_types or settings.marks):
            raise InputError("found no schema, expected one for classes of entities")
        self._case, unreadable = _read(self._files, self._settings, self._columns)
        yield from map(Unreadable.of, unreadable)
        for path in self._settings.certificates:
            found, broken = read_certificates(path)
            self._certified += found
            yield from map(Unreadable.of, broken)
        yield self._case

    def decide(self, rows: Iterable[Case]) -> Iterator[Finding]:
        """Compare both engines and check the certificates.

        Raises:
            DisagreementError: the encodings and the sweep differ.
        """
        tolerated = _tolerated_codes(self._settings)
        for case in rows:
            self._found = cross_check(case)
            formatter = FindingFormatter(case)
            for atom in self._found:
                if atom.code not in tolerated:
                    yield formatter.finding(atom)
            if self._settings.certificates:
                yield from certificate_findings(self._certified, case, self._settings.rules)
            for folder in self._folders:
                yield from self._redundant(folder, case)

    def _redundant(self, folder: Path, case: Case) -> Iterator[Finding]:
        """Files of a forecast that repeat others: certificates, and role rules of its history."""
        certificates = next(name for name in (CERTIFICATES, SCORED) if (folder / name).is_file())
        copies = [
            Copy(name=certificates, rows=partial(read, str(folder / certificates))),
            Copy(name=FACTS, rows=partial(_rows_of_facts, str(folder / FACTS)), partial=True),
        ]
        found = list(differences(str(folder), copies))
        yield from found
        self._equal += [] if found else [in_words(copies)]
        if (folder / ROLE_RULES).is_file():
            due = msgspec.json.decode(msgspec.json.encode(role_rows_of(case)))
            rows = zip_longest((row.values for row in read(str(folder / ROLE_RULES))), due)
            wrong = next((line for line, (row, own) in enumerate(rows, 1) if row != own), None)
            if wrong is not None:
                message = "not the role rule that is mined from the history"
                where = f"{folder / ROLE_RULES}:{wrong}"
                yield CODES["other-role-rules"].finding(where, message=message)

    def report(self, _: RunResult) -> VerifyReport:
        """The report, with the counts of chains and a table of what is noted only."""
        case, settings = self._case, self._settings
        if case is None:
            raise ValueError("facts are reported before they are read")
        metrics = _metrics(case, self._found)
        if settings.certificates:
            metrics["certificates"] = len(self._certified)
        return VerifyReport(
            rows=case.past.count(False),
            passed=_pass_message(settings),
            files=tuple(self._files),
            metrics=metrics,
            tables=self._noted(case),
            engines=ENGINES,
            config=settings.as_config(),
            encodings=encodings(settings),
            equal=tuple(self._equal),
        )

    def _noted(self, case: Case) -> dict[str, Table]:
        """Findings that are not violations under the settings."""
        formatter, tolerated = FindingFormatter(case), _tolerated_codes(self._settings)
        noted = [formatter.finding(atom) for atom in self._found if atom.code in tolerated]
        rows = tuple((finding.where, finding.code, finding.message) for finding in noted)
        table = Table(columns=("where", "code", "message"), rows=rows)
        return {"Noted, not violations": table} if noted else {}


def _read(
    paths: Sequence[str], settings: FactSettings, columns: ColumnNames
) -> tuple[Case, tuple[str, ...]]:
    """Read all input, with one message for each unreadable row."""
    schema = (
        None if settings.schema is None else read_schema(settings.schema, exclusive=settings.marks)
    )
    types = _types(settings, schema)
    naming = Naming.of(schema)
    files = [read_facts(path, naming, columns) for path in paths]
    past = [read_facts(path, naming) for path in settings.history]
    facts, intervals = _dated(files, naming)
    case = build_case(
        facts,
        history=_dated(past, naming)[0],
        intervals=intervals,
        schema=schema,
        types=types.of,
        window=settings.window,
        whole_history=settings.whole_history,
    )
    unreadable = (message for file in (*files, *past) for message in file.unreadable)
    return case, (*types.unreadable, *unreadable)


def cross_check(case: Case) -> list[ViolationAtom]:
    """Return the findings of both engines, sorted.

    Raises:
        DisagreementError: the engines differ.
    """
    found = findings(case)
    different = difference(ENGINES, found, sweep(case))
    if different is not None:
        raise DisagreementError(
            found_alone(*different),
            name=Kind.FACTS,
            program=encode_case(case),
            encodings=(COHERENCY, SCHEMA),
        )
    return found


def _types(settings: FactSettings, schema: Schema | None) -> EntityTypes:
    if schema is None or settings.schema is None:
        return EntityTypes()
    default = settings.schema / TYPES
    path = settings.types or (default if default.is_file() else None)
    return EntityTypes() if path is None else read_types(path, schema.hierarchy)


def _dated(
    files: Iterable[FactFile], naming: Naming
) -> tuple[list[DatedFact], tuple[IntervalFact, ...]]:
    """The dated facts of all files, intervals linearised, and the intervals themselves."""
    facts: list[DatedFact] = []
    intervals: list[IntervalFact] = []
    for file in files:
        spans = [fact for fact in file.facts if isinstance(fact, IntervalFact)]
        linearised: Linearisation = linearise(spans, naming)
        facts += [fact for fact in file.facts if isinstance(fact, DatedFact)]
        facts += linearised.facts
        intervals += spans
    return facts, tuple(intervals)


def _tolerated_codes(settings: FactSettings) -> set[str]:
    """Codes of findings that are noted but are not violations."""
    tolerated = {UNVERIFIABLE}
    if not settings.exclusive:
        tolerated |= set(EXCLUSIVE)
    if not settings.require_types:
        tolerated.add(UNTYPED)
    return tolerated


def _pass_message(settings: FactSettings) -> str:
    parts = ["no fact starts what is open or ends what is not"]
    if settings.exclusive:
        parts.append("one object at a time")
    if settings.certificates:
        parts.append("every certificate is valid")
    if settings.schema is not None:
        parts.append("every fact conforms to the schema")
    return ", ".join(parts)


def _metrics(case: Case, found: Sequence[ViolationAtom]) -> dict[str, Any]:
    counts = Counter(atom.code for atom in found)
    per_object = count_chains(case, (atom for atom in found if atom.code in PER_OBJECT))
    exclusive = count_chains(case, (atom for atom in found if atom.code in EXCLUSIVE))
    figures: dict[str, Any] = {
        "entities": len(case.entities),
        "relations": len({fact.relation for fact in case.facts}),
        "history": sum(case.past),
        **_chain_metrics(per_object, exclusive),
        UNVERIFIABLE: counts[UNVERIFIABLE],
    }
    if case.schema is not None:
        figures[UNTYPED] = counts[UNTYPED]
    return figures | {"exclusive": {code: counts[code] for code in EXCLUSIVE}}


def _chain_metrics(per_object: ChainCounts, exclusive: ChainCounts) -> dict[str, int]:
    return {
        "chains": per_object.all,
        "chains_with_two_or_more_facts": per_object.long,
        "incoherent_chains_per_object": per_object.incoherent,
        "incoherent_chains_exclusive": exclusive.incoherent,
    }


FACTS = "facts.tsv"
CERTIFICATES = "facts.jsonl"
HISTORY = "history.tsv"
RULES = "rules.jsonl"
ROLE_RULES = "role_rules.jsonl"
SCORED = "scores.jsonl"
"""In place of certificates and rules, of a forecast by a model's scores."""


def _rows_of_facts(path: str) -> Iterator[PlacedRow]:
    names = ("subject", "relation", "object", "date")
    with open_input(path) as source:
        for line in sound_lines(source):
            cells = [cell.strip() for cell in line.text.split("\t")]
            where = f"{path}:{line.number}"
            yield PlacedRow(where=where, values=dict(zip(names, cells, strict=False)))


class _Config(msgspec.Struct):
    begin: date
    end: date
    coherent: bool
    exclusive: bool
    typed: bool
    window: Annotated[int, msgspec.Meta(ge=0)]
    schema: str | None = None
    scores: str | None = None


class _Manifest(msgspec.Struct):
    config: _Config
    relations: tuple[str, ...]


def forecast_folder(folder: Path, settings: FactSettings) -> tuple[str, FactSettings]:
    """Return the facts file and settings completed from the manifest; given options take priority.

    The manifest stores the name of the schema only; it is searched in the working directory and
    next to the folder, unless a schema is given.

    Raises:
        InputError: it is not a forecast folder, or its schema is not found.
    """
    _require(folder, FACTS, HISTORY, MANIFEST)
    manifest = read_document(folder / MANIFEST, _Manifest, "manifest of a forecast")
    config, relations = manifest.config, manifest.relations
    if config.scores is None:
        _require(folder, CERTIFICATES, RULES)
        rules = read_rules(folder / RULES, relations=len(relations))
        settings = replace(
            settings,
            certificates=(*settings.certificates, str(folder / CERTIFICATES)),
            rules=ForecastRules(rules=rules, relations=relations, window=config.window),
        )
    return str(folder / FACTS), replace(
        settings,
        schema=settings.schema or _schema(folder, config.schema),
        history=(*settings.history, str(folder / HISTORY)),
        window=settings.window
        or Window(first=config.begin.toordinal(), last=config.end.toordinal()),
        exclusive=settings.exclusive or (config.exclusive and config.coherent),
        require_types=settings.require_types or config.typed,
    )


def _require(folder: Path, *names: str) -> None:
    for name in names:
        if not (folder / name).is_file():
            message = f"found no {name}, expected a folder written by forecast"
            raise InputError(message, where=str(folder))


def _schema(folder: Path, name: str | None) -> Path | None:
    if name is None:
        return None
    for place in (Path(name), folder.parent / name):
        if place.exists():
            return place
    message = f"schema {name} of this forecast not found"
    raise InputError(message, where=str(folder / MANIFEST), hint="give its path: --schema DIR")
