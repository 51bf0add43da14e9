"""The only module that imports clingo: grounds encodings with facts and returns atoms."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, lru_cache
from pathlib import Path
from time import monotonic

import clingo
import clingo.ast

from grammar.errors import HopcheckError
from solver.encodings import ENCODINGS, INCLUDE, Atom, Fact, FactTable, Term, arguments, encoding


class AspError(HopcheckError):
    """A program that clingo rejects, or that lacks the stable model it must have."""

    code = "asp"


class Reasoning(StrEnum):
    """Brave consequences hold in some stable model, cautious ones in all of them."""

    BRAVE = "brave"
    CAUTIOUS = "cautious"


_ATOMS_KEPT = 4096
"""Maximum number of decoded atoms kept: batches of items share most of theirs."""

_LARGE = re.compile(r'"(?:[^"\\]|\\.)*"|(?<!\w)(\d{10,})')
"""A number that clingo may read as another one: it has 32 bits, and says nothing."""

_CORE_GUIDED = "usc,oll,succinct,stratify,disjoint"


@dataclass(frozen=True, slots=True, kw_only=True)
class Optimum:
    """The result of an optimisation.

    Attributes:
        atoms: the shown atoms of the best model; None if none was found in time.
        cost: of that model.
        lower: no model costs less.
        proved: whether the model is shown to be optimal.
    """

    atoms: tuple[Atom, ...] | None
    cost: int
    lower: int
    proved: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """Encodings with their constants, ready to be grounded with facts.

    Facts are text or a table. clingo reads a table as one term, which takes a third of the time of
    as many statements.

    Attributes:
        encodings: names below ``encodings/``, such as ``temporal/claims.lp``.
        constants: values for the ``#const`` of the encodings.
        largest: most ground rules and facts of a program that may not end, such as a user's; None
            for no limit.
    """

    encodings: tuple[str, ...]
    constants: Mapping[str, str | int] = field(default_factory=dict)
    largest: int | None = None

    def unique_model(self, facts: str | FactTable) -> list[Atom]:
        """The shown atoms of the unique stable model.

        Raises:
            AspError: there is no stable model.
        """
        for atoms in self.models(facts, limit=1):
            return atoms
        raise AspError("the encodings have no stable model", hint=f"encodings: {self.encodings}")

    def models(self, facts: str | FactTable, *, limit: int = 0) -> Iterator[list[Atom]]:
        """The shown atoms of each stable model, at most ``limit`` models (0: all)."""
        # Keep a reference to the control: its solve handle does not.
        control = self._ground(facts, f"--models={limit}")
        # Models share most atoms: translate each once.
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
        """Brave or cautious consequences; None if there is no stable model."""
        control = self._ground(facts, "--models=0", f"--enum-mode={reasoning}")
        last: list[Atom] | None = None
        with control.solve(yield_=True) as handle:
            for model in handle:
                last = _atoms(model)
        return last

    def session(self, facts: str) -> Session:
        """The program with facts, grounded once, to be solved under several assumptions."""
        return Session(self._ground(facts, "--models=1"))

    def optimum(self, facts: str, seconds: float) -> Optimum:
        """A model of least cost, found within a time limit by core-guided optimisation."""
        end = monotonic() + seconds
        control = self._ground(facts, "--models=0", f"--opt-strategy={_CORE_GUIDED}")
        best: list[list[Atom]] = []
        costs: list[int] = []

        def keep(model: clingo.Model) -> None:
            best[:] = [_atoms(model)]
            costs[:] = model.cost

        with control.solve(on_model=keep, async_=True) as handle:
            # A wait may end early: each event of the solver's thread ends it, its start as well.
            while not (finished := handle.wait(max(0.0, end - monotonic()))) and monotonic() < end:
                pass
            if not finished:
                handle.cancel()
            proved = finished and bool(handle.get().exhausted)
        summary = control.statistics["summary"]
        lower = max((int(bound) for bound in summary.get("lower", [])), default=0)
        return Optimum(
            atoms=tuple(best[0]) if best else None,
            cost=costs[0] if costs else 0,
            lower=costs[0] if proved and costs else max(0, lower),
            proved=proved,
        )

    def _ground(self, facts: str | FactTable, *options: str) -> clingo.Control:
        messages: list[str] = []
        constants = [f"-c{name}={value}" for name, value in self.constants.items()]
        control = clingo.Control(
            ["--warn=all", *options, *constants],
            logger=lambda _code, message: messages.append(message.strip()),
        )
        if self.largest is not None:
            control.register_observer(_Limit(self.largest))
        try:
            loaded: set[Path] = set()
            for name in self.encodings:
                _load(control, encoding(name).resolve(), loaded)
            if isinstance(facts, str):
                for large in filter(None, _LARGE.findall(facts)):
                    if len(large) > 10 or int(large) >= 1 << 31:
                        found = f"found the number {large[:40]}"
                        raise AspError(f"{found}, expected one below {1 << 31}")
                control.add("base", [], facts)
                control.ground([("base", [])])
            else:
                control.add("base", [], "".join(map(_rule, facts.rows)) + facts.text)
                control.ground([("base", [])], context=_Rows(facts))
        except (RuntimeError, MemoryError, OSError) as error:
            raise AspError("; ".join(messages) or str(error)) from error
        if messages:
            raise AspError("; ".join(messages), hint="encodings must ground without warnings")
        return control


class Session:
    """A grounded program that is solved under assumptions.

    Args:
        control: with the program.
    """

    def __init__(self, control: clingo.Control) -> None:
        self._control = control
        self._literals: dict[str, int] = {}

    def model(self, assumed: Iterable[str]) -> list[Atom] | None:
        """The shown atoms of a stable model with these atoms; None if there is none."""
        with self._control.solve(list(map(self._literal, assumed)), yield_=True) as handle:
            model = handle.model()
            return None if model is None else _atoms(model)

    def minimal_core(self, fixed: Sequence[str], atoms: Sequence[str]) -> list[str]:
        """A minimal subset of atoms that no stable model has together with all fixed ones.

        Args:
            fixed: atoms that are assumed each time.
            atoms: further ones, which together with the fixed ones have no stable model.

        Raises:
            AspError: there is such a model.
        """
        core = self._core(fixed, atoms)
        if core is None:
            raise AspError("the assumptions have a stable model, expected none")
        for atom in list(core):
            if atom in core:
                smaller = self._core(fixed, [other for other in core if other != atom])
                core = core if smaller is None else smaller
        return core

    def _core(self, fixed: Sequence[str], atoms: Sequence[str]) -> list[str] | None:
        """Some of the atoms that no stable model has together, as the solver finds them."""
        assumed = [self._literal(atom) for atom in (*fixed, *atoms)]
        with self._control.solve(assumed, yield_=True) as handle:
            if handle.model() is not None:
                return None
            literals = set(handle.core())
        return [atom for atom in atoms if self._literal(atom) in literals]

    def _literal(self, atom: str) -> int:
        literal = self._literals.get(atom)
        if literal is None:
            known = self._control.symbolic_atoms[clingo.parse_term(atom)]
            if known is None:
                raise AspError(f"found {atom}, which the program does not have")
            literal = self._literals[atom] = known.literal
        return literal


class _Limit(clingo.Observer):
    """Ends grounding after some rules and facts."""

    def __init__(self, largest: int) -> None:
        self._left = self._largest = largest

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:  # noqa: ARG002 - clingo's signature
        """Count a rule."""
        self._left -= 1
        if self._left < 0:
            message = f"found more than {self._largest:,} ground rules, expected a finite program"
            raise RuntimeError(message)


class _Rows:
    """The rows of a table of facts, for ``@rows`` in a program."""

    def __init__(self, facts: FactTable) -> None:
        self._facts = {
            fact_class.predicate: (len(arguments(fact_class)), rows)
            for fact_class, rows in facts.rows.items()
        }

    def rows(self, predicate: clingo.Symbol) -> Sequence[clingo.Symbol]:
        """The arguments of each fact of a predicate, as tuples."""
        arity, texts = self._facts[predicate.name]
        if not texts:
            return ()
        rows = clingo.parse_term(f"(({'),('.join(texts)}),)").arguments
        # A row of another length would match no rule, and be lost.
        if arity > 1 and len(rows[0].arguments) != arity:
            raise AspError(f"found {predicate.name}{rows[0]}, expected {arity} arguments")
        return rows


def _rule(predicate: type[Fact]) -> str:
    """The rule that states the facts of a predicate from the rows of a table."""
    variables = ",".join(f"X{number}" for number in range(len(arguments(predicate))))
    name = predicate.predicate
    return f"{name}({variables}) :- ({variables}) = @rows({name}).\n"


def _load(control: clingo.Control, path: Path, loaded: set[Path]) -> None:
    """Load an encoding and its includes, includes first, each file once."""
    if path in loaded:
        return
    loaded.add(path)
    included, own = _parts(path)
    for other in included:
        _load(control, other, loaded)
    if path.is_relative_to(_OWN):
        with clingo.ast.ProgramBuilder(control) as builder:
            for statement in _statements(path):
                builder.add(statement)
    elif included:
        control.add("base", [], own)
    else:
        control.load(str(path))


_OWN = ENCODINGS.resolve()


@cache
def _statements(path: Path) -> tuple[clingo.ast.AST, ...]:
    """The statements of an encoding; to parse its text each time takes four times as long."""
    found: list[clingo.ast.AST] = []
    clingo.ast.parse_string(_parts(path)[1], found.append)
    return tuple(found)


@cache
def _parts(path: Path) -> tuple[tuple[Path, ...], str]:
    """The files that an encoding includes, and its text without the includes.

    clingo resolves includes against the working directory first, where a file of the same name
    would be loaded instead.
    """
    text = path.read_text(encoding="utf-8")
    included = []
    for name in INCLUDE.findall(text):
        beside = path.parent / name
        # A program of a user includes encodings by their names.
        included.append(beside if beside.exists() else encoding(name))
    return tuple(included_path.resolve() for included_path in included), INCLUDE.sub("", text)


def _atoms(model: clingo.Model) -> list[Atom]:
    return [_atom(symbol) for symbol in model.symbols(shown=True)]


@lru_cache(_ATOMS_KEPT)
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
    """Where an occurrence of a predicate is in an encoding."""

    HEAD = "head"
    BODY = "body"
    DEFINED = "defined"
    SHOWN = "shown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """An occurrence of a predicate in an encoding; ``text`` is the atom as written."""

    name: str
    arity: int
    part: Part
    line: int
    text: str


def mentions(name: str) -> list[Mention]:
    """Occurrences of predicates in an encoding, without those in the files it includes."""
    found = _Mentions()
    clingo.ast.parse_string(_parts(encoding(name).resolve())[1], found.collect)
    return found.all


class _Mentions(clingo.ast.Transformer):
    """Visits statements; conditions in a head count as body."""

    def __init__(self) -> None:
        self.all: list[Mention] = []
        self._part = Part.BODY

    def collect(self, statement: clingo.ast.AST) -> None:
        """Collect the predicates of a statement."""
        self.visit(statement)

    def visit_Rule(self, rule: clingo.ast.AST) -> clingo.ast.AST:  # noqa: N802 - clingo's name
        self._as(Part.HEAD, [rule.head])
        self._as(Part.BODY, rule.body)
        return rule

    def visit_ConditionalLiteral(self, node: clingo.ast.AST) -> clingo.ast.AST:  # noqa: N802
        self.visit(node.literal)
        self._as(Part.BODY, node.condition)
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
        self._as(Part.BODY, node.body)
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
