"""Drawings: what they show of a certificate, and that no name can break them."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.certificates.certify import certify, hops
from solver.drawing import PICTURE_FORMATS, draw, picture
from solver.drawing.blocks import text_timelines
from solver.drawing.links import LONGEST, LinkKind, links
from solver.drawing.names import display_names, legible, shortened, width
from solver.drawing.possibilities import MOST_EVENTS, possibilities
from solver.drawing.scene import Arrow, Role, Scene, scene
from solver.engines import EngineName, engine
from solver.model import (
    Bound,
    Certificate,
    Chain,
    Claim,
    ClaimRelation,
    Cycle,
    Item,
    Order,
    Point,
    Relation,
    Status,
    Timelines,
    Verdict,
)

ItemMaker = Callable[[str, str], Item]
RandomMaker = Callable[[int, int], list[Item]]
Vectors = list[tuple[Item, Status, bool]]

SVG = "{http://www.w3.org/2000/svg}"

HOSTILE = [
    "<script>alert(1)</script>",
    "price of $x$ and $y_{1}$",
    """a "double" and 'single' & ampersand""",
    "שוק הלילה",
    "مهرجان القمر",
    "🎪 circus 🤹🏽 parade",
    "花火大会",
    "e\u0301te\u0301 festival",
    "back\\slash {brace} %d %(x)s ${{1}}",
    "tab\tnew\nline\x00null\x1b[31mred",
    "half \ud800 surrogate \uffff",
    "over\u202eride\u2066d",
    "]]> <!-- comment --> &amp;",
    "x" * 500,
    " ",
    "",
]


def decided(item: Item) -> Verdict:
    return engine(EngineName.GRAPH).decide([item])[0]


def drawn(item: Item) -> tuple[Verdict, Certificate]:
    verdict = decided(item)
    return verdict, certify(item, verdict)


def svg_of(item: Item) -> str:
    verdict, certificate = drawn(item)
    return draw(item, verdict, certificate, hops=hops(certificate))


def scene_of(item: Item) -> Scene:
    verdict, certificate = drawn(item)
    assert not isinstance(certificate, Timelines)
    return scene(item, verdict, certificate, hops(certificate))


def texts(svg: str) -> list[str]:
    root = ElementTree.fromstring(svg)
    return ["".join(element.itertext()) for element in root.iter(f"{SVG}text")]


def chain_of(names: list[str], claim: ClaimRelation = ClaimRelation.BEFORE) -> Item:
    premise = tuple(
        Relation(
            left=Point(event=left, bound=Bound.END),
            order=Order.BEFORE,
            right=Point(event=right, bound=Bound.START),
        )
        for left, right in pairwise(names)
    )
    return Item(
        id="chain", premise=premise, claim=Claim(left=names[0], relation=claim, right=names[-1])
    )


# --- every status ---------------------------------------------------------------------------------


def test_each_vector_is_drawn_well_formed_and_alike_each_time(vectors: Vectors) -> None:
    for item, status, _ in vectors:
        svg = svg_of(item)
        shown = texts(svg)
        assert status.upper() in shown
        assert any(text.startswith("Claim: ") for text in shown)
        assert svg == svg_of(item), item.id


def test_drawings_do_not_depend_on_the_users_settings(item_of: ItemMaker) -> None:
    import matplotlib as mpl

    item = item_of("A+ < C-, C+ < B-", "A before B")
    expected = svg_of(item)
    with mpl.rc_context({"font.size": 31.0, "svg.fonttype": "path", "text.color": "red"}):
        before = dict(mpl.rcParams)
        assert svg_of(item) == expected
        assert dict(mpl.rcParams) == before


@pytest.mark.parametrize("form", PICTURE_FORMATS)
def test_pictures_have_the_same_bytes_each_time(item_of: ItemMaker, form: str) -> None:
    item = item_of("A- = B-, A- < B-", "A before B")
    verdict, certificate = drawn(item)
    once, again = (picture(item, verdict, certificate, form=form) for _ in range(2))
    assert once == again
    assert once[:5] == {"svg": b"<?xml", "png": b"\x89PNG\r", "pdf": b"%PDF-"}[form]


def test_a_chain_goes_to_the_right_and_names_what_it_uses(item_of: ItemMaker) -> None:
    shown = scene_of(item_of("D- < A-, B- > C+, A+ = C-, D+ < E-", "A before B"))
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
    # What the chain does not touch has no place: A's start and B's end are drawn as open.
    assert (a.start, a.end, c.start, c.end, b.start, b.end) == (None, 0, 0, 1, 2, None)


def test_a_cycle_comes_back(item_of: ItemMaker) -> None:
    shown = scene_of(item_of("A+ < C-, C+ < B-, B+ < A-", "A before B"))
    back = [arrow for arrow in shown.arrows if arrow.broken]
    assert [arrow.badge for arrow in back] == ["3"]
    assert back[0].target_column < back[0].source_column
    assert all(not bar.impossible for bar in shown.bars)
    assert len(shown.conclusions) == 2


def test_an_event_that_ends_before_it_starts_is_drawn_with_its_arrow_back(
    item_of: ItemMaker,
) -> None:
    shown = scene_of(item_of("A+ < A-", "A before B"))
    assert [(arrow.kind, arrow.broken) for arrow in shown.arrows] == [
        (LinkKind.DURATION, False),
        (LinkKind.ORDER, True),
    ]
    untouched = shown.bars[-1]
    assert (untouched.name, untouched.start, untouched.end) == ("B", None, None)


def test_unknown_shows_the_two_timelines_as_they_are(item_of: ItemMaker) -> None:
    item = item_of("A- < B-, C- < B-", "A before B")
    verdict, certificate = drawn(item)
    assert isinstance(certificate, Timelines)
    shown = possibilities(item, verdict, certificate)
    for row in shown.rows:
        for span, timeline in ((row.holds, certificate.holds), (row.fails, certificate.fails)):
            assert span is not None
            instants = [timeline[Point(event=row.name, bound=bound)] for bound in Bound]
            assert instants == [span.start, span.end]
    words = texts(draw(item, verdict, certificate))
    assert "Possible: the claim holds" in words
    assert "Also possible: it does not" in words


def spans_nothing(arrow: Arrow) -> bool:
    return arrow.source_column == arrow.target_column and arrow.source_row != arrow.target_row


@pytest.mark.parametrize(
    "premise", ["A- = B+, A- > B+", "A- > B+, A- = B+", "B+ = C-, C- = A-, A- > B+"]
)
def test_before_and_simultaneous_of_the_same_points_are_drawn_apart(
    item_of: ItemMaker, premise: str
) -> None:
    shown = scene_of(item_of(premise, "A after B"))
    assert not [arrow for arrow in shown.arrows if arrow.broken and spans_nothing(arrow)]
    ways = {
        frozenset({(a.source_column, a.source_row), (a.target_column, a.target_row)})
        for a in shown.arrows
        if a.kind is LinkKind.EQUAL
    }
    assert all(len(way) == 2 for way in ways)


def test_a_point_before_itself_is_drawn_as_a_loop(item_of: ItemMaker) -> None:
    item = item_of("A- < A-", "A- < A-")
    (arrow,) = (a for a in scene_of(item).arrows if a.badge == "1")
    assert arrow.broken
    ElementTree.fromstring(svg_of(item))


def test_random_items_are_laid_out_in_order(random_items: RandomMaker) -> None:
    seen = set()
    for item in random_items(7, 300):
        verdict, certificate = drawn(item)
        seen.add(verdict.status)
        if isinstance(certificate, Timelines):
            continue
        shown = scene(item, verdict, certificate, None)
        for arrow in shown.arrows:
            forward = arrow.source_column < arrow.target_column
            level = arrow.source_column == arrow.target_column
            assert arrow.broken or (level if arrow.kind is LinkKind.EQUAL else forward)
        is_broken = any(arrow.broken for arrow in shown.arrows)
        if isinstance(certificate, Cycle):
            assert is_broken
            assert not [a for a in shown.arrows if a.broken and spans_nothing(a)], item.id
        elif verdict.consistent:
            assert not is_broken
        for bar in shown.bars:
            if bar.start is not None and bar.end is not None and not bar.impossible:
                assert bar.start < bar.end
    assert seen == set(Status)


def test_random_items_are_drawn_well_formed(random_items: RandomMaker) -> None:
    for item in random_items(11, 25):
        verdict, certificate = drawn(item)
        ElementTree.fromstring(draw(item, verdict, certificate, hops=hops(certificate)))
        assert all(timeline.rows for timeline in text_timelines(item, verdict, certificate))


# --- sizes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [2, 3, 12, 19, 40])
def test_chains_of_any_length_are_drawn(count: int) -> None:
    names = [f"watch {number}" for number in range(count)]
    words = texts(svg_of(chain_of(names)))
    # A chain of n events takes n - 1 sentences and n - 2 durations.
    if 2 * count - 3 <= LONGEST:
        assert set(names) <= set(words)
    else:
        assert any("more steps" in text for text in words)
        assert {names[0], names[-1]} <= set(words)


def test_a_chain_of_thousands_of_steps_is_drawn_with_its_middle_left_out() -> None:
    item = chain_of([f"watch {number}" for number in range(3000)])
    shown = scene_of(item)
    assert len(shown.arrows) == LONGEST + 1
    assert len(shown.sentences) <= LONGEST
    assert sum(arrow.kind is LinkKind.GAP for arrow in shown.arrows) == 1
    assert shown.conclusions[0].startswith("2999 sentences together: end of watch 0 before")
    ElementTree.fromstring(svg_of(item))


def test_two_timelines_of_many_events_are_cut(item_of: ItemMaker) -> None:
    premise = ", ".join(f"X{number}- < B-" for number in range(39))
    words = texts(svg_of(item_of(premise, "A before B")))
    assert f"And {41 - MOST_EVENTS} more events." in words
    assert "A" in words
    assert "X13" in words


# --- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", ["entailed", "contradictory", "unknown"])
def test_hostile_names_are_text_and_nothing_else(status: str) -> None:
    for name in HOSTILE:
        if status == "entailed":
            item = chain_of([name, "regatta"])
        elif status == "contradictory":
            item = chain_of([name, "regatta", name, "harbour"])
        else:
            item = Item(
                id=name,
                premise=(),
                claim=Claim(left=name, relation=ClaimRelation.BEFORE, right="regatta"),
            )
        assert decided(item).status == status
        svg = svg_of(item)
        root = ElementTree.fromstring(svg)
        tags = {element.tag.removeprefix(SVG) for element in root.iter()}
        assert tags <= {"svg", "title", "defs", "g", "path", "text", "use", "pattern", "rect"}
        shown = "".join(texts(svg)).replace("\u2068", "").replace("\u2069", "")
        assert shortened(legible(name), 20)[:8] in shown
        assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")


def test_dollars_are_no_mathematics() -> None:
    words = texts(svg_of(chain_of(["$x$ fair", "$y_1$ and \\frac{1}"])))
    assert "$x$ fair" in words
    assert "$y_1$ and \\frac{1}" in words


def test_long_names_that_look_alike_stay_apart() -> None:
    names = [f"the {'very ' * 30}long fair number {number} {'of all ' * 10}" for number in range(3)]
    shown = display_names(names, 30)
    assert len(set(shown.values())) == 3
    assert all(width(form) <= 35 for form in shown.values())


@given(st.text(), st.floats(min_value=4, max_value=80))
def test_shortened_names_fit(text: str, limit: float) -> None:
    short = shortened(text, limit)
    assert width(short) <= limit + 1e-9
    assert short == text or "…" in short


@given(st.text())
def test_legible_names_are_what_xml_allows(text: str) -> None:
    shown = legible(text)
    assert ElementTree.fromstring(f"<t>{shown.translate(ESCAPES)}</t>").text == shown
    assert shown
    assert "\n" not in shown


ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})

# --- words and blocks -----------------------------------------------------------------------------


def test_block_characters_show_a_chain(item_of: ItemMaker) -> None:
    item = item_of("A+ < C-, C+ < B-", "A before B")
    (timeline,) = text_timelines(item, *drawn(item))
    assert [row.bar for row in timeline.rows] == [
        "░▒▓┤",
        "           ├███████┤",
        "                           ├▓▒░",
    ]
    assert timeline.note == ""


def test_block_characters_show_a_cycle_and_what_leads_back(item_of: ItemMaker) -> None:
    item = item_of("A+ < B-, B+ < A-", "A before B")
    (timeline,) = text_timelines(item, *drawn(item))
    assert timeline.note == "↩ sentence 2 leads back"


def test_block_characters_show_two_timelines(item_of: ItemMaker) -> None:
    item = item_of("A- < B-", "A before B")
    holds, fails = text_timelines(item, *drawn(item))
    assert [row.bar for row in holds.rows] == ["├███████┤", "        ├███████┤"]
    assert [row.bar for row in fails.rows] == ["├███████████████┤", "        ├███████┤"]


def test_a_step_that_a_cycle_takes_twice_is_drawn_once(item_of: ItemMaker) -> None:
    verdict, certificate = drawn(item_of("A- = B-, A- < B-", "A before B"))
    assert isinstance(certificate, Cycle)
    assert verdict.status is Status.CONTRADICTORY
    assert len(certificate.forward) + len(certificate.backward) > 2
    assert sorted(link.sentence or 0 for link in links(certificate)) == [1, 2]


def test_a_chain_without_steps_is_drawn() -> None:
    start = Point(event="fair", bound=Bound.START)
    item = Item(
        id="same", premise=(), claim=Relation(left=start, order=Order.SIMULTANEOUS, right=start)
    )
    verdict, certificate = drawn(item)
    assert isinstance(certificate, Chain)
    assert "fair" in texts(draw(item, verdict, certificate))


def test_matplotlib_is_imported_only_to_draw() -> None:
    program = (
        "import sys, solver.drawing, solver.drawing.scene, solver.drawing.blocks;"
        "sys.exit(any(name in sys.modules for name in ('matplotlib', 'numpy')))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
