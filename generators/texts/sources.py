"""The facts that texts are written from: what can be said of a file, and what cannot and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from generators.texts.run import Group
from grammar.fact_phrases import phrase_table
from grammar.fact_text import SaidFact
from solver.fact_texts.reading import read_told
from solver.reading.failures import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """The facts of a file.

    Attributes:
        groups: the facts of each line that can be said.
        refused: facts that no text can say, each told in one line.
        unreadable: rows that are no facts, each told in one line.
    """

    groups: tuple[Group, ...]
    refused: tuple[str, ...]
    unreadable: tuple[str, ...]


def read_sources(path: str | Path) -> Sources:
    """Read a file of Python literals, the facts of a text a line.

    Raises:
        InputError: the file cannot be read, or holds nothing.
    """
    groups: list[Group] = []
    refused: list[str] = []
    unreadable: list[str] = []
    for told in read_told(path):
        unreadable += map(str, told.errors)
        wrong = {fact: why for fact in told.facts for why in _refusals(fact)}
        refused += [f"{told.where}: {fact}: {why}" for fact, why in wrong.items()]
        facts = tuple(fact for fact in told.facts if fact not in wrong)
        if facts:
            groups.append(Group(where=told.where, facts=facts))
    if not (groups or refused or unreadable):
        raise InputError("found no facts, expected at least one", where=f"{path}:1")
    return Sources(groups=tuple(groups), refused=tuple(refused), unreadable=tuple(unreadable))


def _refusals(fact: SaidFact) -> Iterator[str]:
    """Why no text can say a fact."""
    for part, name in (("subject", fact.subject), ("object", fact.object)):
        if not name:
            yield f"found an empty {part}, expected a name"
        try:
            name.encode()
        except UnicodeEncodeError:
            yield f"found half a character in the {part}, expected text"
    if fact.relation not in phrase_table().past:
        yield f"found no phrase for the relation {fact.relation!r}, expected startMemberOf or so"
