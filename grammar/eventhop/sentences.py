"""Reads sentences about events, by ``sentences.lark``: ``Before Lunch began, Breakfast had ended``.

The words are data (``sentences.toml``). All readings of a sentence are found; one with several, or
with none, is refused, as is a sentence with a word that belongs neither to a phrase nor to a plain
name (``grammar/eventhop/licence.py``).
"""

# ruff: noqa: ANN401, ARG002 - the parts of a grammar rule have many types, and not all are needed
from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from itertools import pairwise, product
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from lark import Token, Tree

from grammar.errors import Fault, FaultError, found_at
from grammar.eventhop.lexicon import ARTICLE, lexicon
from grammar.eventhop.model import (
    PUBLISHED_ORDERS,
    Bound,
    Domain,
    Order,
    Point,
    Relation,
    SpatialReading,
)
from grammar.names import ABBREVIATION

if TYPE_CHECKING:
    from grammar.earley import TokenParser

NAME_LIMIT = 200
"""Maximum number of characters of a name."""

MOST = 2_000
"""Maximum number of characters of a sentence."""

MOST_WORDS = 200
"""Maximum number of names and phrases of a sentence."""

MOST_TEXT = 20_000
"""Maximum number of characters of a premise; others are read in the published wording alone."""

_TABLE = Path(__file__).with_name("sentences.toml")
_STARTS, _ENDS = (".start", ".begin", ".west"), (".end", ".finish", ".east")
_POINT_NOUNS = {"start": "-", "finish": "+"}
_AROUND_NOUNS = {
    "{} of": "{}_OF",
    "{}s of": "{}S_OF",
    **dict.fromkeys(("at the {} of", "upon the {} of", "upon {} of", "on the {} of"), "AT_{}"),
    **dict.fromkeys(("with the {} of", "on {} of", "exactly at the {} of"), "AT_{}"),
    **dict.fromkeys(("to the {} of", "until the {} of", "till the {} of"), "TO_{}"),
    **dict.fromkeys(("have the same {}", "had the same {}", "share the same {}"), "SHARED_{}"),
    **dict.fromkeys(("shared the same {}", "share their {}", "shared their {}"), "SHARED_{}"),
    **dict.fromkeys(("share a {}", "shared a {}", "share an {}", "shared an {}"), "SHARED_{}"),
}
"""The phrases that are made of each noun of a point."""
_AS_NOUNS = ("has the same {} as", "had the same {} as", "shares the same {} with")
"""Verbs between two events that are made of each noun of a point."""
_WORDS = {
    "and": "_AND",
    "&": "_AND",
    "but": "_BUT",
    "both": "_BOTH",
    "which": "_WHICH",
    "that": "_THAT",
    "it": "IT",
    **dict.fromkeys(("did", "does", "do"), "_DID"),
    "had": "_HAD",
    "what": "_WHAT",
    "then": "THEN",
    ",": "COMMA",
}
_SIGNS = {"<": "<", ">": ">", "=": "=", "==": "=", "<=": "<=", ">=": ">=", "≤": "<=", "≥": ">="}
_WHOLLY = [
    (len(text.split()), text.split())
    for text in (
        "the whole of the",
        "the whole of",
        "all of the",
        "all of",
        "the whole",
        "the entire",
        "the period of the",
        "the period of",
    )
]
"""Articles by which a whole event is meant, which any name means."""
_PLAIN = str.maketrans({"’": "'", "ʼ": "'", "\n": " ", "\t": " ", "\r": " ", "\xa0": " "})
QUOTED = re.compile(r'"[^"]*"|“[^”]*”')
_PIECE = re.compile(r'"[^"]*"|“[^”]*”|,|[^\s,]+')
_BLANK = re.compile(r"(?<![.;!\s])(?:\s\s|[^\S ])")
"""Blanks other than one space, but at the end of a sentence."""
_LETTER = re.compile(r"\w")
_SLOT = re.compile(r"\{(\w+)\}")
_PART_OF = re.compile(r"[a-z]+ of ")
_STOP = re.compile(r"(?:(?<!\w)(\w*))?([.;!])\s+")
_SIGN_OF = {
    **dict.fromkeys(("BEFORE", "EARLIER", "PRECEDE"), "<"),
    **dict.fromkeys(("AFTER", "LATER", "FOLLOW"), ">"),
    **dict.fromkeys(("SAME", "WHEN", "TOGETHER", "SOON", "COINCIDE"), "="),
    **dict.fromkeys(("ONCE", "NOT_EARLIER"), ">="),
    **dict.fromkeys(("BY", "NOT_LATER"), "<="),
}
_ORDERS = {
    "<": Order.BEFORE,
    ">": Order.AFTER,
    "=": Order.SIMULTANEOUS,
    "<=": Order.NOT_AFTER,
    ">=": Order.NOT_BEFORE,
}
_EQUAL = "A- = B-, A+ = B+"
_SHARE = "A- < B+, B- < A+"
_OF_OWN_POINTS = ("begin", "end", "lasted_from")
"""Categories that say which of its own points a place has where."""

IT = "\0it"
"""The event of a pronoun until its antecedent is known."""

SUBJECT = ""
"""The event, in relations of a verb whose subjects are not yet known."""

_Place: TypeAlias = tuple[str, str]
_Stated: TypeAlias = tuple[_Place, str, _Place]
"""A relation of two points, each an event and - or +."""


@cache
def table() -> Mapping[str, Mapping[str, Any]]:
    """The contents of ``sentences.toml``, with the words of slots in their places."""
    rows = tomllib.loads(_TABLE.read_text(encoding="utf-8"))
    return MappingProxyType(in_slots(rows, rows.pop("slots")))


