"""Reads a chain of thought about an item: what each of its steps states."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import TypeAlias

from grammar.eventhop.model import Domain, Item, Label, SpatialReading
from grammar.traces.clauses import Proto, Subjects
from grammar.traces.mentions import Mentions
from grammar.traces.model import (
    Orders,
    ReadSentence,
    ReadStatement,
    ReadStep,
    StatementKind,
    ordered,
)
from grammar.traces.sentence import Reading, read_sentence
from grammar.traces.wording import CLAIMED, FIRST_EVENT, unlayered

_MARK = re.compile("[\ue000-\ue0ff]")
_RESERVED = re.compile("[\x00\ue000-\ue2ff]")
_BETWEEN = "\n\x00\n"
_PRONOUN = re.compile(
    r"(?<![a-z])(?:its|it(?! follows that\b)|the(?:y|ir|m)|both|neither|each|latter|former|other"
    r"|overlap)(?![a-z])"
)
"""Of texts in lower case, where it is faster."""
_NUMBERED = re.compile(r"\W*(?:step )?(\d{1,3})[.):]", re.IGNORECASE)
_NAMED = re.compile(r"\b(?:step|line|statement) \(?(\d{1,3})\b(?! ?[:.)])", re.IGNORECASE)
_NUMBERS = ("step", "line", "statement")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=\S)")
_SHORT = re.compile(r"\b(i\.e|e\.g|vs|cf|resp|approx)\.", re.IGNORECASE)


def steps_of(trace: str) -> tuple[str, ...]:
    """The steps of a trace in one text: its lines that are not blank."""
    return tuple(line.strip() for line in trace.splitlines() if line.strip())


@lru_cache(1 << 16)
def _read_step(
    text: str, domain: Domain, spatial: SpatialReading, before: Reading | None
) -> tuple[Reading, ...]:
    """What the sentences of a step state, with placeholders for events."""
    plain = _SHORT.sub(lambda found: found[1], unlayered(text))
    found = []
    for sentence in _SENTENCE.split(plain):
        before = read_sentence(sentence.rstrip(". "), domain, spatial, before)
        found.append(before)
    return tuple(found)


_Context: TypeAlias = tuple[tuple[int, ...], Subjects | None, bool]
_Asked: TypeAlias = tuple[str, _Context]
_Answer: TypeAlias = tuple[tuple[ReadSentence, ...], _Context]


@cache
def _memory(_domain: Domain, _spatial: SpatialReading) -> dict[tuple[str, bool], _Answer | None]:
    """What steps without pronouns state: by the step, and whether it is within an assumption."""
    return {}


def _read_plain(
    text: str, domain: Domain, spatial: SpatialReading, *, assumed: bool
) -> _Answer | None:
    """What a step without pronouns states, whatever its item is; None if that depends on it.

    Args:
        text: the step, with a placeholder for each event.
        domain: its wording.
        spatial: which edge of a place is its start.
        assumed: whether the statement before is an assumption.
    """
    numbers, plain = _canonical(text, [])
    readings = _read_step(plain, domain, spatial, None)
    if any(reading.protos or reading.timeline for reading in readings if not reading.simple):
        return None
    sentences = []
    for reading in readings:
        stated = tuple(_simple(reading, numbers))
        sentences.append(ReadSentence(stated))
        if stated:
            assumed = stated[-1].kind is StatementKind.ASSUMED
    return tuple(sentences), (*_antecedents(readings[-1], numbers), assumed)


def forget() -> None:
    """Forget all steps that were read."""
    _memory.cache_clear()
    _read_step.cache_clear()


_KEPT = 4096
"""Maximum number of steps of an item that are kept as read."""
_REMEMBERED = 1 << 16
"""Maximum number of steps that are kept whatever their item is."""


class TraceReader:
    """Reads chains of thought about one item.

    Args:
        item: the item.
        spatial: which edge of a place is its start.
        claimed: the orders that the claim is equivalent to, in the numbers of the item.
    """

    def __init__(self, item: Item, spatial: SpatialReading, claimed: Orders) -> None:
        names = tuple(dict.fromkeys(_names(item)))
        self._domain, self._spatial = item.domain, spatial
        self._mentions = Mentions(names, logical=item.domain is Domain.LOGICAL)
        self._claimed = claimed
        self._events = tuple(
            dict.fromkeys(p >> 1 for order in claimed for p in (order[0], order[2]))
        )
        self._plain = _memory(self._domain, spatial)
        self._known: dict[_Asked, _Answer] = {}
        self._first = True

    def read(self, texts: Sequence[str]) -> tuple[ReadStep, ...]:
        """What some steps state, in order."""
        if not texts:
            return ()
        # Characters that mark events and steps here are not those of the text.
        plain = (_RESERVED.sub("\ufffd", text) for text in texts)
        whole = self._mentions.replaced(_BETWEEN.join(plain))
        marked = whole.split(_BETWEEN)
        low = whole.lower()
        pronouns = _PRONOUN.search(low) is not None
        names = any(word in low for word in _NUMBERS) and _NAMED.search(whole) is not None
        context: _Context = ((), None, False)
        labelled: dict[int, int] = {}
        found: list[ReadStep] = []
        for text, template in zip(texts, marked, strict=True):
            pronoun = pronouns and _PRONOUN.search(template.lower()) is not None
            asked = template, context if pronoun else ((), None, context[2])
            known = self._known.get(asked) if self._known else None
            if known is None:
                known = self._read(*asked)
                # Of an item with one trace, nothing is worth keeping.
                if not self._first and len(self._known) < _KEPT:
                    self._known[asked] = known
            sentences, after = known
            if names:
                sentences = _of_named(text, sentences, labelled, len(found))
            context = (*(after[:2] if after[0] else context[:2]), after[2])
            found.append(ReadStep(text, sentences))
        self._first = False
        return tuple(found)

    def _read(self, template: str, context: _Context) -> _Answer:
        """The sentences of a step, and what pronouns of the next one may stand for.

        Args:
            template: the step with placeholders.
            context: the events and the subject of the clause before, if the step has a pronoun, and
                whether the statement before is an assumption.
        """
        before, subject, assumed = context
        if not before and subject is None:
            plain = template, assumed
            if plain in self._plain:
                answer = self._plain[plain]
            else:
                answer = _read_plain(template, self._domain, self._spatial, assumed=assumed)
                if len(self._plain) < _REMEMBERED:
                    self._plain[plain] = answer
            if answer is not None:
                return answer
        numbers = list(before)
        known = None
        if before:
            known = Reading(events=tuple(range(len(before))), subject=_renamed(subject, numbers))
        numbers, text = _canonical(template, numbers)
        readings = _read_step(text, self._domain, self._spatial, known)
        sentences = []
        for reading in readings:
            stated = tuple(self._statements(reading, numbers, assumed=assumed))
            sentences.append(ReadSentence(stated))
            if stated:
                assumed = stated[-1].kind is StatementKind.ASSUMED
        return tuple(sentences), (*_antecedents(readings[-1], numbers), assumed)

    def _statements(
        self, reading: Reading, numbers: Sequence[int], *, assumed: bool
    ) -> Iterable[ReadStatement]:
        if reading.simple:
            yield from _simple(reading, numbers)
            return
        if reading.timeline:
            instants = tuple(
                (2 * numbers[p >> 1] + (p & 1), instant) for p, instant in reading.timeline
            )
            yield ReadStatement(kind=StatementKind.TIMELINE, instants=instants)
        for proto in reading.protos:
            if proto.about == "bare":
                # "Contradiction." after an assumption is about that one.
                bare = StatementKind.PREMISE_CONTRADICTORY
                yield ReadStatement(kind=StatementKind.ASSUMED if assumed else bare)
                continue
            assumed = proto.kind is StatementKind.ASSUMED
            yield from self._statement(proto, numbers)

    def _statement(self, proto: Proto, numbers: Sequence[int]) -> Iterable[ReadStatement]:
        kind = proto.kind
        if kind is None:
            return
        if kind is StatementKind.UNREAD:
            yield ReadStatement(kind=kind, events=len({p for p, _, _ in proto.group}))
            return
        if kind is StatementKind.ANSWER:
            yield ReadStatement(kind=kind, label=Label(proto.label))
            return
        if proto.about == "claim":
            yield ReadStatement(kind=kind, orders=self._claimed)
            return
        try:
            places = {p: self._place(p, numbers) for p, _, _ in proto.group}
            places |= {q: self._place(q, numbers) for _, _, q in proto.group}
        except IndexError:
            yield ReadStatement(kind=StatementKind.UNREAD, events=2)
            return
        if proto.about == "pair":
            events = {places[p] >> 1 for p in (proto.group[0][0], proto.group[0][2])}
            if kind is StatementKind.CLAIM_CONTRADICTORY:
                known = events == set(self._events)
                yield ReadStatement(kind=kind if known else StatementKind.PREMISE_CONTRADICTORY)
            elif events == set(self._events):
                yield ReadStatement(kind=kind, orders=self._claimed)
            else:
                yield ReadStatement(kind=StatementKind.UNREAD, events=2)
            return
        orders = tuple(ordered(places[p], sign, places[q]) for p, sign, q in proto.group)
        if proto.about == "label":
            claimed = sorted(orders) == sorted(self._claimed)
            if proto.label == "true" or not claimed:
                right = proto.label == "true"
                yield ReadStatement(
                    kind=StatementKind.HOLDS if right else StatementKind.DOES_NOT_HOLD,
                    orders=orders,
                )
            if claimed:
                yield ReadStatement(kind=StatementKind.ANSWER, label=Label(proto.label))
            return
        yield ReadStatement(kind=kind, orders=orders)

    def _place(self, point: int, numbers: Sequence[int]) -> int:
        event = point >> 1
        if event in CLAIMED:
            return 2 * self._events[CLAIMED.index(event)] + (point & 1)
        return 2 * numbers[event] + (point & 1)


def _simple(reading: Reading, numbers: Sequence[int]) -> Iterator[ReadStatement]:
    """The statements of the most frequent form, read without further questions."""
    at = [2 * number + bound for number in numbers for bound in (0, 1)]
    for kind, group in reading.simple:
        yield ReadStatement(kind, tuple(ordered(at[p], sign, at[q]) for p, sign, q in group))


def _antecedents(last: Reading, numbers: Sequence[int]) -> tuple[tuple[int, ...], Subjects | None]:
    """The events and the subject of a sentence, for the pronouns of the next step."""
    events = tuple(numbers[event] for event in last.events if event < len(numbers))
    return events, _actual(last.subject, numbers)


def _of_named(
    text: str, sentences: tuple[ReadSentence, ...], labelled: dict[int, int], place: int
) -> tuple[ReadSentence, ...]:
    """The sentences of a step, where a number of a step is that of the step with this label.

    Args:
        text: the step.
        sentences: what it states.
        labelled: the places of the steps before, by their labels; this one is added.
        place: the place of the step.
    """
    label = _NUMBERED.match(text)
    if label is not None:
        labelled[int(label[1])] = place
    named = _NAMED.search(text)
    if named is not None and int(named[1]) in labelled:
        return _taking_back(sentences, labelled[int(named[1])])
    return sentences


def _taking_back(sentences: tuple[ReadSentence, ...], step: int) -> tuple[ReadSentence, ...]:
    """The sentences of a step, where what they take back is another step."""
    return tuple(
        ReadSentence(
            tuple(
                stated._replace(step=step) if stated.kind is StatementKind.WITHDRAWS else stated
                for stated in sentence.statements
            )
        )
        for sentence in sentences
    )


def _names(item: Item) -> Iterable[str]:
    """The events as they are numbered: by their first mention."""
    for relation in item.premise:
        yield relation.left.event
        yield relation.right.event
    claim = item.claim
    for side in (claim.left, claim.right):
        yield side if isinstance(side, str) else side.event


def _canonical(template: str, numbers: list[int]) -> tuple[list[int], str]:
    """A text with its events numbered by their first mention, and the number of each."""
    found = [ord(mark) - FIRST_EVENT for mark in _MARK.findall(template)]
    if not found:
        return numbers, template
    numbers = list(dict.fromkeys((*numbers, *found)))
    if numbers == list(range(len(numbers))):
        return numbers, template
    table = {FIRST_EVENT + event: FIRST_EVENT + place for place, event in enumerate(numbers)}
    return numbers, template.translate(table)


def _renamed(subject: Subjects | None, numbers: Sequence[int]) -> Subjects | None:
    """A subject in the numbers of a step."""
    if subject is None:
        return None
    places = []
    for place in subject.places:
        event, bound = (place >> 1, place & 1) if subject.points else (place, 0)
        if event not in numbers:
            return None
        at = numbers.index(event)
        places.append(2 * at + bound if subject.points else at)
    return subject._replace(places=tuple(places))


def _actual(subject: Subjects | None, numbers: Sequence[int]) -> Subjects | None:
    """A subject in the numbers of the item."""
    if subject is None:
        return None
    places = []
    for place in subject.places:
        event, bound = (place >> 1, place & 1) if subject.points else (place, 0)
        if event >= len(numbers):
            return None
        places.append(2 * numbers[event] + bound if subject.points else numbers[event])
    return subject._replace(places=tuple(places))
