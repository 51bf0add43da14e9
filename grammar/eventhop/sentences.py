"""Reads sentences about events, by ``sentences.lark``: ``Before Lunch began, Breakfast had ended``.

The words are data (``sentences.toml``). All readings of a sentence are found; one with several, or
with none, is refused, as is a sentence with a word that belongs neither to a phrase nor to a plain
name (``grammar/eventhop/licence.py``).
"""

# ruff: noqa: ANN401, ARG002 - the parts of a grammar rule have many types, and not all are needed
from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise, product
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput
from lark.lexer import Lexer

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

MOST = 2_000
"""Maximum number of characters of a sentence."""

_TABLE = Path(__file__).with_name("sentences.toml")
_STARTS, _ENDS = (".start", ".begin", ".west"), (".end", ".finish", ".east")
_POINT_NOUNS = {"start": "-", "finish": "+"}
_WORDS = {
    "and": "_AND",
    "&": "_AND",
    "but": "_BUT",
    "both": "_BOTH",
    "which": "_WHICH",
    "it": "IT",
    "did": "_DID",
    "does": "_DID",
    "then": "THEN",
    ",": "COMMA",
}
_SIGNS = {"<": "<", ">": ">", "=": "=", "==": "="}
_PLAIN = str.maketrans({"’": "'", "ʼ": "'", "\n": " ", "\t": " ", "\r": " ", "\xa0": " "})
_PIECE = re.compile(r'"[^"]*"|“[^”]*”|,|[^\s,]+')
_STOP = re.compile(r"(?:(?<!\w)(\w*))?([.;!])\s+")
_SIGN_OF = {
    **dict.fromkeys(("BEFORE", "EARLIER", "PRECEDE"), "<"),
    **dict.fromkeys(("AFTER", "LATER", "FOLLOW"), ">"),
    **dict.fromkeys(("SAME", "COINCIDE"), "="),
}
_ORDERS = {"<": Order.BEFORE, ">": Order.AFTER, "=": Order.SIMULTANEOUS}
_EQUAL = "A- = B-, A+ = B+"
_WITHIN = (("-", ">", "-"), ("+", "<", "+"))
IT = "\0it"
"""The event of a pronoun until its antecedent is known."""

SUBJECT = ""
"""The event, in relations of a verb whose subjects are not yet known."""

_Place: TypeAlias = tuple[str, str]
_Stated: TypeAlias = tuple[_Place, str, _Place]
"""A relation of two points, each an event and - or +."""


@cache
def table() -> Mapping[str, Mapping[str, Any]]:
    """The contents of ``sentences.toml``."""
    return MappingProxyType(tomllib.loads(_TABLE.read_text(encoding="utf-8")))


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
        found[f"{noun} of"] = "START_OF" if sign == "-" else "FINISH_OF"
    for name, texts in rows.items():
        if name not in (*_POINT_NOUNS, "relations") and (western or name not in ("begin", "end")):
            found.update(dict.fromkeys(texts, name.upper()))
    for meaning, texts in rows["relations"].items() if western else ():
        meanings.update(dict.fromkeys(texts, meaning))
    found.update(dict.fromkeys(meanings, "RELATION"))
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

    def flush(bare: bool = True) -> None:
        if pending:
            begin = pending[0][1]
            text = _without_article([word for word, _ in pending], first=begin == pieces[0][1])
            if bare:
                (names.first if _leads(found) else names.inner).add(text)
            found.append(Token("NAME", text, start_pos=begin))
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
        if category is None:
            size, category = 1, _WORDS.get(first) or ("SIGN" if word in _SIGNS else None)
        if category in ("START_OF", "FINISH_OF") and pending and pending[-1][0].lower() == "the":
            pending.pop()
        if category is not None:
            flush()
            text = " ".join(part for part, _ in pieces[place : place + size])
            found.append(Token(category, text.lower() if place == 0 else text, start_pos=begin))
            place += size
            continue
        stem, sign, size = _pointed(pieces, place, words)
        pending.append((stem, begin))
        place += size
        if sign:
            flush()
            found.append(Token("POSTFIX", sign, start_pos=begin))
    flush()
    return found


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


def _without_article(words: list[str], *, first: bool) -> str:
    head = words[0]
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


