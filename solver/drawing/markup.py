"""Cleans up matplotlib's SVG so that it is small, self-contained and embeddable in a page.

Removes the document type with its URL, metadata, line breaks inside paths, unused identifiers and
the style sheet (which would affect the page). Adds a title for screen readers.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from xml.etree.ElementTree import Element

NAMESPACE = "http://www.w3.org/2000/svg"
FONTS = "'DejaVu Sans', Verdana, sans-serif"

_REFERENCE = re.compile(r"#([\w-]+)")
_FONT = re.compile(r"(font: [^;]*?\d(?:\.\d+)?px) [^;]*")
_LINE_STYLE = "stroke-linejoin: round; stroke-linecap: butt"


def tidy_svg(svg: bytes, title: str) -> str:
    """Clean up a drawing made by matplotlib and add a title."""
    # Trusted input: matplotlib has just written it.
    root = ElementTree.fromstring(svg)
    _drop(root, {"metadata", "style"})
    used = set(_references(root))
    for element in root.iter():
        _clean(element, used)
    root.attrib |= {"xmlns": NAMESPACE, "style": _LINE_STYLE, "role": "img", "aria-label": title}
    heading = Element("title")
    heading.text = title
    root.insert(0, heading)
    return f"{ElementTree.tostring(root, encoding='unicode')}\n"


def _drop(root: Element, names: set[str]) -> None:
    for parent in list(root.iter()):
        for child in list(parent):
            if _local(child.tag) in names:
                parent.remove(child)


def _references(root: Element) -> Iterator[str]:
    for element in root.iter():
        for value in element.attrib.values():
            yield from _REFERENCE.findall(value)


def _clean(element: Element, used: set[str]) -> None:
    element.tag = _local(element.tag)
    attributes = {_local(name): value for name, value in element.attrib.items()}
    if attributes.get("id") not in used:
        attributes.pop("id", None)
    for name, value in attributes.items():
        attributes[name] = _FONT.sub(rf"\1 {FONTS}", value) if name == "style" else value
    if "d" in attributes:
        attributes["d"] = " ".join(attributes["d"].split())
    element.attrib.clear()
    element.attrib.update(attributes)
    if element.text is not None and not element.text.strip():
        element.text = None
    if element.tail is not None and not element.tail.strip():
        element.tail = "\n" if element.tag == "g" else None


def _local(name: str) -> str:
    return name.rpartition("}")[2]
