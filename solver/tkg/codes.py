"""Finding codes of generated graphs: their messages, with the quadruples that prove them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.encodings import ViolationAtom
from solver.graph.io.folder import line_numbers
from solver.graph.model import Ids, Split, Vocabulary
from solver.patterns.model import Triple
from solver.tkg.engine import joined_findings
from solver.tkg.io import GeneratedGraph, Labels, facts_file, labels_file, patterns_file
from solver.tkg.planted import PlantedPattern
from solver.verification.report import Codes, Finding

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


_IN = "instance {instance}, which contains {labelled}: "

CODES = Codes(
    {
        "fact-added": "{fact} is not counted by the labels; they match if it is removed",
        "fact-removed": (
            "the labels count one fact more than there is; they match with one before this"
            "{expected}"
        ),
        "fact-moved": (
            "{fact} is fact {row} of all splits, but fact {counted} according to the labels; "
            "they match if it is moved back"
        ),
        "absent_fact(row,number)": "names {absent}",
        "unknown_pattern(row,pattern)": (
            "{labelled} is labelled with pattern {pattern}, not in patterns.jsonl"
        ),
        "unknown_step(row,pattern,step)": (
            "{labelled} is labelled as step {step}, expected 1 to {last_step}"
        ),
        "wrong_role(row,pattern,step)": (
            "{labelled}, step {step}, is labelled as {wrong_role}, but is {role}"
        ),
        "two_patterns(instance,other_pattern,pattern)": (
            "{labelled} is labelled with pattern {pattern}, but instance {instance} is of "
            "pattern {other_pattern} elsewhere"
        ),
        "labelled_twice(instance,step,other_row,row)": (
            "{labelled} is labelled as step {step} of instance {instance}, as "
            "{other_labelled} is on line {other_line}"
        ),
        "unlabelled(fact)": "{fact} has no label, expected at least one",
        "repeated_fact(other_fact,fact)": "{fact} is a duplicate of {other_place}",
        "wrong_relation(row,fact,relation)": (
            "{fact} is step {position}, expected relation {relation}"
        ),
        "outside_lag(instance,step,other_fact,fact)": (
            "{fact} comes {passed} time steps after {other_fact}, expected {window} from step "
            "{step} to the next"
        ),
        "two_entities(instance,placeholder,entity,other_entity)": (
            _IN + "placeholder {placeholder} is {entity} and {other_entity}"
        ),
        "one_entity(instance,placeholder,other,entity)": (
            _IN + "placeholders {placeholder} and {other} are both {entity}, expected "
            "different entities"
        ),
        "missing_step(instance,step)": (
            _IN + "no fact is labelled as step {step}, expected {expected}{such_as}"
        ),
        "unsupported(fact)": ("{fact} was not planted and does not follow from planted facts"),
        "missing_consequence(pattern,head,tail,time)": (
            "no fact ({head}, {consequence}, {tail}) at times {when}, but pattern {pattern} "
            "requires one"
        ),
        "time-order": ("{error}", "a fact is out of time order, or splits overlap"),
        "wrong-split": "{fact} is in {split}, expected times {begin} to {end} there",
        "label-order": "labels are not sorted by fact, instance and position from here on",
        "missing-file": "the file is missing, but the manifest lists it",
        "digest": "the checksum differs from the manifest",
        "mode-differs": "mode is {found}, but that of the config is {expected}",
        "config-differs": "differs from the config of the manifest in {entries}",
        "vocabulary-differs": "found {found:,} {names}, but the config states {expected:,}",
        "pattern-count": (
            "found {found} patterns of 1, 2 and 3 hops, expected {expected}, numbered from 0"
        ),
        "lag-differs": "pattern {pattern} has the lags {found}, expected {expected}",
        "closed-differs": "pattern {pattern} is {found}, but by the config it is {expected}",
        "parquet-differs": (
            "{found}",
            "`facts.parquet` has other facts or another vocabulary than the text (needs pyarrow)",
        ),
        "statistics-differs": "{name} is {found}, but the files give {expected}",
        "not-reproduced": (
            "{found}{versions}",
            "a file differs from the one rebuilt with `--regenerate`",
        ),
    }
)
"""In the order of reports: edits, faults of single labels and facts, then their consequences."""

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
        place = self._shifted.row
        yield CODES[f"fact-{self._shifted.change}"].finding(
            self._fact_place(min(place, len(self._rows) - 1)),
            fact=self.fact(place),
            row=place,
            counted=self._shifted.counted,
            expected=self._removed(place),
        )

    def _removed(self, place: int) -> str:
        labels = self._graph.labels
        for row in np.flatnonzero(labels.fact == len(self._rows)).tolist():
            pattern = self._patterns.get(int(labels.pattern[row]))
            if pattern is not None:
                instance = int(labels.instance[row])
                position = int(labels.position[row])
                expected = ExpectedStep.of(self._graph, pattern, instance, position)
                return f": {expected.describe(self._graph.dataset.vocabulary)}"
        return f", fact {place} of all splits"

    def finding(self, atom: ViolationAtom) -> Finding:
        """Format a finding of the engines."""
        code, labels = CODES[atom.code], self._graph.labels
        given = dict(zip(code.arguments, atom.numbers, strict=True))
        names = self._graph.dataset.vocabulary
        row = self._row(given)
        instance = given.get("instance", -1 if row < 0 else int(labels.instance[row]))
        pattern = given.get("pattern", -1)
        certificate: dict[str, Any] = {}
        if atom.code in ("unknown_step", "wrong_role", "missing_consequence"):
            certificate = self._of_pattern(pattern)
        elif atom.code not in ("unknown_pattern", "unlabelled", "repeated_fact"):
            certificate = self._instance(instance)
        step = given.get("step", 0)
        expected = such = ""
        if atom.code == "missing_step":
            known = self._pattern_of(instance, step)
            missing = ExpectedStep.of(self._graph, known, instance, step)
            fitting = [self.fact(fact) for fact in missing.fitting(self._graph).tolist()]
            expected, such = missing.describe(names), f", such as {fitting[0]}" if fitting else ""
            certificate["fitting"] = fitting
        if atom in self._antecedents:
            shown = [self.quadruple(fact) for fact in self._antecedents[atom]]
            certificate |= {"antecedents": shown}

        def passed() -> int:
            return int(self._rows[given["fact"], 3] - self._rows[given["other_fact"], 3])

        def role(*, right: bool) -> str:
            is_last = step > self._patterns[pattern].hops
            return "a consequence" if is_last is right else "an antecedent"

        def when() -> str:
            lag = self._patterns[pattern].lags[-1]
            return f"{given['time'] + lag.low} to {given['time'] + lag.high}"

        def consequence() -> str:
            planted = self._patterns[pattern]
            return names.relation(planted.relation(planted.template.consequence))

        words: dict[str, Callable[[], object]] = {
            **{name: partial(given.__getitem__, name) for name in given},
            "labelled": lambda: self._labelled(row),
            "other_labelled": lambda: self._labelled(given["other_row"]),
            "other_line": lambda: self._label_line(given["other_row"]),
            "absent": lambda: self._absent(given["number"]),
            "last_step": lambda: self._patterns[pattern].hops + 1,
            "role": lambda: role(right=True),
            "wrong_role": lambda: role(right=False),
            "fact": lambda: self.fact(given["fact"]),
            "other_fact": lambda: self.fact(given["other_fact"]),
            "other_place": lambda: self._fact_place(given["other_fact"]),
            "position": lambda: int(labels.position[row]),
            "relation": lambda: names.relation(given["relation"]),
            "passed": passed,
            "window": lambda: _window(self._pattern_of(instance, step + 1), step),
            "expected": lambda: expected,
            "such_as": lambda: such,
            "consequence": consequence,
            "when": when,
            **{
                name: partial(names.entity, given[name])
                for name in ("entity", "other_entity", "head", "tail")
                if name in given
            },
        }
        return Finding(
            code=code.name,
            where=self._place(given, row),
            message=code.format(words),
            certificate=certificate,
        )

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

    def _row(self, given: Mapping[str, int]) -> int:
        """The row of the labels that a violation is about; -1 if there is none."""
        labels = self._graph.labels
        if "row" in given:
            return given["row"]
        if "instance" in given:
            about = labels.instance == given["instance"]
            if "pattern" in given:
                about &= labels.pattern == given["pattern"]
        else:
            about = labels.fact == given.get("fact", -1)
        return int(next(iter(np.flatnonzero(about)), -1))

    def _place(self, given: Mapping[str, int], row: int) -> str:
        if "fact" in given:
            return self._fact_place(given["fact"])
        if row >= 0:
            return self._label_place(row)
        path = patterns_file(self._folder)
        line = [pattern.id for pattern in self._graph.patterns].index(given["pattern"])
        return f"{path}:{self._line(path, line)}"

    def _absent(self, number: int) -> str:
        if self._shifted is not None and number == len(self._rows):
            return "the removed fact"
        return f"fact {number}, expected 0 to {len(self._rows) - 1}"

    def _pattern_of(self, instance: int, step: int) -> PlantedPattern:
        """The first pattern of an instance with that step."""
        return next(
            pattern
            for pattern in self._patterns_of(instance)
            if pattern is not None and step <= pattern.hops + 1
        )

    def _patterns_of(self, instance: int) -> list[PlantedPattern | None]:
        chosen = self._graph.labels.instance == instance
        return [
            self._patterns.get(p) for p in np.unique(self._graph.labels.pattern[chosen]).tolist()
        ]

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

    def _fact_place(self, number: int) -> str:
        for split in Split:
            facts = self._graph.dataset.splits.get(split)
            if facts is None:
                continue
            if number < len(facts):
                path = facts_file(self._folder, split)
                return f"{path}:{self._line(path, number)}"
            number -= len(facts)
        return str(self._folder)

    def _label_line(self, row: int) -> int:
        path = labels_file(self._folder)
        return self._line(path, row if path.suffix == ".parquet" else row + 1)

    def _label_place(self, row: int) -> str:
        return f"{labels_file(self._folder)}:{self._label_line(row)}"

    def _line(self, path: Path, row: int) -> int:
        if path not in self._lines:
            text = path.is_file() and path.suffix != ".parquet"
            self._lines[path] = line_numbers(path) if text else None
        lines = self._lines[path]
        return row + 1 if lines is None else int(lines[row])


def _window(pattern: PlantedPattern, step: int) -> str:
    lag = pattern.lags[step - 1]
    return str(lag.low) if lag.low == lag.high else f"{lag.low} to {lag.high}"
