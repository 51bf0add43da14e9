"""The temporal and the spatial wording: sentences whose names are whatever phrases leave over."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from grammar.boundaries import boundaries
from grammar.diagnosis.prose import ProseDiagnosis
from grammar.errors import Fault, FaultError, quoted
from grammar.lexicon import Lexicon
from grammar.meaning import EventClaim
from grammar.names import ProseNames
from grammar.settled import settled_subject, spellings
from solver.model import Claim, Order, Relation


class Prose:
    """What is peculiar to wordings in prose.

    Args:
        lexicon: the words of the domain.
        points: its terminals for points, that of the start first.
    """

    opens_with_names = False

    def __init__(self, lexicon: Lexicon, points: Collection[str]) -> None:
        edges = boundaries(lexicon)
        self.names = ProseNames(edges)
        self.diagnosis = ProseDiagnosis(lexicon, edges, points)
        self._mark = re.compile(f"{edges.opening}(?:the )?")
        self._example = quoted(lexicon.phrases(Order.BEFORE)[0])

    def claim(self, said: EventClaim, premise: Iterable[Relation]) -> Claim:
        """What a claim claims, its first name being that of the premise where a capital differs.

        Raises:
            FaultError: it relates points by the phrase of a claim about events.
        """
        known = {point.event for relation in premise for point in (relation.left, relation.right)}
        left = said.left
        if left not in known:
            left = settled_subject(left, spellings((*known, said.right)))
            self._refuse_point(said.left, 0, known)
        if said.right not in known:
            self._refuse_point(said.right, said.position, known)
        return Claim(left=left, relation=said.relation, right=said.right)

    def _refuse_point(self, side: str, position: int, known: Collection[str]) -> None:
        """``start of X`` may well be an event, but hardly where the premise knows ``X``."""
        mark = self._mark.match(side)
        if mark is not None and side[mark.end() :] in known:
            raise FaultError(
                Fault(
                    position=position,
                    found=quoted(side),
                    expected="an event",
                    hint=f"a claim about points has a phrase of a premise, such as {self._example}",
                )
            )
