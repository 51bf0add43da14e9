"""What a sentence of a chain of thought states, with placeholders for events and the claim.

A sentence is a row of clauses between marks and words that state nothing. What cannot be read is
one clause, not the sentence, unless it has a word that may change what the others mean.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from grammar.eventhop.model import Domain, SpatialReading
from grammar.traces.clauses import Clause, Clauses, Proto, Subjects, TooLongError, Words
from grammar.traces.model import PointOrder, StatementKind, ordered
from grammar.traces.pronouns import named, resolve
from grammar.traces.wording import (
    CLAIMED,
    FIRST_EVENT,
    FIRST_POINT,
    IT,
    operators,
    pointed,
    tokens,
    trace_table,
    wording,
)

MOST_CHARACTERS = 1_200
"""Maximum number of characters of a sentence; a longer one is unread."""

_NUMBER = r"-?\d+(?:\.\d+)?"
_EVENT, _POINT = "[\ue000-\ue0f3]", "[\ue100-\ue2e7]"
_SPAN = re.compile(
    rf"(?P<event>{_EVENT})\s?"
    r"(?:=|:|\b(?:(?:could|can|might|may) )?(?:is|be|at|spans?|runs?|lasts?|covers?|occupy|occupies"
    r"|goes?|takes? place|happens?)\b)?\s?"
    rf"(?:\b(?:from|the interval)\b)?\s?[\[(]?\s?(?P<first>{_NUMBER})\s?"
    rf"(?:to|until|,|-|–|—|\.\.|;|till)\s?(?P<last>{_NUMBER})\s?[\])]?"
    rf"|(?P<point>{_POINT})\s?(?:=|:|\b(?:is|at|is at)\b|:=)\s?(?P<instant>{_NUMBER})"
    r"(?![\w.]\d)"
    rf"|(?P<both>{_EVENT}) (?:starts|begins) at (?P<low>{_NUMBER}) and "
    rf"(?:ends|finishes) at (?P<high>{_NUMBER})"
)

_REMARK = re.compile(
    r"[:;,.]\s*(?:so |then |here )?(?:they (?:do not )?(?:overlap|share \w+ ?\w*)"
    r"|no (?:shared )?\w+|(?:the )?claim (?:is )?(?:not )?\w+|not \w+ the claim \w+)\s*$"
)
"""What is remarked on a timeline, and follows from it: "they do not overlap"."""
_QUOTING = frozenset(
    f"{word} {noun}{that}".strip()
    for word in ("the", "this", "our", "")
    for noun in ("claim", "statement", "hypothesis")
    for that in ("", " that")
)
"""Frames after which a predicate is about the clause between."""
_UNIT = re.compile(r"\b(?:day|time|hour|year|instant|moment|t ?=) ?(?=\d)")
_CELLS = re.compile(rf"({_EVENT}) ({_NUMBER}) ({_NUMBER})")


@dataclass(frozen=True, slots=True)
class Reading:
    """What a sentence states.

    Attributes:
        protos: its statements, in order, unless it has simple ones.
        events: events of its last clause, for the pronouns of the next sentence.
        subject: whether the subject of its last clause is a point; None without a subject.
        timeline: instants of points, if it is a timeline.
        simple: the kind and the orders of each statement, if nothing else has to be known of any.
    """

    protos: tuple[Proto, ...] = ()
    events: tuple[int, ...] = ()
    subject: Subjects | None = None
    timeline: tuple[tuple[int, float], ...] = ()
    simple: tuple[tuple[StatementKind, tuple[tuple[int, str, int], ...]], ...] = ()


EMPTY = Reading()
UNREAD = "unread"


def read_sentence(
    text: str, domain: Domain, spatial: SpatialReading, before: Reading | None = None
) -> Reading:
    """What a sentence states.

    Args:
        text: the sentence, with placeholders for events.
        domain: its wording.
        spatial: which edge of a place is its start.
        before: the sentence before it, for its pronouns.
    """
    if len(text) > MOST_CHARACTERS:
        return _unread(text)
    words = wording(domain, spatial)
    plain = pointed(text, words)
    if plain.endswith("?"):
        return replace(EMPTY, events=_events(plain))
    timeline = _timeline(plain)
    if timeline is not None:
        return timeline
    try:
        return _Sentence(Words(tokens(plain), words), Clauses, before or EMPTY, words).read()
    except TooLongError:
        return _unread(text)


def _events(text: str) -> tuple[int, ...]:
    found = []
    for mark in text:
        code = ord(mark)
        if FIRST_EVENT <= code < FIRST_POINT:
            found.append(code - FIRST_EVENT)
        elif FIRST_POINT <= code < FIRST_POINT + 512:
            found.append((code - FIRST_POINT) >> 1)
    return tuple(dict.fromkeys(event for event in found if event < CLAIMED[0]))


def _unread(text: str) -> Reading:
    events = _events(text)
    if not events:
        return EMPTY
    return Reading(protos=(_unread_clause(events),), events=events)


def _unread_clause(events: Sequence[int]) -> Proto:
    return Proto(StatementKind.UNREAD, tuple((2 * event, "", 0) for event in events))


def _timeline(text: str) -> Reading | None:
    """A timeline, if a sentence gives instants and names events in no other way."""
    if not any(map(str.isdigit, text)):
        return None
    text = _UNIT.sub("", text)
    cells = _CELLS.fullmatch(text)
    if cells:
        event = 2 * (ord(cells[1]) - FIRST_EVENT)
        instants = ((event, float(cells[2])), (event + 1, float(cells[3])))
        return Reading(timeline=instants, events=(event >> 1,))
    at: dict[int, float] = {}
    for found in _SPAN.finditer(text):
        if found["point"]:
            values = [(ord(found["point"]) - FIRST_POINT, float(found["instant"]))]
        else:
            event = 2 * (ord(found["event"] or found["both"]) - FIRST_EVENT)
            first, last = found["first"] or found["low"], found["last"] or found["high"]
            values = [(event, float(first)), (event + 1, float(last))]
        for point, instant in values:
            if at.setdefault(point, instant) != instant:
                return None
    if not at or _events(_SPAN.sub(" ", text)):
        return None
    rest = _REMARK.sub(" ", _SPAN.sub(" ", text))
    if operators("timelines") & set(re.findall(r"[a-z']+", rest)):
        return None
    return Reading(timeline=tuple(sorted(at.items())), events=_events(text))


_BOUNDARY = frozenset(
    (
        ".",
        ",",
        ";",
        ":",
        "!",
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
        "which",
        "…",
        "because",
        "since",
    )
)
_PRONOUNS = frozenset(("it", "its", "they", "their", "them"))
_IT_POINT = (FIRST_POINT + 2 * IT) >> 1
_INSIDE = frozenset(
    ("as", "where", "with", "for", "that", "to", "together", "both", "from", "by", "using", "via")
)
_RESETS = frozenset((";", "but", "however", "because", "since", "."))
_FRAMED = {
    "does-not-hold": StatementKind.DOES_NOT_HOLD,
    "possible": StatementKind.POSSIBLE,
    "not-derivable": StatementKind.NOT_DERIVABLE,
    "left-open": StatementKind.LEFT_OPEN,
    "assumed": StatementKind.ASSUMED,
}
_CLAIM = frozenset(("claim", "hypothesis", "statement"))
_UNSAID = (StatementKind.NOT_DERIVABLE, StatementKind.LEFT_OPEN, StatementKind.DOES_NOT_HOLD)
"""Frames in which a label is no answer: "we can not conclude that the answer is true"."""
_PREDICATED: Mapping[str, tuple[StatementKind | str | None, StatementKind | str | None]] = {
    # What is said of a clause or the claim: plainly, and after "not".
    "true": ("true", "false"),
    "false": ("false", "true"),
    "holds": (StatementKind.HOLDS, StatementKind.DOES_NOT_HOLD),
    "follows": (StatementKind.HOLDS, StatementKind.NOT_DERIVABLE),
    "refuted": (StatementKind.DOES_NOT_HOLD, StatementKind.POSSIBLE),
    "decided": (None, StatementKind.LEFT_OPEN),
    "open": (StatementKind.LEFT_OPEN, None),
    "possible": (StatementKind.POSSIBLE, StatementKind.DOES_NOT_HOLD),
    "undefined": ("undefined", None),
    "contradictory": (StatementKind.CLAIM_CONTRADICTORY, None),
    "would": (StatementKind.ASSUMED, StatementKind.ASSUMED),
    "unproved": (StatementKind.NOT_DERIVABLE, None),
}


class _Sentence:
    """Reads the words of one sentence."""

    def __init__(
        self, words: Words, clauses: type[Clauses], before: Reading, phrases: object
    ) -> None:
        self._words = words
        self._before = before
        self._clauses = clauses(words, phrases)  # type: ignore[arg-type]
        self._parts: list[Clause] = []
        self._frame: StatementKind | None = None
        self._events, self._subject = before.events, before.subject
        self._spoiled = False
        self._framed_clause = False
        self._quoting = False
        about = not words.vocabulary.isdisjoint(_contradiction_cores())
        contradictions = (self._contradiction,) if about else ()
        self._of_words: tuple[Callable[[int], int | None], ...] = (
            self._withdrawal,
            self._answer,
            *contradictions,
            self._claim,
            self._both,
            self._clause,
            self._pairs,
            self._introduced,
            self._comment,
            self._pointer,
        )
        self._of_mentions = (*contradictions, self._both, self._clause, self._pairs)

    def read(self) -> Reading:
        """What the sentence states."""
        words, at = self._words, 0
        while at < words.size:
            following = self._part(at)
            if following is None:
                following = self._skip(at)
            at = following
        return self._resolved()

    # Parts

    def _ends(self, at: int) -> bool:
        """Whether a clause may end before a word."""
        words = self._words
        if at >= words.size or words.word(at) in _BOUNDARY:
            return True
        alone = at + 1 if words.word(at) in _INSIDE else at
        return any(end > alone for end, _, _ in words.find(at, "fill"))

    def _fills(self, at: int) -> bool:
        return self._words.longest(at, "fill") is not None

    def _part(self, at: int) -> int | None:
        """Read one part; its end, or None if nothing begins at a word."""
        # A mention begins none of the others.
        mention = self._words.word(at) >= "\ue000"
        for read in self._of_mentions if mention else self._of_words:
            end = read(at)
            if end is not None:
                return end
        filled = self._words.longest(at, "fill")
        if filled is not None:
            if self._words.word(at) in _RESETS or self._words.word(at) in (
                "so",
                "therefore",
                "thus",
                "hence",
            ):
                self._reset(self._words.word(at))
            return filled[0]
        return None

    def _reset(self, word: str) -> None:
        if self._frame is not StatementKind.ASSUMED or word in (";", "but", "however", "."):
            self._frame = None
        self._framed_clause = False

    def _add(self, *protos: Proto, clause: Clause | None = None) -> None:
        """Add a part, with what its pronouns stand for."""
        part = replace(clause, protos=protos) if clause is not None else Clause(protos)
        if self._frame is StatementKind.ASSUMED:
            protos = tuple(
                Proto(StatementKind.ASSUMED) if proto.kind is StatementKind.UNREAD else proto
                for proto in protos
            )
            part = replace(part, protos=protos)
        last = self._last()
        resolved = resolve(part, self._events, self._subject, last)
        if resolved is None:
            assumed = self._frame is StatementKind.ASSUMED
            events = named(part)
            # What a pronoun stands for is one more event.
            unread = Proto(StatementKind.ASSUMED) if assumed else _unread_clause((*events, IT))
            resolved = Clause((unread,), None, None, tuple(2 * event for event in events))
        events = named(resolved)
        if events:
            self._events = events
        if resolved.subjects is not None:
            self._subject = resolved.subjects
        self._parts.append(resolved)

    def _withdrawal(self, at: int) -> int | None:
        found = self._words.longest(at, "withdraws")
        if found is None:
            return None
        if self._words.word(at) == "not" and not self._ends(found[0]):
            return None
        again = self._parts and self._parts[-1].protos[:1] == (Proto(StatementKind.WITHDRAWS),)
        if not again:
            self._add(Proto(StatementKind.WITHDRAWS))
        return found[0]

    def _answer(self, at: int) -> int | None:
        words = self._words
        if self._frame in _UNSAID and not self._framed_clause:
            return None
        for end, _, _ in words.find(at, "answer"):
            here = words.past(end, "answer is", "adverbs")
            denied = words.word(here) == "not"
            for after, _, label in words.find(here, "label labels", "label words"):
                if self._stops(after) and not denied and (here > end or after == words.size):
                    self._add(Proto(StatementKind.ANSWER, label=label))
                    return after
            for after, _, _ in words.find(here, "answer is"):
                for last, _, label in words.find(after, "label labels", "label words"):
                    if self._stops(last) and not denied:
                        self._add(Proto(StatementKind.ANSWER, label=label))
                        return last
        for end, _, _ in words.find(at, "answer get"):
            for after, _, label in words.find(words.past(end, "adverbs"), "label labels"):
                if self._stops(after):
                    self._add(Proto(StatementKind.ANSWER, label=label))
                    return after
        leads = (
            at == 0
            or self._fills(at - 1)
            or words.word(at - 1) in _BOUNDARY
            or (at > 1 and self._filled_before(at))
        )
        for end, _, label in words.find(at, "label labels") if leads else ():
            if self._stops(end) and words.word(end) != "or":
                self._add(Proto(StatementKind.ANSWER, label=label))
                return end
        return None

    def _filled_before(self, at: int) -> bool:
        return any(
            end == at
            for start in range(max(0, at - 4), at)
            for end, _, _ in self._words.find(start, "fill")
        )

    def _stops(self, at: int) -> bool:
        return at >= self._words.size or self._words.word(at) in (
            ".",
            ",",
            ";",
            "!",
            ")",
            "because",
            "since",
            "—",
            "–",
            "-",
            "as",
            "(",
            "and",
            ":",
        )

    def _claim(self, at: int) -> int | None:
        """Something said of the claim."""
        words = self._words
        denied = words.word(at) == "not"
        for end, _, _ in words.find(at + 1 if denied else at, "claim"):
            here = words.past(end, "adverbs")
            found = self._predicate(here)
            if found is not None:
                after, name, negated = found
                kind = _PREDICATED[name][denied or negated]
                if kind is not None and not (denied and negated):
                    self._add(self._about_claim(kind))
                    return self._more_predicates(after)
        left = words.longest(at, "claim open")
        if left is not None and self._ends(left[0]) and words.word(left[0]) != "which":
            self._add(self._about_claim(StatementKind.LEFT_OPEN))
            return left[0]
        proved = words.longest(at, "claim holds")
        if proved is not None and words.word(proved[0]) != "that" and self._ends(proved[0]):
            self._add(self._about_claim(StatementKind.HOLDS))
            return proved[0]
        # "This contradicts the claim".
        for end in self._contradicts_claim(at):
            self._add(Proto(StatementKind.DOES_NOT_HOLD, about="claim"))
            return end
        return None

    def _about_claim(self, kind: StatementKind | str) -> Proto:
        frame = self._frame
        if frame not in (None, StatementKind.ASSUMED) and not self._framed_clause:
            # "It is unclear whether the claim holds".
            self._framed_clause = True
            if kind in ("true", StatementKind.HOLDS) or kind is frame is StatementKind.LEFT_OPEN:
                return Proto(frame, about="claim")
            return _unread_clause(CLAIMED)
        if isinstance(kind, StatementKind):
            if kind is StatementKind.CLAIM_CONTRADICTORY:
                return Proto(kind)
            framed = self._frame is StatementKind.ASSUMED
            return Proto(StatementKind.ASSUMED if framed else kind, about="claim")
        if self._frame is StatementKind.ASSUMED:
            return Proto(StatementKind.ASSUMED, about="claim")
        return Proto(StatementKind.ANSWER, label=kind)

    def _more_predicates(self, at: int) -> int:
        """The end after "but not necessary" about the same claim."""
        words = self._words
        while words.word(at) in ("but", "and") or (
            words.word(at) == "," and words.word(at + 1) in ("but", "and")
        ):
            here = at + 2 if words.word(at) == "," else at + 1
            found = self._predicate(here)
            if found is None:
                return at
            end, name, negated = found
            kind = _PREDICATED[name][negated]
            if not isinstance(kind, StatementKind):
                return at
            self._add(self._about_claim(kind))
            at = end
        return at

    def _contradicts_claim(self, at: int) -> Iterator[int]:
        words = self._words
        if words.vocabulary.isdisjoint(_CLAIM):
            return
        for verb in (
            "contradicts",
            "refutes",
            "contradicting",
            "violates",
            "contradict",
            "disproves",
            "rules out",
            "excludes",
            "conflicts with",
            "is incompatible with",
            "is inconsistent with",
            "goes against",
        ):
            parts = verb.split()
            for start in (at, at + 1, at + 2):
                if list(words.words[start : start + len(parts)]) != parts:
                    continue
                if start > at and words.word(at) not in (
                    "this",
                    "that",
                    "which",
                    "it",
                    "the",
                    "and",
                    "these",
                ):
                    continue
                if start > at + 1 and words.word(at + 1) not in (
                    "premise",
                    "premises",
                    "thus",
                    "therefore",
                ):
                    continue
                for end, _, _ in words.find(start + len(parts), "claim"):
                    if words.word(end) != "that" and self._ends(end):
                        yield end

    def _predicate(self, at: int) -> tuple[int, str, bool] | None:
        """The end and name of what is said of a clause, and whether it is denied."""
        words = self._words
        here = words.past(at, "adverbs")
        denied = words.word(here) == "not"
        if denied:
            here = words.past(here + 1, "adverbs")
        found = max(words.find(here, "predicate"), default=None)
        if found is None:
            return None
        end = found[0]
        if words.word(end) == "from" or words.word(end) == "by":
            for source in (
                ("the", "premise"),
                ("the", "premises"),
                ("it",),
                ("them",),
                ("this",),
                ("that",),
                ("the", "text"),
            ):
                if tuple(words.words[end + 1 : end + 1 + len(source)]) == source:
                    end += 1 + len(source)
                    break
        return end, found[2], denied

    def _clause(self, at: int) -> int | None:
        best: dict[int, list[Clause]] = {}
        for clause, end in self._clauses.clauses(at, self._last()):
            if end <= at:
                continue
            if (
                not self._ends(end)
                and self._predicate(end) is None
                and not self._tagged(end)
                and self._words.longest(end, "defines") is None
            ):
                continue
            found = best.setdefault(end, [])
            if clause not in found:
                found.append(clause)
        if not best:
            return None
        end = max(best)
        clauses = self._one_pronoun(best[end])
        if len({_normal(clause.protos) for clause in clauses}) > 1:
            return None
        return self._stated(clauses[0], end)

    def _both(self, at: int) -> int | None:
        """Two clauses with one predicate: "both A < B and B < A are derivable"."""
        words = self._words
        lead = words.word(at)
        start, joint = at + (lead in ("both", "neither")), "nor" if lead == "neither" else "and"
        if start == at and "both" not in words.vocabulary:
            return None
        for first, middle in self._symbols_or_clauses(start, words=start > at):
            if words.word(middle) != joint:
                continue
            for second, end in self._symbols_or_clauses(middle + 1, words=start > at):
                if start == at:
                    # "A < B and B < A can not both hold"
                    if "both" in words.words[end : end + 3]:
                        last = next(
                            (n for n in range(end, words.size) if self._ends(n)), words.size
                        )
                        self._add(_unread_clause((*named(first), *named(second))))
                        return last
                    continue
                found = self._predicate(end)
                if found is None:
                    continue
                kind = _PREDICATED[found[1]][found[2] or lead == "neither"]
                if found[2] and lead == "neither":
                    kind = None
                if isinstance(kind, StatementKind) and self._frame is None:
                    for clause in (first, second):
                        protos = tuple(replace(proto, kind=kind) for proto in clause.protos)
                        self._add(*protos, clause=clause)
                else:
                    self._add(_unread_clause((*named(first), *named(second))))
                return found[0]
        return None

    def _symbols_or_clauses(self, at: int, *, words: bool) -> Iterator[tuple[Clause, int]]:
        """Comparisons in symbols, and with ``words`` other clauses that hold."""
        found = self._clauses.clauses(at, None) if words else self._clauses.chains(at)
        for clause, end in found:
            if all(proto.kind is StatementKind.HOLDS for proto in clause.protos):
                yield clause, end

    def _defined(self, clause: Clause, end: int) -> bool:
        """Whether a clause about whole events is the subject of a definition."""
        subjects = clause.subjects
        return (
            subjects is not None
            and not subjects.points
            and len(clause.protos) == 1
            and clause.protos[0].kind is StatementKind.HOLDS
            and self._words.longest(end, "defines") is not None
        )

    def _tagged(self, at: int) -> bool:
        words = self._words
        if words.words[at : at + 2] == ["or", "not"]:
            return self._ends(at + 2)
        return words.word(at) in ("too", "though", "either") and self._ends(at + 1)

    def _last(self) -> Clause | None:
        for part in reversed(self._parts):
            if part.subjects is not None:
                return part
        return None

    def _one_pronoun(self, clauses: list[Clause]) -> list[Clause]:
        """Of the readings of *it* as an event and as a point, the one of the subject before."""
        pronouns = [
            clause
            for clause in clauses
            if clause.subjects is not None and clause.subjects.places in ((IT,), (2 * IT,))
        ]
        if len(pronouns) < 2:
            return clauses
        last = self._last()
        before = last.subjects if last is not None else self._before.subject
        points = before is not None and before.points
        return [
            clause
            for clause in clauses
            if clause.subjects is None or clause not in pronouns or clause.subjects.points is points
        ]

    def _stated(self, clause: Clause, end: int) -> int:
        words = self._words
        # A label after a chain of symbols: "gate < soap is True".
        found = self._predicate(end) if not self._ends(end) else None
        if words.words[end : end + 2] == ["or", "not"] and self._ends(end + 2):
            opened = tuple(
                replace(proto, kind=StatementKind.LEFT_OPEN)
                if proto.kind is StatementKind.POSSIBLE
                else proto
                for proto in clause.protos
            )
            clause, end = replace(clause, protos=opened), end + 2
        unforced = words.longest(end + (words.word(end) == ","), "tag unforced")
        if unforced is not None and self._ends(unforced[0]):
            denied = tuple(
                replace(proto, kind=StatementKind.NOT_DERIVABLE)
                for proto in clause.protos
                if proto.kind is StatementKind.POSSIBLE
            )
            clause, end = replace(clause, protos=(*clause.protos, *denied)), unforced[0]
        if self._tagged(end):
            end += 1
        defined = not self._parts and self._defined(clause, end)
        if defined:
            # "A < B means that A ends before B starts".
            self._frame = StatementKind.ASSUMED
        if found is None or defined:
            self._add(*map(self._in_frame, clause.protos), clause=clause)
            self._framed_clause = self._frame is not None
            return end
        after, name, negated = found
        kind = _PREDICATED[name][negated]
        if self._quoting and not self._framed_clause:
            # "The claim that A < B is true" says so, "the claim that A < B" does not.
            self._frame = None
        frame = self._frame
        if frame is not None and not self._framed_clause:
            # "If A < B holds", "we can not conclude that A < B is true".
            if frame is StatementKind.ASSUMED or kind in ("true", StatementKind.HOLDS, frame):
                self._add(*(replace(proto, kind=frame) for proto in clause.protos), clause=clause)
            else:
                self._add(_unread_clause(named(clause)), clause=clause)
            self._framed_clause = True
        elif kind is not None and not isinstance(kind, StatementKind):
            if kind == "undefined":
                self._add(Proto(StatementKind.ANSWER, label="undefined"))
            else:
                self._add(
                    *(replace(proto, about="label", label=kind) for proto in clause.protos),
                    clause=clause,
                )
        elif kind is None or any(proto.kind is not StatementKind.HOLDS for proto in clause.protos):
            self._add(_unread_clause(named(clause)), clause=clause)
        else:
            kinds = [kind]
            while words.word(after) in ("but", "and") or (
                words.word(after) == "," and words.word(after + 1) in ("but", "and")
            ):
                more = self._predicate(after + 2 if words.word(after) == "," else after + 1)
                second = None if more is None else _PREDICATED[more[1]][more[2]]
                if more is None or not isinstance(second, StatementKind):
                    break
                kinds.append(second)
                after = more[0]
            self._add(
                *(replace(proto, kind=some) for some in kinds for proto in clause.protos),
                clause=clause,
            )
        return after

    def _in_frame(self, proto: Proto) -> Proto:
        frame = self._frame
        if frame is None or proto.kind in (None, StatementKind.UNREAD):
            return proto
        if frame is StatementKind.ASSUMED:
            return replace(proto, kind=frame)
        # "It is impossible for A to start".
        if proto.kind in (StatementKind.HOLDS, StatementKind.ASSUMED):
            return replace(proto, kind=frame)
        if proto.kind is StatementKind.POSSIBLE and frame in (
            StatementKind.LEFT_OPEN,
            StatementKind.POSSIBLE,
        ):
            return replace(proto, kind=frame)
        return _unread_clause([p >> 1 for triple in proto.group for p in (triple[0], triple[2])])

    def _introduced(self, at: int) -> int | None:
        """Words that frame the clause after them."""
        found = self._words.longest(at, "frame")
        if found is None:
            return None
        filled = self._words.longest(at, "fill")
        if filled is not None and filled[0] > found[0]:
            return None
        end, name = found
        quoting = " ".join(self._words.words[at:end]) in _QUOTING
        framing = self._frame is StatementKind.ASSUMED or not self._framed_clause
        if quoting and self._frame is not None and framing:
            # "Whether the claim that A < B is true": the words before frame the clause.
            self._quoting = self._framed_clause = False
            return end
        self._frame = _FRAMED[name]
        self._framed_clause = False
        self._quoting = quoting
        # "it is not known whether the claim holds" is said of the claim.
        return end

    def _pairs(self, at: int) -> int | None:
        """Events or points whose order is left open."""
        words = self._words
        for end, _, _ in words.find(at, "pair open"):
            for here in {end, *(after for after, _, _ in words.find(end, "pair order"))}:
                for places, points, last in self._clauses.pair(here):
                    after = max(
                        (stop for stop, _, _ in words.find(last, "pair after")), default=last
                    )
                    if self._ends(after):
                        self._leave_open(places, points=points)
                        return after
        for end in {at, *(after for after, _, _ in words.find(at, "pair order"))}:
            for places, points, last in self._clauses.pair(end):
                found = self._predicate(last + (words.word(last) in (":", ",", "-", "—", "–")))
                paired = end > at or words.word(at + 1) in ("vs", "versus", "relative")
                if (
                    paired
                    and found is not None
                    and _PREDICATED[found[1]][found[2]] is StatementKind.LEFT_OPEN
                    and self._ends(found[0])
                ):
                    self._leave_open(places, points=points)
                    return found[0]
                if words.word(last) == "not":
                    for after, category, _ in words.find(
                        last + 1, "pair compared", "pair unrelated"
                    ):
                        if self._ends(after):
                            if category == "pair compared":
                                self._leave_open(places, points=points)
                            else:
                                self._name(places, points=points)
                            return after
        return None

    def _leave_open(self, places: Sequence[int], *, points: bool) -> None:
        first, second = places
        if points:
            proto = Proto(StatementKind.LEFT_OPEN, ((first, "<", second),))
        else:
            proto = Proto(StatementKind.LEFT_OPEN, ((2 * first, "", 2 * second),), about="pair")
        events = tuple(places) if points else tuple(2 * place for place in places)
        self._add(proto, clause=Clause((), Subjects(tuple(places), points), None, events))

    def _name(self, places: Sequence[int], *, points: bool) -> None:
        events = tuple(places) if points else tuple(2 * place for place in places)
        self._add(clause=Clause((), Subjects(tuple(places), points), None, events))

    def _comment(self, at: int) -> int | None:
        """Words about events that state nothing: "let us compare A and B"."""
        words = self._words
        for end, _, _ in words.find(at, "comment"):
            for places, after in self._clauses.points(end):
                if self._ends(after):
                    self._name(places, points=True)
                    return after
            for places, after in sorted(self._clauses.events(end), key=lambda pair: -pair[1]):
                if self._ends(after):
                    self._name(places, points=False)
                    return after
        # "whose end is not related to A"
        if words.word(at) == "whose":
            here = at + 1
            while here < words.size and words.event(here) is None and words.point(here) is None:
                if words.word(here) in _BOUNDARY:
                    return None
                here += 1
            middle = " ".join(words.words[at + 1 : here])
            if re.fullmatch(
                r"(?:own )?(?:[a-z]+ ){1,2}not (?:is|are) (?:related|connected|linked|compared)"
                r"(?: in any way)? (?:to|with)",
                middle,
            ) and self._ends(here + 1):
                return here + 1
        return None

    def _pointer(self, at: int) -> int | None:
        """What is said of the part before, and is nothing new: "that is possible"."""
        words = self._words
        denied = words.word(at) == "not"
        for end, _, _ in words.find(at + 1 if denied else at, "pointer"):
            found = self._predicate(end)
            if found is not None and self._ends(found[0]):
                return found[0]
        return None

    def _contradiction(self, at: int) -> int | None:
        """A part that is about contradictions."""
        words = self._words
        if at and not (words.word(at - 1) in _BOUNDARY or self._filled_before(at)):
            return None
        end = self._contradiction_end(at)
        if end is None:
            return None
        part = words.words[at:end]
        text = f" {' '.join(part)} "
        table = trace_table()["contradictions"]
        sound = [core for core in table["sound"] if f" {core} " in text]
        for core in sound:
            text = text.replace(f" {core} ", " ")
        cores = [core for core in table["cores"] if f" {core} " in text]
        if not sound and (
            not cores or (cores == ["impossible"] and "premise" not in text and "all" not in part)
        ):
            return None
        denied = sum(word in ("no", "not", "without", "never") for word in part)
        if denied > 1 or (sound and cores):
            return None
        consistent = bool(sound) != bool(denied)
        places = [ord(mark[0]) for mark in part if ord(mark[0]) >= FIRST_EVENT]
        pair: tuple[int, ...] = ()
        if places:
            pair = _events("".join(part))
            if len(pair) != 2:
                return None
        about = any(word in table["claim"] for word in part)
        if consistent:
            # "This is consistent with the premise" is about something else.
            if pair or about or " with the premise" in f" {' '.join(part)}":
                return None
            self._add(self._in_assumption(Proto(StatementKind.PREMISE_CONSISTENT)))
        elif about:
            self._add(self._in_assumption(Proto(StatementKind.CLAIM_CONTRADICTORY)))
        elif pair:
            group = ((2 * pair[0], "", 2 * pair[1]),)
            self._add(
                self._in_assumption(Proto(StatementKind.CLAIM_CONTRADICTORY, group, about="pair")),
                clause=Clause((), Subjects(pair, False), None, (2 * pair[0], 2 * pair[1])),
            )
        else:
            # "Contradiction." after an assumption is about that.
            bare = "" if "premise" in text else "bare"
            self._add(self._in_assumption(Proto(StatementKind.PREMISE_CONTRADICTORY, about=bare)))
        return end

    def _in_assumption(self, proto: Proto) -> Proto:
        return (
            replace(proto, kind=StatementKind.ASSUMED, group=(), about="")
            if self._frame is StatementKind.ASSUMED
            else proto
        )

    def _contradiction_end(self, at: int) -> int | None:
        words = self._words
        here = at
        allowed = _contradiction_words()
        while here < words.size:
            word = words.word(here)
            if word in (
                ".",
                ",",
                ";",
                ":",
                "!",
                "=>",
                "→",
                "->",
                "⟹",
                "so",
                "hence",
                "therefore",
                "thus",
                "because",
                "since",
                "but",
            ):
                break
            if word == "and" and not any(
                mark >= "\ue000" for mark in (words.word(here - 1), words.word(here + 1) or "a")
            ):
                following = words.word(here + 1)
                if following in ("the", "so", "thus", "hence", "therefore"):
                    break
            if word not in allowed and word < "\ue000":
                return None
            here += 1
        return here if here > at else None

    # What is not read

    def _skip(self, at: int) -> int:
        """Pass over a part that cannot be read, up to the next one."""
        words, here = self._words, at
        if words.word(at) in _BOUNDARY and words.word(at) != "which":
            return at + 1
        while here < words.size:
            here += 1
            if here < words.size and words.word(here) in _BOUNDARY:
                break
            if (
                here < words.size
                and self._fills(here)
                and words.word(here) not in ("as", "for", "with", "that", "where", "together")
            ):
                break
        part = words.words[at:here]
        events = _events("".join(part))
        pronoun = _PRONOUNS & set(part) or any(ord(word[0]) >> 1 == _IT_POINT for word in part)
        if events or ("they" in part and len(self._events) == 2):
            self._add(
                _unread_clause((*(events or self._events), IT) if pronoun else events),
                clause=Clause((), None, None, tuple(2 * event for event in events)),
            )
        elif self._frame is not StatementKind.ASSUMED and operators("clauses") & set(part):
            self._spoiled = True
        return here

    # Pronouns

    def _resolved(self) -> Reading:
        protos = [proto for part in self._parts for proto in part.protos]
        if self._spoiled:
            protos = [
                _unread_clause(tuple(dict.fromkeys(p >> 1 for p, _, _ in proto.group)) or (0,))
                if (proto.group or proto.about) and proto.kind is not StatementKind.ASSUMED
                else proto
                for proto in protos
            ]
        simple = tuple(_simple(protos))
        return Reading(
            protos=() if simple else tuple(protos),
            events=self._events,
            subject=self._subject,
            simple=simple,
        )


@cache
def _contradiction_cores() -> frozenset[str]:
    """The first words of what makes a part one about contradictions."""
    table = trace_table()["contradictions"]
    return frozenset(text.split()[0] for name in ("cores", "sound") for text in table[name])


@cache
def _contradiction_words() -> frozenset[str]:
    table = trace_table()["contradictions"]
    found = set(table["words"]) | set(table["negations"])
    for name in ("cores", "sound", "claim"):
        for text in table[name]:
            found |= set(text.split())
    return frozenset(found)


def _simple(
    protos: Sequence[Proto],
) -> list[tuple[StatementKind, tuple[tuple[int, str, int], ...]]]:
    """The kind and orders of statements of which nothing else has to be known; else nothing."""
    found: list[tuple[StatementKind, tuple[tuple[int, str, int], ...]]] = []
    for proto in protos:
        known = all(p < 2 * CLAIMED[0] and q < 2 * CLAIMED[0] for p, _, q in proto.group)
        if (
            proto.kind is None
            or proto.about
            or not proto.group
            or not known
            or proto.kind is StatementKind.UNREAD
        ):
            return []
        found.append((proto.kind, proto.group))
    return found


def _normal(
    protos: Sequence[Proto],
) -> frozenset[tuple[StatementKind | None, frozenset[PointOrder]]]:
    """The statements of a reading, however their orders are written."""
    return frozenset(
        (proto.kind, frozenset(ordered(*triple) for triple in proto.group)) for proto in protos
    )
