"""Paths of the encodings, and the files that they include; imports no solver."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, TypeAlias, dataclass_transform

from grammar.errors import HopcheckError

ENCODINGS = Path(__file__).parent.parent / "encodings"


def encoding(name: str) -> Path:
    """Path of an encoding, named as in ``encodings/README.md``: ``temporal/claims.lp``."""
    return ENCODINGS / name


INCLUDE = re.compile(r'^#include "([^"]+)"\.', re.MULTILINE)
"""An include statement; its path is relative to the including file."""


def with_included(names: Iterable[str]) -> list[str]:
    """Encodings and their transitive includes, sorted, named as in ``encoding``."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _included(name)
    return sorted(found)


def _included(name: str) -> Iterator[str]:
    path = encoding(name)
    for other in INCLUDE.findall(path.read_text(encoding="utf-8")):
        yield (path.parent / other).resolve().relative_to(ENCODINGS.resolve()).as_posix()


Term: TypeAlias = "int | str | tuple[str, tuple[Term, ...]]"


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Compound:
    """Base of compound terms, which are frozen dataclasses: the fields are the arguments, in order.

    Attributes:
        predicate: name of the term or predicate in the encodings.
    """

    predicate: ClassVar[str]
    _template: ClassVar[str] = ""

    def __init_subclass__(cls, *, predicate: str = "") -> None:
        cls.predicate = predicate
        dataclass(frozen=True, kw_only=True)(cls)

    def __str__(self) -> str:
        kind = type(self)
        if not kind._template:
            named = ",".join(f"{{0.{name}}}" for name in arguments(kind))
            kind._template = f"{kind.predicate}({named})"
        return kind._template.format(self)


class Fact(Compound):
    """Base of input predicates; a fact is written as its term and a full stop."""

    @classmethod
    def rows(cls, rows: Iterable[Sequence[object]]) -> Iterator[str]:
        """Write many facts without an object for each; a row has the arguments, in order."""
        template = f"{cls.predicate}({','.join(['{}'] * len(arguments(cls)))})."
        return (template.format(*row) for row in rows)


def arguments(predicate: type[Compound]) -> tuple[str, ...]:
    """The names of the arguments of a predicate, in order."""
    declared: Any = predicate
    return tuple(field.name for field in fields(declared))


def written(facts: Iterable[Fact]) -> Iterator[str]:
    """The text of each fact."""
    return (f"{fact}." for fact in facts)


@dataclass(frozen=True, slots=True, kw_only=True)
class FactTable:
    """Facts by predicate, each as the text of its arguments; as a string, one fact a line.

    Attributes:
        rows: the arguments of each fact of a predicate.
        text: further facts, such as intervals: ``event(3,0..7).``
    """

    rows: Mapping[type[Fact], Sequence[str]]
    text: str = ""

    def __str__(self) -> str:
        facts = (
            f"{predicate.predicate}({row})."
            for predicate, rows in self.rows.items()
            for row in rows
        )
        return "\n".join((*facts, self.text) if self.text else facts)


class AtomError(HopcheckError):
    """An atom of another form than its encoding documents."""

    code = "asp"


@dataclass(frozen=True, slots=True, kw_only=True)
class Atom:
    """A shown atom; compound terms are pairs of a name and arguments."""

    name: str
    arguments: tuple[Term, ...]


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class ViolationAtom:
    """A decoded atom ``violation(code(numbers))``, or another shown atom ``code(numbers)``."""

    code: str
    numbers: tuple[int, ...]

    @classmethod
    def of(cls, atom: Atom, symbols: Sequence[str] = ()) -> ViolationAtom:
        """Decode an atom.

        Args:
            atom: ``violation(code(arguments))``, or ``code(arguments)``.
            symbols: names that arguments may have instead of numbers, decoded as their index.

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
        return cls(code=code, numbers=tuple(_numbers(terms, symbols)))


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
