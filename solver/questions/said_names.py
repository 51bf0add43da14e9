"""The names that a text says, held against a graph: all that are unknown."""

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


class SaidNames:
    """What can be said of a graph; a name that it has not is looked up once.

    Args:
        labels: of the graph.
    """

    def __init__(self, labels: Labels) -> None:
        self.labels = labels
        self._entities = frozenset(labels.entities)
        self._missing: dict[tuple[str, str], UnknownNameError | None] = {}

    def knows(self, entity: str) -> bool:
        """Whether an entity is said so."""
        return entity in self._entities

    def unknown(self, said: Query | Statement, text: str) -> list[ParseError]:
        """What is said that the graph has not, each with its place and the nearest names."""
        errors: dict[str, ParseError] = {}
        part = STATEMENT if isinstance(said, Statement) else QUESTION
        for lookup, name, written in _said(said, self.labels):
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


def _said(
    said: Query | Statement, labels: Labels
) -> Iterator[tuple[Callable[[str], int], str, tuple[str, ...]]]:
    """Each name, what looks it up, and how it may stand in the text."""
    if isinstance(said, OneHop):
        entities: tuple[str, ...] = (said.entity,)
        relations: tuple[str, ...] = (said.relation,)
        time = said.time
    elif isinstance(said, TwoHop):
        entities, time = (said.entity,), said.time
        relations = (said.given.relation, said.asked.relation)
    else:
        fact = said if isinstance(said, Statement) else said.fact
        entities, relations, time = (fact.subject, fact.object), (fact.relation,), fact.time
    for name in entities:
        yield labels.entity, name, (name, quote_name(name))
    for name in relations:
        phrase = phrase_table().of(name)
        yield labels.relation, name, tuple(phrase.form(form) for form in Form)
    yield labels.time, time, (time,)


def _column(text: str, written: tuple[str, ...]) -> int:
    """Where one of some words stands by itself, from 1; 1 if they are written otherwise."""
    words = "|".join(map(re.escape, written))
    found = re.search(rf"(?<!\S)(?:{words})(?=[\s,?.]|\Z)", text)
    return 1 if found is None else found.start() + 1
