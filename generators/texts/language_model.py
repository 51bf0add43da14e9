"""Requests texts from a language model, checks each, and saves finished ones at once."""

from __future__ import annotations

import hashlib
import http.client
import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from urllib.parse import urlsplit

from generators.texts.run import DraftSettings, GeneratedText, Group, draft, rows
from grammar.dates import find_dates, write_date
from grammar.errors import HopcheckError
from grammar.texts.model import FactText
from grammar.texts.writer import write_text
from solver.io.writing import OutputError, line, os_errors_reported
from solver.seeding import seed_of
from solver.texts.compare import mention_faults

_LONGEST = 4 * 1024 * 1024
_PATIENCE = 60.0
"""The longest wait between two attempts, in seconds."""

_AGAIN = (408, 409, 425, 429)


class EndpointError(HopcheckError):
    """The endpoint refuses or gives no answer after all retries."""

    code = "endpoint"


class _TransientError(Exception):
    """A transient failure; ``wait`` is the delay requested by the endpoint, in seconds."""

    def __init__(self, message: str, wait: float | None = None) -> None:
        super().__init__(message)
        self.wait = wait


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """An endpoint and its model.

    Attributes:
        base_url: URL up to ``/v1``.
        key: API key; empty if none is needed.
        timeout: seconds per attempt.
        tries: attempts per prompt.
        sleep: function that waits for some seconds.
    """

    base_url: str
    model: str
    key: str = ""
    timeout: float = 60.0
    tries: int = 6
    sleep: Callable[[float], None] = time.sleep

    def __post_init__(self) -> None:
        if urlsplit(self.base_url).scheme not in ("http", "https"):
            message = f"found the address {self.base_url!r}, expected one with http or https"
            raise EndpointError(message, hint="such as http://localhost:8000/v1")

    def answer(self, question: str, *, seed: int) -> str:
        """Request a completion.

        Raises:
            EndpointError: it refuses, or all attempts failed; includes the last failure.
        """
        for number in range(1, self.tries + 1):
            try:
                return self._request(question, seed)
            except _TransientError as failure:
                if number == self.tries:
                    raise EndpointError(
                        f"{failure} after {self.tries} tries, expected an answer",
                        where=self.base_url,
                        hint="run the same command again to resume",
                    ) from None
                wait = 0.5 * 2.0 ** (number - 1) if failure.wait is None else failure.wait
                self.sleep(min(max(wait, 0.0), _PATIENCE))
        raise EndpointError("found no tries to make, expected at least one", where=self.base_url)

    def _request(self, question: str, seed: int) -> str:
        body = {
            "model": self.model,
            "messages": [{"role": "user", "content": question}],
            "seed": seed,
        }
        request = urllib.request.Request(
            f"{self.base_url.rstrip('/')}/chat/completions",
            data=json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
        )
        if self.key:
            request.add_unredirected_header("Authorization", f"Bearer {self.key}")
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as response:
                return _content(response.read(_LONGEST))
        except urllib.error.HTTPError as error:
            status = f"found status {error.code}"
            if error.code not in _AGAIN and error.code < 500:
                hint = "check the address, the model and the key"
                message = f"{status}, expected an answer"
                raise EndpointError(message, where=self.base_url, hint=hint) from None
            raise _TransientError(status, _retry_after(error.headers.get("Retry-After"))) from None
        except (urllib.error.URLError, http.client.HTTPException, OSError) as error:
            reason = error.reason if isinstance(error, urllib.error.URLError) else error
            raise _TransientError(f"found no connection ({reason})") from None


def _content(body: bytes) -> str:
    try:
        content = json.loads(body)["choices"][0]["message"]["content"]
    except (ValueError, KeyError, IndexError, TypeError, RecursionError):
        raise _TransientError("found an answer that is no chat completion") from None
    if not isinstance(content, str) or not content.strip():
        raise _TransientError("found an empty answer")
    return content


