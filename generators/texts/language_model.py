"""Requests texts from a language model, checks each, and saves finished ones at once."""

from __future__ import annotations

import hashlib
import http.client
import json
import re
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from generators.texts.run import DraftSettings, GeneratedText, Group, draft, rows
from grammar.dates import write_date
from grammar.errors import HopcheckError
from grammar.texts.model import FactText, Naming
from grammar.texts.phrases import PhraseRow, PhraseTable, Refusal, admit, phrase_table
from grammar.texts.reader import read_text
from grammar.texts.writer import write_headline, write_text
from solver.io.sources import shown
from solver.io.writing import OutputError, line, os_errors_reported
from solver.seeding import seed_of
from solver.texts.compare import Doubt, denials
from solver.texts.io import ReadText, ReferenceFacts
from solver.texts.settings import Reading
from solver.texts.verify import check_text

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


Codes = tuple[str, ...]
"""Codes of the reasons why an answer is not kept."""

Result = TypeVar("Result")

HEADLINE = "wrong-headline"
"""The code of a text with another headline than requested, or with none."""

JOURNAL = "finished.jsonl"
"""One line per finished text, appended immediately; a later run resumes from it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTexts:
    """Texts of a model.

    Attributes:
        written: texts that parse to exactly their facts.
        given_up: a one-line message for each group that the model failed on.
        dropped: for each text that was not kept, its codes.
    """

    written: tuple[GeneratedText, ...]
    given_up: tuple[str, ...]
    dropped: tuple[Codes, ...]

    def as_json(self) -> dict[str, Any]:
        """Numbers of received, kept and dropped texts, the latter by code."""
        return shares(len(self.written), self.dropped)


def shares(kept: int, dropped: Sequence[Codes]) -> dict[str, Any]:
    """How many answers were kept; an answer dropped for several reasons has several codes."""
    received = kept + len(dropped)
    counts = Counter(code for codes in dropped for code in codes)
    return {
        "received": received,
        "kept": kept,
        "share_kept": round(kept / received, 4) if received else None,
        "dropped": dict(sorted(counts.items())),
    }


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

    A text is kept if it parses to exactly its facts, without a contradiction.

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
    journal = Journal(folder / JOURNAL)

    def requested(number: int) -> _Requested:
        return _requested(
            groups[number], planned[number], drafting.table, endpoint, journal, attempts
        )

    found = request_all(requested, len(groups), jobs, progress)
    return ModelTexts(
        written=tuple(
            request.result for request in found if isinstance(request.result, GeneratedText)
        ),
        given_up=tuple(request.result for request in found if isinstance(request.result, str)),
        dropped=tuple(codes for request in found for codes in request.dropped),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Requested:
    """The text of a group, or why there is none, and the codes of the texts that were dropped."""

    result: GeneratedText | str
    dropped: tuple[Codes, ...] = ()


def request_all(
    request: Callable[[int], Result],
    number: int,
    jobs: int,
    progress: Callable[[int], object] | None,
) -> list[Result]:
    """Send requests concurrently; a failure is raised once all running requests have ended."""
    stopped = threading.Event()

    def unless_stopped(place: int) -> Result | None:
        if stopped.is_set():
            return None
        try:
            found = request(place)
        except BaseException:
            # After a failed request no further ones are sent.
            stopped.set()
            raise
        if progress is not None:
            progress(1)
        return found

    with ThreadPoolExecutor(jobs) as threads:
        under_way = [threads.submit(unless_stopped, place) for place in range(number)]
        try:
            wait(under_way, return_when=FIRST_EXCEPTION)
        except KeyboardInterrupt:
            stopped.set()
            raise
        results = [future.result() for future in under_way]
    return [result for result in results if result is not None]


class Journal:
    """Finished answers by their prompts; an incomplete last line is ignored."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._answers: dict[str, FinishedAnswer] = {}
        try:
            kept = path.read_bytes() if path.exists() else b""
        except OSError as error:
            raise OutputError(f"cannot be read: {error.strerror}", where=str(path)) from None
        for row in kept.splitlines():
            try:
                record = json.loads(row)
                dropped = tuple(tuple(map(str, codes)) for codes in record.get("dropped", ()))
                answer = FinishedAnswer(text=str(record["text"]), dropped=dropped)
                self._answers[str(record["question"])] = answer
            except (ValueError, KeyError, TypeError, AttributeError):
                continue
        self._cut_off = bool(kept) and not kept.endswith(b"\n")

    def answer(self, question: str) -> FinishedAnswer | None:
        """The finished answer to a prompt, or None."""
        return self._answers.get(question)

    def keep(self, question: str, text: str, dropped: Sequence[Codes] = ()) -> None:
        """Append a finished answer to the file."""
        with self._lock, os_errors_reported(self._path), self._path.open("ab") as file:
            begin = b"\n" if self._cut_off else b""
            self._cut_off = False
            file.write(begin + line({"question": question, "text": text, "dropped": dropped}))
            self._answers[question] = FinishedAnswer(text=text, dropped=tuple(dropped))


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedAnswer:
    """An answer that was kept, and the codes of those that were dropped before it."""

    text: str
    dropped: tuple[Codes, ...] = ()


