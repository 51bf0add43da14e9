"""No name can break a drawing."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammar.eventhop.model import Claim, ClaimRelation, Item, Status
from solver.drawing.canvas import display_names, legible, shorten, width

ItemMaker = Callable[[str, str], Item]
RandomMaker = Callable[[int, int], list[Item]]
Vectors = list[tuple[Item, Status, bool]]


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


SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("status", ["entailed", "contradictory", "unknown"])
def test_hostile_names_are_text_and_nothing_else(easel: Any, status: str) -> None:
    for name in HOSTILE:
        if status == "entailed":
            item = easel.chain_of([name, "regatta"])
        elif status == "contradictory":
            item = easel.chain_of([name, "regatta", name, "harbour"])
        else:
            item = Item(
                id=name,
                premise=(),
                claim=Claim(left=name, relation=ClaimRelation.BEFORE, right="regatta"),
            )
        assert easel.decided(item).status == status
        svg = easel.svg_of(item)
        root = ElementTree.fromstring(svg)
        tags = {element.tag.removeprefix(SVG) for element in root.iter()}
        assert tags <= {"svg", "title", "defs", "g", "path", "text", "use", "pattern", "rect"}
        shown = "".join(easel.texts(svg)).replace("\u2068", "").replace("\u2069", "")
        assert shorten(legible(name), 20)[:8] in shown
        assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")


def test_dollars_are_no_mathematics(easel: Any) -> None:
    words = easel.texts(easel.svg_of(easel.chain_of(["$x$ fair", "$y_1$ and \\frac{1}"])))
    assert "$x$ fair" in words
    assert "$y_1$ and \\frac{1}" in words


def test_long_names_that_look_alike_stay_apart() -> None:
    names = [f"the {'very ' * 30}long fair number {number} {'of all ' * 10}" for number in range(3)]
    shown = display_names(names, 30)
    assert len(set(shown.values())) == 3
    assert all(width(form) <= 35 for form in shown.values())


@given(st.text(), st.floats(min_value=4, max_value=80))
def test_shortened_names_fit(text: str, limit: float) -> None:
    short = shorten(text, limit)
    assert width(short) <= limit + 1e-9
    assert short == text or "…" in short


@given(st.text())
def test_legible_names_are_what_xml_allows(text: str) -> None:
    shown = legible(text)
    assert ElementTree.fromstring(f"<t>{shown.translate(ESCAPES)}</t>").text == shown
    assert shown
    assert "\n" not in shown


ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
