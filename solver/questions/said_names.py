"""Finds the names in a text that are not in the graph."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from grammar.errors import ParseError
from grammar.fact_names import quote_name
from grammar.question import OneHop, Query, Statement, TwoHop
from grammar.question_parser import QUESTION, STATEMENT
from grammar.question_phrases import Form, phrase_table
from solver.questions.labels import Labels
from solver.tkg.naming import UnknownNameError


class NameChecker:
    """Checks labels against a graph, and caches the errors of unknown ones.

    Args:
        labels: labels of the graph.
    """

    def __init__(self, labels: Labels) -> None:
        self.labels = labels
        self._entities = frozenset(labels.entities)
        self._missing: dict[tuple[str, str], UnknownNameError | None] = {}

    def knows(self, entity: str) -> bool:
        """Whether the graph has an entity with this label."""
        return entity in self._entities

    def unknown(self, parsed: Query | Statement, text: str) -> list[ParseError]:
        """Errors for all unknown names, with their place in the text and the nearest names."""
        errors: dict[str, ParseError] = {}
        part = STATEMENT if isinstance(parsed, Statement) else QUESTION
        for lookup, name, written in _mentions(parsed, self.labels):
            error = self._looked_up(lookup, name)
            if error is not None:
                errors[error.message] = ParseError(
                    error.message,
                    part=part,
                    column=_column(text, written),
                    found=name,
                    hint=error.hint,
                )
        return sorted(errors.values(), key=lambda error: error.column)

    def _looked_up(self, lookup: Callable[[str], int], name: str) -> UnknownNameError | None:
        key = lookup.__name__, name
        if key not in self._missing:
            try:
                lookup(name)
                self._missing[key] = None
            except UnknownNameError as error:
                self._missing[key] = error
        return self._missing[key]


def _mentions(
    parsed: Query | Statement, labels: Labels
) -> Iterator[tuple[Callable[[str], int], str, tuple[str, ...]]]:
    """Each name with its lookup function and its possible spellings in the text."""
    if isinstance(parsed, OneHop):
        entities: tuple[str, ...] = (parsed.entity,)
        relations: tuple[str, ...] = (parsed.relation,)
        time = parsed.time
    elif isinstance(parsed, TwoHop):
        entities, time = (parsed.entity,), parsed.time
        relations = (parsed.given.relation, parsed.asked.relation)
    else:
        fact = parsed if isinstance(parsed, Statement) else parsed.fact
        entities, relations, time = (fact.subject, fact.object), (fact.relation,), fact.time
    for name in entities:
        yield labels.entity, name, (name, quote_name(name))
    for name in relations:
        phrase = phrase_table().of(name)
        yield labels.relation, name, tuple(phrase.form(form) for form in Form)
    yield labels.time, time, (time,)


def _column(text: str, written: tuple[str, ...]) -> int:
    """Column of the first whole-word occurrence of one of the spellings, from 1; else 1."""
    words = "|".join(map(re.escape, written))
    found = re.search(rf"(?<!\S)(?:{words})(?=[\s,?.]|\Z)", text)
    return 1 if found is None else found.start() + 1
