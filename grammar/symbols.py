"""The logical wording: ``mill1 < tide2`` orders points, ``mill < tide`` relates events.

A claim may also order two points, and an event may be called ``mill1``; the premise then decides
what ``mill1`` refers to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from grammar.diagnosis.symbols import SymbolDiagnosis
from grammar.errors import Fault, FaultError, quoted
from grammar.lexicon import Lexicon
from grammar.meaning import EventClaim
from grammar.names import SymbolNames
from solver.model import (
    AllenRelation,
    Bound,
    Claim,
    ClaimRelation,
    Order,
    Point,
    Relation,
)


class SymbolWording:
    """Names, diagnosis and claims of the logical wording.

    Args:
        lexicon: the words of the domain.
    """

    opens_with_names = True

    def __init__(self, lexicon: Lexicon) -> None:
        self.names = SymbolNames()
        self.diagnosis = SymbolDiagnosis(lexicon)
        self._bounds: Mapping[str, Bound] = {
            lexicon.mark("START"): Bound.START,
            lexicon.mark("END"): Bound.END,
        }
        orders = {phrase: order for order in Order for phrase in lexicon.phrases(order)}
        self._orders = {claim: orders[lexicon.phrases(claim)[0]] for claim in ClaimRelation}

    def claim(self, parsed: EventClaim, premise: Iterable[Relation]) -> Claim | Relation:
        """Resolve a claim about the premise's points or events.

        Raises:
            FaultError: it is ambiguous between points and events, or mixes them.
        """
        known = {point.event for relation in premise for point in (relation.left, relation.right)}
        sides = (parsed.left, parsed.right)
        pointed = all(map(self._is_point, sides))
        as_events = sum(side in known for side in sides)
        as_points = sum(self._is_point(side) and side[:-1] in known for side in sides)
        allen = isinstance(parsed.relation, AllenRelation)
        if as_events > as_points or (as_points == 0 and (allen or not pointed)):
            return Claim(left=parsed.left, relation=parsed.relation, right=parsed.right)
        if allen or not pointed or as_events == as_points > 0:
            raise FaultError(_ambiguous(parsed))
        order = self._orders[ClaimRelation(parsed.relation)]
        return Relation(left=self._point(parsed.left), order=order, right=self._point(parsed.right))

    def _is_point(self, side: str) -> bool:
        return len(side) > 1 and side[-1] in self._bounds

    def _point(self, side: str) -> Point:
        return Point(event=side[:-1], bound=self._bounds[side[-1]])


def _ambiguous(parsed: EventClaim) -> Fault:
    return Fault(
        position=0,
        found=f"{quoted(parsed.left)} and {quoted(parsed.right)}",
        expected="two events or two points of the premise",
        hint="events: mill < tide, mill meets tide; points: mill1 < tide2",
    )
