"""Checks verdicts about the order of events by their certificates, with nothing but this file.

    python check.py [--json] items.jsonl ...

Each line of a file is a JSON object with the texts of an item, a verdict and a certificate; see
docs/certificates.md. The texts are read here, by no shared code, and the certificate must prove the
whole verdict: status, consistency, label and hops. Exit status: 0 if every line is proved, 1 if one
is not, 2 if a file cannot be read. In numbers, event e has the points 2 e and 2 e + 1.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache, lru_cache, partial
from itertools import chain, combinations, pairwise, product
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypeVar


class RejectedError(Exception):
    """A line does not prove what it says."""


NOT_PROVED = "not proved: "  # How the reasons begin where nothing is wrong.


def require(condition: object, reason: str) -> None:
    """Reject the line unless a condition holds."""
    if not condition:
        raise RejectedError(reason)


# --- The texts ------------------------------------------------------------------------------------

Place: TypeAlias = tuple[str, int]  # A point: its event, and 0 for the start or 1 for the end.


class Sentence(NamedTuple):
    """``left sign right``, where the sign is ``<``, ``<=``, ``=``, ``>=`` or ``>``."""

    left: Place
    sign: str
    right: Place


# About two points, or about two events: left, the name of a relation in CLAIMS, right.
Claim: TypeAlias = Sentence | tuple[str, str, str]


class Texts(NamedTuple):
    """What the texts of an item say."""

    premise: list[Sentence]
    claim: Claim


class Form(NamedTuple):
    """How texts are read: domain, edge of a place that is its start, phrase files, listed names."""

    domain: str
    spatial: str
    others: Others | None
    names: frozenset[str]


def read_texts(
    premise: str,
    claim: str,
    domain: str,
    spatial: str,
    names: frozenset[str] = frozenset(),
    phrases: object = (),
) -> Texts:
    """Read an item; ``spatial`` states which edge of a place is its start.

    ``phrases`` are phrase files as JSON values, with their digests.
    """
    if control := re.search(r"[\x00-\x08\x0e-\x1f\x7f]", premise + claim):
        raise RejectedError(f"there is a control character: {control[0]!r}")
    others = _others(json.dumps(phrases), domain, spatial) if phrases else None
    form = Form(domain, spatial, others, names)
    marked = Marked(set(), set(), set())
    try:
        published = _published(premise, claim, form, marked)
        if domain != "logical":
            first = _first(published, marked.first - marked.inner)
            _licensed(published, names | marked.quoted, first, others)
    except RejectedError as error:
        refused = error
    else:
        return published
    marked = Marked(set(), set(), set())
    try:
        premise_read = WrittenPremise(domain, spatial, marked, others, names).read(premise)
    except RejectedError as error:
        raise (refused if "no part of a name" in str(refused) else error) from None
    leading = marked.first - marked.inner
    stated = _with_claim(premise_read, premise, claim, form, marked)
    if domain != "logical":
        leading |= marked.first - marked.inner
        _licensed(stated, names | marked.quoted, _first(stated, leading), others)
    return stated


def _published(premise: str, claim: str, form: Form, marked: Marked) -> Texts:
    """Read an item in the published wording."""
    reader = _reader(form.domain, form.spatial)
    body = premise.strip().removesuffix(".")
    require(body or not premise.strip(), "a premise is a sentence, or empty")
    sentences = [reader.sentence(text) for text in reader.split(body)] if body else []
    return _with_claim(sentences, premise, claim, form, marked)


def _with_claim(
    sentences: list[Sentence], premise: str, claim: str, form: Form, marked: Marked
) -> Texts:
    domain, spatial, others, names = form
    known = {place[0] for sentence in sentences for place in (sentence.left, sentence.right)}
    reader = _reader(domain, spatial)
    stated_claim = others.claim(claim.strip(), names, marked, known) if others else None
    if stated_claim is None and ('"' in claim or "“" in claim):
        stated_claim = _written_claim(claim, form, marked, known)
    if stated_claim is None:
        try:
            stated_claim = reader.claim(claim.strip().removesuffix("."), known)
        except RejectedError as error:
            stated_claim = None
            if not str(error).startswith(("an ambiguous claim", "a claim about events")):
                stated_claim = _written_claim(claim, form, marked, known)
            if stated_claim is None:
                raise
    stated = Texts(sentences, stated_claim)
    if (premise + claim).isascii() and (domain != "logical" or (premise + claim).islower()):
        return stated
    return _one_spelling(stated, logical=domain == "logical")


def _reader(domain: str, spatial: str) -> Prose | Symbols:
    return Symbols() if domain == "logical" else _prose(domain, spatial)


class Prose:
    """Reads the sentences of the temporal and the spatial domain."""

    def __init__(self, domain: str, marks: dict[str, int]) -> None:
        table, mark = PHRASES[domain], "|".join(marks)
        first = f"{mark}|{'|'.join(map(str.capitalize, marks))}"
        self.signs = {
            begin.removesuffix(" the"): (sign, last)
            for sign in "<>="
            for begin, _, last in (phrase.partition(" …") for phrase in table[sign])
        }
        self.claims = {key: name for name, some in table.items() if name in CLAIMS for key in some}
        self.marks = marks
        self.opening = re.compile(f"(?:[Tt]he )?({first})")
        self.split = re.compile(rf"\.\s{{1,20}}(?=(?:[Tt]he )?(?:{first}))").split
        self.link = re.compile(f" ({_any(self.signs)})(?: the)? ({mark})")
        self.claimed = re.compile(f" ({_any(self.claims)}) ")

    def sentence(self, text: str) -> Sentence:
        """Read a sentence about two points."""
        opening = self.opening.match(text)
        link = opening and self.link.search(text, opening.end())
        if not (opening and link):
            raise RejectedError(f"this is no sentence about two points: {text[:80]!r}")
        sign, last = self.signs[link[1]]
        second = text[link.end() : len(text) - len(last)]
        if not text.endswith(last) or self.link.search(second):
            raise RejectedError(f"{text[:80]!r} is not one relation that ends with {last!r}")
        left = _name(text[opening.end() : link.start()]), self.marks[opening[1].lower()]
        return Sentence(left, sign, (_name(second), self.marks[link[2]]))

    def claim(self, text: str, known: set[str]) -> Claim:
        """Read a claim about two events, or about two points."""
        found = self.claimed.search(text)
        if not found:
            return self.sentence(text)
        require(not self.claimed.search(text, found.end()), f"two relations in {text[:80]!r}")
        left, right = _name(text[: found.start()]), _name(text[found.end() :])
        for side in {left, right} - known:
            inner = self.opening.sub("", side, count=1).removeprefix("the ")
            point = self.opening.match(side) and inner in known
            require(not point, f"a claim about events names the point {side!r}")
        if left not in known:  # A claim may begin with a capital letter.
            spelled = {_folded(name): name for name in (right, *known)}
            bare = left.removeprefix("The ")
            forms = [_folded(form) for form in (left, bare, bare[:1].lower() + bare[1:])]
            left = next((spelled[form] for form in forms if form in spelled), bare)
        return left, self.claims[found[1]], right


class Symbols:
    """Reads the comparisons of the logical domain."""

    LETTER = r'[^\s<>=.,;:!?()\[\]{}"]'
    PAIR = re.compile(rf"({LETTER}{{1,200}})([12]) ?([<>=]) ?({LETTER}{{1,200}})([12])")
    SIDES = re.compile(rf"({LETTER}{{1,201}})( ?[<>=] ?| [a-z_]+ )({LETTER}{{1,201}})")
    split = staticmethod(re.compile(r"\.\s{1,20}").split)

    def sentence(self, text: str) -> Sentence:
        """Read a comparison of two points, ``mill1 < tide2``."""
        found = self.PAIR.fullmatch(text)
        if not found:
            raise RejectedError(f"this is no comparison of two points: {text[:80]!r}")
        left, first, sign, right, second = found.groups()
        return Sentence((left, int(first) - 1), sign, (right, int(second) - 1))

    def claim(self, text: str, known: set[str]) -> Claim:
        """Read a claim about events; about points if the premise has these and not the events."""
        claims = {word: name for name in CLAIMS for word in PHRASES["logical"][name]}
        found = self.SIDES.fullmatch(text)
        if not found or found[2].strip() not in claims:
            raise RejectedError(f"this is no claim: {text[:80]!r}")
        left, sign, right = found[1], found[2].strip(), found[3]
        pointed = [side for side in (left, right) if len(side) > 1 and side[-1] in "12"]
        as_events = (left in known) + (right in known)
        as_points = sum(side[:-1] in known for side in pointed)
        both = sign in "<>=" and len(pointed) == 2
        if as_events > as_points or (as_points == 0 and not both):
            return left, claims[sign], right
        require(both and as_events < max(as_points, 1), f"an ambiguous claim: {text[:80]!r}")
        return self.sentence(text)


@cache
def _prose(domain: str, spatial: str) -> Prose:
    if domain == "temporal":
        return Prose(domain, {"start of ": 0, "end of ": 1})
    east = 0 if spatial == "published" else 1
    return Prose(domain, {"western edge of ": 1 - east, "eastern edge of ": east})


def _any(phrases: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(phrases, key=len, reverse=True)))


@lru_cache(4096)
def _name(text: str) -> str:
    name = text.removeprefix("the ")
    proper = 0 < len(name) <= 200 and not name.startswith("the ") and not name[0].isspace()
    require(proper and "\n" not in name and name.rstrip() != ".", f"{text[:80]!r} is no name")
    for stop in re.finditer(r"(?<!\w)(\w*)\.\s+(\S)", name.rstrip()) if "." in name else ():
        initial = len(stop[1]) == 1 and not stop[2].islower()
        within = initial or ABBREVIATION.fullmatch(stop[1])
        require(within, f"{text[:80]!r} is more than a name")
    return name.rstrip()


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).replace("’", "'").replace("ʼ", "'")


def _one_spelling(stated: Texts, *, logical: bool) -> Texts:
    """Spell each event as at its first mention, but no comparison gives a name its capital."""
    sides = [part[side] for part in (*stated.premise, stated.claim) for side in (0, 2)]
    names = [side if isinstance(side, str) else side[0] for side in sides]
    first: dict[str, str] = {}
    spelled = {name: first.setdefault(_folded(name), name) for name in names}
    if logical:
        inner = {spelled[name] for name in names[1::2]}
        small = {spelled[name] for name in names if not spelled[name][0].isupper()}
        for name, now in spelled.items():
            lower = now[:1].lower() + now[1:]
            if now not in inner and lower in small:
                spelled[name] = lower

    claim = stated.claim
    premise = _renamed(stated.premise, spelled)
    if isinstance(claim, Sentence):
        return Texts(premise, _renamed([claim], spelled)[0])
    return Texts(premise, (spelled[claim[0]], claim[1], spelled[claim[2]]))


# --- Sentences that people write ------------------------------------------------------------------


class Both(list[tuple[str, "list[Sentence]", bool]]):
    """Events after or before *both*."""


class Marked(NamedTuple):
    """Names of a premise: in quotes, at the start of a sentence, and elsewhere."""

    quoted: set[str]
    first: set[str]
    inner: set[str]


class Word(NamedTuple):
    """A name or a phrase of a sentence; ``article`` if the name has one."""

    kind: str
    text: str
    article: bool = False


Stated: TypeAlias = list[Sentence]
Described: TypeAlias = tuple[str, Stated, bool]  # A name, a relative clause, an article.
Some: TypeAlias = list[Described]
# Points, whether their verb is perfect, and its bound if it may be of the last event alone.
Spots: TypeAlias = tuple[list[Place], Stated, bool, int | None]
State: TypeAlias = Callable[[list[Place]], Stated | None]
Verb: TypeAlias = tuple[State, Stated, int]
T = TypeVar("T")


class Main(NamedTuple):
    """A verb of a sort (point, whole, both, going); ``first`` if an adverbial is before it."""

    sort: str
    bound: int | None
    perfect: bool
    word: str
    first: bool = False


OfMain: TypeAlias = "partial[State | None]"  # What an adverbial states with a verb.
HAPPENED = Main("whole", None, False, "took place")


class WrittenPremise:
    """Reads the sentences of a premise; each has to have exactly one reading."""

    def __init__(
        self,
        domain: str,
        spatial: str,
        marked: Marked | None = None,
        others: Others | None = None,
        names: frozenset[str] = frozenset(),
    ) -> None:
        self.domain, self.spatial, self.others, self.names = domain, spatial, others, names
        self.logical = domain == "logical"
        self.phrases, self.nouns = _phrases(domain, spatial)
        self.marked = marked or Marked(set(), set(), set())
        self.words: list[Word] = []
        self.items: dict[int, list[tuple[Described, int]]] = {}

    def read(self, premise: str) -> Stated:
        """Read all sentences."""
        require(len(premise) <= 20_000, "too long for sentences of this sort")
        blank = re.search(r"(?<![.;!\s])(?:\s\s|[^\S ])", premise.strip())
        require(not blank, "blanks other than one space")
        if self.logical:
            return self._symbols(premise.strip())
        one = self._only if self.others is None else self._other
        parts = [part for sentence in _apart(_plain(premise)) for part in one(sentence)]
        stated = _resolved(parts)
        inner = self.marked.inner
        lower = {name: name[:1].lower() + name[1:] for name in self.marked.first - inner}
        small = {name: text for name, text in lower.items() if text in inner}
        return _renamed(stated, small)

    def _other(self, sentence: str) -> list[Stated]:
        """A sentence that may be a phrase of a file; all readings of it have one meaning."""
        if self.others is None:
            return self._only(sentence)
        known, inner = self.marked, Marked(set(), set(), set())
        found = self.others.meanings(sentence, self.names, inner)
        self.marked, parts = Marked(set(), set(), set()), list[Stated]()
        try:
            parts = self._only(sentence)
        except RejectedError:
            if not found:
                parts = [[_reader(self.domain, self.spatial).sentence(sentence)]]
        plain, self.marked = self.marked, known
        rows = [row for part in parts for row in part]
        licensed = self.names | plain.quoted | {IT}
        first = plain.first - plain.inner
        for name in _named(rows) - licensed if found else ():
            if _unlicensed(name, name in first) or self.others.inside(name):
                rows = []
        every = [*found, rows] if rows else found
        require(all(_same(every[0], other) for other in every), f"two meanings: {sentence[:80]!r}")
        for mine, more in zip(known, plain if rows else inner, strict=True):
            mine |= more
        return parts if rows else [found[0]]

    def statement(self, sentence: str) -> list[Stated]:
        """One sentence without its stop."""
        require(not self.logical, "no statement")
        return self._only(sentence)

    def _only(self, sentence: str) -> list[Stated]:
        require(len(sentence) <= 2000 and "?" not in sentence, f"not read: {sentence[:80]!r}")
        self.words, self.items = [*self._divided(sentence), Word("stop", "")], {}
        require(len(self.words) <= 200, f"too long: {sentence[:80]!r}")
        found: list[list[Stated]] = []
        first = 0
        if self._is(0, "opener"):
            first = 1 + self._is(1, ",")
        elif self._is(0, "aside", "terms") and self._is(1, ","):
            first = 2
        series = (([stated], end) for stated, end in self._series(first))
        for conjuncts, end in chain(self._conjuncts(first), series, self._though()):
            end += self._is(end, ",") and self._is(end + 1, "terms")
            if end + self._is(end, "terms") >= len(self.words) - 1:
                if conjuncts not in found:
                    found.append(conjuncts)
                require(len(found) < 2, f"two meanings: {sentence[:80]!r}")
        require(found, f"this is no sentence about the order of events: {sentence[:80]!r}")
        return found[0]

    def _though(self) -> Iterator[tuple[list[Stated], int]]:
        """``Although A began before B, it ended after C``."""
        for first, end in self._conjunct(1) if self._is(0, "though", "whereas") else ():
            for second, last in self._conjunct(end + 1) if self._is(end, ",") else ():
                yield [first, second], last

    # Words

    def _divided(self, sentence: str) -> Iterator[Word]:
        pieces = re.findall(r'"[^"]*"|“[^”]*”|,|[^\s,]+', sentence)
        name: list[str] = []
        begun_at = here = 0
        made: list[Word] = []

        def ended() -> None:
            if name:
                bare = _bare(name, begun_at == 0)
                article = len(bare) < len(name)
                alone = len(bare) == 1 and bare[0] in ("the", "a", "an", "The", "An")
                named = not alone and re.search(r"\w", " ".join(bare))
                require(named and len(" ".join(bare)) <= 200, "a name is expected")
                text = " ".join(bare)
                leads = not made or (len(made) == 1 and made[0].kind == "both")
                where = self.marked.first if leads and not article else self.marked.inner
                where.add(text)
                made.append(Word("name", text, article))
                name.clear()

        while here < len(pieces):
            piece = pieces[here]
            low = piece.lower() if here == 0 else piece
            if piece[0] in '"“' and len(piece) > 2:
                ended()
                require(not made or made[-1].kind != "name", f"words before {piece[:80]!r}")
                self.marked.quoted.add(piece[1:-1])
                made.append(Word("name", piece[1:-1]))
                here += 1
                continue
            rest = [low, *pieces[here + 1 :]]
            kind, size = self._longest(rest)
            before = made[-1].kind if made and not name else ""
            being = self._participle(rest) if before == "," or here == 0 else None
            if being is not None:
                made.append(Word("being", ""))
                kind, size = being
            if kind is None:
                kind = "sign" if piece in SIGNS else SMALL.get(low)
                kind = "with" if here == 0 and low == "with" else kind
                if before in POINTED and rest == ["first"]:
                    kind = "sooner"
            if kind is not None:
                if kind in ("of-", "of+", "s-", "s+") and name and name[-1].lower() == "the":
                    name.pop()
                ended()
                text = " ".join(pieces[here : here + size])
                made.append(Word(kind, text.lower() if here == 0 else text))
                here += size
                continue
            if piece == "the" and name and _closes(name[-1]):
                ended()
            if not name:
                begun_at = here
            stem, post, size = self._post(pieces, here)
            name.append(stem)
            here += size
            if post:
                ended()
                made.append(Word("post", post))
        ended()
        return iter(made)

    def _longest(self, pieces: list[str]) -> tuple[str | None, int]:
        """The kind of the longest phrase at the start of some words, and its length."""
        for size in range(min(len(pieces), MOST_WORDS), 0, -1):
            kind = self.phrases.get(" ".join(pieces[:size]))
            if kind is not None:
                return kind, size
        return None, 1

    def _participle(self, pieces: list[str]) -> tuple[str, int] | None:
        """``held`` before words that say when, as in ``the fair, held before lunch, …``."""
        lead = ["had"] if pieces[0] == "having" else ["was", pieces[0]]
        for size in range(min(len(pieces), MOST_WORDS) - 1, 0, -1):
            kind = self.phrases.get(" ".join([*lead, *pieces[1:size]]))
            if kind in (*POINTED, "whole"):
                after = self._longest(pieces[size:])[0] or ""
                if after in TIMES:
                    return kind, size
        return None

    def _post(self, pieces: list[str], here: int) -> tuple[str, str, int]:
        """``storm's end`` and ``storm.end``."""
        piece = pieces[here]
        for suffix in (*STARTS, *ENDS):
            if piece.endswith(suffix) and piece != suffix:
                return piece[: -len(suffix)], "-" if suffix in STARTS else "+", 1
        owner = re.fullmatch("(.+)'s|(.*s)'", piece)
        for size in (2, 1) if owner else ():
            noun = self.nouns.get(" ".join(pieces[here + 1 : here + 1 + size]))
            if owner and noun and pieces[here + 1 + size : here + 2 + size] != ["of"]:
                return owner[1] or owner[2], noun, size + 1
        return piece, "", 1

    # All readings of the words from a place on: what they state, and where they end

    def _word(self, at: int) -> Word:
        return self.words[at] if at < len(self.words) else Word("", "")

    def _is(self, at: int, *kinds: str) -> bool:
        return self._word(at).kind in kinds

    def _conjuncts(self, at: int) -> Iterator[tuple[list[Stated], int]]:
        for first, end in self._conjunct(at):
            yield [first], end
            for start in self._joints(end):
                for rest, last in self._conjuncts(start):
                    yield [first, *rest], last

    def _joints(self, at: int) -> Iterator[int]:
        """``, and then``, ``but``, ``, then``."""
        comma = self._is(at, ",")
        inner = at + comma
        if self._is(inner, "and"):
            yield inner + 1
            if self._is(inner + 1, "then"):
                yield inner + 2
        if self._is(inner, "but", "though"):
            yield inner + 1
        if comma:
            yield inner
            if self._is(inner, "then", "while", "whereas"):
                yield inner + 1

    def _also(self, at: int) -> list[int]:
        inner = self._past(at)
        return [inner + 1] if self._is(inner, "and", "but") else []

    def _conjunct(self, at: int) -> Iterator[tuple[Stated, int]]:
        yield from chain(self._about_events(at), self._about_points(at), self._pair(at))
        yield from chain(self._gapped(at), self._fronted(at))

    def _verbs(
        self, at: int, read: Callable[[int], Iterator[Verb]], *, clause: bool = False
    ) -> Iterator[list[Verb]]:
        """Verbs joined by *and* or *but*, those of a relative clause by *and* alone."""
        for verb in read(at):
            yield [verb]
            for start in self._also(verb[2]):
                if not clause or start == verb[2] + self._is(verb[2], "and"):
                    for rest in self._verbs(start, read, clause=clause):
                        yield [verb, *rest]

    def _about_events(self, at: int) -> Iterator[tuple[Stated, int]]:
        being = self._verbs(at + 1, self._verb, clause=True) if self._is(at, "being") else ()
        for early in being:
            comma = early[-1][2]
            for some, start in self._subjects(comma + 1) if self._is(comma, ",") else ():
                for late in self._verbs(start, self._verb):
                    both = _stated([(name, 0) for name, _, _ in some], [*early, *late])
                    if both is not None:
                        yield both + _clauses(some), late[-1][2]
        for some, start in self._subjects(at):
            if self._is(start, ",") and self._is(start + 1, "aside") and self._is(start + 2, ","):
                start += 3
            for verbs in self._verbs(start, self._verb):
                stated = _stated([(name, 0) for name, _, _ in some], verbs)
                if stated is None:
                    continue
                end = verbs[-1][2]
                yield stated + _clauses(some), end
                yield from self._other_event(stated + _clauses(some), end)
                end += self._is(end, ",")
                end += self._is(end, "and")
                for others, last in self._names(end + 1) if self._is(end, "so_did") else ():
                    more = _stated([(name, 0) for name, _, _ in others], verbs)
                    if more is not None:
                        yield stated + _clauses(some) + more + _clauses(others), last

    def _other_event(self, stated: Stated, at: int) -> Iterator[tuple[Stated, int]]:
        """``A began before B, but B ended later``: later than the other of the two events."""
        but = at + self._is(at, ",")
        joined = self._is(but, "but", "while", "whereas")
        for some, end in self._subjects(but + 1) if joined else ():
            events = {place[0] for row in stated for place in (row.left, row.right)}
            rest = events - {some[0][0]}
            bound, sign, meaning = self._pointed(end)[0], self._sooner(end + 1), ""
            if bound is not None and sign:
                meaning = f"A{'-+'[bound]} {sign} B{'-+'[bound]}"
            elif self._word(end).kind[:1] == "~":
                meaning, end = self._word(end).kind[1:], end - 1
            if meaning and len(some) == len(rest) == 1 and len(events) == 2:
                other: Some = [(rest.pop(), [], False)]
                for more, last in self._relation(some, meaning, other, end + 2):
                    yield stated + more, last

    def _sooner(self, at: int) -> str:
        """The sign of ``sooner`` or ``later`` after a verb."""
        kind, word, _ = self._word(at)
        return "<" if kind == "sooner" else ">" if kind == "next" and word == "later" else ""

    def _about_points(self, at: int) -> Iterator[tuple[Stated, int]]:
        for places, start in self._points(at):
            for verbs in self._verbs(start, self._point_verb):
                stated = _stated(places, verbs)
                if stated is not None:
                    yield stated, verbs[-1][2]
        for place, start in self._point(at):
            yield from self._chain(place, start, [])

    def _chain(self, left: Place, at: int, before: Stated) -> Iterator[tuple[Stated, int]]:
        if self._is(at, "sign"):
            sign = SIGNS[self.words[at].text]
            for right, end in self._point(at + 1):
                stated = [*before, Sentence(left, sign, right)]
                yield stated, end
                yield from self._chain(right, end, stated)

    def _pair(self, at: int) -> Iterator[tuple[Stated, int]]:
        """``A ended and B began at the same time``, ``A ended, and then B began``."""
        for some, end in self._subjects(at):
            for stated, last in self._after(some, end) if len(some) == 1 else ():
                yield stated + _clauses(some), last

    def _after(self, some: Some, at: int, *, then: bool = False) -> Iterator[tuple[Stated, int]]:
        """What is after, or at the same time as, what a verb says of an event; ``then`` alone."""
        sooner, inner = self._happened(at, 1), self._past(at + 1)
        starts: list[tuple[int, int | None, str]] = [(n, 0, "") for n in self._next(at + 1)]
        starts += [(inner, 0, "next")] if inner > at + 1 and not then else []
        if self._is(inner, "and") and not then:
            starts += [(inner + 1, 0, "next"), (inner + 1, None, "together")]
        inner += self._is(inner, "and")
        starts += [(inner + 1, None, "")] if self._is(inner, "only_then") and not then else []
        for start, whole, last in starts if sooner is not None else ():
            for other, end in self._subjects(start):
                later = self._happened(end, whole)
                if len(other) > 1 or later is None or (last and not self._is(end + 1, last)):
                    continue
                if last == "next" and self.words[end + 1].text not in THEREAFTER:
                    continue
                if last != "together" or self._is(at, *POINTED):
                    sign = "=" if last == "together" else "<"
                    row = Sentence((some[0][0], sooner or 0), sign, (other[0][0], later))
                    yield [row, *_clauses(other)], end + 1 + bool(last)
                    if not last and not self._is(start - 1, "only_then"):
                        for more, place in self._after(other, end, then=True):
                            yield [row, *_clauses(other), *more], place

    def _happened(self, at: int, whole: int | None) -> int | None:
        """The point of a verb; of one that says that an event took place, the given one."""
        return whole if self._took_place(at) else POINTED.get(self._word(at).kind)

    def _next(self, at: int) -> Iterator[int]:
        """``, and then``, ``followed by``."""
        inner = at + self._is(at, ",")
        inner += self._is(inner, "and")
        if self._is(inner, "then", "next"):
            yield inner + 1
            if self._is(inner + 1, ","):
                yield inner + 2

    def _gapped(self, at: int) -> Iterator[tuple[Stated, int]]:
        """``A took place before B, and B before C``; ``there was A before B``."""
        if self._is(at, "held"):
            for some, start in self._names(at + 1):
                for verb in self._timed(HAPPENED, start):
                    yield from self._states(some, verb)
        for verb in self._verb(at + 1) if self._is(at, "what") else ():
            if self._is(verb[2], "whole") and self.words[verb[2]].text in WAS:
                for some, end in self._names(verb[2] + 1):  # "What followed A was B".
                    yield from self._states(some, (verb[0], verb[1], end))
        for some, middle in self._subjects(at):
            order, by = self._word(middle + 1).kind, ""
            whole = self._is(middle, "whole") and order in BARE
            if self._is(middle, "precede", "follow") and self.words[middle].text.endswith(" by"):
                by = _beyond("<" if self._is(middle, "precede") else ">")
            for objects, end in self._objects(middle + 1 + whole) if whole or by else ():
                for stated, last in self._relation(some, by or _beyond(BARE[order]), objects, end):
                    for more, place in self._gaps(last, by):
                        yield stated + more, place

    def _gaps(self, at: int, by: str = "") -> Iterator[tuple[Stated, int]]:
        """``, and B before C``; ``, B by C`` with the meaning of the verb."""
        inner = at + self._is(at, ",")
        inner += self._is(inner, "and")
        for some, middle in self._names(inner) if inner > at else ():
            kind, word, _ = self._word(middle)
            meaning = (by if word == "by" else "") if by else _beyond(BARE.get(kind, ""))
            if meaning and (by or kind in BARE):
                for objects, end in self._objects(middle + 1):
                    for stated, last in self._relation(some, meaning, objects, end):
                        yield stated, last
                        for more, place in self._gaps(last, by):
                            yield stated + more, place

    def _series(self, at: int) -> Iterator[tuple[Stated, int]]:
        """``First came A, then B``, ``A, B and C took place in that order``."""
        for some, end in self._names(at):
            if len(some) > 1 and self._is(end, "in_order"):
                yield _in_order(some) + _clauses(some), end + 1
        listed = chain(self._names(at + 1), self._listed(at + 1))
        for some, end in listed if self._is(at, "in_turn") else ():
            if len(some) > 1:
                yield _in_order(some) + _clauses(some), end
        for item, end in self._item(at + self._is(at, "first")):
            start = end + (not self._is(at, "first") and self._is(end, "came_first"))
            also = start + self._is(start, ",")
            if start > end and self._is(also, "and"):
                for other, last in self._item(also + 1):
                    if self._is(last, "follow") and self.words[last].text in FOLLOWED:
                        some = [item, other]
                        for stop in range(last + 1, last + 2 + self._is(last + 1, "it")):
                            yield _in_order(some) + _clauses(some), stop
            for some, last in self._then([item], start):
                yield _in_order(some) + _clauses(some), last
                if start == end and not self._is(at, "first") and self._took_place(last):
                    yield _in_order(some) + _clauses(some), last + 1
            bound = self._pointed(end)[0]
            if self._is(at, "first") or not self._is(end + 1, ","):
                continue
            if self._took_place(end):
                for some, last in self._then([item], end + 1):
                    yield _in_order(some) + _clauses(some), last
            elif bound is not None:
                then = end + 2 + self._is(end + 2, "and")
                came = {"came", "comes", "was", "were", "is"} & {*self.words[then].text.split()}
                for some, last in self._then([item], end + 1) if came else ():
                    rows = [Sentence((item[0], bound), "<", (some[1][0], 0)), *_in_order(some[1:])]
                    yield rows + _clauses(some), last

    def _listed(self, at: int) -> Iterator[tuple[Some, int]]:
        """``A, B, C``."""
        for item, end in self._item(at):
            yield [item], end
            for rest, last in self._listed(end + 1) if self._is(end, ",") else ():
                yield [item, *rest], last

    def _took_place(self, at: int) -> bool:
        return self._is(at, "whole") and self.words[at].text not in COPULAS

    def _then(self, before: Some, at: int) -> Iterator[tuple[Some, int]]:
        for start in self._next(at):
            for item, end in self._item(start):
                yield [*before, item], end
                yield from self._then([*before, item], end)

    def _subjects(self, at: int) -> Iterator[tuple[Some, int]]:
        both = self._is(at, "both")
        for some, end in self._names(at + both):
            yield (Both(some) if both else some), end
            if not both and self._is(end, "both"):
                yield Both(some), end + 1

    def _objects(self, at: int) -> Iterator[tuple[Some, int]]:
        yield from self._names(at + self._is(at, "both"))

    def _names(self, at: int) -> Iterator[tuple[Some, int]]:
        for item, end in self._item(at):
            yield [item], end
            yield from self._more([item], end)

    def _more(self, items: Some, at: int) -> Iterator[tuple[Some, int]]:
        for item, end, last in self._next_of(self._item, at):
            every = [*items, item]
            if not last:
                yield from self._more(every, end)
            # "The Arts and Crafts Fair" is one event; of "A and B, held before C", perhaps both.
            elif not item[1] and (not items[0][2] or all(article for _, _, article in every)):
                yield every, end

    def _next_of(
        self, read: Callable[[int], Iterable[tuple[T, int]]], at: int
    ) -> Iterator[tuple[T, int, bool]]:
        """What may be next in a list after a comma, and, last in it, after *and*."""
        for item, end in read(at + 1) if self._is(at, ",") else ():
            yield item, end, False
        inner = self._past(at)
        for item, end in read(inner + 1) if self._is(inner, "and") else ():
            yield item, end, True

    def _item(self, at: int) -> list[tuple[Described, int]]:
        if at not in self.items:  # Clauses nest: each is read once.
            self.items[at] = list(self._described(at))
        return self.items[at]

    def _described(self, at: int) -> Iterator[tuple[Described, int]]:
        if self._is(at, "it"):
            yield (IT, [], True), at + 1
        if self._is(at, "name"):
            _, name, article = self.words[at]
            yield (name, [], article), at + 1
            if self._is(at + 1, ",") and self._is(at + 2, "which", "being"):
                start = at + 3 + self._is(at + 3, "aside")
                for verbs in self._verbs(start, self._verb, clause=True):
                    end, stated = verbs[-1][2], _stated([(name, 0)], verbs)
                    if stated is not None and self._is(end, ",", "stop"):
                        yield (name, stated, article), end + 1
            for verb in self._verb(at + 2) if self._is(at + 1, "that") else ():
                stated = _stated([(name, 0)], [verb])
                if stated is not None:
                    yield (name, stated, article), verb[2]

    def _point(self, at: int) -> Iterator[tuple[Place, int]]:
        if self._is(at, "of-", "of+") and self._is(at + 1, "name"):
            yield (self.words[at + 1].text, int(self._is(at, "of+"))), at + 2
        if self._is(at, "name") and self._is(at + 1, "post"):
            yield (self.words[at].text, int(self.words[at + 1].text == "+")), at + 2

    def _marked_point(self, at: int, mark: str) -> Iterator[tuple[Place, int]]:
        """``at the end of A``, ``to the end of A``."""
        if self._is(at, f"{mark}-", f"{mark}+") and self._is(at + 1, "name"):
            yield (self.words[at + 1].text, int(self._is(at, f"{mark}+"))), at + 2

    def _points(self, at: int) -> Iterator[tuple[list[Place], int]]:
        for some, end in self._names(at + 1) if self._is(at, "s-", "s+") else ():
            if not _clauses(some):
                yield [(name, int(self._is(at, "s+"))) for name, _, _ in some], end
        for place, end in self._point(at):
            yield [place], end
            yield from self._more_points([place], end)

    def _more_points(self, places: list[Place], at: int) -> Iterator[tuple[list[Place], int]]:
        for place, end, last in self._next_of(self._point, at):
            if last:
                yield [*places, place], end
            else:
                yield from self._more_points([*places, place], end)

    def _targets(self, at: int, *, points: bool = True) -> Iterator[tuple[Spots, int]]:
        for places, end in self._points(at) if points else ():
            yield (places, [], False, None), end
        for some, end in self._subjects(at):
            bound, perfect = self._pointed(end)
            if bound is not None:
                loose = bound if len(some) > 1 and not isinstance(some, Both) else None
                spots = [(name, bound) for name, _, _ in some]
                yield (spots, _clauses(some), perfect, loose), end + 1

    def _ordered(self, at: int) -> Iterator[tuple[str, str, Spots, int]]:
        """A sign, the kind of its word, and points."""
        if self._is(at, *ORDERS):
            kind = self.words[at].kind
            points = kind != "together"  # "At the same time the storm ended".
            for targets, end in self._targets(at + 1, points=points):
                if not _loose(ORDERS[kind], targets):
                    yield ORDERS[kind], kind, targets, end

    def _main(self, at: int) -> Main | None:
        """A verb that says that an event began, ended, took place or was going on."""
        kind, word, _ = self._word(at)
        if kind in POINTED:
            return Main("point", *self._pointed(at), word)
        return Main(kind, None, False, word) if kind in ("whole", "going") else None

    def _adverbials(self, at: int) -> Iterator[tuple[OfMain, Stated, int]]:
        """What says when something was: ``before B began``, ``during B``."""
        for sign, kind, targets, end in self._ordered(at):
            when = kind in ("same", "when") or self.words[at].text.startswith("by the time")
            yield partial(_at_points, sign, kind, when, targets), targets[1], end
        for some, end in self._objects(at + 1) if self._is(at, *BARE) else ():
            near = self._is(at, "before", "after")
            yield partial(_at_events, BARE[self.words[at].kind], near, some), _clauses(some), end
        for place, end in self._marked_point(at, "at"):
            yield partial(_at_mark, place), [], end
        for first, middle in self._item(at + 1) if self._is(at, "between") else ():
            for last, end in self._item(middle + 1) if self._is(middle, "and") else ():
                yield partial(_between, first, last), _clauses([first, last]), end
        for low, middle in self._point(at + 1) if self._is(at, "between") else ():
            for high, end in self._point(middle + 1) if self._is(middle, "and") else ():
                yield partial(_between_points, low, high), [], end
        for some, end in self._objects(at + 1) if self._is(at, "during") else ():
            yield partial(_inside, some), _clauses(some), end
        for some, end in self._objects(at + 1) if self._is(at, "all_through") else ():
            yield partial(_going, _relates("A- <= B-, A+ >= B+", some)), _clauses(some), end
        for some, end in self._subjects(at + 1) if self._is(at, "while", "same", "when") else ():
            if self._is(at, "while") and self._is(end, "going", "whole"):
                yield partial(_inside, some), _clauses(some), end + 1
            elif self._is(at, "when") and self._is(end, "going"):
                yield partial(_inside_going, some), _clauses(some), end + 1
            had = self._is(end, "whole") and self.words[end].text.startswith("ha")
            if self._is(at, "same", "when") and self._took_place(end) and not had:
                yield partial(_going, _relates("A- < B-, A+ > B+", some)), _clauses(some), end + 1

    def _first(self, at: int) -> Iterator[tuple[OfMain, Stated, int]]:
        """What says so before a subject alone: ``until B began``, ``with B still going on``."""
        for place, end in self._marked_point(at, "to"):
            yield partial(_going, _orders_points(1, [("=", ([place], [], False, None))])), [], end
        for targets, end in self._targets(at + 1) if self._is(at, "until") else ():
            yield partial(_going, _orders_points(1, [("=", targets)])), targets[1], end
        for some, end in self._subjects(at + 1) if self._is(at, "with") else ():
            if self._is(end, "still"):
                yield partial(_inside, some), _clauses(some), end + 1
            elif self._is(end, "over") or self._word(end).text in FINISHED:
                spots: Spots = ([(name, 1) for name, _, _ in some], [], True, None)
                yield partial(_at_points, ">", "after", False, spots), _clauses(some), end + 1

    def _timed(self, main: Main, at: int, *, points: bool = False) -> Iterator[Verb]:
        """A verb with adverbials: ``ended before B began but after C``.

        In "A started after B and before C", perhaps all of A is before C.
        """
        for of, extras, end in self._adverbials(at):
            state = of(main) if of.func is _at_points or not points else None
            if state is not None:
                yield state, extras, end
                for start in self._also(end):
                    both = main.bound is not None and self._is(start - 1, "and")
                    if both and of.func is not _at_points:
                        continue
                    for rest, more, last in self._timed(main, start, points=both):
                        yield _all(state, rest) or rest, extras + more, last

    def _verb(self, at: int) -> Iterator[Verb]:
        """A verb of events."""
        kind, word, _ = self._word(at)
        main = self._main(at)
        if main is not None:
            yield from self._timed(main, at + 1)
        if kind in POINTED:
            yield from self._verb_of_point(at, POINTED[kind], main is not None and main.perfect)
            named = {"starts": "A- = B-, A+ < B+", "finishes": "A- > B-, A+ = B+"}.get(word)
            yield from _related(named or "", self._objects(at + 1) if named else ())
        elif kind == "whole":
            order = self._word(at + 1).kind
            if order[:1] == "@":
                yield from _related(order[1:], self._objects(at + 2))
            if order in BARE:
                yield from self._did(_beyond(BARE[order]), at + 2)
        elif kind in ("precede", "follow"):
            meaning = _beyond("<" if kind == "precede" else ">")
            yield from _related(meaning, self._objects(at + 1))
            if kind == "precede" and word.endswith("followed by"):
                for item, start in self._item(at + 1):
                    for some, end in self._then([item], start):
                        extras = _in_order(some) + _clauses(some)
                        yield _relates(_beyond("<"), [item]), extras, end
        elif kind[:1].isupper():
            yield from _related(kind, self._objects(at + 1))
            yield from self._did(kind, at + 1) if "," not in kind else ()
            if kind == SHARES:
                yield _in_a_row(kind), [], at + 1
        elif kind in ("alike", "have-", "have+"):
            yield _in_a_row(EQUALS if kind == "alike" else f"A{kind[-1]} = B{kind[-1]}"), [], at + 1
        elif kind == "throughout":
            yield from _related("A- <= B-, A+ >= B+", self._objects(at + 1))
        elif kind == "lasted_after":
            yield from _against(1, ">", self._targets(at + 1))
            yield from _related("A+ > B+", self._objects(at + 1))
        elif kind == "lasted":
            after = self._is(at + 1, "after")
            yield from _against(1, "=>"[after], self._targets(at + 1 + after))
            yield from _related("A+ > B+" if after else "A+ = B-", self._objects(at + 1 + after))
        elif kind == "lasted_from":
            for low, middle in self._point(at + 1):
                for high, end in self._marked_point(middle, "to"):
                    yield _spans((0, "=", low), (1, "=", high)), [], end

    def _verb_of_point(self, at: int, bound: int, perfect: bool) -> Iterator[Verb]:
        mine = "-+"[bound]
        yield from self._compares(at + 1, mine)
        if not perfect:
            yield from self._same_then(at + 1, bound)
        same_time = not perfect or " same " in self._word(at + 1).text
        if self._is(at + 1, "same", "when", "soon") and same_time:
            same = f"A{mine} = B{mine}"
            yield from self._did(same, at + 2)
            yield from _related(same, () if self._is(at + 1, "soon") else self._objects(at + 2))
        if self._is(at + 1, "together", "orderly"):
            sign = "=" if self._is(at + 1, "together") else "<"
            yield _in_a_row(f"A{mine} {sign} B{mine}"), [], at + 2
        first, second = self._main(at), self._main(at + 2)
        if first and second and self._is(at + 1, "and") and second.bound == 1 - bound:
            if self._is(at + 3, "together"):
                yield _in_a_row(EQUALS), [], at + 4
            for of, extras, end in self._adverbials(at + 3):
                state = _both(of, first, second)
                if state is not None:
                    yield state, extras, end

    def _did(self, meaning: str, at: int, *words: str) -> Iterator[Verb]:
        """Verbs that relate each subject to some events before *did*."""
        for some, end in self._objects(at):
            if self._is(end, "did", *words):
                yield _relates(meaning, some), _clauses(some), end + 1

    def _compares(self, at: int, mine: str) -> Iterator[Verb]:
        """``A ended before B``, ``A ended before B did``, ``A ended earlier than B``."""
        kind = self._word(at).kind
        if not self._is(at, *BARE, "not_earlier", "not_later"):
            return
        same = f"A{mine} {ORDERS[kind]} B{mine}"
        yield from self._did(same, at + 1, "had")
        if kind not in ("before", "after"):
            yield from _related(same, self._objects(at + 1))
            return
        for some, end in self._objects(at + 1):
            if self._is(end, "whole") and self.words[end].text in WAS:
                if self.words[at - 1].text.split()[0] in WAS:  # "was over before B was".
                    yield _relates(same, some), _clauses(some), end + 1
            elif self._took_place(end):
                edge = "-" if kind == "before" else "+"
                yield _relates(f"A{mine} {ORDERS[kind]} B{edge}", some), _clauses(some), end + 1

    def _same_then(self, at: int, bound: int) -> Iterator[Verb]:
        """``A began at the same time as B but ended later``."""
        kind = self._word(at).kind
        compared = kind in ("same", "earlier", "later", "not_earlier", "not_later")
        for some, end in self._objects(at + 1) if compared else ():
            verb = end + self._is(end, ",") + 1
            other, perfect = self._pointed(verb)
            then = self._sooner(verb + 1)
            if then and other == 1 - bound and not perfect and self._is(verb - 1, "but", "and"):
                mine, its = "-+"[bound], "-+"[other]
                meaning = f"A{mine} {ORDERS[kind]} B{mine}, A{its} {then} B{its}"
                yield _relates(meaning, some), _clauses(some), verb + 2

    def _point_verb(self, at: int) -> Iterator[Verb]:
        """A verb of points."""
        kind, word, _ = self._word(at)
        signs = {"precede": "<", "follow": ">", "coincide": "=", EQUALS: "="}
        sign = signs.get(kind) or kind.removeprefix("order")
        if kind == "whole":
            yield from self._timed(Main("point", None, False, ""), at + 1)
            order = self._word(at + 1).kind
            if order in BARE and self._is(at + 2, "that_of"):
                yield from _related(f"A {BARE[order]} B", self._objects(at + 3))
            if self._is(at + 1, "together"):
                yield _in_a_row("A = B"), [], at + 2
            for places, end in self._points(at + 1) if word in WAS else ():
                yield _orders_points(None, [("=", (places, [], False, None))]), [], end
        elif kind in ("coincided", "in_order"):
            yield _in_a_row("A = B" if kind == "coincided" else "A < B"), [], at + 1
        elif sign in ("<", ">", "="):
            yield from _against(None, sign, self._targets(at + 1))
            if kind != EQUALS and self._is(at + 1, "that_of"):
                yield from _related(f"A {sign} B", self._objects(at + 2))

    def _fronted(self, at: int) -> Iterator[tuple[Stated, int]]:
        """``Before B started, A had ended``."""
        yield from self._cleft(at)
        for of, extras, end in chain(self._adverbials(at), self._first(at)):
            start = self._past(end)
            yield from self._main_clause(partial(_leading, of), extras, start)
            for some, middle in self._subjects(start):
                first, second = self._main(middle), self._main(middle + 2)
                if first and second and self._is(middle + 1, "and"):
                    state = _both(of, first, second)
                    if state is not None:
                        yield from self._states(some, (state, extras, middle + 3))
        for of, extras, end in self._adverbials(at):
            start = self._past(end)
            state = of(HAPPENED)
            if state is not None and self._is(start, "held"):
                for some, last in self._names(start + 1):
                    yield from self._states(some, (state, extras, last))
            if self._is(start, "but", "and"):  # "After A ended, but before B, C took place".
                for other, more, last in self._adverbials(start + 1):
                    yield from self._main_clause(
                        partial(_together, of, other), extras + more, self._past(last)
                    )
        for objects, end in self._names(at + 1) if self._is(at, "before", "after") else ():
            middle = self._past(end)
            if self._is(middle, "whole") and self.words[middle].text in INVERTED:
                for some, last in self._names(middle + 1):
                    meaning = _beyond(BARE[self.words[at].kind])
                    yield from self._relation(some, meaning, objects, last)

    def _past(self, at: int) -> int:
        """The place after a comma, if there is one."""
        return at + self._is(at, ",")

    def _main_clause(self, of: OfMain, extras: Stated, at: int) -> Iterator[tuple[Stated, int]]:
        """What began, ended, took place or was going on, after an adverbial."""
        for some, middle in self._subjects(at):
            main = self._main(middle)
            state = of(main) if main else None
            verb: Verb | None = None if state is None else (state, extras, middle + 1)
            for stated, end in self._states(some, verb) if verb else ():
                yield stated, end
                for more, last in (
                    self._main_clause(of, extras, end + 1) if self._is(end, "and") else ()
                ):
                    yield stated + more, last

    def _cleft(self, at: int) -> Iterator[tuple[Stated, int]]:
        """``it was after B ended that A began``, ``it was A that began before B``."""
        kind, word, _ = self._word(at + 1)
        if not self._is(at, "it") or word not in ("was", "is", "was at", "is at"):
            return
        for place, end in self._point(at + 2) if kind == "coincide" and word[-1] == "t" else ():
            if self._is(end, "that"):
                yield from self._main_clause(partial(_at_mark, place), [], end + 1)
        if kind != "whole":
            return
        for of, extras, end in self._adverbials(at + 2):
            if self._is(end, "that"):
                yield from self._main_clause(of, extras, end + 1)
        for some, end in self._names(at + 2):
            for verb in self._verb(end + 1) if self._is(end, "that") else ():
                yield from self._states(some, verb)

    def _pointed(self, at: int) -> tuple[int | None, bool]:
        return POINTED.get(self._word(at).kind), self._is(at, "begun", "ended")

    def _states(self, some: Some, verb: Verb) -> Iterator[tuple[Stated, int]]:
        stated = _stated([(name, 0) for name, _, _ in some], [verb])
        if stated is not None:
            yield stated + _clauses(some), verb[2]

    def _relation(
        self, some: Some, meaning: str, objects: Some, end: int
    ) -> Iterator[tuple[Stated, int]]:
        yield from self._states(some, (_relates(meaning, objects), _clauses(objects), end))

    # Symbols

    def _symbols(self, text: str) -> Stated:
        """``gate2 = hill1 < hill2``, ``gate.end < hill.start``, ``gate meets hill``."""
        stated: Stated = []
        if "(" in text:
            text = re.sub(r"\b(start|begin|end|finish)\(([^\s()]+)\)", r"\2.\1", text)
            text = re.sub(r"\b([a-z_]+)\(([^\s(),]+), ?([^\s(),]+)\)", r"\2 \1 \3", text)
        for part in re.split(r",? and |, | & |; |\.\s+", text.removesuffix(".")):
            every = self.others.meanings(part, self.names, self.marked) if self.others else []
            try:
                every = [self._comparison(part), *every]
            except RejectedError:
                require(every, f"this is no comparison: {part[:80]!r}")
            require(all(_same(every[0], other) for other in every), f"two meanings: {part[:80]!r}")
            stated += every[0]
        return stated

    def _comparison(self, part: str) -> Stated:
        stated: Stated = []
        pieces = re.split(r" ?(<=|>=|==|[<>=≤≥]) ?| ([a-z_]+(?: [a-z]+)*) ", part)
        require(len(pieces) > 1, f"this is no comparison: {part[:80]!r}")
        for n in range(0, len(pieces) - 1, 3):
            left, sign, word, right = pieces[n : n + 4]
            stated += _compared(left, sign or word, right)
        return stated


