"""Texts of a language model: transient endpoint failures lose no finished text."""

from __future__ import annotations

import json
import re
import threading
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from generators.cli import command
from generators.texts.language_model import (
    JOURNAL,
    Endpoint,
    EndpointError,
    FinishedAnswer,
    Journal,
    write_with_model,
)
from generators.texts.run import DraftSettings, Group
from grammar.texts.model import TextFact
from solver.texts.settings import Reading, TextSettings
from solver.verification.report import Kind, VerifyReport
from solver.verification.run import verify

Reply = Callable[["Handler", str], None]


def check(texts: str, facts: str, **settings: Reading) -> VerifyReport:
    return verify(texts, Kind.TEXTS, config=TextSettings(facts=facts, **settings))


def honest(question: str) -> str:
    """A text that a model could write: the sentences of the prompt."""
    sentences = re.findall(r"^- .*; so: (.*)$", question, re.MULTILINE)
    headline = re.search(r"this headline: (.*)$", question)
    return (f"{headline[1]}\n\n" if headline else "") + " ".join(sentences)


class Handler(BaseHTTPRequestHandler):
    server: Stub

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            self.server.requests.append(body)
            self.server.keys.append(self.headers.get("Authorization"))
            reply = self.server.replies.pop(0) if self.server.replies else right
        try:
            reply(self, body["messages"][0]["content"])
        except OSError:
            return

    def give(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def reply(self, text: object) -> None:
        self.give(200, json.dumps({"choices": [{"message": {"content": text}}]}).encode())

    def log_message(self, *_: Any) -> None:
        return


class Stub(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.lock = threading.Lock()
        self.ended = threading.Event()
        self.replies: list[Reply] = []
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


def right(handler: Handler, question: str) -> None:
    handler.reply(honest(question))


def limited(handler: Handler, _: str) -> None:
    handler.give(429, b"slow down", Retry_After="7")


def limited_until(handler: Handler, _: str) -> None:
    handler.give(429, b"slow down", Retry_After="Fri, 31 Dec 1999 23:59:59 GMT")


def broken(handler: Handler, _: str) -> None:
    handler.give(500, b"oops")


def late(handler: Handler, _: str) -> None:
    handler.server.ended.wait()


def cut(handler: Handler, _: str) -> None:
    handler.give(200, b'{"choices": [{"message"')


def strange(handler: Handler, _: str) -> None:
    handler.give(200, b'[{"answer": 42}]')


def empty(handler: Handler, _: str) -> None:
    handler.reply(" ")


def hangs_up(handler: Handler, _: str) -> None:
    handler.connection.close()


def refused(handler: Handler, _: str) -> None:
    handler.give(401, b"who are you")


def misnamed(handler: Handler, question: str) -> None:
    handler.reply(honest(question).replace("Rovers", "Rangers"))


def misdated(handler: Handler, question: str) -> None:
    handler.reply(honest(question) + " They met on May 5, 1999.")


@contextmanager
def serving() -> Iterator[Stub]:
    with Stub() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield server
        finally:
            server.ended.set()
            server.shutdown()
            thread.join()


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch, until: Callable[..., None]) -> Iterator[Stub]:
    """Late replies alone run out of time, however busy the machine is."""
    urlopen = urllib.request.urlopen
    with serving() as server:

        def patient(request: urllib.request.Request, timeout: float) -> Any:
            with server.lock:
                waits, before = server.replies[:1] == [late], len(server.requests)
            if not waits:
                return urlopen(request, timeout=600)
            try:
                return urlopen(request, timeout=timeout)
            finally:
                until(lambda: len(server.requests) > before)

        monkeypatch.setattr("urllib.request.urlopen", patient)
        yield server


def groups(number: int) -> list[Group]:
    return [
        Group(
            where=f"facts.txt:{n + 1}",
            facts=(
                TextFact(
                    subject=f"Ada {n}",
                    relation="startMemberOf",
                    object="Rovers",
                    date=date(2026, 1, 1) + timedelta(days=n),
                ),
            ),
        )
        for n in range(number)
    ]


def endpoint(stub: Stub, waits: list[float], **options: Any) -> Endpoint:
    return Endpoint(base_url=stub.url, model="stub", timeout=0.3, sleep=waits.append, **options)


BAD = [limited, limited_until, broken, late, cut, strange, empty, hangs_up]


@pytest.mark.parametrize("bad", BAD, ids=lambda answer: answer.__name__)
def test_transient_failures_are_retried(bad: Reply, stub: Stub, tmp_path: Path) -> None:
    stub.replies = [bad, right, bad, bad, right]
    waits: list[float] = []
    result = write_with_model(groups(2), DraftSettings(), endpoint(stub, waits), tmp_path)
    assert len(result.written) == 2
    assert not result.given_up
    expected = {limited: [7.0, 7.0, 7.0], limited_until: [0.0, 0.0, 0.0]}
    assert waits == expected.get(bad, [0.5, 0.5, 1.0])


@pytest.mark.parametrize("bad", BAD, ids=lambda answer: answer.__name__)
def test_finished_texts_are_kept_after_a_permanent_failure(
    bad: Reply, stub: Stub, tmp_path: Path
) -> None:
    stub.replies = [right, right, bad, bad, bad]
    with pytest.raises(EndpointError, match="after 3 tries"):
        write_with_model(groups(5), DraftSettings(), endpoint(stub, [], tries=3), tmp_path)
    kept = (tmp_path / JOURNAL).read_bytes().splitlines()
    assert len(kept) == 2
    stub.requests.clear()
    stub.replies.clear()
    result = write_with_model(groups(5), DraftSettings(), endpoint(stub, []), tmp_path)
    assert len(result.written) == 5
    assert len(stub.requests) == 3
    assert (tmp_path / JOURNAL).read_bytes().splitlines()[:2] == kept


def test_a_refusal_stops_the_run(stub: Stub, tmp_path: Path) -> None:
    stub.replies = [right, refused]
    with pytest.raises(EndpointError, match="found status 401"):
        write_with_model(groups(4), DraftSettings(), endpoint(stub, []), tmp_path)
    assert len((tmp_path / JOURNAL).read_bytes().splitlines()) == 1


def test_flawed_texts_are_retried_and_then_reported(stub: Stub, tmp_path: Path) -> None:
    stub.replies = [misnamed, right, misdated, misdated, misnamed, right]
    drafting = DraftSettings(headlines=0.0)
    result = write_with_model(groups(3), drafting, endpoint(stub, []), tmp_path)
    assert [text.group.where for text in result.written] == ["facts.txt:1", "facts.txt:3"]
    (message,) = result.given_up
    assert message.startswith("facts.txt:2: given up after 3 texts")
    assert "'Rovers' is not named" in message
    # Each attempt has its own seed, or the model would repeat itself.
    assert len({request["seed"] for request in stub.requests}) == len(stub.requests)


def embellishes(handler: Handler, question: str) -> None:
    handler.reply(f"{honest(question)} The Mayor of Elm wept.")


def embellishes_quietly(handler: Handler, question: str) -> None:
    handler.reply(f"{honest(question)} Fans were delighted.")


def negates(handler: Handler, question: str) -> None:
    handler.reply(honest(question).replace("Ada", "It is not true that Ada"))


def adds_a_fact(handler: Handler, question: str) -> None:
    handler.reply(f"{honest(question)} Rovers left Rovers on 2026-01-01.")


@pytest.mark.parametrize(
    ("writer", "codes"),
    [
        (right, set()),
        (embellishes, {"extra-name"}),
        (embellishes_quietly, {"unverified"}),
        (negates, {"polarity"}),
        (adds_a_fact, {"extra-fact"}),
        (misnamed, {"missing-object"}),
        (misdated, {"extra-date"}),
    ],
)
def test_only_decided_texts_are_kept(
    writer: Reply, codes: set[str], stub: Stub, tmp_path: Path
) -> None:
    stub.replies = [writer] * 4
    drafting = DraftSettings(headlines=0.0)
    result = write_with_model(groups(2), drafting, endpoint(stub, []), tmp_path, attempts=2)
    assert set(result.as_json()["dropped"]) >= codes
    if codes:
        assert result.as_json()["dropped"].keys() <= {*codes, "extra-name"}
        assert (len(result.written), len(result.given_up), len(result.dropped)) == (0, 2, 4)
    else:
        assert (len(result.written), result.given_up, result.dropped) == (2, (), ())


def test_a_headline_must_be_the_requested_one(stub: Stub, tmp_path: Path) -> None:
    def own(handler: Handler, question: str) -> None:
        handler.reply(f"2026-01-01 – The record. {honest(question)}")

    stub.replies = [own, right]
    drafting = DraftSettings(headlines=0.0)
    result = write_with_model(groups(1), drafting, endpoint(stub, []), tmp_path)
    assert result.dropped == (("wrong-headline",),)
    assert len(result.written) == 1


def test_an_undecided_text_of_an_old_journal_is_requested_again(stub: Stub, tmp_path: Path) -> None:
    drafting = DraftSettings(headlines=0.0)
    write_with_model(groups(1), drafting, endpoint(stub, []), tmp_path)
    (row,) = (tmp_path / JOURNAL).read_bytes().splitlines()
    old = {"question": json.loads(row)["question"], "text": "Ada 0 met Rovers on 2026-01-01."}
    (tmp_path / JOURNAL).write_text(json.dumps(old) + "\n", encoding="utf-8")
    result = write_with_model(groups(1), drafting, endpoint(stub, []), tmp_path)
    assert len(stub.requests) == 2
    assert "met" not in result.written[0].text


def test_the_share_kept_is_reported(stub: Stub, tmp_path: Path) -> None:
    facts, out = tmp_path / "facts.txt", tmp_path / "out"
    facts.write_text("[['Ada', 'founder', 'Rovers', '2026-01-10']]\n", encoding="utf-8")
    stub.replies = [negates, embellishes_quietly]
    options = ("--headlines", "0")
    result = run(stub, facts, out, *options)
    assert result.exit_code == 0, result.output
    line = "kept 1 of 3 texts of the model (33.3%); dropped: 1 polarity, 1 unverified"
    assert line in result.stdout
    shares = json.loads((out / "manifest.json").read_bytes())["model_texts"]
    assert (shares["received"], shares["kept"]) == (3, 1)
    assert shares["dropped"] == {"polarity": 1, "unverified": 1}
    again = run(stub, facts, out, *options, "--json")
    assert json.loads(again.stdout)["model_texts"] == shares
    assert len(stub.requests) == 3


def phrases(handler: Handler, question: str) -> None:
    relation = re.search("relation “(.*?)”", question)
    handler.reply(
        {
            "startMemberOf": "1. rallied to | will rally to\njoined forces with | will team up\n"
            "did not enter | will not enter\nSorry!",
            "endMemberOf": "- rallied to | will walk away from\nwalked out on | will walk out on",
            "juggles": "kept in the air | will keep in the air",
        }[relation[1] if relation else ""]
    )


def test_phrases_of_a_model(stub: Stub, tmp_path: Path) -> None:
    facts, out = tmp_path / "facts.txt", tmp_path / "out"
    relations = ("startMemberOf", "endMemberOf", "juggles")
    lines = [
        f"[['Ada {n}', {relations[n % 3]!r}, 'Rovers', '2026-01-{n + 10}']]\n" for n in range(18)
    ]
    facts.write_text("".join(lines), encoding="utf-8")
    stub.replies = [phrases] * 3
    options = ("--writer", "openai-phrases", "--seed", "1")
    result = run(stub, facts, out, *options)
    assert result.exit_code == 0, result.output
    assert (out / "phrases.tsv").read_text(encoding="utf-8").splitlines() == [
        "relation\tpast\tahead",
        "endMemberOf\trallied to\twill walk away from",
        "endMemberOf\twalked out on\twill walk out on",
        "juggles\tkept in the air\twill keep in the air",
    ]
    assert "kept 3 of 7 pairs of phrases of the model (42.9%)" in result.stdout
    assert "dropped: 2 clash, 1 malformed, 1 polarity" in result.stdout
    assert '"joined forces with" clashes with "joined" (startMemberOf)' in result.stderr
    assert '"rallied to" clashes with "rallied to" (endMemberOf)' in result.stderr
    shares = json.loads((out / "manifest.json").read_bytes())["model_phrases"]
    assert (shares["received"], shares["kept"], len(shares["refused"])) == (7, 3, 4)
    texts, references = out / "descriptions.txt", out / "references.txt"
    assert "kept in the air" in texts.read_text(encoding="utf-8")
    table = str(out / "phrases.tsv")
    settings = TextSettings(facts=str(references), phrases=table)
    assert not verify(str(texts), Kind.TEXTS, config=settings).findings
    assert set(check(str(texts), str(references)).findings.counts()) == {"unparsed"}
    first = texts.read_bytes()
    assert run(stub, facts, out, *options).exit_code == 0
    assert (len(stub.requests), texts.read_bytes()) == (3, first)
    # The table alone gives the same texts.
    plain = ["texts", "--facts", str(facts), "--out", str(tmp_path / "plain"), "--seed", "1"]
    assert CliRunner().invoke(command, [*plain, "--phrases", table]).exit_code == 0
    assert (tmp_path / "plain" / "descriptions.txt").read_bytes() == first
    assert CliRunner().invoke(command, plain).exit_code == 1
    assert not (tmp_path / "plain" / "phrases.tsv").exists()


def test_a_truncated_journal_is_resumed(tmp_path: Path) -> None:
    path = tmp_path / JOURNAL
    first = Journal(path)
    first.keep("a", "text a")
    path.write_bytes(path.read_bytes() + b'{"question": "b", "te')
    again = Journal(path)
    assert (again.answer("a"), again.answer("b")) == (FinishedAnswer(text="text a"), None)
    again.keep("b", "text b", [("unverified",)])
    last = Journal(path)
    assert last.answer("a") == FinishedAnswer(text="text a")
    assert last.answer("b") == FinishedAnswer(text="text b", dropped=(("unverified",),))


def run(stub: Stub, facts: Path, out: Path, *options: str) -> Result:
    arguments = ["texts", "--facts", str(facts), "--out", str(out), "--writer", "openai"]
    arguments += ["--base-url", stub.url, "--model", "stub", *options]
    return CliRunner(env={"OPENAI_API_KEY": "secret-word"}).invoke(command, arguments)


def test_the_command(stub: Stub, tmp_path: Path) -> None:
    facts, out = tmp_path / "facts.txt", tmp_path / "out"
    lines = [f"[['Ada {n}', 'founder', 'Rovers', '2026-01-{n + 10}']]\n" for n in range(12)]
    facts.write_text("".join(lines), encoding="utf-8")
    result = run(stub, facts, out, "--jobs", "3", "--headlines", ".5")
    assert result.exit_code == 0, result.output
    texts, references = out / "descriptions.txt", out / "references.txt"
    assert references.read_text(encoding="utf-8") == "".join(lines)
    assert not check(str(texts), str(references)).findings
    assert " – " in texts.read_text(encoding="utf-8")
    assert set(stub.keys) == {"Bearer secret-word"}
    assert not [path for path in out.iterdir() if b"secret-word" in path.read_bytes()]
    again = run(stub, facts, out, "--jobs", "3", "--headlines", ".5")
    assert again.exit_code == 0
    assert len(stub.requests) == 12


def test_options_that_require_each_other(stub: Stub, tmp_path: Path) -> None:
    facts = tmp_path / "facts.txt"
    facts.write_text("[['Ada', 'founder', 'Ben', '2026-01-01']]\n")
    plain = ["texts", "--facts", str(facts), "--out", str(tmp_path / "out")]
    for options in (["--writer", "openai"], ["--model", "m", "--base-url", stub.url]):
        assert CliRunner().invoke(command, [*plain, *options]).exit_code == 2
    with pytest.raises(EndpointError, match="expected one with http"):
        Endpoint(base_url="ftp://example", model="m")
