"""Has a language model write texts, checks each, and keeps every finished one at once."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from generators.texts.draft import Drafting, draft
from generators.texts.endpoint import Endpoint
from generators.texts.run import Group, Written, rows
from grammar.dates import write_date
from grammar.fact_text import FactText
from grammar.fact_writer import write_text
from grammar.found_dates import find_dates
from solver.fact_texts.mentions import unmentioned
from solver.seeding import seed_of
from solver.writing.atomic import OutputError, os_errors_reported
from solver.writing.jsonl import line

JOURNAL = "finished.jsonl"
"""A line for each finished text, added as soon as it is there; a later run goes on from it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Texts of a model, and the groups that it could not write about, each told in one line."""

    written: tuple[Written, ...]
    given_up: tuple[str, ...]


def ask(
    groups: Sequence[Group],
    drafting: Drafting,
    endpoint: Endpoint,
    folder: Path,
    *,
    attempts: int = 3,
    jobs: int = 1,
    progress: Callable[[int], object] | None = None,
) -> Asked:
    """Have a text written for each group, several at a time; finished ones are kept in ``folder``.

    Args:
        groups: of facts.
        drafting: the dates' styles and the headlines, as for texts of the grammar.
        endpoint: that is asked.
        folder: of the journal; what stands in it is not asked again.
        attempts: texts that are asked for before a group is given up.
        jobs: questions under way at a time.
        progress: called with each number of finished groups.

    Raises:
        EndpointError: the endpoint does not answer; finished texts are kept.
        OutputError: the journal cannot be written.
    """
    planned = [draft(group.facts, number, drafting) for number, group in enumerate(groups)]
    desk = _Desk(planned, endpoint, Journal(folder / JOURNAL), attempts, progress)
    found = desk.all(groups, jobs)
    return Asked(
        written=tuple(one for one in found if isinstance(one, Written)),
        given_up=tuple(one for one in found if isinstance(one, str)),
    )


class _Desk:
    """Gives out the questions of one run, until one of them fails."""

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

    def all(self, groups: Sequence[Group], jobs: int) -> list[Written | str]:
        """Texts, or why there is none; a failure is raised when no work is under way."""
        with ThreadPoolExecutor(jobs) as threads:
            under_way = [threads.submit(self._one, *pair) for pair in enumerate(groups)]
            try:
                wait(under_way, return_when=FIRST_EXCEPTION)
            except KeyboardInterrupt:
                self._stopped.set()
                raise
            return [one.result() for one in under_way]

    def _one(self, number: int, group: Group) -> Written | str:
        if self._stopped.is_set():
            return f"{group.where}: not asked for"
        try:
            planned = self._planned[number]
            one = _asked(group, planned, self._endpoint, self._journal, self._attempts)
        except BaseException:
            # An endpoint that fails one question is not asked the others.
            self._stopped.set()
            raise
        if self._progress is not None:
            self._progress(1)
        return one


class Journal:
    """Finished texts by their questions; a last line that an end has cut off is passed over."""

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
        """The text that is finished, if it is."""
        return self._texts.get(question)

    def keep(self, question: str, text: str) -> None:
        """Add a finished text, so that no end of the program loses it."""
        with self._lock, os_errors_reported(self._path), self._path.open("ab") as file:
            begin = b"\n" if self._cut_off else b""
            self._cut_off = False
            file.write(begin + line({"question": question, "text": text}))
            self._texts[question] = text


def _asked(
    group: Group, planned: FactText, endpoint: Endpoint, journal: Journal, attempts: int
) -> Written | str:
    question = prompt(planned)
    headline = None if planned.headline is None else planned.headline.said.date
    named = hashlib.blake2b(f"{endpoint.model}\0{question}".encode(), digest_size=16).hexdigest()
    written = Written(
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
    return f"{group.where}: given up after {attempts} texts; of the last one, {'; '.join(wrong)}"


def faults(text: str, planned: FactText, headline: date | None) -> Iterator[str]:
    """What is wrong with a model's text: names, dates and weekdays, each told in words."""
    yield from (one.message for one in unmentioned(text, planned.facts))
    names = " ".join(f"{one.subject}\n{one.object}" for one in planned.facts)
    asked = {one.date for one in planned.facts} | {one.date for one in find_dates(names)}
    found = {one.date for one in find_dates(text)} - {None}
    if headline is not None and headline not in found:
        yield f"{headline} is not written in full"
    if headline is None or headline in found:
        yield from (
            f"{day} was not asked for" for day in sorted(found - asked - {headline}, key=str)
        )


def prompt(planned: FactText) -> str:
    """The question for a text."""
    lines = [
        "Write one short paragraph in the style of a newspaper that reports exactly these facts.",
        "Copy every name letter by letter, and write every date as it stands here, in full.",
        "Add no other date and no other fact. Answer with the paragraph alone.",
        "",
    ]
    for one, row in zip(planned.sentences, rows(planned.facts), strict=True):
        day = write_date(one.said.date, one.said.style)
        meaning = write_text(FactText(sentences=(one,)))
        lines.append(f"- {json.dumps(row[:3], ensure_ascii=False)}, date: {day}; so: {meaning}")
    if planned.headline is not None:
        today = write_date(planned.headline.said.date, planned.headline.said.style)
        lines += ["", f"Open with a headline that gives the day of the paper: {today}."]
    return "\n".join(lines)
