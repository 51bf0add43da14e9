"""Plans stories: several facts a sentence, references, relative dates, and denials of other facts.

Facts are in a random order. An entity that was named is mostly referred to by a pronoun, a
role or a part of its name, where exactly one entity fits; a date is mostly written relative to the
one before. A denial has names and a date in full, and states nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import TypeVar

import numpy as np

from grammar.dates import DateStyle, WrittenDate, write_relative
from grammar.texts.discourse import (
    DENIALS,
    OPENINGS,
    ORDINALS,
    Discourse,
    EntityKind,
    parts_of,
    places_in_list,
    relative_pronoun,
)
from grammar.texts.model import Cast, Clause, FactText, Headline, Naming, Sentence, TextFact
from grammar.texts.phrases import PhraseTable

Choice = TypeVar("Choice")

RELATIVE_DATES, REFERENCES = 0.9, 0.9
"""Shares of the dates and entities that are written relative to earlier ones, where possible."""

LISTED, JOINED, OPENED, CLOSED, BETWEEN = 0.85, 0.55, 0.5, 0.5, 0.1
"""Shares of texts with a list of their entities, of clauses joined to another one, and of denials
at the start of a text without a headline, at its end and between its sentences."""

_FAR = 30
"""Maximum number of days between a denied fact and one of the text."""

_WORD = re.compile(r"[^\W\d_a-z][^\W\d_A-Z]{2,}")


@dataclass(slots=True, kw_only=True)
class Story:
    """A story in the making.

    Attributes:
        table: the phrases.
        style: the style of the dates in full.
        headline: the headline, if there is one.
        others: facts of another text, for denials.
        source: where random choices come from.
        indirect: factor of all shares.
    """

    table: PhraseTable
    style: DateStyle
    headline: Headline | None
    others: Sequence[TextFact]
    source: np.random.Generator
    indirect: float = 1.0
    _discourse: Discourse = field(default_factory=Discourse)
    _clauses: list[Sentence] = field(default_factory=list)

    def plan(self, facts: Sequence[TextFact]) -> FactText:
        """Plan the text of facts."""
        if self.headline is not None:
            day = self.headline.written_date.date
            self._discourse = Discourse(report=day, last_date=day, title=self.headline.name)
        cast = self._cast(facts) if self._chance(LISTED) else None
        if cast is not None:
            self._discourse = replace(self._discourse, cast=cast.names)
        if self.headline is None and self._chance(OPENED):
            self._deny(facts)
        rest = [facts[number] for number in self.source.permutation(len(facts))]
        while rest:
            self._state(rest)
            if self._chance(BETWEEN if rest else CLOSED):
                self._deny(facts)
        return FactText(sentences=tuple(self._clauses), headline=self.headline, cast=cast)

    def _state(self, rest: list[TextFact]) -> None:
        """State the next fact, and others in clauses of its sentence."""
        fact, who, further = rest.pop(0), None, None
        same = [other for other in rest if other.subject == fact.subject]
        same = [other for other in same if relative_pronoun(other.relation)]
        if same and self._chance(JOINED):
            who = same[0]
            rest.remove(who)
        if rest and self._chance(JOINED):
            further = rest.pop(0)
        main = self._clause(fact, self._main_date(fact.date), Clause.MAIN)
        sentence = [main]
        if who is not None:
            sentence.insert(0, self._clause(who, self._relative(who.date, fact.date), Clause.WHO))
        if further is not None:
            day = self._relative(further.date, fact.date)
            omitted = further.subject == fact.subject
            sentence.append(self._clause(further, day, Clause.AND, omitted=omitted))
        self._add(sentence)

    def _cast(self, facts: Sequence[TextFact]) -> Cast | None:
        """A list of all entities in random order, with one of another text."""
        others = [fact.subject for fact in self.others[:1]]
        names = dict.fromkeys(name for fact in facts for name in (fact.subject, fact.object))
        listed = [*names, *others][: len(ORDINALS)] if len(names) <= len(ORDINALS) else [*names]
        listed = list(dict.fromkeys(listed))
        if len(listed) > len(ORDINALS):
            return None
        order = self.source.permutation(len(listed))
        return Cast(words=self._of(OPENINGS), names=tuple(listed[place] for place in order))

    def _add(self, sentence: list[Sentence]) -> None:
        self._clauses += sentence
        self._discourse.add(tuple(sentence))

    def _clause(
        self, fact: TextFact, day: WrittenDate, clause: Clause, *, omitted: bool = False
    ) -> Sentence:
        today = None if self.headline is None else self.headline.written_date.date
        ahead = today is not None and fact.date > today
        kinds = [part.kind for part in parts_of(fact.relation)]
        subject_by: str = Naming.OMITTED
        if clause is not Clause.WHO and not omitted:
            subject_by = self._naming(fact.subject, kinds[0], clause, Naming.THEY)
        object_by: str = Naming.NAME
        if clause is Clause.WHO:
            object_by = self._of((*self._parts(fact.object, kinds[1]), Naming.NAME.value))
        elif fact.object != fact.subject:
            object_by = self._naming(fact.object, kinds[1], clause, Naming.THEM)
        return Sentence(
            subject=fact.subject,
            subject_by=subject_by,
            phrase=self._of(self.table.of(fact.relation, ahead=ahead)),
            object=fact.object,
            object_by=object_by,
            written_date=day,
            front=clause is Clause.MAIN and bool(self.source.random() < 0.5),
            clause=clause,
        )

    def _naming(self, name: str, kind: str, clause: Clause, they: Naming) -> str:
        """A reference that fits the entity alone, or its name."""
        known = self._discourse.kinds(name) or {kind} - {""}
        person = {one_kind == EntityKind.PERSON for one_kind in known}
        pronouns = [they if person == {True} else Naming.IT] if len(person) == 1 else []
        places = [word for word, _ in places_in_list(len(self._discourse.cast)).items()]
        order = [Naming.FORMER.value, Naming.LATTER.value]
        forms = [self._parts(name, kind)] + [
            [words for words in form if self._discourse.meant(words, clause) == [name]]
            for form in (
                places,
                order,
                self._discourse.roles(name),
                [str(word) for word in pronouns],
            )
        ]
        fitting = [form for form in forms if form]
        return self._of(self._of(fitting)) if fitting and self._chance(REFERENCES) else Naming.NAME

    def _parts(self, name: str, kind: str) -> list[str]:
        """The words at the ends of a listed name that fit no other, if it may be a person's."""
        if not {kind, *self._discourse.kinds(name)} <= {"", EntityKind.PERSON.value}:
            return []
        words = name.split(" ")
        return [
            word
            for word in dict.fromkeys((words[0], words[-1]))
            if _WORD.fullmatch(word) and self._discourse.whole_names(word) == [name]
        ]

    def _main_date(self, day: date) -> WrittenDate:
        if (self._discourse.last_date or self._discourse.report) and self._chance(RELATIVE_DATES):
            return self._relative(day, self._discourse.last_date)
        return date_in_style(day, self.style)

    def _relative(self, day: date, last: date | None) -> WrittenDate:
        words = self._of(write_relative(day, last, self._discourse.report))
        return WrittenDate(date=day, style=DateStyle.WORDS, relative=words)

    def _deny(self, facts: Sequence[TextFact]) -> None:
        """Deny a fact of entities and relations at hand, which is none of the text."""
        own, other = self._of(facts), self._of(self.others or facts)
        kinds, others = ([part.kind for part in parts_of(fact.relation)] for fact in (own, other))
        subject = own.subject if kinds[0] == others[0] else other.subject
        object_ = own.object if kinds[1] == others[1] and subject != own.subject else other.object
        stated = {(fact.subject, fact.relation, fact.object) for fact in facts}
        phrases = [
            phrase
            for phrase in self.table.of(other.relation, ahead=True)
            if phrase.words.startswith("will ")
        ]
        if not phrases or (subject, other.relation, object_) in stated:
            return
        number = own.date.toordinal() + int(self.source.integers(-_FAR, _FAR + 1))
        day = date.min + timedelta(days=min(max(number, 1), date.max.toordinal()) - 1)
        denied = Sentence(
            subject=subject,
            phrase=self._of(phrases),
            object=object_,
            written_date=date_in_style(day, self.style),
            clause=Clause.DENIED,
            denial=self._of(DENIALS),
        )
        self._add([denied])

    def _chance(self, share: float) -> bool:
        return bool(self.source.random() < share * self.indirect)

    def _of(self, choices: Sequence[Choice]) -> Choice:
        return choices[int(self.source.integers(len(choices)))]


_PLAIN = (DateStyle.WORDS, DateStyle.ISO)


def date_in_style(day: date, style: DateStyle) -> WrittenDate:
    """A date with its true weekday, if the style includes one."""
    return WrittenDate(date=day, style=style, weekday=None if style in _PLAIN else day.weekday())
