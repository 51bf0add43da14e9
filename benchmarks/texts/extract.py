"""Extracts facts from texts: by the grammar, by a language model, or from its answers in a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.predictions import PredictionError, PredictionRow, read_predictions
from benchmarks.texts.extraction_prompts import Quadruple, Task, read_answer
from generators.texts.language_model import (
    JOURNAL,
    Endpoint,
    Journal,
    question_name,
    request_all,
)
from grammar.errors import HopcheckError
from grammar.texts.phrases import PhraseTable
from grammar.texts.reader import read_text
from solver.io.sources import InputError, shown
from solver.seeding import seed_of
from solver.texts.io import ReadText

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
    for one in texts:
        try:
            facts = read_text(one.text, table).facts
            rows = ((f.subject, f.relation, f.object, f.date.isoformat()) for f in facts)
            found.append(Extracted(facts=tuple(rows)))
        except HopcheckError as error:
            error.where = f"{one.where}:{error.where}" if error.where else one.where
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

    def one(number: int) -> Extracted:
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

    return request_all(one, len(texts), jobs, progress)


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
