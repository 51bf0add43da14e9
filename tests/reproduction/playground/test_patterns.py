"""Regular expressions of Python in JavaScript."""

from __future__ import annotations

import pytest

from benchmarks.reproduction.playground.patterns import to_javascript


@pytest.mark.parametrize(
    ("pattern", "translated"),
    [
        (r"(?!\A)\.a\Z", r"(?!^)\.a$"),
        (r"a.b", r"a[^\n]b"),
        (r"[.\w-]", r"[.\p{L}\p{N}_-]"),
        (r"\w+", r"[\p{L}\p{N}_]+"),
        (r"(?P<word>a)(?<!b)", r"(?<word>a)(?<!b)"),
        (r"a\ b\-c\'", r"a b-c'"),
        (r"[a\-z[]", r"[a\-z\[]"),
        (r"\(\[\{", r"\(\[\{"),
    ],
)
def test_translation(pattern: str, translated: str) -> None:
    assert to_javascript(pattern) == translated


def test_blanks_are_those_of_python() -> None:
    """JavaScript counts a byte order mark as a blank, and not the separators of ASCII."""
    assert r"\u001c" in to_javascript(r"\s")
    assert "feff" not in to_javascript(r"\s")
    assert to_javascript(r"\S") == to_javascript(r"\s").replace("[", "[^")


@pytest.mark.parametrize("pattern", [r"\bx", r"\d", r"[\S]", r"[\A]"])
def test_what_is_not_translated_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="not translated"):
        to_javascript(pattern)
