"""Checks verdicts about the order of events by their certificates, with nothing but this file.

    python check.py [--json] items.jsonl ...

Each line of a file is a JSON object with the texts of an item, a verdict and a certificate; see
docs/certificates.md. The texts are read here, by no shared code, and the certificate must prove the
whole verdict: status, consistency, label and hops. Exit status: 0 if every line is proved, 1 if one
is not, 2 if a file cannot be read. In numbers, event e has the points 2 e and 2 e + 1.
"""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias


class RejectedError(Exception):
    """A line does not prove what it says."""


def require(condition: object, reason: str) -> None:
    """Reject the line unless a condition holds."""
    if not condition:
        raise RejectedError(reason)


# --- The texts ------------------------------------------------------------------------------------

Place: TypeAlias = tuple[str, int]  # A point: its event, and 0 for the start or 1 for the end.


class Sentence(NamedTuple):
    """``left sign right``, where the sign is ``<``, ``>``, ``=``, ``<=`` or ``>=``."""

    left: Place
    sign: str
    right: Place


# About two points, or about two events: left, the name of a relation in CLAIMS, right.
Claim: TypeAlias = Sentence | tuple[str, str, str]


class Texts(NamedTuple):
    """What the texts of an item say."""

    premise: list[Sentence]
    claim: Claim


def read_texts(premise: str, claim: str, domain: str, spatial: str) -> Texts:
    """Read an item; ``spatial`` states which edge of a place is its start."""
    reader: Prose | Symbols = Symbols() if domain == "logical" else _prose(domain, spatial)
    body = premise.strip().removesuffix(".")
    sentences = [reader.sentence(text) for text in reader.split(body)] if body else []
    known = {place[0] for sentence in sentences for place in (sentence.left, sentence.right)}
    stated = Texts(sentences, reader.claim(claim.strip().removesuffix("."), known))
    if (premise + claim).isascii() and (domain != "logical" or (premise + claim).islower()):
        return stated
    return _one_spelling(stated, logical=domain == "logical")


class Prose:
    """Reads the sentences of the temporal and the spatial domain."""

    def __init__(self, domain: str, marks: dict[str, int]) -> None:
        table, mark = PHRASES[domain], "|".join(marks)
        first = f"{mark}|{'|'.join(map(str.capitalize, marks))}"
        self.signs = {
            begin.removesuffix(" the"): (sign, last)
            for sign in "<>="
            for begin, _, last in (phrase.partition(" …") for phrase in table[sign])
        }
        self.claims = {key: name for name, some in table.items() if name in CLAIMS for key in some}
        self.marks = marks
        self.opening = re.compile(f"(?:[Tt]he )?({first})")
        self.split = re.compile(rf"\.\s{{1,20}}(?=(?:[Tt]he )?(?:{first}))").split
        self.link = re.compile(f" ({_any(self.signs)})(?: the)? ({mark})")
        self.claimed = re.compile(f" ({_any(self.claims)}) ")

    def sentence(self, text: str) -> Sentence:
        """Read a sentence about two points."""
        opening = self.opening.match(text)
        link = opening and self.link.search(text, opening.end())
        if not opening or not link:
            raise RejectedError(f"this is no sentence about two points: {text[:80]!r}")
        sign, last = self.signs[link[1]]
        second = text[link.end() : len(text) - len(last)]
        if not text.endswith(last) or self.link.search(second):
            raise RejectedError(f"{text[:80]!r} is not one relation that ends with {last!r}")
        left = _name(text[opening.end() : link.start()]), self.marks[opening[1].lower()]
        return Sentence(left, sign, (_name(second), self.marks[link[2]]))

    def claim(self, text: str, known: set[str]) -> Claim:
        """Read a claim about two events, or about two points."""
        found = self.claimed.search(text)
        if not found:
            return self.sentence(text)
        require(not self.claimed.search(text, found.end()), f"two relations in {text[:80]!r}")
        left, right = _name(text[: found.start()]), _name(text[found.end() :])
        for side in {left, right} - known:
            inner = self.opening.sub("", side, count=1).removeprefix("the ")
            point = self.opening.match(side) and inner in known
            require(not point, f"a claim about events names the point {side!r}")
        if left not in known:  # A claim may begin with a capital letter.
            spelled = {_folded(name): name for name in (right, *known)}
            bare = left.removeprefix("The ")
            forms = [_folded(form) for form in (left, bare, bare[:1].lower() + bare[1:])]
            left = next((spelled[form] for form in forms if form in spelled), bare)
        return left, self.claims[found[1]], right


