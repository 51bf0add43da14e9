"""Drawings of the certificates of each status."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from typing import Any

import pytest

from grammar.eventhop.model import Bound, Item, Point, Status
from solver.drawing.canvas import PICTURE_FORMATS, Role
from solver.eventhop.certificates.evidence import Cycle, Timelines
from solver.eventhop.certificates.expand import evidence
from solver.eventhop.certificates.make import hops
from solver.eventhop.drawing import picture
from solver.eventhop.drawing.blocks import text_timelines
from solver.eventhop.drawing.paint import possibilities
from solver.eventhop.drawing.scene import Arrow, LinkKind, scene

ItemMaker = Callable[[str, str], Item]
RandomMaker = Callable[[int, int], list[Item]]
Vectors = list[tuple[Item, Status, bool]]


def test_each_vector_is_drawn_well_formed_and_alike_each_time(easel: Any, vectors: Vectors) -> None:
    for number, (item, status, _) in enumerate(vectors):
        svg = easel.svg_of(item)
        shown = easel.texts(svg)
        assert status.upper() in shown
        assert any(text.startswith("Claim: ") for text in shown)
        if number % 4 == 0:
            assert svg == easel.svg_of(item), item.id


def test_drawings_do_not_depend_on_the_users_settings(easel: Any, item_of: ItemMaker) -> None:
    import matplotlib as mpl

    item = item_of("A+ < C-, C+ < B-", "A before B")
    expected = easel.svg_of(item)
    with mpl.rc_context({"font.size": 31.0, "svg.fonttype": "path", "text.color": "red"}):
        before = dict(mpl.rcParams)
        assert easel.svg_of(item) == expected
        assert dict(mpl.rcParams) == before


@pytest.mark.parametrize("form", PICTURE_FORMATS)
def test_pictures_have_the_same_bytes_each_time(easel: Any, item_of: ItemMaker, form: str) -> None:
    item = item_of("A- = B-, A- < B-", "A before B")
    verdict, certificate = easel.drawn(item)
    once, again = (picture(item, verdict, certificate, form=form) for _ in range(2))
    assert once == again
    assert once[:5] == {"svg": b"<svg ", "png": b"\x89PNG\r", "pdf": b"%PDF-"}[form]


def test_a_chain_goes_to_the_right_and_names_what_it_uses(easel: Any, item_of: ItemMaker) -> None:
    shown = easel.scene_of(item_of("D- < A-, B- > C+, A+ = C-, D+ < E-", "A before B"))
    assert [bar.name for bar in shown.bars] == ["A", "C", "B"]
    assert [bar.role for bar in shown.bars] == [Role.LEFT, Role.OTHER, Role.RIGHT]
    assert [sentence.number for sentence in shown.sentences] == [3, 2]
    assert [sentence.text for sentence in shown.sentences] == [
        "end of A simultaneous with start of C",
        "start of B after end of C",
    ]
    assert shown.conclusions == ("By 3, 2: end of A before start of B",)
    assert "And 2 more events, not drawn." in shown.notes
    kinds = [arrow.kind for arrow in shown.arrows]
    assert kinds == [LinkKind.EQUAL, LinkKind.DURATION, LinkKind.ORDER]
    a, c, b = shown.bars
    # Points outside the chain have no column: A's start and B's end are drawn as open.
    assert (a.start, a.end, c.start, c.end, b.start, b.end) == (None, 0, 0, 1, 2, None)


def test_a_cycle_comes_back(easel: Any, item_of: ItemMaker) -> None:
    shown = easel.scene_of(item_of("A+ < C-, C+ < B-, B+ < A-", "A before B"))
    back = [arrow for arrow in shown.arrows if arrow.broken]
    assert [arrow.badge for arrow in back] == ["3"]
    assert back[0].target_column < back[0].source_column
    assert all(not bar.impossible for bar in shown.bars)
    assert len(shown.conclusions) == 2


def test_an_event_that_ends_before_it_starts_is_drawn_with_its_arrow_back(
    easel: Any,
    item_of: ItemMaker,
) -> None:
    shown = easel.scene_of(item_of("A+ < A-", "A before B"))
    assert [(arrow.kind, arrow.broken) for arrow in shown.arrows] == [
        (LinkKind.DURATION, False),
        (LinkKind.ORDER, True),
    ]
    untouched = shown.bars[-1]
    assert (untouched.name, untouched.start, untouched.end) == ("B", None, None)


def test_unknown_shows_the_two_timelines_as_they_are(easel: Any, item_of: ItemMaker) -> None:
    item = item_of("A- < B-, C- < B-", "A before B")
    verdict, certificate = easel.drawn(item)
    found = evidence(item, verdict, certificate)
    assert isinstance(found, Timelines)
    shown = possibilities(item, verdict, found)
    for row in shown.rows:
        for span, timeline in ((row.holds, found.holds), (row.fails, found.fails)):
            assert span is not None
            instants = [timeline[Point(event=row.name, bound=bound)] for bound in Bound]
            assert instants == [span.start, span.end]
    words = easel.texts(picture(item, verdict, certificate).decode())
    assert "Possible: the claim holds" in words
    assert "Also possible: it does not" in words


def spans_nothing(arrow: Arrow) -> bool:
    return arrow.source_column == arrow.target_column and arrow.source_row != arrow.target_row


@pytest.mark.parametrize(
    "premise", ["A- = B+, A- > B+", "A- > B+, A- = B+", "B+ = C-, C- = A-, A- > B+"]
)
def test_before_and_simultaneous_of_the_same_points_are_drawn_apart(
    easel: Any, item_of: ItemMaker, premise: str
) -> None:
    shown = easel.scene_of(item_of(premise, "A after B"))
    assert not [arrow for arrow in shown.arrows if arrow.broken and spans_nothing(arrow)]
    ways = {
        frozenset({(a.source_column, a.source_row), (a.target_column, a.target_row)})
        for a in shown.arrows
        if a.kind is LinkKind.EQUAL
    }
    assert all(len(way) == 2 for way in ways)


def test_a_point_before_itself_is_drawn_as_a_loop(easel: Any, item_of: ItemMaker) -> None:
    item = item_of("A- < A-", "A- < A-")
    (arrow,) = (a for a in easel.scene_of(item).arrows if a.badge == "1")
    assert arrow.broken
    ElementTree.fromstring(easel.svg_of(item))


def test_random_items_are_laid_out_in_order(easel: Any, random_items: RandomMaker) -> None:
    seen = set()
    for item in random_items(7, 300):
        verdict, found = easel.evidence_of(item)
        seen.add(verdict.status)
        if isinstance(found, Timelines):
            continue
        shown = scene(item, verdict, found, None)
        for arrow in shown.arrows:
            forward = arrow.source_column < arrow.target_column
            level = arrow.source_column == arrow.target_column
            assert arrow.broken or (level if arrow.kind is LinkKind.EQUAL else forward)
        is_broken = any(arrow.broken for arrow in shown.arrows)
        if isinstance(found, Cycle):
            assert is_broken
            assert not [a for a in shown.arrows if a.broken and spans_nothing(a)], item.id
        elif verdict.consistent:
            assert not is_broken
        for bar in shown.bars:
            if bar.start is not None and bar.end is not None and not bar.impossible:
                assert bar.start < bar.end
    assert seen == set(Status)


def test_random_items_are_drawn_well_formed(easel: Any, random_items: RandomMaker) -> None:
    for item in random_items(11, 12):
        verdict, certificate = easel.drawn(item)
        ElementTree.fromstring(picture(item, verdict, certificate, hops=hops(certificate)))
        assert all(timeline.rows for timeline in text_timelines(item, *easel.evidence_of(item)))
