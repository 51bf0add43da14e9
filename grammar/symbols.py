"""The logical wording: ``mill1 < tide2`` orders points, ``mill < tide`` claims something of events.

A claim may order two points as well, and an event may be called ``mill1``: then ``mill1`` is
whatever the premise knows by that name.
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


class Symbols:
    """What is peculiar to the logical wording.

    Args:
        lexicon: its words.
    """

    opens_with_names = True

    def __init__(self, lexicon: Lexicon) -> None:
        self.names = SymbolNames()
        self.diagnosis = SymbolDiagnosis(lexicon)
        self._bounds: Mapping[str, Bound] = {
            lexicon.mark("START"): Bound.START,
            lexicon.mark("END"): Bound.END,
        }
        said = {phrase: order for order in Order for phrase in lexicon.phrases(order)}
        self._orders = {claim: said[lexicon.phrases(claim)[0]] for claim in ClaimRelation}

    def claim(self, said: EventClaim, premise: Iterable[Relation]) -> Claim | Relation:
        """What a claim claims: of points or of events, as the premise knows them.

        Raises:
            FaultError: it can be read as speaking of points or of events, or of one of each.
        """
        known = {point.event for relation in premise for point in (relation.left, relation.right)}
        sides = (said.left, said.right)
        pointed = all(map(self._is_point, sides))
        as_events = sum(side in known for side in sides)
        as_points = sum(self._is_point(side) and side[:-1] in known for side in sides)
        allen = isinstance(said.relation, AllenRelation)
        if as_events > as_points or (as_points == 0 and (allen or not pointed)):
            return Claim(left=said.left, relation=said.relation, right=said.right)
        if allen or not pointed or as_events == as_points > 0:
            raise FaultError(_unclear(said))
        order = self._orders[ClaimRelation(said.relation)]
        return Relation(left=self._point(said.left), order=order, right=self._point(said.right))

    def _is_point(self, side: str) -> bool:
        return len(side) > 1 and side[-1] in self._bounds

    def _point(self, side: str) -> Point:
        return Point(event=side[:-1], bound=self._bounds[side[-1]])


def _unclear(said: EventClaim) -> Fault:
    return Fault(
        position=0,
        found=f"{quoted(said.left)} and {quoted(said.right)}",
        expected="two events or two points, as the premise knows them",
        hint="events: mill < tide, mill meets tide; points: mill1 < tide2",
    )
