"""An engine: closes the orders of the points of an item under transitivity, pair by pair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

try:
    from hopcheck.grammar.eventhop.model import Bound, Claim, Item, Order, Policy, Status, Verdict
    from hopcheck.solver.eventhop.engines import verdict
except ImportError:  # A checkout of hopcheck has these packages at the top level.
    from grammar.eventhop.model import Bound, Claim, Item, Order, Policy, Status, Verdict
    from solver.eventhop.engines import verdict

SIGNS = {"before": "<", "after": ">", "simultaneous": "=", "not_after": "<=", "not_before": ">="}
CLAIMS = {
    "before": "A+ <= B-",
    "after": "A- >= B+",
    "overlaps": "A- < B+, A+ > B-",
    "PRECEDES": "A+ < B-",
    "MEETS": "A+ = B-",
    "OVERLAPS": "A- < B-, A+ > B-, A+ < B+",
    "FINISHED_BY": "A- < B-, A+ = B+",
    "CONTAINS": "A- < B-, A+ > B+",
    "STARTS": "A- = B-, A+ < B+",
    "EQUALS": "A- = B-, A+ = B+",
    "STARTED_BY": "A- = B-, A+ > B+",
    "DURING": "A- > B-, A+ < B+",
    "FINISHES": "A- > B-, A+ = B+",
    "OVERLAPPED_BY": "A- > B-, A- < B+, A+ > B+",
    "MET_BY": "A- = B+",
    "PRECEDED_BY": "A- > B+",
}


class TransitiveEngine:
    """Decides items with a table of all pairs of points."""

    name = "transitive"

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def decide(self, items: Sequence[Item]) -> list[Verdict]:
        """One verdict per item, in order."""
        return [self._decide(item) for item in items]

    def _decide(self, item: Item) -> Verdict:
        claimed, needs = _claim(item.claim)
        rows = [row for relation in item.premise for row in _needs(*_places(relation))]
        points = {place for low, _, high in (*rows, *needs) for place in (low, high)}
        points |= {(event, bound) for event, _ in points for bound in "-+"} | claimed
        # 2: before, 1: not after, 0: nothing is known.
        known = dict.fromkeys(product(points, points), 0)
        known |= {((event, "-"), (event, "+")): 2 for event, _ in points}
        for low, strict, high in rows:
            known[low, high] = max(known[low, high], 1 + strict)
        for middle, low, high in product(points, points, points):
            if known[low, middle] and known[middle, high]:
                through = max(known[low, middle], known[middle, high])
                known[low, high] = max(known[low, high], through)

        def derived(low: object, strict: bool, high: object) -> bool:
            return known[low, high] > strict or (low == high and not strict)

        pairs = [*combinations(sorted(claimed), 2)]
        if len({event for event, _ in claimed}) == 1:
            pairs += [(point, point) for point in claimed]
        if any(
            known[p, q] and known[q, p] and max(known[p, q], known[q, p]) == 2 for p, q in pairs
        ):
            status = Status.CONTRADICTORY
        elif all(derived(*need) for need in needs):
            status = Status.ENTAILED
        elif any(derived(high, not strict, low) for low, strict, high in needs):
            status = Status.REFUTED
        else:
            status = Status.UNKNOWN
        consistent = all(known[point, point] < 2 for point in points)
        return verdict(status, consistent=consistent, policy=self._policy)


def _places(relation: object) -> tuple[tuple[str, str], str, tuple[str, str]]:
    """A relation of two points; a point is its event, and - or +."""
    left, right = (
        (point.event, "-" if point.bound is Bound.START else "+")
        for point in (relation.left, relation.right)
    )
    return left, SIGNS[Order(relation.order).value], right


def _needs(
    left: tuple[str, str], sign: str, right: tuple[str, str]
) -> Iterator[tuple[tuple[str, str], bool, tuple[str, str]]]:
    """The orders that a sign states: the lower point, whether it is before, the higher point."""
    if sign[0] != ">":
        yield left, sign == "<", right
    if sign[0] != "<":
        yield right, sign == ">", left


def _claim(claim: object) -> tuple[set[tuple[str, str]], list[tuple[object, bool, object]]]:
    """The points of a claim, and the orders that it states."""
    if not isinstance(claim, Claim):
        left, sign, right = _places(claim)
        return {left, right}, [*_needs(left, sign, right)]
    allen = type(claim.relation).__name__ == "AllenRelation"
    meaning = CLAIMS[claim.relation.name if allen else claim.relation.value]
    events = {"A": claim.left, "B": claim.right}
    needs = []
    for part in meaning.split(", "):
        low, sign, high = part.split()
        needs += _needs((events[low[0]], low[1]), sign, (events[high[0]], high[1]))
    return {(event, bound) for event in events.values() for bound in "-+"}, needs
