"""Reads assignment puzzles: what is assigned, then clues and options by the phrases of a file.

Clues describe things by words such as ``the person who drinks tea``. If a word names things of
several categories, those are left out whose other things the puzzle describes in other forms only;
if several are left, the word has several meanings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from grammar.assignments.model import Category, Clue, ClueKind, Puzzle, Reference
from grammar.errors import HopcheckError, quoted
from grammar.phrases import Phrase, PhraseFile, load_phrases

DOMAIN = "assignments"

_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"),
    "tenth",
)
_COUNTED = re.compile(r"([0-9]+)(?:st|nd|rd|th)")
_STATEMENTS: Sequence[tuple[ClueKind, re.Pattern[str]]] = [
    (kind, re.compile(pattern))
    for kind, pattern in (
        (ClueKind.SAME, r"(\w+) same as (\w+)"),
        (ClueKind.DIFFERS, r"(\w+) differs from (\w+)"),
        (ClueKind.ADJOINING, r"(\w+) just before (\w+)"),
        (ClueKind.EARLIER, r"(\w+) before (\w+)"),
        (ClueKind.BESIDE, r"(\w+) next to (\w+)"),
        (ClueKind.BETWEEN, r"(\w+) between (\w+) and (\w+)"),
        (ClueKind.OUTER, r"(\w+) at an end"),
        (ClueKind.PLACED, r"(\w+) at (?P<place>\w+)(?P<last> from last)?"),
    )
]
_ASKED = re.compile(r"position of (\w+)")
_FORM = re.compile(r"(?:the (?:person who (?:[a-z]+ )+)?)?\x00(?: [a-z]+)?")
_NO_FORM = frozenset(
    (
        *("not", "never", "no", "nor", "or", "and", "but", "if", "is", "does", "both", "either"),
        *("next", "left", "right"),
    )
)
_AT = re.compile(r"the (?:person|one) (?:at|in) the (\w+) (?:position|place)")

_PREAMBLE = re.compile(
    r"The following paragraphs each describe a set of \w+ objects arranged in a fixed order\."
    r" The statements are logically consistent within each paragraph\. "
)
_INTRODUCTION = re.compile(
    rf"[A-Z][^.:]*?\b(?P<number>{'|'.join(_NUMBERS)}|[0-9]+) [a-z ]+:"
    r" (?P<list>[^.:]+)\. (?P<rest>.+)"
)
_OPTION = re.compile(r"(\([A-Z]\)) (.+)")
_ROW = re.compile(
    r"There are ([0-9]{1,9}) people next to each other in a row in positions ([0-9, ]+)"
    r" who have the following characteristics\."
)
_CATEGORY = re.compile(r"Everyone ([a-z][\w ]*?): (.+)\.")
_CLUE = re.compile(r"Clue ([0-9]+): (.+)")
_FIXED = (
    "Using the clues provided below, answer the question at the end.",
    "Some of clues provided might be irrelevant to the puzzle.",
    "Some of the clues provided might be irrelevant to the puzzle.",
)


class PuzzleError(HopcheckError):
    """A puzzle that is not read, or not in one way."""

    code = "unread"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Parse:
    """A sentence by one phrase: the kind of clue, the texts of its references, and a place."""

    kind: ClueKind
    references: tuple[str, ...]
    place: int
    phrase: Phrase


@dataclass(frozen=True, slots=True)
class PuzzleReader:
    """Reads clues by the phrases of a file.

    Args:
        wording: of the domain ``assignments``.

    Raises:
        PuzzleError: the file is of another domain, or a phrase means no statement.
    """

    wording: PhraseFile
    _asked: list[Phrase] = field(default_factory=list, repr=False)
    _stated: list[tuple[Phrase, ClueKind, re.Match[str]]] = field(default_factory=list, repr=False)

    def __post_init__(self) -> None:
        if self.wording.domain != DOMAIN:
            message = f"found the domain {quoted(self.wording.domain)}, expected {DOMAIN}"
            raise PuzzleError(message, where=self.wording.where)
        for phrase in self.wording.phrases:
            (meaning,) = phrase.means if len(phrase.means) == 1 else ("",)
            if _ASKED.fullmatch(meaning):
                self._asked.append(phrase)
                continue
            for kind, pattern in _STATEMENTS:
                if found := pattern.fullmatch(meaning):
                    self._stated.append((phrase, kind, found))
                    break
            else:
                hint = 'such as "A before B" or "A at 2 from last"'
                message = f"found {quoted(meaning)}, expected one statement about places"
                raise PuzzleError(message, where=phrase.where, hint=hint)

    def objects(self, text: str) -> Puzzle:
        """Read a puzzle about things in one order, with options.

        Raises:
            PuzzleError: it is not read.
        """
        body, _, listed = text.strip().partition("\nOptions:\n")
        body = " ".join(_PREAMBLE.sub("", body.strip()).split())
        found = _INTRODUCTION.fullmatch(body)
        if found is None or not listed:
            raise PuzzleError(f"found {quoted(body[:60])}, expected a list of things, and options")
        names = [
            re.sub(r"^(?:and )?(?:(?:a|an|the) )?", "", part.strip())
            for part in re.split(r", (?:and )?| and ", found["list"])
        ]
        if len(names) != _number(found["number"]) or len(set(names)) != len(names):
            raise PuzzleError(f"found {len(names)} things, expected {found['number']}")
        numbers = {name: number for number, name in enumerate(names)}

        def accepts(name: str, _first: bool) -> str | None:
            return name if name in numbers or _ordinal(name, len(names)) else None

        def clue(sentence: str) -> tuple[Clue, Phrase]:
            parse = self._one(sentence, accepts, len(names))
            references = tuple(
                Reference(text=name, things=(numbers[name],)) for name in parse.references
            )
            return (
                Clue(kind=parse.kind, references=references, place=parse.place, text=sentence),
                parse.phrase,
            )

        clues = [clue(sentence) for sentence in re.split(r"(?<=\.) ", found["rest"])]
        options = []
        for line in listed.strip().splitlines():
            option = _OPTION.fullmatch(line.strip())
            if option is None:
                raise PuzzleError(f"found {quoted(line)}, expected an option such as (A)")
            options.append((option[1], *clue(option[2])))
        return Puzzle(
            text=text,
            places=len(names),
            categories=(Category(name="", things=tuple(names)),),
            clues=tuple(row for row, _ in clues),
            options=tuple((label, claim) for label, claim, _ in options),
            phrases=tuple(dict.fromkeys([*(p for _, p in clues), *(p for *_, p in options)])),
        )

    def people(self, text: str) -> Puzzle:
        """Read a puzzle about people in a row, which asks for the position of one of them.

        Raises:
            PuzzleError: it is not read.
        """
        lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
        head = _ROW.fullmatch(lines[0]) if lines else None
        if head is None or not lines[-1].startswith("Question: "):
            raise PuzzleError(
                f"found {quoted(text[:60])}, expected people in a row, and a question"
            )
        places = int(head[1])
        positions = head[2].replace(" ", "").split(",")
        if len(positions) != places or positions != [str(n) for n in range(1, places + 1)]:
            raise PuzzleError(f"found the positions {head[2]}, expected 1 to {places}")
        categories: list[Category] = []
        sentences: list[str] = []
        for line in lines[1:-1]:
            if found := _CATEGORY.fullmatch(line):
                category = Category(name=found[1], things=tuple(found[2].split(", ")))
                if len(set(category.things)) != places:
                    raise PuzzleError(f"found {quoted(line)}, expected {places} things")
                categories.append(category)
            elif found := _CLUE.fullmatch(line):
                sentences.append(found[2])
            elif line not in _FIXED:
                raise PuzzleError(f"found {quoted(line)}, expected a clue")
        return self._people(text, places, categories, sentences, lines[-1].partition(": ")[2])

    def _people(
        self,
        text: str,
        places: int,
        categories: Sequence[Category],
        sentences: Sequence[str],
        question: str,
    ) -> Puzzle:
        words = _Words(categories, places)
        parses = [self._one(sentence, words.accepts, places) for sentence in sentences]
        asked = [
            (phrase, names[slot])
            for phrase in self._asked
            for names in phrase.matches(question.rstrip("?").rstrip(), words.accepts)
            for slot in phrase.slots
        ]
        if len(asked) != 1:
            raise PuzzleError(f"found {quoted(question)}, expected a question for a position")
        phrase, thing = asked[0]
        words.learn([*(name for parse in parses for name in parse.references), thing])
        clues = tuple(
            Clue(
                kind=parse.kind,
                references=tuple(map(words.reference, parse.references)),
                place=parse.place,
                text=sentence,
            )
            for parse, sentence in zip(parses, sentences, strict=True)
        )
        options = tuple(
            (
                str(place),
                Clue(kind=ClueKind.PLACED, references=(words.reference(thing),), place=place),
            )
            for place in range(1, places + 1)
        )
        return Puzzle(
            text=text,
            places=places,
            categories=tuple(categories),
            clues=clues,
            options=options,
            phrases=tuple(dict.fromkeys((*(parse.phrase for parse in parses), phrase))),
        )

    def _one(
        self, sentence: str, accepts: Callable[[str, bool], str | None], places: int
    ) -> _Parse:
        """The only way to read a sentence.

        Raises:
            PuzzleError: there is none, or there are several.
        """
        bare = " ".join(sentence.split()).removesuffix(".")
        found = {
            (parse.kind, parse.references, parse.place): parse
            for parse in self._parses(bare, accepts, places)
        }
        if len(found) != 1:
            readings = f"which has {len(found)} readings" if found else "expected a phrase"
            raise PuzzleError(f"found {quoted(sentence)}, {readings}")
        return next(iter(found.values()))

    def _parses(
        self, bare: str, accepts: Callable[[str, bool], str | None], places: int
    ) -> Iterator[_Parse]:
        for phrase, kind, statement in self._stated:
            for names in phrase.matches(bare, accepts):
                place = 0
                if kind is ClueKind.PLACED:
                    place = _place(names.get(statement["place"], statement["place"]), places)
                    place = places + 1 - place if statement["last"] and place else place
                    if not place:
                        continue
                slots = statement.groups()[: 1 if kind is ClueKind.PLACED else None]
                if any(_ordinal(names[slot], places) for slot in slots):
                    continue
                references = tuple(names[slot] for slot in slots)
                yield _Parse(kind=kind, references=references, place=place, phrase=phrase)


class _Words:
    """The words by which a puzzle names things, and the forms that it uses for each category."""

    def __init__(self, categories: Sequence[Category], places: int) -> None:
        self._places = places
        self._things: dict[str, list[tuple[int, int]]] = {}
        number = 0
        for category_number, category in enumerate(categories):
            for thing in category.things:
                self._things.setdefault(thing, []).append((category_number, number))
                number += 1
        longest = sorted(self._things, key=len, reverse=True)
        self._any = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)")
        self._forms: dict[int, set[str]] = {}

    def accepts(self, text: str, first: bool) -> str | None:
        """A text as the name of a thing or a place."""
        text = text[:4].lower() + text[4:] if first and text[:4] == "The " else text
        known = _ordinal(text, self._places) or self._at(text) or self._split(text)
        return text if known else None

    def learn(self, texts: Sequence[str]) -> None:
        """Note the forms of things whose word has one meaning."""
        for text in texts:
            if found := self._split(text):
                form, meanings = found
                if len(meanings) == 1:
                    self._forms.setdefault(meanings[0][0], set()).add(form)

    def reference(self, text: str) -> Reference:
        """What a text refers to."""
        if place := self._at(text):
            return Reference(text=text, place=place)
        form, meanings = self._split(text) or ("", [])
        fitting = [row for row in meanings if form in self._forms.get(row[0], {form})]
        things = tuple(number for _, number in fitting or meanings)
        return Reference(text=text, things=things)

    def _at(self, text: str) -> int:
        found = _AT.fullmatch(text)
        return _place(found[1], self._places) if found else 0

    def _split(self, text: str) -> tuple[str, list[tuple[int, int]]] | None:
        """The form of a text around the word of a thing, and the meanings of the word."""
        for found in self._any.finditer(text):
            form = f"{text[: found.start()]}\x00{text[found.end() :]}"
            if _FORM.fullmatch(form) and _NO_FORM.isdisjoint(re.findall("[a-z]+", form)):
                return form, self._things[found[0]]
        return None


@cache
def reader(name: str) -> PuzzleReader:
    """The reader of a wording of this package: ``zebra`` or ``logical_deduction``."""
    return PuzzleReader(load_phrases(Path(__file__).with_name(f"{name}.toml")))


def _number(word: str) -> int:
    return int(word) if word.isdecimal() else _NUMBERS.index(word) + 1 if word in _NUMBERS else 0


def _ordinal(word: str, places: int) -> int:
    """The number of an ordinal; 0 if it is none, or more than the number of places."""
    found = _COUNTED.fullmatch(word)
    number = int(found[1]) if found else _ORDINALS.index(word) + 1 if word in _ORDINALS else 0
    return number if number <= places else 0


def _place(word: str, places: int) -> int:
    return int(word) if word.isdecimal() and int(word) <= places else _ordinal(word, places)
