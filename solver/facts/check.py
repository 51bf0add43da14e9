"""Checks a forecast of future facts by its certificates, with nothing but this file.

    python check.py FOLDER

Each fact must follow by its rule from the facts that it cites, which are earlier ones of the
history or of the forecast: see docs/certificates.md. FOLDER is written by ``forecast``. Exit
status: 0 if every fact is proved, 1 if one is not, 2 if a file cannot be read.

``verify`` and ``forecast`` give their own facts and rules to ``certificate_faults``.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias


class RejectedError(Exception):
    """A fact is not proved; with the kind of the fault."""

    def __init__(self, reason: str, code: str = "") -> None:
        super().__init__(reason)
        self.code = code


def require(condition: object, reason: str, code: str = "unsupported") -> None:
    """Reject the fact unless a condition holds."""
    if not condition:
        raise RejectedError(reason, code)


Fact: TypeAlias = tuple[str, str, str, int]  # subject, relation, object, day
Row: TypeAlias = Mapping[str, Any]


class Atom(NamedTuple):
    """A relation between two variables."""

    relation: str
    left: str
    right: str


Rule: TypeAlias = tuple[Atom, ...]  # The body, and then the head.


class Background:
    """What certificates are checked against.

    Args:
        known: facts of the history and of the forecast.
        rules: the rules, as in ``rules.jsonl``; None if only groundings are checked.
        relations: names of the relations of the rules, by id.
        roles: the role rules, as in ``role_rules.jsonl``.
        window: days before a fact within which cited facts may lie; 0 for all.
    """

    def __init__(
        self,
        known: Iterable[Fact],
        *,
        rules: Sequence[Row] | None = None,
        relations: Sequence[str] = (),
        roles: Sequence[Row] = (),
        window: int = 0,
    ) -> None:
        self.known, self.rules, self.relations = frozenset(known), rules, relations
        self.roles, self.window = roles, window

    @cached_property
    def named(self) -> dict[tuple[str, int, str], list[Fact]]:
        """The facts of a relation with an entity as their subject (0) or object (2)."""
        found: dict[tuple[str, int, str], list[Fact]] = {}
        for fact in self.known:
            found.setdefault((fact[1], 0, fact[0]), []).append(fact)
            found.setdefault((fact[1], 2, fact[2]), []).append(fact)
        return found


class Forecast(NamedTuple):
    """A folder."""

    facts: list[Fact]
    history: list[Fact]
    background: Background
    config: dict[str, Any]


# --- The files ------------------------------------------------------------------------------------


def read_forecast(folder: Path) -> Forecast:
    """Read a folder.

    Raises:
        ValueError: a file has another form; also OSError, KeyError and TypeError.
    """
    manifest = json.loads((folder / "manifest.json").read_bytes())
    facts, history = (
        [(s, r, o, _day(day)) for s, r, o, day in _table(folder / name)]
        for name in ("facts.tsv", "history.tsv")
    )
    rules, roles = _json_lines(folder / "rules.jsonl"), []
    if (folder / "role_rules.jsonl").is_file():
        roles = _json_lines(folder / "role_rules.jsonl")
    relations = manifest["relations"]
    for row in rules:
        _integer(row["rule_support"]), _integer(row["body_support"])
        _rule(row, relations)
    background = Background(
        (*facts, *history),
        rules=rules,
        relations=relations,
        roles=roles,
        window=_integer(manifest["config"]["window"]),
    )
    return Forecast(facts, history, background, manifest["config"])


def _json_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _table(path: Path) -> Iterator[list[str]]:
    for line in path.read_text("utf-8").split("\n"):
        if line:
            yield line.split("\t")


def _day(text: object) -> int:
    if type(text) is not str or not re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        raise ValueError(f"{text!r:.40} is no day")
    return date.fromisoformat(text).toordinal()


def _integer(value: object) -> int:
    if type(value) is not int:
        raise ValueError(f"{value!r:.40} is no whole number")
    return value


def _rule(row: Row, relations: Sequence[str]) -> Rule:
    """A rule in numbers: a walk of the body from one end of the head to the other."""
    places = [str(at) for at in range(len(row["body"]) + 1)]
    for group in row["same"]:
        for at in group:
            places[at] = str(group[0])

    def atom(number: int, left: str, right: str) -> Atom:
        backwards, relation = divmod(_integer(number), len(relations))
        return Atom(relations[relation], *((right, left) if backwards else (left, right)))

    walk = zip(row["body"], places, places[1:], strict=False)
    return _renamed(
        (*(atom(*walk_row) for walk_row in walk), atom(row["head"], places[0], places[-1]))
    )


def read_rule(text: object) -> Rule:
    """Read ``hosts(A, B) <- visits(B, A)``."""
    if type(text) is not str:
        raise RejectedError(f"has {text!r:.80}, which is no rule", "unsupported")
    return _read_rule(text)


@lru_cache(maxsize=4096)
def _read_rule(text: str) -> Rule:
    if not RULE.fullmatch(text) or text.count(" <- ") != 1:
        raise RejectedError(f"has {text!r:.80}, which is no rule", "unsupported")
    head, body = text.split(" <- ")
    return _renamed(tuple(Atom(*value) for value in ATOM.findall(f"{body}, {head}, ")))


def _renamed(rule: Rule) -> Rule:
    """The rule with variables numbered in order of first appearance."""
    names: dict[str, str] = {}

    def name(variable: str) -> str:
        return names.setdefault(variable, str(len(names)))

    return tuple(Atom(atom.relation, name(atom.left), name(atom.right)) for atom in rule)


# --- The certificates -----------------------------------------------------------------------------


def certificate_faults(
    background: Background, row: Row, fact: Fact, cited: Sequence[Fact]
) -> Iterator[tuple[str, str]]:
    """Code and reason of what a certificate does not show of a known fact, or has wrong.

    Args:
        background: facts and rules.
        row: the line as JSON.
        fact: the fact of the line.
        cited: the facts of its grounding.
    """
    by_roles = row.get("role_rule") is not None
    try:
        if by_roles:
            check_role(background, row, fact, cited)
        else:
            check_grounding(background, row["rule"], fact, cited)
            if background.rules is None:
                return
            check_rule(background, row)
    except RejectedError as error:
        yield error.code, str(error)
        return
    if by_roles:
        role = background.roles[row["role_rule"]]
        for place, end in role["single"]:
            entity = fact[0] if place == "subject" else fact[2]
            if _occupied(background, fact, entity, ENDS[end], role["ended_by"]):
                yield "occupied", f"starts although the {place} is not free"
                break
    yield from _confidence_faults(background, row)


def check_grounding(
    background: Background, rule: object, fact: Fact, cited: Sequence[Fact]
) -> None:
    """Reject a fact that does not follow by a rule from the cited facts."""
    *body, head = read_rule(rule)
    end = head.left
    for atom in body:
        require(end in atom[1:], f"has the rule {rule!r:.80}, which {NO_WALK}")
        end = atom.right if end == atom.left else atom.left
    require(end == head.right, f"has the rule {rule!r:.80}, which {NO_WALK}")
    for row in cited:
        require(row in background.known, f"cites {_written(row)}, which is unknown")
        require(cited.count(row) == 1, f"cites {_written(row)} more than once", "repeated-fact")
    require(len(cited) == len(body), f"{NOT_BY_RULE}: {len(cited)} for a body of {len(body)}")
    bound: dict[str, str] = {}
    for atom, row in zip((*body, head), (*cited, fact), strict=True):
        right = row[1] == atom.relation
        for variable, entity in ((atom.left, row[0]), (atom.right, row[2])):
            right = right and bound.setdefault(variable, entity) == entity
        require(right, f"{NOT_BY_RULE}: {_written(row)} does not match it")
    days = [row[3] for row in (*cited, fact)]
    in_order = days == sorted(days) and days[-2] < days[-1]
    require(in_order, f"{NOT_BY_RULE}: they are not in order of time, before it")
    window = background.window
    require(not window or days[0] >= days[-1] - window, f"{NOT_BY_RULE}: one is before the window")


def check_rule(background: Background, row: Row) -> None:
    """Reject a rule that is not the one of its number."""
    number, rules = row.get("rule_number"), background.rules or ()
    there = type(number) is int and 0 <= number < len(rules)
    expected = f"expected 0 to {len(rules) - 1}"
    require(there, f"has rule number {number!r:.20}, {expected}", "unknown-rule")
    rule = _rule(rules[number or 0], background.relations)
    other = f"states another rule than number {number}, {_rule_text(rule)}"
    require(read_rule(row["rule"]) == rule, other, "other-rule")


def check_role(background: Background, row: Row, fact: Fact, cited: Sequence[Fact]) -> None:
    """Reject a fact whose entities do not fill the roles of its rule."""
    number, roles = row["role_rule"], background.roles
    there = type(number) is int and 0 <= number < len(roles)
    expected = f"expected 0 to {len(roles) - 1}"
    require(there, f"has role rule {number!r:.20}, {expected}", "unknown-rule")
    text = roles[number]["rule"]
    other = f"states another rule than role rule {number}, {text}"
    require(row["rule"] == text, other, "other-rule")
    for cited_row in cited:
        require(cited_row in background.known, f"cites {_written(cited_row)}, which is unknown")
    require(len(cited) == 2, f"cites {len(cited)} facts, expected two")
    *body, head = read_rule(text)
    require(fact[1] == head.relation, f"is no fact of {head.relation}")
    for cited_row, role, variable, entity in zip(
        cited, body, (head.left, head.right), (fact[0], fact[2]), strict=True
    ):
        filler = cited_row[0] if role.left == variable else cited_row[2]
        right = cited_row[1] == role.relation and variable in role[1:] and filler == entity
        require(right, f"cites {_written(cited_row)}, by which {entity} does not fill its role")
        require(cited_row[3] < fact[3], f"cites {_written(cited_row)}, which is not earlier")
        window = background.window
        in_window = not window or cited_row[3] >= fact[3] - window
        require(in_window, f"cites {_written(cited_row)}, which is before the window")


def _confidence_faults(background: Background, row: Row) -> Iterator[tuple[str, str]]:
    """Confidences that are not those of the rule; that of a role rule is also the fact's."""
    if row.get("role_rule") is not None:
        (some, among), (others, among_others) = background.roles[row["role_rule"]]["counts"]
        right = some * others / (among * among_others)
        names: tuple[str, ...] = ("rule_confidence", "confidence")
    else:
        rule = (background.rules or ())[row["rule_number"]]
        right = rule["rule_support"] / max(rule["body_support"], 1)
        names = ("rule_confidence",)
    for name in names:
        stated = row.get(name)
        if type(stated) not in (int, float) or not abs(stated - right) <= 10**-DECIMALS:
            noun, expected = name.replace("_", " "), round(right, DECIMALS)
            yield f"wrong-{noun.replace(' ', '-')}", f"has {noun} {stated}, expected {expected}"


