"""What a text has stated so far: whom its pronouns, roles and parts of names mean.

A reference is read only if exactly one entity fits it:

the former, the latter
    the subject or the object of the sentence before, if that is one clause and states a fact.
they, them, it
    an entity of the sentence before (or of the title, if nothing is between) that nothing rules
    out: a person is *they*, whatever is none is *it*.
the first, number two, the last, the last but one, the middle one
    an entity in the list at the start of the text, by its place.
the new member, the former member, the founder
    an entity with this role in a fact that was stated before.
Brook
    a listed entity whose name of several words begins or ends with this one.

Kinds and roles follow from the relations in which an entity was named, by ``roles.tsv``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from functools import cache
from itertools import chain

from grammar.texts.model import Clause, Denial, Naming, Sentence
from grammar.texts.phrases import bare_relation, table_rows


class EntityKind(StrEnum):
    """What an entity is, as far as pronouns show."""

    PERSON = "person"
    GROUP = "group"
    PLACE = "place"
    THING = "thing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What a relation says of its subject or object; empty if it says nothing."""

    kind: str = ""
    role: str = ""


DENIALS = tuple(Denial(before=a, between=b, after=c) for a, b, c in table_rows("denials.tsv"))
"""The words around the names of a sentence that states no fact."""


OPENINGS = (
    "This report is about",
    "The names in this story are",
    "Readers asked about",
    "Today's column follows",
)
"""Words before the list of entities of a text."""

ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth",
)  # fmt: skip
"""Entities in a list by their place; a list has no more."""

_PRONOUNS = frozenset((Naming.THEY, Naming.THEM, Naming.IT))
_ORDER = frozenset((Naming.FORMER, Naming.LATTER))

_NUMBERS = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
)  # fmt: skip


_LAST_BUT = 3
"""The largest number in *the last but three*."""


@cache
def places_in_list(size: int) -> Mapping[str, int]:
    """The words for the places of a list, counted from 0."""
    found = {}
    for place in range(size):
        back = size - 1 - place
        found[f"the {ORDINALS[place]}"] = found[f"number {_NUMBERS[place]}"] = place
        if back <= _LAST_BUT:
            found[f"the last but {_NUMBERS[back - 1]}" if back else "the last"] = place
    if size % 2:
        found["the middle one"] = size // 2
    return found


_LISTED = frozenset(chain.from_iterable(map(places_in_list, range(len(ORDINALS) + 1))))


@cache
def _parts() -> Mapping[str, tuple[Part, Part]]:
    return {
        relation: (
            Part(kind=subject_kind, role=subject_role),
            Part(kind=object_kind, role=object_role),
        )
        for relation, subject_kind, subject_role, object_kind, object_role in table_rows(
            "roles.tsv"
        )
    }


@cache
def parts_of(relation: str) -> tuple[Part, Part]:
    """What a relation says of its subject and its object; roles are noun phrases.

    A role that started is *new*, one that ended *former*.
    """
    bound, name = bare_relation(relation)
    before = {"start": "the new ", "end": "the former "}.get(bound, "the ")
    none = (Part(), Part())
    subject, object_ = (
        Part(kind=part.kind, role=part.role and before + part.role)
        for part in _parts().get(name, none)
    )
    return subject, object_


@cache
def all_references() -> frozenset[str]:
    """The words of all references but parts of names."""
    nouns = {part.role for parts in _parts().values() for part in parts} - {""}
    roles = {f"the {before}{noun}" for noun in nouns for before in ("", "new ", "former ")}
    return frozenset(map(str, roles | _LISTED | _PRONOUNS | _ORDER))


def relative_pronoun(relation: str) -> str:
    """The pronoun of a clause on the subject of a relation; empty if its kind is not known."""
    kind = parts_of(relation)[0].kind
    return kind and ("who" if kind == EntityKind.PERSON else "which")


@dataclass(slots=True, kw_only=True)
class _Known:
    """What the text said of an entity: its kinds, and its roles in stated facts."""

    kinds: set[str] = field(default_factory=set)
    roles: set[str] = field(default_factory=set)

    def fits(self, *, person: bool) -> bool:
        """Whether a pronoun for persons, or for all else, can mean the entity."""
        return not self.kinds or any((kind == EntityKind.PERSON) is person for kind in self.kinds)


@dataclass(slots=True, kw_only=True)
class Discourse:
    """What a text has stated before a sentence.

    Attributes:
        report: the date of the text, if it has one.
        last_date: the last date that was stated; None if there is none, or if that is the date of
            a denied fact.
        title: the entity in the title; empty if there is none.
        cast: the entities in the list at the start.
        before: the clauses of the sentence before.
    """

    report: date | None = None
    last_date: date | None = None
    title: str = ""
    cast: tuple[str, ...] = ()
    before: tuple[Sentence, ...] = ()
    _known: dict[str, _Known] = field(default_factory=dict)

    def add(self, sentence: tuple[Sentence, ...]) -> None:
        """Go on after a sentence."""
        for clause in sentence:
            parts = parts_of(clause.phrase.relation)
            for name, part in zip((clause.subject, clause.object), parts, strict=True):
                known = self._known.setdefault(name, _Known())
                known.kinds |= {part.kind} - {""}
                known.roles |= {part.role} - {""} if clause.denial is None else set()
        last = sentence[-1]
        self.last_date = last.written_date.date if last.denial is None else None
        self.before = sentence

    def kinds(self, name: str) -> frozenset[str]:
        """What the text said of an entity's kind."""
        return frozenset(self._known[name].kinds if name in self._known else ())

    def roles(self, name: str) -> list[str]:
        """The roles of an entity in stated facts, sorted."""
        return sorted(self._known[name].roles if name in self._known else ())

    def meant(self, words: str, clause: Clause) -> list[str]:
        """The entities that a reference in a clause fits, each once.

        Args:
            words: the reference, in lower case.
            clause: the place of its clause. A further clause follows one with entities of its own,
                so that only roles are clear there.
        """
        if words in _PRONOUNS | _ORDER:
            if clause is not Clause.MAIN:
                return []
            return self._pronoun(words) if words in _PRONOUNS else self._ordinal(words)
        if words in _LISTED:
            place = places_in_list(len(self.cast)).get(words)
            return [] if place is None else [self.cast[place]]
        return [name for name, known in self._known.items() if words in known.roles]

    def whole_names(self, word: str) -> list[str]:
        """The entities that a single word means as a part of their names, or as their name."""
        parts = [
            name for name in self.cast if name.startswith(f"{word} ") or name.endswith(f" {word}")
        ]
        return [*parts, word] if parts and (word in self._known or word in self.cast) else parts

    def _ordinal(self, words: str) -> list[str]:
        if len(self.before) != 1 or self.before[0].denial is not None:
            return []
        (clause,) = self.before
        return [clause.subject if words == Naming.FORMER else clause.object]

    def _pronoun(self, words: str) -> list[str]:
        named = dict.fromkeys(
            name for clause in self.before for name in (clause.subject, clause.object)
        )
        title = [] if self.cast else [self.title]
        names: Iterable[str] = named or filter(None, title)
        person = words != Naming.IT
        return [name for name in names if self._known.get(name, _Known()).fits(person=person)]


def _ends(name: str) -> tuple[str, str]:
    """The first and the last word of a name."""
    words = name.split(" ")
    return words[0], words[-1]
