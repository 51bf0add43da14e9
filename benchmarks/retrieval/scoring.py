"""Hits@k of a language model's answers by strategy and hops, with the retrieval ceiling."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from benchmarks.ranking.metrics import CUTS
from benchmarks.ranking.ties import Ties
from benchmarks.retrieval.answers import AnswerFile, ranking
from benchmarks.retrieval.heuristics import Hits, hits_of
from benchmarks.retrieval.promptfiles import PromptRow
from grammar.index_prompts import IndexPrompt
from solver.wording import counted


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
        hits = {str(cut): asdict(one) for cut, one in self.hits.items()}
        return asdict(self) | {"hits": hits}


def judge(
    prompts: Mapping[str, tuple[PromptRow, IndexPrompt]], answers: AnswerFile
) -> list[JudgedAnswer]:
    """Evaluate answers in the order of the prompts; missing and unreadable ones are wrong."""
    return [_judged(row, prompt, answers) for row, prompt in prompts.values()]


def _judged(row: PromptRow, prompt: IndexPrompt, answers: AnswerFile) -> JudgedAnswer:
    answer = answers.rows.get(row.id)
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
    for one in judged:
        groups.setdefault(one.prompt.strategy, []).append(one)
    found = []
    for strategy, members in groups.items():
        found.append(_figures(strategy, members))
        hops = sorted({one.prompt.hops for one in members if one.prompt.hops is not None})
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
        np.array([getattr(one, name) for one in members], dtype=np.int64)
        for name in ("better", "tied")
    )
    ties = Ties(better=better, tied=tied)
    reachable = np.array([one.prompt.reachable for one in members], dtype=np.bool_)
    return GroupScore(
        group=group,
        prompts=len(members),
        unreadable=sum(one.answered and not one.readable for one in members),
        missing=sum(not one.answered for one in members),
        ceiling=float(reachable.mean()),
        beyond=float((ties.expected_hits(1) * ~reachable).mean()),
        hits=hits_of(ties),
    )
