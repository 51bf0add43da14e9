"""Items: parsed, realised, explained and checked."""

from __future__ import annotations

import pytest

import hopcheck as hc
from solver.eventhop.outcomes import RejectedCertificateError

TEXTS = {
    "premise": "the end of A happened before the start of B. "
    "the end of B happened before the start of C",
    "claim": "A happens before C",
}


def test_an_explanation_has_label_status_and_hops() -> None:
    verdict = hc.explain(**TEXTS)
    assert (verdict.label, verdict.status, verdict.hops) == ("true", "entailed", 2)
    assert verdict.consistent
    assert verdict.gold is None


def test_a_dict_with_a_gold_label_is_compared_with_it() -> None:
    verdict = hc.explain(TEXTS | {"id": "7", "label": "false"})
    assert verdict.item.id == "7"
    assert verdict.gold == "false"
    assert verdict.outcome.findings == ("wrong-label",)


def test_a_notebook_shows_the_drawing_and_the_words() -> None:
    html = hc.explain(**TEXTS)._repr_html_()
    assert "<svg" in html
    assert "A" in html
    assert "before" in html


def test_texts_are_escaped_in_a_notebook() -> None:
    verdict = hc.explain(
        premise="the end of <b>x</b> happened before the start of y",
        claim="<b>x</b> happens before y",
    )
    assert "<b>" not in verdict._repr_html_()


def test_a_certificate_is_checked() -> None:
    verdict = hc.explain(**TEXTS)
    hc.check(verdict)
    hc.check(verdict.as_json(), TEXTS)
    hc.check(verdict.as_json(), verdict.item)


@pytest.mark.parametrize("status", ["refuted", "unknown", "contradictory"])
def test_a_certificate_of_another_status_is_rejected(status: str) -> None:
    row = hc.explain(**TEXTS).as_json() | {"status": status}
    with pytest.raises(RejectedCertificateError, match="does not prove"):
        hc.check(row, TEXTS)


def test_a_certificate_of_another_item_is_rejected() -> None:
    verdict = hc.explain(**TEXTS)
    other = {"premise": TEXTS["premise"].replace("before", "after"), "claim": TEXTS["claim"]}
    with pytest.raises(RejectedCertificateError):
        hc.check(verdict.as_json(), other)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({}, "no readable certificate"),
        ({"status": "entailed"}, "no readable certificate"),
        ({"status": "certain", "certificate": {}}, "no readable certificate"),
        ({"status": "entailed", "certificate": {"kind": "chain", "walks": [[{}]]}}, "certificate"),
    ],
)
def test_a_row_without_a_certificate_is_an_argument_error(
    row: dict[str, object], message: str
) -> None:
    with pytest.raises(hc.ArgumentError, match=message):
        hc.check(row, TEXTS)


def test_a_row_needs_its_item() -> None:
    with pytest.raises(hc.ArgumentError, match="needs its item"):
        hc.check(hc.explain(**TEXTS).as_json())


@pytest.mark.parametrize("seed", [None, 0, 1, 2])
def test_a_realised_item_is_parsed_as_the_same_item(seed: int | None) -> None:
    item = hc.parse(**TEXTS)
    text = hc.realise(item, seed=seed)
    assert hc.parse(text.premise, text.claim) == item


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"premise": "x"},
        {"source": "examples/right.tsv"},
        {"source": TEXTS, "claim": "A happens before B"},
        {"source": {"premise": "x"}},
        TEXTS | {"policy": "strict"},
        TEXTS | {"engines": ["asp", "prolog"]},
    ],
    ids=str,
)
def test_wrong_arguments_are_named(arguments: dict[str, object]) -> None:
    with pytest.raises(hc.ArgumentError):
        hc.explain(**arguments)  # type: ignore[arg-type]


def test_an_argument_error_is_a_value_error_of_this_package() -> None:
    assert issubclass(hc.ArgumentError, ValueError)
    assert issubclass(hc.ArgumentError, hc.HopcheckError)
