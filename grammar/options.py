"""Multiple-choice items in one text: a question, and ``(A) ...`` behind ``Options:``."""

from __future__ import annotations

import re

from grammar.errors import HopcheckError

_HEAD = re.compile(r"\s*\bOptions:\s*")
_OPTION = re.compile(r"\((?P<letter>[A-Z])\)\s*(?P<text>.*?)\s*(?=\([A-Z]\)\s|\Z)", re.DOTALL)


class OptionsError(HopcheckError):
    """A text without options, or with two of one label."""

    code = "unread"


def split_options(text: str) -> tuple[str, dict[str, str]]:
    """The question, and the text of each option by its label, as ``(A)``.

    Raises:
        OptionsError: there are no options, or two with one label.
    """
    head = _HEAD.search(text)
    if head is None:
        raise OptionsError("found no options, expected some")
    found = list(_OPTION.finditer(text, head.end()))
    options = {f"({option['letter']})": option["text"] for option in found}
    if not options or len(options) < len(found) or found[0].start() != head.end():
        raise OptionsError("found options of another form, expected (A), (B) ...")
    return text[: head.start()], options
