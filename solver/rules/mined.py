"""What mining finds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from solver.rules.table import RuleTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Mined:
    """Rules, and how many walks they were found on.

    Attributes:
        rules: each once.
        walks: all body groundings if they were counted; random walks that came back otherwise.
    """

    rules: RuleTable
    walks: int

    @classmethod
    def joined(cls, parts: Iterable[Mined]) -> Mined:
        """What parts of the work found, sorted as ``RuleTable.sorted`` says."""
        listed = list(parts)
        rules = RuleTable.joined(*(part.rules for part in listed)).sorted()
        return cls(rules=rules, walks=sum(part.walks for part in listed))