class Symbols:
    """Reads the comparisons of the logical domain."""

    LETTER = r'[^\s<>=.,;:!?()\[\]{}"]'
    PAIR = re.compile(rf"({LETTER}{{1,200}})([12]) ?([<>=]) ?({LETTER}{{1,200}})([12])")
    SIDES = re.compile(rf"({LETTER}{{1,201}})( ?[<>=] ?| [a-z_]+ )({LETTER}{{1,201}})")
    split = staticmethod(re.compile(r"\.\s{1,20}").split)

    def sentence(self, text: str) -> Sentence:
        """Read a comparison of two points, ``mill1 < tide2``."""
        found = self.PAIR.fullmatch(text)
        if not found:
            raise RejectedError(f"this is no comparison of two points: {text[:80]!r}")
        left, first, sign, right, second = found.groups()
        return Sentence((left, int(first) - 1), sign, (right, int(second) - 1))

    def claim(self, text: str, known: set[str]) -> Claim:
        """Read a claim about events; about points if the premise has these and not the events."""
        claims = {word: name for name in CLAIMS for word in PHRASES["logical"][name]}
        found = self.SIDES.fullmatch(text)
        if not found or found[2].strip() not in claims:
            raise RejectedError(f"this is no claim: {text[:80]!r}")
        left, sign, right = found[1], found[2].strip(), found[3]
        pointed = [side for side in (left, right) if len(side) > 1 and side[-1] in "12"]
        as_events = (left in known) + (right in known)
        as_points = sum(side[:-1] in known for side in pointed)
        both = sign in "<>=" and len(pointed) == 2
        if as_events > as_points or (as_points == 0 and not both):
            return left, claims[sign], right
        require(both and as_events < max(as_points, 1), f"an ambiguous claim: {text[:80]!r}")
        return self.sentence(text)


@cache
def _prose(domain: str, spatial: str) -> Prose:
    if domain == "temporal":
        return Prose(domain, {"start of ": 0, "end of ": 1})
    east = 0 if spatial == "published" else 1
    return Prose(domain, {"western edge of ": 1 - east, "eastern edge of ": east})


def _any(phrases: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(phrases, key=len, reverse=True)))


@lru_cache(4096)
def _name(text: str) -> str:
    name = text.removeprefix("the ")
    proper = 0 < len(name) <= 200 and not name.startswith("the ") and not name[0].isspace()
    require(proper and "\n" not in name, f"{text[:80]!r} is no name")
    for stop in re.finditer(r"(?<!\w)(\w*)\.\s+(\S)", name.rstrip()) if "." in name else ():
        initial = len(stop[1]) == 1 and not stop[2].islower()
        within = initial or ABBREVIATION.fullmatch(stop[1])
        require(within, f"{text[:80]!r} is more than a name")
    return name.rstrip()


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).replace("’", "'").replace("ʼ", "'")


def _one_spelling(stated: Texts, *, logical: bool) -> Texts:
    """Spell each event as at its first mention, but no comparison gives a name its capital."""
    sides = [part[side] for part in (*stated.premise, stated.claim) for side in (0, 2)]
    names = [side if isinstance(side, str) else side[0] for side in sides]
    first: dict[str, str] = {}
    spelled = {name: first.setdefault(_folded(name), name) for name in names}
    if logical:
        inner = {spelled[name] for name in names[1::2]}
        small = {spelled[name] for name in names if not spelled[name][0].isupper()}
        for name, now in spelled.items():
            lower = now[:1].lower() + now[1:]
            if now not in inner and lower in small:
                spelled[name] = lower

    def sentence(raw: Sentence) -> Sentence:
        left, right = (spelled[raw.left[0]], raw.left[1]), (spelled[raw.right[0]], raw.right[1])
        return Sentence(left, raw.sign, right)

    claim = stated.claim
    premise = list(map(sentence, stated.premise))
    if isinstance(claim, Sentence):
        return Texts(premise, sentence(claim))
    return Texts(premise, (spelled[claim[0]], claim[1], spelled[claim[2]]))


