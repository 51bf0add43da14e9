"""Checks generated graphs by their labels, with nothing but this file.

    python check.py FOLDER ...

The labels of the folder are the certificate of its facts: each must name a step of an instance of a
pattern, each fact needs a label that supports it, and no consequence that the mode promises may be
missing. See docs/tkg-verify.md. Exit status: 0 if all of this holds, 1 if not, 2 if a file cannot
be read.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import sys
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, NamedTuple


class RejectedError(Exception):
    """A part of the graph is not as declared."""


def require(condition: object, reason: str) -> None:
    """Reject the part unless a condition holds."""
    if not condition:
        raise RejectedError(reason)


class Fact(NamedTuple):
    """A fact of the graph, in numbers."""

    head: int
    relation: int
    tail: int
    time: int


class Step(NamedTuple):
    """A step of a pattern: its ends are placeholders."""

    head: int
    relation: int
    tail: int


class Pattern(NamedTuple):
    """The antecedents, the consequence, and the lag from each step to the next."""

    steps: list[Step]
    lags: list[tuple[int, int]]
    closed: bool

    @property
    def hops(self) -> int:
        """The number of antecedents."""
        return len(self.lags)


class Label(NamedTuple):
    """A row of labels.tsv; the line in the file comes first."""

    line: int
    fact: int
    pattern: int
    instance: int
    role: str
    position: int


class Graph(NamedTuple):
    """A folder."""

    facts: list[Fact]
    places: list[tuple[str, str]]  # the split and the line
    patterns: dict[int, Pattern]
    labels: list[Label]
    manifest: dict[str, Any]


# --- The files ------------------------------------------------------------------------------------


def read_graph(folder: Path) -> Graph:
    """Read a folder.

    Raises:
        ValueError: a file has another form; also OSError, KeyError and TypeError.
    """
    facts, places = [], []
    for split in SPLITS:
        for name, line, cells in _table(folder, (f"{split}.txt", f"{split}.txt.gz")):
            facts.append(Fact(*(int(cell) for cell in cells[:4])))
            places.append((split, f"{folder / name}:{line}"))
    patterns: dict[int, Pattern] = {}
    for text in (folder / "patterns.jsonl").read_text("utf-8").splitlines():
        row = json.loads(text)
        if row["id"] in patterns or not PATTERN.fullmatch(row["pattern"]):
            raise ValueError(f"patterns.jsonl: no pattern, or an id used twice: {text[:80]}")
        steps = [Step(*map(int, match.groups())) for match in STEP.finditer(row["pattern"])]
        lags = [(_integer(low), _integer(high)) for low, high in row["lags"]]
        if len(lags) != len(steps) - 1:
            raise ValueError(f"patterns.jsonl: a lag for each antecedent is expected: {text[:80]}")
        patterns[row["id"]] = Pattern(steps, lags, row.get("closed", True))
    labels = []
    for _, line, cells in _table(folder, ("labels.tsv",)):
        if line > 1:
            fact, pattern, instance, role, position = cells
            numbers = map(int, (fact, pattern, instance, position))
            number, two, three, last = numbers
            labels.append(Label(line, number, two, three, role, last))
        elif cells != ["fact", "pattern", "instance", "role", "position"]:
            raise ValueError("labels.tsv has another first line")
    manifest = json.loads((folder / "manifest.json").read_text())
    if manifest["mode"] not in MODES or manifest["config"].get("mode") not in (None, *MODES):
        raise ValueError(f"manifest.json: no mode, expected one of {', '.join(MODES)}")
    _integer(manifest["forced_instances"])
    _integer(manifest["config"]["steps"])
    return Graph(facts, places, patterns, labels, manifest)


MODES = ("forced", "forward", "literal")


def _table(folder: Path, names: Iterable[str]) -> Iterator[tuple[str, int, list[str]]]:
    for name in names:
        if (folder / name).is_file():
            raw = (folder / name).read_bytes()
            text = (gzip.decompress(raw) if name.endswith(".gz") else raw).decode("utf-8")
            for number, line in enumerate(text.splitlines(), 1):
                if line.strip():
                    yield name, number, line.split()


def _integer(value: object) -> int:
    if type(value) is not int:
        raise ValueError(f"{value!r:.40} is no whole number")
    return value


# --- The labels -----------------------------------------------------------------------------------


def check_instance(graph: Graph, labels: list[Label]) -> None:
    """Reject an instance unless its labels name facts that match its pattern."""
    number, at = labels[0].instance, dict[int, Fact]()
    require(len({label.pattern for label in labels}) == 1, "it has several patterns")
    pattern = graph.patterns.get(labels[0].pattern)
    if pattern is None:
        raise RejectedError(f"there is no pattern {labels[0].pattern}")
    for label in labels:
        require(
            0 <= label.fact < len(graph.facts), f"line {label.line}: there is no fact {label.fact}"
        )
        known = 1 <= label.position <= len(pattern.steps)
        require(known, f"line {label.line}: the pattern has no step {label.position}")
        role = "consequence" if label.position == len(pattern.steps) else "antecedent"
        require(label.role == role, f"line {label.line}: the step is the {role}")
        require(label.position not in at, f"line {label.line}: the step has a label already")
        at[label.position] = graph.facts[label.fact]
    bound: dict[int, int] = {}
    for position, fact in at.items():
        step = pattern.steps[position - 1]
        require(fact.relation == step.relation, f"step {position} has relation {step.relation}")
        for placeholder, entity in ((step.head, fact.head), (step.tail, fact.tail)):
            same = bound.setdefault(placeholder, entity) == entity
            require(same, f"placeholder {placeholder} is two entities")
    planted = 0 <= number < graph.manifest["forced_instances"]
    config, last = graph.manifest["config"], max(at)
    if not planted or config.get("injective", False):
        require(len(set(bound.values())) == len(bound), "two placeholders are one entity")
    require(len(at) == last, "a step is missing")
    if last < len(pattern.steps):
        require(planted, "a step is missing")
        late = at[last].time + pattern.lags[last - 1][1] >= config["steps"]
        require(late, "a step is missing before the last time step")
    for position, (low, high) in enumerate(pattern.lags[: last - 1], 1):
        passed = at[position + 1].time - at[position].time
        require(low <= passed <= high, f"step {position + 1} is outside its lag")


# --- Support --------------------------------------------------------------------------------------


def levels(graph: Graph, instances: dict[int, list[Label]]) -> list[int | None]:
    """The fewest derivations, one after another, that lead to each fact; None without support."""
    found: list[int | None] = [None] * len(graph.facts)
    rests: dict[int, list[int]] = defaultdict(list)  # from facts to instances
    left, ends = dict[int, int](), dict[int, int]()
    for number, labels in instances.items():
        if number < graph.manifest["forced_instances"]:
            for label in labels:
                found[label.fact] = 0
        else:
            hops = graph.patterns[labels[0].pattern].hops
            used = {label.fact for label in labels if label.position <= hops}
            left[number] = len(used)
            ends[number] = next(label.fact for label in labels if label.position > hops)
            for fact in used:
                rests[fact].append(number)
    limit, level = depth(graph), 0
    now = [fact for fact, at in enumerate(found) if at == 0]
    while now and (limit is None or level < limit):
        reached = []
        for fact in now:
            for number in rests[fact]:
                left[number] -= 1
                if left[number] == 0 and found[ends[number]] is None:
                    found[ends[number]] = level + 1
                    reached.append(ends[number])
        now, level = reached, level + 1
    return found


def depth(graph: Graph) -> int | None:
    """The limit on derivations; None if there is none."""
    closure = graph.manifest["config"].get("closure", {}).get("depth")
    return closure if graph.manifest["mode"] == "forward" else None


# --- Closure --------------------------------------------------------------------------------------


class Lookup:
    """Facts by relation and an end, sorted by time."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self.found: dict[tuple[int, int | None, int | None], list[Fact]] = defaultdict(list)
        for fact in sorted(facts, key=lambda fact: fact.time):
            for head, tail in (
                (fact.head, fact.tail), (fact.head, None), (None, fact.tail), (None, None)
            ):  # fmt: skip
                self.found[fact.relation, head, tail].append(fact)

    def between(
        self, relation: int, head: int | None, tail: int | None, first: float, last: float
    ) -> list[Fact]:
        """Facts within some times; both are included."""
        rows = self.found.get((relation, head, tail), [])
        begin = bisect_left(rows, first, key=lambda fact: fact.time)
        return rows[begin : bisect_right(rows, last, key=lambda fact: fact.time)]


