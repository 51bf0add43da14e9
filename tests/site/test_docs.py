"""The documentation as a site: strict about links, readable everywhere, searched offline."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
LONG = ("cli.html", "files.html", "certificates.html", "source/encodings/index.html")
TERMS = {
    "inspect": "export.html",
    "Zipf": "tkg-calibrate.html",
    "Coq": "source/proofs/index.html",
    "CyGNet": "forecasting.html",
    "GRPO": "traces-train.html",
    "majority": "eventhop-baselines.html",
    "strikingness": "rules-strikingness.html",
    "TDDiscourse": "audit-links.html",
    "TimeML": "links.html",
    "zebra": "assignments.html",
}


def build(out: Path, docs: Path = ROOT / "docs") -> subprocess.CompletedProcess[str]:
    config = out.with_suffix(".yml")
    hook = ROOT / "benchmarks" / "reproduction" / "website.py"
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    text = text.replace("docs_dir: docs", f"docs_dir: {docs}").replace("build/docs", str(out))
    text = re.sub(r"hooks: .*", f"hooks: [{hook}]", text)
    config.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "mkdocs", "build", "--config-file", str(config)]
    return subprocess.run(
        command, capture_output=True, text=True, check=False,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1", "NO_PROXY": "*"},
    )  # fmt: skip


@pytest.fixture(scope="module")
def pages(site: Path, mkdocs: None, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: ARG001
    """The site, built from what is in this checkout."""
    folder = tmp_path_factory.mktemp("pages") / "site"
    built = build(folder)
    assert built.returncode == 0, built.stderr
    assert "WARNING" not in built.stderr
    return folder


def read(browser: Any, axe: str, path: Path, scheme: str) -> None:
    with browser.page(360, 800) as page:
        page.emulate(scheme)
        page.open(path)
        assert [url for url in page.requests if not url.startswith("file:")] == [], path
        assert page.errors == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
        assert page.violations(axe) == [], path


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_can_be_read(browser: Any, axe: str, pages: Path, scheme: str) -> None:
    for name in ("index.html", "start.html", "tutorial.html", *LONG):
        read(browser, axe, pages / name, scheme)


@pytest.mark.slow
def test_every_page_can_be_read(browser: Any, axe: str, pages: Path) -> None:
    # A server shows 404.html: its addresses begin at the root.
    found = [path for path in pages.rglob("*.html") if path.name != "404.html"]
    assert len(found) > 150
    for path in found:
        for scheme in ("light", "dark"):
            read(browser, axe, path, scheme)


def test_the_search_finds_terms(browser: Any, pages: Path) -> None:
    with browser.page() as page:
        page.open(pages / "index.html")
        links = "[...document.querySelectorAll('.md-search-result__link')].map(link => link.href)"
        for term, name in TERMS.items():
            page.evaluate(
                f"(field => {{ field.focus(); field.value = {term!r};"
                " field.dispatchEvent(new Event('keyup')); })"
                "(document.querySelector('.md-search__input'))"
            )
            wanted = f"{links}.some(link => link.includes('/{name}'))"
            page.wait(wanted)


def test_the_playground_is_on_the_first_page(browser: Any, pages: Path) -> None:
    with browser.page() as page:
        page.open(pages / "index.html")
        address = page.evaluate("document.querySelector('iframe').src")
    assert address == (pages / "source" / "playground.html").as_uri()
    assert "</html>" in (pages / "source" / "playground.html").read_text(encoding="utf-8")


def test_a_broken_link_ends_the_build(pages: Path, tmp_path: Path) -> None:  # noqa: ARG001
    docs = tmp_path / "docs"
    docs.mkdir()
    for path in (ROOT / "docs").iterdir():
        (docs / path.name).symlink_to(path)
    (docs / "start.md").unlink()
    start = (ROOT / "docs" / "start.md").read_text(encoding="utf-8")
    (docs / "start.md").write_text(f"{start}\n[gone](gone.md), [no part](links.md#gone)\n")
    built = build(tmp_path / "site", docs)
    assert built.returncode == 1
    assert "gone.md" in built.stderr
    assert "#gone" in built.stderr


@pytest.mark.usefixtures("mkdocs")
def test_links_lists_and_fences_of_a_page() -> None:
    from benchmarks.reproduction import website

    line = "[a](../proofs/README.md#x), [b](files.md), [c](../solver/io/limits.py), `[d](e)`"
    assert website._rewritten(line, "docs/start.md", "start.md") == (
        "[a](source/proofs/README.md#x), [b](files.md), [c](source/solver/io/limits.py.md), "
        "`[d](e)`"
    )
    back = website._rewritten(
        "[a](../docs/links.md)", "proofs/README.md", "source/proofs/README.md"
    )
    assert back == "[a](../../links.md)"
    text = "So:\n- one\n  - within\n- two\n\n```console models\n- code\n  - code\n```"
    assert website._as_python_markdown(text) == (
        "So:\n\n- one\n    - within\n- two\n\n```console\n- code\n  - code\n```"
    )
