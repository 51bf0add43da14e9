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
from solver.verification.run import DisagreementError

REFERENCES = "texts/references.lp"
BATCH = 256
"""Texts in one program."""

Place = tuple[int, int, int]
"""Numbers of a text, a sentence and a clause."""

_BY_NAME = (Naming.NAME, Naming.OMITTED)


def is_story(text: FactText) -> bool:
    """Whether a text refers to what it told before."""
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
    facts = "\n".join(chain.from_iterable(map(_facts, count(), texts)))
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
                        program="\n".join(_facts(0, text)),
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


def _facts(number: int, text: FactText) -> Iterator[str]:
    entities = _entities(text)
    word_numbers: defaultdict[str, int] = defaultdict(count().__next__)
    if text.headline is not None:
        yield f"headline({number},{text.headline.written_date.date.toordinal()})."
        if text.headline.name:
            yield f"title({number},{entities[text.headline.name]})."
    for order, name in enumerate(() if text.cast is None else text.cast.names, 1):
        yield f"listed({number},{order},{entities[name]})."
        words = name.split(" ")
        for word in sorted({words[0], words[-1]} - {name}):
            yield f"word({number},{entities[name]},{word_numbers[word]})."
    for place, clause in _places(number, text):
        sentence = f"{place[0]},{place[1]}"
        key = f"{sentence},{place[2]}"
        yield f"clause({key},{'denied' if clause.denial is not None else clause.clause})."
        yield f"{_when(clause.written_date, key)}."
        parts = parts_of(clause.phrase.relation)
        for form, ((name, by), part) in enumerate(zip(_ends(clause), parts, strict=True)):
            entity = entities[name]
            yield f"names({key},{entity})."
            if part.kind:
                kind = "person" if part.kind == EntityKind.PERSON else "other"
                yield f"kind({sentence},{entity},{kind})."
            if part.role and clause.denial is None:
                yield f"role({sentence},{entity},{word_numbers[part.role]})."
            if clause.clause is Clause.MAIN:
                yield f"order({sentence},{('former', 'latter')[form]},{entity})."
            if by not in _BY_NAME:
                yield f"refers({key},{form},{_reference(by, word_numbers)})."


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


def _when(written: WrittenDate, key: str) -> str:
    """A date as an atom."""
    if not written.relative:
        return f"dated({key},{written.date.toordinal()})"
    words = written.relative.split(" ")
    if words[-1] in WEEKDAYS:
        return f"weekday({key},{_weekday(words[-1])},later)"
    if words[1] in WEEKDAYS:
        return f"weekday({key},{_weekday(words[1])},earlier)"
    if words[1] in ("same", "next", "following") or words[2] == "of":
        days = 0 if words[1] == "same" or words[2] == "of" else 1
    else:
        days = int(words[0]) if words[0].isdigit() else _NUMBERS.index(words[0].replace("the", "a"))
        days *= {"day": 1, "week": 7, "fortnight": 14}[words[1].rstrip("s")]
        days *= 1 if words[2] in ("later", "after") else -1
    return f"{'report' if words[-1] == 'report' else 'counts'}({key},{days})"


def _weekday(name: str) -> int:
    """The number of a weekday; that of day 0, the day before January 1st of the year 1, is 0."""
    return (WEEKDAYS.index(name) + 1) % len(WEEKDAYS)


_NUMBERS = (
    "zero", "a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
)  # fmt: skip
