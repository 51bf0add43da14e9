"""Checks questions over a temporal knowledge graph, with nothing but this file.

    python standalone.py FOLDER --data GRAPH

The answers of each question must be exactly those that the graph entails, and its certificate must
show each of them: see docs/certificates.md. FOLDER is one of ``generate questions``, or a file of
it; GRAPH has one fact per line, by names or by ids with maps. Exit status: 0 if every question is
proved, 1 if one is not, 2 if a file cannot be read.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date
from decimal import ROUND_FLOOR, Decimal
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias


class RejectedError(Exception):
    """A question is not proved."""


def require(condition: object, reason: str) -> None:
    """Reject the question unless a condition holds."""
    if not condition:
        raise RejectedError(reason)


Triple: TypeAlias = tuple[str, str, str]
Fact: TypeAlias = tuple[str, str, str, str]


class Rule(NamedTuple):
    """A rule with one body atom; relations are ids, inverses beyond the others."""

    head: int
    body: int
    confidence: int  # in 1/10,000
    body_support: int


class Graph:
    """The facts of all splits, and the rules."""

    def __init__(self, facts: list[tuple[str, Fact]], relations: list[str], step: int) -> None:
        self.relations, self.step = relations, step
        self.facts = {fact for _, fact in facts}
        self.triples = {fact[:3] for _, fact in facts}
        self.splits, self.at = defaultdict[str, set[str]](set), defaultdict[str, list[Fact]](list)
        for split, fact in facts:
            self.splits[fact[3]].add(split)
        for fact in self.facts:
            self.at[fact[3]].append(fact)
        self.rules: list[Rule | None] = []
        self.folds: list[tuple[int, int, int, int]] | None = None

    def moment(self, time: str) -> int:
        """The number of a time, in steps."""
        return (int(time) if time.isdigit() else date.fromisoformat(time).toordinal()) // self.step

    def counting(self, time: str) -> range:
        """The rows of the rules that count for questions of a time."""
        if self.folds is None:
            return range(len(self.rules))
        now = self.moment(time)
        spans = (range(a, a + n) for begin, end, a, n in self.folds if begin <= now <= end)
        return next(spans, range(0))


# --- The files ------------------------------------------------------------------------------------


def read_graph(path: Path) -> Graph:
    """Read a graph: a folder with a file per split, or one file.

    Raises:
        ValueError: it has another form; also OSError and KeyError.
    """
    rows: list[tuple[str, list[str]]] = []
    for split in SPLITS if path.is_dir() else ("train",):
        stems = [path / f"{split}{end}" for end in (".txt", ".tsv")] if path.is_dir() else [path]
        files = (one for stem in stems for one in (stem, Path(f"{stem}.gz")) if one.is_file())
        for line in _lines(next(files, None)):
            cells = line.split("\t") if "\t" in line else line.split()
            if len(cells) < 4:
                raise ValueError(f"no fact: {line[:80]!r}")
            rows.append((split, [cell.strip() for cell in cells[:4]]))
    if rows and rows[0][1][:4] == ["head", "relation", "tail", "time"]:
        rows.pop(0)
    maps = [_names(path, stem) if path.is_dir() else {} for stem in MAPS]
    numbered = all(cell.isdigit() for _, cells in rows for cell in cells[:3])
    entities, kinds, times = maps if numbered else ({}, {}, {})
    facts = [
        (split, (entities.get(s, s), kinds.get(r, r), entities.get(o, o), times.get(t, t)))
        for split, (s, r, o, t) in rows
    ]
    ids = kinds or {cells[1]: cells[1] for _, cells in rows}
    order = sorted(ids, key=lambda one: int(one) if numbered else one)
    steps = sorted(int(one) for one in times)
    named = bool(times) and not next(iter(times.values())).isdigit()
    step = steps[1] - steps[0] if len(steps) > 1 and not named else 1
    return Graph(facts, [ids[one] for one in order], step)


def _names(folder: Path, stem: str) -> dict[str, str]:
    """Names by ids."""
    if (folder / f"{stem}.json").is_file():
        found = json.loads((folder / f"{stem}.json").read_bytes())
        return {str(number): name for name, number in found.items()}
    file = folder / f"{stem}.txt"
    rows = [line.split("\t") for line in _lines(file if file.is_file() else None)]
    return {row[1].strip(): row[0] for row in rows if len(row) > 1}


def _lines(path: Path | None) -> Iterator[str]:
    if path is not None:
        data = path.read_bytes()
        text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8-sig")
        yield from (line for line in text.replace("\r\n", "\n").split("\n") if line.strip())


def read_rules(graph: Graph, folder: Path) -> None:
    """Read the rules of a folder of questions, and the times for which they count."""
    for name in RULES:
        for line in _lines(_found(folder, name)):
            row = json.loads(line)
            single = (
                len(row["body"]) == 1 and not row["same"] and row["head"] < len(graph.relations)
            )
            support, bodies = _integer(row["rule_support"]), _integer(row["body_support"])
            rule = Rule(row["head"], row["body"][0], 10_000 * support // max(bodies, 1), bodies)
            graph.rules.append(rule if single else None)
    table = _found(folder, "rule_folds.tsv")
    if table is not None:
        rows = [line.split("\t") for line in _lines(table)][1:]
        graph.folds = [
            (graph.moment(begin), graph.moment(end), int(first), int(rules))
            for begin, end, first, rules in rows
        ]


def _found(folder: Path, name: str) -> Path | None:
    return next((one for one in (folder / name, folder / f"{name}.gz") if one.is_file()), None)


def _integer(value: object) -> int:
    if type(value) is not int:
        raise ValueError(f"{value!r:.40} is no whole number")
    return value


# --- The questions --------------------------------------------------------------------------------


def check_question(graph: Graph, row: object) -> None:
    """Reject a question, read as JSON, whose answers are not exactly the entailed ones."""
    if type(row) is not dict or not row.keys() >= ROW:
        raise RejectedError(f"a question needs the fields {', '.join(sorted(ROW))}")
    query = [_strings(one, 3) for one in _list(row["query"])]
    answers, time, kind = _strings(row["answers"]), row["time"], row["kind"]
    shown_by = row["certificate"]
    require(type(shown_by) is dict and type(time) is str, "time or certificate have another type")
    require(graph.splits.get(time) == {row["split"]}, "the time is not in this split, or in two")
    check = KINDS.get(kind if type(kind) is str else "")
    if check is None:
        raise RejectedError("the kind is unknown")
    own, check_kind = check
    if kind == "yes-unknown" and answers == ["unknown"]:
        own = {"source"}
    parts = {name for name, value in shown_by.items() if value}
    require(parts == own, f"the certificate has the fields {', '.join(sorted(own))}")
    check_kind(graph, row, query, answers)


def _one_hop(graph: Graph, row: dict[str, Any], query: list[list[str]], answers: list[str]) -> None:
    require(len(query) == 1, "the query has one triple")
    (triple,) = query
    require((triple[0] == ASKED) != (triple[2] == ASKED), "the query has one answer")
    found = {_answer(triple, fact) for fact in graph.at[row["time"]] if _fits(triple, fact)}
    _answered(answers, found)
    facts = [_fact(one) for one in _list(row["certificate"]["facts"])]
    require(len(facts) == len(answers), "there is one fact for each answer")
    for fact, answer in zip(facts, answers, strict=True):
        shown = _known(graph, fact, row["time"]) and _fits(triple, fact)
        require(shown and _answer(triple, fact) == answer, f"no fact shows {answer}")


def _two_hop(graph: Graph, row: dict[str, Any], query: list[list[str]], answers: list[str]) -> None:
    require(len(query) == 2, "the query has two triples")
    given, asked = query
    ends = [sorted(one[::2]) for one in query]
    require(PARTY in ends[0] and ASKED not in ends[0], "the first triple has the party")
    require(ends[1] == sorted((ASKED, PARTY)), "the second triple has party and answer")
    entity = given[0] if given[2] == PARTY else given[2]
    require(entity != PARTY, "the first triple has the named entity")

    def party(triple: list[str], fact: Fact) -> str:
        return fact[0] if triple[0] == PARTY else fact[2]

    def named(fact: Fact) -> bool:
        return fact[1] == given[1] and (fact[2] if given[0] == PARTY else fact[0]) == entity

    now = graph.at[row["time"]]
    parties = {party(given, one) for one in now if named(one)} - {entity}
    found = {
        answer
        for one in now
        if one[1] == asked[1] and party(asked, one) in parties
        for answer in [_answer(asked, one)]
        if answer not in (entity, party(asked, one))
    }
    _answered(answers, found)
    facts = [_fact(one) for one in _list(row["certificate"]["facts"])]
    require(len(facts) == 2 * len(answers), "there are two facts for each answer")
    for answer, first, second in zip(answers, facts[::2], facts[1::2], strict=True):
        known = all(_known(graph, one, row["time"]) for one in (first, second))
        shown = known and named(first) and second[1] == asked[1]
        between = party(given, first) == party(asked, second)
        distinct = len({entity, answer, party(asked, second)}) == 3
        same = shown and between and distinct and _answer(asked, second) == answer
        require(same, f"no two facts show {answer}")


def _yes_unknown(
    graph: Graph, row: dict[str, Any], query: list[list[str]], answers: list[str]
) -> None:
    require(len(query) == 1 and answers in (["yes"], ["unknown"]), "the answer is yes or unknown")
    triple = query[0]
    if answers == ["yes"]:
        fact = (*triple, row["time"])
        require(fact in graph.facts, "the fact is not in the graph")
        require(row["certificate"]["facts"] == [list(fact)], "the certificate is the fact")
        return
    require(tuple(triple) not in graph.triples, "the graph has the triple at some time")
    source = _fact(row["certificate"]["source"])
    require(_known(graph, source, row["time"]), "the source is not in the graph on that day")
    changed = sum(one != other for one, other in zip(source, triple, strict=False))
    require(changed == 1, "the source differs in one name")


def _reasons(graph: Graph, row: dict[str, Any], query: list[list[str]], answers: list[str]) -> None:
    require(len(query) == 1, "the query has one triple")
    choices = [_fact(one["fact"]) for one in _list(row["choices"])]
    values, rules = row["certificate"]["contributions"], row["certificate"]["rules"]
    sizes = {len(choices), len(_list(values)), len(_list(rules)), len(set(choices))}
    require(sizes == {len(LETTERS)}, "there are four different choices, each with its rule")
    for letter, choice, stated, number in zip(LETTERS, choices, values, rules, strict=True):
        require(choice in graph.facts, f"choice {letter} is not in the graph")
        age = graph.moment(row["time"]) - graph.moment(choice[3])
        require(age > 0, f"choice {letter} is not earlier than the question")
        every = _contributions(graph, tuple(query[0]), choice, age, graph.counting(row["time"]))  # type: ignore[arg-type]
        require(type(number) is int and number in every, f"the rule of choice {letter} is no such")
        right = type(stated) is int and 0 < stated == every[number] == max(every.values())
        require(right, f"choice {letter} contributes {max(every.values())}")
    require(not _twins(choices), "two choices report one event")
    require(list(query[0]) not in [list(one[:3]) for one in choices], "a choice is what is asked")
    most = sorted(values)[-2:]
    require(5 * most[0] <= 3 * most[1], "the second choice contributes over 60% of the first")
    order = sorted(LETTERS, key=lambda letter: -values[LETTERS.index(letter)])
    require(len(set(values)) == len(LETTERS), "two choices contribute the same")
    require(row.get("order") == "".join(order), f"the order is {''.join(order)}")
    require(answers == order[:1], f"choice {order[0]} contributes most")


def _twins(choices: list[Fact]) -> bool:
    """Whether two facts have the same day and entities, in either order."""
    events = [(one[3], frozenset((one[0], one[2]))) for one in choices]
    return len(set(events)) < len(events)


def _contributions(
    graph: Graph, triple: Triple, fact: Fact, age: int, rows: range
) -> dict[int, int]:
    """What a fact contributes to another by each rule that counts."""
    (subject, relation, target), found = triple, dict[int, int]()
    for number in rows:
        rule = graph.rules[number]
        if rule is None or rule.confidence < 100 or rule.body_support < 2 or subject == target:
            continue
        inverse, body = divmod(rule.body, len(graph.relations))
        ends = (target, subject) if inverse else (subject, target)
        leads = fact[:3] == (ends[0], graph.relations[body], ends[1])
        if leads and graph.relations[rule.head] == relation:
            found[number] = rule.confidence * decay(age) // 100
    return found


@cache
def decay(age: int) -> int:
    """exp(-age / 10) in 1/100,000, rounded down."""
    return int((100_000 * (Decimal(-age) / 10).exp()).to_integral_value(rounding=ROUND_FLOOR))


def _fits(triple: list[str], fact: Fact) -> bool:
    return all(one in (ASKED, other) for one, other in zip(triple, fact, strict=False))


def _answer(triple: list[str], fact: Fact) -> str:
    return fact[0] if triple[0] == ASKED else fact[2]


def _known(graph: Graph, fact: Fact, time: str) -> bool:
    return fact in graph.facts and fact[3] == time


def _answered(answers: list[str], found: set[str]) -> None:
    wrong, lacking = sorted(set(answers) - found), sorted(found - set(answers))
    require(not wrong, f"{wrong[:1]} is not entailed")
    require(not lacking, f"{lacking[:1]} is missing")
    require(answers and answers == sorted(found), "the answers are none, unsorted or repeated")


def _list(value: object) -> list[Any]:
    if type(value) is not list:
        raise RejectedError(f"{value!r:.40} is no array")
    return value


def _strings(value: object, size: int | None = None) -> list[str]:
    found = _list(value)
    right = all(type(one) is str for one in found) and size in (None, len(found))
    require(right, f"{value!r:.80} is no array of {size or ''} strings")
    return found


def _fact(value: object) -> Fact:
    return tuple(_strings(value, 4))  # type: ignore[return-value]


def check_file(path: str, data: Iterable[str] = ()) -> Iterator[tuple[str, str, str | None]]:
    """Place, id and fault of each question; the fault is None if it is proved.

    Raises:
        ValueError: not one graph is named, or a file has another form; also OSError and KeyError.
    """
    graphs = list(data)
    if len(graphs) != 1:
        raise ValueError("name the graph of the questions (--data GRAPH)")
    graph, given = read_graph(Path(graphs[0])), Path(path)
    folder = given if given.is_dir() else given.parent
    read_rules(graph, folder)
    every = (_found(folder, f"{split}.jsonl") for split in SPLITS) if folder == given else (given,)
    ids, asked = set[str](), set[str]()
    for file in filter(None, every):
        for number, line in enumerate(_lines(file), 1):
            name, fault = f"line {number}", None
            try:
                row = json.loads(line)
                name = str(row.get("id", name)) if type(row) is dict else name
                check_question(graph, row)
                key = json.dumps((row["kind"], row["query"], row["time"]))
                require(name not in ids and key not in asked, "an earlier question has this query")
                ids.add(name)
                asked.add(key)
            except RejectedError as error:
                fault = str(error)
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                fault = f"no question: {error!r}"
            yield f"{file}:{number}", name, fault


def main(arguments: list[str]) -> int:
    """Check questions; returns the exit status."""
    if len(arguments) != 3 or arguments[1] != "--data":
        sys.stderr.write("usage: standalone.py FOLDER --data GRAPH\n")
        return 2
    count = rejected = 0
    try:
        for where, name, fault in check_file(arguments[0], arguments[2:]):
            count, rejected = count + 1, rejected + (fault is not None)
            if fault is not None:
                sys.stdout.write(f"{where}: {fault} (item {name})\n")
    except (OSError, *UNREADABLE) as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    sys.stdout.write(f"{count:,} items, {rejected:,} rejected\n")
    return 1 if rejected else 0


ASKED, PARTY, LETTERS = "?answer", "?party", "ABCD"
SPLITS = ("train", "valid", "test")
MAPS = ("entity2id", "relation2id", "ts2id")
RULES = ("rules.jsonl", "rules_train.jsonl")
ROW = {"id", "kind", "split", "time", "text", "query", "answers", "certificate"}
KINDS = {
    "1-hop": ({"facts"}, _one_hop),
    "2-hop": ({"facts"}, _two_hop),
    "yes-unknown": ({"facts"}, _yes_unknown),
    "fact-reasoning": ({"contributions", "rules"}, _reasons),
}
UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, EOFError)

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
