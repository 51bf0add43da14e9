"""Settings of question generation."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from grammar.question import QuestionKind
from solver.errors import HopcheckError
from solver.tkg.dataset import Split

CAP = 100
MIN_SUPPORT = 4
TRUE_SHARE = 4
"""One fact in so many is queried unchanged (yes); the others are corrupted (unknown)."""


class QuestionFormat(StrEnum):
    """Format of the question files."""

    JSONL = "jsonl"
    PARQUET = "parquet"
    BOTH = "both"


class GenerationError(HopcheckError):
    """Questions cannot be generated from a graph."""

    code = "questions"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Settings of a run.

    Attributes:
        kinds: kinds of questions.
        seed: random seed of sampling, corruption and wording.
        cap: maximal number of questions per 2-hop rule and split; 0 for all.
        min_support: minimal support of a 2-hop rule on a day on which it holds.
        reasoning: splits with fact-reasoning questions.
    """

    kinds: tuple[QuestionKind, ...] = tuple(QuestionKind)
    seed: int = 0
    cap: int = CAP
    min_support: int = MIN_SUPPORT
    reasoning: tuple[Split, ...] = (Split.TEST,)
