"""The checker that runs alone accepts no wrong answer: a brute force over small graphs."""

from __future__ import annotations

import json
import math
import random
import shutil
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from solver.cli import run
from solver.questions import check
from solver.questions.check import ASKED, LETTERS, PARTY

GRAPH = Path(__file__).resolve().parents[3] / "examples" / "questions" / "graph"
NAMES, RELATIONS, TIMES = ("a", "b", "c"), ("r", "s"), ("1", "2", "3", "4", "5", "6", "7")

Row = dict[str, Any]


def drawn(draw: random.Random, folder: Path) -> check.Graph:
    """A random graph with some rules."""
    every = list(product(NAMES, RELATIONS, NAMES, TIMES))
    facts = sorted(draw.sample(every, 70), key=lambda fact: fact[3])
    (folder / "test.txt").write_text("\n".join("\t".join(fact) for fact in facts), encoding="utf-8")
    rules = [
        {"head": draw.randrange(2), "body": [draw.randrange(4)], "same": [],
         "rule_support": draw.randint(0, 3), "body_support": draw.randint(1, 4)}
        for _ in range(9)
    ]  # fmt: skip
    (folder / "rules.jsonl").write_text("\n".join(map(json.dumps, rules)), encoding="utf-8")
    graph = check.read_graph(folder)
    check.read_rules(graph, folder)
    assert graph.facts == set(facts)
    return graph


def entailed(facts: set[tuple[str, ...]], row: Row) -> list[str]:
    """All answers, by the definition: some party makes all triples facts of that time."""
    found = []
    for answer in NAMES:
        for party in NAMES:
            marks = {ASKED: answer, PARTY: party}
            triples = [tuple(marks.get(term, term) for term in triple) for triple in row["query"]]
            entities = {term for triple in row["query"] for term in (triple[0], triple[2])}
            distinct = len({marks.get(entity, entity) for entity in entities}) == len(entities)
            holds = all((*triple, row["time"]) in facts for triple in triples)
            if holds and (distinct or len(triples) == 1):
                found.append(answer)
                break
    return found


