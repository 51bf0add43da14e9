"""The playground in headless Chromium: from a file, without any host."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from solver.eventhop import check

VERDICT = "document.querySelector('#verdict .label')?.textContent"
READY = "document.documentElement.dataset.revision"
PREMISE = "The end of Lantern Parade happened before the start of Winter Market"
CLAIM = "Lantern Parade happens before Winter Market"


def text(page: Any, selector: str) -> str:
    return str(page.evaluate(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''"))


def enter(page: Any, premise: str, claim: str) -> None:
    """Fill both fields as a user would, and wait for the verdict."""
    before = page.evaluate(READY)
    fill = (
        "(id, value) => {const field = document.getElementById(id); field.value = value; "
        "field.dispatchEvent(new Event('input', {bubbles: true}))}"
    )
    for name, value in (("premise", premise), ("claim", claim)):
        page.evaluate(f"({fill})({json.dumps(name)}, {json.dumps(value)})")
    page.wait(f"{READY} !== {json.dumps(before)}")


@pytest.fixture
def playground(page: Any, site: Path) -> Any:
    """The page, opened from disk, with a verdict."""
    page.offline()
    page.open(site / "playground.html")
    page.wait(VERDICT)
    yield page
    assert page.errors == []
    assert [one for one in page.requests if one != (site / "playground.html").as_uri()] == []


def test_an_item_and_its_change(playground: Any, tmp_path: Path) -> None:
    """A new user reads the example, breaks it, and understands the contradiction."""
    assert playground.evaluate(VERDICT) == "true"
    assert "The premise forces the claim" in text(playground, "#verdict")
    enter(playground, f"{PREMISE}. {PREMISE.replace('before', 'after')}", CLAIM)
    assert playground.evaluate(VERDICT) == "undefined"
    assert "contradictory" in text(playground, "#verdict")
    assert "Before your change: true (entailed)" in text(playground, "#verdict")
    assert "would be before itself" in text(playground, "#proof")
    playground.click("#sentence-1")
    playground.wait(f"{VERDICT} === 'true'")
    playground.click("#copy-json")
    row = playground.wait("document.getElementById('copied').value")
    path = tmp_path / "items.jsonl"
    path.write_text(row, encoding="utf-8")
    assert [reason for _, _, reason in check.check_file(str(path))] == [None]
