"""Items as JSON: bytes, decoding, and invalid items."""

from __future__ import annotations

import json

import pytest

from grammar.eventhop.graph_json import GraphError, decode, encode
from grammar.eventhop.model import (
    AllenRelation,
    Bound,
    Claim,
    ClaimRelation,
    Domain,
    Item,
    Order,
    Point,
    Relation,
)

RAIN, SNOW = Point(event="Tide", bound=Bound.START), Point(event="Été’s \t Snow", bound=Bound.END)
PREMISE = (Relation(left=RAIN, order=Order.SIMULTANEOUS, right=SNOW),)
LINE = (
    '{"claim":{"kind":"events","left":"Tide","relation":"overlaps","right":"Hail"},'
    '"domain":"spatial","events":["Tide","Été’s \\t Snow","Hail"],"id":"7","premise":['
    '{"left":{"bound":"start","event":"Tide"},"order":"simultaneous",'
    '"right":{"bound":"end","event":"Été’s \\t Snow"}}]}'
)


def item(claim: Claim | Relation, premise: tuple[Relation, ...] = PREMISE) -> Item:
    return Item(id="7", premise=premise, claim=claim, domain=Domain.SPATIAL)


def test_an_item_is_one_line_with_sorted_keys() -> None:
    encoded = encode(item(Claim(left="Tide", relation=ClaimRelation.OVERLAPS, right="Hail")))
    assert encoded == LINE.encode()


@pytest.mark.parametrize("premise", [(), PREMISE])
@pytest.mark.parametrize(
    "claim",
    [
        *(
            Claim(left="Tide", relation=relation, right="Hail")
            for relation in (*ClaimRelation, *AllenRelation)
        ),
        *(Relation(left=RAIN, order=order, right=SNOW) for order in Order),
        Relation(left=RAIN, order=Order.BEFORE, right=RAIN),
    ],
)
def test_decoding_undoes_encoding(claim: Claim | Relation, premise: tuple[Relation, ...]) -> None:
    again = decode(encode(item(claim, premise)))
    assert again == item(claim, premise)
    if isinstance(claim, Claim) and isinstance(again.claim, Claim):
        # "overlaps" is a value of two enums, and means a different thing in each.
        assert type(again.claim.relation) is type(claim.relation)


def test_events_need_not_be_listed() -> None:
    graph = json.loads(LINE)
    del graph["events"]
    assert decode(json.dumps(graph)) == decode(LINE)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"premise": None}, "Expected `array`"),
        ({"id": 7}, "Expected `str`"),
        ({"domain": "musical"}, "Invalid enum value 'musical'"),
        ({"claim": {"left": "Tide", "relation": "before", "right": "Hail"}}, "kind"),
        ({"claim": {"kind": "allen", "left": "A", "relation": "before", "right": "B"}}, "before"),
        ({"events": ["Tide"]}, "its events differ from those of its premise and claim"),
        ({"label": "true"}, "label"),
    ],
)
def test_an_invalid_item_is_reported(change: dict[str, object], message: str) -> None:
    with pytest.raises(GraphError, match=message):
        decode(json.dumps(json.loads(LINE) | change))


@pytest.mark.parametrize("text", ["", "Tide", "[]", "{", "{}", '{"id": ', "[" * 100_000, b"\xff"])
def test_invalid_json_is_reported(text: str | bytes) -> None:
    with pytest.raises(GraphError) as raised:
        decode(text)
    assert raised.value.hint == "expected one object as printed by parse"


def test_a_name_outside_utf8_is_reported() -> None:
    with pytest.raises(GraphError, match=r"found '\\udcff', expected text in UTF-8"):
        encode(item(Claim(left="Tide", relation=ClaimRelation.BEFORE, right="\udcff")))