def worth(graph: check.Graph, rules: list[Row], row: Row, fact: tuple[str, ...]) -> int:
    """The contribution of a fact, by the formula of the page."""
    (subject, relation, target), best = row["query"][0], 0
    age = int(row["time"]) - int(fact[3])
    for rule in rules:
        body = rule["body"][0]
        ends = (subject, target) if body < 2 else (target, subject)
        confidence = Fraction(rule["rule_support"], rule["body_support"])
        counts = confidence >= Fraction(1, 100) and rule["body_support"] >= 2 and subject != target
        leads = (ends[0], RELATIONS[body % 2], ends[1]) == fact[:3]
        if counts and leads and RELATIONS[rule["head"]] == relation and age > 0:
            part = math.floor(100_000 * math.exp(-age / 10))
            best = max(best, int(10_000 * confidence) * part // 100)
    return best if fact in graph.facts else 0


def is_right(graph: check.Graph, rules: list[Row], row: Row) -> bool:
    """Whether answers are right, by definition; certificates do not matter."""
    facts = set[tuple[str, ...]](graph.facts)
    match row["kind"]:
        case "1-hop" | "2-hop":
            return bool(row["answers"]) and row["answers"] == entailed(facts, row)
        case "yes-unknown":
            triple = tuple(row["query"][0])
            known = (*triple, row["time"]) in facts
            never = all((*triple, time) not in facts for time in TIMES)
            return row["answers"] == (["yes"] if known else ["unknown"]) and (known or never)
    choices = [tuple(choice["fact"]) for choice in row["choices"]]
    values = [worth(graph, rules, row, choice) for choice in choices]
    order = "".join(sorted("ABCD"[: len(values)], key=lambda name: -values["ABCD".index(name)]))
    different = len(set(values)) == len(set(choices)) == len(LETTERS) and min(values) > 0
    events = {(choice[3], *sorted((choice[0], choice[2]))) for choice in choices}
    apart = len(events) == len(LETTERS) and tuple(row["query"][0]) not in {c[:3] for c in choices}
    first, second = sorted([*values, 0, 0], reverse=True)[:2]
    margin = apart and second <= Fraction(3, 5) * first
    return different and margin and row["answers"] == [order[0]] and row["order"] == order


def behind(facts: set[tuple[str, ...]], row: Row, entity: str, answer: str) -> list[list[str]]:
    """Two facts that entail an answer."""
    for party in set(NAMES) - {entity, answer}:
        marks = {ASKED: answer, PARTY: party}
        both = [[*(marks.get(term, term) for term in two), row["time"]] for two in row["query"]]
        if set(map(tuple, both)) <= facts:
            return both
    raise AssertionError


def asked(draw: random.Random, graph: check.Graph, rules: list[Row]) -> Row:
    """A random question with the certificate that shows its right answers, if there is one."""
    entity, relation, other = draw.choice(NAMES), draw.choice(RELATIONS), draw.choice(RELATIONS)
    time = draw.choice(TIMES)
    kind = draw.choice(["1-hop", "2-hop", "yes-unknown", "fact-reasoning"])
    row: Row = {"id": "x", "split": "test", "text": "", "time": time, "kind": kind}
    facts = set[tuple[str, ...]](graph.facts)
    if kind == "1-hop":
        row["query"] = [draw.choice([[entity, relation, ASKED], [ASKED, relation, entity]])]
        row["answers"] = entailed(facts, row)
        shown = [
            [*(answer if value == ASKED else value for value in row["query"][0]), time]
            for answer in row["answers"]
        ]
        return row | {"certificate": {"facts": shown}}
    if kind == "2-hop":
        first = draw.choice([[entity, relation, PARTY], [PARTY, relation, entity]])
        row["query"] = [first, draw.choice([[ASKED, other, PARTY], [PARTY, other, ASKED]])]
        row["answers"] = entailed(facts, row)
        shown = [fact for answer in row["answers"] for fact in behind(facts, row, entity, answer)]
        return row | {"certificate": {"facts": shown}}
    target = draw.choice(NAMES)
    row["query"] = [[entity, relation, target]]
    if kind == "yes-unknown":
        if (entity, relation, target, time) in facts:
            shown = [[entity, relation, target, time]]
            return row | {"answers": ["yes"], "certificate": {"facts": shown}}
        source = draw.choice(graph.at[time] or [("a", "r", "b", "1")])
        return row | {"answers": ["unknown"], "certificate": {"source": list(source)}}
    row["time"] = TIMES[-1]
    by_value = {worth(graph, rules, row, fact): fact for fact in sorted(graph.facts)}
    for _ in range(draw.choice((1, 20))):
        choices = draw.sample(sorted(by_value.values()), min(4, len(by_value)))
        values = [worth(graph, rules, row, choice) for choice in choices]
        order = "".join(sorted("ABCD"[: len(values)], key=lambda name: -values["ABCD".index(name)]))
        row |= {
            "choices": [{"text": "", "fact": list(choice)} for choice in choices],
            "order": order,
        }
        if is_right(graph, rules, row | {"answers": [order[0]]}):
            break
    cited = [
        next(n for n, rule in enumerate(rules) if worth(graph, [rule], row, choice) == value)
        for choice, value in zip(choices, values, strict=True)
    ]
    parts = {"contributions": values, "rules": cited}
    return row | {"answers": [order[0]], "certificate": parts}


def mutated(row: Row, draw: random.Random) -> Row:
    """A question with one change."""
    changed: Row = json.loads(json.dumps(row))
    answers, shown = changed["answers"], changed["certificate"]
    match draw.randrange(6):
        case 0:
            words = [*NAMES, "yes", "unknown", *LETTERS]
            answers.insert(draw.randrange(len(answers) + 1), draw.choice(words))
            shown.get("facts", []).append([*draw.choices(NAMES, k=3), row["time"]])
        case 1 if answers:
            at = draw.randrange(len(answers))
            del answers[at]
            if "facts" in shown:
                hops = len(changed["query"])
                del shown["facts"][hops * at : hops * (at + 1)]
        case 2 if row.get("choices"):
            shown["rules"][draw.randrange(len(shown["rules"]))] = draw.randrange(4)
        case 3 if row.get("choices"):
            changed["order"] = "".join(draw.sample(LETTERS, 4))
            changed["answers"] = [changed["order"][0]]
        case 4:
            changed["time"] = draw.choice(TIMES)
        case _:
            triple = draw.choice(changed["query"])
            triple[draw.choice((0, 2))] = draw.choice([*NAMES, ASKED, PARTY])
    return changed


def accepted(graph: check.Graph, row: Row) -> bool:
    try:
        check.check_question(graph, row)
    except check.RejectedError:
        return False
    return True


def test_no_wrong_answer_is_accepted(tmp_path: Path) -> None:
    draw = random.Random(0)
    right: dict[str, int] = {}
    wrong = 0
    for _ in range(25):
        graph = drawn(draw, tmp_path)
        rules = [json.loads(line) for line in (tmp_path / "rules.jsonl").read_bytes().splitlines()]
        for _ in range(30):
            row = asked(draw, graph, rules)
            for record in (row, *(mutated(row, draw) for _ in range(4))):
                if accepted(graph, record):
                    assert is_right(graph, rules, record), record
                    right[record["kind"]] = right.get(record["kind"], 0) + 1
                elif record is row and record["kind"] in ("1-hop", "2-hop"):
                    assert not record["answers"], record  # Each question with an answer is proved.
                wrong += not is_right(graph, rules, record)
    assert wrong > 500
    assert {kind for kind, number in right.items() if number > 5} == set(check.KINDS)


@pytest.fixture
def questions(example_questions: Path) -> Path:
    return example_questions


def test_generated_questions_are_proved(
    questions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", str(questions), "--data", str(GRAPH)]) == 0
    assert capsys.readouterr().out.endswith(" proved, 0 rejected, 0 not proved\n")
    assert run(["check", str(questions)]) == 2
    assert "name the graph" in capsys.readouterr().err


@pytest.mark.parametrize("row", [None, [], "kind", {}, {"kind": "1-hop"}])
def test_what_is_no_question_is_refused(row: object) -> None:
    with pytest.raises(check.RejectedError, match="a question needs the fields"):
        check.check_question(check.read_graph(GRAPH), row)


@pytest.mark.parametrize(
    ("kind", "change", "reason"),
    [
        ("1-hop", {"time": 5}, "the time is no string"),
        ("1-hop", {"time": "2033-04-31"}, "the time is not in this split"),
        ("1-hop", {"split": "train"}, "the time is not in this split"),
        ("1-hop", {"kind": "3-hop"}, "the kind is unknown"),
        ("1-hop", {"kind": ["1-hop"]}, "the kind is unknown"),
        ("2-hop", {"kind": "1-hop"}, "the query has another number of triples"),
        ("1-hop", {"kind": "2-hop"}, "the query has another number of triples"),
        ("1-hop", {"answers": []}, "there is no answer"),
        ("yes-unknown", {"answers": ["yes", "unknown"]}, "the answer is yes or unknown"),
        ("1-hop", {"certificate": []}, "the certificate is no object"),
        ("1-hop", {"certificate": {"more": [1]}}, "the certificate has the field more"),
        ("fact-reasoning", {"certificate": {"rules": ["1"]}}, "the rules are no whole numbers"),
        ("fact-reasoning", {"certificate": {"rules": [True]}}, "the rules are no whole numbers"),
    ],
)
def test_damaged_questions_are_refused(
    questions: Path, kind: str, change: Row, reason: str
) -> None:
    graph = check.read_graph(GRAPH)
    check.read_rules(graph, questions)
    lines = (questions / "test.jsonl").read_text(encoding="utf-8").splitlines()
    row = next(row for row in map(json.loads, lines) if row["kind"] == kind)
    check.check_question(graph, row)
    with pytest.raises(check.RejectedError, match=reason):
        check.check_question(graph, row | change)


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        (["a", "b", "c"], "'c'.* is not entailed"),
        (["a"], "'b'.* is missing"),
        (["b", "a"], "unsorted or repeated"),
        (["a", "b", "b"], "unsorted or repeated"),
        (["a", ["b"]], "is no array of"),
        ("ab", "is no array"),
    ],
)
def test_answers_are_all_of_them_in_order(tmp_path: Path, answers: list[str], reason: str) -> None:
    (tmp_path / "test.txt").write_text("x\tr\ta\t1\nx\tr\tb\t1\ny\tr\tc\t1\n", encoding="utf-8")
    graph = check.read_graph(tmp_path)
    facts = [[{"c": "y"}.get(str(answer), "x"), "r", answer, "1"] for answer in answers]
    row = {"id": "1", "text": "", "kind": "1-hop", "split": "test", "time": "1"}
    row |= {"query": [["x", "r", ASKED]], "answers": answers, "certificate": {"facts": facts}}
    if isinstance(answers, list) and answers[-1] != "c":
        with pytest.raises(check.RejectedError, match=reason):
            check.check_question(graph, row)
    else:
        with pytest.raises(check.RejectedError, match=reason):
            check.check_answers(graph, "1-hop", row["query"], "1", check._strings(answers))


