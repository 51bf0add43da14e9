"""The parser of ready tokens: the parses, and the places of errors, of Lark's own."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput
from lark.lexer import Lexer

import grammar.eventhop
from grammar.earley import TokenParser

GRAMMARS = {
    "sums": ("start: start PLUS start | start TIMES start | ONE\n", ("PLUS", "TIMES", "ONE")),
    "lists": (
        "start: (item COMMA?)+ STOP?\nitem: ONE | ONE two | LEFT start RIGHT\n"
        "two: ONE | TWO ONE?\n",
        ("ONE", "ONE", "TWO", "COMMA", "STOP", "LEFT", "RIGHT"),
    ),
    "chains": (
        "start: first | second\nfirst: third TWO\nsecond: third\nthird: first | ONE+\n",
        ("ONE", "TWO"),
    ),
}


class Ready(Lexer):
    """Passes tokens on."""

    def __init__(self, _conf: object) -> None:
        """Nothing is configured."""

    def lex(self, tokens: Iterable[Token], _parser_state: object = None) -> Iterator[Token]:
        """The tokens."""
        yield from tokens


def plain(parser: Lark, types: tuple[str, ...]) -> Tree[Any] | int:
    """What Lark finds without any change of its parser."""
    try:
        return parser.parse([Token(name, str(i), start_pos=i) for i, name in enumerate(types)])  # type: ignore[arg-type]
    except UnexpectedInput as error:
        place = getattr(getattr(error, "token", None), "start_pos", None)
        return len(types) - 1 if place is None else int(place)


def shape(node: Tree[Any] | str | int) -> object:
    """A parse whose alternatives have no order."""
    if not isinstance(node, Tree):
        return node
    inner = [shape(child) for child in node.children]
    return (node.data, sorted(map(repr, inner)) if node.data == "_ambig" else inner)


@pytest.mark.parametrize("name", GRAMMARS)
def test_parses_are_those_of_lark(name: str) -> None:
    rules, terminals = GRAMMARS[name]
    source = random.Random(name)
    text = rules + f"%declare {' '.join(dict.fromkeys(terminals))}\n"
    parser = TokenParser(text, "start")
    usual = Lark(text, parser="earley", lexer=Ready, ambiguity="explicit")
    read = 0
    for _ in range(600):
        types = tuple(source.choice(terminals) for _ in range(source.randrange(1, 8)))
        found = parser.parse(types)
        assert shape(found) == shape(plain(usual, types)), types
        read += isinstance(found, Tree)
    assert 30 < read < 570


def test_parses_of_sentences_are_those_of_lark() -> None:
    path = Path(grammar.eventhop.__file__).with_name("sentences.lark")
    text = path.read_text("utf-8")
    parser = TokenParser(text, "sentence")
    usual = Lark(text, parser="earley", lexer=Ready, ambiguity="explicit", start="sentence")
    words = sorted({part.name for rule in usual.rules for part in rule.expansion if part.is_term})
    source = random.Random(1)
    known = [
        *("NAME BEGIN BEFORE NAME END", "BEFORE NAME END COMMA NAME BEGIN"),
        *("NAME _AND NAME BEGIN _AND END BEFORE NAME _AND NAME", "FIRST NAME COMMA THEN NAME"),
        *("NAME _WHICH BEGIN AFTER NAME COMMA END WHEN NAME BEGIN _AND NAME WHOLE DURING NAME",),
    ]
    for _ in range(150):
        types = source.choice(known).split()
        for _ in range(source.randrange(3)):
            types[source.randrange(len(types))] = source.choice(words)
        found = parser.parse(tuple(types))
        assert shape(found) == shape(plain(usual, tuple(types))), types


def test_threads_do_not_disturb_each_other() -> None:
    rules, terminals = GRAMMARS["sums"]
    parser = TokenParser(f"{rules}%declare {' '.join(terminals)}\n", "start")
    texts = [("ONE", *("PLUS", "ONE") * n, *("TIMES",) * (n % 2)) for n in range(7)] * 12
    alone = [shape(parser.parse(types)) for types in texts]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(6) as pool:
            found = list(pool.map(lambda types: shape(parser.parse(types)), texts))
    finally:
        sys.setswitchinterval(interval)
    assert found == alone


def test_a_grammar_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="can be empty"):
        TokenParser("start: inner\ninner: ONE?\n%declare ONE\n", "start")
