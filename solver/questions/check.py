"""Checks questions over a temporal knowledge graph, with nothing but this file.

    python check.py FOLDER --data GRAPH

The answers of each question must be exactly those that the graph entails, and its certificate must
show each of them: see docs/certificates.md. FOLDER is one of ``generate questions``, or a file of
it; GRAPH has one fact per line, by names or by ids with maps. Exit status: 0 if every question is
proved, 1 if one is not, 2 if a file cannot be read.

``verify`` gives its own graph to ``certificate_faults``: that no answer is missing is what its
engines decide.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from decimal import ROUND_FLOOR, Decimal
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias


class RejectedError(Exception):
    """A question is not proved."""


def require(condition: object, reason: str) -> None:
    """Reject the question unless a condition holds."""
    if not condition:
        raise RejectedError(reason)


Fact: TypeAlias = tuple[str, str, str, str]
Row: TypeAlias = Mapping[str, Any]


class Rule(NamedTuple):
    """A rule with one body atom; relations are ids, inverses beyond the others."""

    head: int
    body: int
    confidence: int  # in 1/10,000
    body_support: int


class Graph:
    """The facts of all splits, and the rules.

    Args:
        facts: each once.
        relations: names of the relations, by id.
        moments: the number of each time; by default that of its day or digits.
    """

    def __init__(
        self,
        facts: Iterable[Fact],
        relations: Sequence[str],
        moments: Mapping[str, int] | None = None,
    ) -> None:
        self.facts, self.relations, self._moments = frozenset(facts), relations, moments
        self.triples = {fact[:3] for fact in self.facts}
        self.splits = defaultdict[str, set[str]](set)
        self.step = 1
        self.rules: list[Rule | None] = []
        self.folds: list[tuple[int, int, int, int]] | None = None

    @cached_property
    def at(self) -> defaultdict[str, list[Fact]]:
        """The facts of each time."""
        found = defaultdict[str, list[Fact]](list)
        for fact in self.facts:
            found[fact[3]].append(fact)
        return found

    def moment(self, time: str) -> int:
        """The number of a time, in steps."""
        if self._moments is not None:
            return self._moments[time]
        return (int(time) if time.isdigit() else date.fromisoformat(time).toordinal()) // self.step

    def counting(self, time: str) -> range:
        """The rows of the rules that count for questions of a time."""
        if self.folds is None:
            return range(len(self.rules))
        now = self.moment(time)
        for begin, end, first, rules in self.folds:
            if begin <= now <= end:
                return range(first, first + rules)
        return range(0)

    def add_rule(self, row: Row) -> None:
        """Add a rule, read as JSON; one that leads from no single fact counts for nothing."""
        single = len(row["body"]) == 1 and not row["same"] and row["head"] < len(self.relations)
        support, bodies = _integer(row["rule_support"]), _integer(row["body_support"])
        rule = Rule(row["head"], row["body"][0], 10_000 * support // max(bodies, 1), bodies)
        self.rules.append(rule if single else None)


# --- The files ------------------------------------------------------------------------------------


def read_graph(path: Path) -> Graph:
    """Read a graph: a folder with a file per split, or one file.

    Raises:
        ValueError: it has another form; also OSError and KeyError.
    """
    path.stat()  # Not an empty graph if there is none.
    rows: list[tuple[str, list[str]]] = []
    for split in SPLITS if path.is_dir() else ("train",):
        stems = [path / f"{split}{end}" for end in (".txt", ".tsv")] if path.is_dir() else [path]
        files = (file for stem in stems for file in (stem, Path(f"{stem}.gz")) if file.is_file())
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
    order = sorted(ids, key=lambda identifier: int(identifier) if numbered else identifier)
    steps = sorted(int(name) for name in times)
    named = bool(times) and not next(iter(times.values())).isdigit()
    step = steps[1] - steps[0] if len(steps) > 1 and not named else 1
    graph = Graph((fact for _, fact in facts), [ids[name] for name in order])
    graph.step = step
    for split, fact in facts:
        graph.splits[fact[3]].add(split)
    return graph


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
            graph.add_rule(json.loads(line))
    table = _found(folder, "rule_folds.tsv")
    if table is not None:
        rows = [line.split("\t") for line in _lines(table)][1:]
        graph.folds = [
            (graph.moment(begin), graph.moment(end), int(first), int(rules))
            for begin, end, first, rules in rows
        ]


def _found(folder: Path, name: str) -> Path | None:
    return next((path for path in (folder / name, folder / f"{name}.gz") if path.is_file()), None)


def _integer(value: object) -> int:
    if type(value) is not int:
        raise ValueError(f"{value!r:.40} is no whole number")
    return value


# --- The certificates -----------------------------------------------------------------------------


def certificate_faults(graph: Graph, row: Row) -> Iterator[str]:
    """What a question's certificate does not show of its answers, or what it has wrong.

    Args:
        graph: the facts and rules.
        row: the fields of a question as in its file, arrays also as tuples, all of the right types.
            The query has as many triples as its kind, with their variables.
    """
    shown_by, kind, answers = row.get("certificate") or {}, row["kind"], row["answers"]
    own_kind = KINDS[kind]
    if kind == "yes-unknown" and list(answers) != ["yes"]:
        own_kind = ("source",)
    others = [name for name in PARTS if name not in own_kind and shown_by.get(name)]
    if others:
        yield f"found {' and '.join(others)}, expected {' and '.join(own_kind)} only"
    if kind == "fact-reasoning":
        yield from _reasoning_faults(graph, row, shown_by)
    elif kind == "yes-unknown":
        yield from _yes_unknown_faults(graph, row, shown_by)
    else:
        yield from _entity_faults(graph, row, shown_by)


def _entity_faults(graph: Graph, row: Row, shown_by: Row) -> Iterator[str]:
    answers, query = row["answers"], row["query"]
    facts, hops = [tuple(fact) for fact in shown_by.get("facts") or ()], len(query)
    if len(facts) != hops * len(answers):
        expected = f"{hops * len(answers)}, {hops} for each answer"
        yield f"found {len(facts)} facts, expected {expected}"
        return
    for number, answer in enumerate(answers):
        behind = facts[hops * number : hops * (number + 1)]
        absent = [fact for fact in behind if fact not in graph.facts]
        if absent:
            yield f"{_written(absent[0])}, cited for {answer}, is not in the graph"
        elif not _shows(query, behind, answer, row["time"]):
            yield f"{', '.join(map(_written, behind))} does not entail {answer}"


def _shows(
    query: Sequence[Sequence[str]], behind: Sequence[Sequence[str]], answer: str, time: str
) -> bool:
    """Whether facts instantiate the query, with the answer and one party for its variables."""
    subject, _, target = query[0]
    party = behind[0][0] if subject == PARTY else behind[0][2] if target == PARTY else None
    marks = {ASKED: answer, PARTY: party}
    for (subject, relation, target), fact in zip(query, behind, strict=True):
        if fact != (marks.get(subject, subject), relation, marks.get(target, target), time):
            return False
    named = {entity for entity in query[0][::2] if entity != PARTY}
    return party is None or len({answer, party} | named) == 3


def _yes_unknown_faults(graph: Graph, row: Row, shown_by: Row) -> Iterator[str]:
    triple = tuple(row["query"][0])
    asked = (*triple, row["time"])
    if list(row["answers"]) == ["yes"]:
        if [tuple(fact) for fact in shown_by.get("facts") or ()] != [asked]:
            yield f"expected {_written(asked)} only"
        elif asked not in graph.facts:
            yield f"{_written(asked)} is not in the graph"
        return
    if not shown_by.get("source"):
        yield "found no source fact"
        return
    source = tuple(shown_by["source"])
    if source not in graph.facts:
        yield f"the source fact {_written(source)} is not in the graph"
    changed = sum(name != other for name, other in zip(source, triple, strict=False))
    if changed != 1 or source[3] != row["time"]:
        yield f"{_written(source)} and {_written(asked)} differ in {changed} names, expected one"
    if triple in graph.triples:
        yield f"the graph has {' '.join(triple)} at some time"


def _reasoning_faults(graph: Graph, row: Row, shown_by: Row) -> Iterator[str]:
    triple, time = tuple(row["query"][0]), row["time"]
    values, rules = shown_by.get("contributions") or (), shown_by.get("rules") or ()
    choices = [tuple(choice["fact"]) for choice in row.get("choices", ())]
    if not len(values) == len(rules) == len(choices) == len(LETTERS):
        yield f"expected {len(LETTERS)} contributions and rules, one for each choice"
        return
    counting, now = graph.counting(time), graph.moment(time)
    for letter, choice, number, stated in zip(LETTERS, choices, rules, values, strict=True):
        if choice not in graph.facts:
            yield f"choice {letter}, {_written(choice)}, is not in the graph"
        elif number not in counting:
            yield f"rule {number} does not count for questions of {time}"
        elif not _leads(graph, number, choice, triple):
            yield f"rule {number} does not lead from choice {letter} to {' '.join(triple)}"
        else:
            right = _contribution(graph.rules[number], now - graph.moment(choice[3]))
            if right != stated:
                yield f"choice {letter} contributes {right}, the file has {stated}"
    most = max(zip(values, LETTERS, strict=True))[1]
    if list(row["answers"]) != [most]:
        yield f"choice {most} contributes most, the answer is {row['answers'][0]}"


def _leads(graph: Graph, number: int, fact: Sequence[str], triple: Sequence[str]) -> bool:
    """Whether a rule with one body atom, in either direction, leads from a fact to a triple."""
    rule = graph.rules[number]
    if rule is None or triple[0] == triple[2] or graph.relations[rule.head] != triple[1]:
        return False
    backwards, body = divmod(rule.body, len(graph.relations))
    ends = (triple[2], triple[0]) if backwards else (triple[0], triple[2])
    return fact[0] == ends[0] and fact[1] == graph.relations[body] and fact[2] == ends[1]


def _contribution(rule: Rule | None, age: int) -> int:
    """What a fact contributes by a rule to one that is later by an age."""
    if rule is None or age <= 0 or rule.body_support < 2 or rule.confidence < 100:
        return 0
    return rule.confidence * decay(age) // 100


@lru_cache(maxsize=4096)
def decay(age: int) -> int:
    """exp(-age / 10) in 1/100,000, rounded down."""
    return int((100_000 * (Decimal(-age) / 10).exp()).to_integral_value(rounding=ROUND_FLOOR))


def _written(fact: Sequence[str]) -> str:
    return f"({', '.join(fact)})"


# --- The questions --------------------------------------------------------------------------------


def check_question(graph: Graph, row: object) -> None:
    """Reject a question, read as JSON, whose answers are not exactly the entailed ones."""
    if type(row) is not dict or not row.keys() >= ROW:
        raise RejectedError(f"a question needs the fields {', '.join(sorted(ROW))}")
    query = [_strings(triple, 3) for triple in _list(row["query"])]
    answers, time, kind = _strings(row["answers"]), row["time"], row["kind"]
    require(type(time) is str, "the time is no string")
    require(graph.splits.get(time) == {row["split"]}, "the time is not in this split, or in two")
    require(type(kind) is str and kind in KINDS, "the kind is unknown")
    require(len(query) == 1 + (kind == "2-hop"), "the query has another number of triples")
    require(answers, "there is no answer")
    _typed(row["certificate"])
    choices = [_fact(choice["fact"]) for choice in _list(row.get("choices", []))]
    for fault in certificate_faults(graph, row):
        raise RejectedError(fault)
    if kind == "fact-reasoning":
        _most(graph, row, query[0], choices)
    else:
        check_answers(graph, kind, query, time, answers)


def check_answers(
    graph: Graph, kind: str, query: list[list[str]], time: str, answers: list[str]
) -> None:
    """Reject answers that are not exactly the entailed ones, of any kind but fact reasoning."""
    if kind == "1-hop":
        _all_answered(answers, _one_hop(graph, time, query))
    elif kind == "2-hop":
        _all_answered(answers, _two_hop(graph, time, query))
    elif answers == ["yes"]:
        require((*query[0], time) in graph.facts, "what is asked is not in the graph")
    else:
        require(answers == ["unknown"], "the answer is yes or unknown")
        require(tuple(query[0]) not in graph.triples, "what is asked is in the graph")


def _typed(certificate: object) -> None:
    """Reject a certificate with parts of other types."""
    if type(certificate) is not dict:
        raise RejectedError("the certificate is no object")
    for name, value in certificate.items():
        if not value:
            continue
        require(name in PARTS, f"the certificate has the field {name}")
        if name == "source":
            _fact(value)
        elif name == "facts":
            for fact in _list(value):
                _fact(fact)
        else:
            numbers = all(type(number) is int for number in _list(value))
            require(numbers, f"the {name} are no whole numbers")


def _one_hop(graph: Graph, time: str, query: list[list[str]]) -> set[str]:
    """All answers that the facts of a time entail."""
    (triple,) = query
    require((triple[0] == ASKED) != (triple[2] == ASKED), "the query has one answer")
    return {_answer(triple, fact) for fact in graph.at[time] if _fits(triple, fact)}


def _two_hop(graph: Graph, time: str, query: list[list[str]]) -> set[str]:
    """All answers that the facts of a time entail."""
    given, asked = query
    ends = [sorted(triple[::2]) for triple in query]
    require(PARTY in ends[0] and ASKED not in ends[0], "the first triple has the party")
    require(ends[1] == sorted((ASKED, PARTY)), "the second triple has party and answer")
    entity = given[0] if given[2] == PARTY else given[2]
    require(entity != PARTY, "the first triple has the named entity")

    def party(triple: list[str], fact: Fact) -> str:
        return fact[0] if triple[0] == PARTY else fact[2]

    def named(fact: Fact) -> bool:
        return fact[1] == given[1] and (fact[2] if given[0] == PARTY else fact[0]) == entity

    now = graph.at[time]
    parties = {party(given, fact) for fact in now if named(fact)} - {entity}
    return {
        answer
        for fact in now
        if fact[1] == asked[1] and party(asked, fact) in parties
        for answer in [_answer(asked, fact)]
        if answer not in (entity, party(asked, fact))
    }


def _most(graph: Graph, row: dict[str, Any], triple: list[str], choices: list[Fact]) -> None:
    """Reject choices that are not apart, or that contribute more by another rule."""
    values, now = row["certificate"]["contributions"], graph.moment(row["time"])
    require(len(set(choices)) == len(LETTERS), "two choices are the same")
    for letter, choice, stated in zip(LETTERS, choices, values, strict=True):
        age = now - graph.moment(choice[3])
        most = max(
            _contribution(graph.rules[number], age)
            for number in graph.counting(row["time"])
            if _leads(graph, number, choice, triple)
        )
        require(0 < stated == most, f"choice {letter} contributes {most}")
    require(not _twins(choices), "two choices report one event")
    require(triple not in [list(choice[:3]) for choice in choices], "a choice is what is asked")
    second, first = sorted(values)[-2:]
    require(5 * second <= 3 * first, "the second choice contributes over 60% of the first")
    order = "".join(sorted(LETTERS, key=lambda letter: -values[LETTERS.index(letter)]))
    require(len(set(values)) == len(LETTERS), "two choices contribute the same")
    require(row.get("order") == order, f"the order is {order}")


def _twins(choices: list[Fact]) -> bool:
    """Whether two facts have the same day and entities, in either order."""
    events = [(choice[3], frozenset((choice[0], choice[2]))) for choice in choices]
    return len(set(events)) < len(events)


def _fits(triple: list[str], fact: Fact) -> bool:
    return all(term in (ASKED, other) for term, other in zip(triple, fact, strict=False))


def _answer(triple: list[str], fact: Fact) -> str:
    return fact[0] if triple[0] == ASKED else fact[2]


def _all_answered(answers: list[str], found: set[str]) -> None:
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
    right = all(type(text) is str for text in found) and size in (None, len(found))
    require(right, f"{value!r:.80} is no array of {size or ''} strings")
    return found


def _fact(value: object) -> Fact:
    return tuple(_strings(value, 4))  # type: ignore[return-value]


def check_file(path: str, data: Iterable[str] = ()) -> Iterator[tuple[str, str, str | None]]:
    """Place, id and fault of each question; the fault is None if it is proved.

    Raises:
        ValueError: not one graph is named, or a file has another form; also OSError and KeyError.
    """
    yield from check_rows(path, read_data(path, data), check_question)


def read_data(path: str, data: Iterable[str]) -> Graph:
    """The graph that the questions of a file or folder are about, with their rules.

    Raises:
        ValueError: not one graph is named, or a file has another form; also OSError and KeyError.
    """
    graphs = list(data)
    if len(graphs) != 1:
        raise ValueError("name the graph of the questions (--data GRAPH)")
    graph, given = read_graph(Path(graphs[0])), Path(path)
    read_rules(graph, given if given.is_dir() else given.parent)
    return graph


def check_rows(
    path: str, graph: Graph, decide: Callable[[Graph, object], None]
) -> Iterator[tuple[str, str, str | None]]:
    """As ``check_file``, where ``decide`` rejects a question, as ``check_question`` does."""
    given = Path(path)
    folder = given if given.is_dir() else given.parent
    every = (_found(folder, f"{split}.jsonl") for split in SPLITS) if folder == given else (given,)
    ids, asked, counts = set[str](), set[str](), Counter[str]()
    for file in filter(None, every):
        for number, line in enumerate(_lines(file), 1):
            name, fault = f"line {number}", None
            counts[file.name.partition(".")[0]] += 1
            try:
                row = json.loads(line)
                name = str(row.get("id", name)) if type(row) is dict else name
                decide(graph, row)
                key = json.dumps((row["kind"], row["query"], row["time"]))
                require(name not in ids and key not in asked, "an earlier question has this query")
                ids.add(name)
                asked.add(key)
            except RejectedError as error:
                fault = str(error)
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                fault = f"no question: {error!r}"
            yield f"{file}:{number}", name, fault
    stated = folder / "statistics.json"
    if folder == given and stated.is_file():
        kinds = json.loads(stated.read_bytes())["questions"].values()
        for split in SPLITS:
            number = sum(splits.get(split, 0) for splits in kinds)
            if number != counts[split]:
                yield str(stated), "rows", f"it states {number} of {split}, found {counts[split]}"


def main(arguments: list[str]) -> int:
    """Check questions; returns the exit status."""
    if len(arguments) != 3 or arguments[1] != "--data":
        sys.stderr.write("usage: check.py FOLDER --data GRAPH\n")
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
PARTS = ("facts", "source", "contributions", "rules")
KINDS = {
    "1-hop": ("facts",),
    "2-hop": ("facts",),
    "yes-unknown": ("facts",),
    "fact-reasoning": ("contributions", "rules"),
}
UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, EOFError)

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
