"""A temporal rule as in TLogic: a chain of facts in temporal order implies a later fact."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Rule:
    """``(E1, head, E[l+1], T)`` follows from ``(E[i], body[i-1], E[i+1], T[i])`` for i in 1..l.

    Body times do not decrease, and T is strictly later than all of them. Relations
    may be inverse: ``r + relations``.

    Attributes:
        same: groups of body positions 0..l, ascending, with equal entities; other positions are
            unconstrained. Position 0 is E1. The entities of the head are the ends of the chain;
            if they are equal, 0 and l are in one group.
        rule_support: number of body groundings that a head fact follows.
        body_support: number of body groundings, or of samples.
    """

    head: int
    body: tuple[int, ...]
    same: tuple[tuple[int, ...], ...] = ()
    rule_support: int
    body_support: int

    @property
    def confidence(self) -> float:
        """Rule support over body support, in [0, 1]; 0 if the body support is 0."""
        return self.rule_support / self.body_support if self.body_support else 0.0

    @property
    def length(self) -> int:
        """Number of facts in the body."""
        return len(self.body)
