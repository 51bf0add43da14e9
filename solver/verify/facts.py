"""Checks dated facts: coherent in time, of the classes that their relations ask for, well named."""

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
from solver.temporal_facts.case import Case, Window, case_of
from solver.temporal_facts.certified import CertifiedFact, read_certificates
from solver.temporal_facts.chains import Chains, chains_of
from solver.temporal_facts.dated import DatedFact, IntervalFact
from solver.temporal_facts.findings import COHERENCY, SCHEMA, UNTYPED, UNVERIFIABLE, asked, findings
from solver.temporal_facts.linearisation import Linearised, Naming, linearise
from solver.temporal_facts.reading import FactFile, read_facts
from solver.temporal_facts.sweep import sweep
from solver.tkg.proof import Finding
from solver.verify.checked import VerifyReport, Violation
from solver.verify.facts_support import GROUNDINGS, unsupported
from solver.verify.facts_telling import Telling
from solver.verify.settings import Kind
from solver.verify.tkg import ProofDisagreementError
from solver.writing.atomic import atomic

ENGINES = ("asp", "sweep")
EXCLUSIVE = ("nothing_open", "other_open", "second_open")
"""Codes of the second level, by which a subject has one object of a relation at a time."""

PER_OBJECT = ("never_opened", "reclosed", "reopened")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """How facts are to be checked.

    Attributes:
        schema: file or folder; nothing is asked of classes without one.
        types: classes of entities; ``types.tsv`` in the folder of the schema by default.
        history: files of facts that came before.
        exclusive: whether the second level of coherency is a violation, too.
        require_types: whether an entity without a class is one.
        whole_history: whether an end without a known start is one.
        marks: the column of the schema that marks exclusive relations.
        certificates: files of rules and groundings, by which each fact has to be expected.
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
        """Those that decide."""
        decide = (COHERENCY,) if self.schema is None else (COHERENCY, SCHEMA)
        return (*decide, GROUNDINGS) if self.certificates else decide


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedFacts:
    """The outcome, and what is told beside it.

    Attributes:
        noted: what is no violation as the facts were to be checked: ends without a known start,
            entities without a class, the second level of coherency.
    """

    checked: VerifyReport
    noted: tuple[Violation, ...]


def check(paths: Sequence[str], how: Asked) -> CheckedFacts:
    """Check files of facts together, as one set.

    Raises:
        InputError: a file cannot be read.
        ProofDisagreementError: the encodings and the sweep differ; what they were asked is kept in
            ``disagreement-facts.lp`` of the working folder.
    """
    begun = time.perf_counter()
    case, unreadable = _read(paths, how)
    found = agreed(case)
    telling = Telling(case)
    passed = _passed(how)
    certified, broken = _certified(how)
    unproved = unsupported(certified, case) if how.certificates else ()
    figures = _figures(case, found)
    if how.certificates:
        figures["certificates"] = len(certified)
    checked = VerifyReport(
        kind=Kind.FACTS,
        noun="facts",
        number=case.past.count(False),
        right=_right(how),
        files=tuple(paths),
        violations=(
            *(telling.violation(one) for one in found if one.code not in passed),
            *unproved,
        ),
        figures=figures,
        unreadable=(*unreadable, *broken),
        engines=ENGINES,
        seconds=time.perf_counter() - begun,
    )
    noted = tuple(telling.violation(one) for one in found if one.code in passed)
    return CheckedFacts(checked=checked, noted=noted)


def _read(paths: Sequence[str], how: Asked) -> tuple[Case, tuple[str, ...]]:
    """What is to be checked, and each row that cannot be, in one line."""
    schema = None if how.schema is None else read_schema(how.schema, exclusive=how.marks)
    types = _types(how, schema)
    naming = Naming.of(schema)
    files = [read_facts(path, naming) for path in paths]
    past = [read_facts(path, naming) for path in how.history]
    facts, intervals = _dated(files, naming)
    case = case_of(
        facts,
        history=_dated(past, naming)[0],
        intervals=intervals,
        schema=schema,
        types=types.of,
        window=how.window,
        whole_history=how.whole_history,
    )
    unreadable = (told for one in (*files, *past) for told in one.unreadable)
    return case, (*types.unreadable, *unreadable)


def _certified(how: Asked) -> tuple[list[CertifiedFact], list[str]]:
    """All certificates, and each row that cannot be read."""
    certified: list[CertifiedFact] = []
    broken: list[str] = []
    for path in how.certificates:
        found, unreadable = read_certificates(path)
        certified += found
        broken += unreadable
    return certified, broken


def agreed(case: Case) -> list[Finding]:
    """What both engines find, in the order of the facts.

    Raises:
        ProofDisagreementError: they differ.
    """
    found, swept = findings(case), sweep(case)
    if found != swept:
        home = Path("disagreement-facts.lp")
        with atomic(home) as file:
            file.write(f"{asked(case)}\n".encode())
        (first,) = sorted((Counter(found) - Counter(swept)) + (Counter(swept) - Counter(found)))[:1]
        who = "asp" if first in set(found) else "sweep"
        told = f"{first.code}({', '.join(map(str, first.numbers))})"
        message = f"engines disagree: {told} is found by {who} alone"
        hint = f"clingo encodings/{COHERENCY} encodings/{SCHEMA} {home} shows it"
        raise ProofDisagreementError(message, hint=hint)
    return found


def _types(how: Asked, schema: Schema | None) -> EntityTypes:
    if schema is None or how.schema is None:
        return EntityTypes()
    beside = how.schema / TYPES
    path = how.types or (beside if beside.is_file() else None)
    return EntityTypes() if path is None else read_types(path, schema.hierarchy)


def _dated(
    files: Iterable[FactFile], naming: Naming
) -> tuple[list[DatedFact], tuple[IntervalFact, ...]]:
    """Facts of all files in their order, intervals as those of their bounds; and the intervals."""
    facts: list[DatedFact] = []
    intervals: list[IntervalFact] = []
    for one in files:
        spans = [fact for fact in one.facts if isinstance(fact, IntervalFact)]
        linearised: Linearised = linearise(spans, naming)
        facts += [fact for fact in one.facts if isinstance(fact, DatedFact)]
        facts += linearised.facts
        intervals += spans
    return facts, tuple(intervals)


def _passed(how: Asked) -> set[str]:
    """Codes that are told and are no violations."""
    passed = {UNVERIFIABLE}
    if not how.exclusive:
        passed |= set(EXCLUSIVE)
    if not how.require_types:
        passed.add(UNTYPED)
    return passed


def _right(how: Asked) -> str:
    said = "no fact starts what is open or ends what is not"
    if how.exclusive:
        said += ", one object at a time"
    if how.certificates:
        said += ", each follows by its rule from facts before it"
    return said if how.schema is None else f"{said}; each is of the classes that its relation asks"


def _figures(case: Case, found: Sequence[Finding]) -> dict[str, Any]:
    counts = Counter(one.code for one in found)
    per_object = chains_of(case, (one for one in found if one.code in PER_OBJECT))
    exclusive = chains_of(case, (one for one in found if one.code in EXCLUSIVE))
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


def _chain_figures(per_object: Chains, exclusive: Chains) -> dict[str, int]:
    return {
        "chains": per_object.all,
        "chains_with_two_or_more_facts": per_object.long,
        "incoherent_chains_per_object": per_object.incoherent,
        "incoherent_chains_exclusive": exclusive.incoherent,
    }
