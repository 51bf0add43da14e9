"""Items: parsed, realised, explained and checked."""

from __future__ import annotations

import json
from pathlib import Path

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


def test_a_certificate_is_checked(tmp_path: Path) -> None:
    verdict = hc.explain(**TEXTS)
    hc.check(verdict)
    hc.check(verdict.as_json())
    path = tmp_path / "items.jsonl"
    path.write_text(json.dumps(verdict.as_json()), encoding="utf-8")
    hc.check(path)


@pytest.mark.parametrize(
    "change",
    [
        {"verdict": {"status": "refuted", "label": "false", "consistent": True, "hops": 1}},
        {"verdict": {"status": "entailed", "label": "true", "consistent": False, "hops": 1}},
        {"premise": TEXTS["premise"].replace("before", "after")},
        {"certificate": {"walks": []}},
    ],
)
def test_what_a_certificate_does_not_prove_is_rejected(
    change: dict[str, object], tmp_path: Path
) -> None:
    row = hc.explain(**TEXTS).as_json() | change
    with pytest.raises(RejectedCertificateError):
        hc.check(row)
    path = tmp_path / "items.jsonl"
    path.write_text(json.dumps(row), encoding="utf-8")
    with pytest.raises(RejectedCertificateError, match=r"items\.jsonl:1: given"):
        hc.check(path)


def test_a_row_needs_its_fields() -> None:
    with pytest.raises(RejectedCertificateError, match="a line needs the fields"):
        hc.check({"status": "entailed"})


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
