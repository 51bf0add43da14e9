"""Decides, certifies and draws items for the tests of drawings."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from itertools import pairwise

import pytest

from grammar.eventhop.model import (
    Bound,
    Certificate,
    Claim,
    ClaimRelation,
    Item,
    Order,
    Point,
    Relation,
    Verdict,
)
from solver.eventhop.certificates.evidence import Evidence, Timelines
from solver.eventhop.certificates.expand import evidence
from solver.eventhop.certificates.make import certify, hops
from solver.eventhop.crosscheck import engine
from solver.eventhop.drawing import picture
from solver.eventhop.drawing.scene import Scene, scene
from solver.eventhop.engines import EngineName

SVG = "{http://www.w3.org/2000/svg}"


class Easel:
    def decided(self, item: Item) -> Verdict:
        return engine(EngineName.GRAPH).decide([item])[0]

    def drawn(self, item: Item) -> tuple[Verdict, Certificate]:
        verdict = self.decided(item)
        return verdict, certify(item, verdict)

    def svg_of(self, item: Item) -> str:
        verdict, certificate = self.drawn(item)
        return picture(item, verdict, certificate, hops=hops(certificate)).decode()

    def scene_of(self, item: Item) -> Scene:
        verdict, certificate = self.drawn(item)
        found = evidence(item, verdict, certificate)
        assert not isinstance(found, Timelines)
        return scene(item, verdict, found, hops(certificate))

    def evidence_of(self, item: Item) -> tuple[Verdict, Evidence]:
        verdict, certificate = self.drawn(item)
        return verdict, evidence(item, verdict, certificate)

    def texts(self, svg: str) -> list[str]:
        root = ElementTree.fromstring(svg)
        return ["".join(element.itertext()) for element in root.iter(f"{SVG}text")]

    def chain_of(self, names: list[str], claim: ClaimRelation = ClaimRelation.BEFORE) -> Item:
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


@pytest.fixture(scope="session")
def easel() -> Easel:
    return Easel()
