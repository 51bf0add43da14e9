"""Verifies dated facts: temporal coherency, schema conformance and valid names."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from solver.schema import Schema
from solver.schema.entity_types import TYPES, EntityTypes, read_types
from solver.schema.reading import read_schema
from solver.temporal_facts.case import Case, Window, build_case
from solver.temporal_facts.certified import CertifiedFact, read_certificates
from solver.temporal_facts.chains import ChainCounts, count_chains
from solver.temporal_facts.dated import DatedFact, IntervalFact
from solver.temporal_facts.findings import (
    COHERENCY,
    SCHEMA,
    UNTYPED,
    UNVERIFIABLE,
    encode_case,
    findings,
)
from solver.temporal_facts.linearisation import Linearisation, Naming, linearise
from solver.temporal_facts.reading import FactFile, read_facts
from solver.temporal_facts.sweep import sweep
from solver.tkg.proof import Finding
from solver.verify.checked import VerifyReport, Violation
from solver.verify.facts_support import GROUNDINGS, certificate_violations
from solver.verify.facts_telling import MessageFormatter
from solver.verify.settings import Kind
from solver.verify.tkg import ProofDisagreementError
from solver.writing.atomic import atomic

ENGINES = ("asp", "sweep")
EXCLUSIVE = ("nothing_open", "other_open", "second_open")
"""Finding codes of the exclusive level: a subject has one object of a relation at a time."""

PER_OBJECT = ("never_opened", "reclosed", "reopened")


@dataclass(frozen=True, slots=True, kw_only=True)
class FactSettings:
    """Options of a verification run.

    Attributes:
        schema: file or folder; None to skip class constraints.
        types: classes of entities; default ``types.tsv`` in the schema folder.
        history: files of earlier facts.
        exclusive: whether findings of the exclusive level are violations.
        require_types: whether an entity without a class is a violation.
        whole_history: whether an end without a known start is a violation.
        marks: the schema column that marks exclusive relations.
        certificates: files of certificates; if given, every fact needs a valid one.
    """

    schema: Path | None = None
    types: Path | None = None
    history: tuple[str, ...] = ()
    window: Window | None = None
    exclusive: bool = False
    require_types: bool = False
    whole_history: bool = False
    marks: str | None = None
    certificates: tuple[str, ...] = ()

    @property
    def encodings(self) -> tuple[str, ...]:
        """The encodings that decide the findings."""
        decide = (COHERENCY,) if self.schema is None else (COHERENCY, SCHEMA)
        return (*decide, GROUNDINGS) if self.certificates else decide


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedFacts:
    """The result of a verification run.

    Attributes:
        noted: findings that are not violations under the given settings: ends without a known
            start, entities without a class, the exclusive level.
    """

    checked: VerifyReport
    noted: tuple[Violation, ...]


def check(paths: Sequence[str], settings: FactSettings) -> CheckedFacts:
    """Verify the facts of several files as one set.

    Raises:
        InputError: a file cannot be read.
        ProofDisagreementError: the encodings and the sweep differ; their input is written to
            ``disagreement-facts.lp`` in the working directory.
    """
    begun = time.perf_counter()
    case, unreadable = _read(paths, settings)
    found = cross_check(case)
    formatter = MessageFormatter(case)
    tolerated = _tolerated_codes(settings)
    certified, broken = _read_certificates(settings)
    unproved = certificate_violations(certified, case) if settings.certificates else ()
    figures = _figures(case, found)
    if settings.certificates:
        figures["certificates"] = len(certified)
    checked = VerifyReport(
        kind=Kind.FACTS,
        noun="facts",
        number=case.past.count(False),
        right=_pass_message(settings),
        files=tuple(paths),
        violations=(
            *(formatter.violation(one) for one in found if one.code not in tolerated),
            *unproved,
        ),
        figures=figures,
        unreadable=(*unreadable, *broken),
        engines=ENGINES,
        seconds=time.perf_counter() - begun,
    )
    noted = tuple(formatter.violation(one) for one in found if one.code in tolerated)
    return CheckedFacts(checked=checked, noted=noted)


def _read(paths: Sequence[str], settings: FactSettings) -> tuple[Case, tuple[str, ...]]:
    """Read all input, with one message for each unreadable row."""
    schema = (
        None if settings.schema is None else read_schema(settings.schema, exclusive=settings.marks)
    )
    types = _types(settings, schema)
    naming = Naming.of(schema)
    files = [read_facts(path, naming) for path in paths]
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
    unreadable = (message for one in (*files, *past) for message in one.unreadable)
    return case, (*types.unreadable, *unreadable)


def _read_certificates(settings: FactSettings) -> tuple[list[CertifiedFact], list[str]]:
    """Read all certificates, with one message for each unreadable row."""
    certified: list[CertifiedFact] = []
    broken: list[str] = []
    for path in settings.certificates:
        found, unreadable = read_certificates(path)
        certified += found
        broken += unreadable
    return certified, broken


def cross_check(case: Case) -> list[Finding]:
    """Return the findings of both engines, sorted.

    Raises:
        ProofDisagreementError: the engines differ.
    """
    found, swept = findings(case), sweep(case)
    if found != swept:
        home = Path("disagreement-facts.lp")
        with atomic(home) as file:
            file.write(f"{encode_case(case)}\n".encode())
        (first,) = sorted((Counter(found) - Counter(swept)) + (Counter(swept) - Counter(found)))[:1]
        engine = "asp" if first in set(found) else "sweep"
        finding = f"{first.code}({', '.join(map(str, first.numbers))})"
        message = f"engines disagree: only {engine} finds {finding}"
        hint = f"reproduce with: clingo encodings/{COHERENCY} encodings/{SCHEMA} {home}"
        raise ProofDisagreementError(message, hint=hint)
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
    for one in files:
        spans = [fact for fact in one.facts if isinstance(fact, IntervalFact)]
        linearised: Linearisation = linearise(spans, naming)
        facts += [fact for fact in one.facts if isinstance(fact, DatedFact)]
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


def _figures(case: Case, found: Sequence[Finding]) -> dict[str, Any]:
    counts = Counter(one.code for one in found)
    per_object = count_chains(case, (one for one in found if one.code in PER_OBJECT))
    exclusive = count_chains(case, (one for one in found if one.code in EXCLUSIVE))
    figures: dict[str, Any] = {
        "entities": len(case.entities),
        "relations": len({fact.relation for fact in case.facts}),
        "history": sum(case.past),
        **_chain_figures(per_object, exclusive),
        UNVERIFIABLE: counts[UNVERIFIABLE],
    }
    if case.schema is not None:
        figures[UNTYPED] = counts[UNTYPED]
    return figures | {"exclusive": {code: counts[code] for code in EXCLUSIVE}}


def _chain_figures(per_object: ChainCounts, exclusive: ChainCounts) -> dict[str, int]:
    return {
        "chains": per_object.all,
        "chains_with_two_or_more_facts": per_object.long,
        "incoherent_chains_per_object": per_object.incoherent,
        "incoherent_chains_exclusive": exclusive.incoherent,
    }