def _compared(left: str, word: str, right: str) -> Stated:
    points = [_symbol(side) for side in (left, right)]
    if points[0] and points[1]:
        for sign, words in SENTENCES["logical"]["signs"].items():
            if word in words.split("|") or SIGNS.get(word) == sign:
                return [Sentence(points[0], sign, points[1])]
        if word in SIGNS:
            return [Sentence(points[0], SIGNS[word], points[1])]
    for meaning, words in SENTENCES["logical"]["relations"].items():
        if word in words.split("|") and all(SIDE.fullmatch(side) for side in (left, right)):
            found = _relates(meaning, [(right, [], False)])([(left, 0)])
            return found or []
    raise RejectedError(f"this is no comparison: {left[:40]!r} {word!r} {right[:40]!r}")


SIDE = re.compile(r'[^\s<>=≤≥.,;:!?()\[\]{}"]{1,200}')


def _symbol(side: str) -> Place | None:
    for bound, suffixes in enumerate(((*STARTS, "1"), (*ENDS, "2"))):
        for suffix in suffixes:
            if side.endswith(suffix) and SIDE.fullmatch(side[: -len(suffix)]):
                return side[: -len(suffix)], bound
    return None


def _renamed(stated: Stated, names: dict[str, str]) -> Stated:
    new = names.get
    return [Sentence((new(p, p), a), sign, (new(q, q), b)) for (p, a), sign, (q, b) in stated]


