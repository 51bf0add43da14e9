"""The meaning of each rule of ``sentences.lark``, from the meanings of its parts."""

# ruff: noqa: ANN401, ARG002, D102 - methods are named for the rules of sentences.lark; their parts
# have many types, and not all are needed
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, product
from typing import Any, TypeAlias

from lark import Token, Tree

from grammar.eventhop.verbs import (
    EQUAL,
    HAPPENED,
    OBJECT,
    SHARE,
    SUBJECT,
    Adverbial,
    Both,
    Described,
    NoReadingError,
    Place,
    PointVerb,
    Stated,
    Targets,
    Verb,
    beyond,
    edge_before,
    extras_of,
    filled,
    in_order,
    joined,
    of_events,
    of_points,
    one_place,
    stated_by,
    took_place,
    verb_both,
    verb_when,
)
from grammar.eventhop.words import IT, SIGNS, Phrases

SIGN_OF = {
    **dict.fromkeys(("BEFORE", "EARLIER", "PRECEDE"), "<"),
    **dict.fromkeys(("AFTER", "LATER", "FOLLOW"), ">"),
    **dict.fromkeys(("SAME", "WHEN", "TOGETHER", "SOON", "COINCIDE"), "="),
    **dict.fromkeys(("ONCE", "NOT_EARLIER"), ">="),
    **dict.fromkeys(("BY", "NOT_LATER"), "<="),
}
_Order: TypeAlias = tuple[str, str, str]
"""A sign, the category of its words, and the words."""

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


