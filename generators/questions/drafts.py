"""Questions of a kind and split before they are numbered and worded."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from generators.questions.names import Names
from grammar.question import QuestionKind
from grammar.question_writer import VARIANTS
from solver.questions.question import Question, Triple
from solver.seeding import seed_of
from solver.tkg.dataset import Split
from solver.tkg.quadruples import Ids

NamedQuery = tuple[Triple, ...]
"""A query in the graph's names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitContext:
    """Common context of all questions of a split."""

    split: Split
    seed: int
    names: Names


class Drafts(ABC):
    """The questions of a kind and split, worded lazily.

    Args:
        frame: context of the split.
        times: times of the questions, ascending.
    """

    kind: ClassVar[QuestionKind]

    def __init__(self, frame: SplitContext, times: Ids) -> None:
        self.frame = frame
        self.names = frame.names
        self._times = times

    def __len__(self) -> int:
        return len(self._times)

    def times(self) -> list[int]:
        """The times at which there are questions."""
        found: list[int] = np.unique(self._times).tolist()
        return found

    def at(self, time: int) -> list[tuple[NamedQuery, int]]:
        """The queries of a time with their rows, sorted by name."""
        begin, end = np.searchsorted(self._times, (time, time + 1)).tolist()
        return sorted((self.query(row), row) for row in range(begin, end))

    @abstractmethod
    def query(self, row: int) -> NamedQuery:
        """The query of a row, by names of the graph."""

    @abstractmethod
    def question(self, row: int, query: NamedQuery, name: str) -> Question:
        """The whole question of a row.

        Args:
            row: its number.
            query: result of ``query``.
            name: its id.
        """

    def seed(self, query: NamedQuery, time: str, *parts: object) -> int:
        """The seed of a random choice for one question, independent of other questions."""
        words = (word for triple in query for word in triple)
        frame = self.frame
        return seed_of(frame.seed, "questions", frame.split, self.kind, time, *words, *parts)

    def variant(self, query: NamedQuery, time: str) -> int:
        """The template variant of the question."""
        return self.seed(query, time) % VARIANTS[self.kind]
