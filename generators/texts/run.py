"""Writes the texts of groups of facts, each verified by parsing it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from generators.texts.draft import DraftSettings, draft
from grammar.errors import UnwritableError
from grammar.fact_reader import read_text
from grammar.fact_text import TextFact, clashes
from grammar.fact_writer import write_text
from solver.fact_texts.differences import differences
from solver.processes import parallel_map

_PART = 512


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The facts of one text.

    Attributes:
        where: ``file:line`` of the first.
    """

    where: str
    facts: tuple[TextFact, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratedText:
    """A text and its facts, in text order.

    Attributes:
        group: the group it was written from.
        headline: ISO date of its headline, if any.
        writer: ``template``, or the name of a model.
    """

    group: Group
    text: str
    facts: tuple[TextFact, ...]
    headline: str | None = None
    writer: str = "template"

    def as_json(self) -> dict[str, Any]:
        """A line of ``texts.jsonl``."""
        return {
            "where": self.group.where,
            "text": self.text,
            "facts": rows(self.facts),
            "headline": self.headline,
            "writer": self.writer,
        }


def rows(facts: Sequence[TextFact]) -> list[list[str]]:
    """Facts as lists of four strings."""
    return [[one.subject, one.relation, one.object, one.date.isoformat()] for one in facts]


def write(
    groups: Sequence[Group], drafting: DraftSettings, *, jobs: int = 1
) -> Iterator[GeneratedText]:
    """Write the texts of groups, in order; the result does not depend on the number of processes.

    Raises:
        UnwritableError: a name is empty, or a relation has no phrases.
    """
    numbered = list(enumerate(groups))
    parts = [numbered[first : first + _PART] for first in range(0, len(numbered), _PART)]
    for part in parallel_map(partial(_part, drafting), parts, jobs):
        yield from part


def _part(drafting: DraftSettings, part: Sequence[tuple[int, Group]]) -> list[GeneratedText]:
    return [_written(group, number, drafting) for number, group in part]


def _written(group: Group, number: int, drafting: DraftSettings) -> GeneratedText:
    planned = draft(group.facts, number, drafting)
    text = write_text(planned)
    read = read_text(text)
    if any(differences(planned.facts, read.facts)) or any(clashes(read)):
        raise UnwritableError(f"{text!r} parses as other facts", where=group.where)
    headline = planned.headline
    return GeneratedText(
        group=group,
        text=text,
        facts=planned.facts,
        headline=None if headline is None else headline.written_date.date.isoformat(),
    )
