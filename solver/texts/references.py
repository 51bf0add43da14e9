"""Decides the references and relative dates of stories with ``encodings/texts``, a second time.

The reader of ``grammar.texts`` resolves them sentence by sentence; here the encoding states which
entities each reference fits, and which day each date is, and both have to agree.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, count

from grammar.dates import WEEKDAYS, WrittenDate
from grammar.texts.discourse import ORDINALS, EntityKind, parts_of
from grammar.texts.model import Clause, FactText, Naming, Sentence
from solver.asp import Program
from solver.encodings import Fact, written
from solver.verification.run import DisagreementError

REFERENCES = "texts/references.lp"
BATCH = 256
"""Texts in one program."""

Place = tuple[int, int, int]
"""Numbers of a text, a sentence and a clause."""

_BY_NAME = (Naming.NAME, Naming.OMITTED)


class ClauseRow(Fact, predicate="clause"):
    """A clause, with its place in its sentence."""

    text: int
    sentence: int
    clause: int
    place: str


class Names(Fact, predicate="names"):
    """An entity of a clause."""

    text: int
    sentence: int
    clause: int
    entity: int


class Order(Fact, predicate="order"):
    """The subject or the object of a main clause."""

    text: int
    sentence: int
    which: str
    entity: int


class KindRow(Fact, predicate="kind"):
    """What a relation says of an entity."""

    text: int
    sentence: int
    entity: int
    kind: str


class RoleRow(Fact, predicate="role"):
    """The role of an entity in a stated fact."""

    text: int
    sentence: int
    entity: int
    role: int


class Title(Fact, predicate="title"):
    """The entity in the title."""

    text: int
    entity: int


class Listed(Fact, predicate="listed"):
    """An entity in the list."""

    text: int
    place: int
    entity: int


class Word(Fact, predicate="word"):
    """The first or the last word of a longer name."""

    text: int
    entity: int
    word: int


class Refers(Fact, predicate="refers"):
    """A reference."""

    text: int
    sentence: int
    clause: int
    end: int
    reference: str


class HeadlineRow(Fact, predicate="headline"):
    """The date of a text."""

    text: int
    day: int


class Dated(Fact, predicate="dated"):
    """A date in full."""

    text: int
    sentence: int
    clause: int
    day: int


class Counts(Fact, predicate="counts"):
    """A date that counts from the last one that was stated."""

    text: int
    sentence: int
    clause: int
    days: int


class Report(Fact, predicate="report"):
    """A date that counts from that of the text."""

    text: int
    sentence: int
    clause: int
    days: int


class WeekdayRow(Fact, predicate="weekday"):
    """The next or the last such day."""

    text: int
    sentence: int
    clause: int
    weekday: int
    side: str


def is_story(text: FactText) -> bool:
    """Whether a text refers to what it stated before."""
    return any(
        clause.written_date.relative or {clause.subject_by, clause.object_by} - set(_BY_NAME)
        for clause in text.sentences
    )


def crosscheck(texts: Sequence[FactText]) -> None:
    """Decide texts by the encoding as well.

    Raises:
        DisagreementError: it finds another entity or another day than the reader.
    """
    stories = [text for text in texts if is_story(text)]
    for first in range(0, len(stories), BATCH):
        _crosscheck(stories[first : first + BATCH])


def _crosscheck(texts: Sequence[FactText]) -> None:
    facts = "\n".join(written(chain.from_iterable(map(_facts, count(), texts))))
    fits: defaultdict[tuple[object, ...], set[object]] = defaultdict(set)
    days: defaultdict[tuple[object, ...], set[object]] = defaultdict(set)
    for atom in Program(encodings=(REFERENCES,)).unique_model(facts):
        *key, value = atom.arguments
        (fits if atom.name == "fits" else days)[tuple(key)].add(value)
    for number, text in enumerate(texts):
        entities = _entities(text)
        for place, clause in _places(number, text):
            expected = {"the date": (days[place], clause.written_date.date.toordinal())}
            for form, (name, by) in enumerate(_ends(clause)):
                if by not in _BY_NAME:
                    expected[f'"{by}"'] = (fits[(*place, form)], entities[name])
            for what, (found, read) in expected.items():
                if found != {read}:
                    raise DisagreementError(
                        f"engines disagree on {what} in sentence {place[1]}: "
                        f"reader {read}, asp {sorted(map(str, found))}",
                        name="references",
                        program="\n".join(written(_facts(0, text))),
                        encodings=(REFERENCES,),
                    )


def _places(number: int, text: FactText) -> Iterator[tuple[Place, Sentence]]:
    for sentence, clauses in enumerate(text.by_sentence(), 1):
        for clause_number, clause in enumerate(clauses):
            yield (number, sentence, clause_number), clause


def _ends(clause: Sentence) -> tuple[tuple[str, str], tuple[str, str]]:
    return (clause.subject, clause.subject_by), (clause.object, clause.object_by)


def _entities(text: FactText) -> dict[str, int]:
    """All names of a text, by number."""
    names = [name for clause in text.sentences for name, _ in _ends(clause)]
    names += [] if text.cast is None else text.cast.names
    names += [] if text.headline is None or not text.headline.name else [text.headline.name]
    return {name: number for number, name in enumerate(dict.fromkeys(names))}


def _facts(number: int, text: FactText) -> Iterator[Fact]:
    entities = _entities(text)
    word_numbers: defaultdict[str, int] = defaultdict(count().__next__)
    if text.headline is not None:
        yield HeadlineRow(text=number, day=text.headline.written_date.date.toordinal())
        if text.headline.name:
            yield Title(text=number, entity=entities[text.headline.name])
    for place, name in enumerate(() if text.cast is None else text.cast.names, 1):
        yield Listed(text=number, place=place, entity=entities[name])
        words = name.split(" ")
        for word in sorted({words[0], words[-1]} - {name}):
            yield Word(text=number, entity=entities[name], word=word_numbers[word])
    for (_, sentence, clause), stated in _places(number, text):
        denied = stated.denial is not None
        where = {"text": number, "sentence": sentence}
        yield ClauseRow(**where, clause=clause, place="denied" if denied else stated.clause.value)
        yield _when(stated.written_date, number, sentence, clause)
        parts = parts_of(stated.phrase.relation)
        for end, ((name, by), part) in enumerate(zip(_ends(stated), parts, strict=True)):
            entity = entities[name]
            yield Names(**where, clause=clause, entity=entity)
            if part.kind:
                kind = "person" if part.kind == EntityKind.PERSON else "other"
                yield KindRow(**where, entity=entity, kind=kind)
            if part.role and not denied:
                yield RoleRow(**where, entity=entity, role=word_numbers[part.role])
            if stated.clause is Clause.MAIN:
                yield Order(**where, which=("former", "latter")[end], entity=entity)
            if by not in _BY_NAME:
                reference = _reference(by, word_numbers)
                yield Refers(**where, clause=clause, end=end, reference=reference)


def _reference(by: str, word_numbers: Mapping[str, int]) -> str:
    """A reference as a term."""
    if by in (Naming.THEY, Naming.THEM, Naming.IT):
        return "pronoun(it)" if by == Naming.IT else "pronoun(they)"
    if by in (Naming.FORMER, Naming.LATTER):
        return by.removeprefix("the ")
    first, last = by.split(" ")[0], by.split(" ")[-1]
    if by == "the middle one":
        return "middle"
    if by.startswith("the last"):
        return f"last_but({_NUMBERS.index(last) if last in _NUMBERS else last == 'one':d})"
    if first == "number":
        return f"place({_NUMBERS.index(last) if last in _NUMBERS else 1})"
    if first == "the":
        place = ORDINALS.index(last) + 1 if by == f"the {last}" and last in ORDINALS else 0
        return f"place({place})" if place else f"role({word_numbers[by]})"
    return f"part({word_numbers[by]})"


def _when(day: WrittenDate, text: int, sentence: int, clause: int) -> Fact:
    """The date of a clause."""
    where = {"text": text, "sentence": sentence, "clause": clause}
    if not day.relative:
        return Dated(**where, day=day.date.toordinal())
    words = day.relative.split(" ")
    if words[-1] in WEEKDAYS:
        return WeekdayRow(**where, weekday=_weekday(words[-1]), side="later")
    if words[1] in WEEKDAYS:
        return WeekdayRow(**where, weekday=_weekday(words[1]), side="earlier")
    if words[1] in ("same", "next", "following") or words[2] == "of":
        days = 0 if words[1] == "same" or words[2] == "of" else 1
    else:
        days = int(words[0]) if words[0].isdigit() else _NUMBERS.index(words[0].replace("the", "a"))
        days *= {"day": 1, "week": 7, "fortnight": 14}[words[1].rstrip("s")]
        days *= 1 if words[2] in ("later", "after") else -1
    return Report(**where, days=days) if words[-1] == "report" else Counts(**where, days=days)


def _weekday(name: str) -> int:
    """The number of a weekday; that of day 0, the day before January 1st of the year 1, is 0."""
    return (WEEKDAYS.index(name) + 1) % len(WEEKDAYS)


_NUMBERS = (
    "zero", "a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
)  # fmt: skip
