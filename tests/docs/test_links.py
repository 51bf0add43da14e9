"""Links between the pages lead somewhere, and the index lists every page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = sorted((ROOT / "docs").glob("*.md"))
PAGES = [*sorted(ROOT.glob("*.md")), *DOCS, ROOT / "encodings" / "README.md"]
LINK = re.compile(r"(?<!`)\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
SECTION = re.compile(r'docs/(\w+)\.md, sections? ((?:"[^"]+"(?: and |, )?)+)')


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as they are commonly made."""
    headings = HEADING.findall(page.read_text(encoding="utf-8"))
    return {
        re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if target.startswith(("http://", "https://", "mailto:")):
            continue
        name, _, anchor = target.partition("#")
        aim = (page.parent / name).resolve() if name else page
        assert aim.exists(), target
        assert not anchor or anchor in anchors(aim), target


def test_the_index_lists_every_page() -> None:
    listed = set(LINK.findall((ROOT / "docs" / "README.md").read_text(encoding="utf-8")))
    assert {page.name for page in DOCS} - {"README.md"} <= listed


def test_sections_that_files_refer_to_exist() -> None:
    """Headers of encodings and docstrings name pages and their sections."""
    files = [*(ROOT / "encodings").rglob("*.lp"), *(ROOT / "encodings").rglob("*.smt2")]
    files += [path for folder in ("solver", "grammar") for path in (ROOT / folder).rglob("*.py")]
    referred = 0
    for path in files:
        text = " ".join(
            line.lstrip("%; #") for line in path.read_text(encoding="utf-8").splitlines()
        )
        for page, sections in SECTION.findall(text):
            headings = HEADING.findall((ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8"))
            for section in re.findall(r'"([^"]+)"', sections):
                assert section in headings, f"{path.name}: {page}.md, {section}"
                referred += 1
        for page in re.findall(r"\bdocs/(\w+)\.md", text):
            assert (ROOT / "docs" / f"{page}.md").is_file(), f"{path.name}: {page}.md"
    assert referred > 5