def _clauses(some: Some) -> Stated:
    return [stated for _, clause, _ in some for stated in clause]


def _beyond(sign: str) -> str:
    return "A+ < B-" if sign == "<" else "A- > B+"


def _side(side: str, a: Place, b: Place) -> Place:
    event, bound = a if side[0] == "A" else b
    return event, "-+".index(side[1]) if side[1:] else bound


def _against(bound: int | None, sign: str, rows: Iterable[tuple[Spots, int]]) -> Iterator[Verb]:
    """Verbs that relate a point of each subject, or the subject itself, to some points."""
    for targets, end in rows:
        if not _loose(sign, targets):
            yield _orders_points(bound, [(sign, targets)]), targets[1], end


def _related(meaning: str, rows: Iterable[tuple[Some, int]]) -> Iterator[Verb]:
    """Verbs that relate each subject to some events."""
    return ((_relates(meaning, some), _clauses(some), end) for some, end in rows)


def _relates(meaning: str, some: Some) -> State:
    """Relates each subject to each object, as a meaning says; ``A`` alone is a point itself.

    ``B`` alone is the same point of the other event.
    """
    parts = [part.split() for part in meaning.split(", ")]

    def state(subjects: list[Place]) -> Stated:
        return [
            Sentence(_side(left, a, (b, a[1])), sign, _side(right, a, (b, a[1])))
            for a in subjects
            for b, _, _ in some
            for left, sign, right in parts
        ]

    return state