# --- What is to be proved -------------------------------------------------------------------------


class Need(NamedTuple):
    """``lower < upper`` if strict, ``lower <= upper`` if not."""

    lower: int
    strict: bool
    upper: int


class Item:
    """An item in numbers; events count from 0 in the order of their first mention."""

    def __init__(self, stated: Texts) -> None:
        self.points, self.events, at = dict[str, int](), dict[str, int](), self._at
        self.relations = [(at(left), sign, at(right)) for left, sign, right in stated.premise]
        if isinstance(stated.claim, Sentence):
            p, q = self._at(stated.claim.left), self._at(stated.claim.right)
            claimed, comparisons = {p, q}, [(p, stated.claim.sign, q)]
        else:
            p, q = self._at((stated.claim[0], 0)), self._at((stated.claim[2], 0))
            claimed = {p, p + 1, q, q + 1}
            comparisons = [
                (p + (word[0] == "e"), word[1:-1], q + (word[-1] == "e"))
                for word in CLAIMS[stated.claim[1]].split()
            ]
        self.needs = [need for comparison in comparisons for need in _needs(*comparison)]
        self.pairs = list(combinations(sorted(claimed), 2))
        if p == q:  # A claim about one event, or point, and itself.
            self.pairs += [(point, point) for point in claimed]
        self.steps = [(p, True, p + 1, 0) for p in range(0, len(self.points), 2)]  # with the cost
        self.steps += [(p, sign == "<", q, 1) for p, sign, q in self.relations if sign[0] != ">"]
        self.steps += [(q, sign == ">", p, 1) for p, sign, q in self.relations if sign[0] != "<"]

    def _at(self, place: Place) -> int:
        event, bound = place
        if event not in self.events:
            self.events[event] = start = len(self.points)
            self.points[f"start of {event}"], self.points[f"end of {event}"] = start, start + 1
        return self.events[event] + bound

    def point(self, name: object) -> int:
        """The number of a point."""
        if type(name) is str and name in self.points:
            return self.points[name]
        raise RejectedError(f"{name!r:.80} is no point of the item")


def _needs(p: int, sign: str, q: int) -> list[Need]:
    if sign == "=":
        return [Need(p, False, q), Need(q, False, p)]
    strict = len(sign) == 1
    return [Need(p, strict, q) if sign[0] == "<" else Need(q, strict, p)]


class Walk:
    """A walk along relations of the premise and durations."""

    def __init__(self, item: Item, value: object) -> None:
        walk = _object(value, {"from", "steps"}, "a walk")
        here = self.first = item.point(walk["from"])
        self.strict, self.cost, self.passed = False, 0, {here}
        for step in _list(walk["steps"], "the steps of a walk"):
            if step is None:
                require(here % 2 == 0, "a duration leads from the start of an event")
                here, self.strict = here + 1, True
            else:
                require(0 <= _integer(step, "a step") < len(item.relations), f"no relation {step}")
                p, sign, q = item.relations[step]
                if sign[0] == ">" or (sign == "=" and here == q):
                    p, q = q, p
                require(here == p, f"relation {step} does not go on where the walk is")
                here, self.strict, self.cost = q, self.strict or sign in ("<", ">"), self.cost + 1
            self.passed.add(here)
        self.last = here

    def derives(self, need: Need) -> bool:
        """Whether the walk derives a need."""
        same = self.first == need.lower and self.last == need.upper
        return same and (self.strict or not need.strict)


