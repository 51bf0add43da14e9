"""The page of the Python API, generated from the docstrings.

Renew it with ``python tests/hopcheck/test_api_page.py``.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import hopcheck as hc

PAGE = Path(__file__).resolve().parents[2] / "docs" / "api.md"
_HEAD = """\
# Python API

    import hopcheck as hc

The functions of the commands, with typed results. [tutorial.ipynb](tutorial.ipynb) shows them in a
notebook. This page is generated from the docstrings.
"""


def page() -> str:
    """All public functions and classes, by name."""
    values = {name: getattr(hc, name) for name in hc.__all__ if name != "__version__"}
    functions = {
        name: function for name, function in values.items() if inspect.isfunction(function)
    }
    classes = {name: value for name, value in values.items() if inspect.isclass(value)}
    parts = [
        _HEAD,
        "## Functions\n",
        *(_section(f"hc.{n}", function) for n, function in functions.items()),
    ]
    parts.append("## Results and errors\n")
    for name, class_ in classes.items():
        parts.append(_section(f"hc.{name}", class_, signature=False))
        parts.extend(_methods(class_))
    return "\n".join(parts).rstrip() + "\n"


def _section(title: str, value: object, *, signature: bool = True) -> str:
    head = f"### {title}\n\n"
    if signature:
        shown = str(inspect.signature(value))  # type: ignore[arg-type]
        shown = re.sub(r"<\w+\.\w+: ('[^']*')>", r"\1", shown)
        shown = re.sub(r"(: |-> )'([^']*)'", r"\1\2", shown)
        head += f"    {title}{_wrapped(shown)}\n\n"
    return head + _text(value) + "\n"


def _wrapped(signature: str) -> str:
    """The parameters, one per line if they are long."""
    if len(signature) < 80:
        return signature
    inside, _, result = signature.rpartition(")")
    parameters = re.split(r", (?![^\[]*\])", inside.removeprefix("("))
    return "(\n" + "".join(f"        {parameter},\n" for parameter in parameters) + f"    ){result}"


def _methods(value: type) -> Iterator[str]:
    for name, variable in sorted(vars(value).items()):
        plain = variable.fget if isinstance(variable, property) else variable
        if not name.startswith("_") and inspect.isfunction(plain):
            summary = (inspect.getdoc(plain) or "").partition("\n")[0]
            yield f"- `{name}{'' if isinstance(variable, property) else '()'}`: {summary}"
    yield ""


def _text(value: object) -> str:
    """A docstring, with its sections and examples indented as blocks."""
    lines = (inspect.getdoc(value) or "").splitlines()
    return "\n".join(f"    {line}" if line else "" for line in lines) + "\n"


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()


@pytest.mark.parametrize("name", [name for name in hc.__all__ if name != "__version__"])
def test_the_page_names_everything_public(name: str) -> None:
    assert f"### hc.{name}\n" in page()


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