def test_yes_is_in_the_graph_and_unknown_at_no_time() -> None:
    graph = check.Graph([("x", "r", "a", "1")], ["r"])
    asked = [["x", "r", "a"]]
    check.check_answers(graph, "yes-unknown", asked, "1", ["yes"])
    check.check_answers(graph, "yes-unknown", [["a", "r", "x"]], "1", ["unknown"])
    for time, answer, reason in (
        ("2", "yes", "is not in the graph"),
        ("2", "unknown", "is in the"),
    ):
        with pytest.raises(check.RejectedError, match=reason):
            check.check_answers(graph, "yes-unknown", asked, time, [answer])


@pytest.mark.parametrize("repeated", ["id", "query"])
def test_a_question_that_is_repeated_is_rejected(
    questions: Path, tmp_path: Path, repeated: str
) -> None:
    rows = [json.loads(line) for line in (questions / "test.jsonl").read_bytes().splitlines()][:3]
    rows.append(rows[0] | {"id": "other"} if repeated == "query" else rows[2] | {"id": "other"})
    rows[3] |= {"id": rows[1]["id"]} if repeated == "id" else {}
    if repeated == "id":
        del rows[2]
    (tmp_path / "test.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    for name in ("rules.jsonl", "rules_train.jsonl", "rule_folds.tsv"):
        shutil.copyfile(questions / name, tmp_path / name)
    found = [fault for *_, fault in check.check_file(str(tmp_path / "test.jsonl"), [str(GRAPH)])]
    assert found == [*[None] * (len(rows) - 1), "an earlier question has this query"]


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ([[ASKED, "Consult", "Belmora"], [ASKED, "Consult", PARTY]], "first triple has the party"),
        ([["Belmora", "Consult", "Cadrith"], [ASKED, "Consult", PARTY]], "first triple has the"),
        ([[PARTY, "Consult", ASKED], [ASKED, "Consult", PARTY]], "first triple has the party"),
        ([[PARTY, "Consult", "Belmora"], [ASKED, "Consult", "Cadrith"]], "second triple has party"),
        ([[PARTY, "Consult", PARTY], [ASKED, "Consult", PARTY]], "triple has the named entity"),
    ],
)
def test_queries_of_two_hops_have_a_form(query: list[list[str]], reason: str) -> None:
    with pytest.raises(check.RejectedError, match=reason):
        check._two_hop(check.read_graph(GRAPH), "2033-05-29", query)