def _requested(
    group: Group,
    planned: FactText,
    table: PhraseTable,
    endpoint: Endpoint,
    journal: Journal,
    attempts: int,
) -> _Requested:
    question = prompt(planned, table)
    named = question_name(endpoint.model, question)

    def kept(text: str, dropped: Sequence[Codes]) -> _Requested:
        headline = planned.headline
        written = GeneratedText(
            group=group,
            text=text,
            facts=read_text(text, table).facts,
            headline=None if headline is None else headline.written_date.date.isoformat(),
            writer=endpoint.model,
        )
        return _Requested(result=written, dropped=tuple(dropped))

    finished = journal.answer(named)
    if finished is not None and not faults(finished.text, planned, table):
        return kept(finished.text, finished.dropped)
    wrong: dict[str, list[str]] = {}
    dropped: list[Codes] = []
    for number in range(attempts):
        seed = seed_of("texts", endpoint.model, question, number) % 2**31
        text = " ".join(endpoint.answer(question, seed=seed).split())
        wrong = faults(text, planned, table)
        if not wrong:
            journal.keep(named, text, dropped)
            return kept(text, dropped)
        dropped.append(tuple(wrong))
    last = "; ".join(message for messages in wrong.values() for message in messages)
    message = f"{group.where}: given up after {attempts} texts; faults of the last: {last}"
    return _Requested(result=message, dropped=tuple(dropped))


def question_name(model: str, question: str) -> str:
    """The name of a prompt in the journal."""
    return hashlib.blake2b(f"{model}\0{question}".encode(), digest_size=16).hexdigest()


def faults(text: str, planned: FactText, table: PhraseTable) -> dict[str, list[str]]:
    """Why a text is not kept: messages by code; none if it parses to exactly its facts."""
    found: dict[str, list[str]] = {}
    references = ReferenceFacts(where="", facts=planned.facts)
    for finding in check_text(ReadText(where="", text=text), references, Reading.NAMES, table):
        found.setdefault(finding.code, []).append(finding.message)
    if not found:
        days = [_day(read_text(text, table)), _day(planned)]
        if days[0] != days[1]:
            found[HEADLINE] = [f"found a headline of {days[0]}, expected {days[1]}"]
    return found


def _day(text: FactText) -> date | None:
    return None if text.headline is None else text.headline.written_date.date


