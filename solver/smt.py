"""The only module that imports z3: satisfiability of points under the theory of order.

Verdicts and certificates use only results that do not depend on the version of z3: satisfiability
and entailed literals, but neither models nor z3's cores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from time import monotonic

import z3

from grammar.errors import HopcheckError, UndecidedError
from solver.encodings import encoding

THEORY = encoding("temporal/order.smt2")


def point(number: int) -> str:
    """The term of a numbered point."""
    return f"end_{number >> 1}" if number & 1 else f"start_{number >> 1}"


def guarded(guard: str, term: str) -> str:
    """A term that holds if its guard does."""
    return f"(guarded {guard} {term})"


def assertions(terms: Iterable[str]) -> Iterator[str]:
    """An assertion of each term."""
    return (f"(assert {term})" for term in terms)


def constants(names: Iterable[str], sort: str) -> str:
    """Declarations of constants."""
    return "".join(f"(declare-const {name} {sort})" for name in names)


# Bellman-Ford on a sparse graph: z3's other procedures need minutes for 10,000 relations.
_DIFFERENCE_LOGIC = 1
_MINUTE = 60_000
# z3's steps for a query before it is repeated with a timer: a fraction of a second.
_STEPS = 1_000_000
_NO_TIMER = 2**32 - 1
# z3 leaks memory with each query: the context is renewed after this many items.
_LIFETIME = 1000

# Terms that are kept; a premise of a few hundred sentences has as many.
_FORMULAS_KEPT = 50_000
# Unsatisfiable cores that are tried, each of a cycle, before all guards are asked about.
_CORES = 16

# Guards of the claim and of its negation.
CLAIMED, DENIED = "claimed", "denied"


class SmtError(HopcheckError):
    """An error reported by z3."""

    code = "smt"


class OrderSolver:
    """A z3 solver with ``encodings/temporal/order.smt2``, reused for one item after another.

    Terms recur from item to item: each is parsed once and kept.

    Args:
        timeout_ms: time limit in milliseconds, of each query and for all queries of an item.
    """

    def __init__(self, *, timeout_ms: int = _MINUTE) -> None:
        self._timeout_ms = timeout_ms
        self._deadline = monotonic() + timeout_ms / 1000
        self._item = ""
        self._theory = THEORY.read_text(encoding="utf-8")
        self._begun = 0
        self._events = 0
        self._renew()

    def begin(self, item: str, events: int) -> None:
        """Start a new item: declare the points of its events, with no assertions.

        Args:
            item: its id, for errors.
            events: number of events.
        """
        self._item = item
        self._deadline = monotonic() + self._timeout_ms / 1000
        self._begun += 1
        if self._begun > _LIFETIME or len(self._formulas) > _FORMULAS_KEPT:
            self._renew()
        if events > self._events:
            points = range(2 * self._events, 2 * events)
            self._parse(constants(map(point, points), "Int"))
            self._events = events

    def declare(self, guards: Iterable[str]) -> None:
        """Declare guards that are not declared yet."""
        new = [name for name in dict.fromkeys(guards) if name not in self._guards]
        if new:
            named = self._parse(constants(new, "Bool") + "".join(assertions(new)))
            self._guards.update(zip(new, named, strict=True))
            self._names.update(
                (variable.value, name) for variable, name in zip(named, new, strict=True)
            )

    @contextmanager
    def assuming(self, terms: Iterable[str]) -> Iterator[None]:
        """Assert SMT-LIB terms within the context.

        Raises:
            SmtError: z3 rejects a term.
        """
        self._solver.push()
        try:
            self._assert(z3.Z3_mk_and, self._parsed(terms))
            yield
        finally:
            self._solver.pop()

    def satisfiable(self, *guards: str) -> bool:
        """Whether the assertions are satisfiable with these guards assumed true."""
        literals = (z3.Ast * len(guards))(*(self._guards[name] for name in guards))
        context, solver = self._context.ref(), self._solver.solver

        def query() -> z3.CheckSatResult:
            answer = z3.Z3_solver_check_assumptions(context, solver, len(guards), literals)
            return z3.CheckSatResult(answer)

        return self._is_sat(query)

    def core(self) -> set[str]:
        """Guards that are not true together, after a query that was not satisfiable."""
        context = self._context.ref()
        found = _members(context, z3.Z3_solver_get_unsat_core(context, self._solver.solver))
        return {self._names[assertion.value] for assertion in found}

    def refuted(self, guards: Iterable[str]) -> set[str]:
        """The guards that are false in every model of the assertions.

        Cores only suggest which these are: that each of them is false, and that all others can be
        true together, is asked afterwards.
        """
        names = set(guards)
        rest = sorted(names)
        for _ in range(_CORES):
            if self.satisfiable(*rest):
                break
            core = self.core()
            rest = [name for name in rest if name not in core]
        else:
            return self._consequences(names)
        false = names.difference(rest)
        if not false:
            return false
        self._solver.push()
        try:
            self._assert(z3.Z3_mk_or, [self._guards[name] for name in sorted(false)])
            suggested = self.satisfiable()
        finally:
            self._solver.pop()
        return self._consequences(names) if suggested else false

    def _consequences(self, guards: Iterable[str]) -> set[str]:
        literals = [z3.Bool(name, self._context) for name in sorted(guards)]
        consequences: list[z3.BoolRef] = []

        def query() -> z3.CheckSatResult:
            answer, found = self._solver.consequences([], literals)
            consequences.extend(found)
            return answer

        self._is_sat(query)
        # Each consequence has the form (=> true (not name)).
        return {str(implied.arg(1).arg(0)) for implied in consequences}

    def instants(self) -> list[int]:
        """An integer for each numbered point, from the model of the last satisfiable query."""
        model = self._solver.model()
        terms = [z3.Int(point(p), self._context) for p in range(2 * self._events)]
        return [model.eval(term, model_completion=True).as_long() for term in terms]

    def _renew(self) -> None:
        self._begun = self._events = 0
        self._context = z3.Context()
        self._parser = z3.ParserContext(self._context)
        self._formulas: dict[str, z3.Ast] = {}
        self._guards: dict[str, z3.Ast] = {}
        self._names: dict[int | None, str] = {}
        self._solver = z3.SimpleSolver(ctx=self._context)
        # With z3's own handler, an interrupt would look like an unknown result.
        self._solver.set("ctrl_c", False)
        self._solver.set("arith.solver", _DIFFERENCE_LOGIC)
        # Most of the time goes to rewriting, and this pass has no effect on differences.
        self._solver.set("propagate_values", False)
        self._limit(steps=_STEPS)
        self._parse(self._theory)
        self.declare((CLAIMED, DENIED))

    def _assert(self, joined: Callable[..., z3.Ast], formulas: Sequence[z3.Ast]) -> None:
        """Assert the conjunction or the disjunction of formulas, in one call."""
        context, number = self._context.ref(), len(formulas)
        formula = joined(context, number, (z3.Ast * number)(*formulas))
        z3.Z3_inc_ref(context, formula)
        z3.Z3_solver_assert(context, self._solver.solver, formula)
        z3.Z3_dec_ref(context, formula)

    def _parsed(self, terms: Iterable[str]) -> list[z3.Ast]:
        """The formula of each term."""
        terms, formulas = list(terms), self._formulas
        new = [term for term in dict.fromkeys(terms) if term not in formulas]
        if new:
            formulas.update(zip(new, self._parse("".join(assertions(new))), strict=True))
        return [formulas[term] for term in terms]

    def _parse(self, text: str) -> list[z3.Ast]:
        """Read declarations and assertions; returns the latter, which live as long as the context.

        Without z3's Python classes, whose conversions take several times as long as z3 itself.
        """
        context = self._context.ref()
        try:
            found = z3.Z3_parser_context_from_string(context, self._parser.pctx, text)
        except z3.Z3Exception as error:
            raise SmtError(f"z3 rejects the theory: {error}", where=self._item) from error
        formulas = _members(context, found)
        for formula in formulas:
            z3.Z3_inc_ref(context, formula)
        return formulas

    def _is_sat(self, query: Callable[[], z3.CheckSatResult]) -> bool:
        """Run a query; raises UndecidedError if its result is unknown."""
        if monotonic() <= self._deadline:
            answer = self._answer(query)
            if answer == z3.unknown:
                self._limit(milliseconds=self._timeout_ms)
                answer = self._answer(query)
                self._limit(steps=_STEPS)
            if answer != z3.unknown:
                return bool(answer == z3.sat)
        raise UndecidedError(
            f"z3 has no answer within {self._timeout_ms} ms",
            where=self._item,
            hint="allow more time, or use another engine",
        )

    def _answer(self, query: Callable[[], z3.CheckSatResult]) -> z3.CheckSatResult:
        try:
            return query()
        except z3.Z3Exception as error:
            raise SmtError(f"z3 fails: {error}", where=self._item) from error

    def _limit(self, *, steps: int = 0, milliseconds: int = _NO_TIMER) -> None:
        """Limit each query by steps, or by time: a timer takes a sixth of the time of an item."""
        self._solver.set("rlimit", steps)
        self._solver.set("timeout", milliseconds)


def _members(context: z3.ContextObj, vector: z3.AstVectorObj) -> list[z3.Ast]:
    """The members of a vector that z3 has just returned."""
    z3.Z3_ast_vector_inc_ref(context, vector)
    size = z3.Z3_ast_vector_size(context, vector)
    members = [z3.Z3_ast_vector_get(context, vector, index) for index in range(size)]
    z3.Z3_ast_vector_dec_ref(context, vector)
    return members


class TheorySolver:
    """z3 with a theory of macros, for one problem of constants and terms after another.

    Names of constants recur from problem to problem, always with the same sort. A query is first
    limited by steps; one that takes more gets a solver of its own, which simplifies the whole
    problem, and a timer.

    Args:
        theory: the encoding, such as ``calendar/calendar.smt2``.
        timeout_ms: time limit of each query in milliseconds.
    """

    def __init__(self, theory: str, *, timeout_ms: int = _MINUTE) -> None:
        self._theory = encoding(theory).read_text(encoding="utf-8")
        self._timeout_ms = timeout_ms
        self._renew()

    def begin(self, name: str, sorts: Mapping[str, str], terms: Iterable[str]) -> None:
        """Start a new problem, with these constants and assertions.

        Args:
            name: of the problem, for errors.
            sorts: sort of each constant.
            terms: what holds.

        Raises:
            SmtError: z3 rejects a term.
        """
        self._begun += 1
        if self._begun > _LIFETIME:
            self._renew()
        self._problem = name
        new = {constant: sort for constant, sort in sorts.items() if constant not in self._sorts}
        self._sorts |= new
        declared = "".join(constants([constant], sort) for constant, sort in new.items())
        self._premise[:] = self._parsed(declared + "".join(assertions(terms)))

    def satisfiable(self, *terms: str) -> bool:
        """Whether the assertions are satisfiable together with these terms.

        Raises:
            SmtError: z3 rejects a term.
            UndecidedError: z3 has no answer in time.
        """
        formulas = [*self._premise, *self._parsed("".join(assertions(terms)))]
        answer = self._answer(self._quick, formulas)
        if answer == z3.unknown:
            thorough = z3.Solver(ctx=self._context)
            thorough.set("ctrl_c", False)
            thorough.set("timeout", self._timeout_ms)
            answer = self._answer(thorough, formulas)
        if answer == z3.unknown:
            message = f"z3 has no answer within {self._timeout_ms} ms"
            raise UndecidedError(message, where=self._problem)
        return bool(answer == z3.sat)

    def _renew(self) -> None:
        self._begun, self._problem = 0, ""
        self._sorts: dict[str, str] = {}
        self._context = z3.Context()
        self._parser = z3.ParserContext(self._context)
        self._premise: list[z3.BoolRef] = []
        self._quick = z3.SimpleSolver(ctx=self._context)
        self._quick.set("ctrl_c", False)
        self._quick.set("rlimit", _STEPS)
        self._parsed(self._theory)

    def _answer(self, solver: z3.Solver, formulas: Sequence[z3.BoolRef]) -> z3.CheckSatResult:
        solver.push()
        try:
            solver.add(*formulas)
            return solver.check()
        except z3.Z3Exception as error:
            raise SmtError(f"z3 fails: {error}", where=self._problem) from error
        finally:
            solver.pop()

    def _parsed(self, text: str) -> list[z3.BoolRef]:
        """The assertions of a text; its declarations are kept."""
        try:
            return list(self._parser.from_string(text))
        except z3.Z3Exception as error:
            raise SmtError(f"z3 rejects the problem: {error}", where=self._problem) from error


def least_weight(
    fixed: Iterable[tuple[int, int, bool]],
    guarded: Mapping[int, Sequence[tuple[int, int, bool]]],
    weights: Mapping[int, int],
    *,
    seconds: float,
) -> int | None:
    """The least weight of guarded constraints to give up, so that the others are satisfiable.

    Args:
        fixed: constraints (p, q, strict) that point p precedes q, or is no later.
        guarded: further ones, which are kept or given up together, by number.
        weights: of these numbers.
        seconds: time limit.

    Returns:
        The weight; None if it is not known in time.
    """
    context = z3.Context()
    solver = z3.Optimize(ctx=context)
    solver.set("timeout", max(1, int(1000 * seconds)))

    def constraint(p: int, q: int, strict: bool) -> z3.BoolRef:
        left, right = z3.Int(f"p{p}", context), z3.Int(f"p{q}", context)
        return left < right if strict else left <= right

    for arc in fixed:
        solver.add(constraint(*arc))
    guards = {link: z3.Bool(f"g{link}", context) for link in guarded}
    for link, arcs in guarded.items():
        solver.add(z3.Implies(guards[link], z3.And([constraint(*arc) for arc in arcs])))
        solver.add_soft(guards[link], weights[link])
    if solver.check() != z3.sat:
        return None
    model = solver.model()
    return sum(
        weights[link]
        for link, guard in guards.items()
        if not z3.is_true(model.eval(guard, model_completion=True))
    )


def version() -> str:
    """Version of z3."""
    return str(z3.get_version_string())
