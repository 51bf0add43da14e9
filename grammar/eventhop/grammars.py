"""Grammars of other distributions: texts of another wording, written as sentences that are read.

A grammar is an object with functions ``premise`` and ``claim`` from text to text, such as a Lark
grammar and its transformer. One with an attribute ``second``, an object of the same kind that
shares nothing with it, has two readers: both have to write the same relations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from lark.exceptions import UnexpectedInput

from grammar.errors import (
    Fault,
    FaultError,
    HopcheckError,
    ParseError,
    found_at,
    parser_stop,
    quoted,
)
from grammar.eventhop.model import Item, Order, Relation

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "hopcheck.grammars"
"""Group of the entry points by which other distributions add grammars."""


class Grammar(Protocol):
    """Writes texts of its wording as sentences that the package reads."""

    def premise(self, text: str) -> str:
        """A premise."""

    def claim(self, text: str) -> str:
        """A claim."""


class GrammarError(HopcheckError):
    """A grammar that cannot be used."""

    code = "grammar"


def installed() -> Mapping[str, EntryPoint]:
    """The grammars of other distributions, by name."""
    from importlib.metadata import entry_points

    return {entry.name: entry for entry in entry_points(group=GROUP)}


@cache
def readers(name: str) -> tuple[Grammar, ...]:
    """The reader of an installed grammar, or both.

    Raises:
        GrammarError: there is no such grammar, or it cannot be loaded.
    """
    known = installed()
    if name not in known:
        names = ", ".join(sorted(known))
        hint = f"installed grammars: {names}" if names else "install a package that has one"
        raise GrammarError(f"found the grammar {quoted(name)}, which is not installed", hint=hint)
    try:
        loaded = known[name].load()
        grammar = loaded() if isinstance(loaded, type) else loaded
        second = getattr(grammar, "second", None)
    except Exception as error:
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        raise GrammarError(f"cannot be loaded: {reason}", where=known[name].value) from error
    found = (grammar,) if second is None else (grammar, second)
    if not all(callable(getattr(of, part, None)) for of in found for part in ("premise", "claim")):
        message = "found no functions premise and claim, expected both"
        raise GrammarError(message, where=known[name].value)
    return found


def grammar_named(name: str) -> str:
    """The name of a grammar, which can be loaded.

    Raises:
        GrammarError: it cannot.
    """
    readers(name)
    return name


def written(name: str, premise: str, claim: str) -> Iterator[tuple[str, str]]:
    """Premise and claim as each reader of a grammar writes them.

    Raises:
        ParseError: a text is not of the wording.
    """
    for grammar in readers(name):
        texts: list[str] = []
        for part, text in (("premise", premise), ("claim", claim)):
            try:
                texts.append(_text(name, getattr(grammar, part)(text)))
            except UnexpectedInput as error:
                position, _ = parser_stop(error, text)
                expected = f"a {part} of the grammar {name}"
                fault = Fault(position=position, found=found_at(text, position), expected=expected)
                raise ParseError.of(fault, part=part, text=text) from None
            except FaultError as error:
                raise ParseError.of(error.fault, part=part, text=text) from None
            except HopcheckError:
                raise
            except Exception as error:
                reason = f"{type(error).__name__}: {error}".splitlines()[0]
                raise ParseError(f"the grammar {name} fails: {reason}", part=part) from error
        yield texts[0], texts[1]


def _text(name: str, text: Any) -> str:  # noqa: ANN401 - of another distribution
    if not isinstance(text, str):
        found = f"the grammar {name} returns a {type(text).__name__}, expected a text"
        raise GrammarError(found)
    return text


_TURNED = {Order.AFTER: Order.BEFORE, Order.NOT_BEFORE: Order.NOT_AFTER}


def says(item: Item) -> object:
    """What an item states, whatever the order and the direction of its relations."""

    def turned(row: Relation) -> Relation:
        left, right = ((point.event, point.bound) for point in (row.left, row.right))
        if row.order in _TURNED or (row.order is Order.SIMULTANEOUS and left > right):
            order = _TURNED.get(row.order, row.order)
            return Relation(left=row.right, order=order, right=row.left)
        return row

    claim = turned(item.claim) if isinstance(item.claim, Relation) else item.claim
    return frozenset(map(turned, item.premise)), claim
