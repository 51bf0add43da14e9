"""The rules that expectations rest on: bodies of one fact, confident and supported enough."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.ranking.tables import Numbers
from benchmarks.strikingness.settings import Deviation, Settings, SettingsError
from solver.rules.table import RuleTable
from solver.tkg.index import Index
from solver.tkg.quadruples import Ids


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rulebook:
    """Rules ``(E1, head, E2, T2) <- (E1, body, E2, T1)`` (eq. 1), sorted by head.

    Attributes:
        head: relations, which may be inverse; body: likewise.
        confidence: in [0, 1].
        looped: whether E1 and E2 have to be one entity.
        number: of each rule in its file, from 0.
        by_body: index of ``body``.
        left_out: rules of the file that are longer, or not confident or supported enough.
    """

    head: Ids
    body: Ids
    confidence: Numbers
    looped: NDArray[np.bool_]
    number: Ids
    by_body: Index
    left_out: int

    @classmethod
    def of(cls, rules: RuleTable, settings: Settings, relations: int) -> Rulebook:
        """Take what may be used of a file's rules.

        Args:
            rules: of any lengths.
            settings: which say what is enough, and whether facts are turned round.
            relations: how many there are without inverses.

        Raises:
            SettingsError: none of the rules has a body of one fact, or two are the same.
        """
        short = rules.length == 1
        if not short.any():
            message = f"found {len(rules):,} rules, none with a body of one fact"
            raise SettingsError(message, hint="mine them with --lengths 1")
        body = rules.body[:, 0]
        enough = (rules.confidence >= settings.confidence) & (
            rules.body_support >= settings.body_support
        )
        used = short & enough
        if settings.has(Deviation.ONE_WAY):
            used &= (rules.head >= relations) == (body >= relations)
        number = np.flatnonzero(used)
        number = number[np.argsort(rules.head[number], kind="stable")]
        _refuse_doubled(rules.take(number), number)
        return cls(
            head=rules.head[number],
            body=body[number],
            confidence=rules.confidence[number],
            looped=rules.same[number] != 0,
            number=number,
            by_body=Index.of(body[number]),
            left_out=int((~(short & enough)).sum()),
        )

    def __len__(self) -> int:
        return len(self.head)

    def leading_to(self, relations: Ids) -> tuple[Ids, Ids]:
        """For each relation where the rules with this head begin and end."""
        return (
            np.searchsorted(self.head, relations, side="left"),
            np.searchsorted(self.head, relations, side="right"),
        )


def _refuse_doubled(rules: RuleTable, number: Ids) -> None:
    seen: dict[tuple[int, int, int], int] = {}
    columns = (rules.head, rules.body[:, 0], rules.same, number)
    for head, body, same, row in zip(*(column.tolist() for column in columns), strict=True):
        first = seen.setdefault((head, body, same), row)
        if first != row:
            message = f"rules {first} and {row} are the same, {head} <- {body}"
            raise SettingsError(f"{message}, expected each rule once", hint="numbered from 0")
