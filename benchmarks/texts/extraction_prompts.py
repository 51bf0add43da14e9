"""Prompts for the extraction of facts from texts, and the facts in a model's answers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.predictions import without_thoughts
from grammar.texts.model import TextFact
from solver.facts.literals import PARTS, read_literal

Quadruple = tuple[str, ...]
"""The elements of an extracted fact: four strings, if the model follows the form."""

_LONGEST = 200_000
"""Characters of an answer that are read, from its end."""
_TRIES = 2_000
"""Brackets at which a list may begin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """An example of a prompt: a text and its facts."""

    text: str
    facts: tuple[TextFact, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What a model is asked for.

    Attributes:
        relations: the relations that it may use.
        shots: examples, in order.
    """

    relations: tuple[str, ...]
    shots: tuple[Shot, ...] = ()

    def prompt(self, text: str) -> str:
        """The prompt for a text."""
        lines = [
            "Extract all dated facts that the text states.",
            "Answer with a JSON list and nothing else. Each fact is a list of four strings: "
            '["subject", "relation", "object", "YYYY-MM-DD"].',
            "Copy the names of subject and object letter by letter from the text. The date is the "
            "day on which the fact begins, ends or happens.",
            f"The relation is one of: {', '.join(self.relations)}.",
            "",
        ]
        for shot in self.shots:
            lines += [f"Text: {shot.text}", f"Facts: {_written(shot.facts)}", ""]
        lines += [f"Text: {text}", "Facts:"]
        return "\n".join(lines)


def _written(facts: Sequence[TextFact]) -> str:
    rows = [[one.subject, one.relation, one.object, one.date.isoformat()] for one in facts]
    return json.dumps(rows, ensure_ascii=False)


def read_answer(answer: str) -> tuple[Quadruple, ...] | None:
    """The facts of the last list of facts in an answer; None without such a list.

    A list is JSON or a Python literal, of lists of strings or of objects with the keys subject,
    relation, object and date. A fact of other than four strings is kept as it is. What a model
    thinks between ``<think>`` and ``</think>`` is skipped.
    """
    text = without_thoughts(answer[-_LONGEST:])
    found: tuple[Quadruple, ...] | None = None
    place = text.find("[")
    for _ in range(_TRIES):
        if place < 0:
            break
        end, facts = _list_at(text, place)
        if facts is not None:
            found = facts
        place = text.find("[", end)
    return found


def _list_at(text: str, place: int) -> tuple[int, tuple[Quadruple, ...] | None]:
    """Where to search next, and the facts of the list that begins at a bracket, if it is one."""
    try:
        value, end = json.JSONDecoder().raw_decode(text, place)
    except (ValueError, RecursionError):
        end = _closing(text, place)
        try:
            value = read_literal(text[place:end])
        except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
            return place + 1, None
    facts = _facts(value)
    return (place + 1, None) if facts is None else (end, facts)


def _closing(text: str, place: int) -> int:
    """The end of the list that begins at a bracket: brackets in quotation marks do not count."""
    depth, quote, at = 0, "", place
    while at < len(text):
        sign = text[at]
        if quote:
            if sign == "\\":
                at += 1
            elif sign == quote:
                quote = ""
        elif sign in "'\"":
            quote = sign
        elif sign in "[]":
            depth += 1 if sign == "[" else -1
            if not depth:
                return at + 1
        at += 1
    return place


def _facts(value: object) -> tuple[Quadruple, ...] | None:
    if not isinstance(value, list):
        return None
    found = []
    for one in value:
        if isinstance(one, dict) and set(PARTS) <= {*one}:
            one = [one[part] for part in PARTS]
        if not isinstance(one, list | tuple) or not all(isinstance(part, str) for part in one):
            return None
        found.append(tuple(one))
    return tuple(found)


def literal(facts: Sequence[Quadruple]) -> str:
    """A line of predictions, as ``score quadruples`` reads it."""
    return repr([list(one) for one in facts])
