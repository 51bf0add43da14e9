"""The HTML report: self-contained, well-formed, right in its figures, safe with any name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grammar.eventhop.model import Label, Order, Relation
from solver.eventhop.outcomes import FindingCode, Outcome
from solver.eventhop.report.findings import encoded
from solver.eventhop.report.page import FAULTS, verification_report
from solver.eventhop.tally import Tally
from solver.io.writing import OutputError
from solver.report.page import PAGE, write_page
from solver.report.page import html as report_html

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


@pytest.fixture(scope="module")
def html(press: Any) -> str:
    return press.html_of(press.some_outcomes())


def test_the_page_needs_nothing_else(press: Any, html: str) -> None:
    press.assert_self_contained(html)


def test_the_page_shows_the_result(press: Any, html: str) -> None:
    text = press.Page(html).text
    assert "39 items: 7.7% of the labels are wrong" in text
    assert "3 of 39 gold labels differ from the proved label." in text
    assert "2.6% of the premises declared possible are contradictory (1 of 38)." in text
    assert "1 premise declared impossible can be satisfied." in text
    assert "File items.tsv Policy local Spatial reading geometric: a place starts" in text
    assert "asp, graph: agree on every item" in text
    for words in ("Why labels are wrong", "Where labels are wrong", "Shortcuts"):
        assert words in text


def test_each_cause_is_counted_and_each_fault_explained(press: Any, html: str) -> None:
    text = press.Page(html).text
    assert "same-event-exempt + seen-early 1 33.3%" in text
    assert "overlap-by-absence 1 33.3%" in text
    assert "unexplained 1 33.3%" in text
    assert "unexplained None of these gives" in text
    assert "spatial-reading" not in text
    for name, meaning in FAULTS.items():
        assert f"{name} {meaning}" in text


def test_flawed_items_are_listed(press: Any, html: str) -> None:
    columns = press.columns(html)
    assert columns["item"]["values"] == ["id market", "id vigil", "id picnic"]
    assert columns["where"]["values"] == ["items.tsv:3"] * 3
    assert columns["labels"]["values"] == ["True → undefined", "True → false", "False → true"]
    assert columns["cause"]["choices"] == [
        *("none", "overlap-by-absence", "same-event-exempt", "seen-early")
    ]
    assert columns["cause"]["values"] == [[2, 3], 1, 0]
    assert columns["status"]["choices"] == ["contradictory", "entailed", "unknown"]
    assert "folder/" not in html


def test_the_same_run_gives_the_same_bytes_however_long_it_took(press: Any, html: str) -> None:
    assert press.html_of(press.some_outcomes(), seconds=77.7) == html


def test_hostile_names_stay_text(press: Any) -> None:
    outcomes = [
        press.outcome_of(press.item_of(name, premise, relation), Label.TRUE, declared=True)
        for name in HOSTILE
        for premise, relation in (("1+ < 1-", "before"), ("1+ > 2-", "after"))
    ]
    html = press.html_of(outcomes)
    press.assert_self_contained(html)
    assert "<script>alert" not in html
    assert "\\u003cscript>alert" in html
    assert "<img" not in html
    assert "{{ 7 * 7 }} {% raw %} one" in press.Page(html).text
    assert "\x00" not in html
    assert "\x07" not in html


def test_rows_that_are_left_out_are_counted(press: Any) -> None:
    outcomes = [
        press.outcome_of(press.item_of(f"fair {number}", "1+ < 2-"), Label.TRUE, declared=False)
        for number in range(5)
    ]
    tally = press.tallied(outcomes)
    rows = [encoded(outcome) for outcome in outcomes[:3]]
    html = report_html(verification_report(press.figures(tally), tally, rows, {}))
    assert "2 more are in items.jsonl" in press.Page(html).text
    assert len(press.columns(html)["item"]["values"]) == 3


def test_a_correct_file_is_reported(press: Any) -> None:
    outcomes = [o for o in press.some_outcomes() if not o.findings]
    html = press.html_of(outcomes)
    press.assert_self_contained(html)
    text = press.Page(html).text
    assert "36 items: every label is right" in text
    assert "Why labels are wrong" not in text
    assert "No item is flawed." in text


def test_a_file_without_gold_labels_is_reported(press: Any) -> None:
    html = press.html_of([press.outcome_of(press.item_of("fair", "1+ < 2-"), None)])
    press.assert_self_contained(html)
    assert "1 item without gold labels" in press.Page(html).text


def test_an_empty_run_is_reported_without_artefacts(press: Any) -> None:
    tally = Tally()
    html = report_html(verification_report(press.figures(tally), tally, [], {}))
    press.assert_self_contained(html)
    assert "Shortcuts" not in html


def test_unparsed_items_are_counted_and_listed_without_a_proof(press: Any) -> None:
    outcome = press.some_outcomes()[0]
    unread = Outcome(
        record=outcome.record, findings=(FindingCode.UNPARSED,), error="no such phrase"
    )
    tally = press.tallied([outcome, unread])
    html = report_html(verification_report(press.figures(tally), tally, [encoded(unread)], {}))
    assert "1 item could not be read." in press.Page(html).text
    assert press.columns(html)["notes"]["values"] == ["unparsed: no such phrase."]
    assert press.columns(html)["hops"]["choices"] == ["none"]


def test_long_texts_are_cut(press: Any) -> None:
    outcome = press.outcome_of(press.item_of("fair", ", ".join(["1+ < 2-"] * 2000)), Label.FALSE)
    html = press.html_of([outcome])
    press.assert_self_contained(html)
    assert press.columns(html)["notes"]["values"] == ["And 1,900 more sentences."]
    assert "more characters)" in press.columns(html)["text"]["values"][0]
    assert len(html) < 150_000


def test_the_report_is_written_whole(press: Any, tmp_path: Path, html: str) -> None:
    outcomes = press.some_outcomes()
    tally = press.tallied(outcomes)
    rows = [encoded(outcome) for outcome in outcomes if outcome.findings]
    report = verification_report(press.figures(tally), tally, rows, press.artefacts_of(outcomes))
    path = tmp_path / PAGE
    assert write_page(path, report) == [path]
    assert path.read_text(encoding="utf-8") == html
    assert [file.name for file in tmp_path.iterdir()] == [PAGE]
    with pytest.raises(OutputError):
        write_page(tmp_path / "nowhere" / PAGE, report)


def test_a_premise_contradictory_elsewhere_is_reported(press: Any) -> None:
    away = Relation(left=press.point("x+"), order=Order.BEFORE, right=press.point("x-"))
    item = press.item_of("fair", "1+ < 2-")
    item = replace(item, premise=(*item.premise, away))
    html = press.html_of([press.outcome_of(item, Label.TRUE, declared=True)])
    assert "is contradictory, outside the claim." in press.Page(html).text
