"""Forges what other kinds write, and checks it: ``python -m tests.campaigns.forged_kinds``.

Forgery ``n`` of a kind is a hash of the seed and ``n``: a way of forging that makes the data wrong
whatever is drawn, such as an answer that is missing, or a support that is no fact. The manifest
gets the checksums of what the folder then contains. ``check`` has to reject it.

``--write`` writes the counts by kind and way to ``benchmarks/results``.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from inspect import isfunction
from pathlib import Path
from typing import Any, TypeAlias

from benchmarks.reproduction import RESULTS
from grammar.errors import HopcheckError
from solver.cli.check import check
from solver.io.writing import write_json
from tests.campaigns.edits import EXAMPLES, called, digests, make
from tests.campaigns.journal import campaign

TARGET = RESULTS / "forged-kinds.json"
SHARD = 250
_ROUNDS = 100
_RULE = "blames(A, B) <- allies(C, A), sanctions(B, C)"
_LABELS = ("BEFORE", "AFTER", "INCLUDES", "IS_INCLUDED", "SIMULTANEOUS")

Row: TypeAlias = dict[str, Any]
Rows: TypeAlias = list[Row]


class NothingError(Exception):
    """What was drawn cannot be forged in this way."""


class Forger:
    """Forges one copy of a data set.

    Args:
        home: the data sets.
        folder: the copy.
        draw: source of randomness.
    """

    kind = ""
    manifest = True

    def __init__(self, home: Path, folder: Path, draw: random.Random) -> None:
        self.home, self.folder, self.draw = home, folder, draw

    @classmethod
    def ways(cls) -> list[str]:
        """The ways of forging."""
        named = [name for name, value in vars(cls).items() if isfunction(value) and name[0] != "_"]
        return [name for name in named if name not in ("data", "path")]

    @classmethod
    def make(cls, home: Path) -> None:
        """Make the data set in a folder of its kind."""
        make(home, [cls.kind])

    def path(self) -> Path:
        """What is checked."""
        return self.folder

    def data(self) -> tuple[str, ...]:
        """What it is about."""
        return ()

    def _one(self, rows: Sequence[Any], *, least: int = 1) -> Any:
        if len(rows) < least:
            raise NothingError
        return self.draw.choice(rows)

    def _other(self, values: Sequence[Any], *but: Any) -> Any:
        return self._one([value for value in values if value not in but])

    def _read(self, name: str) -> Rows:
        lines = (self.folder / name).read_text(encoding="utf-8").split("\n")
        return [json.loads(line) for line in lines if line]

    def _write(self, name: str, rows: Rows) -> None:
        lines = (json.dumps(row, sort_keys=True, ensure_ascii=False) + "\n" for row in rows)
        (self.folder / name).write_text("".join(lines), encoding="utf-8")

    def _table(self, name: str) -> list[list[str]]:
        lines = (self.folder / name).read_text(encoding="utf-8").split("\n")
        return [line.split("\t") for line in lines if line]

    def _save(self, name: str, rows: list[list[str]]) -> None:
        text = "".join("\t".join(row) + "\n" for row in rows)
        (self.folder / name).write_text(text, encoding="utf-8")


class Links(Forger):
    """Documents of links, with a verdict and a witness each."""

    kind = "links"

    @classmethod
    def make(cls, home: Path) -> None:
        """Verify documents of random links."""
        draw, rows = random.Random(36), []
        for number in range(40):
            for _ in range(draw.randint(2, 7)):
                left, right = draw.sample("abcde", 2)
                rows.append(f"doc{number}\t{left}\t{right}\t{draw.choice(_LABELS)}\n")
        (home / "links.tsv").write_text("".join(rows))
        status, printed = called(
            ["verify", "--kind", "links", str(home / "links.tsv"), "--report", str(home / "links")]
        )
        if status not in (0, 1):
            raise RuntimeError(printed)

    def data(self) -> tuple[str, ...]:
        return (str(self.home / "links.tsv"),)

    def _changed(self, change: Callable[[Row, Rows], None]) -> None:
        rows = self._read("documents.jsonl")
        change(self._one(rows), rows)
        self._write("documents.jsonl", rows)

    def wrong_label(self) -> None:
        """The other verdict, with its own witness, one of another document, or a random one."""

        def change(row: Row, rows: Rows) -> None:
            row["consistent"] = not row["consistent"]
            names = [name for name, _ in row["nodes"]]
            source = self._one(rows) if self.draw.random() < 0.3 else row
            row["timeline"], row["cycle"] = source["timeline"], source["cycle"]
            if row["consistent"] and (row["timeline"] is None or self.draw.random() < 0.5):
                spans = [sorted(self.draw.sample(range(8), 2)) for _ in names]
                row["timeline"] = [[n, *span] for n, span in zip(names, spans, strict=True)]
            if not row["consistent"] and (row["cycle"] is None or self.draw.random() < 0.5):
                points = [f"{self.draw.choice(('start', 'end'))} of {self._one(names)}"
                          for _ in range(self.draw.randint(1, 4))]  # fmt: skip
                links = [*range(len(row["links"])), None]
                steps = zip(points, [*points[1:], points[0]], strict=True)
                row["cycle"] = [[left, right, self._one(links)] for left, right in steps]

        self._changed(change)

    def swapped_text(self) -> None:
        """A link that the document does not have, with a verdict of its own that is true."""

        def change(row: Row, _: Rows) -> None:
            link = self._one(row["links"])
            link[3] = self._other(_LABELS, link[3])

        self._changed(change)

    def missing_link(self) -> None:
        self._changed(lambda row, _: row["links"].remove(self._one(row["links"])))

    def removed_row(self) -> None:
        self._changed(lambda row, rows: rows.remove(row))

    def renamed_reading(self) -> None:
        def change(row: Row, _: Rows) -> None:
            field = self._one(["reading", "during"])
            row[field] = f"{row[field]}{self._one('xyz')}"

        self._changed(change)

    def changed_support(self) -> None:
        """A timeline without a node, a cycle without a step, or with one of other points."""

        def change(row: Row, _: Rows) -> None:
            if row["consistent"]:
                del row["timeline"][self.draw.randrange(len(row["timeline"]))]
            else:
                step = self.draw.randrange(len(row["cycle"]))
                if self.draw.random() < 0.5 and len(row["cycle"]) > 1:
                    del row["cycle"][step]
                else:
                    row["cycle"][step][self.draw.randrange(2)] = "end of absent"

        self._changed(change)


class Graphs(Forger):
    """Generated graphs, with a label for each fact and its place in a pattern."""

    kind = "graph"

    def _label(self, column: int, other: Callable[[list[str], list[list[str]]], str]) -> None:
        head, *rows = self._table("labels.tsv")
        row = self._one(rows)
        row[column] = other(row, rows)
        self._save("labels.tsv", [head, *rows])

    def wrong_role(self) -> None:
        self._label(3, lambda row, _: self._other(["antecedent", "consequence"], row[3]))

    def wrong_position(self) -> None:
        self._label(4, lambda row, _: str(int(row[4]) + self._one([1, 2, -1])))

    def wrong_pattern(self) -> None:
        """One of several steps in another pattern; the only one may be a step of both."""
        head, *rows = self._table("labels.tsv")
        several = Counter(row[2] for row in rows)
        row = self._one([row for row in rows if several[row[2]] > 1])
        row[1] = self._other(sorted({each[1] for each in rows}), row[1])
        self._save("labels.tsv", [head, *rows])

    def wrong_fact(self) -> None:
        """The label of a step for a fact of another relation."""
        facts = [row for name in ("train", "valid", "test") for row in self._table(f"{name}.txt")]

        def other(row: list[str], _: list[list[str]]) -> str:
            relation = facts[int(row[0])][1]
            return str(self._one([n for n, fact in enumerate(facts) if fact[1] != relation]))

        self._label(0, other)

    def joined_instance(self) -> None:
        """A step in an instance of another pattern."""

        def other(row: list[str], rows: list[list[str]]) -> str:
            return str(self._one([each[2] for each in rows if each[1] != row[1]]))

        self._label(2, other)

    def missing_label(self) -> None:
        head, *rows = self._table("labels.tsv")
        rows.remove(self._one(rows))
        self._save("labels.tsv", [head, *rows])

    def added_label(self) -> None:
        """A second instance of one step: every pattern has at least two."""
        head, *rows = self._table("labels.tsv")
        row = list(self._one(rows))
        row[2] = str(1 + max(int(each[2]) for each in rows))
        self._save("labels.tsv", [head, *rows, row])

    def changed_relation(self) -> None:
        name = f"{self._one(['train', 'valid', 'test'])}.txt"
        rows = self._table(name)
        row = self._one(rows)
        row[1] = str(self._other(range(12), int(row[1])))
        self._save(name, rows)

    def removed_row(self) -> None:
        """Without a fact all later labels are those of other facts; a last one is missing."""
        rows = self._table("test.txt")
        self._save("test.txt", rows[:-1])

    def _declared(self, name: str, value: object) -> None:
        path = self.folder / "manifest.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), name: value}))

    def renamed_mode(self) -> None:
        self._declared("mode", self._one(["backward", "Forward", "", None, "forward "]))

    def unplanted_support(self) -> None:
        """Without planted instances each fact follows from others that follow from it, or none."""
        self._declared("forced_instances", self._one([0, -1, 0.0, None]))

    def turned_instance(self) -> None:
        """An instance whose facts follow from what they entail."""
        patterns = {row["id"]: row["pattern"] for row in self._read("patterns.jsonl")}
        head, *rows = self._table("labels.tsv")
        row = self._one([row for row in rows if row[3] == "antecedent"])
        roles = {"antecedent": "consequence", "consequence": "antecedent"}
        last = str(patterns[int(row[1])].count("->"))
        for each in rows:
            if each[2] == row[2]:
                each[3] = roles[each[3]]
                each[4] = {"1": last, last: "1"}.get(each[4], each[4])
        self._save("labels.tsv", [head, *rows])


class Questions(Forger):
    """Questions with all their answers."""

    kind = "asked"
    graph = EXAMPLES / "questions" / "graph"

    def data(self) -> tuple[str, ...]:
        return (str(self.graph),)

    def _changed(self, change: Callable[[Row, Rows], None], *kinds: str) -> None:
        name = f"{self._one(['train', 'valid', 'test'])}.jsonl"
        rows = self._read(name)
        change(self._one([row for row in rows if not kinds or row["kind"] in kinds]), rows)
        self._write(name, rows)

    def _names(self) -> list[str]:
        text = "".join(path.read_text(encoding="utf-8") for path in sorted(self.graph.iterdir()))
        rows = [line.split("\t") for line in text.splitlines()]
        return sorted({name for row in rows for name in (row[0], row[2])})

    def _wrong(self, row: Row) -> str:
        if row["kind"] == "yes-unknown":
            return str(self._other(["yes", "unknown"], *row["answers"]))
        if row["kind"] == "fact-reasoning":
            return str(self._other("ABCD", *row["answers"]))
        return str(self._other(self._names(), *row["answers"]))

    def wrong_answer(self) -> None:
        def change(row: Row, _: Rows) -> None:
            row["answers"][self.draw.randrange(len(row["answers"]))] = self._wrong(row)

        self._changed(change)

    def added_answer(self) -> None:
        """With a support of its own, that of another answer, or none."""

        def change(row: Row, _: Rows) -> None:
            wrong = self._wrong(row)
            row["answers"] = self._one([[*row["answers"], wrong], sorted([*row["answers"], wrong])])
            facts = row["certificate"].get("facts")
            if facts and self.draw.random() < 0.6:
                fact = list(self._one(facts))
                fact[self._one([0, 2])] = wrong
                row["certificate"]["facts"] = self._one([[*facts, fact], sorted([*facts, fact])])

        self._changed(change)

    def missing_answer(self) -> None:
        """Also with its support."""

        def change(row: Row, _: Rows) -> None:
            place = self.draw.randrange(len(row["answers"]))
            gone = row["answers"].pop(place)
            facts = row["certificate"].get("facts")
            if facts and self.draw.random() < 0.6:
                row["certificate"]["facts"] = [fact for fact in facts if gone not in fact]

        self._changed(change)

    def changed_support(self) -> None:
        """A support that names an entity which is in none."""

        def change(row: Row, _: Rows) -> None:
            facts = row["certificate"].get("facts") or [row["certificate"]["source"]]
            self._one(facts)[self._one([0, 2])] = "Absent"

        self._changed(change, "1-hop", "2-hop", "yes-unknown")

    def swapped_support(self) -> None:
        """The support of another question, with other facts."""

        def change(row: Row, rows: Rows) -> None:
            facts = row["certificate"]["facts"]
            others = [each["certificate"].get("facts") for each in rows]
            row["certificate"]["facts"] = self._one(
                [each for each in others if each and not any(fact in facts for fact in each)]
            )

        self._changed(change, "1-hop", "2-hop")

    def changed_query(self) -> None:
        """Another relation than that of the support."""

        def change(row: Row, rows: Rows) -> None:
            relations = sorted({part[1] for each in rows for part in each["query"]})
            part = self._one(row["query"])
            part[1] = self._other(relations, part[1])

        self._changed(change, "1-hop", "2-hop")

    def moved_day(self) -> None:
        def change(row: Row, rows: Rows) -> None:
            row["time"] = self._other([each["time"] for each in rows], row["time"])

        self._changed(change, "1-hop", "2-hop")

    def changed_contribution(self) -> None:
        def change(row: Row, _: Rows) -> None:
            found = row["certificate"]["contributions"]
            found[self.draw.randrange(len(found))] += self._one([-1, 1, 1000])

        self._changed(change, "fact-reasoning")

    def changed_order(self) -> None:
        def change(row: Row, _: Rows) -> None:
            order = list(row["order"])
            self.draw.shuffle(order)
            if "".join(order) == row["order"]:
                raise NothingError
            row["order"] = "".join(order)

        self._changed(change, "fact-reasoning")

    def renamed_kind(self) -> None:
        kinds = ("1-hop", "2-hop", "yes-unknown", "fact-reasoning", "3-hop")
        self._changed(lambda row, _: row.update(kind=self._other(kinds, row["kind"])))

    def removed_row(self) -> None:
        self._changed(lambda row, rows: rows.remove(row))

    def doubled_row(self) -> None:
        self._changed(lambda row, rows: rows.append(dict(row)))


class Facts(Forger):
    """Facts of the future, each with its rule and grounding."""

    kind = "future"

    def _changed(self, change: Callable[[Row, Rows], None]) -> None:
        rows = self._read("facts.jsonl")
        change(self._one(rows), rows)
        self._write("facts.jsonl", rows)
        if self.draw.random() < 0.5:  # The table as well.
            fields = ("subject", "relation", "object", "date")
            self._save("facts.tsv", [[row[name] for name in fields] for row in rows])

    def wrong_fact(self) -> None:
        """Another object or subject than that of the grounding."""

        def change(row: Row, rows: Rows) -> None:
            field = self._one(["subject", "object"])
            row[field] = self._other([each[field] for each in rows], row["subject"], row["object"])

        self._changed(change)

    def changed_support(self) -> None:
        def change(row: Row, _: Rows) -> None:
            self._one(row["grounding"])[self._one([0, 2])] = "Absent"

        self._changed(change)

    def missing_support(self) -> None:
        self._changed(
            lambda row, _: row["grounding"].pop(self.draw.randrange(len(row["grounding"])))
        )

    def circular_support(self) -> None:
        """The fact itself among those that it follows from."""

        def change(row: Row, _: Rows) -> None:
            fact = [row[name] for name in ("subject", "relation", "object", "date")]
            row["grounding"][self.draw.randrange(len(row["grounding"]))] = fact

        self._changed(change)

    def swapped_rule(self) -> None:
        """The text or the number of another rule."""

        def change(row: Row, rows: Rows) -> None:
            field = self._one([name for name in ("rule", "role_rule") if name in row])
            row[field] = self._other([each[field] for each in rows if field in each], row[field])

        self._changed(change)

    def changed_confidence(self) -> None:
        def change(row: Row, _: Rows) -> None:
            row["rule_confidence"] = round(row["rule_confidence"] * self._one([0.5, 0.9, 1.1]), 6)

        self._changed(change)

    def earlier_date(self) -> None:
        """The day of what it follows from."""
        self._changed(lambda row, _: row.update(date=max(fact[3] for fact in row["grounding"])))

    def removed_row(self) -> None:
        rows = self._read("facts.jsonl")
        rows.remove(self._one(rows))
        self._write("facts.jsonl", rows)

    def removed_history(self) -> None:
        """The history without a fact that is a support."""
        rows = self._table("history.tsv")
        cited = [fact for row in self._read("facts.jsonl") for fact in row["grounding"]]
        fact = self._one([fact for fact in cited if fact in rows])
        self._save("history.tsv", [row for row in rows if row != fact])


class Patterns(Forger):
    """A list of all valid patterns."""

    kind = "patterns"

    @classmethod
    def make(cls, home: Path) -> None:
        """List the patterns of up to two hops."""
        out = home / cls.kind
        out.mkdir()
        command = f"generate patterns --hops 2 --flags unique,no-self --out {out}/list.jsonl"
        status, printed = called(command.split())
        if status:
            raise RuntimeError(printed)

    def path(self) -> Path:
        return self.folder / "list.jsonl"

    def _changed(self, change: Callable[[Row, Rows], None]) -> None:
        rows = self._read("list.jsonl")
        change(self._one(rows), rows)
        self._write("list.jsonl", rows)

    def removed_row(self) -> None:
        self._changed(lambda row, rows: rows.remove(row))

    def doubled_row(self) -> None:
        self._changed(lambda row, rows: rows.append(dict(row)))

    def changed_field(self) -> None:
        def change(row: Row, rows: Rows) -> None:
            field = self._one(sorted(row))
            row[field] = self._other([each[field] for each in rows], row[field])

        self._changed(change)

    def renamed_variables(self) -> None:
        """A pattern that is not canonical, or no other one."""

        def change(row: Row, _: Rows) -> None:
            swap = {"1": "2", "2": "1"}
            row["pattern"] = " ".join(swap.get(word, word) for word in row["pattern"].split(" "))

        self._changed(change)

    def turned_step(self) -> None:
        """A consequence the other way round, where this is another pattern."""

        def change(row: Row, _: Rows) -> None:
            body, last = row["pattern"].split(" => ")
            left, arrow, right = last.split(" ")
            if left == right:
                raise NothingError
            row["pattern"] = f"{body} => {right} {arrow} {left}"

        self._changed(change)


class Rules(Forger):
    """Groundings of a rule in a graph."""

    kind = "rules"
    manifest = False

    @classmethod
    def make(cls, home: Path) -> None:
        """Ground a rule."""
        out = home / cls.kind
        out.mkdir()
        graph = str(EXAMPLES / "tkg")
        called(["mine", graph, "--lengths", "1,2", "--out", str(home / "mined.json")])
        status, printed = called(
            [
                "explain",
                "--rule",
                _RULE,
                "--rules",
                str(home / "mined.json"),
                "--data",
                graph,
                "--json",
            ]
        )
        if status:
            raise RuntimeError(printed)
        (out / "groundings.json").write_text(printed)

    def path(self) -> Path:
        return self.folder / "groundings.json"

    def data(self) -> tuple[str, ...]:
        return (str(EXAMPLES / "tkg"),)

    def _changed(self, change: Callable[[Row], None]) -> None:
        found = json.loads(self.path().read_text())
        change(self._one(found["groundings"]))
        self.path().write_text(json.dumps(found))

    def _facts(self) -> set[tuple[int, ...]]:
        """The facts, and their inverses."""
        files = (EXAMPLES / "tkg" / f"{name}.txt" for name in ("train", "valid", "test"))
        lines = (line for path in files for line in path.read_text().splitlines())
        facts = {tuple(map(int, line.split("\t")[:4])) for line in lines}
        relations = 1 + max(fact[1] for fact in facts)
        return facts | {(o, r + relations, s, t) for s, r, o, t in facts}

    def changed_support(self) -> None:
        """A body fact that is no fact of the graph."""

        def change(row: Row) -> None:
            fact, facts = self._one(row["body"]), self._facts()
            place = self.draw.randrange(4)
            for _ in range(_ROUNDS):
                fact[place] = self.draw.randrange(40)
                if tuple(fact) not in facts:
                    return
            raise NothingError

        self._changed(change)

    def swapped_support(self) -> None:
        """A body fact that is one, of another relation, also in its inverse."""

        def change(row: Row) -> None:
            fact, facts = self._one(row["body"]), self._facts()
            relations = (1 + max(each[1] for each in facts)) // 2
            others = (each for each in facts if (each[1] - fact[1]) % relations)
            fact[:] = self._one(sorted(others))

        self._changed(change)

    def wrong_head(self) -> None:
        """A head that is no fact, or one of another relation."""

        def change(row: Row) -> None:
            head, facts = row["head"], self._facts()
            if self.draw.random() < 0.5:
                head[:] = self._one(sorted(each for each in facts if each[1] != head[1]))
                return
            head[self._one([0, 2])] = self.draw.randrange(30)
            if tuple(head) in facts:
                raise NothingError

        self._changed(change)

    def later_support(self) -> None:
        """A fact of the right relation at the time of the head, or after it."""

        def change(row: Row) -> None:
            fact, time = self._one(row["body"]), row["head"][3]
            fact[:] = self._one(
                [f for f in sorted(self._facts()) if f[1] == fact[1] and f[3] >= time]
            )

        self._changed(change)

    def missing_support(self) -> None:
        self._changed(lambda row: row["body"].pop(self.draw.randrange(len(row["body"]))))


FORGERS: dict[str, type[Forger]] = {
    "links": Links,
    "tkg": Graphs,
    "questions": Questions,
    "rules": Rules,
    "facts": Facts,
    "patterns": Patterns,
}


def accepted(forger: Forger, kind: str) -> bool:
    """Whether everything is proved."""
    try:
        return all(fault is None for *_, fault in check(str(forger.path()), kind, forger.data()))
    except HopcheckError:
        return False


def forged(
    home: Path, kind: str, seed: int, first: int, count: int
) -> Iterator[tuple[int, str, bool]]:
    """Number and way of some forgeries of a kind, and whether they are accepted."""
    cls = FORGERS[kind]
    for number in range(first, first + count):
        with tempfile.TemporaryDirectory() as place:
            for attempt in range(_ROUNDS):
                draw = random.Random(f"{seed} {kind} {number} {attempt}")
                folder = Path(place) / str(attempt)
                shutil.copytree(home / cls.kind, folder)
                forger = cls(home, folder, draw)
                way = draw.choice(cls.ways())
                try:
                    getattr(forger, way)()
                except NothingError:
                    continue
                if cls.manifest:
                    renew(folder)
                yield number, way, accepted(forger, kind)
                break


def renew(folder: Path) -> None:
    """Renew the checksums of the manifest of a folder."""
    for path in folder.glob("*manifest.json"):
        described = json.loads(path.read_text(encoding="utf-8"))
        described["outputs"] = digests(folder, described["outputs"])
        path.write_text(json.dumps(described, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def shard(seed: int, first: int, count: int) -> dict[str, Any]:
    """The counts of some forgeries of each kind, as JSON values."""
    ways: dict[str, Counter[str]] = {}
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as place:
        home = Path(place)
        for kind, cls in FORGERS.items():
            cls.make(home)
            counted = ways.setdefault(kind, Counter())
            for number, way, taken in forged(home, kind, seed, first, count):
                counted[way] += 1
                if taken:
                    wrong.append(f"{kind} {number}: {way}")
    return {"first": first, "count": count, "ways": ways, "accepted": wrong}


def main() -> None:
    """Run the campaign; it stops and resumes at any time."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--items", type=int, default=5_000, help="forgeries of each kind")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("campaigns/forged_kinds"))
    parser.add_argument("--write", action="store_true", help=f"write {TARGET.name}")
    parser.add_argument("--shard", type=int, nargs=2, metavar=("FIRST", "COUNT"))
    chosen = parser.parse_args()
    if chosen.shard:
        sys.stdout.write(json.dumps(shard(chosen.seed, *chosen.shard)) + "\n")
        return
    ways: dict[str, Counter[str]] = {kind: Counter() for kind in FORGERS}
    wrong: list[str] = []
    key = {"campaign": "forged kinds", "seed": chosen.seed}
    module, seed = "tests.campaigns.forged_kinds", ("--seed", str(chosen.seed))
    for row in campaign(module, chosen.out, key, SHARD, chosen.items, *seed):
        wrong += row["accepted"]
        for kind, counts in row["ways"].items():
            ways[kind].update(counts)
    found = {"seed": chosen.seed, "ways": {kind: dict(sorted(each.items())) for kind, each in
             ways.items()}, "forged": {kind: each.total() for kind, each in ways.items()},
             "accepted": wrong}  # fmt: skip
    sys.stdout.write(json.dumps({"forged": found["forged"], "accepted": wrong}, indent=1) + "\n")
    if chosen.write:
        write_json(TARGET, found)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
