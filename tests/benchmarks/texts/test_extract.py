"""``prompts quadruples`` and ``extract``: prompts, answers, journal, replay, and the grammar."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from benchmarks.texts.extract import Task, literal, read_answer
from grammar.errors import ExitStatus
from solver.cli import run
from solver.facts.literals import PARTS, read_literal

ROOT = Path(__file__).resolve().parents[3]
TEXTS = str(ROOT / "examples" / "texts" / "right.txt")
FACTS = str(ROOT / "examples" / "texts" / "references.txt")
FACT = ("Ada", "startMemberOf", "Rovers", "2026-01-11")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ('[["Ada", "startMemberOf", "Rovers", "2026-01-11"]]', (FACT,)),
        ("[['Ada', 'startMemberOf', 'Rovers', '2026-01-11']]", (FACT,)),
        ("Facts:\n```json\n[[\"Ada\", 'startMemberOf', \"Rovers\", '2026-01-11']]\n```", (FACT,)),
        ("[('Ada', 'startMemberOf', 'Rovers', '2026-01-11'),]", (FACT,)),
        (json.dumps([dict(zip(PARTS, FACT, strict=True))]), (FACT,)),
        ("[]", ()),
        ("There are none: [ ].", ()),
        ("First [['x', 'y']], or rather: [['Ada']]", (("Ada",),)),
        ("<think>[['x']]</think>[['y']] (see [1])", (("y",),)),
        ("[['y']]<think>[['x']]", (("y",),)),
        ("[['a'], []]", (("a",), ())),
        ("[[['a']], [['b']]", (("b",),)),
        ("see [the list]: [['it]s', \"o'clock\"]]", (("it]s", "o'clock"),)),
        ("[1]", None),
        ("[['a', 1]]", None),
        ("[['a'", None),
        ("no facts", None),
        ("[" * 5_000, None),
        ("", None),
    ],
)
def test_the_last_list_of_facts_is_read(
    answer: str, expected: tuple[tuple[str, ...], ...] | None
) -> None:
    assert read_answer(answer) == expected


def test_lists_in_either_notation_are_read_back() -> None:
    chance = random.Random(5)
    signs = "ab[]'\"\\,:{}\n é"
    for _ in range(400):
        facts = tuple(
            tuple("".join(chance.choices(signs, k=chance.randrange(6))) for _ in range(4))
            for _ in range(chance.randrange(4))
        )
        rows = [list(fact) for fact in facts]
        for written in (json.dumps(rows), json.dumps(rows, ensure_ascii=False), literal(facts)):
            assert read_answer(f"So, [1] it is {written} indeed") == facts
        assert read_literal(literal(facts)) == rows


def test_a_prompt() -> None:
    assert Task(relations=("a", "b")).prompt("One text.").splitlines()[-3:] == [
        "",
        "Text: One text.",
        "Facts:",
    ]
    assert "one of: a, b." in Task(relations=("a", "b")).prompt("")


class Handler(BaseHTTPRequestHandler):
    server: Stub

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        prompt = body["messages"][0]["content"]
        with self.server.lock:
            self.server.prompts.append(prompt)
            left = self.server.left
            self.server.left -= 1
        status, content = (200, self.server.reply(prompt)) if left else (401, "")
        data = json.dumps({"choices": [{"message": {"content": content}}]}).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        return


class Stub(ThreadingHTTPServer):
    """Answers each prompt with the facts of its text, which it knows."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.lock = threading.Lock()
        self.prompts: list[str] = []
        self.left = -1
        texts, facts = (Path(path).read_text().splitlines() for path in (TEXTS, FACTS))
        self.known = dict(zip(texts, facts, strict=True))
        self.reply: Callable[[str], str] = self.right

    def right(self, prompt: str) -> str:
        text = prompt.rpartition("Text: ")[2].removesuffix("\nFacts:")
        return f"<think>Hm, [['no']].</think>The facts are {self.known[text]}"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


@pytest.fixture
def stub() -> Iterator[Stub]:
    with Stub() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def f1(folder: Path, capsys: pytest.CaptureFixture[str]) -> float:
    capsys.readouterr()
    asked = ["score", "quadruples", str(folder / "predictions.txt"), "--references", FACTS]
    run([*asked, "--json", "--resamples", "100"])
    found: float = json.loads(capsys.readouterr().out)["scores"]["strict"]["macro"]["f1"]["value"]
    return found


