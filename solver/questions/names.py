"""Labels of a graph's entities and relations in texts: ``Mill_(Orm)`` reads ``Mill (Orm)``.

Groups of people of a country are written in the plural: ``Citizen_(India)`` reads ``Citizens of
India``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from grammar.errors import ParseError
from grammar.names import quote_name
from grammar.questions.model import Form, OneHop, Query, Statement, TwoHop, phrase_table
from grammar.questions.parser import QUESTION, STATEMENT
from solver.graph.model import UnknownNameError, Vocabulary, nearest_hint
from solver.io.sources import shown

_DIGITS = 19
"""Decimal digits of the largest 64-bit integer."""


class TimeIndex(Mapping[str, int]):
    """Lazy mapping from the name of a time (a date, or its number) to its number.

    Times are not materialised: with a resolution of seconds they exceed memory.

    Args:
        vocabulary: vocabulary of the graph.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._size = vocabulary
        step = vocabulary.time_step
        self._named = {name: step * place for place, name in enumerate(vocabulary.time_names)}

    def __getitem__(self, label: str) -> int:
        number = self._named.get(label)
        if number is not None and number < self._size.times:
            return number
        if not (label.isascii() and label.isdecimal() and len(label) <= _DIGITS):
            raise KeyError(label)
        number = int(label)
        if number >= self._size.times or self._size.time(number) != label:
            raise KeyError(label)
        return number

    def __iter__(self) -> Iterator[str]:
        return map(self._size.time, range(self._size.times))

    def __len__(self) -> int:
        return self._size.times


@dataclass(frozen=True, kw_only=True)
class Labels:
    """The labels of a vocabulary, by id; unique among entities and among relations.

    Attributes:
        entities, relations: label of each id; the id itself in a graph without names.
    """

    vocabulary: Vocabulary
    entities: tuple[str, ...]
    relations: tuple[str, ...]

    @classmethod
    def of(cls, vocabulary: Vocabulary) -> Labels:
        """Replace underscores by blanks and name groups, except where two labels would coincide.

        A relation that the phrase table has in another case takes the table's spelling.
        """
        entities = [vocabulary.entity(number) for number in range(vocabulary.entities)]
        relations = [vocabulary.relation(number) for number in range(vocabulary.relations)]
        known = {name.casefold(): name for name in phrase_table().rows}
        return cls(
            vocabulary=vocabulary,
            entities=_disambiguated(entities, map(entity_label, entities)),
            relations=_disambiguated(
                relations, (_as_known(with_blanks(name), known) for name in relations)
            ),
        )

    def entity_label(self, number: int) -> str:
        """The label of an entity."""
        return self.entities[number]

    def relation_label(self, number: int) -> str:
        """The label of a relation that is not an inverse."""
        return self.relations[number]

    def time_label(self, number: int) -> str:
        """The label of a time: its name, such as a date, or its number."""
        return self.vocabulary.time(number)

    def entity(self, label: str) -> int:
        """The id of an entity's label.

        Raises:
            UnknownNameError: no entity has this label; the hint lists the nearest ones.
        """
        number = self._entity_ids.get(label)
        return _missing("entity", label, self.entities) if number is None else number

    def relation(self, label: str) -> int:
        """The id of a relation's label; raises as ``entity`` does."""
        number = self._relation_ids.get(label)
        return _missing("relation", label, self.relations) if number is None else number

    def time(self, label: str) -> int:
        """The id of a time's label; raises as ``entity`` does."""
        number = self._time_ids.get(label)
        if number is None and not self.vocabulary.time_names:
            hint = f"they are 0 to {self.vocabulary.times - 1}"
            message = f"found no time {shown(label)}, expected one of the graph"
            raise UnknownNameError(message, hint=hint)
        return _missing("time", label, self.vocabulary.time_names) if number is None else number

    def __contains__(self, entity: str) -> bool:
        return entity in self._entity_ids

    @cached_property
    def _entity_ids(self) -> Mapping[str, int]:
        plain = {
            with_blanks(self.vocabulary.entity(number)): number
            for number in range(len(self.entities))
        }
        return plain | {name: number for number, name in enumerate(self.entities)}

    @cached_property
    def _relation_ids(self) -> Mapping[str, int]:
        return {name: number for number, name in enumerate(self.relations)}

    @cached_property
    def _time_ids(self) -> Mapping[str, int]:
        return TimeIndex(self.vocabulary)


