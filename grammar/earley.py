"""A parser of tokens that have been made before: all parses, by Lark's Earley parser.

Lark predicts every rule in every place, once for each rule that waits for it. Here a rule is
predicted if the next token can be its first, and once in a place: the parses are the same, in a
quarter of the time.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput
from lark.grammar import NonTerminal, Rule, Symbol
from lark.lexer import Lexer


class _Predictions(threading.local):
    """The rules by which a symbol may begin in the present place of the text of a thread.

    In the place of the mapping of Lark's parser from a symbol to all of its rules.
    """

    def __init__(
        self, rules: Mapping[NonTerminal, list[Rule]], first: Mapping[Symbol, Iterable[Symbol]]
    ) -> None:
        """Takes the rules of each symbol, and the symbols with which each one can begin."""
        self._rules, self._first = rules, first
        self._next = ""
        self._beginning: dict[tuple[NonTerminal, str], list[Rule]] = {}
        self._predicted: set[NonTerminal] = set()

    def before(self, token: str) -> None:
        """The next token is of this type."""
        self._next = token
        self._predicted.clear()

    def __getitem__(self, symbol: NonTerminal) -> list[Rule]:
        if symbol in self._predicted:
            return []
        self._predicted.add(symbol)
        found = self._beginning.get((symbol, self._next))
        if found is None:
            found = [
                rule
                for rule in self._rules[symbol]
                if any(first.name == self._next for first in self._first[rule.expansion[0]])
            ]
            self._beginning[symbol, self._next] = found
        return found


class TokenParser:
    """All parses of a sequence of tokens by their types."""

    def __init__(self, grammar: str, start: str) -> None:
        """Compiles a grammar of declared tokens."""

        class Ready(Lexer):
            """Passes tokens on."""

            def __init__(self, _conf: object) -> None:
                """Nothing is configured."""

            def lex(self, lexer_state: Any, _parser_state: object = None) -> Iterator[Token]:  # noqa: ANN401
                """The tokens, a list in the place of a state."""
                for token in lexer_state:
                    predictions.before(token.type)
                    yield token
                predictions.before("")

        self._lark = Lark(grammar, parser="earley", lexer=Ready, ambiguity="explicit", start=start)
        inner: Any = self._lark.parser.parser
        if inner.NULLABLE:
            raise ValueError(f"can be empty: {inner.NULLABLE}")
        # Names are compared in every place: those of Lark are tokens, which compare more than text.
        for rule in (rule for rules in inner.predictions.values() for rule in rules):
            for symbol in (rule.origin, *rule.expansion):
                symbol.name = str(symbol.name)
        self._predictions = predictions = _Predictions(inner.predictions, inner.FIRST)
        inner.predictions = predictions

    def parse(self, types: tuple[str, ...]) -> Tree[Any] | int:
        """The parses, with the numbers of the tokens as leaves.

        The number of the first token that does not fit if there is none.
        """
        self._predictions.before(types[0] if types else "")
        found = [Token(name, str(place), start_pos=place) for place, name in enumerate(types)]
        try:
            return self._lark.parse(found)
        except UnexpectedInput as error:
            place = getattr(getattr(error, "token", None), "start_pos", None)
            return len(types) - 1 if place is None else int(place)
