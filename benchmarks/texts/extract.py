"""Extracts facts from texts: by the grammar, by a language model, or from its answers in a file."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.predictions import (
    PredictionError,
    PredictionRow,
    read_predictions,
    without_thoughts,
)
from generators.texts.language_model import (
    JOURNAL,
    Endpoint,
    Journal,
    question_name,
    request_all,
)
from grammar.errors import HopcheckError
from grammar.texts.model import TextFact
from grammar.texts.phrases import PhraseTable
from grammar.texts.reader import read_text
from solver.facts.literals import PARTS, read_literal
from solver.io.sources import InputError, shown
from solver.seeding import seed_of
from solver.texts.io import ReadText

Quadruple = tuple[str, ...]
"""The elements of an extracted fact: four strings, if the model follows the form."""

_LONGEST = 200_000
"""Characters of an answer that are read, from its end."""
_TRIES = 2_000
"""Brackets at which a list may begin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """An example of a prompt: a text and its facts."""

    text: str
    facts: tuple[TextFact, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What a model is asked for.

    Attributes:
        relations: the relations that it may use.
        shots: examples, in order.
    """

    relations: tuple[str, ...]
    shots: tuple[Shot, ...] = ()

    def prompt(self, text: str) -> str:
        """The prompt for a text."""
        lines = [
            "Extract all dated facts that the text states.",
            "Answer with a JSON list and nothing else. Each fact is a list of four strings: "
            '["subject", "relation", "object", "YYYY-MM-DD"].',
            "Copy the names of subject and object letter by letter from the text. The date is the "
            "day on which the fact begins, ends or happens.",
            f"The relation is one of: {', '.join(self.relations)}.",
            "",
        ]
        for shot in self.shots:
            lines += [f"Text: {shot.text}", f"Facts: {_written(shot.facts)}", ""]
        lines += [f"Text: {text}", "Facts:"]
        return "\n".join(lines)


def _written(facts: Sequence[TextFact]) -> str:
    rows = [[fact.subject, fact.relation, fact.object, fact.date.isoformat()] for fact in facts]
    return json.dumps(rows, ensure_ascii=False)


def read_answer(answer: str) -> tuple[Quadruple, ...] | None:
    """The facts of the last list of facts in an answer; None without such a list.

    A list is JSON or a Python literal, of lists of strings or of objects with the keys subject,
    relation, object and date. A fact of other than four strings is kept as it is. What a model
    thinks between ``<think>`` and ``</think>`` is skipped.
    """
    text = without_thoughts(answer[-_LONGEST:])
    found: tuple[Quadruple, ...] | None = None
    place = text.find("[")
    for _ in range(_TRIES):
        if place < 0:
            break
        end, facts = _list_at(text, place)
        if facts is not None:
            found = facts
        place = text.find("[", end)
    return found


def _list_at(text: str, place: int) -> tuple[int, tuple[Quadruple, ...] | None]:
    """Where to search next, and the facts of the list that begins at a bracket, if it is one."""
    try:
        value, end = json.JSONDecoder().raw_decode(text, place)
    except (ValueError, RecursionError):
        end = _closing(text, place)
        try:
            value = read_literal(text[place:end])
        except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
            return place + 1, None
    facts = _facts(value)
    return (place + 1, None) if facts is None else (end, facts)


def _closing(text: str, place: int) -> int:
    """The end of the list that begins at a bracket: brackets in quotation marks do not count."""
    depth, quote, at = 0, "", place
    while at < len(text):
        sign = text[at]
        if quote:
            if sign == "\\":
                at += 1
            elif sign == quote:
                quote = ""
        elif sign in "'\"":
            quote = sign
        elif sign in "[]":
            depth += 1 if sign == "[" else -1
            if not depth:
                return at + 1
        at += 1
    return place


def _facts(value: object) -> tuple[Quadruple, ...] | None:
    if not isinstance(value, list):
        return None
    found = []
    for record in value:
        if isinstance(record, dict) and set(PARTS) <= {*record}:
            record = [record[part] for part in PARTS]
        if not isinstance(record, list | tuple) or not all(
            isinstance(part, str) for part in record
        ):
            return None
        found.append(tuple(record))
    return tuple(found)


def literal(facts: Sequence[Quadruple]) -> str:
    """A line of predictions, as ``score quadruples`` reads it."""
    return repr([list(fact) for fact in facts])


Progress = Callable[[int], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """The facts of a text.

    Attributes:
        facts: the facts in the order of the answer.
        error: why there are none; None if the text was read.
    """

    facts: tuple[Quadruple, ...] = ()
    error: HopcheckError | None = None


class AnswerError(HopcheckError):
    """An answer without a list of facts, or no answer."""

    code = "answer"


def by_grammar(
    texts: Sequence[ReadText], table: PhraseTable, progress: Progress | None = None
) -> list[Extracted]:
    """Parse each text: all of its facts, or none."""
    found = []
    for text in texts:
        try:
            facts = read_text(text.text, table).facts
            rows = ((f.subject, f.relation, f.object, f.date.isoformat()) for f in facts)
            found.append(Extracted(facts=tuple(rows)))
        except HopcheckError as error:
            error.where = f"{text.where}:{error.where}" if error.where else text.where
            found.append(Extracted(error=error))
        if progress is not None:
            progress(1)
    return found


def by_model(
    texts: Sequence[ReadText],
    task: Task,
    endpoint: Endpoint,
    folder: Path,
    *,
    replay: bool = False,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress | None = None,
) -> list[Extracted]:
    """Ask a language model for the facts of each text; answers are kept in a journal.

    Args:
        texts: the texts.
        task: relations and examples of the prompts.
        endpoint: the model.
        folder: folder of the journal; answers in it are not requested again.
        replay: answer from the journal alone.
        seed: random seed of the requests.
        jobs: number of concurrent requests.
        progress: called with the number of newly finished texts.

    Raises:
        EndpointError: the endpoint does not respond; finished answers are kept.
        InputError: the journal lacks an answer that ``replay`` needs.
        OutputError: the journal cannot be written.
    """
    journal = Journal(folder / JOURNAL)

    def extracted(number: int) -> Extracted:
        question = task.prompt(texts[number].text)
        named = question_name(endpoint.model, question)
        finished = journal.answer(named)
        if finished is None and replay:
            message = f"found no answer to {texts[number].where}, expected one of {endpoint.model}"
            hint = "run without --replay to request it"
            raise InputError(message, where=str(folder / JOURNAL), hint=hint)
        if finished is None:
            own = seed_of("quadruples", seed, endpoint.model, question) % 2**31
            answer = endpoint.answer(question, seed=own)
            journal.keep(named, answer)
        else:
            answer = finished.text
        return _read(answer, texts[number].where)

    return request_all(extracted, len(texts), jobs, progress)


def by_file(texts: Sequence[ReadText], path: str) -> list[Extracted]:
    """Read the answers of a file; the id of a text is its number, from 1.

    Raises:
        InputError: the file cannot be read, or has an answer to no text.
    """
    predictions = read_predictions(path, _answer)
    unknown = sorted(predictions.answers.keys() - {str(n) for n in range(1, len(texts) + 1)})
    if unknown:
        message = f"found the id {shown(unknown[0])}, expected the number of a text, "
        where = predictions.places[unknown[0]]
        raise InputError(f"{message}1 to {len(texts):,}", where=where)
    found = []
    for number, text in enumerate(texts, 1):
        answer = predictions.answers.get(str(number))
        if answer is None:
            found.append(Extracted(error=AnswerError("found no answer", where=text.where)))
        else:
            found.append(_read(answer, text.where))
    return found


def _answer(row: PredictionRow) -> tuple[str, str]:
    values = row.values
    if isinstance(values, dict):
        id_, answer = values.get("id"), values.get("answer", values.get("response"))
        if isinstance(id_, str | int) and isinstance(answer, str):
            return str(id_), answer
    raise PredictionError("found no id and answer, expected texts", where=row.where)


def _read(answer: str, where: str) -> Extracted:
    facts = read_answer(answer)
    if facts is None:
        message = f"found {shown(' '.join(answer.split()))}, expected a list of facts"
        return Extracted(error=AnswerError(message, where=where))
    return Extracted(facts=facts)