class Timeline:
    """A monotone timeline: no step leads to an earlier instant."""

    def __init__(self, item: Item, value: object) -> None:
        pairs, points, loose = _list(value, "a timeline"), item.points, set[int]()
        try:
            at = {points[name]: instant for name, instant in pairs}
        except (KeyError, TypeError, ValueError):
            raise RejectedError("a timeline has pairs of a point and an instant") from None
        require(len(at) == len(pairs) == len(points), "each point has one instant")
        require(set(map(type, at.values())) == {int}, "an instant is no whole number")
        for p, strict, q, _ in item.steps:
            if at[p] >= at[q]:
                require(at[p] == at[q], "a timeline is not monotone")
                if strict:
                    loose.add(at[p])
        self.at, self.loose = at, loose

    def separates(self, pairs: list[tuple[int, int]]) -> bool:
        """Whether each instant that a pair of points shares is tight."""
        return all(self.at[p] != self.at[q] or self.at[p] not in self.loose for p, q in pairs)

    def refutes(self, need: Need) -> bool:
        """Whether the timeline is a counterexample: the need cannot be derived."""
        lower, upper = self.at[need.lower], self.at[need.upper]
        return upper < lower or (need.strict and upper == lower and lower not in self.loose)


class Distances:
    """Lower bounds for the relations on walks from a point, which no step improves."""

    def __init__(self, item: Item, value: object) -> None:
        table = _object(value, {"from", "beyond", "near"}, "a table of distances")
        source, near = item.point(table["from"]), _list(table["near"], "distances")
        require(all(type(row) is list and len(row) == 3 for row in near), "distances are triples")
        beyond = _integer(table["beyond"], "a distance")
        loose, strict = [beyond] * len(item.points), [beyond] * len(item.points)
        for name, least, least_strict in near:
            point = item.point(name)
            loose[point] = _integer(least, "a distance")
            strict[point] = _integer(least_strict, "a distance")
        require(loose[source] <= 0, "a point is at no distance from itself")
        for p, is_strict, q, cost in item.steps:
            least = strict[q] if is_strict else loose[q]
            if strict[q] > strict[p] + cost or least > loose[p] + cost:
                raise RejectedError("a step improves a distance")
        self.source, self.strict, self.any = source, strict, list(map(min, loose, strict))

    def bound(self, need: Need) -> int:
        """A lower bound for the relations on a walk that derives a need."""
        return (self.strict if need.strict else self.any)[need.upper]


# --- The verdict ----------------------------------------------------------------------------------


def check_verdict(item: Item, verdict: object, policy: object, certificate: object) -> None:
    """Reject a verdict that a certificate does not prove."""
    stated = _object(verdict, {"status", "label", "consistent", "hops"}, "the verdict")
    parts = _object(certificate, {"walks", "cycle", "timelines", "distances"}, "the certificate")
    status, consistent = stated["status"], stated["consistent"]
    require(type(consistent) is bool, "whether the premise is consistent is not stated")
    walks = [Walk(item, part) for part in _list(parts["walks"], "the walks")]
    lines = [Timeline(item, part) for part in _list(parts["timelines"], "the timelines")]
    tables = [Distances(item, part) for part in _list(parts["distances"], "the distances")]
    cycle = None if parts["cycle"] is None else Walk(item, parts["cycle"])
    opposites = [Need(upper, not strict, lower) for lower, strict, upper in item.needs]
    if consistent:
        require(cycle is None, "a consistent premise has no closed walk")
        require(any(not line.loose for line in lines), "no timeline is a model of the premise")
    else:
        closed = cycle and cycle.first == cycle.last and cycle.strict
        require(closed, "no closed strict walk shows that the premise is inconsistent")
    if status != "contradictory":
        apart = any(line.separates(item.pairs) for line in lines)
        require(apart, "no timeline keeps the points of the claim apart")
    if status == "entailed":
        proved = len(walks) == len(item.needs) and all(map(Walk.derives, walks, item.needs))
        require(proved, "the walks do not derive the requirements of the claim")
    elif status == "refuted":
        proved = len(walks) == 1 and any(map(walks[0].derives, opposites))
        require(proved, "no walk derives the opposite of a requirement")
    elif status == "unknown":
        fails = any(line.refutes(need) for need in item.needs for line in lines)
        require(fails, "no timeline shows that the claim cannot be derived")
        holds = all(any(line.refutes(need) for line in lines) for need in opposites)
        require(holds and not walks, "no timeline shows that the claim cannot be refuted")
    else:
        require(status == "contradictory", "the status is unknown")
        through = cycle and any(cycle.passed.issuperset(pair) for pair in item.pairs)
        require(through and not walks, "the closed walk does not pass two points of the claim")
        walks += [cycle] if cycle else []
    if status == "unknown":
        require(stated["hops"] is None, "an open claim has no hops")
    else:
        hops = _integer(stated["hops"], "hops")
        require(max(walk.cost for walk in walks) <= hops, "there are fewer hops")
        require(_least(item, status, hops, tables), "the distances do not show that many hops")
    if policy != "published":  # A procedure and no logic: its label is not proved.
        undefined = status == "contradictory" or (policy == "global" and not consistent)
        label = "undefined" if undefined else "true" if status == "entailed" else "false"
        require(stated["label"] == label, f"the label is {label}")