_GROUPS = {
    **{
        noun: f"{noun}s"
        for noun in (
            "Activist", "Actor", "Armed Band", "Armed Gang", "Armed Rebel", "Attacker", "Citizen",
            "Combatant", "Court Judge", "Criminal", "Demonstrator", "Detainee", "Employee",
            "Extremist", "Farm Worker", "Government Official", "Insurgent", "Journalist",
            "Lawmaker", "Militant", "News Editor", "Nurse", "Opposition Activist", "Party Member",
            "Professor", "Protester", "Rebel", "Refugee", "Rights Activist", "Scholar",
            "Scientist", "Separatist", "Student", "Terrorist", "Villager", "Worker",
        )
    },
    "Businessperson": "Businesspeople",
    "Lawyer/Attorney": "Lawyers",
    "Member of Legislative": "Members of the Legislature",
    "Member of Parliament": "Members of Parliament",
    "Member of the Judiciary": "Members of the Judiciary",
    **{
        noun: noun
        for noun in (
            "Children", "Government", "Head of Government", "High Ranking Military Personnel",
            "Immigrants", "Indigenous People", "Legislature", "Media", "Media Personnel",
            "Medical Personnel", "Men", "Military", "Military Personnel", "Police",
            "Political Parties", "Population", "Veterans", "Women",
        )
    },
}  # fmt: skip
"""How groups and bodies of a country are called, by their names in the ICEWS ontology."""
_GROUP = re.compile(rf"({'|'.join(map(re.escape, _GROUPS))}) \(([^()]+)\)")


def entity_label(name: str) -> str:
    """The label of an entity that has this name in the graph; ``Labels`` makes labels distinct."""
    label = with_blanks(name)
    found = _GROUP.fullmatch(label)
    if found is None or found[2] == "International":
        return label
    article = "the " if _ARTICLE.search(found[2]) else ""
    return f"{_GROUPS[found[1]]} of {article}{found[2]}"


_ARTICLE = re.compile(r"^United |Republic$|^(?:Bahamas|Gambia|Maldives|Netherlands|Philippines)$")


def with_blanks(name: str) -> str:
    """A name with single blanks for underscores."""
    label = name.replace("_", " ")
    # Texts do not preserve leading, trailing or repeated blanks.
    return label if label == " ".join(label.split()) else name


def _as_known(label: str, known: Mapping[str, str]) -> str:
    return known.get(label.casefold(), label)


def _disambiguated(names: Sequence[str], label: Iterable[str]) -> tuple[str, ...]:
    wanted = list(label)
    counts = Counter(wanted)
    return tuple(
        form if counts[form] == 1 else name for name, form in zip(names, wanted, strict=True)
    )


def _missing(kind: str, label: str, names: Sequence[str]) -> int:
    hint = nearest_hint(label, names)
    raise UnknownNameError(f"found no {kind} {shown(label)}, expected one of the graph", hint=hint)


class NameChecker:
    """Checks labels against a graph, and caches the errors of unknown ones.

    Args:
        labels: labels of the graph.
    """

    def __init__(self, labels: Labels) -> None:
        self.labels = labels
        self._missing: dict[tuple[str, str], UnknownNameError | None] = {}

    def knows(self, entity: str) -> bool:
        """Whether the graph has an entity with this label."""
        return entity in self.labels

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
        phrases = phrase_table().read_as(name)
        yield labels.relation, name, tuple(row.form(form) for row in phrases for form in Form)
    yield labels.time, time, (time,)


def _column(text: str, written: tuple[str, ...]) -> int:
    """Column of the first whole-word occurrence of one of the spellings, from 1; else 1."""
    words = "|".join(map(re.escape, written))
    found = re.search(rf"(?<!\S)(?:{words})(?=[\s,?.]|\Z)", text)
    return 1 if found is None else found.start() + 1
