"""What questions are made, and by which seed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from grammar.question import QuestionKind
from solver.errors import HopcheckError
from solver.tkg.dataset import Split

CAP = 100
MIN_SUPPORT = 4
TRUE_SHARE = 4
"""One fact in so many is asked about as it is; the others are changed."""


class QuestionFormat(StrEnum):
    """What files of questions are written as."""

    JSONL = "jsonl"
    PARQUET = "parquet"
    BOTH = "both"


class GenerationError(HopcheckError):
    """A graph about which nothing can be asked."""

    code = "questions"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What is asked for.

    Attributes:
        kinds: of questions.
        seed: of all chance: what is chosen, changed, and how it is said.
        cap: questions of a 2-hop rule in a split, at most; 0 for all.
        min_support: of a 2-hop rule on a day on which it holds.
        reasoning: splits that get questions of fact reasoning.
    """

    kinds: tuple[QuestionKind, ...] = tuple(QuestionKind)
    seed: int = 0
    cap: int = CAP
    min_support: int = MIN_SUPPORT
    reasoning: tuple[Split, ...] = (Split.TEST,)