def _least(item: Item, status: str, hops: int, tables: list[Distances]) -> bool:
    """Whether tables of distances show that no proof of a status has fewer hops."""

    def far(goal: Need) -> bool:
        return hops == 0 or any(t.source == goal.lower and t.bound(goal) >= hops for t in tables)

    if status == "entailed":
        return any(map(far, item.needs))
    if status == "refuted":
        return all(far(Need(upper, not strict, lower)) for lower, strict, upper in item.needs)

    def around(p: int, q: int) -> bool:
        if p == q:
            return far(Need(p, True, p))
        trips = ((t, u) for t in tables for u in tables if (t.source, u.source) == (p, q))
        return any(min(t.strict[q] + u.any[p], t.any[q] + u.strict[p]) >= hops for t, u in trips)

    return all(around(*pair) for pair in item.pairs)


# --- The files ------------------------------------------------------------------------------------


def check_row(row: object) -> None:
    """Reject a line, read as JSON, that does not prove its verdict."""
    if type(row) is not dict or not row.keys() >= ROW:
        raise RejectedError(f"a line needs the fields {', '.join(sorted(ROW))}")
    if row["verdict"] is None and row["certificate"] is None:
        return  # No verdict is given for a text that could not be read.
    for name, values in CHOICES.items():
        require(type(row[name]) is str and row[name] in values, f"the {name} is unknown")
    texts = all(type(row[name]) is str for name in ("id", "premise", "claim"))
    require(texts, "id, premise and claim are strings")
    stated = read_texts(row["premise"], row["claim"], row["domain"], row["spatial"])
    check_verdict(Item(stated), row["verdict"], row["policy"], row["certificate"])


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a name occurs twice in an object")
    return dict(pairs)


def _object(value: object, names: set[str], what: str) -> dict[str, Any]:
    if type(value) is not dict or value.keys() != names:
        raise RejectedError(f"{what} has the fields {', '.join(sorted(names))}")
    return value


def _list(value: object, what: str) -> list[Any]:
    if type(value) is not list:
        raise RejectedError(f"{what}: not an array")
    return value


def _integer(value: object, what: str = "a constant") -> int:
    if type(value) is not int:
        raise RejectedError(f"{what} is no whole number: {value!r:.40}")
    return value


def check_file(path: str) -> Iterator[tuple[int, str, str | None]]:
    """Number, id and fault of each line; the fault is None if its verdict is proved."""
    with Path(path).open("rb") as file:
        for number, line in enumerate(file, 1):
            name, fault = f"line {number}", None
            try:
                row = json.loads(line, parse_constant=_integer, object_pairs_hook=_unique)
                name = str(row.get("id", name)) if type(row) is dict else name
                check_row(row)
            except RejectedError as error:
                fault = str(error)
            except (ValueError, RecursionError) as error:
                fault = f"not a line of JSON: {error}"
            yield number, name, fault


def main(arguments: list[str]) -> int:
    """Check files; returns the exit status."""
    as_json, paths = "--json" in arguments[:1], [arg for arg in arguments if arg != "--json"]
    if not paths or paths[0].startswith("-"):
        sys.stderr.write("usage: check.py [--json] items.jsonl ...\n")
        return 2
    items, reasons = 0, dict[str, list[str]]()
    try:
        for path in paths:
            for number, name, fault in check_file(path):
                items += 1
                if fault is not None:
                    reasons.setdefault(name, []).append(f"{path}:{number}: {fault}")
    except OSError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    rejected = sum(map(len, reasons.values()))
    report = {"items": items, "rejected": rejected, "reasons": reasons}
    shown = [f"{fault} (item {name})\n" for name, faults in reasons.items() for fault in faults]
    shown.append(f"{items:,} items, {rejected:,} rejected\n")
    sys.stdout.writelines(
        [json.dumps(report, indent=2, sort_keys=True), "\n"] if as_json else shown
    )
    return 1 if rejected else 0