def _retry_after(value: str | None) -> float | None:
    """Seconds to wait, from a number or an HTTP date."""
    if value is None:
        return None
    if value.strip().isdecimal():
        return float(value)
    try:
        return (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds()
    except (ValueError, TypeError):
        return None


JOURNAL = "finished.jsonl"
"""One line per finished text, appended immediately; a later run resumes from it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTexts:
    """Texts of a model, and a one-line message for each group that it failed on."""

    written: tuple[GeneratedText, ...]
    given_up: tuple[str, ...]


def write_with_model(
    groups: Sequence[Group],
    drafting: DraftSettings,
    endpoint: Endpoint,
    folder: Path,
    *,
    attempts: int = 3,
    jobs: int = 1,
    progress: Callable[[int], object] | None = None,
) -> ModelTexts:
    """Request a text for each group, concurrently; finished texts are saved in ``folder``.

    Args:
        groups: groups of facts.
        drafting: date styles and headlines, as for texts of the grammar.
        endpoint: the model's endpoint.
        folder: folder of the journal; texts in it are not requested again.
        attempts: maximal number of texts requested per group.
        jobs: number of concurrent requests.
        progress: called with the number of newly finished groups.

    Raises:
        EndpointError: the endpoint does not respond; finished texts are kept.
        OutputError: the journal cannot be written.
    """
    planned = [draft(group.facts, number, drafting) for number, group in enumerate(groups)]
    requests = _ModelRequests(planned, endpoint, Journal(folder / JOURNAL), attempts, progress)
    found = requests.all(groups, jobs)
    return ModelTexts(
        written=tuple(one for one in found if isinstance(one, GeneratedText)),
        given_up=tuple(one for one in found if isinstance(one, str)),
    )


class _ModelRequests:
    """The requests of one run; stops at the first failure."""

    def __init__(
        self,
        planned: Sequence[FactText],
        endpoint: Endpoint,
        journal: Journal,
        attempts: int,
        progress: Callable[[int], object] | None,
    ) -> None:
        self._planned = planned
        self._endpoint = endpoint
        self._journal = journal
        self._attempts = attempts
        self._progress = progress
        self._stopped = threading.Event()

    def all(self, groups: Sequence[Group], jobs: int) -> list[GeneratedText | str]:
        """Texts or error messages; a failure is raised once all running requests have ended."""
        with ThreadPoolExecutor(jobs) as threads:
            under_way = [threads.submit(self._one, *pair) for pair in enumerate(groups)]
            try:
                wait(under_way, return_when=FIRST_EXCEPTION)
            except KeyboardInterrupt:
                self._stopped.set()
                raise
            return [one.result() for one in under_way]

    def _one(self, number: int, group: Group) -> GeneratedText | str:
        if self._stopped.is_set():
            return f"{group.where}: not requested"
        try:
            planned = self._planned[number]
            one = _asked(group, planned, self._endpoint, self._journal, self._attempts)
        except BaseException:
            # After a failed request no further ones are sent.
            self._stopped.set()
            raise
        if self._progress is not None:
            self._progress(1)
        return one


class Journal:
    """Finished texts by their prompts; an incomplete last line is ignored."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._texts: dict[str, str] = {}
        try:
            kept = path.read_bytes() if path.exists() else b""
        except OSError as error:
            raise OutputError(f"cannot be read: {error.strerror}", where=str(path)) from None
        for row in kept.splitlines():
            try:
                one = json.loads(row)
                self._texts[str(one["question"])] = str(one["text"])
            except (ValueError, KeyError, TypeError):
                continue
        self._cut_off = bool(kept) and not kept.endswith(b"\n")

    def text(self, question: str) -> str | None:
        """The finished text of a prompt, or None."""
        return self._texts.get(question)

    def keep(self, question: str, text: str) -> None:
        """Append a finished text to the file."""
        with self._lock, os_errors_reported(self._path), self._path.open("ab") as file:
            begin = b"\n" if self._cut_off else b""
            self._cut_off = False
            file.write(begin + line({"question": question, "text": text}))
            self._texts[question] = text


def _asked(
    group: Group, planned: FactText, endpoint: Endpoint, journal: Journal, attempts: int
) -> GeneratedText | str:
    question = prompt(planned)
    headline = None if planned.headline is None else planned.headline.written_date.date
    named = hashlib.blake2b(f"{endpoint.model}\0{question}".encode(), digest_size=16).hexdigest()
    written = GeneratedText(
        group=group,
        text="",
        facts=planned.facts,
        headline=None if headline is None else headline.isoformat(),
        writer=endpoint.model,
    )
    kept = journal.text(named)
    if kept is not None:
        return replace(written, text=kept)
    wrong: list[str] = []
    for number in range(attempts):
        seed = seed_of("texts", endpoint.model, question, number) % 2**31
        text = " ".join(endpoint.answer(question, seed=seed).split())
        wrong = list(faults(text, planned, headline))
        if not wrong:
            journal.keep(named, text)
            return replace(written, text=text)
    return f"{group.where}: given up after {attempts} texts; faults of the last: {'; '.join(wrong)}"


def faults(text: str, planned: FactText, headline: date | None) -> Iterator[str]:
    """Find wrong names, dates and weekdays in a model's text, each with a message."""
    yield from (one.message for one in mention_faults(text, planned.facts))
    names = " ".join(f"{one.subject}\n{one.object}" for one in planned.facts)
    asked = {one.date for one in planned.facts} | {one.date for one in find_dates(names)}
    found = {one.date for one in find_dates(text)} - {None}
    if headline is not None and headline not in found:
        yield f"{headline} is not written in full"
    if headline is None or headline in found:
        yield from (
            f"{day} was not requested" for day in sorted(found - asked - {headline}, key=str)
        )


def prompt(planned: FactText) -> str:
    """The prompt for a text."""
    lines = [
        "Write one short paragraph in the style of a newspaper that reports exactly these facts.",
        "Copy every name letter by letter, and write every date as it stands here, in full.",
        "Add no other date and no other fact. Answer with the paragraph alone.",
        "",
    ]
    for one, row in zip(planned.sentences, rows(planned.facts), strict=True):
        day = write_date(one.written_date.date, one.written_date.style)
        meaning = write_text(FactText(sentences=(one,)))
        lines.append(f"- {json.dumps(row[:3], ensure_ascii=False)}, date: {day}; so: {meaning}")
    if planned.headline is not None:
        today = write_date(planned.headline.written_date.date, planned.headline.written_date.style)
        lines += ["", f"Open with a headline that gives the day of the paper: {today}."]
    return "\n".join(lines)
