"""Reads stories by the phrases of a file: which statements and which question their sentences are.

The wording is data: the meanings of a phrase are statements such as ``A north of B`` and
``A 2 west of B``. A sentence without a phrase, or with two meanings, is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from grammar.errors import HopcheckError, nearest, quoted
from grammar.phrases import Phrase, PhraseFile, load_phrases
from grammar.positions.model import DIRECTIONS, Asks, Question, Relation, Story, Visit

DOMAIN = "positions"

_STATEMENT = re.compile(
    r"(?P<subject>\w+) (?:(?P<length>\d+) )?"
    rf"(?P<direction>{'|'.join(DIRECTIONS)}|front) of (?P<object>\w+)"
    r"|(?P<a>\w+) (?P<same>at|level with|aligned with|and) (?P<b>\w+)"
    r"|(?P<visitor>\w+) visits (?P<place>\w+) at (?P<time>\d+)"
)
_QUESTION = re.compile(
    rf"(?P<where>where) (?P<a>\w+) from (?P<b>\w+)"
    rf"|(?P<whether>whether) (?P<c>\w+) (?P<direction>{'|'.join(DIRECTIONS)}|at) (?:of )?(?P<d>\w+)"
    r"|(?P<route>route) from (?P<e>\w+) to (?P<f>\w+)"
    r"|place of (?P<g>\w+) (?P<before>before) (?P<h>\w+)"
)
_SAME = {"at": "at", "level with": "level", "aligned with": "aligned", "and": ""}
_NAME = re.compile(r"[^\W_][\w'’-]*(?: [^\W_][\w'’-]*){0,3}")
_RESERVED = frozenset(
    (
        *("a", "an", "the", "not", "never", "no", "nor", "or", "and", "but", "if", "than"),
        *("is", "are", "was", "were"),
    )
)
"""Words that no name contains, besides those of the phrases, by which these are distinguished."""
_WORD = re.compile(r"[\w'’-]+")
_INITIAL = re.compile(r"\b[A-Z]\b")
_ENDS = re.compile(r"(?<=[^\s.])[.?!]\s+(?=[A-Z])")
_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class StoryError(HopcheckError):
    """A story or a question that no phrase reads, or that has two readings."""

    code = "unread"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """The statements or the question of a sentence, and the names in it in their order."""

    relations: tuple[Relation, ...]
    visits: tuple[Visit, ...]
    question: Question | None
    names: tuple[str, ...]
    phrase: Phrase

    @property
    def meaning(self) -> object:
        """What is read, whatever the phrase."""
        return self.relations, self.visits, self.question, tuple(sorted(self.names))


@dataclass(frozen=True, slots=True)
class StoryReader:
    """Reads sentences by the phrases of a file.

    Args:
        wording: of the domain ``positions``.

    Raises:
        StoryError: the file is of another domain, or a phrase means no statement.
    """

    wording: PhraseFile
    _known: dict[str, _Reading] = field(default_factory=dict, repr=False)
    _words: set[str] = field(default_factory=lambda: set(_RESERVED), repr=False)

    def __post_init__(self) -> None:
        if self.wording.domain != DOMAIN:
            message = f"found the domain {quoted(self.wording.domain)}, expected {DOMAIN}"
            raise StoryError(message, where=self.wording.where)
        for phrase in self.wording.phrases:
            self._words.update(_WORD.findall(" ".join(phrase.words).lower()))
        for phrase in self.wording.phrases:
            example = {slot: f"Name{slot}" for slot in phrase.slots}
            meaning = _meaning(phrase, example)
            for refused in phrase.refused:
                text = phrase.fill(example, refused)
                if any(
                    reading.meaning == meaning.meaning for reading in self._readings(_bare(text))
                ):
                    message = f"found {quoted(text)} read, expected it refused"
                    raise StoryError(message, where=phrase.where)

    def story(self, sentences: Sequence[str], asked: str) -> Story:
        """Read a story and its question.

        Raises:
            StoryError: a sentence has no reading, or two.
        """
        relations: list[Relation] = []
        visits: list[Visit] = []
        names: dict[str, None] = {}
        unclear: list[int] = []
        phrases: dict[Phrase, None] = {}
        for number, written in enumerate(sentences):
            placed = False
            for sentence in _ENDS.split(written.strip()):
                reading = self._read(sentence)
                if reading.question is not None:
                    raise StoryError(f"found the question {quoted(sentence)} in the story")
                names.update(dict.fromkeys(reading.names))
                phrases[reading.phrase] = None
                relations += (replace(relation, sentence=number) for relation in reading.relations)
                visits += (replace(visit, sentence=number) for visit in reading.visits)
                placed |= bool(reading.visits) or any(
                    relation.direction not in ("", "front") and relation.subject != relation.object
                    for relation in reading.relations
                )
            if not placed:
                unclear.append(number)
        reading = self._read(asked)
        if reading.question is None:
            raise StoryError(f"found {quoted(asked)}, expected a question")
        return Story(
            sentences=tuple(sentences),
            relations=tuple(relations),
            visits=tuple(visits),
            points=tuple(names),
            question=reading.question,
            asked=asked,
            unclear=tuple(unclear),
            phrases=(*phrases, reading.phrase),
        )

    def _read(self, sentence: str) -> _Reading:
        """The reading of a sentence.

        Names of one letter are exchanged for others, so that each wording is looked up once.
        """
        initials = tuple(dict.fromkeys(_INITIAL.findall(sentence)))
        there = dict(zip(initials, _ALPHABET, strict=False))
        shape = _INITIAL.sub(lambda name: there[name[0]], sentence) if initials else sentence
        reading = self._known.get(shape)
        if reading is None:
            reading = self._parse(shape)
            if len(self._known) < 1 << 16:
                self._known[shape] = reading
        if not initials:
            return reading
        return _renamed(reading, {letter: name for name, letter in there.items()})

    def _parse(self, sentence: str) -> _Reading:
        found = {reading.meaning: reading for reading in self._readings(_bare(sentence))}
        readings = list(found.values())
        if len(readings) == 1:
            return readings[0]
        if readings:
            raise StoryError(f"found {quoted(sentence)}, which has {len(readings)} readings")
        words = (" ".join("".join(phrase.words).split()) for phrase in self.wording.phrases)
        near = nearest(sentence, words, start=0, ends=None)
        hint = f"the nearest wording has {quoted(near.phrase)}" if near else ""
        raise StoryError(f"found {quoted(sentence)}, expected a phrase", hint=hint)

    def _readings(self, sentence: str) -> Iterator[_Reading]:
        for phrase in self.wording.phrases:
            for names in phrase.matches(sentence, self._name):
                yield _meaning(phrase, names)

    def _name(self, text: str, _first: bool) -> str | None:
        """A text as a name; None if it is none, such as ``the left``."""
        words = (word if _INITIAL.fullmatch(word) else word.lower() for word in text.split())
        return text if _NAME.fullmatch(text) and self._words.isdisjoint(words) else None


def shape(sentence: str) -> str:
    """A sentence with ``{A}``, ``{B}`` ... for its names of one letter, in order of occurrence."""
    letters: dict[str, str] = {}
    return _INITIAL.sub(
        lambda name: f"{{{letters.setdefault(name[0], _ALPHABET[len(letters)])}}}", sentence
    )


@cache
def reader(name: str) -> StoryReader:
    """The reader of a wording of this package: ``stepgame`` or ``babi``."""
    return StoryReader(load_phrases(Path(__file__).with_name(f"{name}.toml")))


def _bare(sentence: str) -> str:
    """A sentence with single blanks and without the mark at its end."""
    return " ".join(sentence.split()).rstrip(".?!").rstrip()


def _meaning(phrase: Phrase, names: Mapping[str, str]) -> _Reading:
    relations: list[Relation] = []
    visits: list[Visit] = []
    question: Question | None = None
    for statement in phrase.means:
        try:
            if found := _QUESTION.fullmatch(statement):
                question = _question(found, names)
            elif found := _STATEMENT.fullmatch(statement):
                if found["visitor"]:
                    visitor, place = names[found["visitor"]], names[found["place"]]
                    visits.append(Visit(visitor=visitor, place=place, time=int(found["time"])))
                else:
                    relations.append(_relation(found, names))
            else:
                hint = 'such as "A north of B", "A 2 west of B" or "where A from B"'
                message = f"found {quoted(statement)}, expected a statement about positions"
                raise StoryError(message, where=phrase.where, hint=hint)
        except KeyError as error:
            message = f"found {quoted(statement)} with {error}, which is no slot of the phrase"
            raise StoryError(message, where=phrase.where) from None
    return _Reading(
        relations=tuple(relations),
        visits=tuple(visits),
        question=question,
        names=tuple(dict.fromkeys(names.values())),
        phrase=phrase,
    )


def _relation(found: re.Match[str], names: Mapping[str, str]) -> Relation:
    if found["same"]:
        return Relation(
            subject=names[found["a"]], object=names[found["b"]], direction=_SAME[found["same"]]
        )
    return Relation(
        subject=names[found["subject"]],
        object=names[found["object"]],
        direction=found["direction"],
        length=int(found["length"]) if found["length"] else None,
    )


def _question(found: re.Match[str], names: Mapping[str, str]) -> Question:
    asks = next(asks for asks in Asks if found[asks.value])
    subject, thing = (
        (key, other) for key, other in ("ab", "cd", "ef", "gh") if found[key] is not None
    ).__next__()
    return Question(
        asks=asks,
        subject=names[found[subject]],
        object=names[found[thing]],
        direction=found["direction"] or "",
    )


def _renamed(reading: _Reading, names: Mapping[str, str]) -> _Reading:
    def of(name: str) -> str:
        return names.get(name, name)

    question = reading.question
    return _Reading(
        relations=tuple(
            replace(relation, subject=of(relation.subject), object=of(relation.object))
            for relation in reading.relations
        ),
        visits=tuple(
            replace(visit, visitor=of(visit.visitor), place=of(visit.place))
            for visit in reading.visits
        ),
        question=question
        and replace(question, subject=of(question.subject), object=of(question.object)),
        names=tuple(map(of, reading.names)),
        phrase=reading.phrase,
    )
