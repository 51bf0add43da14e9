"""Checks answers about positions, routes and visits, with nothing but this file.

    python check.py items.jsonl

Each line of items.jsonl, which ``audit`` and ``verify`` write, has a label, a verdict, and for each
reading the texts, the phrases by which they are read, and evidence: see docs/positions.md. The
texts are read again here, by no shared code. Exit status: 0 if every line is proved, 1 if one is
not, 2 if a file cannot be read.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise, permutations, product
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

KIND = "positions"


class RejectedError(Exception):
    """A line does not prove what it says."""


def require(condition: object, reason: str) -> None:
    """Reject the line unless a condition holds."""
    if not condition:
        raise RejectedError(reason)


# --- What the texts say ---------------------------------------------------------------------------

COMPASS = {
    "north": (0, 1), "northeast": (1, 1), "east": (1, 0), "southeast": (1, -1),
    "south": (0, -1), "southwest": (-1, -1), "west": (-1, 0), "northwest": (-1, 1), "at": (0, 0),
}  # fmt: skip
LABELS = {
    "above": (0, 1), "upper-right": (1, 1), "right": (1, 0), "lower-right": (1, -1),
    "below": (0, -1), "lower-left": (-1, -1), "left": (-1, 0), "upper-left": (-1, 1),
    "overlap": (0, 0),
}  # fmt: skip
MOVES = {"n": (0, 1), "s": (0, -1), "e": (1, 0), "w": (-1, 0)}
NO_NAMES = {
    "a", "an", "the", "not", "never", "no", "nor", "or", "and", "but", "if", "than",
    "is", "are", "was", "were",
}  # fmt: skip
MOST = 6  # Visits at one time whose orders are tried.
SLOT = re.compile(r"\{(\w+)\}")
NAME = r"[^\W_][\w'’-]*(?: [^\W_][\w'’-]*){0,3}?"
BREAK = re.compile(r"(?<=[^\s.])[.?!]\s+(?=[A-Z])")
WORD = re.compile(r"[\w'’-]+")

Statement: TypeAlias = tuple[str, ...]
"""The words of a meaning, with names in place of slots; see ``statements``."""


@lru_cache(maxsize=4096)
def pattern(text: str) -> re.Pattern[str]:
    """The sentences of a phrase; both forms of an apostrophe are one."""
    parts = SLOT.split(text.replace("’", "'"))
    first, seen, made = parts[0], set[str](), []
    if first:
        made.append(f"[{re.escape(first[0].upper())}{re.escape(first[0].lower())}]")
        made.append(re.escape(first[1:]))
    for slot, words in zip(parts[1::2], parts[2::2], strict=True):
        made.append(f"(?P={slot})" if slot in seen else f"(?P<{slot}>{NAME})")
        made.append(re.escape(words))
        seen.add(slot)
    return re.compile("".join(made))


@lru_cache(maxsize=1 << 16)
def statements(sentence: str, phrases: tuple[tuple[str, tuple[str, ...]], ...]) -> list[Statement]:
    """What a sentence means: exactly one phrase must read it, or all of them mean the same."""
    bare = " ".join(sentence.split()).rstrip(".?!").rstrip().replace("’", "'")
    words = NO_NAMES | {
        word
        for text, _ in phrases
        for word in WORD.findall(" ".join(SLOT.split(text)[::2]).lower())
    }
    readings: list[list[Statement]] = []
    for text, means in phrases:
        found = pattern(text).fullmatch(bare)
        if found is None:
            continue
        names = found.groupdict()
        used = (word for name in names.values() for word in name.split())
        if any((word if re.fullmatch("[A-Z]", word) else word.lower()) in words for word in used):
            continue
        reading = [
            tuple(names.get(word, word) if re.fullmatch("[A-Z]", word) else word
                  for word in meaning.split())
            for meaning in means
        ]  # fmt: skip
        if reading not in readings:
            readings.append(reading)
    require(len(readings) == 1, f"{len(readings)} phrases read {sentence!r}")
    return readings[0]


class Text(NamedTuple):
    """What a story and its question say."""

    related: list[tuple[str, str, str, int | None]]  # subject, direction, object, length
    visits: list[tuple[str, str, int]]  # visitor, place, time
    names: set[str]
    question: Statement


def read(case: Mapping[str, Any]) -> Text:
    """Read the texts of a case."""
    phrases = tuple((row["text"], tuple(row["means"])) for row in case["phrases"])
    text = Text([], [], set(), ())
    for written in case["story"]:
        for sentence in BREAK.split(written.strip()):
            for words in statements(sentence, phrases):
                match words:
                    case (visitor, "visits", place, "at", time):
                        text.visits.append((visitor, place, int(time)))
                        text.names.update((visitor, place))
                        continue
                    case (subject, length, direction, "of", other):
                        text.related.append((subject, direction, other, int(length)))
                    case (subject, direction, "of", other):
                        text.related.append((subject, direction, other, None))
                    case (subject, "level" | "aligned" as line, "with", other):
                        text.related.append((subject, line, other, None))
                    case (subject, "at" | "and" as same, other):
                        text.related.append((subject, same, other, None))
                    case _:
                        raise RejectedError(f"{' '.join(words)!r} is no statement")
                text.names.update((subject, other))
    (question,) = statements(case["question"], phrases)
    return text._replace(question=question)


Gaps: TypeAlias = dict[tuple[int, str, str], int]
"""By axis, lower and higher point: the least difference of their coordinates."""


def sides(direction: str, reading: Mapping[str, str]) -> tuple[int | None, int | None]:
    """Signs of the differences on both axes that a direction means; None where it means nothing."""
    if direction == "front":
        return (1, 1) if reading.get("front") == "upper" else (None, None)
    if direction in ("and", "level", "aligned"):
        return (0 if direction == "aligned" else None, 0 if direction == "level" else None)
    east, north = COMPASS[direction]
    free = reading.get("rows") == "free" and (east == 0) != (north == 0)
    return (None if free and not east else east, None if free and not north else north)


def gaps_of(text: Text, reading: Mapping[str, str]) -> Gaps:
    """The differences that the statements mean under a reading."""
    gaps: Gaps = {}
    for subject, direction, other, length in text.related:
        if subject == other:
            continue
        for axis, side in enumerate(sides(direction, reading)):
            if side is None:
                continue
            shift = side * (1 if length is None else length)
            bounds = [(other, subject, shift)] if side >= 0 else []
            bounds += [(subject, other, -shift)] if side <= 0 else []
            if length is not None or reading.get("steps", "unit") == "unit":
                bounds = [(other, subject, shift), (subject, other, -shift)]
            for low, high, least in bounds:
                key = axis, low, high
                gaps[key] = max(gaps.get(key, least), least)
    return gaps


# --- What the evidence shows ----------------------------------------------------------------------

Placement: TypeAlias = Mapping[str, Sequence[int]]


def require_placement(placed: Placement, gaps: Gaps, text: Text, *, apart: bool) -> None:
    """A placement has all points and satisfies all differences."""
    require(text.names <= set(placed), "a placement lacks a point")
    for (axis, low, high), least in gaps.items():
        require(placed[high][axis] - placed[low][axis] >= least, "a placement breaks a statement")
    if apart:
        spots = {tuple(placed[name]) for name in text.names}
        require(len(spots) == len(text.names), "two rooms are at one place")


Bounds: TypeAlias = dict[tuple[int, str, str], int]


def bounds_of(case: Mapping[str, Any], gaps: Gaps) -> Bounds:
    """What the walks of a case show: the last point is at least so far beyond the first one."""
    shown: Bounds = {}
    for axis, points in case.get("walks", ()):
        total = 0
        for pair in pairwise(points):
            require((axis, *pair) in gaps, "a walk leaves the statements")
            total += gaps[axis, pair[0], pair[1]]
        key = axis, points[0], points[-1]
        shown[key] = max(shown.get(key, total), total)
    return shown


def left_possible(bounds: Bounds, axis: int, subject: str, other: str) -> set[int]:
    """Signs of the difference of two points that the walks do not exclude."""
    up, down = bounds.get((axis, other, subject)), bounds.get((axis, subject, other))
    possible = {-1, 0, 1}
    if up is not None:
        possible -= {-1} if up == 0 else {-1, 0} if up > 0 else set()
    if down is not None:
        possible -= {1} if down == 0 else {0, 1} if down > 0 else set()
    return possible


def sign(number: int) -> int:
    """-1, 0 or 1."""
    return (number > 0) - (number < 0)


def shown_contradictory(bounds: Bounds, *, apart: bool) -> bool:
    """Whether the walks have a cycle of positive sum, or put two points together that are apart."""
    if any(low == high and total > 0 for (_, low, high), total in bounds.items()):
        return True
    pairs = {(low, high) for _, low, high in bounds if low != high}
    return apart and any(
        all(bounds.get((axis, *way)) == 0 for axis in (0, 1) for way in ((p, q), (q, p)))
        for p, q in pairs
    )


def answer_of_points(
    case: Mapping[str, Any], text: Text, words: Statement
) -> tuple[str, str | None]:
    """Verdict without the label, and answer, of a question about two points."""
    reading = case["under"]
    gaps = gaps_of(text, reading)
    apart = reading.get("rooms") == "apart"
    whether = words[0] == "whether"
    subject, other = (words[1], words[-1]) if whether else (words[1], words[3])
    if not {subject, other} <= text.names:
        return "unanswerable", None
    bounds = bounds_of(case, gaps)
    if case["verdict"] == "contradictory":
        require(shown_contradictory(bounds, apart=apart), "no contradiction is shown")
        return "contradictory", None
    placements = case["placements"]
    for placed in placements:
        require_placement(placed, gaps, text, apart=apart)
    wanted = {
        axis: side for axis, side in enumerate(COMPASS[words[2]]) if side or words[2] == "at"
    } if whether else {}  # fmt: skip

    def answer(signs: Sequence[int]) -> str:
        if whether:
            return "yes" if all(signs[axis] == side for axis, side in wanted.items()) else "no"
        return next(label for label, pair in LABELS.items() if pair == tuple(signs))

    seen = {
        answer([sign(placed[subject][axis] - placed[other][axis]) for axis in (0, 1)])
        for placed in placements
    }
    if case["verdict"] == "unanswerable":
        require(len(seen) > 1, "the placements do not differ")
        return "unanswerable", None
    possible = [left_possible(bounds, axis, subject, other) for axis in (0, 1)]
    answers = {answer(signs) for signs in product(*possible)}
    require(len(answers) == 1, "the walks leave several answers")
    require(seen == answers, "no placement has the answer")
    return "decided", answers.pop()


def answer_of_route(
    case: Mapping[str, Any], text: Text, words: Statement
) -> tuple[str, str | None]:
    """Verdict without the label, and answer, of a question for a route."""
    reading = case["under"]
    gaps = gaps_of(text, reading)
    apart = reading.get("rooms") == "apart"
    start, goal = words[2], words[4]
    beside: dict[tuple[str, str], set[str]] = {}
    for subject, direction, other, _ in text.related:
        for move, pair in MOVES.items():
            if COMPASS.get(direction) == pair:
                beside.setdefault((other, move), set()).add(subject)
            if COMPASS.get(direction) == (-pair[0], -pair[1]):
                beside.setdefault((subject, move), set()).add(other)
    reached = {start}
    waiting = [start]
    while waiting:
        room = waiting.pop()
        new = {r for move in MOVES for r in beside.get((room, move), ())} - reached
        reached |= new
        waiting += new
    if goal not in reached:
        return "unanswerable", None
    bounds = bounds_of(case, gaps)
    if case["verdict"] == "contradictory":
        require(shown_contradictory(bounds, apart=apart), "no contradiction is shown")
        return "contradictory", None
    for placed in case["placements"]:
        require_placement(placed, gaps, text, apart=apart)
    require(case["placements"], "no placement is shown")

    def arrives(written: str) -> bool:
        moves, rooms = [part.strip()[:1].lower() for part in written.split(",")], {start}
        for move in moves:
            rooms = {near for room in rooms for near in beside.get((room, move), ())}
        return goal in rooms

    if arrives(case["gold"]):
        return "decided", case["gold"]
    require(arrives(case["decided"]), "the route does not arrive")
    return "decided", case["decided"]


def answer_of_visits(
    case: Mapping[str, Any], text: Text, words: Statement
) -> tuple[str, str | None]:
    """Verdict without the label, and answer, of a question about visits: all orders are tried."""
    person, place = words[2], words[4]
    last = case["under"].get("visit", "last") == "last"
    times = sorted({time for visitor, _, time in text.visits if visitor == person})
    groups = [
        [spot for visitor, spot, when in text.visits if visitor == person and when == time]
        for time in times
    ]
    require(all(len(group) <= MOST for group in groups), "too many visits at one time")
    answers: set[str | None] = set()
    for order in product(*({*permutations(group)} for group in groups)):
        spots = [spot for group in order for spot in group]
        at = [number for number, spot in enumerate(spots) if spot == place]
        before = spots[: at[-1 if last else 0]] if at else []
        answers.add(next((spot for spot in reversed(before) if spot != place), None))
    if len(answers) != 1 or None in answers:
        return "unanswerable", None
    return "decided", answers.pop()


def fault_of_case(case: Mapping[str, Any], gold: object) -> str | None:
    """What is wrong with the verdict under one reading; None if it is proved."""
    try:
        text = read(case)
        words = text.question
        match words[0]:
            case "where" | "whether":
                verdict, answer = answer_of_points(case, text, words)
            case "route":
                verdict, answer = answer_of_route({**case, "gold": gold}, text, words)
            case "place":
                verdict, answer = answer_of_visits(case, text, words)
            case _:
                return f"{' '.join(words)!r} is no question"
    except RejectedError as error:
        return str(error)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        return f"the case is malformed ({type(error).__name__}: {error})"
    if verdict == "decided":
        verdict = "right" if answer == gold else "wrong"
    if case["verdict"] != verdict:
        return f"the verdict is {verdict}"
    if case["decided"] != answer:
        return f"the answer is {answer}"
    return None


# --- Lines of an audit ----------------------------------------------------------------------------


def fault_of_row(row: Mapping[str, Any]) -> str | None:
    """What is wrong with a line; None if its verdict is proved."""
    if row.get("verdict") == "unread":
        return None if row.get("gold") is None and not row.get("certificate") else "not unread"
    certificate = row.get("certificate")
    if not isinstance(certificate, dict) or not certificate.get("cases"):
        return "it has no certificate"
    gold, cases = certificate.get("gold"), certificate["cases"]
    if certificate.get("kind", KIND) != KIND:
        return "the certificate is of another kind"
    if row.get("gold") != gold:
        return "the certificate is about another label"
    for case in cases:
        if not isinstance(case, dict) or not isinstance(case.get("under"), dict):
            return "a case is malformed"
        fault = fault_of_case(case, gold)
        if fault is not None:
            return f"reading {case.get('reading', '')}: {fault}"
        named = ", ".join(f"{name}={value}" for name, value in sorted(case["under"].items()))
        if case.get("reading") != (named or "the only one"):
            return "a reading has another name"
    if any(case[part] != cases[0][part] for case in cases for part in ("story", "question")):
        return "the readings are of several texts"
    shown = {
        case["reading"]: {"verdict": case["verdict"], "decided": case["decided"]} for case in cases
    }
    if row.get("readings") != shown:
        return "its readings are not those of the certificate"
    right = [case["verdict"] == "right" for case in cases]
    verdict = "right-under" if any(right) and not all(right) else cases[0]["verdict"]
    if row.get("verdict") != verdict:
        return f"the verdict is {verdict}"
    if row.get("decided") != cases[0]["decided"]:
        return f"the answer is {cases[0]['decided']}"
    return None


def check_file(path: str) -> Iterator[tuple[int, str, str | None]]:
    """Check the lines of a file: number from 1, id, and fault of each."""
    with Path(path).open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except ValueError:
                yield number, "", "not JSON"
                continue
            if not isinstance(row, dict):
                yield number, "", "not an object"
            elif row.get("kind", KIND) == KIND:
                yield number, str(row.get("id", "")), fault_of_row(row)


def main(paths: Sequence[str]) -> int:
    """Check files; returns the exit status."""
    rejected = 0
    for path in paths:
        try:
            for number, name, fault in check_file(path):
                if fault is not None:
                    rejected += 1
                    sys.stdout.write(f"{path}:{number}: {fault} (item {name})\n")
        except (OSError, UnicodeDecodeError) as error:
            sys.stderr.write(f"{path}: {error}\n")
            return 2
    return 1 if rejected else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
