"""Wordings of others: reads the phrases of phrase files next to the package's own sentences.

A phrase is a whole sentence, ``{A} led to {B}``, that states point relations of the events in its
slots. Files are tested before they are used; ``docs/eventhop-texts.md`` lists the tests.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from string import ascii_lowercase
from typing import Protocol, TypeAlias

from grammar.errors import Fault, FaultError, ParseError, found_at, quoted
from grammar.eventhop import sentences
from grammar.eventhop.model import (
    AllenRelation,
    Bound,
    Claim,
    ClaimRelation,
    Domain,
    Order,
    Point,
    Relation,
    SpatialReading,
)
from grammar.eventhop.words import (
    IT,
    QUOTED,
    Names,
    Phrases,
    licensing_words,
    phrases,
    unlicensed,
    without_article,
)
from grammar.phrases import Phrase, PhraseError, PhraseFile

Stated: TypeAlias = tuple[tuple[str, str], str, tuple[str, str]]
"""A relation of two points, each an event and - or +."""

_ORDERS = {
    "<": Order.BEFORE,
    ">": Order.AFTER,
    "=": Order.SIMULTANEOUS,
    "<=": Order.NOT_AFTER,
    ">=": Order.NOT_BEFORE,
}
_SIGNS = {order: sign for sign, order in _ORDERS.items()}
_BOUNDS = {"-": Bound.START, "+": Bound.END}
_CLAIMS: Mapping[ClaimRelation | AllenRelation, str] = {
    ClaimRelation.BEFORE: "A+ <= B-",
    ClaimRelation.AFTER: "A- >= B+",
    ClaimRelation.OVERLAPS: "A- < B+, B- < A+",
    AllenRelation.PRECEDES: "A+ < B-",
    AllenRelation.MEETS: "A+ = B-",
    AllenRelation.OVERLAPS: "A- < B-, B- < A+, A+ < B+",
    AllenRelation.FINISHED_BY: "A- < B-, A+ = B+",
    AllenRelation.CONTAINS: "A- < B-, B+ < A+",
    AllenRelation.STARTS: "A- = B-, A+ < B+",
    AllenRelation.EQUALS: "A- = B-, A+ = B+",
    AllenRelation.STARTED_BY: "A- = B-, B+ < A+",
    AllenRelation.DURING: "B- < A-, A+ < B+",
    AllenRelation.FINISHES: "B- < A-, A+ = B+",
    AllenRelation.OVERLAPPED_BY: "B- < A-, A- < B+, B+ < A+",
    AllenRelation.MET_BY: "A- = B+",
    AllenRelation.PRECEDED_BY: "A- > B+",
}


# --- Relations ------------------------------------------------------------------------------------


def _stated(relation: Relation) -> Stated:
    left, right = (
        (point.event, "-" if point.bound is Bound.START else "+")
        for point in (relation.left, relation.right)
    )
    return left, _SIGNS[relation.order], right


def _relation(stated: Stated) -> Relation:
    left, right = (Point(event=event, bound=_BOUNDS[sign]) for event, sign in stated[::2])
    return Relation(left=left, order=_ORDERS[stated[1]], right=right)


def renamed(stated: Iterable[Stated], names: Mapping[str, str]) -> tuple[Stated, ...]:
    """Relations of other events."""
    return tuple(
        ((names[left], first), sign, (names[right], second))
        for (left, first), sign, (right, second) in stated
    )


def _events(stated: Iterable[Stated]) -> set[str]:
    return {event for left, _, right in stated for event, _ in (left, right)}


def _closure(stated: Iterable[Stated], events: Iterable[str]) -> frozenset[tuple[str, str, str]]:
    """All ``p < q`` and ``p <= q`` that follow from relations and durations, as (p, sign, q).

    A contradiction is in it as ``p < p``.
    """
    points = [event + bound for event in sorted(events) for bound in "-+"]
    least = dict.fromkeys(product(points, points), 0)
    least |= dict.fromkeys(zip(points[::2], points[1::2], strict=True), 2)
    for left, sign, right in stated:
        p, q = "".join(left), "".join(right)
        for low, high in ((p, q),) * (sign[0] != ">") + ((q, p),) * (sign[0] != "<"):
            least[low, high] = max(least[low, high], 2 if sign in ("<", ">") else 1)
    for middle, low, high in product(points, points, points):
        first, second = least[low, middle], least[middle, high]
        if first and second:
            least[low, high] = max(least[low, high], first, second)
    return frozenset(
        (low, "<" if size == 2 else "<=", high)
        for (low, high), size in least.items()
        if size == 2 or (size and low != high)
    )


def _contradictory(stated: Iterable[Stated]) -> bool:
    stated = tuple(stated)
    return any(low == high for low, _, high in _closure(stated, _events(stated)))


def _equivalent(first: Iterable[Stated], second: Iterable[Stated]) -> bool:
    first, second = tuple(first), tuple(second)
    events = _events((*first, *second))
    return _closure(first, events) == _closure(second, events)


def in_words(stated: Iterable[Stated]) -> str:
    """Relations as ``end of A before start of B and …``."""
    return " and ".join(str(_relation(row)) for row in stated).replace("not_", "not ")


def claim_of(stated: Sequence[Stated]) -> Claim | Relation | None:
    """A claim that states some relations: about two points, or about two events; None if none."""
    if len(stated) == 1:
        return _relation(stated[0])
    sides = tuple(dict.fromkeys(event for row in stated for event, _ in row[::2]))
    for left, right in (sides, sides[::-1]) if len(sides) == 2 else ():
        for relation, meaning in _CLAIMS.items():
            if _equivalent(_of_events(left, meaning, right), stated):
                return Claim(left=left, relation=relation, right=right)
    return None


def _of_events(left: str, meaning: str, right: str) -> tuple[Stated, ...]:
    """The relations of a meaning such as ``A- < B-, B- < A+``."""
    names = {"A": left, "B": right}
    rows = (part.split() for part in meaning.split(", "))
    return tuple(((names[p[0]], p[1]), sign, (names[q[0]], q[1])) for p, sign, q in rows)


# --- Meanings -------------------------------------------------------------------------------------

_HEAD = re.compile(r"(?:[A-Za-z]+ ){0,4}?slotx+(?:'s [a-z]+|\.[a-z]+|[12]\b)?")
_EVEN = "(?:at|with|equal to|same as|simultaneous (?:to|with))"
_FORMS: tuple[tuple[str, str], ...] = (
    (rf"(?:before or {_EVEN}|at or before)\b", "no later than"),
    (rf"(?:after or {_EVEN}|at or after)\b", "no earlier than"),
    (r"overlaps\b", "overlapped"),
    *(
        (r"(?:the same|same|simultaneous|equal)(?: as| to| with|ly with)?\b", form)
        for form in ("at the same time as", "the same as", "equals")
    ),
)
_HINT = 'write "start of A after end of B", "A.end < B.start" or "A overlaps B", for example'


def meaning(
    statement: str, slots: Sequence[str], domain: Domain, spatial: SpatialReading
) -> tuple[Stated, ...]:
    """The point relations of a statement such as ``start of A after end of B``.

    It is read as a sentence of the domain, or of the temporal one, with the slots as events. A verb
    may be missing.

    Raises:
        FaultError: it has no meaning, or two.
    """
    slot_of = {f"slot{'x' * number}": slot for number, slot in enumerate(slots, 1)}
    name_of = {slot: name for name, slot in slot_of.items()}
    longest = "|".join(map(re.escape, sorted(slots, key=len, reverse=True)))
    number = "[12]?" if domain is Domain.LOGICAL else ""
    mark = re.compile(rf"(?<!\w)(?:\{{({longest})\}}|({longest}))(?={number}(?!\w))")
    text = mark.sub(lambda slot: name_of[slot[1] or slot[2]], statement.removesuffix("."))
    forms = [text]
    head = _HEAD.match(text)
    if head is not None:
        rest = re.sub("^(?:is|was) ", "", text[head.end() :].strip().replace("_", " "))
        rests = [rest, *(re.sub(f"^{old}", new, rest) for old, new in _FORMS)]
        forms += [f"{head[0]} {verb}{rest}" for rest in rests for verb in ("", "was ", "is ")]
    found: dict[frozenset[tuple[str, str, str]], tuple[Stated, ...]] = {}
    for words in dict.fromkeys((domain, Domain.TEMPORAL)):
        for form in dict.fromkeys(forms) if not found else ():
            rows = _reading(form, words, spatial)
            if rows and _events(rows) <= slot_of.keys():
                found.setdefault(_closure(rows, slot_of), rows)
    if len(found) == 1:
        return renamed(found.popitem()[1], slot_of)
    unknown = [word for word in re.findall(r"\b[A-Z]\b", statement) if word not in slots]
    raise FaultError(
        Fault(
            position=0,
            found=f"{quoted(statement)}{', which has two meanings' if found else ''}",
            expected="a relation of two events or points",
            hint=f"the text of the phrase has no slot {{{unknown[0]}}}" if unknown else _HINT,
        )
    )


def _reading(form: str, domain: Domain, spatial: SpatialReading) -> tuple[Stated, ...]:
    """What a statement says in the words of a domain; nothing if it cannot be read."""
    try:
        if domain is Domain.LOGICAL:
            return tuple(map(_stated, sentences.read(form, domain, spatial)[0]))
        parts = sentences.sentence_parts(form, phrases(domain, spatial), Names())
    except FaultError:
        return ()
    return tuple(row for part in parts for row in part)


# --- Sentences ------------------------------------------------------------------------------------


class Built(Protocol):
    """What the package reads without phrase files."""

    def premise(self, text: str) -> tuple[Relation, ...]:
        """The relations of sentences in the published wording, or a ``ParseError``."""

    def claim(self, text: str) -> Claim | Relation:
        """A claim, or a ``ParseError`` or ``FaultError``."""


class Wordings:
    """The phrases of files for one domain and spatial reading.

    Args:
        files: the files of this domain.
        domain: the domain.
        spatial: which edge of a place is its start.
        built: what the package reads without them.

    Raises:
        PhraseError: a phrase fails a test.
    """

    def __init__(
        self, files: Sequence[PhraseFile], domain: Domain, spatial: SpatialReading, built: Built
    ) -> None:
        self.files = tuple(files)
        self._logical, self._spatial, self._built = domain is Domain.LOGICAL, spatial, built
        self._domain = domain
        self._meanings = {
            phrase: _meaning_of(phrase, domain, spatial)
            for file in files
            for phrase in file.phrases
        }
        parts = {part for phrase in self._meanings for part in map(str.strip, phrase.words)}
        marks = "|".join(map(re.escape, sorted(filter(_marks, parts), key=len, reverse=True)))
        self._inside = re.compile(rf"(?<!\w)(?:{marks})(?!\w)") if marks else None
        for phrase, rows in self._meanings.items():
            self._admit(phrase, rows)

    def unlicensed(self, name: str) -> str | None:
        """The words of a phrase that a name contains, None if there are none."""
        found = None if self._inside is None else self._inside.search(name)
        return None if found is None else found[0]

    def used(self, premise: str, claim: str, listed: Collection[str] = ()) -> list[PhraseFile]:
        """The files with a phrase that one of the sentences is."""
        texts = [text for text in (premise.strip(), claim.strip()) if self._possible(text)]
        parts = sentences.comparisons if self._logical else sentences.stopless
        written = [part for text in texts for part in parts(text)]
        phrases = {
            phrase
            for phrase in self._meanings
            for part in written
            if next(self._matches(phrase, part, Names(), listed), None) is not None
        }
        return [file for file in self.files if not phrases.isdisjoint(file.phrases)]

    def _possible(self, text: str) -> bool:
        """Whether a text may have a phrase."""
        return any(phrase.within(text) for phrase in self._meanings)

    def claim(
        self, text: str, listed: Collection[str], names: Names, known: Collection[str]
    ) -> Claim | Relation | None:
        """The claim that a text states as a phrase; None if it is none, or a sentence anyway.

        Args:
            text: the claim.
            listed: names that the user lists.
            names: its names are added here.
            known: the events of the premise, which the name at its start is spelled like.

        Raises:
            FaultError: it has several meanings, or states no single relation.
        """
        own = Names()
        if not self._possible(text):
            return None
        found = self._phrases(sentences.without_stop(text), own, listed)
        if not found or self._plain_sentence(sentences.without_stop(text), listed):
            return None
        spelled = {name: name for name in _events(found[0])}
        for name in own.first - set(known):
            lower = name[:1].lower() + name[1:]
            spelled[name] = lower if lower in known else name
        names.quoted |= own.quoted
        claim = claim_of(renamed(found[0], spelled)) if len(found) == 1 else None
        if claim is None:
            hint = "a claim states one relation of two points or of two events"
            raise FaultError(_fault(text, hint if len(found) == 1 else _two(found)))
        return claim

    def _plain_sentence(self, text: str, listed: Collection[str]) -> bool:
        """Whether a sentence is read without phrases, too."""
        names = Names()
        if self._logical:
            return False
        try:
            words = phrases(self._domain, self._spatial)
            parts = sentences.sentence_parts(text, words, names)
        except FaultError:
            return False
        return all(self._plain(name, names, listed) for part in parts for name in _events(part))

    def sentence(
        self, listed: Collection[str], sentence: str, words: Phrases, names: Names
    ) -> tuple[tuple[Stated, ...], ...]:
        """The relations of a sentence: a phrase, or a sentence that the package reads.

        Raises:
            FaultError: it has no meaning, or several.
        """
        known = Names()
        found = self._phrases(sentence, known, listed)
        plain = Names()
        parts: tuple[tuple[Stated, ...], ...] = ()
        try:
            parts = sentences.sentence_parts(sentence, words, plain)
        except FaultError as error:
            if not found:
                try:
                    parts = (tuple(map(_stated, self._built.premise(sentence))),)
                except ParseError:
                    raise error from None
        rows = tuple(row for part in parts for row in part)
        if found and not all(self._plain(name, plain, listed) for name in _events(rows)):
            rows = ()
        if rows and not any(_equivalent(rows, other) for other in found):
            found.append(rows)
        if len(found) != 1:
            raise FaultError(_fault(sentence, _two(found)))
        for place in ("quoted", "first", "inner"):
            getattr(names, place).update(getattr(plain if rows else known, place))
        return parts if rows else (found[0],)

    def comparison(self, listed: Collection[str], part: str, names: Names) -> tuple[Stated, ...]:
        """The relations of a comparison between symbols: a phrase, or one that the package reads.

        Raises:
            FaultError: it has no meaning, or several.
        """
        found = self._phrases(part, names, listed)
        try:
            rows = sentences.comparison(part, names)
        except FaultError:
            if not found:
                raise
        else:
            if not any(_equivalent(rows, other) for other in found):
                found.insert(0, rows)
        if len(found) > 1:
            raise FaultError(_fault(part, _two(found)))
        return found[0]

    def _phrases(
        self, sentence: str, names: Names, listed: Collection[str]
    ) -> list[tuple[Stated, ...]]:
        """All different meanings of a sentence as a phrase; its names are added to ``names``."""
        found: list[tuple[Stated, ...]] = []
        for phrase, rows in self._meanings.items():
            for slots in self._matches(phrase, sentence, names, listed):
                stated = renamed(rows, slots)
                if not any(_equivalent(stated, other) for other in found):
                    found.append(stated)
        return found

    def _matches(
        self, phrase: Phrase, sentence: str, names: Names, listed: Collection[str]
    ) -> Iterator[dict[str, str]]:
        place: dict[str, set[str]] = {}

        def accepts(text: str, first: bool) -> str | None:
            if self._logical:
                place[text] = {"inner"}
                return text if sentences.SIDE.fullmatch(text) else None
            if text != text.strip() or "  " in text:
                return None
            if text[0] in '"“' and QUOTED.fullmatch(text):
                place.setdefault(text[1:-1], set()).add("quoted")
                return text[1:-1] or None
            name = without_article(text.split(" "), first=first)
            leads = first and name == text
            if name not in listed and (self.unlicensed(name) or unlicensed(name, leads)):
                return None
            place.setdefault(name, set()).add("first" if leads else "inner")
            return name if re.search(r"\w", name) else None

        for slots in phrase.matches(sentence, accepts):
            for name in slots.values():
                for kind in place[name]:
                    getattr(names, kind).add(name)
            # Two slots with one name say nothing about two events.
            if len(set(slots.values())) == len(slots):
                yield slots

    def _plain(self, name: str, names: Names, listed: Collection[str]) -> bool:
        """Whether a name of a sentence that the package reads is licensed."""
        if name == IT or name in listed or name in names.quoted:
            return True
        first = name in names.first - names.inner
        return self.unlicensed(name) is None and unlicensed(name, first) is None

    # Tests of a phrase

    def _admit(self, phrase: Phrase, rows: tuple[Stated, ...]) -> None:
        """Raise a ``PhraseError`` if a phrase fails a test."""
        for some in _SYMBOLS if self._logical else _NAMES:
            more = (f"{some[0]}{letter}" for letter in ascii_lowercase)
            names = dict(zip(phrase.slots, (*some, *more), strict=False))
            bare = {slot: re.sub("^(?:the|a) ", "", name) for slot, name in names.items()}
            self._reads_back(phrase, names, renamed(rows, bare))
            for first, second in combinations(phrase.slots, 2):
                swap = {first: second, second: first}
                swapped = {slot: names[swap.get(slot, slot)] for slot in phrase.slots}
                other = {slot: bare[swap.get(slot, slot)] for slot in phrase.slots}
                self._reads_back(phrase, swapped, renamed(rows, other), "its converse ")
            for text in phrase.refused:
                written = phrase.fill(dict(zip("ABCDEFGH", some, strict=False)) | names, text)
                for found in self._meanings_of(written):
                    message = f'"not" has the sentence {quoted(written)}, which is read as '
                    raise _refused(phrase, message + in_words(found))
            self._keeps_direction(phrase, names, renamed(rows, bare))

    def _reads_back(
        self,
        phrase: Phrase,
        names: Mapping[str, str],
        meant: tuple[Stated, ...],
        what: str = "",
    ) -> None:
        text = phrase.fill(names)
        found = self._meanings_of(text)
        if not found:
            hint = "the words of a phrase are no names, and are not split by a stop or a comma"
            message = f"{what}cannot be read back from {quoted(text)}"
            raise _refused(phrase, message, hint)
        for other in found:
            if not _equivalent(meant, other):
                hint = "swap the events of the meaning, or choose other words"
                message = f"{what}{quoted(text)} has two meanings: "
                raise _refused(phrase, message + f"{in_words(meant)}; {in_words(other)}", hint)

    def _keeps_direction(
        self, phrase: Phrase, names: Mapping[str, str], meant: tuple[Stated, ...]
    ) -> None:
        """Compare a phrase with what the package reads without its words of degree."""
        known, words = licensing_words(), phrase.text.split()
        if self._logical or not known["unsaying"].isdisjoint(words):
            return
        less = [word for word in words if word not in known["degree"] and word[-2:] != "ly"]
        text = phrase.fill(names, " ".join(less))
        for found in self._built_meanings(text) if less != words else ():
            weak = ((p, sign[0] + "=" * (sign != "="), q) for p, sign, q in found)
            if _contradictory((*weak, *meant)):
                message = f"means {in_words(meant)}, but {quoted(text)} is read as "
                raise _refused(phrase, message + in_words(found), "swap the events of the meaning")

    def _meanings_of(self, text: str) -> list[tuple[Stated, ...]]:
        """What a sentence means as a phrase, and what the package reads without phrases."""
        parts = sentences.comparisons(text) if self._logical else sentences.stopless(text)
        found = self._phrases(text, Names(), ()) if len(parts) == 1 else []
        return [*found, *self._built_meanings(text)]

    def _built_meanings(self, text: str) -> Iterator[tuple[Stated, ...]]:
        def plain(rows: Iterable[Stated]) -> bool:
            return all(self._plain(name, Names(), ()) for name in _events(rows))

        def stated(claim: Claim | Relation) -> tuple[Stated, ...]:
            if isinstance(claim, Relation):
                return (_stated(claim),)
            return _of_events(claim.left, _CLAIMS[claim.relation], claim.right)

        reads: tuple[Callable[[], tuple[Stated, ...]], ...] = (
            lambda: tuple(map(_stated, sentences.read(text, self._domain, self._spatial)[0])),
            lambda: tuple(map(_stated, self._built.premise(text))),
            lambda: stated(self._built.claim(text)),
        )
        for read in reads:
            try:
                rows = read()
            except (FaultError, ParseError):
                continue
            if self._logical or plain(rows):
                yield rows


_NAMES = (
    ("Harbour Fair", "Long Regatta", "Winter Ball", "Grain Market", "Boat Race", "Lantern Parade"),
    ("the quarrel", "the siege of Oldham", "a storm", "the feast", "the truce", "the thaw"),
    ("Alderley", "Brindle", "Corsham", "Dunmore", "Eastleigh", "Fenwick"),
)
_SYMBOLS = (("gate", "hill", "mill", "tide", "fair", "race"),)
"""Names with which phrases are tested."""


def _meaning_of(phrase: Phrase, domain: Domain, spatial: SpatialReading) -> tuple[Stated, ...]:
    """The relations of a phrase, between its slots.

    Raises:
        PhraseError: a statement cannot be read, or there is nothing that they say.
    """
    stated: list[Stated] = []
    for statement in phrase.means:
        try:
            stated += meaning(statement, phrase.slots, domain, spatial)
        except FaultError as error:
            fault = error.fault
            message = f"found {fault.found} in means, expected {fault.expected}"
            published = domain is Domain.SPATIAL and spatial is SpatialReading.PUBLISHED
            hint = "in the published reading of places, statements are about edges"
            raise _refused(phrase, message, hint if published else fault.hint) from None
    rows = tuple(dict.fromkeys(stated))
    if _contradictory(rows):
        raise _refused(phrase, f"meaning contradictory: {in_words(rows)}")
    if _equivalent(rows, ()):
        hint = "every event starts before it ends"
        raise _refused(phrase, f"empty meaning: {in_words(rows)} is always true", hint)
    for slot in phrase.slots:
        if slot not in _events(rows):
            hint = "each slot is an event of the meaning"
            raise _refused(phrase, f"found the slot {{{slot}}}, which means does not use", hint)
    return rows


def _refused(phrase: Phrase, message: str, hint: str = "") -> PhraseError:
    return PhraseError(f"phrase {quoted(phrase.text)}: {message}", where=phrase.where, hint=hint)


def _fault(sentence: str, hint: str) -> Fault:
    expected = "a sentence about the order of events"
    return Fault(position=0, found=found_at(sentence, 0), expected=expected, hint=hint)


def _two(found: Sequence[tuple[Stated, ...]]) -> str:
    return f"the sentence has two meanings: {'; '.join(map(in_words, found[:2]))}"


def _marks(part: str) -> bool:
    """Whether the words between two slots may not occur in a name."""
    words = licensing_words()
    common = words["between"] | words["articles"] | words["prepositions"] | {"and", "'s", ""}
    return not common.issuperset(re.split(r"[\s,]+", part))
