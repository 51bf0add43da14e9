"""Checks that lists of patterns are valid, canonical, duplicate-free, correct and complete."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from solver.io.sources import InputError, row_files
from solver.patterns.codes import CODES
from solver.patterns.engine import PATTERN_ENCODINGS, PatternVerdict, enumerate_patterns, judge
from solver.patterns.io import (
    ListDeclaration,
    ListedPattern,
    PatternList,
    describe,
    read_declared,
    read_list,
)
from solver.patterns.model import Pattern, PatternFlags
from solver.patterns.settings import PatternSettings
from solver.verification.report import Finding, Kind, Unreadable, VerifyReport
from solver.verification.verifier import Execution, RunResult

PASSED = "each pattern is valid, canonical, listed once and described correctly; none is missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredList:
    """A list with its declaration."""

    path: str
    listed: PatternList
    declared: ListDeclaration


class PatternVerifier:
    """Checks lists of patterns, each against its declaration."""

    kind: ClassVar[str] = Kind.PATTERNS

    def __init__(self, execution: Execution, settings: PatternSettings | None = None) -> None:
        self._settings = settings or PatternSettings()
        self._columns = execution.columns
        self._lists: list[DeclaredList] = []

    def read(self, source: Sequence[str | Path]) -> Iterator[DeclaredList | Unreadable]:
        """Read lists and their manifests.

        Raises:
            InputError: a file cannot be read, or its flags are not declared.
        """
        for path in row_files(source):
            listed = read_list(path, self._columns)
            yield from map(Unreadable.of, listed.unreadable)
            declared = _declared(path, listed, self._settings)
            declared_list = DeclaredList(path=path, listed=listed, declared=declared)
            self._lists.append(declared_list)
            yield declared_list

    def decide(self, rows: Iterable[DeclaredList]) -> Iterator[Finding]:
        """Judge each list."""
        for row in rows:
            yield from _findings(row.path, row.listed, row.declared)

    def report(self, _: RunResult) -> VerifyReport:
        """The report, with the declaration of each list."""
        declared = {listing.path: listing.declared.as_json() for listing in self._lists}
        return VerifyReport(
            rows=sum(len(listing.listed.patterns) for listing in self._lists),
            passed=PASSED,
            metrics={"declared": declared},
            engines=("asp",),
            config={"declared": declared},
            encodings=PATTERN_ENCODINGS,
        )


def _declared(path: str, listed: PatternList, given: PatternSettings) -> ListDeclaration:
    beside = read_declared(Path(path)) if path != "-" else None
    if given.flags is None and beside is None:
        message = "found no manifest that declares flags, expected one"
        raise InputError(message, where=path, hint="pass --flags, such as --flags 1100")
    occurring = {listed_pattern.pattern.hops for listed_pattern in listed.patterns} & {1, 2, 3}
    base = beside or ListDeclaration(hops=tuple(sorted(occurring)), flags=PatternFlags())
    return ListDeclaration(
        hops=base.hops if given.hops is None else given.hops,
        flags=base.flags if given.flags is None else given.flags,
        reading=base.reading if given.reading is None else given.reading,
    )


def _findings(path: str, listed: PatternList, declared: ListDeclaration) -> Iterator[Finding]:
    patterns = [listed_pattern.pattern for listed_pattern in listed.patterns]
    verdicts = judge(patterns, declared.flags, declared.reading)
    first: dict[Pattern, str] = {}
    for listed_pattern, verdict in zip(listed.patterns, verdicts, strict=True):
        yield from _of_one(listed_pattern, verdict, declared)
        yield from _wrong_fields(listed_pattern, describe(verdict))
        earlier = first.setdefault(verdict.canonical, listed_pattern.where)
        if earlier != listed_pattern.where:
            certificate = {"first": earlier, "canonical": str(verdict.canonical)}
            yield CODES["listed_twice"].finding(
                listed_pattern.where, certificate, pattern=listed_pattern.pattern
            )
    yield from _missing(path, set(first), declared)


def _of_one(
    listed: ListedPattern, verdict: PatternVerdict, declared: ListDeclaration
) -> Iterator[Finding]:
    pattern = listed.pattern
    for rule in verdict.violations:
        given = {"flags": declared.flags.code, "cycle_reading": declared.reading.value}
        yield CODES[rule.value].finding(listed.where, given, pattern=pattern)
    if not verdict.is_canonical:
        canonical = {"canonical": str(verdict.canonical)}
        yield CODES["not_canonical"].finding(listed.where, canonical, pattern=pattern)
    if pattern.hops not in declared.hops:
        hops = ", ".join(map(str, declared.hops))
        yield CODES["undeclared_hops"].finding(listed.where, pattern=pattern, declared=hops)


def _wrong_fields(listed: ListedPattern, right: Mapping[str, object]) -> Iterator[Finding]:
    for field, stated in listed.stated.items():
        found = right[field]
        if not _same(stated, found):
            yield CODES[f"wrong_{field}"].finding(
                listed.where,
                {"said": stated, "found": found},
                pattern=listed.pattern,
                stated=stated,
                found=found,
            )


def _same(stated: object, found: object) -> bool:
    """Compare two values; the order of shapes is ignored."""
    if isinstance(stated, list) and isinstance(found, list):
        return sorted(stated) == sorted(found)
    return stated == found


def _missing(path: str, listed: set[Pattern], declared: ListDeclaration) -> Iterator[Finding]:
    for hops in declared.hops:
        every = enumerate_patterns(hops, declared.flags, declared.reading)
        lacking: Sequence[Pattern] = [pattern for pattern in every if pattern not in listed]
        for verdict in judge(lacking, declared.flags, declared.reading):
            shapes = {"shapes": ", ".join(verdict.shapes)}
            yield CODES["missing"].finding(path, shapes, pattern=verdict.pattern)