def missing(graph: Graph, usable: Lookup, every: Lookup, pattern: Pattern) -> str | None:
    """The first consequence that a closed pattern requires and the graph lacks."""
    *antecedents, last = pattern.steps
    matches: list[tuple[dict[int, int], int]] = [({}, 0)]
    for position, step in enumerate(antecedents):
        extended: dict[tuple[tuple[int, int], ...], None] = {}
        for bound, time in matches:
            low, high = (
                (time + number for number in pattern.lags[position - 1]) if position else ANY
            )
            ends = bound.get(step.head), bound.get(step.tail)
            for fact in usable.between(step.relation, *ends, low, high):
                now = dict(bound)
                right = now.setdefault(step.head, fact.head) == fact.head
                right = right and now.setdefault(step.tail, fact.tail) == fact.tail
                if right and len(set(now.values())) == len(now):
                    extended[*now.items(), (0, fact.time)] = None
        matches = [(dict(pairs[:-1]), pairs[-1][1]) for pairs in extended]
    low, high = pattern.lags[-1]
    for bound, time in matches:
        if last.head not in bound or last.tail not in bound:
            return "the consequence has a new entity"
        ends = bound[last.head], bound[last.tail]
        due = time + high < graph.manifest["config"]["steps"]
        if due and not every.between(last.relation, *ends, time + low, time + high):
            return f"({ends[0]}, {last.relation}, {ends[1]}) is missing after time {time}"
    return None


