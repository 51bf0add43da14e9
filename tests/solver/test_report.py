"""The HTML report: self-contained, well-formed, right in its figures, and safe with any name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from solver.artefacts import Artefacts, measure, sample
from solver.certificates.certify import certify, hops
from solver.engines import EngineName, engine
from solver.model import (
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
from solver.published import Fault
from solver.records import Place, Record
from solver.report import REPORT, report_html, write_report
from solver.report.bars import Tallied, bar_plot, share_bar
from solver.report.faults import FAULTS
from solver.report.groups import MOST_GROUPS, cause_rows, ranges
from solver.report.heat import Tone, cross_table
from solver.verify.outcome import Finding, Outcome
from solver.verify.settings import Settings
from solver.verify.summary import summary
from solver.verify.tally import Tally
from solver.writing.atomic import OutputError

NAMESPACE = "http://www.w3.org/2000/svg"
VOID = {"meta", "br", "hr", "img", "link", "input"}
HOSTILE = (
    "<script>alert('x')</script>",
    '"><img src=x onerror=alert(1)>',
    "price of $x$ & more",
    "שוק הלילה",
    "🎪 circus",
    "{{ 7 * 7 }} {% raw %}",
    "null\x00bell\x07",
    "half \ud800 letter",
)


class Page(HTMLParser):
    """Reads a page and notes what does not nest, what is fetched, which ids there are."""

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


def point(text: str) -> Point:
    return Point(event=text[:-1], bound=Bound.START if text[-1] == "-" else Bound.END)


def item_of(name: str, premise: str, relation: str = "before") -> Item:
    """``premise`` speaks of the events 1 and 2, whose names are made of the name given."""
    orders = {"<": Order.BEFORE, ">": Order.AFTER, "=": Order.SIMULTANEOUS}
    events = {"1": f"{name} one", "2": f"{name} two"}
    said = []
    for sentence in premise.split(", "):
        left, order, right = sentence.split()
        p, q = (point(events[named[0]] + named[1]) for named in (left, right))
        said.append(Relation(left=p, order=orders[order], right=q))
    claim = Claim(left=events["1"], relation=ClaimRelation(relation), right=events["2"])
    return Item(id=f"id {name}", premise=tuple(said), claim=claim)


def outcome_of(
    item: Item, gold: Label | None, *, declared: bool | None = None, causes: tuple[str, ...] = ()
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
        place=Place(file="folder/items.tsv", line=3),
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


def some_outcomes() -> list[Outcome]:
    outcomes = []
    for number in range(12):
        name = f"fair {number}"
        outcomes += [
            outcome_of(item_of(name, "1+ < 2-"), Label.TRUE, declared=True),
            outcome_of(item_of(name, "1+ < 2-", "overlaps"), Label.FALSE, declared=True),
            outcome_of(item_of(name, "1- < 2-"), Label.FALSE, declared=True),
        ]
    outcomes += [
        outcome_of(
            item_of("market", "1+ < 1-"),
            Label.TRUE,
            declared=True,
            causes=(Fault.SAME_EVENT_EXEMPT, Fault.SEEN_EARLY),
        ),
        outcome_of(
            item_of("vigil", "1- < 2-", "overlaps"),
            Label.TRUE,
            declared=True,
            causes=(Fault.OVERLAP_BY_ABSENCE,),
        ),
        outcome_of(item_of("picnic", "1+ < 2-"), Label.FALSE, declared=False),
    ]
    return outcomes


def tallied(outcomes: Sequence[Outcome]) -> Tally:
    tally = Tally()
    for outcome in outcomes:
        tally.count(outcome)
    return tally


def figures(tally: Tally, *, seconds: float = 1.5) -> dict[str, Any]:
    return summary(["items.tsv"], Settings(), tally, seconds=seconds)


def artefacts_of(outcomes: Sequence[Outcome]) -> Artefacts:
    seen = [
        sample(outcome.record, outcome.item)
        for outcome in outcomes
        if isinstance(outcome.record, Record)
    ]
    return measure([one for one in seen if one is not None])


def html_of(outcomes: Sequence[Outcome], *, seconds: float = 1.5) -> str:
    tally = tallied(outcomes)
    wrong = [outcome for outcome in outcomes if outcome.findings]
    return report_html(figures(tally, seconds=seconds), tally, wrong, artefacts_of(outcomes))


def assert_self_contained(html: str) -> None:
    page = Page(html)
    assert page.faults == []
    assert page.open == []
    assert not {"script", "link", "iframe", "object", "embed", "img"} & set(page.tags)
    assert page.values("src") == []
    assert all(target.startswith("#") for target in page.values("href"))
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    assert re.findall(r"https?:|@import|url\(\s*['\"]?(?!#)", html.replace(NAMESPACE, "")) == []
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    assert {target[1:] for target in page.values("href")} <= set(ids)
    html.encode("utf-8")


# --- the whole page -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def html() -> str:
    return html_of(some_outcomes())


def test_the_page_needs_nothing_else(html: str) -> None:
    assert_self_contained(html)


def test_the_page_says_what_was_found(html: str) -> None:
    text = Page(html).text
    assert "39 items: 7.7% of the labels are wrong" in text
    assert "3 of 39 gold labels differ from the label that was proved." in text
    assert "2.6% of the premises declared possible are contradictory (1 of 38)." in text
    assert "1 premise declared impossible can be satisfied." in text
    assert "File items.tsv Policy local Spatial reading geometric" in text
    assert "asp, graph: agree on every item" in text
    for words in ("Why labels are wrong", "Where labels are wrong", "What gives the label away"):
        assert words in text


def test_each_cause_is_counted_and_each_fault_explained(html: str) -> None:
    text = Page(html).text
    assert "same-event-exempt + seen-early 1 33.3%" in text
    assert "overlap-by-absence 1 33.3%" in text
    assert "unexplained 1 33.3%" in text
    for name, meaning in FAULTS.items():
        assert f"{name} {meaning}" in text


def test_wrong_items_are_shown_with_text_words_and_drawing(html: str) -> None:
    page = Page(html)
    assert page.tags.count("details") == 3 + 1  # the fourth holds the table of sizes
    assert page.values("aria-label")[-1].startswith("Claim: picnic one before picnic two.")
    assert "1. end of picnic one before start of picnic two (sentence 1)" in page.text
    assert "False → true" in page.text
    assert "items.tsv:3" in page.text
    assert "folder/" not in html
    assert "All 3 flawed items." in page.text


def test_the_same_run_gives_the_same_bytes_however_long_it_took(html: str) -> None:
    assert html_of(some_outcomes(), seconds=77.7) == html


def test_hostile_names_stay_text() -> None:
    outcomes = [
        outcome_of(item_of(name, premise, relation), Label.TRUE, declared=True)
        for name in HOSTILE
        for premise, relation in (("1+ < 1-", "before"), ("1+ > 2-", "after"))
    ]
    html = html_of(outcomes)
    assert_self_contained(html)
    assert "<script" not in html
    assert "&lt;script&gt;alert" in html
    assert "<img" not in html
    assert "{{ 7 * 7 }} {% raw %} one" in Page(html).text
    assert "\x00" not in html
    assert "\x07" not in html


def test_only_the_first_fifty_are_drawn() -> None:
    outcomes = [
        outcome_of(item_of(f"fair {number}", "1+ < 2-"), Label.FALSE) for number in range(60)
    ]
    html = html_of(outcomes)
    assert html.count('<details class="exhibit"') == 50
    assert "The first 50 flawed items;" in Page(html).text


def test_items_flawed_in_other_ways_than_their_label_are_counted_too() -> None:
    outcomes = [
        outcome_of(item_of(f"fair {number}", "1+ < 2-"), Label.TRUE, declared=False)
        for number in range(51)
    ]
    assert "The first 50 flawed items;" in Page(html_of(outcomes)).text


def test_a_right_file_is_praised() -> None:
    outcomes = [o for o in some_outcomes() if not o.findings]
    html = html_of(outcomes)
    assert_self_contained(html)
    text = Page(html).text
    assert "36 items: every label is right" in text
    assert "Why labels are wrong" not in text
    assert "No item is flawed." in text


def test_a_file_without_gold_labels_is_reported() -> None:
    html = html_of([outcome_of(item_of("fair", "1+ < 2-"), None)])
    assert_self_contained(html)
    assert "1 item without gold labels" in Page(html).text


def test_an_empty_run_is_reported_without_artefacts() -> None:
    tally = Tally()
    html = report_html(figures(tally), tally, [], None)
    assert_self_contained(html)
    assert "What gives the label away" not in html


def test_unparsed_items_are_counted_and_not_drawn() -> None:
    outcome = some_outcomes()[0]
    unread = Outcome(record=outcome.record, findings=(Finding.UNPARSED,), error="no such phrase")
    tally = tallied([outcome, unread])
    html = report_html(figures(tally), tally, [unread], None)
    assert "1 item could not be read." in Page(html).text
    assert '<details class="exhibit"' not in html


def test_long_texts_are_cut() -> None:
    outcome = outcome_of(item_of("fair", ", ".join(["1+ < 2-"] * 2000)), Label.FALSE)
    html = html_of([outcome])
    assert_self_contained(html)
    assert "And 1,900 more sentences." in Page(html).text
    assert "more characters)" in Page(html).text
    assert len(html) < 100_000


def test_the_report_is_written_whole(tmp_path: Path, html: str) -> None:
    outcomes = some_outcomes()
    tally = tallied(outcomes)
    wrong = [outcome for outcome in outcomes if outcome.findings]
    path = write_report(tmp_path, figures(tally), tally, wrong, artefacts_of(outcomes))
    assert path == tmp_path / REPORT
    assert path.read_text(encoding="utf-8") == html
    assert [file.name for file in tmp_path.iterdir()] == [REPORT]
    with pytest.raises(OutputError):
        write_report(tmp_path / "nowhere", figures(tally), tally, [], None)


# --- figures --------------------------------------------------------------------------------------


def test_every_fault_is_explained_in_one_sentence() -> None:
    assert set(FAULTS) == {fault.value for fault in Fault}
    assert all(text.endswith(".") and text.count(". ") == 0 for text in FAULTS.values())


def test_tables_colour_agreement_and_disagreement() -> None:
    table = cross_table(
        "t", "c", {"True": {"true": 3, "false": 1}, "odd": {"true": 2}}, ("true", "false"),
        {"True": "true"},
    )  # fmt: skip
    right, wrong = table.rows[0].cells
    assert (right.text, right.detail, right.strength, right.tone) == ("3", "75.0%", 0.75, Tone.GOOD)
    assert (wrong.text, wrong.detail, wrong.tone) == ("1", "25.0%", Tone.BAD)
    assert {cell.tone for cell in table.rows[1].cells} == {Tone.NEUTRAL}


@pytest.mark.parametrize(
    ("wrong", "total", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0), (0, 0, 0.0, 0.0)],
)
def test_intervals_are_wilsons(wrong: int, total: int, low: float, high: float) -> None:
    bar = share_bar(Tallied(name="x", wrong=wrong, total=total))
    assert (bar.low, bar.high) == pytest.approx((low, high), abs=1e-4)
    assert bar.low <= bar.share <= bar.high


def test_plots_hold_their_bars() -> None:
    groups = [Tallied(name=str(n), wrong=n, total=20) for n in range(21)]
    plot = bar_plot("t", "a", groups)
    assert all(bar.high <= plot.top <= 1 for bar in plot.bars)
    assert bar_plot("t", "a", []).top == 0.1


def test_few_sizes_stand_alone_and_many_are_joined_evenly() -> None:
    few = ranges({4: 10, 9: 1})
    assert [str(few[size]) for size in (4, 9)] == ["4", "9"]
    many = ranges(dict.fromkeys(range(40), 5))
    assert len(set(many.values())) <= MOST_GROUPS
    for size, found in many.items():
        assert found.first <= size <= found.last
    joined = sorted(set(many.values()), key=lambda found: found.first)
    assert all(a.last < b.first for a, b in pairwise(joined))


def test_causes_are_ranked() -> None:
    rows = cause_rows({"b": 2, "a+c": 6, "a": 2})
    assert [row.faults for row in rows] == [("a", "c"), ("a",), ("b",)]
    assert [row.share for row in rows] == ["60.0%", "20.0%", "20.0%"]
    assert rows[0].width == 100.0


def test_a_premise_contradictory_elsewhere_is_told() -> None:
    away = Relation(left=point("x+"), order=Order.BEFORE, right=point("x-"))
    item = item_of("fair", "1+ < 2-")
    item = replace(item, premise=(*item.premise, away))
    html = html_of([outcome_of(item, Label.TRUE, declared=True)])
    assert "contradicts itself, away from the claim." in Page(html).text