# --- Tables ---------------------------------------------------------------------------------------

ROW = {"id", "premise", "claim", "domain", "spatial", "policy", "verdict", "certificate"}
CHOICES = {
    "domain": ("temporal", "spatial", "logical"),
    "spatial": ("geometric", "published"),
    "policy": ("local", "global", "published"),
}

PHRASES: dict[str, dict[str, tuple[str, ...]]] = {
    "temporal": {
        "<": (
            "happened before the",
            "occurred before the",
            "took place prior to the",
            "happened earlier than the",
            "preceded the",
            "came before the",
            "unfolded ahead of the",
            "transpired before the",
            "occurred in advance of the",
            "happened sooner than the",
            "took place earlier than the",
            "fell before the",
            "fell earlier than the",
            "was earlier than the",
            "was prior to the",
            "lay ahead of the",
            "arrived before the",
            "arrived sooner than the",
            "was reached before the",
            "was recorded before the",
            "was dated before the",
        ),
        ">": (
            "happened after the",
            "occurred following the",
            "took place subsequent to the",
            "transpired after the",
            "came after the",
            "unfolded in the wake of the",
            "happened later than the",
            "succeeded the",
            "occurred as a result of the",
            "followed in the aftermath of the",
            "occurred later than the",
            "took place later than the",
            "unfolded after the",
            "fell after the",
            "fell later than the",
            "was later than the",
            "was subsequent to the",
            "lay beyond the",
            "arrived after the",
            "arrived later than the",
            "was reached after the",
            "was recorded after the",
            "was dated after the",
            "was noted after the",
            "ensued once the … had happened",
        ),
        "=": (
            "happened simultaneous to the",
            "occurred simultaneously with the",
            "took place at the same time as the",
            "happened concurrently with",
            "unfolded together with",
            "coincided with the",
            "happened in parallel with the",
            "occurred in unison with the",
            "happened at the exact same moment as",
            "was synchronized with the",
            "took place concurrently with",
            "fell at the same time as the",
            "fell together with the",
            "was simultaneous with the",
            "was concurrent with the",
            "lay at the same instant as the",
            "arrived at the same time as the",
            "arrived together with the",
            "was reached at the same moment as the",
            "was recorded at the same moment as the",
            "was dated to the same moment as the",
        ),
        "before": ("happens before",),
        "after": ("happens after",),
        "overlaps": ("overlaps with",),
        "allen_precedes": ("happens strictly before",),
        "allen_meets": ("happens directly before",),
        "allen_overlaps": ("overlaps the beginning of",),
        "allen_finished_by": ("ends with but starts before",),
        "allen_contains": ("happens strictly around",),
        "allen_starts": ("starts with but ends before",),
        "allen_equals": ("starts and ends with",),
        "allen_started_by": ("starts with but ends after",),
        "allen_during": ("happens strictly within",),
        "allen_finishes": ("ends with but starts after",),
        "allen_overlapped_by": ("overlaps the ending of",),
        "allen_met_by": ("happens directly after",),
        "allen_preceded_by": ("happens strictly after",),
    },
    "spatial": {
        "<": (
            "is located to the west of",
            "is westwards of",
            "is to the west of",
            "lies to the west of",
            "lies west of",
            "is situated west of",
            "is found west of",
            "is further west than",
            "lies further west than",
            "stands to the west of",
            "is placed west of",
            "is positioned to the west of",
            "can be found to the west of",
            "sits west of",
            "sits to the west of",
            "runs west of",
            "runs further west than",
            "is more westerly than",
            "is marked west of",
            "is mapped to the west of",
        ),
        ">": (
            "is located to the east of",
            "is eastwards of",
            "is to the east of",
            "lies to the east of",
            "lies east of",
            "is situated east of",
            "is found east of",
            "is further east than",
            "lies further east than",
            "stands to the east of",
            "is placed east of",
            "is positioned to the east of",
            "can be found to the east of",
            "sits east of",
            "sits to the east of",
            "runs east of",
            "runs further east than",
            "is more easterly than",
            "is marked east of",
            "is mapped to the east of",
        ),
        "=": (
            "is on the same longitude as",
            "is on the same meridian as",
            "lies on the same longitude as",
            "lies on the same meridian as",
            "stands on the same longitude as",
            "stands on the same meridian as",
            "has the same longitude as",
            "is as far west as",
            "is as far east as",
            "shares its longitude with",
            "is placed on the same longitude as",
            "is placed on the same meridian as",
            "sits on the same longitude as",
            "sits on the same meridian as",
            "runs along the same longitude as",
            "runs along the same meridian as",
            "is marked on the same longitude as",
            "is mapped on the same meridian as",
            "lies level in longitude with",
            "is aligned in longitude with",
        ),
        "before": (
            "is completely west of",
            "is completely to the west of",
        ),
        "after": (
            "is completely east of",
            "is completely to the east of",
        ),
        "overlaps": ("shares at least one longitude with",),
        "allen_precedes": ("is strictly west of",),
        "allen_meets": ("is directly west of",),
        "allen_overlaps": ("overlaps the western part of",),
        "allen_finished_by": ("reaches as far east as but further west than",),
        "allen_contains": ("reaches further both ways than",),
        "allen_starts": ("begins as far west as but ends west of",),
        "allen_equals": ("covers the same longitudes as",),
        "allen_started_by": ("begins as far west as but reaches further east than",),
        "allen_during": ("is strictly within the longitudes of",),
        "allen_finishes": ("reaches as far east as but begins east of",),
        "allen_overlapped_by": ("overlaps the eastern part of",),
        "allen_met_by": ("is directly east of",),
        "allen_preceded_by": ("is strictly east of",),
    },
    "logical": {
        "<": ("<",),
        ">": (">",),
        "=": ("=",),
        "before": ("<",),
        "after": (">",),
        "overlaps": ("=",),
        "allen_precedes": ("precedes",),
        "allen_meets": ("meets",),
        "allen_overlaps": ("overlaps",),
        "allen_finished_by": ("finished_by",),
        "allen_contains": ("contains",),
        "allen_starts": ("starts",),
        "allen_equals": ("equals",),
        "allen_started_by": ("started_by",),
        "allen_during": ("during",),
        "allen_finishes": ("finishes",),
        "allen_overlapped_by": ("overlapped_by",),
        "allen_met_by": ("met_by",),
        "allen_preceded_by": ("preceded_by",),
    },
}