def _in_a_row(meaning: str) -> State:
    """Relates each subject to the next one; a single one has no meaning."""
    parts = [part.split() for part in meaning.split(", ")]

    def state(subjects: list[Place]) -> Stated | None:
        if len(subjects) < 2:
            return None
        return [
            Sentence(_side(left, a, b), sign, _side(right, a, b))
            for a, b in pairwise(subjects)
            for left, sign, right in parts
        ]

    return state


def _orders_points(bound: int | None, orders: list[tuple[str, Spots]]) -> State:
    """Orders a point of each subject, or the subject if that is a point, and each other point."""

    def state(subjects: list[Place]) -> Stated:
        return [
            Sentence((event, own if bound is None else bound), sign, spot)
            for event, own in subjects
            for sign, spots in orders
            for spot in spots[0]
        ]

    return state


def _ends(main: Main) -> tuple[str, str]:
    """The first and the last point of what a verb says; "" for the point that is its subject."""
    if main.sort in ("whole", "both"):
        return "-", "+"
    return ("", "") if main.bound is None else ("-+"[main.bound],) * 2


def _at_points(sign: str, kind: str, when: bool, targets: Spots, main: Main) -> State | None:
    """``before B began``."""
    if main.sort == "point":
        perfect = main.perfect or (main.bound is None and targets[2])
        timed = _timed(sign, kind, perfect, targets[2])
        return None if timed is None else _orders_points(main.bound, [(timed, targets)])
    if kind in BARE and main.sort != "both":
        bound = int(sign == ("<" if main.sort == "whole" else ">"))
        return None if _unclear(main) else _orders_points(bound, [(sign, targets)])
    goes_on = main.sort == "going" and when and not targets[2]
    return _goes_on(targets[0]) if goes_on else None


def _at_events(sign: str, near: bool, some: Some, main: Main) -> State | None:
    """``before B``, ``earlier than B``."""
    edge = "-" if sign == "<" else "+"
    if main.sort == "whole":
        return _relates(_beyond(sign), some)
    if _unclear(main) or (main.sort == "point" and not near) or main.sort == "both":
        return None
    # "The middle of the race" is no event.
    noun = main.sort == "point" and main.bound is None
    if noun and any(re.match("[a-z]+ of ", name) for name, _, _ in some):
        return None
    return _relates(f"A{edge if main.sort == 'going' else _ends(main)[0]} {sign} B{edge}", some)


def _at_mark(place: Place, main: Main) -> State | None:
    """``at the end of B``; before the subject, what had ended there may have ended before."""
    if main.sort == "going":
        return _goes_on([place])
    if main.sort in ("whole", "both") or (main.perfect and not main.first):
        return None
    return _orders_points(main.bound, [("<=" if main.perfect else "=", ([place], [], False, None))])


def _inside(some: Some, main: Main) -> State | None:
    """``during B``."""
    low, high = _ends(main)
    return None if main.sort == "going" else _relates(f"A{low} > B-, A{high} < B+", some)


def _inside_going(some: Some, main: Main) -> State | None:
    """``when B was going on``."""
    return None if main.bound is None else _inside(some, main)


def _between(first: Described, last: Described, main: Main) -> State | None:
    """``between B and C``."""
    low, high = _ends(main)
    after, before = _relates(f"A{low} > B+", [first]), _relates(f"A{high} < B-", [last])
    return None if main.sort == "going" else _all(after, before)


def _between_points(early: Place, late: Place, main: Main) -> State | None:
    """``between the end of B and the start of C``."""
    if main.sort == "going":
        return None
    low, high = (main.bound, main.bound) if main.sort == "point" else (0, 1)
    after: Spots = [early], [], False, None
    before: Spots = [late], [], False, None
    return _all(_orders_points(low, [(">", after)]), _orders_points(high, [("<", before)]))


def _going(state: State, main: Main) -> State | None:
    """``until B began`` and others of what was going on alone."""
    return state if main.sort == "going" else None


def _leading(of: OfMain, main: Main) -> State | None:
    return of(main._replace(first=True))


def _together(first: OfMain, second: OfMain, main: Main) -> State | None:
    return _all(first(main), second(main))


def _both(of: OfMain, first: Main, second: Main) -> State | None:
    """What ``began and ended`` and an adverbial state."""
    if {first.bound, second.bound} != {0, 1}:
        return None
    return of(Main("both", None, False, "")) or _all(of(first), of(second))


def _all(first: State | None, second: State | None) -> State | None:
    """What two states say of each subject."""
    if first is None or second is None:
        return None
    return lambda subjects: [
        row for a in subjects for state in (first, second) for row in state([a]) or []
    ]


def _spans(*orders: tuple[int, str, Place]) -> State:
    return lambda subjects: [
        Sentence((event, bound), sign, place)
        for event, _ in subjects
        for bound, sign, place in orders
    ]


def _in_order(some: Some) -> Stated:
    return [Sentence((a[0], 1), "<", (b[0], 0)) for a, b in pairwise(some)]


def _loose(sign: str, targets: Spots) -> bool:
    """Whether "after the race and the picnic started" may mean the end of the race."""
    return targets[3] is not None and sign in "<>" and targets[3] != int(sign == ">")


def _timed(sign: str, kind: str, perfect: bool, other: bool) -> str | None:
    """The sign of an order, of verbs that are perfect or not: "A had ended when B began"."""
    if kind not in TIMED or not (perfect or other):
        return sign
    if kind != "when" or (perfect and other):
        return None
    return "<=" if perfect else ">="


def _closes(word: str) -> bool:
    """Whether a name ends before *the*: "after the end of the match the party began"."""
    words = (*NAMES["prepositions"].split(), *NAMES["articles"].split())
    return word[:1].islower() and word not in words


def _goes_on(places: list[Place]) -> State:
    def state(subjects: list[Place]) -> Stated:
        return [
            Sentence((event, bound), "<>"[bound], place)
            for event, _ in subjects
            for place in places
            for bound in (0, 1)
        ]

    return state


def _stated(subjects: list[Place], verbs: list[Verb]) -> Stated | None:
    stated: Stated = []
    for state, extras, _ in verbs:
        part = state(subjects)
        if part is None:
            return None
        stated += part + extras
    return stated


def _resolved(parts: list[Stated]) -> Stated:
    """The parts of a text, with the one event that each pronoun can stand for."""
    known: dict[str, None] = {}
    found: Stated = []
    for part in parts:
        named = [place[0] for row in part for place in (row.left, row.right)]
        if IT in named:
            compared = {
                event
                for left, _, right in part
                if IT in (left[0], right[0])
                for event in (left[0], right[0])
            }
            choices = [event for event in known if event not in named]
            choices = choices or [event for event in dict.fromkeys(named) if event not in compared]
            require(len(choices) == 1, "a pronoun has not one antecedent")
            part = _renamed(part, {IT: choices[0]})
        known |= dict.fromkeys(name for name in named if name != IT)
        found += part
    return found


LATER = re.compile(
    r"[.;](\s+)([Tt]hen|[Aa]fterwards?|[Ll]ater|[Ss]ubsequently|[Tt]hereafter|[Aa]fter that)"
    r"(?=,?\s)"
)

AFTERWARDS = re.compile(
    r";(\s+)(?=[^.;!?]*\s(?:afterwards?|after that|later|thereafter|subsequently)(?:[.;!]|$))"
)


def _apart(text: str) -> Iterator[str]:
    """The sentences of a text; one that begins with *then* is a part of the one before it."""
    text = LATER.sub(lambda found: f",{found[1]}{found[2].lower()}", text)
    text = AFTERWARDS.sub(r",\1", text)
    begin = 0
    for stop in re.finditer(r'"[^"]*"|“[^”]*”|(?:(?<!\w)(\w*))?([.;!])\s+', text):
        word = stop[1] or ""
        # A single letter may be a whole name, and is no initial here.
        if stop[2] and not (stop[2] == "." and ABBREVIATION.fullmatch(word)):
            yield text[begin : stop.start(2)]
            begin = stop.end()
    yield text[begin:]


def _unclear(main: Main) -> bool:
    """Whether "was on before lunch" may say that an event ended before, too."""
    on = main.word.endswith(" on") and not main.word.endswith("going on")
    return main.sort == "going" and (on or main.word == "continued")


def _bare(words: list[str], first: bool) -> list[str]:
    """The words of a name without its article."""
    lead = [words[0].lower() if first else words[0], *words[1:]]
    for article in WHOLLY:
        size = article.count(" ") + 1
        if " ".join(lead[:size]) == article and len(words) > size:
            return words[size:]
    if len(words) > 1:
        small = words[1][:1].islower()
        if words[0] == "the" or (first and words[0] == "The"):
            return words[1:]
        if small and (words[0] in ("a", "an") or (first and words[0] in ("A", "An"))):
            return words[1:]
    return words


def _alternatives(texts: str) -> list[str]:
    """Phrases in a row, with each of the words of a slot in the place of its name in braces."""
    found: list[str] = []
    for text in texts.split("|"):
        pieces = re.split(r"\{(\w+)\}", text)
        words = [SLOTS[piece].split("|") if n % 2 else [piece] for n, piece in enumerate(pieces)]
        found += [" ".join("".join(some).split()) for some in product(*words)]
    return found


@cache
def _phrases(domain: str, spatial: str) -> tuple[dict[str, str], dict[str, str]]:
    """The kind of each phrase, and - or + for each noun of a point."""
    rows = SENTENCES.get(domain, {}) if domain != "logical" else {}
    western = domain != "spatial" or spatial == "geometric"
    phrases: dict[str, str] = {}
    nouns: dict[str, str] = {}
    for kind, words in rows.items():
        if isinstance(words, dict):
            mark = {"placed": "@", "further": "~"}.get(kind, "")
            for meaning, texts in words.items() if western else ():
                phrases |= dict.fromkeys(_alternatives(texts), mark + meaning)
        elif kind in ("start", "finish"):
            sign = "-" if (kind == "start") == western else "+"
            nouns |= dict.fromkeys(_alternatives(words), sign)
            for noun in _alternatives(words):
                phrases |= {text.format(noun): f"{of}{sign}" for text, of in AROUND.items()}
                phrases |= {text.format(noun): f"A{sign} = B{sign}" for text in AS}
        elif western or kind not in ("begin", "end", "lasted_from"):
            phrases |= dict.fromkeys(_alternatives(words), kind)
    for sign in "<>=" if rows else "":
        for text in PHRASES[domain][sign]:
            bare = text.removesuffix(" the")
            words = bare.split()
            made = any(
                phrases.get(" ".join(words[:n])) == "whole"
                and phrases.get(" ".join(words[n:])) in (*BARE, "same")
                for n in range(1, len(words))
            )
            if not made and "…" not in bare:
                phrases.setdefault(bare, f"order{sign}")
    return phrases, nouns


# --- Wordings of others ---------------------------------------------------------------------------


class Wording(NamedTuple):
    """A phrase: the text around its slots, their names, and the relations of the slots."""

    words: list[str]
    slots: list[str]
    meaning: Stated


def _written_claim(text: str, form: Form, marked: Marked, known: set[str]) -> Claim | None:
    """``The picnic ended before the parade``, ``Did the picnic end before the parade?``."""
    if form.domain == "logical":
        try:
            return _one_claim(WrittenPremise(form.domain, form.spatial).read(text))
        except RejectedError:
            return None
    every: list[tuple[Claim | None, Marked]] = []
    for statement in _statements(text.strip()):
        reader = WrittenPremise(form.domain, form.spatial)
        own = reader.marked
        try:
            stated = [row for part in reader.statement(statement) for row in part]
        except RejectedError:
            continue
        first = own.first - own.inner
        if any(
            name == IT or _unlicensed(name, name in first)
            for name in _named(stated) - form.names - own.quoted
        ):
            continue
        spelled = {name: _spelled(name, known, first, marked) for name in _named(stated)}
        stated = _renamed(stated, spelled)
        words = [word for word in reader.words if word.kind not in ("name", "stop")]
        strict = any("strictly" in word.text or word.kind[0] == "@" for word in words)
        claim = None
        if len(stated) == 1 and POINTS.isdisjoint(word.kind for word in words):
            (left, a), sign, (right, b) = stated[0]
            if (a, sign, b) in WHOLE:
                claim = left, WHOLE[a, sign, b][strict], right
        every.append((claim or _one_claim(stated), own))
    claims = {claim for claim, _ in every}
    if len(claims) != 1 or every[0][0] is None:
        return None
    for mine, more in zip(marked, every[0][1], strict=True):
        mine |= more
    return every[0][0]


def _spelled(name: str, known: set[str], first: set[str], marked: Marked) -> str:
    """The name of an event of the premise that a claim names, whose capital may differ."""
    lower, upper = name[:1].lower() + name[1:], name[:1].upper() + name[1:]
    if name not in known and name in first and lower in known:
        return lower
    return upper if name not in known and upper in marked.first - marked.inner else name


def _statements(text: str) -> Iterator[str]:
    """The statements that a text may ask for, or the text itself."""
    verb, *words = _plain(text.removesuffix("?")).split(" ")
    verb = verb.lower()
    if verb in DO:
        yield " ".join(words)
    elif verb in BE:
        for cut in range(1, min(len(words), 13)):
            yield " ".join([*words[:cut], verb, *words[cut:]])
    elif not text.endswith("?"):
        yield _plain(text)


def _one_claim(stated: Stated) -> Claim | None:
    """The claim that states the same; about two points, or about two events."""
    if len(stated) == 1:
        return stated[0]
    sides = list(dict.fromkeys(place[0] for row in stated for place in (row[0], row[2])))
    for first, second in (sides, sides[::-1]) if len(sides) == 2 else ():
        for name, comparisons in CLAIMS.items():
            form = [
                Sentence((first, int(c[0] == "e")), c[1:-1], (second, int(c[-1] == "e")))
                for c in comparisons.split()
            ]
            if _same(form, stated):
                return first, name, second
    return None


class Others:
    """The phrases of files: wordings that the file of a certificate brings along."""

    def __init__(self, files: object, domain: str, spatial: str) -> None:
        self.logical, self.phrases = domain == "logical", list[Wording]()
        self.domain, self.spatial = domain, spatial
        for file in _list(files, "phrases"):
            content = _object(file, {"digest", "domain", "phrase"}, "a phrase file")
            rows = [
                _object(row, {"text", "means", "not"}, "a phrase")
                for row in _list(content["phrase"], "phrase")
            ]
            plain = [content["domain"], [[row["text"], row["means"], row["not"]] for row in rows]]
            text = json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
            digest = hashlib.sha256(text.encode(errors="replace")).hexdigest()
            require(content["digest"] == digest, "the digest of a phrase file does not fit it")
            require(content["domain"] == domain, "a phrase file is of another domain")
            self.phrases += [_wording(row["text"], row["means"], domain, spatial) for row in rows]
        common = {"and", "'s", "", *" ".join(NAMES[k] for k in PLACES).split()}
        self.marks = [
            re.compile(rf"(?<!\w){re.escape(part.strip())}(?!\w)")
            for phrase in self.phrases
            for part in phrase.words
            if not common.issuperset(re.split(r"[\s,]+", part.strip()))
        ]

    def inside(self, name: str) -> bool:
        """Whether a name contains the words of a phrase."""
        return any(mark.search(name) for mark in self.marks)

    def meanings(self, sentence: str, names: frozenset[str], marked: Marked) -> list[Stated]:
        """All that a sentence can mean as a phrase."""
        return [
            _renamed(phrase.meaning, filled)
            for phrase in self.phrases
            for filled in self._filled(phrase, sentence, names, marked)
        ]

    def claim(
        self, text: str, names: frozenset[str], marked: Marked, known: set[str]
    ) -> Claim | None:
        """The claim that a text states as a phrase."""
        own = Marked(set(), set(), set())
        every = self.meanings(_plain(text), names, own)
        if not every or self._plain_sentence(_plain(text), names):
            return None
        stated = every[0]
        require(all(_same(stated, other) for other in every), f"two meanings: {text[:80]!r}")
        small = {
            name: name[:1].lower() + name[1:]
            for name in own.first - known
            if name[:1].lower() + name[1:] in known
        }
        stated = _renamed(stated, small)
        marked.quoted.update(own.quoted)
        claim = _one_claim(stated)
        if claim is not None:
            return claim
        raise RejectedError(f"a claim states one relation: {text[:80]!r}")

    def _plain_sentence(self, text: str, names: frozenset[str]) -> bool:
        """Whether a sentence is read without phrases, too."""
        reader = WrittenPremise(self.domain, self.spatial)
        own = reader.marked
        try:
            rows = [row for part in reader.statement(text) for row in part]
        except RejectedError:
            return False
        first = own.first - own.inner
        return not any(
            self.inside(name) or _unlicensed(name, name in first)
            for name in _named(rows) - names - own.quoted - {IT}
        )

    def _filled(
        self, phrase: Wording, sentence: str, names: frozenset[str], marked: Marked
    ) -> Iterator[dict[str, str]]:
        """The names in the slots, for each way in which a sentence is a phrase."""
        small = _small(sentence)
        if not small.startswith(_small(phrase.words[0])):
            return
        text = sentence.replace("’", "'").replace("ʼ", "'")
        reached = [(len(phrase.words[0]), list[tuple[str, str, int]]())]
        for number, (slot, word) in enumerate(zip(phrase.slots, phrase.words[1:], strict=True)):
            starts, reached = reached, []
            for begin, filled in starts:
                for end in range(begin + 1, min(begin + 200, len(text)) + 1):
                    after = end + len(word)
                    if number == len(phrase.slots) - 1 and after != len(text):
                        continue
                    if not text.startswith(word, end) or not (word or after == len(text)):
                        continue
                    name = self._name(sentence[begin:end], begin == 0, names)
                    if name and all(name[0] == old for key, old, _ in filled if key == slot):
                        reached.append((after, [*filled, (slot, *name)]))
        for _, filled in reached:
            found = {slot: name for slot, name, _ in filled}
            if len(set(found.values())) == len(found):
                for _, text_of, where in filled:
                    marked[where].add(text_of)
                yield found

    def _name(self, text: str, leads: bool, names: frozenset[str]) -> tuple[str, int] | None:
        """The name in a slot, and where ``Marked`` has it: 0 in quotes, 1 first, 2 elsewhere."""
        if self.logical:
            return (text, 2) if SIDE.fullmatch(text) else None
        if text != text.strip() or "  " in text:
            return None
        if re.fullmatch(r'"[^"]+"|“[^”]+”', text):
            return text[1:-1], 0
        name = " ".join(_bare(text.split(" "), leads))
        first = leads and name == text
        if name not in names and (self.inside(name) or _unlicensed(name, first)):
            return None
        return (name, 1 if first else 2) if re.search(r"\w", name) else None


