"""The temporal and the spatial wording: names are the text between phrases."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from grammar.boundaries import boundaries
from grammar.diagnosis.prose import ProseDiagnosis
from grammar.errors import Fault, FaultError, quoted
from grammar.lexicon import Lexicon
from grammar.meaning import EventClaim
from grammar.names import ProseNames
from grammar.settled import normalize_subject, spellings
from solver.model import Claim, Order, Relation


class ProseWording:
    """Names, diagnosis and claims of prose wordings.

    Args:
        lexicon: the words of the domain.
        points: its terminals for points, the start first.
    """

    opens_with_names = False

    def __init__(self, lexicon: Lexicon, points: Collection[str]) -> None:
        edges = boundaries(lexicon)
        self.names = ProseNames(edges)
        self.diagnosis = ProseDiagnosis(lexicon, edges, points)
        self._mark = re.compile(f"{edges.opening}(?:the )?")
        self._example = quoted(lexicon.phrases(Order.BEFORE)[0])

    def claim(self, parsed: EventClaim, premise: Iterable[Relation]) -> Claim:
        """Resolve a claim; its first name may differ from the premise's in a capital letter.

        Raises:
            FaultError: it relates points by the phrase of a claim about events.
        """
        known = {point.event for relation in premise for point in (relation.left, relation.right)}
        left = parsed.left
        if left not in known:
            left = normalize_subject(left, spellings((*known, parsed.right)))
            self._reject_point(parsed.left, 0, known)
        if parsed.right not in known:
            self._reject_point(parsed.right, parsed.position, known)
        return Claim(left=left, relation=parsed.relation, right=parsed.right)

    def _reject_point(self, side: str, position: int, known: Collection[str]) -> None:
        """Reject ``start of X`` as an event name if ``X`` is an event of the premise."""
        mark = self._mark.match(side)
        if mark is not None and side[mark.end() :] in known:
            raise FaultError(
                Fault(
                    position=position,
                    found=quoted(side),
                    expected="an event",
                    hint=f"a claim about points uses a premise phrase, such as {self._example}",
                )
            )
