"""Checks lists of patterns, with nothing but this file.

    python check.py list.jsonl

The patterns of list.jsonl must be the valid canonical ones that list.manifest.json declares, each
listed once and described correctly, none missing: see docs/patterns.md. The list is its own proof,
as all patterns of up to three hops can be tried. Exit status: 0 if every line is right, 1 if one is
not, 2 if a file cannot be read.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias


class RejectedError(Exception):
    """A line is not right."""


def require(condition: object, reason: str) -> None:
    """Reject the line unless a condition holds."""
    if not condition:
        raise RejectedError(reason)


class Step(NamedTuple):
    """An edge between two entities, numbers from 1, with a relation."""

    head: int
    relation: int
    tail: int

    @property
    def ends(self) -> frozenset[int]:
        """Its entities."""
        return frozenset((self.head, self.tail))


Pattern: TypeAlias = tuple[Step, ...]  # The antecedents in order, and then the consequence.


class Declared(NamedTuple):
    """What a list declares: every valid pattern of these hops."""

    hops: list[int]
    flags: frozenset[str]
    reading: str


TRIPLE = r"\s*([0-9]{1,9})\s*-\s*([0-9]{1,9})\s*->\s*([0-9]{1,9})\s*"
STEP = re.compile(TRIPLE)
PATTERN = re.compile(f"{TRIPLE}(?:,{TRIPLE})*=>{TRIPLE}")


def read_pattern(text: object) -> Pattern:
    """Read ``1 -1-> 2, 2 -2-> 3 => 1 -3-> 3``."""
    if type(text) is not str or not PATTERN.fullmatch(text):
        raise RejectedError(f"{text!r:.60} is no pattern")
    steps = tuple(Step(*map(int, found.groups())) for found in STEP.finditer(text))
    require(all(min(step) > 0 for step in steps), "numbers count from 1")
    return steps


# --- What makes a pattern valid -------------------------------------------------------------------


def invalid(pattern: Pattern, flags: frozenset[str], reading: str) -> str | None:
    """Why a pattern is invalid; None if it is valid."""
    *antecedents, last = pattern
    known = frozenset().union(*(antecedent.ends for antecedent in antecedents))
    if len(antecedents) > 3:
        return "more than three antecedents"
    if not last.ends <= known:
        return "the consequence has a new entity"
    if not joined(pattern, reading):
        return "the antecedents are not connected"
    if "unique" in flags and len(set(pattern)) < len(pattern):
        return "a triple occurs twice"
    if "no-self" in flags and any(len(step.ends) == 1 for step in pattern):
        return "a triple is a self-loop"
    if "no-new-relation" in flags and all(
        antecedent.relation != last.relation for antecedent in antecedents
    ):
        return "the relation of the consequence is new"
    around = zip(pattern, (*pattern[1:], pattern[0]), strict=True)
    if "sequential" in flags and not (
        all(step.ends & other.ends for step, other in around) and one_cycle(pattern)
    ):
        return "the steps are no simple cycle in their order"
    return None


def joined(pattern: Pattern, reading: str) -> bool:
    """Whether all steps are connected; ``literal`` reads three antecedents as printed."""
    ends = [step.ends for step in pattern]
    if reading == "fixed" or len(pattern) < 4:
        return len(parts(ends)) == 1
    one, two, three, _ = ends
    if one & two and three & (one | two):
        return True
    if two <= one:
        return joins(pattern[3], one, three)
    if joins(pattern[2], one, two):
        return True
    to_two = three & one and joins(pattern[3], one | three, two)
    return bool(to_two or (three & two and joins(pattern[3], two | three, one)))


def joins(step: Step, ends: frozenset[int], other: frozenset[int]) -> bool:
    """Whether a step leads from some entities to others, in either direction."""
    forth = step.head in ends and step.tail in other
    return forth or (step.tail in ends and step.head in other)


def parts(ends: Iterable[frozenset[int]]) -> list[frozenset[int]]:
    """The connected components of some edges."""
    found: list[frozenset[int]] = []
    for edge in ends:
        near = [part for part in found if part & edge]
        found = [part for part in found if not part & edge] + [edge.union(*near)]
    return found


def one_cycle(pattern: Pattern) -> bool:
    """Whether all edges form one cycle, in any order; a loop counts twice at its entity."""
    every = [entity for step in pattern for entity in (step.head, step.tail)]
    twice = all(every.count(entity) == 2 for entity in every)
    pieces = parts(step.ends for step in pattern)
    return twice and len(pieces) == 1 and len(set(every)) == len(pattern)


def renumbered(names: Iterable[int]) -> tuple[int, ...]:
    """Numbers in order of first appearance."""
    order: dict[int, int] = {}
    return tuple(order.setdefault(name, len(order) + 1) for name in names)


def canonical(pattern: Pattern) -> Pattern:
    """The pattern with entities and relations numbered in order of first appearance."""
    entities = renumbered(entity for step in pattern for entity in (step.head, step.tail))
    relations = renumbered(step.relation for step in pattern)
    return tuple(map(Step, entities[::2], relations, entities[1::2]))


def every_pattern(hops: int) -> Iterator[Pattern]:
    """All canonical patterns whose consequence has no new entity."""
    for ends in _growing(2 * hops):
        for last in product(range(1, max(ends) + 1), repeat=2):
            entities = (*ends, *last)
            for relations in _growing(hops + 1):
                yield tuple(map(Step, entities[::2], relations, entities[1::2]))


@cache
def valid_patterns(hops: int, flags: frozenset[str], reading: str) -> list[Pattern]:
    """All valid canonical patterns."""
    return [steps for steps in every_pattern(hops) if invalid(steps, flags, reading) is None]


def _growing(size: int) -> Iterator[tuple[int, ...]]:
    """Sequences of numbers from 1 that exceed all earlier ones by at most one."""
    if size == 0:
        yield ()
        return
    for start in _growing(size - 1):
        for number in range(1, max(start, default=0) + 2):
            yield (*start, number)


# --- What describes a pattern ---------------------------------------------------------------------


def described(pattern: Pattern) -> dict[str, object]:
    """The fields of a line of a valid pattern."""
    *antecedents, last = pattern
    relations = [antecedent.relation for antecedent in antecedents]
    most = max(map(relations.count, relations))
    return {
        "hops": len(antecedents),
        "shapes": sorted(shapes(pattern)),
        "entity_reuse": entity_reuse([antecedent.ends for antecedent in antecedents], last.ends),
        "relation_reuse": "copied" if last.relation in relations else "novel",
        "antecedent_relations": "homogeneous" if 2 * most > len(relations) else "heterogeneous",
    }


def entity_reuse(antecedents: list[frozenset[int]], last: frozenset[int]) -> str:
    """Where the entities of the consequence come from."""
    if last in antecedents:
        return "fully_reused"
    if not any(last <= part for part in parts(antecedents)):
        return "bridge_reuse"
    return "collapsed" if len(last) == 1 else "recombined"


def shapes(pattern: Pattern) -> Iterator[str]:
    """The shapes of a valid pattern."""
    *ends, last = (one.ends for one in pattern)
    if any(len(one) == 1 for one in (*ends, last)):
        yield "reflexivity"
    elif len(ends) == 1:
        yield "self_entailment" if pattern[0].head == pattern[1].head else "inverse"
    elif len(ends) == 2:
        shared = len(ends[0] & ends[1])
        yield (
            "bridge" if shared == 0
            else "multi_derivation" if shared == 2
            else "reinforcement" if last in ends
            else "transitive_closure"
        )  # fmt: skip
    else:
        yield from _three(pattern, ends, last)


def _three(pattern: Pattern, ends: list[frozenset[int]], last: frozenset[int]) -> Iterator[str]:
    one, two, three = ends
    for middle, first, second in ((one, two, three), (two, one, three), (three, one, two)):
        if first & middle and middle & second and not first & second:
            yield (
                "re_derivation" if last in ends
                else "shortcut" if last & middle
                else "multi_step_closure"
            )  # fmt: skip
    if one_cycle(pattern):
        yield "cyclic_entailment"
    if not one & two:
        yield "bridging_composition"
    elif not three & (one | two):
        yield "late_bridge"
    elif one & three and two & three:
        different = len({one, two, three})
        yield (
            "triple_edge" if different == 1
            else "double_edge_with_pendant" if different == 2
            else "star" if one & two & three
            else "triangle"
        )  # fmt: skip


# --- The files ------------------------------------------------------------------------------------


def read_declared(path: Path) -> Declared:
    """What the manifest of a list declares.

    Raises:
        ValueError: it declares something else; also OSError and KeyError.
    """
    name = f"{path.name.split('.')[0]}.manifest.json"
    config = json.loads(path.with_name(name).read_bytes())["config"]
    digits, hops, reading = config["flags"], config["hops"], config.get("cycle_reading", "fixed")
    known = type(digits) is str and len(digits) == 4 and set(digits) <= {"0", "1"}
    known = known and reading in ("fixed", "literal")
    if not known or type(hops) is not list or not set(hops) <= {1, 2, 3}:
        raise ValueError(f"{name} declares unknown hops, flags or another reading")
    flags = frozenset(flag for flag, digit in zip(FLAGS, digits, strict=True) if digit == "1")
    return Declared(hops, flags, reading)


def check_pattern(row: object, declared: Declared, listed: set[Pattern]) -> None:
    """Reject a line, read as JSON, whose pattern is not as declared."""
    if type(row) is not dict or "pattern" not in row:
        raise RejectedError("a line needs the field pattern")
    pattern = read_pattern(row["pattern"])
    reason = invalid(pattern, declared.flags, declared.reading)
    require(reason is None, f"the pattern is invalid: {reason}")
    require(canonical(pattern) == pattern, "entities or relations are not numbered in order")
    require(len(pattern) - 1 in declared.hops, "the manifest does not declare this number of hops")
    require(pattern not in listed, "the pattern is listed twice")
    listed.add(pattern)
    for name, right in described(pattern).items():
        stated = row.get(name, right)
        if type(stated) is list and all(type(line) is str for line in stated):
            stated = sorted(stated)
        same = type(stated) is type(right) and stated == right
        require(same, f"{name} is {right}")


def check_file(path: str, _data: Iterable[str] = ()) -> Iterator[tuple[str, str, str | None]]:
    """Place, pattern and fault of each line, and of the list: whether a pattern is missing."""
    declared, listed = read_declared(Path(path)), set[Pattern]()
    with Path(path).open("rb") as file:
        for number, line in enumerate(file, 1):
            name, fault = f"line {number}", None
            try:
                row: Any = json.loads(line)
                name = str(row.get("pattern", name)) if type(row) is dict else name
                check_pattern(row, declared, listed)
            except RejectedError as error:
                fault = str(error)
            except (ValueError, RecursionError) as error:
                fault = f"not a line of JSON: {error}"
            yield f"{path}:{number}", name, fault
    every = (valid_patterns(hops, declared.flags, declared.reading) for hops in declared.hops)
    missing = [steps for some in every for steps in some if steps not in listed]
    first = "; ".join(map(shown, missing[:3]))
    yield path, "completeness", f"{len(missing):,} are missing: {first}" if missing else None


def shown(pattern: Pattern) -> str:
    """A pattern as text."""
    *antecedents, last = (f"{step.head} -{step.relation}-> {step.tail}" for step in pattern)
    return f"{', '.join(antecedents)} => {last}"


def main(arguments: list[str]) -> int:
    """Check lists; returns the exit status."""
    if not arguments or arguments[0].startswith("-"):
        sys.stderr.write("usage: check.py list.jsonl ...\n")
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


FLAGS = ("unique", "no-self", "no-new-relation", "sequential")
UNREADABLE = (ValueError, KeyError, TypeError)

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
