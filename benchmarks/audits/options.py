"""Options of audited items: errors at the place of the row, and one more option."""

from __future__ import annotations

from string import ascii_uppercase

from benchmarks.audits.model import Row, UnreadError
from grammar import options as texts


def split_options(row: Row, text: str) -> tuple[str, dict[str, str]]:
    """The question, and the text of each option by its label, as ``(A)``.

    Raises:
        UnreadError: there are no options, or two with one label.
    """
    try:
        return texts.split_options(text)
    except texts.OptionsError as error:
        raise UnreadError(error.message, where=row.where) from None


def with_option(text: str, options: dict[str, str], added: str) -> tuple[str, str]:
    """The text with one more option behind the others, and the label of that."""
    label = f"({ascii_uppercase[len(options)]})"
    separator = "\n" if "\n" in text[text.index("Options:") :] else " "
    return f"{text.rstrip()}{separator}{label} {added}", label
