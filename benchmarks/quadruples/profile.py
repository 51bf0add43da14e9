"""Scoring profiles and the four matching modes."""

from __future__ import annotations

from enum import StrEnum


class Profile(StrEnum):
    """Scoring procedure."""

    RELEASED = "released"
    """Reproduces the figures of the released script."""
    EXACT = "exact"
    """Exact optima, without limits, nothing skipped."""


class Mode(StrEnum):
    """Criterion for a correct element (WebNLG 2020, after SemEval 2013, task 9.1)."""

    STRICT = "strict"
    """All words, at the element's own position."""
    EXACT = "exact"
    """All words, at any position of the fact."""
    TYPE = "type"
    """Some words, at the element's own position."""
    PARTIAL = "partial"
    """All words, or half credit for some of them, at any position of the fact."""


MODES = tuple(Mode)
