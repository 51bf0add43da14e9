"""Drawings of patterns: entities as nodes, numbered steps, a dashed consequence."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from itertools import pairwise
from xml.etree.ElementTree import Element

import pytest

from solver.patterns.drawing import picture
from solver.patterns.model import read

PATTERNS = [
    "1 -1-> 2 => 2 -2-> 1",
    "1 -1-> 1 => 1 -1-> 1",
    "1 -1-> 2, 2 -2-> 3 => 1 -3-> 3",
    "1 -1-> 2, 2 -1-> 1, 1 -2-> 2 => 2 -2-> 1",
    "1 -1-> 1, 1 -2-> 1, 1 -3-> 1 => 1 -4-> 1",
    "1 -1-> 2, 3 -2-> 4, 4 -3-> 5 => 1 -4-> 5",
    "7 -10-> 8, 8 -1-> 9, 9 -2-> 12, 12 -3-> 13 => 13 -4-> 7",
]


def texts(root: Element) -> list[str]:
    return [
        "".join(element.itertext()).strip()
        for element in root.iter()
        if element.tag.endswith("}text")
    ]


def dashed(root: Element) -> list[Element]:
    return [element for element in root.iter() if "stroke-dasharray" in element.get("style", "")]


@pytest.mark.parametrize("text", PATTERNS)
def test_everything_is_on_the_drawing(text: str) -> None:
    pattern = read(text)
    svg = picture(pattern).decode()
    root = ElementTree.fromstring(svg)
    written = texts(root)
    assert written[0] == text
    for entity in {name for step in pattern.steps for name in (step.head, step.tail)}:
        assert str(entity) in written
    for number, step in enumerate(pattern.steps, start=1):
        assert str(number) in written
        assert f"r{step.relation}" in written
    # One line is dashed, the consequence.
    assert len(dashed(root)) == 1
    assert svg == picture(pattern).decode()
    assert root.get("aria-label") == f"Pattern {text}"


def on_curve(numbers: list[float]) -> list[tuple[float, float]]:
    """Some points of a line that bends once (two ends, one or two points that it is drawn to)."""
    points = list(zip(numbers[::2], numbers[1::2], strict=True))
    found = []
    for step in range(21):
        t, row = step / 20, points
        while len(row) > 1:
            row = [((1 - t) * a + t * c, (1 - t) * b + t * d) for (a, b), (c, d) in pairwise(row)]
        found += row
    return found


@pytest.mark.parametrize("text", PATTERNS)
def test_nothing_reaches_out_of_the_paper(text: str) -> None:
    root = ElementTree.fromstring(picture(read(text)))
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    styled = [(element.get("style", ""), element.get("d", "")) for element in root.iter()]
    lines = [d.split() for style, d in styled if "fill: none" in style and "stroke:" in style]
    assert len(lines) == len(read(text).steps)
    for line in lines:
        for x, y in on_curve([float(word) for word in line if not word.isalpha()]):
            assert 0 < x < width
            assert 0.2 * height < y < height


@pytest.mark.parametrize(("form", "magic"), [("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_other_formats(form: str, magic: bytes) -> None:
    pattern = read(PATTERNS[0])
    assert picture(pattern, form=form).startswith(magic)
    assert picture(pattern, form=form) == picture(pattern, form=form)
