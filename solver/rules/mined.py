"""The result of rule mining."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from solver.rules.table import RuleTable


@dataclass(frozen=True, slots=True, kw_only=True)
class MiningResult:
    """MiningResult rules and the number of walks they were mined from.

    Attributes:
        rules: the distinct rules.
        walks: number of body groundings (exact), or of random walks that returned (sampled).
    """

    rules: RuleTable
    walks: int

    @classmethod
    def joined(cls, parts: Iterable[MiningResult]) -> MiningResult:
        """Merge results, sorted as by ``RuleTable.sorted``."""
        listed = list(parts)
        rules = RuleTable.joined(*(part.rules for part in listed)).sorted()
        return cls(rules=rules, walks=sum(part.walks for part in listed))
