"""Hits@k of a language model's answers, by strategy and by hops, beside what could be found."""

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
class Judged:
    """One answer.

    Attributes:
        better: entities ranked above the right one; beyond every k if it is not named.
        tied: beside it, itself included.
        answered: whether there is an answer at all.
        readable: whether it names an entity of the prompt.
    """

    prompt: PromptRow
    better: int
    tied: int
    answered: bool
    readable: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """Figures of some prompts.

    Attributes:
        group: strategy, with the hops where they part it.
        ceiling: share whose answer is in the query's context, in [0, 1].
        beyond: right at the first place though the answer is not in the context; a share.
        unreadable: answers that name no entity of the prompt; missing: prompts without an answer.
    """

    group: str
    prompts: int
    unreadable: int
    missing: int
    ceiling: float
    beyond: float
    hits: Mapping[int, Hits]

    def as_json(self) -> dict[str, Any]:
        """All figures as JSON values."""
        hits = {str(cut): asdict(one) for cut, one in self.hits.items()}
        return asdict(self) | {"hits": hits}


def judge(
    prompts: Mapping[str, tuple[PromptRow, IndexPrompt]], answers: AnswerFile
) -> list[Judged]:
    """Hold answers against prompts, in the order of these; what is missing or unread is wrong."""
    return [_judged(row, prompt, answers) for row, prompt in prompts.values()]


def _judged(row: PromptRow, prompt: IndexPrompt, answers: AnswerFile) -> Judged:
    answer = answers.rows.get(row.id)
    ranked = None if answer is None else ranking(answer, prompt)
    stand = None if ranked is None else ranked.stand(row.gold)
    better, tied = (CUTS[-1], 1) if stand is None else stand
    return Judged(
        prompt=row,
        better=better,
        tied=tied,
        answered=answer is not None,
        readable=bool(ranked is not None and ranked.scores),
    )


def scored(judged: Iterable[Judged]) -> list[Scored]:
    """Figures by strategy, and by hops within each where there are several."""
    groups: dict[str, list[Judged]] = {}
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


def _figures(group: str, members: Sequence[Judged]) -> Scored:
    better, tied = (
        np.array([getattr(one, name) for one in members], dtype=np.int64)
        for name in ("better", "tied")
    )
    ties = Ties(better=better, tied=tied)
    reachable = np.array([one.prompt.reachable for one in members], dtype=np.bool_)
    return Scored(
        group=group,
        prompts=len(members),
        unreadable=sum(one.answered and not one.readable for one in members),
        missing=sum(not one.answered for one in members),
        ceiling=float(reachable.mean()),
        beyond=float((ties.expected_hits(1) * ~reachable).mean()),
        hits=hits_of(ties),
    )
