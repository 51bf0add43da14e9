"""Chains of thought in the playground: what Python finds of them, in the browser."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from solver.traces import check
from solver.traces.explain import explain

ROOT = Path(__file__).resolve().parents[2]
DECIDED = "document.documentElement.dataset.chain"

Tab = Any
Browser = Any
"""A tab of the browser, and the browser: `tests/conftest.py`."""


@pytest.fixture(scope="module")
def opened(browser: Browser, site: Path) -> Iterator[Tab]:
    """The view of chains, opened from disk, with the verdicts of its first example."""
    with browser.page() as page:
        page.offline()
        page.open(site / "playground.html")
        page.click("#nav-chain")
        page.wait(DECIDED)
        yield page


@pytest.fixture
def chains(opened: Tab, site: Path) -> Iterator[Tab]:
    """The same page for each test, as Python takes seconds to start, with its first settings."""
    opened.click("#nav-chain")
    enter(opened, example="0", domain="", spatial="geometric", policy="local")
    yield opened
    assert opened.errors == []
    assert set(opened.requests) == {(site / "playground.html").as_uri()}


def shown(page: Tab) -> str:
    """The card of verdicts."""
    return str(page.evaluate("document.getElementById('chain-verdict').innerText"))


def enter(page: Tab, **values: str) -> None:
    """Fill fields of the view, and wait for the verdicts."""
    before = page.evaluate(DECIDED)
    page.evaluate(
        "for (const [name, value] of Object.entries("
        f"{json.dumps(values)})) {{const field = document.getElementById(`chain-${{name}}`); "
        "field.value = value; for (const kind of ['input', 'change']) "
        "field.dispatchEvent(new Event(kind, {bubbles: true}))}"
    )
    page.wait(f"Number({DECIDED}) > {before}")


def copied(page: Tab) -> dict[str, Any]:
    """The line that the page offers."""
    page.click("#chain-copy")
    found: dict[str, Any] = json.loads(page.wait("document.getElementById('chain-copied').value"))
    return found


def test_chains_are_those_of_the_command_line(chains: Tab, tmp_path: Path) -> None:
    """Verdicts, proofs and timelines; the copied lines pass ``check``."""
    enter(chains, example="0")
    assert "Step 1 is the first wrong one" in shown(chains)
    path = tmp_path / "chains.jsonl"
    files = (ROOT / "examples" / "traces" / f"{name}.jsonl" for name in ("right", "flawed"))
    rows = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]
    lines = []
    for row in rows:
        steps = [step["text"] for step in row["steps"]] if "steps" in row else [row["trace"]]
        enter(chains, premise=row["premise"], claim=row["claim"], steps="\n".join(steps))
        path.write_text(json.dumps(row), "utf-8")
        expected = explain(str(path), row["id"])
        lines.append(copied(chains))
        assert lines[-1] == expected.as_json() | {"id": "playground"}
        text = shown(chains)
        assert all(reason.strip() in text for reason in expected.proof)
        assert "both checkers accept" in text
        drawn = chains.evaluate("document.querySelectorAll('#chain-verdict figure svg').length")
        assert drawn == len(expected.timelines)
        allowed = "document.querySelectorAll('#chain-verdict figure .fits').length"
        assert chains.evaluate(allowed) == drawn
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    assert [reason for _, _, reason in check.check_file(str(path))] == [None] * len(rows)


def test_settings_and_faults(chains: Tab) -> None:
    """Places by either reading, symbols, markup, an empty chain; a bad text has a reason."""
    west = "The western edge of Oak Hall is west of the eastern edge of Elm Yard"
    for spatial in ("geometric", "published"):
        enter(
            chains, premise=west, claim="Oak Hall is west of Elm Yard", spatial=spatial, steps=west
        )
        assert copied(chains)["spatial"] == spatial
    hostile = "a <b>bold</b> step"
    enter(chains, premise="a1 < b2", claim="a < b", domain="logical", steps=f"a1 < b2\n{hostile}")
    assert hostile in shown(chains)
    assert [step["verdict"] for step in copied(chains)["steps"]] == ["restated", "unread"]
    enter(chains, policy="published", premise="a1 <= b2")
    assert "the published procedure does not support" in shown(chains)
    enter(chains, policy="local", domain="", premise="The end of a happend before the end of b")
    assert 'premise of trace playground: found "happend before"' in shown(chains)
    enter(chains, premise="", steps="")
    assert "No step is wrong" in shown(chains)


def test_a_report_of_chains_opens(chains: Tab) -> None:
    """A click on a chain in a dropped ``items.jsonl`` shows its steps."""
    path = ROOT / "examples" / "traces" / "flawed.jsonl"
    line = json.dumps(explain(str(path), "open-2").as_json())
    before = chains.evaluate(DECIDED)
    chains.click("#nav-report")
    chains.evaluate(
        "(() => {const input = document.getElementById('report-file'); "
        "const files = new DataTransfer(); "
        f"files.items.add(new File([{json.dumps(line)}], 'items.jsonl')); "
        "input.files = files.files; input.dispatchEvent(new Event('change'));})()"
    )
    assert chains.wait("document.querySelector('#report-rows button')?.textContent") == "open-2"
    chains.click("#report-rows button")
    chains.wait(f"Number({DECIDED}) > {before}")
    assert copied(chains)["steps"] == json.loads(line)["steps"]


def test_the_page_of_the_wheel_has_no_python(page: Tab, site: Path) -> None:
    page.offline()
    page.open(site / "packaged.html")
    page.click("#nav-chain")
    found = page.wait("document.querySelector('#chain-verdict .error')?.textContent")
    assert "hopcheck explain --trace shows the same" in found
    assert (site / "packaged.html").stat().st_size < (site / "playground.html").stat().st_size / 4
    assert page.errors == []


def test_readable_at_each_width(chains: Tab, axe: str) -> None:
    """Nothing serious from axe, in light and dark, from 360 pixels; no sideways scroll."""
    chains.call("Page.setBypassCSP", enabled=True)
    for example, scheme, width in (("1", "light", 360), ("0", "dark", 800), ("3", "dark", 1400)):
        chains.emulate(scheme)
        chains.resize(width, 900)
        enter(chains, example=example)
        assert chains.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, width
        assert chains.violations(axe) == [], (scheme, width)


def test_picture(chains: Tab, tmp_path: Path) -> None:
    """That of docs/playground.md: HOPCHECK_WRITE_IMAGES=1 writes it."""
    chains.emulate("light")
    chains.resize(1400, 1150)
    enter(chains, example="1")
    images = ROOT / "docs" / "images"
    folder = images if os.environ.get("HOPCHECK_WRITE_IMAGES") == "1" else tmp_path
    picture = chains.screenshot(folder / "playground-chain.png")
    assert picture[16:24] == (1400).to_bytes(4) + (1150).to_bytes(4)
