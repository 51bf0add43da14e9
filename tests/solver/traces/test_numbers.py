"""Chains in numbers, as the compiled checker reads them: the parts of a certificate."""

from __future__ import annotations

from typing import Any

import pytest

from solver.eventhop import check as items
from solver.traces import proved

CHAIN = items.Item(
    items.Texts([items.Sentence(("A", 1), "<", ("B", 0))], ("A", "before", "B")),
)
LINE = [["start of A", 0], ["end of A", 1], ["start of B", 2], ["end of B", 3]]
WALK = {"from": "start of A", "steps": [None, 0]}
LATER = [["start of A", "<", "start of B"]]


def parts(consistent: bool, kind: str, verdict: str, **row: Any) -> list[int]:
    """The numbers of the parts of a statement's certificate."""
    stated = {"status": "entailed", "consistent": consistent, "label": "true", "hops": 1}
    numbering = proved._Numbering(CHAIN, stated)
    *_, found = numbering.statement("0.0", {"kind": kind, "verdict": verdict, **row})
    return [number for number, *_ in found]


@pytest.mark.parametrize("consistent", [True, False])
def test_parts_depend_on_whether_the_premise_is_consistent(consistent: bool) -> None:
    broken = {"instants": {"start of A": 2, "start of B": 1}, "certificate": {"walk": WALK}}
    assert parts(consistent, "timeline", "contradicts", **broken) == [9] * consistent
    allowed = {"undenied": {"model": LINE, "timelines": [LINE]}}
    found = parts(consistent, "possible", "follows", orders=LATER, certificate=allowed)
    assert found == [4 if consistent else 5]


@pytest.mark.parametrize(
    ("kind", "verdict", "certificate", "numbers"),
    [
        ("holds", "follows", {"walks": [WALK]}, [0]),
        ("not-derivable", "follows", {"underivable": {"order": 0, "timeline": LINE}}, [1]),
        ("does-not-hold", "follows", {"denied": {"cycle": WALK}}, [2]),
        ("does-not-hold", "follows", {"denied": {"order": 0, "walk": WALK}}, [3]),
        ("holds", "follows", {"denied": {"cycle": WALK}}, []),
        ("left-open", "contradicts", {"denied": {"cycle": WALK}, "walks": [WALK]}, [2]),
        ("left-open", "contradicts", {"walks": [WALK]}, [0]),
        ("holds", "open", {"uncarried": {"order": 0, "timeline": LINE}}, []),
    ],
)
def test_a_verdict_has_its_parts(
    kind: str, verdict: str, certificate: dict[str, Any], numbers: list[int]
) -> None:
    assert parts(True, kind, verdict, orders=LATER, certificate=certificate) == numbers
