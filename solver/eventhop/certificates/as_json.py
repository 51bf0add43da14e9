"""Converts certificates to JSON values and back.

A point is written as ``start of X``, a premise relation as its index from 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grammar.eventhop.model import (
    Bound,
    Certificate,
    Chain,
    Cycle,
    Point,
    Step,
    Timeline,
    Timelines,
    Walk,
)


def to_json(certificate: Certificate) -> dict[str, Any]:
    """The certificate as JSON values; ``kind`` is chain, cycle or timelines."""
    if isinstance(certificate, Chain):
        return {"kind": "chain", "walks": [_walk_to_json(walk) for walk in certificate.walks]}
    if isinstance(certificate, Cycle):
        return {
            "kind": "cycle",
            "forward": _walk_to_json(certificate.forward),
            "backward": _walk_to_json(certificate.backward),
            "core": list(certificate.core),
        }
    return {
        "kind": "timelines",
        "holds": {str(point): instant for point, instant in certificate.holds.items()},
        "fails": {str(point): instant for point, instant in certificate.fails.items()},
    }


def from_json(value: Mapping[str, Any]) -> Certificate:
    """The inverse of ``to_json``.

    Raises:
        KeyError, ValueError: the value is not a certificate.
    """
    if value["kind"] == "chain":
        return Chain(walks=tuple(_walk_from_json(walk) for walk in value["walks"]))
    if value["kind"] == "cycle":
        return Cycle(
            forward=_walk_from_json(value["forward"]),
            backward=_walk_from_json(value["backward"]),
            core=tuple(value["core"]),
        )
    if value["kind"] == "timelines":
        return Timelines(
            holds=_timeline_from_json(value["holds"]), fails=_timeline_from_json(value["fails"])
        )
    raise ValueError(f"unknown kind of certificate: {value['kind']!r}")


def _walk_to_json(walk: Walk) -> list[dict[str, Any]]:
    return [
        {
            "source": str(step.source),
            "target": str(step.target),
            "strict": step.strict,
            "relation": step.relation,
        }
        for step in walk
    ]


def _walk_from_json(steps: Sequence[Mapping[str, Any]]) -> Walk:
    return tuple(
        Step(
            source=_point(step["source"]),
            target=_point(step["target"]),
            strict=step["strict"],
            relation=step["relation"],
        )
        for step in steps
    )


def _timeline_from_json(instants: Mapping[str, int]) -> Timeline:
    return {_point(name): instant for name, instant in instants.items()}


def _point(text: str) -> Point:
    bound, _, event = text.partition(" of ")
    return Point(event=event, bound=Bound(bound))
