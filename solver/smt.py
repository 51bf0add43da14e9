"""The only module that imports z3: satisfiability of points under the theory of order.

Verdicts and certificates use only results that do not depend on the version of z3: satisfiability
and entailed literals, but neither models nor z3's cores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from time import monotonic

import z3

from solver import smtlib
from solver.errors import HopcheckError, UndecidedError
from solver.model import Item, Point
from solver.numbering import NumberedItem, number

# Bellman-Ford on a sparse graph: z3's other procedures need minutes for 10,000 relations.
_DIFFERENCE_LOGIC = 1
_MINUTE = 60_000
# z3 leaks memory with each query: the context is renewed after this many items.
_LIFETIME = 1000

# Guards of the claim and of its negation.
CLAIMED, DENIED = "claimed", "denied"


class SmtError(HopcheckError):
    """An error reported by z3."""

    code = "smt"


class OrderSolver:
    """A z3 solver with ``encodings/temporal/order.smt2``, reused for one item after another.

    Args:
        timeout_ms: time limit in milliseconds, of each query and for all queries of an item.
    """

    def __init__(self, *, timeout_ms: int = _MINUTE) -> None:
        self._timeout_ms = timeout_ms
        self._deadline = monotonic() + timeout_ms / 1000
        self._item = ""
        self._theory = smtlib.THEORY.read_text(encoding="utf-8")
        self._renew()

    def begin(self, item: Item) -> NumberedItem:
        """Start a new item: declare its points and guards, with no assertions."""
        numbered = number(item)
        self._item = item.id
        self._deadline = monotonic() + self._timeout_ms / 1000
        self._begun += 1
        if self._begun > _LIFETIME:
            self._renew()
        if len(numbered.events) > self._events or len(numbered.relations) > self._relations:
            self._declare(numbered)
        return numbered

    @contextmanager
    def assuming(self, terms: Iterable[str]) -> Iterator[None]:
        """Assert SMT-LIB terms within the context."""
        self._solver.push()
        try:
            self._read("".join(smtlib.assertions(terms)))
            yield
        finally:
            self._solver.pop()

    def satisfiable(self, *guards: str) -> bool:
        """Whether the assertions are satisfiable with these guards assumed true."""
        literals = [self._guards[name] for name in guards]
        return self._is_sat(lambda: self._solver.check(*literals))

    def refuted(self, guards: Iterable[str]) -> set[str]:
        """The guards that are false in every model of the assertions."""
        literals = [self._guards[name] for name in guards]
        consequences: list[z3.BoolRef] = []

        def query() -> z3.CheckSatResult:
            answer, found = self._solver.consequences([], literals)
            consequences.extend(found)
            return answer

        self._is_sat(query)
        # Each consequence has the form (=> true (not name)).
        return {str(implied.arg(1).arg(0)) for implied in consequences}

    def instants(self, numbered: NumberedItem) -> dict[Point, int]:
        """An integer for each point, from the model of the last satisfiable query."""
        model = self._solver.model()
        terms = [z3.Int(smtlib.point(p), self._context) for p in range(2 * len(numbered.events))]
        return {
            numbered.point(p): model.eval(term, model_completion=True).as_long()
            for p, term in enumerate(terms)
        }

    def _renew(self) -> None:
        self._begun = self._events = self._relations = 0
        self._context = z3.Context()
        self._guards = {name: z3.Bool(name, self._context) for name in (CLAIMED, DENIED)}
        self._solver = z3.SimpleSolver(ctx=self._context)
        # With z3's own handler, an interrupt would look like an unknown result.
        self._solver.set("ctrl_c", False)
        self._solver.set("timeout", self._timeout_ms)
        self._solver.set("arith.solver", _DIFFERENCE_LOGIC)
        self._read(self._theory)
        self._read(smtlib.constants(self._guards, "Bool"))

    def _declare(self, numbered: NumberedItem) -> None:
        """Declare constants that no earlier item needed; they are kept for later items."""
        events = range(self._events, max(self._events, len(numbered.events)))
        points = [smtlib.point(p) for p in range(2 * events.start, 2 * events.stop)]
        self._read(smtlib.constants(points, "Int"))
        sentences = (
            *smtlib.relations(numbered)[self._relations :],
            *smtlib.durations(numbered)[self._events :],
        )
        self._read(smtlib.constants([s.name for s in sentences], "Bool"))
        self._guards.update((s.name, z3.Bool(s.name, self._context)) for s in sentences)
        self._events = events.stop
        self._relations = max(self._relations, len(numbered.relations))

    def _read(self, text: str) -> None:
        try:
            self._solver.from_string(text)
        except z3.Z3Exception as error:
            raise SmtError(f"z3 rejects the theory: {error}", where=self._item) from error

    def _is_sat(self, query: Callable[[], z3.CheckSatResult]) -> bool:
        """Run a query; raises UndecidedError if its result is unknown."""
        if monotonic() <= self._deadline:
            try:
                answer = query()
            except z3.Z3Exception as error:
                raise SmtError(f"z3 fails: {error}", where=self._item) from error
            if answer != z3.unknown:
                return bool(answer == z3.sat)
        raise UndecidedError(
            f"z3 has no answer within {self._timeout_ms} ms",
            where=self._item,
            hint="allow more time, or use another engine",
        )


def version() -> str:
    """Version of z3."""
    return str(z3.get_version_string())
