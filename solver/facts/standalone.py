"""Checks a forecast of future facts by its certificates, with nothing but this file.

    python standalone.py FOLDER

Each fact must follow by its rule from the facts that it cites, which are earlier ones of the
history or of the forecast: see docs/certificates.md. FOLDER is written by ``forecast``. Exit
status: 0 if every fact is proved, 1 if one is not, 2 if a file cannot be read.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias


class RejectedError(Exception):
    """A fact is not proved."""


def require(condition: object, reason: str) -> None:
    """Reject the fact unless a condition holds."""
    if not condition:
        raise RejectedError(reason)


Fact: TypeAlias = tuple[str, str, str, int]  # subject, relation, object, day


class Atom(NamedTuple):
    """A relation between two variables."""

    relation: str
    left: str
    right: str


Rule: TypeAlias = tuple[Atom, ...]  # The body, and then the head.


class Forecast(NamedTuple):
    """A folder.

    ``known`` has the facts of the history and of the forecast; ``rules`` the rules with their
    rule support and body support; ``roles`` the role rules; ``named`` the facts of a relation with
    an entity as their subject (0) or object (2).
    """

    facts: list[Fact]
    history: list[Fact]
    known: set[Fact]
    rules: list[tuple[Rule, int, int]]
    roles: list[dict[str, Any]]
    named: dict[tuple[str, int, str], list[Fact]]
    config: dict[str, Any]


# --- The files ------------------------------------------------------------------------------------


def read_forecast(folder: Path) -> Forecast:
    """Read a folder.

    Raises:
        ValueError: a file has another form; also OSError, KeyError and TypeError.
    """
    manifest = json.loads((folder / "manifest.json").read_bytes())
    relations, rules = manifest["relations"], []
    for line in (folder / "rules.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        counts = _integer(row["rule_support"]), _integer(row["body_support"])
        rules.append((_rule(row, relations), *counts))
    facts, history = (
        [(s, r, o, _day(day)) for s, r, o, day in _table(folder / name)]
        for name in ("facts.tsv", "history.tsv")
    )
    path = folder / "role_rules.jsonl"
    lines = path.read_text("utf-8").splitlines() if path.is_file() else []
    roles = [json.loads(line) for line in lines]
    known = {*facts, *history}
    named: dict[tuple[str, int, str], list[Fact]] = {}
    for fact in known:
        for end in (0, 2):
            named.setdefault((fact[1], end, str(fact[end])), []).append(fact)
    return Forecast(facts, history, known, rules, roles, named, manifest["config"])


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


def _rule(row: dict[str, Any], relations: list[str]) -> Rule:
    """A rule in numbers: a walk of the body from one end of the head to the other."""
    places = [str(at) for at in range(len(row["body"]) + 1)]
    for group in row["same"]:
        for at in group:
            places[at] = str(group[0])

    def atom(number: int, left: str, right: str) -> Atom:
        backwards, relation = divmod(_integer(number), len(relations))
        return Atom(relations[relation], *((right, left) if backwards else (left, right)))

    walk = zip(row["body"], places, places[1:], strict=False)
    return _renamed((*(atom(*one) for one in walk), atom(row["head"], places[0], places[-1])))


def read_rule(text: object) -> Rule:
    """Read ``hosts(A, B) <- visits(B, A)``."""
    if type(text) is not str or not RULE.fullmatch(text):
        raise RejectedError(f"{text!r:.80} is no rule")
    head, body = text.split(" <- ")
    return _renamed(tuple(Atom(*one) for one in ATOM.findall(f"{body}, {head}, ")))


def _renamed(rule: Rule) -> Rule:
    """The rule with variables numbered in order of first appearance."""
    names: dict[str, str] = {}

    def name(one: str) -> str:
        return names.setdefault(one, str(len(names)))

    return tuple(Atom(one.relation, name(one.left), name(one.right)) for one in rule)


# --- The facts ------------------------------------------------------------------------------------


def check_fact(forecast: Forecast, row: object) -> Fact:
    """Reject a line, read as JSON, whose fact does not follow; returns the fact."""
    if type(row) is not dict or not row.keys() >= ROW:
        raise RejectedError(f"a line needs the fields {', '.join(sorted(ROW))}")
    fact = _fact([row[name] for name in ("subject", "relation", "object", "date")])
    begin, end = (_day(forecast.config[name]) for name in ("begin", "end"))
    require(begin <= fact[3] <= end, "the fact is outside the days of the forecast")
    if "role_rule" in row:
        check_role(forecast, fact, row)
        return fact
    rule, number = read_rule(row["rule"]), row.get("rule_number")
    if type(number) is not int or not 0 <= number < len(forecast.rules):
        raise RejectedError(f"there is no rule {number!r:.20}")
    known, support, bodies = forecast.rules[number]
    require(rule == known, f"the rule is not rule {number}")
    stated = row["rule_confidence"]
    require(type(stated) in (int, float), "the confidence of the rule is no number")
    require(abs(stated - support / max(bodies, 1)) <= 1e-6, "the confidence of the rule is another")
    if type(row["grounding"]) is not list:
        raise RejectedError("the grounding is no array")
    cited = [_fact(one) for one in row["grounding"]]
    require(len(cited) == len(rule) - 1, "there is not one fact for each of the body")
    require(len(set(cited)) == len(cited), "a fact is cited twice")
    bound: dict[str, str] = {}
    for atom, one in zip(rule, (*cited, fact), strict=True):
        require(one in forecast.known, f"{one[:3]} is not known")
        require(one[1] == atom.relation, f"{one[:3]} is no fact of {atom.relation}")
        for variable, entity in ((atom.left, one[0]), (atom.right, one[2])):
            require(bound.setdefault(variable, entity) == entity, "a variable is two entities")
    days = [one[3] for one in (*cited, fact)]
    require(days == sorted(days) and days[-2] < days[-1], "the facts are not in order of time")
    window = _integer(forecast.config["window"])
    require(not window or days[0] >= days[-1] - window, "a fact is outside the window")
    return fact


def check_role(forecast: Forecast, fact: Fact, row: dict[str, Any]) -> None:
    """Reject a fact whose entities do not fill the roles of its rule, or are not free."""
    number = row["role_rule"]
    there = type(number) is int and 0 <= number < len(forecast.roles)
    require(there, f"there is no role rule {number!r:.20}")
    known = forecast.roles[number]
    require(row["rule"] == known["rule"], f"the rule is not role rule {number}")
    (one, ones), (other, others) = known["counts"]
    right = one * other / (ones * others)
    for name in ("confidence", "rule_confidence"):
        require(type(row[name]) in (int, float), f"the {name} is no number")
        require(abs(row[name] - right) <= 1e-6, f"the {name} is another")
    *roles, head = read_rule(known["rule"])
    require(type(row["grounding"]) is list and len(row["grounding"]) == 2, "it cites not two facts")
    require(fact[1] == head.relation, f"the fact is none of {head.relation}")
    window = _integer(forecast.config["window"])
    for value, role, variable, entity in zip(
        row["grounding"], roles, (head.left, head.right), (fact[0], fact[2]), strict=True
    ):
        cited = _fact(value)
        require(cited in forecast.known, f"{cited[:3]} is not known")
        require(cited[1] == role.relation, f"{cited[:3]} is no fact of {role.relation}")
        require(cited[3] < fact[3], "a cited fact is not earlier")
        require(not window or cited[3] >= fact[3] - window, "a fact is outside the window")
        filler = cited[0] if role.left == variable else cited[2]
        require(variable in role[1:] and filler == entity, f"{cited[:3]} does not name {entity}")
    for place, end in known["single"]:
        entity = fact[0] if place == "subject" else fact[2]
        taken = _occupied(forecast, fact, entity, ENDS[end], known["ended_by"])
        require(not taken, f"the {place} is not free")


def _occupied(forecast: Forecast, fact: Fact, entity: str, end: int, closing: str | None) -> bool:
    """Whether another fact of the relation occupies an entity at an end on the fact's day."""
    for other in forecast.named.get((fact[1], end, entity), ()):
        if other != fact and other[3] <= fact[3]:
            named = forecast.named.get((closing or "", 0, other[0]), ())
            ends = [one[3] for one in named if one[2] == other[2] and one[3] >= other[3]]
            if not ends or min(ends) >= fact[3]:
                return True
    return False


def _fact(value: object) -> Fact:
    if type(value) is not list or len(value) != 4 or not all(type(one) is str for one in value):
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
    for _, _, number, (subject, relation, target, _) in sorted(marked, key=lambda one: one[:3]):
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
        sys.stderr.write("usage: standalone.py FOLDER ...\n")
        return 2
    count = rejected = 0
    try:
        for where, name, fault in (one for path in arguments for one in check_file(path)):
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
UNREADABLE = (ValueError, KeyError, TypeError, IndexError, AttributeError)

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