_Item: TypeAlias = tuple[str, tuple[_Stated, ...]]
"""A name, and what a relative clause states of it."""
_Verb: TypeAlias = tuple[tuple[tuple[_Stated, ...], ...], tuple[_Stated, ...], str]
"""What a verb states of its subject, by object; what relative clauses state; or - or + of a verb
that makes points of several subjects equal."""
_Targets: TypeAlias = tuple[tuple[_Place, ...], tuple[_Stated, ...]]


def _extras(items: Iterable[_Item]) -> tuple[_Stated, ...]:
    return tuple(stated for _, some in items for stated in some)


def _of(subject: _Place, stated: _Stated) -> _Stated:
    """A statement with its subject: an event, or a point if that has a bound."""

    def place(side: _Place) -> _Place:
        return side if side[0] else (subject[0], subject[1] or side[1])

    left, sign, right = stated
    return place(left), sign, place(right)


def _events(bounds: Iterable[tuple[str, str, str]], items: Sequence[_Item]) -> _Verb:
    """A verb that relates its subject's points to those of each of some events."""
    rows = tuple(bounds)
    groups = tuple(
        tuple(((SUBJECT, first), sign, (event, second)) for first, sign, second in rows)
        for event, _ in items
    )
    return groups, _extras(items), ""


def _places(bound: str, sign: str, targets: _Targets) -> _Verb:
    """A verb that relates a point of its subject to each of some points."""
    places, extras = targets
    return tuple((((SUBJECT, bound), sign, place),) for place in places), extras, ""


def _beyond(sign: str) -> tuple[str, str, str]:
    """A whole event before or after another one."""
    return ("+", "<", "-") if sign == "<" else ("-", ">", "+")


def _edge(sign: str) -> str:
    """The point of an event that something before, or after, the whole event comes before."""
    return "-" if sign == "<" else "+"


def _sign(token: Token) -> str:
    return _SIGN_OF[token.type.removeprefix("ORDER_")]


class _NoReadingError(Exception):
    """Parts that the grammar joins, but that mean nothing together."""