class Meanings:
    """The relations of each rule of the grammar, from the values of its parts.

    Args:
        words: the phrases of the domain.
    """

    def __init__(self, words: Phrases) -> None:
        self._meanings = words.meanings

    def name(self, token: Token) -> tuple[str, bool]:
        return str(token), token.type == "THE_NAME"

    def item(self, name: tuple[str, bool]) -> Described:
        return name[0], (), name[1]

    def it(self, token: Token) -> Described:
        return IT, (), True

    def described(self, name: tuple[str, bool], *verbs: Any) -> Described:
        event, article = name
        return event, self.about_events(((event, (), article),), *verbs), article

    def names(self, *items: Any) -> tuple[Described, ...]:
        found = tuple(item for item in items if not isinstance(item, Token))
        # "The Arts and Crafts Fair" is one event: of several, each has an article if the first has.
        if found[0][2] and not all(article for _, _, article in found):
            raise NoReadingError
        # "The fair and the race, held before lunch": perhaps both were.
        if len(found) > 1 and found[-1][1]:
            raise NoReadingError
        return found

    def subjects(self, names: tuple[Described, ...]) -> tuple[Described, ...]:
        return names

    def both_names(self, names: tuple[Described, ...]) -> tuple[Described, ...]:
        return Both(names)

    def start_of(self, mark: Token, name: tuple[str, bool]) -> Place:
        return name[0], "-"

    def finish_of(self, mark: Token, name: tuple[str, bool]) -> Place:
        return name[0], "+"

    def point_of(self, name: tuple[str, bool], bound: Token) -> Place:
        return name[0], str(bound)

    def points(self, *points: Any) -> Targets:
        return tuple(point for point in points if not isinstance(point, Token)), (), False, ""

    def points_of(self, mark: Token, items: tuple[Described, ...]) -> Targets:
        bound = "-" if mark.type == "STARTS_OF" else "+"
        return tuple((event, bound) for event, _, _ in items), extras_of(items), False, ""

    def names_verb(self, items: tuple[Described, ...], verb: PointVerb) -> Targets:
        loose = len(items) > 1 and not isinstance(items, Both)
        places = tuple((event, verb[0]) for event, _, _ in items)
        return places, extras_of(items), verb[1], verb[0] if loose else ""

    def verb(self, token: Token) -> PointVerb:
        bound = "-" if token.type in ("BEGIN", "BEGUN") else "+"
        return bound, token.type in ("BEGUN", "ENDED"), token.startswith(_BE)

    def order(self, token: Token) -> _Order:
        return _sign(token), token.type, str(token)

    def either(self, token: Token) -> str:
        return _sign(token)

    compared = either
    nearer = either

    def ordered(self, order: _Order, targets: Targets) -> tuple[str, str, str, Targets]:
        return *order, targets

    def at_points(self, ordered: tuple[str, str, str, Targets]) -> Adverbial:
        return Adverbial("points", ordered)

    def at_events(self, order: Token, items: Any) -> Adverbial:
        return Adverbial("events", (_sign(order), order.type in ("BEFORE", "AFTER"), items))

    def at_mark(self, place: Place) -> Adverbial:
        return Adverbial("mark", (one_place(place),))

    def between(self, word: Token, first: Described, last: Described) -> Adverbial:
        return Adverbial("between", (first, last))

    def between_points(self, word: Token, first: Place, last: Place) -> Adverbial:
        return Adverbial("between points", (first, last))

    def inside(self, *parts: Any) -> Adverbial:
        return Adverbial("inside", tuple(part for part in parts if not isinstance(part, Token)))

    def with_over(self, items: Any, over: Token) -> Adverbial:
        """``with B over`` is ``after B had ended``."""
        if over.type == "END" and over not in _FINISHED:
            raise NoReadingError
        return Adverbial(
            "points", (">", "AFTER", "after", self.names_verb(items, ("+", True, False)))
        )

    def inside_going(self, when: Token, items: Any, going: Token) -> Adverbial:
        return Adverbial("inside what goes on", (items,))

    def around(self, when: Token, items: Any, whole: Token) -> Adverbial:
        """``when B took place``."""
        took_place(whole, "")
        if whole.startswith("ha"):  # Had taken place.
            raise NoReadingError
        return Adverbial("around", (items,))

    def all_through(self, word: Token, items: Any) -> Adverbial:
        return Adverbial("all through", (items,))

    def until(self, word: Token, targets: Targets) -> Adverbial:
        return Adverbial("until", (targets,))

    def until_point(self, place: Place) -> Adverbial:
        return Adverbial("until", (one_place(place),))

    def joint(self, *tokens: Token) -> bool:
        return tokens[-1].type == "_AND"

    def timed(self, main: Any, *parts: Any) -> Verb:
        """``A ended before B began but after C``."""
        adverbials: Sequence[Adverbial] = parts[::2]
        of_point = isinstance(main, tuple) and main[0]
        for (first, second), also in zip(pairwise(adverbials), parts[1::2], strict=True):
            # In "A started after B and before C", perhaps all of A is before C.
            if of_point and also and not first.kind == second.kind == "points":
                raise NoReadingError
        return joined(verb_when(main, adverbial) for adverbial in adverbials)

    def both_timed(self, first: PointVerb, second: PointVerb, adverbial: Adverbial) -> Verb:
        return verb_both(first, second, adverbial)

    def same_point(self, verb: PointVerb, same: Token, items: Any) -> Verb:
        # "Had begun when B had" leaves open which was first, "at the same time as B" does not.
        if verb[1] and " same " not in same:
            raise NoReadingError
        return of_events(f"A{verb[0]} = B{verb[0]}", items)

    def same_or_whole(self, verb: PointVerb, sign: str, items: Any, whole: Token) -> Verb:
        """``A was over before B was``: the same point; ``A ended before B took place``."""
        edge = edge_before(sign)
        if verb[2] and whole in ("was", "were", "is", "are"):
            edge = verb[0]
        else:
            took_place(whole, "")
        return of_events(f"A{verb[0]} {sign} B{edge}", items)

    def whole_did(self, whole: Token, sign: str, items: Any) -> Verb:
        return of_events(beyond(sign), items)

    def same_then(self, verb: PointVerb, same: Any, items: Any, *rest: Any) -> Verb:
        """``A began at the same time as B but ended later``."""
        other, word = rest[-2:]
        if verb[1] or other[1] or verb[0] == other[0] or (word.type == "NEXT" and word != "later"):
            raise NoReadingError
        sign = "=" if isinstance(same, Token) else same
        then = "<" if word.type == "SOONER" else ">"
        return of_events(f"A{verb[0]} {sign} B{verb[0]}, A{other[0]} {then} B{other[0]}", items)

    def same_verb(self, verb: PointVerb, sign: str, items: Any, *_: Token) -> Verb:
        return of_events(f"A{verb[0]} {sign} B{verb[0]}", items)

    def placed(self, whole: Token, words: Token, items: tuple[Described, ...]) -> Verb:
        return of_events(self._meanings[words], items)

    def precede_all(self, verb: Token, *items: Described) -> Verb:
        """``A was followed by B and then by C``."""
        if not verb.endswith("followed by"):
            raise NoReadingError
        first = of_events(beyond("<"), items[:1])
        return replace(first, extras=in_order(items) + extras_of(items))

    def precede(self, verb: Token, items: tuple[Described, ...]) -> Verb:
        return of_events(beyond(_sign(verb)), items)

    def relation(self, verb: Token, items: tuple[Described, ...]) -> Verb:
        return of_events(self._meanings[verb], items)

    def relation_did(self, verb: Token, items: tuple[Described, ...]) -> Verb:
        """``A outlasted B did`` compares one point; of several, "did" would say nothing."""
        if "," in self._meanings[verb]:
            raise NoReadingError
        return self.relation(verb, items)

    def opens_or_closes(self, verb: Token, items: tuple[Described, ...]) -> Verb:
        """Allen's relations of these names; in other forms the verbs say who caused what."""
        meaning = {"starts": "A- = B-, A+ < B+", "finishes": "A- > B-, A+ = B+"}.get(verb)
        if meaning is None:
            raise NoReadingError
        return of_events(meaning, items)

    def mutual(self, verb: Token) -> Verb:
        if self._meanings[verb] != SHARE:
            raise NoReadingError
        return Verb(mutual=stated_by(SHARE))

    def lasted_point(self, verb: Token, targets: Targets) -> Verb:
        return of_points("+", "=", targets)

    def lasted_event(self, verb: Token, items: tuple[Described, ...]) -> Verb:
        return of_events("A+ = B-", items)

    def outlasted_point(self, *parts: Any) -> Verb:
        """``A continued after B had ended``."""
        return of_points("+", ">", parts[-1])

    def outlasted(self, *parts: Any) -> Verb:
        return of_events("A+ > B+", parts[-1])

    def lasted_from(self, verb: Token, first: Place, last: Place) -> Verb:
        return Verb(groups=((((SUBJECT, "-"), "=", first), ((SUBJECT, "+"), "=", last)),))

    def shared(self, verb: Token) -> Verb:
        bound = "-" if verb.type == "SHARED_START" else "+"
        return Verb(mutual=stated_by(f"A{bound} = B{bound}"))

    def alike(self, verb: Token) -> Verb:
        return Verb(mutual=stated_by(EQUAL))

    def throughout(self, verb: Token, items: tuple[Described, ...]) -> Verb:
        return of_events("A- <= B-, A+ >= B+", items)

    def together(self, verb: PointVerb, how: Token) -> Verb:
        sign = "<" if how.type == "ORDERLY" else "="
        return Verb(mutual=stated_by(f"A{verb[0]} {sign} B{verb[0]}"))

    def both_together(self, first: Any, second: Any, together: Token) -> Verb:
        if first[0] == second[0]:
            raise NoReadingError
        return Verb(mutual=stated_by(EQUAL))

    def p_timed(self, whole: Token, *parts: Any) -> Verb:
        """``The end of A was after B but before C``."""
        return self.timed(("", False, False), *parts)

    def p_that(self, *parts: Any) -> Verb:
        """``The end of A came before that of B``."""
        order = parts[-3]
        return of_events(f"A {_sign(order) if isinstance(order, Token) else order} B", parts[-1])

    def p_verb(self, verb: Token, targets: Targets) -> Verb:
        return of_points("", _sign(verb), targets)

    def p_relation(self, verb: Token, targets: Targets) -> Verb:
        if self._meanings[verb] != EQUAL:
            raise NoReadingError
        return of_points("", "=", targets)

    def p_is(self, verb: Token, targets: Targets) -> Verb:
        if verb not in ("was", "is", "were", "are"):
            raise NoReadingError
        return of_points("", "=", targets)

    def p_together(self, *words: Token) -> Verb:
        sign = "<" if words[-1].type == "IN_ORDER" else "="
        return Verb(mutual=(((SUBJECT, ""), sign, (OBJECT, "")),))

    def about_events(self, subjects: Sequence[Described], *verbs: Any) -> tuple[Stated, ...]:
        return self._clause([(event, "") for event, _, _ in subjects], verbs) + extras_of(subjects)

    def aside(self, subjects: Sequence[Described], *parts: Any) -> tuple[Stated, ...]:
        """``A, in turn, ended before B``."""
        return self.about_events(subjects, *parts)

    def participle(self, *parts: Any) -> tuple[Stated, ...]:
        """``Begun before B, A ended after C``; ``A`` is the subject of both."""
        (subjects,) = (part for part in parts if not isinstance(part, Token | Verb))
        return self.about_events(subjects, *(part for part in parts if isinstance(part, Verb)))

    def then_other(self, subjects: Sequence[Described], *parts: Any) -> tuple[Stated, ...]:
        """``A began before B, but B ended later``: later than the other event did."""
        *verbs, others, verb, word = parts
        if word.type == "NEXT" and word != "later":
            raise NoReadingError
        sign = "<" if word.type == "SOONER" else ">"
        return self._of_other(subjects, verbs, others, f"A{verb[0]} {sign} B{verb[0]}")

    def further_other(self, subjects: Sequence[Described], *parts: Any) -> tuple[Stated, ...]:
        """``A and B share a western edge, but B reaches further east``."""
        *verbs, others, word = parts
        return self._of_other(subjects, verbs, others, self._meanings[word])

    def _of_other(
        self, subjects: Sequence[Described], verbs: Sequence[Any], others: Any, meaning: str
    ) -> tuple[Stated, ...]:
        """What a clause states, and a comparison with the other of its two events."""
        stated = self.about_events(subjects, *verbs)
        named = dict.fromkeys(event for left, _, right in stated for event in (left[0], right[0]))
        rest = [event for event in named if event != others[0][0]]
        if len(others) != 1 or len(named) != 2 or len(rest) != 1:
            raise NoReadingError
        return stated + self.about_events(others, of_events(meaning, [(rest[0], (), False)]))

    def passed_on(self, items: Any, verb: Token, objects: Any, *gaps: Any) -> tuple[Stated, ...]:
        """``A was followed by B, B by C``."""
        if not verb.endswith(" by"):
            raise NoReadingError
        pairs = ([part for part in gap if not isinstance(part, Token)] for gap in gaps)
        return tuple(
            stated
            for subjects, others in ((items, objects), *pairs)
            for stated in self.about_events(subjects, self.precede(verb, others))
        )

    def gap_by(self, *parts: Any) -> tuple[Any, ...]:
        if not any(isinstance(part, Token) and part == "by" for part in parts):
            raise NoReadingError
        return parts

    def what(self, verb: Verb, whole: Token, items: Any) -> tuple[Stated, ...]:
        """``What followed A was B``."""
        if whole not in ("was", "is", "were", "are"):
            raise NoReadingError
        return self.about_events(items, verb)

    def about_more(self, subjects: Sequence[Described], *parts: Any) -> tuple[Stated, ...]:
        """``A ended before B, and so did C``."""
        *verbs, others = parts
        return self.about_events(subjects, *verbs) + self.about_events(others, *verbs)

    def about_points(self, subjects: Targets, *verbs: Any) -> tuple[Stated, ...]:
        return self._clause(subjects[0], verbs)

    def _clause(self, subjects: Sequence[Place], verbs: Iterable[Any]) -> tuple[Stated, ...]:
        stated: list[Stated] = []
        for verb in verbs:
            if isinstance(verb, Token):
                continue
            if verb.mutual and len(subjects) < 2:
                raise NoReadingError
            for left, right in pairwise(subjects) if verb.mutual else ():
                stated += [filled(row, left, right) for row in verb.mutual]
            for subject in subjects:
                stated += [
                    filled(row, subject, (OBJECT, "")) for group in verb.groups for row in group
                ]
            stated += verb.extras
        return tuple(stated)

    def chain(self, *parts: Any) -> tuple[Stated, ...]:
        points, signs = parts[::2], parts[1::2]
        return tuple(
            (left, SIGNS[sign], right)
            for (left, right), sign in zip(pairwise(points), signs, strict=True)
        )

    def pair(self, first: Any, verb: PointVerb, *rest: Any) -> tuple[Stated, ...]:
        """``A ended and B began at the same time``."""
        second, other, _ = rest[-3:]
        if len(first) > 1 or len(second) > 1:
            raise NoReadingError
        meaning = f"A{verb[0]} = B{other[0]}"
        return self.about_events(first, of_events(meaning, second))

    def next_verb(self, *parts: Any) -> tuple[Stated, ...]:
        """``A ended, and then B began, and then C took place``."""
        stated: list[Stated] = []
        tokens = ("COMMA", "THEN", "NEXT", "ONLY_THEN")
        parts = tuple(part for part in parts if getattr(part, "type", "") not in tokens)
        events = list(zip(parts[::2], parts[1::2], strict=True))
        if any(len(items) > 1 for items, _ in events):
            raise NoReadingError
        for (first, verb), (second, other) in pairwise(events):
            # What takes place as a whole ends before what follows it starts.
            earlier = took_place(verb, "+") if isinstance(verb, Token) else verb[0]
            later = took_place(other, "-") if isinstance(other, Token) else other[0]
            stated += self.about_events(
                [(first[0][0], (), False)], of_events(f"A{earlier} < B{later}", second)
            )
        return tuple(stated) + extras_of(events[0][0])

    def next_after(self, *parts: Any) -> tuple[Stated, ...]:
        """``A ended, and B began after that``."""
        if parts[-1] not in _THEREAFTER:
            raise NoReadingError
        return self.next_verb(*parts[:-1])

    def gapped(self, items: Any, whole: Token, sign: str, *rest: Any) -> tuple[Stated, ...]:
        """``A took place before B, and B before C``."""
        objects, *gaps = rest
        return self.about_events(items, of_events(beyond(sign), objects)) + tuple(
            stated for gap in gaps for stated in gap
        )

    def gap(self, *parts: Any) -> tuple[Stated, ...]:
        items, sign, objects = (part for part in parts if type(part) is not Token)
        return self.about_events(items, of_events(beyond(sign), objects))

    def item_of(self, *parts: Any) -> Described:
        found: list[Described] = [part for part in parts if not isinstance(part, Token)]
        return found[0]

    def series(self, *parts: Any) -> tuple[Stated, ...]:
        """``First came A, then B``, ``A, B and C took place in that order``."""
        items = [part for part in parts if not isinstance(part, Token)]
        if len(items) == 1:
            (items,) = items
        if len(items) < 2:
            raise NoReadingError
        return in_order(items) + extras_of(items)

    def came_then(self, *parts: Any) -> tuple[Stated, ...]:
        """``A came first, and B followed``, or ``followed it``."""
        verb = next(part for part in reversed(parts) if getattr(part, "type", "") == "FOLLOW")
        if verb not in ("followed", "follows", "follow"):
            raise NoReadingError
        return self.series(*parts)

    def series_ended(self, item: Described, verb: PointVerb, *parts: Any) -> tuple[Stated, ...]:
        """``A was over, then came B, and then C``."""
        word = next(part for part in parts if getattr(part, "type", "") in ("THEN", "NEXT"))
        if not {"came", "comes", "was", "were", "is"} & {*word.split()}:
            raise NoReadingError
        rest = [part for part in parts if not isinstance(part, Token)]
        first = of_events(f"A{verb[0]} < B-", rest[:1])
        return self.about_events((item,), first) + in_order(rest) + extras_of(rest[1:])

    def series_whole(self, *parts: Any) -> tuple[Stated, ...]:
        """``A took place, followed by B``; ``A, then B, and then C took place``."""
        for part in parts:
            if isinstance(part, Token) and part.type == "WHOLE":
                took_place(part, "")
        return self.series(*parts)

    def held(self, verb: Token, items: Any, *parts: Any) -> tuple[Stated, ...]:
        """``There was a raffle before lunch``."""
        return self.about_events(items, self.timed(HAPPENED, *parts))

    def main_clause(self, items: Any, main: Any) -> tuple[Any, Any]:
        return items, main

    def f_held(self, adverbial: Adverbial, *rest: Any) -> tuple[Stated, ...]:
        """``Before lunch, there was a briefing``."""
        return self.about_events(rest[-1], verb_when(HAPPENED, adverbial))

    def f_main(self, adverbial: Adverbial, *clauses: Any) -> tuple[Stated, ...]:
        """``Before B started, A had ended and C had begun``."""
        return self._each(clauses, lambda main: verb_when(main, adverbial, first=True))

    def _each(self, clauses: Sequence[Any], verb: Callable[[Any], Verb]) -> tuple[Stated, ...]:
        """What is stated of some events, each with a verb of its own."""
        pairs = (part for part in clauses if not isinstance(part, Token))
        return tuple(row for items, main in pairs for row in self.about_events(items, verb(main)))

    def f_both(self, adverbial: Adverbial, *rest: Any) -> tuple[Stated, ...]:
        """``During B, A started and ended``."""
        items, first, second = rest[-3:]
        return self.about_events(items, verb_both(first, second, adverbial))

    def f_edges(self, *parts: Any) -> tuple[Stated, ...]:
        """``After A ended, but before B, C took place``."""
        adverbials = [part for part in parts if isinstance(part, Adverbial)]
        clauses = [part for part in parts if not isinstance(part, Adverbial)]
        return self._each(
            clauses, lambda main: joined(verb_when(main, part) for part in adverbials)
        )

    def f_cleft(
        self, it: Token, whole: Token, adverbial: Adverbial, *clauses: Any
    ) -> tuple[Stated, ...]:
        """``It was after B ended that A began``."""
        if whole not in ("was", "is"):
            raise NoReadingError
        return self._each(clauses, lambda main: verb_when(main, adverbial))

    def f_cleft_subject(
        self, it: Token, whole: Token, items: Any, verb: Verb
    ) -> tuple[Stated, ...]:
        """``It was A that began before B``."""
        if whole not in ("was", "is"):
            raise NoReadingError
        return self.about_events(items, verb)

    def f_cleft_at(self, it: Token, at: Token, place: Place, *clauses: Any) -> tuple[Stated, ...]:
        """``It was at the end of B that A began``."""
        if at not in ("was at", "is at"):
            raise NoReadingError
        return self._each(clauses, lambda main: verb_when(main, self.at_mark(place)))

    def f_inverted(self, order: Token, objects: Any, *rest: Any) -> tuple[Stated, ...]:
        """``After the soup came the salad``."""
        whole, items = rest[-2:]
        if whole not in _INVERTED:
            raise NoReadingError
        return self.about_events(items, of_events(beyond(_sign(order)), objects))

    def conjunct(self, stated: tuple[Stated, ...]) -> tuple[Stated, ...]:
        return stated

    def sentence(self, *conjuncts: Any) -> tuple[tuple[Stated, ...], ...]:
        return tuple(part for part in conjuncts if not isinstance(part, Token))


def _sign(token: Token) -> str:
    return SIGN_OF[token.type.removeprefix("ORDER_")]


def readings(tree: Tree[Any], builder: Meanings, words: Sequence[Token]) -> list[Any]:
    """Some readings of a sentence: two if there are several.

    Nodes are shared by the readings; each is visited once.
    """

    def built(name: str, parts: tuple[Any, ...]) -> Iterator[Any]:
        try:
            yield getattr(builder, name)(*parts)
        except NoReadingError:
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
