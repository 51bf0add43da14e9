"""A run of ``answer``: questions are read, answered by a baseline or by the oracle, and named."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.questions.answering import Answered, Answerer, Basis, answered, rankings
from benchmarks.questions.asked import Asked, Batch, batches
from benchmarks.questions.chance import Chance
from benchmarks.questions.contributing import Contributing
from benchmarks.questions.counted import Counted
from benchmarks.questions.oracle import Oracle
from benchmarks.questions.past import Past
from benchmarks.questions.ruled import Ruled
from benchmarks.questions.texts import Put, read_texts, understood
from benchmarks.questions.thresholds import tuned
from grammar.question import QuestionKind
from solver.processes import mapped
from solver.questions.files import BrokenQuestion, placed_questions, question_files
from solver.questions.labels import Labels
from solver.questions.question import YES
from solver.reading.failures import InputError, shown
from solver.rules.history import require_keys
from solver.rules.table import RuleTable
from solver.tkg.dataset import Dataset, Split

Advance = Callable[[int], object]

CERTAIN = 0.5
"""Between what is not in the graph and what is, and between chance's none and any."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Means:
    """What a question is answered with.

    Attributes:
        dataset: the graph.
        basis: what is forecast by; None to look at the day itself.
        rules: to forecast by.
        reasoning: rules by which choices contribute.
        most: answers to give to a question about entities.
        seed: of chance.
    """

    dataset: Dataset
    basis: Basis | None
    rules: RuleTable
    reasoning: RuleTable
    most: int = 100
    seed: int = 0

    @property
    def tunable(self) -> bool:
        """Whether its scores of facts need a threshold that is looked for."""
        return self.basis in (Basis.RULES, Basis.FREQUENCY, Basis.RECENCY)

    @property
    def reasons(self) -> bool:
        """Whether choices can be told apart: by rules, or without need of any."""
        return self.basis not in (None, Basis.RULES) or len(self.reasoning) > 0

    def answerer(self) -> Answerer:
        """What answers.

        Raises:
            GraphSizeError: the graph is too large for keys of 63 bits.
        """
        facts, size = self.dataset.facts(), self.dataset.vocabulary
        require_keys(size, self.dataset.name)
        match self.basis:
            case Basis.CHANCE:
                return Chance(size.entities, most=self.most, seed=self.seed)
            case Basis.FREQUENCY | Basis.RECENCY:
                recent = self.basis is Basis.RECENCY
                return Counted(Past(facts, size), most=self.most, recent=recent)
        contributing = Contributing(facts, self.reasoning, size)
        if self.basis is None:
            return Oracle(facts, size, contributing, most=self.most)
        return Ruled(Past(facts, size), self.rules, contributing, most=self.most)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Questions:
    """Questions that were read.

    Attributes:
        ids: of each, once.
        asked: what each asks.
    """

    ids: tuple[str, ...]
    asked: tuple[Asked, ...]


def split_file(path: Path, split: Split) -> Path:
    """The file of a split in a folder of questions, or the file itself.

    Raises:
        InputError: the folder has none.
    """
    if not path.is_dir():
        return path
    for file in question_files(path):
        if file.name.partition(".")[0] == split.value:
            return file
    message = f"found no questions of the split {split}, expected {split}.jsonl"
    raise InputError(message, where=str(path))


def read_asked(path: Path, labels: Labels, each: Advance | None = None) -> Questions:
    """Read the texts of questions, and find what they name.

    Raises:
        HopcheckError: the file cannot be read, or a text cannot; an id occurs twice.
    """
    put = list(read_texts(path))
    first: dict[str, Put] = {}
    for one in put:
        other = first.setdefault(one.question.id, one)
        if other is not one:
            found = f"id: found {shown(one.question.id)} again, expected it once"
            raise InputError(f"{found} (first on line {other.place.line})", where=one.place.at())
    return Questions(ids=tuple(first), asked=tuple(understood(put, labels, each)))


def answer(
    questions: Sequence[Asked],
    means: Means,
    threshold: float,
    *,
    jobs: int = 1,
    each: Advance | None = None,
) -> list[tuple[str, ...]]:
    """The answers to questions, in their order.

    Args:
        questions: by ids.
        means: what they are answered with.
        threshold: of yes.
        jobs: processes.
        each: told how many questions are answered.
    """
    size = means.dataset.vocabulary
    parts = _answered(list(batches(questions, size.relations)), means, jobs, each)
    return rankings(parts, questions, size, threshold)


def threshold_of(
    path: Path, means: Means, labels: Labels, *, jobs: int = 1, each: Advance | None = None
) -> float:
    """The threshold that answers the yes-unknown questions of a file best.

    Raises:
        InputError: it has none, or a line is no question.
    """
    held, put = [], []
    for one, text in zip(placed_questions(path), read_texts(path), strict=True):
        if isinstance(one.read, BrokenQuestion):
            raise one.read.error
        if one.read.kind is QuestionKind.YES_UNKNOWN:
            held.append(one.read.answers == (YES,))
            put.append(text)
    if not put:
        message = "found no yes-unknown question, expected some to look for a threshold on"
        raise InputError(message, where=str(path), hint="or give --threshold")
    asked = understood(put, labels)
    parts = _answered(list(batches(asked, means.dataset.vocabulary.relations)), means, jobs, each)
    places = np.concatenate([part.batch.places[QuestionKind.YES_UNKNOWN] for part in parts])
    scores = np.empty(len(asked))
    scores[places] = np.concatenate([part.sure for part in parts])
    return tuned(scores, np.array(held))


def _answered(
    parts: Sequence[Batch], means: Means, jobs: int, each: Advance | None
) -> list[Answered]:
    found = []
    for one in mapped(partial(answered, means.answerer()), parts, jobs):
        found.append(one)
        if each is not None:
            each(len(one.batch))
    return found
