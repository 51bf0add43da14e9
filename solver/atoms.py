"""Typed atoms at the boundary between Python and ASP: facts to write, findings to decode.

Facts reach clingo as text. Its backend is slower, because Python makes each symbol by a call: 85
instead of 50 ms for 64 items of event order, and 2.3 instead of 2.0 s for the proof of a graph of
21,000 facts (clingo 5.8.3).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, TypeAlias

from grammar.errors import HopcheckError

Term: TypeAlias = "int | str | tuple[str, tuple[Term, ...]]"


class Compound:
    """Base of compound terms: frozen dataclasses whose fields are the arguments, in order.

    Attributes:
        predicate: name of the term or predicate in the encodings.
    """

    __slots__ = ()
    predicate: ClassVar[str]
    _template: ClassVar[str] = ""

    def __str__(self) -> str:
        kind = type(self)
        if not kind._template:
            named = ",".join(f"{{0.{name}}}" for name in arguments(kind))
            kind._template = f"{kind.predicate}({named})"
        return kind._template.format(self)


class Fact(Compound):
    """Base of input predicates; a fact is written as its term and a full stop."""

    __slots__ = ()

    @classmethod
    def rows(cls, rows: Iterable[Sequence[object]]) -> Iterator[str]:
        """Write many facts without an object for each; a row has the arguments, in order."""
        template = f"{cls.predicate}({','.join(['{}'] * len(arguments(cls)))})."
        return (template.format(*row) for row in rows)


def arguments(predicate: type[Compound]) -> tuple[str, ...]:
    """The names of the arguments of a predicate, in order."""
    declared: Any = predicate
    return tuple(one.name for one in fields(declared))


def written(facts: Iterable[Fact]) -> Iterator[str]:
    """The text of each fact."""
    return (f"{fact}." for fact in facts)


class AtomError(HopcheckError):
    """An atom of another form than its encoding documents."""

    code = "asp"


@dataclass(frozen=True, slots=True, kw_only=True)
class Atom:
    """A shown atom; compound terms are pairs of a name and arguments."""

    name: str
    arguments: tuple[Term, ...]


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Finding:
    """A finding of an encoding: ``violation(code(numbers))``, or another shown atom."""

    code: str
    numbers: tuple[int, ...]


def finding(atom: Atom, symbols: Sequence[str] = ()) -> Finding:
    """Decode a finding.

    Args:
        atom: ``violation(code(arguments))``, or ``code(arguments)``.
        symbols: names that arguments may have instead of numbers; each is decoded as its index.

    Raises:
        AtomError: the atom has another form.
    """
    terms: tuple[Term, ...]
    match atom:
        case Atom(name="violation", arguments=((code, terms),)):
            pass
        case Atom(name="violation"):
            raise AtomError(f"found {atom}, expected violation(code(numbers))")
        case _:
            code, terms = atom.name, atom.arguments
    return Finding(code=code, numbers=tuple(_numbers(terms, symbols)))


def _numbers(terms: tuple[Term, ...], symbols: Sequence[str]) -> Iterator[int]:
    """The numbers in nested terms, in order of occurrence."""
    for term in terms:
        if isinstance(term, tuple):
            yield from _numbers(term[1], symbols)
        elif isinstance(term, int):
            yield term
        elif term in symbols:
            yield symbols.index(term)
        else:
            raise AtomError(f"found {term}, expected a number or one of {', '.join(symbols)}")
