"""Hits@k of a language model's answers by strategy and hops, with the retrieval ceiling."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import msgspec
import numpy as np

from benchmarks.metrics.ranking import CUTS, expected_hits
from benchmarks.predictions import PredictionError, PredictionRow, Predictions, read_predictions
from benchmarks.tkg.retrieval.context import Hits, hits_of
from benchmarks.tkg.retrieval.prompts import Ceiling, PromptRow
from grammar.tkg.prompts import IndexPrompt, read_answer
from solver.graph.queries import Ranks
from solver.io.sources import counted

_HINT = 'such as {"id": "bar-7", "answer": "0. 1071"}; or answers, a list; or scores'


class AnswerRow(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the file with exactly one of the last three; a null answer is empty."""

    id: str
    answer: str | msgspec.UnsetType | None = msgspec.UNSET
    answers: list[str] | None = None
    scores: dict[str, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Ranking of entities by an answer.

    Attributes:
        scores: scores of entities; higher is better.
        unread: number of texts that name no entity of the prompt.
    """

    scores: Mapping[int, float]
    unread: int

    def position(self, gold: int) -> tuple[int, int] | None:
        """Numbers of entities ranked above the gold entity and tied with it (itself included)."""
        if gold not in self.scores:
            return None
        own_score = self.scores[gold]
        values = self.scores.values()
        return sum(value > own_score for value in values), sum(
            value == own_score for value in values
        )


def read_answers(path: str) -> Predictions[AnswerRow]:
    """Read a file of answers.

    Raises:
        InputError: the file cannot be read, is empty, or a row is invalid.
    """
    return read_predictions(path, _answer_row)


def ranking(row: AnswerRow, prompt: IndexPrompt) -> Ranking:
    """Rank the entities that an answer names.

    Entities of texts are ranked in order; of several texts with one entity the best counts.
    """
    if row.scores is not None:
        return _scored(row.scores, prompt.entities)
    texts: Sequence[str] = row.answers or [row.answer or ""]
    unread = 0
    order: dict[int, None] = {}
    for text in texts:
        entities = read_answer(text, prompt.entities)
        unread += not entities
        order |= dict.fromkeys(entities)
    scores = {entity: float(-place) for place, entity in enumerate(order)}
    return Ranking(scores=scores, unread=unread)


def _scored(scores: Mapping[str, float], entities: Sequence[int]) -> Ranking:
    found: dict[int, float] = {}
    unread = 0
    for text, score in scores.items():
        named = read_answer(text, entities)
        if len(named) != 1:
            unread += 1
        else:
            found[named[0]] = max(score, found.get(named[0], -math.inf))
    return Ranking(scores=found, unread=unread)


def _answer_row(read: PredictionRow) -> tuple[str, AnswerRow]:
    try:
        row = msgspec.convert(read.values, AnswerRow)
    except msgspec.ValidationError as error:
        message = f"found an invalid answer ({error})"
        raise PredictionError(message, where=read.where, hint=_HINT) from None
    given = (row.answer is not msgspec.UNSET, row.answers is not None, row.scores is not None)
    if sum(given) != 1:
        several = "several" if any(given) else "none"
        message = f"found {several} of answer, answers and scores, expected one"
        raise PredictionError(message, where=read.where, hint=_HINT)
    return row.id, row


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedAnswer:
    """One evaluated answer.

    Attributes:
        better: number of entities ranked above the gold one; beyond every k if it is not named.
        tied: number of entities tied with it, itself included.
        answered: whether there is an answer.
        readable: whether it names an entity of the prompt.
    """

    prompt: PromptRow
    better: int
    tied: int
    answered: bool
    readable: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupScore:
    """Scores of a group of prompts.

    Attributes:
        group: strategy, or strategy and number of hops.
        unreadable: number of answers that name no entity of the prompt.
        missing: number of prompts without an answer.
        ceiling: share whose gold answer is in the query's context, in [0, 1].
        beyond: share with Hits@1 although the gold answer is not in the context.
    """

    group: str
    prompts: int
    unreadable: int
    missing: int
    ceiling: float
    beyond: float
    hits: Mapping[int, Hits]

    def as_json(self) -> dict[str, Any]:
        """Scores as JSON values."""
        hits = {str(cut): asdict(hit) for cut, hit in self.hits.items()}
        return asdict(self) | {"hits": hits}


def judge(
    prompts: Mapping[str, tuple[PromptRow, IndexPrompt]], answers: Sequence[AnswerRow | None]
) -> list[JudgedAnswer]:
    """Evaluate answers in the order of the prompts; missing and unreadable ones are wrong."""
    return [
        _judged(row, prompt, answer)
        for (row, prompt), answer in zip(prompts.values(), answers, strict=True)
    ]


def _judged(row: PromptRow, prompt: IndexPrompt, answer: AnswerRow | None) -> JudgedAnswer:
    ranked = None if answer is None else ranking(answer, prompt)
    position = None if ranked is None else ranked.position(row.gold)
    better, tied = (CUTS[-1], 1) if position is None else position
    return JudgedAnswer(
        prompt=row,
        better=better,
        tied=tied,
        answered=answer is not None,
        readable=bool(ranked is not None and ranked.scores),
    )


def group_scores(judged: Iterable[JudgedAnswer]) -> list[GroupScore]:
    """Scores by strategy, and by hops within each strategy if there are several."""
    groups: dict[str, list[JudgedAnswer]] = {}
    for answer in judged:
        groups.setdefault(answer.prompt.strategy, []).append(answer)
    found = []
    for strategy, members in groups.items():
        found.append(_figures(strategy, members))
        hops = sorted({member.prompt.hops for member in members if member.prompt.hops is not None})
        if len(hops) > 1:
            found += [
                _figures(
                    f"{strategy}, {counted(n, 'hop')}", [o for o in members if o.prompt.hops == n]
                )
                for n in hops
            ]
    return found


def _figures(group: str, members: Sequence[JudgedAnswer]) -> GroupScore:
    better, tied = (
        np.array([getattr(member, name) for member in members], dtype=np.int64)
        for name in ("better", "tied")
    )
    ties = Ranks(better=better, tied=tied)
    reachable = np.array([member.prompt.reachable for member in members], dtype=np.bool_)
    return GroupScore(
        group=group,
        prompts=len(members),
        unreadable=sum(member.answered and not member.readable for member in members),
        missing=sum(not member.answered for member in members),
        ceiling=float(reachable.mean()),
        beyond=float((expected_hits(ties, 1) * ~reachable).mean()),
        hits=hits_of(ties),
    )


CEILING_COLUMNS = ("prompts", "reachable", "as tail", "in prompt", "analogy", "empty", "facts")


def hits_cell(hits: Hits) -> str:
    """Expected Hits@k in percent, with its bounds if they differ."""
    expected = f"{100 * hits.expected:.2f}"
    if hits.pessimistic == hits.optimistic:
        return expected
    return f"{expected} ({100 * hits.pessimistic:.2f}-{100 * hits.optimistic:.2f})"


def ceiling_cells(ceiling: Ceiling) -> Sequence[str]:
    """Cells in the order of ``CEILING_COLUMNS``; shares in percent."""
    names = ("reachable", "as_tail", "in_prompt", "with_analogy", "empty")
    cells = (f"{100 * getattr(ceiling, name):.1f}" for name in names)
    return (f"{ceiling.prompts:,}", *cells, f"{ceiling.facts:.1f}")
