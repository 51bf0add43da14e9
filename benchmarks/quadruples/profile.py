"""How facts are scored: which script is followed, and in which of four modes a figure is read."""

from __future__ import annotations

from enum import StrEnum


class Profile(StrEnum):
    """Whose procedure is followed."""

    RELEASED = "released"
    """The released script, number for number."""
    EXACT = "exact"
    """True optima, without a limit, nothing dropped."""


class Mode(StrEnum):
    """What of an element has to be right (WebNLG 2020, after SemEval 2013, task 9.1)."""

    STRICT = "strict"
    """The words, in the element's own place."""
    EXACT = "exact"
    """The words, in whatever place of the fact."""
    TYPE = "type"
    """Some words, in the element's own place."""
    PARTIAL = "partial"
    """The words, or half for some of them, in whatever place of the fact."""


MODES = tuple(Mode)
