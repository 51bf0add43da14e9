"""Runs the checker that is compiled from the Coq proofs beside ``check.py`` of annotated links.

It reads documents in numbers: proofs/README.md lists them. Values of times are read by ``check.py``
for both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any, TypeAlias

from solver.eventhop.certificates.proved import (
    MALFORMED,
    Judgement,
    array,
    compared,
    flat,
    name,
    optional,
)
from solver.links import check

__all__ = ["check_file", "judge", "name", "numbers"]

Json: TypeAlias = Any

_RELATIONS = (
    *("BEFORE", "AFTER", "IBEFORE", "IAFTER", "INCLUDES", "IS_INCLUDED", "SIMULTANEOUS"),
    *("BEGINS", "BEGUN_BY", "ENDS", "ENDED_BY", "OVERLAP"),
    *("STARTS_BEFORE", "STARTS_AFTER", "STARTS_EQUAL", "VAGUE"),
)
_SAME = {
    "included": {"DURING": "IS_INCLUDED", "DURING_INV": "INCLUDES"},
    "simultaneous": {"DURING": "SIMULTANEOUS", "DURING_INV": "SIMULTANEOUS"},
}
"""What the two relations for *during* mean."""


def numbers(row: dict[str, Any]) -> str:
    """The line that the compiled checker reads.

    Raises:
        TypeError, ValueError, KeyError, IndexError: a value has no place there.
        solver.links.check.RejectedError: a part of the line is not what it should be.
    """
    document = check.document_of(row)
    places = {node: place for place, (node, _) in enumerate(document.nodes)}
    same, consistent = _SAME[row["during"]], row["consistent"] is True
    if len(places) < len(document.nodes) or row["cycle" if consistent else "timeline"] is not None:
        raise ValueError(row)
    points = {
        f"{bound} of {node}": 2 * place + end
        for node, place in places.items()
        for end, bound in enumerate(check.BOUNDS)
    }
    dated = check.calendar(document.nodes) if row["dates"] else {}
    head = (
        check.CHOICES["reading"].index(row["reading"]),
        len(document.nodes),
        [_link(link, places, same) for link in document.links],
        [(points[f"{bound} of {node}"], _instant(when)) for (node, bound), when in dated.items()],
    )
    repair = [_repair(document, row["repair"], places, points, same)] if "repair" in row else []
    if consistent:
        verdict: Json = (1, _timeline(row["timeline"], places))
    else:
        verdict = (0, _moves(row["cycle"], points))
    return " ".join(("links", *flat([head, verdict, repair])))


def _link(link: check.Link, places: dict[str, int], same: dict[str, str]) -> tuple[int, int, int]:
    _, left, right, relation = link
    relation = same.get(relation, relation)
    relation = "SIMULTANEOUS" if relation == "IDENTITY" else relation
    return places[left], places[right], _RELATIONS.index(relation)


def _instant(when: datetime) -> int:
    return (when - datetime.min) // timedelta(seconds=1)


def _timeline(value: Json, places: dict[str, int]) -> list[int]:
    instants = {places[node]: (start, end) for node, start, end in map(array, array(value))}
    if len(instants) < len(value) or any(
        type(instant) is not int for ends in instants.values() for instant in ends
    ):
        raise TypeError(value)
    return [instant for place in range(len(places)) for instant in instants[place]]


def _moves(value: Json, points: dict[str, int]) -> list[tuple[int, int, int]]:
    return [(points[p], points[q], optional(number)) for p, q, number in map(array, array(value))]


def _repair(
    document: check.Document,
    value: Json,
    places: dict[str, int],
    points: dict[str, int],
    same: dict[str, str],
) -> tuple[Json, ...]:
    """The links before a repair, which of them it changes, and the cycles, the shortest first."""
    rows = [(link, weight) for *link, weight in map(array, array(value["links"]))]
    links: list[check.Link] = [
        (id_, left, right, relation) for (id_, left, right, relation), _ in rows
    ]
    whole = [*(weight for _, weight in rows), value["cost"], value["lower"]]
    if value["lower"] != value["cost"] or any(type(x) is not int or x < 1 for x in whole):
        raise ValueError(value)
    changed = check.changed_links(document, links)
    moves = [_moves(cycle, points) for cycle in array(value["conflicts"])]
    moves.sort(key=lambda cycle: sum(number >= 0 for _, _, number in cycle))
    return (
        [_link(link, places, same) for link in links],
        [weight for _, weight in rows],
        [int(number in changed) for number in range(len(links))],
        moves,
        value["cost"],
    )


def judge(row: object) -> tuple[Judgement | None, Exception | None]:
    """The judgement of ``check.py``, with its reason if it rejects the line; none if it is open."""
    try:
        line = numbers(row)  # type: ignore[arg-type]
    except (*check.UNREADABLE, AttributeError, IndexError, check.RejectedError):
        line = MALFORMED
    try:
        check.check_row(row)
    except check.OpenError as error:
        return None, error
    except (check.RejectedError, ValueError) as error:
        return Judgement(False, line), error
    return Judgement(True, line), None


def check_file(path: str, data: Iterable[str] = ()) -> Iterator[tuple[str, str, str | None]]:
    """As that of ``check.py``, with the compiled checker beside it.

    Raises:
        CheckersDifferError: they do not accept the same lines.
        NoProvedCheckerError: there is no compiled checker.
    """
    return compared(path, lambda decide: check.check_file(path, data, decide), judge)