def _wording(text: object, means: object, domain: str, spatial: str) -> Wording:
    if type(text) is not str or not all(type(row) is str for row in _list(means, "means")):
        raise RejectedError("a phrase has texts")
    pieces = re.split(r"\{(\w+)\}", text)
    slots, rows = list(dict.fromkeys(pieces[1::2])), list[Sentence]()
    for statement in _list(means, "means"):
        rows += [row for row in _meant(statement, slots, domain, spatial) if row not in rows]
    require(slots and {*slots} == _named(rows), f"the slots are not those of the meaning: {text!r}")
    return Wording(pieces[::2], pieces[1::2], rows)


def _meant(statement: str, slots: list[str], domain: str, spatial: str) -> Stated:
    """What a statement says about slots: ``start of A after end of B``, ``A.end < B.start``."""
    require(len(slots) < 27, "too many slots")
    spelled = {slot: f"zz{chr(97 + n)}" for n, slot in enumerate(slots)}
    back = {name: slot for slot, name in spelled.items()}
    digit = r"[12]?\b" if domain == "logical" else r"\b"
    text = statement.removesuffix(".")
    for slot in sorted(slots, key=len, reverse=True):
        text = re.sub(
            rf"\{{{re.escape(slot)}\}}|\b{re.escape(slot)}(?={digit})", spelled[slot], text
        )
    forms = [text]
    first = re.match(r"((?:[A-Za-z]+ ){0,4}?zz[a-z](?:'s [a-z]+|\.[a-z]+|[12]\b)?) ?(.*)", text)
    if first:
        rest = re.sub("^(is|was) ", "", first[2].replace("_", " "))
        rests = [rest, *(re.sub(rf"^(?:{old})\b", new, rest) for new, old in SPELLINGS)]
        forms += [f"{first[1]} {verb}{end}" for end in rests for verb in ("", "was ", "is ")]
    for words in dict.fromkeys((domain, "temporal")):
        found: list[Stated] = []
        for form in forms:
            try:
                rows = WrittenPremise(words, spatial).read(form)
            except RejectedError:
                continue
            if _named(rows) <= back.keys() and not any(_same(rows, other) for other in found):
                found.append(rows)
        require(len(found) < 2, f"a phrase has two meanings: {statement[:80]!r}")
        if found:
            return _renamed(found[0], back)
    raise RejectedError(f"what a phrase means cannot be read: {statement[:80]!r}")


@lru_cache(64)
def _others(files: str, domain: str, spatial: str) -> Others:
    return Others(json.loads(files), domain, spatial)


def _small(text: str) -> str:
    return text[:1].lower() + text[1:].replace("’", "'").replace("ʼ", "'")


def _plain(text: str) -> str:
    """A text with plain blanks and apostrophes, without its last stop."""
    text = re.sub(r"\s", " ", text.strip()).replace("’", "'").replace("ʼ", "'")
    return text[:-1] if text.endswith((".", "!")) else text


def _named(rows: Iterable[Sentence]) -> set[str]:
    return {place[0] for row in rows for place in (row.left, row.right)}


def _same(first: Stated, second: Stated) -> bool:
    """Whether relations follow from each other, as every event starts before it ends."""
    return _follows(first, second) and _follows(second, first)


def _follows(given: Stated, stated: Stated) -> bool:
    names = _named(given) | _named(stated)
    least = {((name, 0), (name, 1)): True for name in names}  # Whether p < q, or only p <= q.
    for left, sign, right in given:
        for p, q in ((left, right),) * (sign[0] != ">") + ((right, left),) * (sign[0] != "<"):
            least[p, q] = least.get((p, q), False) or sign in ("<", ">")
    known = dict[tuple[Place, Place], bool]()
    while known != least:
        known = dict(least)
        for (p, q), (r, s) in product(known, known):
            if q == r:
                strict = known[p, q] or known[r, s]
                least[p, s] = least.get((p, s), False) or strict
    if any(strict and p == q for (p, q), strict in least.items()):
        return True

    def follows(p: Place, strict: bool, q: Place) -> bool:
        return not strict if p == q else (p, q) in least and (least[p, q] or not strict)

    return all(
        follows(*need)
        for left, sign, right in stated
        for need in ((left, sign == "<", right),) * (sign[0] != ">")
        + ((right, sign == ">", left),) * (sign[0] != "<")
    )


# --- The licence of names ---------------------------------------------------------------------


def _first(stated: Texts, first: set[str]) -> set[str]:
    """The names whose first word may have the capital of a sentence."""
    if isinstance(stated.claim, Sentence):
        return first
    known = {place[0] for row in stated.premise for place in (row.left, row.right)}
    return first | ({stated.claim[0]} - known)


def _licensed(
    stated: Texts,
    names: set[str] | frozenset[str],
    first: set[str],
    others: Others | None = None,
) -> None:
    """Reject a name with a word that may change the meaning of its sentence."""
    sides = [part[side] for part in (*stated.premise, stated.claim) for side in (0, 2)]
    every = dict.fromkeys(side if isinstance(side, str) else side[0] for side in sides)
    for name in every.keys() - names if others else ():
        require(not (others and others.inside(name)), f"a phrase is in the name {name[:80]!r}")
    if every and all(re.fullmatch("(?:.* )?[a-z]{1,4}[0-9]+", name) for name in every):
        return  # Identifiers of an annotation, with the words that they annotate.
    for name in every:
        if name not in names:
            word = _unlicensed(name, name in first)
            require(word is None, f"{word!r} is no part of a name: {name[:80]!r}")
    spaced = {name: f" {name.lower()} " for name in every}
    whole = "|".join(spaced.values())
    if not any(whole.count(text) > 1 for text in spaced.values()):
        return  # No name is within another.
    for name, text in spaced.items():
        if " " in name and name not in names:
            for other, inside in spaced.items():
                within = inside != text and inside in text
                require(not within, f"{name[:80]!r} is {other[:80]!r} and other words")


@lru_cache(4096)
def _unlicensed(name: str, first: bool) -> str | None:
    """The first word or mark for which a name is not plain."""
    mark = re.search(r"[,;:?!()\[\]{}\"“”]| [-–—] |—", name)
    if mark:
        return mark[0].strip()
    lists = {kind: set(words.split()) for kind, words in NAMES.items()}
    for end in (name.split()[:1], name.split()[-1:]):
        if not end or end[0] in lists["prepositions"]:
            return name
    if name in lists["articles"]:
        return name
    plain = name.replace("’", "'")
    words: list[str] = re.findall(r"[^\W\d_]+(?:['-][^\W\d_]+)*|n't", plain)
    for n, word in enumerate(words):
        low = word.lower() if first and n == 0 and word.lower() not in lists["capitals"] else word
        stem = low.removesuffix("'s")
        if word in ("one", "One") and n and words[n - 1].lower() in lists["numbered"]:
            continue
        if {low, stem} & lists["operators"] or low.endswith("n't"):
            return word
        if len(stem) > 3 and stem.endswith("ly") and stem.islower() and stem not in lists["nouns"]:
            return word
        if word[0].islower():
            if n == 0 and word in ("the", "a", "an") and len(words) > 1:
                return word
            if n and word in lists["articles"] and words[n - 1] not in lists["prepositions"]:
                return word
            capital = (
                any(w[0].isupper() for w in words[:n]),
                any(w[0].isupper() for w in words[n + 1 :]),
            )
            if all(capital) and word not in lists["between"]:
                return word
    if len(words) > 1 and words[-1][0].islower():
        past = words[-1].endswith("ed") and words[-1] not in lists["nouns_in_ed"]
        if past or words[-1] in lists["pasts"] or words[-1] in lists["particles"]:
            return words[-1]
    return None


# --- What is to be proved -------------------------------------------------------------------------


class Need(NamedTuple):
    """``lower < upper`` if strict, ``lower <= upper`` if not."""

    lower: int
    strict: bool
    upper: int


class Item:
    """An item in numbers; events count from 0 in the order of their first mention."""

    def __init__(self, stated: Texts, row: dict[str, Any] | None = None) -> None:
        self.row = row or {}  # What it was read from, for other readers.
        self.points, self.events, at = dict[str, int](), dict[str, int](), self._at
        self.relations = [(at(left), sign, at(right)) for left, sign, right in stated.premise]
        if isinstance(stated.claim, Sentence):
            p, q = self._at(stated.claim.left), self._at(stated.claim.right)
            claimed, comparisons = {p, q}, [(p, stated.claim.sign, q)]
        else:
            p, q = self._at((stated.claim[0], 0)), self._at((stated.claim[2], 0))
            claimed = {p, p + 1, q, q + 1}
            comparisons = [
                (p + (word[0] == "e"), word[1:-1], q + (word[-1] == "e"))
                for word in CLAIMS[stated.claim[1]].split()
            ]
        self.claim = p, stated.claim[1], q  # Points, or the starts of events.
        self.needs = [need for comparison in comparisons for need in _needs(*comparison)]
        self.pairs = list(combinations(sorted(claimed), 2))
        if p == q:  # A claim about one event, or point, and itself.
            self.pairs += [(point, point) for point in claimed]
        self.steps = [(p, True, p + 1, 0) for p in range(0, len(self.points), 2)]  # with the cost
        self.steps += [(p, sign == "<", q, 1) for p, sign, q in self.relations if sign[0] != ">"]
        self.steps += [(q, sign == ">", p, 1) for p, sign, q in self.relations if sign[0] != "<"]

    def _at(self, place: Place) -> int:
        event, bound = place
        if event not in self.events:
            self.events[event] = start = len(self.points)
            self.points[f"start of {event}"], self.points[f"end of {event}"] = start, start + 1
        return self.events[event] + bound

    def point(self, name: object) -> int:
        """The number of a point."""
        if type(name) is str and name in self.points:
            return self.points[name]
        raise RejectedError(f"{name!r:.80} is no point of the item")


def _needs(p: int, sign: str, q: int) -> list[Need]:
    if sign == "=":
        return [Need(p, False, q), Need(q, False, p)]
    strict = len(sign) == 1
    return [Need(p, strict, q) if sign[0] == "<" else Need(q, strict, p)]


class Walk:
    """A walk along relations of the premise and durations."""

    def __init__(self, item: Item, value: object) -> None:
        walk = _object(value, {"from", "steps"}, "a walk")
        here = self.first = item.point(walk["from"])
        self.strict, self.cost, self.passed = False, 0, {here}
        for step in _list(walk["steps"], "the steps of a walk"):
            if step is None:
                require(here % 2 == 0, "a duration leads from the start of an event")
                here, self.strict = here + 1, True
            else:
                require(0 <= _integer(step, "a step") < len(item.relations), f"no relation {step}")
                p, sign, q = item.relations[step]
                if sign[0] == ">" or (sign == "=" and here == q):
                    p, q = q, p
                require(here == p, f"relation {step} does not go on where the walk is")
                here, self.strict, self.cost = q, self.strict or sign in ("<", ">"), self.cost + 1
            self.passed.add(here)
        self.last = here

    def derives(self, need: Need) -> bool:
        """Whether the walk derives a need."""
        same = self.first == need.lower and self.last == need.upper
        return same and (self.strict or not need.strict)


class Timeline:
    """A monotone timeline: no step leads to an earlier instant."""

    def __init__(self, item: Item, value: object) -> None:
        pairs, points, loose = _list(value, "a timeline"), item.points, set[int]()
        try:
            at = {points[name]: instant for name, instant in pairs}
        except (KeyError, TypeError, ValueError):
            raise RejectedError("a timeline has pairs of a point and an instant") from None
        require(len(at) == len(pairs) == len(points), "each point has one instant")
        require(set(map(type, at.values())) == {int}, "an instant is no whole number")
        for p, strict, q, _ in item.steps:
            if at[p] >= at[q]:
                require(at[p] == at[q], "a timeline is not monotone")
                if strict:
                    loose.add(at[p])
        self.at, self.loose = at, loose

    def separates(self, pairs: list[tuple[int, int]]) -> bool:
        """Whether each instant that a pair of points shares is tight."""
        return all(self.at[p] != self.at[q] or self.at[p] not in self.loose for p, q in pairs)

    def refutes(self, need: Need) -> bool:
        """Whether the timeline is a counterexample: the need cannot be derived."""
        lower, upper = self.at[need.lower], self.at[need.upper]
        return upper < lower or (need.strict and upper == lower and lower not in self.loose)


class Distances:
    """Lower bounds for the relations on walks from a point, which no step improves."""

    def __init__(self, item: Item, value: object) -> None:
        table = _object(value, {"from", "beyond", "near"}, "a table of distances")
        source, near = item.point(table["from"]), _list(table["near"], "distances")
        require(all(type(row) is list and len(row) == 3 for row in near), "distances are triples")
        beyond = _integer(table["beyond"], "a distance")
        loose, strict = [beyond] * len(item.points), [beyond] * len(item.points)
        for name, least, least_strict in near:
            point = item.point(name)
            loose[point] = _integer(least, "a distance")
            strict[point] = _integer(least_strict, "a distance")
        require(loose[source] <= 0, "a point is at no distance from itself")
        for p, is_strict, q, cost in item.steps:
            least = strict[q] if is_strict else loose[q]
            if strict[q] > strict[p] + cost or least > loose[p] + cost:
                raise RejectedError("a step improves a distance")
        self.source, self.strict, self.any = source, strict, list(map(min, loose, strict))

    def bound(self, need: Need) -> int:
        """A lower bound for the relations on a walk that derives a need."""
        return (self.strict if need.strict else self.any)[need.upper]


# --- The verdict ----------------------------------------------------------------------------------


def check_verdict(
    item: Item,
    verdict: object,
    policy: object,
    certificate: object,
    repaired: Collection[str] = (),
) -> None:
    """Reject a verdict that a certificate does not prove.

    Under ``published`` the label is the one that the procedure prints with these faults repaired.
    """
    stated = _object(verdict, {"status", "label", "consistent", "hops"}, "the verdict")
    parts = _object(certificate, {"walks", "cycle", "timelines", "distances"}, "the certificate")
    status, consistent = stated["status"], stated["consistent"]
    require(type(consistent) is bool, "whether the premise is consistent is not stated")
    walks = [Walk(item, part) for part in _list(parts["walks"], "the walks")]
    lines = [Timeline(item, part) for part in _list(parts["timelines"], "the timelines")]
    tables = [Distances(item, part) for part in _list(parts["distances"], "the distances")]
    cycle = None if parts["cycle"] is None else Walk(item, parts["cycle"])
    opposites = [Need(upper, not strict, lower) for lower, strict, upper in item.needs]
    if consistent:
        require(cycle is None, "a consistent premise has no closed walk")
        require(any(not line.loose for line in lines), "no timeline is a model of the premise")
    else:
        closed = cycle and cycle.first == cycle.last and cycle.strict
        require(closed, "no closed strict walk shows that the premise is inconsistent")
    if status != "contradictory":
        apart = any(line.separates(item.pairs) for line in lines)
        require(apart, "no timeline keeps the points of the claim apart")
    if status == "entailed":
        proved = len(walks) == len(item.needs) and all(map(Walk.derives, walks, item.needs))
        require(proved, "the walks do not derive the requirements of the claim")
    elif status == "refuted":
        proved = len(walks) == 1 and any(map(walks[0].derives, opposites))
        require(proved, "no walk derives the opposite of a requirement")
    elif status == "unknown":
        fails = any(line.refutes(need) for need in item.needs for line in lines)
        require(fails, "no timeline shows that the claim cannot be derived")
        holds = all(any(line.refutes(need) for line in lines) for need in opposites)
        require(holds and not walks, "no timeline shows that the claim cannot be refuted")
    else:
        require(status == "contradictory", "the status is unknown")
        through = cycle and any(cycle.passed.issuperset(pair) for pair in item.pairs)
        require(through and not walks, "the closed walk does not pass two points of the claim")
        walks += [cycle] if cycle else []
    if status == "unknown":
        require(stated["hops"] is None, "an open claim has no hops")
    else:
        hops = _integer(stated["hops"], "hops")
        require(max(walk.cost for walk in walks) <= hops, "there are fewer hops")
        require(_least(item, status, hops, tables), "the distances do not show that many hops")
    require(stated["label"] in LABELS, "the label is unknown")
    if policy == "published":
        label = Procedure(item, repaired).label()
    else:
        undefined = status == "contradictory" or (policy == "global" and not consistent)
        label = "undefined" if undefined else "true" if status == "entailed" else "false"
    require(stated["label"] == label, f"the label is {label}")


