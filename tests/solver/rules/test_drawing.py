"""Drawings of groundings: one line per entity, one arrow per fact, the head dashed."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from xml.etree.ElementTree import Element

from solver.graph.model import Vocabulary
from solver.rules.drawing import Arrow, DrawnGrounding, arrow, picture

LONG = "Express_intent_to_engage_in_diplomatic_cooperation_(such_as_policy_support)"


def drawn(*body: Arrow, head: Arrow) -> DrawnGrounding:
    return DrawnGrounding(title="a rule", note="a note", body=body, head=head)


def texts(root: Element) -> list[str]:
    return [
        "".join(element.itertext()).strip()
        for element in root.iter()
        if element.tag.endswith("}text")
    ]


def test_everything_is_on_the_drawing_once() -> None:
    first = Arrow(head="Ada", relation="visits", tail="Bo", time="2030-01-01")
    second = Arrow(head="Bo", relation=LONG, tail="Bo", time="2030-01-02")
    head = Arrow(head="Cy", relation="signs", tail="Ada", time="2030-01-03")
    grounding = drawn(first, second, head=head)
    root = ElementTree.fromstring(picture(grounding))
    names = ["a rule", "a note", "Ada", "Bo", "Cy", "visits", LONG, "signs"]
    assert sorted(texts(root)) == sorted([*names, "2030-01-01", "2030-01-02", "2030-01-03"])
    dashed = [element for element in root.iter() if "stroke-dasharray" in element.get("style", "")]
    assert len(dashed) == 1
    assert picture(grounding).decode() == picture(grounding).decode()
    assert picture(grounding, form="png").startswith(b"\x89PNG")


def test_a_sheet_is_as_wide_as_its_words() -> None:
    def width(relation: str) -> float:
        made_arrow = Arrow(head="A", relation=relation, tail="B", time="1")
        return float(
            ElementTree.fromstring(picture(drawn(made_arrow, head=made_arrow))).get("width", "")[
                :-2
            ]
        )

    # More than the letters of both arrows need.
    assert width(LONG) - width("r") > 2 * 5 * (len(LONG) - 20)


def test_an_inverse_fact_points_forwards() -> None:
    size = Vocabulary(entities=3, relations=2, times=5)
    assert arrow((1, 2, 0, 4), size) == Arrow(head="0", relation="0", tail="1", time="4")
