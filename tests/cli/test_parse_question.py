"""``parse`` and ``realise`` with ``--kind questions``: text to query, query to text."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grammar.questions.model import QuestionKind
from solver.graph.model import Split
from solver.questions.io import write_parquet_questions
from solver.questions.model import Question

Solver = Callable[..., Any]
KIND = ("--kind", "questions")
FACTS = (
    "Mill_Guild_(Belmora)\tAccuse\tÖsvik\t2033-04-01",
    "Ösvik\tHost_a_visit\tFerry_Company\t2033-04-01",
    "Ferry_Company\tThreaten\tÖsvik\t2033-04-02",
    "Ferry_Company\tThreaten\tGuild_to_accuse_Ösvik\t2033-04-02",
    "A_b\tspouse_of\tA b\t2033-04-02",
)
TEXT = "Who will Mill Guild (Belmora) accuse on 2033-04-01?"
TWO_HOP = "On 2033-04-02, Ferry Company will threaten someone. Who else will accuse them that day?"


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    """A graph by names, which have underscores."""
    folder = tmp_path / "graph"
    folder.mkdir()
    (folder / "train.tsv").write_text("\n".join(FACTS) + "\n", encoding="utf-8")
    return folder


def objects(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_question_is_parsed(solver: Solver) -> None:
    ran = solver("parse", *KIND, "--question", TEXT)
    assert (ran.status, ran.err) == (0, "")
    assert ran.json == {
        "kind": "1-hop",
        "query": [["Mill Guild (Belmora)", "Accuse", "?answer"]],
        "time": "2033-04-01",
        "variant": 0,
    }


def test_both_facts_of_a_two_hop_question_are_printed(solver: Solver, graph: Path) -> None:
    ran = solver("parse", *KIND, "--question", TWO_HOP, "--data", graph)
    assert ran.json["query"] == [
        ["Ferry_Company", "Threaten", "?party"],
        ["?answer", "Accuse", "?party"],
    ]


def test_a_graph_lends_its_names(solver: Solver, graph: Path) -> None:
    ran = solver("parse", *KIND, "--question", TEXT, "--data", graph)
    assert ran.json["query"] == [["Mill_Guild_(Belmora)", "Accuse", "?answer"]]
    text = "Will A_b have the relation “spouse of” to A b on 2033-04-02?"
    ran = solver("parse", *KIND, "--question", text, "--data", graph)
    assert ran.json["query"] == [["A_b", "spouse_of", "A b"]]


def test_unknown_names_are_told_one_a_line(solver: Solver, graph: Path) -> None:
    text = "Will Mill Guild (Belmore) torture Osvik on 2033-04-09?"
    ran = solver("parse", *KIND, "--question", text, "--data", graph)
    assert (ran.status, ran.out) == (2, "")
    entity, relation, other, time = ran.err.splitlines()
    assert entity.startswith("error: question:1:6: found no entity 'Mill Guild (Belmore)'")
    assert entity.endswith("(near: Mill Guild (Belmora))")
    assert relation.startswith("error: question:1:27: found no relation 'Torture'")
    assert other.startswith("error: question:1:35: found no entity 'Osvik'")
    assert "near: Ösvik" in other
    assert time.startswith("error: question:1:44: found no time '2033-04-09'")
    assert "2033-04-0" in time.partition("near: ")[2]


def test_a_name_is_placed_where_it_stands_by_itself(solver: Solver, graph: Path) -> None:
    text = "Will Port-Zalm accuse Zalm on 2033-04-01?"
    ran = solver("parse", *KIND, "--question", text, "--data", graph)
    columns = [line.split(":")[3] for line in ran.err.splitlines()]
    assert columns == [str(text.index(word) + 1) for word in ("Port-Zalm", "Zalm on")]


def test_a_graph_settles_two_readings(solver: Solver, graph: Path) -> None:
    text = "Will Ferry Company threaten Guild to accuse Ösvik on 2033-04-02?"
    ran = solver("parse", *KIND, "--question", text)
    assert ran.status == 2
    assert ran.err.startswith("error: question:1:1: found 2 readings, expected one")
    ran = solver("parse", *KIND, "--question", text, "--data", graph)
    assert ran.json["query"] == [["Ferry_Company", "Threaten", "Guild_to_accuse_Ösvik"]]


def test_an_unknown_phrase_is_told_with_near_ones(solver: Solver) -> None:
    ran = solver("parse", *KIND, "--question", TEXT.replace("accuse", "acuse"))
    assert ran.status == 2
    assert ran.err == (
        'error: question:1:31: found "acuse", expected the phrase of a relation '
        '(did you mean "accuse" or "use"?)\n'
    )


LINES = (
    TEXT,
    "",
    "  Will Ada acuse Ben at time 3?",
    json.dumps({"id": "q1", "text": TEXT}),
    json.dumps({"id": 7, "text": "Will Ada accuse Ben at time three?"}),
    json.dumps({"text": "Will Ödön acuse Ben at time 3?"}),
    json.dumps({"text": 3}),
    '{"text": ',
    "Will Ada accuse Ben at time 3?",
)


@pytest.mark.parametrize("name", ["questions.txt", "questions.txt.gz"])
def test_lines_of_a_file_are_told_with_their_places(
    solver: Solver, tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    data = "\n".join(LINES).encode()
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    ran = solver("parse", *KIND, path)
    assert ran.status == 2
    assert [entity.get("id") for entity in objects(ran.out)] == [None, "q1", None]
    errors = [line.removeprefix(f"unparsed: {path}:") for line in ran.err.splitlines()]
    assert [line.partition(": ")[0] for line in errors] == [
        f"3:{LINES[2].index('acuse') + 1}",
        f"5:{LINES[4].index('at time') + 1}",
        "6",
        "7:10",
        f"8:{len(LINES[7]) + 1}",
    ]
    assert errors[2].startswith('6: column 11 of the text: found "acuse"')
    assert errors[3].startswith("7:10: found no text of a question")


def test_names_of_a_file_are_held_against_a_graph(
    solver: Solver, tmp_path: Path, graph: Path
) -> None:
    path = tmp_path / "one.jsonl"
    line = json.dumps({"text": "Will Osvik accuse Ferry Company at time 3?"})
    path.write_text(line)
    ran = solver("parse", *KIND, path, "--data", graph)
    assert ran.status == 2
    assert [line.partition(": found")[0] for line in ran.err.splitlines()] == [
        f"unparsed: {path}:1:{line.index('Osvik') + 1}",
        f"unparsed: {path}:1:{line.index('3?') + 1}",
    ]


def test_questions_of_a_data_set_are_read(solver: Solver, tmp_path: Path, graph: Path) -> None:
    path = tmp_path / "test.parquet"
    question = Question(
        id="q1",
        kind=QuestionKind.ONE_HOP,
        split=Split.TEST,
        time="2033-04-01",
        text=TEXT,
        query=(("Mill_Guild_(Belmora)", "Accuse", "?answer"),),
        answers=("Ösvik",),
    )
    write_parquet_questions(path, [question])
    ran = solver("parse", *KIND, path, "--data", graph)
    assert ran.status == 0
    assert ran.json["id"] == "q1"
    assert ran.json["query"] == [list(question.query[0])]


TEXTS = (
    TEXT,
    TWO_HOP,
    "A party will threaten Ösvik on 2033-04-02. Which other party will it accuse of war crimes "
    "that day?",
    "Yes or unknown: will Ösvik host a visit by Ferry Company on 2033-04-01?",
    "Which of these events best explains why “a party” will accuse Ösvik at time 3?",
    "Will Ada have the relation “spouse of” to Ben at time 3?",
)


@pytest.mark.parametrize("known", [False, True])
def test_nobody_is_called_as_what_is_asked(solver: Solver, graph: Path, known: bool) -> None:
    data = ("--data", graph) if known else ()
    ran = solver("parse", *KIND, "--question", "Will ?answer accuse Ösvik on 2033-04-01?", *data)
    assert (ran.status, ran.out) == (2, "")
    expected = "found no entity '?answer'" if known else "found an entity called ?answer"
    assert expected in ran.err


def test_what_is_parsed_is_realised(solver: Solver, tmp_path: Path) -> None:
    texts, queries = tmp_path / "texts.txt", tmp_path / "queries.jsonl"
    texts.write_text("\n".join(TEXTS), encoding="utf-8")
    queries.write_text(solver("parse", *KIND, texts).out, encoding="utf-8")
    ran = solver("realise", *KIND, queries)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines() == list(TEXTS)


def test_a_graph_is_realised_in_said_names(solver: Solver, tmp_path: Path, graph: Path) -> None:
    queries = tmp_path / "queries.jsonl"
    ran = solver("parse", *KIND, "--question", TWO_HOP, "--data", graph)
    queries.write_text(ran.out, encoding="utf-8")
    assert solver("realise", *KIND, queries, "--data", graph).out == f"{TWO_HOP}\n"
    ran = solver("realise", *KIND, queries, "--data", graph, "--variant", "2", "--json")
    assert ran.json == {
        "text": "Ferry Company will threaten someone on 2033-04-02. Who else will accuse them that "
        "day?"
    }


GOOD = {"kind": "1-hop", "query": [["Ada", "Accuse", "?answer"]], "time": "3"}
BAD = {
    "variant": (GOOD | {"variant": 4}, "found variant 4, expected 0 to 3"),
    "below": (GOOD | {"variant": -1}, "found variant -1"),
    "time": (GOOD | {"time": "2033-02-30"}, "found the time '2033-02-30', expected a date"),
    "name": (GOOD | {"query": [["", "Accuse", "?answer"]]}, "an empty name"),
    "mark": (GOOD | {"query": [["Ada", "Accuse", "Ben"]]}, "expected one triple, with ?answer"),
    "kind": (GOOD | {"kind": "3-hop"}, "found no query"),
    "none": ({"kind": "1-hop"}, "found no query"),
    "shape": (GOOD | {"query": []}, "query: found '[]'"),
    "hops": (GOOD | {"kind": "2-hop"}, "expected two triples of ?party"),
    "fact": (GOOD | {"kind": "yes-unknown"}, "expected one triple, a fact"),
}


@pytest.mark.parametrize(("query", "message"), BAD.values(), ids=BAD)
def test_unwritable_queries_are_reported(
    solver: Solver, tmp_path: Path, query: dict[str, object], message: str
) -> None:
    path = tmp_path / "queries.jsonl"
    path.write_text(f"{json.dumps(query)}\n{json.dumps(GOOD)}\n")
    ran = solver("realise", *KIND, path)
    assert ran.status == 2
    assert ran.out == "Who will Ada accuse at time 3?\n"
    assert ran.err.startswith(f"not written: {path}:1")
    assert message in ran.err
    assert ran.err.count("\n") == 1


def test_names_that_a_graph_has_not_are_not_written(
    solver: Solver, tmp_path: Path, graph: Path
) -> None:
    path = tmp_path / "queries.jsonl"
    path.write_text(json.dumps(GOOD | {"query": [["Osvik", "Accuse", "?answer"]]}))
    ran = solver("realise", *KIND, path, "--data", graph)
    assert ran.status == 2
    assert "found no entity 'Osvik'" in ran.err


@pytest.mark.parametrize("arguments", [(), ("file", "--question", TEXT), ("--claim", "x")])
def test_usage(solver: Solver, arguments: tuple[str, ...]) -> None:
    ran = solver("parse", *KIND, *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert "Usage" in ran.err or "No such option" in ran.err


@pytest.mark.parametrize("command", ["parse", "realise"])
def test_missing_file(solver: Solver, tmp_path: Path, command: str) -> None:
    ran = solver(command, *KIND, tmp_path / "none.jsonl")
    assert ran.status == 2
    assert ran.err.startswith(f"error: {tmp_path / 'none.jsonl'}: no such file")


def test_other_kinds_are_as_they_were(solver: Solver) -> None:
    ran = solver("parse", "--kind", "eventhop", "--claim", "A happens before B")
    assert ran.json["events"] == ["A", "B"]
    ran = solver("parse", "--kind", "poem", "--claim", "A happens before B")
    assert (ran.status, "poem" in ran.err) == (2, True)