def _least(item: Item, status: str, hops: int, tables: list[Distances]) -> bool:
    """Whether tables of distances show that no proof of a status has fewer hops."""

    def far(goal: Need) -> bool:
        return hops == 0 or any(t.source == goal.lower and t.bound(goal) >= hops for t in tables)

    if status == "entailed":
        return any(map(far, item.needs))
    if status == "refuted":
        return all(far(Need(upper, not strict, lower)) for lower, strict, upper in item.needs)

    def around(p: int, q: int) -> bool:
        if p == q:
            return far(Need(p, True, p))
        trips = ((t, u) for t in tables for u in tables if (t.source, u.source) == (p, q))
        return any(min(t.strict[q] + u.any[p], t.any[q] + u.strict[p]) >= hops for t, u in trips)

    return all(around(*pair) for pair in item.pairs)


class Procedure:
    """The procedure that labelled the published files, Algorithms 1 to 7, and its faults."""

    def __init__(self, item: Item, repaired: Collection[str]) -> None:
        known = item.claim[1] in ("before", "after", "overlaps")
        require(known, "the published procedure does not support the claim")
        self.claim, self.repaired, self.after = item.claim, repaired, cache(self._after)
        self.arcs = [[] if p % 2 else [(p + 1, True)] for p in range(len(item.points))]
        for p, sign, q in item.relations:
            require(len(sign) == 1, "the published procedure does not support the premise")
            if sign != ">":
                self.arcs[p].append((q, sign == "<"))
            if sign != "<":
                self.arcs[q].append((p, sign == ">"))

    def _after(self, source: int) -> set[int]:
        """Algorithm 2: the points after one, by a search in depth."""
        found, seen, stack = set[int](), set[tuple[int, bool]](), [(source, False)]
        while stack:
            p, strict = stack.pop()
            state = p, strict and "seen-early" in self.repaired
            if state not in seen:
                seen.add(state)
                reached = [(q, strict or apart) for q, apart in self.arcs[p]]
                found |= {q for q, later in reached if later}
                stack += reached
        return found

    def equal(self, source: int) -> set[int]:
        """Algorithm 6: the other points that steps join which are not strict."""
        found, size = {source}, 0
        while len(found) > size:
            size = len(found)
            found |= {q for p in found for q, strict in self.arcs[p] if not strict}
        return found - {source}

    def clash(self, p: int, q: int) -> bool:
        """Algorithm 4."""
        exempt = p % 2 == 0 and q == p + 1 and "same-event-exempt" not in self.repaired
        if exempt or q not in self.after(p) or p not in self.after(q):
            return False
        return "simultaneous-exempt" in self.repaired or q not in self.equal(p)

    def precedes(self, a: int, b: int) -> bool:
        """Algorithm 7."""
        return b in self.after(a) and (b in self.after(a + 1) or b in self.equal(a + 1))

    def overlaps(self, a: int, b: int) -> bool:
        """Algorithm 1."""
        if a in self.after(a + 1) or b in self.after(b + 1):
            return False
        if "overlap-by-absence" in self.repaired:
            return b + 1 in self.after(a) and a + 1 in self.after(b)
        return (a not in self.after(b) or b in self.after(a)) and a + 1 in self.after(b)

    def label(self) -> str:
        """Algorithms 3 and 5."""
        a, relation, b = self.claim
        pairs = [(a, b), (a, a + 1), (a, b + 1), (b, b + 1)]
        if "pair-unchecked" in self.repaired:
            pairs += [(a + 1, b + 1), (a + 1, b)]
        if any(self.clash(p, q) for p, q in pairs):
            return "undefined"
        holds = {
            "before": lambda: self.precedes(a, b),
            "after": lambda: self.precedes(b, a),
            "overlaps": lambda: self.overlaps(a, b) or self.overlaps(b, a),
        }[relation]()
        return "true" if holds else "false"


# --- The files ------------------------------------------------------------------------------------


def check_row(row: object, decide: Callable[..., None] = check_verdict) -> None:
    """Reject a line, read as JSON, that does not prove its verdict."""
    if type(row) is not dict or not row.keys() >= ROW:
        raise RejectedError(f"a line needs the fields {', '.join(sorted(ROW))}")
    if row["verdict"] is None and row["certificate"] is None:
        raise RejectedError(f"{NOT_PROVED}no verdict is given of a text that could not be read")
    for name, values in CHOICES.items():
        require(row[name] in values, f"the {name} is unknown")
    texts = all(type(row[name]) is str for name in ("id", "premise", "claim"))
    require(texts, "id, premise and claim are strings")
    names = _list(row.get("names", []), "names")
    require(all(type(name) is str for name in names), "names are strings")
    phrases = _list(row.get("phrases", []), "phrases")
    premise, claim, domain, spatial = (row[name] for name in TEXTS)
    stated = read_texts(premise, claim, domain, spatial, frozenset(names), phrases)
    repaired = _list(row.get("repaired", []), "repaired")
    known = all(type(fault) is str and fault in FAULTS for fault in repaired)
    require(known and (not repaired or row["policy"] == "published"), "a fault is unknown")
    decide(Item(stated, row), row["verdict"], row["policy"], row["certificate"], repaired)


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a name occurs twice in an object")
    return dict(pairs)


def _object(value: object, names: set[str], what: str) -> dict[str, Any]:
    if type(value) is not dict or value.keys() != names:
        raise RejectedError(f"{what} has the fields {', '.join(sorted(names))}")
    return value


def _list(value: object, what: str) -> list[Any]:
    if type(value) is not list:
        raise RejectedError(f"{what}: not an array")
    return value


def _integer(value: object, what: str = "a constant") -> int:
    if type(value) is not int:
        raise RejectedError(f"{what} is no whole number: {value!r:.40}")
    return value


def check_file(
    path: str,
    digests: frozenset[str] | None = None,
    decide: Callable[..., None] = check_verdict,
) -> Iterator[tuple[int, str, str | None]]:
    """Number, id and fault of each line; the fault is None if its verdict is proved.

    ``digests`` are those of the phrase files that may be used, None for any; ``decide`` is called
    like ``check_verdict`` where the texts are read.
    """
    with Path(path).open("rb") as file:
        for number, line in enumerate(file, 1):
            name, fault = f"line {number}", None
            try:
                row = json.loads(line, parse_constant=_integer, object_pairs_hook=_unique)
                name = str(row.get("id", name)) if type(row) is dict else name
                check_row(row, decide)
                used = {file["digest"] for file in row.get("phrases", ())}
                require(digests is None or used <= digests, "another phrase file is used")
            except RejectedError as error:
                fault = str(error)
            except (ValueError, RecursionError) as error:
                fault = f"not a line of JSON: {error}"
            yield number, name, fault


def main(arguments: list[str]) -> int:
    """Check files; returns the exit status."""
    as_json, paths = "--json" in arguments[:1], [arg for arg in arguments if arg != "--json"]
    if not paths or paths[0].startswith("-"):
        sys.stderr.write("usage: check.py [--json] items.jsonl ...\n")
        return 2
    items, unproved, reasons = 0, 0, dict[str, list[str]]()
    try:
        for path in paths:
            for number, name, fault in check_file(path):
                items += 1
                unproved += fault is not None and fault.startswith(NOT_PROVED)
                if fault is not None:
                    reasons.setdefault(name, []).append(f"{path}:{number}: {fault}")
    except OSError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    rejected = sum(map(len, reasons.values())) - unproved
    counts = {"proved": items - rejected - unproved, "rejected": rejected, "not_proved": unproved}
    shown = [f"{fault} (item {name})\n" for name, faults in reasons.items() for fault in faults]
    listed = ", ".join(f"{number:,} {name.replace('_', ' ')}" for name, number in counts.items())
    report = {"items": items, **counts, "reasons": reasons}
    whole = json.dumps(report, indent=2, sort_keys=True) + "\n"
    sys.stdout.write(whole if as_json else f"{''.join(shown)}{items:,} items: {listed}\n")
    return 1 if rejected else 3 if unproved else 0


# --- Tables ---------------------------------------------------------------------------------------

# The words of the grammar of sentences.
SIGNS = {"<": "<", ">": ">", "=": "=", "==": "=", "<=": "<=", ">=": ">=", "≤": "<=", "≥": ">="}
ORDERS = {
    **{"before": "<", "after": ">", "earlier": "<", "later": ">", "same": "="},
    **{"soon": "=", "once": ">=", "by": "<=", "when": "=", "together": "="},
    **{"not_earlier": ">=", "not_later": "<="},
}
TIMED = ("same", "when", "together")
BARE = {"before": "<", "after": ">", "earlier": "<", "later": ">"}
POINTED = {"begin": 0, "begun": 0, "end": 1, "ended": 1}
SMALL = {
    **{"and": "and", "&": "and", "but": "but", "both": "both", "which": "which", "it": "it"},
    "that": "that",
    **{"did": "did", "does": "did", "do": "did", "had": "had", "then": "then", ",": ","},
    "what": "what",
}
TIMES = (
    *("before", "after", "earlier", "later", "not_earlier", "not_later", "same", "when", "soon"),
    *("once", "by", "between", "during", "while", "at-", "at+"),
)
WAS = ("was", "is", "were", "are")
WHOLLY = (
    *("the whole of the", "the whole of", "all of the", "all of", "the whole", "the entire"),
    *("the period of the", "the period of"),
)
AROUND = {  # The phrases that are made of each noun of a point.
    **{"{} of": "of", "{}s of": "s", "have the same {}": "have", "had the same {}": "have"},
    **{"share the same {}": "have", "shared the same {}": "have"},
    **{"share their {}": "have", "shared their {}": "have"},
    **dict.fromkeys(("share a {}", "shared a {}", "share an {}", "shared an {}"), "have"),
    **dict.fromkeys(("at the {} of", "upon the {} of", "upon {} of", "on the {} of"), "at"),
    **dict.fromkeys(("with the {} of", "on {} of", "exactly at the {} of"), "at"),
    **dict.fromkeys(("to the {} of", "until the {} of", "till the {} of"), "to"),
}
AS = ("has the same {} as", "had the same {} as", "shares the same {} with")
MOST_WORDS = 10  # Of a phrase.
STARTS, ENDS = (".start", ".begin", ".west"), (".end", ".finish", ".east")
IT = "\0it"
COPULAS = (
    *("was", "is", "were", "are", "came", "comes", "come"),
    *("had been", "will be", "had come", "will come"),
)
FOLLOWED = ("followed", "follows", "follow")
FINISHED = ("finished", "ended", "concluded")
THEREAFTER = (
    *("after that", "after this", "afterwards", "afterward", "later", "later on"),
    *("thereafter", "subsequently", "next"),
)
INVERTED = (
    *("came", "comes", "come", "is", "are", "was", "were", "lies", "lie", "lay"),
    *("stands", "stand", "stood", "sits", "sit", "sat"),
)
# Those of claims, and of the meanings of phrase files.
DO = ("did", "does", "do", "will")
BE = ("was", "were", "is", "are", "had", "has", "have")
POINTS = frozenset(
    (
        "post",
        "sign",
        *POINTED,
        *(f"{of}{sign}" for of in ("of", "s", "at", "have") for sign in "-+"),
    )
)
WHOLE = {  # Claims about whole events: of an order as it is, and of a strict one.
    (1, "<", 0): ("before", "allen_precedes"),
    (0, ">", 1): ("after", "allen_preceded_by"),
    (1, "<=", 0): ("before", "before"),
    (0, ">=", 1): ("after", "after"),
}
_EVEN = "(?:at|with|equal to|same as|simultaneous (?:to|with))"
_SAME = "(?:the same|same|simultaneous|equal)(?: as| to| with|ly with)?"
SPELLINGS = (  # Other spellings in what a phrase means.
    ("no later than", f"before or {_EVEN}|at or before"),
    ("no earlier than", f"after or {_EVEN}|at or after"),
    ("overlapped", "overlaps"),
    *((form, _SAME) for form in ("at the same time as", "the same as", "equals")),
)
PLACES = ("between", "articles", "prepositions")

ROW = {"id", "premise", "claim", "domain", "spatial", "policy", "verdict", "certificate"}
LABELS = ("true", "false", "undefined")
FAULTS = (  # Of the published procedure.
    *("simultaneous-exempt", "same-event-exempt", "seen-early"),
    *("pair-unchecked", "overlap-by-absence"),
)
TEXTS = ("premise", "claim", "domain", "spatial")
CHOICES = {
    "domain": ("temporal", "spatial", "logical"),
    "spatial": ("geometric", "published"),
    "policy": ("local", "global", "published"),
}

PHRASES: dict[str, dict[str, tuple[str, ...]]] = {
    "temporal": {
        "<": (
            "happened before the",
            "occurred before the",
            "took place prior to the",
            "happened earlier than the",
            "preceded the",
            "came before the",
            "unfolded ahead of the",
            "transpired before the",
            "occurred in advance of the",
            "happened sooner than the",
            "took place earlier than the",
            "fell before the",
            "fell earlier than the",
            "was earlier than the",
            "was prior to the",
            "lay ahead of the",
            "arrived before the",
            "arrived sooner than the",
            "was reached before the",
            "was recorded before the",
            "was dated before the",
        ),
        ">": (
            "happened after the",
            "occurred following the",
            "took place subsequent to the",
            "transpired after the",
            "came after the",
            "unfolded in the wake of the",
            "happened later than the",
            "succeeded the",
            "occurred as a result of the",
            "followed in the aftermath of the",
            "occurred later than the",
            "took place later than the",
            "unfolded after the",
            "fell after the",
            "fell later than the",
            "was later than the",
            "was subsequent to the",
            "lay beyond the",
            "arrived after the",
            "arrived later than the",
            "was reached after the",
            "was recorded after the",
            "was dated after the",
            "was noted after the",
            "ensued once the … had happened",
        ),
        "=": (
            "happened simultaneous to the",
            "occurred simultaneously with the",
            "took place at the same time as the",
            "happened concurrently with",
            "unfolded together with",
            "coincided with the",
            "happened in parallel with the",
            "occurred in unison with the",
            "happened at the exact same moment as",
            "was synchronized with the",
            "took place concurrently with",
            "fell at the same time as the",
            "fell together with the",
            "was simultaneous with the",
            "was concurrent with the",
            "lay at the same instant as the",
            "arrived at the same time as the",
            "arrived together with the",
            "was reached at the same moment as the",
            "was recorded at the same moment as the",
            "was dated to the same moment as the",
        ),
        "before": ("happens before",),
        "after": ("happens after",),
        "overlaps": ("overlaps with",),
        "allen_precedes": ("happens strictly before",),
        "allen_meets": ("happens directly before",),
        "allen_overlaps": ("overlaps the beginning of",),
        "allen_finished_by": ("ends with but starts before",),
        "allen_contains": ("happens strictly around",),
        "allen_starts": ("starts with but ends before",),
        "allen_equals": ("starts and ends with",),
        "allen_started_by": ("starts with but ends after",),
        "allen_during": ("happens strictly within",),
        "allen_finishes": ("ends with but starts after",),
        "allen_overlapped_by": ("overlaps the ending of",),
        "allen_met_by": ("happens directly after",),
        "allen_preceded_by": ("happens strictly after",),
    },
    "spatial": {
        "<": (
            "is located to the west of",
            "is westwards of",
            "is to the west of",
            "lies to the west of",
            "lies west of",
            "is situated west of",
            "is found west of",
            "is further west than",
            "lies further west than",
            "stands to the west of",
            "is placed west of",
            "is positioned to the west of",
            "can be found to the west of",
            "sits west of",
            "sits to the west of",
            "runs west of",
            "runs further west than",
            "is more westerly than",
            "is marked west of",
            "is mapped to the west of",
        ),
        ">": (
            "is located to the east of",
            "is eastwards of",
            "is to the east of",
            "lies to the east of",
            "lies east of",
            "is situated east of",
            "is found east of",
            "is further east than",
            "lies further east than",
            "stands to the east of",
            "is placed east of",
            "is positioned to the east of",
            "can be found to the east of",
            "sits east of",
            "sits to the east of",
            "runs east of",
            "runs further east than",
            "is more easterly than",
            "is marked east of",
            "is mapped to the east of",
        ),
        "=": (
            "is on the same longitude as",
            "is on the same meridian as",
            "lies on the same longitude as",
            "lies on the same meridian as",
            "stands on the same longitude as",
            "stands on the same meridian as",
            "has the same longitude as",
            "is as far west as",
            "is as far east as",
            "shares its longitude with",
            "is placed on the same longitude as",
            "is placed on the same meridian as",
            "sits on the same longitude as",
            "sits on the same meridian as",
            "runs along the same longitude as",
            "runs along the same meridian as",
            "is marked on the same longitude as",
            "is mapped on the same meridian as",
            "lies level in longitude with",
            "is aligned in longitude with",
        ),
        "before": (
            "is completely west of",
            "is completely to the west of",
        ),
        "after": (
            "is completely east of",
            "is completely to the east of",
        ),
        "overlaps": ("shares at least one longitude with",),
        "allen_precedes": ("is strictly west of",),
        "allen_meets": ("is directly west of",),
        "allen_overlaps": ("overlaps the western part of",),
        "allen_finished_by": ("reaches as far east as but further west than",),
        "allen_contains": ("reaches further both ways than",),
        "allen_starts": ("begins as far west as but ends west of",),
        "allen_equals": ("covers the same longitudes as",),
        "allen_started_by": ("begins as far west as but reaches further east than",),
        "allen_during": ("is strictly within the longitudes of",),
        "allen_finishes": ("reaches as far east as but begins east of",),
        "allen_overlapped_by": ("overlaps the eastern part of",),
        "allen_met_by": ("is directly east of",),
        "allen_preceded_by": ("is strictly east of",),
    },
    "logical": {
        "<": ("<",),
        ">": (">",),
        "=": ("=",),
        "before": ("<",),
        "after": (">",),
        "overlaps": ("=",),
        "allen_precedes": ("precedes",),
        "allen_meets": ("meets",),
        "allen_overlaps": ("overlaps",),
        "allen_finished_by": ("finished_by",),
        "allen_contains": ("contains",),
        "allen_starts": ("starts",),
        "allen_equals": ("equals",),
        "allen_started_by": ("started_by",),
        "allen_during": ("during",),
        "allen_finishes": ("finishes",),
        "allen_overlapped_by": ("overlapped_by",),
        "allen_met_by": ("met_by",),
        "allen_preceded_by": ("preceded_by",),
    },
}

