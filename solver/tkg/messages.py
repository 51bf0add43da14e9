"""Formats findings about a generated graph: the quadruple, the message and the certificate."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.encodings import ViolationAtom
from solver.graph.io.folder import line_numbers
from solver.graph.model import Ids, Split, Vocabulary
from solver.patterns.model import Triple
from solver.tkg.engine import joined_findings
from solver.tkg.io import LABELS, PATTERNS, GeneratedGraph, Labels
from solver.tkg.planted import PlantedPattern
from solver.verification.report import Finding

_TRIED = 24
_ANY = -1
_FEWEST = 2


class Change(StrEnum):
    """Edit of one fact."""

    ADDED = "added"
    REMOVED = "removed"
    MOVED = "moved"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Alignment:
    """How labels have to be shifted.

    Attributes:
        change: edit of the fact.
        row: row of the added or moved fact, or of the fact after the removed one.
        counted: row of that fact according to the labels; ``row`` unless it was moved.
        labels: the shifted labels; those of a removed fact name the row after the last one.
    """

    change: Change
    row: int
    counted: int
    labels: Labels


def align_labels(graph: GeneratedGraph) -> Alignment | None:
    """Shift the labels if one inserted, deleted or moved fact explains more of the errors.

    Returns:
        None if no shift helps, or if the numbers of facts differ by more than one.
    """
    labels, size = graph.labels, len(graph.facts)
    counted = int(labels.fact.max()) + 1 if len(labels) else 0
    if not size or abs(counted - size) > 1:
        return None
    tried = list(islice(_tried(graph, counted), _TRIED))
    found = [
        (len(joined_findings(replace(graph, labels=alignment.labels)).findings), alignment)
        for alignment in tried
    ]
    best = min(found, key=lambda pair: pair[0], default=None)
    if best is None or best[0] >= len(joined_findings(graph).findings):
        return None
    return best[1]


def _tried(graph: GeneratedGraph, counted: int) -> Iterator[Alignment]:
    wanted, there = _relations(graph, counted), graph.facts.relation
    if counted == len(there):
        for old, new in _moves(wanted, there):
            yield _moved(graph.labels, old, new)
        return
    for row in _places(wanted, there):
        yield _shifted(graph, row, removed=counted > len(there))


def _shifted(graph: GeneratedGraph, row: int, *, removed: bool) -> Alignment:
    fact = graph.labels.fact
    if removed:
        rows = np.where(fact > row, fact - 1, np.where(fact == row, len(graph.facts), fact))
    else:
        rows = np.where(fact >= row, fact + 1, fact)
    change = Change.REMOVED if removed else Change.ADDED
    labels = replace(graph.labels, fact=rows)
    return Alignment(change=change, row=row, counted=row, labels=labels)


def _moved(labels: Labels, old: int, new: int) -> Alignment:
    fact = labels.fact
    between = (fact > min(old, new) - (new < old)) & (fact < max(old, new) + (new > old))
    rows = np.where(between, fact + (-1 if new > old else 1), fact)
    rows[fact == old] = new
    shifted = replace(labels, fact=rows)
    return Alignment(change=Change.MOVED, row=new, counted=old, labels=shifted)


def _moves(wanted: Ids, there: Ids) -> Iterator[tuple[int, int]]:
    """Candidate moves of one fact, as (old row, new row), after which all other relations match.

    All mismatches lie between the two rows. Within a run of one relation several pairs qualify;
    the narrowest come first.
    """
    differ = np.flatnonzero(_differing(wanted, there))
    if len(differ) < _FEWEST:
        return
    first, last = int(differ[0]), int(differ[-1])
    for wider in range(_TRIED):
        for low in range(max(first - wider, 0), first + 1):
            high = last + wider - (first - low)
            if high >= len(there):
                continue
            if not _differing(wanted[low + 1 : high + 1], there[low:high]).any():
                yield low, high
            if not _differing(wanted[low:high], there[low + 1 : high + 1]).any():
                yield high, low


def _places(wanted: Ids, there: Ids) -> range:
    """Rows where relations match unshifted before them, and shifted by one after them."""
    shorter = min(len(wanted), len(there))
    before = _run(wanted[:shorter], there[:shorter])
    behind = _run(wanted[::-1][:shorter], there[::-1][:shorter])
    first, last = max(shorter - behind, 0), before
    return range(max(first, last + 1 - _TRIED), last + 1)


def _run(wanted: Ids, there: Ids) -> int:
    """Length of the matching prefix."""
    differ = np.flatnonzero(_differing(wanted, there))
    return int(differ[0]) if len(differ) else len(wanted)


def _differing(wanted: Ids, there: Ids) -> NDArray[np.bool_]:
    differing: NDArray[np.bool_] = (wanted != there) & (wanted != _ANY)
    return differing


def _relations(graph: GeneratedGraph, counted: int) -> Ids:
    """For each fact row named by labels, the relation required by its first label."""
    steps = {
        (pattern.id, place): pattern.relation(step)
        for pattern in graph.patterns
        for place, step in enumerate(pattern.template.steps, 1)
    }
    wanted = np.full(counted, _ANY, dtype=np.int64)
    labels = graph.labels
    keys = zip(labels.pattern.tolist(), labels.position.tolist(), strict=True)
    relations = np.array([steps.get(key, _ANY) for key in keys], dtype=np.int64)
    wanted[labels.fact[::-1]] = relations[::-1]
    return wanted


_SHOWN = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedStep:
    """A step that no fact is labelled as.

    Attributes:
        step: in placeholders.
        relation: id of the graph.
        bound: entities of the placeholders that other steps bind.
        times: earliest and latest time allowed by the neighbouring steps; None without neighbours.
    """

    step: Triple
    relation: int
    bound: Mapping[int, int]
    times: tuple[int, int] | None

    @classmethod
    def of(
        cls, graph: GeneratedGraph, pattern: PlantedPattern, instance: int, position: int
    ) -> ExpectedStep:
        """Derive the constraints from the other steps; ``position`` counts from 1."""
        labels, rows = graph.labels, graph.facts.rows()
        bound: dict[int, int] = {}
        times: tuple[int, int] | None = None
        chosen = (labels.instance == instance) & (labels.fact < len(rows))
        for row in np.flatnonzero(chosen & (labels.position <= pattern.hops + 1)).tolist():
            place = int(labels.position[row])
            if place < 1 or labels.pattern[row] != pattern.id:
                continue
            step, fact = pattern.template.steps[place - 1], rows[labels.fact[row]].tolist()
            bound |= {step.head: fact[0], step.tail: fact[2]}
            if place == position - 1:
                lag = pattern.lags[place - 1]
                times = fact[3] + lag.low, fact[3] + lag.high
            elif place == position + 1 and times is None:
                lag = pattern.lags[position - 1]
                times = fact[3] - lag.high, fact[3] - lag.low
        step = pattern.template.steps[position - 1]
        return cls(step=step, relation=pattern.relation(step), bound=bound, times=times)

    def describe(self, words: Vocabulary) -> str:
        """Format as ``(e1, r0, ?, times 12 to 14)``."""
        ends = [
            words.entity(self.bound[end]) if end in self.bound else "?"
            for end in (self.step.head, self.step.tail)
        ]
        when = "?" if self.times is None else f"times {self.times[0]} to {self.times[1]}"
        return f"({ends[0]}, {words.relation(self.relation)}, {ends[1]}, {when})"

    def fitting(self, graph: GeneratedGraph) -> Ids:
        """Rows of the first few matching facts; none unless the times are known."""
        if self.times is None:
            return np.zeros(0, dtype=np.int64)
        facts = graph.facts
        fits = (facts.relation == self.relation) & (facts.time >= self.times[0])
        fits &= facts.time <= self.times[1]
        for end, column in ((self.step.head, facts.head), (self.step.tail, facts.tail)):
            if end in self.bound:
                fits &= column == self.bound[end]
        if self.step.head == self.step.tail:
            fits &= facts.head == facts.tail
        return np.flatnonzero(fits)[:_SHOWN]


Message: TypeAlias = tuple[str, str, dict[str, Any]]
"""Place, message and certificate of a finding."""

Antecedents = Mapping[ViolationAtom, tuple[tuple[int, ...], ...]]


class FindingFormatter:
    """Formats the findings of one graph.

    Args:
        graph: the graph that was checked.
        folder: folder of its files.
        antecedents: antecedents of missing consequences.
        shifted: alignment of the labels, if they had to be shifted.
    """

    def __init__(
        self,
        graph: GeneratedGraph,
        folder: Path,
        antecedents: Antecedents,
        shifted: Alignment | None,
    ) -> None:
        self._graph = graph
        self._folder = folder
        self._antecedents = antecedents
        self._shifted = shifted
        self._patterns = {pattern.id: pattern for pattern in graph.patterns}
        self._rows = graph.facts.rows()
        self._lines: dict[Path, Any] = {}

    def shift(self) -> Iterator[Finding]:
        """Report the added, removed or moved fact, if the labels were shifted."""
        if self._shifted is None:
            return
        place, change = self._shifted.row, self._shifted.change
        messages = {
            Change.ADDED: self._added,
            Change.REMOVED: self._removed,
            Change.MOVED: self._moved,
        }
        yield Finding(
            code=f"fact-{change}",
            where=self._fact_place(min(place, len(self._rows) - 1)),
            message=messages[change](place),
        )

    def _added(self, place: int) -> str:
        fact = self.fact(place)
        return f"{fact} is not counted by the labels; they match if it is removed"

    def _moved(self, place: int) -> str:
        counted = self._shifted.counted if self._shifted is not None else place
        found = f"{self.fact(place)} is fact {place} of all splits, but fact {counted}"
        return f"{found} according to the labels; they match if it is moved back"

    def _removed(self, place: int) -> str:
        found = "the labels count one fact more than there is; they match with one before this"
        labels = self._graph.labels
        for row in np.flatnonzero(labels.fact == len(self._rows)).tolist():
            pattern = self._patterns.get(int(labels.pattern[row]))
            if pattern is not None:
                instance = int(labels.instance[row])
                expected = self._expected(pattern, instance, int(labels.position[row]))
                return f"{found}: {expected.describe(self._graph.dataset.vocabulary)}"
        return f"{found}, fact {place} of all splits"

    def finding(self, finding: ViolationAtom) -> Finding:
        """Format a finding of the engines."""
        _, message_of = MESSAGES[finding.code]
        where, message, certificate = message_of(self, *finding.numbers)
        if finding in self._antecedents:
            shown = [self.quadruple(fact) for fact in self._antecedents[finding]]
            certificate = {**certificate, "antecedents": shown}
        code = finding.code.replace("_", "-")
        return Finding(code=code, where=where, message=message, certificate=certificate)

    def _absent_fact(self, row: int, fact: int) -> Message:
        message = f"names fact {fact}, expected 0 to {len(self._rows) - 1}"
        if self._shifted is not None and fact == len(self._rows):
            message = "names the removed fact"
        return self._label_place(row), message, self._instance(self._instance_of(row))

    def _unknown_pattern(self, row: int, pattern: int) -> Message:
        message = f"{self._labelled(row)} is labelled with pattern {pattern}, not in {PATTERNS}"
        return self._label_place(row), message, {}

    def _unknown_step(self, row: int, pattern: int, step: int) -> Message:
        last = self._patterns[pattern].hops + 1
        message = f"{self._labelled(row)} is labelled as step {step}, expected 1 to {last}"
        return self._label_place(row), message, self._of_pattern(pattern)

    def _wrong_role(self, row: int, pattern: int, step: int) -> Message:
        hops = self._patterns[pattern].hops
        role, right = ("a consequence", "an antecedent")[:: 1 if step <= hops else -1]
        message = f"{self._labelled(row)}, step {step}, is labelled as {role}, but is {right}"
        return self._label_place(row), message, self._of_pattern(pattern)

    def _two_patterns(self, instance: int, pattern: int, other: int) -> Message:
        rows = np.flatnonzero(
            (self._graph.labels.instance == instance) & (self._graph.labels.pattern == other)
        )
        message = f"{self._labelled(int(rows[0]))} is labelled with pattern {other}, but instance "
        message += f"{instance} is of pattern {pattern} elsewhere"
        return self._label_place(int(rows[0])), message, self._instance(instance)

    def _labelled_twice(self, instance: int, step: int, first: int, second: int) -> Message:
        message = f"{self._labelled(second)} is labelled as step {step} of instance {instance}, "
        message += f"as {self._labelled(first)} is on line {self._label_line(first)}"
        return self._label_place(second), message, self._instance(instance)

    def _wrong_relation(self, row: int, fact: int, relation: int) -> Message:
        step = int(self._graph.labels.position[row])
        wanted = self._graph.dataset.vocabulary.relation(relation)
        message = f"{self.fact(fact)} is step {step}, expected relation {wanted}"
        return self._fact_place(fact), message, self._instance(self._instance_of(row))

    def _two_entities(self, instance: int, placeholder: int, entity: int, other: int) -> Message:
        names = self._graph.dataset.vocabulary
        message = f"placeholder {placeholder} is {names.entity(entity)} and {names.entity(other)}"
        return self._of_instance(instance, message)

    def _one_entity(self, instance: int, placeholder: int, other: int, entity: int) -> Message:
        name = self._graph.dataset.vocabulary.entity(entity)
        message = (
            f"placeholders {placeholder} and {other} are both {name}, expected different entities"
        )
        return self._of_instance(instance, message)

    def _outside_lag(self, instance: int, step: int, row: int, other: int) -> Message:
        pattern = next(
            p for p in self._patterns_of(instance) if p is not None and step <= len(p.lags)
        )
        passed = int(self._rows[other, 3] - self._rows[row, 3])
        message = f"{self.fact(other)} comes {passed} time steps after {self.fact(row)}, "
        message += f"expected {_window(pattern, step)} from step {step} to the next"
        return self._fact_place(other), message, self._instance(instance)

    def _missing_step(self, instance: int, step: int) -> Message:
        known = [p for p in self._patterns_of(instance) if p is not None and step <= p.hops + 1]
        expected = self._expected(known[0], instance, step)
        wanted = expected.describe(self._graph.dataset.vocabulary)
        fitting = expected.fitting(self._graph)
        message = f"no fact is labelled as step {step}, expected {wanted}"
        if len(fitting):
            message += f", such as {self.fact(int(fitting[0]))}"
        where, message, shown = self._of_instance(instance, message)
        return where, message, shown | {"fitting": [self.fact(fact) for fact in fitting.tolist()]}

    def _unlabelled(self, fact: int) -> Message:
        return self._fact_place(fact), f"{self.fact(fact)} has no label, expected at least one", {}

    def _repeated_fact(self, row: int, other: int) -> Message:
        message = f"{self.fact(other)} is a duplicate of {self._fact_place(row)}"
        return self._fact_place(other), message, {}

    def _unsupported(self, fact: int) -> Message:
        message = f"{self.fact(fact)} was not planted and does not follow from planted facts"
        rows = np.flatnonzero(self._graph.labels.fact == fact)
        return self._fact_place(fact), message, self._instance(self._instance_of(int(rows[0])))

    def _missing_consequence(self, pattern: int, head: int, tail: int, time: int) -> Message:
        planted_pattern = self._patterns[pattern]
        words, lag = self._graph.dataset.vocabulary, planted_pattern.lags[-1]
        relation = words.relation(planted_pattern.relation(planted_pattern.template.consequence))
        when = f"{time + lag.low} to {time + lag.high}"
        message = (
            f"no fact ({words.entity(head)}, {relation}, {words.entity(tail)}) at times {when}"
        )
        message = f"{message}, but pattern {pattern} requires one"
        path = self._folder / PATTERNS
        row = [known.id for known in self._graph.patterns].index(pattern)
        return f"{path}:{self._line(path, row)}", message, self._of_pattern(pattern)

    # Facts, labels, instances and their places.

    def fact(self, number: int) -> str:
        """Format a fact by its number."""
        if number >= len(self._rows):
            return "a missing fact"
        return self.quadruple(self._rows[number].tolist())

    def quadruple(self, fact: tuple[int, ...]) -> str:
        """Format as ``(e1, r0, e7, 12)``."""
        head, relation, tail, time = fact
        words = self._graph.dataset.vocabulary
        return f"({words.entity(head)}, {words.relation(relation)}, {words.entity(tail)}, {time})"

    def _labelled(self, row: int) -> str:
        return self.fact(int(self._graph.labels.fact[row]))

    def _instance_of(self, row: int) -> int:
        return int(self._graph.labels.instance[row])

    def _patterns_of(self, instance: int) -> list[PlantedPattern | None]:
        chosen = self._graph.labels.instance == instance
        return [
            self._patterns.get(p) for p in np.unique(self._graph.labels.pattern[chosen]).tolist()
        ]

    def _of_instance(self, instance: int, message: str) -> Message:
        row = int(np.flatnonzero(self._graph.labels.instance == instance)[0])
        message = f"instance {instance}, which contains {self._labelled(row)}: {message}"
        return self._label_place(row), message, self._instance(instance)

    def _instance(self, instance: int) -> dict[str, Any]:
        labels = self._graph.labels
        rows = np.flatnonzero(labels.instance == instance)
        rows = rows[np.argsort(labels.position[rows], kind="stable")]
        shown = [f"{labels.position[row]}: {self._labelled(row)}" for row in rows.tolist()]
        certificate: dict[str, Any] = {"instance": instance, "steps": shown}
        known = [pattern for pattern in self._patterns_of(instance) if pattern is not None]
        return certificate | (self._of_pattern(known[0].id) if known else {})

    def _of_pattern(self, pattern: int) -> dict[str, Any]:
        planted_pattern = self._patterns[pattern]
        return {
            "pattern": f"{pattern}: {planted_pattern}",
            "lags": ", ".join(map(str, planted_pattern.lags)),
        }

    def _expected(self, pattern: PlantedPattern, instance: int, position: int) -> ExpectedStep:
        return ExpectedStep.of(self._graph, pattern, instance, position)

    def _fact_place(self, number: int) -> str:
        for split in Split:
            facts = self._graph.dataset.splits.get(split)
            if facts is None:
                continue
            if number < len(facts):
                path = self._folder / f"{split}.txt"
                return f"{path}:{self._line(path, number)}"
            number -= len(facts)
        return str(self._folder)

    def _label_line(self, row: int) -> int:
        return self._line(self._folder / LABELS, row + 1)

    def _label_place(self, row: int) -> str:
        return f"{self._folder / LABELS}:{self._label_line(row)}"

    def _line(self, path: Path, row: int) -> int:
        if path not in self._lines:
            self._lines[path] = line_numbers(path) if path.is_file() else None
        lines = self._lines[path]
        return row + 1 if lines is None else int(lines[row])


def _window(pattern: PlantedPattern, step: int) -> str:
    lag = pattern.lags[step - 1]
    return str(lag.low) if lag.low == lag.high else f"{lag.low} to {lag.high}"


MESSAGES: Mapping[str, tuple[str, Callable[..., Message]]] = {
    "absent_fact": ("tkg/labels.lp", FindingFormatter._absent_fact),
    "unknown_pattern": ("tkg/labels.lp", FindingFormatter._unknown_pattern),
    "unknown_step": ("tkg/labels.lp", FindingFormatter._unknown_step),
    "wrong_role": ("tkg/labels.lp", FindingFormatter._wrong_role),
    "two_patterns": ("tkg/labels.lp", FindingFormatter._two_patterns),
    "labelled_twice": ("tkg/labels.lp", FindingFormatter._labelled_twice),
    "unlabelled": ("tkg/support.lp", FindingFormatter._unlabelled),
    "repeated_fact": ("tkg/support.lp", FindingFormatter._repeated_fact),
    "wrong_relation": ("tkg/labels.lp", FindingFormatter._wrong_relation),
    "outside_lag": ("tkg/labels.lp", FindingFormatter._outside_lag),
    "two_entities": ("tkg/labels.lp", FindingFormatter._two_entities),
    "one_entity": ("tkg/labels.lp", FindingFormatter._one_entity),
    "missing_step": ("tkg/labels.lp", FindingFormatter._missing_step),
    "unsupported": ("tkg/support.lp", FindingFormatter._unsupported),
    "missing_consequence": ("tkg/proof.lp", FindingFormatter._missing_consequence),
}
"""For each code, the encoding with the rules that derive it, and its message.

In the order of the report: faults of single labels and facts first, their consequences last.
"""