class _Builder:
    """The relations of each rule of the grammar, from the values of its parts.

    Args:
        words: the phrases of the domain.
    """

    def __init__(self, words: Phrases) -> None:
        self._meanings = words.meanings

    def item(self, name: Token) -> _Item:
        return (IT if name.type == "IT" else str(name)), ()

    def described(self, name: Token, *verbs: Any) -> _Item:
        event, parts = str(name), [part for part in verbs if not isinstance(part, Token)]
        return event, self.about_events(((event, ()),), *parts)

    def names(self, *items: Any) -> tuple[_Item, ...]:
        return tuple(item for item in items if not isinstance(item, Token))

    def subjects(self, names: tuple[_Item, ...]) -> tuple[_Item, ...]:
        return names

    def during_event(self, *parts: Any) -> tuple[_Item, ...]:
        (items,) = (part for part in parts if not isinstance(part, Token))
        return tuple(items)

    def start_of(self, mark: Token, name: Token) -> _Place:
        return str(name), "-"

    def finish_of(self, mark: Token, name: Token) -> _Place:
        return str(name), "+"

    def point_of(self, name: Token, bound: Token) -> _Place:
        return str(name), str(bound)

    def points(self, *points: Any) -> _Targets:
        return tuple(point for point in points if not isinstance(point, Token)), ()

    def names_verb(self, items: tuple[_Item, ...], bound: str) -> _Targets:
        return tuple((event, bound) for event, _ in items), _extras(items)

    def verb(self, token: Token) -> str:
        return "-" if token.type == "BEGIN" else "+"

    def either(self, token: Token) -> str:
        return _sign(token)

    order = compared = either

    def point_order(self, bound: str, sign: str, targets: _Targets) -> _Verb:
        return _places(bound, sign, targets)

    def same_point(self, bound: str, same: Token, items: tuple[_Item, ...]) -> _Verb:
        return _events([(bound, "=", bound)], items)

    def same_verb(self, bound: str, sign: str, items: tuple[_Item, ...]) -> _Verb:
        return _events([(bound, sign, bound)], items)

    def begin_before(self, begin: Token, before: Token, items: tuple[_Item, ...]) -> _Verb:
        return _events([("-", "<", "-")], items)

    def end_after(self, end: Token, after: Token, items: tuple[_Item, ...]) -> _Verb:
        return _events([("+", ">", "+")], items)

    def whole_point(self, whole: Token, sign: str, targets: _Targets) -> _Verb:
        return _places("+" if sign == "<" else "-", sign, targets)

    def whole_event(self, whole: Token, sign: str, items: tuple[_Item, ...]) -> _Verb:
        return _events([_beyond(sign)], items)

    def precede(self, verb: Token, items: tuple[_Item, ...]) -> _Verb:
        return _events([_beyond(_sign(verb))], items)

    follow = precede

    def point_event(self, bound: str, sign: str, items: Any, whole: Token) -> _Verb:
        return _events([(bound, sign, _edge(sign))], items)

    def relation(self, verb: Token, items: tuple[_Item, ...]) -> _Verb:
        parts = [part.split() for part in self._meanings[verb].split(", ")]

        def group(event: str) -> tuple[_Stated, ...]:
            names = {"A": SUBJECT, "B": event}
            return tuple(
                ((names[left[0]], left[1]), sign, (names[right[0]], right[1]))
                for left, sign, right in parts
            )

        return tuple(group(event) for event, _ in items), _extras(items), ""

    def whole_during(self, whole: Token, items: tuple[_Item, ...]) -> _Verb:
        return _events(_WITHIN, items)

    def point_during(self, bound: str, items: tuple[_Item, ...]) -> _Verb:
        return _events([(bound, ">", "-"), (bound, "<", "+")], items)

    def lasted_point(self, verb: Token, targets: _Targets) -> _Verb:
        return _places("+", "=", targets)

    def lasted_event(self, verb: Token, items: tuple[_Item, ...]) -> _Verb:
        return _events([("+", "=", "-")], items)

    def together(self, bound: str, together: Token) -> _Verb:
        return (), (), bound

    def p_order(self, whole: Token, sign: str, targets: _Targets) -> _Verb:
        return _places("", sign, targets)

    def p_verb(self, verb: Token, targets: _Targets) -> _Verb:
        return _places("", _sign(verb), targets)

    def p_relation(self, verb: Token, targets: _Targets) -> _Verb:
        if self._meanings[verb] != _EQUAL:
            raise _NoReadingError
        return _places("", "=", targets)

    def p_event(self, whole: Token, sign: str, items: tuple[_Item, ...]) -> _Verb:
        return _events([("", sign, _edge(sign))], items)

    def about_events(self, subjects: Sequence[_Item], *verbs: Any) -> tuple[_Stated, ...]:
        return self._clause([(event, "") for event, _ in subjects], verbs) + _extras(subjects)

    def about_points(self, subjects: _Targets, *verbs: Any) -> tuple[_Stated, ...]:
        return self._clause(subjects[0], verbs)

    def _clause(self, subjects: Sequence[_Place], verbs: Iterable[Any]) -> tuple[_Stated, ...]:
        stated: list[_Stated] = []
        for verb in verbs:
            if isinstance(verb, Token):
                continue
            groups, extras, bound = verb
            if bound and len(subjects) < 2:
                raise _NoReadingError
            if bound:
                ends = [(event, bound) for event, _ in subjects]
                stated += [(left, "=", right) for left, right in pairwise(ends)]
            for subject in subjects:
                stated += [_of(subject, relation) for group in groups for relation in group]
            stated += extras
        return tuple(stated)

    def chain(self, *parts: Any) -> tuple[_Stated, ...]:
        points, signs = parts[::2], parts[1::2]
        return tuple(
            (left, _SIGNS[sign], right)
            for (left, right), sign in zip(pairwise(points), signs, strict=True)
        )

    def f_point(self, sign: str, targets: _Targets, *rest: Any) -> tuple[_Stated, ...]:
        items, bound = rest[-2:]
        return self.about_events(items, _places(bound, sign, targets))

    def f_point_whole(self, sign: str, targets: _Targets, *rest: Any) -> tuple[_Stated, ...]:
        items, whole = rest[-2:]
        return self.about_events(items, self.whole_point(whole, sign, targets))

    def f_event(self, sign: str, objects: Any, *rest: Any) -> tuple[_Stated, ...]:
        items, bound = rest[-2:]
        return self.about_events(items, _events([(bound, sign, _edge(sign))], objects))

    def f_event_whole(self, sign: str, objects: Any, *rest: Any) -> tuple[_Stated, ...]:
        return self.about_events(rest[-2], _events([_beyond(sign)], objects))

    def f_during(self, word: Token, objects: Any, *rest: Any) -> tuple[_Stated, ...]:
        items, verb = rest[-2:]
        whole = isinstance(verb, Token)
        return self.about_events(
            items,
            self.whole_during(verb, objects) if whole else self.point_during(verb, objects),
        )

    def conjunct(self, stated: tuple[_Stated, ...]) -> tuple[_Stated, ...]:
        return stated

    def sentence(self, *conjuncts: Any) -> tuple[tuple[_Stated, ...], ...]:
        return tuple(part for part in conjuncts if not isinstance(part, Token))


