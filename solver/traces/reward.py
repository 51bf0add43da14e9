"""The reward of a completion: progress of its proved statements towards the status of the claim.

Source: docs/traces.md, section "Reward".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from grammar.eventhop.lexicon import detect
from grammar.eventhop.model import Domain, Policy, SpatialReading, Status
from grammar.eventhop.reader import reader
from grammar.traces.model import PointOrder, ReadStatement, ReadStep, StatementKind
from grammar.traces.reader import TraceReader, steps_of
from solver.traces.decide import prepare
from solver.traces.engine import (
    Edge,
    PremiseClosure,
    Sources,
    complements,
    edges,
    holds_on,
    supplied,
    uses,
)
from solver.traces.model import Source

MOST_CHARACTERS, MOST_STATEMENTS = 6_000, 60
"""Limits of a completion that is paid."""

_HIDDEN = re.compile(
    r"<!--|-->|/\*|\*/|<(?!/?(?:think|answer)>)/?[a-zA-Z][^<>=]{0,80}>|\\(?:phantom|iffalse|color|hide|tiny)\b"
)
_MARKS = frozenset(("Cf", "Cc", "Co", "Cs", "Cn", "Zl", "Zp"))


class Refusal(StrEnum):
    """Why a completion is paid nothing."""

    LENGTH = "too long"
    HIDDEN = "hidden characters or comments"
    ANSWER = "no single right answer on the last line"
    WRONG = "a wrong statement"
    UNREAD = "an unread clause about two events"
    SHORT = "nothing to prove: at most two premise sentences prove the status"
    NO_PROGRESS = "no progress"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reward:
    """What a completion is paid.

    Attributes:
        value: from 0 to 1.
        refusal: why it is 0; None otherwise.
        hops: statements on the shortest proof from the premise; None if the status is unknown.
        left: statements on the shortest proof from the premise and the completion.
    """

    value: float
    refusal: Refusal | None = None
    hops: int | None = None
    left: int | None = None


class Steps:
    """Steps between points, each of one statement; durations need none. Points are bits."""

    def __init__(self, premise: PremiseClosure) -> None:
        self._premise = premise
        size = premise.size
        self._starts = sum(1 << p for p in range(0, size, 2))
        self._any, self._strict = [0] * size, [0] * size
        for order in premise.relations:
            self.add(order)

    def add(self, order: PointOrder) -> None:
        """Add the steps of a statement; an equation leads both ways."""
        p, sign, q = order
        self._any[p] |= 1 << q
        if sign == "<":
            self._strict[p] |= 1 << q
        elif sign == "=":
            self._any[q] |= 1 << p

    def copy(self) -> Steps:
        """The same steps, to add others to."""
        other = object.__new__(Steps)
        other._premise, other._starts = self._premise, self._starts
        other._any, other._strict = self._any.copy(), self._strict.copy()
        return other

    def least(self, need: Edge, most: int = MOST_STATEMENTS * 4) -> int | None:
        """The fewest statements on a walk that shows a need; None if that is more than ``most``."""
        lower, strict, upper = need
        goal, starts = 1 << upper, self._starts
        reached = 1 << lower
        # Durations after each statement: they lead from starts to ends, strictly.
        strictly = (reached & starts) << 1
        reached |= strictly
        # What the last statement reached, or reached strictly, leads on.
        rest = reached
        leads, surely = self._any, self._strict
        for count in range(most + 1):
            if (strictly if strict else reached) & goal:
                return count
            any_, sure = reached, strictly
            while rest:
                bit = rest & -rest
                rest ^= bit
                place = bit.bit_length() - 1
                any_ |= leads[place]
                sure |= leads[place] if strictly & bit else surely[place]
            sure |= (any_ & starts) << 1
            any_ |= sure
            rest = (any_ ^ reached) | (sure ^ strictly)
            if not rest:
                return None
            reached, strictly = any_, sure
        return None

    def within(self, orders: Sequence[PointOrder], most: int) -> bool:
        """Whether walks of at most some statements in all derive orders.

        Of a single inequality that is exact; more orders may share statements.
        """
        for order in orders:
            for edge in edges(order):
                needed = self.least(edge, most)
                if needed is None:
                    return False
                most -= needed
        return True

    def proof(self) -> int | None:
        """Statements on the shortest proof of the status; None if it is unknown."""
        premise = self._premise
        match premise.status:
            case Status.UNKNOWN:
                return None
            case Status.ENTAILED:
                found = [
                    self.least(edge) for order in premise.claimed.orders for edge in edges(order)
                ]
                return max((cost for cost in found if cost is not None), default=0)
            case Status.REFUTED:
                found = [
                    self.least(edge)
                    for order in premise.claimed.orders
                    for other in complements(order)
                    for edge in edges(other)
                ]
            case Status.CONTRADICTORY:
                found = [self._around(p, q) for p, q in premise.claimed.pairs]
        return min((cost for cost in found if cost is not None), default=None)

    def _around(self, p: int, q: int) -> int | None:
        """The fewest statements of a closed strict walk through two points."""
        trips = []
        for strict in (True, False):
            out, back = self.least(Edge(p, strict, q)), self.least(Edge(q, not strict, p))
            if out is not None and back is not None:
                trips.append(out + back)
        return min(trips, default=None)


class Payer:
    """Pays completions about one item.

    Args:
        premise: its premise and claim.
        reads: the reader of chains about it.
    """

    def __init__(self, premise: PremiseClosure, reads: TraceReader) -> None:
        self._premise, self._reads = premise, reads
        self._steps = Steps(premise)
        self._hops = self._steps.proof()

    def pay(self, completion: str) -> Reward:
        """What a completion is paid, and why if it is nothing."""
        if len(completion) > MOST_CHARACTERS:
            return Reward(value=0.0, refusal=Refusal.LENGTH)
        if hidden(completion):
            return Reward(value=0.0, refusal=Refusal.HIDDEN)
        if self._hops is not None and self._hops <= 2:
            return Reward(value=0.0, refusal=Refusal.SHORT, hops=self._hops)
        steps = self._reads.read(steps_of(completion))
        statements = [
            stated
            for step in steps
            for sentence in step.sentences
            for stated in sentence.statements
        ]
        refusal = self._refusal(statements, steps[-1:])
        if refusal is not None:
            return Reward(value=0.0, refusal=refusal, hops=self._hops)
        return self._progress(statements)

    def _refusal(
        self, statements: Sequence[ReadStatement], last: Sequence[ReadStep]
    ) -> Refusal | None:
        if len(statements) > MOST_STATEMENTS:
            return Refusal.LENGTH
        answers = {s.label for s in statements if s.kind is StatementKind.ANSWER}
        closing = (stated.kind for step in last for stated in step.statements)
        if answers != {self._premise.label} or StatementKind.ANSWER not in closing:
            return Refusal.ANSWER
        for stated in statements:
            if stated.kind is StatementKind.UNREAD:
                if stated.events > 1:
                    return Refusal.UNREAD
            elif stated.kind not in _SILENT and not self._premise.right(stated):
                return Refusal.WRONG
        return None

    def _progress(self, statements: Sequence[ReadStatement]) -> Reward:
        premise, hops = self._premise, self._hops
        if hops is None:
            return self._two_timelines(statements)
        steps = self._steps.copy()
        sources: Sources | None = None
        counted: list[ReadStatement] = []
        for stated in statements:
            given = supplied(stated)
            if not given:
                continue
            small = steps.within(given, 2)
            if not small and (len(given) > 1 or given[0].sign == "="):
                if sources is None:
                    sources = _sources(premise, counted)
                small = len(uses(premise, sources, _holding(stated, given))) <= 2
            if small:
                counted.append(stated)
                for order in given:
                    steps.add(order)
                if sources is not None:
                    sources.add(Source(step=0, index=len(counted)), given)
        left = steps.proof()
        assert left is not None, "the premise alone proves a status that is not unknown"
        value = min(1.0, (hops - left) / (hops - 2))
        refusal = None if value > 0 else Refusal.NO_PROGRESS
        return Reward(value=max(value, 0.0), refusal=refusal, hops=hops, left=left)

    def _two_timelines(self, statements: Sequence[ReadStatement]) -> Reward:
        """Two valid timelines show that the claim is left open: one on which it holds, one not."""
        points = self._premise.size
        values = {
            holds_on(dict(stated.instants), self._premise.claimed.orders)
            for stated in statements
            if stated.kind is StatementKind.TIMELINE and len(stated.instants) == points
        }
        if {True, False} <= values:
            return Reward(value=1.0)
        return Reward(value=0.0, refusal=Refusal.NO_PROGRESS)


@lru_cache(4096)
def payer(
    premise: str, claim: str, domain: str | None, spatial: str | None, policy: str | None
) -> Payer:
    """What pays completions about an item, remembered.

    Args:
        premise: its premise.
        claim: its claim.
        domain: its wording; detected if it is None.
        spatial: the reading of its places, geometric if it is None.
        policy: its policy, local if it is None.

    Raises:
        HopcheckError: the premise or the claim cannot be read.
    """
    places = SpatialReading(spatial or SpatialReading.GEOMETRIC)
    wording = Domain(domain) if domain else detect(premise, claim)
    item = reader(wording, places).read("reward", premise, claim)
    return Payer(*prepare(item, Policy(policy or Policy.LOCAL), places))


_SILENT = frozenset((StatementKind.ASSUMED, StatementKind.WITHDRAWS, StatementKind.ANSWER))


def _holding(stated: ReadStatement, given: tuple[PointOrder, ...]) -> ReadStatement:
    if stated.kind is StatementKind.HOLDS:
        return stated
    return ReadStatement(kind=StatementKind.HOLDS, orders=given)


def _sources(premise: PremiseClosure, counted: Sequence[ReadStatement]) -> Sources:
    sources = Sources(premise.size)
    for index, order in enumerate(premise.relations):
        sources.add(Source(index=index), (order,))
    for index, stated in enumerate(counted):
        sources.add(Source(step=0, index=index), supplied(stated))
    return sources


_CONTROL = re.compile(r"[^\n\r\t -~]")


def hidden(text: str) -> bool:
    """Whether a text has characters or marks that a reader of it does not see."""
    odd = (found[0] for found in _CONTROL.finditer(text))
    if any(unicodedata.category(letter) in _MARKS for letter in odd):
        return True
    return ("<" in text or "*/" in text or "\\" in text) and _HIDDEN.search(text) is not None