def _occupied(
    background: Background, fact: Fact, entity: str, end: int, closing: str | None
) -> bool:
    """Whether another fact of the relation occupies an entity at an end on the fact's day."""
    for other in background.named.get((fact[1], end, entity), ()):
        if other != fact and other[3] <= fact[3]:
            named = background.named.get((closing or "", 0, other[0]), ())
            ends = [row[3] for row in named if row[2] == other[2] and row[3] >= other[3]]
            if not ends or min(ends) >= fact[3]:
                return True
    return False


def _written(fact: Fact) -> str:
    return f"({', '.join(fact[:3])}, {date.fromordinal(fact[3])})"


def _rule_text(rule: Rule) -> str:
    head, *body = (
        f"{atom.relation}({LETTERS[int(atom.left)]}, {LETTERS[int(atom.right)]})"
        for atom in _renamed((rule[-1], *rule[:-1]))
    )
    return f"{head} <- {', '.join(body)}"


# --- The facts ------------------------------------------------------------------------------------


def check_fact(forecast: Forecast, row: object) -> Fact:
    """Reject a line, read as JSON, whose fact does not follow; returns the fact."""
    if type(row) is not dict or not row.keys() >= ROW:
        raise RejectedError(f"a line needs the fields {', '.join(sorted(ROW))}")
    fact = _fact([row[name] for name in ("subject", "relation", "object", "date")])
    begin, end = (_day(forecast.config[name]) for name in ("begin", "end"))
    require(begin <= fact[3] <= end, "the fact is outside the days of the forecast")
    if type(row["grounding"]) is not list:
        raise RejectedError("the grounding is no array")
    cited = [_fact(value) for value in row["grounding"]]
    require(fact in forecast.background.known, f"{_written(fact)} is not known")
    for code, reason in certificate_faults(forecast.background, row, fact, cited):
        raise RejectedError(reason, code)
    return fact


