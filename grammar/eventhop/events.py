"""Reads sentences about events as statements about their points, by ``events.lark``.

A sentence with several readings is refused. LALR parsers read the sentences that cannot have
several; an Earley parser, which finds all readings, reads the others, with an *and* in a name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from itertools import product
from typing import Any, TypeAlias, cast

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput
from lark.lexer import PatternRE, TerminalDef

from grammar.eventhop.lexicon import ARTICLE, alternatives, grammar_file
from grammar.eventhop.names import NAME_LIMIT

RELATIONS: Mapping[str, str] = {
    "PRECEDES": "A+ < B-",
    "PRECEDED_BY": "A- > B+",
    "MEETS": "A+ = B-",
    "MET_BY": "A- = B+",
    "SHARES": "A- < B+, B- < A+",
    "OVERLAPS": "A- < B-, B- < A+, A+ < B+",
    "OVERLAPPED_BY": "B- < A-, A- < B+, B+ < A+",
    "FINISHED_BY": "A- < B-, A+ = B+",
    "FINISHES": "A- > B-, A+ = B+",
    "STARTS": "A- = B-, A+ < B+",
    "STARTED_BY": "A- = B-, A+ > B+",
    "EQUALS": "A- = B-, A+ = B+",
    "CONTAINS": "A- < B-, B+ < A+",
    "DURING": "B- < A-, A+ < B+",
}
"""What each relation of two events A and B states of their starts (-) and ends (+)."""

VERBS: Mapping[str, str] = {"BEGAN": "-", "ENDED": "+"}
WHEN: Mapping[str, str] = {"EARLIER": "<", "LATER": ">", "SAME": "="}
BETWEEN: Mapping[str, str] = {
    "BEFORE": "<",
    "AFTER": ">",
    "SIMULTANEOUS": "=",
    "IS_BEFORE": "<",
    "IS_AFTER": ">",
    "IS_SIMULTANEOUS": "=",
}

MOST = 2_000
"""Maximum number of characters of a sentence that is left to the Earley parser."""

Statement: TypeAlias = tuple[str, str, str]
"""Name of A, relations of their points, name of B."""

_Span: TypeAlias = tuple[int, int]
_Parsed: TypeAlias = tuple[_Span, str, _Span]
_ARTICLE = re.compile("^[Tt]he ")
_MARK = "(?i:start|end) of(?= )"


def statements(sentence: str) -> tuple[Statement, ...] | None:
    """The statements of a sentence with single spaces; None if it has not exactly one reading."""
    for start in ("clear", "single"):
        try:
            parsed = cast("list[_Parsed]", _parser(start).parse(sentence))
        except UnexpectedInput:
            continue
        named = [_named(sentence, row) for row in parsed]
        return tuple(row for row in named if row) if all(named) else None
    verbs = tuple(text for name in VERBS for text in phrases()[name])
    # Without an `and`, or a verb at the end of a name, the parsers above have found any reading.
    if len(sentence) > MOST or (" and " not in sentence and not sentence.endswith(verbs)):
        return None
    try:
        tree = _parser("sentence").parse(sentence)
    except UnexpectedInput:
        return None
    found = _readings(sentence, tree)
    return found[0] if len(found) == 1 else None


@cache
def phrases() -> Mapping[str, tuple[str, ...]]:
    """The phrases of each terminal, without the article that may follow an order."""
    _, literals = grammar_file("events")
    return {
        name: tuple(text.removesuffix(ARTICLE) for text in texts)
        for name, texts in literals.items()
        if texts
    }


class _Builder:
    """Lark transformer: callbacks of the grammar rules, each called with the rule's parts.

    A name is the span of its words: to join the words of each of its beginnings would take
    quadratic time.
    """

    def single(self, parts: list[_Parsed]) -> list[_Parsed]:
        return parts

    def clear(self, parts: list[Any]) -> list[_Parsed]:
        if len(parts) == 1:
            return parts
        earlier: list[_Parsed] = parts[0]
        earlier.append(parts[-1])
        return earlier

    def name(self, parts: list[Any]) -> _Span:
        first, last = parts[0], parts[-1]
        begin = first.start_pos or 0 if isinstance(first, Token) else first[0]
        return begin, last.end_pos

    plain = bare = name

    def point(self, parts: list[Any]) -> tuple[str, _Span]:
        first, last = parts
        if not isinstance(first, Token):
            sign, (begin, _) = first
            return sign, (begin, last.end_pos)
        return "+" if first.lower().endswith("end of") else "-", (last.start_pos, last.end_pos)

    plain_point = bare_point = point

    def relation(self, parts: list[Token]) -> str:
        return RELATIONS[parts[0].type]

    def verb(self, parts: list[Token]) -> str:
        return VERBS[parts[0].type]

    def when(self, parts: list[Token]) -> str:
        return WHEN[parts[0].type]

    def order(self, parts: list[Token]) -> str:
        return BETWEEN[parts[0].type]

    def events(self, parts: list[Any]) -> _Parsed:
        left, relations, right = parts
        return left, relations, right

    def verbs(self, parts: list[Any]) -> _Parsed:
        left, first, order, right, second = parts
        return left, f"A{first} {order} B{second}", right

    def points(self, parts: list[Any]) -> _Parsed:
        (first, left), order, (second, right) = parts
        return left, f"A{first} {order} B{second}", right


def _named(sentence: str, parsed: _Parsed) -> Statement | None:
    """A statement with its names; None if a name is too long, or bounded by a comma."""
    left, relations, right = parsed
    names = [
        _ARTICLE.sub("", sentence[begin:end].removeprefix(" ")) for begin, end in (left, right)
    ]
    plain = all(0 < len(name) <= NAME_LIMIT and name == name.strip(" ,") for name in names)
    return (names[0], relations, names[1]) if plain else None


def _readings(sentence: str, tree: Tree[Any]) -> list[tuple[Statement, ...]]:
    """Some readings of a sentence: two if there are several.

    Nodes are shared by the readings; each is visited once.
    """
    builder = _Builder()

    def values(node: Tree[Any]) -> list[Any]:
        parts = [
            known[id(child)] if isinstance(child, Tree) else [child] for child in node.children
        ]
        if node.data == "_ambig":
            found = [value for part in parts for value in part]
        elif node.data == "sentence":
            (found,) = parts
        elif node.data == "joined":
            found = [
                (*(members[0] if len(members) > 1 else ()), members[-1])
                for members in product(*parts)
            ]
        else:
            found = [getattr(builder, node.data)(list(members)) for members in product(*parts)]
        if node.data in ("events", "verbs", "points"):
            found = [row for value in found if (row := _named(sentence, value))]
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


@cache
def _parser(start: str) -> Lark:
    """The parser of all sentences, or of those that have one reading.

    Each has its own: in a parser of both, a state would expect words of either kind.
    """
    grammar, _ = grammar_file("events")
    words = phrases()
    verbs, when, others = (
        alternatives(text for name in names for text in words[name])
        for names in (VERBS, WHEN, (*RELATIONS, *BETWEEN))
    )
    phrase = f"(?:{others}|(?:{verbs}) (?:{when}))"
    begin = rf"(?:\A| (?!{phrase} ))(?!{_MARK})"

    def edit(terminal: TerminalDef) -> None:
        texts = words.get(terminal.name)
        if texts is None:
            pattern = terminal.pattern.to_regexp()
            pattern = pattern.replace("@BEGIN@", begin).replace("@MARK@", _MARK)
        else:
            end = rf"(?=,? and | (?:{when}) |\Z)" if terminal.name in VERBS else "(?= )"
            pattern = f" (?:{alternatives(texts)}){end}"
        terminal.pattern = PatternRE(pattern)

    options: dict[str, Any] = {"start": start, "edit_terminals": edit}
    if start == "sentence":
        return Lark(grammar, parser="earley", lexer="dynamic", ambiguity="explicit", **options)
    return Lark(grammar, parser="lalr", lexer="contextual", transformer=_Builder(), **options)
