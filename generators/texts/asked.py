"""Requests texts from a language model, checks each, and saves finished ones at once."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from generators.texts.draft import DraftSettings, draft
from generators.texts.endpoint import Endpoint
from generators.texts.run import GeneratedText, Group, rows
from grammar.dates import write_date
from grammar.fact_text import FactText
from grammar.fact_writer import write_text
from grammar.found_dates import find_dates
from solver.fact_texts.mentions import mention_faults
from solver.seeding import seed_of
from solver.writing.atomic import OutputError, os_errors_reported
from solver.writing.jsonl import line

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
