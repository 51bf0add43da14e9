"""Reads the facts that texts are written from, and rejects those that cannot be expressed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from generators.texts.run import Group
from grammar.fact_phrases import phrase_table
from grammar.fact_text import TextFact
from solver.fact_texts.reading import read_references
from solver.reading.failures import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """The facts of a file.

    Attributes:
        groups: the expressible facts of each line.
        refused: one message for each fact that cannot be expressed.
        unreadable: one message for each malformed row.
    """

    groups: tuple[Group, ...]
    refused: tuple[str, ...]
    unreadable: tuple[str, ...]


def read_sources(path: str | Path) -> Sources:
    """Read a file of Python literals, the facts of one text per line.

    Raises:
        InputError: the file cannot be read, or is empty.
    """
    groups: list[Group] = []
    refused: list[str] = []
    unreadable: list[str] = []
    for line in read_references(path):
        unreadable += map(str, line.errors)
        wrong = {fact: reason for fact in line.facts for reason in _refusals(fact)}
        refused += [f"{line.where}: {fact}: {reason}" for fact, reason in wrong.items()]
        facts = tuple(fact for fact in line.facts if fact not in wrong)
        if facts:
            groups.append(Group(where=line.where, facts=facts))
    if not (groups or refused or unreadable):
        raise InputError("found no facts, expected at least one", where=f"{path}:1")
    return Sources(groups=tuple(groups), refused=tuple(refused), unreadable=tuple(unreadable))


def _refusals(fact: TextFact) -> Iterator[str]:
    """The reasons why a fact cannot be expressed."""
    for part, name in (("subject", fact.subject), ("object", fact.object)):
        if not name:
            yield f"found an empty {part}, expected a name"
        try:
            name.encode()
        except UnicodeEncodeError:
            yield f"found a lone surrogate in the {part}, expected text"
    if fact.relation not in phrase_table().past:
        yield f"no phrase for the relation {fact.relation!r}, expected one such as startMemberOf"