# The words of sentences, as in grammar/eventhop/sentences.toml.
SLOTS: dict[str, str] = {
    "be": "was|were|is|are|will be",
    "been": ("had been|has been|have been|will have been|had already been|has already been"),
    "have": (
        "had|has|have|will have|had already|has already|have already|will have already|had "
        "finally|had even"
    ),
    "also": "|all|even|finally|eventually|only",
    "now": "|still|already",
    "will": "will|is going to|are going to|did",
    "starts": (
        "began|begins|begin|started|starts|start|commenced|commences|commence|opened|opens|open|"
        "kicked off|kicks off|kick off|got under way|gets under way|get under way|got underway|"
        "gets underway|get underway|got going|gets going|get going|got started|gets started|get "
        "started|set in|sets in|broke out|breaks out|break out|arose|arises|took effect|takes "
        "effect|take effect|came into force|comes into force|come into force|went into effect|"
        "goes into effect|came into effect|comes into effect|erupted|erupts|launched|launches|"
        "went live|goes live|kicked in|emerged|emerges|dawned|flared up|hit|hits|struck|got off "
        "to a start|set off|sets off|set out|sets out|came into being"
    ),
    "start": (
        "begin|start|commence|open|kick off|get under way|get underway|get going|get started|set "
        "in|break out|take effect|come into force|go into effect|come into effect|erupt|launch|"
        "go live|emerge|set off|set out"
    ),
    "started": (
        "begun|started|commenced|opened|kicked off|got under way|gotten under way|got underway|"
        "gotten underway|got going|got started|set in|broken out|taken effect|come into force|"
        "gone into effect|come into effect|erupted|launched|gone live|emerged|arrived|struck|"
        "flared up|set off|set out|come into being"
    ),
    "launched": (
        "begun|started|opened|launched|initiated|inaugurated|kicked off|imposed|introduced|set "
        "up|established|founded|brought in|rolled out|triggered|declared open|set in motion"
    ),
    "ends": (
        "ended|ends|end|finished|finishes|finish|concluded|concludes|conclude|wrapped up|wraps "
        "up|wrap up|closed|closes|close|came to an end|comes to an end|come to an end|stopped|"
        "stops|stop|ceased|ceases|cease|expired|expires|expire|drew to a close|draws to a close|"
        "draw to a close|came to a close|comes to a close|come to a close|collapsed|collapses|"
        "broke up|breaks up|broke down|broke off|let up|died down|terminated|terminates|came to "
        "a halt|ground to a halt|lapsed|lapses|adjourned|adjourns|fizzled out|petered out|shut "
        "down|wound up|winds up|wound down|came to a stop|comes to a stop|ran its course|"
        "subsided|abated|blew over|disappeared|vanished|died out|faded away|burned out|burnt out|"
        "fell apart|lifted|blew itself out|burned itself out|drew to its close|came to its end|"
        "let out"
    ),
    "end": (
        "end|finish|conclude|wrap up|close|come to an end|stop|cease|expire|draw to a close|come "
        "to a close|collapse|break up|adjourn|terminate"
    ),
    "ended": (
        "ended|finished|concluded|wrapped up|closed|come to an end|stopped|ceased|expired|drawn "
        "to a close|come to a close|collapsed|broken up|broken down|broken off|died down|passed|"
        "come to a halt|ground to a halt|lapsed|adjourned|wound down|wound up|run its course|"
        "subsided|abated|blown over|disappeared|vanished|died out|faded away|burned out|burnt "
        "out|gone|completely finished|completely ended|fully ended|fizzled out|petered out|shut "
        "down|let up|terminated|fallen apart|lifted|blown itself out|burned itself out"
    ),
    "closed": (
        "completed|concluded|wrapped up|wound up|lifted|adjourned|brought to an end|brought to a "
        "close|called to a close|dropped|phased out|abolished|disbanded|dissolved|shut down|"
        "closed|discontinued|repealed|revoked|suppressed|crushed|put down|quelled|extinguished|"
        "broken off|broken up|terminated|closed down|declared over|brought to a halt|resolved|"
        "abandoned|put out|stamped out|called to an end"
    ),
    "over": (
        "over|finished|done|complete|all over|completely over|entirely over|fully over|"
        "completely finished|at an end|gone"
    ),
    "happens": ("happened|happens|happen|took place|takes place|take place|occurred|occurs|occur"),
    "happen": "happen|take place|occur|be held|go ahead",
    "happened": "happened|taken place|occurred",
    "held": (
        "held|staged|served|performed|played|celebrated|conducted|carried out|screened|broadcast|"
        "hosted|organised|organized|given|delivered|presented|fought|put on|convened|taken|made|"
        "put to the vote|aired|signed|built|written|recorded|published|sandwiched"
    ),
    "afoot": (
        "under way|underway|well under way|well underway|going on|going|in progress|well in "
        "progress|ongoing|taking place|happening|running|occurring|in full swing|in force|in "
        "session|in place|in effect|in operation|in use|active|visible|on air|on|open|afoot|"
        "raging|unfolding|continuing|burning|blazing|playing|being held|being staged|being "
        "played|being performed|being built|being dug|being prepared|being recorded|being "
        "written|being made|being carried out|being conducted|being fought|being served|being "
        "filmed|being screened|being broadcast|being shown"
    ),
    "lasts": (
        "lasted|lasts|last|went on|goes on|continued|continues|continue|ran|runs|persisted|"
        "persists|held|held out|kept going|kept on|carried on|carries on|stretched|stretched on|"
        "extended|dragged on|stayed open|remained open|raged|raged on|remained|will last|will "
        "continue|will run|will go on|will hold|had lasted|had continued|had gone on"
    ),
    "remained": (
        "remained in force|stayed in force|was in force|remained in place|was in place|stayed in "
        "place|was in effect|remained in effect|was active|remained active|was open|was under "
        "way|was in progress|was visible|was on"
    ),
    "until": "until|till|up until|right up until|all the way until",
    "western": "western|west",
    "eastern": "eastern|east",
    "edge": (
        "edge|end|boundary|border|side|limit|margin|tip|extremity|extent|perimeter|face|shore|"
        "bank|coast|wall|fringe|fence|frontier"
    ),
    "further": "further|farther",
    "stretches": "extends|extend|reaches|reach|stretches|stretch|goes|go|continues",
    "tip": "point|edge|part|tip|end",
}
SENTENCES: dict[str, dict[str, Any]] = {
    "temporal": {
        "begin": ("{also} {starts}|{will} {start}|{be} {launched}|{be} starting|{be} beginning"),
        "end": (
            "{also} {ends}|{will} {end}|{be} {closed}|{be} ending|{be} finishing|{be} concluding|"
            "{be} winding down"
        ),
        "begun": "{have} {started}|{been} {launched}",
        "ended": (
            "{have} {ended}|{been} {closed}|{been} over|{been} finished|{be} {over}|{be} already "
            "over|{be} already finished"
        ),
        "whole": (
            "{happens}|all happened|all took place|all occurred|{happens} entirely|{happens} "
            "wholly|{will} {happen}|{have} {happened}|{be}|{be} {held}|{been} {held}|all {be} "
            "{held}|had been|had come|were both|are both|were both held|are both held|came|comes|"
            "come|will come|fell|falls|transpired|unfolded|is to be held|are to be held|is to "
            "take place|are to take place|came about|went ahead|goes ahead|ran|lies|lie|lay"
        ),
        "going": (
            "{be} {now} {afoot}|went on|continued|remained in force|remained in place|remained "
            "in effect|remained active|stayed in force|stayed in place|stayed in effect|stayed "
            "open"
        ),
        "still": "still {afoot}|already {afoot}",
        "over": (
            "over|all over|already over|already finished|already ended|already concluded|"
            "complete|completed|already complete|already completed|at an end|done"
        ),
        "lasted": "{lasts} {until}|{remained} {until}|{lasts} up to|{lasts} right up to",
        "lasted_after": (
            "continued after|went on after|carried on after|dragged on after|lasted after|ran on "
            "after|persisted after|kept going after|kept on after|continued on after"
        ),
        "start": (
            "start|beginning|onset|opening|outset|commencement|outbreak|start time|starting "
            "point|starting time|start point|kickoff|kick-off|inception|launch|inauguration"
        ),
        "finish": (
            "end|conclusion|close|ending|finish|completion|termination|finale|end time|end point|"
            "ending point|ending time|finishing time|endpoint|closing|cessation"
        ),
        "before": (
            "before|prior to|ahead of|strictly before|entirely before|in advance of|previous to|"
            "only before|sometime before|at some point before|at some time before|some time "
            "before|before the moment|before the moment when|before the point at which|before "
            "the point when"
        ),
        "after": (
            "after|following|subsequent to|strictly after|entirely after|only after|in the wake "
            "of|sometime after|at some point after|at some time after|some time after|after the "
            "moment|after the moment when|after the point at which|after the point when"
        ),
        "earlier": (
            "earlier than|sooner than|at an earlier time than|at an earlier point than|at an "
            "earlier moment than|at an earlier date than"
        ),
        "later": (
            "later than|at a later time than|at a later point than|at a later moment than|at a "
            "later date than"
        ),
        "not_later": "no later than|not later than",
        "not_earlier": "no earlier than|not earlier than",
        "same": (
            "as|exactly when|just as|exactly as|at the same time as|at exactly the same time as|"
            "at the same moment as|at the same time that|at the moment when|at the very moment|"
            "at the moment|at the exact moment|at the same instant as|simultaneously with|"
            "concurrently with|right when|right as|at the precise moment|at the very moment when|"
            "at the same time when|precisely when|precisely as|just when|at the exact same time "
            "as|at the very same time as|at the very same moment as|at exactly the moment|at "
            "exactly the same moment as|at the exact moment when|at precisely the same time as|"
            "at the time|at the time when|at the time that|at the very time|the same moment|the "
            "same instant|the very same moment|the same moment that|the exact moment|at the "
            "instant|at the instant when|at the point when|at the point at which|at the point "
            "where|at the minute|together with|at the very moment that|at the exact moment that|"
            "at the precise moment that|at the moment that|at the very instant|at the very "
            "instant that"
        ),
        "soon": (
            "as soon as|the moment|the instant|the very moment|the very instant|the minute|the "
            "moment that|the instant that|the minute that"
        ),
        "once": (
            "once|not before|at or after|after or at|at or later than|only once|no sooner than|"
            "not sooner than"
        ),
        "by": (
            "by the time|by the time that|not after|at or before|by|before or at|at or earlier "
            "than|by the moment|by the point|before or when|before or as"
        ),
        "together": (
            "at the same time|at the same moment|together|simultaneously|at the very same time|"
            "at exactly the same time|at the same instant|at one and the same time|concurrently|"
            "at the exact same time|at the very same moment|in unison|at exactly the same moment|"
            "at precisely the same time|at the same exact time|at the exact same moment"
        ),
        "during": (
            "during|in the course of|in the middle of|within|strictly within|entirely within|"
            "entirely during|at some point during|midway through|partway through|part way "
            "through|halfway through|half way through|in the midst of|amid|amidst|over the "
            "course of|wholly within|wholly during|completely within|completely during|fully "
            "within|strictly during|inside|entirely inside|wholly inside|in its entirety during|"
            "in their entirety during|in its entirety within|within the span of|in the span of|"
            "within the duration of|within the period of|within the course of"
        ),
        "while": "while|whilst",
        "all_through": (
            "throughout|all through|for the duration of|for the whole of|for the entirety of|for "
            "all of|for the full duration of|for the entire duration of|for the whole duration "
            "of|right through|all the way through"
        ),
        "until": "until|till|up until|right up until",
        "throughout": (
            "lasted throughout|lasts throughout|continued throughout|continues throughout|went "
            "on throughout|persisted throughout|ran throughout|was in force throughout|held "
            "throughout|was going on throughout|was under way throughout|was ongoing throughout|"
            "was in progress throughout|was running throughout|stayed in force throughout|"
            "remained in force throughout|lasted all through|lasted through|continued through|"
            "went on through|lasted right through|continued all through"
        ),
        "when": "when",
        "between": (
            "between|in between|somewhere between|sometime between|in the time between|in the "
            "period between|in the interval between|at some point between|at some time between"
        ),
        "held": (
            "there was|there were|there is|there are|there will be|there had been|we had|we have|"
            "we held|we will have|they had|they have|they held|they will hold"
        ),
        "so_did": "so did|so does|so do|as did|as does|as do",
        "first": ("first came|first comes|first there was|first we had|first up was|first off was"),
        "came_first": (
            "came first|comes first|was first|is first|happened first|happens first|took place "
            "first|takes place first|was held first|will come first"
        ),
        "next": (
            "then came|then comes|then by|after that|after that came|after which|next came|next "
            "comes|followed by|then there was|then there were|followed in turn by|later came|"
            "afterwards came|next was|next up was|then followed|afterwards|afterward|later on|"
            "last of all|thereafter|subsequently|next|later|after this|finally|lastly|last came|"
            "finally came|after that there were"
        ),
        "sooner": "earlier|sooner",
        "only_then": (
            "only then did|only then does|only then will|only afterwards did|only after that did"
        ),
        "alike": (
            "covered the same period|covered exactly the same period|cover the same period|cover "
            "exactly the same period|spanned the same period|spanned exactly the same period|"
            "took up the same period|had the same start and end|have the same start and end|had "
            "the same start and the same end"
        ),
        "in_order": (
            "happened in that order|happened in this order|happen in that order|happen in this "
            "order|took place in that order|took place in this order|take place in that order|"
            "take place in this order|occurred in that order|occurred in this order|occur in "
            "that order|occur in this order|were held in that order|were held in this order|are "
            "held in that order|are held in this order|came in that order|came in this order|"
            "come in that order|come in this order|will take place in that order|will take place "
            "in this order|followed each other in that order|followed each other in this order|"
            "followed one another in that order|followed one another in this order"
        ),
        "orderly": "in that order|in this order",
        "in_turn": (
            "in order came|in order came:|in chronological order came|the order was|the order "
            "was:|the order of events was|the order of events was:|in chronological order:|the "
            "sequence was|the sequence was:"
        ),
        "lasted_from": (
            "lasted from|lasts from|last from|ran from|runs from|went on from|goes on from|"
            "continued from|will last from|will run from|held from|stretched from|extended from|"
            "persisted from|was in force from|was open from|was on from|lasted all the way from|"
            "spanned from|went from|was in progress from|was under way from|was held from|took "
            "place from"
        ),
        "whereas": "whereas",
        "though": "though|although|even though",
        "aside": ("in turn|for its part|for their part|by contrast|on the other hand|however"),
        "opener": (
            "so|also|additionally|in addition|moreover|furthermore|first ,|first of all ,|firstly ,"
        ),
        "terms": (
            "in Allen's sense|in Allen's terms|in Allen's algebra|in Allen's interval algebra|in "
            "the sense of Allen|in terms of Allen's relations|using Allen's relations"
        ),
        "that_of": "that of|those of",
        "precede": (
            "preceded|precedes|precede|had preceded|will precede|was followed by|is followed by|"
            "were followed by|will be followed by|was succeeded by|were both followed by|are "
            "both followed by|predated|predates|antedated|antedates|predate|was in turn followed "
            "by|was followed in turn by|was in its turn followed by|had been followed by|has "
            "been followed by|in turn is followed by|is in turn followed by|in turn was followed "
            "by"
        ),
        "follow": (
            "followed|follows|follow|had followed|will follow|was preceded by|is preceded by|"
            "were preceded by|had been preceded by|succeeded|succeeds|were both preceded by|are "
            "both preceded by|will be preceded by|postdated|postdates|followed on from|follows "
            "on from|was in turn preceded by|was preceded in turn by|has been preceded by|in "
            "turn is preceded by|is in turn preceded by|in turn was preceded by"
        ),
        "coincide": (
            "coincided with|coincides with|coincide with|was the same as|is the same as|was also|"
            "is also|was the same moment as|was at the same time as|is at the same time as|was "
            "at the same moment as|was at the same instant as|was at|is at|marked|marks|was "
            "simultaneous with|is simultaneous with|coincided exactly with|is identical to|was "
            "identical to|is equal to|was equal to|will coincide with|will mark"
        ),
        "coincided": (
            "coincided|coincide|were simultaneous|are simultaneous|were the same|are the same|"
            "were identical|are identical|were at the same time|are at the same time"
        ),
        "relations": {
            "A+ = B-": "happened directly before|happens directly before|met|meets",
            "A- = B+": ("happened directly after|happens directly after|was met by|is met by"),
            "A- < B+, B- < A+": (
                "overlapped with|overlaps with|overlapped|overlap|overlapped in time with|"
                "overlaps in time with|overlap in time with|overlapped in time|overlap in time|"
                "was overlapping with|is overlapping with|were overlapping|overlap with|will "
                "overlap|will overlap with|had overlapped|had overlapped with|overlapped each "
                "other|overlapped one another|overlap each other"
            ),
            "A- < B-, B- < A+, A+ < B+": (
                "overlapped the beginning of|overlaps the beginning of|overlapped the start of"
            ),
            "B- < A-, A- < B+, B+ < A+": (
                "overlapped the ending of|overlaps the ending of|overlapped the end of|was "
                "overlapped by|is overlapped by"
            ),
            "A- < B-, A+ = B+": (
                "ended with but started before|ends with but starts before|is finished by"
            ),
            "A- > B-, A+ = B+": "ended with but started after|ends with but starts after",
            "A- = B-, A+ < B+": "started with but ended before|starts with but ends before",
            "A- = B-, A+ > B+": (
                "started with but ended after|starts with but ends after|is started by"
            ),
            "A- = B-, A+ = B+": (
                "started and ended with|starts and ends with|equals|equalled|happened at the "
                "same time as|happened at exactly the same time as"
            ),
            "A- < B-, B+ < A+": (
                "saw the beginning and the end of|saw the start and the end of|saw both the "
                "start and the end of|saw both the beginning and the end of|happened strictly "
                "around|happens strictly around|contained|contains|encloses|enclosed|started "
                "earlier and ended later than|started earlier and finished later than|began "
                "earlier and ended later than|began earlier and finished later than|starts "
                "earlier and ends later than|starts earlier and finishes later than|begins "
                "earlier and ends later than|begins earlier and finishes later than|started "
                "before , and ended after ,|started before , and finished after ,|began before , "
                "and ended after ,|began before , and finished after ,|starts before , and ends "
                "after ,|starts before , and finishes after ,|begins before , and ends after ,|"
                "begins before , and finishes after ,"
            ),
            "B- < A-, A+ < B+": (
                "was entirely contained in|is entirely contained in|was fully contained in|is "
                "fully contained in|was completely contained in|is completely contained in|was "
                "wholly contained in|is wholly contained in|was entirely contained within|is "
                "entirely contained within|was contained in|is contained in|was contained within|"
                "is contained within|was completely contained within|is completely contained "
                "within|was fully contained within|is fully contained within|was wholly "
                "contained within|is wholly contained within|were contained in|were contained "
                "within|are contained in|are contained within|started later and ended earlier "
                "than|started later and finished earlier than|began later and ended earlier than|"
                "began later and finished earlier than|starts later and ends earlier than|starts "
                "later and finishes earlier than|begins later and ends earlier than|begins later "
                "and finishes earlier than|started after , and ended before ,|started after , "
                "and finished before ,|began after , and ended before ,|began after , and "
                "finished before ,|starts after , and ends before ,|starts after , and finishes "
                "before ,|begins after , and ends before ,|begins after , and finishes before ,"
            ),
            "A+ > B+": (
                "outlasted|outlasts|outlived|continued past|continued past the end of|continued "
                "beyond|continued beyond the end of|lasted past the end of|lasted beyond the end "
                "of|went on past the end of|extended beyond the end of|extended past the end of|"
                "ran past the end of|went on after the end of|continued after the end of|ran "
                "beyond the end of|lasted beyond|extended beyond|lasted until after the end of|"
                "dragged on past|dragged on past the end of|dragged on beyond the end of|"
                "stretched beyond the end of|stretched past the end of|carried on past the end "
                "of|carried on beyond the end of|persisted beyond the end of|persisted past the "
                "end of"
            ),
            "A- <= B-, A+ >= B+": (
                "spans|spanned|covers|covered|covers the whole of|covered the whole of|"
                "encompasses|encompassed|lasted for the whole of|lasts for the whole of"
            ),
            "A+ < B+": "was outlasted by|is outlasted by",
        },
    },
    "spatial": {
        "begin": "begins|begin|starts|start",
        "end": "ends|end",
        "whole": (
            "is|lies|is located|is situated|was|lie|are|sits|stands|are located|are both|were "
            "both|are both located|were both located|are situated|is found|is positioned|was "
            "located|was situated|were located|were situated|stood|lay|sat|is placed|is set|was "
            "built|were built|stand|sit|falls|fall|can be found|was found|is to be found|are to "
            "be found|are found|are placed|are positioned"
        ),
        "start": "{western} {edge}|westernmost {tip}",
        "finish": "{eastern} {edge}|easternmost {tip}",
        "before": (
            "west of|to the west of|west of where|to the west of where|west of the point where|"
            "to the west of the point where"
        ),
        "after": (
            "east of|to the east of|east of where|to the east of where|east of the point where|"
            "to the east of the point where"
        ),
        "earlier": (
            "further west than|farther west than|further to the west than|farther to the west than"
        ),
        "later": (
            "further east than|farther east than|further to the east than|farther to the east than"
        ),
        "same": (
            "at the same longitude as|on the same longitude as|on the same meridian as|at the "
            "same meridian as|as far west as|as far east as|where"
        ),
        "together": (
            "at the same longitude|on the same longitude|on the same meridian|at the same "
            "meridian|at the same place|at the same point|in the same place"
        ),
        "during": (
            "within|strictly within|inside|strictly inside|entirely within|wholly within|fully "
            "within|completely within|entirely inside|fully inside"
        ),
        "coincide": (
            "coincides with|shares its longitude with|has the same longitude as|coincide with|"
            "meets|touches|lines up with|is aligned with|aligns with|is the same as|shares a "
            "longitude with|is identical to|marks|is also"
        ),
        "by": (
            "not further east than|not farther east than|no further east than|no farther east than"
        ),
        "once": (
            "not further west than|not farther west than|no further west than|no farther west than"
        ),
        "coincided": (
            "coincide|are the same|line up|have the same longitude|share a longitude|are aligned"
        ),
        "that_of": "that of|those of",
        "whereas": "while|whereas",
        "though": "though|although|even though",
        "aside": ("in turn|for its part|for their part|by contrast|on the other hand|however"),
        "in_turn": (
            "from west to east come|from west to east lie|from west to east are|from west to "
            "east there are|from west to east:|from west to east we have|from west to east , "
            "there are|from west to east , we have|from west to east , come|from west to east , "
            "lie|going from west to east , there are|going east , there are|going from west to "
            "east there are"
        ),
        "in_order": (
            "lie in that order from west to east|lie in this order from west to east|lie from "
            "west to east in that order|lie from west to east in this order|are in that order "
            "from west to east|stand in that order from west to east"
        ),
        "orderly": (
            "in that order from west to east|in this order from west to east|from west to east "
            "in that order|from west to east in this order"
        ),
        "lasted_from": (
            "extends from|stretches from|runs from|reaches from|extend from|stretch from|run "
            "from|spans from|goes from"
        ),
        "opener": "from west to east|going from west to east|going east",
        "placed": {
            "A+ < B-": (
                "strictly west of|strictly to the west of|entirely west of|entirely to the west "
                "of|wholly west of|wholly to the west of|fully west of|fully to the west of"
            ),
            "A+ <= B-": "completely west of|completely to the west of",
            "A- > B+": (
                "strictly east of|strictly to the east of|entirely east of|entirely to the east "
                "of|wholly east of|wholly to the east of|fully east of|fully to the east of"
            ),
            "A- >= B+": "completely east of|completely to the east of",
        },
        "further": {
            "A- < B-": "{stretches} {further} west",
            "A+ > B+": "{stretches} {further} east",
        },
        "relations": {
            "A+ = B-": "is directly west of",
            "A- = B+": "is directly east of",
            "A- < B+, B- < A+": (
                "shares at least one longitude with|share at least one longitude|share some "
                "longitudes|share some longitudes with|shares some longitudes with|overlap in "
                "longitude|overlap in longitude with|overlaps in longitude with|overlap from "
                "west to east|share at least one longitude with|overlap|overlap with|overlaps "
                "with"
            ),
            "A- < B-, B- < A+": "straddles the western edge of|crosses the western edge of",
            "A- < B+, B+ < A+": "straddles the eastern edge of|crosses the eastern edge of",
            "A- < B-, B- < A+, A+ < B+": "overlaps the western part of",
            "B- < A-, A- < B+, B+ < A+": "overlaps the eastern part of",
            "A- < B-, A+ = B+": "reaches as far east as but further west than",
            "A- > B-, A+ = B+": "reaches as far east as but begins east of",
            "A- = B-, A+ < B+": "begins as far west as but ends west of",
            "A- = B-, A+ > B+": "begins as far west as but reaches further east than",
            "A- = B-, A+ = B+": (
                "covers the same longitudes as|covers the same stretch from west to east as|"
                "occupies the same longitudes as|spans the same longitudes as"
            ),
            "A- < B-, B+ < A+": "reaches further both ways than|contains|encloses",
            "B- < A-, A+ < B+": (
                "is strictly within the longitudes of|is contained in|is entirely contained in|"
                "is wholly contained in"
            ),
            "A- = B-": (
                "reaches as far west as|extends as far west as|stretches as far west as|goes as "
                "far west as"
            ),
            "A+ = B+": (
                "reaches as far east as|extends as far east as|stretches as far east as|goes as "
                "far east as"
            ),
            "A- < B-": "{stretches} {further} west than",
            "A+ > B+": "{stretches} {further} east than",
        },
    },
    "logical": {
        "signs": {
            "<": (
                "is less than|is before|precedes|is earlier than|comes before|is smaller than|is "
                "strictly less than|is lower than|is strictly before|occurs before|happens "
                "before|strictly precedes|is prior to"
            ),
            ">": (
                "is greater than|is after|follows|is later than|comes after|is larger than|is "
                "bigger than|is strictly greater than|is higher than|is strictly after|occurs "
                "after|happens after|strictly follows"
            ),
            "=": (
                "equals|is equal to|coincides with|is the same as|is simultaneous with|is "
                "identical to|is equivalent to"
            ),
            "<=": (
                "is at most|is no later than|is not later than|is less than or equal to|is no "
                "greater than|is not greater than"
            ),
            ">=": (
                "is at least|is no earlier than|is not earlier than|is greater than or equal to|"
                "is no less than"
            ),
        },
        "relations": {
            "A+ < B-": ("precedes|is before|comes before|occurs before|happens before|before"),
            "A- > B+": (
                "preceded_by|is after|comes after|occurs after|happens after|follows|after"
            ),
            "A+ = B-": "meets",
            "A- < B-, B- < A+, A+ < B+": "overlaps",
            "A- < B-, A+ = B+": "finished_by|is finished by",
            "A- < B-, B+ < A+": "contains",
            "A- = B-, A+ < B+": "starts",
            "A- = B-, A+ > B+": "started_by|is started by",
            "B- < A-, A+ < B+": "during|is during|is within|is contained in",
            "A- > B-, A+ = B+": "finishes",
            "B- < A-, A- < B+, B+ < A+": "overlapped_by|is overlapped by",
            "A- = B+": "met_by|is met by",
            "A- = B-, A+ = B+": "equals|equal",
        },
    },
}
SHARES, EQUALS = "A- < B+, B- < A+", "A- = B-, A+ = B+"

