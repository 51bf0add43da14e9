"""Checks questions over a graph: their texts, their answers, their choices, what shows them."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from grammar.question import QuestionKind
from solver.manifest import sha256
from solver.questions.files import MANIFEST
from solver.reading.failures import InputError
from solver.verify.checked import Checked, Violation
from solver.verify.questions_deciding import ENGINES, Days, decided
from solver.verify.questions_reading import looked_at
from solver.verify.questions_source import Held, Source, held
from solver.verify.settings import Kind
from solver.wording import counted

Progress = Callable[[int], object]


def check(source: Source, *, jobs: int = 1, progress: Progress | None = None) -> Checked:
    """Check files of questions, or a folder, together: nothing in them is asked twice.

    Args:
        source: the files, and the graph.
        jobs: processes.
        progress: told how many more questions were read, and how many more were decided.

    Raises:
        InputError: a file cannot be read, or questions need rules and there are none.
        QuestionDisagreementError: the two engines differ.
    """
    begun = time.perf_counter()
    # What cannot be read of the graph and its rules is told before any question is.
    world = held(source)
    reading = _Reading(source, jobs, progress)
    _require_rules(source, reading.kinds)
    found = reading.found
    for size, wrong in decided(source, reading.days.batches(), jobs):
        for number, violations in wrong.items():
            found.setdefault(number, []).extend(violations)
        if progress is not None:
            progress(size)
    for number, first in reading.days.repeated_ids():
        found.setdefault(number, []).append(_same_id(reading.days, number, first))
    return Checked(
        kind=Kind.QUESTIONS,
        noun="questions",
        number=len(reading.days),
        right="each answer follows, none is missing, and each text says what its question asks",
        files=source.paths if source.folder is None else (str(source.folder),),
        violations=(
            *_digests(source),
            *(one for number in sorted(found) for one in found[number]),
        ),
        figures=reading.figures | {"2-hop rules": _rules(world)},
        unreadable=tuple(reading.broken),
        engines=ENGINES,
        seconds=time.perf_counter() - begun,
    )


class _Reading:
    """All questions of a source, looked at one by one.

    Attributes:
        days: the questions; kinds: how many there are of each.
        found: what is wrong with a question by itself, by its number.
        broken: rows that are no questions, each in one line.
    """

    def __init__(self, source: Source, jobs: int, progress: Progress | None) -> None:
        self.days = Days()
        self.kinds: Counter[QuestionKind] = Counter()
        self.found: dict[int, list[Violation]] = {}
        self.broken: list[str] = []
        for file, rows in looked_at(source, jobs):
            if file not in self.days.files:
                self.days.files.append(file)
            place = self.days.files.index(file)
            for row in rows:
                if row.kind is None:
                    self.broken.append(row.broken)
                    continue
                if row.violations:
                    self.found[len(self.days)] = list(row.violations)
                self.kinds[row.kind] += 1
                self.days.add(place, row.line, row.id, row.linked)
            if progress is not None:
                progress(len(rows))

    @property
    def figures(self) -> dict[str, int]:
        """How many questions there are of each kind, and times that they ask about."""
        kinds = {kind.value: self.kinds[kind] for kind in QuestionKind if self.kinds[kind]}
        return kinds | {"times": self.days.times}


def _require_rules(source: Source, kinds: Counter[QuestionKind]) -> None:
    number = kinds[QuestionKind.FACT_REASONING]
    if number and not source.rules:
        message = f"found {counted(number, 'fact-reasoning question')}, no rules"
        raise InputError(message, where=source.paths[0], hint="give the rules by --rules FILE")


def _rules(world: Held) -> int | str:
    """How many 2-hop rules questions were held against."""
    rules = world.world.two_hop
    return "not checked" if rules is None else len(rules)


def _same_id(days: Days, number: int, first: int) -> Violation:
    name = days.name(number)
    return Violation(
        code="repeated-id",
        where=days.place(number),
        message=f"{name} is the id of the question at {days.place(first)}, too",
        certificate={"question": name},
    )


def _digests(source: Source) -> Iterator[Violation]:
    """Files of a folder that are not those that its manifest was written for."""
    if source.folder is None or not (source.folder / MANIFEST).is_file():
        return
    for name, expected in sorted(_outputs(source.folder / MANIFEST).items()):
        path = source.folder / name
        found = sha256(path)
        if found == expected:
            continue
        message = "its bytes are not those that the manifest was written for"
        if found is None:
            message = "it is not there, but the manifest lists it"
        shown_by = {"sha256": found, "manifest": expected}
        yield Violation(
            code="digest-differs", where=str(path), message=message, certificate=shown_by
        )


def _outputs(path: Path) -> dict[str, Any]:
    try:
        outputs = json.loads(path.read_bytes())["outputs"]
    except (ValueError, KeyError, TypeError, OSError):
        outputs = None
    if not isinstance(outputs, dict):
        raise InputError("found no manifest, expected one with outputs", where=str(path))
    return outputs
