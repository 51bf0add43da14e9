"""Stops a runaway generation and names the responsible pattern."""

from __future__ import annotations

import numpy as np

from generators.tkg.config import Guards
from generators.tkg.plan import Plan
from solver.errors import HopcheckError
from solver.tkg.quadruples import Ids


class RunawayError(HopcheckError):
    """A graph that exceeded its guards."""

    code = "runaway"

    def __init__(self, message: str, pattern: int) -> None:
        hint = "plant fewer, lower closure.depth, widen the vocabulary, or raise the guard"
        super().__init__(message, hint=hint)
        self.pattern = pattern


class Guard:
    """Counts matches and consequences of each pattern in one run."""

    def __init__(self, plan: Plan, limits: Guards) -> None:
        self._plan = plan
        self._limits = limits
        self._total = 0
        self._matches = np.zeros(len(plan), dtype=np.int64)
        self._edges = np.zeros(len(plan), dtype=np.int64)

    def count_matches(self, pattern: Ids, counts: Ids) -> None:
        """Count partial matches before they are created.

        Raises:
            RunawayError: there are too many.
        """
        self._matches += np.bincount(pattern, counts, minlength=len(self._plan)).astype(np.int64)
        self._total += int(counts.sum())
        self._check_matches()

    def count_match(self, pattern: int, count: int) -> None:
        """Count matches of one pattern; raises as ``count_matches`` does."""
        self._matches[pattern] += count
        self._total += count
        self._check_matches()

    def count_edges(self, pattern: Ids, facts: int) -> None:
        """Count new consequences; ``facts`` is the resulting number of facts.

        Raises:
            RunawayError: there are too many facts.
        """
        self._edges += np.bincount(pattern, minlength=len(self._plan))
        self._check_edges(facts)

    def count_edge(self, pattern: int, facts: int) -> None:
        """Count one consequence; raises as ``count_edges`` does."""
        self._edges[pattern] += 1
        self._check_edges(facts)

    def _check_matches(self) -> None:
        if self._total > self._limits.matches:
            worst = int(self._matches.argmax())
            raise RunawayError(
                f"{self._named(worst)} ran away: it has {self._matches[worst]:,} of more than "
                f"{self._limits.matches:,} partial matches of antecedents",
                worst,
            )

    def _check_edges(self, facts: int) -> None:
        if facts > self._limits.edges:
            worst = int(self._edges.argmax())
            raise RunawayError(
                f"{self._named(worst)} ran away: it made {self._edges[worst]:,} consequences of a "
                f"graph of more than {self._limits.edges:,} facts",
                worst,
            )

    def _named(self, pattern: int) -> str:
        return f"pattern {pattern} ({self._plan.patterns[pattern]})"
