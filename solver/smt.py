"""The one module that speaks to z3: holds the theory of points and answers questions about it.

Only what every version of z3 has to answer alike reaches a verdict or a certificate: whether
assertions are satisfiable, and which literals follow. Models and z3's own cores do not.
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

# Bellman and Ford on a sparse graph: z3's other procedures need minutes for 10,000 relations.
_DIFFERENCE_LOGIC = 1
_MINUTE = 60_000
# z3 keeps some memory of each question; it is thrown away with its context after so many items.
_LIFETIME = 1000

# Names for a claim and for its denial, which are heard only when one of them is asked about.
CLAIMED, DENIED = "claimed", "denied"


class SmtError(HopcheckError):
    """Something that z3 refuses."""

    code = "smt"


class OrderSolver:
    """A z3 solver with ``encodings/temporal/order.smt2``, asked about one item after another.

    Args:
        timeout_ms: how long one question may take, in milliseconds; an item that has taken as
            long is asked no further question.
    """

    def __init__(self, *, timeout_ms: int = _MINUTE) -> None:
        self._timeout_ms = timeout_ms
        self._deadline = monotonic() + timeout_ms / 1000
        self._item = ""
        self._theory = smtlib.THEORY.read_text(encoding="utf-8")
        self._renew()

    def begin(self, item: Item) -> NumberedItem:
        """Turn to another item: its points and sentences can be spoken of, nothing is assumed."""
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
        """Hold SMT-LIB terms true for a while."""
        self._solver.push()
        try:
            self._read("".join(smtlib.asserting(terms)))
            yield
        finally:
            self._solver.pop()

    def satisfiable(self, *heard: str) -> bool:
        """Whether all that is held can be true, with the sentences of these names heard."""
        literals = [self._heard[name] for name in heard]
        return self._sure(lambda: self._solver.check(*literals))

    def unhearable(self, names: Iterable[str]) -> set[str]:
        """The names of the sentences that cannot be heard, even each alone."""
        literals = [self._heard[name] for name in names]
        consequences: list[z3.BoolRef] = []

        def ask() -> z3.CheckSatResult:
            answer, found = self._solver.consequences([], literals)
            consequences.extend(found)
            return answer

        self._sure(ask)
        # Each consequence reads (=> true (not name)).
        return {str(implied.arg(1).arg(0)) for implied in consequences}

    def instants(self, numbered: NumberedItem) -> dict[Point, int]:
        """An integer for each point, from the last question whose answer was yes."""
        model = self._solver.model()
        terms = [z3.Int(smtlib.point(p), self._context) for p in range(2 * len(numbered.events))]
        return {
            numbered.point(p): model.eval(term, model_completion=True).as_long()
            for p, term in enumerate(terms)
        }

    def _renew(self) -> None:
        self._begun = self._events = self._relations = 0
        self._context = z3.Context()
        self._heard = {name: z3.Bool(name, self._context) for name in (CLAIMED, DENIED)}
        self._solver = z3.SimpleSolver(ctx=self._context)
        # With z3's own handler, an interrupt would pass for a question without an answer.
        self._solver.set("ctrl_c", False)
        self._solver.set("timeout", self._timeout_ms)
        self._solver.set("arith.solver", _DIFFERENCE_LOGIC)
        self._read(self._theory)
        self._read(smtlib.constants(self._heard, "Bool"))

    def _declare(self, numbered: NumberedItem) -> None:
        """Declare the constants that no item before needed; z3 keeps them for the items to come."""
        events = range(self._events, max(self._events, len(numbered.events)))
        points = [smtlib.point(p) for p in range(2 * events.start, 2 * events.stop)]
        self._read(smtlib.constants(points, "Int"))
        said = (
            *smtlib.relations(numbered)[self._relations :],
            *smtlib.durations(numbered)[self._events :],
        )
        self._read(smtlib.constants([s.name for s in said], "Bool"))
        self._heard.update((s.name, z3.Bool(s.name, self._context)) for s in said)
        self._events = events.stop
        self._relations = max(self._relations, len(numbered.relations))

    def _read(self, text: str) -> None:
        try:
            self._solver.from_string(text)
        except z3.Z3Exception as error:
            raise SmtError(f"z3 refuses the theory: {error}", where=self._item) from error

    def _sure(self, ask: Callable[[], z3.CheckSatResult]) -> bool:
        """Whether the answer is yes."""
        if monotonic() <= self._deadline:
            try:
                answer = ask()
            except z3.Z3Exception as error:
                raise SmtError(f"z3 fails: {error}", where=self._item) from error
            if answer != z3.unknown:
                return bool(answer == z3.sat)
        raise UndecidedError(
            f"z3 has no answer within {self._timeout_ms} ms",
            where=self._item,
            hint="allow more time, or ask another engine",
        )


def version() -> str:
    """Version of z3."""
    return str(z3.get_version_string())
