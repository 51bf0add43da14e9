"""Multiple-choice items in one text: a question, and lines ``(A) ...`` behind ``Options:``."""

from __future__ import annotations

import re
from string import ascii_uppercase

from benchmarks.audits.model import Row, UnreadError

_HEAD = re.compile(r"\s*\bOptions:\s*")
_OPTION = re.compile(r"\((?P<letter>[A-Z])\)\s*(?P<text>.*?)\s*(?=\([A-Z]\)\s|\Z)", re.DOTALL)


def split_options(row: Row, text: str) -> tuple[str, dict[str, str]]:
    """The question, and the text of each option by its label, as ``(A)``.

    Raises:
        UnreadError: there are no options, or two with one label.
    """
    head = _HEAD.search(text)
    if head is None:
        raise UnreadError("found no options, expected some", where=row.where)
    found = list(_OPTION.finditer(text, head.end()))
    options = {f"({option['letter']})": option["text"] for option in found}
    if not options or len(options) < len(found) or found[0].start() != head.end():
        raise UnreadError("found options of another form, expected (A), (B) ...", where=row.where)
    return text[: head.start()], options


def with_option(text: str, options: dict[str, str], added: str) -> tuple[str, str]:
    """The text with one more option behind the others, and the label of that."""
    label = f"({ascii_uppercase[len(options)]})"
    separator = "\n" if "\n" in text[text.index("Options:") :] else " "
    return f"{text.rstrip()}{separator}{label} {added}", label