# Words that plain names do not contain, and words that some places of a name may have.
NAMES = {
    "operators": (
        "ain't aren't barely can't canceled cancelled cannot couldn't denied didn't doesn't don't "
        "fail failed fails false hadn't hardly hasn't haven't isn't n't neither never no nobody "
        "none nor not nothing nowhere postponed rarely refused scarcely seldom shouldn't unlike "
        "untrue wasn't weren't without won't wouldn't wrong absence barring excluding lack "
        "opposite about allegedly almost apparently appear appeared appears approximately arguably "
        "around can certain certainly conceivably could due expected hopefully hypothetically "
        "intended likely may maybe meant might must nearly ostensibly ought perhaps planned "
        "possibly potentially presumably probably reportedly roughly rumored rumoured scheduled "
        "seem seemed seemingly seems shall should somewhat supposed supposedly surely "
        "theoretically alleged purported putative hypothetical imaginary fictitious aborted "
        "unlikely will would pending so-called would-be although and as assuming because besides "
        "both but despite either even except former given hence how however if instead latter once "
        "only or otherwise provided rather since so suppose supposing than that therefore though "
        "thus till unless until what when whenever where whereas wherever whether which while "
        "whilst who whom whose why yet according announced announces argued argues assume assumed "
        "assumes believe believed believes claim claimed claiming claims denies deny denying doubt "
        "doubted doubts fear feared fears guess guessed guesses he heard her him hope hoped hopes "
        "i insist insisted insists it its knew know knows me report reported reports rumor rumour "
        "said say saying says she stated states suggest suggested suggests suspect suspected "
        "suspects tell tells them they think thinks thought told true us we wonder wonders you "
        "again ago already anyway beforehand ever meanwhile nevertheless nonetheless regardless "
        "thrice twice always briefly completely directly earlier entirely accordingly afterward "
        "afterwards ahead alike also altogether anyhow anywhere apiece else elsewhere everywhere "
        "forever furthermore halfway henceforth here hereafter herself himself indeed itself "
        "likewise meantime midway moreover nowadays onward onwards similarly somehow somewhere "
        "such themselves there thereafter thereupon eventually exactly far finally generally "
        "immediately just largely later long mainly mostly much normally now often one partially "
        "partly precisely quickly quite right shortly simultaneously slightly slowly sometimes "
        "soon sooner still strictly suddenly then today together tomorrow tonight too typically "
        "usually very well wholly yesterday all another any anybody anyone anything centuries "
        "century days decade decades each every everybody everyone everything somebody someone "
        "whatever few hours many minutes months more most other others several some weeks years "
        "whole entire after before began begin beginning begins begun by close closed closes "
        "coincide coincided coincides commence commenced commences conclude concluded concludes "
        "conclusion contain contained contains continued continues during end ended ending ends "
        "equals finish finished finishes finishing follow followed following follows happen "
        "happened happening happens lasted lasts meets met occur occurred occurs onset outset "
        "overlap overlapped overlaps place precede preceded precedes preceding prior start started "
        "starting starts subsequent succeeded succeeds take taken takes taking throughout took "
        "within east eastern eastwards edge edges longitude longitudes meridian north northern "
        "south southern west western westwards am are be been being came come comes did do does "
        "doing done falls fell goes had has have having held is lay lies sits stands was went were "
        "aftermath brink run-up lead-up build-up bulk climax duration eve half middle midpoint "
        "part parts peak remainder rest verge span timespan against along alongside amid amidst "
        "among between from into onto over per through toward towards unto upon via"
    ),
    "articles": ("the a an this that these those his her their our my your"),
    "prepositions": ("of in at on for to with de"),
    "between": ("of the in at on for to with de la le du van von der den di da del y e a an vs"),
    "capitals": (
        "west east western eastern westwards eastwards north south northern southern longitude "
        "longitudes meridian edge edges end start ending beginning close conclusion long"
    ),
    "nouns": (
        "family assembly rally reply supply anomaly monopoly homily butterfly jelly belly bully "
        "fly ally july italy lily doily melancholy quarterly weekly monthly yearly daily friendly "
        "elderly"
    ),
    "particles": (
        "down out off up away apart over through back along first last bound going needs tends turn"
    ),
    "numbered": (
        "act chapter day episode game group heat lap leg level match phase project round session "
        "stage step task test volume week"
    ),
    "nouns_in_ed": (
        "bed bobsled breed creed deed feed flowerbed greed need newsfeed reed seabed seed shed "
        "shred sled speed steed watershed weed"
    ),
    "pasts": (
        "arose ate became blew broke brought built burst came caught drew drove fled flew froze "
        "gave got grew hit kept knew left lost made meant paid ran rang rose sang sank sat sent "
        "shook shut slept slid sold spoke spread sprang stood struck swam swept swore taught threw "
        "tore understood wept woke won wore wrote"
    ),
}

# The claims in comparisons of points: start or end of the first event, sign, of the second event.
CLAIMS = {
    "before": "e<=s",
    "after": "s>=e",
    "overlaps": "s<e e>s",
    "allen_precedes": "e<s",
    "allen_preceded_by": "s>e",
    "allen_meets": "e=s",
    "allen_met_by": "s=e",
    "allen_overlaps": "s<s e>s e<e",
    "allen_overlapped_by": "s>s s<e e>e",
    "allen_starts": "s=s e<e",
    "allen_started_by": "s=s e>e",
    "allen_finishes": "s>s e=e",
    "allen_finished_by": "s<s e=e",
    "allen_during": "s>s e<e",
    "allen_contains": "s<s e>e",
    "allen_equals": "s=s e=e",
}

# Words that may precede a full stop within a name, besides initials.
ABBREVIATION = re.compile(
    "St|Ste|Sta|Sto|Mt|Mts|Ft|Pt|Dr|Mr|Mrs|Ms|Jr|Sr|Prof|Rev|Hon|Fr|Gen|Col|Maj|Capt|Lt|Cpl|Sgt|"
    "Adm|Cmdr|Brig|Gov|Pres|Sen|Rep|Bros|Co|Corp|Inc|Ltd|Dept|Univ|Assn|No|Nos|Nr|Vol|Op|vs|ca|"
    "etc|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"
)

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
