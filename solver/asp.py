"""The one module that speaks to clingo: grounds encodings with facts and hands back atoms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TypeAlias

import clingo
import clingo.ast

from solver.errors import HopcheckError
from solver.theories import INCLUDE, encoding

Term: TypeAlias = "int | str | tuple[str, tuple[Term, ...]]"


class AspError(HopcheckError):
    """A program that clingo refuses, or that has another number of models than it should."""

    code = "asp"


class Reasoning(StrEnum):
    """Which consequences are asked for: what some, or what every stable model holds."""

    BRAVE = "brave"
    CAUTIOUS = "cautious"


@dataclass(frozen=True, slots=True, kw_only=True)
class Atom:
    """A shown atom; compound terms are pairs of a name and arguments."""

    name: str
    arguments: tuple[Term, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """Encodings with their constants, ready to be asked about facts.

    Attributes:
        encodings: names below ``encodings/``, such as ``temporal/claims.lp``.
        constants: values for the ``#const`` of the encodings.
    """

    encodings: tuple[str, ...]
    constants: Mapping[str, str | int] = field(default_factory=dict)

    def unique_model(self, facts: str) -> list[Atom]:
        """The shown atoms of the only stable model.

        Raises:
            AspError: if there is none; the encodings asked this way have exactly one.
        """
        for atoms in self.models(facts, limit=1):
            return atoms
        raise AspError("the encodings have no stable model", hint=f"encodings: {self.encodings}")

    def models(self, facts: str, *, limit: int = 0) -> Iterator[list[Atom]]:
        """The shown atoms of each stable model; of at most ``limit`` of them unless that is 0."""
        # The control is kept by name: clingo frees a nameless one while its handle still lives.
        control = self._ground(facts, f"--models={limit}")
        # Of many models the same atoms come again and again: each is translated once.
        atoms: dict[clingo.Symbol, Atom] = {}
        with control.solve(yield_=True) as handle:
            for model in handle:
                if limit == 1:
                    yield _atoms(model)
                    continue
                yield [
                    atoms.get(symbol) or atoms.setdefault(symbol, _atom(symbol))
                    for symbol in model.symbols(shown=True)
                ]

    def consequences(self, facts: str, reasoning: Reasoning) -> list[Atom] | None:
        """What holds in some (brave) or all (cautious) models; None if there is no model."""
        control = self._ground(facts, "--models=0", f"--enum-mode={reasoning}")
        last: list[Atom] | None = None
        with control.solve(yield_=True) as handle:
            for model in handle:
                last = _atoms(model)
        return last

    def _ground(self, facts: str, *options: str) -> clingo.Control:
        messages: list[str] = []
        constants = [f"-c{name}={value}" for name, value in self.constants.items()]
        control = clingo.Control(
            ["--warn=all", *options, *constants],
            logger=lambda _code, message: messages.append(message.strip()),
        )
        try:
            loaded: set[Path] = set()
            for name in self.encodings:
                _load(control, encoding(name).resolve(), loaded)
            control.add("base", [], facts)
            control.ground([("base", [])])
        except (RuntimeError, MemoryError) as error:
            raise AspError("; ".join(messages) or str(error)) from error
        if messages:
            raise AspError("; ".join(messages), hint="an encoding must pass --warn=all in silence")
        return control


def _load(control: clingo.Control, path: Path, loaded: set[Path]) -> None:
    """Load an encoding after those that it includes, each once."""
    if path in loaded:
        return
    loaded.add(path)
    included, own = _parts(path)
    for other in included:
        _load(control, other, loaded)
    if included:
        control.add("base", [], own)
    else:
        control.load(str(path))


@cache
def _parts(path: Path) -> tuple[tuple[Path, ...], str]:
    """The files that an encoding includes, and its own text.

    Left to clingo, an include would be looked for in the user's folder first, and take any file of
    that name there for ours.
    """
    text = path.read_text(encoding="utf-8")
    included = (path.parent / name for name in INCLUDE.findall(text))
    return tuple(one.resolve() for one in included), INCLUDE.sub("", text)


def _atoms(model: clingo.Model) -> list[Atom]:
    return [_atom(symbol) for symbol in model.symbols(shown=True)]


def _atom(symbol: clingo.Symbol) -> Atom:
    return Atom(name=symbol.name, arguments=tuple(map(_term, symbol.arguments)))


def _term(symbol: clingo.Symbol) -> Term:
    if symbol.type is clingo.SymbolType.Number:
        return symbol.number
    if symbol.type is clingo.SymbolType.String:
        return symbol.string
    if symbol.arguments:
        return (symbol.name, tuple(map(_term, symbol.arguments)))
    return symbol.name


class Part(StrEnum):
    """What a place in an encoding does with a predicate."""

    GIVEN = "given"
    READ = "read"
    DEFINED = "defined"
    SHOWN = "shown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A predicate at one place of an encoding; ``text`` is the atom as written there."""

    name: str
    arity: int
    part: Part
    line: int
    text: str


def mentions(name: str) -> list[Mention]:
    """The predicates that an encoding speaks of, without those of the files it includes."""
    found = _Mentions()
    clingo.ast.parse_string(_parts(encoding(name).resolve())[1], found.take)
    return found.all


class _Mentions(clingo.ast.Transformer):
    """Walks statements; what stands left of ``:-`` is given, but not the conditions in it."""

    def __init__(self) -> None:
        self.all: list[Mention] = []
        self._part = Part.READ

    def take(self, statement: clingo.ast.AST) -> None:
        """Keep what a statement mentions."""
        self.visit(statement)

    def visit_Rule(self, rule: clingo.ast.AST) -> clingo.ast.AST:  # noqa: N802 - clingo's name
        self._as(Part.GIVEN, [rule.head])
        self._as(Part.READ, rule.body)
        return rule

    def visit_ConditionalLiteral(self, node: clingo.ast.AST) -> clingo.ast.AST:  # noqa: N802
        self.visit(node.literal)
        self._as(Part.READ, node.condition)
        return node

    def visit_SymbolicAtom(self, atom: clingo.ast.AST) -> clingo.ast.AST:  # noqa: N802
        positive = atom.symbol.ast_type is clingo.ast.ASTType.Function
        symbol = atom.symbol if positive else atom.symbol.argument
        line = symbol.location.begin.line
        self._add(symbol.name, len(symbol.arguments), self._part, line, str(symbol))
        return atom

    def visit_Defined(self, node: clingo.ast.AST) -> clingo.ast.AST:  # noqa: N802
        self._add(node.name, node.arity, Part.DEFINED, node.location.begin.line)
        return node

    def visit_ShowSignature(self, node: clingo.ast.AST) -> clingo.ast.AST:  # noqa: N802
        self._add(node.name, node.arity, Part.SHOWN, node.location.begin.line)
        return node

    def visit_ShowTerm(self, node: clingo.ast.AST) -> clingo.ast.AST:  # noqa: N802
        term, line = node.term, node.location.begin.line
        if term.ast_type is clingo.ast.ASTType.Function:
            self._add(term.name, len(term.arguments), Part.SHOWN, line, str(term))
        self._as(Part.READ, node.body)
        return node

    def _as(self, part: Part, nodes: Iterable[clingo.ast.AST]) -> None:
        before, self._part = self._part, part
        for node in nodes:
            self.visit(node)
        self._part = before

    def _add(self, name: str, arity: int, part: Part, line: int, text: str = "") -> None:
        self.all.append(Mention(name=name, arity=arity, part=part, line=line, text=text))


def version() -> str:
    """Version of clingo."""
    return str(clingo.__version__)
