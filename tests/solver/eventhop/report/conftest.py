"""Makes synthetic outcomes and pages."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from grammar.eventhop.model import (
    Bound,
    Claim,
    ClaimRelation,
    Item,
    Label,
    Order,
    Point,
    Relation,
    Verdict,
)
from solver.eventhop.artefacts import Artefacts, measure
from solver.eventhop.certificates.make import certify, hops
from solver.eventhop.crosscheck import engine
from solver.eventhop.engines import EngineName, Fault, ItemSettings
from solver.eventhop.outcomes import FindingCode, Outcome
from solver.eventhop.probes import sample
from solver.eventhop.records import ItemPlace, Record
from solver.eventhop.report import ItemReport
from solver.eventhop.report.findings import encoded
from solver.eventhop.report.page import verification_report
from solver.eventhop.tally import Tally, metrics
from solver.report.page import html
from solver.verification.report import Findings, Kind


class Press:
    Page: Any
    assert_self_contained: Any

    @staticmethod
    def columns(html: str) -> dict[str, Any]:
        """The columns of the list of findings, by name."""
        _, _, rest = html.partition('id="findings-columns">')
        return {load["name"]: load for load in json.loads(rest.partition("</script>")[0])}

    @staticmethod
    def point(text: str) -> Point:
        return Point(event=text[:-1], bound=Bound.START if text[-1] == "-" else Bound.END)

    @staticmethod
    def item_of(name: str, premise: str, relation: str = "before") -> Item:
        """Make an item whose ``premise`` relates the events 1 and 2, named after ``name``."""
        orders = {"<": Order.BEFORE, ">": Order.AFTER, "=": Order.SIMULTANEOUS}
        events = {"1": f"{name} one", "2": f"{name} two"}
        relations = []
        for sentence in premise.split(", "):
            left, order, right = sentence.split()
            p, q = (Press.point(events[named[0]] + named[1]) for named in (left, right))
            relations.append(Relation(left=p, order=orders[order], right=q))
        claim = Claim(left=events["1"], relation=ClaimRelation(relation), right=events["2"])
        return Item(id=f"id {name}", premise=tuple(relations), claim=claim)

    @staticmethod
    def outcome_of(
        item: Item,
        gold: Label | None,
        *,
        declared: bool | None = None,
        causes: tuple[str, ...] = (),
    ) -> Outcome:
        verdict: Verdict = engine(EngineName.GRAPH).decide([item])[0]
        certificate = certify(item, verdict)
        findings = []
        if gold not in (None, verdict.label):
            findings.append(FindingCode.WRONG_LABEL)
        if declared not in (None, verdict.consistent):
            findings.append(FindingCode.WRONG_CONSISTENCY)
        record = Record(
            id=item.id,
            premise=". ".join(map(str, item.premise)),
            claim=str(item.claim),
            gold=None if gold is None else gold.value.capitalize(),
            label=gold,
            declared=declared,
            place=ItemPlace(file="folder/items.tsv", line=3),
        )
        return Outcome(
            record=record,
            item=item,
            verdict=verdict,
            certificate=certificate,
            hops=hops(certificate),
            findings=tuple(findings),
            causes=causes if FindingCode.WRONG_LABEL in findings else (),
            follows=True if causes else None,
        )

    @staticmethod
    def some_outcomes() -> list[Outcome]:
        outcomes = []
        for number in range(12):
            name = f"fair {number}"
            outcomes += [
                Press.outcome_of(Press.item_of(name, "1+ < 2-"), Label.TRUE, declared=True),
                Press.outcome_of(
                    Press.item_of(name, "1+ < 2-", "overlaps"), Label.FALSE, declared=True
                ),
                Press.outcome_of(Press.item_of(name, "1- < 2-"), Label.FALSE, declared=True),
            ]
        outcomes += [
            Press.outcome_of(
                Press.item_of("market", "1+ < 1-"),
                Label.TRUE,
                declared=True,
                causes=(Fault.SAME_EVENT_EXEMPT, Fault.SEEN_EARLY),
            ),
            Press.outcome_of(
                Press.item_of("vigil", "1- < 2-", "overlaps"),
                Label.TRUE,
                declared=True,
                causes=(Fault.OVERLAP_BY_ABSENCE,),
            ),
            Press.outcome_of(Press.item_of("picnic", "1+ < 2-"), Label.FALSE, declared=False),
        ]
        return outcomes

    @staticmethod
    def tallied(outcomes: Sequence[Outcome]) -> Tally:
        tally = Tally()
        for outcome in outcomes:
            tally.count(outcome)
        return tally

    @staticmethod
    def figures(tally: Tally, *, seconds: float = 1.5) -> dict[str, Any]:
        settings = ItemSettings()
        return ItemReport(
            kind=Kind.EVENTHOP,
            noun="items",
            rows=tally.items,
            passed="",
            files=("items.tsv",),
            findings=Findings((), tally.findings),
            metrics=metrics(settings, tally),
            seconds=seconds,
            settings=settings,
            tally=tally,
        ).as_json()

    @staticmethod
    def artefacts_of(outcomes: Sequence[Outcome]) -> dict[str, Artefacts]:
        seen = [
            sample(outcome.record, outcome.item)
            for outcome in outcomes
            if isinstance(outcome.record, Record)
        ]
        return {
            "items.tsv": measure([seen_sample for seen_sample in seen if seen_sample is not None])
        }

    @staticmethod
    def html_of(outcomes: Sequence[Outcome], *, seconds: float = 1.5) -> str:
        tally = Press.tallied(outcomes)
        rows = [encoded(outcome) for outcome in outcomes if outcome.findings]
        figures = Press.figures(tally, seconds=seconds)
        return html(verification_report(figures, tally, rows, Press.artefacts_of(outcomes)))


@pytest.fixture(scope="session")
def press(pages: Any) -> Any:
    Press.Page = pages.Page
    Press.assert_self_contained = staticmethod(pages.assert_self_contained)
    return Press()