def _fact(value: object) -> Fact:
    if type(value) is not list or len(value) != 4 or not all(type(name) is str for name in value):
        raise RejectedError(f"{value!r:.80} is no fact")
    try:
        return value[0], value[1], value[2], _day(value[3])
    except ValueError as error:
        raise RejectedError(str(error)) from None


def incoherent(forecast: Forecast) -> dict[int, str]:
    """What is wrong with facts among all others, by their number in the forecast.

    Nothing starts while it is open, and nothing ends that has ended, or that is not known to have
    started unless this is allowed.
    """
    found: dict[int, str] = {}
    marked = [(fact[3], 0, -1, fact) for fact in forecast.history]
    marked += [(fact[3], 1, number, fact) for number, fact in enumerate(forecast.facts)]
    latest: dict[tuple[str, str, str], str] = {}
    for _, _, number, (subject, relation, target, _) in sorted(marked, key=lambda row: row[:3]):
        bound = BOUND.fullmatch(relation)
        if bound:
            chain = subject, bound[2], target
            before = latest.get(chain)
            latest[chain] = bound[1]
            if number >= 0 and before == bound[1]:
                found[number] = f"a fact that {'is open' if before == 'start' else 'has ended'}"
            unknown = bound[1] == "end" and before is None and not forecast.config["unknown"]
            if number >= 0 and unknown:
                found[number] = "the end of what has not started"
    return found


