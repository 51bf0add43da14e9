"""The words of sentences: phrases by category, tokens, and the words that no plain name contains.

All are data (``sentences.toml``). Each token of a sentence is a part of a phrase or of a name, and
a name with a word that may change the meaning of its sentence is refused: ``Harvest never`` is no
name, as in "The end of Harvest never happened after the start of Winter Fair" the word ``never``
says something, and a reader that takes it for a part of a name proves the wrong graph.
"""

# ruff: noqa: ANN401 - the contents of a TOML file have many types
from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import product
from pathlib import Path
from types import MappingProxyType
from typing import Any

from lark import Token

from grammar.errors import Fault, FaultError, ParseError, found_at, quoted
from grammar.eventhop.lexicon import ARTICLE, lexicon
from grammar.eventhop.model import PUBLISHED_ORDERS, Domain, Item, SpatialReading

NAME_LIMIT = 200
"""Maximum number of characters of a name."""

_TABLE = Path(__file__).with_name("sentences.toml")
STARTS, ENDS = (".start", ".begin", ".west"), (".end", ".finish", ".east")
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
SIGNS = {"<": "<", ">": ">", "=": "=", "==": "=", "<=": "<=", ">=": ">=", "≤": "<=", "≥": ">="}
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
QUOTED = re.compile(r'"[^"]*"|“[^”]*”')
_PIECE = re.compile(r'"[^"]*"|“[^”]*”|,|[^\s,]+')
_LETTER = re.compile(r"\w")
_SLOT = re.compile(r"\{(\w+)\}")
_OF_OWN_POINTS = ("begin", "end", "lasted_from")
"""Categories that say which of its own points a place has where."""

IT = "\0it"
"""The event of a pronoun until its antecedent is known."""

HINT = "if it is part of a name, list the name with --names"
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|n't")
_IDENTIFIED = re.compile(r"(?:.* )?[a-z]{1,4}[0-9]+")
"""An identifier of an annotation, perhaps after the words that it annotates."""
_MARKS = re.compile(r"[,;:?!()\[\]{}\"“”]| [-–—] |—")


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
                raise FaultError(unread(sentence, begin))
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
                raise FaultError(unread(sentence, begin))
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
            size, category = 1, _WORDS.get(first) or ("SIGN" if word in SIGNS else None)
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
    for ends, sign in ((STARTS, "-"), (ENDS, "+")):
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


def unread(sentence: str, position: int) -> Fault:
    """The fault of a sentence that has no reading."""
    return Fault(
        position=position,
        found=found_at(sentence, position),
        expected="a sentence about the order of events",
    )


class UnlicensedError(ParseError):
    """A name with a word that may change the meaning of its sentence."""

    code = "unlicensed-words"


@cache
def licensing_words() -> Mapping[str, frozenset[str]]:
    """The words that no plain name contains, and those that some places of a name may have."""
    rows: Mapping[str, Mapping[str, list[str]]] = table()
    operators = frozenset(word for words in rows["operators"].values() for word in words)
    names = {name: frozenset(some) for name, some in rows["names"].items()}
    groups = rows["operators"]
    unsaying = {*groups["negation"], *groups["modality"], *groups["reporting"]}
    degree = {"degree": frozenset(groups["degree"]), "unsaying": frozenset(unsaying)}
    return {"operators": operators, **degree, **names}


@lru_cache(1 << 16)
def unlicensed(name: str, first: bool = False) -> str | None:
    """The first word or mark for which a name is not plain; None if it is.

    Args:
        name: a name without its article.
        first: whether it is at the start of a sentence, where any word has a capital.
    """
    known = licensing_words()
    mark = _MARKS.search(name)
    if mark is not None:
        return mark[0].strip()
    if name.isalpha() and not (first or name.islower()):
        return None
    if name in known["articles"]:
        return name
    words: list[str] = [word.replace("’", "'") for word in _WORD.findall(name)]
    for end in (name.split()[0], name.split()[-1]):
        if end in known["prepositions"]:
            return end
    for place, word in enumerate(words):
        # At the start of a sentence, too, "West Point" is a name.
        own = word.lower() in known["capitals"]
        lower = word.lower() if first and not place and not own else word
        stem = lower.removesuffix("'s")
        if word in ("one", "One") and place and words[place - 1].lower() in known["numbered"]:
            continue
        if lower in known["operators"] or stem in known["operators"] or lower.endswith("n't"):
            return word
        if len(stem) > 3 and stem.endswith("ly") and stem.islower() and stem not in known["nouns"]:
            return word
        if not word[0].islower():
            continue
        if not place and word in ("the", "a", "an") and len(words) > 1:
            return word
        if place and word in known["articles"] and words[place - 1] not in known["prepositions"]:
            return word
        between = any(some[0].isupper() for some in words[:place]) and any(
            some[0].isupper() for some in words[place + 1 :]
        )
        if between and word not in known["between"]:
            return word
    last = words[-1] if len(words) > 1 else ""
    if last[:1].islower():
        past = last.endswith("ed") and last not in known["nouns_in_ed"]
        if past or last in known["pasts"] or last in known["particles"]:
            return last
    return None


def require_licensed(
    item: Item,
    premise: str,
    claim: str,
    *,
    listed: Collection[str] = (),
    quotes: Collection[str] = (),
    first: Collection[str] = (),
) -> None:
    """Reject an item with a name that is not licensed.

    Args:
        item: the item, with names as they were read.
        premise: its first text.
        claim: its second text.
        listed: names that the user lists.
        quotes: names in quotes.
        first: names that occur at the start of a sentence and nowhere else.

    Raises:
        UnlicensedError: with the place of the word.
    """
    if item.domain is Domain.LOGICAL:
        return
    names = dict.fromkeys(item.names)
    if all(_IDENTIFIED.fullmatch(name) for name in names):
        return
    plain = [name for name in names if name not in listed and name not in quotes]
    for name in plain:
        word = unlicensed(name, name in first)
        if word is not None:
            raise unlicensed_error(premise, claim, name, word)
    # "The revolution" after "the French Revolution" may be the same event, whatever the case.
    spaced = {name: f" {name.lower()} " for name in names}
    # One search for each name in all of them: most items have no name within another.
    joined = "\n".join(spaced.values())
    if all(joined.count(text) == 1 for text in spaced.values()):
        return
    for name in plain:
        if " " not in name:
            continue
        for inside in spaced.values():
            if inside != spaced[name] and inside in spaced[name]:
                rest = spaced[name].replace(inside, " ", 1).split()
                place = spaced[name].find(f" {rest[0]} ")
                rest = name[place:].split()
                raise unlicensed_error(premise, claim, name, rest[0])


def unlicensed_error(premise: str, claim: str, name: str, word: str) -> UnlicensedError:
    """The error of a word in a name, at its place in the first text that has the name."""
    part, text = ("premise", premise) if name in premise else ("claim", claim)
    place = max(text.find(name), 0)
    whole = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", name)
    inside = whole.start() if whole else name.find(word)
    position = place + max(inside, 0)
    before = name[:inside].strip()
    found = quoted(word)
    if before:
        after = text[place + len(name) :].split()
        rest = name[inside + len(word) :].split() or after
        found += f" between {quoted(before)}"
        found += f" and {quoted(rest[0])}" if rest else " and the end of the text"
    line = text[:position]
    return UnlicensedError(
        f"found {found}, expected a relation",
        part=part,
        line=line.count("\n") + 1,
        column=len(line) - line.rfind("\n"),
        found=found,
        expected="a relation",
        hint=HINT,
    )
