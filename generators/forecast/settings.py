"""What is forecast, and how."""

from __future__ import annotations

from dataclasses import dataclass

MOST = 128
"""Facts of a day, at most; as published."""

SUBJECTS = 4
"""Subjects of an attempt; as published."""

WINDOW = 2048
"""Days before a fact whose facts count; as published."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Days, numbers and chance.

    Attributes:
        begin: the first day, from the first of year 1; end: the last one.
        most: facts of a day, at most.
        subjects: of an attempt.
        tries: attempts for each fact of a day that is wanted; after these the day has fewer.
        match: whether relations with rules make up for those without.
        seed: of all chance; what is drawn on a day depends on it, the day and what is known then.
    """

    begin: int
    end: int
    most: int = MOST
    subjects: int = SUBJECTS
    tries: int = 50
    match: bool = False
    seed: int = 0