def in_slots(
    value: Any, slots: Mapping[str, Sequence[str]], rewritten: Callable[[str], str] = str
) -> Any:
    """Lists of phrases, at any depth, with each word of the slots of each phrase.

    Args:
        value: phrases, or tables of them by name.
        slots: the words of each slot.
        rewritten: changes each phrase.
    """
    if isinstance(value, dict):
        return {name: in_slots(some, slots, rewritten) for name, some in value.items()}
    found: dict[str, None] = {}
    for written in value:
        pieces = _SLOT.split(written)
        choices = [slots[piece] if n % 2 else [piece] for n, piece in enumerate(pieces)]
        for words in product(*choices):
            text = rewritten(" ".join("".join(words).split()))
            found[" ".join(text.split())] = None
    return list(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases:
    """The phrases of a domain.

    Attributes:
        categories: terminal of each phrase, by its words.
        meanings: meaning of each phrase between two events.
        nouns: - or + for each noun of a point.
        longest: maximum number of words of a phrase that begins with a word.
    """

    categories: Mapping[tuple[str, ...], str]
    meanings: Mapping[str, str]
    nouns: Mapping[str, str]
    longest: Mapping[str, int]


@cache
def phrases(domain: Domain, spatial: SpatialReading) -> Phrases:
    """The phrases of a domain; in the published reading of places, those about points alone."""
    rows = table()[domain]
    western = domain is not Domain.SPATIAL or spatial is SpatialReading.GEOMETRIC
    found: dict[str, str] = {}
    meanings: dict[str, str] = {}
    nouns = {
        noun: sign if western else {"-": "+", "+": "-"}[sign]
        for name, sign in _POINT_NOUNS.items()
        for noun in rows[name]
    }
    for noun, sign in nouns.items():
        point = "START" if sign == "-" else "FINISH"
        for text, name in _AROUND_NOUNS.items():
            found[text.format(noun)] = name.format(point).replace("HS_OF", "HES_OF")
        for text in _AS_NOUNS:
            found[text.format(noun)] = "RELATION"
            meanings[text.format(noun)] = f"A{sign} = B{sign}"
    for name, texts in rows.items():
        if isinstance(texts, list):
            if name not in _POINT_NOUNS and (western or name not in _OF_OWN_POINTS):
                found.update(dict.fromkeys(texts, name.upper()))
            continue
        for meaning, verbs in texts.items() if western else ():
            meanings.update(dict.fromkeys(verbs, meaning))
            found.update(dict.fromkeys(verbs, name.upper().removesuffix("S")))
    words = lexicon(domain)
    for order in PUBLISHED_ORDERS:
        for text in words.literals[order.name]:
            bare = text.removesuffix(ARTICLE)
            if not _made_of_others(bare, found):
                found.setdefault(bare, f"ORDER_{order.name}".replace("SIMULTANEOUS", "SAME"))
    categories = {tuple(text.split()): name for text, name in found.items()}
    longest: dict[str, int] = {}
    for some in categories:
        longest[some[0]] = max(longest.get(some[0], 0), len(some))
    return Phrases(categories=categories, meanings=meanings, nouns=nouns, longest=longest)


def _made_of_others(text: str, found: Mapping[str, str]) -> bool:
    """Whether a published phrase is a verb and an order that the grammar joins."""
    words = text.split()
    return any(
        found.get(" ".join(words[:cut])) == "WHOLE"
        and found.get(" ".join(words[cut:])) in ("BEFORE", "AFTER", "EARLIER", "LATER", "SAME")
        for cut in range(1, len(words))
    )


@dataclass(slots=True)
class Names:
    """The names of a text, as far as their places matter.

    Attributes:
        quoted: names in quotes, which may contain any word.
        first: names at the start of a sentence, whose capital need not be their own.
        inner: all other names.
    """

    quoted: set[str] = field(default_factory=set)
    first: set[str] = field(default_factory=set)
    inner: set[str] = field(default_factory=set)


def tokens(sentence: str, words: Phrases, names: Names) -> list[Token]:
    """The tokens of a sentence; each phrase is the longest one, other words are names."""
    pieces = [(part[0], part.start()) for part in _PIECE.finditer(sentence)]
    found: list[Token] = []
    pending: list[tuple[str, int]] = []
    place = 0

    def flush() -> None:
        if pending:
            begin = pending[0][1]
            written = [word for word, _ in pending]
            text = without_article(written, first=begin == pieces[0][1])
            bare = len(text.split()) < len(written)
            if (
                len(text) > NAME_LIMIT
                or not _LETTER.search(text)
                or text in ("the", "a", "an", "The", "An")
            ):
                raise FaultError(_unread(sentence, begin))
            (names.first if _leads(found) and not bare else names.inner).add(text)
            found.append(Token("THE_NAME" if bare else "NAME", text, start_pos=begin))
            pending.clear()

    while place < len(pieces):
        word, begin = pieces[place]
        first = word.lower() if place == 0 else word
        if word[0] in '"“' and len(word) > 2:
            flush()
            names.quoted.add(word[1:-1])
            if (found and found[-1].type == "NAME") or pending:
                raise FaultError(_unread(sentence, begin))
            found.append(Token("NAME", word[1:-1], start_pos=begin))
            place += 1
            continue
        size, category = _longest(pieces, place, words)
        after_comma = bool(found) and found[-1].type == "COMMA" and not pending
        if place == 0 or after_comma:
            participle = _participle(pieces, place, words)
            if participle is not None:
                size, category = participle
                found.append(Token("_BEING", "", start_pos=begin))
        if category is None:
            size, category = 1, _WORDS.get(first) or ("SIGN" if word in _SIGNS else None)
            if place == 0 and first == "with":
                category = "_WITH"
            verbs = ("BEGIN", "END", "BEGUN", "ENDED")
            if word == "first" and place == len(pieces) - 1 and not pending:
                category = "SOONER" if found and found[-1].type in verbs else category
        nouns = ("START_OF", "FINISH_OF", "STARTS_OF", "FINISHES_OF")
        if category in nouns and pending and pending[-1][0].lower() == "the":
            pending.pop()
        if category is not None:
            flush()
            text = " ".join(part for part, _ in pieces[place : place + size])
            found.append(Token(category, text.lower() if place == 0 else text, start_pos=begin))
            place += size
            continue
        if word == "the" and pending and _ends_name(pending[-1][0]):
            flush()
        stem, sign, size = _pointed(pieces, place, words)
        pending.append((stem, begin))
        place += size
        if sign:
            flush()
            found.append(Token("POSTFIX", sign, start_pos=begin))
    flush()
    found.append(Token("_STOP", "", start_pos=len(sentence)))
    return found


def _participle(
    pieces: Sequence[tuple[str, int]], place: int, words: Phrases
) -> tuple[int, str] | None:
    """The number of words and the category of a participle that an order follows.

    "The fair, held before lunch, …" says that it was held, "having ended before" that it had ended.
    """
    head = pieces[place][0].lower() if place == 0 else pieces[place][0]
    having = head == "having"
    lead = ["had"] if having else ["was", head]
    rest = [word for word, _ in pieces[place + 1 : place + 1 + words.longest.get(lead[0], 0)]]
    for size in range(len(rest), -1, -1):
        category = words.categories.get((*lead, *rest[:size]))
        after = _longest(pieces, place + 1 + size, words)[1] if size < len(rest) else None
        if category in ("BEGIN", "END", "BEGUN", "ENDED", "WHOLE") and (
            after is not None and after.removesuffix("_START").removesuffix("_FINISH") in _TIMES
        ):
            return size + 1, category
    return None


_TIMES = (
    *("BEFORE", "AFTER", "EARLIER", "LATER", "NOT_EARLIER", "NOT_LATER", "SAME", "WHEN", "SOON"),
    *("ONCE", "BY", "BETWEEN", "DURING", "WHILE", "AT"),
)
"""Categories of words that say when something is."""


def _ends_name(word: str) -> bool:
    """Whether a name ends before *the*: "after the end of the match the party began"."""
    names = table()["names"]
    return word[:1].islower() and word not in (*names["prepositions"], *names["articles"])


def _leads(found: Sequence[Token]) -> bool:
    return not found or (len(found) == 1 and found[0].type == "_BOTH")


def _longest(
    pieces: Sequence[tuple[str, int]], place: int, words: Phrases
) -> tuple[int, str | None]:
    head = pieces[place][0].lower() if place == 0 else pieces[place][0]
    for size in range(min(words.longest.get(head, 0), len(pieces) - place), 0, -1):
        some = (head, *(word for word, _ in pieces[place + 1 : place + size]))
        category = words.categories.get(some)
        if category is not None:
            return size, category
    return 1, None


def _pointed(pieces: Sequence[tuple[str, int]], place: int, words: Phrases) -> tuple[str, str, int]:
    """A word without a point that it ends with, - or + if so, and the number of words read.

    A point is ``storm's end``, unless an ``of`` follows, or ``storm.end``.
    """
    word = pieces[place][0]
    for ends, sign in ((_STARTS, "-"), (_ENDS, "+")):
        for end in ends:
            if word.endswith(end) and len(word) > len(end):
                return word.removesuffix(end), sign, 1
    stem = word[:-2] if word.endswith("'s") else word[:-1] if word.endswith("s'") else ""
    for size in (2, 1) if stem else ():
        noun = " ".join(part for part, _ in pieces[place + 1 : place + 1 + size])
        follows = pieces[place + 1 + size : place + 2 + size]
        if noun in words.nouns and not (follows and follows[0][0] == "of"):
            return stem, words.nouns[noun], size + 1
    return word, "", 1


def without_article(words: list[str], *, first: bool) -> str:
    """A name without its article; ``first`` if it begins a sentence."""
    head = words[0]
    lead = [head.lower() if first else head, *words[1:]]
    for size, some in _WHOLLY:
        if lead[:size] == some and len(words) > size:
            return " ".join(words[size:])
    if len(words) > 1 and (
        head == "the"
        or (head == "The" and first)
        or ((head in ("a", "an") or (first and head in ("A", "An"))) and words[1][:1].islower())
    ):
        words = words[1:]
    return " ".join(words)


def _unread(sentence: str, position: int) -> Fault:
    return Fault(
        position=position,
        found=found_at(sentence, position),
        expected="a sentence about the order of events",
    )


_Item: TypeAlias = tuple[str, tuple[_Stated, ...], bool]
"""A name, what a relative clause states of it, and whether it has an article."""
_Targets: TypeAlias = tuple[tuple[_Place, ...], tuple[_Stated, ...], bool, str]
"""Points, what relative clauses state of their events, whether a perfect verb states them, and the
bound of this verb if it may be of the last event alone."""
_Order: TypeAlias = tuple[str, str, str]
"""A sign, the category of its words, and the words."""
_PointVerb: TypeAlias = tuple[str, bool, bool]
"""A bound, whether the verb is perfect, and whether it begins with a form of *be*."""
_Groups: TypeAlias = tuple[tuple[_Stated, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Verb:
    """What a verb states of its subjects.

    Attributes:
        groups: statements about each subject, by object.
        extras: what relative clauses state of the objects.
        mutual: statements about each two subjects in a row, the second one as the object.
    """

    groups: _Groups = ()
    extras: tuple[_Stated, ...] = ()
    mutual: tuple[_Stated, ...] = ()


class _Both(tuple[_Item, ...]):
    """Events after or before *both*."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class _Adverbial:
    """What says when something was: ``before B began``, ``during B``.

    Attributes:
        kind: which sort of adverbial it is; see ``_when``.
        parts: its signs, points and events.
    """

    kind: str
    parts: tuple[Any, ...]


class _NoReadingError(Exception):
    """Parts that the grammar joins, but that mean nothing together."""


OBJECT = "\0object"
"""The event of an object in a meaning."""


_COPULAS = (
    *("was", "is", "were", "are", "came", "comes", "come"),
    *("had been", "will be", "had come", "will come"),
)
"""Verbs of a whole event that say nothing without an order."""

_BE = ("was ", "were ", "is ", "are ")
"""The starts of verbs after which *was* alone means the same verb again."""

_INVERTED = (
    *("came", "comes", "come", "is", "are", "was", "were", "lies", "lie", "lay"),
    *("stands", "stand", "stood", "sits", "sit", "sat"),
)
"""Verbs of a whole event before their subject: ``after the soup came the salad``."""


_FINISHED = ("finished", "ended", "concluded")
"""Verbs of an end that may say that something is over: ``with the race finished``."""

_THEREAFTER = (
    *("after that", "after this", "afterwards", "afterward", "later", "later on"),
    *("thereafter", "subsequently", "next"),
)
"""Words at the end of a sentence about what comes next."""


def _took_place(whole: Token, bound: str) -> str:
    """The bound, if the verb says that an event took place."""
    if whole in _COPULAS:
        raise _NoReadingError
    return bound


def _may_be_whole(going: str) -> bool:
    """Whether "was on before lunch" may say that an event ended before, too."""
    return going == "continued" or (going.endswith(" on") and not going.endswith("going on"))


def _extras(items: Iterable[_Item]) -> tuple[_Stated, ...]:
    return tuple(stated for _, some, _ in items for stated in some)


def _filled(stated: _Stated, subject: _Place, object_: _Place) -> _Stated:
    """A statement with its subject and object: events, or points if these have bounds.

    A place without a bound gets the one of the subject, if that has one.
    """

    def place(side: _Place) -> _Place:
        event, bound = {SUBJECT: subject, OBJECT: object_}.get(side[0], side)
        return event, bound or side[1] or subject[1]

    left, sign, right = stated
    return place(left), sign, place(right)


def _meaning(text: str) -> tuple[_Stated, ...]:
    """The statements of a meaning such as ``A+ < B-``."""
    events = {"A": SUBJECT, "B": OBJECT}
    parts = (part.split() for part in text.split(", "))
    return tuple(
        ((events[left[0]], left[1:]), sign, (events[right[0]], right[1:]))
        for left, sign, right in parts
    )


def _events(meaning: str, items: Iterable[_Item]) -> _Verb:
    """A verb that relates its subject to each of some events."""
    items = tuple(items)
    stated = _meaning(meaning)
    groups = tuple(
        tuple(_filled(row, (SUBJECT, ""), (event, "")) for row in stated) for event, _, _ in items
    )
    return _Verb(groups=groups, extras=_extras(items))


def _places(bound: str, sign: str, targets: _Targets) -> _Verb:
    """A verb that relates a point of its subject to each of some points."""
    places, extras, _, loose = targets
    # "After the race and the picnic started" may mean the end of the race.
    if loose and sign in ("<", ">") and loose != _edge(sign):
        raise _NoReadingError
    groups = tuple((((SUBJECT, bound), sign, place),) for place in places)
    return _Verb(groups=groups, extras=extras)


def _joined(verbs: Iterable[_Verb]) -> _Verb:
    """A verb that states all that some verbs state."""
    every = tuple(verbs)
    return _Verb(
        groups=tuple(group for verb in every for group in verb.groups),
        extras=tuple(stated for verb in every for stated in verb.extras),
    )


def _timed(sign: str, word: str, perfect: bool, other: bool) -> str:
    """The sign of an order, of verbs that are perfect or not.

    "A had ended when B began" and "A began when B had ended" leave open when A ended or began.

    Raises:
        _NoReadingError: the verbs do not say which of both is first.
    """
    if word not in ("SAME", "WHEN", "TOGETHER") or not (perfect or other):
        return sign
    if word != "WHEN" or (perfect and other):
        raise _NoReadingError
    return "<=" if perfect else ">="


def _in_order(items: Iterable[_Item]) -> tuple[_Stated, ...]:
    """Each of some events ends before the next one starts."""
    return tuple(
        ((left, "+"), "<", (right, "-")) for (left, _, _), (right, _, _) in pairwise(items)
    )


def _beyond(sign: str) -> str:
    """A whole event before or after another one."""
    return "A+ < B-" if sign == "<" else "A- > B+"


def _edge(sign: str) -> str:
    """The point of an event that something is before, or after, if it is so of the whole event."""
    return "-" if sign == "<" else "+"


def _one_place(place: _Place) -> _Targets:
    return (place,), (), False, ""


_HAPPENED = Token("WHOLE", "took place")


def _when(main: _PointVerb | Token, adverbial: _Adverbial, *, first: bool = False) -> _Verb:
    """What a verb and an adverbial state of the subject.

    Args:
        main: a bound and whether it is perfect, a verb of a whole event, or of one that goes on.
        adverbial: when that was.
        first: whether the adverbial is before the subject.

    Raises:
        _NoReadingError: they mean nothing together.
    """
    bound, perfect = ("", False) if isinstance(main, Token) else main[:2]
    sort = main.type if isinstance(main, Token) else "POINT"
    low, high = (bound, bound) if sort == "POINT" else ("-", "+")
    match sort, adverbial.kind, adverbial.parts:
        case "POINT", "points", (sign, word, _, targets):
            # No noun of a point is ordered by *when* and a perfect verb.
            perfect = perfect or (not bound and targets[2])
            return _places(bound, _timed(sign, word, perfect, targets[2]), targets)
        case "WHOLE", "points", (sign, "BEFORE" | "AFTER" | "EARLIER" | "LATER", _, targets):
            return _places("+" if sign == "<" else "-", sign, targets)
        case "GOING", "points", (sign, "BEFORE" | "AFTER" | "EARLIER" | "LATER", _, targets):
            if not _may_be_whole(str(main)):
                return _places(_edge(sign), sign, targets)
        case "GOING", "points", (_, word, text, targets):
            # "By the time B began": "not after" would say something else.
            timed = word in ("SAME", "WHEN") or text.startswith("by the time")
            if timed and not targets[2]:
                return _goes_on(targets)
        case "POINT", "events", (sign, True, items):
            # "The middle of the race" is a point that has no noun here, not an event.
            if not bound and any(_PART_OF.match(event) for event, _, _ in items):
                raise _NoReadingError
            return _events(f"A{bound} {sign} B{_edge(sign)}", items)
        case "WHOLE", "events", (sign, _, items):
            return _events(_beyond(sign), items)
        case "GOING", "events", (sign, _, items):
            if not _may_be_whole(str(main)):
                return _events(f"A{_edge(sign)} {sign} B{_edge(sign)}", items)
        case "POINT", "mark", (targets,) if first or not perfect:
            return _places(bound, "<=" if perfect else "=", targets)
        case "GOING", "mark", (targets,):
            return _goes_on(targets)
        case "POINT" | "WHOLE", "between", (early, late):
            after = _events(f"A{low} > B+", [early])
            return _joined((after, _events(f"A{high} < B-", [late])))
        case "POINT" | "WHOLE", "between points", (early, late):
            return _Verb(groups=((((SUBJECT, low), ">", early), ((SUBJECT, high), "<", late)),))
        case "POINT" | "WHOLE", "inside", (items,):
            return _events(f"A{low} > B-, A{high} < B+", items)
        case "POINT", "inside what goes on", (items,) if bound:
            return _events(f"A{bound} > B-, A{bound} < B+", items)
        case "GOING", "around", (items,):
            return _events("A- < B-, A+ > B+", items)
        case "GOING", "all through", (items,):
            return _events("A- <= B-, A+ >= B+", items)
        case "GOING", "until", (targets,):
            return _places("+", "=", targets)
    raise _NoReadingError


def _both(first: _PointVerb, second: _PointVerb, adverbial: _Adverbial) -> _Verb:
    """What ``began and ended`` and an adverbial state."""
    if first[0] == second[0]:
        raise _NoReadingError
    if adverbial.kind in ("inside", "between", "between points"):
        return _when(_HAPPENED, adverbial)
    return _joined(_when(verb, adverbial) for verb in (first, second))


def _goes_on(targets: _Targets) -> _Verb:
    """Each of some points is between the start and the end of the subject."""
    places, extras, _, _ = targets
    groups = tuple((((SUBJECT, "-"), "<", spot), ((SUBJECT, "+"), ">", spot)) for spot in places)
    return _Verb(groups=groups, extras=extras)


class _Builder:
    """The relations of each rule of the grammar, from the values of its parts.

    Args:
        words: the phrases of the domain.
    """

    def __init__(self, words: Phrases) -> None:
        self._meanings = words.meanings

    def name(self, token: Token) -> tuple[str, bool]:
        return str(token), token.type == "THE_NAME"

    def item(self, name: tuple[str, bool]) -> _Item:
        return name[0], (), name[1]

    def it(self, token: Token) -> _Item:
        return IT, (), True

    def described(self, name: tuple[str, bool], *verbs: Any) -> _Item:
        event, article = name
        return event, self.about_events(((event, (), article),), *verbs), article

    def names(self, *items: Any) -> tuple[_Item, ...]:
        found = tuple(item for item in items if not isinstance(item, Token))
        # "The Arts and Crafts Fair" is one event: of several, each has an article if the first has.
        if found[0][2] and not all(article for _, _, article in found):
            raise _NoReadingError
        # "The fair and the race, held before lunch": perhaps both were.
        if len(found) > 1 and found[-1][1]:
            raise _NoReadingError
        return found

    def subjects(self, names: tuple[_Item, ...]) -> tuple[_Item, ...]:
        return names

    def both_names(self, names: tuple[_Item, ...]) -> tuple[_Item, ...]:
        return _Both(names)

    def start_of(self, mark: Token, name: tuple[str, bool]) -> _Place:
        return name[0], "-"

    def finish_of(self, mark: Token, name: tuple[str, bool]) -> _Place:
        return name[0], "+"

    def point_of(self, name: tuple[str, bool], bound: Token) -> _Place:
        return name[0], str(bound)

    def points(self, *points: Any) -> _Targets:
        return tuple(point for point in points if not isinstance(point, Token)), (), False, ""

    def points_of(self, mark: Token, items: tuple[_Item, ...]) -> _Targets:
        bound = "-" if mark.type == "STARTS_OF" else "+"
        return tuple((event, bound) for event, _, _ in items), _extras(items), False, ""

    def names_verb(self, items: tuple[_Item, ...], verb: _PointVerb) -> _Targets:
        loose = len(items) > 1 and not isinstance(items, _Both)
        places = tuple((event, verb[0]) for event, _, _ in items)
        return places, _extras(items), verb[1], verb[0] if loose else ""

    def verb(self, token: Token) -> _PointVerb:
        bound = "-" if token.type in ("BEGIN", "BEGUN") else "+"
        return bound, token.type in ("BEGUN", "ENDED"), token.startswith(_BE)

    def order(self, token: Token) -> _Order:
        return _sign(token), token.type, str(token)

    def either(self, token: Token) -> str:
        return _sign(token)

    compared = either
    nearer = either

    def ordered(self, order: _Order, targets: _Targets) -> tuple[str, str, str, _Targets]:
        return *order, targets

    def at_points(self, ordered: tuple[str, str, str, _Targets]) -> _Adverbial:
        return _Adverbial("points", ordered)

    def at_events(self, order: Token, items: Any) -> _Adverbial:
        return _Adverbial("events", (_sign(order), order.type in ("BEFORE", "AFTER"), items))

    def at_mark(self, place: _Place) -> _Adverbial:
        return _Adverbial("mark", (_one_place(place),))

    def between(self, word: Token, first: _Item, last: _Item) -> _Adverbial:
        return _Adverbial("between", (first, last))

    def between_points(self, word: Token, first: _Place, last: _Place) -> _Adverbial:
        return _Adverbial("between points", (first, last))

    def inside(self, *parts: Any) -> _Adverbial:
        return _Adverbial("inside", tuple(part for part in parts if not isinstance(part, Token)))

    def with_over(self, items: Any, over: Token) -> _Adverbial:
        """``with B over`` is ``after B had ended``."""
        if over.type == "END" and over not in _FINISHED:
            raise _NoReadingError
        return _Adverbial(
            "points", (">", "AFTER", "after", self.names_verb(items, ("+", True, False)))
        )

    def inside_going(self, when: Token, items: Any, going: Token) -> _Adverbial:
        return _Adverbial("inside what goes on", (items,))

    def around(self, when: Token, items: Any, whole: Token) -> _Adverbial:
        """``when B took place``."""
        _took_place(whole, "")
        if whole.startswith("ha"):  # Had taken place.
            raise _NoReadingError
        return _Adverbial("around", (items,))

    def all_through(self, word: Token, items: Any) -> _Adverbial:
        return _Adverbial("all through", (items,))

    def until(self, word: Token, targets: _Targets) -> _Adverbial:
        return _Adverbial("until", (targets,))

    def until_point(self, place: _Place) -> _Adverbial:
        return _Adverbial("until", (_one_place(place),))

    def joint(self, *tokens: Token) -> bool:
        return tokens[-1].type == "_AND"

    def timed(self, main: Any, *parts: Any) -> _Verb:
        """``A ended before B began but after C``."""
        adverbials: Sequence[_Adverbial] = parts[::2]
        of_point = isinstance(main, tuple) and main[0]
        for (first, second), also in zip(pairwise(adverbials), parts[1::2], strict=True):
            # In "A started after B and before C", perhaps all of A is before C.
            if of_point and also and not first.kind == second.kind == "points":
                raise _NoReadingError
        return _joined(_when(main, adverbial) for adverbial in adverbials)

    def both_timed(self, first: _PointVerb, second: _PointVerb, adverbial: _Adverbial) -> _Verb:
        return _both(first, second, adverbial)

    def same_point(self, verb: _PointVerb, same: Token, items: Any) -> _Verb:
        # "Had begun when B had" leaves open which was first, "at the same time as B" does not.
        if verb[1] and " same " not in same:
            raise _NoReadingError
        return _events(f"A{verb[0]} = B{verb[0]}", items)

    def same_or_whole(self, verb: _PointVerb, sign: str, items: Any, whole: Token) -> _Verb:
        """``A was over before B was``: the same point; ``A ended before B took place``."""
        edge = _edge(sign)
        if verb[2] and whole in ("was", "were", "is", "are"):
            edge = verb[0]
        else:
            _took_place(whole, "")
        return _events(f"A{verb[0]} {sign} B{edge}", items)

    def whole_did(self, whole: Token, sign: str, items: Any) -> _Verb:
        return _events(_beyond(sign), items)

    def same_then(self, verb: _PointVerb, same: Any, items: Any, *rest: Any) -> _Verb:
        """``A began at the same time as B but ended later``."""
        other, word = rest[-2:]
        if verb[1] or other[1] or verb[0] == other[0] or (word.type == "NEXT" and word != "later"):
            raise _NoReadingError
        sign = "=" if isinstance(same, Token) else same
        then = "<" if word.type == "SOONER" else ">"
        return _events(f"A{verb[0]} {sign} B{verb[0]}, A{other[0]} {then} B{other[0]}", items)

    def same_verb(self, verb: _PointVerb, sign: str, items: Any, *_: Token) -> _Verb:
        return _events(f"A{verb[0]} {sign} B{verb[0]}", items)

    def placed(self, whole: Token, words: Token, items: tuple[_Item, ...]) -> _Verb:
        return _events(self._meanings[words], items)

    def precede_all(self, verb: Token, *items: _Item) -> _Verb:
        """``A was followed by B and then by C``."""
        if not verb.endswith("followed by"):
            raise _NoReadingError
        first = _events(_beyond("<"), items[:1])
        return replace(first, extras=_in_order(items) + _extras(items))

    def precede(self, verb: Token, items: tuple[_Item, ...]) -> _Verb:
        return _events(_beyond(_sign(verb)), items)

    def relation(self, verb: Token, items: tuple[_Item, ...]) -> _Verb:
        return _events(self._meanings[verb], items)

    def relation_did(self, verb: Token, items: tuple[_Item, ...]) -> _Verb:
        """``A outlasted B did`` compares one point; of several, "did" would say nothing."""
        if "," in self._meanings[verb]:
            raise _NoReadingError
        return self.relation(verb, items)

    def opens_or_closes(self, verb: Token, items: tuple[_Item, ...]) -> _Verb:
        """Allen's relations of these names; in other forms the verbs say who caused what."""
        meaning = {"starts": "A- = B-, A+ < B+", "finishes": "A- > B-, A+ = B+"}.get(verb)
        if meaning is None:
            raise _NoReadingError
        return _events(meaning, items)

    def mutual(self, verb: Token) -> _Verb:
        if self._meanings[verb] != _SHARE:
            raise _NoReadingError
        return _Verb(mutual=_meaning(_SHARE))

    def lasted_point(self, verb: Token, targets: _Targets) -> _Verb:
        return _places("+", "=", targets)

    def lasted_event(self, verb: Token, items: tuple[_Item, ...]) -> _Verb:
        return _events("A+ = B-", items)

    def outlasted_point(self, *parts: Any) -> _Verb:
        """``A continued after B had ended``."""
        return _places("+", ">", parts[-1])

    def outlasted(self, *parts: Any) -> _Verb:
        return _events("A+ > B+", parts[-1])

    def lasted_from(self, verb: Token, first: _Place, last: _Place) -> _Verb:
        return _Verb(groups=((((SUBJECT, "-"), "=", first), ((SUBJECT, "+"), "=", last)),))

    def shared(self, verb: Token) -> _Verb:
        bound = "-" if verb.type == "SHARED_START" else "+"
        return _Verb(mutual=_meaning(f"A{bound} = B{bound}"))

    def alike(self, verb: Token) -> _Verb:
        return _Verb(mutual=_meaning(_EQUAL))

    def throughout(self, verb: Token, items: tuple[_Item, ...]) -> _Verb:
        return _events("A- <= B-, A+ >= B+", items)

    def together(self, verb: _PointVerb, how: Token) -> _Verb:
        sign = "<" if how.type == "ORDERLY" else "="
        return _Verb(mutual=_meaning(f"A{verb[0]} {sign} B{verb[0]}"))

    def both_together(self, first: Any, second: Any, together: Token) -> _Verb:
        if first[0] == second[0]:
            raise _NoReadingError
        return _Verb(mutual=_meaning(_EQUAL))

    def p_timed(self, whole: Token, *parts: Any) -> _Verb:
        """``The end of A was after B but before C``."""
        return self.timed(("", False, False), *parts)

    def p_that(self, *parts: Any) -> _Verb:
        """``The end of A came before that of B``."""
        order = parts[-3]
        return _events(f"A {_sign(order) if isinstance(order, Token) else order} B", parts[-1])

    def p_verb(self, verb: Token, targets: _Targets) -> _Verb:
        return _places("", _sign(verb), targets)

    def p_relation(self, verb: Token, targets: _Targets) -> _Verb:
        if self._meanings[verb] != _EQUAL:
            raise _NoReadingError
        return _places("", "=", targets)

    def p_is(self, verb: Token, targets: _Targets) -> _Verb:
        if verb not in ("was", "is", "were", "are"):
            raise _NoReadingError
        return _places("", "=", targets)

    def p_together(self, *words: Token) -> _Verb:
        sign = "<" if words[-1].type == "IN_ORDER" else "="
        return _Verb(mutual=(((SUBJECT, ""), sign, (OBJECT, "")),))

    def about_events(self, subjects: Sequence[_Item], *verbs: Any) -> tuple[_Stated, ...]:
        return self._clause([(event, "") for event, _, _ in subjects], verbs) + _extras(subjects)

    def aside(self, subjects: Sequence[_Item], *parts: Any) -> tuple[_Stated, ...]:
        """``A, in turn, ended before B``."""
        return self.about_events(subjects, *parts)

    def participle(self, *parts: Any) -> tuple[_Stated, ...]:
        """``Begun before B, A ended after C``; ``A`` is the subject of both."""
        (subjects,) = (part for part in parts if not isinstance(part, Token | _Verb))
        return self.about_events(subjects, *(part for part in parts if isinstance(part, _Verb)))

    def then_other(self, subjects: Sequence[_Item], *parts: Any) -> tuple[_Stated, ...]:
        """``A began before B, but B ended later``: later than the other event did."""
        *verbs, others, verb, word = parts
        if word.type == "NEXT" and word != "later":
            raise _NoReadingError
        sign = "<" if word.type == "SOONER" else ">"
        return self._of_other(subjects, verbs, others, f"A{verb[0]} {sign} B{verb[0]}")

    def further_other(self, subjects: Sequence[_Item], *parts: Any) -> tuple[_Stated, ...]:
        """``A and B share a western edge, but B reaches further east``."""
        *verbs, others, word = parts
        return self._of_other(subjects, verbs, others, self._meanings[word])

    def _of_other(
        self, subjects: Sequence[_Item], verbs: Sequence[Any], others: Any, meaning: str
    ) -> tuple[_Stated, ...]:
        """What a clause states, and a comparison with the other of its two events."""
        stated = self.about_events(subjects, *verbs)
        named = dict.fromkeys(event for left, _, right in stated for event in (left[0], right[0]))
        rest = [event for event in named if event != others[0][0]]
        if len(others) != 1 or len(named) != 2 or len(rest) != 1:
            raise _NoReadingError
        return stated + self.about_events(others, _events(meaning, [(rest[0], (), False)]))

    def passed_on(self, items: Any, verb: Token, objects: Any, *gaps: Any) -> tuple[_Stated, ...]:
        """``A was followed by B, B by C``."""
        if not verb.endswith(" by"):
            raise _NoReadingError
        pairs = ([part for part in gap if not isinstance(part, Token)] for gap in gaps)
        return tuple(
            stated
            for subjects, others in ((items, objects), *pairs)
            for stated in self.about_events(subjects, self.precede(verb, others))
        )

    def gap_by(self, *parts: Any) -> tuple[Any, ...]:
        if not any(isinstance(part, Token) and part == "by" for part in parts):
            raise _NoReadingError
        return parts

    def what(self, verb: _Verb, whole: Token, items: Any) -> tuple[_Stated, ...]:
        """``What followed A was B``."""
        if whole not in ("was", "is", "were", "are"):
            raise _NoReadingError
        return self.about_events(items, verb)

    def about_more(self, subjects: Sequence[_Item], *parts: Any) -> tuple[_Stated, ...]:
        """``A ended before B, and so did C``."""
        *verbs, others = parts
        return self.about_events(subjects, *verbs) + self.about_events(others, *verbs)

    def about_points(self, subjects: _Targets, *verbs: Any) -> tuple[_Stated, ...]:
        return self._clause(subjects[0], verbs)

    def _clause(self, subjects: Sequence[_Place], verbs: Iterable[Any]) -> tuple[_Stated, ...]:
        stated: list[_Stated] = []
        for verb in verbs:
            if isinstance(verb, Token):
                continue
            if verb.mutual and len(subjects) < 2:
                raise _NoReadingError
            for left, right in pairwise(subjects) if verb.mutual else ():
                stated += [_filled(row, left, right) for row in verb.mutual]
            for subject in subjects:
                stated += [
                    _filled(row, subject, (OBJECT, "")) for group in verb.groups for row in group
                ]
            stated += verb.extras
        return tuple(stated)

    def chain(self, *parts: Any) -> tuple[_Stated, ...]:
        points, signs = parts[::2], parts[1::2]
        return tuple(
            (left, _SIGNS[sign], right)
            for (left, right), sign in zip(pairwise(points), signs, strict=True)
        )

    def pair(self, first: Any, verb: _PointVerb, *rest: Any) -> tuple[_Stated, ...]:
        """``A ended and B began at the same time``."""
        second, other, _ = rest[-3:]
        if len(first) > 1 or len(second) > 1:
            raise _NoReadingError
        meaning = f"A{verb[0]} = B{other[0]}"
        return self.about_events(first, _events(meaning, second))

    def next_verb(self, *parts: Any) -> tuple[_Stated, ...]:
        """``A ended, and then B began, and then C took place``."""
        stated: list[_Stated] = []
        tokens = ("COMMA", "THEN", "NEXT", "ONLY_THEN")
        parts = tuple(part for part in parts if getattr(part, "type", "") not in tokens)
        events = list(zip(parts[::2], parts[1::2], strict=True))
        if any(len(items) > 1 for items, _ in events):
            raise _NoReadingError
        for (first, verb), (second, other) in pairwise(events):
            # What takes place as a whole ends before what follows it starts.
            earlier = _took_place(verb, "+") if isinstance(verb, Token) else verb[0]
            later = _took_place(other, "-") if isinstance(other, Token) else other[0]
            stated += self.about_events(
                [(first[0][0], (), False)], _events(f"A{earlier} < B{later}", second)
            )
        return tuple(stated) + _extras(events[0][0])

    def next_after(self, *parts: Any) -> tuple[_Stated, ...]:
        """``A ended, and B began after that``."""
        if parts[-1] not in _THEREAFTER:
            raise _NoReadingError
        return self.next_verb(*parts[:-1])

    def gapped(self, items: Any, whole: Token, sign: str, *rest: Any) -> tuple[_Stated, ...]:
        """``A took place before B, and B before C``."""
        objects, *gaps = rest
        return self.about_events(items, _events(_beyond(sign), objects)) + tuple(
            stated for gap in gaps for stated in gap
        )

    def gap(self, *parts: Any) -> tuple[_Stated, ...]:
        items, sign, objects = (part for part in parts if type(part) is not Token)
        return self.about_events(items, _events(_beyond(sign), objects))

    def item_of(self, *parts: Any) -> _Item:
        found: list[_Item] = [part for part in parts if not isinstance(part, Token)]
        return found[0]

    def series(self, *parts: Any) -> tuple[_Stated, ...]:
        """``First came A, then B``, ``A, B and C took place in that order``."""
        items = [part for part in parts if not isinstance(part, Token)]
        if len(items) == 1:
            (items,) = items
        if len(items) < 2:
            raise _NoReadingError
        return _in_order(items) + _extras(items)

    def came_then(self, *parts: Any) -> tuple[_Stated, ...]:
        """``A came first, and B followed``, or ``followed it``."""
        verb = next(part for part in reversed(parts) if getattr(part, "type", "") == "FOLLOW")
        if verb not in ("followed", "follows", "follow"):
            raise _NoReadingError
        return self.series(*parts)

    def series_ended(self, item: _Item, verb: _PointVerb, *parts: Any) -> tuple[_Stated, ...]:
        """``A was over, then came B, and then C``."""
        word = next(part for part in parts if getattr(part, "type", "") in ("THEN", "NEXT"))
        if not {"came", "comes", "was", "were", "is"} & {*word.split()}:
            raise _NoReadingError
        rest = [part for part in parts if not isinstance(part, Token)]
        first = _events(f"A{verb[0]} < B-", rest[:1])
        return self.about_events((item,), first) + _in_order(rest) + _extras(rest[1:])

    def series_whole(self, *parts: Any) -> tuple[_Stated, ...]:
        """``A took place, followed by B``; ``A, then B, and then C took place``."""
        for part in parts:
            if isinstance(part, Token) and part.type == "WHOLE":
                _took_place(part, "")
        return self.series(*parts)

    def held(self, verb: Token, items: Any, *parts: Any) -> tuple[_Stated, ...]:
        """``There was a raffle before lunch``."""
        return self.about_events(items, self.timed(_HAPPENED, *parts))

    def main_clause(self, items: Any, main: Any) -> tuple[Any, Any]:
        return items, main

    def f_held(self, adverbial: _Adverbial, *rest: Any) -> tuple[_Stated, ...]:
        """``Before lunch, there was a briefing``."""
        return self.about_events(rest[-1], _when(_HAPPENED, adverbial))

    def f_main(self, adverbial: _Adverbial, *clauses: Any) -> tuple[_Stated, ...]:
        """``Before B started, A had ended and C had begun``."""
        return self._each(clauses, lambda main: _when(main, adverbial, first=True))

    def _each(self, clauses: Sequence[Any], verb: Callable[[Any], _Verb]) -> tuple[_Stated, ...]:
        """What is stated of some events, each with a verb of its own."""
        pairs = (part for part in clauses if not isinstance(part, Token))
        return tuple(row for items, main in pairs for row in self.about_events(items, verb(main)))

    def f_both(self, adverbial: _Adverbial, *rest: Any) -> tuple[_Stated, ...]:
        """``During B, A started and ended``."""
        items, first, second = rest[-3:]
        return self.about_events(items, _both(first, second, adverbial))

    def f_edges(self, *parts: Any) -> tuple[_Stated, ...]:
        """``After A ended, but before B, C took place``."""
        adverbials = [part for part in parts if isinstance(part, _Adverbial)]
        clauses = [part for part in parts if not isinstance(part, _Adverbial)]
        return self._each(clauses, lambda main: _joined(_when(main, part) for part in adverbials))

    def f_cleft(
        self, it: Token, whole: Token, adverbial: _Adverbial, *clauses: Any
    ) -> tuple[_Stated, ...]:
        """``It was after B ended that A began``."""
        if whole not in ("was", "is"):
            raise _NoReadingError
        return self._each(clauses, lambda main: _when(main, adverbial))

    def f_cleft_subject(
        self, it: Token, whole: Token, items: Any, verb: _Verb
    ) -> tuple[_Stated, ...]:
        """``It was A that began before B``."""
        if whole not in ("was", "is"):
            raise _NoReadingError
        return self.about_events(items, verb)

    def f_cleft_at(self, it: Token, at: Token, place: _Place, *clauses: Any) -> tuple[_Stated, ...]:
        """``It was at the end of B that A began``."""
        if at not in ("was at", "is at"):
            raise _NoReadingError
        return self._each(clauses, lambda main: _when(main, self.at_mark(place)))

    def f_inverted(self, order: Token, objects: Any, *rest: Any) -> tuple[_Stated, ...]:
        """``After the soup came the salad``."""
        whole, items = rest[-2:]
        if whole not in _INVERTED:
            raise _NoReadingError
        return self.about_events(items, _events(_beyond(_sign(order)), objects))

    def conjunct(self, stated: tuple[_Stated, ...]) -> tuple[_Stated, ...]:
        return stated

    def sentence(self, *conjuncts: Any) -> tuple[tuple[_Stated, ...], ...]:
        return tuple(part for part in conjuncts if not isinstance(part, Token))


def _sign(token: Token) -> str:
    return _SIGN_OF[token.type.removeprefix("ORDER_")]


@cache
def _parser() -> TokenParser:
    from grammar.earley import TokenParser

    return TokenParser(Path(__file__).with_name("sentences.lark").read_text("utf-8"), "sentence")


@lru_cache(1 << 13)
def _parsed(types: tuple[str, ...]) -> Tree[Any] | int:
    """The parses of a sentence by the types of its tokens, or the first token that does not fit.

    Sentences that differ in names and in phrases of one category alone are parsed once.
    """
    return _parser().parse(types)


def _readings(tree: Tree[Any], builder: _Builder, words: Sequence[Token]) -> list[Any]:
    """Some readings of a sentence: two if there are several.

    Nodes are shared by the readings; each is visited once.
    """

    def built(name: str, parts: tuple[Any, ...]) -> Iterator[Any]:
        try:
            yield getattr(builder, name)(*parts)
        except _NoReadingError:
            return

    def values(node: Tree[Any]) -> list[Any]:
        parts = [
            known[id(child)] if isinstance(child, Tree) else [words[int(child)]]
            for child in node.children
        ]
        if node.data == "_ambig":
            found = [meaning for part in parts for meaning in part]
        else:
            found = [made for some in product(*parts) for made in built(node.data, some)]
        return list(dict.fromkeys(found))[:2]

    known: dict[int, list[Any]] = {}
    open_nodes = [tree]
    while open_nodes:
        node = open_nodes[-1]
        inner = [
            child for child in node.children if isinstance(child, Tree) and id(child) not in known
        ]
        if inner:
            open_nodes += inner
        else:
            known[id(open_nodes.pop())] = values(node)
    return known[id(tree)]


_LATER = re.compile(
    r"[.;](\s+)([Tt]hen|[Aa]fterwards?|[Ll]ater|[Ss]ubsequently|[Tt]hereafter|[Aa]fter that)"
    r"(?=,?\s)"
)
"""The start of a sentence about what comes after the one before it, of which it is a part."""
_AFTERWARDS = re.compile(
    r";(\s+)(?=[^.;!?]*\s(?:afterwards?|after that|later|thereafter|subsequently)(?:[.;!]|$))"
)
"""The same for what "began afterwards"."""


def split(text: str) -> Iterator[tuple[str, int]]:
    """The sentences of a text, and where each begins."""
    text = _LATER.sub(lambda found: f",{found[1]}{found[2].lower()}", text)
    text = _AFTERWARDS.sub(r",\1", text)
    begin = 0
    quotes = [part.span() for part in re.finditer(r'"[^"]*"|“[^”]*”', text)]
    for stop in _STOP.finditer(text):
        word = stop[1] or ""
        # A single letter may be a whole name, and is no initial here.
        short = stop[2] == "." and ABBREVIATION.fullmatch(word) is not None
        if short or any(first < stop.start(2) < last for first, last in quotes):
            continue
        yield text[begin : stop.start(2)], begin
        begin = stop.end()
    yield text[begin:], begin


def read(
    body: str,
    domain: Domain,
    spatial: SpatialReading,
    reads: Callable[..., Any] | None = None,
) -> tuple[tuple[Relation, ...], Names]:
    """The relations of a premise, and its names.

    Args:
        body: the premise, without blanks around it.
        domain: its domain.
        spatial: which edge of a place is its start.
        reads: reads a sentence instead of ``sentence_parts``, or ``comparison`` between symbols.

    Raises:
        FaultError: a sentence has no reading, or several.
    """
    blank = _BLANK.search(body)
    if blank is not None:
        raise FaultError(_unread(body, blank.start()))
    if len(body) > MOST_TEXT:
        raise FaultError(_unread(body, 0))
    if domain is Domain.LOGICAL:
        return _symbols(body, reads or comparison)
    words, names = phrases(domain, spatial), Names()
    parts: list[tuple[_Stated, ...]] = []
    for sentence, begin in split(without_stop(body)):
        try:
            parts += (reads or sentence_parts)(sentence, words, names)
        except FaultError as error:
            raise FaultError(replace(error.fault, position=error.fault.position + begin)) from None
    stated = [row for part in _with_antecedents(parts, body) for row in part]
    lower = {
        name: name[:1].lower() + name[1:]
        for name in names.first - names.inner
        if name[:1].lower() + name[1:] in names.inner
    }
    return tuple(_relation(row, lower) for row in stated), names


def stopless(text: str) -> list[str]:
    """The sentences of a text without their stops."""
    return [sentence for sentence, _ in split(without_stop(text))]


def without_stop(text: str) -> str:
    """A text with plain blanks and apostrophes, without the stop of its last sentence."""
    text = text.translate(_PLAIN).rstrip()
    return text[:-1] if text.endswith((".", "!")) else text


SIDE = re.compile(r"[^\s<>=≤≥.,;:!?()\[\]{}\"]{1,200}")
_COMPARED = re.compile(r" ?(<=|>=|==|[<>=≤≥]) ?| ([a-z_]+(?: [a-z]+)*) ")
_PARTS = re.compile(r",? and |, | & |; |\.\s+")


def _symbols(
    body: str, reads: Callable[[str, Names], Iterable[_Stated]]
) -> tuple[tuple[Relation, ...], Names]:
    """The relations of comparisons: ``gate2 = hill1 < hill2``, ``gate.end < hill.start``."""
    names, stated = Names(), list[_Stated]()
    for part in comparisons(body):
        try:
            stated += reads(part, names)
        except FaultError as error:
            place = max(body.find(part), 0) + error.fault.position
            raise FaultError(replace(error.fault, position=place)) from None
    names.inner |= {event for row in stated for event, _ in (row[0], row[2])}
    return tuple(_relation(row, {}) for row in stated), names


def comparisons(body: str) -> list[str]:
    """The comparisons of a text between symbols."""
    return _PARTS.split(infixed(body.strip().removesuffix(".")))


_CALLED_POINT = re.compile(r"\b(start|begin|end|finish)\(([^\s()]+)\)")
_CALLED = re.compile(r"\b([a-z_]+)\(([^\s(),]+), ?([^\s(),]+)\)")


def infixed(text: str) -> str:
    """Comparisons without brackets: ``start(a) < end(b)``, ``before(a, b)``."""
    if "(" not in text:
        return text
    return _CALLED.sub(r"\2 \1 \3", _CALLED_POINT.sub(r"\2.\1", text))


def comparison(part: str, _names: Names) -> tuple[_Stated, ...]:
    """The relations of a comparison.

    Raises:
        FaultError: it has no meaning.
    """
    words, stated = _symbol_words(), list[_Stated]()
    pieces = _COMPARED.split(part)
    sides = pieces[::3]
    signs = [sign or word for sign, word in zip(pieces[1::3], pieces[2::3], strict=True)]
    if not signs:
        raise FaultError(_unread(part, 0))
    for (left, right), sign in zip(pairwise(sides), signs, strict=True):
        stated += _compared(left, words.get(sign, (sign,)), right, part)
    return tuple(stated)


def _compared(left: str, words: Iterable[str], right: str, body: str) -> tuple[_Stated, ...]:
    first, second = _symbol_point(left), _symbol_point(right)
    for word in words:
        if word in _SIGNS and first is not None and second is not None:
            return ((first, _SIGNS[word], second),)
        if word[:2] in ("A-", "A+", "B-") and all(SIDE.fullmatch(side) for side in (left, right)):
            return tuple(_filled(row, (left, ""), (right, "")) for row in _meaning(word))
    raise FaultError(_unread(body, max(body.find(left), 0)))


def _symbol_point(side: str) -> _Place | None:
    for ends, bound in (((*_STARTS, "1"), "-"), ((*_ENDS, "2"), "+")):
        for end in ends:
            if side.endswith(end) and SIDE.fullmatch(side.removesuffix(end)):
                return side.removesuffix(end), bound
    return None


@cache
def _symbol_words() -> Mapping[str, tuple[str, ...]]:
    """The sign between points, and the meaning between events, of words between two symbols."""
    rows = table()["logical"]
    found: dict[str, tuple[str, ...]] = {}
    for meanings in (rows["signs"], rows["relations"]):
        for meaning, texts in meanings.items():
            for text in texts:
                found[text] = (*found.get(text, ()), meaning)
    return found


def sentence_parts(sentence: str, words: Phrases, names: Names) -> tuple[tuple[_Stated, ...], ...]:
    """The relations of each conjunct of a sentence; its names are added to ``names``.

    Raises:
        FaultError: it has no reading, or several.
    """
    if len(sentence) > MOST or "?" in sentence:
        raise FaultError(_unread(sentence, max(sentence.find("?"), 0)))
    found = tokens(sentence, words, names)
    if len(found) > MOST_WORDS:
        raise FaultError(_unread(sentence, found[MOST_WORDS].start_pos or 0))
    tree = _parsed(tuple(token.type for token in found))
    if isinstance(tree, int):
        raise FaultError(_unread(sentence, found[tree].start_pos or 0))
    readings = _readings(tree, _Builder(words), found)
    if len(readings) != 1:
        raise FaultError(
            replace(
                _unread(sentence, 0),
                hint="the sentence has two meanings" if readings else "",
            )
        )
    return tuple(readings[0])


def _with_antecedents(
    parts: Iterable[tuple[_Stated, ...]], body: str
) -> Iterator[tuple[_Stated, ...]]:
    """The parts of a text, each pronoun replaced by the only event that it can stand for."""
    known: dict[str, None] = {}
    for part in parts:
        named = dict.fromkeys(event for left, _, right in part for event, _ in (left, right))
        if IT in named:
            choices = [event for event in known if event not in named] or _objects(part, named)
            if len(choices) != 1:
                place = max(body.lower().find("it "), 0)
                fault = _unread(body, place)
                raise FaultError(replace(fault, hint="the pronoun has not one antecedent"))
            part = tuple(
                (_named(left, choices[0]), sign, _named(right, choices[0]))
                for left, sign, right in part
            )
        known |= dict.fromkeys(name for name in named if name != IT)
        yield part


def _objects(part: Iterable[_Stated], named: Iterable[str]) -> list[str]:
    """The events that a pronoun in their own sentence may stand for: none compared with it."""
    compared = {
        event
        for left, _, right in part
        if IT in (left[0], right[0])
        for event in (left[0], right[0])
    }
    return [event for event in named if event not in compared]


def _named(place: _Place, antecedent: str) -> _Place:
    return (antecedent, place[1]) if place[0] == IT else place


def _relation(stated: _Stated, lower: Mapping[str, str]) -> Relation:
    def point(place: _Place) -> Point:
        event, bound = place
        return Point(
            event=lower.get(event, event), bound=Bound.START if bound == "-" else Bound.END
        )

    left, sign, right = stated
    return Relation(left=point(left), order=_ORDERS[sign], right=point(right))
