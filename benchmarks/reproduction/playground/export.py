"""Writes what the playground is built from.

    python -m benchmarks.reproduction.playground.export FILE

The page parses with the tables that Lark makes of the grammars, and runs the encodings as they are,
each file with its includes in one text. So neither is written a second time.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lark import Lark
from lark.lexer import BasicLexer
from lark.parsers.lalr_analysis import Shift

from benchmarks.reproduction.playground.patterns import to_javascript
from grammar.eventhop.lexicon import (
    CLAIMS,
    ORDERS,
    Lexicon,
    boundaries,
    lexicon,
    point_terminals,
    signatures,
)
from grammar.eventhop.model import Domain, SpatialReading
from grammar.eventhop.parser import lark_parser
from grammar.eventhop.reader import FORMATS
from grammar.eventhop.words import licensing_words, phrases, table
from grammar.names import ABBREVIATION
from solver.encodings import INCLUDE, encoding, with_included
from solver.eventhop.certificates.proved import FORMS, wordings

ENCODINGS = ("claims", "cyclic_constraints", "feasible")
"""The programs of the page, below ``encodings/temporal``."""


KINDS = {
    **{"START_OF": "of-", "FINISH_OF": "of+", "STARTS_OF": "s-", "FINISHES_OF": "s+"},
    **{"AT_START": "at-", "AT_FINISH": "at+", "TO_START": "to-", "TO_FINISH": "to+"},
    **{"SHARED_START": "have-", "SHARED_FINISH": "have+"},
    **{"ORDER_BEFORE": "order<", "ORDER_AFTER": "order>", "ORDER_SAME": "order="},
}
"""Names in the page of some categories of words."""


def tables() -> dict[str, Any]:
    """Everything that the page takes from the grammars and the encodings."""
    return {
        "abbreviation": to_javascript(ABBREVIATION.pattern),
        "names": {name: sorted(words) for name, words in licensing_words().items()},
        "orders": {name: order.value for name, order in ORDERS.items()},
        "claims": {name: claim_name(name) for name in CLAIMS},
        "domains": {domain.value: _domain(domain) for domain in Domain},
        "sentences": {domain.value: _sentences(domain) for domain in Domain},
        "formats": FORMATS,
        "forms": FORMS,
        "wordings": wordings(),
        "encodings": {name: inlined(f"temporal/{name}.lp") for name in ENCODINGS},
    }


def claim_name(terminal: str) -> str:
    """``before`` for the claim of the paper, ``allen_meets`` for one of Allen's relations."""
    return terminal.removeprefix("CLAIM_").lower()


def inlined(name: str) -> str:
    """An encoding and all that it includes, each file once."""
    texts = (encoding(path).read_text(encoding="utf-8") for path in with_included([name]))
    return "\n".join(INCLUDE.sub("", text) for text in texts)


def _domain(domain: Domain) -> dict[str, Any]:
    words = lexicon(domain)
    return {
        "parser": _parser(lark_parser(words)),
        "bounds": {
            spatial.value: {
                name: bound.value for name, bound in point_terminals(domain, spatial).items()
            }
            for spatial in SpatialReading
        },
        "literals": {name: list(texts) for name, texts in words.literals.items() if texts},
        "edges": {} if domain is Domain.LOGICAL else _edges(words),
        "signature": {
            "opening": to_javascript(signatures()[domain].opening.pattern),
            "claim": to_javascript(signatures()[domain].claim.pattern),
        },
    }


def _sentences(domain: Domain) -> dict[str, Any]:
    """The words of sentences, by the reading of places; those between symbols."""
    if domain is Domain.LOGICAL:
        return {reading.value: table()[domain] for reading in SpatialReading}
    found = {}
    for reading in SpatialReading:
        words = phrases(domain, reading)
        kinds = {
            " ".join(text): {"PLACED": "@", "FURTHER": "~"}.get(name, "")
            + words.meanings.get(" ".join(text), KINDS.get(name, name.lower()))
            for text, name in words.categories.items()
        }
        names = table()["names"]
        inside = [*names["prepositions"], *names["articles"]]
        found[reading.value] = {"phrases": kinds, "nouns": dict(words.nouns), "inside": inside}
    return found


def _edges(words: Lexicon) -> Mapping[str, str]:
    edges = boundaries(words)
    names = ("opening", "mark", "phrase", "link", "close", "claim_phrase")
    return {name: to_javascript(getattr(edges, name)) for name in names}


def _parser(lark: Lark) -> dict[str, Any]:
    """Lark's tables: terminals, rules, and for each state its actions and its lexer."""
    frontend: Any = lark.parser
    table = frontend.parser._parse_table
    rules = sorted(
        {
            (str(rule.origin.name), len(rule.expansion))
            for row in table.states.values()
            for action, rule in row.values()
            if action is not Shift
        }
    )
    numbers = _numbered(table)

    def action(kind: object, argument: Any) -> int:  # noqa: ANN401 - Lark's own, untyped
        if kind is Shift:
            return numbers[argument]
        return -1 - rules.index((str(argument.origin.name), len(argument.expansion)))

    return {
        "terminals": {
            terminal.name: to_javascript(terminal.pattern.to_regexp())
            for terminal in sorted(lark.terminals, key=lambda terminal: terminal.name)
        },
        "rules": [{"name": name, "size": size} for name, size in rules],
        "states": [
            {symbol: action(*table.states[state][symbol]) for symbol in sorted(table.states[state])}
            for state in numbers
        ],
        "start": {name: numbers[state] for name, state in sorted(table.start_states.items())},
        "end": {name: numbers[state] for name, state in sorted(table.end_states.items())},
        "all": _order(frontend.lexer.root_lexer),
        "lexers": [_order(frontend.lexer.lexers[state]) for state in numbers],
    }


def _numbered(table: Any) -> dict[Any, int]:  # noqa: ANN401 - Lark's own, untyped
    """The states in an order of their own: Lark's differs from run to run."""
    numbers: dict[Any, int] = {}
    waiting = [state for _, state in sorted(table.start_states.items())]
    for state in waiting:
        if state not in numbers:
            numbers[state] = len(numbers)
            row = table.states[state]
            waiting += [row[symbol][1] for symbol in sorted(row) if row[symbol][0] is Shift]
    return numbers


def _order(lexer: BasicLexer) -> list[str]:
    """The terminals of a lexer in the order in which they are tried."""
    scanner = lexer.scanner
    if lexer.callback or lexer.ignore_types:
        raise ValueError("the page's lexer has no callbacks and ignores nothing")
    return [terminal.name for terminal in scanner.terminals]


def main(path: str) -> None:
    """Write the tables as JSON."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(json.dumps(tables(), ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
