"""The retrieval ceiling: how many answers can be read off the prompt at all.

No table of the paper reports it; it bounds Hits@k of whoever names entities of the context only,
which section 5.2 asks for.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from benchmarks.retrieval.strategies import Composed, Shown, Strategy
from solver.tkg.quadruples import Quadruples


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """Where the answer of one prompt stands.

    Attributes:
        context: as a head or a tail of the query's context.
        tail: as a tail of it.
        prompt: anywhere in the prompt: there, in the analogy, or as the head of the query.
    """

    context: bool
    tail: bool
    prompt: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceiling:
    """Shares of a strategy's prompts, each in [0, 1].

    Attributes:
        prompts: how many.
        reachable: the ceiling: the answer is a head or a tail of the query's context; so for
            ``as_tail`` and ``in_prompt``, see ``Reach``.
        with_analogy: there is an analogy.
        empty: the context is empty.
        facts: mean size of the query's context.
    """

    strategy: Strategy
    prompts: int
    reachable: float
    as_tail: float
    in_prompt: float
    with_analogy: float
    empty: float
    facts: float


def reach(composed: Composed, facts: Quadruples) -> Reach:
    """Tell where the answer stands."""
    query = composed.query
    answer = facts.tail[query.fact]
    tail = bool((facts.tail[query.context] == answer).any())
    context = tail or bool((facts.head[query.context] == answer).any())
    elsewhere = bool(facts.head[query.fact] == answer) or (
        composed.analogy is not None and _names(composed.analogy, facts, int(answer))
    )
    return Reach(context=context, tail=tail, prompt=context or elsewhere)


def _names(shown: Shown, facts: Quadruples, entity: int) -> bool:
    rows = np.append(shown.context, shown.fact)
    return bool(((facts.head[rows] == entity) | (facts.tail[rows] == entity)).any())


def ceiling(prompts: Iterable[Composed], facts: Quadruples, strategy: Strategy) -> Ceiling:
    """Measure one strategy's prompts; of none all shares are 0."""
    rows = []
    for one in prompts:
        found = reach(one, facts)
        size = len(one.query.context)
        analogy = one.analogy is not None
        rows.append((found.context, found.tail, found.prompt, analogy, not size, size))
    shares = np.array(rows or np.zeros((1, 6)), dtype=np.float64).mean(axis=0).tolist()
    return Ceiling(
        strategy=strategy,
        prompts=len(rows),
        reachable=shares[0],
        as_tail=shares[1],
        in_prompt=shares[2],
        with_analogy=shares[3],
        empty=shares[4],
        facts=shares[5],
    )