def prompt(planned: FactText, table: PhraseTable) -> str:
    """The prompt for a text."""
    lines = [
        "Write one short paragraph in the style of a newspaper that reports exactly these facts, "
        "each in one sentence.",
        "Each sentence has the form: subject, one of the phrases given, object, on, date, full "
        "stop; or: On, date, comma, subject, phrase, object, full stop. In the first form it may "
        "begin with “Later, ”, “On the same day, ” or “Meanwhile, ” if that is true of the "
        "sentence before.",
        "Copy every name letter by letter, in quotation marks “ ” where it has them in the "
        "example, and write every date as it stands here, in full.",
        "Add no other word, name, date or fact. Answer with the paragraph alone.",
        "",
    ]
    for sentence, row in zip(planned.sentences, rows(planned.facts), strict=True):
        day = write_date(sentence.written_date.date, sentence.written_date.style)
        named = replace(sentence, subject_by=Naming.NAME, object_by=Naming.NAME)
        meaning = write_text(FactText(sentences=(named,)), table)
        relation, ahead = sentence.phrase.relation, sentence.phrase.ahead
        words = ", ".join(f"“{phrase.words}”" for phrase in table.of(relation, ahead=ahead))
        fact = json.dumps(row[:3], ensure_ascii=False)
        lines.append(f"- {fact}, date: {day}; phrases: {words}; so: {meaning}")
    if planned.headline is not None:
        lines += ["", f"Begin with this headline: {write_headline(planned.headline, '').strip()}"]
    return "\n".join(lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPhrases:
    """Phrases of a model.

    Attributes:
        admitted: rows that leave each sentence one reading.
        refused: a one-line message for each other row, with the phrase that it clashes with.
        dropped: the code of each other row.
    """

    admitted: tuple[PhraseRow, ...]
    refused: tuple[str, ...]
    dropped: tuple[Codes, ...]

    def as_json(self) -> dict[str, Any]:
        """Numbers of received, admitted and refused rows, and all messages."""
        return shares(len(self.admitted), self.dropped) | {"refused": list(self.refused)}


PAIRS = 5
"""Number of pairs of phrases requested for a relation."""

_PAIR = re.compile(r"\s*(?:[-*•]|[0-9]+[.)])?\s*(?P<past>[^|]*?)\s*\|\s*(?P<ahead>[^|]*?)\s*")


def phrases_of_model(
    relations: Sequence[str],
    known: tuple[PhraseRow, ...],
    endpoint: Endpoint,
    folder: Path,
    *,
    jobs: int = 1,
    progress: Callable[[int], object] | None = None,
) -> ModelPhrases:
    """Request phrases for each relation, concurrently, and admit those that do not clash.

    Args:
        relations: relations; phrases are admitted in this order.
        known: additional phrases that were admitted before.
        endpoint: the model's endpoint.
        folder: folder of the journal; answers in it are not requested again.
        jobs: number of concurrent requests.
        progress: called with the number of newly finished relations.

    Raises:
        EndpointError: the endpoint does not respond; finished answers are kept.
        OutputError: the journal cannot be written.
    """
    journal = Journal(folder / JOURNAL)
    table = phrase_table(known)

    def proposed_phrases(number: int) -> str:
        question = phrase_prompt(relations[number], table)
        named = question_name(endpoint.model, question)
        finished = journal.answer(named)
        if finished is not None:
            return finished.text
        seed = seed_of("phrases", endpoint.model, question) % 2**31
        text = endpoint.answer(question, seed=seed)
        journal.keep(named, text)
        return text

    answers = request_all(proposed_phrases, len(relations), jobs, progress)
    proposed: list[PhraseRow] = []
    refused: list[str] = []
    dropped: list[Codes] = []
    for relation, answer in zip(relations, answers, strict=True):
        for written in filter(str.strip, answer.splitlines()):
            pair = _PAIR.fullmatch(written)
            words = denials(written)
            if pair is None:
                refused.append(f"{relation}: found {shown(written)}, expected past | future")
                dropped.append((Refusal.FORM.value,))
            elif words:
                refused.append(f'{relation}: {shown(written)}: "{words[0]}" denies or doubts')
                dropped.append((Doubt.DENIAL.value,))
            else:
                proposed.append(PhraseRow(relation=relation, **pair.groupdict()))
    admission = admit(proposed, admitted=known)
    return ModelPhrases(
        admitted=admission.admitted,
        refused=(*refused, *(row.message for row in admission.refused)),
        dropped=(*dropped, *((row.code.value,) for row in admission.refused)),
    )


def phrase_prompt(relation: str, table: PhraseTable) -> str:
    """The prompt for phrases of a relation."""
    lines = [
        f"Write {PAIRS} pairs of English phrases for the relation “{relation}”: the words between "
        "its subject and its object in a newspaper, in the past tense and in the future tense.",
        "Answer with one pair per line and nothing else, as: past | future",
        "Use words in lower case, no names, dates, digits or punctuation, and no phrase that is "
        "part of another one.",
    ]
    past, ahead = table.past.get(relation, ()), table.ahead.get(relation, ())
    if past:
        lines.append("These are known, find others:")
        lines += [
            f"{phrase.words} | {other.words}" for phrase, other in zip(past, ahead, strict=True)
        ]
    return "\n".join(lines)
