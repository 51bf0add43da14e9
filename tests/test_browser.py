"""The browser that tests of pages share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

PAGE = """<!DOCTYPE html><meta charset=utf-8><title>one</title>
<button onclick="this.textContent = 'pressed'">press</button><input>
<script>document.querySelector('input').onkeydown = event => { document.title = event.key }</script>
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text(PAGE)
    return path


def test_a_page_is_clicked_typed_into_and_read(page: Any, file: Path) -> None:
    page.open(file)
    page.click("button")
    assert page.evaluate("document.querySelector('button').textContent") == "pressed"
    page.click("input")
    page.type("näher")
    page.press("ArrowDown", 40)
    assert page.evaluate("[document.querySelector('input').value, document.title]") == [
        "näher",
        "ArrowDown",
    ]
    assert page.requests == [file.as_uri()]
    assert page.errors == []


def test_sizes_pictures_and_storage_are_those_of_the_tab(
    browser: Any, file: Path, tmp_path: Path
) -> None:
    for width in (1400, 390):
        with browser.page(width, 600) as page:
            page.open(file)
            assert page.evaluate("innerWidth") == width
            assert page.screenshot(tmp_path / "shot.png").startswith(b"\x89PNG")
            assert (tmp_path / "shot.png").stat().st_size > 100


def test_errors_and_foreign_requests_are_recorded(page: Any, file: Path) -> None:
    file.write_text("<img src='http://host.invalid/one.png'><script>missing()</script>")
    page.offline()
    page.open(file)
    assert "http://host.invalid/one.png" in page.requests
    assert any("missing is not defined" in error for error in page.errors)
    with pytest.raises(Exception, match="boom"):
        page.evaluate("Promise.reject(new Error('boom'))")
