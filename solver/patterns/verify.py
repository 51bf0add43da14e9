"""Checks that lists of patterns are valid, canonical, duplicate-free, correct and complete."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from solver.io.sources import InputError
from solver.patterns.engine import PatternVerdict, enumerate_patterns, judge
from solver.patterns.io import (
    ListDeclaration,
    ListedPattern,
    PatternList,
    describe,
    read_declared,
    read_list,
)
from solver.patterns.model import RULE_IN_WORDS, CycleReading, Pattern, PatternFlags
from solver.verification.checked import VerifyReport, Violation
from solver.verification.settings import Kind

RIGHT = "each pattern is valid, canonical, listed once and described correctly; none is missing"


def check(
    paths: tuple[str, ...],
    *,
    hops: tuple[int, ...] | None = None,
    flags: PatternFlags | None = None,
    reading: CycleReading | None = None,
) -> VerifyReport:
    """Check lists of patterns, each against its declaration.

    A violation's code is the rule that a pattern violates, or ``not_canonical``,
    ``listed_twice``, ``undeclared_hops``, ``wrong_FIELD`` (a field has a wrong value) or
    ``missing``.

    ``hops``, ``flags`` and ``reading`` default to the manifest of each list. Without a manifest,
    flags are required; hops default to those that occur, the reading to fixed.

    Raises:
        InputError: a file cannot be read, or its flags are not declared.
    """
    began = time.perf_counter()
    lists = {path: read_list(path) for path in paths}
    declared = {
        path: _declared(path, listed, hops, flags, reading) for path, listed in lists.items()
    }
    return VerifyReport(
        kind=Kind.PATTERNS.value,
        noun="patterns",
        number=sum(len(listed.patterns) for listed in lists.values()),
        right=RIGHT,
        files=paths,
        violations=tuple(
            one for path in lists for one in _violations(path, lists[path], declared[path])
        ),
        figures={"declared": {path: one.as_json() for path, one in declared.items()}},
        unreadable=tuple(error for listed in lists.values() for error in listed.unreadable),
        engines=("asp",),
        seconds=time.perf_counter() - began,
    )


def _declared(
    path: str,
    listed: PatternList,
    hops: tuple[int, ...] | None,
    flags: PatternFlags | None,
    reading: CycleReading | None,
) -> ListDeclaration:
    beside = read_declared(Path(path)) if path != "-" else None
    if flags is None and beside is None:
        message = "found no manifest that declares flags, expected one"
        raise InputError(message, where=path, hint="pass --flags, such as --flags 1100")
    occurring = {one.pattern.hops for one in listed.patterns} & {1, 2, 3}
    base = beside or ListDeclaration(hops=tuple(sorted(occurring)), flags=PatternFlags())
    return ListDeclaration(
        hops=base.hops if hops is None else hops,
        flags=base.flags if flags is None else flags,
        reading=base.reading if reading is None else reading,
    )


def _violations(path: str, listed: PatternList, declared: ListDeclaration) -> Iterator[Violation]:
    patterns = [one.pattern for one in listed.patterns]
    verdicts = judge(patterns, declared.flags, declared.reading)
    first: dict[Pattern, str] = {}
    for one, verdict in zip(listed.patterns, verdicts, strict=True):
        yield from _of_one(one, verdict, declared)
        earlier = first.setdefault(verdict.canonical, one.where)
        if earlier != one.where:
            yield Violation(
                code="listed_twice",
                where=one.where,
                message=f"{one.pattern} is listed already",
                certificate={"first": earlier, "canonical": str(verdict.canonical)},
            )
    yield from _missing(path, set(first), declared)


def _of_one(
    listed: ListedPattern, verdict: PatternVerdict, declared: ListDeclaration
) -> Iterator[Violation]:
    pattern = listed.pattern
    for rule in verdict.violations:
        message = f"{pattern} is invalid: {RULE_IN_WORDS[rule]}"
        yield Violation(
            code=rule.value, where=listed.where, message=message,
            certificate={"flags": declared.flags.code, "cycle_reading": declared.reading.value},
        )  # fmt: skip
    if not verdict.is_canonical:
        yield Violation(
            code="not_canonical",
            where=listed.where,
            message=f"{pattern} is not numbered in order of first appearance",
            certificate={"canonical": str(verdict.canonical)},
        )
    if pattern.hops not in declared.hops:
        hops = ", ".join(map(str, declared.hops))
        yield Violation(
            code="undeclared_hops",
            where=listed.where,
            message=f"{pattern} has {pattern.hops} hops, the list declares {hops}",
        )
    yield from _wrong_fields(listed, describe(verdict))


def _wrong_fields(listed: ListedPattern, right: Mapping[str, object]) -> Iterator[Violation]:
    for field, stated in listed.stated.items():
        found = right[field]
        if not _same(stated, found):
            yield Violation(
                code=f"wrong_{field}",
                where=listed.where,
                message=f"{listed.pattern} states {field} {stated}, found {found}",
                certificate={"said": stated, "found": found},
            )


def _same(stated: object, found: object) -> bool:
    """Compare two values; the order of shapes is ignored."""
    if isinstance(stated, list) and isinstance(found, list):
        return sorted(stated) == sorted(found)
    return stated == found


def _missing(path: str, listed: set[Pattern], declared: ListDeclaration) -> Iterator[Violation]:
    for hops in declared.hops:
        every = enumerate_patterns(hops, declared.flags, declared.reading)
        lacking: Sequence[Pattern] = [one for one in every if one not in listed]
        for one in judge(lacking, declared.flags, declared.reading):
            yield Violation(
                code="missing",
                where=path,
                message=f"{one.pattern} is valid and canonical, but not listed",
                certificate={"shapes": ", ".join(one.shapes)},
            )