class _Ready(Lexer):
    """Passes tokens on that have been made before."""

    def __init__(self, _conf: object) -> None:
        """Nothing is configured."""

    def lex(self, lexer_state: Any, _parser_state: object = None) -> Iterator[Token]:
        """The tokens."""
        yield from lexer_state


@cache
def _parser() -> Lark:
    grammar = Path(__file__).with_name("sentences.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="earley", lexer=_Ready, ambiguity="explicit", start="sentence")


def _readings(tree: Tree[Any], builder: _Builder) -> list[Any]:
    """Some readings of a sentence: two if there are several.

    Nodes are shared by the readings; each is visited once.
    """

    def value(name: str, parts: tuple[Any, ...]) -> Iterator[Any]:
        try:
            yield getattr(builder, name)(*parts)
        except _NoReadingError:
            return

    def values(node: Tree[Any]) -> list[Any]:
        parts = [
            known[id(child)] if isinstance(child, Tree) else [child] for child in node.children
        ]
        if node.data == "_ambig":
            found = [value for part in parts for value in part]
        else:
            found = [made for some in product(*parts) for made in value(node.data, some)]
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


def split(text: str) -> Iterator[tuple[str, int]]:
    """The sentences of a text, and where each begins."""
    begin = 0
    quotes = [part.span() for part in re.finditer(r'"[^"]*"|“[^”]*”', text)]
    for stop in _STOP.finditer(text):
        word = stop[1] or ""
        short = stop[2] == "." and (
            (len(word) == 1 and word.isupper()) or ABBREVIATION.fullmatch(word)
        )
        if short or any(first < stop.start(2) < last for first, last in quotes):
            continue
        yield text[begin : stop.start(2)], begin
        begin = stop.end()
    yield text[begin:], begin


def read(body: str, domain: Domain, spatial: SpatialReading) -> tuple[tuple[Relation, ...], Names]:
    """The relations of a premise, and its names.

    Raises:
        FaultError: a sentence has no reading, or several.
    """
    words, names = phrases(domain, spatial), Names()
    parts: list[tuple[_Stated, ...]] = []
    text = body.translate(_PLAIN)
    end = len(text.rstrip())
    end -= text[:end].endswith((".", "!"))
    for sentence, begin in split(text[:end]):
        try:
            parts += _sentence(sentence, words, names)
        except FaultError as error:
            raise FaultError(replace(error.fault, position=error.fault.position + begin)) from None
    stated = [row for part in _with_antecedents(parts, body) for row in part]
    lower = {
        name: name[:1].lower() + name[1:]
        for name in names.first - names.inner
        if name[:1].lower() + name[1:] in names.inner
    }
    return tuple(_relation(row, lower) for row in stated), names


def _sentence(sentence: str, words: Phrases, names: Names) -> tuple[tuple[_Stated, ...], ...]:
    if len(sentence) > MOST or "?" in sentence:
        raise FaultError(_unread(sentence, max(sentence.find("?"), 0)))
    found = tokens(sentence, words, names)
    try:
        tree = _parser().parse(found)
    except UnexpectedInput as error:
        position = getattr(error, "pos_in_stream", None) or getattr(error, "start_pos", None) or 0
        token = getattr(error, "token", None)
        if token is not None and token.start_pos is not None:
            position = token.start_pos
        raise FaultError(_unread(sentence, position)) from None
    readings = _readings(tree, _Builder(words))
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
            choices = [event for event in known if event not in named]
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
