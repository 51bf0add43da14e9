"""Makes synthetic outcomes and pages, and parses pages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html.parser import HTMLParser
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
from solver.eventhop.certificates.make import certify, hops
from solver.eventhop.engines import EngineName, engine
from solver.eventhop.published import Fault
from solver.eventhop.records import ItemPlace, Record
from solver.eventhop.report import report_html
from solver.eventhop.verify import Finding, Outcome, Tally, summary
from solver.probes.findings import Artefacts, measure
from solver.probes.sample import sample
from solver.verification.settings import Settings

NAMESPACE = "http://www.w3.org/2000/svg"
VOID = {"meta", "br", "hr", "img", "link", "input"}


class Page(HTMLParser):
    """Parses a page and records nesting errors, fetched resources and ids."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.faults: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.words: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> at {self.getpos()}")

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    def values(self, name: str) -> list[str]:
        return [value for key, value in self.attributes if key == name]


class Press:
    Page = Page

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
            findings.append(Finding.WRONG_LABEL)
        if declared not in (None, verdict.consistent):
            findings.append(Finding.WRONG_CONSISTENCY)
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
            causes=causes if Finding.WRONG_LABEL in findings else (),
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
        return summary(["items.tsv"], Settings(), tally, seconds=seconds)

    @staticmethod
    def artefacts_of(outcomes: Sequence[Outcome]) -> Artefacts:
        seen = [
            sample(outcome.record, outcome.item)
            for outcome in outcomes
            if isinstance(outcome.record, Record)
        ]
        return measure([one for one in seen if one is not None])

    @staticmethod
    def html_of(outcomes: Sequence[Outcome], *, seconds: float = 1.5) -> str:
        tally = Press.tallied(outcomes)
        wrong = [outcome for outcome in outcomes if outcome.findings]
        return report_html(
            Press.figures(tally, seconds=seconds), tally, wrong, Press.artefacts_of(outcomes)
        )

    @staticmethod
    def assert_self_contained(html: str) -> None:
        page = Page(html)
        assert page.faults == []
        assert page.open == []
        assert not {"script", "link", "iframe", "object", "embed", "img", "image"} & set(page.tags)
        assert page.values("src") == []
        assert all(target.startswith("#") for target in page.values("href"))
        assert not [name for name, _ in page.attributes if name.startswith("on")]
        assert re.findall(r"https?:|@import|url\(\s*['\"]?(?!#)", html.replace(NAMESPACE, "")) == []
        ids = page.values("id")
        assert len(ids) == len(set(ids))
        assert {target[1:] for target in page.values("href")} <= set(ids)
        html.encode("utf-8")


@pytest.fixture(scope="session")
def press() -> Press:
    return Press()