def test_each_condition_on_choices_is_tried(
    questions: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = check.read_graph(GRAPH)
    check.read_rules(graph, questions)
    day = sorted(graph.splits)[-1]
    days = sorted(graph.splits)[:4]
    choices = [(name, "Consult", "Belmora", time) for name, time in zip("abcd", days, strict=True)]
    ages = [graph.moment(day) - graph.moment(time) for time in days]
    triple = ["e", "Accuse", "Belmora"]

    def most(values: list[int], some: list[check.Fact], asked: list[str], order: str) -> str:
        worth = dict(zip(ages, values, strict=True))
        monkeypatch.setattr(check, "_leads", lambda *_: True)
        monkeypatch.setattr(check, "_contribution", lambda _, age: worth[age])
        row = {"time": day, "certificate": {"contributions": values}, "order": order}
        try:
            check._most(graph, row, asked, some)
        except check.RejectedError as error:
            return str(error)
        return ""

    right = [10, 20, 30, 100]
    assert most(right, choices, triple, "DCBA") == ""
    assert most(right, choices, triple, "DCAB") == "the order is DCBA"
    assert most(right, [choices[0], *choices[:3]], triple, "DCBA") == "two choices are the same"
    assert most([0, 20, 30, 100], choices, triple, "DCBA") == "choice A contributes 0"
    assert "is what is asked" in most(right, choices, list(choices[1][:3]), "DCBA")
    assert most([10, 30, 30, 100], choices, triple, "DCBA") == "two choices contribute the same"
    assert "over 60%" in most([10, 20, 61, 100], choices, triple, "DCBA")
    monkeypatch.setattr(check, "_twins", lambda _: True)
    assert most(right, choices, triple, "DCBA") == "two choices report one event"


def test_twins_have_one_day_and_the_same_entities() -> None:
    fact = ("a", "Consult", "b", "2033-04-01")
    assert check._twins([fact, ("b", "Accuse", "a", "2033-04-01")])
    assert not check._twins([fact, ("b", "Accuse", "a", "2033-04-02")])
    assert not check._twins([fact, ("a", "Consult", "c", "2033-04-01")])


@pytest.mark.parametrize("split", ["train", "valid", "test"])
def test_a_question_that_is_missing_is_noticed(questions: Path, tmp_path: Path, split: str) -> None:
    folder = tmp_path / "asked"
    shutil.copytree(questions, folder)
    path = folder / f"{split}.jsonl"
    first, rest = path.read_text(encoding="utf-8").split("\n", 1)
    assert first
    path.write_text(rest, encoding="utf-8")
    faults = [
        (name, fault) for _, name, fault in check.check_file(str(folder), [str(GRAPH)]) if fault
    ]
    number = len(rest.splitlines())
    assert faults == [("rows", f"it states {number + 1} of {split}, found {number}")]


def test_the_file_runs_alone(questions: Path, alone: Callable[..., tuple[int, str, str]]) -> None:
    status, out, err = alone(check, questions / "test.jsonl", "--data", GRAPH)
    assert (status, err) == (0, "")
    assert out.endswith(" items, 0 rejected\n")


def test_graphs_by_ids_are_read(tmp_path: Path) -> None:
    (tmp_path / "train.txt").write_text("0\t1\t2\t0\n2\t0\t1\t24\n", encoding="utf-8")
    names = {"entity2id": ["c", "b", "a"], "relation2id": ["s", "r"]}
    for stem, words in names.items():
        lines = (f"{name}\t{number}\n" for number, name in enumerate(words))
        (tmp_path / f"{stem}.txt").write_text("".join(lines), encoding="utf-8")
    days = {"2031-01-01": 0, "2031-01-02": 24}
    (tmp_path / "ts2id.json").write_text(json.dumps(days), encoding="utf-8")
    graph = check.read_graph(tmp_path)
    assert graph.facts == {("c", "r", "a", "2031-01-01"), ("a", "s", "b", "2031-01-02")}
    assert graph.relations == ["s", "r"]
    assert graph.moment("2031-01-02") - graph.moment("2031-01-01") == 1


def test_no_answers_are_not_all_answers() -> None:
    check._all_answered(["a"], {"a"})
    with pytest.raises(check.RejectedError, match="the answers are none"):
        check._all_answered([], set())


@pytest.mark.parametrize(("value", "size"), [([1], None), (["a", None], 2), (["a"], 2), ("a", 1)])
def test_what_are_no_strings(value: object, size: int | None) -> None:
    with pytest.raises(check.RejectedError, match="is no array"):
        check._strings(value, size)