def check_file(path: str, _data: Iterable[str] = ()) -> Iterator[tuple[str, str, str | None]]:
    """Place, name and fault of each file and fact of a folder."""
    folder = Path(path)
    forecast = read_forecast(folder)
    manifest = json.loads((folder / "manifest.json").read_bytes())
    for name, digest in manifest["outputs"].items():
        found = (folder / name).is_file() and hashlib.sha256((folder / name).read_bytes())
        right = found and found.hexdigest() == digest
        yield str(folder / name), name, None if right else "the checksum is not the manifest's"
    config = forecast.config
    schema = config["schema"] is not None or not config["coherent"]
    wrong = {} if schema else incoherent(forecast)
    certified = set[Fact]()
    lines = (folder / "facts.jsonl").read_text("utf-8").splitlines()
    for number, line in enumerate(lines):
        fault = None
        try:
            fact = check_fact(forecast, json.loads(line))
            require(fact in set(forecast.facts[number : number + 1]), "facts.tsv has another fact")
            require(fact not in certified, "the fact occurs twice")
            certified.add(fact)
            require(number not in wrong, wrong.get(number, ""))
        except RejectedError as error:
            fault = str(error)
        except (ValueError, RecursionError) as error:
            fault = f"not a line of JSON: {error}"
        yield f"{folder / 'facts.jsonl'}:{number + 1}", f"fact {number}", fault
    for number in range(len(lines), len(forecast.facts)):
        yield f"{folder / 'facts.tsv'}:{number + 1}", f"fact {number}", "it has no certificate"


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


ROW = {"subject", "relation", "object", "date", "rule", "rule_confidence", "grounding"}
ENDS = {"subject": 0, "object": 2}
ATOM = re.compile(r"(.+?)\(([A-Z]), ([A-Z])\), ")
RULE = re.compile(r".+?\([A-Z], [A-Z]\) <- .+?\([A-Z], [A-Z]\)(?:, .+?\([A-Z], [A-Z]\))*")
BOUND = re.compile(r"(start|end)([^\Wa-z_].*)", re.DOTALL)
DECIMALS = 6
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
NOT_BY_RULE = "does not follow by its rule from the cited facts"
NO_WALK = "does not lead from the subject to the object"
UNREADABLE = (ValueError, KeyError, TypeError, IndexError, AttributeError)

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