# The claims in comparisons of points: start or end of the first event, sign, of the second event.
CLAIMS = {
    "before": "e<=s",
    "after": "s>=e",
    "overlaps": "s<e e>s",
    "allen_precedes": "e<s",
    "allen_preceded_by": "s>e",
    "allen_meets": "e=s",
    "allen_met_by": "s=e",
    "allen_overlaps": "s<s e>s e<e",
    "allen_overlapped_by": "s>s s<e e>e",
    "allen_starts": "s=s e<e",
    "allen_started_by": "s=s e>e",
    "allen_finishes": "s>s e=e",
    "allen_finished_by": "s<s e=e",
    "allen_during": "s>s e<e",
    "allen_contains": "s<s e>e",
    "allen_equals": "s=s e=e",
}

# Words that may precede a full stop within a name, besides initials.
ABBREVIATION = re.compile(
    "St|Ste|Sta|Sto|Mt|Mts|Ft|Pt|Dr|Mr|Mrs|Ms|Jr|Sr|Prof|Rev|Hon|Fr|Gen|Col|Maj|Capt|Lt|Cpl|Sgt|"
    "Adm|Cmdr|Brig|Gov|Pres|Sen|Rep|Bros|Co|Corp|Inc|Ltd|Dept|Univ|Assn|No|Nos|Nr|Vol|Op|vs|ca|"
    "etc|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"
)

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
