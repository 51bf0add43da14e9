"""Writes the texts of many groups of facts, each read back before it is kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from generators.texts.draft import Drafting, draft
from grammar.errors import UnwritableError
from grammar.fact_reader import read_text
from grammar.fact_text import SaidFact, clashes
from grammar.fact_writer import write_text
from solver.fact_texts.differences import differences
from solver.processes import parallel_map

_PART = 512


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Facts that are to be told in one text.

    Attributes:
        where: ``file:line`` of the first.
    """

    where: str
    facts: tuple[SaidFact, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A text and its facts, in the order of the text.

    Attributes:
        group: what it was written from.
        headline: the day it is dated, if it is.
        writer: ``template``, or the name of a model.
    """

    group: Group
    text: str
    facts: tuple[SaidFact, ...]
    headline: str | None = None
    writer: str = "template"

    def as_json(self) -> dict[str, Any]:
        """As a line of ``texts.jsonl``."""
        return {
            "where": self.group.where,
            "text": self.text,
            "facts": rows(self.facts),
            "headline": self.headline,
            "writer": self.writer,
        }


def rows(facts: Sequence[SaidFact]) -> list[list[str]]:
    """Facts as lists of four strings."""
    return [[one.subject, one.relation, one.object, one.date.isoformat()] for one in facts]


def write(groups: Sequence[Group], drafting: Drafting, *, jobs: int = 1) -> Iterator[Written]:
    """The texts of groups, in their order; the same whatever the number of processes.

    Raises:
        UnwritableError: a name is empty, or a relation has no phrases.
    """
    numbered = list(enumerate(groups))
    parts = [numbered[first : first + _PART] for first in range(0, len(numbered), _PART)]
    for part in parallel_map(partial(_part, drafting), parts, jobs):
        yield from part


def _part(drafting: Drafting, part: Sequence[tuple[int, Group]]) -> list[Written]:
    return [_written(group, number, drafting) for number, group in part]


def _written(group: Group, number: int, drafting: Drafting) -> Written:
    planned = draft(group.facts, number, drafting)
    text = write_text(planned)
    read = read_text(text)
    if any(differences(planned.facts, read.facts)) or any(clashes(read)):
        raise UnwritableError(f"found {text!r}, which is read as other facts", where=group.where)
    headline = planned.headline
    return Written(
        group=group,
        text=text,
        facts=planned.facts,
        headline=None if headline is None else headline.said.date.isoformat(),
    )
