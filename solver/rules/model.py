"""A temporal rule as in TLogic: a chain of facts in temporal order implies a later fact."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from solver.graph.model import Ids, Split
from solver.io.sources import RowError
from solver.verification.settings import option

if TYPE_CHECKING:
    from solver.rules.provenance import Seen


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

    def as_json(self) -> dict[str, Any]:
        """The rule as in a file of rules, without its confidence."""
        return {
            "head": self.head,
            "body": self.body,
            "same": self.same,
            "rule_support": self.rule_support,
            "body_support": self.body_support,
        }


MOST_FACTS = 14
"""Maximum body length whose equality constraints can be encoded."""
LARGEST = 2**31 - 1

_BITS = 4


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RuleTable:
    """Rules, one per row, in the given order; columns must not be modified.

    Attributes:
        head: relation of the head, shape (n,).
        body: relations of the body, shape (n, longest), padded with -1 at the end.
        same: body positions with equal entities, encoded by ``code_of``; 0 without constraints.
        rule_support: number of body groundings that a head fact follows.
        body_support: number of body groundings, or of samples.
        stated: confidences given by a file, which may be rounded or smoothed; None if they are
            the ratio of the supports.
        seen: the facts that the rules were mined from; None if unknown.
    """

    head: Ids
    body: Ids
    same: Ids
    rule_support: Ids
    body_support: Ids
    stated: NDArray[np.float64] | None = None
    seen: Seen | None = None

    def __len__(self) -> int:
        return len(self.head)

    def __iter__(self) -> Iterator[Rule]:
        return map(self.rule, range(len(self)))

    @classmethod
    def of(cls, rules: Iterable[Rule]) -> RuleTable:
        """Convert rules to columns; the order is kept."""
        listed = list(rules)
        longest = max((rule.length for rule in listed), default=1)
        body = [rule.body + (-1,) * (longest - rule.length) for rule in listed]
        return cls(
            head=np.array([rule.head for rule in listed], dtype=np.int64),
            body=np.array(body, dtype=np.int64).reshape(-1, longest),
            same=np.array([code_of(rule.same) for rule in listed], dtype=np.int64),
            rule_support=np.array([rule.rule_support for rule in listed], dtype=np.int64),
            body_support=np.array([rule.body_support for rule in listed], dtype=np.int64),
        )

    @classmethod
    def joined(cls, *tables: RuleTable) -> RuleTable:
        """Concatenate tables, also of rules of different lengths."""
        longest = max((table.body.shape[1] for table in tables), default=1)
        stated = any(table.stated is not None for table in tables)
        nothing = np.empty(0, dtype=np.int64)
        bodies = [_widened(table.body, longest) for table in tables]
        return cls(
            head=np.concatenate([nothing, *(table.head for table in tables)]),
            body=np.concatenate([nothing.reshape(0, longest), *bodies]),
            same=np.concatenate([nothing, *(table.same for table in tables)]),
            rule_support=np.concatenate([nothing, *(table.rule_support for table in tables)]),
            body_support=np.concatenate([nothing, *(table.body_support for table in tables)]),
            stated=np.concatenate([table.confidence for table in tables]) if stated else None,
            seen=max(
                (table.seen for table in tables if table.seen is not None),
                key=lambda seen: seen.last,
                default=None,
            ),
        )

    @property
    def confidence(self) -> NDArray[np.float64]:
        """Confidence as given by the file, or else rule support over body support, in [0, 1]."""
        return self.ratio if self.stated is None else self.stated

    @property
    def ratio(self) -> NDArray[np.float64]:
        """Rule support over body support; 0 where the body support is 0."""
        ratios: NDArray[np.float64] = self.rule_support / np.maximum(self.body_support, 1)
        return ratios

    @property
    def length(self) -> Ids:
        """Number of facts in each body."""
        facts: Ids = np.sum(self.body >= 0, axis=1, dtype=np.int64)
        return facts

    def rule(self, row: int) -> Rule:
        """One row as a rule."""
        return Rule(
            head=int(self.head[row]),
            body=tuple(int(relation) for relation in self.body[row] if relation >= 0),
            same=groups_of(int(self.same[row])),
            rule_support=int(self.rule_support[row]),
            body_support=int(self.body_support[row]),
        )

    def take(self, chosen: NDArray[np.int64] | NDArray[np.bool_] | slice) -> RuleTable:
        """Select rules by row numbers, a mask or a slice."""
        return RuleTable(
            head=self.head[chosen],
            body=self.body[chosen],
            same=self.same[chosen],
            rule_support=self.rule_support[chosen],
            body_support=self.body_support[chosen],
            stated=None if self.stated is None else self.stated[chosen],
            seen=self.seen,
        )

    def sorted(self) -> RuleTable:
        """Sort by head, descending confidence and support, length, and body."""
        keys = (
            self.same,
            *self.body.T[::-1],
            self.length,
            -self.rule_support,
            -self.confidence,
            self.head,
        )
        return self.take(np.lexsort(keys))

    def at_least(self, *, confidence: float = 0.0, body_support: int = 0) -> RuleTable:
        """The rules with at least this confidence and body support."""
        enough = (self.confidence >= confidence) & (self.body_support >= body_support)
        return self.take(enough)


def code_of(same: Sequence[Sequence[int]]) -> int:
    """Encode groups of body positions with equal entities as an integer.

    Bits ``4 p`` to ``4 p + 3`` are 0 if position ``p`` is the first of a group or in none, else 1 +
    the first position of its group.
    """
    return sum(group[0] + 1 << _BITS * place for group in same for place in group[1:])


def groups_of(code: int) -> tuple[tuple[int, ...], ...]:
    """Decode the groups of a code, in ascending order."""
    groups: dict[int, list[int]] = {}
    for place in range(MOST_FACTS + 1):
        digit = code >> _BITS * place & (1 << _BITS) - 1
        if digit:
            groups.setdefault(digit - 1, [digit - 1]).append(place)
    return tuple(tuple(groups[first]) for first in sorted(groups))


def _widened(body: Ids, width: int) -> Ids:
    return np.pad(body, ((0, 0), (0, width - body.shape[1])), constant_values=-1)


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


_DEVIATIONS = 1.96


def confidence_bound(rules: RuleTable) -> NDArray[np.float64]:
    """Lower bound of the 95% Wilson score interval of the confidence, in [0, 1].

    Source: Wilson 1927.
    """
    return wilson_bound(rules.rule_support, rules.body_support)


def wilson_bound(support: NDArray[Any], samples: NDArray[Any]) -> NDArray[np.float64]:
    """Lower bounds of the 95% Wilson score intervals of some shares, in [0, 1]."""
    share, samples = support / np.maximum(samples, 1), np.maximum(samples, 1)
    square = _DEVIATIONS**2 / samples
    spread = _DEVIATIONS * np.sqrt(share * (1 - share) / samples + square / samples / 4)
    bound: NDArray[np.float64] = (share + square / 2 - spread) / (1 + square)
    return np.maximum(bound, 0.0)


def best(rules: RuleTable, count: int) -> Ids:
    """Rows of the ``count`` rules with the highest lower confidence bound, best first."""
    return np.argsort(-confidence_bound(rules), kind="stable")[:count]


def groups(same: Sequence[Sequence[int]], length: int, where: Callable[[], str]) -> list[list[int]]:
    """The groups of positions of a row, in ascending order.

    Raises:
        RowError: a position is not in the body, or is named twice.
    """
    found = sorted(sorted(group) for group in same)
    named = [position for group in found for position in group]
    if len(named) != len(set(named)) or not all(0 <= number <= length for number in named):
        message = f"found {[list(group) for group in same]} as positions with the same entity"
        expected = f"expected groups of different positions, 0 to {length}"
        raise RowError(f"{message}, {expected}", where=where())
    return [group for group in found if len(group) > 1]


def refuse(table: RuleTable, place: Callable[[int], str], relations: int | None) -> None:
    """Refuse inconsistent rules.

    Raises:
        RowError: at the first row whose rule support exceeds its body support, or that names an
            unknown relation.
    """
    for row in np.flatnonzero(table.rule_support > table.body_support)[:1]:
        message = f"found a rule support of {table.rule_support[row]:,}, "
        expected = f"expected at most the body support, {table.body_support[row]:,}"
        raise RowError(message + expected, where=place(int(row)))
    if relations is None:
        return
    most = np.maximum(table.head, table.body.max(axis=1, initial=-1))
    for row in np.flatnonzero(most >= 2 * relations)[:1]:
        message = f"found relation {most[row]}, expected 0 to {2 * relations - 1}"
        hint = f"the graph has {relations} relations, and an inverse for each"
        raise RowError(message, where=place(int(row)), hint=hint)


ROUNDED = 1e-6
"""Largest difference of a confidence in a file from the ratio of its supports, by rounding."""


def with_stated(
    table: RuleTable, confidence: NDArray[np.float64], place: Callable[[int], str]
) -> RuleTable:
    """Add the confidences of a file (NaN if missing), unless they are the ratios of supports.

    Learners also smooth: rule support / (body support + unseen), with the same number of unseen
    bodies in the whole file.

    Raises:
        RowError: at the first row whose confidence is neither.
    """
    ratio = table.ratio
    stated = np.where(np.isnan(confidence), ratio, confidence)
    first = np.flatnonzero(~np.isnan(confidence) & (stated > 0))[:1]
    # A rounded confidence is no exact ratio.
    first = first[np.abs(stated[first] - ratio[first]) > ROUNDED]
    unseen = table.rule_support[first] / stated[first] - table.body_support[first]
    more = max(0, round(float(unseen[0]))) if len(unseen) else 0
    expected = np.where(
        np.isnan(confidence), ratio, table.rule_support / np.maximum(table.body_support + more, 1)
    )
    for row in np.flatnonzero(np.abs(stated - expected) > ROUNDED)[:1]:
        supports = f"{table.rule_support[row]:,} of {table.body_support[row]:,}"
        message = f"found confidence {stated[row]:.6g} beside supports of {supports}"
        raise RowError(f"{message}, expected {expected[row]:.6f}", where=place(int(row)))
    if (stated == ratio).all():
        return table
    return replace(table, stated=stated)


class Method(StrEnum):
    """The mining method."""

    EXACT = "exact"
    SAMPLE = "sample"


class Transition(StrEnum):
    """Distribution of the next fact: uniform, or proportional to exp(time)."""

    EXPONENTIAL = "exp"
    UNIFORM = "unif"


LONGEST = 6
"""Largest length of a rule body that is mined."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MiningSettings:
    """What is mined, and how."""

    lengths: tuple[int, ...] = field(
        default=(1, 2),
        metadata=option("Lengths of rule bodies.", low=1, high=LONGEST, several=True),
    )
    method: Method | None = field(
        default=None,
        metadata=option(
            "Mining method: count all body groundings (exact; the default for lengths 1 and 2), or "
            "estimate from random walks (sample; the default for longer rules).",
            choices=Method,
        ),
    )
    splits: tuple[Split, ...] = field(
        default=(Split.TRAIN,),
        metadata=option(
            f"Splits to mine, separated by commas: {', '.join(Split)}; or all.",
            name="split",
            choices=Split,
            several=True,
            metavar="SPLITS",
        ),
    )
    repeated: bool = field(
        default=False,
        metadata=option("Also mine rules whose body repeats an entity (exact only)."),
    )
    walks: int = field(
        default=200,
        metadata=option(
            "Number of random walks per relation and length (sample only).", low=1, high=1_000_000
        ),
    )
    samples: int = field(
        default=500,
        metadata=option("Number of body samples per rule (sample only).", low=1, high=1_000_000),
    )
    transition: Transition = field(
        default=Transition.EXPONENTIAL,
        metadata=option(
            "Transition distribution of walks: exponential in time, or uniform (sample only).",
            choices=Transition,
        ),
    )
    seed: int = field(default=0, metadata=option("Random seed.", low=0))
    confidence: float = field(
        default=0.0,
        metadata=option(
            "Minimum confidence of a rule.", name="min-confidence", least=0.0, most=1.0
        ),
    )
    body_support: int = field(
        default=0,
        metadata=option("Minimum body support of a rule.", name="min-support", low=0),
    )

    @property
    def used_method(self) -> Method:
        """The method, or the default one for the lengths."""
        return self.method or (Method.SAMPLE if max(self.lengths) > 2 else Method.EXACT)
