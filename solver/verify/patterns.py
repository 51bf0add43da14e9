"""Checks lists of patterns: each valid, canonical, listed once, told rightly; none missing."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from solver.reading.failures import InputError
from solver.tkg.pattern import CycleReading, Pattern, PatternFlags
from solver.tkg.pattern_files import (
    Declared,
    ListedPattern,
    PatternList,
    read_declared,
    read_list,
    told,
)
from solver.tkg.patterns import PatternVerdict, enumerate_patterns, judge
from solver.tkg.shape import RULE_IN_WORDS
from solver.verify.checked import VerifyReport, Violation
from solver.verify.settings import Kind

RIGHT = "each pattern is valid, canonical, listed once and told rightly; none is missing"


def check(
    paths: tuple[str, ...],
    *,
    hops: tuple[int, ...] | None = None,
    flags: PatternFlags | None = None,
    reading: CycleReading | None = None,
) -> VerifyReport:
    """Check lists of patterns, each against what it declares.

    A violation's code is the rule that a pattern breaks, or ``not_canonical``, ``listed_twice``,
    ``undeclared_hops``, ``wrong_FIELD`` (a field that says what is not so) or ``missing``.

    What ``hops``, ``flags`` and ``reading`` do not say is taken from the manifest beside each list.
    Without one, flags have to be given; the hops are those that occur, and the reading is fixed.

    Raises:
        InputError: a file cannot be read, or its flags are declared nowhere.
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
        unreadable=tuple(told for listed in lists.values() for told in listed.unreadable),
        engines=("asp",),
        seconds=time.perf_counter() - began,
    )


def _declared(
    path: str,
    listed: PatternList,
    hops: tuple[int, ...] | None,
    flags: PatternFlags | None,
    reading: CycleReading | None,
) -> Declared:
    beside = read_declared(Path(path)) if path != "-" else None
    if flags is None and beside is None:
        message = "found no manifest beside it that declares flags, expected one"
        raise InputError(message, where=path, hint="say --flags, such as --flags 1100")
    occurring = {one.pattern.hops for one in listed.patterns} & {1, 2, 3}
    base = beside or Declared(hops=tuple(sorted(occurring)), flags=PatternFlags())
    return Declared(
        hops=base.hops if hops is None else hops,
        flags=base.flags if flags is None else flags,
        reading=base.reading if reading is None else reading,
    )


def _violations(path: str, listed: PatternList, declared: Declared) -> Iterator[Violation]:
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
    listed: ListedPattern, verdict: PatternVerdict, declared: Declared
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
            message=f"{pattern} has {pattern.hops} hops, the list is declared to hold {hops}",
        )
    yield from _mistold(listed, told(verdict))


def _mistold(listed: ListedPattern, right: Mapping[str, object]) -> Iterator[Violation]:
    for field, said in listed.said.items():
        found = right[field]
        if not _same(said, found):
            yield Violation(
                code=f"wrong_{field}",
                where=listed.where,
                message=f"{listed.pattern} is said to have {field} {said}, found {found}",
                certificate={"said": said, "found": found},
            )


def _same(said: object, found: object) -> bool:
    """Whether two values are the same; shapes are, in whatever order they are told."""
    if isinstance(said, list) and isinstance(found, list):
        return sorted(said) == sorted(found)
    return said == found


def _missing(path: str, listed: set[Pattern], declared: Declared) -> Iterator[Violation]:
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
