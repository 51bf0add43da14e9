"""The clauses of a sentence about events: which orders of points it states, denies or leaves open.

All readings of a clause are found; a clause with several, or with a word that no phrase has, is
unread. Numbers are placeholders of events; point ``2 * e`` is the start of event ``e``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from grammar.traces.model import StatementKind
from grammar.traces.wording import (
    CLAIMED,
    FIRST_EVENT,
    FIRST_POINT,
    IT,
    OTHER,
    THEY,
    Wording,
)

Triple: TypeAlias = tuple[int, str, int]
"""An order of two points, with any sign."""
Group: TypeAlias = tuple[Triple, ...]
"""The orders of one statement."""

SUBJECT, OBJECT = 300, 302
"""The event of a subject and of a mutual object, until they are known."""
SUBJECT_POINT, OBJECT_POINT = 2 * 304, 2 * 306
"""The same for points."""

MOST_STEPS = 20_000
"""Parts that are tried in a sentence; one that needs more is unread."""

_SIGN_OF = {
    "before": "<", "earlier": "<", "precede": "<", "order_before": "<", "after": ">", "later": ">",
    "follow": ">", "order_after": ">", "same": "=", "soon": "=", "coincide": "=", "order_same": "=",
    "by": "<=", "once": ">=", "less": "<", "greater": ">",
}  # fmt: skip
_OVERLAP = "A- < B+, B- < A+"
_EQUAL = "A- = B-, A+ = B+"


class TooLongError(Exception):
    """A sentence with too many parts."""


class Subjects(NamedTuple):
    """The subjects of a clause.

    Attributes:
        places: events, or points.
        points: whether they are points.
        neither: whether the clause denies its verb of each.
    """

    places: tuple[int, ...]
    points: bool
    neither: bool = False


class Predicate(NamedTuple):
    """What a verb states of its subjects.

    Attributes:
        groups: statements about each subject.
        mutual: statements about each two subjects in a row.
        either: whether the groups are alternatives, joined by *or*.
        places: the places that it names, in order.
        target: the last place, as what *which* stands for.
    """

    groups: tuple[Group, ...] = ()
    mutual: tuple[Group, ...] = ()
    either: bool = False
    places: tuple[int, ...] = ()
    target: Subjects | None = None


@dataclass(frozen=True, slots=True)
class Proto:
    """A statement whose pronouns may be open.

    Attributes:
        kind: what it is about; None for a comment, which only names events.
        group: its orders.
        about: ``claim`` for the orders of the claim, ``pair`` if the group is any order of two
            events and the orders of the claim are meant if it has these events, ``label`` for a
            statement that is one about the claim only if it has its orders.
        label: label of an answer.
    """

    kind: StatementKind | None
    group: Group = ()
    about: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class Clause:
    """The statements of a clause, and what pronouns after it may stand for.

    Attributes:
        protos: its statements.
        subjects: its subjects.
        target: the last place it names, if that can be the antecedent of *which*.
        places: all places that it names.
    """

    protos: tuple[Proto, ...]
    subjects: Subjects | None = None
    target: Subjects | None = None
    places: tuple[int, ...] = ()


def meaning(text: str, other: int) -> Group:
    """The orders of a meaning such as ``A+ < B-``, where A is the subject and B another event."""
    events = {"A": SUBJECT, "B": other}
    found = []
    for part in text.split(", "):
        left, sign, right = part.split()
        found.append(
            (2 * events[left[0]] + (left[1] == "+"), sign, 2 * events[right[0]] + (right[1] == "+"))
        )
    return tuple(found)


def filled(group: Group, place: int, *, point: bool, other: int | None = None) -> Group:
    """A group with its subject, and with its mutual object."""
    known = {}
    if point:
        known[SUBJECT_POINT] = place
        if other is not None:
            known[OBJECT_POINT] = other
    else:
        known |= {2 * SUBJECT: 2 * place, 2 * SUBJECT + 1: 2 * place + 1}
        if other is not None:
            known |= {2 * OBJECT: 2 * other, 2 * OBJECT + 1: 2 * other + 1}
    return tuple((known.get(p, p), sign, known.get(q, q)) for p, sign, q in group)


class Words:
    """The words of a sentence with their senses.

    Args:
        words: the words.
        wording: the phrases.
    """

    def __init__(self, words: Sequence[str], wording: Wording) -> None:
        self.words = words
        self.size = len(words)
        self.vocabulary = frozenset(words)
        self._wording = wording
        self._at: list[dict[str, list[tuple[int, str]]] | None] = [None] * (len(words) + 1)
        self._steps = 0

    def senses(self, at: int) -> dict[str, list[tuple[int, str]]]:
        """By category: where each phrase that begins at a word ends, and its value."""
        known = self._at[at]
        if known is None:
            known = {}
            if at < self.size:
                words, senses = self.words, self._wording.senses
                for size in self._wording.lengths.get(words[at], ()):
                    end = at + size
                    if end <= self.size:
                        for category, value in senses.get(tuple(words[at:end]), ()):
                            known.setdefault(category, []).append((end, value))
            self._at[at] = known
        return known

    def find(self, at: int, *categories: str) -> Sequence[tuple[int, str, str]]:
        """The end, category and value of each phrase of some categories, longer ones first."""
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise TooLongError
        senses = self._at[at]
        if senses is None:
            senses = self.senses(at)
        if not senses:
            return ()
        return [
            (end, category, value)
            for category in categories
            if category in senses
            for end, value in senses[category]
        ]

    def longest(self, at: int, category: str) -> tuple[int, str] | None:
        """The end and the value of the longest phrase of a category."""
        found = self.senses(at).get(category)
        return found[0] if found else None

    def word(self, at: int) -> str:
        """A word; empty beyond the last one."""
        return self.words[at] if at < self.size else ""

    def event(self, at: int) -> int | None:
        """The event at a word."""
        if at < self.size:
            code = ord(self.words[at][0])
            if FIRST_EVENT <= code < FIRST_POINT:
                return code - FIRST_EVENT
        return None

    def point(self, at: int) -> int | None:
        """The point at a word."""
        if at < self.size:
            code = ord(self.words[at][0])
            if FIRST_POINT <= code < FIRST_POINT + 2 * (FIRST_POINT - FIRST_EVENT):
                return code - FIRST_POINT
        return None

    def past(self, at: int, *categories: str) -> int:
        """The place after words of some categories."""
        while at < self.size:
            ends = [end for end, _, _ in self.find(at, *categories)]
            if not ends:
                return at
            at = max(ends)
        return at


_STOPS = frozenset(
    (
        ".",
        ",",
        ";",
        ":",
        "!",
        "?",
        "(",
        ")",
        "—",
        "–",
        "|",
        "/",
        "-",
        "and",
        "but",
        "=>",
        "->",
        "⇒",
        "⟹",
        "→",
        "∴",
        "&",
    )
)
_OPEN_ENDED = frozenset((",", "and", "&"))


class Clauses:
    """Reads the clauses of a sentence.

    Args:
        words: its words.
        wording: the phrases.
    """

    def __init__(self, words: Words, wording: Wording) -> None:
        self.words = words
        self._logical = wording.logical
        self._nouns = wording.nouns

    # Places

    def events(self, at: int) -> Iterator[tuple[tuple[int, ...], int]]:
        """Events joined by *and*."""
        words = self.words
        both = words.word(at) == "both"
        if both:
            at += 1
        for end, _, _ in words.find(at, "claimed"):
            yield CLAIMED, end
        if words.word(at) == "they" or (both and words.event(at) is None):
            for end, _, _ in words.find(at - both, "they"):
                yield THEY, end
        first = words.event(at)
        if first is None:
            if words.word(at) == "it":
                yield (IT,), at + 1
            if words.word(at) == "the" and words.word(at + 1) in _NAMED_BEFORE:
                end = at + 2 + (words.word(at + 2) in ("one", "event", "place"))
                yield (_NAMED_BEFORE[words.word(at + 1)],), end
            return
        if not both:
            yield (first,), at + 1
        yield from self._more([first], at + 1, words.event)

    def points(self, at: int) -> Iterator[tuple[tuple[int, ...], int]]:
        """Points joined by *and*."""
        words = self.words
        both = words.word(at) == "both"
        if both:
            at += 1
        if words.word(at) == "the" and words.point(at + 1) is not None:
            at += 1
        first = words.point(at)
        if first is None:
            return
        if not both:
            yield (first,), at + 1
        yield from self._more([first], at + 1, words.point)

    def _more(
        self, found: list[int], at: int, place: object
    ) -> Iterator[tuple[tuple[int, ...], int]]:
        assert callable(place)
        while True:
            last = False
            here = at
            if self.words.word(here) == ",":
                here += 1
            if self.words.word(here) in ("and", "&"):
                here, last = here + 1, True
            if here == at:
                return
            following = place(here)
            if following is None:
                return
            found, at = [*found, following], here + 1
            if last:
                yield tuple(found), at
                return

    def subjects(self, at: int) -> Iterator[tuple[Subjects, int]]:
        """The subjects of a clause."""
        if self.words.word(at) == "neither":
            for events, end in self._neither(at + 1):
                yield events, end
        for places, end in self.points(at):
            yield Subjects(places, True), end
        for places, end in self.events(at):
            yield Subjects(places, False), end
            if places == (IT,):
                yield Subjects((2 * IT,), True), end

    def _neither(self, at: int) -> Iterator[tuple[Subjects, int]]:
        for place, points in ((self.words.event, False), (self.words.point, True)):
            first, second = place(at), place(at + 2)
            if first is not None and second is not None and self.words.word(at + 1) == "nor":
                yield Subjects((first, second), points, True), at + 3

    def targets(self, at: int) -> Iterator[tuple[tuple[int, ...], bool, int]]:
        """Points that something is compared with, whether a verb makes them, and the end."""
        for places, end in self.points(at):
            yield places, False, end
        here = at
        if self.words.word(at) in ("where", "when", "that"):
            here = at + 1
        for events, end in self.events(here):
            verb_at = self.words.past(end, "adverbs")
            for after, category, _ in self.words.find(verb_at, "begin", "end", "begun", "ended"):
                bound = int(category in ("end", "ended"))
                yield tuple(2 * event + bound for event in events), True, after

    # Verbs

    def mood(self, at: int) -> Iterator[tuple[str, int]]:
        """How a verb is stated, by the names of ``_KINDS``, and where it begins."""
        words = self.words
        at = words.past(at, "adverbs") if not self._is_verb(at) else at
        denied = words.word(at) == "not"
        here = words.past(at + 1, "adverbs") if denied else at
        # "Is not necessarily before" has its adverb after the verb.
        softened = denied and any(
            True
            for end, _, _ in words.find(here, "whole")
            for _ in words.find(words.past(end, "adverbs"), "necessarily")
        )
        yield "not must" if softened else "not" if denied else "holds", here
        for end, category, _ in words.find(
            here, "modal may", "modal must", "modal would", "modal may_not", "necessarily"
        ):
            end = words.past(end, "adverbs")
            if category == "modal would":
                yield "not must" if denied and words.word(here).startswith("need") else "would", end
            elif category == "modal may_not":
                if not denied:
                    yield "open", end
            elif category == "necessarily":
                yield "not must" if denied else "holds", end
                for after, _, _ in words.find(end, "necessarily"):
                    yield "not must" if denied else "holds", after
            elif category == "modal may":
                modal = words.word(here)
                if not denied:
                    yield "may", end
                elif modal in ("can", "could"):
                    yield "not", end
                else:
                    yield "may not", end
            else:
                obliged = words.word(here) in ("has", "have", "had")
                if words.word(here) in ("do", "does", "did"):
                    continue
                yield ("not must" if denied and obliged else "not" if denied else "holds"), end

    def _is_verb(self, at: int) -> bool:
        return any(True for _ in self.words.find(at, "begin", "end", "whole", "relation"))

    def predicates(self, at: int, *, points: bool) -> Iterator[tuple[Predicate, int]]:
        """What a verb says of points, or of events."""
        yield from self._of_points(at) if points else self._of_events(at)

    def _of_events(self, at: int) -> Iterator[tuple[Predicate, int]]:
        words = self.words
        for end, category, _ in words.find(at, "begin", "end", "begun", "ended"):
            yield from self._verb_of_point(
                end, int(category in ("end", "ended")), category, words.word(at)
            )
        for end, _, _ in words.find(at, "whole"):
            end = words.past(end, "adverbs", "necessarily")
            yield from self._whole(end)
        for end, category, _ in words.find(at, "precede", "follow"):
            sign = _SIGN_OF[category]
            for events, after in self.events(end):
                yield self._relates("A+ < B-" if sign == "<" else "A- > B+", events), after
            for places, _, after in self.targets(end):
                yield self._compares("+" if sign == "<" else "-", sign, places), after
        for end, _, value in words.find(at, "relation"):
            for events, after in self.events(end):
                yield self._relates(value, events), after
            if value == _OVERLAP:
                yield Predicate(mutual=(meaning(value, OBJECT),)), self._reciprocal(end)
        if words.word(at) in ("share", "shares", "shared", "have", "had") and words.word(
            at + 1
        ) in (
            "their",
            "a",
            "the",
        ):
            here = at + 2 + (words.word(at + 2) in ("same", "common"))
            for size in (2, 1):
                bound = self._nouns.get(" ".join(words.words[here : here + size]))
                if bound is not None:
                    mine = "-+"[bound]
                    yield Predicate(mutual=(meaning(f"A{mine} = B{mine}", OBJECT),)), here + size
        for end, _, _ in words.find(at, "going"):
            for after, _, _ in words.find(end, "same"):
                for places, verb, last in self.targets(after):
                    if verb:
                        groups = tuple(
                            ((2 * SUBJECT, "<", p), (2 * SUBJECT + 1, ">", p)) for p in places
                        )
                        yield Predicate(groups=groups, places=places), last
            for after, _, _ in words.find(end, "during"):
                for events, last in self.events(after):
                    yield self._relates("A- > B-, A+ < B+", events), last
        for end, _, _ in words.find(at, "lasted"):
            for places, _, after in self.targets(end):
                yield self._compares("+", "=", places), after
        for end, _, _ in words.find(at, "throughout"):
            for events, after in self.events(end):
                yield self._relates("A- <= B-, A+ >= B+", events), after

    def _reciprocal(self, at: int) -> int:
        return (
            at + 2
            if self.words.word(at) in ("each", "one")
            and self.words.word(at + 1) in ("other", "another")
            else at
        )

    def _verb_of_point(
        self, at: int, bound: int, category: str, verb: str
    ) -> Iterator[tuple[Predicate, int]]:
        words = self.words
        mine = "-+"[bound]
        at = words.past(at, "adverbs")
        yield from self._orders(
            at, 2 * SUBJECT + bound, perfect=category in ("begun", "ended"), event=True
        )
        for end, _, _ in words.find(at, "together"):
            yield Predicate(mutual=(meaning(f"A{mine} = B{mine}", OBJECT),)), end
            if words.word(end) in ("as", "with"):
                for events, after in self.events(end + 1):
                    yield self._relates(f"A{mine} = B{mine}", events), after
        for events, end in self._during(at):
            yield self._relates(f"A{mine} > B-, A{mine} < B+", events), end
        if words.word(at) == "and":
            for end, other, _ in words.find(at + 1, "begin", "end"):
                if (other == "end") == bool(bound):
                    continue
                for after, _, _ in words.find(end, "together"):
                    yield Predicate(mutual=(meaning(_EQUAL, OBJECT),)), after
                for events, after in self._during(end):
                    yield self._relates("A- > B-, A+ < B+", events), after
                for low in self._orders(end, 2 * SUBJECT, perfect=False, event=True):
                    for high in self._orders(end, 2 * SUBJECT + 1, perfect=False, event=True):
                        if low[1] == high[1] and low[0].places == high[0].places:
                            yield low[0]._replace(groups=(*low[0].groups, *high[0].groups)), low[1]
        if self._logical and verb in ("starts", "finishes"):
            text = "A- = B-, A+ < B+" if verb == "starts" else "A- > B-, A+ = B+"
            for events, end in self.events(at):
                yield self._relates(text, events), end

    def _during(self, at: int) -> Iterator[tuple[tuple[int, ...], int]]:
        words = self.words
        for end, _, _ in words.find(at, "during"):
            yield from self.events(end)
        for end, _, _ in words.find(at, "while"):
            for events, after in self.events(end):
                for last, _, _ in words.find(after, "going"):
                    yield events, last

    def _whole(self, at: int) -> Iterator[tuple[Predicate, int]]:
        """After a verb of a whole event: *is*, *happens*."""
        words = self.words
        both = words.word(at) == "both"
        for end, category, _ in words.find(at + both, "before", "after"):
            for after, other, _ in (
                words.find(end + 1, "before", "after") if words.word(end) == "and" else ()
            ):
                if other != category:
                    for events, last in self.events(after):
                        halves = [self._relates(text, events) for text in ("A+ <= B-", "A- >= B+")]
                        groups = (*halves[0].groups, *halves[1].groups)
                        yield halves[0]._replace(groups=groups), last
        for end, category, _ in words.find(at, "before", "after"):
            sign = _SIGN_OF[category]
            strictly = words.word(at) in ("strictly", "entirely")
            if words.word(end) == "or":
                for after, other, _ in words.find(end + 1, "before", "after"):
                    if other != category:
                        for events, last in self.events(after):
                            halves = [
                                self._relates(text, events) for text in ("A+ <= B-", "A- >= B+")
                            ]
                            groups = (*halves[0].groups, *halves[1].groups)
                            yield halves[0]._replace(groups=groups, either=True), last
            text = (
                f"A+ <{'' if strictly else '='} B-"
                if sign == "<"
                else f"A- >{'' if strictly else '='} B+"
            )
            for events, last in self.events(end):
                yield self._relates(text, events), self._did(last)
        for end, category, _ in words.find(at, "before", "after", "earlier", "later"):
            sign = _SIGN_OF[category]
            for places, _, last in self.targets(end):
                yield self._compares("+" if sign == "<" else "-", sign, places), last
            if category in ("earlier", "later") and words.word(at - 1) in _BEING:
                for events, last in self.events(end):
                    yield (
                        self._relates("A+ <= B-" if sign == "<" else "A- >= B+", events),
                        self._did(last),
                    )
        for end, _, _ in words.find(at, "between"):
            for events, last in self.events(end):
                if len(events) == 2:
                    low = self._relates("A- >= B+", events[:1])
                    high = self._relates("A+ <= B-", events[1:])
                    yield (
                        high._replace(
                            groups=(*low.groups, *high.groups), places=(*low.places, *high.places)
                        ),
                        last,
                    )
        for end, category, _ in words.find(at, "by", "once"):
            for places, _, last in self.targets(end):
                yield (
                    self._compares("+" if category == "by" else "-", _SIGN_OF[category], places),
                    last,
                )
        for end, _, value in words.find(at, "placed"):
            for events, last in self.events(end):
                yield self._relates(value, events), last
        for events, end in self._during(at):
            yield self._relates("A- > B-, A+ < B+", events), end

    def _did(self, at: int) -> int:
        """The end after a verb that repeats the first one: "before Lunch does"."""
        return at + 1 if self.words.word(at) in ("did", "does", "do", "is", "was") else at

    def _of_points(self, at: int) -> Iterator[tuple[Predicate, int]]:
        words = self.words
        for end, _, _ in words.find(at, "whole"):
            end = words.past(end, "adverbs", "necessarily")
            yield from self._orders(end, SUBJECT_POINT, perfect=False, event=False)
            for places, after in self.points(end):
                if words.word(at) in ("is", "was", "are", "were", "be"):
                    yield self._compares("", "=", places), after
            for after, _, _ in words.find(end, "together"):
                yield Predicate(mutual=(((SUBJECT_POINT, "=", OBJECT_POINT),),)), after
            for after, category, _ in words.find(end, "less", "greater"):
                for places, _, last in self.targets(after):
                    yield self._compares("", _SIGN_OF[category], places), last
            for events, after in self._during(end):
                groups = tuple(
                    ((SUBJECT_POINT, ">", 2 * e), (SUBJECT_POINT, "<", 2 * e + 1)) for e in events
                )
                yield Predicate(groups=groups, places=tuple(2 * e for e in events)), after
        for end, category, _ in words.find(
            at, "order_before", "order_after", "order_same", "precede", "follow", "coincide"
        ):
            for places, _, after in self.targets(end):
                yield self._compares("", _SIGN_OF[category], places), after
            if category == "coincide" and words.word(end) == "with":
                for places, _, after in self.targets(end + 1):
                    yield self._compares("", "=", places), after
        for end, _, value in words.find(at, "relation"):
            if value == _EQUAL:
                for places, _, after in self.targets(end):
                    yield self._compares("", "=", places), after
        for end, _, _ in words.find(at, "coincided"):
            yield Predicate(mutual=(((SUBJECT_POINT, "=", OBJECT_POINT),),)), end
        # Without a verb: "the end of A before the start of B".
        for predicate, end in self._orders(at, SUBJECT_POINT, perfect=False, event=False):
            yield predicate, end

    def _orders(
        self, at: int, point: int, *, perfect: bool, event: bool
    ) -> Iterator[tuple[Predicate, int]]:
        """Orders of a point and others: "before B starts and after C ends"."""
        for first, end in self._order(at, point, perfect=perfect, event=event):
            yield first, end
            joint = self.words.word(end)
            if joint == "," and self.words.word(end + 1) in ("and", "or", "but"):
                end, joint = end + 1, self.words.word(end + 1)
            elif joint == "," and self.words.word(end + 1) in ("hence", "thus", "therefore", "so"):
                joint = "and"
            if joint in ("and", "but", "or"):
                # "And hence before B ends", ", hence before B ends".
                start = end + 1 if joint == "or" else self.words.past(end + 1, "adverbs", "so")
                for second, after in self._orders(start, point, perfect=perfect, event=event):
                    either = joint == "or"
                    if len(second.groups) > 1 and second.either is not either:
                        continue
                    yield (
                        Predicate(
                            groups=(*first.groups, *second.groups),
                            either=either,
                            places=(*first.places, *second.places),
                            target=second.target,
                        ),
                        after,
                    )

    def _order(
        self, at: int, point: int, *, perfect: bool, event: bool
    ) -> Iterator[tuple[Predicate, int]]:
        words = self.words
        at = words.past(at, "adverbs") if not event else at
        categories = (
            "before",
            "after",
            "earlier",
            "later",
            "same",
            "soon",
            "once",
            "by",
            "less",
            "greater",
        )
        both = words.word(at) == "both"
        at += words.word(at) == "either"
        for end, category, _ in words.find(at + both, *categories[:4]):
            for after, other, _ in (
                words.find(end + 1, *categories[:4]) if words.word(end) == "and" else ()
            ):
                if _SIGN_OF[other] != _SIGN_OF[category]:
                    for places, _, last in self._targets_of(after, other, point, event=event):
                        signs = (_SIGN_OF[category], _SIGN_OF[other])
                        groups = tuple(((point, one, place),) for place in places for one in signs)
                        yield (
                            Predicate(
                                groups=groups, places=places, target=Subjects(places[-1:], True)
                            ),
                            last,
                        )
        for end, _, _ in words.find(at, "between"):
            for places, last in self.points(end):
                if len(places) == 2:
                    groups = (((point, ">", places[0]),), ((point, "<", places[1]),))
                    yield Predicate(groups=groups, places=places), last
        for end, _, _ in words.find(at, "either_side"):
            for places, _, last in self.targets(end):
                groups = tuple(((point, sign, q),) for q in places for sign in "<>")
                yield Predicate(groups=groups, either=True, places=places), last
        for end, category, _ in words.find(at, *categories):
            sign = _SIGN_OF[category]
            if category == "same" and perfect:
                sign = "<"
            if words.word(end) == "or" and category in (
                "before",
                "after",
                "earlier",
                "later",
                "less",
                "greater",
            ):
                for after, other, _ in words.find(
                    end + 1, "before", "after", "earlier", "later", "less", "greater"
                ):
                    if _SIGN_OF[other] == sign:
                        continue
                    for places, _, last in self._targets_of(after, other, point, event=event):
                        groups = tuple(
                            ((point, one, place),)
                            for place in places
                            for one in (sign, _SIGN_OF[other])
                        )
                        yield Predicate(groups=groups, either=True, places=places), last
            for places, _, last in self._targets_of(end, category, point, event=event):
                yield self._compares_point(point, sign, places), last

    def _targets_of(
        self, at: int, category: str, point: int, *, event: bool
    ) -> Iterator[tuple[tuple[int, ...], bool, int]]:
        """The points that an order is about; for an event without a verb, one of its points."""
        words = self.words
        for places, verb, end in self.targets(at):
            yield places, verb, end
        for events, end in self.events(at):
            did = self._did(end)
            if event:
                bound = point & 1
                if category in ("earlier", "later", "same", "soon") or did > end:
                    yield tuple(2 * e + bound for e in events), False, did
                elif category in ("before", "after"):
                    edge = int(category == "after")
                    yield tuple(2 * e + edge for e in events), False, end
                    for last, _, _ in words.find(end, "whole"):
                        if last > did:
                            yield tuple(2 * e + edge for e in events), False, last
            elif category in ("before", "after"):
                edge = int(category == "after")
                yield tuple(2 * e + edge for e in events), False, end

    @staticmethod
    def _compares_point(point: int, sign: str, places: tuple[int, ...]) -> Predicate:
        groups = tuple(((point, sign, place),) for place in places)
        return Predicate(groups=groups, places=places, target=Subjects(places[-1:], True))

    def _compares(self, bound: str, sign: str, places: tuple[int, ...]) -> Predicate:
        """A point of the subject, or the subject if it is a point, against others."""
        point = {"": SUBJECT_POINT, "-": 2 * SUBJECT, "+": 2 * SUBJECT + 1}[bound]
        return self._compares_point(point, sign, places)

    @staticmethod
    def _relates(text: str, events: Iterable[int]) -> Predicate:
        events = tuple(events)
        return Predicate(
            groups=tuple(meaning(text, event) for event in events),
            places=tuple(2 * event for event in events),
            target=Subjects(events[-1:], False),
        )

    # Clauses

    def clauses(self, at: int, before: Clause | None) -> Iterator[tuple[Clause, int]]:
        """The clauses that begin at a word; ``before`` is the one before it in the sentence."""
        words = self.words
        denied = words.word(at) == "not" and words.word(at + 1) in ("it", "they")
        start = at + 1 if denied else at
        for subjects, end in self.subjects(start):
            for clause, after in self._with_verbs(subjects, end, denied=denied):
                yield clause, after
        yield from self.chains(at)
        yield from self._fronted(at)
        yield from self._of_each_other(at)
        if not words.vocabulary.isdisjoint(_THEN):
            yield from self._then(at)
        if "overlap" in words.vocabulary:
            yield from self._overlap(at)
        if before is not None:
            yield from self._elliptic(at, before)
        if (
            before is not None
            and before.subjects is not None
            and words.word(at - 1)
            in ("and", "but", "then", ",", "so", "thus", "therefore", "hence", "also", "yet")
        ):
            for clause, after in self._with_verbs(before.subjects, at, denied=False):
                yield clause, after
        if before is not None and before.target is not None and words.word(at) == "which":
            yield from self._with_verbs(before.target, at + 1, denied=False)
            if before.target.points:
                event = Subjects(tuple(place >> 1 for place in before.target.places), False)
                for clause, after in self._with_verbs(event, at + 1, denied=False):
                    if any(True for _ in words.find(at + 1, "begin", "end", "begun", "ended")):
                        yield clause, after

    def _with_verbs(
        self, subjects: Subjects, at: int, *, denied: bool
    ) -> Iterator[tuple[Clause, int]]:
        # "A and B both ended".
        if len(subjects.places) > 1 and self.words.word(at) in ("both", "each", "all"):
            at += 1
        for mood, verb_at in self.mood(at):
            if denied and mood == "holds":
                mood = "not"
            elif denied:
                continue
            if mood == "not" and not subjects.points:
                yield from self._not_until(subjects, verb_at)
            for predicate, end in self.predicates(verb_at, points=subjects.points):
                protos = self._stated(subjects, mood, predicate)
                if protos is None:
                    continue
                places = tuple(p if subjects.points else 2 * p for p in subjects.places)
                yield Clause(protos, subjects, predicate.target, (*places, *predicate.places)), end

    def _then(self, at: int) -> Iterator[tuple[Clause, int]]:
        """Clauses such as "A ends and then B starts"."""
        words = self.words
        for places, verb, end in self.targets(at):
            here = end + (words.word(end) == ",")
            here += words.word(here) == "and"
            here += words.word(here) == "only"
            if not verb or len(places) > 1 or words.word(here) not in _THEN:
                continue
            for others, made, last in self.targets(here + 1):
                if made and len(others) == 1:
                    proto = Proto(StatementKind.HOLDS, ((places[0], "<", others[0]),))
                    target = Subjects(others, True)
                    subjects = Subjects((places[0] >> 1,), False)
                    yield Clause((proto,), subjects, target, (*places, *others)), last

    def _of_each_other(self, at: int) -> Iterator[tuple[Clause, int]]:
        """Clauses such as "neither ends before the other starts", of the two events before."""
        words = self.words
        if words.word(at) not in ("neither", "each"):
            return
        denied = words.word(at) == "neither"
        ends = (end for end, _, _ in words.find(at + 1, "of two"))
        for verb_at in {at + 1, *ends}:
            for predicate, end in self._of_events(words.past(verb_at, "adverbs")):
                if not {2 * OTHER, 2 * OTHER + 1} & set(predicate.places) or predicate.mutual:
                    continue
                groups = []
                for mine, other in (THEY, THEY[::-1]):
                    known = {2 * OTHER + bound: 2 * other + bound for bound in (0, 1)}
                    for group in predicate.groups:
                        about = filled(group, mine, point=False)
                        groups.append(
                            tuple((known.get(p, p), s, known.get(q, q)) for p, s, q in about)
                        )
                protos = _in_mood(groups, "not" if denied else "holds", either=predicate.either)
                if protos is not None:
                    yield (
                        Clause(protos, Subjects(THEY, False), None, (2 * THEY[0], 2 * THEY[1])),
                        end,
                    )

    def _overlap(self, at: int) -> Iterator[tuple[Clause, int]]:
        """*Overlap* as a noun: "there is no overlap of A and B", "an overlap is possible"."""
        words = self.words
        here = at + 2 if words.word(at) == "there" and words.word(at + 1) in ("is", "was") else at
        denied = words.word(here) == "no" or (words.word(at) == "not" and here == at)
        if denied and words.words[at + 1 : at + 3] == ["there", "is"]:
            here += 2
        for end, _, _ in words.find(here + denied, "overlap"):
            places, last = THEY, end
            if words.word(end) in ("between", "of", "with"):
                for events, after in self.events(end + 1):
                    if len(events) == 2:
                        places, last = (events[0], events[1]), after
            said = any(True for _ in words.find(words.past(last, "adverbs"), "predicate"))
            if not (denied or said or here > at or words.word(last) == "not"):
                continue
            group = filled(meaning(_OVERLAP, OBJECT), places[0], point=False, other=places[1])
            protos = _in_mood([group], "not" if denied else "holds", either=False)
            if protos is not None:
                yield (
                    Clause(protos, Subjects(places, False), None, tuple(2 * e for e in places)),
                    last,
                )

    def _elliptic(self, at: int, before: Clause) -> Iterator[tuple[Clause, int]]:
        """Clauses that repeat a part of the one before: "so does B", "not before it"."""
        words, subjects = self.words, before.subjects
        if subjects is None or len(subjects.places) != 1:
            return
        if words.word(at) == "not" and words.word(at - 1) in (",", "and", "but", "so"):
            found = (
                self._orders(at + 1, SUBJECT_POINT, perfect=False, event=False)
                if subjects.points
                else self._whole(at + 1)
            )
            for predicate, end in found:
                protos = self._stated(subjects, "not", predicate)
                if protos is not None:
                    place = subjects.places[0] * (1 if subjects.points else 2)
                    yield (
                        Clause(protos, subjects, predicate.target, (place, *predicate.places)),
                        end,
                    )
        own = subjects.places[0]
        for second, end in self._repeated(at, points=subjects.points):
            known = (
                {own: second}
                if subjects.points
                else {2 * own + bound: 2 * second + bound for bound in (0, 1)}
            )
            used = {
                p
                for proto in before.protos
                for triple in proto.group
                for p in (triple[0], triple[2])
            }
            if not used or used & set(known.values()):
                continue
            protos = tuple(
                Proto(
                    proto.kind,
                    tuple((known.get(p, p), sign, known.get(q, q)) for p, sign, q in proto.group),
                )
                for proto in before.protos
            )
            if all(proto.kind is StatementKind.HOLDS and proto.group for proto in protos):
                places = tuple(dict.fromkeys(known.get(p, p) for p in used))
                yield Clause(protos, Subjects((second,), subjects.points), None, places), end

    def _repeated(self, at: int, *, points: bool) -> Iterator[tuple[int, int]]:
        """The new subject of a clause that repeats the verb: "so does B", "B does too"."""
        words = self.words
        place = words.point if points else words.event
        if words.word(at) in ("so", "as") and words.word(at + 1) in _REPEATING:
            second = place(at + 2)
            if second is not None:
                yield second, at + 3
        if words.word(at - 1) == "so" and words.word(at) in _REPEATING:
            second = place(at + 1)
            if second is not None:
                yield second, at + 2
        second = place(at)
        if second is not None and words.word(at + 1) in _REPEATING:
            if words.word(at + 2) in ("too", "also"):
                yield second, at + 3
            elif words.words[at + 2 : at + 4] == ["as", "well"]:
                yield second, at + 4

    def _not_until(self, subjects: Subjects, at: int) -> Iterator[tuple[Clause, int]]:
        """Clauses such as "A did not start until B had ended"; *not* is before the verb."""
        words = self.words
        for end, category, _ in words.find(at, "begin", "end"):
            if words.word(end) != "until":
                continue
            after = words.word(end + 1) == "after"
            for places, _, last in self.targets(end + 1 + after):
                point = 2 * SUBJECT + (category == "end")
                predicate = self._compares_point(point, ">" if after else ">=", places)
                protos = self._stated(subjects, "holds", predicate)
                if protos is not None:
                    named = (*(2 * event for event in subjects.places), *places)
                    yield Clause(protos, subjects, predicate.target, named), last

    def _stated(
        self, subjects: Subjects, mood: str, predicate: Predicate
    ) -> tuple[Proto, ...] | None:
        groups: list[Group] = []
        if predicate.mutual:
            if len(subjects.places) < 2:
                return None
            for left, right in pairwise(subjects.places):
                groups += [
                    filled(group, left, point=subjects.points, other=right)
                    for group in predicate.mutual
                ]
        else:
            for place in subjects.places:
                groups += [
                    filled(group, place, point=subjects.points) for group in predicate.groups
                ]
        if subjects.neither:
            if mood != "holds":
                return None
            mood = "not"
        return _in_mood(groups, mood, either=predicate.either)

    def chains(self, at: int) -> Iterator[tuple[Clause, int]]:
        """Comparisons in symbols: ``A.end < B.start = C.start``; ``gate < soap``."""
        words = self.words
        denied = words.word(at) == "not"
        if denied and at and words.word(at - 1) in ("but", ",", "and"):
            return
        here = at + 1 if denied else at
        place = words.point if words.point(here) is not None else words.event
        first = place(here)
        if first is None:
            return
        points = place == words.point
        places, end, arrows = [first], here + 1, 0
        signs: list[str] = []
        while True:
            found = max(words.find(end, "sign"), default=None)
            arrow = words.word(end) in ("→", "->") and words.point(end + 1) is not None
            # Between comparisons, an arrow joins clauses.
            if arrow and points and arrows == len(signs):
                found, arrows = (end + 1, "sign", "<"), arrows + 1
            elif found is not None and arrows:
                return
            if found is None or not (points or words.word(end) in _SYMBOLS):
                break
            second = place(found[0])
            if second is None:
                if words.word(end).isalpha():
                    # "A < B follows from …"
                    break
                return
            places.append(second)
            signs.append(found[2])
            end = found[0] + 1
        if not signs:
            return
        groups: list[Group] = []
        for (left, right), sign in zip(pairwise(places), signs, strict=True):
            if points:
                groups.append(((left, sign, right),))
            elif left == right:
                return
            elif sign == "=":
                if not self._logical:
                    return
                groups.append(filled(meaning(_OVERLAP, right), left, point=False))
            elif sign in "<>":
                text = "A+ <= B-" if sign == "<" else "A- >= B+"
                groups.append(filled(meaning(text, right), left, point=False))
            else:
                return
        if denied and len(groups) > 1:
            return
        protos = _in_mood(groups, "not" if denied else "holds", either=False)
        if protos is not None:
            named = tuple(places) if points else tuple(2 * place for place in places)
            target = Subjects((places[-1],), points)
            yield Clause(protos, Subjects((places[0],), points), target, named), end

    def _fronted(self, at: int) -> Iterator[tuple[Clause, int]]:
        """Clauses that begin with an order: "Before B started, A had ended"."""
        words = self.words
        yield from self._fronted_events(at)
        for end, category, _ in words.find(at, "before", "after", "same", "soon", "once", "by"):
            sign = _SIGN_OF[category]
            for places, _, last in self.targets(end):
                after = last + 1 if words.word(last) == "," else last
                for events, verb_at in self.events(after):
                    verb_at = words.past(verb_at, "adverbs")
                    for stop, which, _ in words.find(verb_at, "begin", "end", "begun", "ended"):
                        bound = int(which in ("end", "ended"))
                        perfect = which in ("begun", "ended")
                        used = "<" if category == "same" and perfect else sign
                        predicate = self._compares_point(2 * SUBJECT + bound, used, places)
                        subjects = Subjects(events, False)
                        protos = self._stated(subjects, "holds", predicate)
                        if protos is not None:
                            named = (*places, *(2 * event for event in events))
                            yield Clause(protos, subjects, None, named), stop

    def _fronted_events(self, at: int) -> Iterator[tuple[Clause, int]]:
        """Clauses that begin with whole events: "after B, A started", "during B, A ended"."""
        words = self.words
        for end, category, _ in words.find(at, "before", "after"):
            sign = _SIGN_OF[category]
            for others, last in self.events(end):
                for subjects, verb_at in self.events(last + 1) if words.word(last) == "," else ():
                    for stop, which, _ in words.find(verb_at, "begin", "end", "begun", "ended"):
                        mine = "-+"[which in ("end", "ended")]
                        edge = "-" if sign == "<" else "+"
                        predicate = self._relates(f"A{mine} {sign} B{edge}", others)
                        yield from self._of(subjects, predicate, stop)
                    for stop, _, _ in words.find(verb_at, "whole"):
                        text = "A+ <= B-" if sign == "<" else "A- >= B+"
                        yield from self._of(subjects, self._relates(text, others), stop)
        for others, last in self._during(at):
            for subjects, verb_at in self.events(last + (words.word(last) == ",")):
                for stop, which, _ in words.find(
                    verb_at, "begin", "end", "begun", "ended", "whole"
                ):
                    low, high = ("-", "+")
                    if which != "whole":
                        low = high = "-+"[which in ("end", "ended")]
                    predicate = self._relates(f"A{low} > B-, A{high} < B+", others)
                    yield from self._of(subjects, predicate, stop)
        for end, _, _ in words.find(at, "same"):
            for places, verb, last in self.targets(end):
                after = last + (words.word(last) == ",")
                for subjects, verb_at in self.events(after) if verb else ():
                    for stop, _, _ in words.find(verb_at, "going"):
                        groups = tuple(
                            ((2 * SUBJECT, "<", p), (2 * SUBJECT + 1, ">", p)) for p in places
                        )
                        yield from self._of(subjects, Predicate(groups=groups, places=places), stop)

    def _of(
        self, events: tuple[int, ...], predicate: Predicate, end: int
    ) -> Iterator[tuple[Clause, int]]:
        """The clause of a predicate about some events."""
        subjects = Subjects(events, False)
        protos = self._stated(subjects, "holds", predicate)
        if protos is not None:
            places = (*predicate.places, *(2 * event for event in events))
            yield Clause(protos, subjects, None, places), end

    # Pairs of which nothing is known

    def pair(self, at: int) -> Iterator[tuple[tuple[int, ...], bool, int]]:
        """Two events or two points, whether they are points, and the end."""
        words = self.words
        if words.word(at) in ("between", "for"):
            at += 1
        for places, end in self.points(at):
            if len(places) == 2:
                yield places, True, end
        for places, end in self.events(at):
            if len(places) == 2:
                yield places, False, end
        for place, points in ((words.point, True), (words.event, False)):
            first = place(at)
            if first is not None:
                for end, _, _ in words.find(at + 1, "pair joins"):
                    second = place(end)
                    if second is not None and second != first:
                        yield (first, second), points, end + 1


_BEING = frozenset(
    ("is", "was", "are", "were", "be", "comes", "came", "happens", "happened", "occurs", "occurred")
)
_THEN = frozenset(("then", "afterwards"))
_REPEATING = frozenset(("does", "did", "do", "is", "was", "has", "will", "must"))
_NAMED_BEFORE = {"former": THEY[0], "latter": THEY[1], "other": OTHER}
_KINDS = {
    "holds": StatementKind.HOLDS,
    "not": StatementKind.DOES_NOT_HOLD,
    "may": StatementKind.POSSIBLE,
    "not must": StatementKind.NOT_DERIVABLE,
    "would": StatementKind.ASSUMED,
    "open": StatementKind.LEFT_OPEN,
}
_SYMBOLS = frozenset(("<", ">", "=", "==", "<=", ">=", "=<", "≤", "≥", "≺", "≻"))
_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def _in_mood(groups: Sequence[Group], mood: str, *, either: bool) -> tuple[Proto, ...] | None:
    """The statements of some groups in a mood; None if they have none."""
    if not groups:
        return None
    if mood == "may not":
        if either or any(len(group) > 1 or group[0][1] == "=" for group in groups):
            return None
        return tuple(
            Proto(StatementKind.POSSIBLE, ((p, _OPPOSITE[sign], q),)) for ((p, sign, q),) in groups
        )
    if either and mood not in ("may", "open", "not", "would"):
        return None
    return tuple(Proto(_KINDS[mood], group) for group in groups)
