"""Converts an item to a JSON object on one line, with sorted keys, and back.

``claim.kind`` distinguishes the three kinds of claim: ``events`` (the paper's), ``allen`` (Allen's
relations), ``points``. ``events`` lists all events by first mention, for readers of the object; it
is optional.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from grammar.errors import HopcheckError
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


class GraphError(HopcheckError):
    """A JSON text that is not an item."""

    code = "graph"


class _Object(msgspec.Struct, forbid_unknown_fields=True):
    """A JSON object without further fields."""


class _Node(_Object):
    event: str
    bound: Bound


class _Edge(_Object):
    left: _Node
    order: Order
    right: _Node


class _PointClaim(_Edge, tag="points", tag_field="kind"):
    pass


class _EventClaim(_Object, tag="events", tag_field="kind"):
    left: str
    relation: ClaimRelation
    right: str


class _AllenClaim(_Object, tag="allen", tag_field="kind"):
    left: str
    relation: AllenRelation
    right: str


_AnyClaim: TypeAlias = _PointClaim | _EventClaim | _AllenClaim


class _Graph(_Object):
    id: str
    premise: tuple[_Edge, ...]
    claim: _AnyClaim
    domain: Domain = Domain.TEMPORAL
    events: tuple[str, ...] | None = None


_HINT = "expected one object as printed by parse"
_ENCODER = msgspec.json.Encoder(order="sorted")
_DECODER = msgspec.json.Decoder(_Graph)


def encode(item: Item) -> bytes:
    """Encode an item as one line of UTF-8 JSON, without the line end.

    Raises:
        GraphError: a name cannot be encoded in UTF-8.
    """
    graph = _Graph(
        id=item.id,
        domain=item.domain,
        events=tuple(dict.fromkeys(item.names)),
        premise=tuple(_edge(relation) for relation in item.premise),
        claim=_claim(item.claim),
    )
    try:
        return _ENCODER.encode(graph)
    except UnicodeEncodeError as error:
        found = error.object[error.start : error.end]
        raise GraphError(f"found {found!a}, expected text in UTF-8", where=item.id) from None


def decode(text: str | bytes) -> Item:
    """Decode an item.

    Raises:
        GraphError: the text is not JSON, or not an item.
    """
    try:
        graph = _DECODER.decode(text)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise GraphError(f"found no graph of an item: {error}", hint=_HINT) from None
    except RecursionError:
        raise GraphError("found JSON that is too deeply nested", hint=_HINT) from None
    item = Item(
        id=graph.id,
        premise=tuple(_relation(edge) for edge in graph.premise),
        claim=_decode_claim(graph.claim),
        domain=graph.domain,
    )
    if graph.events is not None and set(graph.events) != set(item.names):
        raise GraphError("its events differ from those of its premise and claim")
    return item


def _edge(relation: Relation) -> _Edge:
    return _Edge(left=_node(relation.left), order=relation.order, right=_node(relation.right))


def _node(point: Point) -> _Node:
    return _Node(event=point.event, bound=point.bound)


def _claim(claim: Claim | Relation) -> _AnyClaim:
    if isinstance(claim, Relation):
        return _PointClaim(left=_node(claim.left), order=claim.order, right=_node(claim.right))
    if isinstance(claim.relation, AllenRelation):
        return _AllenClaim(left=claim.left, relation=claim.relation, right=claim.right)
    return _EventClaim(left=claim.left, relation=claim.relation, right=claim.right)


def _relation(edge: _Edge) -> Relation:
    return Relation(left=_point(edge.left), order=edge.order, right=_point(edge.right))


def _point(node: _Node) -> Point:
    return Point(event=node.event, bound=node.bound)


def _decode_claim(claim: _AnyClaim) -> Claim | Relation:
    if isinstance(claim, _PointClaim):
        return _relation(claim)
    return Claim(left=claim.left, relation=claim.relation, right=claim.right)
