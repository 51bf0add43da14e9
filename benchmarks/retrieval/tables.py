"""Table cells for hits and retrieval ceilings."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.retrieval.ceiling import Ceiling
from benchmarks.retrieval.heuristics import Hits

CEILING_COLUMNS = ("prompts", "reachable", "as tail", "in prompt", "analogy", "empty", "facts")


def hits_cell(hits: Hits) -> str:
    """Expected Hits@k in percent, with its bounds if they differ."""
    expected = f"{100 * hits.expected:.2f}"
    if hits.pessimistic == hits.optimistic:
        return expected
    return f"{expected} ({100 * hits.pessimistic:.2f}-{100 * hits.optimistic:.2f})"


def ceiling_cells(ceiling: Ceiling) -> Sequence[str]:
    """Cells in the order of ``CEILING_COLUMNS``; shares in percent."""
    shares = (
        ceiling.reachable,
        ceiling.as_tail,
        ceiling.in_prompt,
        ceiling.with_analogy,
        ceiling.empty,
    )
    cells = (f"{100 * share:.1f}" for share in shares)
    return (f"{ceiling.prompts:,}", *cells, f"{ceiling.facts:.1f}")
