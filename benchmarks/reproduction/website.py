"""Hooks of MkDocs for ``make docs``: pages of the repository's own files, notebook, playground.

A link from a page to a file outside ``docs/`` leads to a page below ``source/`` with its text.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]

_LINK = re.compile(r"(\]\()([^)\s#:]+)(#[^)\s]*)?(?=\))")
_FENCE = re.compile(r"^\s*(```|~~~)\w*")
_ITEM = re.compile(r"( {2,3})?(?:[-*]|\d+\.) ")
_NOTEBOOK, _TUTORIAL = "docs/tutorial.ipynb", "tutorial.md"
_EMBEDDED = "source/playground.html"
_BUILT = {
    _EMBEDDED: ROOT / "build/site/embed.html",
    "source/iframe-worker.js": ROOT / "site/node_modules/iframe-worker/shim/index.js",
}
_LANGUAGES = {
    ".py": "python", ".lp": "prolog", ".toml": "toml", ".json": "json", ".js": "javascript",
    ".sh": "bash", ".ml": "ocaml", ".v": "coq", ".smt2": "lisp",
}  # fmt: skip


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the pages of linked files, of the notebook, and the playground."""
    from mkdocs.structure.files import File, InclusionLevel

    paths = [f"docs/{file.src_uri}" for file in files.documentation_pages()]
    seen = set(paths)
    while paths:
        path = paths.pop()
        if not path.endswith(".md"):
            continue
        for linked in _linked(path, (ROOT / path).read_text(encoding="utf-8")):
            place = ROOT / linked
            written = not linked.startswith("docs/") or place.is_dir()
            if linked not in seen and written and place.exists():
                seen.add(linked)
                paths.append(linked)
                files.append(
                    File.generated(
                        config,
                        _place(linked),
                        content=_content(linked),
                        inclusion=InclusionLevel.NOT_IN_NAV,
                    )
                )
    files.append(File.generated(config, _TUTORIAL, content=_tutorial(ROOT / _NOTEBOOK)))
    for name, built in _BUILT.items():
        files.append(File.generated(config, name, abs_src_path=str(built)))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    """Let links lead to pages of the site, and show the playground on the first page."""
    source = page.file.src_uri
    if source == _TUTORIAL:
        return markdown
    path = source.removeprefix("source/") if source.startswith("source/") else f"docs/{source}"
    markdown = _outside_code(markdown, lambda line: _rewritten(line, path, source))
    markdown = _as_python_markdown(markdown)
    if source == "README.md":
        heading, rest = markdown.split("\n", 1)
        style = "width: 100%; height: 46rem; border: 0"
        frame = f'<iframe src="{_EMBEDDED}" title="Playground" style="{style}"></iframe>'
        return f"{heading}\n\n{frame}\n{rest}"
    return markdown


def on_post_page(output: str, *, page: Page, config: MkDocsConfig) -> str:  # noqa: ARG001
    """Name the search, and let code and tables be scrolled with the keyboard."""
    output = output.replace('role="dialog"', 'role="dialog" aria-label="Search"')
    output = output.replace("<table>", '<div class="scroll" tabindex="0"><table>')
    output = output.replace("</table>", "</table></div>")
    return output.replace("<pre>", '<pre tabindex="0">')


def _rewritten(line: str, path: str, source: str) -> str:
    """A line of a file with its links as links of the page with the file's text."""

    def changed(link: re.Match[str]) -> str:
        place = _place(_resolved(path, link[2]))
        return (
            f"{link[1]}{posixpath.relpath(place, posixpath.dirname(source) or '.')}{link[3] or ''}"
        )

    return _LINK.sub(changed, line)


def _as_python_markdown(markdown: str) -> str:
    """A text with its lists as Python-Markdown reads them: after a blank line, nested by four."""
    before = ""

    def changed(line: str) -> str:
        nonlocal before
        last, before = before, line
        item = _ITEM.match(line)
        if item is None:
            return line
        if item[1]:
            return f"    {line.lstrip()}"
        starts = last and not last.startswith(" ") and _ITEM.match(last) is None
        return f"\n{line}" if starts else line

    return _outside_code(markdown, changed)


def _linked(path: str, text: str) -> list[str]:
    """The files of the repository that a Markdown file links."""
    found: list[str] = []

    def noted(line: str) -> str:
        found.extend(_resolved(path, link[2]) for link in _LINK.finditer(line))
        return line

    _outside_code(text, noted)
    return found


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    """A text with each line changed that is not in a block of code."""
    inside, lines = False, []
    for line in text.split("\n"):
        if fence := _FENCE.match(line):
            inside = not inside
            # Of the words after a fence, Python-Markdown takes one, the language.
            lines.append(fence[0])
        else:
            lines.append(line if inside else change(line))
    return "\n".join(lines)


def _resolved(path: str, link: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), link))


def _place(path: str) -> str:
    """Where the site has a file of the repository."""
    if path == _NOTEBOOK:
        return _TUTORIAL
    if (ROOT / path).is_dir():
        path += "/README.md"
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    return f"source/{path}" if path.endswith(".md") else f"source/{path}.md"


def _content(path: str) -> str:
    """The page of a file: its text, or the list of a folder."""
    file = ROOT / path
    if file.is_dir():
        names = sorted(
            entry.name for entry in file.iterdir() if not entry.name.startswith((".", "_"))
        )
        within = path.startswith("docs/")
        listed = (f"- [{name}]({name})" if within else f"- `{name}`" for name in names)
        return "\n".join((f"# {path}", "", *listed))
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".md":
        return text
    return f"# {path}\n\n~~~~{_LANGUAGES.get(file.suffix, 'text')}\n{text.rstrip()}\n~~~~\n"


def _tutorial(notebook: Path) -> str:
    """The page of a notebook: its texts, its code, and no output, as it has none."""
    parts = [f"[The notebook itself]({notebook.name}) runs anywhere."]
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        text = "".join(cell["source"])
        parts.append(f"```python\n{text}\n```" if cell["cell_type"] == "code" else text)
    # The heading first.
    parts[0], parts[1] = parts[1], parts[0]
    return "\n\n".join(parts)
