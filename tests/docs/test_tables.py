"""Tables of the documentation that are made from the declarations of the kinds."""

from __future__ import annotations

from pathlib import Path

import pytest

from solver.verification.kinds import kind_named, table_of_codes

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = {
    "calendar": "calendar.md",
    "eventhop": "eventhop.md",
    "facts": "facts.md",
    "links": "links.md",
    "patterns": "patterns.md",
    "questions": "questions-verify.md",
    "traces": "traces.md",
    "texts": "texts.md",
    "tkg": "tkg-verify.md",
}


@pytest.mark.parametrize(("kind", "page"), PAGES.items())
def test_each_page_has_the_codes_of_its_kind(kind: str, page: str) -> None:
    """The table to copy is in the message of the failure."""
    assert f"\n{table_of_codes(kind_named(kind))}\n" in (DOCS / page).read_text(encoding="utf-8")
