"""Settings of a forecast."""

from __future__ import annotations

from dataclasses import dataclass

MOST = 128
"""Maximal number of facts per day, as published."""

SUBJECTS = 4
"""Subjects per attempt, as published."""

WINDOW = 2048
"""Days before a fact within which groundings may lie, as published."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Settings of the sampling procedure.

    Attributes:
        begin: first day, as a proleptic ordinal.
        end: last day.
        most: maximal number of facts per day.
        subjects: subjects per attempt.
        tries: maximal number of attempts per requested fact of a day.
        match: whether relations with rules compensate for those without.
        seed: random seed; the draws of a day depend on it, the day and the facts known by then.
    """

    begin: int
    end: int
    most: int = MOST
    subjects: int = SUBJECTS
    tries: int = 50
    match: bool = False
    seed: int = 0