def test_the_grammar_reads_what_it_writes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["extract", TEXTS, "--out", str(tmp_path), "--json"]) == 0
    counts = json.loads(capsys.readouterr().out)
    assert (counts["texts"], counts["facts"], counts["unread"]) == (4, 5, 0)
    assert (tmp_path / "predictions.txt").read_text() == Path(FACTS).read_text()
    assert f1(tmp_path, capsys) == 1


def test_a_text_without_facts_has_an_empty_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = tmp_path / "texts.txt"
    texts.write_text(f"Nothing to read.\n\n{Path(TEXTS).read_text()}")
    assert run(["extract", str(texts), "--out", str(tmp_path / "out")]) == ExitStatus.VIOLATIONS
    assert "not read: " in capsys.readouterr().err
    lines = (tmp_path / "out" / "predictions.txt").read_text().splitlines()
    assert lines == ["[]", *Path(FACTS).read_text().splitlines()]


def test_a_model_is_asked_once(
    stub: Stub, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["extract", TEXTS, "--out", str(tmp_path), "--model", "stub"]
    live = [*asked, "--base-url", stub.url]
    assert run([*asked, "--replay"]) == 2
    assert "found no answer to" in capsys.readouterr().err
    stub.left = 2
    assert run(live) == 2
    assert "status 401" in capsys.readouterr().err
    stub.left = -1
    assert run(live) == 0
    assert len(stub.prompts) == 5
    first = (tmp_path / "predictions.txt").read_bytes()
    assert f1(tmp_path, capsys) == 1
    assert run([*asked, "--replay", "--jobs", "3"]) == 0
    assert len(stub.prompts) == 5
    assert (tmp_path / "predictions.txt").read_bytes() == first
    stub.reply = lambda _: "I cannot read this."
    other = [*live, "--shots", TEXTS, "--shots-facts", FACTS, "--jobs", "2"]
    assert run(other) == ExitStatus.VIOLATIONS
    assert len(stub.prompts) == 9
    assert "found 'I cannot read this.', expected a list of facts" in capsys.readouterr().err
    assert (tmp_path / "predictions.txt").read_text() == "[]\n" * 4


def test_answers_of_a_file(stub: Stub, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    relations = tmp_path / "relations.txt"
    relations.write_text("startMemberOf\nendWorksFor\n")
    out = tmp_path / "prompts.jsonl"
    given = ("--shots", TEXTS, "--shots-facts", FACTS, "--relations", str(relations))
    assert run(["prompts", "quadruples", TEXTS, *given, "--out", str(out)]) == 0
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["id"] for row in rows] == ["1", "2", "3", "4"]
    assert all("one of: startMemberOf, endWorksFor.\n" in row["prompt"] for row in rows)
    assert all(row["prompt"].count("Facts: [[") == 4 for row in rows)
    answers = tmp_path / "answers.jsonl"
    kept = [{"id": row["id"], "answer": stub.right(row["prompt"])} for row in rows[1:]]
    answers.write_text("".join(json.dumps(record) + "\n" for record in kept))
    asked = ["extract", TEXTS, "--answers", str(answers), "--out", str(tmp_path / "out")]
    assert run(asked) == ExitStatus.VIOLATIONS
    assert "right.txt:1: found no answer" in capsys.readouterr().err
    lines = (tmp_path / "out" / "predictions.txt").read_text().splitlines()
    assert lines == ["[]", *Path(FACTS).read_text().splitlines()[1:]]
    answers.write_text('{"id": "5", "answer": "[]"}\n')
    assert run(asked) == 2
    assert "found the id '5', expected the number of a text, 1 to 4" in capsys.readouterr().err


@pytest.mark.parametrize(
    "wrong",
    [
        ["--model", "m"],
        ["--base-url", "http://localhost"],
        ["--replay"],
        ["--model", "m", "--replay", "--base-url", "http://localhost"],
        ["--model", "m", "--replay", "--answers", "answers.jsonl"],
        ["--shots", TEXTS],
        ["--answers", "missing.jsonl"],
        ["--relations", "missing.txt"],
    ],
)
def test_wrong_options(wrong: list[str], tmp_path: Path) -> None:
    assert run(["extract", TEXTS, "--out", str(tmp_path), *wrong]) == 2