def closure(graph: Graph, level: list[int | None]) -> Iterator[tuple[int, str | None]]:
    """Each closed pattern of a graph in forward mode, with what is missing."""
    if graph.manifest["mode"] == "forward":
        limit = depth(graph)
        basic = (at is not None and (limit is None or at < limit) for at in level)
        usable = Lookup(fact for fact, flag in zip(graph.facts, basic, strict=True) if flag)
        every = Lookup(graph.facts)
        for number, pattern in graph.patterns.items():
            if pattern.closed:
                yield number, missing(graph, usable, every, pattern)


# --- The folder -----------------------------------------------------------------------------------


def check_file(path: str, _data: Iterable[str] = ()) -> Iterator[tuple[str, str, str | None]]:
    """Place, name and fault of each file, instance, fact and closed pattern of a folder."""
    folder = Path(path)
    graph = read_graph(folder)
    for name, digest in graph.manifest.get("outputs", {}).items():
        found = (folder / name).is_file() and hashlib.sha256((folder / name).read_bytes())
        right = found and found.hexdigest() == digest
        yield str(folder / name), name, None if right else "the checksum is not the manifest's"
    instances, numbered = numbered_instances(graph)
    planted = graph.manifest["forced_instances"]
    fault = None if numbered else f"they are not numbered from 0, or not {planted} are planted"
    yield str(folder / "labels.tsv"), "instances", fault
    right = numbered
    for number, labels in instances.items():
        fault = None
        try:
            check_instance(graph, labels)
        except RejectedError as error:
            fault, right = str(error), False
        yield f"{folder / 'labels.tsv'}:{labels[0].line}", f"instance {number}", fault
    if not right:
        yield str(folder), "support", "not proved: labels are wrong"
        return
    level = levels(graph, instances)
    yield from _facts(graph, level)
    for number, fault in closure(graph, level):
        yield f"{folder / 'patterns.jsonl'}", f"pattern {number}", fault


def numbered_instances(graph: Graph) -> tuple[dict[int, list[Label]], bool]:
    """The labels of each instance; whether they are numbered from 0, the planted ones first."""
    instances: dict[int, list[Label]] = {}
    for label in graph.labels:
        instances.setdefault(label.instance, []).append(label)
    # An instance before the first would count as planted, which needs no support.
    planted = graph.manifest["forced_instances"]
    numbered = sorted(instances) == [*range(len(instances))] and 0 <= planted <= len(instances)
    return instances, numbered


def _facts(graph: Graph, level: list[int | None]) -> Iterator[tuple[str, str, str | None]]:
    known, before = set[Fact](), 0
    times = _times(graph.manifest["config"])
    for (split, place), fact, at in zip(graph.places, graph.facts, level, strict=True):
        fault = None
        begin, end = times.get(split, ANY)
        if fact in known:
            fault = "the fact occurs twice"
        elif at is None:
            fault = "no label supports the fact"
        elif fact.time < before:
            fault = "the fact is not in order of time"
        elif not begin <= fact.time < end:
            fault = "the fact is in another split than its time"
        known.add(fact)
        before = fact.time
        yield place, " ".join(map(str, fact)), fault


def _times(config: dict[str, Any]) -> dict[str, tuple[float, float]]:
    """The first time of each split, and the first after it."""
    shares = config.get("splits", ())
    if len(shares) != len(SPLITS):
        return {}
    bounds = [round(share * config["steps"]) for share in accumulate((0.0, *shares))]
    return dict(zip(SPLITS, pairwise(bounds), strict=True))


def main(arguments: list[str]) -> int:
    """Check folders; returns the exit status."""
    if not arguments or arguments[0].startswith("-"):
        sys.stderr.write("usage: check.py FOLDER ...\n")
        return 2
    count = rejected = 0
    try:
        for where, name, fault in (row for path in arguments for row in check_file(path)):
            count, rejected = count + 1, rejected + (fault is not None)
            if fault is not None:
                sys.stdout.write(f"{where}: {fault} (item {name})\n")
    except (OSError, *UNREADABLE) as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    sys.stdout.write(f"{count:,} items, {rejected:,} rejected\n")
    return 1 if rejected else 0


SPLITS = ("train", "valid", "test")
ANY = (float("-inf"), float("inf"))
TRIPLE = r"\s*([0-9]{1,9})\s*-\s*([0-9]{1,9})\s*->\s*([0-9]{1,9})\s*"
STEP = re.compile(TRIPLE)
PATTERN = re.compile(f"{TRIPLE}(?:,{TRIPLE})*=>{TRIPLE}")
UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, EOFError)

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
