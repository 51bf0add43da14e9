"""The retrieval ceiling: the share of answers that occur in the prompt.

The paper does not report it; it bounds Hits@k of models restricted to entities of the context, as
section 5.2 requires.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from benchmarks.retrieval.strategies import ComposedPrompt, ShownFact, Strategy
from solver.tkg.quadruples import Quadruples


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """Where the answer occurs in a prompt.

    Attributes:
        context: as a head or tail in the query's context.
        tail: as a tail in the query's context.
        prompt: anywhere: in the context, in the analogy, or as the query's head.
    """

    context: bool
    tail: bool
    prompt: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceiling:
    """Statistics of a strategy's prompts; shares are in [0, 1].

    Attributes:
        prompts: number of prompts.
        reachable: the ceiling: share with the answer in the query's context (``Reach.context``).
        as_tail: share with the answer as a tail of the context.
        in_prompt: share with the answer anywhere in the prompt.
        with_analogy: share with an analogy.
        empty: share with an empty context.
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


def reach(composed: ComposedPrompt, facts: Quadruples) -> Reach:
    """Locate the answer in a prompt."""
    query = composed.query
    answer = facts.tail[query.fact]
    tail = bool((facts.tail[query.context] == answer).any())
    context = tail or bool((facts.head[query.context] == answer).any())
    elsewhere = bool(facts.head[query.fact] == answer) or (
        composed.analogy is not None and _names(composed.analogy, facts, int(answer))
    )
    return Reach(context=context, tail=tail, prompt=context or elsewhere)


def _names(shown: ShownFact, facts: Quadruples, entity: int) -> bool:
    rows = np.append(shown.context, shown.fact)
    return bool(((facts.head[rows] == entity) | (facts.tail[rows] == entity)).any())


def ceiling(prompts: Iterable[ComposedPrompt], facts: Quadruples, strategy: Strategy) -> Ceiling:
    """Compute the statistics of one strategy's prompts; without prompts all shares are 0."""
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
