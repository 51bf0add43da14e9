"""Runs the checker that is compiled from the Coq proofs beside ``check.py``.

It reads items in numbers: proofs/README.md lists them. The program that ``make proofs`` built is
used; where there is none, node runs ``proved.js``, the same checker compiled to JavaScript.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypeVar

from grammar.errors import ExitStatus, HopcheckError
from solver.eventhop import check

Json: TypeAlias = Any
Place = TypeVar("Place", int, str)
"""Number of a line, or its file and number."""

NATIVE = Path(__file__).resolve().parents[3] / "build" / "proofs" / "check"
SCRIPT = Path(__file__).with_name("proved.js")
BATCH = 2_000
"""Lines that are checked at once."""

_IN_NODE = """
const { answer } = require(process.argv[1]);
const lines = require("fs").readFileSync(0, "utf8").split("\\n").slice(0, -1);
process.stdout.write(lines.map((line) => answer(line) + "\\n").join(""));
"""

_SIGNS = ("<", ">", "=", "<=", ">=")
_ALLEN = (
    *("precedes", "meets", "overlaps", "finished_by", "contains", "starts", "equals"),
    *("started_by", "during", "finishes", "overlapped_by", "met_by", "preceded_by"),
)
_KINDS = (
    *("before", "after", "overlaps", *_SIGNS[:3]),
    *(f"allen_{name}" for name in _ALLEN),
    *_SIGNS[3:],
)
_STATUSES = ("entailed", "refuted", "unknown", "contradictory")
_POLICIES = ("local", "global", "published")


class NoProvedCheckerError(HopcheckError):
    """Neither the compiled checker nor node is there."""

    code = "no-proved-checker"


class CheckersDifferError(HopcheckError):
    """The two checkers do not accept the same certificates: one is wrong."""

    code = "checkers-differ"
    exit_status = ExitStatus.DISAGREEMENT


class Compiled(NamedTuple):
    """How the compiled checker is run."""

    name: str
    command: tuple[str, ...]

    def answers(self, lines: Sequence[str]) -> list[bool]:
        """Whether it accepts each line.

        Raises:
            NoProvedCheckerError: it does not run.
        """
        if not lines:
            return []
        given = "".join(f"{line}\n" for line in lines)
        try:
            ran = subprocess.run(
                self.command, input=given, capture_output=True, text=True, check=True
            )
        except (OSError, subprocess.CalledProcessError) as error:
            message = f"the proved checker ({self.name}) does not run: {error}"
            raise NoProvedCheckerError(message) from None
        answers = [answer == "accepted" for answer in ran.stdout.splitlines()]
        if len(answers) != len(lines):
            message = f"the proved checker ({self.name}) answers {len(answers)} of {len(lines)}"
            raise NoProvedCheckerError(message)
        return answers


@cache
def compiled() -> Compiled:
    """The compiled checker: native where it is built, else in node.

    Raises:
        NoProvedCheckerError: there is none.
    """
    if NATIVE.is_file():
        return Compiled("native", (str(NATIVE),))
    return in_node()


def name() -> str:
    """How the compiled checker runs: ``native`` or ``JavaScript``."""
    return compiled().name


def in_node() -> Compiled:
    """The checker in JavaScript.

    Raises:
        NoProvedCheckerError: node is not installed.
    """
    node = shutil.which("node")
    if node is None:
        message = "found neither build/proofs/check nor node, expected one of them"
        hint = "run make proofs (Debian: coq ocaml-nox), or install Node.js"
        raise NoProvedCheckerError(message, hint=hint)
    return Compiled("JavaScript", (node, "-e", _IN_NODE, str(SCRIPT)))


def numbers(
    item: check.Item,
    verdict: Json,
    policy: str,
    certificate: Json,
    repaired: Collection[str] = (),
) -> str:
    """The line that the compiled checker reads.

    Raises:
        TypeError, ValueError, KeyError, IndexError: a value has no place there.
        solver.eventhop.check.RejectedError: a name is no point of the item, or a part has other
            fields.
    """
    return " ".join(flat(item_numbers(item, verdict, policy, certificate, repaired)))


def item_numbers(
    item: check.Item,
    verdict: Json,
    policy: str,
    certificate: Json,
    repaired: Collection[str] = (),
) -> list[Json]:
    """The parts of the line of an item; ``flat`` writes them one after the other."""
    left, claim, right = item.claim
    sides = (left, right) if claim in _SIGNS else (left // 2, right // 2)
    given = check._object(verdict, {"status", "label", "consistent", "hops"}, "the verdict")
    parts = {"walks", "cycle", "timelines", "distances"}
    witnesses = check._object(certificate, parts, "the certificate")
    rule = _POLICIES.index(policy)
    if policy == "published":
        rule += sum(1 << check.FAULTS.index(fault) for fault in {*repaired})
    cycle = witnesses["cycle"]
    return [
        [(p, _SIGNS.index(sign), q) for p, sign, q in item.relations],
        (_KINDS.index(claim), *sides),
        rule,
        _STATUSES.index(given["status"]),
        _boolean(given["consistent"]),
        check.LABELS.index(given["label"]),
        optional(given["hops"]),
        [_walk(item, walk) for walk in array(witnesses["walks"])],
        [] if cycle is None else [_walk(item, cycle)],
        [numbered_timeline(item, line) for line in array(witnesses["timelines"])],
        [_table(item, table) for table in array(witnesses["distances"])],
    ]


def flat(part: Json) -> Iterator[str]:
    """A list that is not at the top has its length before it; a tuple has not."""
    for values in part:
        if isinstance(values, list):
            yield str(len(values))
        if isinstance(values, (list, tuple)):
            yield from flat(values)
        else:
            yield str(values)


def array(value: Json) -> list[Json]:
    """The value, if it is a list."""
    if type(value) is not list:
        raise TypeError(value)
    return value


def _boolean(value: Json) -> int:
    if type(value) is not bool:
        raise TypeError(value)
    return int(value)


def _integer(value: Json) -> int:
    if type(value) is not int:
        raise TypeError(value)
    return value


def optional(value: Json) -> int:
    """-1 for null; other negative numbers have no place."""
    if value is None:
        return -1
    if _integer(value) < 0:
        raise ValueError(value)
    return int(value)


def _walk(item: check.Item, value: Json) -> tuple[int, list[int]]:
    walk = check._object(value, {"from", "steps"}, "a walk")
    return item.point(walk["from"]), [optional(step) for step in array(walk["steps"])]


def numbered_timeline(item: check.Item, value: Json) -> list[int]:
    """The instant of each point."""
    at = {item.point(name): _integer(instant) for name, instant in map(array, array(value))}
    if len(at) != len(value):
        raise ValueError("a point has two instants")
    return [at[p] for p in range(len(item.points))]


def _table(item: check.Item, value: Json) -> tuple[int, list[int], list[int]]:
    table = check._object(value, {"from", "beyond", "near"}, "a table of distances")
    beyond = _integer(table["beyond"])
    loose, strict = [beyond] * len(item.points), [beyond] * len(item.points)
    for name, without, with_strict in map(array, array(table["near"])):
        loose[item.point(name)] = _integer(without)
        strict[item.point(name)] = _integer(with_strict)
    return item.point(table["from"]), loose, strict


MALFORMED = "malformed"
"""A line that the compiled checker never accepts."""


class Judgement(NamedTuple):
    """What ``check.py`` finds of a verdict, and the line for the compiled checker."""

    accepted: bool
    line: str


def judge(
    item: check.Item,
    verdict: Json,
    policy: Json,
    certificate: Json,
    repaired: Collection[str] = (),
) -> tuple[Judgement, check.RejectedError | None]:
    """The judgement of ``check.py``, with its reason if it rejects the verdict."""
    try:
        line = numbers(item, verdict, policy, certificate, repaired)
    except (TypeError, ValueError, KeyError, IndexError, check.RejectedError):
        line = MALFORMED
    try:
        check.check_verdict(item, verdict, policy, certificate, repaired)
    except check.RejectedError as error:
        return Judgement(False, line), error
    return Judgement(True, line), None


def differing(judgements: Sequence[Judgement], checker: Compiled) -> list[int]:
    """The numbers of the judgements that the compiled checker does not share."""
    answers = checker.answers([judgement.line for judgement in judgements])
    pairs = zip(judgements, answers, strict=True)
    return [n for n, (judgement, answer) in enumerate(pairs) if answer != judgement.accepted]


def require_agreement(judged: Sequence[tuple[str, Judgement]], checker: Compiled) -> None:
    """Stop where the checkers differ on a verdict, which is given with its place.

    Raises:
        CheckersDifferError: they do.
    """
    for number in differing([judgement for _, judgement in judged], checker):
        where, judgement = judged[number]
        found = ("rejects", "accepts") if judgement.accepted else ("accepts", "rejects")
        message = f"the proved checker ({checker.name}) {found[0]} what check.py {found[1]}"
        raise CheckersDifferError(message, where=where)


def compared(
    path: str,
    lines: Callable[[Callable[..., None]], Iterable[tuple[Place, str, str | None]]],
    judge: Callable[..., tuple[Judgement | None, Exception | None]],
) -> Iterator[tuple[Place, str, str | None]]:
    """What a checker finds of the lines of a file, with the compiled checker beside it.

    Args:
        path: the file.
        lines: the lines, by a checker that asks its argument for each verdict.
        judge: the judgement of a verdict, with its reason if the checker rejects it; none if that
            takes it too long.

    Raises:
        CheckersDifferError: they do not accept the same certificates.
        NoProvedCheckerError: there is no compiled checker.
    """
    checker = compiled()
    last: list[Judgement] = []

    def decide(*given: Json) -> None:
        judgement, error = judge(*given)
        if judgement is not None:
            last.append(judgement)
        if error is not None:
            raise error

    def judged() -> Iterator[tuple[tuple[Place, str, str | None], list[Judgement]]]:
        for checked in lines(decide):
            yield checked, last.copy()
            last.clear()

    stream = judged()
    while batch := list(islice(stream, BATCH)):
        places = [
            (row[0] if isinstance(row[0], str) else f"{path}:{row[0]}", known)
            for row, found in batch
            for known in found
        ]
        require_agreement(places, checker)
        yield from (row for row, _ in batch)


def check_file(
    path: str, digests: frozenset[str] | None = None
) -> Iterator[tuple[int, str, str | None]]:
    """As that of ``check.py``, with the compiled checker beside it.

    Raises:
        CheckersDifferError: they do not accept the same certificates.
        NoProvedCheckerError: there is no compiled checker.
    """
    return compared(path, lambda decide: check.check_file(path, digests, decide), judge)
