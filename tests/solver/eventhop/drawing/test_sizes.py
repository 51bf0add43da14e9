"""Drawings of two events and of thousands, and in block characters."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from typing import Any

import pytest

from grammar.eventhop.model import Bound, Item, Order, Point, Relation, Status
from solver.eventhop.certificates.evidence import Chain, Cycle
from solver.eventhop.drawing import picture
from solver.eventhop.drawing.blocks import text_timelines
from solver.eventhop.drawing.paint import MOST_EVENTS
from solver.eventhop.drawing.scene import LONGEST, LinkKind, links
from solver.eventhop.messages import APART

ItemMaker = Callable[[str, str], Item]
RandomMaker = Callable[[int, int], list[Item]]
Vectors = list[tuple[Item, Status, bool]]


@pytest.mark.parametrize("count", [2, 3, 12, 19, 40])
def test_chains_of_any_length_are_drawn(easel: Any, count: int) -> None:
    names = [f"watch {number}" for number in range(count)]
    words = easel.texts(easel.svg_of(easel.chain_of(names)))
    # A chain of n events takes n - 1 sentences and n - 2 durations.
    if 2 * count - 3 <= LONGEST:
        assert set(names) <= set(words)
    else:
        assert any("more steps" in text for text in words)
        assert {names[0], names[-1]} <= set(words)


def test_a_chain_is_drawn_with_the_timeline_that_keeps_the_points_apart(easel: Any) -> None:
    """As the text shows it; a contradiction has none."""
    words = easel.texts(easel.svg_of(easel.chain_of(["fair", "race", "tide"])))
    assert APART in words
    assert words.count("race") == 2
    assert {"0", "1", "4", "5"} <= set(words)


def test_a_chain_of_thousands_of_steps_is_drawn_with_its_middle_left_out(easel: Any) -> None:
    item = easel.chain_of([f"watch {number}" for number in range(3000)])
    shown = easel.scene_of(item)
    assert len(shown.arrows) == LONGEST + 1
    assert len(shown.sentences) <= LONGEST
    assert sum(arrow.kind is LinkKind.GAP for arrow in shown.arrows) == 1
    assert shown.conclusions[0].startswith("2999 sentences together: end of watch 0 before")
    ElementTree.fromstring(easel.svg_of(item))


def test_two_timelines_of_many_events_are_cut(easel: Any, item_of: ItemMaker) -> None:
    premise = ", ".join(f"X{number}- < B-" for number in range(39))
    words = easel.texts(easel.svg_of(item_of(premise, "A before B")))
    assert f"And {41 - MOST_EVENTS} more events." in words
    assert "A" in words
    assert "X13" in words


def test_block_characters_show_a_chain(easel: Any, item_of: ItemMaker) -> None:
    item = item_of("A+ < C-, C+ < B-", "A before B")
    timeline, apart = text_timelines(item, *easel.evidence_of(item))
    assert [row.bar for row in timeline.rows] == [
        "░▒▓┤",
        "           ├███████┤",
        "                           ├▓▒░",
    ]
    assert timeline.note == ""
    assert apart.title == "No contradiction: this timeline keeps the points apart:"
    assert all(row.bar for row in apart.rows)


def test_block_characters_show_a_cycle_and_what_leads_back(easel: Any, item_of: ItemMaker) -> None:
    item = item_of("A+ < B-, B+ < A-", "A before B")
    (timeline,) = text_timelines(item, *easel.evidence_of(item))
    assert timeline.note == "↩ sentence 2 leads back"


def test_block_characters_show_two_timelines(easel: Any, item_of: ItemMaker) -> None:
    item = item_of("A- < B-", "A before B")
    holds, fails = text_timelines(item, *easel.evidence_of(item))
    assert [row.bar for row in holds.rows] == ["├███████┤", "        ├███████┤"]
    assert [row.bar for row in fails.rows] == ["├███████████████┤", "        ├███████┤"]


def test_a_step_that_a_cycle_takes_twice_is_drawn_once(easel: Any, item_of: ItemMaker) -> None:
    item = item_of("A- = B-, B- = C-, C- < B-", "A before B")
    verdict, found = easel.evidence_of(item)
    assert isinstance(found, Cycle)
    assert verdict.status is Status.CONTRADICTORY
    assert len(found.forward) + len(found.backward) == 4
    assert sorted(link.sentence or 0 for link in links(found)) == [1, 2, 3]


def test_a_chain_without_steps_is_drawn(easel: Any) -> None:
    start = Point(event="fair", bound=Bound.START)
    item = Item(
        id="same", premise=(), claim=Relation(left=start, order=Order.SIMULTANEOUS, right=start)
    )
    assert isinstance(easel.evidence_of(item)[1], Chain)
    verdict, certificate = easel.drawn(item)
    assert "fair" in easel.texts(picture(item, verdict, certificate).decode())


def test_matplotlib_is_imported_only_to_draw(python: Callable[..., Any]) -> None:
    program = (
        "import sys;"
        "import solver.eventhop.drawing;"
        "import solver.eventhop.drawing.scene;"
        "import solver.eventhop.drawing.blocks;"
        "sys.exit(any(name in sys.modules for name in ('matplotlib', 'numpy')))"
    )
    assert python("-c", program).returncode == 0
